"""The benchmark as a command: questions, reviews, missing songs, pieces of our own, a judge."""

import itertools
import json
import re
import shutil
from pathlib import Path

import pytest

from said_help import texts
from zhiyin import cli
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.appraisal.benchmark import Appraisal
from zhiyin.plugins.benchmarks.appraisal.data import TEMPI, make_pieces
from zhiyin.plugins.music.theory import parse_key
from zhiyin.record import Exchange, Reply, Turn

REVIEWER = """
def review(audio_path, question, options):
    assert "lantern" not in audio_path and "tide" not in audio_path
    if options:
        return "This is a bridge, I am sure. 答案：" + "C" * (len(options) > 2)
    return "旋律平稳，节奏清楚。我觉得它像雨。"
"""


@pytest.fixture
def data(tmp_path, pytestconfig):
    folder = tmp_path / "data"
    shutil.copytree(pytestconfig.rootpath / "tests/data/appraisal_small", folder)
    return folder


@pytest.fixture
def reviewer(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(REVIEWER)
    return f"python:{file}:review"


def trials(data, **options):
    return list(Appraisal.from_options({"data": str(data), **options}).trials())


def test_trials(data):
    found = trials(data)
    assert [t.groups for t in found] == [("qa",)] * 3 + [("appraisal",)] * 2
    assert [len(t.options) for t in found] == [4, 2, 6, 0, 0]
    assert [t.target for t in found[:3]] == ["C", "A", "F"]
    assert json.loads(found[3].target)["artist"] == "林小满"
    assert {t.cluster for t in found} == {"songs/lantern.wav", "songs/tide.wav"}
    assert len({t.id for t in found}) == 5
    assert [t.groups for t in trials(data, parts="appraisal")] == [("appraisal",)] * 2
    assert "Listen to the recording" in trials(data, language="en")[0].messages[0].text


def test_nothing_that_is_sent_tells_the_song(data):
    for trial in trials(data):
        words = trial.messages[0].text + trial.stem
        assert not any(name in words for name in ("lantern", "tide.wav", "林小满", "灯笼", "Alder"))
        assert trial.blind().target is None


def test_a_review_has_no_right_answer(data):
    benchmark = Appraisal.from_options({"data": str(data)})
    trial = trials(data)[-1]

    def state(text, finish="stop"):
        verdict = benchmark.score(trial, Exchange((Turn(Reply(text, finish)),)))
        return verdict.state, verdict.scores["written"], verdict.why

    assert state("一首歌。") == ("ungraded", 1, "written")
    assert state("") == ("ungraded", 0, "nothing written")
    assert state("", "length") == ("ungraded", 0, "cut off before a word")
    assert state("抱歉，我无法听取音频。") == ("ungraded", 0, "declined to review")
    assert state("half a sent", "length") == ("ungraded", 1, "written, but cut off")


def test_the_article_is_no_answer_unless_the_published_way_is_asked_for(data):
    trial = trials(data)[0]
    reply = Exchange((Turn(Reply("This is a bridge.")),))
    robust = Appraisal.from_options({"data": str(data)}).score(trial, reply)
    flexible = Appraisal.from_options({"data": str(data), "extract": "flexible"}).score(
        trial, reply
    )
    assert (robust.answer, robust.state) == ("C", "correct")
    assert (flexible.answer, flexible.state) == ("A", "wrong")


def test_a_judge_that_does_not_open_stops_the_run_before_it_begins(
    data, reviewer, tmp_path, capsys, monkeypatch
):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    args = ["run", "appraisal", "--data", str(data), "-m", reviewer, "--out", str(tmp_path / "run")]
    for judge, told in (("lexicl", "did you mean lexical"), ("openai:gpt-4o", "needs a key")):
        assert cli.main([*args, "--judge", judge]) == 2
        error = capsys.readouterr().err
        assert error.startswith("zhiyin: the judge cannot be asked: ")
        assert told in error
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_run_and_judge_in_one_command(data, reviewer, tmp_path, capsys):
    out = tmp_path / "run"
    args = ["run", "appraisal", "--data", str(data), "-m", reviewer, "--out", str(out)]
    assert cli.main([*args, "--judge", "lexical", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["groups"]["qa"]["n"] == 3
    assert summary["groups"]["qa"]["accuracy"] == pytest.approx(1 / 3)
    judged = summary["details"][1]
    assert judged["title"] == "Judged by lexical"
    assert [row[0] for row in judged["rows"]][0::4] == ["questions", "total"]
    assert judged["rows"][0][1] == pytest.approx(1 / 3)
    assert all(row[2] < row[1] < row[3] for row in judged["rows"] if row[1] is not None)
    assert "not comparable" in judged["notes"][-1]
    assert cli.main(["judge", str(out), "-m", "lexical", "--quiet"]) == 0  # all there already
    assert "  total: " in capsys.readouterr().out
    (folder,) = out.glob("judged-lexical-*")
    assert [s.asked for s in read_manifest(folder).sessions] == [6, 0]
    assert cli.main([*args, "--json"]) == 0  # the same run, with or without a judge
    assert json.loads(capsys.readouterr().out)["trials"] == 5
    assert len(read_manifest(out).sessions) == 2


def test_missing_songs_are_reported_in_one_line_each(data, reviewer, tmp_path, capsys, caplog):
    (data / "songs/tide.wav").unlink()
    out = str(tmp_path / "run")
    args = ["run", "appraisal", "--data", str(data), "-m", reviewer, "--out", out, "--json"]
    assert cli.main(args) == 0
    lines = [r.getMessage() for r in caplog.records if r.name == "zhiyin"]
    where = f"{data}, {Path.cwd()}"
    left_out = f"left out: {data / 'option_qa.jsonl'}, songs/tide.wav"
    assert lines == [f"{left_out}: not there (looked for in {where})"]
    summary = json.loads(capsys.readouterr().out)
    assert summary["trials"] == 3
    assert texts(summary["remarks"])[0] == "left out: 1 of 2 songs, without a recording here"


def test_broken_lines_do_not_stop_a_run(data, reviewer, tmp_path, capsys):
    with (data / "option_qa.jsonl").open("a") as file:
        file.write('{"broken\n')
    out = str(tmp_path / "run")
    args = ["run", "appraisal", "--data", str(data), "-m", reviewer, "--out", out, "--json"]
    assert cli.main(args) == 0
    remarks = texts(json.loads(capsys.readouterr().out)["remarks"])
    assert any("option_qa.jsonl, line 4: no JSON" in remark for remark in remarks)


def test_published_data_without_songs(shared, capsys):
    args = ["run", "appraisal", "--data", str(shared / "appraisal"), "-m", "random"]
    assert cli.main(args) == 2
    said = capsys.readouterr().err
    assert "none of the 22 songs has a recording here" in said
    assert "not there (looked for in" in said


def test_audio_root(data, tmp_path):
    shutil.move(data / "songs", tmp_path / "elsewhere" / "songs")
    with pytest.raises(InputError, match="none of the 2 songs"):
        trials(data)
    assert len(trials(data, audio_root=str(tmp_path / "elsewhere"))) == 5


def with_paths(data, folder):
    """The data with each song named by its whole path below another folder."""
    for name in ("option_qa.jsonl", "song_details.jsonl"):
        text = (data / name).read_text("utf-8")
        (data / name).write_text(text.replace('"songs/', f'"{folder}/songs/'), "utf-8")


def test_whole_paths_within_the_folder_one_stands_in(data, tmp_path, monkeypatch):
    """As the README of the benchmark shows them, without another argument."""
    shutil.move(data / "songs", tmp_path / "music" / "songs")
    with_paths(data, tmp_path / "music")
    monkeypatch.chdir(data)
    with pytest.raises(InputError, match="none of the 2 songs"):
        trials(data)
    monkeypatch.chdir(tmp_path)
    assert len(trials(data)) == 5
    monkeypatch.chdir("/")
    elsewhere = trials(data, audio_root=str(tmp_path / "music"))
    assert len(elsewhere) == 5


def test_songs_beside_the_folder_of_the_data_as_published(data, tmp_path, monkeypatch):
    shutil.move(data / "songs", tmp_path / "songs")
    monkeypatch.chdir(tmp_path)
    assert len(trials(data)) == 5


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"language": "de"}, "unknown --language"),
        ({"n": 0}, "--n 0"),
        ({"shots": "5"}, "no use for it"),
        ({"extract": "flexibel"}, "did you mean flexible"),
        ({"data": None}, "no data"),
        ({"prompts": "nowhere"}, "nowhere: no such folder"),
    ],
)
def test_bad_settings_are_one_line(data, options, told):
    with pytest.raises(InputError, match=told):
        trials(**({"data": data} | options))


