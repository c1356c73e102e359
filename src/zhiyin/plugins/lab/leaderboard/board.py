"""Parts of a leaderboard: tables, their rows and cells."""

from __future__ import annotations

import math
import os
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import structs

from zhiyin.analysis.beside import flat_settings
from zhiyin.analysis.cost import bill_of
from zhiyin.analysis.coverage import lacking_of
from zhiyin.analysis.parts import remarks_on
from zhiyin.analysis.question_set import set_of_runs
from zhiyin.analysis.run import RunKind
from zhiyin.analysis.summary import details
from zhiyin.analysis.within import constant_answers, kind_of_answers
from zhiyin.contract.declared import PagePart
from zhiyin.contract.registry import known
from zhiyin.contract.resolved import resolved_beside
from zhiyin.engine.naming import canaries_told, failed_canaries
from zhiyin.engine.scoring import ALL
from zhiyin.report.chapters import joined
from zhiyin.report.paper_columns import PaperColumn, PaperRuns, columns_of, task_of
from zhiyin.report.paper_runs import PaperRun, reference_of
from zhiyin.report.printed import Columns, origins, published_rows, why_apart
from zhiyin.runs.measures import IFR, Estimate, Measure
from zhiyin.runs.pairing import differing
from zhiyin.runs.rows import rows_of
from zhiyin.shown.table import Table, in_letters
from zhiyin.words import Said, Text, said
from zhiyin.words.findings import Canary, Remark, Unfinished, Ungraded, Warning

Kind = Literal["run", "model", "human", "chance"]
FlatSettings = dict[str, object]
"""Settings by their path: ``{"limit": 200, "options.shots": 5}``."""


class NotJudgedBy(Warning, frozen=True, kw_only=True):
    """A run without the judgement by which a table ranks."""

    judge: str


