"""Language packs: a third language judges from end to end, and a faulty pack is one line."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile

from judge_help import judge, judge_answer, make_run
from servers import ChatServer
from zhiyin import cli
from zhiyin.engine.folder import read_manifest
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.appraisal.benchmark import Appraisal
from zhiyin.plugins.judges.combine import combine
from zhiyin.plugins.judges.grades import read_grades
from zhiyin.plugins.judges.heard import HeardFacts
from zhiyin.plugins.judges.language import open_language
from zhiyin.plugins.judges.lexical.facts import check_facts

PACK = Path(__file__).parent.parent / "data/language_es"
RESEÑA = (
    "Interpretada por Ana Ríos, esta canción de estilo bolero salió en 1998. La voz tiene un "
    "timbre de terciopelo, como una tarde de lluvia. Está en mi bemol menor, a 92 pulsos por "
    "minuto; me gusta porque la guitarra lleva el ritmo."
)
DETAILS = {"artist": "Ana Ríos", "release_year": 1998, "genre": "rock", "key": "E flat minor"}


@pytest.fixture
def run(tmp_path):
    return make_run(tmp_path / "run", [RESEÑA, "Una canción."], details=DETAILS)


def test_claims_are_read_in_spanish():
    open_language(str(PACK))
    details = {**DETAILS, "key": "mi bemol menor"}
    found = {c.claim: c.verdict for c in check_facts(RESEÑA, details, language="es")}
    other = check_facts(RESEÑA, {**details, "artist": "Eva Sanz"}, language="es")
    assert ("artist Ana Ríos", "contradicted") in {(c.claim, c.verdict) for c in other}
    assert found["year 1998"] == "supported"
    assert found["genre bolero"] == "contradicted"
    assert found["key mi bemol menor"] == "supported"
    heard = HeardFacts(92.4, "Eb minor")
    found = {c.claim: c for c in check_facts(RESEÑA, {}, heard, "es")}
    assert found["tempo 92"].verdict == found["key mi bemol menor"].verdict == "supported"
    assert found["tempo 92"].evidence == "heard"


def test_the_lexical_judge_grades_in_spanish(run):
    found = combine(read_grades(judge(run, "lexical", language=str(PACK))), run)
    song, empty = found.songs
    points = song.found["completeness"][0]["scores"]
    assert points["voice"] == 1.0
    assert points["viewpoint"] == 0.5
    assert song.completeness > 6 > empty.completeness
    assert song.found["novelty"][0]["scores"]["personal_reactions"] == 1
    chinese = combine(read_grades(judge(run, "lexical")), run)
    assert chinese.songs[0].found["completeness"][0]["scores"]["viewpoint"] == 0


def test_a_judge_is_asked_in_the_language_of_the_pack(run):
    with ChatServer(judge_answer) as server:
        folder = judge(run, server.spec, language=str(PACK))
        prompts = [call.body["messages"][0]["content"] for call in server.seen]
    assert any("timbre" in p and p.startswith("Mira qué aspectos") for p in prompts)
    assert any(p.startswith("Comprueba los datos") and "release_year: 1998" in p for p in prompts)
    config = read_manifest(folder).config
    assert config["options"]["language"] == "language_es"  # and no place on this machine
    assert str(PACK) not in json.dumps(config)


def test_failures_and_the_released_rubric_have_their_words(run):
    from zhiyin.plugins.judges.benchmark import Judging, read_settings

    options = {"run": str(run), "aspects": "failures", "language": str(PACK)}
    (trial, *_) = Judging(read_settings(options)).trials()
    said = trial.messages[0].text
    options = {"run": str(run), "language": str(PACK), "protocol": "reaction-released"}
    rubric = next(iter(Judging(read_settings(options)).trials())).messages[0].text
    assert "evasion: no elige" in said
    assert "colloquial (lengua hablada, natural y viva; 0-2)" in rubric


def test_models_are_asked_in_the_language_of_the_pack(tmp_path, pytestconfig, capsys):
    data = tmp_path / "data"
    shutil.copytree(pytestconfig.rootpath / "tests/data/appraisal_small", data)
    found = list(Appraisal.from_options({"data": str(data), "language": str(PACK)}).trials())
    assert "Respuesta: (letra)" in found[0].messages[0].text
    args = ["run", "appraisal", "--data", str(data), "-m", "random", "--language", str(PACK)]
    args += ["--parts", "qa", "--out", str(tmp_path / "run"), "--json", "--quiet"]
    assert cli.main(args) == 0
    assert json.loads(capsys.readouterr().out)["settings"]["options"]["language"] == "language_es"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda pack: (pack / "language.json").unlink(), "a language pack needs this file"),
        (lambda pack: (pack / "language.json").write_text("{"), "put it right"),
        (lambda pack: (pack / "precision.es.txt").unlink(), "is it a file you may read"),
        (lambda pack: replace(pack, "language.json", '"es"', '"en"'), "a name of its own"),
        (
            lambda pack: replace(pack, "language.json", '"scene":', '"scenes":'),
            "nothing of 'scene'",
        ),
        (lambda pack: replace(pack, "lexicon.json", "?P<note>", "?:"), r"no \(\?P<note>"),
        (lambda pack: replace(pack, "lexicon.json", '"chatty"', '"chat"'), "no 'chatty'"),
        (lambda pack: replace(pack, "lexicon.json", "habla de|", "habla de|("), "mend it"),
    ],
)
def test_a_faulty_pack_is_one_line(tmp_path, run, change, told, monkeypatch):
    from zhiyin.plugins.judges import language

    monkeypatch.setattr(language, "_opened", {})
    pack = tmp_path / "es"
    shutil.copytree(PACK, pack)
    change(pack)
    with pytest.raises(InputError, match=told):
        judge(run, "lexical", language=str(pack))


def replace(pack, file, old, new):
    path = pack / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_an_unknown_language_says_what_there_is(run, capsys):
    assert cli.main(["judge", str(run), "-m", "lexical", "--language", "eo"]) == 2
    error = capsys.readouterr().err
    assert "unknown --language 'eo'" in error
    assert "language pack" in error


@pytest.mark.slow
def test_recordings_are_evidence_of_their_own_kind(tmp_path, pytestconfig, capsys):
    """Claims on sound are checked where no detail speaks of sound at all."""
    from zhiyin.plugins.benchmarks.appraisal.data import make_pieces

    make_pieces(tmp_path / "songs", 2, 1)
    truth = [
        json.loads(x) for x in (tmp_path / "songs/song_details.jsonl").read_text().splitlines()
    ]
    lines = [json.dumps({"audio_path": t["audio_path"], "title": "Lantern"}) for t in truth]
    (tmp_path / "songs/song_details.jsonl").write_text("\n".join(lines))
    (tmp_path / "songs/option_qa.jsonl").unlink()
    said = [f"It is in {t['key']}, at {t['tempo_bpm']} bpm, in 3/4. A cello plays." for t in truth]
    mine = tmp_path / "mine.py"
    mine.write_text(f"said = {said!r}\ndef review(path, q, o):\n    return said.pop(0)\n")
    args = ["run", "appraisal", "--data", str(tmp_path / "songs"), "--language", "en", "-m"]
    args += [f"python:{mine}:review", "--out", str(tmp_path / "run"), "--quiet", "--json"]
    assert cli.main(args) == 0
    capsys.readouterr()
    judged = ["judge", str(tmp_path / "run"), "-m", "lexical", "--language", "en", "--json"]
    assert cli.main(judged) == 0
    found = json.loads(capsys.readouterr().out)
    details = found["precision"][0]
    # key and tempo of both are right; 3/4 is not the metre; the cello is nobody's to say
    assert (details["total_claims"], details["total_correct_claims"]) == (6, 4)
    assert (details["heard_claims"], details["heard_correct_claims"]) == (6, 4)
    assert {c["evidence"] for draws in details["claims"].values() for c in draws[0]} >= {"heard"}
    assert cli.main([*judged, "--no-heard"]) == 0
    without = json.loads(capsys.readouterr().out)
    assert without["judges"][0]["components"]["precision"]["value"] is None
    for path in (tmp_path / "songs").glob("*.wav"):
        soundfile.write(path, np.zeros(8000), 8000)  # what was measured is kept with the run
    assert cli.main(judged) == 0
    assert json.loads(capsys.readouterr().out)["precision"] == found["precision"]


@pytest.mark.slow
def test_the_judge_is_told_what_was_heard(tmp_path):
    from zhiyin.plugins.benchmarks.appraisal.data import make_pieces

    make_pieces(tmp_path / "songs", 1, 3)
    (tmp_path / "songs/option_qa.jsonl").unlink()
    mine = tmp_path / "mine.py"
    mine.write_text("def review(path, q, o):\n    return 'Quick, at 200 bpm.'\n")
    run = str(tmp_path / "run")
    args = ["run", "appraisal", "--data", str(tmp_path / "songs"), "-m", f"python:{mine}:review"]
    assert cli.main([*args, "--out", run, "--quiet"]) == 0

    def answer(call):
        said = call.body["messages"][0]["content"]
        assert "tempo_bpm: " in said
        assert "metre: duple (2/4, 4/4, 2/2)" in said
        claim = {"claim": "fast", "quote": "at 200 bpm", "field": "tempo_bpm"}
        return json.dumps({"claims": [{**claim, "verdict": "contradicted", "evidence": "heard"}]})

    with ChatServer(answer) as server:
        folder = judge(Path(run), server.spec, aspects="precision")
    (song,) = combine(read_grades(folder), Path(run)).songs
    assert song.precision == 0
    assert song.found["precision"][0]["scores"]["heard_contradicted"] == 1
    assert song.heard.tempo_bpm > 40
