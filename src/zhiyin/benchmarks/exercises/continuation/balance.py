"""Keeps likeness to the opening from giving away which continuation is right.

A tune repeats its motifs: of several continuations, its own mostly has most in common with its
opening. So four continuations are put together only where that does not help. Each of the four is
put beside the opening of each; for each measure of likeness, one of the four openings has most in
common with its own continuation, one second most, one third most, one least. As the opening that is
shown is drawn among the four, the rank of the right one is uniform; and of the four, as they
stand there, each is right as often as the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from zhiyin.benchmarks.exercises.continuation.texts import pitches_of
from zhiyin.models.baselines import grams
from zhiyin.prompts import Language

Table = npt.NDArray[Any]


@cache
def words_around(kind: str, language: Language) -> str:
    """The words of a question, with its places: there are letters in them too."""
    name = f"ask-{kind}.{language}.txt"
    return files("zhiyin.benchmarks.exercises").joinpath("prompts", name).read_text("utf-8")


def groups(text: str) -> set[str]:
    """The groups of notes that are written together."""
    return set(text.split())


def bars_in(text: str) -> set[str]:
    """The bars of a text."""
    return {bar.strip() for bar in text.replace("\n", " ").split("|")} - {""}


def shared(openings: Sequence[str], continuations: Sequence[str]) -> Table:
    """How many runs of characters each continuation shares with each opening.

    Returns
    -------
    array of int, openings x continuations
    """
    theirs = [grams(text) for text in continuations]
    rows = [[len(one & each) for each in theirs] for one in map(grams, openings)]
    counts: Table = np.array(rows)
    return counts


def sizes(texts: Sequence[str]) -> Table:
    """How many different runs of characters each text has."""
    return np.array([len(grams(text)) for text in texts])


def same_notes(openings: Sequence[str], continuations: Sequence[str]) -> Table:
    """The cosine of how often each note stands in each opening and in each continuation."""
    one, other = _notes(openings), _notes(continuations)
    # Whole numbers are multiplied without rounding: what is alike is equal on every machine.
    together: Table = one @ other.T
    together /= np.maximum(np.outer(_length(one), _length(other)), 1e-9)
    return together


def _notes(texts: Sequence[str]) -> Table:
    """How often each text has each note."""
    counts = np.zeros((len(texts), 70), dtype=np.float32)
    for row, text in zip(counts, texts, strict=True):
        for step, count in Counter(pitches_of(text)).items():
            row[step] = count
    return counts


def _length(counts: Table) -> Table:
    lengths: Table = np.sqrt((counts**2).sum(axis=1))
    return lengths


def even(likeness: Table) -> npt.NDArray[np.bool_]:
    """Where every rank is that of one opening's own continuation.

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
