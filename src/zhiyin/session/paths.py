"""Whether sequences would have gone the way they went, had their verdicts been others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zhiyin.contract.benchmark import Benchmark
from zhiyin.engine.sequences import Past, SequenceError, Walk
from zhiyin.errors import InputError
from zhiyin.record import Record, Verdict
from zhiyin.sequence import Sequence


class Paths:
    """The sequences of a run that is scored again.

    Parameters
    ----------
    benchmark : Benchmark
        As it scores now.
    log : Path
        Of the run as it was scored before.
    """

    def __init__(self, benchmark: Benchmark[Any], log: Path) -> None:
        self._benchmark, self._log = benchmark, log
        self._verdicts: dict[str, dict[str, Verdict]] = {}
        self._changed: set[str] = set()

    def add(self, record: Record, *, differs: bool) -> None:
        """Take in a record as it is scored now; `differs`: its verdict was another."""
        name = record.trial.sequence
        if name:
            self._verdicts.setdefault(name, {})[record.id] = record.verdict
            if differs:
                self._changed.add(name)

    def remarks(self) -> list[str]:
        """A line where some sequences would have gone on otherwise, or where that is not known."""
        if not self._changed:
            return []
        of = f"{len(self._verdicts):,} sequences"
        try:
            known = {sequence.id: sequence for sequence in self._benchmark.sequences()}
            past = Past(self._log)
            moved = sum(not self._same(known[name], past) for name in self._changed)
        except Exception:  # the class or its data are not here
            return [
                f"verdicts differ in {len(self._changed):,} of {of}: whether they would have gone "
                "on with the same trials cannot be told without the benchmark and its data"
            ]
        if not moved:
            return []
        return [
            f"by these verdicts {moved:,} of {of} would have gone another way: these are the "
            "trials that were asked by the verdicts of then, and not those that would have been"
        ]

    def _same(self, sequence: Sequence, past: Past) -> bool:
        """Whether a sequence asks the trials that it was asked, by the verdicts of now."""
        records = past.records(sequence.id)
        for record in records.values():
            record.verdict = self._verdicts[sequence.id][record.id]
        walk = Walk(sequence)
        try:
            walk.replay(records)
        except (InputError, SequenceError):
            return False
        return walk.ended == any(record.last for record in records.values())
