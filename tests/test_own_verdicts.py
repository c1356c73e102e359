"""One run, one verdict: what it shows by itself is said beside what a page's correction leaves."""

import re

import pytest

from findings_help import answered, choice, write_run
from zhiyin.analysis.compare import compare
from zhiyin.report.headlines import better_than_chance, favours_a_letter
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.words import say

NBSP = "\u00a0"


def run_of(folder, name, right, *, favour="B", benchmark="muchomusic", n=60):
    """A run with so many right answers, the key going round, and the others all one letter."""
    records = []
    for number in range(n):
        gold = "ABCD"[number % 4]
        wrong = favour if favour != gold else "ACDB"["ABCD".index(gold)]
        letter = gold if number < right else wrong
        trial = choice(f"q{number}", groups=("knowledge", f"knowledge/g{number % 5}"), gold=gold)
        records.append(answered(trial, letter))
    return write_run(folder / name, benchmark, name, records)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Of 60 questions of four options: 23 right is better than chance by itself (p 0.03)."""
    root = tmp_path_factory.mktemp("verdicts")
    rights = {"near": 23, "low": 15, "lower": 14, "lowest": 13}
    return {name: run_of(root, name, right) for name, right in rights.items()}


def words(finding, language="en"):
    return say(finding, language).replace(NBSP, " ")


def told(folders):
    (chapter,) = overview(RunSet(folders)).benchmarks
    return chapter


def accuracy(chapter, name, language="en"):
    return next(
        words(one.words, language)
        for one in chapter.findings
        if one.words.name == "finding-accuracy" and one.words.facts["who"].name == name
    )


def test_a_run_is_better_than_chance_by_itself_and_not_after_the_correction(runs):
    alone, beside = told([runs["near"]]), told([*runs.values()])
    assert ": better than chance (25.0 %)." in accuracy(alone, "near")
    sentence = accuracy(beside, "near")
    found = re.search(
        r"better than chance by itself \(p = (0\.\d+)\), not after correction", sentence
    )
    assert found
    assert float(found[1]) < 0.05 <= 4 * float(found[1])
    assert "for the 4 runs of this page (chance: 25.0 %)" in sentence
    assert "对本页 4 个运行校正后不显著" in accuracy(beside, "near", "zh")
    # Those that show nothing by themselves are said to show nothing.
    assert "not significantly better than chance (25.0 %)" in accuracy(beside, "low")


def test_its_cell_and_its_headline_say_the_same(runs):
    alone, beside = told([runs["near"]]), told([*runs.values()])
    own = next(s for s in beside.lead.standings if s.run == 0)
    cell = better_than_chance(own)
    assert (cell.mood, words(cell.text)) == ("soft", "yes, by itself")
    assert re.fullmatch(
        r"p = 0\.03\d, not after correction for the 4 runs of this page; chance: 25\.0 %",
        words(cell.detail),
    )
    assert words(better_than_chance(alone.lead.standings[0]).text) == "yes"
    first, more = beside.told
    every = " ".join(words(one) for one in (first, *more))
    assert "near is better than chance by itself (p = 0.03" in every
    assert "near is not significantly better than chance" not in every


def test_a_favoured_letter_is_said_the_same_way(tmp_path):
    """The letter's p lies below the level by itself, and above it four times."""
    for right in range(40, 56):
        folder = run_of(tmp_path, f"r{right}", right)
        alone = told([folder])
        liked = alone.lead.standings[0].letter
        if liked.verdict == "favours" and 0.0126 < liked.p < 0.05:
            break
    else:
        pytest.fail("no share of right answers lies between the two levels")
    even = [run_of(tmp_path, f"even{n}", 60 - n) for n in range(3)]
    beside = told([folder, *even])
    own = next(s for s in beside.lead.standings if s.run == 0)
    assert own.letter.verdict == "none"
    cell = favours_a_letter(own)
    assert words(cell.text) == "yes, by itself"
    assert "not after correction for the 4 runs of this page" in words(cell.detail)
    sentence = next(
        words(one.words) for one in beside.findings
        if one.words.name == "finding-letter" and one.words.facts["who"].name == f"r{right}"
    )  # fmt: skip
    assert f"favours option B by itself (p = {liked.p:.3f}"[:38] in sentence


def test_intervals_for_themselves_and_corrected_p_are_told_apart(runs):
    pair = compare([runs["near"], runs["low"]])
    key = words(pair.key(whole=False))
    groups = sum(row.family == "exploratory" for row in pair.pairs[0].groups)
    assert groups == 5  # the sixth holds the same questions as the whole
    assert "p is corrected over 5 comparisons in groups" in key
    assert "false discovery rate" in key
    assert "* flips" not in key  # each question stands alone
    three = compare([runs["near"], runs["low"], runs["lower"]])
    assert "p is corrected over 3 pairs of runs on everything (Holm)" in words(
        three.key(whole=False)
    )
    only = compare([runs["near"], runs["low"]], only_whole=True)
    assert "corrected" not in words(only.key(whole=False))
    assert "5 项分组比较" in words(pair.key(whole=False), "zh")
