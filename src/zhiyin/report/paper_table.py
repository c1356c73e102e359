"""The table of a paper: models as rows, benchmarks or their groups as columns.

Its figures are those of the report, its tests those of `compare`, and what is published stands
below them under the conditions of the report: see docs/decisions/0083-where-users-are.md.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from zhiyin.analysis.compare import compare
from zhiyin.analysis.compare_parts import contrasts
from zhiyin.analysis.comparison import RunPair
from zhiyin.analysis.extent import lacking_of
from zhiyin.analysis.gate import ALWAYS
from zhiyin.analysis.registered import registered_remark
from zhiyin.analysis.run_kind import contenders, kind_of_run
from zhiyin.contract.registry import known
from zhiyin.engine.folder import PARTS
from zhiyin.engine.naming import canary_told, failed_canaries, people_in
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.files import Place, Places, as_paths, write_atomically
from zhiyin.record import NOT_JUDGED, SCORE, STATES
from zhiyin.report.figures import PaperRun
from zhiyin.report.figures.scores import reference_of
from zhiyin.report.leaderboard.board import origins, published_rows
from zhiyin.report.notation import Progress, silent
from zhiyin.report.paper_columns import (
    DEGREES,
    AskedAlike,
    PaperColumn,
    columns_of,
    runs_alike,
    scored_by,
)
from zhiyin.runs.measures import figure_name
from zhiyin.shown.pages import as_html
from zhiyin.shown.paper import as_csv, as_latex, as_markdown, latex_packages
from zhiyin.shown.table import Cell, Column, MarkedFigure, Row, Table
from zhiyin.statistics.intervals import Interval
from zhiyin.statistics.parts import TOTAL
from zhiyin.words import Said, Text, said
from zhiyin.words.findings import Canary, Unfinished

Across = Literal["auto", "benchmarks", "groups"]
Spread = Literal["interval", "se", "none"]
PaperFormat = Literal["latex", "md", "csv", "html"]
SUFFIXES: dict[str, PaperFormat] = {"tex": "latex", "md": "md", "csv": "csv", "html": "html"}
_ALPHA = 0.05
_MUCH_UNREAD = 0.1
"""From this share of replies without a readable answer on, a figure has a footnote."""
_LEAST_ANSWERS = 20
"""From so many answers on it is said that all of them are one letter."""
_WHOLE = 0.95
"""A row that judged a smaller share of a column's items has no part in its tests."""
_IGNORED = {*PARTS, "model", "model_data"}


class PublishedBeside(msgspec.Struct, frozen=True):
    """A published row from elsewhere than the benchmarks: its figures by the names of columns."""

    name: str
    kind: str
    source: str
    figures: dict[str, float]


def paper_table(
    runs: Places,
    *,
    across: Across = "auto",
    spread: Spread = "interval",
    published: Sequence[str] = (),
    names: Mapping[Path, str] | None = None,
    beside: Sequence[PublishedBeside] = (),
    progress: Progress = silent,
) -> Table:
    """Runs as a table for a paper.

    Parameters
    ----------
    runs : sequence of Path
    across : {"auto", "benchmarks", "groups"}
        What the columns are; "auto": benchmarks where there are several, else the main groups.
    spread : {"interval", "se", "none"}
        What stands beside a figure: its 95 % interval, or its standard error.
    published : sequence of str
        Published rows to add: "all", "people", "models", or patterns of their names.
    names : mapping, optional
        What the benchmark of a run is called, by folder, as in a suite.
    beside : sequence of PublishedBeside
        Further published rows, such as those that a suite's file names.
    progress : callable
        Is given the number of runs read and of all, as it goes on.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        A folder is no run, none has a judged trial, two runs of one model were asked the same, or
        no published row has a name that is wanted.
    """
    folders = as_paths(runs)
    alike, without = runs_alike(folders, names or {}, progress)
    if not alike:
        lack = " in its benchmark's main way" if any(run.every.judged for run in without) else ""
        raise InputError(
            f"none of these runs has a judged trial{lack}: there is no figure for a table"
        )
    groups = across == "groups" or (across == "auto" and len(alike) == 1)
    columns = [column for one in alike for column in columns_of(one, groups=groups)]
    rows = list(dict.fromkeys(row for one in alike for row in one.runs))
    notes = TableTests()
    cells: dict[str, dict[int, Cell]] = {row: {} for row in rows}
    for n, column in enumerate(columns):
        ahead = notes.test(column)
        for row, interval in column.intervals.items():
            own = tuple(_of_cell(column, row))
            cells[row][n] = _cell(interval, spread, own, strong=row in ahead)
    made = []
    for row in rows:
        told = tuple(_of_row([one.runs[row] for one in alike if row in one.runs]))
        made.append(Row((row, *_line(cells[row], len(columns))), notes=told))
    below = _published(columns, published, [*beside]) if published else []
    below += _beside(columns, beside)
    bare = _unpublished(columns, below) if published else []
    every = [run for one in alike for run in one.runs.values()]
    more = [*bare, *(said("table-remark", what=one) for one in origins(every))]
    if registered := registered_remark([run.folder for run in every]):
        more.append(registered)
    more += _left_out(without, names or {})
    people = _rows_of_people(alike)
    if people and spread != "none":
        more.append(said("table-people", rows=", ".join(people)))
    progress(len(folders), len(folders))
    head = Column(said("table-model", people=bool(people)), name="model")
    return Table(
        "table",
        said(
            "table-title",
            benchmarks=list({str(one.title): one.title for one in alike}.values()),
            models=len(rows),
            several=_benchmarks(alike, names or {}),
            people=bool(people),
        ),
        (head, *map(_headed, columns)),
        (*made, *below),
        (*notes.lines(spread), said("table-n"), *more),
    )


