"""What a report says of a run's groups beside its whole: said where it is so, else not."""

import json

import numpy as np
import pytest
from msgspec.structs import replace

from report_help import answered, choice, write_run
from zhiyin.analysis.compare import compare
from zhiyin.analysis.within import favoured_letter
from zhiyin.engine.folder import MANIFEST
from zhiyin.report.findings import _judged_better, extremes, in_settings, preferences
from zhiyin.report.measures import ListedGroup, MeasureSheet, common_chance, listed_groups
from zhiyin.report.overview import overview
from zhiyin.report.paper_table import paper_table
from zhiyin.report.pictures import difference_tables
from zhiyin.report.run_set import RunSet
from zhiyin.runs.figures import GroupFigures
from zhiyin.statistics.choice import letter_bias, wilson_n
from zhiyin.statistics.intervals import wilson
from zhiyin.words import Named, say

pytestmark = pytest.mark.slow


def above(node):
    """All nodes that hold this one."""
    while (node := node.above) is not None:
        yield node


def told(right, asked):
    """What is said of a run with so many right answers of so many in each group."""
    names = [f"g{k}" for k in range(len(right))]
    figures = {
        name: GroupFigures(int(n), 0, int(n), int(k), int(n), accuracy=k / n,
                           ci95=(ends.low, ends.high), se=ends.se)
        for name, k, n in zip(["all", *names], [sum(right), *right], [sum(asked), *asked],
                              strict=True)
        for ends in [wilson(int(k), int(n))]
    }  # fmt: skip
    groups = [
        ListedGroup(name, name.upper(), name, 0, main=True, same=False, n=int(n), chance=None)
        for name, n in zip(names, asked, strict=True)
    ]
    return [say(found.words).replace("\u00a0", " ") for found in extremes("m", figures, groups)]


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "asked", [[65, 36, 52, 52, 73, 8, 23, 33, 20, 33, 5], [400] * 11, [8] * 10]
)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_run_that_is_equally_good_in_all_groups_is_seldom_said_to_differ(asked, share):
    rng = np.random.default_rng(5)
    runs = [rng.binomial(asked, share) for _ in range(300)]
    said = np.mean([bool(told(right.tolist(), asked)) for right in runs])
    assert said <= 0.07  # it was 10 %, where intervals alone were looked at


def test_a_group_that_differs_is_named():
    assert told([50, 90, 88, 91, 89], [100] * 5) == [
        "m is clearly below its own average in G0 (50.0 %)."
    ]
    assert told([95, 40, 42, 41, 45], [100] * 5) == [
        "m is clearly above its own average in G0 (95.0 %)."
    ]
    assert told([10, 10], [10, 10]) == []
    assert told([0, 0], [10, 10]) == []


@pytest.mark.parametrize(("right", "n"), [(0, 5), (3, 7), (40, 40), (500, 1000)])
def test_an_interval_tells_its_number_of_trials(right, n):
    ends = wilson(right, n)
    assert wilson_n(right / n, ends.low, ends.high) == pytest.approx(n)
    assert wilson_n(0.25, 0.0, 1.0) == 0


def test_the_letter_most_beyond_the_key_is_not_called_the_one_chosen_most():
    chosen = "B" * 32 + "A" * 30 + "E" * 8
    keyed = "B" * 31 + "A" * 34 + "E" * 5
    bias = letter_bias(list(chosen), list(keyed))
    (found,) = preferences([Named("m")], {0: bias}, {0: favoured_letter(bias)})
    assert "furthest above the key is E in 11.4" in say(found.words).replace("\u00a0", " ")


def test_of_two_groups_with_the_same_trials_one_is_a_main_group(tmp_path):
    groups = [("generation", "music generation")] * 4 + [("theory", "theory/keys")] * 5
    trials = [replace(choice(n), groups=own) for n, own in enumerate(groups)]
    runs = [write_run(tmp_path / "run", "m", [answered(trial, "B") for trial in trials])]
    sheet = MeasureSheet(RunSet(runs), "quiz")
    assert [group.name for group in listed_groups(sheet) if group.main] == ["generation", "theory"]


@pytest.mark.parametrize("way", ["", "audio=none/"])
@pytest.mark.parametrize("parts", [True, False])
@pytest.mark.parametrize("others", [True, False])
def test_of_one_task_alone_its_parts_are_the_main_groups(tmp_path, way, parts, others):
    """Nothing is beside it; what is said of items, such as how difficult they are, is no part."""
    groups = []
    for n in range(12):
        own = ["x", *([f"x/{'ab'[n % 2]}", f"x/difficulty={n % 3}"] if parts else [])]
        own = ["y", "y/c"] if others and n % 4 == 3 else own
        groups.append((*([way[:-1]] if way else []), *(way + name for name in own)))
    trials = [replace(choice(n), groups=own, tags={"audio": "none"} if way else {})
              for n, own in enumerate(groups)]  # fmt: skip
    runs = [write_run(tmp_path / "run", "m", [answered(trial, "B") for trial in trials])]
    listed = listed_groups(MeasureSheet(RunSet(runs), "quiz"))
    main = [one.name.removeprefix(way) for one in listed if one.main]
    assert main == (["x", "y"] if others else ["x/a", "x/b"] if parts else ["x"])
    assert {one.level for one in listed if one.main} == {0}
    table = paper_table(runs, across="groups")
    shown = main if others or parts else []
    assert len(table.columns) == 2 + len(shown)
    heads = " ".join(str(column.title) for column in table.columns[2:])
    assert "/" not in heads
    assert all(name.rpartition("/")[2] in heads for name in shown)


