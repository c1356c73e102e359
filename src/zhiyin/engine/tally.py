"""Counting records: by state, and by the groups that a trial is counted under."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from zhiyin.record import STATES, State

if TYPE_CHECKING:
    pass

ALL = "all"


class Count(msgspec.Struct):
    """How many trials of a group ended in each state."""

    correct: int = 0
    wrong: int = 0
    no_answer: int = 0
    refused: int = 0
    truncated: int = 0
    error: int = 0
    ungraded: int = 0

    def add(self, state: State, times: int = 1) -> None:
        """Count one trial, or take it back with `times` = -1."""
        setattr(self, state, getattr(self, state) + times)

    @property
    def answered(self) -> int:
        """Trials from whose reply an answer could be read."""
        return self.correct + self.wrong

    @property
    def judged(self) -> int:
        """Trials that count in shares of right answers: all but errors and ungraded ones."""
        return self.answered + self.no_answer + self.refused + self.truncated

    @property
    def settled(self) -> int:
        """Trials that need not be asked again: all but errors."""
        return self.judged + self.ungraded

    def states(self) -> dict[str, int]:
        """Trials by state, in the order of `STATES`."""
        return {state: getattr(self, state) for state in STATES}


def counted_under(groups: Iterable[str]) -> tuple[str, ...]:
    """The names that a trial is counted under: "all", and each of its groups once."""
    return tuple(dict.fromkeys((ALL, *groups)))


def nested(names: list[str]) -> list[str]:
    """Names such as "a" and "a/b" in the order of a tree, siblings as they came."""
    rank = {name: number for number, name in enumerate(names)}

    def path(name: str) -> tuple[int, ...]:
        parts = name.split("/")
        prefixes = ("/".join(parts[: end + 1]) for end in range(len(parts)))
        return tuple(rank[prefix] for prefix in prefixes if prefix in rank)

    return sorted(names, key=path)
