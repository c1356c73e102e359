"""Additions to a run by packages: parts beside benchmark and model, and further ways of asking.

A part, such as a plan or a cluster of machines, is declared under ``zhiyin.sessions``, a class by
the name of the entry point. It is loaded with the flags of ``zhiyin run``: what is heavy is
imported in its methods.

Ways of asking are made above all benchmarks, after these have made their trials. Each trial is
asked as its benchmark has it, under the same id as ever, and in further ways, which are trials of
their own: with part of its sound, in other words. Packages declare them under
``zhiyin.conditions``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

import msgspec

from zhiyin.extensions import CONDITIONS, SESSIONS, every
from zhiyin.runs.ways import Way
from zhiyin.trial import Message, Tag, Trial

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings
    from zhiyin.engine.folder import Manifest
    from zhiyin.record import Model
    from zhiyin.session.selection import Selection


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


class Condition(Protocol):
    """A way to make several trials of one.

    Attributes
    ----------
    Settings : type of msgspec.Struct
        Its flags, which are options of every benchmark. The first one leads: without it the others
        mean nothing, and what is at its default is left out of the options.
    way : Way
        Its tag is on every trial that is asked in several ways.
    fingerprint : str
        Of what it takes from a file; "" for nothing.
    """

    Settings: ClassVar[type[msgspec.Struct]]

    @property
    def way(self) -> Way: ...

    @property
    def fingerprint(self) -> str: ...

    @classmethod
    def of(cls, options: Mapping[str, Any], benchmark: str) -> Self | None:
        """Return the condition of a run with these options; None where it asks in one way.

        Raises
        ------
        InputError
            An option that cannot be followed.
        """
        ...

    def trials_of(self, trial: Trial) -> Iterator[Trial]:
        """A trial in every way; once, without the tag, where it has only one."""
        ...

    def refuse(self, name: str, *, sequences: bool, varied: bool) -> None:
        """Raise `InputError` where the trials of a benchmark cannot be asked so.

        Parameters
        ----------
        name : str
            Of the benchmark.
        sequences : bool
            Whether what it asks next depends on replies.
        varied : bool
            Whether any trial is asked in several ways.
        """
        ...


Conditions = tuple[Condition, ...]


def known_conditions() -> tuple[type[Condition], ...]:
    """All kinds of them, in the order in which they are applied."""
    return tuple(every(CONDITIONS).values())


def conditions_of(options: Mapping[str, Any], benchmark: str) -> Conditions:
    """List the conditions of a run with these options, in the order in which they are applied.

    Raises
    ------
    InputError
        An option that cannot be followed.
    """
    found = (kind.of(options, benchmark) for kind in known_conditions())
    return tuple(each for each in found if each is not None)


def vary(trials: Iterable[Trial], conditions: Conditions) -> Iterator[Trial]:
    """Each trial in all its ways, one after the other."""
    every = iter(trials)
    for condition in conditions:
        every = _varied(every, condition)
    return every


def _varied(trials: Iterator[Trial], condition: Condition) -> Iterator[Trial]:
    for trial in trials:
        yield from condition.trials_of(trial)


def asked_otherwise(
    trial: Trial, way: str, messages: Iterable[Message], tags: Mapping[str, Tag], **more: Any
) -> Trial:
    """A trial of the same item that is asked in another way, under groups of their own.

    Parameters
    ----------
    trial : Trial
    way : str
        Such as ``hear=25%``.
    messages, tags
        What is sent, and what is said of it.
    **more
        Further fields.
    """
    return msgspec.structs.replace(
        trial,
        id=f"{trial.id}/{way}",
        messages=tuple(messages),
        groups=(way, *(f"{way}/{group}" for group in trial.groups)),
        tags=tags,
        item=trial.item or trial.id,
        condition="/".join(filter(None, (trial.condition, way))),
        **more,
    )