class BoardRow(msgspec.Struct, frozen=True):
    """A run, or a published row.

    Attributes
    ----------
    name : str
    kind : {"run", "model", "human", "chance"}
    cells : dict of str to Estimate
        By column; of published rows without an interval.
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
    role : RunKind
        Who answered; models alone have ranks, and the listener where there are none.
    way : int
        Which of the rows were asked alike: ranks and letters are among those of one number.
    called : Text
        The name in the reader's language, with what the run was set to otherwise.
    model : str
        Who was asked, whose mark it has.
    chance : float or None
        What guessing gets of the first figure.
    always : Text
        The one answer that was given to everything: "always A".
    """

    name: str
    kind: Kind
    cells: dict[str, Estimate]
    letters: str = ""
    items: int | None = None
    clusters: int | None = None
    ifr: float | None = None
    notes: tuple[Warning, ...] = ()
    folder: str = ""
    usd: float | None = None
    tokens: float | None = None
    role: RunKind = "model"
    way: int = 0
    called: Text = ""
    model: str = ""
    chance: float | None = None
    always: Text = ""

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
        The benchmark; of scores in parts with the judge.
    columns : list of str
        Names of the figures, the headline first: ``"accuracy, all"``, ``"f1, theory"``.
    rows : list of BoardRow
        Runs best first, those asked alike together, and between them what is published and can be
        compared, where its first figure puts it; then unfinished runs, then those without a figure.
    aside : list of BoardRow
        What is published but cannot be compared with any, by the reason, which is its note.
    items : int
        Items that all ranked runs judged.
    protocol : dict of str to object
        The settings of all runs.
    ignored : dict
        Settings in which they differ all the same: setting -> run -> value.
    source : Text
        Of the published rows; empty where there are none.
    notes : list of Warning
        What the reader must know of all rows.
    unit : str
        What `items` counts: "items", or "songs" where scores are made of parts.
    paper : str
        Full reference of the benchmark; empty where it names none.
    headings : dict of str to Said
        What columns are called on pages, by their names.
    measures : dict of str to Measure
        Of what columns are.
    measured : tuple of Table
        What was measured of runs that are not marked right or wrong.
    opened : PagePart or None
        What the benchmark draws of its runs, where it measures no share of right answers.
    """

    benchmark: str
    title: Text
    columns: list[str]
    rows: list[BoardRow]
    items: int
    protocol: FlatSettings
    ignored: dict[str, FlatSettings]
    source: Text
    notes: list[Warning] = []
    unit: str = "items"
    paper: str = ""
    aside: list[BoardRow] = []
    headings: dict[str, Said] = {}
    measures: dict[str, Measure] = {}
    measured: tuple[Table, ...] = ()
    opened: PagePart | None = None

    @property
    def leading(self) -> list[str]:
        """The figures by which runs are named: the first, or one for each of its parts."""
        first = self.measures.get(self.columns[0]) if self.columns else None
        return self.columns[: 1 if first is None or first.group == ALL else 2]

    @property
    def why_aside(self) -> Said | None:
        """How many rows stand aside for each reason; None where none does."""
        counts = Counter(row.note for row in self.aside)
        whys = {row.note: row.notes[:1] for row in self.aside}
        each = [said("boards-aside-why", n=n, why=one) for note, n in counts.items()
                for one in whys[note]]  # fmt: skip
        return said("causes", each=each) if each else None

    @property
    def part(self) -> Text | None:
        """Of what part of the questions the first figure is, and so `items`; None for all."""
        first = self.columns[0] if self.columns else ""
        whole = first not in self.measures or self.measures[first].group == ALL
        return None if whole else self.headings[first].facts.get("group")

    @property
    def ways(self) -> int:
        """Number of ways in which ranked runs were asked."""
        return len({row.way for row in self.rows if row.letters})

    def as_data(self) -> FlatSettings:
        """Return the board as data for JSON, its words in English."""
        words = {name: str(getattr(self, name) or "") for name in ("title", "source", "why_aside")}
        rows, aside = ([_row_data(row) for row in own] for own in (self.rows, self.aside))
        bare = structs.replace(self, rows=[], aside=[], headings={}, measures={}, opened=None)
        data: FlatSettings = {**msgspec.to_builtins(bare), **words, "rows": rows, "aside": aside}
        del data["headings"], data["opened"]
        data["measures"] = {
            name: {"unit": of.unit, "lower_is_better": of.lower_is_better, "range": of.range}
            for name, of in self.measures.items()
        }
        data["measured"] = [list(in_letters(table).rows) for table in self.measured]
        return data


def _row_data(row: BoardRow) -> FlatSettings:
    data: FlatSettings = msgspec.to_builtins(structs.replace(row, cells={}, called="", always=""))
    del data["called"], data["always"]
    cells = {
        name: {"value": own.value, "low": own.low, "high": own.high}
        for name, own in row.cells.items()
    }
    return {**data, "cells": cells}


def board_of(root: Path, one: PaperRuns) -> Board:
    """The table of runs of a benchmark, or of those of a judge.

    Parameters
    ----------
    root : Path
        The folder that was collected.
    one : PaperRuns
    """
    columns = _leading_first(one)
    first, runs = columns[0], [*one.runs.values()]
    named = {str(column.heading): column for column in columns}
    places = {row: way for way, rows in enumerate(one.alike) for row in rows}
    ranked = [(row, way, letters) for way, (own, _) in enumerate(first.ranking)
              for row, letters in own]  # fmt: skip
    rows = [_run_row(root, one, row, named, way, letters) for row, way, letters in ranked]
    sign = -1 if first.measure.lower_is_better else 1
    there = {row for row, _, _ in ranked}
    rest = [_run_row(root, one, row, named, places[row], "") for row in one.runs
            if row not in there]  # fmt: skip
    rest.sort(key=lambda row: (not row.cells, -sign * _first(row, [*named])))
    figures = {name: (column.measure, column.group) for name, column in named.items()}
    ranked_rows, apart = _interleaved(one, rows or rest, figures)
    rows = [*ranked_rows, *(rest if rows else ())]
    reference = reference_of(runs)
    flat = [flat_settings(run.manifest.config) for run in runs]
    drawn = [] if first.measure.declared else [r for r in runs if known(r.manifest).draws_ungraded]
    return Board(
        one.benchmark,
        one.title,
        [*named],
        rows,
        next((items for own, items in first.ranking if own), 0),
        flat[0],
        differences([*one.runs], runs),
        reference.source if reference and (apart or any(r.kind != "run" for r in rows)) else "",
        list(_notes(one, columns, rows)),
        "songs" if one.judge else "items",
        aside=apart,
        headings={name: column.heading for name, column in named.items()},
        measures={name: column.measure for name, column in named.items()},
        measured=_measured(drawn),
    )


def _leading_first(one: PaperRuns) -> list[PaperColumn]:
    """The columns: before the headline another one over all questions, where more rows have that.

    Rows are runs and what is published beside them: by a figure that most lack, most had no place.
    """
    columns = [column for column in columns_of(one, groups=True) if column.estimates]
    figures = {str(column.heading): (column.measure, column.group) for column in columns}
    # Where a row can stand beside runs of several ways, the first has it: `_interleaved`
    beside = {row.name: row.cells for own in reversed(one.alike)
              for row in published_rows(figures, _finished(one, own))}  # fmt: skip

    def rows_with(column: PaperColumn) -> int:
        published = sum(str(column.heading) in cells for cells in beside.values())
        return len(column.estimates) + published

    every = () if one.judge else (own for own in columns if own.group == ALL)
    lead = max((columns[0], *every), key=rows_with)
    return [lead, *(column for column in columns if column is not lead)]


def _finished(one: PaperRuns, way: Sequence[str]) -> list[PaperRun]:
    """The runs of a way that published rows stand beside: one that is not done hides none."""
    runs = [one.runs[row] for row in way]
    return [run for run in runs if run.coverage.done] or runs


def differences(
    names: Sequence[str], runs: Sequence[PaperRun], ignore: Sequence[str] = ()
) -> dict[str, FlatSettings]:
    """Return the settings in which runs differ: setting -> run -> value."""
    settings = differing(names, resolved_beside([run.manifest for run in runs]))
    return {name: values for name, values in settings.items() if name not in ignore}


def _notes(
    one: PaperRuns, columns: Sequence[PaperColumn], rows: Sequence[BoardRow]
) -> Iterator[Warning]:
    """Yield notes on all rows: on what runs are ranked, or why not."""
    runs, (first, *others) = [*one.runs.values()], columns
    tested = next((column.measure.name for column in others if column.measure.declared), None)
    if one.judge:
        yield Remark(what=said("boards-total"))
    if one.common:
        yield Remark(what=said("table-common", title=one.title, settings=one.common))
    yield from origins(runs)
    for line in remarks_on([run.folder for run in runs]):
        yield Remark(what=line)
    for own, (ranked, items) in zip(one.alike, first.ranking, strict=True):
        if not ranked and sum(one.runs[row].coverage.done for row in own) > 1:
            paths = any(one.runs[row].manifest.sequences for row in own)
            yield Remark(what=said(
                "boards-not-ranked", figure=first.heading, paths=paths, tested=tested
            ))  # fmt: skip
        letters = {row for row, _ in ranked}
        if any(row.items != items for row in rows if row.name in letters) and not one.judge:
            of = None if first.group == ALL else first.heading.facts.get("group")
            yield Remark(what=said("boards-ranked-on", n=items, of=of))


def _run_row(
    root: Path, one: PaperRuns, row: str, columns: Mapping[str, PaperColumn], way: int, letters: str
) -> BoardRow:
    run, first = one.runs[row], next(iter(columns.values()))
    cells = {
        name: column.estimates[row] for name, column in columns.items() if row in column.estimates
    }
    own, more = first.estimates.get(row), list[Warning]()
    deaf = canaries_told((one.rows[name], each.manifest) for name, each in one.runs.items())
    items, clusters = (own.items, own.clusters) if own else (None, None)
    ifr = None
    if one.judge is not None:
        judged = one.judge in known(run.manifest).totals(run.folder)
        more += [] if judged else [NotJudgedBy(judge=one.judge.by)]
        items, own = clusters, run.estimate(one.judge)  # what is counted are songs
    if own is not None:
        more += (Remark(what=what) for what in own.warnings)
    if one.judge is not None or first.measure.over == "judged":
        ifr = run.estimate(IFR, ALL, ends=False).value
    asked = run.every.settled.clusters if one.judge is not None else run.every.settled.items
    usd, tokens = cost_of(run, len(set(asked.tolist())))
    chance, always, role = None, None, kind_of_answers(run.manifest, run.frame)
    if first.measure.of:
        chance = run.estimate(first.measure, first.group, test=True, ends=False).chance
    if chance is not None:
        places = run.frame.places(first.group, run.way)
        always = constant_answers(run.frame.part(places), [ALL]).get(ALL)
        if always and role != "baseline":
            more.append(Remark(what=said("table-one-letter")))
    return BoardRow(
        row, "run", cells, letters, items, clusters, ifr, tuple(notes_of(run, deaf, more)),
        within(root, run.folder), usd, tokens, role=role, way=way,
        called=one.rows[row], model=run.manifest.model,
        chance=chance, always=always.told if always else "",
    )  # fmt: skip


def notes_of(
    run: PaperRun, deaf: Mapping[str, Text], more: Sequence[Warning] = ()
) -> Iterator[Warning]:
    """Yield notes on a run: that it is deaf, unfinished, a part; `more` between."""
    for medium in failed_canaries(run.manifest):
        yield Canary(medium=medium, told=deaf[medium])
    if not run.coverage.done and (lacking := lacking_of(run.coverage.progress, run.manifest)):
        yield Unfinished(what=lacking)
    yield from more
    if caution := run.coverage.caution:
        yield caution


def within(root: Path, folder: Path) -> str:
    """A run's folder as it is named within the folder that was collected."""
    return os.path.relpath(folder, root) if folder != root else folder.name


