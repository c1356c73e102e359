"""Runs and published rows in one table a benchmark: what can be compared, and nothing else.

Ranks are among runs that were asked alike: the same items, with the same version of trials and
scoring, by the same rule of reading answers, with the same examples (see `analysis.beside`). What a
run was set to otherwise stands beside its name. What cannot be compared has a row without a rank,
or is left out, and the reason is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import structs

from zhiyin.analysis.beside import flat_settings
from zhiyin.contract.options import common_settings
from zhiyin.contract.registry import blaming, known
from zhiyin.engine.log import read_manifest
from zhiyin.engine.naming import briefs, marked
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Place
from zhiyin.models.playback import SoundPolicy
from zhiyin.plugins.lab.gate import ALWAYS
from zhiyin.plugins.lab.leaderboard.board import (
    Board,
    board_of,
    differences,
    unranked_board,
    with_unranked,
    within,
)
from zhiyin.record import Sampling
from zhiyin.report.media import Progress, silent
from zhiyin.report.paper_columns import has_figure, in_rows
from zhiyin.report.paper_runs import PaperRun, gather
from zhiyin.report.run_set import collect
from zhiyin.runs.rows import rows_of
from zhiyin.words import said
from zhiyin.words.findings import Remark, Warning


def build(
    root: Place, ignore: Sequence[str] = (), *, apart: bool = True, progress: Progress = silent
) -> list[Board]:
    """The tables of all runs below `root`.

    Parameters
    ----------
    root : Path
    ignore : sequence of str
        Settings that may differ among runs that are ranked, such as ``options.shots``; the table
        names them.
    apart : bool
        Take runs that were not asked alike, and rank each kind by itself; else they are refused.
    progress : callable
        Is given the number of runs read and of all, as it goes on.

    Raises
    ------
    InputError
        When there is no run; when runs of one benchmark were not asked alike and `apart` is False
        (the line names the settings, the values and the runs); when `ignore` names one of
        `ALWAYS`, or what is no setting of any run.
    """
    root = Path(root)
    for name in ignore:
        if name in ALWAYS:
            raise InputError(f"--ignore {name}: runs that differ in it cannot be in one table")
    boards: list[Board] = []
    folders, unread = _readable(root, progress)
    gathered = gather(folders, lambda run: True)
    _check_ignored(ignore, [run for every in gathered.values() for run in every])
    for benchmark, every in gathered.items():
        with blaming(kind := known(every[0].manifest)):
            opened = kind.opening(every)
        runs = [run for run in every if has_figure(run)]
        others = [run for run in every if run not in runs]
        if not runs:
            board = unranked_board(root, benchmark, others)
            boards.append(structs.replace(board, opened=opened))
            continue
        models = briefs([run.manifest.model for run in runs])
        names = [
            marked(run.manifest.label or name, run.manifest)
            for run, name in zip(runs, models, strict=True)
        ]
        beside = in_rows(benchmark, runs, names, ignore=ignore)
        if (
            len(beside) > len({one.judge for one in beside}) or len(beside[0].alike) > 1
        ) and not apart:
            raise InputError(_refusal(root, benchmark, runs, ignore))
        own = [structs.replace(board_of(root, one), paper=kind.paper) for one in beside]
        asked = {group for run in runs for group in run.asked_in}
        apart_from = [run for run in others if not asked.issuperset(run.asked_in)]
        own[0] = structs.replace(own[0], opened=opened)
        own[0] = with_unranked(root, own[0], [run for run in others if run not in apart_from])
        boards += own
        if apart_from:
            boards.append(unranked_board(root, benchmark, apart_from, runs))
    if not any(board.rows for board in boards):
        altered = next((run for own in gathered.values() for run in own if run.every.judged), None)
        if altered is None:
            raise InputError(f"{root}: no run in it has a judged trial")
        raise InputError(
            f"{root}: no run in it was judged in the benchmark's own way, with the true sound and "
            f"all distractors ({within(root, altered.folder)} was not): finish it, or add one"
        )
    boards[0] = structs.replace(boards[0], notes=[*boards[0].notes, *unread])
    progress(len(folders), len(folders))
    return boards


def _check_ignored(ignore: Sequence[str], runs: Sequence[PaperRun]) -> None:
    """Refuse what no run has as a setting: it would be passed over in silence."""
    if not ignore:
        return
    every: dict[str, None] = {}
    for run in runs:
        kind = known(run.manifest)
        every |= dict.fromkeys(flat_settings(run.manifest.config, whole=True))
        parts: dict[str, tuple[type[msgspec.Struct], ...]] = {
            "options": (*common_settings(), kind.Settings),
            "sampling": (Sampling,),
            "sound": (SoundPolicy,),
        }
        for part, structs_of in parts.items():
            names = (name for struct in structs_of for name in struct.__struct_fields__)
            every |= dict.fromkeys(f"{part}.{name}" for name in names)
    for name in ignore:
        if name not in every:
            alike = [each for each in every if each.rpartition(".")[2] == name]
            hint = (
                f"did you mean {alike[0]}?"
                if alike
                else did_you_mean(name, sorted({*every} - {*ALWAYS}))
            )
            raise InputError(f"--ignore {name}: no run has such a setting: {hint}")


def _readable(root: Path, progress: Progress) -> tuple[list[Path], list[Warning]]:
    """The runs that can be read, and what is said of the others. Raises `InputError` for none."""
    folders: list[Path] = []
    unread: list[Warning] = []
    every = collect(root)
    for done, folder in enumerate(every):
        progress(done, len(every))
        try:
            known(read_manifest(folder))
            rows_of(folder)
            folders.append(folder)
        except InputError as error:
            if len(every) == 1:
                raise
            unread.append(Remark(what=said("boards-unread", why=str(error))))
    if not folders:
        raise InputError(f"{root}: no run in it can be read: {unread[0].text}")
    return folders, unread


def _refusal(root: Path, benchmark: str, runs: Sequence[PaperRun], ignore: Sequence[str]) -> str:
    folders = [within(root, run.folder) for run in runs]
    parts = []
    for name, values in differences(folders, runs, ignore).items():
        by_value: dict[str, list[str]] = {}
        for folder, value in values.items():
            by_value.setdefault(_short(value), []).append(folder)
        clauses = [
            f"{value} in {members[0]}"
            + (f" and {len(members) - 1} more" if len(members) > 1 else "")
            for value, members in by_value.items()
        ]
        parts.append(f"{name}: {', '.join(clauses)}")
    return (
        f"runs of {benchmark} were not asked alike ({'; '.join(parts)}): move some out of {root}, "
        "leave --no-apart out to rank each kind by itself, or --ignore SETTING where it does not "
        "matter"
    )


def _short(value: object) -> str:
    text = "unset" if value is None else str(value)
    return text if len(text) <= 24 else f"{text[:10]}…"
