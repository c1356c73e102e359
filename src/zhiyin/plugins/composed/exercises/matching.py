"""Cuts that may stand beside one another, so that likeness gives nothing away.

A tune repeats its motifs: of several continuations, its own mostly has most in common with its
opening. So four continuations are put together only where that does not help. Each of the four is
put beside the opening of each; for each measure of likeness, one of the four openings has most in
common with its own continuation, one second most, one third most, one least. As the opening that is
shown is drawn among the four, the rank of the right one is uniform; and of the four, as they
stand there, each is right as often as the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zhiyin.models.baselines import grams
from zhiyin.plugins.composed.exercises.cuts import Cut, midi, pitches_of
from zhiyin.prompts import Language

Table = npt.NDArray[Any]


@cache
def words_around(kind: str, language: Language) -> str:
    """The words of a question, with its places: there are letters in them too."""
    name = f"ask-{kind}.{language}.txt"
    return files(__package__).joinpath("prompts", name).read_text("utf-8")


def groups(text: str) -> set[str]:
    """The groups of notes that are written together."""
    return set(text.split())


def bars_in(text: str) -> set[str]:
    """The bars of a text."""
    return {bar.strip() for bar in text.replace("\n", " ").split("|")} - {""}


def shared(openings: Sequence[str], continuations: Sequence[str]) -> Table:
    """Count the runs of characters that each continuation shares with each opening.

    Returns
    -------
    array of int, openings x continuations
    """
    theirs = [grams(text) for text in continuations]
    rows = [[len(one & each) for each in theirs] for one in map(grams, openings)]
    counts: Table = np.array(rows)
    return counts


def sizes(texts: Sequence[str]) -> Table:
    """Count the different runs of characters in each text."""
    return np.array([len(grams(text)) for text in texts])


def same_notes(openings: Sequence[str], continuations: Sequence[str]) -> Table:
    """The cosine of how often each note stands in each opening and in each continuation."""
    one, other = _notes(openings), _notes(continuations)
    # Whole numbers are multiplied without rounding: what is alike is equal on every machine.
    together: Table = one @ other.T
    together /= np.maximum(np.outer(_length(one), _length(other)), 1e-9)
    return together


def _notes(texts: Sequence[str]) -> Table:
    """Count how often each text has each note."""
    counts = np.zeros((len(texts), 70), dtype=np.float32)
    for row, text in zip(counts, texts, strict=True):
        for step, count in Counter(pitches_of(text)).items():
            row[step] = count
    return counts


def _length(counts: Table) -> Table:
    lengths: Table = np.sqrt((counts**2).sum(axis=1))
    return lengths


def even(likeness: Table) -> npt.NDArray[np.bool_]:
    """Mark the sets of four in which every rank is that of one opening's own continuation.

    Parameters
    ----------
    likeness : array, ... x 4 x 4
        Of four openings with four continuations; an opening's own in the diagonal.
    """
    own = np.diagonal(likeness, axis1=-2, axis2=-1)[..., None]
    above = (likeness > own).sum(-1)
    ties = (likeness == own).sum(-1) > 1
    balanced: npt.NDArray[np.bool_] = (np.sort(above, -1) == np.arange(4)).all(-1) & ~ties.any(-1)
    return balanced


def tables(openings: Sequence[str], continuations: Sequence[str]) -> list[Table]:
    """The measures of likeness: runs shared, their share of the continuation's own, notes."""
    runs = shared(openings, continuations)
    return [runs, runs / sizes(continuations), same_notes(openings, continuations)]


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


class ShownCut(NamedTuple):
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
    shown : sequence of ShownCut
        At most `BLOCK`.
    """

    def __init__(self, shown: Sequence[ShownCut]) -> None:
        openings = [each.opening for each in shown]
        continuations = [each.continuation for each in shown]
        self.shown = shown
        runs = _shared(openings, continuations, grams)
        share = (runs / sizes(continuations)).astype(np.float32)
        grouped = np.array([len(groups(text)) for text in continuations])
        words = (_shared(openings, continuations, groups) / grouped).astype(np.float32)
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
        # Weights by which every level is drawn as often.
        bins = np.minimum((level[self.usable] * _BINS).astype(int), _BINS - 1)
        self.weights = np.cumsum(1 / np.bincount(bins, minlength=_BINS)[bins])

    def quadruples(self, seed: int) -> Iterator[list[ShownCut]]:
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
    """Compute for each opening the share of other continuations less like it than its own."""
    own = np.diagonal(measure)[:, None]
    less = ((measure < own) + 0.5 * (measure == own)) * beside
    shares: Table = less.sum(1) / np.maximum(beside.sum(1), 1)
    return shares


def _shared(
    openings: Sequence[str], continuations: Sequence[str], parts: Callable[[str], set[str]]
) -> Table:
    """Count the parts that each continuation has in common with each opening."""
    from scipy.sparse import csr_matrix

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


def _beside(shown: Sequence[ShownCut]) -> Table:
    """Mark the pairs that may be offered together: other tunes, of like range and note count."""
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
    """Tell whether two of some continuations have most of their notes in common, in any key."""
    places = [_places(cut) for cut in cuts]
    return any(
        len(a & b) > _ALIKE * len(a | b) for number, a in enumerate(places) for b in places[:number]
    )


def _places(cut: Cut) -> frozenset[tuple[int, int]]:
    """Collect the onset and pitch class of each note, moved to C."""
    shift = 7 * cut.tune.fifths
    return frozenset((on - cut.start, (midi(p) - shift) % 12) for on, _, p in cut.continuation)
