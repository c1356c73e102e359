"""Questions of the doctor: of two clips, after other turns, of a clip's end, and in words alone."""

from __future__ import annotations

from pathlib import Path
from random import Random

from zhiyin.session.canary import DrawnQuestion, choice, questions
from zhiyin.session.media import SECONDS, SOUNDS, sound_of
from zhiyin.trial import Audio, Message, Text, Trial, say

HEARING_ASKED, HEARING_NEEDED = 4, 3
"""Questions of each kind, and right answers that are needed. Guessing gets there in 5.1 %."""


def two_clips(seed: int, folder: Path) -> list[Trial]:
    """Two sounds in one message, each drawn by itself; asked for the second one."""

    def made(drawn: DrawnQuestion, draw: Random) -> Trial:
        first, second = (
            _short_clip(kind, draw, folder) for kind in (_any_sound(draw), drawn.right)
        )
        question = "Listen to both recordings. What do you hear in the second one?"
        return choice("clips", question, SOUNDS, drawn, first, second)

    return questions(f"{seed}/clips", SOUNDS, HEARING_ASKED, HEARING_NEEDED, made)


def earlier_turns(seed: int, folder: Path) -> list[Trial]:
    """A worked example with sound goes before; its sound and its answer are drawn by themselves."""
    question = "Listen to the recording. What do you hear in it?"

    def made(drawn: DrawnQuestion, draw: Random) -> Trial:
        kind = _any_sound(draw)
        shown = DrawnQuestion(0, kind, tuple(draw.sample(list(SOUNDS), len(SOUNDS))))
        worked = choice("", question, SOUNDS, shown, _short_clip(kind, draw, folder))
        before = (*worked.messages, say("assistant", shown.letter))
        part = _short_clip(drawn.right, draw, folder)
        return choice("turns", question, SOUNDS, drawn, part, before=before)

    return questions(f"{seed}/turns", SOUNDS, HEARING_ASKED, HEARING_NEEDED, made)


def long_clip(seconds: float, seed: int, folder: Path) -> list[Trial]:
    """A sound at the beginning, silence, and another one at the very end, which is asked for.

    Both are drawn by themselves: a model that hears only the beginning is right by luck.
    """

    def made(drawn: DrawnQuestion, draw: Random) -> Trial:
        kinds = {0.5: _any_sound(draw), seconds - SECONDS - 0.25: drawn.right}
        question = "After a pause the recording ends with a sound. What do you hear at its end?"
        part = sound_of(kinds, seconds, draw, folder)
        return choice(f"end/{seconds:g}", question, SOUNDS, drawn, part)

    return questions(f"{seed}/end/{seconds:g}", SOUNDS, HEARING_ASKED, HEARING_NEEDED, made)


def plain_choices(seed: int) -> list[Trial]:
    """Questions with options that anybody can answer in words."""
    offered = {"an animal": "a dog", "a colour": "red", "a number": "seven", "a city": "Paris"}

    def made(drawn: DrawnQuestion, draw: Random) -> Trial:
        return choice("format", f"Which of these is {drawn.right}?", offered, drawn)

    return questions(f"{seed}/format", offered, HEARING_ASKED, HEARING_NEEDED, made)


def words(text: str, name: str, system: str = "") -> Trial:
    """A question without options."""
    before = (say("system", system),) if system else ()
    return Trial(name, (*before, Message("user", (Text(text),))), text)


def _any_sound(draw: Random) -> str:
    return draw.choice(list(SOUNDS))


def _short_clip(kind: str, draw: Random, folder: Path) -> Audio:
    return sound_of({0.5: kind}, SECONDS + 1, draw, folder)
