"""The folder of a suite: its file, what became of each run, and the runs themselves.

::

    SUITE/suite.toml       the file as it was given last
    SUITE/suite-HASH.toml  every file that was given, by the beginning of its hash
    SUITE/suite.json       the flags of the command line, and the state of each run
    SUITE/runs/NAME        a run folder each
    SUITE/aside/NAME       runs that are no longer part of the suite
    SUITE/report, SUITE/leaderboard, SUITE/index.html, SUITE/card.json
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal

import msgspec

from zhiyin.contract.registry import is_followed
from zhiyin.cost.budget import Budget, BudgetAccount
from zhiyin.cost.ledger import account_of
from zhiyin.engine.folder import MANIFEST, RECORDS, read_manifest
from zhiyin.engine.merging import Merged, merge, refuse_taken
from zhiyin.errors import InputError, TakenError, reworded, system_words
from zhiyin.files import NOT_JSON, UNFINISHED, read_regular, refuse_pipes, write_atomically
from zhiyin.numerals import now
from zhiyin.plugins.lab.run_status import RunProgress
from zhiyin.plugins.lab.suite.file import Suite, SuiteCell
from zhiyin.words import said

STATE, FILE, RUNS, ASIDE = "suite.json", "suite.toml", "runs", "aside"
_LOCK = ".lock"
_FORMAT = 1

LeftOut = Literal["missing", "unfit"]
"""A run that is left out: its data are not here, or its model cannot take what is asked."""
LEFT_OUT: frozenset[str] = frozenset(("missing", "unfit"))
OVER: frozenset[str] = LEFT_OUT | {"done"}
"""The states of runs of which nothing is left to ask."""


class RunState(SuiteCell, frozen=False):  # type: ignore[misc]
    """A run of a suite: a cell with its state, in `told` the reason for it, its planned trials.

    `refused`: whether no call could be made: no server, a name or key that it refuses.
    """

    state: RunProgress | LeftOut = "planned"
    told: str = ""
    trials: int = 0
    refused: bool = False

    @property
    def cell(self) -> SuiteCell:
        """The run as the file describes it."""
        return SuiteCell(*(getattr(self, name) for name in SuiteCell.__struct_fields__))

    def is_of(self, cell: SuiteCell) -> bool:
        """Tell whether a cell is this run, asked in the same way."""
        return self.cell == cell.written


class Given(msgspec.Struct, frozen=True):
    """A suite's file as it was given: its hash, the flags of the command line, since when."""

    sha256: str
    given: list[str]
    since: str
    file: str


class SuiteState(msgspec.Struct):
    """A suite, and how far it has come; `shard`: "3/16" where only a share of it is asked."""

    name: str
    about: str
    files: list[Given]
    runs: list[RunState]
    ended: str = ""
    shard: str = ""
    format: int = _FORMAT

    @property
    def now(self) -> Given:
        """The file as it was given last."""
        return self.files[-1]


def read_state(folder: Path) -> SuiteState:
    """The state of the suite in a folder. Raises `InputError` where it is none, or is damaged."""
    path = folder / STATE
    refuse_pipes(folder)
    try:
        return msgspec.json.decode(read_regular(path), type=SuiteState)
    except FileNotFoundError:
        raise InputError(said("folder-no-suite", folder=folder, file=STATE)) from None
    except OSError as error:
        raise InputError(said("folder-unread", path=path, why=system_words(error))) from None
    except NOT_JSON as error:
        raise InputError(said("suite-damaged", path=path, why=str(error))) from None


def answered(folder: Path, state: SuiteState) -> dict[Path, RunState]:
    """Return the runs of a suite that have answers, by their folders."""
    there: dict[Path, RunState] = {}
    for run in state.runs:
        place = folder / RUNS / run.name
        with contextlib.suppress(OSError):
            if (place / MANIFEST).is_file() and (place / RECORDS).stat().st_size:
                there[place] = run
    return there


def gone(places: Sequence[Path]) -> list[Path]:
    """Return the runs that suites among some folders say to be done, and that are not there."""
    suites = [place for place in places if is_suite(place)]
    done = [place / RUNS / run.name for place in suites
            for run in read_state(place).runs if run.state == "done"]  # fmt: skip
    return [run for run in done if not (run / MANIFEST).is_file()]


