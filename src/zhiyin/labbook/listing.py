"""Which runs of the shelf, and which replies of a run, an address asks for, and in what order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from zhiyin.labbook.notes import Notebook
from zhiyin.labbook.shelf import Run
from zhiyin.record import Record
from zhiyin.runs.rows import Rows, rows_of

SORTS: dict[str, Callable[[Run], Any]] = {
    "name": lambda run: run.called.lower(),
    "started": lambda run: run.started,
    "benchmark": lambda run: run.benchmark,
    "status": lambda run: run.status,
    "accuracy": lambda run: _of(run, "accuracy"),
    "n": lambda run: _of(run, "n"),
    "errors": lambda run: run.errors,
    "usd": lambda run: _of(run, "usd"),
    "latency": lambda run: _of(run, "median_s"),
}
_FIRST_HIGH = ("started", "accuracy", "n", "errors", "usd", "latency")
"""Sorted from the top when first asked for."""
SNIPPET = 160


def _of(run: Run, name: str) -> float:
    value = getattr(run.facts, name) if run.facts else None
    return -1.0 if value is None else float(value)


def chosen(runs: Sequence[Run], asked: Mapping[str, str]) -> list[Run]:
    """The runs that are asked for, in the order that is asked for."""
    words = asked.get("q", "").lower().split()
    matches = [
        run
        for run in runs
        if asked.get("benchmark", "") in ("", run.benchmark)
        and asked.get("state", "") in ("", run.status)
        and all(word in _words_of(run) for word in words)
    ]
    name, order = order_of(asked)
    return sorted(matches, key=SORTS[name], reverse=order == "down")


def order_of(asked: Mapping[str, str]) -> tuple[str, str]:
    """By what runs are sorted, and whether "up" or "down"."""
    name = asked.get("sort", "started")
    name = name if name in SORTS else "started"
    return name, asked.get("order", first_order(name))


def first_order(name: str) -> str:
    """How a column is sorted when first asked for."""
    return "down" if name in _FIRST_HIGH else "up"


def _words_of(run: Run) -> str:
    notes = (text for _, text in run.remarks.notes)
    texts = (run.called, run.name, run.place, run.model, run.benchmark, *run.remarks.tags, *notes)
    return " ".join(texts).lower()


def beginning(record: Record) -> str:
    """How the last reply begins, or why there is none."""
    turns = record.exchange.turns
    text = record.error or (turns[-1].reply.text if turns else "")
    return " ".join(text[: 4 * SNIPPET].split())[:SNIPPET]


def replies(folder: Path, notebook: Notebook, asked: Mapping[str, str]) -> Rows:
    """The trials of a run that are asked for, in the order of the log."""
    words, state = asked.get("q", "").lower().split(), asked.get("state", "")
    rows = rows_of(folder)
    if state:
        rows = rows.where_outcome(lambda outcome: outcome.state == state)
    if asked.get("marked"):
        rows = rows.where([row.id in notebook.replies for row in rows])
    if words:
        said = (f"{record.id} {beginning(record)}".lower() for record in rows.records())
        rows = rows.where([all(word in text for word in words) for text in said])
    return rows
