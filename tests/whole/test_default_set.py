"""Benchmarks that make their own questions: less than the default, or another set, is no whole."""

import pytest

from findings_help import answered, choice, write_run
from zhiyin.analysis.coverage import coverage_of, setting_told
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.contract.options import ChosenOtherwise, chosen_otherwise, place_names
from zhiyin.contract.registry import find
from zhiyin.errors import InputError
from zhiyin.plugins.lab.export import write_hub
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.words import say
from zhiyin.words.findings import Part

OWN = ("bodies", "exercises", "pairs", "rhythm-ability", "thresholds")
"""Those of which nothing is published: their default set is the whole."""
HOW = {"language", "extract", "seed", "partial"}
"""Settings that leave what is asked, and how many, as it is."""
FACTS = "third,note,bars,instrument,tempo,accent,onset"

SETTINGS = [
    ("pairs", {}, []),
    ("pairs", {"n": 8, "seed": 5, "extract": "first"}, []),
    ("pairs", {"n": 16}, []),
    ("pairs", {"n": 4}, ["--n 4 instead of 8"]),
    ("pairs", {"fact": ["third", "note"]}, ["--fact third,note instead of all 7"]),
    ("pairs", {"fact": FACTS}, []),
    ("pairs", {"fact": ",".join(reversed(FACTS.split(",")))}, []),
    ("pairs", {"n": "few"}, ["--n few instead of 8"]),
    ("exercises", {"kind": "interval,row"}, ["--kind interval,row instead of all"]),
    ("exercises", {"task": "chinese,theory", "language": "zh"}, []),
    ("exercises", {"task": "theory"}, ["--task theory instead of theory,chinese"]),
    ("exercises", {"difficulty": "hard"}, ["--difficulty hard instead of default"]),
    ("exercises", {"corpus": "essenFolksong"}, ["--corpus essenFolksong instead of the default"]),
    ("thresholds", {"most": 30, "tracks": 3}, ["--most 30 instead of 60"]),
    ("thresholds", {"dimension": "gap", "precision": 2.0},
     ["--dimension gap instead of all 9", "--precision 2.0 instead of 3.0"]),
    ("bodies", {"body": "sound", "n": 1}, ["--body sound instead of all 6", "--n 1 instead of 10"]),
    ("rhythm-ability", {"items": 20}, ["--items 20 instead of 40"]),
    ("perception", {"n": 4}, ["--n 4 instead of the default"]),
    ("perception", {"n": 48}, []),
    ("perception", {"n": 47}, ["--n 47 instead of the default"]),
    ("perception", {"n": 48, "task": "chords"}, ["--task chords instead of all 3"]),
    ("perception", {"n": 20, "task": ["syncopation", "transposition"]},
     ["--task syncopation,transposition instead of all 3"]),
    ("perception", {"n": 19, "task": "syncopation"},
     ["--task syncopation instead of all 3", "--n 19 instead of 20"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "clauses"), SETTINGS)
def test_less_than_the_default_or_something_else_is_named(name, options, clauses):
    told = map(setting_told, chosen_otherwise(find(name).Settings, options))
    assert list(map(str, told)) == clauses


@pytest.mark.parametrize("name", OWN)
def test_every_setting_of_such_a_benchmark_is_of_either_kind(name):
    """A new one is put where it belongs: a value that chooses is told, one of `HOW` is not."""
    kind = find(name)
    assert kind.expected() is None
    fields = set(kind.Settings.__struct_fields__) - place_names(kind.Settings) - HOW
    odd = dict.fromkeys(fields, "something else")
    assert len(chosen_otherwise(kind.Settings, odd)) == len(fields) > 0
    assert not chosen_otherwise(kind.Settings, dict.fromkeys(HOW, "something else"))


def run_of(folder, **changes):
    records = [answered(choice(f"q{n}", groups=("third",)), "AB"[n % 2]) for n in range(40)]
    return write_run(folder, "pairs", folder.name, records, **changes)


def test_a_smaller_set_is_nowhere_called_the_whole(tmp_path, capsys):
    small = run_of(tmp_path / "runs" / "small", options__n=4, options__fact=["third"])
    words = "--fact third instead of all 7; --n 4 instead of 8"
    coverage = coverage_of(small)
    assert not coverage.whole("all")
    assert (str(coverage.part), str(coverage.apart)) == (words, words)
    assert str(coverage.caution) == f"{words}: not comparable with runs by default settings"
    summary = summarise(small)
    assert (summary.part, summary.whole) == (words, [])
    (board,) = overview(RunSet([small])).benchmarks
    (standing,) = board.lead.standings
    assert (standing.coverage, standing.set_otherwise, str(standing.apart)) == ("part", True, words)
    assert (str(board.in_part[0].why), board.in_part[0].groups) == (words, ["all", "third"])
    (table,) = build(tmp_path / "runs")
    assert table.rows[0].note == str(coverage.caution)
    with pytest.raises(InputError, match="instead of 8; readers of the hub would take it for the"):
        write_hub(small, tmp_path / "hub")
    assert main(["show", str(small)]) == 0
    assert "published figures" not in " ".join(capsys.readouterr().out.split())


def test_the_default_set_is_the_whole_and_so_is_more_of_it(tmp_path):
    for name, changes in {"default": {}, "more": {"options__n": 20}}.items():
        run = run_of(tmp_path / name, **changes)
        coverage = coverage_of(run)
        assert coverage.whole("all")
        assert coverage.part is coverage.caution is None
        (board,) = overview(RunSet([run])).benchmarks
        assert board.lead.standings[0].coverage == "whole"
        assert not board.lead.standings[0].set_otherwise


def test_a_limit_is_named_beside_the_settings(tmp_path):
    run = run_of(tmp_path / "first", options__n=4, limit=40)
    assert str(coverage_of(run).part) == "the first 40 trials only; --n 4 instead of 8"


def test_a_run_says_so_from_its_own_manifest(tmp_path):
    """By the command line; and fresh items of a benchmark with published ones."""
    out = tmp_path / "exercises"
    order = ["run", "exercises", "--kind", "interval", "--n", "2", "-m", "first"]
    assert main([*order, "--out", str(out), "--quiet"]) == 0
    coverage = coverage_of(out)
    assert str(coverage.part) == "--kind interval instead of all; --n 2 instead of 10"
    assert not coverage.whole("all")
    chords = ["run", "perception", "--task", "chords", "--n", "4", "-m", "first"]
    assert main([*chords, "--out", str(tmp_path / "chords"), "--quiet"]) == 0
    fresh = coverage_of(tmp_path / "chords")
    assert str(fresh.part).startswith("--task chords instead of all 3; --n 4 instead of 48; ")
    assert str(fresh.part).endswith("not the published items, but 4 others")


def test_it_is_said_in_chinese_too():
    told = [
        setting_told(ChosenOtherwise("fact", "third", "all", 7)),
        setting_told(ChosenOtherwise("n", "4", "8")),
        setting_told(ChosenOtherwise("kind", "a,b", "all")),
        setting_told(ChosenOtherwise("keys", "3", None)),
    ]
    assert [say(one, "zh") for one in told] == [
        "--fact 为 third（默认：全部 7 项）",
        "--n 为 4（默认：8）",
        "--kind 为 a,b（默认：全部）",
        "--keys 为 3（默认：不设定）",
    ]
    caution = Part(why=told[1], beside="settings")
    assert say(caution, "zh") == "--n 为 4（默认：8）：不可与默认设置的运行比较"
