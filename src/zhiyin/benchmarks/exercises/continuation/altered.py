"""Wrong continuations made of a tune's own.

transposed
    The same tune from four places of its own scale (the notes that it uses). One is drawn, and the
    opening stands there too.
rhythm
    Even pairs made uneven at one place of every bar, or of every two bars. There are four such
    patterns. One is drawn, and the opening has it too.
cadence
    The last bar or two, closing on four notes of the scale. All that comes before is shown: nothing
    in the options says where they should close. A cadence that could never be right would be wrong
    in itself, so the tune is moved as for `transposed`, and each of the four closes it in one of
    its places. In one place only does the right one begin nearest to the last note before it.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from zhiyin.benchmarks.exercises.continuation.balance import (
    Table,
    bars_in,
    even,
    tables,
)
from zhiyin.benchmarks.exercises.continuation.choosing import (
    Choice,
    Sheets,
    chosen,
    show,
)
from zhiyin.benchmarks.exercises.continuation.cuts import Bars, Cut, Notes, endings_of
from zhiyin.benchmarks.exercises.continuation.matching import Shown
from zhiyin.benchmarks.exercises.continuation.texts import (
    gamut_of,
    is_plain,
    pitches_of,
    stepped,
)
from zhiyin.benchmarks.exercises.continuation.tunes import TICKS, Tune
from zhiyin.music.notated.writing import abc_length
from zhiyin.music.stimuli.dice import Dice

_PLACES = range(-5, 6)
"""By how many notes of its scale a tune is moved."""
_UNEVEN = ((3, 1), (1, 3))
"""How an even pair is split: long and short, or short and long."""
_IN_OPENING = 2
"""Fewest pairs of an opening that a pattern alters."""
_LENGTHS = (TICKS // 4, TICKS // 2, TICKS)
"""Sixteenths, eighths, quarters."""
_UNIT = TICKS // 2
_TIES = 1e-6
_SIGN = re.compile(r"( ?[_^=]{0,2}[A-Ga-g][',]*)([0-9/]*)")
Slot = tuple[int, int]
Four = tuple[Shown, ...]


class Altered:
    """Finds exercises in tunes and their near misses.

    Parameters
    ----------
    cuts : list of Cut
    sheets : Sheets
    """

    def __init__(self, cuts: list[Cut], sheets: Sheets) -> None:
        self.cuts = cuts
        self.sheets = sheets
        self._fours: dict[tuple[str, Cut], list[Four]] = {}
        endings = dict.fromkeys(each for cut in cuts for each in endings_of(cut))
        self._from = {"transposed": cuts, "rhythm": cuts, "cadence": list(endings)}
        self._turns: dict[str, deque[Cut]] = {}

    def _next(self, kind: str, dice: Dice) -> Cut | None:
        """The cuts one after another, in a drawn order, again and again."""
        if kind not in self._turns:
            self._turns[kind] = deque(dice.shuffled(self._from[kind]))
        turns = self._turns[kind]
        turns.rotate(-1)
        return turns[-1] if turns else None

    def transposed(self, dice: Dice) -> Choice | None:
        """One tune from four places of its scale."""
        return self._one_of(dice, "transposed")

    def rhythm(self, dice: Dice) -> Choice | None:
        """One tune with four patterns of uneven pairs."""
        return self._one_of(dice, "rhythm")

    def cadence(self, dice: Dice) -> Choice | None:
        """One tune with the ends of four places of its scale."""
        return self._one_of(dice, "cadence")

    def _one_of(self, dice: Dice, kind: str) -> Choice | None:
        cut = self._next(kind, dice)
        if cut is None:
            return None
        key = (kind, cut)
        if key not in self._fours:
            self._fours[key] = self._find_fours(kind, cut)
        if not self._fours[key]:
            return None
        return chosen(dice, dice.choice(self._fours[key]), kind)

    def _find_fours(self, kind: str, cut: Cut) -> list[Four]:
        """The sets of four that a cut gives."""
        shown = self.sheets.shown(cut)
        if shown is None or bars_in(shown.opening) & bars_in(shown.continuation):
            return []
        if kind == "rhythm":
            return _fours(_uneven(cut, self.sheets.bars(cut.tune)), measures=2)
        if kind == "transposed":
            return _fours(_transposed(shown), measures=3)
        return [four for four in _fours(_transposed(shown), measures=2) if _one_is_nearest(four)]


class Way(NamedTuple):
    """A cut, altered in some way; of two of the same `place`, only one may stand in a set."""

    shown: Shown
    place: int


def _transposed(shown: Shown) -> list[Way]:
    if not is_plain(shown.opening + shown.continuation):
        return []
    gamut = gamut_of(shown.opening + shown.continuation)
    texts = (shown.opening, shown.continuation)
    return [
        Way(Shown(shown.cut, *(stepped(text, gamut, place) for text in texts)), place)
        for place in _PLACES
    ]


def _uneven(cut: Cut, bars: Bars) -> list[Way]:
    slots = _slots(cut)
    if len(slots) < 4:
        return []
    return [
        Way(show(cut, _split_pairs(cut.tune, bars, slot, uneven)), place)
        for place, slot in enumerate(slots)
        for uneven in _UNEVEN
    ]


def _fours(ways: list[Way], measures: int) -> list[Four]:
    """The sets of four ways that are even, by the first so many measures of likeness."""
    if len(ways) < 4:
        return []
    openings = [way.shown.opening for way in ways]
    continuations = [way.shown.continuation for way in ways]
    places = np.array([way.place for way in ways])
    sets = np.array(list(combinations(range(len(ways)), 4)))
    sets = sets[(np.diff(places[sets], axis=1) != 0).all(1)]
    stream = np.random.RandomState(len(openings[0]))
    for table in tables(openings, continuations)[:measures]:
        likeness = table[sets[:, :, None], sets[:, None, :]]
        sets = sets[even(likeness + _TIES * stream.random_sample(likeness.shape))]
    return [tuple(ways[place].shown for place in each) for each in sets if not _repeat(ways, each)]


def _repeat(ways: list[Way], places: Table) -> bool:
    """Whether a bar of an opening stands in a continuation."""
    shown = [ways[place].shown for place in places]
    before = set().union(*(bars_in(each.opening) for each in shown))
    return any(before & bars_in(each.continuation) for each in shown)


def _one_is_nearest(four: Four) -> bool:
    """Whether one opening of four is followed at the least distance by its own continuation."""
    before = np.array([pitches_of(each.opening)[-1] for each in four])
    after = np.array([pitches_of(each.continuation)[0] for each in four])
    apart = np.abs(before[:, None] - after)
    own = np.diagonal(apart)[:, None]
    return int(((apart <= own).sum(1) == 1).sum()) == 1


def _period(tune: Tune) -> int:
    """Ticks after which a pattern comes again: a bar of four beats or more, or two bars."""
    return tune.bar * (1 if tune.metre[0] >= 4 else 2)


def _pair_at(tune: Tune, first: tuple[int, int, str], second: tuple[int, int, str]) -> Slot | None:
    """Where in its period an even pair stands, and its notes' length; None where none does."""
    length, onset = first[1], first[0] - tune.upbeat
    together = second[0] == first[0] + length and second[1] == length in _LENGTHS
    if not together or onset % (2 * length) or onset % tune.bar + 2 * length > tune.bar:
        return None
    return onset % _period(tune), length


