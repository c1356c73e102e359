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

from zhiyin.engine.folder import RECORDS, Manifest, iterate
from zhiyin.plugins.local.batch_model import BatchLine
from zhiyin.plugins.local.session_parts import BATCHES
from zhiyin.plugins.methods.plan import RegisteredPlan
from zhiyin.runs.columns import Lean
from zhiyin.runs.rows import rows_of
from zhiyin.words import Said, said

_NEVER = datetime.max.replace(tzinfo=UTC)


def time_of(text: Any) -> datetime | None:
    """A time as it is written down; None where it is none."""
    try:
        when = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def asked_before(plan: RegisteredPlan, manifest: Manifest, folder: Path) -> Iterator[Said]:
    """Yield the reasons why some reply of a run may be from before its plan was registered."""
    registered, sessions = time_of(plan.at) or _NEVER, manifest.sessions
    begun = [time_of(one.started) for one in sessions]
    if not begun or not all(one and one >= registered for one in begun):
        yield said("plan-begun-before")
    if manifest.spec.startswith("replay:") or manifest.decoding.get("kind") == "replay":
        yield said("plan-replayed")
    when = [time_of(text) for one, _ in iterate(folder / RECORDS, Lean) for text in _kept(one)]
    known = [one for one in when if one]
    # To the second: one that was asked for in the same second may have been seen.
    if early := sum(one <= registered for one in known):
        yield said("plan-kept-before", n=early)
    if undated := len(when) - len(known):
        yield said("plan-kept-undated", n=undated)
    rows = rows_of(folder)
    if strange := _put_in(manifest, len(rows) - len(rows.failed)):
        yield said("plan-put-in", n=strange)
    if (folder / BATCHES).exists():
        handed = [one.at for one, _ in iterate(folder / BATCHES, BatchLine) if one.ids]
        if n := sum(at <= registered.timestamp() for at in handed):
            yield said("plan-batches-before", n=n)
    if _went_back(begun, [time_of(one.ended) for one in sessions], known):
        yield said("plan-clock")


def _kept(record: Lean) -> Iterator[Any]:
    """Yield the time at which each kept reply of a trial was asked for, its judge's among them."""
    for turn in record.exchange.turns:
        if turn.reply.detail and turn.reply.detail.cached:
            yield turn.reply.detail.kept_at
    judge = record.exchange.notes.get("judge")
    yield from judge.get("kept_at", ()) if isinstance(judge, dict) else ()


def _put_in(manifest: Manifest, answered: int) -> int:
    """Count the records that no session of the run has asked for."""
    asked = 0
    for one in manifest.sessions:
        if one.before > asked:
            return one.before - asked
        if one.ended is None:  # it was killed: how many it asked nobody wrote down
            return 0
        asked += one.asked
    return max(0, answered - asked)


def _went_back(
    begun: list[datetime | None], ended: list[datetime | None], kept: list[datetime]
) -> bool:
    """Tell whether times contradict each other: dates are worth nothing then."""
    spans = [(a, b) for a, b in zip(begun, ended, strict=True) if a and b]
    if any(b < a for a, b in spans) or any(b < a for a, b in pairwise(filter(None, begun))):
        return True
    return 0 < len(spans) == len(ended) and any(one > max(spans)[1] for one in kept)
