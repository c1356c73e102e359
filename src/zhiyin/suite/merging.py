"""All shards of a suite (`zhiyin suite --shard I/N`) become one suite."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from zhiyin.contract.registry import is_followed
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.merging import Merged, merge, refuse_taken
from zhiyin.errors import InputError
from zhiyin.files import UNFINISHED
from zhiyin.suite.folder import FILE, RUNS, STATE, RunState, SuiteState, read_state, write_state


def is_suite(folder: Path) -> bool:
    """Whether a folder holds a suite."""
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
            if all(one.state == "missing" for one in each):
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
        raise InputError(f"cannot write {out}: {error.strerror}; choose another --out") from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return merged


def _merged(run: RunState, each: Sequence[RunState], followed: bool) -> RunState:
    """What became of a run: done where it is in every shard, and nothing follows, as a judge."""
    if not followed and all(one.state == "done" for one in each):
        return run
    return msgspec.structs.replace(run, state="planned", told="")


def _refuse_others(folders: Sequence[Path], states: Sequence[SuiteState]) -> None:
    first = states[0]
    for folder, state in zip(folders, states, strict=True):
        if not state.shard:
            raise InputError(f"{folder} is no shard of a suite: give folders of `suite --shard`")
        same = (state.now.sha256, state.now.given) == (first.now.sha256, first.now.given)
        if not same or [run.cell for run in state.runs] != [run.cell for run in first.runs]:
            raise InputError(
                f"{folders[0]} and {folder} are shards of different suites: their {FILE} or what "
                "the command line said differs"
            )
    shards = [state.shard for state in states]
    for folder, shard in zip(folders, shards, strict=True):
        if shards.count(shard) > 1:
            raise InputError(f"{folder} and another are both shard {shard}: give each shard once")
    of = first.shard.partition("/")[2]
    if missing := [f"{n}/{of}" for n in range(1, int(of) + 1) if f"{n}/{of}" not in shards]:
        raise InputError(f"shard {', '.join(missing)} missing: give all shards of the suite")
