"""What a run has cost: calls, tokens, money, and all of these for a right answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from zhiyin import numerals
from zhiyin.cost.prices import Price, price_of_run
from zhiyin.cost.usage import OthersPaid, Usage, counted_columns, opening_of
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.log import MANIFEST
from zhiyin.engine.naming import name_of
from zhiyin.errors import InputError
from zhiyin.models import is_served
from zhiyin.numerals import counted
from zhiyin.runs.calls import Alike
from zhiyin.runs.table import RunTable


class JudgeCost(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a judge of a run has cost.

    Attributes
    ----------
    judge : str
        Its name; "" for one that was asked within the trials.
    calls, tokens : int or None
        None where its run cannot be read.
    usd : float or None
        None where no price is known.
    fault : str
        Why its run cannot be read.
    """

    judge: str
    calls: int | None
    tokens: int | None
    usd: float | None
    fault: str = ""

    @property
    def line(self) -> str:
        """The same in words."""
        name = f"judge {self.judge}" if self.judge else "judge"
        if self.calls is None:
            return f"{name}: what it cost is not known: {self.fault}"
        price = "" if self.usd is None else f"{money(self.usd)} for "
        return (
            f"{name}: {price}{counted(self.calls, 'call')}; {self.tokens:,} tokens sent and "
            "received"
        )


class RunCost(msgspec.Struct, frozen=True):
    """What the replies of a run have cost. Money is None where the price is.

    Attributes
    ----------
    calls : int
        Calls that were made.
    canary : int
        Those of them before the first trial.
    cached : int
        Kept replies, which cost nothing.
    input, output : int
        Tokens of the calls.
    cached_input, audio_input, reasoning : int
        Some of these.
    seconds : float
        Of sound that was sent.
    uncounted : int
        Calls whose tokens the server did not count.
    usd : float or None
    tokens_per_right, usd_per_right : float or None
        Kept replies as if they had been paid for again.
    price : Price or None
    judges : list of JudgeCost
        In no other sum.
    lines : list of str
        The same in words.
    """

    calls: int
    canary: int
    cached: int
    input: int
    output: int
    cached_input: int
    audio_input: int
    reasoning: int
    seconds: float
    uncounted: int
    usd: float | None
    tokens_per_right: float | None
    usd_per_right: float | None
    price: Price | None
    judges: list[JudgeCost] = []
    lines: list[str] = []


