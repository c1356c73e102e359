"""What an extraction policy is, and what it gives. Holds no rule of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from zhiyin.trial import Option


class Extraction(msgspec.Struct, frozen=True):
    """What a policy found in a reply.

    Attributes
    ----------
    letter : str or None
        The letter of the chosen option as shown, or None where no answer was given.
    why : str
        A short phrase: how the answer was found, or why there is none.
    """

    letter: str | None
    why: str


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
        ``(text, options) -> Extraction``. Pure. `options` are in the order shown.
    """

    name: str
    version: int
    summary: str
    extract: Callable[[str, Sequence[Option]], Extraction]

    @property
    def label(self) -> str:
        """Name and version, such as ``robust@1``: what a verdict remembers."""
        return f"{self.name}@{self.version}"
