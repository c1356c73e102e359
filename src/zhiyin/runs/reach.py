"""How far a run has come: what was planned, what has a verdict, and where sequences stand."""

from __future__ import annotations

import msgspec

from zhiyin.engine.folder import Manifest
from zhiyin.record import STATES
from zhiyin.runs.table import RunTable


class SequencesReached(msgspec.Struct, frozen=True):
    """How far the sequences of a run have come.

    Attributes
    ----------
    planned, begun, ended : int
    stopped : dict of str to int
        Those that a failed trial stopped, and its step.
    trials_at_least, trials_at_most : int or None
        Of all of them together; None where nobody knows.
    """

    planned: int
    begun: int
    ended: int
    stopped: dict[str, int]
    trials_at_least: int | None
    trials_at_most: int | None


class Reach:
    """What the log of a run holds, each trial once. One number a plain trial, one entry a sequence.

    Attributes
    ----------
    plain : int
        Plain trials with a verdict.
    begun : set of str
        Sequences of which something was asked.
    """

    def __init__(self) -> None:
        self.plain = 0
        self.begun: set[str] = set()
        self._last: set[str] = set()
        self._furthest: dict[str, int] = {}
        self._failed: dict[str, set[int]] = {}

    def add(self, sequence: str, step: int, *, failed: bool, last: bool) -> None:
        """Count one trial."""
        if not sequence:
            self.plain += not failed
            return
        self.begun.add(sequence)
        if failed:
            self._failed.setdefault(sequence, set()).add(step)
            return
        if sequence in self._failed:  # asked again since, with an answer
            self._failed[sequence].discard(step)
        self._furthest[sequence] = max(step, self._furthest.get(sequence, 0))
        if last:
            self._last.add(sequence)

    def count(self, table: RunTable) -> None:
        """Count the rows of a table that count."""
        rows, failed = table.rows, STATES.index("error")
        walks = table.sequence[rows] != 0
        self.plain += int((~walks & (table.state[rows] != failed)).sum())
        for row in rows[walks].tolist():
            name, step = table.sequences[table.sequence[row]], int(table.step[row])
            broke, last = bool(table.state[row] == failed), bool(table.last[row])
            self.add(name, step, failed=broke, last=last)

    @property
    def ended(self) -> set[str]:
        """Sequences that came to their end, with a verdict for each of their trials."""
        return {name for name in self._last if not self._failed.get(name)}

    @property
    def stopped(self) -> dict[str, int]:
        """Sequences that a failed trial stopped, and its step."""
        return {
            name: min(steps)
            for name, steps in self._failed.items()
            if steps and min(steps) > self._furthest.get(name, 0)
        }

    def missing(self, manifest: Manifest) -> int:
        """Planned plain trials and sequences that are not done."""
        return self.plain_missing(manifest) + self.open(manifest)

    def whole(self, manifest: Manifest) -> bool:
        """Whether each planned trial has a verdict, and each planned sequence is at its end."""
        return not self.missing(manifest)

    def as_summary(self, manifest: Manifest) -> SequencesReached | None:
        """The sequences as a summary has them; None for a run without any."""
        planned = manifest.sequences
        if planned is None and not self.begun:
            return None
        return SequencesReached(
            planned=planned.count if planned else len(self.begun),
            begun=len(self.begun),
            ended=len(self.ended),
            stopped=dict(sorted(self.stopped.items())),
            trials_at_least=planned.at_least if planned else None,
            trials_at_most=planned.at_most if planned else None,
        )

    def open(self, manifest: Manifest) -> int:
        """Planned sequences that are not at their end."""
        planned = manifest.sequences.count if manifest.sequences else 0
        return max(0, planned - len(self.ended))

    def plain_planned(self, manifest: Manifest) -> int:
        """Planned trials that stand in no sequence."""
        return manifest.planned - (manifest.sequences.at_least if manifest.sequences else 0)

    def plain_missing(self, manifest: Manifest) -> int:
        """Those of them without a verdict."""
        return max(0, self.plain_planned(manifest) - self.plain)
