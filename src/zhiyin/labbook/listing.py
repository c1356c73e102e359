"""Which runs of the shelf, and which replies of a run, an address asks for, and in what order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.engine.folder import read_parts
from zhiyin.labbook.notes import Notebook
from zhiyin.labbook.shelf import Run

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


class _Reply(msgspec.Struct):
    text: str = ""


class _Turn(msgspec.Struct):
    reply: _Reply


class _Exchange(msgspec.Struct):
    turns: tuple[_Turn, ...] = ()


class _Verdict(msgspec.Struct):
    state: str
    letter: str | None = None


class ReplyLine(msgspec.Struct):
    """As much of a record as a list of replies shows."""

    id: str
    verdict: _Verdict
    exchange: _Exchange = msgspec.field(default_factory=_Exchange)
    error: str | None = None

    @property
    def reply(self) -> str:
        """How the last reply begins, or why there is none."""
        turns = self.exchange.turns
        text = self.error or (turns[-1].reply.text if turns else "")
        return " ".join(text[: 4 * SNIPPET].split())[:SNIPPET]


def replies(folder: Path, notebook: Notebook, asked: Mapping[str, str]) -> list[ReplyLine]:
    """The replies of a run that are asked for, in the order of the log."""
    words, state = asked.get("q", "").lower().split(), asked.get("state", "")
    return [
        record
        for record in read_parts(folder, ReplyLine)
        if state in ("", record.verdict.state)
        and (not asked.get("marked") or record.id in notebook.replies)
        and (not words or all(word in f"{record.id} {record.reply}".lower() for word in words))
    ]
