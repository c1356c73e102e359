"""The canary: eight questions whose answer is heard or seen at once, and never guessed.

Which of four sounds is played (or which of four pictures shown) is drawn for each question by
itself, and so is the order of the options. A model that hears nothing is right by luck alone: in
one of four questions, so that the number of its right answers is binomial. Draws in which some
constant reply (always one letter, always one sound) would do well are thrown away.
"""

from __future__ import annotations

import itertools
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Literal

import msgspec

from zhiyin.cost.prices import CACHED, CanaryUsage, counted
from zhiyin.engine.asking import Queue
from zhiyin.engine.folder import Manifest
from zhiyin.engine.log import RunFolder
from zhiyin.engine.naming import LoggedCanary, canary_told
from zhiyin.engine.runner import Limits, Runner
from zhiyin.engine.scoring import judge_choice
from zhiyin.engine.stopping import signals_are_ours
from zhiyin.idioms import holding
from zhiyin.models.capabilities import capabilities_of
from zhiyin.numerals import percent
from zhiyin.reader import ROBUST
from zhiyin.record import Exchange, Model, Record, Sampling, Verdict
from zhiyin.runs.rows import records_of
from zhiyin.session.media import PICTURES, SECONDS, SOUNDS, Medium, picture_of, sound_of
from zhiyin.strategies import standalone
from zhiyin.trial import Audio, Image, Message, Option, Part, Text, Trial
from zhiyin.words import Said

ASKED, NEEDED = 8, 5
"""Questions, and how many right answers a model needs. Guessing gets there in 2.7 % of cases."""
LETTERS = "ABCD"
CHANCE = 1 / len(LETTERS)

State = Literal["passed", "failed", "refused", "undecided"]


class CanaryAnswer(msgspec.Struct, frozen=True):
    """One question of the canary: the right letter, the reply, and how it was judged."""

    right: str
    said: str
    state: str


class CanaryOutcome(msgspec.Struct, frozen=True):
    """Outcome of a canary.

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
    answers : tuple of CanaryAnswer
    used : CanaryUsage
        What the calls used.
    """

    state: State
    right: int
    asked: int
    needed: int
    by_guessing: float
    unread: int = 0
    told: str = ""
    answers: tuple[CanaryAnswer, ...] = ()
    used: CanaryUsage = CanaryUsage()

    @property
    def score(self) -> str:
        """The result in words: right answers, how many are needed, and the odds by guessing."""
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


class DrawnQuestion(msgspec.Struct, frozen=True):
    """A question as it was drawn: the kind that is right, and the order of all that are offered."""

    number: int
    right: str
    order: tuple[str, ...]

    @property
    def letter(self) -> str:
        """The letter of the right option."""
        return LETTERS[self.order.index(self.right)]


Make = Callable[[DrawnQuestion, Random], Trial]
"""From what was drawn, and further draws, to the question."""


def choice(
    name: str,
    question: str,
    offered: Mapping[str, str],
    drawn: DrawnQuestion,
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
    drawn : DrawnQuestion
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


def canary(medium: Medium, seed: int, folder: Path, *, silent: bool = False) -> list[Trial]:
    """The eight questions.

    Parameters
    ----------
    medium : {"sound", "image"}
    seed : int
        The same seed gives the same questions.
    folder : Path
        Where sounds and pictures are written.
    silent : bool
        Whether the same is asked over silence: what is right there was not heard.
    """
    if medium == "sound":
        question, offered = "Listen to the recording. What do you hear in it?", SOUNDS
    else:
        question, offered = "Look at the picture. What does it show?", PICTURES

    def made(drawn: DrawnQuestion, draw: Random) -> Trial:
        part: Audio | Image
        if medium == "sound":
            part = sound_of({} if silent else {0.5: drawn.right}, SECONDS + 1, draw, folder)
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
            DrawnQuestion(number, draw.choice(list(offered)), tuple(draw.sample(list(offered), 4)))
            for number in range(1, asked + 1)
        ]
        constant = [one.right for one in drawn], [one.letter for one in drawn]
        if all(max(map(replies.count, replies)) < needed for replies in constant):
            break
    return [make(one, draw) for one in drawn]


