"""Replies that were there before the plan that a run follows: by whichever way they came into it.

A result is confirmatory where every reply was asked for after the plan was registered. Who has seen
some of them may have written the plan by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.plan import RegisteredPlan
from zhiyin.cost.batches import BATCHES, BatchLine
from zhiyin.engine.folder import RECORDS, Manifest, iterate
from zhiyin.runs.rows import rows_of
from zhiyin.words import Said, said


class _Detail(msgspec.Struct, frozen=True):
    cached: bool = False
    kept_at: str = ""


class _Reply(msgspec.Struct, frozen=True):
    detail: _Detail = _Detail()


class _Turn(msgspec.Struct, frozen=True):
    reply: _Reply


class _Exchange(msgspec.Struct, frozen=True):
    turns: tuple[_Turn, ...] = ()
    notes: dict[str, Any] = {}


class _Asked(msgspec.Struct):
    """As much of a record as says when its replies, and those of its judge, were asked for."""

    id: str
    exchange: _Exchange = _Exchange()

    def kept(self) -> Iterator[str]:
        """When each kept reply was asked for; "" where nobody knows."""
        for turn in self.exchange.turns:
            if turn.reply.detail.cached:
                yield turn.reply.detail.kept_at
        judge = self.exchange.notes.get("judge")
        yield from (judge or {}).get("kept_at", ())


def time_of(text: str | None) -> datetime | None:
    """A time as it is written down; None where it is none."""
    try:
        when = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def asked_before(plan: RegisteredPlan, manifest: Manifest, folder: Path) -> Iterator[Said]:
    """Why not every reply of a run is known to be asked for after its plan was registered."""
    registered = time_of(plan.at)
    begun = [time_of(one.started) for one in manifest.sessions]
    if registered is None or not begun or not all(one and one >= registered for one in begun):
        yield said("plan-begun-before")
    if manifest.spec.startswith("replay:") or manifest.decoding.get("kind") == "replay":
        yield said("plan-replayed")
    when = [time_of(text) for one, _ in iterate(folder / RECORDS, _Asked) for text in one.kept()]
    # To the second: one that was asked for in the same second may have been seen.
    known = [one for one in when if one]
    if early := sum(registered is None or one <= registered for one in known):
        yield said("plan-kept-before", n=early)
    if undated := len(when) - len(known):
        yield said("plan-kept-undated", n=undated)
    rows = rows_of(folder)
    if strange := _put_in(manifest, len(rows) - len(rows.failed)):
        yield said("plan-put-in", n=strange)
    if (folder / BATCHES).exists():
        handed = [one.at for one, _ in iterate(folder / BATCHES, BatchLine) if one.ids]
        if n := sum(registered is None or at <= registered.timestamp() for at in handed):
            yield said("plan-batches-before", n=n)
    if _went_back(manifest, known):
        yield said("plan-clock")


def _put_in(manifest: Manifest, answered: int) -> int:
    """How many records no session of the run has asked for."""
    asked = 0
    for one in manifest.sessions:
        if one.before > asked:
            return one.before - asked
        if one.ended is None:  # it was killed: how many it asked nobody wrote down
            return 0
        asked += one.asked
    return max(0, answered - asked)


def _went_back(manifest: Manifest, kept: list[datetime]) -> bool:
    """Whether times contradict each other: dates are worth nothing then."""
    spans = [(time_of(one.started), time_of(one.ended)) for one in manifest.sessions]
    order, ends = [begun for begun, _ in spans if begun], [end for _, end in spans]
    backwards = any(later < earlier for earlier, later in pairwise(order))
    backwards = backwards or any(begun and end and end < begun for begun, end in spans)
    last = max((end for end in ends if end), default=None)
    return backwards or (last is not None and all(ends) and any(one > last for one in kept))