def _interleaved(
    one: PaperRuns, rows: Sequence[BoardRow], figures: Columns
) -> tuple[list[BoardRow], list[BoardRow]]:
    """Put published rows between the runs of the first way that they can be compared with.

    Which can be is what `contract.published_table.Reference.beside` says, as on every page; the
    first figure of a row puts it in its place.

    Returns
    -------
    list of BoardRow
        Runs, and published rows with their settings as notes.
    list of BoardRow
        The others by the reason, which is their note.
    """
    made, aside = [*rows], dict[str, BoardRow]()
    order = [*figures]

    def worth(row: BoardRow, column: str) -> float:
        own = row.cells.get(column)
        sign = -1 if figures[column][0].lower_is_better else 1
        return math.inf if own is None else sign * (own.value or 0.0)

    def place(row: BoardRow) -> tuple[bool, int, float]:
        """Those that are known to be asked alike come first, where no run stands between."""
        column = next(iter(row.cells))
        return not told(row), order.index(column), -worth(row, column)

    every = reference_of([*one.runs.values()])
    if one.judge or every is None:
        return made, []

    def told(row: BoardRow) -> Text | None:
        return every.of(row.name).told

    unsaid = Remark(what=said("boards-unsaid"), severity="doubt")
    for way, own in enumerate(one.alike):
        runs = _finished(one, own)
        for row in sorted((BoardRow(*row) for row in published_rows(figures, runs)), key=place):
            here = [n for n, each in enumerate(made) if each.way == way]
            if here and all(row.name != each.name for each in made if each.kind != "run"):
                column = next(iter(row.cells))
                lower = (n for n in here if made[n].kind == "run"
                         and worth(made[n], column) < worth(row, column))  # fmt: skip
                notes = (Remark(what=known) if (known := told(row)) else unsaid,)
                at = next(lower, here[-1] + 1)
                made.insert(at, structs.replace(row, way=way, notes=notes))
        for row in (BoardRow(*row) for row in published_rows(figures, runs, aside=True)):
            why = why_apart(every, row.name) or why_apart(reference_of(runs) or every, row.name)
            aside.setdefault(row.name, structs.replace(row, notes=(Remark(what=why or ""),)))
    there = {row.name for row in made if row.kind != "run"}
    apart = [row for row in aside.values() if row.name not in there]
    return made, sorted(apart, key=lambda row: row.note)


