"""Benchmarks that several orders of one plan ask: opened once, their trials made once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.idioms import holding
from zhiyin.trial import Trial

_MOST_KEPT = 20_000
"""So many trials of a benchmark are kept in memory: some 40 MB."""


class _KeptTrials:
    """A benchmark's trials, made once by whoever first goes through all of them."""

    def __init__(self, make: Callable[[], Iterable[Trial]]) -> None:
        self._make = make
        self._kept: list[Trial] | None = None

    def __call__(self) -> Iterable[Trial]:
        """Return the result of `Benchmark.trials`."""
        if self._kept is not None:
            return self._kept
        every = self._make()
        return self._keeping(every) if isinstance(every, Iterable) else every

    def _keeping(self, every: Iterable[Trial]) -> Iterator[Trial]:
        trials: list[Trial] = []
        for number, trial in enumerate(every):
            if number <= _MOST_KEPT:
                trials.append(trial)
            yield trial
        if len(trials) <= _MOST_KEPT:
            self._kept = trials

    def forget(self) -> None:
        """Drop the trials: they are made again for whoever asks."""
        self._kept = None


class _Shared:
    """Benchmarks opened by the orders of one plan, with the trials of one benchmark at a time."""

    def __init__(self) -> None:
        self.opened: dict[bytes, tuple[Benchmark[Any], _KeptTrials]] = {}
        self.fingerprints: dict[int, str] = {}
        self._last: _KeptTrials | None = None

    def open(self, kind: type[Benchmark[Any]], options: Mapping[str, Any]) -> Benchmark[Any]:
        key = kind.__name__.encode() + msgspec.json.encode(options, order="sorted", enc_hook=str)
        if key not in self.opened:
            benchmark = kind.from_options(options)
            kept = _KeptTrials(benchmark.trials)
            vars(benchmark)["trials"] = kept  # the fingerprint goes through them, too
            self.opened[key] = benchmark, kept
        benchmark, kept = self.opened[key]
        if self._last not in (None, kept):
            self._last.forget()
        self._last = kept
        return benchmark


_shared: ContextVar[_Shared | None] = ContextVar("_shared", default=None)


def sharing_benchmarks() -> AbstractContextManager[None]:
    """Share benchmarks that are opened with the same options: for plans of many models."""
    return holding(_shared, _Shared())


def with_options(kind: type[Benchmark[Any]], options: Mapping[str, Any]) -> Benchmark[Any]:
    """A benchmark with these options: one for all that ask for it where benchmarks are shared."""
    shared = _shared.get()
    return kind.from_options(options) if shared is None else shared.open(kind, options)


def fingerprint_of(benchmark: Benchmark[Any]) -> str:
    """Return the fingerprint of the benchmark's data, taken once where benchmarks are shared."""
    shared = _shared.get()
    if shared is None:
        return benchmark.fingerprint()
    if id(benchmark) not in shared.fingerprints:
        shared.fingerprints[id(benchmark)] = benchmark.fingerprint()
    return shared.fingerprints[id(benchmark)]
