"""What a leaderboard is made of: tables, their rows and cells."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import structs

from zhiyin.analysis.compare_parts import contrasts, scorings
from zhiyin.analysis.cost import bill_of
from zhiyin.analysis.run import origins_beside
from zhiyin.analysis.run_kind import RunKind, kind_of_run
from zhiyin.analysis.summary import details, protocol_of
from zhiyin.contract.protocols import OURS, protocols_of
from zhiyin.contract.registry import known
from zhiyin.engine.log import Manifest
from zhiyin.engine.naming import canary_told, failed_canaries
from zhiyin.report.figures.scores import reference_of
from zhiyin.runs.measures import figure_name
from zhiyin.runs.rows import rows_of
from zhiyin.shown.table import Column, Table, in_letters
from zhiyin.statistics.parts import TOTAL, Scored, part_interval
from zhiyin.words import Said, Text, said
from zhiyin.words.findings import Canary, NotJudgedBy, Remark, Unfinished, Ungraded, Warning

if TYPE_CHECKING:
    from zhiyin.report.figures import PaperRun

Kind = Literal["run", "model", "human", "chance"]
Columns = Mapping[str, tuple[str, str]]
"""Figure and group by the name of their column."""
FlatSettings = dict[str, object]
"""Settings by their path: ``{"limit": 200, "options.shots": 5}``."""


class Cell(msgspec.Struct, frozen=True):
    """A figure in [0, 1] with its 95 % interval; published ones have none."""

    value: float
    low: float | None = None
    high: float | None = None


class BoardRow(msgspec.Struct, frozen=True):
    """A run, or a published row.

    Attributes
    ----------
    name : str
    kind : {"run", "model", "human", "chance"}
    cells : dict of str to Cell
        By column.
    letters : str
        Runs that share a letter do not differ significantly; empty for published and unfinished
        rows.
    items, clusters : int or None
    ifr : float or None
        Share of replies with a readable answer.
    notes : tuple of Warning
        What the reader must know: that it is unfinished, a part, deaf, ...
    folder : str
        Of a run, within the folder that was collected.
    usd, tokens : float or None
        What an item cost, kept replies at their full price; None where it is not known.
    signed : str
        The key that the run is signed with, by a signature that holds; "" for none.
    role : RunKind
        Who answered; models alone have ranks, and the listener where there are none.
    """

    name: str
    kind: Kind
    cells: dict[str, Cell]
    letters: str = ""
    items: int | None = None
    clusters: int | None = None
    ifr: float | None = None
    notes: tuple[Warning, ...] = ()
    folder: str = ""
    usd: float | None = None
    tokens: float | None = None
    signed: str = ""
    role: RunKind = "model"

    @property
    def note(self) -> str:
        """The notes in English."""
        return "; ".join(one.text for one in self.notes)


class Board(msgspec.Struct, frozen=True):
    """One table.

    Attributes
    ----------
    benchmark : str
    title : Text
        The benchmark, and what sets this table apart where there are several.
    columns : list of str
        Names of the figures, accuracy on all and the headline first: ``"accuracy, all"``,
        ``"f1, theory"``.
    rows : list of BoardRow
        Runs best first, and between them what is published of the same protocol, where its figure
        in the first column puts it; then unfinished runs, then those without a figure.
    aside : list of BoardRow
        What is published but cannot stand between them, best first.
    why_aside : Said or None
        Why not.
    items : int
        Items that all ranked runs judged.
    protocol : dict of str to object
        The settings of all runs.
    ignored : dict
        Settings in which they differ all the same: setting -> run -> value.
    source : str
        Of the published rows; empty where there are none.
    notes : list of Warning
        What the reader must know of all rows.
    unit : str
        What `items` counts: "items", or "songs" where scores are made of parts.
    paper : str
        Full reference of the benchmark; empty where it names none.
    headings : dict of str to Said
        What columns are called on pages, by their names; those that pages leave out, since others
        hold the same trials, are not in it. Empty where all stand under their names.
    measured : tuple of Table
        What was measured of runs that are not marked right or wrong.
    """

    benchmark: str
    title: Text
    columns: list[str]
    rows: list[BoardRow]
    items: int
    protocol: FlatSettings
    ignored: dict[str, FlatSettings]
    source: str
    notes: list[Warning] = []
    unit: str = "items"
    paper: str = ""
    aside: list[BoardRow] = []
    why_aside: Said | None = None
    headings: dict[str, Said] = {}
    measured: tuple[Table, ...] = ()

    @property
    def shown(self) -> list[str]:
        """The columns that pages show."""
        return [name for name in self.columns if name in self.headings or not self.headings]

    def as_data(self) -> FlatSettings:
        """It for JSON, its words in English."""
        words = {"title": str(self.title), "why_aside": str(self.why_aside or "")}
        data: FlatSettings = {**msgspec.to_builtins(self), **words}
        del data["headings"]
        data["measured"] = [list(in_letters(table).rows) for table in self.measured]
        return data


def origins(runs: Sequence[PaperRun]) -> list[Warning]:
    """What the readers of several runs must know of where their replies are from."""
    names, folders = [run.label for run in runs], [run.folder for run in runs]
    return [one for _, one in origins_beside(names, folders, [run.manifest for run in runs])]


def notes_of(
    run: PaperRun, missing: int, lacking: Said | None = None, more: Sequence[Warning] = ()
) -> Iterator[Warning]:
    """What the reader must know of a run: that it is deaf, unfinished, a part; `more` between."""
    for medium, failed in failed_canaries(run.manifest).items():
        yield Canary(medium=medium, told=canary_told(medium, failed))
    if missing:
        words = said("lacking-failed", n=missing, of=run.manifest.planned)
        yield Unfinished(what=lacking or words)
    yield from more
    if caution := run.extent.caution:
        yield caution


def within(root: Path, folder: Path) -> str:
    """A run's folder as it is named within the folder that was collected."""
    return str(folder.relative_to(root)) if folder != root else folder.name