def test_a_prompt_pack_must_have_its_places(data, tmp_path):
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "question.zh.txt").write_text("{question}")
    with pytest.raises(InputError, match=r"question\.zh\.txt: no \{options\}"):
        trials(data, prompts=str(pack))
    (pack / "question.zh.txt").write_text("我们的：{question}\n{options}")
    assert trials(data, prompts=str(pack))[0].messages[0].text.startswith("我们的：这段音乐")


@pytest.mark.slow
def test_pieces_are_what_they_are_said_to_be(tmp_path):
    make_pieces(tmp_path / "p", 6, 1)
    found = trials(
        None, source="generated", n=6, seed=1, stimuli=str(tmp_path / "p"), language="en"
    )
    details = [json.loads(t.target) for t in found if not t.options]
    assert len(details) == 6
    assert {parse_key(d["key"]).mode for d in details} == {"major", "minor"}
    assert {d["tempo_bpm"] for d in details} <= set(TEMPI)
    for trial in (t for t in found if t.options):
        song = json.loads(
            next(t.target for t in found if t.cluster == trial.cluster and t.target[0] == "{")
        )
        right = next(o.text for o in trial.options if o.key == trial.target)
        known = {str(song["tempo_bpm"]), song["melody_instrument"], parse_key(song["key"]).mode}
        assert right in known
    before = (tmp_path / "p/piece-2.wav").read_bytes()
    make_pieces(tmp_path / "p", 6, 1)
    make_pieces(tmp_path / "q", 2, 1)
    assert (tmp_path / "q/piece-2.wav").read_bytes() == before
    with pytest.raises(InputError, match="holds other pieces"):
        make_pieces(tmp_path / "p", 6, 2)