def _benchmarks(alike: Sequence[AskedAlike], names: Mapping[Path, str]) -> int | None:
    """How many benchmarks there are, however many ways each was asked in; None for one."""
    called = {
        (one.benchmark, names.get(run.folder, "")) for one in alike for run in one.runs.values()
    }
    return len(called) if len(called) > 1 else None


def _rows_of_people(alike: Sequence[AskedAlike]) -> list[str]:
    """The rows that are people's answers: their interval is not for other people."""
    return [
        row
        for row, run in {row: run for one in alike for row, run in one.runs.items()}.items()
        if people_in(run.manifest)
    ]


def _headed(column: PaperColumn) -> Column:
    """A column with its title, and below it of how many items its figures are."""
    counts = sorted({interval.n for interval in column.intervals.values()})
    if not counts:
        return Column(column.title, "share")
    most = counts[-1] if counts[-1] > counts[0] else None
    head = said("table-head", title=column.title, least=counts[0], most=most)
    return Column(head, "share", name=str(column.title))


def _left_out(silent: Sequence[PaperRun], names: Mapping[Path, str]) -> list[Said]:
    """The runs without a judged trial, or with none in the main way, a line for each benchmark."""
    each: dict[tuple[str, bool], list[str]] = {}
    for run in silent:
        name = names.get(run.folder) or run.manifest.benchmark
        each.setdefault((name, bool(run.every.judged)), []).append(run.label)
    return [
        said("table-silent", benchmark=name, who=list(dict.fromkeys(who)), altered=altered)
        for (name, altered), who in each.items()
    ]


def _line(cells: Mapping[int, Cell], width: int) -> list[Cell]:
    return [cells.get(n) for n in range(width)]


def _cell(
    interval: Interval, spread: Spread, notes: tuple[Any, ...], *, strong: bool
) -> MarkedFigure:
    value: float | tuple[float, float, float] = interval.mean
    if spread == "interval":
        value = (interval.mean, interval.low, interval.high)
    se = interval.se if spread == "se" and 0 < interval.se < math.inf else None
    return MarkedFigure(value, se, strong, notes)


