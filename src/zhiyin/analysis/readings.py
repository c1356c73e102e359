"""Reading of a run's replies, and what other rules would read in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from zhiyin.analysis.parts import audit_of
from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.record import Record
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import ACCURACY, Measure, one
from zhiyin.runs.rows import Rows
from zhiyin.runs.table import RunTable
from zhiyin.statistics.intervals import Floats
from zhiyin.strategies import CONFIRM
from zhiyin.strategies.likelihood import NOTED, SCORE, WAYS, choices
from zhiyin.words import Said, said

CONFIDENCES = ("declared", "inferred", "by text alone")


class ConfirmCounts(msgspec.Struct, frozen=True):
    """Counts of the trials in which the letter alone was asked for once more.

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
    """A report on how the replies of a run were read.

    Attributes
    ----------
    readings : dict of str to int
        Answers by how sure the reader was.
    confirm : ConfirmCounts or None
    audit : ReadingAudit or None
        None where nothing is marked.
    lines : list of str
        The same in words.
    policies : list of str
        The rules by which answers were read.
    """

    readings: dict[str, int]
    confirm: ConfirmCounts | None
    audit: Any
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
                "reading-confirmed", asked=confirm.asked, settled=confirm.settled,
                failed=confirm.failed, without=confirm.readable_without,
            )  # fmt: skip
        if self.audit:
            yield from self.audit.told()


def how_read(table: RunTable, folder: Path, *, chosen: bool = False) -> HowRead:
    """Report how the replies of the run in `folder`, of which this is the table, were read.

    Failed ones were not, nor those that people have `chosen` from a list.
    """
    sure: Counter[str] = Counter()
    policies: dict[str, None] = {}
    asked = settled = failed = judged = answered = 0
    numbers, first = np.unique(table.outcome[table.rows], return_index=True)
    every = np.bincount(table.outcome[table.rows], minlength=len(table.outcomes))
    for number in numbers[np.argsort(first)].tolist():
        one, times = table.outcomes[number], int(every[number])
        if one.state == "error":
            continue
        judged += times
        answered += times * (one.state in ("correct", "wrong"))
        if one.confidence and not chosen:
            sure[one.confidence] += times
            policies[one.policy] = None
        asked += times * (one.purpose == CONFIRM)
        failed += times * one.unconfirmed
        settled += times * one.settled
    confirm = None
    if asked or failed:
        without = (answered - settled) / judged if judged else None
        confirm = ConfirmCounts(asked + failed, settled, failed, without)
    readings = {name: sure[name] for name in CONFIDENCES if sure[name]}
    read = HowRead(readings, confirm, audit_of(folder), policies=list(policies))
    return msgspec.structs.replace(read, lines=list(map(str, read.told())))


def likelihood_sections(rows: Rows) -> list[Section]:
    """A row for each way of choosing by log-probability; nothing where it was not asked for."""
    noted_of = np.zeros(len(rows.judged), dtype=bool)
    agreed: Counter[str] = Counter()
    both: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    asked = 0
    for place, record in enumerate(rows.judged.records()):
        if NOTED not in record.exchange.notes:
            continue
        asked += 1
        noted = record.exchange.notes[NOTED]
        if isinstance(noted, str):
            failed[noted] += 1
            continue
        noted_of[place] = True
        _count(record, agreed, both)
    if not asked:
        return []
    read = rows.judged.where(noted_of)
    lines = [
        _row("reply", read, None),
        *(_row(way, read, _share(agreed[way], both[way])) for way in WAYS),
    ]
    notes = [said("likelihood-note")]
    if failed:
        notes.insert(0, _missing(failed, asked))
    columns = heads("chosen-by", "n", "right-share", "from", "to", "as-reply")
    filled = list(filter(None, lines))
    return [Section(said("likelihood-title"), columns, filled, notes, leads=True)]  # asked for


def likelihoods_lack(rows: Rows) -> Said | None:
    """Note that log-probabilities were asked for and none came; None where some did."""
    each = (record.exchange.notes.get(NOTED) for record in rows.judged.records())
    noted = [one for one in each if one is not None]
    failed = Counter(one for one in noted if isinstance(one, str))
    if not failed or failed.total() < len(noted):
        return None
    return _missing(failed, len(noted))


def _missing(failed: Counter[str], asked: int) -> Said:
    cause, times = failed.most_common(1)[0]
    facts = {"n": failed.total(), "of": asked, "times": times, "cause": cause[:100]}
    return said("likelihood-missing", **facts)


def _count(record: Record, agreed: Counter[str], both: Counter[str]) -> None:
    """Note of each choice of a record whether it is the reply's."""
    verdict, letters = record.verdict, choices(record.trial.options, record.exchange.notes[NOTED])
    for way, letter in letters.items():
        if f"{SCORE}{way}" in verdict.scores and verdict.letter is not None:
            both[way] += 1
            agreed[way] += letter == verdict.letter


def _row(way: str, rows: Rows, alike: float | None) -> list[Cell] | None:
    measure = ACCURACY
    if way != "reply":
        measure = Measure(way, of=(partial(_chosen, way), one))
    own = estimate(rows, measure)
    shares = [100 * share for share in own.ends or ()]
    return [said("likelihood-way", way=way), own.n, *shares, alike] if shares else None


def _chosen(way: str, rows: Rows) -> Floats:
    """1 for a right choice in a way; NaN where it made none."""
    values = rows.scores(f"{SCORE}{way}")
    return np.where(np.isnan(values), np.nan, values > 0)


def _share(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None
