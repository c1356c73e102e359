"""Pictures of scores: published data and replies, both rules, faults, reports."""

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image as Picture

from english_help import in_english
from said_help import texts
from scores_help import ScoreReader, examine, oracle, read_entries, result_line, write_lines
from zhiyin import cli
from zhiyin.analysis.coverage import coverage_of
from zhiyin.engine.folder import read_manifest as manifest_of
from zhiyin.engine.folder import read_records
from zhiyin.models.baselines import Baseline
from zhiyin.plugins.composed.scores.benchmark import Scores, sections
from zhiyin.plugins.composed.scores.data import engraved_bars, read_manifest
from zhiyin.plugins.composed.scores.replies import import_results
from zhiyin.plugins.composed.scores.scoring import by_ours, by_published, judge_notes, note_scores
from zhiyin.plugins.music.clips import refuse
from zhiyin.record import Exchange, Reply, Turn
from zhiyin.runs.rows import rows_of
from zhiyin.statistics.intervals import wilson
from zhiyin.trial import Image, Trial

PUBLISHED = {  # per cent exact, F1, edits, replies without a list: of the scores beside the replies
    ("dev", "claude-sonnet-4-6"): (0, 0.0945, 4.7917, 1),
    ("dev", "gemini-2.5-flash"): (0, 0.1047, 4.5417, 0),
    ("dev", "gpt-5.4"): (12.50, 0.4391, 2.2500, 0),
    ("public_test", "claude-sonnet-4-6"): (0, 0.1537, 4.7500, 1),
    ("public_test", "gemini-2.5-flash"): (2.0833, 0.1158, 3.9792, 0),
    ("public_test", "gpt-5.4"): (6.25, 0.3333, 2.7292, 0),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A small set of our own in the published layout."""
    folder = tmp_path_factory.mktemp("pictures")
    assert cli.main(["data", "make", "scores", "--out", str(folder), "--n", "3"]) == 0
    return folder


@pytest.fixture
def data(made, tmp_path):
    """A copy of it that may be spoilt."""
    return Path(shutil.copytree(made, tmp_path / "data"))


@pytest.fixture
def zhiyin(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*words, status=0):
        assert cli.main([str(word) for word in words]) == status
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        if status:
            assert len(err.strip().splitlines()) == 1, err
        return err if status else out

    return run


# Published replies


@pytest.mark.slow
def test_published_figures_from_published_replies(shared, tmp_path):
    """By split and model to 1e-4, and every reply: notes read, scores and kind of error."""
    folder = shared / "music_bench"
    runs = import_results([folder], tmp_path, "music-bench")
    assert len(runs) == 3
    stored = {
        (path.stem.split("-", 1)[1], entry["id"]): entry
        for path in folder.rglob("results/*.jsonl")
        for entry in read_entries(path)
    }
    for run in runs:
        model, records = manifest_of(run).model, list(read_records(run))
        for record in records:
            entry = stored.pop((model, record.id))
            verdict, metrics = record.verdict, entry["metrics"]
            assert verdict.scores["note_f1"] == pytest.approx(metrics["note_f1"], abs=1e-9)
            assert verdict.scores["note_precision"] == pytest.approx(metrics["note_precision"])
            assert verdict.scores["note_recall"] == pytest.approx(metrics["note_recall"])
            assert verdict.scores["edit_distance"] == metrics["edit_distance"]
            assert verdict.tags["kind"] == metrics["error_type"]
            assert (verdict.state == "correct") == (metrics["exact_match"] == 1.0)
            assert (verdict.answer is not None) == entry["valid_json"]
            assert (verdict.answer or "").split() == entry["normalized_notes"]
        (table,) = [
            s
            for s in in_english(sections(rows_of(run), manifest_of(run)))
            if s.title.startswith("Lists of notes")
        ]
        for row in table.rows:
            if row[1] != "music-bench":
                continue
            told = dict(zip(table.columns, row, strict=True))
            exact, f1, edits, unread = PUBLISHED[row[0], model]
            assert told["exact %"] == pytest.approx(exact, abs=1e-4)
            assert told["F1 %"] / 100 == pytest.approx(f1, abs=1e-4)
            assert told["edits"] == pytest.approx(edits, abs=1e-4)
            assert told["unread"] == unread
            assert told["exact, published"] == pytest.approx(exact, abs=1e-4)
            assert told["F1, published"] / 100 == pytest.approx(f1, abs=1e-4)
    assert not stored


@pytest.mark.slow
def test_published_rows_stand_beside_and_intervals_are_by_family(shared, tmp_path, zhiyin):
    results = shared / "music_bench" / "public_test" / "results" / "openai-gpt-5.4.jsonl"
    zhiyin("import", "scores", results, "--extract", "music-bench", "--out", "run")
    assert "gpt-5.4, read by music-bench (this run)" in zhiyin("show", "run", "--groups", "all")
    told = json.loads(zhiyin("show", "run", "--json"))
    group = told["groups"]["public_test"]
    assert group["n"] == 48
    assert group["accuracy"] == pytest.approx(3 / 48)
    assert {r.trial.cluster for r in read_records(Path("run"))} == {
        f"public_test/public_test-family-{n}" for n in range(24)
    }


LILYPOND = r"""\version "2.24.0"
\score { \new Staff { \clef "bass" \key bes \major \time 2/4
  \absolute { bes,4 d8. eis16 | ees'2 |
    c4 fis,,4
    \bar "|." } } }
"""


def test_the_source_of_a_picture_is_held_against_its_manifest(tmp_path, zhiyin):
    """Another note, bar or clef than the picture was drawn from; what it cannot read it says."""
    measures = [["Bb2", "D3", "E#3"], ["Eb4"], ["C3", "F#1"]]
    assert [*map(list, engraved_bars(LILYPOND))] == measures
    assert engraved_bars(r"\absolute { <c e>4 }") is None
    assert engraved_bars(r"\relative { c4 }") is None
    folder = tmp_path / "data" / "dev"
    folder.mkdir(parents=True)
    changes = {
        "a": {},
        "b": {"measure_note_sequences": [["Bb2", "D3", "E#3"], ["Eb4"], ["C3", "F1"]]},
        "c": {"clef": "treble"},
        "d": {"measure_note_sequences": measures[:2]},
        "e": {"measure_note_sequences": None},
    }
    entries = [
        {
            "id": name, "image_path": "a.png", "lilypond_path": "a.ly", "question": "Which notes?",
            "target_measure": 2, "answer_notes": ["Eb4"],
            "metadata": {"clef": "bass", "measure_note_sequences": measures, **change},
        }
        for name, change in changes.items()
    ]  # fmt: skip
    write_lines(folder / "manifest.jsonl", entries)
    Picture.effect_noise((40, 40), 90).save(folder / "a.png")
    (folder / "a.ly").write_text(LILYPOND)
    check = ("data", "check", "scores", "--data", tmp_path / "data", "--json")
    flaws = json.loads(zhiyin(*check))["flaws"]
    told = {f["id"]: f["detail"] for f in flaws if f["kind"] == "source-differs"}
    assert told == {
        "b": "bar 3 of its LilyPond source holds C3 F#1, and the manifest says C3 F1",
        "c": "its LilyPond source has the bass clef, and the manifest says treble",
        "d": "bar 3 of its LilyPond source holds C3 F#1, and the manifest says nothing",
    }


@pytest.mark.slow
def test_published_data_are_whole_and_known_by_their_pictures(shared, tmp_path, zhiyin):
    folder = shared / "music_bench"
    told = json.loads(zhiyin("data", "check", "scores", "--data", folder, "--json"))
    assert told["items"] == 72
    assert {flaw["kind"] for flaw in told["flaws"]} == {"odd-spelling"}
    assert all(
        engraved_bars((folder / "dev" / one.engraved).read_text()) == one.measures
        for one in read_manifest(folder / "dev" / "manifest.jsonl", refuse)
    )
    examples = read_manifest(folder / "dev" / "manifest.jsonl", refuse)
    tagged = [
        "ledger_lines" in entry["metadata"]["skill_tags"]
        for split in ("dev", "public_test")
        for entry in read_entries(folder / split / "manifest.jsonl")
    ]
    ledger = [
        e.ledger
        for split in ("dev", "public_test")
        for e in read_manifest(folder / split / "manifest.jsonl", refuse)
    ]
    assert sum(a != b for a, b in zip(tagged, ledger, strict=True)) == 35  # the tag's known flaw
    copy = shutil.copytree(folder, tmp_path / "copy")
    picture = copy / "dev" / examples[0].picture
    shutil.copy(copy / "dev" / examples[1].picture, picture)
    for place, others in ((folder, 0), (copy, 1)):
        benchmark = Scores.from_options({"data": str(place), "split": "dev"})
        run = tmp_path / f"run{others}"
        examine(benchmark, ScoreReader(oracle({t.id: t for t in benchmark.trials()})), run)
        manifest = manifest_of(run)
        coverage = coverage_of(run, manifest)
        assert coverage.hears
        assert (coverage.asked["dev"], coverage.others["dev"]) == (24 - others, others)


# Both rules


@pytest.mark.parametrize(
    ("said", "published", "ours"),
    [
        ('{"notes": ["C4", "F#4"]}', "C4 F#4", "C4 F#4"),
        (' {"notes":["c4","f♯4"]}\n', "C4 F#4", "C4 F#4"),
        ('{"notes":["CB4"]}', "Cb4", None),
        ('```json\n{"notes": ["C4", "F#4"]}\n```', None, "C4 F#4"),
        ('The bar has {"notes": ["C4", "Bb4"]}.', None, "C4 Bb4"),
        ('{"notes": ["C4"]} or rather {"notes": ["D4"]}', None, "D4"),
        ('{"notes": ["D4", "Cn3"]}', None, "D4 C3"),
        ('{"notes": ["D4", "Fx3", "C♮5"]}', None, "D4 F##3 C5"),
        ('{"notes": ["F sharp 4", "B flat 3"]}', None, "F#4 Bb3"),
        ('{"notes": ["C9"]}', None, "C9"),
        ('{"notes": "C4, D4"}', None, "C4 D4"),
        ('{"Notes": ["C4"]}', None, "C4"),
        ('{"notes": ["C4", "?"]}', None, None),
        ('{"notes": ["C4", 5]}', None, None),
        ('["C4", "D4"]', None, "C4 D4"),
        ("Answer: C4, F#4, Bb3", None, "C4 F#4 Bb3"),
        ("I cannot read the picture.", None, None),
        ("", None, None),
        ('{"notes": []}', "", ""),
    ],
)
def test_lists_by_both_rules(said, published, ours):
    def shown(found):
        return None if found.notes is None else " ".join(found.notes)

    assert shown(by_published(Reply(said))) == published
    assert shown(by_ours(Reply(said))) == ours


@pytest.mark.parametrize(
    ("said", "detail", "finish", "fault"),
    [
        ("no", {}, "stop", "invalid_json"),
        ("[1]", {}, "stop", "invalid_json"),
        ('{"n": 1}', {}, "stop", "missing_notes"),
        ('{"notes": [1]}', {}, "stop", "invalid_note_type"),
        ('{"notes": ["H4"]}', {}, "stop", "invalid_note_token"),
        ("", {"response_status": "incomplete"}, "stop", "truncated_before_final_answer"),
        ("x", {"response_status": "incomplete"}, "stop", "invalid_json"),
        (
            "x",
            {"response_status": "incomplete",
             "incomplete_details": {"reason": "max_output_tokens"}},
            "length",
            "truncated_before_final_answer",
        ),
        ("x", {"response_status": "max_tokens"}, "length", "invalid_json"),  # its known flaw
        ("x", {}, "length", "truncated_before_final_answer"),  # asked by ourselves
        ("[" * 100_000, {}, "stop", "invalid_json"),
    ],
)  # fmt: skip
def test_faults_by_the_published_rule(said, detail, finish, fault):
    assert by_published(Reply(said, finish, detail=detail)).fault == fault


def test_a_list_that_was_cut_off_is_no_answer():
    assert by_ours(Reply('{"notes": ["C4", "D4"', "length")).notes is None
    trial = Trial("x", (), target="C4 D4 E4", tags={"answer": "notes"})
    verdict = judge_notes(trial, Reply("The notes are C4, D4", "length"), "robust")
    assert verdict.state == "truncated"
    assert verdict.scores == {
        "note_f1": 0, "note_precision": 0, "note_recall": 0, "edit_distance": 3,
    }  # fmt: skip


def test_figures_of_a_list():
    assert note_scores(("C4", "C4", "D4"), ("D4", "C4")) == pytest.approx(
        {"note_f1": 0.8, "note_precision": 2 / 3, "note_recall": 1, "edit_distance": 2}
    )
    assert note_scores((), ("D4",))["note_f1"] == 0


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("C4 E4", "exact_match"),
        ("G4", "wrong_measure"),
        ("C5 E3", "octave_mistake"),
        ("C#4 E4", "accidental_mistake"),
        ("C#5 E4", "other_mismatch"),
        ("C4", "other_mismatch"),
    ],
)
def test_kinds_of_error(said, kind):
    tags = {"answer": "notes", "measures": "G4|C4 E4", "bar": 2}
    trial = Trial("x", (), target="C4 E4", tags=tags)
    reply = Reply(json.dumps({"notes": said.split()}))
    for rule in ("music-bench", "robust"):
        assert judge_notes(trial, reply, rule).tags["kind"] == kind


# Made data and fresh pictures, end to end


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "options",
    [
        {"data": "made"},
        {"source": "generated", "n": 1, "difficulty": ("easy", "hard")},
        {"source": "generated", "n": 1, "language": "zh"},
        {"data": "made", "extract": "music-bench", "asking": "published"},
    ],
)
def test_the_oracle_is_right_everywhere(made, tmp_path, options):
    data = {"data": str(made)} if "data" in options else {}
    benchmark = Scores.from_options(options | data)
    trials = {trial.id: trial for trial in benchmark.trials()}
    records = examine(benchmark, ScoreReader(oracle(trials)), tmp_path / "run")
    assert len(records) == len(benchmark) == len(trials)
    assert {record.verdict.state for record in records} == {"correct"}
    for trial in trials.values():
        words = trial.messages[0].text
        image = trial.messages[0].parts[-1]
        assert Path(image.path).stem not in words
        if trial.options:
            assert {o.key for o in trial.blind().options} == set("ABCD")


@pytest.mark.slow
def test_random_guesses_are_within_their_interval(tmp_path):
    benchmark = Scores.from_options({"source": "generated", "n": 8, "task": ("note", "meter")})
    records = examine(benchmark, Baseline("random", 3), tmp_path / "run")
    right = sum(record.verdict.state == "correct" for record in records)
    found = wilson(right, len(records), 0.99)
    assert len(records) == 16
    assert found.low <= 0.25 <= found.high


@pytest.mark.slow
def test_a_run_its_tables_and_its_report(zhiyin, made, tmp_path):
    Path("eye.py").write_text('def see(messages):\n    return \'{"notes": ["C4", "D4"]}\'\n')
    zhiyin("run", "scores", "--data", made, "-m", "python:eye.py:see", "--out", "run", "--quiet")
    out = zhiyin("show", "run", "--groups", "all")
    for title in ("Lists of notes, read by two rules", "Kinds of error", "Contrast families"):
        assert title in out
    assert "not the published examples, but 6 others" in " ".join(out.split())
    zhiyin("rescore", "run", "--extract", "music-bench", "--out", "again")
    assert {r.verdict.policy for r in read_records(Path("again"))} == {"music-bench@1"}
    zhiyin("report", "run", "-o", "report", "--no-figures")
    pictures = {
        part.sha256
        for record in read_records(Path("run"))
        for part in record.trial.messages[0].parts
        if isinstance(part, Image)
    }
    assert {path.stem for path in Path("report/pictures").iterdir()} == pictures
    assert len(pictures) == 6
    script = Path("report/data/report.js").read_text("utf-8")
    assert all(f"pictures/{name}.png" in script for name in pictures)


@pytest.mark.slow
def test_the_protocol_sets_all_and_says_what_is_otherwise(zhiyin, made):
    Path("eye.py").write_text('def see(messages):\n    return \'{"notes": ["C4"]}\'\n')
    zhiyin("run", "scores", "--data", made, "-m", "python:eye.py:see", "--out", "run", "--quiet",
           "--protocol", "music-bench")  # fmt: skip
    manifest = manifest_of(Path("run"))
    assert manifest.options["extract"] == "music-bench"
    (first, *_) = read_records(Path("run"))
    question = read_entries(made / "made" / "manifest.jsonl")[0]["question"]
    assert first.trial.messages[0].text.startswith(question)


# What is wrong with data and flags


def spoil(data, number, **changes):
    path = data / "made" / "manifest.jsonl"
    entries = read_entries(path)
    entries[number] |= changes
    write_lines(path, entries)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"answer_notes": []}, "line 2: answer_notes is no list of notes"),
        ({"answer_notes": ["H4"]}, "line 2: answer_notes 'H4' is no note"),
        ({"target_measure": 0}, "line 2: target_measure 0 is no bar"),
        ({"target_measure": "2"}, "line 2: target_measure '2' is no bar"),
        ({"target_measure": 99}, "line 2: answer_notes are not what bar 99"),
        ({"image_path": "../../secret.png"}, "leaves the folder"),
        ({"image_path": "images/none.png"}, "no picture of made-0001 (1 of 6 are missing)"),
        ({"question": " "}, "line 2: no question"),
        ({"id": "made-0000"}, "line 2: the id made-0000 stands twice"),
    ],
)
def test_bad_entries_are_one_line(zhiyin, data, changes, told):
    spoil(data, 1, **changes)
    said = zhiyin("run", "scores", "--data", data, "-m", "random", status=2)
    assert told in said


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ([], "give --data"),
        (["--data", "nowhere"], "no such folder"),
        (["--data", "."], "no SPLIT/manifest.jsonl"),
        (["--data", "data/made"], "is one split; give --data data --split made"),
        (["--data", "data", "--split", "dev"], "--split dev: data has made"),
        (["--data", "data", "--task", "note"], "--task is for --source generated"),
        (["--data", "data", "--asking", "published", "--language", "zh"], "in English alone"),
    ],
)
def test_bad_places_are_one_line(zhiyin, data, flags, told):
    assert told in zhiyin("run", "scores", "-m", "random", *flags, status=2)


def test_pictures_that_are_missing_or_damaged(zhiyin, data, capsys):
    pictures = sorted((data / "made" / "images").iterdir())
    pictures[0].unlink()
    assert "--partial leaves" in zhiyin("run", "scores", "--data", data, "-m", "random", status=2)
    part = Scores.from_options({"data": str(data), "partial": True})
    assert len(list(part.trials())) == len(part) == 5
    assert "1 of 6 examples left out" in str(part.remarks()[0])
    pictures[1].write_bytes(pictures[1].read_bytes()[:300])
    said = zhiyin("run", "scores", "--data", data, "--partial", "-m", "random", status=2)
    assert "damaged picture" in said
    assert cli.main(["data", "check", "scores", "--data", str(data), "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    kinds = {flaw["kind"] for flaw in told["flaws"]}
    assert {"missing", "unreadable"} <= kinds


# Replies given elsewhere


def results(data, lines, name="made-1.jsonl"):
    return write_lines(data / "made" / "results" / name, lines)


@pytest.mark.slow
def test_replies_of_any_provider(zhiyin, data):
    """Statuses that say a reply was cut, one that is missing, and scores that do not agree."""
    examples = read_entries(data / "made" / "manifest.jsonl")
    right = [json.dumps({"notes": e["answer_notes"]}) for e in examples]
    lines = [
        result_line(examples[0], right[0], metrics={"exact_match": 1.0, "note_f1": 0.5}),
        result_line(examples[1], f"```json\n{right[1]}\n```", response_status=None),
        result_line(
            examples[2], "", response_status="incomplete",
            incomplete_details={"reason": "max_output_tokens"},
        ),
        result_line(examples[3], "I see", response_status="max_tokens"),
        result_line(examples[4], None, error="timeout", response_status=None),
    ]  # fmt: skip
    results(data, lines)
    out = zhiyin("import", "scores", data, "--out", "run")
    assert "2 correct, 2 truncated" in out
    remarks = " ".join(texts(manifest_of(Path("run")).remarks))
    assert "2 examples have no reply" in remarks
    assert "1 reply has scores beside it that are not" in remarks
    found = {r.id: r for r in read_records(Path("run"))}
    kinds = {
        name: judge_notes(r.trial, r.exchange.final, "music-bench").tags["kind"]
        for name, r in found.items()
    }
    assert list(kinds.values()) == [
        "exact_match", "formatting_failure", "truncated_before_final_answer", "formatting_failure",
    ]  # fmt: skip
    again = zhiyin("import", "scores", data, "--out", "run")
    assert "2 correct" in again


def test_replies_of_several_models_are_several_runs(zhiyin, data):
    examples = read_entries(data / "made" / "manifest.jsonl")
    for model in ("a/one", "two"):
        lines = [result_line(e, "{}", model=model) for e in examples]
        results(data, lines, f"{model[-1]}.jsonl")
    zhiyin("import", "scores", data, "--out", "runs")
    assert {p.name for p in Path("runs").iterdir()} == {"a-one", "two"}
    assert "import one at a time" in zhiyin("import", "scores", data, "-m", "x", status=2)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"id": "other"}, ":2: 'other' is no example of the manifest"),
        ({"id": "made-0000"}, ":2: a second reply to made-0000"),
        ({"model": None}, ":2: no model"),
        ({"model": "other"}, "give one model a file"),
        ({"raw_response": 5}, ":2: raw_response is no text"),
    ],
)
def test_bad_replies_are_one_line(zhiyin, data, change, told):
    examples = read_entries(data / "made" / "manifest.jsonl")
    lines = [result_line(e, "{}") for e in examples[:3]]
    lines[1] |= change
    path = results(data, lines)
    assert told in zhiyin("import", "scores", path, status=2)


def test_replies_without_their_manifest(zhiyin, data, tmp_path):
    lonely = write_lines(tmp_path / "lonely" / "x" / "replies.jsonl", [{"id": "x"}])
    assert "no manifest.jsonl beside it" in zhiyin("import", "scores", lonely, status=2)
    assert "no results/NAME.jsonl" in zhiyin("import", "scores", tmp_path / "lonely", status=2)
    lonely.write_text("{")
    assert "replies.jsonl:1: not JSON" in zhiyin("import", "scores", lonely, status=2)
    assert "cannot be read" in zhiyin("import", "scores", tmp_path / "none.jsonl", status=2)
    lonely.write_text("\n")
    assert "holds no replies" in zhiyin("import", "scores", lonely, status=2)


def test_a_set_is_not_made_over_another(zhiyin, made):
    assert "holds a set already" in zhiyin("data", "make", "scores", "--out", made, status=2)
    assert "give --out" in zhiyin("data", "make", "scores", status=2)


def test_a_log_is_scored_again_without_the_data(made, tmp_path):
    benchmark = Scores.from_options({"data": "gone"})
    trial = next(iter(Scores.from_options({"data": str(made)}).trials()))
    exchange = Exchange((Turn(Reply(json.dumps({"notes": trial.target.split()}))),))
    assert benchmark.score(trial, exchange).state == "correct"


@pytest.mark.slow
def test_mistakes_are_told_by_the_options_that_were_chosen(tmp_path):
    options = {"source": "generated", "n": 2, "task": ("note", "marking")}
    benchmark = Scores.from_options(options)
    trials = {trial.id: trial for trial in benchmark.trials()}

    def wrong(blind):
        trial = trials[blind.id]
        return next(o.letter for o in trial.options if o.key != trial.target)

    records = examine(benchmark, ScoreReader(wrong), tmp_path / "run")
    (table,) = in_english(sections(rows_of(tmp_path / "run"), manifest_of(tmp_path / "run")))
    assert sum(row[2] for row in table.rows) == len(records) == 4
    known = {"another bar", "not in the picture", *(
        f"{a}{b}" for a in ("clef", "accidental", "octave", "line")
        for b in ("", " and accidental", " and octave", " and line")
    )}  # fmt: skip
    assert {row[1] for row in table.rows} <= known
