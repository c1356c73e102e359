"""Published figures beside runs, and a table of a paper in its own form, filled from any runs.

A benchmark declares its form (`contract.description.PrintedTable`); figures are estimates, as
everywhere, and what is published is that of the benchmark.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from zhiyin.analysis.coverage import lacking_of
from zhiyin.analysis.run import RULES, kind_of_run, origins_beside
from zhiyin.contract.declared import Reference
from zhiyin.contract.description import PrintedTable
from zhiyin.contract.protocols import Protocol
from zhiyin.contract.registry import BenchmarkClass, find, known, places
from zhiyin.contract.resolved import in_common, resolved
from zhiyin.engine.folder import Manifest
from zhiyin.engine.naming import brief, canary_told, failed_canaries, own_name
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Places, as_paths
from zhiyin.report.paper_runs import PaperRun, gather, reference_of
from zhiyin.runs.measures import Estimate, Measure, measure_named
from zhiyin.shown.table import Cell, Column, MarkedFigure, Row, Table
from zhiyin.words import Said, Text, said
from zhiyin.words.findings import Canary
from zhiyin.words.reasons import heading

if TYPE_CHECKING:
    from zhiyin.words.findings import Warning


Spread = Literal["interval", "se", "none"]
Place = tuple[int, int]
"""Row and column of a form."""
_DECIMALS = 2


class _Model(msgspec.Struct):
    """One model in a form, with the runs that its cells are from."""

    name: Text
    judge: str
    set_to: list[Text]
    runs: list[PaperRun]
    cells: dict[Place, Estimate]


def printed_tables() -> Iterator[tuple[BenchmarkClass, PrintedTable]]:
    """Every form that an installed benchmark declares."""
    for name in places():
        with contextlib.suppress(InputError):
            kind = find(name)
            yield from ((kind, form) for form in kind.printed)


def printed_named(name: str) -> tuple[BenchmarkClass, PrintedTable]:
    """The form called ``BENCHMARK:NAME``. Raises `InputError` for one that is not there."""
    benchmark, _, own = name.partition(":")
    if benchmark in places():
        kind = find(benchmark)
        for form in kind.printed:
            if form.name == own:
                return kind, form
    names = [f"{kind.name}:{form.name}" for kind, form in printed_tables()]
    near = [each for each in names if each.startswith(f"{benchmark}:")]
    known = said("error-did-you-mean", close=None, known=near)
    hint = known if near else did_you_mean(name, names)
    raise InputError(said("printed-unknown", name=name, hint=hint))


def runs_of(kind: BenchmarkClass, runs: Places, name: str) -> tuple[list[PaperRun], list[Said]]:
    """The runs for the form called `name`, baselines last; and a note on those of other benchmarks.

    Raises `InputError` where all are.
    """
    others = gather(as_paths(runs), lambda run: True)
    own = sorted(others.pop(kind.name, []), key=lambda run: kind_of_run(run.manifest) in RULES)
    facts = {"name": name, "benchmark": kind.name}
    if not own:
        other, (first, *_) = next(iter(others.items()))
        raise InputError(said("printed-other", run=first.folder, other=other, **facts))
    left = sum(map(len, others.values()))
    return own, [said("printed-left", n=left, others=[*others], **facts)] if others else []


def printed_table(runs: Places, name: str, spread: Spread = "none") -> Table:
    """Runs in the form of a paper's table.

    Parameters
    ----------
    runs : sequence of Path
        Of the benchmark that the table is of. Runs of one model that fill different cells are one.
    name : str
        ``BENCHMARK:NAME``.
    spread : {"interval", "se", "none"}
        What stands beside our figures.

    Raises
    ------
    InputError
        There is no such table, or no run of its benchmark has a figure for it.
    """
    kind, form = printed_named(name)
    if form.drawn:
        raise InputError(said("printed-figure", name=name))
    every, left = runs_of(kind, runs, name)
    reference = kind.published()
    theirs = _published(form, reference)
    lines = _lines(form, every, theirs.keys())
    if not lines:
        raise InputError(said("printed-no-cell", name=name))
    make = _across if form.rows else _down
    columns, rows = make(form, lines, theirs, reference, spread)
    gaps = any(cell is None for row in rows for cell in row.cells)
    notes: list[Any] = [*left, *_of_lines(form, lines)]
    idle = [run.label for run in every if not any(run in line.runs for line in lines)]
    notes += [said("printed-idle", who=idle)] if idle else []
    notes += [said("printed-gaps")] if gaps else []
    notes += [said("table-spread", spread=spread)] if spread != "none" else []
    alike = in_common([run.manifest for run in (*every, *every[:1])])  # of a lone run, too
    notes += [said("table-common", title=kind.name, settings=alike)] if alike else []
    notes += [form.note] if form.note else []
    if reference and theirs:
        names = [
            heading(form.short.get(n, n)) for n in theirs if reference.kinds.get(n) != "chance"
        ]
        side = names if form.rows else None
        sources = dict.fromkeys(reference.of(n).source for n in theirs if n in reference.rows)
        notes.append(said("printed-source", names=side, sources=[*sources]))
    notes += origins(every)
    named = reference.title if reference else kind.name
    title = said("printed-title", of=named, title=form.title)
    return Table(name.replace(":", "-"), title, tuple(columns), tuple(rows), tuple(notes))


# Ours


def _lines(form: PrintedTable, runs: Sequence[PaperRun], theirs: Collection[str]) -> list[_Model]:
    """The models with their cells; runs of one that were set alike fill the cells of one line.

    None bears the name of a published row.
    """
    lines: list[_Model] = []
    for run in runs:
        set_to = _departures(form, run.manifest)
        name = own_name(run.manifest, brief(run.manifest.model))
        for judge, measures in _measures(run):
            cells = {
                place: own
                for place, group, figure in _places(form)
                if (own := run.estimate(measure_named(figure, measures), group)).value is not None
            }
            made = _Model(name, judge, set_to, [run], cells)
            home = next((one for one in lines if _meets(one, made)), None)
            if home is not None:
                home.runs.append(run)
                home.cells.update(cells)
            elif cells:
                lines.append(made)
    names = [line.name for line in lines]
    for line in lines:
        shared = names.count(line.name) > 1
        line.name = line.runs[0].label if shared and len(runs) > 1 else line.name
        line.name = f"{line.name} ({line.judge})" if line.judge else line.name
        if line.name in theirs:
            line.name = said("printed-here", name=line.name)
    return lines


def _meets(one: _Model, other: _Model) -> bool:
    """Tell whether two are one model, set alike, in different cells."""
    same = (one.name, one.judge, one.set_to) == (other.name, other.judge, other.set_to)
    return same and not one.cells.keys() & other.cells.keys()


def _places(form: PrintedTable) -> Iterator[tuple[Place, str, str]]:
    """Each cell with its group and its figure."""
    for r, (_, part) in enumerate(form.rows or (("", ""),)):
        for c, (_, group, figure) in enumerate(form.columns):
            yield (r, c), group.replace("*", part), figure


def _measures(run: PaperRun) -> list[tuple[str, tuple[Measure, ...]]]:
    """What can be measured of a run, for each judge of it."""
    kind = known(run.manifest)
    usual = (*kind.printed_measures, *kind.measures)
    totals = kind.totals(run.folder)
    return [(one.by, (one, *one.parts, *usual)) for one in totals] or [("", usual)]


def _departures(form: PrintedTable, manifest: Manifest) -> list[Text]:
    """List what a run was set to otherwise than the paper says."""
    config = resolved(manifest)
    options = config.get("options") or {}
    options = {**options, "extract": options.get("extract") or known(manifest).extract}
    given = manifest.options if options.get("imported") else options
    sets = {name: value for name, value in form.sets.items() if name in given}
    asked = options, config.get("sampling") or {}
    paper = Protocol("", "", sets=sets)
    return [*paper.departures(*asked)]


def _of_lines(form: PrintedTable, lines: Sequence[_Model]) -> Iterator[Said]:
    """Say of how many items our figures are and how they were asked otherwise, alike ones once."""
    alike: dict[str, tuple[list[Text], dict[str, Any]]] = {}
    for line in lines:
        least, *more = sorted({own.items for own in line.cells.values()})
        what: list[Text] = [*line.set_to, *_cautions(line)]
        facts = {"least": least, "most": more[-1] if more else None, "what": what or None}
        names, _ = alike.setdefault(str(said("printed-run", names=[], **facts)), ([], facts))
        names.append(line.name)
    for names, facts in alike.values():
        yield said("printed-run", names=names, **facts)


def _cautions(line: _Model) -> Iterator[Text]:
    """Tell what a reader must know of the runs of a line: parts, other items, canaries."""
    groups = {own.group for own in line.cells.values()}
    told: dict[str, Text] = {}
    for run in line.runs:
        part = run.coverage.part
        if part and not all(run.coverage.whole(group) for group in groups & {*run.asked_in}):
            told[str(part)] = part
        if not run.coverage.done and (lack := lacking_of(run.coverage.progress, run.manifest)):
            told[str(lack)] = said("extent-unfinished", what=lack)
        for medium, failed in failed_canaries(run.manifest).items():
            canary = str(Canary(medium=medium, told=canary_told(medium, failed)))
            told[canary] = canary
    yield from told.values()


# What is published


def _published(form: PrintedTable, reference: Reference | None) -> dict[str, dict[Place, Cell]]:
    """The rows of the paper itself that have every cell of the form."""
    if reference is None:
        return {}
    found: dict[str, dict[Place, Cell]] = {}
    for name in (name for name in reference.rows if name in reference.own):
        row, ends = reference.rows[name], reference.ranges.get(name, {})
        cells: dict[Place, Cell] = {}
        for place, group, figure in _places(form):
            figure = form.renamed.get(figure, figure)
            value = row.get(group, {}).get(figure)
            if value is not None:
                both = ends.get(group, {}).get(figure)
                cells[place] = (value, *both) if both else value
        if len(cells) == len([*_places(form)]):
            found[name] = cells
    order = {name: place for place, name in enumerate(form.short)}
    found = dict(sorted(found.items(), key=lambda one: order.get(one[0], -1)))
    if form.mean and found:
        own = [*found.values()]
        found[form.mean] = {
            place: sum(cells[place] for cells in own) / len(own)  # type: ignore[misc]
            for place in own[0]
        }
    return found


# The two layouts

Made = tuple[list[Column], list[Row]]


def _down(
    form: PrintedTable, lines: Sequence[_Model], theirs: Mapping[str, Mapping[Place, Cell]],
    reference: Reference | None, spread: Spread,
) -> Made:  # fmt: skip
    """Models down: ours, then the published ones in the paper's order."""
    every = range(len(form.columns))
    columns = [Column(said("table-model", people=False), name="model")]
    columns += [_column(*head.rpartition(": ")[::2]) for head, _, _ in form.columns]
    rows = [Row((line.name, *(_cell(line, (0, c), spread) for c in every))) for line in lines]
    for name, cells in theirs.items():
        kind = reference.kinds.get(name, "model") if reference else "model"
        called = said("table-published", name=heading(form.short.get(name, name)), kind=kind)
        rows.append(Row((called, *(cells[0, c] for c in every)), mark="soft"))
    return columns, rows


