"""Seeded chance: a stream for every purpose, and orders whose every beginning is balanced."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")

_RESERVED_SHARE = 8


class Dice:
    """A random stream that depends only on the words it is made from.

    Built on `random.Random.random` alone, the one method whose sequence Python promises to
    keep from version to version.
    """

    def __init__(self, *words: str | int) -> None:
        text = "\x1f".join(map(str, words)).encode()
        self._random = random.Random(int.from_bytes(hashlib.sha256(text).digest(), "big")).random

    def unit(self) -> float:
        """A number in [0, 1)."""
        return self._random()

    def whole(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self._random() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        """True with a probability."""
        return self._random() < probability

    def choice(self, values: Sequence[T]) -> T:
        """One of the values."""
        return values[int(self._random() * len(values))]

    def weighted(self, values: Sequence[T], weights: Sequence[float]) -> T:
        """One of the values, in proportion to the weights."""
        left = self._random() * sum(weights)
        for value, weight in zip(values, weights, strict=True):
            left -= weight
            if left < 0:
                return value
        return values[-1]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """The values in a random order."""
        pool = list(values)
        for last in range(len(pool) - 1, 0, -1):
            other = int(self._random() * (last + 1))
            pool[last], pool[other] = pool[other], pool[last]
        return pool

    def sample(self, values: Sequence[T], count: int) -> list[T]:
        """`count` different ones of the values."""
        return self.shuffled(values)[:count]


def balanced(values: Sequence[T], *words: str | int) -> Iterator[T]:
    """The values without end, in shuffled rounds: in any beginning, counts differ by at most 1."""
    turn = 0
    while True:
        yield from Dice(*words, turn).shuffled(values)
        turn += 1


def crossed(rows: Sequence[A], columns: Sequence[B], *words: str | int) -> Iterator[tuple[A, B]]:
    """Pairs without end: in any beginning, rows are balanced and columns are balanced (counts
    differ by at most 1), and every round of all pairs holds each pair once.
    """
    turn = 0
    while True:
        for row, column in _round(len(rows), len(columns), (*words, turn)):
            yield rows[row], columns[column]
        turn += 1


def _round(rows: int, columns: int, words: tuple[str | int, ...]) -> list[tuple[int, int]]:
    """One round of `crossed`: drawn greedily, anew until it comes out (a few attempts)."""
    attempt = 0
    while True:
        order = _draw_round(rows, columns, Dice(*words, attempt))
        if order:
            return order
        attempt += 1


def _draw_round(rows: int, columns: int, dice: Dice) -> list[tuple[int, int]] | None:
    """Each pair once, rows and columns in shuffled rounds; None where the draw runs into a wall.

    Of the pairs allowed next, those come first whose row and column have most pairs left.
    """
    unused = {(row, column) for row in range(rows) for column in range(columns)}
    row_left, column_left = [columns] * rows, [rows] * columns
    order: list[tuple[int, int]] = []
    rows_due: list[int] = []
    columns_due: list[int] = []
    while unused:
        rows_due = rows_due or list(range(rows))
        columns_due = columns_due or list(range(columns))
        allowed = [(r, c) for r in rows_due for c in columns_due if (r, c) in unused]
        if not allowed:
            return None
        urgency = [(row_left[r] / columns + column_left[c] / rows, dice.unit()) for r, c in allowed]
        row, column = allowed[max(range(len(allowed)), key=urgency.__getitem__)]
        order.append((row, column))
        unused.remove((row, column))
        rows_due.remove(row)
        columns_due.remove(column)
        row_left[row] -= 1
        column_left[column] -= 1
    return order


def is_reserved(*content: object) -> bool:
    """Tell whether some musical content is kept for few-shot examples, and never scored.

    Decided by the content itself (one in eight, by its hash), so that no example of any seed
    can equal a scored item of any other.
    """
    digest = hashlib.sha256(repr(content).encode()).digest()
    return digest[0] % _RESERVED_SHARE == 0