class TableTests:
    """Which figures stand out, and what is to be said of the tests."""

    def __init__(self) -> None:
        self._tested = self._many = False
        self._level: list[Text] = []
        self._more: list[Said] = []

    def test(self, column: PaperColumn) -> set[str]:
        """The best rows of a column, and those that do not differ from it significantly.

        Only those of models and people, or else of the listener: a baseline is never one.
        """
        intervals = column.intervals
        rows = _contenders(column.of, [row for row in _comparable(column.of) if row in intervals])
        rows = self._whole(column, rows)
        if len(rows) < 2:
            return set()
        if column.figure == DEGREES:
            self._more.append(said("table-no-paired-test", column=column.title))
            return set()
        pairs, group = self._pairs(column, rows), _compared_group(column)
        sign = 1 if column.low_is_best else -1
        heads = [row for row in rows if all(row in pair for pair in pairs)]  # of many the tested
        best = min(heads or rows, key=lambda row: sign * intervals[row].mean)
        ahead, open_to = {best}, set[str]()
        for row in rows:
            pair = pairs.get(frozenset((best, row)))
            test = next((t for t in pair.groups if t.group == group), None) if pair else None
            if test is not None and not test.resolved:
                ahead.add(row)
            elif test is None and row != best:
                open_to.add(row)
        if open_to:  # nothing is shown of them
            self._more.append(said("table-no-test", column=column.title))
            return set()
        self._tested = True
        self._many |= len(pairs) < math.comb(len(rows), 2)
        if len(ahead) == len(rows):
            self._level.append(column.title)
        if column.figure not in ("accuracy",) and not column.figure.startswith(SCORE):
            self._more.append(said("table-tests-accuracy", column=column.title))
        return ahead

    def _whole(self, column: PaperColumn, rows: Sequence[str]) -> list[str]:
        """The rows that judged about all items that any of these did.

        All are tested on what all of them judged: a short one would leave nearly nothing.
        """
        counts = {row: interval.n for row, interval in column.intervals.items() if row in rows}
        most = max(counts.values(), default=0)
        short = [row for row in rows if counts[row] < _WHOLE * most]
        if short:
            note = said(
                "table-short", column=column.title, rows=short, n=most, share=_WHOLE,
                tested=len(rows) - len(short) > 1,
            )  # fmt: skip
            self._more.append(note)
        return [row for row in rows if row not in short]

    def _pairs(self, column: PaperColumn, rows: Sequence[str]) -> dict[frozenset[str], RunPair]:
        measure = figure_name(column.figure) if column.figure.startswith(SCORE) else None
        of_all: dict[frozenset[str], RunPair] = {}
        runs, group = [column.of.runs[row] for row in rows], _compared_group(column)
        if column.of.judge is not None:
            scored = [one for run in runs if (one := scored_by(run, column.of.judge)) is not None]
            family = [column.group] if column.group != TOTAL else []
            compared, _ = contrasts(rows, scored, families=family, alpha=_ALPHA, lead=column.group)
            of_all |= {frozenset((pair.first, pair.second)): pair for pair in compared}
            return of_all
        try:
            comparison = compare(
                [run.folder for run in runs], only_whole=group == ALL, main=not column.of.way,
                families=[] if group == ALL else [group], measure=measure,
                alpha=_ALPHA, both=False, lead=group,
            )  # fmt: skip
        except InputError:  # each was asked its own questions
            return of_all
        label = {one.label: row for one, row in zip(comparison.runs, rows, strict=True)}
        own = (row for pair in comparison.pairs for row in pair.groups)
        items = next((row.items for row in own if row.group == group), comparison.items)
        counts = [interval.n for row, interval in column.intervals.items() if row in rows]
        if any(run.left_out for run in comparison.runs) and max(counts) > items:
            self._more.append(said("table-common-items", column=column.title, n=items))
        of_all |= {
            frozenset((label[pair.first], label[pair.second])): pair for pair in comparison.pairs
        }
        return of_all

    def lines(self, spread: Spread) -> list[Said]:
        """What the figures and the bold ones are."""
        lines = [] if spread == "none" else [said("table-spread", spread=spread)]
        if self._tested:
            lines.append(said("table-rule", alpha=_ALPHA, star=True, many=self._many))
        lines += [said("table-level", columns=self._level)] if self._level else []
        return [*lines, *{str(one): one for one in self._more}.values()]


def _compared_group(column: PaperColumn) -> str:
    """What `compare` calls the group of a column: with the altered way that it is asked in."""
    way = column.of.way if column.group != ALL else ""
    return f"{way}/{column.group}" if way else column.group


def _comparable(one: AskedAlike) -> list[str]:
    """The rows that are finished, and of the data, the version and the reader of most."""
    done = {row: run for row, run in one.runs.items() if one.judge or run.extent.done}
    keys = {row: _meaning(run) for row, run in done.items()}
    if not keys:
        return []
    most = Counter(keys.values()).most_common(1)[0][0]
    return [row for row, key in keys.items() if key == most]


