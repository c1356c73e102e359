"""What reads a run reads sequences rightly: part, wholeness, comparison, boards, rescoring."""

import json
import re
from pathlib import Path

import pytest

import zhiyin as zy
from howto_help import Desk
from said_help import texts
from zhiyin import cli
from zhiyin.analysis.coverage import coverage_of
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.engine.scoring import Count
from zhiyin.session.progress import NotebookProgress, Progress

HERE = Path(__file__).parent.parent
SPEC = f"{HERE}/sequences.py:Staircase"
CHAT = f"{HERE}/sequences.py:Chat"


@pytest.fixture(autouse=True)
def _home(monkeypatch, tmp_path):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "80")


def run(capsys, *words, status=0):
    assert cli.main(list(map(str, words))) == status
    return capsys.readouterr().out


def answers(tmp_path, text, name="says"):
    (tmp_path / f"{name}.py").write_text(f"def {name}(messages):\n    {text}\n", "utf-8")
    return f"python:{tmp_path}/{name}.py:{name}"


def fails_at(tmp_path, words):
    return answers(
        tmp_path,
        f"if {words!r} in str(messages[-1]['content']): raise RuntimeError('gone')\n"
        "    return 'Answer: A'",
        "fails",
    )


@pytest.mark.slow
def test_a_stopped_sequence_is_told_by_run_show_report_and_export(tmp_path, capsys):
    out = tmp_path / "run"
    told = run(capsys, "run", SPEC, "-m", fails_at(tmp_path, "70 cents"), "--out", out, status=1)
    assert "1 of 4 sequences stopped at a failed trial (stair1 at trial 1)" in told
    assert "unfinished: 1 of 4 sequences not at their end" in told
    assert "4 sequences: " in told
    assert "1 of 4 sequences stopped" in run(capsys, "show", out)
    found = json.loads(run(capsys, "show", out, "--json"))
    assert found["complete"] is False
    assert found["sequences"] == {
        "planned": 4, "begun": 4, "ended": 3, "stopped": {"stair1": 1},
        "trials_at_least": 12, "trials_at_most": 240,
    }  # fmt: skip
    assert found["whole"] == []
    run(capsys, "report", out, "--out", tmp_path / "report")
    page = "".join(
        file.read_text("utf-8")
        for file in (tmp_path / "report").rglob("*")
        if file.suffix in (".html", ".js", ".json", ".md", ".tex")
    )
    assert "1 of 4 sequences stopped at a failed trial" in page
    assert "3 of 4 sequences came to their end" in page
    run(capsys, "export", out, "--to", "inspect", "--out", tmp_path / "run.eval")
    import zipfile

    with zipfile.ZipFile(tmp_path / "run.eval") as archive:
        header = json.loads(archive.read("header.json"))
    assert header["status"] == "cancelled"
    assert header["eval"]["dataset"]["samples"] is None
    run(capsys, "export", out, "--to", "hf", "--out", tmp_path / "card", status=2)


def test_a_finished_staircase_is_whole_though_its_length_was_not_known(tmp_path, capsys):
    out = tmp_path / "run"
    run(capsys, "run", SPEC, "-m", "first", "--out", out)
    found = json.loads(run(capsys, "show", out, "--json"))
    assert found["complete"] is True
    assert found["whole"] == ["all"]
    assert found["warnings"] == []
    manifest = read_manifest(out)
    assert (manifest.planned, manifest.total, manifest.units) == (12, None, 4)
    assert found["trials"] > 12
    assert coverage_of(out).apart is None
    assert "4 of 4 sequences at their end" in repr(zy.load(out))


def test_more_trials_than_planned_do_not_hide_a_sequence_that_is_missing(tmp_path, capsys):
    """The counts alone would be enough: three staircases hold more than four at their shortest."""
    out = tmp_path / "run"
    run(capsys, "run", SPEC, "-m", fails_at(tmp_path, "90 cents"), "--out", out, status=1)
    assert sum(1 for _ in read_records(out)) > read_manifest(out).planned
    assert not coverage_of(out).done
    assert coverage_of(out).whole("all") is False


@pytest.mark.slow
def test_the_interval_takes_a_sequence_as_one_draw(tmp_path, capsys):
    out = tmp_path / "run"
    run(capsys, "run", SPEC, "-m", "random", "--out", out)
    figures = json.loads(run(capsys, "show", out, "--json"))["groups"]["all"]
    assert figures["clusters"] == 4
    frame = zy.load(out).to_polars()
    assert frame["cluster"].to_list() == frame["sequence"].to_list()
    assert frame["step"].min() == 1


