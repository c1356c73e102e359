"""What a run has cost: calls, tokens, money, and all of these for a right answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from zhiyin.cost.ledger import OthersPaid
from zhiyin.cost.prices import price_of_run
from zhiyin.cost.usage import Usage, counted_columns, opening_of
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.log import MANIFEST
from zhiyin.engine.naming import name_of
from zhiyin.errors import InputError
from zhiyin.models import is_served
from zhiyin.numerals import counted
from zhiyin.runs.calls import Alike
from zhiyin.runs.table import RunTable


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

    def as_summary(
        self, right: int, judges: Sequence[dict[str, Any]] = ()
    ) -> dict[str, Any] | None:
        """What the replies that were added cost; None where nobody counted anything, and no server
        was asked.

        Parameters
        ----------
        right : int
            Right answers.
        judges : sequence of dict
            What judges of the run cost, see `judges_of`. It is in no other sum.

        Returns
        -------
        dict
            ``calls`` that were made, ``canary`` of them before the first trial, and ``cached``
            replies, which cost nothing; of the calls
            ``input`` and ``output`` tokens, among them ``cached_input``, ``audio_input`` and
            ``reasoning``; ``seconds`` of sound; ``uncounted`` calls; ``usd``;
            ``tokens_per_right`` and ``usd_per_right``, kept replies as if they had been paid for
            again; ``price``; ``judges``, each with its ``judge``, ``calls``, ``tokens`` and
            ``usd``; ``lines`` (the same in words). Money is None where the price is.
        """
        paid, every = self._opening + self._asked, self._kept + self._asked
        judges = [*self._judge_within(), *judges]
        uncounted = every.uncounted == every.calls and not self._cached
        uncounted = uncounted and not (every.seconds or every.tokens)
        if uncounted and not judges and not self._served:
            return None
        known = self._price is not None and not uncounted
        summary: dict[str, Any] = {
            "calls": paid.calls,
            "canary": self._canary,
            "cached": self._cached,
            **{
                name: getattr(paid, name)
                for name in ("input", "output", "cached_input", "audio_input", "reasoning")
            },
            "seconds": round(paid.seconds, 3),
            "uncounted": paid.uncounted,
            "usd": self._paid_usd if known else None,
            "tokens_per_right": every.tokens / right if right else None,
            "usd_per_right": self._all_usd / right if right and known else None,
            "price": msgspec.to_builtins(self._price) if self._price else None,
            "judges": judges,
        }
        lines = [] if uncounted else self._lines(summary, paid)
        if uncounted and self._served:
            lines = [f"cost: {counted(paid.calls, 'call')}, whose tokens the server did not count"]
        return summary | {"lines": [*lines, *map(_judge_line, judges)]}

    def _judge_within(self) -> list[dict[str, Any]]:
        """What judges cost that were asked within the trials."""
        paid = self._judge
        if not paid.calls:
            return []
        return [_judge("", round(paid.calls), round(paid.tokens), paid.usd or None)]

    def _lines(self, summary: dict[str, Any], paid: Usage) -> list[str]:
        kept = ""
        if self._cached:
            kept = f", {counted(self._cached, 'reply', 'replies')} from the cache"
        opening = f" ({self._canary} of them the canary's)" if self._canary else ""
        spent = f"{counted(paid.calls, 'call')}{opening}{kept}; {counted(paid.input, 'token')} sent"
        spent += f", {paid.output:,} came back"
        if self._price is not None:
            spent = f"{money(self._paid_usd)} for {spent}"
        lines = [f"cost: {spent}"]
        if summary["tokens_per_right"] is not None:
            usd = summary["usd_per_right"]
            price = "" if usd is None else f"{money(usd)} and "
            full = ", kept replies at their full price" if self._cached else ""
            lines.append(f"a right answer: {price}{summary['tokens_per_right']:,.0f} tokens{full}")
        if paid.uncounted:
            lines.append(
                f"the server did not count the tokens of {counted(paid.uncounted, 'call')}"
            )
        if self._price is not None:
            then = ", as the table has it today" if self._today else ""
            lines.append(f"prices: {self._price.source_in_words}{then}")
        return lines


def bill_of(folder: Path, right: int) -> dict[str, Any] | None:
    """What a run has cost; see `Bill.as_summary`."""
    return Bill(read_manifest(folder), RunTable(folder)).as_summary(right)


def judges_of(folder: Path) -> list[dict[str, Any]]:
    """What judges of a run have cost, whose runs lie in its folder: those that were counted.

    Returns
    -------
    list of dict
        Of each its name (``judge``), ``calls``, ``tokens`` and ``usd``, None where no price is
        known; of a run that cannot be read ``fault`` as well, and nothing else is known of it.
    """
    judges = []
    for place in sorted(path.parent for path in folder.glob(f"*/{MANIFEST}")):
        try:
            manifest = read_manifest(place)
            if "run" not in manifest.options:  # reads no run: the user put another one here
                continue
            bill = bill_of(place, 0)
        except InputError as fault:
            judges.append(_judge(place.name, None, None, None) | {"fault": str(fault)})
            continue
        if bill:
            tokens = bill["input"] + bill["output"]
            judges.append(_judge(name_of(manifest), bill["calls"], tokens, bill["usd"]))
    return judges


def _judge(name: str, calls: int | None, tokens: int | None, usd: float | None) -> dict[str, Any]:
    return {"judge": name, "calls": calls, "tokens": tokens, "usd": usd}


def _judge_line(paid: dict[str, Any]) -> str:
    """What one judge cost, in words."""
    name = f"judge {paid['judge']}" if paid["judge"] else "judge"
    if paid["calls"] is None:
        return f"{name}: what it cost is not known: {paid['fault']}"
    calls = counted(paid["calls"], "call")
    price = "" if paid["usd"] is None else f"{money(paid['usd'])} for "
    return f"{name}: {price}{calls}; {paid['tokens']:,} tokens sent and received"


def money(value: float) -> str:
    """A price in words."""
    return f"{value:,.2f} usd" if value >= 1 else f"{value:.3g} usd"
