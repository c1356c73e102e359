"""Every figure that the commands tell of some run folders, without their wording.

What is compared are numbers under names, not text: a sentence may be put better, and a table may
get a column, but a figure that was told of a run is told of it by every later version.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.cli import main
from zhiyin.plugins.paper.figures import write_figures
from zhiyin.plugins.paper.figures.style import Figure
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet

LABELS = ("title", "group", "label", "name")
TIMES = ("elapsed_s", "trials_per_s", "asked", "started", "ended")
PAIRS = (
    ("ziqi-first", "ziqi-second"),
    ("ziqi-rotated", "ziqi-first"),
    ("muchomusic-first", "muchomusic-second"),
    ("own-first", "own-overlap"),
    ("plugin-three", "plugin-right"),
)
RESCORED = (
    ("ziqi-first", "first-letter"),
    ("muchomusic-first", "muchomusic"),
    ("perception-first", "final-line"),
    ("appraisal-first", "flexible"),
    ("own-first", "flexible"),
)


@contextmanager
def inside(folder: Path):
    """The working directory for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def told(*words: Any) -> str:
    """What a command prints. Its status may be 1: some trials have failed."""
    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        found = main([str(word) for word in words])
    assert found in (0, 1), f"{words}: status {found}: {errors.getvalue()}"
    return out.getvalue()


def numbers(value: Any) -> Any:
    """The numbers in a value under their names; what holds none is None."""
    if isinstance(value, dict):
        found = {str(k): numbers(v) for k, v in value.items() if k not in (*TIMES, "settings")}
        return {k: v for k, v in found.items() if v is not None} or None
    if isinstance(value, list):
        return _of_list(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value
    finite = isinstance(value, float) and math.isfinite(value)
    return float(f"{value:.12g}") if finite else None


def _of_list(values: list[Any]) -> Any:
    named = [_name(value) for value in values]
    if values and all(named) and len(set(named)) == len(named):
        found = {name: numbers(value) for name, value in zip(named, values, strict=True)}
        return {name: value for name, value in found.items() if value is not None} or None
    found = [numbers(value) for value in values]
    return found if any(value is not None for value in found) else None


def _name(value: Any) -> str:
    """What an entry of a list is known by: its label, a pair's two, or a row's first cell."""
    if isinstance(value, list):
        return value[0] or "-" if value and isinstance(value[0], str) else ""
    if not isinstance(value, dict):
        return ""
    if isinstance(value.get("second"), str):
        return f"{value['first']} | {value['second']}"
    return next((value[k] or "-" for k in LABELS if isinstance(value.get(k), str)), "")


def lost(kept: Any, now: Any, where: str = "") -> list[str]:
    """The figures that were told once and are others now, or are no longer told."""
    if isinstance(kept, dict) and isinstance(now, dict):
        return [fault for k, v in kept.items() for fault in lost(v, now.get(k), f"{where}/{k}")]
    if isinstance(kept, list) and isinstance(now, list) and len(kept) <= len(now):
        pairs = enumerate(zip(kept, now, strict=False))
        return [fault for i, (v, w) in pairs for fault in lost(v, w, f"{where}/{i}")]
    alike = isinstance(kept, int | float) and isinstance(now, int | float)
    if kept is None and "/rows/" in where:  # words then; a figure that was text is a number now
        return []
    same = math.isclose(kept, now, rel_tol=1e-9, abs_tol=1e-12) if alike else kept == now
    return [] if same else [f"{where}: {kept} then, {now} now"]


def figures(folder: Path, work: Path) -> dict[str, Any]:
    """All that the six commands tell of the runs in `folder`/runs, in the empty folder `work`."""
    with inside(folder):
        runs = sorted(str(path.parent) for path in Path("runs").rglob("run.json"))
        found: dict[str, Any] = {
            "show": {run: json.loads(told("show", run, "--json")) for run in runs},
            "compare": {
                f"{one} {other}": json.loads(
                    told("compare", f"runs/{one}", f"runs/{other}", "--json")
                )
                for one, other in PAIRS
            },
            "rescore": {
                f"{run} {policy}": json.loads(
                    told("rescore", f"runs/{run}", "--extract", policy, "--json")
                )
                for run, policy in RESCORED
            },
        }
        board = told("leaderboard", "runs", "--apart", "--json", "-o", work / "board")
        found["leaderboard"] = {
            f"{board['title']} {number}": board
            for number, board in enumerate(json.loads(board)["boards"])
        }
        found["export"] = _exported(work)
        found["report"] = _reported(work)
    return numbers(found)


def rows_by_figure(
    runs: Sequence[Path], out: Path
) -> dict[str, tuple[Figure, list[dict[str, str]]]]:
    """The figures of some runs by name, each with the rows of its table."""
    found = {}
    for figure in write_figures(runs, out, ["svg"]):
        with figure.files["csv"].open(encoding="utf-8", newline="") as file:
            found[figure.name] = figure, list(csv.DictReader(file))
    return found


def _exported(work: Path) -> dict[str, Any]:
    """How many rows of each run are in each state, and the sums of their numbers."""
    main_runs = sorted(path for path in Path("runs").iterdir())
    told("export", *main_runs, "--to", "csv", "-o", work / "rows.csv")
    with (work / "rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    counts: dict[str, dict[str, float]] = {}
    for row in rows:
        run = counts.setdefault(row["run"], {})
        for name in ("state", "letter", "target_letter", "policy", "finish", "condition"):
            if row[name]:
                key = f"{name} {row[name]}"
                run[key] = run.get(key, 0) + 1
        for name in ("score", "turns", "usage.prompt_tokens", "usage.completion_tokens"):
            run[name] = run.get(name, 0) + float(row[name] or 0)
    return counts


def _reported(work: Path) -> dict[str, Any]:
    """The figures of each run and group in a report, and the tables behind its charts."""
    main_runs = sorted(path for path in Path("runs").iterdir())
    told("report", *main_runs, "-o", work / "report", "--no-figures", "--no-notation")
    drawn = write_figures([Path(run) for run in main_runs], work / "figures")
    chapters = overview(RunSet([Path(run) for run in main_runs])).benchmarks
    found = json.loads(msgspec.json.encode({one.name: one.figures for one in chapters}))
    assert drawn
    for path in sorted((work / "figures").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            found[path.name] = {
                f"{number}": [_cell(cell) for cell in row]
                for number, row in enumerate(csv.reader(file))
            }
    return found


def _cell(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