_SAME = {"accuracy": ("accuracy", "recall")}
"""Recall over all questions is accuracy."""


def published_rows(figures: Columns, runs: Sequence[PaperRun]) -> list[BoardRow]:
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
            rows.append(BoardRow(name, kind, cells))
    return sorted(rows, key=lambda row: -next(iter(row.cells.values())).value)


def interleaved(
    runs: Sequence[BoardRow],
    published: Sequence[BoardRow],
    columns: Mapping[str, Said],
    manifest: Manifest,
) -> tuple[list[BoardRow], list[BoardRow], Said | None]:
    """Published rows between the runs where their figure puts them, if that may be.

    Returns
    -------
    list of BoardRow
        Runs, and the published rows that may stand between them.
    list of BoardRow
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


def unjudged_board(root: Path, benchmark: str, runs: Sequence[PaperRun]) -> list[Board]:
    """A table of runs of which none has a figure; none where none of them has a reply."""
    empty = Board(benchmark, benchmark, [], [], 0, {}, {}, "")
    board = with_unjudged(root, empty, runs)
    return [board] if board.rows else []


def with_unjudged(root: Path, board: Board, runs: Sequence[PaperRun]) -> Board:
    """A table with a row for each run of replies that nobody has judged; a note on dead ones."""
    rows, notes = list(board.rows), list(board.notes)
    measured: list[PaperRun] = []
    for run in runs:
        waiting = rows_of(run.folder).outcomes()["ungraded"]
        folder = within(root, run.folder)
        if waiting and known(run.manifest).draws_ungraded:
            noted: Warning = Remark(what=said("boards-measured"))
            rows.append(BoardRow(run.label, "run", {}, notes=(noted,), folder=folder))
            measured.append(run)
        elif waiting:
            judge = shlex.join(["zhiyin", "judge", str(run.folder)])
            noted = Ungraded(n=waiting, remedy=judge)
            rows.append(BoardRow(run.label, "run", {}, notes=(noted,), folder=folder))
        elif run.every.judged:
            notes.append(Remark(what=said("boards-altered", who=run.label)))
        else:
            notes.append(Remark(what=said("boards-not-judged", who=run.label)))
    return structs.replace(board, rows=rows, notes=notes, measured=_measured(measured))


def _measured(runs: Sequence[PaperRun]) -> tuple[Table, ...]:
    """The benchmark's own tables of some runs, those with one title and the same columns as one.

    A note that is not of all of them names its run.
    """
    joined: dict[tuple[str, ...], dict[str, Table]] = {}
    for run in runs:
        every = details(rows_of(run.folder).main, run.manifest)
        for section in [one for one in every if one.leads] or every[:1]:  # what it is made for
            table = section.table("measured")
            own = [structs.replace(row, cells=(run.label, *row.cells)) for row in table.rows]
            table = structs.replace(table, rows=tuple(own))
            key = (str(table.title), *(f"{one.title} {one.kind}" for one in table.columns))
            of_run = joined.setdefault(key, {})
            if before := of_run.get(run.label):
                rows, notes = (*before.rows, *table.rows), (*before.notes, *table.notes)
                table = structs.replace(table, rows=rows, notes=notes)
            of_run[run.label] = table
    return tuple(
        structs.replace(
            next(iter(several.values())),
            columns=(Column(said("board-model")), *next(iter(several.values())).columns),
            rows=tuple(row for table in several.values() for row in table.rows),
            notes=_notes_of(several),
        )
        for several in joined.values()
    )


def _notes_of(several: Mapping[str, Table]) -> tuple[Text, ...]:
    """The notes of runs' tables: those of all once, and the others behind the run they are of."""
    count = Counter(note for table in several.values() for note in {*map(str, table.notes)})
    notes = [
        (label, note, count[str(note)] == len(several))
        for label, table in several.items()
        for note in table.notes
    ]
    own = [said("of-run", who=label, what=note) for label, note, common in notes if not common]
    return (*own, *{str(note): note for _, note, common in notes if common}.values())


