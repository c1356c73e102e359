"""The canary: eight questions whose answer is heard or seen at once, and never guessed.

Which of four sounds is played (or which of four pictures shown) is drawn for each question by
itself, and so is the order of the options. A model that hears nothing is right by luck alone: in
one of four questions, so that the number of its right answers is binomial. Draws in which some
constant reply (always one letter, always one sound) would do well are thrown away.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Literal

import msgspec

from zhiyin.cost.usage import CACHED, Opening, counted
from zhiyin.engine.naming import canary_told
from zhiyin.numerals import percent
from zhiyin.probe.media import PICTURES, SECONDS, SOUNDS, Medium, picture_of, sound_of
from zhiyin.record import Record
from zhiyin.trial import Audio, Image, Message, Option, Part, Text, Trial

ASKED, NEEDED = 8, 5
"""Questions, and how many right answers a model needs. Guessing gets there in 2.7 % of cases."""
LETTERS = "ABCD"
CHANCE = 1 / len(LETTERS)

State = Literal["passed", "failed", "refused", "undecided"]


class Answer(msgspec.Struct, frozen=True):
    """One question of the canary: the right letter, the reply, and how it was judged."""

    right: str
    said: str
    state: str


class Outcome(msgspec.Struct, frozen=True):
    """What became of a canary.

    Attributes
    ----------
    state : {"passed", "failed", "refused", "undecided"}
        Refused: the model rejects such input. Undecided: calls failed, and what
        they would have brought might have been enough.
    right, asked, needed : int
        Right answers, questions that were answered, and right answers that are needed.
    by_guessing : float
        Probability that a model that guesses gets as many as are needed, in [0, 1].
    unread : int
        Replies without an answer that can be read: cut off, refused, or saying something else.
    told : str
        The error of the first call that failed.
    answers : tuple of Answer
    used : Opening
        What the calls used.
    """

    state: State
    right: int
    asked: int
    needed: int
    by_guessing: float
    unread: int = 0
    told: str = ""
    answers: tuple[Answer, ...] = ()
    used: Opening = Opening()

    @property
    def score(self) -> str:
        """In words: how many were right, how many are needed, and what guessing is worth."""
        odds = percent(self.by_guessing, 1)
        return (
            f"{self.right} of {self.asked} right, {self.needed} needed (guessing gets there in "
            f"{odds} % of cases)"
        )


def by_guessing(needed: int, asked: int, chance: float = CHANCE) -> float:
    """Probability of at least `needed` right answers of `asked`, each right by `chance`.

    The upper tail of the binomial distribution.
    """
    return math.fsum(
        math.comb(asked, k) * chance**k * (1 - chance) ** (asked - k)
        for k in range(needed, asked + 1)
    )


class Drawn(msgspec.Struct, frozen=True):
    """What was drawn for a question: which kind is right, and in which order all are offered."""

    number: int
    right: str
    order: tuple[str, ...]

    @property
    def letter(self) -> str:
        """The letter of the right option."""
        return LETTERS[self.order.index(self.right)]


Make = Callable[[Drawn, Random], Trial]
"""From what was drawn, and further draws, to the question."""


def choice(
    name: str,
    question: str,
    offered: Mapping[str, str],
    drawn: Drawn,
    *media: Part,
    before: tuple[Message, ...] = (),
) -> Trial:
    """A question with four options.

    Parameters
    ----------
    name : str
        The beginning of the trial's id.
    question : str
    offered : mapping of str to str
        Kinds, and the words for them.
    drawn : Drawn
    media : Audio and Image
        What is played and shown, before the words.
    before : tuple of Message
        Earlier turns.
    """
    pairs = zip(LETTERS, drawn.order, strict=True)
    options = tuple(Option(letter, offered[kind], letter) for letter, kind in pairs)
    lines = [question, *(f"{o.letter}. {o.text}" for o in options)]
    words = Text("\n".join([*lines, "Reply with the letter alone."]))
    message = Message("user", (*media, words))
    return Trial(f"{name}/{drawn.number}", (*before, message), question, options, drawn.letter)


def canary(medium: Medium, seed: int, folder: Path) -> list[Trial]:
    """The eight questions.

    Parameters
    ----------
    medium : {"sound", "image"}
    seed : int
        The same seed gives the same questions.
    folder : Path
        Where sounds and pictures are written.
    """
    if medium == "sound":
        question, offered = "Listen to the recording. What do you hear in it?", SOUNDS
    else:
        question, offered = "Look at the picture. What does it show?", PICTURES

    def made(drawn: Drawn, draw: Random) -> Trial:
        part: Audio | Image
        if medium == "sound":
            part = sound_of({0.5: drawn.right}, SECONDS + 1, draw, folder)
        else:
            part = picture_of(drawn.right, draw, folder)
        return choice(f"canary/{medium}", question, offered, drawn, part)

    return questions(f"{seed}/{medium}", offered, ASKED, NEEDED, made)


def questions(
    seed: str, offered: Mapping[str, str], asked: int, needed: int, make: Make
) -> list[Trial]:
    """Questions whose right answers are drawn one by one, so that no constant reply is enough.

    Parameters
    ----------
    seed : str
    offered : mapping
        The kinds to draw from.
    asked, needed : int
        Questions, and right answers that are needed.
    make : callable
    """
    for attempt in itertools.count():
        draw = Random(f"{seed}/{attempt}")
        drawn = [
            Drawn(number, draw.choice(list(offered)), tuple(draw.sample(list(offered), 4)))
            for number in range(1, asked + 1)
        ]
        constant = [one.right for one in drawn], [one.letter for one in drawn]
        if all(max(map(replies.count, replies)) < needed for replies in constant):
            break
    return [make(one, draw) for one in drawn]


def outcome_of(records: list[Record], needed: int = NEEDED, unasked: int = 0) -> Outcome:
    """What became of the questions, answered or not; `unasked` were not even asked."""
    settled = [record for record in records if record.verdict.state != "error"]
    failed = [record for record in records if record.verdict.state == "error"]
    right = sum(record.verdict.state == "correct" for record in settled)
    unread = sum(record.verdict.state not in ("correct", "wrong") for record in settled)
    error_text = next((record.error or "" for record in failed), "")
    state: State = "passed" if right >= needed else "failed"
    if right < needed and failed:
        refused = all((record.error or "").startswith("unsupported: ") for record in failed)
        if refused and not settled:
            state = "refused"
        elif right + len(failed) + unasked >= needed:
            state = "undecided"
    answers = [
        Answer(
            record.trial.target or "",
            record.exchange.final.text[:80] if record.exchange.turns else "",
            record.verdict.state,
        )
        for record in records
    ]
    chance = by_guessing(needed, len(records) + unasked)
    error_text = " ".join(error_text.split())
    used = _used(records)
    return Outcome(
        state, right, len(settled), needed, chance, unread, error_text, tuple(answers), used
    )


def _used(records: list[Record]) -> Opening:
    replies = [turn.reply for record in records for turn in record.exchange.turns]
    fresh = [reply for reply in replies if not reply.detail.get(CACHED)]
    kept = len(replies) - len(fresh)
    begun = max(len(fresh), sum(record.attempts for record in records) - kept)
    return Opening(tuple(counted(reply.usage, reply.detail) for reply in fresh), begun)


def warning(medium: Medium, outcome: Outcome) -> str | None:
    """The warning beside the run's figures; None where the canary was passed."""
    if outcome.state == "passed":
        return None
    return str(canary_told(medium, msgspec.to_builtins(outcome)))
