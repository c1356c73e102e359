"""Two ways of asking within a run, set against each other: by hand."""

import msgspec
import pytest

from columns_help import record_of, rows_from
from zhiyin.runs.differences import Contrast, Side, between, contrasted, paired_estimate, side_of
from zhiyin.runs.ways import UNDECLARED

MEDIUM = next(way for way in UNDECLARED if way.name == "modality")
SIDES = side_of(MEDIUM, "audio"), side_of(MEDIUM, "midi")


def rows(*asked):
    """Rows of an item, its shots, its medium, whether it is right, and its cluster."""
    records = []
    for n, (item, shots, medium, right, *cluster) in enumerate(asked):
        state = "correct" if right else "wrong"
        one = record_of(n, state, cluster=cluster[0] if cluster else None, item=item,
                        condition=f"{medium}/{shots}")  # fmt: skip
        tags = {"modality": medium, "shots": shots}
        one.trial = msgspec.structs.replace(one.trial, tags=tags)
        records.append(one)
    return rows_from(records)


def test_ways_that_must_be_alike_are_laid_side_by_side_before_an_item_is_averaged():
    """Of item b the sound was asked with one number of shots alone: no partner, no count."""
    run = rows(
        ("a", "one", "audio", 1), ("a", "one", "midi", 0), ("a", "two", "audio", 0),
        ("a", "two", "midi", 0), ("b", "one", "audio", 1), ("b", "one", "midi", 1),
        ("b", "two", "midi", 0),
    )  # fmt: skip
    (alike,) = contrasted(run, [Contrast(*SIDES, within=("shots",))])
    assert (alike.pair.first, alike.pair.second, alike.items) == (0.75, 0.5, 2)
    (plain,) = contrasted(run, [Contrast(*SIDES)])
    assert (plain.pair.first, plain.pair.second) == (0.75, 0.25)
    assert plain.sides == ("audio", "midi")


def test_clusters_hold_together_whatever_must_be_alike():
    """Items of one recording, each asked with a number of shots of its own: one draw."""
    run = rows(
        *((item, shots, m, m == "audio", cluster) for item, shots, cluster in
          (("a", "one", "x"), ("b", "two", "x"), ("c", "two", "y"), ("d", "one", "z"))
          for m in ("audio", "midi")),
    )  # fmt: skip
    (found,) = contrasted(run, [Contrast(*SIDES, within=("shots",))])
    assert (found.items, found.clusters) == (4, 3)
    assert found.p == pytest.approx(2 / 2**3)


def test_an_item_counts_where_it_was_asked_in_all_the_ways_of_a_side():
    run = rows(
        *(("a", s, m, 1) for s in ("one", "two") for m in ("audio", "midi")),
        ("b", "one", "audio", 0), ("b", "one", "midi", 0),
    )  # fmt: skip
    whole = [Side(one.name, one.wanted, 2) for one in SIDES]
    (found,) = contrasted(run, [Contrast(*whole)])
    assert (found.items, found.pair.first) == (1, 1.0)
    assert contrasted(run, [Contrast(*whole)], fewest=2) == []
    assert contrasted(run, [Contrast(Side("none", lambda _: False), SIDES[1])]) == []


def test_runs_differ_in_a_contrast_on_the_items_of_both():
    one = rows(*((f"{n}", "one", m, m == "audio") for n in range(8) for m in ("audio", "midi")))
    other = rows(*((f"{n}", "one", m, n % 2) for n in range(6) for m in ("audio", "midi")))
    (found,) = between(one, other, [Contrast(*SIDES)])
    assert (found.pair.first, found.pair.second, found.value, found.items) == (1, 0, 1, 6)
    assert found.p == pytest.approx(2 / 2**6)


def test_whole_clusters_are_flipped_and_repeats_counted_by_their_majority():
    """Two clusters of two items each: all that sign flips can show is 2 / 2^2."""
    run = rows(
        *((f"{n}", "one", m, m == "audio", f"c{n % 2}") for n in range(4) for m in
          ("audio", "midi")),
        *((f"{n}", "one", m, 0, f"c{n % 2}") for n in range(1) for m in ("audio", "midi")),
    )  # fmt: skip
    (found,) = contrasted(run, [Contrast(*SIDES)])
    assert found.clusters == 2
    assert found.p == pytest.approx(0.5)
    assert (found.pair.mcnemar.b, found.pair.mcnemar.c) == (3, 0)  # the first is a draw


def test_p_is_corrected_over_what_was_declared():
    values = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    found = paired_estimate(values, [0.0] * 6, ("a", "b"))
    assert found.p == pytest.approx(2 / 2**6)
    run = rows(*((f"{n}", "one", m, m == "audio") for n in range(6) for m in ("audio", "midi")))
    twice = contrasted(run, [Contrast(*SIDES), Contrast(*SIDES)])
    assert [one.pair.p_adjusted for one in twice] == pytest.approx([4 / 2**6] * 2)