def cost_of(run: PaperRun, items: int) -> tuple[float | None, float | None]:
    """Money and tokens for an item, kept replies at their full price; None for what is unknown."""
    right = int(run.judged.right.sum())
    bill = bill_of(run.folder, right)
    if bill is None or not items or not right:
        return None, None
    usd, tokens = bill.usd_per_right, bill.tokens_per_right
    return (None if usd is None else usd * right / items), (tokens or 0) * right / items or None


Key = tuple[str, str]
"""Who scored, and the fingerprint of how."""


def in_parts(run: PaperRun) -> bool:
    """Whether the scores of a run's benchmark are made of parts."""
    return scorings(run.folder) is not None


def parts_boards(
    root: Path,
    title: Text,
    runs: Sequence[PaperRun],
    protocol: FlatSettings,
    differ: dict[str, FlatSettings],
) -> list[Board]:
    """A table for each judge that judged one of the runs; one of questions where none did.

    Parameters
    ----------
    root : Path
        The folder that was collected.
    title : Text
        Heading of the runs' protocol.
    runs : sequence of PaperRun
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
    runs: Sequence[PaperRun],
    scored: dict[str, list[Scored]],
    protocol: FlatSettings,
    differ: dict[str, FlatSettings],
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


def _missing(run: PaperRun) -> int:
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


def _row(root: Path, run: PaperRun, one: Scored, key: Key, letters: str, missing: int) -> BoardRow:
    cells = {name: cell for name in (TOTAL, *one.parts.names) if (cell := _cell(one, name))}
    notes: list[Warning] = [NotJudgedBy(judge=key[0])] if key[0] and not one.by else []
    notes += (Remark(what=note) for note in one.notes)
    answered = [row.answered for row in run.plain]
    return BoardRow(
        run.label,
        "run",
        cells,
        letters,
        len(one.parts.songs),
        len(one.parts.songs),
        sum(answered) / len(answered) if answered else None,
        tuple(notes_of(run, missing, more=notes)),
        within(root, run.folder),
        role=kind_of_run(run.manifest),
    )


def _cell(one: Scored, name: str) -> Cell | None:
    if name == TOTAL and not one.total:
        return None
    interval = part_interval(one.parts, name)
    return None if interval is None else Cell(interval.mean, interval.low, interval.high)


def _any(rows: Sequence[BoardRow], name: str) -> bool:
    return any(name in row.cells for row in rows)


def _first(row: BoardRow) -> float:
    """What rows are ordered by: the total, or else the first part that there is."""
    return next(iter(row.cells.values())).value if row.cells else -1.0