def test_of_few_answers_it_is_not_said_that_no_letter_is_favoured():
    for chosen in ("A" * 12, "ABCD" * 3, "AAAB" * 3):
        found = favoured_letter(letter_bias(list(chosen), list("ABCD" * 3)))
        assert found is None or found.verdict == "favours"
    many = favoured_letter(letter_bias(list("ABCD" * 6), list("ABDC" * 6)))
    assert many.verdict == "none"


def test_of_many_pairs_all_but_the_first_are_behind_one_line(tmp_path):
    """Four runs have six pairs; two have one, which nothing hides."""
    from page_tree import read
    from zhiyin.report.writing import report

    runs = []
    for n in range(4):
        records = [answered(choice(q), "ABCD"[(q * n) % 4]) for q in range(12)]
        runs.append(write_run(tmp_path / f"r{n}", f"m{n}", records))
    for number, pairs in ((4, 6), (2, 1)):
        report(*runs[:number], out=tmp_path / "out.html", notation=False, figures=False)
        every = read(tmp_path / "out.html").all("table", "differences")
        hidden = [one for one in every if any(up.tag == "details" for up in above(one))]
        assert len(every) == 2 * pairs  # of each pair the whole, and its groups
        assert len(every) - len(hidden) <= 1


def test_every_difference_of_a_page_is_the_better_run_minus_the_other(tmp_path):
    """In whichever order runs are given: tables, sentences of judges, and their intervals."""
    trials = [choice(i) for i in range(60)]
    good = write_run(tmp_path / "good", "good", [answered(t, t.target) for t in trials])
    poor = write_run(tmp_path / "poor", "poor", [answered(t, "A") for t in trials])
    for runs in ([good, poor], [poor, good]):
        found = overview(RunSet(runs))
        ((table, _),) = difference_tables(found.benchmarks[0], found.runs)
        assert str(table.title) == "good minus poor"
        assert table.rows[0].cells[3] == pytest.approx(0.75)
    row = compare(runs).pairs[0].groups[0]
    told = _judged_better(Named("poor"), Named("good"), row, "a judge", [])
    assert row.difference < 0 < told.facts["low"] < told.facts["mean"] < told.facts["high"]


def test_a_group_of_two_conditions_is_called_by_both():
    from zhiyin.runs.figures import group_in_words

    assert str(group_in_words("audio=silence")) == "Silence in its place"
    both = group_in_words("audio=true/distractors=ir")
    assert str(both) == "The recording itself, distractors: ir"


def test_guessing_has_one_line_whatever_the_order_of_the_logs():
    assert common_chance([0.1 + 0.2, 0.3]) == 0.1 + 0.2
    assert common_chance([0.25, 0.5]) is None
    assert common_chance([None, 0.25]) is None


def test_a_model_is_compared_with_itself_over_one_setting_and_others_stay_apart(tmp_path):
    """Of two models in two settings each: its own two are compared, in right answers."""
    runs, trials = [], [choice(n, gold="ABCD"[n % 4]) for n in range(120)]
    for model, shots, right in (("a", None, 40), ("a", 5, 90), ("b", None, 60), ("b", 5, 60)):
        records = [
            answered(t, t.target if (7 * n + len(runs)) % 120 < right else "ABCD"[(n + 1) % 4])
            for n, t in enumerate(trials)
        ]
        runs.append(write_run(tmp_path / f"{model}{shots}", model, records))
        about = json.loads((runs[-1] / MANIFEST).read_text())
        about["config"]["options"]["shots"] = shots
        (runs[-1] / MANIFEST).write_text(json.dumps(about))
    run_set = RunSet(runs)
    sheet = MeasureSheet(run_set, "quiz")
    found = {pair: (name, one) for pair, name, one in sheet.in_settings()}
    assert {*found} == {(1, 0), (3, 2)}  # the run with the setting first
    assert {name for name, _ in found.values()} == {"options.shots"}
    assert found[1, 0][1].value == pytest.approx(50 / 120)
    manifests = [run.manifest for run in run_set.runs]
    first, second = (
        say(one.words) for one in in_settings(sheet, manifests, [run.label for run in run_set.runs])
    )
    assert first.startswith("a does better with 5 shots than with none, 75.0")
    assert second.startswith("no significant difference between 5 shots and none for b")
    assert "on the same 120 questions" in first
    assert all({a, b} in ({0, 2}, {1, 3}) for each in sheet.compared() for a, b in each.pairs)


def test_a_way_of_asking_stands_in_words_in_both_languages():
    """The word none, too, which messages take for what is not there."""
    from zhiyin.runs.figures import group_in_words, way_in_words

    for way, english, chinese in (
        ("audio=none", "without sound", "不播放声音"),
        ("audio=noise", "with noise for sound", "以噪声代替声音"),
        ("audio=none/shots=5", "without sound and with shots=5", "不播放声音"),
    ):
        assert say(way_in_words(way)) == english
        assert chinese in say(way_in_words(way), "zh")
    assert say(group_in_words("audio=none")) == "Without sound"
    assert say(group_in_words("audio=none"), "zh") == "无声音"
