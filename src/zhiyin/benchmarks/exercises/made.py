"""From a kind, a difficulty and a seed to exercises."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec

from zhiyin.benchmarks.exercises.exercise import Exercise, Maker
from zhiyin.errors import InputError
from zhiyin.music.stimuli.dice import Dice, balanced
from zhiyin.trial import Tag

_DRAWS = 5000
"""Draws until an exercise is given up."""
_FRESH = 40
"""Draws until one that was there before is taken again: there are no more."""


class Made(msgspec.Struct, frozen=True):
    """An exercise with its options in the order in which they are shown.

    Attributes
    ----------
    id, task, kind, level : str
    exercise : Exercise
        Its answers in that order.
    cluster : str
        What it shares with exercises that are not independent of it.
    again : bool
        Whether the same stands in this set before.
    tags : dict
        Facts for the log.
    """

    id: str
    task: str
    kind: str
    level: str
    exercise: Exercise
    cluster: str
    again: bool = False
    tags: dict[str, Tag] = {}


def made(task: str, kind: str, level: str, maker: Maker, n: int, seed: int) -> Iterator[Made]:
    """Exercises of a kind, none twice as long as there are others.

    The first ones of a longer set are those of a shorter one.

    Raises
    ------
    InputError
        The maker finds none.
    """
    words = (seed, "exercises", kind, level)
    seen: dict[tuple[object, ...], str] = {}
    patience = _FRESH
    for number, seat in enumerate(islice(balanced(range(4), *words, "seats"), n), 1):
        name = f"{kind}-{level}-{number:05d}-{seed}"
        exercise, key = _fresh(maker, level, (*words, number), seen, patience)
        if again := key in seen:
            patience = 1  # there are hardly any others: look no longer
        cluster = seen.setdefault(key, name)
        yield Made(name, task, kind, level, seated(exercise, seat, words, number), cluster, again)


def _fresh(
    maker: Maker,
    level: str,
    words: tuple[str | int, ...],
    seen: dict[tuple[object, ...], str],
    patience: int,
) -> tuple[Exercise, tuple[object, ...]]:
    old = 0
    for attempt in range(_DRAWS):
        exercise = maker(level, Dice(*words, attempt))  # type: ignore[arg-type]
        if exercise is None:
            continue
        key = (*sorted(exercise.facts.items()), *sorted(exercise.answers))
        if key not in seen or old == patience:
            return exercise, key
        old += 1
    raise InputError(f"no exercise of this kind can be made: {words[2]}; leave it out of --kind")


def seated(exercise: Exercise, seat: int, words: tuple[str | int, ...], number: int) -> Exercise:
    """The exercise with its answers in a random order, the right one at `seat`."""
    rest = [place for place in range(len(exercise.answers)) if place != exercise.right]
    rest = Dice(*words, number, "order").shuffled(rest)
    order = [*rest[:seat], exercise.right, *rest[seat:]]
    return Exercise(
        exercise.facts,
        tuple(exercise.answers[place] for place in order),
        seat,
        tuple(exercise.mistakes[place] for place in order),
    )