@pytest.mark.slow
def test_a_limit_asks_whole_sequences_and_grows(tmp_path, capsys):
    out = tmp_path / "run"
    words = ("run", SPEC, "-m", "first", "--out", out)
    told = run(capsys, *words, "--limit", 2)
    assert "the first 2 sequences only" in told
    assert {r.trial.sequence for r in read_records(out)} == {"stair0", "stair1"}
    assert json.loads(run(capsys, "show", out, "--json"))["complete"] is True
    assert "this folder holds more" not in run(capsys, *words, "--limit", 3)
    told = run(capsys, *words, "--limit", 1)
    assert "holds more than was asked for now (1 of 3 sequences)" in told
    assert read_manifest(out).sequences.count == 3
    run(capsys, *words)
    whole = tmp_path / "whole"
    run(capsys, "run", SPEC, "-m", "first", "--out", whole)
    assert (out / "records.jsonl").read_bytes() == (whole / "records.jsonl").read_bytes()
    assert coverage_of(out).part is None


def test_a_sample_draws_whole_sequences_and_says_so(tmp_path, capsys):
    out = tmp_path / "run"
    told = run(capsys, "run", SPEC, "-m", "first", "--out", out, "--sample", 3)
    assert "random sample of 3 sequences" in told
    assert len({r.trial.sequence for r in read_records(out)}) == 3
    mixed = run(
        capsys, "run", SPEC, "-m", "first", "--plain", 5, "--sample", 3, "--out", tmp_path / "mixed"
    )
    assert "random sample of 3 items" in mixed
    mixed = run(
        capsys, "run", SPEC, "-m", "first", "--plain", 5, "--limit", 5, "--out", tmp_path / "lim"
    )
    assert "the first 5 sequences and trials only" in mixed


def test_plain_trials_that_are_missing_are_told_beside_sequences(tmp_path, capsys):
    out = tmp_path / "run"
    model = fails_at(tmp_path, "Question 3?")
    told = run(capsys, "run", SPEC, "-m", model, "--plain", 5, "--out", out, status=1)
    assert "unfinished: 1 of 5 trials failed" in told
    assert "stopped at" not in told


@pytest.mark.slow
def test_staircases_that_went_different_ways_are_not_paired(tmp_path, capsys):
    run(capsys, "run", SPEC, "-m", "first", "--out", tmp_path / "runs/one", "--label", "one")
    model = answers(tmp_path, "return 'Answer: B'")
    run(capsys, "run", SPEC, "-m", model, "--out", tmp_path / "runs/two", "--label", "two")
    assert cli.main(["compare", str(tmp_path / "runs/one"), str(tmp_path / "runs/two")]) == 2
    told = capsys.readouterr().err
    assert "trials that were chosen by answers cannot be paired" in told
    assert told.count("\n") == 1
    run(capsys, "leaderboard", tmp_path / "runs", "--out", tmp_path / "board")
    (board,) = json.loads((tmp_path / "board/leaderboard.json").read_bytes())
    assert {row["letters"] for row in board["rows"]} == {""}
    assert any("Runs are not ranked" in note["text"] for note in board["notes"])
    runs = (tmp_path / "runs/one", tmp_path / "runs/two")
    run(capsys, "report", *runs, "--out", tmp_path / "report")
    assert cli.main(["stats", "health", str(runs[0]), "--blind", str(runs[1])]) == 2
    assert "chosen by answers cannot be paired" in capsys.readouterr().err


def test_chats_are_paired_by_their_questions(tmp_path, capsys):
    run(
        capsys,
        "run",
        CHAT,
        "--data",
        tmp_path,
        "-m",
        answers(tmp_path, "return 'C'", "c"),
        "--out",
        tmp_path / "runs/c",
    )
    run(
        capsys,
        "run",
        CHAT,
        "--data",
        tmp_path,
        "-m",
        answers(tmp_path, "return 'E'", "e"),
        "--out",
        tmp_path / "runs/e",
    )
    told = run(capsys, "compare", tmp_path / "runs/c", tmp_path / "runs/e")
    assert "on 15 items" in told


def test_rescoring_says_where_a_sequence_would_have_gone_another_way(tmp_path, capsys):
    out = tmp_path / "run"
    run(capsys, "run", SPEC, "-m", answers(tmp_path, "return 'Answer: B'"), "--out", out)
    again = ("rescore", out, "--extract", "first-letter")
    told = " ".join(run(capsys, *again, "--out", tmp_path / "again").split())
    assert "by these verdicts 4 of 4 sequences would have gone another way" in told
    shown = " ".join(run(capsys, "show", tmp_path / "again").split())
    assert "would have gone another way" in shown
    assert "another way" not in run(capsys, "rescore", out, "--extract", "robust")
    # The new run is not continued as if its path were that of its verdicts.
    words = ("run", SPEC, "-m", answers(tmp_path, "return 'Answer: B'"))
    log = tmp_path / "again" / "records.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-2]))
    status = cli.main([*map(str, words), "--extract", "first-letter", "--out", str(log.parent)])
    assert status == 2
    assert "would not ask trial" in capsys.readouterr().err