def unranked_board(
    root: Path, benchmark: str, runs: Sequence[PaperRun], beside: Sequence[PaperRun] = ()
) -> Board:
    """A table of runs of which none has a figure; `beside` were asked other tasks and have one."""
    called, task = set_of_runs([(run.manifest, run.rows) for run in runs]), task_of(runs, beside)
    title = said("boards-title", benchmark=called, clauses=[task]) if task else called
    return with_unranked(root, Board(benchmark, title, [], [], 0, {}, {}, ""), runs)


def with_unranked(root: Path, board: Board, runs: Sequence[PaperRun]) -> Board:
    """A table with a row for each run of replies that nobody has judged; a note on the others."""
    rows = list(board.rows)
    measured: list[PaperRun] = []
    silent: dict[bool, list[str]] = {}
    for run in runs:
        waiting = rows_of(run.folder).outcomes()["ungraded"]
        folder = within(root, run.folder)
        if not waiting:
            silent.setdefault(bool(run.every.judged), []).append(run.label)
            continue
        noted: Warning = Remark(what=said("boards-measured"))
        if known(run.manifest).draws_ungraded or _measured([run]):
            measured.append(run)
        else:
            noted = Ungraded(n=waiting, remedy=shlex.join(["zhiyin", "judge", str(run.folder)]))
        rows.append(BoardRow(run.label, "run", {}, notes=(noted,), folder=folder,
                             model=run.manifest.model))  # fmt: skip
    notes = [
        Remark(what=said("boards-left", title=board.title, n=len(who), who=who, altered=altered))
        for altered, who in silent.items()
    ]
    return structs.replace(
        board, rows=rows, notes=[*board.notes, *notes],
        measured=(*board.measured, *_measured(measured)),
    )  # fmt: skip


def _measured(runs: Sequence[PaperRun]) -> tuple[Table, ...]:
    """The benchmark's own tables of some runs: those that it is made for, or else the first."""
    own = []
    for run in runs:
        every = details(rows_of(run.folder).main, run.manifest)
        own += [(run.label, one) for one in [one for one in every if one.leads] or every[:1]]
    return tuple(one.table("measured") for one in joined(own, said("board-model")))


def cost_of(run: PaperRun, items: int) -> tuple[float | None, float | None]:
    """Money and tokens for each of all items that were asked, whatever the group in which runs are
    ranked; kept replies at their full price; None for what is unknown.
    """
    right = int(run.judged.right.sum())
    bill = bill_of(run.folder, right)
    if bill is None or not items or not right:
        return None, None
    usd, tokens = bill.usd_per_right, bill.tokens_per_right
    return (None if usd is None else usd * right / items), (tokens or 0) * right / items or None


def _first(row: BoardRow, columns: Sequence[str]) -> float:
    """Return the sort key of unranked rows: the first figure that there is."""
    return next((row.cells[n].value or 0.0 for n in columns if n in row.cells), 0.0)