def outcome_of(records: list[Record], needed: int = NEEDED, unasked: int = 0) -> CanaryOutcome:
    """Judge a canary by its questions, answered or not; `unasked` counts those never asked."""
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
        CanaryAnswer(
            record.trial.target or "",
            record.exchange.final.text[:80] if record.exchange.turns else "",
            record.verdict.state,
        )
        for record in records
    ]
    chance = by_guessing(needed, len(records) + unasked)
    error_text = " ".join(error_text.split())
    used = _used(records)
    return CanaryOutcome(
        state, right, len(settled), needed, chance, unread, error_text, tuple(answers), used
    )


def _used(records: list[Record]) -> CanaryUsage:
    replies = [turn.reply for record in records for turn in record.exchange.turns]
    fresh = [reply for reply in replies if not reply.detail.get(CACHED)]
    kept = len(replies) - len(fresh)
    begun = max(len(fresh), sum(record.attempts for record in records) - kept)
    return CanaryUsage(tuple(counted(reply.usage, reply.detail) for reply in fresh), begun)


def warning(medium: Medium, outcome: CanaryOutcome) -> str | Said | None:
    """The warning beside the run's figures; None where the canary was passed."""
    if outcome.state == "passed":
        return None
    return canary_told(medium, msgspec.convert(msgspec.to_builtins(outcome), LoggedCanary))


def wants_canary(model: Model, medium: Medium) -> bool:
    """Tell whether a model is asked a canary: it declares that it hears, or declares nothing.

    A model's ``canary`` is True where it is asked unless it declares that it takes no such thing,
    False where it never is, and else it is asked where it declares that it does.
    """
    takes = getattr(capabilities_of(model), medium)
    own = getattr(model, "canary", None)
    return bool(takes is True if own is None else own and takes is not False)


async def ask_canary(
    model: Model,
    medium: Medium,
    seed: int,
    sampling: Sampling,
    limits: Limits,
    queue: Queue | None = None,
) -> CanaryOutcome:
    """Ask the eight questions of a canary; where the first fails, no more than that.

    Raises `InputError` as `examine`.
    """
    with tempfile.TemporaryDirectory(prefix="zhiyin-") as folder:
        first, *others = canary(medium, seed, Path(folder))
        records = await examine(model, [first], sampling, limits, queue)
        if records[0].verdict.state == "error":
            return outcome_of(records, unasked=len(others))
        return outcome_of(records + await examine(model, others, sampling, limits, queue))


UNASKED = "not asked"
"""Why a question of `examine` has no answer that was never put."""


async def examine(
    model: Model,
    trials: Sequence[Trial],
    sampling: Sampling,
    limits: Limits,
    queue: Queue | None = None,
) -> list[Record]:
    """Ask some trials, with the retries and limits of a run; records in the order of the trials.

    Calls that fail are records with an error, and so are questions for which the budget did not
    last. Nothing is kept on the disk.

    Parameters
    ----------
    model : Model
    trials : sequence of Trial
    sampling : Sampling
    limits : Limits
        A concurrency of 0 leaves it to the model.
    queue : Queue, optional
        Of the run that they open.

    Raises
    ------
    InputError
        When no call can succeed: key, address or model are wrong.
    """
    wanted = min(limits.concurrency or model.concurrency, len(trials))
    # All of a few are asked: what the first are refused for need not hold for the next.
    limits = msgspec.structs.replace(
        limits, concurrency=wanted, give_up_alike=len(trials) + 1, give_up_after=len(trials) + 1
    )
    manifest = Manifest("probe", model.name, {}, {}, len(trials))
    with tempfile.TemporaryDirectory(prefix="zhiyin-") as place:
        folder = Path(place)
        with RunFolder(folder, manifest) as log:
            runner = Runner(model, lambda _: standalone, _score, log, sampling, limits, queue=queue)
            with holding(signals_are_ours, False):  # Ctrl-C ends the command: nothing is to be kept
                outcome = await runner.run(trials)
        by_id = {record.id: record for record in records_of(folder)}
    why = outcome.stopped or "it was not asked"
    return [by_id.get(trial.id) or _unasked(trial, why) for trial in trials]


def _unasked(trial: Trial, why: str) -> Record:
    """The record of a question that was not asked, since the budget was spent before."""
    return Record(trial.id, Verdict("error", None, why=UNASKED), trial, Exchange(), why, 0)


def _score(trial: Trial, exchange: Exchange) -> Verdict:
    if not trial.options:
        return Verdict("ungraded", None)
    return judge_choice(trial, exchange, ROBUST)