@pytest.mark.slow
def test_rescoring_without_the_benchmark_says_that_nobody_knows(tmp_path, capsys):
    out = tmp_path / "run"
    run(capsys, "run", SPEC, "-m", answers(tmp_path, "return 'Answer: B'"), "--out", out)
    elsewhere = Desk(tmp_path, tmp_path / "other-cache")  # in another process
    told = elsewhere("rescore", out, "--extract", "first-letter")
    assert "verdicts differ in 4 of 4 sequences" in told
    assert "cannot be told without the benchmark" in " ".join(told.split())
    again = elsewhere("rescore", out, "--extract", "robust")
    assert "cannot be told" not in again


def test_a_chat_does_not_go_by_verdicts(tmp_path, capsys):
    from sequences import Chat, ChatSettings

    settings = ChatSettings(data=str(tmp_path), chats=2, rounds=3)

    class Strict(Chat):
        strict = False

        def score(self, trial, exchange):
            found = super().score(trial, exchange)
            if self.strict:
                found.state = "wrong" if found.state == "correct" else "correct"
            return found

    zy.register(Strict)
    done = zy.run(Strict(settings), lambda messages: "C", out=tmp_path / "run")
    Strict.strict = True
    again = zy.rescore(done, "robust")
    assert again.changed == 6
    assert not any("another way" in line for line in texts(again.summary.remarks))


def test_from_python_with_an_object_and_objects_of_a_class(tmp_path):
    from sequences import Staircase, StairSettings

    found = zy.run(Staircase(StairSettings(stairs=2)), "first", out=tmp_path / "run")
    assert found.complete
    assert found.summary.sequences.ended == 2
    again = zy.run(Staircase(StairSettings(stairs=2)), "first", out=tmp_path / "run")
    assert read_manifest(again).sessions[-1].asked == 0


def test_a_fault_in_next_is_a_remark_and_status_1(tmp_path, capsys):
    spec = f"{tmp_path}/torn.py:Torn"
    (tmp_path / "torn.py").write_text(
        "from zhiyin import Benchmark, Sequence, Trial, Verdict, say\n"
        "class One(Sequence):\n"
        "    id = 'one'\n"
        "    def next(self, done):\n"
        "        return Trial(f'one/{2 // (2 - len(done))}', (say('user', 'x'),))\n"
        "class Torn(Benchmark):\n"
        "    name = 'torn'\n"
        "    def sequences(self):\n"
        "        return [One()]\n"
        "    def score(self, trial, exchange):\n"
        "        return Verdict('ungraded', None)\n",
        "utf-8",
    )
    model = answers(tmp_path, "return 'x'")
    told = run(capsys, "run", spec, "-m", model, "--out", tmp_path / "run", status=1)
    flat = " ".join(told.split())
    assert "sequence 'one' after 2 trials cannot go on: ZeroDivisionError" in flat
    assert "torn.py:5, in next" in flat
    assert "torn.py:5" in run(capsys, "show", tmp_path / "run")


def test_a_fault_in_the_first_trial_is_told_before_anything_is_asked(tmp_path, capsys):
    spec = f"{tmp_path}/torn.py:Torn"
    (tmp_path / "torn.py").write_text(
        "from zhiyin import Benchmark, Sequence\n"
        "class One(Sequence):\n"
        "    id = 'one'\n"
        "    def next(self, done):\n"
        "        return done[0]\n"
        "class Torn(Benchmark):\n"
        "    name = 'torn'\n"
        "    def fingerprint(self):\n"
        "        return 'f'\n"
        "    def sequences(self):\n"
        "        return [One()]\n",
        "utf-8",
    )
    assert cli.main(["run", spec, "-m", "first", "--out", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err
    assert "IndexError" in told
    assert told.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_progress_without_a_total_claims_no_time_that_is_left(capsys):
    for kind in (Progress, NotebookProgress):
        shown = kind(None, 3)
        if kind is Progress:
            with shown:
                shown._printed -= 60
                shown.update(Count(correct=2), 5)
            told = capsys.readouterr().err
        else:
            told = shown._bar()
        assert "left" not in told
        assert re.search(r"\b[35]\b", told)
        assert "None" not in told


def test_a_sound_that_is_longer_than_the_model_takes_is_told_before(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    words = (
        "run",
        CHAT,
        "--data",
        tmp_path,
        "-m",
        "openai:x",
        "--audio-limit",
        "0.001",
        "--out",
        tmp_path / "run",
    )
    assert cli.main(list(map(str, words))) == 2
    assert "the model takes 0.001 s" in capsys.readouterr().err
