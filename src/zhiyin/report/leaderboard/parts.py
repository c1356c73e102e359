"""Tables of runs whose scores are made of parts: one for each judge, ranked by the total."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.analysis.compare_parts import contrasts, scorings
from zhiyin.engine.naming import canary_told, failed_canaries
from zhiyin.report.leaderboard.board import Board, Cell, Row, origins, within
from zhiyin.runs.rows import rows_of
from zhiyin.statistics.parts import TOTAL, Scored, part_interval
from zhiyin.words import Text, said
from zhiyin.words.findings import Canary, NotJudgedBy, Remark, Unfinished, Warning

if TYPE_CHECKING:
    from zhiyin.report.figures import FigureRun

Key = tuple[str, str]
"""Who scored, and the fingerprint of how."""


def in_parts(run: FigureRun) -> bool:
    """Whether the scores of a run's benchmark are made of parts."""
    return scorings(run.folder) is not None


def parts_boards(
    root: Path,
    title: Text,
    runs: Sequence[FigureRun],
    protocol: dict[str, Any],
    differ: dict[str, Any],
) -> list[Board]:
    """A table for each judge that judged one of the runs; one of questions where none did.

    Parameters
    ----------
    root : Path
        The folder that was collected.
    title : Text
        Heading of the runs' protocol.
    runs : sequence of FigureRun
        Of one benchmark and protocol.
    protocol, differ : dict
        As in a `Board`.
    """
    scored = {run.label: scorings(run.folder) or [] for run in runs}
    keys = dict.fromkeys((one.by, one.how) for each in scored.values() for one in each if one.by)
    boards = []
    for key in keys or {("", ""): None}:
        same = [by for by, _ in keys].count(key[0]) > 1
        heading = said(
            "boards-judged-by",
            title=title,
            judge=key[0] or None,
            how=key[1][:6] if same else None,
        )
        boards.append(_board(root, heading, key, runs, scored, protocol, differ))
    return boards


def _board(
    root: Path,
    title: Text,
    key: Key,
    runs: Sequence[FigureRun],
    scored: dict[str, list[Scored]],
    protocol: dict[str, Any],
    differ: dict[str, Any],
) -> Board:
    own: dict[str, Scored] = {}
    for run in runs:
        judged = next((one for one in scored[run.label] if (one.by, one.how) == key), None)
        own[run.label] = judged or _unjudged(scored[run.label][0])
    missing = {run.label: _missing(run) for run in runs}
    able = [run.label for run in runs if own[run.label].complete and not missing[run.label]]
    letters, songs = _letters(able, [own[name] for name in able])
    names = next(iter(own.values())).parts.names
    rows = [
        _row(root, run, own[run.label], key, letters.get(run.label, ""), missing[run.label])
        for run in runs
    ]
    ranked = {name: place for place, name in enumerate(letters)}
    rows.sort(key=lambda row: (not row.letters, ranked.get(row.name, 0), -_first(row)))
    notes: list[Warning] = [Remark(what=said("boards-total")), *origins(runs)]
    columns = [TOTAL, *names] if key[0] else [name for name in names if _any(rows, name)]
    benchmark = runs[0].manifest.benchmark
    return Board(benchmark, title, columns, rows, songs, protocol, differ, "", notes, "songs")


def _unjudged(one: Scored) -> Scored:
    """What of a run holds without a judge: its parts that nobody had to judge."""
    keep = one.parts.scored.copy()
    for place, name in enumerate(one.parts.names):
        keep[place] &= name in one.free
    return Scored("", "", one.parts.only(keep), False, [], one.free)


def _missing(run: FigureRun) -> int:
    states = rows_of(run.folder).outcomes()
    asked = states.total() - states["error"]
    return max(0, run.manifest.planned - asked)


def _letters(names: Sequence[str], scored: Sequence[Scored]) -> tuple[dict[str, str], int]:
    """Significance groups by name, best first, and the songs that all of these were scored on."""
    if not names:
        return {}, 0
    if len(names) == 1:
        return {names[0]: "a"}, len(scored[0].parts.songs)
    _, ranking = contrasts(names, scored)
    return {row.label: row.letters for row in ranking}, ranking[0].score.n if ranking else 0


def _row(root: Path, run: FigureRun, one: Scored, key: Key, letters: str, missing: int) -> Row:
    cells = {name: cell for name in (TOTAL, *one.parts.names) if (cell := _cell(one, name))}
    failed = failed_canaries(run.manifest).items()
    notes: list[Warning] = [Canary(medium=m, told=canary_told(m, one)) for m, one in failed]
    if missing:
        lacking = said("lacking-failed", n=missing, of=run.manifest.planned)
        notes.append(Unfinished(what=lacking))
    if key[0] and not one.by:
        notes.append(NotJudgedBy(judge=key[0]))
    notes += (Remark(what=note) for note in one.notes)
    if caution := run.extent.caution:
        notes.append(caution)
    answered = [row.answered for row in run.plain]
    return Row(
        run.label,
        "run",
        cells,
        letters,
        len(one.parts.songs),
        len(one.parts.songs),
        sum(answered) / len(answered) if answered else None,
        tuple(notes),
        within(root, run.folder),
    )


def _cell(one: Scored, name: str) -> Cell | None:
    if name == TOTAL and not one.total:
        return None
    interval = part_interval(one.parts, name)
    return None if interval is None else Cell(interval.mean, interval.low, interval.high)


def _any(rows: Sequence[Row], name: str) -> bool:
    return any(name in row.cells for row in rows)


def _first(row: Row) -> float:
    """What rows are ordered by: the total, or else the first part that there is."""
    return next(iter(row.cells.values())).value if row.cells else -1.0
