"""Status of a suite: how far its runs have come, as its page and `zhiyin status` say it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

import msgspec

from zhiyin.engine.folder import MANIFEST
from zhiyin.errors import InputError
from zhiyin.plugins.lab.run_status import RunStatus, status_of_run
from zhiyin.plugins.lab.suite.folder import LEFT_OUT, RUNS, STATE, RunState, read_state
from zhiyin.words import Said, Text, said
from zhiyin.words.reasons import reason


class Status(msgspec.Struct, frozen=True):
    """Progress of runs.

    Attributes
    ----------
    folder : str
    told : Text
        On one line.
    runs : dict of str to RunStatus
        By name, those that have begun.
    lines : list of Text
        Further lines: the slowest run and model, runs that have not begun, that are left out.
    answered, planned, failed : int
        Trials of all runs that are to be asked.
    usd : float or None
    """

    folder: str
    told: Text
    runs: dict[str, RunStatus]
    lines: list[Text]
    answered: int
    planned: int
    failed: int
    usd: float | None

    def in_english(self) -> Self:
        """The same in English words, for files."""
        return msgspec.structs.replace(self, told=str(self.told), lines=[*map(str, self.lines)])


def status_of(folder: Path) -> Status:
    """Return how far a run, a suite or the runs in a folder have come.

    Raises
    ------
    InputError
        There is no run in it.
    """
    if (folder / MANIFEST).is_file():
        return _status(folder, {folder.name or str(folder): status_of_run(folder)}, [], 1)
    if (folder / STATE).is_file():
        state = read_state(folder)
        asked = [run for run in state.runs if run.state not in LEFT_OUT]
        begun = {run.name: run for run in asked}
        places = [folder / RUNS / name for name in begun]
        there, damaged = _readable(place for place in places if (place / MANIFEST).is_file())
        runs = {name: _of_suite(begun[name], run) for name, run in there.items()}
        lines: list[Text] = [*damaged.values(), *_not_there(state.runs, [*runs, *damaged])]
        waiting = sum(run.trials for run in asked if run.name not in runs)
        return _status(folder, runs, lines, len(asked), waiting)
    folders = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    if not folders:
        raise InputError(said("status-none", folder=folder))
    runs, damaged = _readable(folders)
    if not runs:
        raise InputError(next(iter(damaged.values())))
    return _status(folder, runs, [*damaged.values()], len(folders))


def _readable(folders: Iterable[Path]) -> tuple[dict[str, RunStatus], dict[str, str]]:
    """Return the progress of runs, by name; and of those that cannot be read, why."""
    runs: dict[str, RunStatus] = {}
    damaged: dict[str, str] = {}
    for folder in folders:
        try:
            runs[folder.name] = status_of_run(folder)
        except InputError as error:
            damaged[folder.name] = str(error)
    return runs, damaged


def suites_and_runs(folder: Path) -> list[Path]:
    """The folder, and in the place of one that holds suites, each of these."""
    if any((folder / name).is_file() for name in (MANIFEST, STATE)):
        return [folder]
    suites = sorted(path.parent for path in folder.glob(f"*/{STATE}"))
    holds_runs = any(folder.glob(f"*/{MANIFEST}"))
    return suites if suites and not holds_runs else [folder, *suites]


def _of_suite(state: RunState, run: RunStatus) -> RunStatus:
    """A run as its suite has it: whole trials may still lack the judge that was asked for."""
    if run.now == "done" and state.state in ("failed", "stopped"):
        return msgspec.structs.replace(run, now=state.state, why=state.told)
    return run


def _not_there(states: list[RunState], runs: Collection[str]) -> Iterator[Said]:
    waiting = [run.name for run in states if run.name not in runs and run.state == "planned"]
    if waiting:
        yield said("status-waiting", names=waiting[:3], more=max(0, len(waiting) - 3))
    others: dict[tuple[str, str], list[str]] = {}
    for run in states:
        if run.name not in runs and run.state != "planned":
            others.setdefault((run.state, run.told), []).append(run.name)
    for (state, why), names in others.items():
        yield said("status-left", state=state, name=names[0], more=len(names) - 1, why=reason(why))


def _status(
    folder: Path, runs: dict[str, RunStatus], lines: Sequence[Text], of: int, waiting: int = 0
) -> Status:
    """Sum up runs, and the trials that wait in runs that have not begun."""
    every = [*runs.values()]
    answered, planned = sum(r.answered for r in every), waiting + sum(r.planned for r in every)
    failed = sum(run.failed for run in every)
    prices = [run.usd for run in every if run.usd is not None]
    usd = sum(prices) if prices else None
    done = sum(run.now == "done" for run in every)
    summary = said(
        "status-summary", done=done, of=of, answered=answered, planned=planned,
        failed=failed, usd=None if usd is None else f"{usd:.3g}",
    )  # fmt: skip
    return Status(
        str(folder), summary, runs, [*_slowest(runs), *lines], answered, planned, failed, usd
    )


def _slowest(runs: Mapping[str, RunStatus]) -> Iterator[Said]:
    """The run that takes longest, and the model whose replies do."""
    going_on = {name: run for name, run in runs.items() if run.now == "going" and run.left_s}
    if going_on:
        name = max(going_on, key=lambda each: going_on[each].left_s or 0.0)
        yield said("status-longest", name=name, left=going_on[name].left_s or 0.0)
    waits = {run.model: run.latency_s for run in runs.values() if run.latency_s}
    if waits:
        model = max(waits, key=lambda each: waits[each] or (0.0, 0.0))
        middle, most = waits[model] or (0.0, 0.0)
        yield said(
            "status-slow", many=len(waits) > 1, model=model, middle=f"{middle:.3g}",
            most=f"{most:.3g}",
        )  # fmt: skip
    servers = [(wait, name, count) for run in runs.values()
               for name, (count, wait) in run.servers.items()]  # fmt: skip
    if len(servers) > 1:
        wait, name, count = max(servers)
        yield said("status-server", name=name, wait=f"{wait:.3g}", n=count)
