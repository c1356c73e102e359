"""One exercise: what is asked, four answers, and which mistake each wrong one stands for.

How the key stays hidden
------------------------
The four answers are drawn first, as a set that is closed under its mistakes: a third major or
minor, as it is or inverted. Then one of the four is drawn, each as likely as the others, and the
question is written around it. So nothing in the answers can tell which of them is right, whatever
is looked at; the mistakes that lead from the right one to the others are the same for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, get_args

import msgspec

from zhiyin.music.stimuli.dice import Dice

Level = Literal["easy", "default", "hard"]
LEVELS: tuple[Level, ...] = get_args(Level)
Facts = dict[str, str]


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
    dice: Dice,
    answers: Sequence[str],
    axes: tuple[str, str],
    facts: Callable[[int], Facts | None],
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
