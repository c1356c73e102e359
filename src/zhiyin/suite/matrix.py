"""The results of a suite at a glance: models by benchmarks, and models by skills."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from zhiyin.analysis.question_set import set_of_runs
from zhiyin.analysis.run_kind import kind_of_model
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import MARK, marked
from zhiyin.report.figures import PaperRun, common_way
from zhiyin.report.paper_columns import PaperColumn, PaperRuns, columns_of, has_figure, in_rows
from zhiyin.runs.measures import ACCURACY, Estimate
from zhiyin.shown.table import FEW, Cell, Column, MarkedFigure, Row, Table, kinds_of, tinted
from zhiyin.suite.folder import RUNS, RunState, SuiteState
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.analysis.skills import SkillLine
    from zhiyin.suite.results import Cards


MatrixCell = Estimate | Said | None
MatrixRow = tuple[str, str, str, Sequence[MatrixCell]]
"""A model, how it is reached, the condition that is named, and its figures. Of a run that is not
whole, a figure has no items.
"""


def benchmark_matrix(
    folder: Path, state: SuiteState, has_records: Callable[[Path, RunState], bool]
) -> Table | None:
    """What each model gets right of each benchmark; None where nothing was answered.

    Parameters
    ----------
    folder : Path
        The suite's.
    state : SuiteState
    has_records : callable
        Whether a run of the suite's folder has answers.
    """
    benchmarks = list(dict.fromkeys(run.benchmark for run in state.runs))
    several = len({run.condition for run in state.runs}) > 1
    lines: dict[tuple[str, str], dict[str, MatrixCell]] = {}
    names: dict[tuple[str, str], str] = {}
    asked: dict[str, list[tuple[RunState, PaperRun]]] = {}
    for run in state.runs:
        key = (run.model, run.condition)
        names.setdefault(key, run.model)
        lines.setdefault(key, {})
        if has_records(folder, run):
            place = folder / RUNS / run.name
            own = PaperRun(place.name, 0, place, read_manifest(place))
            asked.setdefault(run.benchmark, []).append((run, own))
            names[key] = max(names[key], marked(run.model, own.manifest), key=len)
    columns: dict[str, list[PaperColumn]] = {}
    strong: set[int] = set()
    for name, members in asked.items():
        columns[name] = []
        for one in _beside(name, [own for _, own in members]):
            column = next(columns_of(one, groups=False))
            columns[name].append(column)
            ahead = {row for own in column.ahead for row in own or ()}
            for row, paper in one.runs.items():
                run = next(run for run, own in members if own.folder == paper.folder)
                figure = _figure(column, row, whole=run.state == "done")
                lines[run.model, run.condition][name] = figure
                if row in ahead:
                    strong.add(id(figure))
        for run, own in members:
            line = lines[run.model, run.condition]
            if line.get(name) is None and not own.plain and own.rows.outcomes()["ungraded"]:
                line[name] = said("suite-not-marked")
    kept = [name for name in benchmarks if any(line.get(name) for line in lines.values())]
    for run in state.runs:
        if run.state == "unfit" and run.benchmark in kept:
            lines[run.model, run.condition][run.benchmark] = said("suite-state", state="unfit")
    models = {run.model: run.spec for run in state.runs}
    rows: list[MatrixRow] = [
        (names[key], models[key[0]], key[1] if several else "", [line.get(n) for n in kept])
        for key, line in lines.items()
    ]
    totals = [name for name in kept if any(column.of.judge for column in columns[name])]
    notes = [said("suite-totals", names=totals)] if totals else []
    absent = [name for name in benchmarks if name not in kept]
    unfit = [
        name for name in absent
        if all(run.state == "unfit" for run in state.runs if run.benchmark == name)
    ]  # fmt: skip
    notes += [said("suite-unfit", names=unfit)] if unfit else []
    absent = [name for name in absent if name not in {*unfit, *asked}]
    notes += [said("suite-left-out", names=absent)] if absent else []
    notes += [said("suite-ahead")] if strong else []
    heads = []
    for name in kept:
        of = columns[name][0].measure if columns[name] else ACCURACY
        title: Text = set_of_runs([(own.manifest, own.rows) for _, own in asked[name]], name)
        if columns[name]:
            title = columns[name][0].title()
        heads.append(Column(title, kinds_of(of.unit)[0]))
    return _matrix(
        "benchmarks",
        said("suite-by-benchmark", shares=all(head.kind == "share" for head in heads)),
        heads,
        rows,
        notes,
        strong,
    )


def _beside(name: str, runs: Sequence[PaperRun]) -> list[PaperRuns]:
    """Runs of a benchmark in one column; where all were asked in one altered way, by this."""
    asked = [run.as_asked() for run in runs]
    able = [run for run in (asked if common_way(asked) else runs) if has_figure(run)]
    if not able:
        return []
    beside = in_rows(able[0].manifest.benchmark, able, [run.label for run in able], name)
    return [one for one in reversed(beside) if one.judge is None or one.judge[0]][:1]


def skill_matrix(cards: Sequence[Cards], specs: dict[str, str]) -> Table | None:
    """What each model gets right of each skill; None where nothing was asked.

    Parameters
    ----------
    cards : sequence of Cards
    specs : dict of str to str
        How models are reached, by their names.
    """
    skills = dict.fromkeys(
        line.skill for each in cards for card in each.cards for line in card.lines if line.figure
    )
    rows: list[MatrixRow] = []
    for each in cards:
        # The figure of a skill is that of the order of the models: on the items of all of them.
        ranked = {
            (order.skill, one.name): Estimate(ACCURACY, one.value, items=order.items)
            for order in each.orders
            for one in order.ranked
        }
        for card in each.cards:
            own = {
                line.skill: _of_skill(line, ranked.get((line.skill, card.model)))
                for line in card.lines
            }
            spec = specs.get(card.model.removesuffix(MARK), "")
            condition = each.condition if len(cards) > 1 else ""
            rows.append((card.model, spec, condition, [own.get(skill) for skill in skills]))
    heads: list[Column] = []
    alike: list[Said] = []
    apart: list[Said] = []
    for place, skill in enumerate(skills):
        senses = {
            line.sense for each in cards for card in each.cards for line in card.lines
            if line.skill == skill and line.figure
        }  # fmt: skip
        sense = "both" if len(senses) > 1 else next(iter(senses))
        name = said("suite-skill-name", skill=skill, sense=sense)
        counts = {one.items for row in rows if isinstance(one := row[3][place], Estimate)}
        heads.append(Column(name, "share"))
        if len(counts) > 1:
            apart.append(name)
        else:
            alike.append(said("suite-skill-of", skill=name, n=counts.pop()))
    notes = [said("suite-items-of", skills=alike)] if alike else []
    notes += [said("suite-own-items", skills=apart)] if apart else []
    return _matrix("skills", said("suite-by-skill"), heads, rows, notes)


def _of_skill(line: SkillLine, ranked: Estimate | None) -> Estimate | None:
    """The figure of a skill: on the items that it shares with all models, where there are any."""
    if line.figure is None:
        return None
    own = ranked or Estimate(ACCURACY, line.figure.value, items=line.items)
    return msgspec.structs.replace(own, chance=line.floor)


def _matrix(
    name: str, title: Text, heads: Sequence[Column], rows: Sequence[MatrixRow], notes: list[Said],
    strong: Collection[int] = (),
) -> Table | None:  # fmt: skip
    """Each column of shares is tinted from the highest floor in it, so that more is never paler."""
    if not heads:
        return None
    figures = [row[3] for row in rows]
    floors = [
        max((one.chance or 0.0 for one in column if isinstance(one, Estimate)), default=0.0)
        for column in zip(*figures, strict=True)
    ]
    body = []
    for (model, spec, condition, _), own in zip(rows, figures, strict=True):
        cells = (
            _cell(one, floor, strong=id(one) in strong) if isinstance(one, Estimate) else one
            for one, floor in zip(own, floors, strict=True)
        )
        mark: Literal["", "soft"] = "soft" if kind_of_model(spec) == "baseline" else ""
        body.append(Row((_name(model, spec, condition), *cells), mark=mark))
    if any(isinstance(one, Estimate) and one.items < FEW for own in figures for one in own):
        notes = [said("suite-few", few=FEW), *notes]
    columns = [Column(said("board-model")), *heads]
    return Table(name, title, tuple(columns), tuple(body), tuple(notes))


def _cell(one: Estimate, floor: float, *, strong: bool) -> Cell:
    """A figure; of a share on a ground that says how far it is above the floor."""
    value = one.value or 0.0
    share = one.measure.range == (0.0, 1.0) and not one.measure.lower_is_better
    if share or one.items < FEW:
        ground = tinted(value, one.items, floor if share else None)
        return MarkedFigure(ground, strong=True) if strong else ground
    return MarkedFigure(value, strong=True) if strong else value


def _name(model: str, spec: str, condition: str) -> Text:
    kind = kind_of_model(spec)
    name = said("board-named", name=model, kind=kind) if kind == "baseline" else model
    return said("suite-under", name=name, condition=condition) if condition else name


def _figure(column: PaperColumn, row: str, *, whole: bool) -> Estimate | None:
    """The figure of a run, with what guessing gets."""
    own = column.estimates.get(row)
    if own is None:
        return None
    chance = None
    if column.of.judge is None and column.measure.of:
        run = column.of.runs[row]
        chance = run.estimate(column.measure, column.group, test=True, ends=False).chance
    return msgspec.structs.replace(own, items=own.items if whole else 0, chance=chance)
