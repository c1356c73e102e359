"""What stands beside ranked runs: published rows, runs without a figure, and what runs cost."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from zhiyin.analysis.cost import bill_of
from zhiyin.analysis.summary import protocol_of
from zhiyin.contract.protocols import OURS, protocols_of
from zhiyin.contract.registry import known
from zhiyin.engine.log import Manifest
from zhiyin.report.figures.scores import reference_of
from zhiyin.report.leaderboard.board import Board, Cell, Columns, Row, within
from zhiyin.runs.rows import rows_of
from zhiyin.statistics.scores import figure_name
from zhiyin.words import Said, said
from zhiyin.words.findings import Remark, Ungraded, Warning

if TYPE_CHECKING:
    from zhiyin.report.figures import FigureRun

_SAME = {"accuracy": ("accuracy", "recall")}
"""Recall over all questions is accuracy."""


def published_rows(figures: Columns, runs: Sequence[FigureRun]) -> list[Row]:
    """What is published for the groups that every run here holds whole, best first."""
    reference = reference_of(runs)
    rows = []
    for name, row in (reference.rows if reference else {}).items():
        kind: Any = reference.kinds.get(name, "model") if reference else "model"
        cells = {}
        for column, (figure, group) in figures.items():
            published = row.get(group, {})
            names = _SAME.get(figure, (figure_name(figure),))
            value = next((published[one] for one in names if one in published), None)
            if value is not None and all(run.extent.whole(group) for run in runs):
                cells[column] = Cell(value)
        if cells:
            rows.append(Row(name, kind, cells))
    return sorted(rows, key=lambda row: -next(iter(row.cells.values())).value)


def interleaved(
    runs: Sequence[Row], published: Sequence[Row], columns: Mapping[str, Said], manifest: Manifest
) -> tuple[list[Row], list[Row], Said | None]:
    """Published rows between the runs where their figure puts them, if that may be.

    Returns
    -------
    list of Row
        Runs, and the published rows that may stand between them.
    list of Row
        The others.
    Said or None
        Why they stand apart; None where none does.
    """
    if not published:
        return list(runs), [], None
    first, heading = next(iter(columns.items()))
    why = _another_protocol(manifest)
    placed = [] if why else [row for row in published if first in row.cells]
    apart = [row for row in published if row not in placed]
    if apart and not why:
        why = said("boards-not-published", figure=heading)
    ranked = [row for row in runs if row.letters]
    for row in placed:
        value = row.cells[first].value
        place = next((n for n, own in enumerate(ranked) if own.cells[first].value < value), None)
        ranked.insert(len(ranked) if place is None else place, row)
    return [*ranked, *(row for row in runs if not row.letters)], apart, why


def _another_protocol(manifest: Manifest) -> Said | None:
    """Why runs are not of the published protocol; None where they are."""
    protocol = protocol_of(manifest)
    if protocol.name == OURS.name:
        theirs = [name for name in protocols_of(known(manifest)) if name != OURS.name]
        if not theirs:
            return said("boards-no-protocol")
        return said("boards-other-protocol", name=theirs[0])
    if departures := protocol.departures:
        return said("boards-departs", name=protocol.name, departures=departures)
    return None


def unjudged_board(root: Path, benchmark: str, runs: Sequence[FigureRun]) -> list[Board]:
    """A table of runs of which none has a figure; none where none of them has a reply."""
    empty = Board(benchmark, benchmark, [], [], 0, {}, {}, "")
    board = with_unjudged(root, empty, runs)
    return [board] if board.rows else []


def with_unjudged(root: Path, board: Board, runs: Sequence[FigureRun]) -> Board:
    """A table with a row for each run of replies that nobody has judged; a note on dead ones."""
    rows, notes = list(board.rows), list(board.notes)
    for run in runs:
        waiting = rows_of(run.folder).outcomes()["ungraded"]
        folder = within(root, run.folder)
        if waiting and known(run.manifest).draws_ungraded:
            noted: Warning = Remark(what=said("boards-measured"))
            rows.append(Row(run.label, "run", {}, notes=(noted,), folder=folder))
        elif waiting:
            judge = shlex.join(["zhiyin", "judge", str(run.folder)])
            noted = Ungraded(n=waiting, remedy=judge)
            rows.append(Row(run.label, "run", {}, notes=(noted,), folder=folder))
        else:
            notes.append(Remark(what=said("boards-not-judged", who=run.label)))
    return structs.replace(board, rows=rows, notes=notes)


def cost_of(run: FigureRun, items: int) -> tuple[float | None, float | None]:
    """Money and tokens for an item, kept replies at their full price; None for what is unknown."""
    right = int(run.judged.right.sum())
    bill = bill_of(run.folder, right)
    if bill is None or not items or not right:
        return None, None
    usd, tokens = bill.usd_per_right, bill.tokens_per_right
    return (None if usd is None else usd * right / items), (tokens or 0) * right / items or None
