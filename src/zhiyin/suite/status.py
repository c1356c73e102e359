"""How a run, a suite, or a folder of runs is going: what `zhiyin status` shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from zhiyin.analysis.progress import RunStatus, status_of_run
from zhiyin.engine.folder import MANIFEST
from zhiyin.errors import InputError
from zhiyin.numerals import duration
from zhiyin.suite.folder import RUNS, STATE, RunState, read_state


class Status(msgspec.Struct, frozen=True):
    """How far runs have come.

    Attributes
    ----------
    folder : str
    told : str
        On one line.
    runs : dict of str to RunStatus
        By name, those that have begun.
    lines : list of str
        Further lines: the slowest run and model, runs that have not begun, that are left out.
    answered, planned, failed : int
        Trials of the runs that have begun.
    usd : float or None
    """

    folder: str
    told: str
    runs: dict[str, RunStatus]
    lines: list[str]
    answered: int
    planned: int
    failed: int
    usd: float | None


def status_of(folder: Path) -> Status:
    """How far a run, a suite or the runs in a folder have come.

    Raises
    ------
    InputError
        There is no run in it.
    """
    if (folder / MANIFEST).is_file():
        return _status(folder, {folder.name or str(folder): status_of_run(folder)}, [])
    if (folder / STATE).is_file():
        state = read_state(folder)
        begun = {run.name: run for run in state.runs}
        places = [folder / RUNS / name for name in begun]
        there, damaged = _readable(place for place in places if (place / MANIFEST).is_file())
        runs = {name: _of_suite(begun[name], run) for name, run in there.items()}
        lines = [*damaged.values(), *_not_there(state.runs, [*runs, *damaged])]
        return _status(folder, runs, lines, len(state.runs))
    folders = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    if not folders:
        raise InputError(f"{folder}: no run and no suite in it: give the folder that holds one")
    runs, damaged = _readable(folders)
    if not runs:
        raise InputError(next(iter(damaged.values())))
    return _status(folder, runs, [*damaged.values()], len(folders))


def _readable(folders: Iterable[Path]) -> tuple[dict[str, RunStatus], dict[str, str]]:
    """How far runs are, by name; and of those that cannot be read, why."""
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


def _not_there(states: list[RunState], runs: Collection[str]) -> Iterator[str]:
    waiting = [run.name for run in states if run.name not in runs and run.state == "planned"]
    if waiting:
        more = f" and {len(waiting) - 3} more" if len(waiting) > 3 else ""
        yield f"not begun: {', '.join(waiting[:3])}{more}"
    others: dict[tuple[str, str], list[str]] = {}
    for run in states:
        if run.name not in runs and run.state != "planned":
            others.setdefault((run.state, run.told), []).append(run.name)
    for (state, why), names in others.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield f"{'left out' if state == 'missing' else state}: {names[0]}{more}: {why}"


def _status(folder: Path, runs: dict[str, RunStatus], lines: list[str], of: int = 0) -> Status:
    every = [*runs.values()]
    answered, planned = sum(r.answered for r in every), sum(r.planned for r in every)
    failed = sum(run.failed for run in every)
    prices = [run.usd for run in every if run.usd is not None]
    usd = sum(prices) if prices else None
    done = sum(run.now == "done" for run in every)
    summary = f"{done} of {of or len(runs)} runs done, {answered:,} of {planned:,} trials"
    summary += f", {failed:,} failed" if failed else ""
    summary += "" if usd is None else f", {usd:.3g} usd"
    return Status(
        str(folder), summary, runs, [*_slowest(runs), *lines], answered, planned, failed, usd
    )


def _slowest(runs: Mapping[str, RunStatus]) -> Iterator[str]:
    """The run that takes longest, and the model whose replies do."""
    going_on = {name: run for name, run in runs.items() if run.now == "going" and run.left_s}
    if going_on:
        name = max(going_on, key=lambda each: going_on[each].left_s or 0.0)
        yield f"the longest to go: {name}, {duration(going_on[name].left_s or 0.0)}"
    waits = {run.model: run.latency_s for run in runs.values() if run.latency_s}
    if waits:
        model = max(waits, key=lambda each: waits[each] or (0.0, 0.0))
        middle, most = waits[model] or (0.0, 0.0)
        slow = "the slowest model" if len(waits) > 1 else "a reply of"
        yield f"{slow} {model}: {middle:.3g} s in the middle, {most:.3g} s for the slowest 5 %"
    servers = [(wait, name, count) for run in runs.values()
               for name, (count, wait) in run.servers.items()]  # fmt: skip
    if len(servers) > 1:
        wait, name, count = max(servers)
        yield f"the slowest server {name}: {wait:.3g} s in the middle, {count:,} replies"
