"""How the replies of a run were read, in lines for tables and reports."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from zhiyin.analysis.audit.marks import AUDIT
from zhiyin.runs.kinds import Outcome
from zhiyin.runs.opening import read_table
from zhiyin.runs.table import RunTable
from zhiyin.strategies.confirm import CONFIRM

CONFIDENCES = ("declared", "inferred", "by text alone")


class Readings:
    """Counts how the replies of a run were read; failed ones were not."""

    def __init__(self, table: RunTable) -> None:
        self._sure: Counter[str] = Counter()
        self._policies: dict[str, None] = {}
        self._asked = self._settled = self._failed = self._judged = self._answered = 0
        numbers, first = np.unique(table.outcome[table.rows], return_index=True)
        times = np.bincount(table.outcome[table.rows], minlength=len(table.outcomes))
        for number in numbers[np.argsort(first)].tolist():
            if table.outcomes[number].state != "error":
                self._count(table.outcomes[number], int(times[number]))

    def _count(self, one: Outcome, times: int) -> None:
        self._judged += times
        self._answered += times * (one.state in ("correct", "wrong"))
        if one.confidence:
            self._sure[one.confidence] += times
            self._policies[one.policy] = None
        self._asked += times * (one.purpose == CONFIRM)
        self._failed += times * one.unconfirmed
        self._settled += times * one.settled

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
    return Readings(read_table(folder)).as_summary(folder)


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
