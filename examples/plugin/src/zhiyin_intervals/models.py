"""A model that counts semitones, and a judge."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zhiyin.errors import InputError
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Message, Trial
from zhiyin_intervals.benchmark import NOTES

_PAIR = re.compile(r"from (\S+) to the next (\S+)\?")


class Counter:
    """Counts semitones; counter:N errs on the first N pitch classes.

    Parameters
    ----------
    spec : str
        What follows ``counter:``.
    """

    concurrency = 4

    def __init__(self, spec: str = "") -> None:
        if spec and not spec.isdecimal():
            raise InputError(f"counter:{spec}: write counter, or counter:N with a whole number")
        self.name = f"counter:{spec}" if spec else "counter"
        self._errs = int(spec or 0)

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """Count upwards from the first note to the second."""
        asked = _PAIR.search(messages[-1].text)
        if asked is None:
            return Reply("I count semitones only.")
        low, high = map(_place, asked.groups())
        error = 1 if low < self._errs else 0
        return Reply(f"From {asked[1]} to {asked[2]}: {(high - low) % 12 + error} semitones")


def _place(note: str) -> int:
    return NOTES.index(note) if note in NOTES else NOTES.index(note[0]) - 1


class Strict:
    """Finds nothing right."""

    name = "strict"

    async def generate(self, messages: Sequence[Message], sampling: Sampling, trial: Trial) -> str:
        """Name the same failure for whatever is asked."""
        return '{"mode": "other", "quote": "semitones", "reason": "strict finds nothing right"}'
