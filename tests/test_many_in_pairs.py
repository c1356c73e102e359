"""Shards, pools and large logs beside what else a run may have: judges, sequences, budgets."""

import functools
import shutil
import tarfile

import msgspec
import pytest

import suites_help
from conftest import REPOSITORY
from paying import MODEL, PayServer
from zhiyin.analysis.compare import compare
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.log import read_records
from zhiyin.errors import InputError
from zhiyin.report.leaderboard import build
from zhiyin.runs import rows as rows_module
from zhiyin.runs import table
from ziqi_layout import write_ziqi


@pytest.fixture(scope="module")
def older(tmp_path_factory):
    """Runs of every benchmark: judged, audited, rotated, of other items, of a missing plug-in."""
    place = tmp_path_factory.mktemp("older")
    with tarfile.open(REPOSITORY / "tests/data/runs-1/runs.tar.xz") as packed:
        packed.extractall(place, filter="data")
    return sorted(path.parent for path in place.rglob("run.json"))


def told(call, *words):
    try:
        return msgspec.json.encode(call(*words))
    except InputError as error:
        return str(error)


def everything(runs):
    found = [told(summarise, run) for run in runs]
    by_name = {}
    for run in runs:
        by_name.setdefault(read_manifest(run).benchmark, []).append(run)
    found += [told(compare, some) for some in by_name.values() if len(some) > 1]
    return [*found, *(told(functools.partial(build, apart=True), run) for run in runs)]


def test_whatever_a_run_holds_one_pass_says_what_a_loop_over_its_records_says(older, monkeypatch):
    fast = everything(older)
    assert sum(isinstance(one, bytes) for one in fast) > 1.5 * len(older)
    monkeypatch.setattr(table, "_BLOCK", 200)  # bytes: every line is read in parts
    monkeypatch.setattr(rows_module, "_open", {})
    assert everything(older) == fast


def small(place, name, *, items=4, more=""):
    file = place / f"{name}.toml"
    one = {"models": ["Good"], "benchmarks": ["Ears"], "conditions": ["plain"]}
    file.write_text(suites_help.suite(**one, items=items) + more)
    return file


def suite(file, out, *words):
    return main([*map(str, ["suite", file, "--out", out, "--quiet", "--no-report", *words])])


def test_shards_of_two_suite_files_are_not_merged(tmp_path, capsys):
    for number, items in ((1, 4), (2, 6)):
        file = small(tmp_path, f"file{number}", items=items)
        assert suite(file, tmp_path / f"part{number}", "--shard", f"{number}/2") == 0
    capsys.readouterr()
    parts = [str(tmp_path / name) for name in ("part1", "part2")]
    assert main(["merge", *parts, "--out", str(tmp_path / "made")]) == 2
    error = capsys.readouterr().err.strip()
    assert "are shards of different suites" in " ".join(error.split())
    assert not (tmp_path / "made").exists()


def logged(run):
    return {record.id: record.exchange.final.text for record in read_records(run)}


def test_sequences_that_go_by_the_answers_are_shared_out_whole(tmp_path, capsys):
    ask = ["run", "thresholds", "-m", "random", "--quiet", "--limit", "3", "--cache", "off"]
    whole, parts = tmp_path / "whole", [tmp_path / "one", tmp_path / "two"]
    assert main([*ask, "--out", str(whole)]) == 0
    for number, part in enumerate(parts, 1):
        assert main([*ask, "--shard", f"{number}/2", "--out", str(part)]) == 0
    begun = [{r.trial.sequence for r in read_records(part)} for part in parts]
    assert all(begun)
    assert not begun[0] & begun[1]
    made = tmp_path / "made"
    assert main(["merge", *map(str, parts), "--out", str(made)]) == 0
    assert logged(made) == logged(whole)
    assert summarise(made).sequences == summarise(whole).sequences


def test_a_pool_spends_one_budget(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    data = write_ziqi(tmp_path / "ziqi", 3)
    with PayServer(latency_s=0.01) as one, PayServer(latency_s=0.01) as two:
        spec = f"pool:{','.join(s.spec.partition('#')[0] for s in (one, two))}#{MODEL}"
        ask = ["run", "ziqi", "--data", str(data), "-m", spec, "--out", str(tmp_path / "run")]
        ask += ["--concurrency", "4", "--quiet", "--cache", "off"]
        assert main([*ask, "--budget", "9calls"]) == 1
        assert one.calls + two.calls == 9
        assert one.calls
        assert two.calls
        assert "budget" in capsys.readouterr().out
        assert main(ask) == 0
        assert one.calls + two.calls == summarise(tmp_path / "run").planned


REVIEWER = """
def review(prompt):
    return "the answer is B, it is major and joyful"
"""


def test_a_suite_in_shards_is_judged_when_it_is_merged(tmp_path, capsys):
    shutil.copytree(REPOSITORY / "tests/data/appraisal_small", tmp_path / "songs")
    (tmp_path / "mine.py").write_text(REVIEWER)
    file = tmp_path / "judged.toml"
    file.write_text(
        f'[[models]]\nmodel = "python:{tmp_path}/mine.py:review"\nname = "mine"\n'
        '[[benchmarks]]\nbenchmark = "appraisal"\n'
        f'flags = {{ data = "{tmp_path}/songs", judge = "lexical" }}\n'
    )
    parts = [tmp_path / f"part{number}" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        assert suite(file, part, "--shard", f"{number}/2") == 0
    assert suite(file, tmp_path / "whole") == 0
    assert main(["merge", *map(str, parts), "--out", str(tmp_path / "made")]) == 0
    assert suite(file, tmp_path / "made") == 0

    def judged(place):
        [run] = (tmp_path / place / "runs").iterdir()
        details = summarise(run).details
        return [str(section.title) for section in details], msgspec.to_builtins(details[1:])

    assert "Judged by lexical" in judged("whole")[0]
    assert judged("made") == judged("whole")
    assert "Judged by lexical" not in judged("part1")[0]
    # One run alone: the command without --shard asks the judge.
    runs = [next((part / "runs").iterdir()) for part in parts]
    capsys.readouterr()
    assert main(["merge", *map(str, runs), "--out", str(tmp_path / "one")]) == 0
    assert "asks its judge" in " ".join(capsys.readouterr().err.split())
