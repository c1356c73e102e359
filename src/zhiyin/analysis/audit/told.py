"""How the replies of a run were read, in lines for tables and reports."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.analysis.audit.marks import AUDIT
from zhiyin.engine.log import find_log, iterate, valid_lines
from zhiyin.record import State
from zhiyin.strategies.confirm import CONFIRM
from zhiyin.trial import Tag

CONFIDENCES = ("declared", "inferred", "by text alone")


class _Verdict(msgspec.Struct):
    state: State
    policy: str = ""
    confidence: str = ""
    tags: dict[str, Tag] = {}


class _Turn(msgspec.Struct):
    purpose: str = "answer"


class _Exchange(msgspec.Struct):
    turns: tuple[_Turn, ...] = ()
    notes: dict[str, Any] = {}


class _Brief(msgspec.Struct):
    id: str
    verdict: _Verdict
    exchange: _Exchange = msgspec.field(default_factory=_Exchange)


def told_of(folder: Path) -> dict[str, Any]:
    """How the replies of a run were read.

    Returns
    -------
    dict
        ``readings`` (answers by how sure the reader was), ``confirm`` (where the letter alone was
        asked for once more: ``asked``, ``settled``, ``failed`` calls, and
        ``readable_without``, the share of judged trials with an answer in the first reply; else
        None), ``audit`` (see `audit.result.result_of`; None where nothing is marked), ``lines``
        (the same in words).
    """
    readings: Counter[str] = Counter()
    policies: dict[str, None] = {}
    asked = settled = failed = judged = answered = 0
    path = find_log(folder)
    valid, _ = valid_lines(path)
    for number, (one, _) in enumerate(iterate(path, _Brief), 1):
        verdict = one.verdict
        if verdict.state == "error" or valid.get(one.id, number) != number:
            continue
        judged += 1
        answered += verdict.state in ("correct", "wrong")
        if verdict.confidence:
            readings[verdict.confidence] += 1
            policies[verdict.policy] = None
        turns = one.exchange.turns
        asked += bool(turns) and turns[-1].purpose == CONFIRM
        failed += CONFIRM in one.exchange.notes
        settled += bool(verdict.tags.get("confirmed"))
    confirm = None
    if asked or failed:
        confirm = {
            "asked": asked + failed,
            "settled": settled,
            "failed": failed,
            "readable_without": (answered - settled) / judged if judged else None,
        }
    found: dict[str, Any] = {
        "readings": {name: readings[name] for name in CONFIDENCES if readings[name]},
        "confirm": confirm,
        "audit": _audit(folder),
    }
    return found | {"lines": _lines(found, list(policies))}


def _audit(folder: Path) -> dict[str, Any] | None:
    if not (folder / AUDIT).is_file():
        return None
    from zhiyin.analysis.audit.result import audited

    return audited(folder)


def _lines(found: dict[str, Any], policies: list[str]) -> list[str]:
    lines = []
    if found["readings"]:
        counts = ", ".join(f"{count:,} {name}" for name, count in found["readings"].items())
        lines.append(f"answers read by {', '.join(policies)}: {counts}")
    if confirm := found["confirm"]:
        many = "reply" if confirm["asked"] == 1 else "replies"
        line = (
            f"asked once more for the letter alone: {confirm['asked']:,} {many}, "
            f"{confirm['settled']:,} settled so"
        )
        if confirm["failed"]:
            line += f", {confirm['failed']:,} calls failed"
        if confirm["readable_without"] is not None:
            line += f"; without that IFR is {100 * confirm['readable_without']:.2f} %"
        lines.append(line)
    if found["audit"]:
        lines += found["audit"]["sentences"]
    return lines
