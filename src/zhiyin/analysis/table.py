"""Columns of observations for a statistical model, from a CSV file or from run folders."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from zhiyin.engine.naming import people_in
from zhiyin.errors import InputError
from zhiyin.files import Place, Places, as_paths
from zhiyin.runs.rows import Row, rows_of
from zhiyin.statistics.glmm.table import Table
from zhiyin.trial import Tag

MISSING = frozenset({"", "NA", "NaN", "nan"})
_LEFT_OUT = ("token_limited", "error")


class RunTables(msgspec.Struct, frozen=True):
    """The observations of some runs: a table for each task, and what was left out of it.

    `cautions` says what a model with one random intercept does not know of these runs.
    """

    tables: dict[str, Table]
    left_out: dict[str, dict[str, int]]
    cautions: list[str] = []


def read_csv(path: Place) -> Table:
    """Read a CSV file with a header line, in UTF-8; "", NA and NaN are missing values.

    Raises
    ------
    InputError
        When the file cannot be read, is empty, repeats a column name or has a ragged line.
    """
    path = Path(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return _tabulate(path, file)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text; save it as CSV in UTF-8") from None


def _tabulate(path: Path, file: Iterable[str]) -> Table:
    reader = csv.reader(file, strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        for row in reader:
            if not row:
                continue
            if len(row) != len(header):
                raise InputError(
                    f"{path}, line {reader.line_num}: {len(row)} values under {len(header)} column "
                    "names; mend the line"
                )
            rows.append([value.strip() for value in row])
            lines.append(reader.line_num)
    except csv.Error as error:
        raise InputError(f"{path}: not a CSV file ({error})") from None
    if not rows:
        raise InputError(f"{path}: no rows; give a CSV file with a header line and data")
    repeated = [name for name, count in Counter(header).items() if count > 1]
    if repeated:
        raise InputError(f"{path}, line 1: column {repeated[0]!r} is named twice; rename one")
    columns = {
        name: [None if row[index] in MISSING else row[index] for row in rows]
        for index, name in enumerate(header)
    }
    return Table(str(path), columns, lines)


def read_runs(folders: Places) -> RunTables:
    """The records of run folders as a table for each task.

    Columns are the trials' tags and three more: ``correct`` ("1" for the state correct, "0"
    for wrong, no_answer and refused), ``model`` (from the run's manifest) and ``stimulus``
    (the trial's cluster, or its item where it stands alone). Outputs that were cut off or empty
    (`logiclm.token_limited`, as in the paper and in the grid of `zhiyin show`) and errors are
    left out and counted. Trials without a task tag make one table under "all".

    Raises
    ------
    InputError
        When a folder is not a run, or holds nothing that counts, or a run is given twice.
    """
    folders = as_paths(folders)
    from zhiyin.engine.log import read_manifest
    from zhiyin.runs.pairing import check_different
    from zhiyin.strategies.logiclm import token_limited

    check_different(folders)
    rows: dict[str, list[tuple[int, dict[str, str | None]]]] = {}
    left_out: dict[str, Counter[str]] = {}
    cautions = []
    for folder in folders:
        manifest = read_manifest(folder)
        model = manifest.model
        if people_in(manifest) > 1:
            cautions.append(
                f"{folder} holds answers of several people, taken here as independent: what makes "
                "one person's answers alike is not in the model, so that its intervals and p are "
                "too narrow; `zhiyin human` gives an interval over people and questions"
            )
        trials = rows_of(folder)
        way = trials.ways.that_change("task")
        unread = trials.judged.where_outcome(lambda one: one.state not in ("correct", "wrong"))
        cut = {record.id for record in unread.records() if token_limited(record)}
        for number, trial in enumerate(trials, 1):
            if trial.state == "ungraded":
                continue  # what has no right answer was never a question of right or wrong
            task = str(trial.tags.get(way.name) or "all") if way else "all"
            rows.setdefault(task, [])
            counts = left_out.setdefault(task, Counter(dict.fromkeys(_LEFT_OUT, 0)))
            if trial.state == "error":
                counts["error"] += 1
            elif trial.id in cut:
                counts["token_limited"] += 1
            else:
                rows[task].append((number, _row(trial, model)))
    source = ", ".join(map(str, folders))
    if not any(rows.values()):
        raise InputError(f"{source}: no scored trial in it; finish the run first")
    return RunTables(
        {task: _columns(source, observations) for task, observations in sorted(rows.items())},
        {task: dict(counts) for task, counts in left_out.items()},
        cautions,
    )


def _row(trial: Row, model: str) -> dict[str, str | None]:
    return {
        **{name: _as_text(value) for name, value in trial.tags.items()},
        "correct": "1" if trial.state == "correct" else "0",
        "model": model,
        "stimulus": trial.cluster or trial.item,
    }


def _as_text(value: Tag) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    return str(value).upper() if isinstance(value, bool) else repr(value)


def _columns(source: str, rows: list[tuple[int, dict[str, str | None]]]) -> Table:
    names = dict.fromkeys(name for _, row in rows for name in row)
    columns = {name: [row.get(name) for _, row in rows] for name in names}
    return Table(source, columns, [number for number, _ in rows])
