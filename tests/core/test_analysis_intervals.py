"""One interval for a figure of a run, one best of several, wherever they are printed."""

import msgspec
import numpy as np
import pytest

from columns_help import interval_of, rows_of_answers
from findings_help import answered, choice, failed, write_run
from said_help import texts
from zhiyin.analysis.compare import compare
from zhiyin.analysis.summary import summarise
from zhiyin.report import measures
from zhiyin.report.run_set import RunSet
from zhiyin.runs.rows import rows_of as trials_of
from zhiyin.statistics.intervals import interval

pytestmark = pytest.mark.slow


def asked(items=40, repeats=3, clustered=True):
    """Items in tracks of two, but for a quarter that stand alone; every item asked repeatedly."""
    trials = []
    for number in range(items):
        alone = not clustered or number % 4 == 3
        for repeat in range(1, repeats + 1):
            trial = choice(
                f"q{number}/r{repeat}",
                groups=("g", "g/even" if number % 2 else "g/odd"),
                cluster=None if alone else f"track{number // 2}",
                gold="ABCD"[number % 4],
                tags={"repeat": repeat},
            )
            trials.append(msgspec.structs.replace(trial, item=f"q{number}"))
    return trials


def answers(trials, seed, steady=0.7, gift=0.6):
    """Right by the item, mostly: repeats of an item hang together."""
    rng = np.random.default_rng(seed)
    level = {item: rng.random() < gift for item in dict.fromkeys(t.item for t in trials)}
    for trial in trials:
        right = level[trial.item] if rng.random() < steady else rng.random() < gift
        wrong = "ABCD"[("ABCD".index(trial.target) + 1) % 4]
        letter = trial.target if right else wrong if rng.random() < 0.7 else None
        yield answered(trial, letter)


def test_repeats_that_are_wholly_dependent_tell_no_more_than_one(tmp_path):
    once = write_run(tmp_path / "1", "toy", "m", answers(asked(repeats=1), 3, steady=1))
    thrice = write_run(tmp_path / "3", "toy", "m", answers(asked(repeats=3), 3, steady=1))
    one, three = (interval_of(trials_of(run)) for run in (once, thrice))
    assert (three.mean, three.low, three.high) == (one.mean, one.low, one.high)


@pytest.mark.parametrize("figure", ["accuracy", "f1", "precision", "ifr"])
def test_rotations_that_are_wholly_dependent_do_not_narrow_any_figure(figure):
    def of(rotations):
        items = [item for item in range(60) for _ in range(rotations)]
        answers = ((item, "", None, item % 3 == 0, item % 5 != 1) for item in items)
        return interval_of(rows_of_answers(answers), figure)

    assert (of(4).low, of(4).high) == (of(1).low, of(1).high)


def test_f1_where_all_is_answered_is_the_accuracy(tmp_path):
    records = [answered(t, "A") for t in asked(repeats=1)]
    run = write_run(tmp_path / "run", "toy", "m", records)
    f1, right, precise = (interval_of(trials_of(run), m) for m in ("f1", "accuracy", "precision"))
    assert f1 == right == precise


def test_trials_without_a_cluster_stand_alone_beside_clustered_ones(tmp_path):
    trials = [choice(f"q{n}", cluster="t" if n < 2 else None, gold="AB"[n % 2]) for n in range(52)]
    run = write_run(tmp_path / "run", "toy", "m", [answered(t, "A") for t in trials])
    shown = summarise(run).groups["all"]
    assert shown.clusters == 51
    low, high = shown.ci95
    assert 0.3 < low < 0.5 < high < 0.7
    expected = interval([1 - n % 2 for n in range(52)], ["t", "t", *[None] * 50])
    assert [low, high] == [expected.low, expected.high]


def test_each_pair_is_compared_on_what_it_shares_in_report_and_command(tmp_path):
    trials = asked(repeats=1)
    runs = [
        write_run(tmp_path / name, "toy", name, answers(trials[: 40 - place], place))
        for place, name in enumerate("abc")
    ]
    pairs = measures.MeasureSheet(RunSet(runs), "toy").pairs
    known = compare(runs)
    assert known.items == 38
    assert [own["all"].items for own in pairs.values()] == [39, 38, 38]
    for own, other in zip(pairs.values(), known.pairs, strict=True):
        assert own["all"].p_adjusted == other.groups[0].p_adjusted


def test_runs_with_nothing_common_to_all_are_compared_in_pairs(tmp_path):
    trials = asked(repeats=1)
    parts = (trials[:20], trials[10:30], trials[20:])
    runs = [
        write_run(tmp_path / name, "toy", name, answers(part, place))
        for place, (name, part) in enumerate(zip("abc", parts, strict=True))
    ]
    sheet = measures.MeasureSheet(RunSet(runs), "toy")
    found = {runs: own["all"].items for runs, own in sheet.pairs.items()}
    assert found == {(0, 1): 10, (1, 2): 10}
    (compared,) = sheet.compared()
    assert (compared.ranking, compared.shared) == ([], 0)


def test_failed_repeats_do_not_weigh_an_item_less(tmp_path):
    trials = asked(items=2, repeats=3, clustered=False)
    records = [answered(t, t.target) for t in trials[:3]]
    records += [answered(trials[3], None), failed(trials[4]), failed(trials[5])]
    shown = summarise(write_run(tmp_path / "run", "toy", "m", records)).groups["all"]
    assert (shown.n, shown.errors, shown.items) == (4, 2, 2)
    assert shown.accuracy == 0.5


def test_one_letter_under_all_rotations_is_not_called_misread(tmp_path):
    """It is right once in four rotations, but for five items that cannot be rotated."""
    records = []
    for number in range(255):
        for turn in range(4 if number < 250 else 1):
            gold = "ABCD"[turn] if number < 250 else "B"
            trial = choice(f"q{number}/o{turn}", gold=gold, tags={"rotation": turn})
            records.append(answered(msgspec.structs.replace(trial, item=f"q{number}"), "A"))
    run = write_run(tmp_path / "first", "toy", "first", records)
    figures = measures.MeasureSheet(RunSet([run]), "toy").figures[0]["all"]
    assert figures.accuracy < 0.2452
    assert figures.guess == "open"  # of any other answers, as many right would tell nothing
    assert not [text for text in texts(summarise(run).warnings) if "chance" in text]