def _contenders(one: AskedAlike, rows: Sequence[str]) -> list[str]:
    """Those of some rows that may be best: of the kinds that a headline speaks of, no baselines."""
    kinds = {row: kind_of_run(one.runs[row].manifest) for row in rows}
    able = contenders([*kinds.values()]) - {"baseline"}
    return [row for row, kind in kinds.items() if kind in able]


def _meaning(run: PaperRun) -> str:
    """The settings without which a figure means another thing."""
    config: dict[str, Any] = run.manifest.config
    values = []
    for name in ALWAYS:
        value: Any = config
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        values.append(value)
    return str([*values, run.manifest.shard])


def _of_row(runs: Sequence[PaperRun]) -> Iterator[Any]:
    """What is said of a model: that it failed a canary."""
    told: dict[str, Canary] = {}
    for run in runs:
        for medium, failed in failed_canaries(run.manifest).items():
            told.setdefault(medium, Canary(medium=medium, told=canary_told(medium, failed)))
    yield from told.values()


def _unread(column: PaperColumn, row: str) -> float:
    """The share of replies behind a figure that hold no readable answer."""
    run = column.of.runs[row]
    if column.of.judge is not None or column.figure == DEGREES or column.group not in run.groups:
        return 0.0
    outcomes = run.groups[column.group].outcomes()
    judged = sum(outcomes[state] for state in STATES if state not in NOT_JUDGED)
    return 1 - (outcomes["correct"] + outcomes["wrong"]) / judged if judged else 0.0


def _only_letter(column: PaperColumn, row: str) -> str:
    """The letter that is every answer behind a figure, where there are enough to say so; or ""."""
    run = column.of.runs[row]
    blind = kind_of_run(run.manifest) == "baseline"
    if blind or column.of.judge is not None or column.group not in run.groups:
        return ""
    rows = run.groups[column.group]
    codes = rows.table.outcome[rows.numbers]
    letters = {rows.table.outcomes[code].letter for code in np.unique(codes)} - {None}
    return str(letters.pop()) if len(letters) == 1 and len(rows) >= _LEAST_ANSWERS else ""


def _of_cell(column: PaperColumn, row: str) -> Iterator[Any]:
    """What is said of a figure: that it is of a part, unfinished, otherwise read or asked, or of
    replies that could not be read.
    """
    one = column.of
    run = one.runs[row]
    if caution := run.extent.caution:
        yield caution
    if not run.extent.done and (lacking := lacking_of(run.extent.reach, run.manifest)):
        yield Unfinished(what=lacking)
    policy = (run.manifest.config.get("options") or {}).get("extract")
    if policy and policy != known(run.manifest).extract:
        yield said("table-reader", policy=str(policy))
    if one.judge and (scored := scored_by(run, one.judge)):
        yield from scored.notes
    settings = []
    for name, values in one.settings.items():
        if name in _IGNORED or name == "options.extract":
            continue
        usual = Counter(map(str, values.values())).most_common(1)[0][0]
        if str(values[row]) != usual:
            value = None if values[row] is None else _short(values[row])
            settings.append(said("table-setting", name=name.rpartition(".")[2], value=value))
    if settings:
        yield said("table-differs", settings=settings)
    if (unread := _unread(column, row)) >= _MUCH_UNREAD:
        yield said("table-unread", share=unread)
    if letter := _only_letter(column, row):
        yield said("table-one-letter", letter=letter)
    yield from _fewer_items(column, row)


def _fewer_items(column: PaperColumn, row: str) -> Iterator[Said]:
    """That a figure is of fewer items than others of its column, where nothing else says why."""
    n = column.intervals[row].n
    if column.of.of_one_extent and n < max(own.n for own in column.intervals.values()):
        yield said("table-items", n=n)


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 24 else f"{text[:10]}…"


