"""From a kind, a difficulty and a seed to exercises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import msgspec

from zhiyin.benchmarks.exercises.exercise import Exercise, Facts, Maker
from zhiyin.errors import InputError
from zhiyin.music.stimuli.dice import Dice, balanced
from zhiyin.trial import Tag

_DRAWS = 5000
"""Draws until an exercise is given up."""
_FRESH = 40
"""Draws after which a repeated one is accepted: there are hardly any others."""

QuestionKey = tuple[tuple[str, ...], ...]
"""A question as it is compared with others."""


class Item(msgspec.Struct, frozen=True):
    """An exercise with its options in the order in which they are shown.

    Attributes
    ----------
    id, task, kind, level : str
    exercise : Exercise
        Its answers in that order.
    cluster : str
        What it shares with exercises that are not independent of it.
    again : bool
        Whether it depends on an earlier one: it asks the same, or replaces one that would.
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


class AskedQuestions:
    """The questions asked so far, and whether one more would give answers away.

    If only repeated questions were left out, answers that few questions lead to would run out, and
    others would be right more often. So an exercise is new only if its question was not asked
    before, and none of its other three questions was asked beside other answers.
    """

    def __init__(self) -> None:
        self._entries: dict[QuestionKey, tuple[str, frozenset[QuestionKey]]] = {}

    def before(self, question: QuestionKey, variants: frozenset[QuestionKey]) -> str:
        """The name of an exercise that this one is not independent of; "" where it is new."""
        if question in self._entries:
            return self._entries[question][0]
        beside = (self._entries[each] for each in sorted(variants) if each in self._entries)
        return next((name for name, theirs in beside if theirs != variants), "")

    def add(self, question: QuestionKey, variants: frozenset[QuestionKey], name: str) -> str:
        """Add a question; return the name under which it was first added."""
        return self._entries.setdefault(question, (name, variants))[0]


def make_items(task: str, kind: str, level: str, maker: Maker, n: int, seed: int) -> Iterator[Item]:
    """Exercises of a kind, new ones as long as there are others.

    The first ones of a longer set are those of a shorter one.

    Raises
    ------
    InputError
        The maker finds none.
    """
    seed_words = (seed, "exercises", kind, level)
    asked_questions = AskedQuestions()
    patience = _FRESH
    for number, seat in enumerate(islice(balanced(range(4), *seed_words, "seats"), n), 1):
        name = f"{kind}-{level}-{number:05d}-{seed}"
        exercise, earlier = _fresh(
            maker, kind, level, (*seed_words, number), asked_questions, patience
        )
        if earlier:
            patience = 1  # there are hardly any others: look no longer
        cluster = asked_questions.add(*question_keys(kind, exercise), earlier or name)
        placed = seated(exercise, seat, seed_words, number)
        yield Item(name, task, kind, level, placed, cluster, bool(earlier))


def question_keys(kind: str, exercise: Exercise) -> tuple[QuestionKey, frozenset[QuestionKey]]:
    """What an exercise asks, and all that it could ask of its four answers."""
    answers = tuple(sorted(exercise.answers)) if kind == "others" else ()
    keys = [_question_key(kind, facts, answers) for facts in (exercise.facts, *exercise.all_facts)]
    return keys[0], frozenset(keys[1:])


def _question_key(kind: str, facts: Facts, answers: tuple[str, ...]) -> QuestionKey:
    """A question. Lengths that are added up are the same in any order.

    An opening beside continuations of other tunes is another question each time.
    """
    parts: dict[str, tuple[str, ...]] = {place: (code,) for place, code in facts.items()}
    if kind == "bar":
        parts["values"] = tuple(sorted(facts["values"].split(", ")))
    if kind == "jianpu-length":
        parts["line"] = tuple(sorted(re.sub(r"\d", "", facts["line"]).split(" ")))
    return (answers, *((place, *codes) for place, codes in sorted(parts.items())))


def _fresh(
    maker: Maker,
    kind: str,
    level: str,
    seed_words: tuple[str | int, ...],
    asked_questions: AskedQuestions,
    patience: int,
) -> tuple[Exercise, str]:
    """An exercise, and the name of one that it is not independent of."""
    old = 0
    for attempt in range(_DRAWS):
        exercise = maker(level, Dice(*seed_words, attempt))  # type: ignore[arg-type]
        if exercise is None:
            continue
        earlier = asked_questions.before(*question_keys(kind, exercise))
        if not earlier or old == patience:
            return exercise, earlier
        old += 1
    raise InputError(f"no exercise of this kind can be made: {kind}; leave it out of --kind")


def seated(
    exercise: Exercise, seat: int, seed_words: tuple[str | int, ...], number: int
) -> Exercise:
    """The exercise with its answers in a random order, the right one at `seat`."""
    rest = [place for place in range(len(exercise.answers)) if place != exercise.right]
    rest = Dice(*seed_words, number, "order").shuffled(rest)
    order = [*rest[:seat], exercise.right, *rest[seat:]]
    return Exercise(
        exercise.facts,
        tuple(exercise.answers[place] for place in order),
        seat,
        tuple(exercise.mistakes[place] for place in order),
        exercise.all_facts,
    )
