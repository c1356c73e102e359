"""Pictures of what stands in the words of a trial: what a plug-in draws, and where it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from zhiyin import extensions
from zhiyin.errors import InputError
from zhiyin.trial import Trial
from zhiyin.words import Said

Progress = Callable[[int, int], None]
"""Is given how many of how many are done."""


def silent(done: int, of: int) -> None:
    """Tell nothing."""


class Engravings:
    """Names what can be drawn of trials, and draws it. This one draws nothing.

    A plug-in's is a subclass, declared in the group ``zhiyin.engravings``.

    Parameters
    ----------
    cache : Path
        A folder that is kept between reports.
    wanted : bool
        Whether anything is drawn at all.
    progress : callable
        Is told how far `finish` has come.

    Attributes
    ----------
    available : bool
        Whether what it draws with is installed.
    tunes : mapping
        What has been named, by name.
    """

    available = True
    tunes: Mapping[str, Any]

    def __init__(self, cache: Path, *, wanted: bool = True, progress: Progress = silent) -> None:
        self.tunes = {}

    def named(self, trial: Trial) -> list[tuple[str, str]]:
        """Labels and names of what can be drawn of a trial."""
        return []

    def start(self) -> None:
        """Draw in the background all that is named from now on."""

    def finish(self) -> None:
        """Wait until all that was named is drawn."""

    def stop(self) -> None:
        """Leave what is not drawn yet."""

    def engraving(self, name: str) -> bytes | None:
        """The SVG of what was named, drawn now if need be; None where it cannot be.

        Raises
        ------
        InputError
            Nothing has that name.
        """
        raise InputError(f"{name!r} is no tune of these runs: take one that a trial names")

    def drawn(self) -> Iterator[tuple[str, bytes, str]]:
        """Yield each drawing's name, its SVG, and the notes in it ("onset,length,pitch;…")."""
        return iter(())

    def told(self, drawn: int) -> list[Said]:
        """Return notes where not all could be drawn."""
        return []


def open_engravings(cache: Path, *, wanted: bool = True, progress: Progress = silent) -> Engravings:
    """Open the engravings of the plug-in that draws; without one, those that draw nothing."""
    kinds = [*extensions.every(extensions.ENGRAVINGS).values()]
    made: Engravings = (kinds[0] if kinds else Engravings)(cache, wanted=wanted, progress=progress)
    return made
