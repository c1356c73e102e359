"""Cuts that may stand beside one another, and quadruples of them that are even."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from zhiyin.benchmarks.exercises.continuation.balance import (
    Table,
    bars_in,
    even,
    groups,
    same_notes,
    sizes,
)
from zhiyin.benchmarks.exercises.continuation.cuts import Cut, midi
from zhiyin.benchmarks.exercises.continuation.texts import pitches_of
from zhiyin.models.baselines import grams

_NEAR = 3
"""Most steps by which the ranges of two continuations differ at either end."""
_MORE = 1.5
"""Most times the notes of one that another may have."""
_ALIKE = 0.5
"""Share of equal notes above which two continuations count as variants of one."""
BLOCK = 500
"""Most cuts that are compared with one another."""
_DRAWN = 6000
"""Quadruples drawn at a time."""
_TIES = 1e-6
_LEAST, _MOST = 0.03, 0.9
"""Bounds of the share of other continuations that are less like an opening than its own."""
_BINS = 8


class Shown(NamedTuple):
    """A cut in C: its opening and its continuation as ABC."""

    cut: Cut
    opening: str
    continuation: str


class Block:
    """Cuts alike in metre, mode, length and place in the bar.

    A cut is usable where its own continuation is about as similar to its opening as those of other
    tunes. Other cuts repeat so many notes of a motif that similarity alone would give the answer.

    Parameters
    ----------
    shown : sequence of Shown
        At most `BLOCK`.
    """

    def __init__(self, shown: Sequence[Shown]) -> None:
        openings = [each.opening for each in shown]
        continuations = [each.continuation for each in shown]
        self.shown = shown
        runs = _shared(openings, continuations, grams)
        share = (runs / sizes(continuations)).astype(np.float32)
        words = (_shared(openings, continuations, groups) / _counts(continuations)).astype(
            np.float32
        )
        notes = same_notes(openings, continuations)
        self.even = (runs, share, notes)
        bars = _shared(openings, continuations, bars_in)
        beside = _beside(shown) & (bars == 0) & (bars.T == 0) & (np.diagonal(bars) == 0)
        level = np.mean([_level(each, beside) for each in (runs, share, words, notes)], axis=0)
        usable = (level > _LEAST) & (level < _MOST) & (np.diagonal(bars) == 0)
        self.beside = beside & usable & usable[:, None]
        self.counts = self.beside.sum(1)
        self.starts = np.concatenate([[0], np.cumsum(self.counts)[:-1]])
        self.others = np.nonzero(self.beside)[1]
        self.usable = np.nonzero(self.counts >= 3)[0]
        self.weights = np.cumsum(_flat(level[self.usable]))

    def quadruples(self, seed: int) -> Iterator[list[Shown]]:
        """Some even quadruples, in a drawn order."""
        if not len(self.usable):
            return
        # The legacy generator's stream is promised never to change.
        stream = np.random.RandomState(seed)
        chance = stream.random_sample((4, _DRAWN))
        first = self.usable[np.searchsorted(self.weights, chance[0] * self.weights[-1])]
        places = self.starts[first] + chance[1:] * self.counts[first]
        rows = np.column_stack([first, *self.others[places.astype(int)]])
        for a, b in ((1, 2), (1, 3), (2, 3)):
            rows = rows[self.beside[rows[:, a], rows[:, b]]]
        for measure in self.even:
            likeness = measure[rows[:, :, None], rows[:, None, :]]
            rows = rows[even(likeness + _TIES * stream.random_sample(likeness.shape))]
        for row in rows:
            quadruple = [self.shown[place] for place in row]
            if not _are_variants([each.cut for each in quadruple]):
                yield quadruple


def _level(measure: Table, beside: Table) -> Table:
    """For each opening: the share of other continuations that are less like it than its own."""
    own = np.diagonal(measure)[:, None]
    less = ((measure < own) + 0.5 * (measure == own)) * beside
    shares: Table = less.sum(1) / np.maximum(beside.sum(1), 1)
    return shares


def _flat(level: Table) -> Table:
    """Weights by which every level is drawn as often."""
    bins = np.minimum((level * _BINS).astype(int), _BINS - 1)
    counts = np.bincount(bins, minlength=_BINS)
    weights: Table = 1 / counts[bins]
    return weights


def _counts(texts: Sequence[str]) -> Table:
    return np.array([len(groups(text)) for text in texts])


def _shared(
    openings: Sequence[str], continuations: Sequence[str], parts: Callable[[str], set[str]]
) -> Table:
    """How many parts each continuation has in common with each opening."""
    vocabulary: dict[str, int] = {}
    first, second = (_counted(map(parts, texts), vocabulary) for texts in (openings, continuations))
    shape = (len(openings), len(vocabulary))
    one, other = (csr_matrix((np.ones(len(c), np.int32), c, s), shape) for c, s in (first, second))
    counts: Table = (one @ other.T).toarray().astype(np.int16)
    return counts


def _counted(texts: Iterable[set[str]], vocabulary: dict[str, int]) -> tuple[list[int], list[int]]:
    columns: list[int] = []
    starts = [0]
    for text in texts:
        columns += [vocabulary.setdefault(part, len(vocabulary)) for part in sorted(text)]
        starts.append(len(columns))
    return columns, starts


def _beside(shown: Sequence[Shown]) -> Table:
    """Which may stand beside which: other tunes, of like range, with like numbers of notes."""
    steps = [pitches_of(each.continuation) for each in shown]
    low = np.array([min(each) for each in steps])
    high = np.array([max(each) for each in steps])
    count = np.array([len(each) for each in steps])
    tunes = _numbered([each.cut.tune.id for each in shown])
    titles = _numbered([each.cut.tune.title or each.cut.tune.id for each in shown])
    allowed: Table = (
        (np.abs(low[:, None] - low) <= _NEAR)
        & (np.abs(high[:, None] - high) <= _NEAR)
        & (count[:, None] <= _MORE * count) & (count <= _MORE * count[:, None])
        & (tunes[:, None] != tunes) & (titles[:, None] != titles)
    )  # fmt: skip
    return allowed


def _numbered(names: Sequence[str]) -> Table:
    return np.unique(np.array(names), return_inverse=True)[1]


def _are_variants(cuts: Sequence[Cut]) -> bool:
    """Whether two of some continuations have most of their notes in common, in any key."""
    places = [_places(cut) for cut in cuts]
    return any(
        len(a & b) > _ALIKE * len(a | b) for number, a in enumerate(places) for b in places[:number]
    )


def _places(cut: Cut) -> frozenset[tuple[int, int]]:
    """Where which pitch class stands, in C."""
    shift = 7 * cut.tune.fifths
    return frozenset((on - cut.start, (midi(p) - shift) % 12) for on, _, p in cut.continuation)
