"""Ways of asking that are made above all benchmarks: after these have made their trials.

Each trial is asked as its benchmark has it, under the same id as ever, and in further ways, which
are trials of their own: with part of its sound (`doses`), in other words (`wordings`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from zhiyin.plugins.making.wordings import Rewording
from zhiyin.plugins.methods.doses import Dosing
from zhiyin.runs.ways import Way
from zhiyin.trial import Trial


class Variation(Protocol):
    """What makes several trials of one.

    Attributes
    ----------
    way : Way
        Its tag is on every trial that is asked in several ways.
    fingerprint : str
        Of what it takes from a file; "" for nothing.
    """

    @property
    def way(self) -> Way: ...

    @property
    def fingerprint(self) -> str: ...

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


Variations = tuple[Variation, ...]


def variations_of(options: Mapping[str, Any], benchmark: str) -> Variations:
    """Those of a run with these options, in the order in which they are applied.

    Raises
    ------
    InputError
        A dose, a place or a file of wordings that is none.
    """
    found = Dosing.of(options), Rewording.of(options, benchmark)
    return tuple(each for each in found if each is not None)


def vary(trials: Iterable[Trial], variations: Variations) -> Iterator[Trial]:
    """Each trial in all its ways, one after the other."""
    every = iter(trials)
    for variation in variations:
        every = _varied(every, variation)
    return every


def _varied(trials: Iterator[Trial], variation: Variation) -> Iterator[Trial]:
    for trial in trials:
        yield from variation.trials_of(trial)
