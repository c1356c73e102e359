"""Numbers of a log one after the other: growing, shown without a copy, and kept as they are."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

NONE = math.nan
"""The one NaN that is put into columns, so that it is known again."""


class Column:
    """Numbers that are added at the end. As long as all are the usual one they take no room.

    Parameters
    ----------
    kind : {"q", "I", "B", "d"}
        As in `array.array`: 8, 4 and 1 bytes, and floats.
    usual : int or float, optional
        What most columns of this name hold throughout; none by default.
    """

    def __init__(self, kind: str, usual: float | None = None) -> None:
        self._kind, self._usual, self._count = kind, usual, 0
        self._held: array[Any] | memoryview | None = array(kind) if usual is None else None
        self._shown = False

    @classmethod
    def of_kept(cls, kind: str, usual: float | None, count: int, kept: memoryview | None) -> Column:
        """A column of so many numbers that was kept: see `kept`."""
        column = cls(kind, usual)
        column._count = count
        column._held = kept if kept is not None or usual is not None else array(kind)
        return column

    def __len__(self) -> int:
        return self._count

    @property
    def kept(self) -> memoryview | None:
        """Its bytes; None where all is as usual."""
        return None if self._held is None else memoryview(self._held).cast("B")

    def append(self, value: float) -> None:
        """Add one number."""
        self.extend([value])

    def extend(self, values: Sequence[Any]) -> None:
        """Add numbers. What `view` gave before stays as it is."""
        self._count += len(values)
        if self._held is None:
            if values.count(self._usual) == len(values):
                return
            usual: Any = [self._usual]
            self._held = array(self._kind, usual) * (self._count - len(values))
        if self._shown or not isinstance(self._held, array):
            grown = array(self._kind)
            grown.frombytes(memoryview(self._held).cast("B"))
            self._held, self._shown = grown, False
        self._held.extend(values)

    def copy(self) -> Column:
        """Another one with the same numbers."""
        return Column.of_kept(self._kind, self._usual, self._count, self.kept)

    def view(self) -> NDArray[Any]:
        """All numbers so far, not to be written into."""
        dtype = np.dtype(self._kind)
        if self._held is None:
            return np.broadcast_to(np.array(self._usual, dtype), self._count)
        if not self._count:
            return np.empty(0, dtype)
        self._shown = True
        numbers = np.frombuffer(self._held, dtype)
        numbers.flags.writeable = False
        return numbers