def _across(
    form: PrintedTable, lines: Sequence[_Model], theirs: Mapping[str, Mapping[Place, Cell]],
    reference: Reference | None, spread: Spread,
) -> Made:  # fmt: skip
    """Models side by side in each column; what guessing gets below, where all rows share it."""
    kinds = reference.kinds if reference else {}
    every = range(len(form.columns))
    level = {
        name: [cells[0, c] for c in every]
        for name, cells in theirs.items()
        if kinds.get(name) == "chance" and all(cells[r, c] == cells[0, c] for r, c in cells)
    }
    asked = [name for name in theirs if name not in level]
    columns, rows = [Column("", name="asked")], []
    for head, _, _ in form.columns:
        columns += [_column(head, line.name) for line in lines]
        columns += [_column(head, form.short.get(name, name)) for name in asked]
    for r, (asked_in, _) in enumerate(form.rows):
        own: list[Cell] = [asked_in]
        for c in every:
            own += [_cell(line, (r, c), spread) for line in lines]
            own += [theirs[name][r, c] for name in asked]
        rows.append(Row(tuple(own)))
    width = len(lines) + len(asked)
    for name, guessed in level.items():
        rows.append(Row((name, *(cell for cell in guessed for _ in range(width))), mark="soft"))
    return columns, rows


