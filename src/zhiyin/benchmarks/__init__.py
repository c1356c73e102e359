"""The benchmarks: one package each, found by name and imported only when named.

A benchmark's package says what it is and how to open it, with light imports only:

==================  =========================================================================
``NAME``            the word on the command line
``SUMMARY``         one line for ``zhiyin list``
``PAPER``           full reference; ``LICENCE`` of the data; ``BIBTEX``
``CHANCE``          chance level of the headline number, in [0, 1]
``add_options``     ``(parser)`` adds the benchmark's own flags to ``zhiyin run NAME``
``from_options``    ``(options: dict) -> Benchmark`` from parsed flags or a run's manifest
``PROTOCOLS``       tuple of `protocols.Protocol`: published ways of asking (optional)
``published``       ``() -> Reference | None``: published rows to print beside a run
``expected``        ``() -> Published``: what the published data hold (optional; a run is set
                    beside published rows only where it holds all of that)
``check``           ``(options: dict) -> CheckResult`` for ``zhiyin data check NAME`` (optional)
``before``          ``async (order)``: makes sure of what comes after the run, before the
                    first call (optional)
``after``           ``async (folder, order, watch)``: what follows a whole run (optional)
``parts``           ``(folder: Path) -> list[statistics.parts.Scored]``: the run's scores where
                    these are made of parts, once for each judge (optional)
``details``         ``(folder: Path) -> list[Section]``: what ``show`` adds for a run (optional)
``WITHOUT_SOUND``   the flag that asks without sound, for models that take none (optional)
==================  =========================================================================
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from types import ModuleType
from typing import Any, Protocol

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.record import Exchange, Strategy, Verdict
from zhiyin.trial import Trial

OWN = "questions"


class _Packages(dict[str, str]):
    """Packages by name. ``questions-FILE`` is a file of the user's own, and is `questions`."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(_family(name))

    def __missing__(self, name: str) -> str:
        return super().__getitem__(_family(name))


def _family(name: object) -> str:
    return OWN if str(name).startswith(f"{OWN}-") else str(name)


PACKAGES = _Packages(
    {
        "appraisal": "zhiyin.benchmarks.appraisal",
        "judge": "zhiyin.judges",
        "muchomusic": "zhiyin.benchmarks.muchomusic",
        "perception": "zhiyin.benchmarks.perception",
        OWN: "zhiyin.benchmarks.questions",
        "ziqi": "zhiyin.benchmarks.ziqi",
    }
)


class Benchmark(Protocol):
    """Makes trials from data and scores an exchange: nothing else."""

    name: str
    version: str
    """Raised whenever prompts, trials or scoring change so that scores may move."""

    def trials(self) -> Iterable[Trial]:
        """Every trial, in a fixed order, made as it is asked for. May be called again."""
        ...

    def __len__(self) -> int:
        """How many trials `trials` will give."""
        ...

    def strategy(self, trial: Trial) -> Strategy:
        """Who conducts the conversation of this trial."""
        ...

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """What to make of an exchange. Pure: the same arguments give the same verdict."""
        ...

    def fingerprint(self) -> str:
        """SHA-256 over the data and the prompts that the trials are made from."""
        ...

    def remarks(self) -> list[str]:
        """What the user should know of the data, a line each (flawed items, parts missing)."""
        ...


class Reference(msgspec.Struct, frozen=True):
    """Published results: for each row (a model, a group of people), groups of named figures.

    `rows` maps a row's name to a mapping from group name to figures such as
    ``{"precision": 0.6315, "recall": 0.6293, "f1": 0.6304}``, all in [0, 1]. The group names
    are those of our own runs. `kinds` names what a row is: "model", "human" or "chance".
    `in_details` says that the benchmark's own tables hold these rows for a single run. `ranges`
    are lowest and highest single scores behind a figure, by row, group and figure.
    """

    title: str
    source: str
    rows: dict[str, dict[str, dict[str, float]]]
    kinds: dict[str, str] = {}
    in_details: bool = False
    ranges: dict[str, dict[str, dict[str, tuple[float, float]]]] = {}

    def only(self, groups: Iterable[str]) -> Reference | None:
        """The rows with these groups alone; None where nothing is published for them."""
        kept = set(groups)
        rows = {
            name: told
            for name, row in self.rows.items()
            if (told := {group: figures for group, figures in row.items() if group in kept})
        }
        return msgspec.structs.replace(self, rows=rows) if rows else None


class Section(msgspec.Struct, frozen=True):
    """A table that a benchmark adds to a run's results. Cells are text, numbers or None."""

    title: str
    columns: list[str]
    rows: list[list[str | float | int | None]]
    notes: list[str] = []


class Flaw(msgspec.Struct, frozen=True):
    """One fault of published data: where it is and what is wrong."""

    kind: str
    file: str
    id: str
    detail: str


class CheckResult(msgspec.Struct, frozen=True):
    """What `zhiyin data check` found: how many items there are, and the flaws."""

    items: int
    flaws: list[Flaw]
    notes: list[str] = []


def open_package(name: str) -> ModuleType:
    """The package of the benchmark called `name`. Raises `InputError` for an unknown one."""
    if name not in PACKAGES:
        raise InputError(f"unknown benchmark {name!r}: {did_you_mean(name, PACKAGES)}")
    return importlib.import_module(PACKAGES[name])


def open_benchmark(name: str, options: dict[str, Any]) -> Benchmark:
    """The benchmark called `name`, set up with `options` (flags without their dashes)."""
    benchmark: Benchmark = open_package(name).from_options(options)
    return benchmark
