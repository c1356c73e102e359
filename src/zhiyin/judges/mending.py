"""JSON with faults, mended by json-repair within bounds: its time grows with the square at least
of some texts, and a reply must not stop the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, SupportsIndex

LOOKS = 200_000
"""How many characters json-repair may look at for one reply, repeats counted: well under a second.
Ordinary faults take about 5 looks a character."""


class Tangled(Exception):  # noqa: N818 - it is a finding about a text
    """Mending a text would take too long."""


class Patience:
    """How many looks are left."""

    def __init__(self, looks: int = LOOKS) -> None:
        self.left = looks

    def spend(self, looks: int) -> None:
        """Take some away. Raises `Tangled` where there are no more."""
        self.left -= looks
        if self.left < 0:
            raise Tangled


class _Watched(str):
    """A text that counts how often it is looked at, and what is cut from it likewise."""

    __slots__ = ("patience",)
    patience: Patience

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        part = str.__getitem__(self, key)
        self.patience.spend(1 + len(part))
        return watched(part, self.patience) if isinstance(key, slice) else part

    def __iter__(self) -> Iterator[str]:
        self.patience.spend(len(self))
        return str.__iter__(self)

    def __add__(self, other: str) -> str:
        self.patience.spend(len(self))
        return watched(str.__add__(self, other), self.patience)

    def __radd__(self, other: str) -> str:
        return watched(other, self.patience) + str(self)


def watched(text: str, patience: Patience) -> str:
    """`text`, every look at which costs patience."""
    counting = _Watched(text)
    counting.patience = patience
    return counting


def mended(text: str, patience: Patience) -> Any:
    """What a text with faults means as JSON; None where json-repair makes nothing of it.

    Raises
    ------
    Tangled
        The patience is at its end.
    """
    import json_repair

    try:
        return json_repair.loads(watched(text, patience))
    except Tangled:
        raise
    except Exception:  # it meets some faults with an AssertionError, some with a RecursionError
        return None