def _column(over: str, title: Text) -> Column:
    return Column(title, "share", _DECIMALS, over=over)


def _cell(line: _Model, place: Place, spread: Spread) -> Cell:
    own = line.cells.get(place)
    if own is None:
        return None
    ends = own.ends if spread == "interval" else None
    return MarkedFigure(ends or own.value, own.se if spread == "se" else None)


Columns = Mapping[str, tuple[Measure, str]]
"""Measure and group by the name of their column."""


class PublishedRow(NamedTuple):
    """A published row: its name, whose it is, and by column its figures, which have no interval."""

    name: str
    kind: Any
    cells: dict[str, Estimate]


MOST = 10
"""Published rows beside runs on a page."""


def most_telling(reference: Reference, figures: Mapping[str, float], sign: int = 1) -> list[str]:
    """At most ten of some rows, newest first: the best, the set's own, and the newest.

    Parameters
    ----------
    reference : Reference
    figures : mapping of str to float
        By row.
    sign : {1, -1}
        -1 where less is better.
    """
    best = sorted(figures, key=lambda name: -sign * figures[name])
    kinds = {reference.kinds.get(name, "model"): name for name in reversed(best)}
    newest = sorted(best, key=lambda name: reference.of(name).date, reverse=True)
    own = [name for name in best if name in reference.own][: MOST // 2]
    kept = list(dict.fromkeys([*kinds.values(), *own, *newest]))[:MOST]
    return [name for name in newest if name in kept]


def why_apart(reference: Reference, name: str) -> Said | None:
    """Say why a row cannot be compared; None where it can."""
    flag, value = reference.apart.get(name, ("", ""))
    return said("published-why", flag=flag, value=value) if flag else None


def all_apart(reference: Reference | None, names: Collection[str] | None = None) -> Said | None:
    """Say how many rows, or of some, cannot be compared, and why; None where all can."""
    apart = reference.apart if reference else {}
    counts = Counter(why for name, why in apart.items() if names is None or name in names)
    if not counts:
        return None
    return said("published-apart", n=counts.total(), whys=_whys(counts))


def higher_apart(reference: Reference, best: str, group: str, figure: str) -> Said | None:
    """Say which rows that cannot be compared lie above one that can, and why; None for none."""
    value = reference.rows[best][group][figure]
    if not (higher := reference.higher(value, group, figure)):
        return None
    other = max(higher, key=higher.__getitem__)
    whys = _whys(Counter(reference.apart[name] for name in higher))
    return said("published-higher", best=best, value=value, n=len(higher), other=other,
                most=higher[other], whys=whys)  # fmt: skip


def _whys(counts: Counter[tuple[str, str]]) -> list[Said]:
    if len(counts) == 1:
        ((flag, value),) = counts
        return [said("published-why", flag=flag, value=value)]
    return [said("published-why-n", n=n, flag=flag, value=value)
            for (flag, value), n in counts.most_common()]  # fmt: skip


def origins(runs: Sequence[PaperRun]) -> list[Warning]:
    """Warn the readers of several runs of where their replies are from."""
    names, folders = [run.label for run in runs], [run.folder for run in runs]
    found = origins_beside(names, folders, [run.manifest for run in runs])
    return [*{str(one): one for _, one in found}.values()]  # two may be alike on each benchmark


def published_as(measure: Measure) -> tuple[str, ...]:
    """What a measure is called where it is published: recall over all questions is accuracy."""
    return ("accuracy", "recall") if measure.name == "accuracy" else (measure.name,)


def published_rows(
    figures: Columns, runs: Sequence[PaperRun], *, aside: bool = False
) -> list[PublishedRow]:
    """List the published rows for groups that every run here holds whole, newest first.

    `aside`: those that cannot be compared with these runs for another reason.
    """
    reference = reference_of(runs)
    if reference is None:
        return []
    rows = []
    for name, row in (reference.aside if aside else reference.rows).items():
        cells = {}
        for column, (measure, group) in figures.items():
            published = row.get(group, {})
            names = published_as(measure)
            value = next((published[one] for one in names if one in published), None)
            if value is not None and all(run.coverage.whole(group) for run in runs):
                cells[column] = Estimate(measure, value)
        if cells:
            rows.append(PublishedRow(name, reference.kinds.get(name, "model"), cells))
    rows.sort(key=lambda row: -(next(iter(row.cells.values())).value or 0.0))
    return sorted(rows, key=lambda row: reference.of(row.name).date, reverse=True)
