"""What a reading policy is. Holds no rule of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from zhiyin.reader.reading import Reading
from zhiyin.trial import Option


class Policy(msgspec.Struct, frozen=True):
    """A named, versioned way of reading an answer out of a reply.

    Attributes
    ----------
    name : str
        The word on the command line.
    version : int
        Raised whenever any reply would be read differently.
    summary : str
        One line for listings.
    extract : callable
        ``(text, options) -> Reading``. Pure. `options` are in the order shown.
    """

    name: str
    version: int
    summary: str
    extract: Callable[[str, Sequence[Option]], Reading]

    @property
    def label(self) -> str:
        """Name and version, such as ``robust@4``: what a verdict remembers."""
        return f"{self.name}@{self.version}"
