"""Shards: disjoint shares of a run that, merged, are the run of one machine."""

import shutil

import msgspec
import pytest
import test_shards

import suites_help
from conftest import REPOSITORY
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main

pytestmark = pytest.mark.slow


three = test_shards.three
parts = test_shards.parts


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
