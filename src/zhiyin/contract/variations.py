"""Ways of asking that are made above all benchmarks: after these have made their trials.

Each trial is asked as its benchmark has it, under the same id as ever, and in further ways, which
are trials of their own: with part of its sound, in other words. Packages declare them under
``zhiyin.conditions``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Protocol, Self

import msgspec

from zhiyin.extensions import CONDITIONS, every
from zhiyin.runs.ways import Way
from zhiyin.trial import Message, Tag, Trial


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