def _slots(cut: Cut) -> list[Slot]:
    """The places that have pairs enough in the opening and in the continuation."""

    def counted(notes: Notes) -> Counter[Slot | None]:
        return Counter(_pair_at(cut.tune, a, b) for a, b in pairwise(notes))

    before, after = counted(cut.opening), counted(cut.continuation)
    slots = [
        slot for slot, count in before.items() if slot and count >= _IN_OPENING and after[slot]
    ]
    return sorted(slots)


def _split_pairs(tune: Tune, bars: Bars, slot: Slot, uneven: tuple[int, int]) -> Bars:
    """A written tune whose even pairs at one place are uneven."""
    at = {
        first[0]: second[0]
        for first, second in pairwise(tune.notes)
        if _pair_at(tune, first, second) == slot
    }
    length = 2 * slot[1] * uneven[0] // sum(uneven)
    plain = abc_length(Fraction(slot[1], _UNIT))
    return [(end, _uneven_signs(row, at, plain, length, 2 * slot[1])) for end, row in bars]


def _uneven_signs(
    row: list[tuple[int, str]], at: dict[int, int], plain: str, length: int, both: int
) -> list[tuple[int, str]]:
    signs_at = dict(row)
    for first, second in at.items():
        signs = [_SIGN.fullmatch(signs_at.get(onset, "")) for onset in (first, second)]
        if all(sign and sign[2] == plain for sign in signs) and signs[0] and signs[1]:
            signs_at[first] = signs[0][1] + abc_length(Fraction(length, _UNIT))
            del signs_at[second]
            short = abc_length(Fraction(both - length, _UNIT))
            signs_at[first + length] = signs[1][1].strip() + short
    return sorted(signs_at.items())
