"""One run, one verdict: what it shows by itself is said beside what a page's correction leaves."""

import re

import msgspec
import pytest

from findings_help import answered, choice, failed, mucho_trials, student, write_run
from zhiyin.analysis.compare import compare
from zhiyin.engine.log import MANIFEST, Manifest
from zhiyin.errors import InputError
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.plugins.lab.leaderboard.tables import figures_table
from zhiyin.report.front import rendered
from zhiyin.report.headlines import favours_a_letter
from zhiyin.report.methods import methods_paragraph
from zhiyin.report.overview import overview
from zhiyin.report.paper_table import paper_table, render_table
from zhiyin.report.pictures import by_group
from zhiyin.report.run_set import RunSet
from zhiyin.shown.glossary import glossary_of
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
    usual = int(benchmark == "muchomusic")  # a run of the usual settings: its name is its model's
    return write_run(folder / name, benchmark, name, records, options__shots=usual)


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


def changed(folder, **facts):
    """A run with other facts in its manifest."""
    path = folder / MANIFEST
    manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    for name, value in facts.items():
        setattr(manifest, name, value)
    path.write_bytes(msgspec.json.encode(manifest))
    return folder


def test_a_count_beside_a_runs_figure_is_that_runs(tmp_path):
    """Two runs asked different questions: each group has the trials of each, not of both."""
    one = run_of(tmp_path, "one", 20, n=40)
    records = [answered(choice(f"x{n}", groups=("knowledge",)), "A") for n in range(12)]
    two = write_run(tmp_path / "two", "muchomusic", "two", records, options__shots=1)
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
    folder = write_run(tmp_path / "people", "muchomusic", "people", records, options__shots=1)
    sentence = accuracy(told([folder]), "people")
    assert "answers 66.7 % right on average over 12 items, in 36 trials" in sentence
    assert "平均答对 66.7 %" in accuracy(told([folder]), "people", "zh")


def test_runs_in_altered_conditions_alone_are_judged_and_not_silent(tmp_path):
    noise, plain = (
        write_run(
            tmp_path / "runs" / name,
            "muchomusic",
            name,
            map(student(name, 0.6), trials),
            options__shots=1,
        )
        for name, trials in (
            ("deaf", mucho_trials(8, audio=("noise", "swap"))),
            ("able", mucho_trials(8)),
        )
    )
    text = render_table(paper_table([noise, plain], across="benchmarks"), "md")
    assert "muchomusic: deaf judged in altered conditions only: left out." in text
    with pytest.raises(InputError, match="no trial asked in the same way"):
        compare([noise, plain])
    with pytest.raises(InputError, match="in its benchmark's main way"):
        paper_table([noise])


def test_the_papers_table_says_of_how_many_and_what_could_not_be_read(runs, tmp_path):
    mute = [
        answered(choice(f"q{n}", gold="ABCD"[n % 4]), None if n < 30 else "A") for n in range(60)
    ]
    silent = [failed(choice(f"q{n}", groups=("knowledge",))) for n in range(5)]
    folders = [
        runs["near"],
        write_run(tmp_path / "mute", "muchomusic", "mute", mute, options__shots=1),
        write_run(tmp_path / "dead", "muchomusic", "dead", silent, options__shots=1),
        write_run(tmp_path / "gone", "muchomusic", "gone", silent, options__shots=1),
    ]
    table = paper_table(folders, across="benchmarks")
    text = render_table(table, "md").replace(NBSP, " ")
    assert "**Scores of 2 models on muchomusic, in %**" in text
    assert "muchomusic (n = 60)" in text
    assert "50.0 % of its replies hold no readable answer and count as wrong" in text
    assert text.count("left out") == 1
    assert "muchomusic: no judged trial of dead and gone: left out." in text
    tex = render_table(table, "latex")
    assert r"\label{tab:muchomusic}" in tex
    assert "(*)" not in tex
    assert "Bold:" in tex
    assert "Bold (*):" in "".join(map(str, table.notes))  # as a terminal has it
    chinese = render_table(table, "md", "zh").replace(NBSP, " ")
    assert "50.0 % 读不出答案" in chinese
    assert "muchomusic（n = 60）" in chinese


def test_methods_say_in_words_who_was_set_aside_and_what_a_mark_means(tmp_path):
    people = changed(
        run_of(tmp_path, "crowd", 30),
        model="people: all",
        decoding={
            "kind": "people", "people": 17, "took_part": 21, "set_aside": 4,
            "set_aside_by": {"attention_wrong": 3, "median_seconds": 2},
            "attention_questions": 2, "practice_questions": 1,
        },
    )  # fmt: skip
    text = methods_paragraph([people])
    assert (
        "17 people answered (4 of the 21 who took part were set aside, by rules set before: "
        "attention questions answered wrong (3), too fast (2)); answers to 2 attention questions "
        "are in no figure; 1 question was for practice, and in no figure; their answers"
    ) in text
    assert "参加者 21 人，剔除 4 人" in methods_paragraph([people], "zh")
    failing = {"sound": {"state": "failed", "right": 2, "asked": 8, "needed": 6, "warning": "deaf"}}
    deaf = changed(run_of(tmp_path, "guess", 30), canary=failing)
    text = methods_paragraph([deaf])
    assert "✗" not in text
    assert "guess (2 of 8 questions of the canary right, so that it is not shown to hear)" in text
    assert "@" not in text
    assert re.search(r"read from replies by Zhiyin’s rule robust, version \d+ \(set out in", text)


def test_what_is_neither_right_nor_wrong_has_no_letter_statistics(tmp_path):
    records = [
        answered(choice(f"q{n}", gold="AB"[n % 2], letters="AB"), "A", state="ungraded")
        for n in range(40)
    ]
    chapter = told([write_run(tmp_path / "level", "muchomusic", "level", records)])
    assert chapter.letters == {0: None}
    assert not any(one.topic == "letters" for one in chapter.findings)


@pytest.mark.slow
def test_a_page_of_two_benchmarks_has_one_colour_and_one_name_a_model(tmp_path):
    folders = [
        run_of(tmp_path / benchmark, name, 30, benchmark=benchmark)
        for benchmark, names in (("muchomusic", "abcde"), ("ziqi", "edcba"))
        for name in names
    ]
    about = overview(RunSet(folders))
    colours = {}
    for run in about.runs:
        colours.setdefault(run.label, set()).add(run.colour)
    assert all(len(own) == 1 for own in colours.values())
    assert len(set.union(*colours.values())) == len(colours) == 5
    assert rendered(about, "en").title == "a, b, c and 2 others · Zhiyin"


def test_a_leaderboard_shows_what_holds_the_same_trials_once(tmp_path):
    for name, right in (("one", 30), ("two", 40)):
        records = [
            answered(choice(f"q{n}", groups=("only", "only/inner")), "A" if n < right else "B")
            for n in range(60)
        ]
        write_run(tmp_path / name, "muchomusic", name, records)
    (board,) = build(tmp_path)
    assert board.columns == ["accuracy, all"]
    assert figures_table(board) is None


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
