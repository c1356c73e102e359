"""Two small things that the standard library lacks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The values of each key, both in order of appearance."""
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


@contextlib.contextmanager
def holding(variable: ContextVar[V], value: V) -> Iterator[None]:
    """Let a context variable have a value within the block, and then the one before."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
