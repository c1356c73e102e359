"""How the replies of a run were read, in lines for tables and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from zhiyin.analysis.audit.marks import AUDIT
from zhiyin.analysis.audit.result import AuditFound
from zhiyin.runs.kinds import Outcome
from zhiyin.runs.table import RunTable
from zhiyin.strategies.confirm import CONFIRM
from zhiyin.words import Said, said

CONFIDENCES = ("declared", "inferred", "by text alone")


class ConfirmCounts(msgspec.Struct, frozen=True):
    """Where the letter alone was asked for once more.

    Attributes
    ----------
    asked, settled, failed : int
        Calls, those that settled the answer, those that failed.
    readable_without : float or None
        The share of judged trials with an answer in the first reply, in [0, 1].
    """

    asked: int
    settled: int
    failed: int
    readable_without: float | None


class HowRead(msgspec.Struct, frozen=True):
    """How the replies of a run were read.

    Attributes
    ----------
    readings : dict of str to int
        Answers by how sure the reader was.
    confirm : ConfirmCounts or None
    audit : AuditFound or None
        None where nothing is marked.
    lines : list of str
        The same in words.
    policies : list of str
        The rules by which answers were read.
    """

    readings: dict[str, int]
    confirm: ConfirmCounts | None
    audit: AuditFound | None
    lines: list[str] = []
    policies: list[str] = []

    def told(self) -> Iterator[Said]:
        """The same in words."""
        if self.readings:
            counts = [
                said("reading-count", n=n, how=how.replace(" ", "-"))
                for how, n in self.readings.items()
            ]
            yield said("reading-answers", policies=self.policies, counts=counts)
        if confirm := self.confirm:
            yield said(
                "reading-confirmed",
                asked=confirm.asked,
                settled=confirm.settled,
                failed=confirm.failed,
                without=confirm.readable_without,
            )
        if self.audit:
            yield from self.audit.told()


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

    def as_summary(self, folder: Path) -> HowRead:
        """How the replies of the run in `folder`, all of them added, were read."""
        confirm = None
        if self._asked or self._failed:
            without = (self._answered - self._settled) / self._judged if self._judged else None
            asked = self._asked + self._failed
            confirm = ConfirmCounts(asked, self._settled, self._failed, without)
        readings = {name: self._sure[name] for name in CONFIDENCES if self._sure[name]}
        read = HowRead(readings, confirm, _audit(folder), policies=list(self._policies))
        return msgspec.structs.replace(read, lines=list(map(str, read.told())))


def _audit(folder: Path) -> AuditFound | None:
    if not (folder / AUDIT).is_file():
        return None
    from zhiyin.analysis.audit.result import audited

    return audited(folder)
