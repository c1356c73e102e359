"""Two engines on the same questions: how far they agree."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Annotated

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.registry import blaming, given
from zhiyin.contract.settings import RunSettings
from zhiyin.cost.budget import Budget, spending_from
from zhiyin.cost.ledger import account_of
from zhiyin.errors import InputError, reworded
from zhiyin.flags import Flag
from zhiyin.plugins.methods.agreement import Kappa, cohen_kappa
from zhiyin.plugins.music.theory import pitch_class
from zhiyin.record import Record
from zhiyin.runs.rows import records_of
from zhiyin.session.running import Result, Watch, carry_out, silent
from zhiyin.session.setup import check, opened
from zhiyin.statistics.intervals import Interval, interval
from zhiyin.text import quoted
from zhiyin.trial import Option, Trial, say
from zhiyin.words import said

_LETTERS = "ABCD"
_NAMES = {
    1: "a semitone", 2: "a whole tone", 3: "three semitones", 4: "four semitones",
    5: "five semitones", 6: "six semitones", 7: "seven semitones", 8: "eight semitones",
    9: "nine semitones", 10: "ten semitones", 11: "eleven semitones",
}  # fmt: skip
_NOTES = tuple(f"{letter}{sign}" for letter in "CDEFGAB" for sign in ("", "#", "b"))


class _Settings(msgspec.Struct, frozen=True):
    seed: Annotated[int, Flag("of the questions")] = 0


class Intervals(Benchmark[_Settings]):
    """Questions on the semitones between two notes: two hundred of four options."""

    name = "intervals"
    summary = "semitones between two notes; for comparing engines"
    chance = 0.25
    Settings = _Settings

    def trials(self) -> Iterator[Trial]:
        """Two hundred questions, no two alike."""
        draw = Random(f"intervals/{self.settings.seed}")
        asked: set[tuple[str, str]] = set()
        while len(asked) < 200:
            low, high = draw.sample(_NOTES, 2)
            size = (pitch_class(high) - pitch_class(low)) % 12
            if (low, high) in asked or size not in _NAMES:
                continue
            asked.add((low, high))
            sizes = [size, *draw.sample([n for n in _NAMES if n != size], 3)]
            draw.shuffle(sizes)
            options = tuple(
                Option(letter, _NAMES[n], letter) for letter, n in zip(_LETTERS, sizes, strict=True)
            )
            stem = f"How far is it from {low} up to the next {high} above it?"
            lines = [stem, *(f"{o.letter}. {o.text}" for o in options), "Reply with the letter."]
            right = _LETTERS[sizes.index(size)]
            name = f"{len(asked)}"
            yield Trial(name, (say("user", "\n".join(lines)),), stem, options, right)


_SHOWN = 300


class EngineDifference(msgspec.Struct, frozen=True):
    """A trial that two engines answered differently: the letter and the reply of each."""

    id: str
    asked: str
    letters: tuple[str | None, str | None]
    said: tuple[str, str]


class Parity(msgspec.Struct):
    """Agreement of two engines.

    Attributes
    ----------
    runs : tuple of str
        The folders of the two runs.
    trials : int
        That both answered.
    left_out : int
        In no figure: they failed with one of the two, or were asked otherwise, as the later
        trials of a sequence may be.
    answers : Interval or None
        Share of trials in which both chose the same option, among those in which at least one
        reply holds an answer; the interval is Wilson's, with an effective number of trials where
        trials hang together. None where no trial has options.
    unread : int
        Trials with options in which neither reply holds an answer; in no share.
    kappa : Kappa or None
        Cohen's, of the letters chosen, among trials in which both replies hold an answer. Without
        an interval where trials hang together.
    texts : Interval
        Share of trials in which the replies are alike to the letter, blanks at the ends aside.
    differences : list of EngineDifference
        In the order of the trials.
    warnings : list of str
        Of the two runs: that one broke off, or that its model failed a canary.
    """

    runs: tuple[str, str]
    trials: int
    left_out: int
    answers: Interval | None
    unread: int
    kappa: Kappa | None
    texts: Interval
    differences: list[EngineDifference]
    warnings: list[str] = []


async def parity(
    first: RunSettings, second: RunSettings, out: Path | None, watch: Watch = silent
) -> Parity:
    """Ask two engines the same, as two runs that are kept, and compare them.

    Parameters
    ----------
    first, second : RunSettings
        Alike but for the model.
    out : Path, optional
        Where the runs are kept, as ``1`` and ``2``; by default a folder under ``runs`` that the
        same command finds again.
    watch : Watch

    Raises
    ------
    InputError
        For whatever the user can mend; where no trial was answered by both.
    """
    for order in (first, second):  # what is wrong with the second is reported before any call
        kind = given(order.benchmark)
        with blaming(kind):
            async with opened(order, kind) as ready:
                await check(ready.model)
    parts = [str(order.model) for order in (first, second)]
    parts += [str(first.benchmark), repr(first.options), repr(first.sampling), str(first.sample)]
    digest = hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=4).hexdigest()
    place = out or Path("runs") / f"parity-{digest}"
    done: list[Result] = []
    account = account_of(first.spending.budget, "the budget", place)
    for number, order in enumerate((first, second), 1):
        # A kept reply of the one engine would be taken for one of the other, or of the same again.
        spending = msgspec.structs.replace(order.spending, cache="off", budget=Budget())
        order = msgspec.structs.replace(order, out=str(place / str(number)), spending=spending)
        with spending_from(account):
            done.append(await carry_out(order, watch))
        if done[-1].outcome.interrupted:
            raise KeyboardInterrupt
    stops = "".join(f"; {d.folder}: {d.outcome.stopped}" for d in done if d.outcome.stopped)
    with reworded("", stops, of=InputError):
        result = compare_engines(done[0].folder, done[1].folder)
    return msgspec.structs.replace(result, warnings=[line for d in done for line in _warnings(d)])


def _warnings(done: Result) -> Iterator[str]:
    """Warn of what matters to the comparison: a run broke off, or its canary failed."""
    if done.outcome.stopped:
        yield f"{done.folder}: stopped early: {done.outcome.stopped}"
    for outcome in done.summary.canary.values():
        if warning := outcome.get("warning"):
            yield f"{done.folder}: {warning}"


def compare_engines(one: Path, two: Path) -> Parity:
    """Measure how far two runs of the same trials agree.

    Raises
    ------
    InputError
        No trial was answered in both.
    """
    pairs, left_out = _pairs(one, two)
    if not pairs:
        raise InputError(said("parity-none", one=one, two=two, oneb=quoted(one, two)))
    chosen = [(a, b) for a, b in pairs if a.trial.options]
    read = [(a, b) for a, b in chosen if a.verdict.letter or b.verdict.letter]
    both = [(a.verdict.letter, b.verdict.letter) for a, b in read]
    return Parity(
        runs=(str(one), str(two)),
        trials=len(pairs),
        left_out=left_out,
        answers=_share([a == b for a, b in both], [a for a, _ in read]) if read else None,
        unread=len(chosen) - len(read),
        kappa=_kappa(read),
        texts=_share([_text(a) == _text(b) for a, b in pairs], [a for a, _ in pairs]),
        differences=list(_differences(pairs)),
    )


def _pairs(one: Path, two: Path) -> tuple[list[tuple[Record, Record]], int]:
    """The trials that both answered, in the order of the first run; and how many failed."""
    others = {record.id: record for record in records_of(two)}
    pairs, left_out = [], 0
    for record in records_of(one):
        other = others.pop(record.id, None)
        same = other is not None and record.trial.messages == other.trial.messages
        if other is None or not same or "error" in (record.verdict.state, other.verdict.state):
            left_out += 1
        else:
            pairs.append((record, other))
    return sorted(pairs, key=lambda pair: (len(pair[0].id), pair[0].id)), left_out + len(others)


def _kappa(pairs: list[tuple[Record, Record]]) -> Kappa | None:
    letters = [(a.verdict.letter, b.verdict.letter) for a, b in pairs]
    both = [(one, other) for one, other in letters if one and other]
    if not both:
        return None
    kappa = cohen_kappa([one for one, _ in both], [other for _, other in both])
    alone = len({_unit(a) for a, _ in pairs}) == len(pairs)
    # The interval takes every trial for a draw of its own.
    return kappa if alone else msgspec.structs.replace(kappa, se=None, low=None, high=None)


def _unit(record: Record) -> str:
    """Return the unit that a trial depends on: its cluster, its item, or itself."""
    return record.trial.cluster or record.trial.item or record.id


def _share(alike: list[bool], records: list[Record]) -> Interval:
    """The share of trials that are alike; those of one cluster or item hang together."""
    return interval([float(one) for one in alike], list(map(_unit, records)), method="wilson")


def _text(record: Record) -> str:
    return record.exchange.final.text.strip()


def _differences(pairs: list[tuple[Record, Record]]) -> Iterator[EngineDifference]:
    for one, other in pairs:
        letters = one.verdict.letter, other.verdict.letter
        if letters[0] != letters[1] or (not one.trial.options and _text(one) != _text(other)):
            texts = _text(one)[:_SHOWN], _text(other)[:_SHOWN]
            yield EngineDifference(one.id, one.trial.stem[:_SHOWN], letters, texts)