def _published(
    columns: Sequence[PaperColumn],
    wanted: Sequence[str],
    beside: Sequence[PublishedBeside],
) -> list[Row]:
    """Published rows, people first; each figure with a footnote on its source."""
    cells: dict[tuple[str, str], dict[int, Cell]] = {}
    known_names = {row.name for row in beside}
    for n, column in enumerate(columns):
        runs = list(column.of.runs.values())
        reference = None if column.of.judge or column.of.way else reference_of(runs)
        if reference is None:
            continue
        known_names |= reference.rows.keys()
        note = said("table-source", source=reference.source)
        for row in published_rows({"": (column.figure, column.group)}, runs):
            if any(_is_wanted(pattern, row.name, row.kind) for pattern in wanted):
                figure = MarkedFigure(row.cells[""].value, notes=(note,))
                cells.setdefault((row.kind, row.name), {})[n] = figure
    for pattern in wanted:
        if not (pattern in _KINDS or any(_is_wanted(pattern, n, "") for n in known_names)):
            raise InputError(
                f"--published {pattern}: no published row of these benchmarks is called so: say "
                "all, people, models, or a pattern such as 'Qwen*'"
            )
    order = sorted(cells, key=lambda key: _ORDER.get(key[0], 1))
    return [
        Row((said("table-published", name=key[1], kind=key[0]), *_line(cells[key], len(columns))),
            mark="soft")
        for key in order
    ]  # fmt: skip


def _unpublished(columns: Sequence[PaperColumn], below: Sequence[Row]) -> list[Said]:
    """What stands beside no published row though these were asked for, and where there are some."""
    beside = {
        str(column.of.title)
        for n, column in enumerate(columns, 1)
        if any(row.cells[n] is not None for row in below)
    }
    bare = {str(c.of.title): c.of for c in columns if str(c.of.title) not in beside}
    parts = [
        one.title
        for one in bare.values()
        if any(
            published_rows({"": (column.figure, column.group)}, list(one.runs.values()))
            for column in (() if one.way or one.judge else columns_of(one, groups=True))
        )
    ]
    rest = [one.title for one in bare.values() if one.title not in parts]
    told = [said("table-published-parts", columns=parts)] if parts else []
    return told + ([said("table-unpublished", columns=rest)] if rest else [])


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
            name = said("table-published", name=one.name, kind=one.kind)
            rows.append(Row((name, *line), mark="soft"))
    return rows


_KINDS = {"all": ("model", "human", "chance"), "people": ("human",), "models": ("model",)}
_ORDER = {"human": 0, "model": 1, "chance": 2}


def is_wanted(patterns: Sequence[str], row: PublishedBeside) -> bool:
    """Whether a published row is one of those that are wanted."""
    return any(_is_wanted(pattern, row.name, row.kind) for pattern in patterns)


def _is_wanted(pattern: str, name: str, kind: str) -> bool:
    return kind in _KINDS.get(pattern, ()) or fnmatchcase(name, pattern)


def render_table(table: Table, to: PaperFormat, language: str = "en") -> str:
    """The table as a file has it, ready to be put into a paper or a page."""
    table = msgspec.structs.replace(table, notes=tuple(map(_unstarred, table.notes)))
    if to == "latex":
        text = as_latex(table, language, label=_label(table))
        return f"{latex_packages(text)}\n{text}"
    if to == "csv":
        return as_csv(table)
    return as_markdown(table, language) if to == "md" else as_html(table, language)


def _unstarred(note: Text) -> Text:
    """A note for where bold figures have no star, as they have on a terminal."""
    if not isinstance(note, Said) or "star" not in note.facts:
        return note
    return Said(note.name, {**note.facts, "star": False})


def _label(table: Table) -> str:
    """By what LaTeX refers to it: the names of its benchmarks."""
    title = table.title
    names = title.facts.get("benchmarks", ()) if isinstance(title, Said) else ()
    words = (re.sub(r"[^a-z0-9]+", "-", str(_name(one)).lower()).strip("-") for one in names)
    return "-".join(filter(None, words)) or table.name


def _name(title: Text) -> Text:
    """The name of a benchmark without what else its title says."""
    named: Text = title.facts.get("benchmark", title) if isinstance(title, Said) else title
    return named


def write_table(table: Table, out: Place) -> list[Path]:
    """Write the table as ``table.tex``, ``table.md`` and ``table.csv`` into a folder."""
    paths = []
    for suffix in ("tex", "md", "csv"):
        paths.append(Path(out) / f"{table.name}.{suffix}")
        write_atomically(paths[-1], render_table(table, SUFFIXES[suffix]).encode())
    return paths