def named_runs(folder: Path, state: SuiteState) -> dict[Path, str]:
    """Return the same, and what the suite calls the benchmark of each."""
    return {place: run.benchmark for place, run in answered(folder, state).items()}


def write_state(folder: Path, state: SuiteState | None) -> None:
    """Write the state of a suite into its folder. Raises `OSError`."""
    content = msgspec.json.format(msgspec.json.encode(state), indent=2) + b"\n"
    write_atomically(folder / STATE, content, synced=True)


def _is_leftover(path: Path) -> bool:
    """Tell whether a file is left by a suite that broke off before its state was written."""
    if path.name == _LOCK or path.name.startswith(UNFINISHED):
        return True
    digest = path.name.removeprefix("suite-").removesuffix(".toml")
    return path.is_file() and path.name == f"suite-{digest}.toml" and (
        hashlib.sha256(path.read_bytes()).hexdigest()[:8] == digest
    )  # fmt: skip


class SuiteFolder:
    """A suite's folder opened for writing. Use as a context manager.

    Parameters
    ----------
    folder : Path
        Made if it is not there, gone on with if it holds a suite.

    Attributes
    ----------
    before : SuiteState or None
        The state when it was opened.

    Raises
    ------
    InputError
        It holds something else, is being written by another process, or cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state: SuiteState | None = None
        self._descriptor = -1
        if folder.exists() and not folder.is_dir():
            raise InputError(said("folder-file", folder=folder))
        begun = not folder.is_dir() or (folder / STATE).exists()
        if not begun and (
            there := [path.name for path in folder.iterdir() if not _is_leftover(path)]
        ):
            raise InputError(said("folder-other", folder=folder, there=min(there)))
        self.before = read_state(folder) if (folder / STATE).exists() else None

    def run(self, name: str) -> Path:
        """Return the folder of a run."""
        return self.folder / RUNS / name

    @property
    def runs(self) -> Path:
        """Folder of the runs."""
        return self.folder / RUNS

    def others(self) -> Iterator[Path]:
        """Run folders here that the suite may take back: aside, or of another name before."""
        for part in (ASIDE, RUNS):
            if (self.folder / part).is_dir():
                yield from (
                    path
                    for path in sorted((self.folder / part).iterdir())
                    if (path / MANIFEST).is_file()
                )

    def account(self, budget: Budget) -> BudgetAccount | None:
        """Return the account of what the suite's runs may cost, with all runs' cost by now.

        None where nothing is bounded. Raises `InputError` as `remember_runs`.
        """
        return account_of(budget, "the suite's budget", self.folder / RUNS, self.folder / ASIDE)

    def set_aside(self, name: str) -> Path | None:
        """Put a run away, so that no table has it and nothing of it is lost."""
        place = self.run(name)
        if not place.exists():
            return None
        target, number = self.folder / ASIDE / name, 1
        while target.exists():
            number += 1
            target = self.folder / ASIDE / f"{name}-{number}"
        target.parent.mkdir(parents=True, exist_ok=True)
        return place.rename(target)

    def refuse_other_shard(self, shard: str) -> None:
        """Raise `InputError` where the folder holds another share of the suite than `shard`."""
        own = self.before.shard if self.before else shard
        if own != shard:
            facts = {"folder": self.folder, "before": own or None, "now": shard or None}
            raise InputError(said("folder-other-shard", **facts))

    def begin(self, suite: Suite, shard: str = "") -> SuiteState:
        """Keep the suite's file, and what is to be run; `shard`: of which only a share is asked."""
        known = {run.name: run for run in self.before.runs} if self.before else {}
        runs = []
        for cell in suite.cells:
            told = cell.written
            fields = {name: getattr(told, name) for name in SuiteCell.__struct_fields__}
            run, earlier = RunState(**fields), known.get(cell.name)
            if earlier and earlier.is_of(cell):
                run.state, run.told, run.trials = earlier.state, earlier.told, earlier.trials
            runs.append(run)
        files = list(self.before.files) if self.before else []
        # Each file under its hash, so that none is lost whenever this is broken off.
        kept = f"suite-{suite.sha256[:8]}.toml"
        if not files or (files[-1].sha256, files[-1].given) != (suite.sha256, suite.given):
            files.append(Given(suite.sha256, suite.given, now(), kept))
        # What was broken off before the state stands is known by its name and contents.
        write_atomically(self.folder / kept, suite.text.encode())
        self.state = SuiteState(suite.name, suite.contents.about, files, runs, shard=shard)
        self.write()
        write_atomically(self.folder / FILE, suite.text.encode())
        return self.state

    def write(self) -> None:
        """Write down how far the suite has come."""
        with reworded(said("error-not-written", path=self.folder / STATE, why="")):
            write_state(self.folder, self.state)

    def __enter__(self) -> SuiteFolder:
        refuse_pipes(self.folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(
                self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644
            )
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise TakenError(said("folder-taken", folder=self.folder)) from None
        except OSError as error:
            facts = {"folder": self.folder, "why": system_words(error)}
            raise InputError(said("folder-unwritten", **facts)) from None
        # Another process may have written to it before this one had the lock.
        self.before = read_state(self.folder) if (self.folder / STATE).exists() else None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        os.close(self._descriptor)


def is_suite(folder: Path) -> bool:
    """Tell whether a folder holds a suite."""
    return (folder / STATE).is_file()


def merge_suites(folders: Sequence[Path], out: Path) -> list[Merged]:
    """Merge every run of a suite from its shards, all of them or none.

    The suite's own command goes on with the result: it asks what failed, and writes the report.

    Parameters
    ----------
    folders : sequence of Path
        Folders of ``zhiyin suite --shard``.
    out : Path
        The suite's folder to write; not there yet, or empty.

    Raises
    ------
    InputError
        They are not all the shards of one suite, or not done; the line says what differs.
    """
    states = [read_state(folder) for folder in folders]
    refuse_taken(out)
    _refuse_others(folders, states)
    unfinished = out.parent / f"{UNFINISHED}{out.name}"
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        (unfinished / RUNS).mkdir(parents=True)
        merged, runs = [], []
        for number, run in enumerate(states[0].runs):
            each = [state.runs[number] for state in states]
            if all(one.state in ("missing", "unfit") for one in each):
                runs.append(run)
                continue
            parts = [folder / RUNS / run.name for folder in folders]
            whole_run = merge(parts, unfinished / RUNS / run.name)
            runs.append(_merged(run, each, is_followed(read_manifest(whole_run.folder))))
            merged.append(msgspec.structs.replace(whole_run, folder=out / RUNS / run.name))
        for path in folders[0].glob("suite*.toml"):
            shutil.copyfile(path, unfinished / path.name)
        whole = msgspec.structs.replace(states[0], runs=runs, ended="", shard="")
        write_state(unfinished, whole)
        unfinished.replace(out)
    except OSError as error:
        raise InputError(said("folder-unwritten", folder=out, why=system_words(error))) from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return merged


def _merged(run: RunState, each: Sequence[RunState], followed: bool) -> RunState:
    """Return a merged run's state: done where every shard is, and nothing follows, as a judge."""
    if not followed and all(one.state == "done" for one in each):
        return run
    return msgspec.structs.replace(run, state="planned", told="")


def _refuse_others(folders: Sequence[Path], states: Sequence[SuiteState]) -> None:
    first = states[0]
    for folder, state in zip(folders, states, strict=True):
        if not state.shard:
            raise InputError(said("suite-no-shard", folder=folder))
        same = (state.now.sha256, state.now.given) == (first.now.sha256, first.now.given)
        if not same or [run.cell for run in state.runs] != [run.cell for run in first.runs]:
            raise InputError(said("suite-shards", first=folders[0], folder=folder, file=FILE))
    shards = [state.shard for state in states]
    for folder, shard in zip(folders, shards, strict=True):
        if shards.count(shard) > 1:
            raise InputError(said("folder-shard-twice", folder=folder, shard=shard))
    of = first.shard.partition("/")[2]
    if missing := [f"{n}/{of}" for n in range(1, int(of) + 1) if f"{n}/{of}" not in shards]:
        raise InputError(said("folder-shards-missing", shards=missing))