@pytest.mark.slow
def test_the_reviewer_hears_what_the_piece_is(tmp_path):
    from zhiyin.plugins.benchmarks.appraisal.reviewer import listen, review

    make_pieces(tmp_path, 2, 5)
    lines = (tmp_path / "song_details.jsonl").read_text().splitlines()
    for line in map(json.loads, lines):
        heard = listen(str(tmp_path / line["audio_path"]))
        assert heard.key == line["key"]
        assert heard.tempo == pytest.approx(line["tempo_bpm"], rel=0.02)
    path = str(tmp_path / "piece-1.wav")
    assert "I cannot tell" in review(path, "Who sings?", ["A", "B"])
    assert "Answer: " in review(path, "", [str(t) for t in TEMPI])


def test_silence_is_no_music(tmp_path):
    import numpy as np
    import soundfile

    from zhiyin.plugins.benchmarks.appraisal.reviewer import review

    soundfile.write(tmp_path / "s.wav", np.zeros(44100), 44100)
    assert "heard neither a steady beat nor clear pitches" in review(
        str(tmp_path / "s.wav"), "", []
    )


def test_rescoring_needs_no_data(data, reviewer, tmp_path, capsys):
    out = tmp_path / "run"
    args = ["run", "appraisal", "--data", str(data), "-m", reviewer, "--out", str(out), "--json"]
    assert cli.main(args) == 0
    shutil.rmtree(data)
    assert cli.main(["rescore", str(out), "--extract", "flexible"]) == 0
    states = {r.trial.groups[0]: r.verdict.state for r in read_records(out)}
    assert states["appraisal"] == "ungraded"


@pytest.mark.slow
def test_published_questions_run_whole_where_the_songs_are(shared, reviewer, tmp_path, capsys):
    """The songs are not published: any sound takes their place, to go the whole way."""
    import numpy as np
    import soundfile

    folder = shared / "appraisal"
    files = ("option_qa.jsonl", "song_details.jsonl")
    lines = [json.loads(x) for f in files for x in (folder / f).read_text("utf-8").splitlines()]
    (tmp_path / "songs").mkdir()
    tone = (0.3 * np.sin(np.arange(800) / 3)).astype("float32")
    for line in lines:
        path = tmp_path / line["audio_path"]
        soundfile.write(path, tone, 8000, format="WAV")
    args = ["run", "appraisal", "--data", str(folder), "--audio-root", str(tmp_path), "--json"]
    args += ["-m", reviewer, "--judge", "lexical", "--out", str(tmp_path / "run")]
    assert cli.main(args) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["complete"]
    assert summary["groups"]["qa"]["n"] == 36
    assert summary["states"]["ungraded"] == 22
    assert summary["groups"]["all"] == summary["groups"]["qa"]
    total = summary["details"][1]["rows"][4][1]
    assert 0 < total < 1


@pytest.mark.parametrize("language", ["zh", "en"])
def test_pieces_are_told_of_in_one_language(tmp_path, language):
    make_pieces(tmp_path, 2, 1, language)
    kept = {"audio_path", "answer", "chord_progression", "time_signature", "key"}
    told = []
    for name in ("option_qa.jsonl", "song_details.jsonl"):
        for line in (tmp_path / name).read_text("utf-8").splitlines():
            told += [str(value) for field, value in json.loads(line).items() if field not in kept]
    words = "".join(told)
    assert bool(re.search("[一-鿿]", words)) == (language == "zh")
    assert bool(re.search("[A-Za-z]", words)) == (language == "en")


def test_chinese_keys_are_keys_to_the_lexical_judge():
    from zhiyin.plugins.benchmarks.appraisal.data import key_at, pieces_words
    from zhiyin.plugins.judges.language import open_language

    words = pieces_words("zh")
    for mode, tonic in itertools.product(("major", "minor"), range(12)):
        (pattern,) = open_language("zh").own_lists.patterns["key"]
        assert re.fullmatch(pattern, words[key_at(tonic, mode).name])
