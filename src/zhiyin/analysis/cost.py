"""What a run has cost: calls, tokens, money, and all of these for a right answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.analysis.origins import KeptDetail, Origins
from zhiyin.cost.ledger import OthersPaid
from zhiyin.cost.prices import price_of_run
from zhiyin.cost.usage import Usage, counted_columns, opening_of
from zhiyin.engine.folder import Manifest, gather, read_manifest
from zhiyin.engine.log import MANIFEST
from zhiyin.engine.naming import name_of
from zhiyin.errors import InputError


class PaidDetail(KeptDetail, gc=False):
    """As much of a reply's detail as says what it cost, and whence it is."""

    batch: str = ""
    audio_seconds: float = 0.0


class PaidReply(msgspec.Struct, gc=False):
    """As much of a reply as says what it cost."""

    usage: dict[str, int] = {}
    detail: PaidDetail | None = None


_TOGETHER, _MOST_WAITING = 64, 1 << 16


class _Alike:
    """Replies whose counts have the same names: the counts of all of them, one after another."""

    def __init__(self, number: int, names: tuple[str, ...], cached: bool, batched: bool) -> None:
        self.number, self.names, self.cached, self.batched = number, names, cached, batched
        self.counts: list[int] = []
        self.seconds: list[float] = []

    def wait(self, usages: Sequence[dict[str, int]], details: Sequence[PaidDetail | None]) -> None:
        """Hold replies until they are added up."""
        self.counts.extend(chain.from_iterable([usage.values() for usage in usages]))
        if any(details):
            self.seconds.extend([one.audio_seconds if one else 0.0 for one in details])
        else:
            self.seconds.extend([0.0] * len(details))

    def columns(self) -> Usage:
        """Their use, a row a reply; nothing is kept afterwards."""
        try:
            rows: NDArray[Any] = np.array(self.counts, dtype=np.int64)
            if rows.size and (rows.min() <= -_LARGE or rows.max() >= _LARGE):
                rows = rows.astype(object)
        except OverflowError:
            rows = np.array(self.counts, dtype=object)
        rows = rows.reshape(len(self.seconds), len(self.names))
        used = dict(zip(self.names, rows.T, strict=True))
        columns: Usage = counted_columns(used, np.array(self.seconds))
        self.counts, self.seconds = [], []
        return columns


_LARGE = 1 << 40
"""Counts from here on are added up by Python, which does not wrap around."""


class PaidTurn(Protocol):
    """A turn with its reply."""

    @property
    def reply(self) -> PaidReply: ...


