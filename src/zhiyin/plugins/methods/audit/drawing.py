"""Drawing replies to be marked: by chance within strata, with known probabilities."""

from __future__ import annotations

import math
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from zhiyin.contract.policies import find_policy
from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.files import NOT_JSON, write_atomically
from zhiyin.plugins.methods.audit import allocate
from zhiyin.plugins.methods.audit.marks import (
    NONE,
    UNSURE,
    Book,
    Draw,
    DrawnReply,
    Mark,
    read_lines,
)
from zhiyin.record import State
from zhiyin.runs.columns import names_of
from zhiyin.runs.rows import TrialRow, rows_of
from zhiyin.runs.ways import TrialOutcome
from zhiyin.strategies import CONFIRM
from zhiyin.trial import Option
from zhiyin.words import said

ALLOCATIONS = ("neyman", "proportional")
DEFAULT_N = 100
_LEAST = 5
"""Replies drawn from each stratum at least, if it holds as many: a small one is not unseen."""


class DrawWish(msgspec.Struct, frozen=True):
    """The user's settings for the draw. None keeps what an earlier draw has."""

    n: int | None = None
    seed: int | None = None
    allocation: str | None = None


class Audit(msgspec.Struct):
    """An audit under way: the run's replies, its draws and marks, and what is shown."""

    folder: Path
    population: Population
    book: Book
    draw: Draw
    shown: dict[str, ShownReply]


def open_audit(folder: Path, wish: DrawWish) -> Audit:
    """Open the audit of a run; draw where nothing fitting has been drawn yet.

    A reply's place in its stratum is decided by a hash of the seed and its trial's id, and the
    first so many are taken: a greater draw holds a smaller one, and no mark is lost.

    Raises
    ------
    InputError
        Not a run, a run whose replies are not read by rule, or a number that is too small.
    """
    if wish.n is not None and wish.n < 1:
        raise InputError(said("audit-n", n=wish.n))
    population = read_population(folder)
    if not population.readings:
        raise InputError(said("audit-no-choice", folder=folder))
    book = Book(folder)
    old = book.draw
    same_wish = old is not None and all(
        asked in (None, had)
        for asked, had in (
            (wish.n, old.n), (wish.seed, old.seed), (wish.allocation, old.allocation)
        )
    )  # fmt: skip
    if old is not None and same_wish and fits(old, population):
        shown = show(folder, {one.id for one in old.replies})
        if all(shown[one.id].reply == one.reply for one in old.replies):
            return Audit(folder, population, book, old, shown)
    n = wish.n if wish.n is not None else old.n if old else DEFAULT_N
    seed = wish.seed if wish.seed is not None else old.seed if old else 0
    allocation = wish.allocation or (old.allocation if old else ALLOCATIONS[0])
    draw, shown = make_draw(folder, population, n, seed, allocation)
    book.add([draw])
    return Audit(folder, population, book, draw, shown)


def fits(draw: Draw, population: Population) -> bool:
    """Tell whether a draw is one from these replies: all drawn are there, none has come or gone."""
    there = all(one.id in population.readings for one in draw.replies)
    return there and sum(draw.sizes.values()) == len(population.readings)


