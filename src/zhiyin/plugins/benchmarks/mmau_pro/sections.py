"""Our rule and the official one side by side, and what empty replies get by each."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

import msgspec
import numpy as np

from zhiyin.analysis.coverage import coverage_of
from zhiyin.contract.declared import Cell, Kind, Reference, Section
from zhiyin.plugins.benchmarks.by_rules import verdict_by
from zhiyin.record import NOT_JUDGED, Record
from zhiyin.runs.estimates import Nesting
from zhiyin.runs.rows import Rows
from zhiyin.words import Said, said

OURS = "robust"
PARTS = ("closed", "open", "instruction")


class PartCounts(msgspec.Struct):
    """The results of a part of the questions: by our rule, and officially.

    Attributes
    ----------
    ours : Answers
        Right and wrong.
    unjudged : int
        Open answers that no judge has seen.
    official, of_empty : list of float
        The official score of each reply, and of the empty ones, in [0, 1].
    unknown : int
        Replies whose official score is not known here.
    """

    ours: list[tuple[Record, float]] = []
    unjudged: int = 0
    official: list[float] = []
    of_empty: list[float] = []
    unknown: int = 0
    empty: int = 0

    def row(self, name: Said) -> list[Cell]:
        """Format the counts as a row of the table."""
        records, right = zip(*self.ours, strict=True) if self.ours else ((), ())
        interval = Nesting.of(records).mean(np.array(right))
        ours = interval.ends if interval else None
        known = self.official and not self.unknown
        return [
            name, len(self.ours), ours, fmean(self.official) if known else None,
            self.empty or None, fmean(self.of_empty) if known and self.of_empty else None,
        ]  # fmt: skip


def rule_sections(rows: Rows, published: Reference | None) -> list[Section]:
    """A row for each part and for the whole; nothing for an empty run.

    Published totals stand below where the run was asked all that is published.
    """
    asked = rows.settled.main or rows.settled
    if not asked:
        return []
    parts = count_parts(asked)
    lines = [c.row(said("mmau-pro-part", name=name)) for name, c in parts.items() if _any(c)]
    whole = published and coverage_of(rows.folder).whole("all")
    for name, groups in published.rows.items() if published and whole else ():
        lines.append([name, None, None, groups["all"]["official"], None, None])
    columns = [said("mmau-pro-head", name=name) for name in _COLUMNS]
    notes = [*_notes(parts)]
    return [Section(said("mmau-pro-rules"), columns, lines, notes, leads=True, kinds=_KINDS)]


_KINDS: tuple[Kind, ...] = ("text", "count", "share", "share", "count", "share")
_COLUMNS = ("part", "n", "ours", "official", "empty", "of-empty")


def _any(counts: PartCounts) -> bool:
    return bool(len(counts.ours) or counts.unjudged)


def count_parts(asked: Rows) -> dict[str, PartCounts]:
    """The counts of each part, and of "all"."""
    parts = {name: PartCounts() for name in ("all", *PARTS)}
    for record in asked.records():
        trial = record.trial
        part = str(trial.tags.get("kind"))
        own = verdict_by(OURS, record) if part == "closed" else record.verdict
        empty = not record.exchange.final.text.strip()
        for counts in (parts["all"], parts[part]):
            if own.state in NOT_JUDGED:
                counts.unjudged += 1
            else:
                counts.ours.append((record, float(own.state == "correct")))
            counts.empty += empty
            if trial.tags.get("unofficial"):
                continue
            value = official_score(record, part)
            if value is None:
                counts.unknown += 1
            else:
                counts.official.append(value)
                counts.of_empty += [value] if empty else []
    return parts


def official_score(record: Record, part: str) -> float | None:
    """Score that the official script gives a reply, in [0, 1]; None where it is not known here.

    It compares the chosen text and the key letter for letter, so that no reply is right where the
    key is no choice.
    """
    if record.trial.tags.get("other_key"):
        return 0.0
    if part != "closed":
        return record.verdict.scores.get("official")
    verdict = record.verdict
    return float(verdict.state == "correct") if verdict.policy.startswith("nearest:") else None


def _notes(parts: dict[str, PartCounts]) -> Iterator[Said]:
    """Yield what a reader has to know of these figures."""
    yield said("mmau-pro-note")
    whole = parts["all"]
    if parts["closed"].unknown:
        yield said("mmau-pro-no-embedder")
    if parts["open"].unjudged:
        yield said("mmau-pro-unjudged", n=parts["open"].unjudged)
    if whole.empty:
        known = not whole.unknown and whole.of_empty
        share = fmean(whole.of_empty) if known else None
        yield said("mmau-pro-empty", n=whole.empty, share=share)