class Bill:
    """Adds up what the replies of a run cost.

    Parameters
    ----------
    manifest : Manifest
        Its price counts; where it has none, that of the user's table of today.
    table : RunTable
    """

    def __init__(self, manifest: Manifest, table: RunTable) -> None:
        self._price, self._today = price_of_run(manifest)
        self._served = is_served(manifest.spec)
        self._opening = self._asked = self._kept = Usage()
        self._judge = OthersPaid()
        self._cached = 0
        self._paid_usd = self._all_usd = 0.0
        opening = opening_of(manifest.canary).paid
        self._canary = len(opening)
        for used in opening:  # not among what a right answer costs: runs are of any length
            self._opening += used
            self._paid_usd += self._price.of(used) if self._price else 0.0
        for alike in table.calls():
            self._add(alike)
        valid = table.valid
        for row, paid in table.paid:
            if valid[row]:
                self._add_judge(paid)

    def _add(self, alike: Alike) -> None:
        """Count the calls of a kind."""
        used, kind = counted_columns(alike.counts, alike.seconds), alike.kind
        total = Usage(*(column.sum().item() for column in msgspec.structs.astuple(used)))
        usd = 0.0
        if self._price is not None:
            usd = float(np.sum(self._price.of_columns(used, batched=kind.batched)))
        self._all_usd += usd
        if kind.cached:
            self._kept += total
            self._cached += total.calls
        else:
            self._asked += total
            self._paid_usd += usd

    def _add_judge(self, paid: dict[str, Any]) -> None:
        """Count what a judge in the midst of a conversation cost, which its notes say."""
        one = msgspec.convert(paid, OthersPaid)
        for name in one.__struct_fields__:
            setattr(self._judge, name, getattr(self._judge, name) + getattr(one, name))

    def as_summary(self, right: int, judges: Sequence[JudgeCost] = ()) -> RunCost | None:
        """What the replies that were added cost; None where nobody counted anything, and no server
        was asked.

        Parameters
        ----------
        right : int
            Right answers.
        judges : sequence of JudgeCost
            What judges of the run cost, see `judges_of`. It is in no other sum.
        """
        paid, every = self._opening + self._asked, self._kept + self._asked
        judges = [*self._judge_within(), *judges]
        uncounted = every.uncounted == every.calls and not self._cached
        uncounted = uncounted and not (every.seconds or every.tokens)
        if uncounted and not judges and not self._served:
            return None
        known = self._price is not None and not uncounted
        cost = RunCost(
            calls=paid.calls,
            canary=self._canary,
            cached=self._cached,
            input=paid.input,
            output=paid.output,
            cached_input=paid.cached_input,
            audio_input=paid.audio_input,
            reasoning=paid.reasoning,
            seconds=round(paid.seconds, 3),
            uncounted=paid.uncounted,
            usd=self._paid_usd if known else None,
            tokens_per_right=every.tokens / right if right else None,
            usd_per_right=self._all_usd / right if right and known else None,
            price=self._price,
            judges=judges,
        )
        lines = [] if uncounted else self._lines(cost)
        if uncounted and self._served:
            lines = [f"cost: {counted(paid.calls, 'call')}, whose tokens the server did not count"]
        return msgspec.structs.replace(cost, lines=[*lines, *(judge.line for judge in judges)])

    def _judge_within(self) -> list[JudgeCost]:
        """What judges cost that were asked within the trials."""
        paid = self._judge
        if not paid.calls:
            return []
        return [JudgeCost("", round(paid.calls), round(paid.tokens), paid.usd or None)]

    def _lines(self, cost: RunCost) -> list[str]:
        kept = ""
        if self._cached:
            kept = f", {counted(self._cached, 'reply', 'replies')} from the cache"
        opening = f" ({self._canary} of them the canary's)" if self._canary else ""
        spent = f"{counted(cost.calls, 'call')}{opening}{kept}; {counted(cost.input, 'token')} sent"
        spent += f", {cost.output:,} came back"
        if self._price is not None:
            spent = f"{money(self._paid_usd)} for {spent}"
        lines = [f"cost: {spent}"]
        if cost.tokens_per_right is not None:
            usd = cost.usd_per_right
            price = "" if usd is None else f"{money(usd)} and "
            full = ", kept replies at their full price" if self._cached else ""
            lines.append(f"a right answer: {price}{cost.tokens_per_right:,.0f} tokens{full}")
        if cost.uncounted:
            lines.append(
                f"the server did not count the tokens of {counted(cost.uncounted, 'call')}"
            )
        if self._price is not None:
            then = ", as the table has it today" if self._today else ""
            lines.append(f"prices: {self._price.source_in_words}{then}")
        return lines


def bill_of(folder: Path, right: int) -> RunCost | None:
    """What a run has cost; see `Bill.as_summary`."""
    return Bill(read_manifest(folder), RunTable(folder)).as_summary(right)


def judges_of(folder: Path) -> list[JudgeCost]:
    """What judges of a run have cost, whose runs lie in its folder: those that were counted."""
    judges = []
    for place in sorted(path.parent for path in folder.glob(f"*/{MANIFEST}")):
        try:
            manifest = read_manifest(place)
            if "run" not in manifest.options:  # reads no run: the user put another one here
                continue
            bill = bill_of(place, 0)
        except InputError as fault:
            judges.append(JudgeCost(place.name, None, None, None, str(fault)))
            continue
        if bill:
            tokens = bill.input + bill.output
            judges.append(JudgeCost(name_of(manifest), bill.calls, tokens, bill.usd))
    return judges


def money(value: float) -> str:
    """A price in words."""
    return f"{numerals.usd(value)} usd"
