"""One run, one verdict: what it shows by itself is said beside what a page's correction leaves."""

import re

import msgspec
import pytest

from findings_help import answered, choice, student, write_run
from zhiyin.analysis.compare import compare
from zhiyin.report.headlines import favours_a_letter
from zhiyin.report.overview import overview
from zhiyin.report.pictures import by_group
from zhiyin.report.run_set import RunSet
from zhiyin.shown.glossary import glossary_of
from zhiyin.words import say

NBSP = "\u00a0"


def run_of(folder, name, right, *, favour="B", benchmark="tracks", n=60):
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
        r"better than chance by itself \(p\s=\s(0\.\d+)\), not after correction", sentence
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
    assert own.guess == "untold"  # its interval lies above chance; the corrected test says nothing
    assert own.by_itself.side == "better"
    assert own.by_itself.p == pytest.approx(0.035, abs=0.005)
    assert alone.lead.standings[0].guess == "better"
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


def test_a_count_beside_a_runs_figure_is_that_runs(tmp_path):
    """Two runs asked different questions: each group has the trials of each, not of both."""
    one = run_of(tmp_path, "one", 20, n=40)
    records = [answered(choice(f"x{n}", groups=("knowledge",)), "A") for n in range(12)]
    two = write_run(tmp_path / "two", "tracks", "two", records)
    about = overview(RunSet([one, two]))
    (chapter,) = about.benchmarks
    (row,) = by_group(chapter, about.runs, chapter.groups[:1], "").rows
    assert str(row.about) == "n = 40, 12"


def test_a_mean_over_items_is_no_share_of_trials(tmp_path):
    """26 of 36 trials are 72.2 %; 8 of 12 items, which were asked unequally often, 66.7 %."""
    records = []
    for n in range(12):
        for again in range({0: 1, 1: 5}.get(n, 3)):
            trial = choice(f"q{n}@{again}", tags={"repeat": again + 1})
            trial = msgspec.structs.replace(trial, item=f"q{n}")
            records.append(answered(trial, "A" if n == 1 or n > 4 else "B"))
    folder = write_run(tmp_path / "people", "tracks", "people", records)
    sentence = accuracy(told([folder]), "people")
    assert "answers 66.7 % right on average over 12 items, in 36 trials" in sentence
    assert "平均答对 66.7 %" in accuracy(told([folder]), "people", "zh")


def test_what_is_neither_right_nor_wrong_has_no_letter_statistics(tmp_path):
    records = [
        answered(choice(f"q{n}", gold="AB"[n % 2], letters="AB"), "A", state="ungraded")
        for n in range(40)
    ]
    chapter = told([write_run(tmp_path / "level", "tracks", "level", records)])
    assert chapter.letters == {0: None}
    assert not any(one.topic == "letters" for one in chapter.findings)


def test_words_of_the_trade_are_explained_where_a_page_has_them():
    page = "<p>corrected by Holm; RStd 3; read by robust@6; the canary failed</p>"
    terms = re.findall(r"<dt>(.*?)</dt>", str(glossary_of(page)))
    assert terms == ["RStd", "Holm", "canary", "robust@6"]
    assert "探测题" in str(glossary_of(page, "zh"))
    assert not glossary_of("<p>nothing of the sort</p>")


def test_the_same_replies_are_known_under_the_names_of_an_import(tmp_path):
    asked = [msgspec.structs.replace(choice(f"q{n}", gold="B"), item=f"q{n}") for n in range(30)]
    own = [answered(trial, "AB"[n % 2], "The answer is this.") for n, trial in enumerate(asked)]
    again = [
        msgspec.structs.replace(record, id=f"{record.id}/r1", trial=msgspec.structs.replace(
            record.trial, id=f"{record.id}/r1", tags={"repeat": 1}))
        for record in own
    ]  # fmt: skip
    runs = [
        write_run(tmp_path / name, "toy", name, records)
        for name, records in (("own", own), ("imported", again))
    ]
    found = compare(runs)
    assert "gave the same replies, word for word" in " ".join(map(str, found.warnings))


def test_a_page_says_that_runs_were_read_by_different_rules(tmp_path):
    asked = [choice(f"q{n}", gold="B") for n in range(30)]
    runs = [
        write_run(
            tmp_path / rule, "toy", rule, map(student(rule, 0.6), asked), options__extract=rule
        )
        for rule in ("robust", "string-match")
    ]
    for card in overview(RunSet(runs)).runs:
        assert "answers were read by different rules" in " ".join(map(str, card.warnings))
    for card in overview(RunSet(runs[:1])).runs:
        assert "different rules" not in " ".join(map(str, card.warnings))
