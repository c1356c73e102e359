"""Exercises of a kind, a difficulty and a seed: what is asked, four answers, the mistakes behind.

How the key stays hidden
------------------------
The four answers are drawn first, as a set that is closed under its mistakes: a third major or
minor, as it is or inverted. Then one of the four is drawn, each as likely as the others, and the
question is written around it. So nothing in the answers can tell which of them is right, whatever
is looked at; the mistakes that lead from the right one to the others are the same for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Literal, get_args

import msgspec

from zhiyin.errors import InputError
from zhiyin.plugins.music.stimuli import Dice, balanced
from zhiyin.trial import Tag
from zhiyin.words import said

Level = Literal["easy", "default", "hard"]
LEVELS: tuple[Level, ...] = get_args(Level)
Facts = dict[str, str]
Task = Literal["theory", "chinese", "continuation", "sheet"]
TASKS: tuple[Task, ...] = get_args(Task)
Wrong = Literal["others", "transposed", "rhythm", "cadence"]
WRONG: tuple[Wrong, ...] = get_args(Wrong)
"""Where the wrong continuations of a tune come from: other tunes, or the tune itself, altered."""


class Exercise(msgspec.Struct, frozen=True):
    """An exercise in codes that belong to no language.

    Attributes
    ----------
    facts : dict of str to str
        What the question says, by the places of its prompt: ``{"low": "C4", "high": "Eb4"}``.
    answers : tuple of str
        Four different ones: ``m3``, ``F# A C#``, ``V65``.
    right : int
        Which of them is right, from 0.
    mistakes : tuple of str
        What each stands for, such as ``quality`` or ``quality+inversion``; "" for the right one.
    all_facts : tuple of dict
        The facts of the question if each answer in turn were right, in any order.
    """

    facts: Facts
    answers: tuple[str, ...]
    right: int
    mistakes: tuple[str, ...]
    all_facts: tuple[Facts, ...]

    @property
    def answer(self) -> str:
        """The right one."""
        return self.answers[self.right]


Maker = Callable[[Level, Dice], Exercise | None]
"""Makes an exercise of a difficulty; None where the draw led nowhere and another is to be made."""


def square(
    dice: Dice, answers: Sequence[str], axes: tuple[str, str], facts: Callable[[int], Facts | None]
) -> Exercise | None:
    """An exercise whose answers differ in two ways, each of which is a mistake.

    Parameters
    ----------
    dice : Dice
    answers : sequence of str
        Four: as it is, by the first mistake, by the second, by both.
    axes : tuple of str
        The names of the two mistakes.
    facts : callable
        The facts of the question whose right answer has that number; None where there is none.
    """

    def mistake(right: int, other: int) -> str:
        ways = [axis for bit, axis in enumerate(axes) if (right ^ other) >> bit & 1]
        return "+".join(ways)

    return line(dice, answers, mistake, facts)


def line(
    dice: Dice,
    answers: Sequence[str],
    mistake: Callable[[int, int], str] | str,
    facts: Callable[[int], Facts | None],
) -> Exercise | None:
    """An exercise of four answers; `mistake` names what leads from the right one to another.

    None where two answers are alike, or where one of them could not be the right one: it would
    never be, and that could be learnt.
    """
    all_facts = tuple(each for n in range(len(answers)) if (each := facts(n)) is not None)
    if len(set(answers)) != len(answers) or len(all_facts) != len(answers):
        return None
    right = dice.whole(0, len(answers) - 1)

    def name(other: int) -> str:
        if other == right:
            return ""
        return mistake if isinstance(mistake, str) else mistake(right, other)

    mistakes = tuple(map(name, range(len(answers))))
    return Exercise(all_facts[right], tuple(answers), right, mistakes, all_facts)


_DRAWS = 5000
"""Draws until an exercise is given up."""
_FRESH = 40
"""Draws after which a repeated one is accepted: there are hardly any others."""

QuestionKey = tuple[tuple[str, ...], ...]
"""A question as it is compared with others."""


class ExerciseItem(msgspec.Struct, frozen=True):
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


def make_items(
    task: str, kind: str, level: str, maker: Maker, n: int, seed: int
) -> Iterator[ExerciseItem]:
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
        yield ExerciseItem(name, task, kind, level, placed, cluster, bool(earlier))


def question_keys(kind: str, exercise: Exercise) -> tuple[QuestionKey, frozenset[QuestionKey]]:
    """Make the keys of the question asked, and of all that could be asked of its four answers."""
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
    raise InputError(said("exercises-no-kind", kind=kind))


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
