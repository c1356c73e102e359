"""How the replies of a run were read, in lines for tables and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from zhiyin.analysis.audit.marks import AUDIT
from zhiyin.engine.folder import gather_blocks
from zhiyin.engine.tally import CountedVerdict
from zhiyin.strategies.confirm import CONFIRM
from zhiyin.trial import Tag

CONFIDENCES = ("declared", "inferred", "by text alone")


class ReadVerdict(CountedVerdict, gc=False):
    """As much of a verdict as says how a reply was read."""

    policy: str = ""
    confidence: str = ""
    tags: dict[str, Tag] = {}


class ReadTurn(msgspec.Struct, gc=False):
    """What a turn was for."""

    purpose: str = "answer"


class ReadExchange(msgspec.Struct, gc=False):
    """As much of a conversation as says how its reply was read."""

    turns: tuple[ReadTurn, ...] = ()
    notes: dict[str, Any] = {}


class Read(Protocol):
    """A record of which is read what says how its reply was."""

    @property
    def verdict(self) -> ReadVerdict: ...
    @property
    def exchange(self) -> ReadExchange: ...


class _Brief(msgspec.Struct):
    id: str
    verdict: ReadVerdict
    exchange: ReadExchange = msgspec.field(default_factory=ReadExchange)


class Readings:
    """Counts how the replies of a run were read."""

    def __init__(self) -> None:
        self._sure: Counter[str] = Counter()
        self._policies: dict[str, None] = {}
        self._asked = self._settled = self._failed = self._judged = self._answered = 0

    def count_all(self, records: Sequence[Read]) -> None:
        """Count some dozens of records, those together of which all is alike.

        Failed ones were not read.
        """
        alike = Counter(
            [
                (
                    (verdict := record.verdict).state,
                    verdict.confidence,
                    verdict.policy,
                    bool(verdict.tags and verdict.tags.get("confirmed")),
                    CONFIRM in (exchange := record.exchange).notes,
                    exchange.turns[-1].purpose if exchange.turns else "",
                )
                for record in records
                if record.verdict.state != "error"
            ]
        )
        for (state, confidence, policy, settled, failed, purpose), times in alike.items():
            self._judged += times
            self._answered += times * (state in ("correct", "wrong"))
            if confidence:
                self._sure[confidence] += times
                self._policies[policy] = None
            self._asked += times * (purpose == CONFIRM)
            self._failed += times * failed
            self._settled += times * settled

    def as_summary(self, folder: Path) -> dict[str, Any]:
        """How the replies of the run in `folder`, all of them added, were read.

        Returns
        -------
        dict
            ``readings`` (answers by how sure the reader was), ``confirm`` (where the letter alone
            was asked for once more: ``asked``, ``settled``, ``failed`` calls, and
            ``readable_without``, the share of judged trials with an answer in the first reply;
            else None), ``audit`` (see `audit.result.result_of`; None where nothing is marked),
            ``lines`` (the same in words).
        """
        confirm = None
        if self._asked or self._failed:
            without = (self._answered - self._settled) / self._judged if self._judged else None
            confirm = {
                "asked": self._asked + self._failed,
                "settled": self._settled,
                "failed": self._failed,
                "readable_without": without,
            }
        summary: dict[str, Any] = {
            "readings": {name: self._sure[name] for name in CONFIDENCES if self._sure[name]},
            "confirm": confirm,
            "audit": _audit(folder),
        }
        return summary | {"lines": _lines(summary, list(self._policies))}


def readings_of(folder: Path) -> dict[str, Any]:
    """How the replies of a run were read, as `Readings.as_summary`."""

    def made(blocks: Iterator[list[_Brief]]) -> Readings:
        readings = Readings()
        for block in blocks:
            readings.count_all(block)
        return readings

    return gather_blocks(folder, _Brief, made)[0].as_summary(folder)


def _audit(folder: Path) -> dict[str, Any] | None:
    if not (folder / AUDIT).is_file():
        return None
    from zhiyin.analysis.audit.result import audited

    return audited(folder)


def _lines(summary: dict[str, Any], policies: list[str]) -> list[str]:
    lines = []
    if summary["readings"]:
        counts = ", ".join(f"{count:,} {name}" for name, count in summary["readings"].items())
        lines.append(f"answers read by {', '.join(policies)}: {counts}")
    if confirm := summary["confirm"]:
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
    if summary["audit"]:
        lines += summary["audit"]["sentences"]
    return lines