class Bill:
    """Adds up what the replies of a run cost.

    Parameters
    ----------
    manifest : Manifest
        Its price counts; where it has none, that of the user's table of today.
    """

    def __init__(self, manifest: Manifest) -> None:
        self._price, self._today = price_of_run(manifest)
        self._opening = self._asked = self._kept = Usage()
        self._alike: dict[Any, _Alike] = {}
        self._order: list[int] = []
        self._turns: list[PaidTurn] = []
        self._judge, self._origins = OthersPaid(), Origins()
        self._cached = self._silent = 0
        self._paid_usd = self._all_usd = 0.0
        opening = opening_of(manifest.canary).paid
        self._canary = len(opening)
        for used in opening:  # not among what a right answer costs: runs are of any length
            self._opening += used
            self._paid_usd += self._price.of(used) if self._price else 0.0

    def add(self, turns: Iterable[PaidTurn]) -> None:
        """Count the turns of a record, or of several."""
        self._turns.extend(turns)
        if len(self._turns) >= _TOGETHER:
            self._sort()

    @property
    def origins(self) -> Origins:
        """Whence the replies are that were added by now."""
        self._sort()
        return self._origins

    def add_judge(self, notes: Mapping[str, Any]) -> None:
        """Count what a judge in the midst of a conversation cost, which its notes say."""
        paid = notes.get("paid")
        if paid:
            one = msgspec.convert(paid, OthersPaid)
            for name in one.__struct_fields__:
                setattr(self._judge, name, getattr(self._judge, name) + getattr(one, name))

    def _sort(self) -> None:
        """Put each new turn with those of its kind."""
        replies, self._turns = [turn.reply for turn in self._turns], []
        usages, details = [one.usage for one in replies], [one.detail for one in replies]
        self._origins.add(details)
        keys: list[Any] = list(map(tuple, usages))
        if any(details):
            keys = [
                (key, detail.cached, bool(detail.batch)) if detail else key
                for key, detail in zip(keys, details, strict=True)
            ]
        for key in (kinds := dict.fromkeys(keys)):
            if key == ():
                self._silent += keys.count(key)
            elif key not in self._alike:
                self._alike[key] = _Alike(len(self._alike), *_kind(key))
        if len(kinds) == 1 and () not in kinds:  # as a rule
            self._alike[keys[0]].wait(usages, details)
            self._order.extend([self._alike[keys[0]].number] * len(keys))
        else:
            for key, usage, detail in zip(keys, usages, details, strict=True):
                if key != ():
                    self._alike[key].wait([usage], [detail])
                    self._order.append(self._alike[key].number)
        if len(self._order) >= _MOST_WAITING:
            self._add_up()

    def _add_up(self) -> None:
        """Add up what is waiting; money in the order in which the replies came."""
        order = np.array(self._order, dtype=np.intp)
        self._order = []
        usd, paid = np.zeros(len(order)), np.zeros(len(order))
        for alike in self._alike.values():
            used = alike.columns()
            total = Usage(*map(_total, msgspec.structs.astuple(used)))
            if self._price is not None:
                here = order == alike.number
                usd[here] = self._price.of_columns(used, batched=alike.batched)
                paid[here] = 0.0 if alike.cached else usd[here]
            if alike.cached:
                self._kept += total
                self._cached += total.calls
            else:
                self._asked += total
        self._all_usd = _added(self._all_usd, usd)
        self._paid_usd = _added(self._paid_usd, paid)

    def as_summary(
        self, right: int, judges: Sequence[dict[str, Any]] = ()
    ) -> dict[str, Any] | None:
        """What the replies that were added cost; None where nobody counted anything.

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
        self._sort()
        self._add_up()
        silent = Usage(calls=self._silent, uncounted=self._silent)
        asked = self._asked + silent
        paid, every = self._opening + asked, self._kept + asked
        judges = [*self._judge_within(), *judges]
        uncounted = every.uncounted == every.calls and not self._cached
        uncounted = uncounted and not (every.seconds or every.tokens)
        if uncounted and not judges:
            return None
        known = self._price is not None
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
        return summary | {"lines": [*lines, *map(_judge_line, judges)]}

    def _judge_within(self) -> list[dict[str, Any]]:
        """What judges cost that were asked within the trials."""
        paid = self._judge
        if not paid.calls:
            return []
        return [_judge("", round(paid.calls), round(paid.tokens), paid.usd or None)]

    def _lines(self, summary: dict[str, Any], paid: Usage) -> list[str]:
        kept = f", {self._cached:,} replies from the cache" if self._cached else ""
        opening = f" ({self._canary} of them the canary's)" if self._canary else ""
        spent = f"{paid.calls:,} calls{opening}{kept}; {paid.input:,} tokens sent"
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
            lines.append(f"the server did not count the tokens of {paid.uncounted:,} calls")
        if self._price is not None:
            then = ", as the table has it today" if self._today else ""
            lines.append(f"prices: {self._price.source_in_words}{then}")
        return lines


def _kind(key: Any) -> tuple[tuple[str, ...], bool, bool]:
    """The names of a reply's counts, whether it was kept, and whether it came in a batch."""
    named = isinstance(key[0], tuple)
    return key if named else (key, False, False)


def _total(column: Any) -> Any:
    """The sum of a column as a number of Python's."""
    total = column.sum()
    return total if isinstance(total, int) else total.item()


def _added(start: float, values: NDArray[np.float64]) -> float:
    """A sum in the order of its terms, as a loop makes it."""
    return float(np.add.accumulate(np.concatenate(([start], values)))[-1])


def bill_of(folder: Path, right: int) -> dict[str, Any] | None:
    """What a run has cost; see `Bill.as_summary`."""
    manifest = read_manifest(folder)

    def made(records: Iterator[_Record]) -> Bill:
        bill = Bill(manifest)
        for record in records:
            bill.add(record.exchange.turns)
        return bill

    return gather(folder, _Record, made)[0].as_summary(right)


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
    price = "" if paid["usd"] is None else f"{money(paid['usd'])} for "
    return f"{name}: {price}{paid['calls']:,} calls; {paid['tokens']:,} tokens sent and received"


class _Turn(msgspec.Struct, gc=False):
    reply: PaidReply


class _Exchange(msgspec.Struct, gc=False):
    turns: tuple[_Turn, ...] = ()


class _Record(msgspec.Struct, gc=False):
    id: str
    exchange: _Exchange = msgspec.field(default_factory=_Exchange)


def money(value: float) -> str:
    """A price in words."""
    return f"{value:,.2f} usd" if value >= 1 else f"{value:.3g} usd"