def make_draw(
    folder: Path, population: Population, n: int, seed: int, allocation: str
) -> tuple[Draw, dict[str, ShownReply]]:
    """Draw `n` replies, or all where there are no more."""
    strata = population.strata()
    expected = [EXPECTED.get(name, 0.1) for name in strata]
    spreads = [1.0 if allocation == "proportional" else math.sqrt(p * (1 - p)) for p in expected]
    sizes = [len(ids) for ids in strata.values()]
    numbers = allocate(sizes, spreads, n, min(_LEAST, max(1, n // len(strata))))
    drawn: list[tuple[bytes, str, str]] = []
    for (name, ids), number in zip(strata.items(), numbers, strict=True):
        placed = sorted((_place(seed, one), one) for one in ids)
        drawn += [(place, one, name) for place, one in placed[:number]]
    shown = show(folder, {one for _, one, _ in drawn})
    replies = tuple(DrawnReply(one, name, shown[one].reply) for _, one, name in sorted(drawn))
    each = zip(strata, numbers, sizes, strict=True)
    shares = {name: number / size for name, number, size in each}
    return Draw(seed, n, allocation, dict(zip(strata, sizes, strict=True)), shares, replies), shown


def _place(seed: int, name: str) -> bytes:
    return blake2b(f"{seed}/{name}".encode(), digest_size=12).digest()


CONFIRMED = "asked once more"
EXPECTED = {
    "declared": 0.02,
    "inferred": 0.05,
    "by text alone": 0.05,
    "answered": 0.03,
    CONFIRMED: 0.03,
    "no answer": 0.05,
    "refused": 0.03,
    "cut off": 0.05,
}
"""The strata, and the share misread that is expected of each before anything is marked: a guess,
which decides how many are drawn and biases nothing. Bold guesses would draw so few of the common
kind that finding nothing there says little."""
_UNANSWERED: dict[State, str] = {
    "no_answer": "no answer",
    "refused": "refused",
    "truncated": "cut off",
}


class AuditedReply(TrialRow):
    """A reply that was read by rule."""

    __slots__ = ()

    @property
    def stratum(self) -> str:
        """The reader's result: one of `EXPECTED`."""
        if self.letter is None:
            return _UNANSWERED.get(self.state, "no answer")
        if self.confirmed:
            return CONFIRMED
        return self.confidence or "answered"

    @property
    def hangs(self) -> str:
        """The trial's group of dependent trials: its cluster, or the other trials of its item."""
        return f"cluster {self.cluster}" if self.cluster else f"item {self.item}"


class Population(msgspec.Struct):
    """The replies of a run that were read by rule as a choice.

    `others` counts judged trials that were not: reviews, and choices that a solver made.
    """

    readings: dict[str, AuditedReply]
    others: int = 0

    @property
    def policies(self) -> list[str]:
        """The labels of the policies that read them."""
        return list(dict.fromkeys(one.policy for one in self.readings.values()))

    def strata(self) -> dict[str, list[str]]:
        """Ids by stratum, in the order of `EXPECTED`."""
        by_stratum: dict[str, list[str]] = {name: [] for name in EXPECTED}
        for name, one in self.readings.items():
            by_stratum.setdefault(one.stratum, []).append(name)
        return {name: ids for name, ids in by_stratum.items() if ids}


def read_population(folder: Path) -> Population:
    """The replies of a run that were read by rule.

    Raises
    ------
    InputError
        When the folder is not a run, or its log is damaged.
    """
    judged = rows_of(folder).judged
    by_rule = judged.which(lambda kind: kind.options > 0).where_outcome(_by_rule)
    readings = (AuditedReply(judged.table, number) for number in by_rule.numbers.tolist())
    return Population({one.id: one for one in readings}, len(judged) - len(by_rule))


def _by_rule(outcome: TrialOutcome) -> bool:
    policy = outcome.policy.partition("@")[0]
    return bool(outcome.purpose) and find_policy(policy) is not None


class ShownReply(msgspec.Struct, frozen=True):
    """A reply as it is put before whoever marks it.

    Attributes
    ----------
    id : str
        Of the trial.
    reply : str
        Hash of what is shown, without the question.
    question : str
    options : tuple of Option
    texts : tuple of str
        What the model said: one text, or two where it was asked once more.
    cut : bool
        Whether a length limit cut the reply.
    """

    id: str
    reply: str
    question: str
    options: tuple[Option, ...]
    texts: tuple[str, ...]
    cut: bool


def show(folder: Path, ids: set[str]) -> dict[str, ShownReply]:
    """The replies of some trials of a run."""
    shown = {}
    rows = rows_of(folder)
    for record in rows.where(np.isin(rows.table.trial[rows.numbers], names_of(ids))).records():
        if record.exchange.turns:
            trial, turns = record.trial, record.exchange.turns
            again = len(turns) > 1 and turns[-1].purpose == CONFIRM
            texts = tuple(turn.reply.text for turn in turns[-2 if again else -1 :])
            digest = blake2b(
                msgspec.json.encode([texts, [(o.letter, o.text) for o in trial.options]]),
                digest_size=8,
            ).hexdigest()
            question = trial.stem or (trial.messages[-1].text if trial.messages else "")
            cut = record.exchange.final.finish == "length"
            shown[record.id] = ShownReply(record.id, digest, question, trial.options, texts, cut)
    return shown


def write_sheet(audit: Audit, by: str, path: Path) -> int:
    """Write the replies that `by` has not marked as JSON lines, ``mark`` still to be filled in.

    Raises
    ------
    InputError
        The file is there already, or cannot be written.
    """
    done = audit.book.marked_by(by)
    lines = []
    for drawn in audit.draw.replies:
        if drawn.id not in done:
            shown = audit.shown[drawn.id]
            row = {
                "mark": None,
                "options": {option.letter: option.text for option in shown.options},
                "texts": shown.texts,
                "question": shown.question,
                "id": drawn.id,
                "reply": drawn.reply,
            }
            lines.append(msgspec.json.encode(row) + b"\n")
    if path.exists():
        raise InputError(said("audit-there", path=path))
    with reworded(said("error-not-written", path=path, why="")):
        write_atomically(path, b"".join(lines))
    return len(lines)


class Taken(msgspec.Struct):
    """Number of marks taken, and of lines on replies that are not drawn."""

    marks: int
    others: int
    draw: bool = False


def take_marks(audit: Audit, path: Path, by: str) -> Taken:
    """Take marks from a file: a filled-in sheet, or the audit of a run with the same replies.

    A sheet's line has ``id``, ``mark`` (a letter, "none" or "unsure"; null: not marked) and,
    where it was written by `write_sheet`, the ``reply`` that it is of. An audit (``audit.jsonl``)
    brings its draw along where that is one of the same replies, so that a run which was scored
    again keeps its audit.

    Raises
    ------
    InputError
        A line that is no mark, by its number, or a file of which no line is of a drawn reply.
    """
    first = _first(path)
    if first.get("kind") in ("draw", "mark"):
        return _from_audit(audit, path)
    drawn = {one.id: one for one in audit.draw.replies}
    marks: list[Mark] = []
    others = 0
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        row = _decode(line, where)
        if row.get("mark") is None:
            continue
        one = drawn.get(str(row.get("id", "")))
        if one is None or row.get("reply", one.reply) != one.reply:
            others += 1
            continue
        letters = [option.letter for option in audit.shown[one.id].options]
        mark = row["mark"]
        if mark not in (*letters, NONE, UNSURE):
            hint = did_you_mean(str(mark), (*letters, NONE, UNSURE))
            raise InputError(said("audit-mark", where=where, mark=repr(mark), hint=hint))
        marks.append(Mark(one.id, one.reply, mark, str(row.get("by") or by)))
    if not marks:
        raise InputError(said("audit-no-mark", path=path, others=others))
    audit.book.add(marks)
    return Taken(len(marks), others)


def _first(path: Path) -> dict[str, Any]:
    with reworded(said("error-give-marks", path=path, why="")):
        data = path.read_bytes()
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            return _decode(line, f"{path}:{number}")
    raise InputError(said("audit-empty", path=path))


def _decode(line: bytes, where: str) -> dict[str, Any]:
    with reworded(f"{where}: not JSON (", ")", of=NOT_JSON):
        row = msgspec.json.decode(line)
    if not isinstance(row, dict):
        raise InputError(said("audit-object", where=where))
    return row


def _from_audit(audit: Audit, path: Path) -> Taken:
    lines = read_lines(path)
    draws = [line for line in lines if isinstance(line, Draw)]
    marks = [line for line in lines if isinstance(line, Mark)]
    adopted = bool(draws) and _same_replies(audit, draws[-1])
    if adopted:
        audit.draw = draws[-1]
        audit.shown = show(audit.folder, {one.id for one in audit.draw.replies})
    drawn = {(one.id, one.reply) for one in audit.draw.replies}
    ours = [mark for mark in marks if (mark.id, mark.reply) in drawn]
    if not ours:
        raise InputError(said("audit-none-drawn", path=path, marks=len(marks)))
    audit.book.add([*([audit.draw] if adopted else []), *ours])
    return Taken(len(ours), len(marks) - len(ours), adopted)


def _same_replies(audit: Audit, draw: Draw) -> bool:
    if not fits(draw, audit.population):
        return False
    shown = show(audit.folder, {one.id for one in draw.replies})
    return all(shown[one.id].reply == one.reply for one in draw.replies)
