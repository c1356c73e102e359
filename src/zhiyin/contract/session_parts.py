"""Parts of a run beside benchmark and model, such as a plan or a cluster of machines.

Packages declare it under ``zhiyin.sessions``, a class by the name of the entry point. It is loaded
with the flags of ``zhiyin run``: what is heavy is imported in its methods.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

from zhiyin.extensions import SESSIONS, every

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings
    from zhiyin.engine.folder import Manifest
    from zhiyin.record import Model
    from zhiyin.session.selection import Selection
    from zhiyin.trial import Trial


class SessionPart:
    """One of them. A subclass writes the methods that it needs: here they do nothing.

    Parameters
    ----------
    settings : msgspec.Struct, optional
        What was chosen of `Settings`.

    Attributes
    ----------
    name : str
        That of its entry point, which gives it. Parts take their turns in the order of their names.
    Settings : type of msgspec.Struct or None
        Its flags. The first one leads: it has no default, and without it the part is not there.
    title : str
        Of the group in which help lists the flags; "" for none.
    untold : frozenset of str
        Options of benchmarks that no command tells, since its own flags stand for them.
    rehearses : bool
        Whether it takes part also where a run is estimated, and nothing is asked.
    at_random : bool
        Whether trials are asked in an order at random; see `Selection`.
    files : tuple of str
        What it writes into a run's folder: it stands in the list of sums, and a run that is
        scored again keeps it.
    """

    name: ClassVar[str]
    Settings: ClassVar[type[msgspec.Struct] | None] = None
    title: ClassVar[str] = ""
    untold: ClassVar[frozenset[str]] = frozenset()
    rehearses: ClassVar[bool] = True
    files: ClassVar[tuple[str, ...]] = ()
    at_random: bool = False

    def __init__(self, settings: Any = None) -> None:
        self.settings = settings

    @classmethod
    def of(cls, order: RunSettings) -> Self | None:
        """Return the part that an order asks for; None where it has none."""
        settings = order.added.get(cls.name)
        return None if settings is None else cls(settings)

    @classmethod
    def restore(cls, manifest: Manifest, folder: Path | None) -> msgspec.Struct | None:
        """Its settings in a run, which lies in a folder where that is known; None for none."""
        return None

    @classmethod
    def verify(cls, folder: Path, manifest: Manifest) -> None:
        """Raise `InputError` where a run's folder does not hold what its manifest says."""

    def refuse(self, order: RunSettings) -> None:
        """Raise `InputError` where an order has settings that do not go with it."""

    def prepare(self, order: RunSettings) -> RunSettings:
        """Complete an order before the benchmark is opened. Raises `InputError`."""
        return order

    def open(self, order: RunSettings) -> Model | None:
        """Open the model that an order names; None leaves that to the session."""
        return None

    def wrap(self, model: Model) -> Model:
        """Put something between the session and its model, which is open already."""
        return model

    def describe(self, manifest: Manifest) -> None:
        """Add what makes the run another one. Raises `InputError` for a run that may not be."""

    def around(self, order: RunSettings) -> contextlib.AbstractContextManager[None]:
        """Return a context that is open while the session goes on."""
        return contextlib.nullcontext()

    def begin(self, order: RunSettings, selection: Selection, folder: Path) -> None:
        """Take note of the folder, which nobody else writes to now, before anything is asked."""

    def trials(self) -> Iterable[Trial] | None:
        """The trials to ask, where they are not simply those selected."""
        return None

    def end(self, manifest: Manifest, trials: int) -> None:
        """Take note of the end of the session, after which so many trials are there."""


@cache
def session_parts() -> dict[str, type[SessionPart]]:
    """All kinds of them, by name."""
    found = {}
    for name, kind in every(SESSIONS).items():
        if isinstance(kind, type) and issubclass(kind, SessionPart):
            kind.name, found[name] = name, kind
    return found


def parts_of(order: RunSettings) -> list[SessionPart]:
    """List the parts that take part in an order."""
    found = (kind.of(order) for kind in session_parts().values())
    return [part for part in found if part is not None]
