"""The table of a paper: models as rows, benchmarks or their groups as columns.

Its figures are those of the report, its tests those of `compare`, and what is published stands
below them under the conditions of the report: see docs/rooms/report.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

import msgspec

from zhiyin.analysis.coverage import lacking_of
from zhiyin.analysis.parts import cells_of, remarks_on
from zhiyin.analysis.run import kind_of_run
from zhiyin.analysis.within import constant_answers
from zhiyin.contract.registry import known
from zhiyin.engine.naming import canaries_told, failed_canaries, models_in, people_in
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Places, as_paths
from zhiyin.idioms import grouped
from zhiyin.report.media import Progress, silent
from zhiyin.report.paper_columns import (
    PaperColumn,
    PaperRuns,
    columns_of,
    runs_beside,
    settings_of_row,
)
from zhiyin.report.paper_runs import PaperRun, reference_of
from zhiyin.report.printed import all_apart, origins, published_as, published_rows
from zhiyin.runs.estimates import chance_of
from zhiyin.runs.measures import ANSWERED, SHARE, Estimate, measure_named, measure_title
from zhiyin.runs.rows import JUDGED
from zhiyin.shown.pages import as_html
from zhiyin.shown.paper import as_csv, as_latex, as_markdown
from zhiyin.shown.table import Cell, Column, MarkedFigure, Row, Table, kinds_of
from zhiyin.words import Said, Text, said
from zhiyin.words.findings import Canary, Unfinished

Across = Literal["auto", "benchmarks", "groups"]
Spread = Literal["interval", "se", "none"]
PaperFormat = Literal["latex", "md", "csv", "html"]
SUFFIXES: dict[str, PaperFormat] = {"tex": "latex", "md": "md", "csv": "csv", "html": "html"}
_ALPHA = 0.05
_NEARLY = 0.005
_MANY = 6
"""So many columns a page and a terminal hold; of a benchmark with more the headlines are enough."""
_MUCH_UNREAD = 0.1
"""From this share of replies without a readable answer on, a figure has a footnote."""


class PublishedBeside(msgspec.Struct, frozen=True):
    """A published row from elsewhere than the benchmarks: its figures by the names of columns."""

    name: str
    kind: str
    source: str
    figures: dict[str, float]


def paper_table(
    runs: Places, *, across: Across = "auto", spread: Spread = "interval",
    published: Sequence[str] = (), names: Mapping[Path, str] | None = None,
    beside: Sequence[PublishedBeside] = (), added: Sequence[str] = (), brief: bool = False,
    progress: Progress = silent,
) -> Table:  # fmt: skip
    """Runs as a table for a paper.

    Parameters
    ----------
    runs : sequence of Path
    across : {"auto", "benchmarks", "groups"}
        What the columns are; "auto": benchmarks where there are several, else the main groups of
        the one, and its headlines alone where that would be more than six columns.
    spread : {"interval", "se", "none"}
        What stands beside a figure: its 95 % interval, or its standard error.
    published : sequence of str
        Published rows to add: "all", "people", "models", or patterns of their names, several
        with commas between them.
    names : mapping, optional
        What the benchmark of a run is called, by folder, as in a suite.
    beside : sequence of PublishedBeside
        Further published rows, such as those that a suite's file names; of these, too, those alone
        that `published` wants, where it wants some.
    added : sequence of str
        Names of columns of other packages, which stand last.
    brief : bool
        Whether notes are left out, but on what figures and bold are, and what they are of.
    progress : callable
        Is given the number of runs read and of all, as it goes on.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        A folder is no run, none has a judged trial, or no published row or column has a name that
        is wanted.
    """
    folders = as_paths(runs)
    alike, without = runs_beside(folders, names or {}, progress)
    if not alike:
        raise InputError(said("table-none-judged", main=any(run.every.judged for run in without)))
    groups = across == "groups" or (across == "auto" and len(alike) == 1)
    columns = [column for one in alike for column in columns_of(one, groups=groups)]
    every = len(columns)
    if across == "auto" and every > _MANY:
        columns = [own for own in columns if own.group in (ALL, own.measure.group)]
    rows = {row: called for one in alike for row, called in one.rows.items()}
    cells: dict[str, dict[int, Cell]] = {row: {} for row in rows}
    deaf = canaries_told(
        (one.rows[row], run.manifest) for one in alike for row, run in one.runs.items()
    )
    for n, column in enumerate(columns):
        ahead = {row for own in column.ahead for row in own or ()}
        for row, own in column.estimates.items():
            heard = [] if len(alike) == 1 else [*_of_canaries([column.of.runs[row]], deaf)]
            told = (*heard, *_of_cell(column, row, brief=brief))
            ends = "none" if _is_constant(column, row) else spread
            cells[row][n] = _cell(own, ends, told, strong=row in ahead)
    rows = {row: called for row, called in rows.items() if cells[row]} or rows
    manifests = {row: run.manifest for one in alike for row, run in one.runs.items()}
    kinds = {row: kind_of_run(manifest) for row, manifest in manifests.items()}
    scale = {row for row in rows if kinds[row] == "baseline"}
    scale = scale if len(scale) < len(rows) else set()
    blocks = _blocks([row for row in rows if row not in scale], alike)
    last = [row for row in rows if row in scale]
    firsts = {block[0] for block in [*blocks[1:], last[:1]] if block and len(blocks) > 1}
    rows = {row: rows[row] for block in [*blocks, last] for row in block}
    own_runs = {row: [one.runs[row] for one in alike if row in one.runs] for row in rows}
    of_rows = [[*dict.fromkeys(run.folder for run in own)] for own in own_runs.values()]
    more_cells = [cells_of(name, of_rows) for name in added]
    made = []
    for number, (row, called) in enumerate(rows.items()):
        line = (*_line(cells[row], len(columns)), *(own[number] for _, own in more_cells))
        notes = tuple(_of_canaries(own_runs[row], deaf)) if len(alike) == 1 else ()
        mark: Literal["", "soft"] = "soft" if row in scale else ""
        made.append(Row((called, *line), mark=mark, notes=notes, apart=row in firsts))
    below = _published(columns, published, [*beside]) if published else []
    below += _beside(columns, [
        row for row in beside
        if not published or any(_is_wanted(one, row.name, row.kind) for one in published)
    ])  # fmt: skip
    bare = _unpublished(columns, below, published) if published else []
    chance = [_chance_of(column) for column in columns]
    guesses = [level and MarkedFigure(level) for level in chance]
    guessing = [Row((said("table-chance"), *guesses), mark="soft")] if any(chance) else []
    gathered = [run for one in alike for run in one.runs.values()]
    common = [said("table-common", title=one.called, settings=one.common) for one in alike
              if one.common]  # fmt: skip
    more = [*bare, *origins(gathered), *common]
    more += {str(one): one for one in remarks_on([run.folder for run in gathered])}.values()
    more += _left_out(without, names or {})
    # The rows that are people's answers: of several their interval is for other people too
    people = [row for row, manifest in manifests.items() if people_in(manifest)]
    several = [row for row in people if people_in(manifests[row]) > 1]
    if several and spread != "none":
        more.append(said("table-people", rows=several))
    progress(len(folders), len(folders))
    shares = all(column.measure.unit == SHARE for column in columns)
    figures = len({column.measure.of for column in columns}) > 1
    head = Column(said("table-model", people=bool(people)), name="model")
    sizes = [_sizes(column) for column in columns]
    usual = max(sizes, key=sizes.count)
    usual = usual if 2 * sizes.count(usual) > len(sizes) > 1 else ""
    spoken = [said("table-n", usual=usual or None), *_lines(columns, spread)]
    models, baselines = (
        len({*models_in([run.manifest for row in some for run in own_runs.get(row, ())])})
        for some in (own_runs, scale)
    )
    # Benchmarks, however many ways each was asked in
    of_runs = [(one.benchmark, run.folder) for one in alike for run in one.runs.values()]
    asked = len({(benchmark, (names or {}).get(folder, "")) for benchmark, folder in of_runs})
    settings = len({settings_of_row(called) for called in rows.values()})
    lines = [said("table-more", what=spoken[:2]), *spoken[2:3]]
    lines += [said("table-more", what=[*spoken[3:], *more])] if spoken[3:] or more else []
    lines += [said("table-groups", n=every - len(columns))] if every > len(columns) else []
    return Table(
        "table",
        said(
            "table-title",
            benchmarks=list({str(one.title): one.called for one in alike}.values()),
            models=models - baselines,
            baselines=baselines,
            settings=settings if models < len(rows) and settings > 1 else 0,
            several=asked if asked > 1 else None,
            people=bool(people),
            shares=shares,
        ),
        (
            head,
            *(
                _headed(column, len(alike) == 1, units=not shares, figures=figures, usual=usual)
                for column in columns
            ),
            *(column for column, _ in more_cells),
        ),
        (*made, *(_wider(row, len(more_cells)) for row in (*guessing, *below))),
        tuple([*lines[: 1 + len(spoken[2:3])], *common] if brief else lines),
    )


def _wider(row: Row, columns: int) -> Row:
    """A published row, with nothing in the columns of other packages."""
    return msgspec.structs.replace(row, cells=(*row.cells, *[None] * columns))


def _sizes(column: PaperColumn) -> str:
    """Of how many items the figures of a column are: "20", "18–20"; empty where there are none."""
    counts = sorted({own.items for own in column.estimates.values()})
    return "–".join(f"{n:,}" for n in dict.fromkeys((*counts[:1], *counts[-1:])))


def _chance_of(column: PaperColumn) -> float | None:
    """What guessing gets, where that is known and nearly the same for every row."""
    group = column.group or column.measure.group
    runs = [column.of.runs[row] for row in column.estimates]
    each = [chance_of(run.frame, column.measure, run.frame.places(group, run.way)) for run in runs]
    levels = [level for level in each if level is not None]
    if column.of.judge or not levels or len(levels) < len(each):
        return None
    return max(levels, key=levels.count) if max(levels) - min(levels) < _NEARLY else None


def _blocks(rows: Sequence[str], alike: Sequence[PaperRuns]) -> list[list[str]]:
    """The rows in groups of those that some benchmark asked alike; in one where none was."""
    blocks: list[list[str]] = []
    for row in rows:
        own = {other for one in alike for each in one.alike if row in each for other in each}
        met = [block for block in blocks if own & {*block}] or [[]]
        blocks += [] if met[0] else met
        met[0][:] = [*(other for block in met for other in block), row]
        blocks = [block for block in blocks if not any(block is one for one in met[1:])]
    return blocks if any(len(block) > 1 for block in blocks) else [[*rows]]


def _headed(column: PaperColumn, alone: bool, *, units: bool, figures: bool, usual: str) -> Column:
    """A column with its title, and its number of items where it is not that of the others."""
    kind, n = kinds_of(column.measure.unit)[0], _sizes(column)
    if not n:
        return Column(column.title(), kind)
    title = column.title(alone=alone, units=units, figures=figures, called=True)
    head = title if n == usual else said("table-head", title=title, n=n)
    large = max(abs(own.value or 0.0) for own in column.estimates.values()) > 1
    decimals = None if kind == "share" else 1 if large else 3
    return Column(head, kind, decimals, name=str(column.title()))


def _left_out(silent: Sequence[PaperRun], names: Mapping[Path, str]) -> list[Said]:
    """The runs without a judged trial, or with none in the main way, a line for each benchmark."""
    each = grouped(
        ((names.get(run.folder) or run.manifest.benchmark, bool(run.every.judged)), run.label)
        for run in silent
    )
    return [
        said("table-silent", benchmark=name, who=list(dict.fromkeys(who)), altered=altered)
        for (name, altered), who in each.items()
    ]


def _line(cells: Mapping[int, Cell], width: int) -> list[Cell]:
    return [cells.get(n) for n in range(width)]


def _cell(own: Estimate, spread: Spread, notes: tuple[Any, ...], *, strong: bool) -> MarkedFigure:
    value = own.ends if spread == "interval" and own.ends else own.value
    se = own.se if spread == "se" and own.se and own.se < math.inf else None
    return MarkedFigure(value, se, strong, notes)


def _lines(columns: Sequence[PaperColumn], spread: Spread) -> Iterator[Said]:
    """Explain the figures and the bold ones."""
    if spread != "none":
        yield said("table-spread", spread=spread)
    ahead = [own for column in columns for own in column.ahead]
    if any(ahead):
        ways = max(len(column.of.alike) for column in columns)
        yield said("table-rule", alpha=_ALPHA, screen=True, ways=ways)
    if untested := [column.title() for column in columns if None in column.ahead]:
        yield said("table-no-test", columns=untested)


def _of_canaries(runs: Sequence[PaperRun], told: Mapping[str, Text]) -> Iterator[Canary]:
    """Warn of a canary that a model failed, once for each medium, in the words of the table."""
    failed = dict.fromkeys(medium for run in runs for medium in failed_canaries(run.manifest))
    for medium in failed:
        yield Canary(medium=medium, told=told[medium])


def _of_replies(column: PaperColumn, row: str) -> Iterator[Said]:
    """Warn of the replies behind a figure: unread ones, and one letter to everything."""
    run = column.of.runs[row]
    places = run.frame.places(column.group, run.way)
    states = run.frame.state[places]
    judged = int(JUDGED[states].sum())
    if judged and column.measure.over == "judged":
        unread = 1 - int(ANSWERED[states].sum()) / judged
        if unread >= _MUCH_UNREAD:
            yield said("table-unread", share=unread)
    if kind_of_run(run.manifest) != "baseline" and _is_constant(column, row):
        yield said("table-one-letter")


def _is_constant(column: PaperColumn, row: str) -> bool:
    """Tell whether one answer was given to everything, so that no interval says anything."""
    run = column.of.runs[row]
    if column.of.judge or not column.measure.of:
        return False
    return bool(constant_answers(run.frame.part(run.frame.places(column.group, run.way)), [ALL]))


def _of_cell(column: PaperColumn, row: str, *, brief: bool) -> Iterator[Any]:
    """Warn of a figure that is of a part, unfinished, or of replies that could not be read."""
    one = column.of
    run, own = one.runs[row], column.estimates[row]
    if caution := run.coverage.caution:
        yield caution
    if not run.coverage.done and (lacking := lacking_of(run.coverage.progress, run.manifest)):
        yield Unfinished(what=lacking)
    if brief:
        return
    yield from own.warnings
    if one.judge:
        return
    yield from _of_replies(column, row)
    beside = next(rows for rows in one.alike if row in rows)
    most = max(column.estimates[other].items for other in beside if other in column.estimates)
    if run.coverage.done and not own.warnings and own.items < most:
        yield said("table-items", n=own.items)


def _published(
    columns: Sequence[PaperColumn], wanted: Sequence[str], beside: Sequence[PublishedBeside]
) -> list[Row]:
    """Published rows, people first; each figure with a footnote on its source."""
    cells: dict[tuple[str, str], dict[int, Cell]] = {}
    known_names = {row.name for row in beside}
    for n, column in enumerate(columns):
        runs = list(column.of.runs.values())
        reference = None if column.of.judge or column.of.way else reference_of(runs)
        if reference is None:
            continue
        known_names |= reference.every.keys()
        for row in published_rows({"": (column.measure, column.group)}, runs):
            if any(_is_wanted(pattern, row.name, row.kind) for pattern in wanted):
                cited = reference.cited(row.name, group=column.group)
                of = reference.of(row.name)
                note = said("table-source", source=cited, date=of.date or None, settings=of.told)
                figure = MarkedFigure(row.cells[""].value, notes=(note,))
                cells.setdefault((row.kind, row.name), {})[n] = figure
    for one in (one for pattern in wanted for one in _each(pattern)):
        if not (one in _KINDS or any(_is_wanted(one, name, "") for name in known_names)):
            hint = did_you_mean(one, {*_KINDS, *known_names})
            raise InputError(said("error-published", pattern=one, hint=hint))
    order = sorted(cells, key=lambda key: _ORDER.get(key[0], 1))
    return [
        _published_row(name, kind, _line(cells[kind, name], len(columns))) for kind, name in order
    ]


def _published_row(name: str, kind: str, line: Sequence[Cell]) -> Row:
    """A published row; a footnote that all its figures have stands at its name."""
    figures = [cell for cell in line if isinstance(cell, MarkedFigure)]
    notes = figures[0].notes if len({str(one.notes) for one in figures}) == 1 else ()
    if notes:
        line = [cell and MarkedFigure(cell.value) if isinstance(cell, MarkedFigure) else cell
                for cell in line]  # fmt: skip
    return Row((said("table-published", name=name, kind=kind), *line), mark="soft", notes=notes)


def _unpublished(
    columns: Sequence[PaperColumn], below: Sequence[Row], wanted: Sequence[str]
) -> list[Said]:
    """Tell of rows that were asked for and do not stand there: why, and where there are some."""
    told: list[Said] = []
    parts: list[PaperRuns] = []
    rest: list[PaperRuns] = []
    there = {row.cells[0].facts["name"] for row in below if isinstance(row.cells[0], Said)}
    for one in {id(column.of): column.of for column in columns}.values():
        runs, own = [*one.runs.values()], [column.of is one for column in columns]
        reference = None if one.way or one.judge else reference_of(runs)
        every, kinds = (reference.every, reference.kinds) if reference else ({}, {})
        names = {
            name
            for name in every
            if name not in there
            and any(_is_wanted(each, name, kinds.get(name, "model")) for each in wanted)
        }
        figures = {
            figure: None
            for name, row in (reference.rows if reference else {}).items() if name in names
            for group, each in row.items() if all(run.coverage.whole(group) for run in runs)
            for figure in each
        }  # fmt: skip
        measures = {name for column in columns if column.of is one
                    for name in published_as(column.measure)}  # fmt: skip
        others = [*figures] if not measures & figures.keys() else []
        if others:
            n = sum(name in names for name in reference.rows) if reference else 0
            whats = [measure_title(measure_named(name), unit=False) for name in others]
            told.append(
                said("table-published-other", title=one.called, n=n, figures=whats, screen=True)
            )
        elif not any(row.cells[n] is not None for row in below for n, is_own in enumerate(own, 1)
                     if is_own):  # fmt: skip
            (parts if figures else rest).append(one)
        if reference and (apart := all_apart(reference, names)):
            forms = [f"{one.benchmark}:{form.name}" for form in known(runs[0].manifest).printed[:1]]
            told.append(said("table-published-apart", title=one.called, what=apart, forms=forms,
                             screen=bool(forms)))  # fmt: skip
    if parts:
        told.append(
            said("table-published-parts", columns=[one.called for one in parts], screen=True)
        )
    for late in dict.fromkeys(tuple(_late(one)) for one in rest):  # each reason is said of its own
        bare = [one.called for one in rest if tuple(_late(one)) == late]
        told.append(said("table-unpublished", columns=bare, late=len(late), who=[*late]))
    return told


def _late(one: PaperRuns) -> list[str]:
    """The unfinished runs without which published rows would stand beside the others."""
    late = [name for name, run in one.runs.items() if not (run.coverage.done or run.coverage.part)]
    measure = next(columns_of(one, groups=False)).measure
    done = [run for name, run in one.runs.items() if name not in late]
    reference = reference_of([*one.runs.values()])
    able = published_rows({"": (measure, one.main)}, done) if done else reference and reference.rows
    return late if able and not one.judge else []


def _beside(columns: Sequence[PaperColumn], beside: Sequence[PublishedBeside]) -> list[Row]:
    """Rows from elsewhere, each figure with a footnote on its source and on what it is of."""
    rows = []
    for one in beside:
        line: list[Cell] = [None] * len(columns)
        for n, column in enumerate(columns):
            value = one.figures.get(str(column.of.title))
            if value is not None and column.group == column.of.main:
                source = said("table-source-elsewhere", source=one.source)
                line[n] = MarkedFigure(value, notes=(source,))
        if any(line):
            rows.append(_published_row(one.name, one.kind, line))
    return rows


_KINDS = {"all": ("model", "human", "chance"), "people": ("human",), "models": ("model",)}
_ORDER = {"human": 0, "model": 1, "chance": 2}


def _is_wanted(pattern: str, name: str, kind: str) -> bool:
    """Tell whether a pattern, or one of several with commas between them, is of a row."""
    return any(
        kind in _KINDS.get(one, ()) or fnmatchcase(name.casefold(), one.casefold())
        for one in _each(pattern)
    )


def _each(pattern: str) -> list[str]:
    """The parts of a pattern: names have blanks behind their commas."""
    return re.split(r",(?! )", pattern)


def render_table(table: Table, to: PaperFormat, language: str = "en") -> str:
    """The table as a file has it, ready to be put into a paper or a page."""
    notes = [note for note in table.notes if getattr(note, "name", "") != "table-groups"]
    table = msgspec.structs.replace(table, notes=tuple(map(_on_paper, notes)))
    if to == "latex":  # there a rule and a footnote say that a row is published
        table = msgspec.structs.replace(table, rows=tuple(map(_bare, table.rows)))
        return as_latex(table, language, label=_label(table))
    if to == "csv":
        return as_csv(table)
    return as_markdown(table, language) if to == "md" else as_html(table, language)


def _bare(row: Row) -> Row:
    """A row of a published model with the name alone."""
    name = row.cells[0]
    if not (isinstance(name, Said) and name.facts.get("kind") == "model" and row.notes):
        return row
    return msgspec.structs.replace(row, cells=(name.facts["name"], *row.cells[1:]))


def _on_paper(note: Any) -> Any:
    """A note without what only a terminal has: the star of bold figures, commands."""
    if isinstance(note, list):
        return [*map(_on_paper, note)]
    if not isinstance(note, Said):
        return note
    facts = {name: _on_paper(fact) for name, fact in note.facts.items()}
    return Said(note.name, facts | ({"screen": False} if "screen" in facts else {}))


def _label(table: Table) -> str:
    """Return the label for LaTeX references: the names of its benchmarks."""
    title = table.title
    names = title.facts.get("benchmarks", ()) if isinstance(title, Said) else ()
    words = (re.sub(r"[^a-z0-9]+", "-", str(_name(one)).lower()).strip("-") for one in names)
    return "-".join(filter(None, words)) or table.name


def _name(title: Text) -> Text:
    """The name of a benchmark without what else its title says."""
    named: Text = title.facts.get("benchmark", title) if isinstance(title, Said) else title
    return named
