"""Which of a benchmark's trials are asked: all, the first ones, or items drawn at random."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from zhiyin.trial import Trial

if TYPE_CHECKING:
    from zhiyin.contract.benchmark import Benchmark


class Selection:
    """A part of a benchmark's trials, or all of them. Trials are made only as they are asked for.

    Parameters
    ----------
    benchmark : Benchmark[Any]
    limit : int, optional
        The first so many trials.
    sample : int, optional
        All trials of so many items; see `drawn`. With a limit: the trials of either.
    seed : int
        Of the draw.
    """

    def __init__(
        self,
        benchmark: Benchmark[Any],
        limit: int | None = None,
        sample: int | None = None,
        seed: int = 0,
    ) -> None:
        self.benchmark, self.seed = benchmark, seed
        # A part that leaves nothing out is no part.
        self.limit = None if limit is not None and limit >= len(benchmark) else limit
        self.sample = sample
        if sample is not None and sample >= len(self._items):
            self.limit = self.sample = None

    def __iter__(self) -> Iterator[Trial]:
        if self.sample is None:
            return itertools.islice(self.benchmark.trials(), self.limit)
        return self._either()

    def __len__(self) -> int:
        if self.sample is not None:
            return sum(1 for _ in self)
        return len(self.benchmark) if self.limit is None else self.limit

    def part(self) -> dict[str, int | None]:
        """What the manifest says of the part: ``limit``, and ``sample`` where there is one."""
        sample = {} if self.sample is None else {"sample": self.sample}
        return {"limit": self.limit, **sample}

    @cached_property
    def _items(self) -> list[str]:
        return drawn(self.benchmark.trials(), self.seed)

    def _either(self) -> Iterator[Trial]:
        chosen = set(self._items[: self.sample])
        for number, trial in enumerate(self.benchmark.trials()):
            if item_of(trial) in chosen or number < (self.limit or 0):
                yield trial


def item_of(trial: Trial) -> str:
    """What a trial asks about: its item, or itself where it names none."""
    return trial.item or trial.id


def drawn(trials: Iterable[Trial], seed: int) -> list[str]:
    """Every item, in an order whose beginnings are samples, each group in proportion.

    Items of the same groups make a stratum. Its items are shuffled and spread evenly over [0, 1)
    from a random start, and all strata are merged: of a stratum that holds the share w, the first
    n items of the order hold w n, to within about one (systematic sampling with a random start:
    Cochran 1977, Sampling Techniques, chapter 8). A larger sample holds the smaller one.

    Parameters
    ----------
    trials : iterable of Trial
    seed : int
        The same seed gives the same order, whatever the order of the trials.

    Returns
    -------
    list of str
    """
    strata: dict[tuple[str, ...], set[str]] = {}
    known: set[str] = set()
    for trial in trials:
        item = item_of(trial)
        if item not in known:
            known.add(item)
            strata.setdefault(trial.groups, set()).add(item)
    places = []
    for groups, items in strata.items():
        start = _chance(seed, "groups", *groups)
        order = sorted(items, key=lambda item: _chance(seed, "item", item))
        places += [((n + start) / len(order), item) for n, item in enumerate(order)]
    return [item for _, item in sorted(places)]


def _chance(seed: int, *words: str) -> float:
    """A number in [0, 1) that depends on nothing but seed and words."""
    told = "\0".join((str(seed), *words)).encode("utf-8", "replace")
    return int.from_bytes(blake2b(told, digest_size=7).digest()) / 2**56
