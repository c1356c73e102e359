"""The results of a suite at a glance: models by benchmarks, and models by skills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from zhiyin.analysis.compare_parts import scorings
from zhiyin.analysis.question_set import set_of_runs
from zhiyin.analysis.run_kind import kind_of_model
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import MARK, marked
from zhiyin.report.figures import PaperRun, common_way
from zhiyin.runs.estimates import chance_of, estimate
from zhiyin.shown.table import FEW, Column, Row, Table, tinted
from zhiyin.statistics.parts import TOTAL, part_interval
from zhiyin.suite.folder import RUNS, RunState, SuiteState
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.analysis.skills import SkillLine
    from zhiyin.suite.results import Cards


class MatrixShare(msgspec.Struct, frozen=True):
    """A share in [0, 1], of how many items it is, and what guessing gets right of them.

    `items` is 0 for a run that is not whole; `total`: a weighted mean of judged parts.
    """

    value: float
    items: int
    floor: float | None = None
    total: bool = False


MatrixRow = tuple[str, str, str, Sequence[MatrixShare | Said | None]]
"""A model, how it is reached, the condition that is named, and its figures."""


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
    lines: dict[tuple[str, str], dict[str, MatrixShare | Said | None]] = {}
    names: dict[tuple[str, str], str] = {}
    asked: dict[str, list[PaperRun]] = {}
    for run in state.runs:
        key = (run.model, run.condition)
        names.setdefault(key, run.model)
        line = lines.setdefault(key, {})
        if has_records(folder, run):
            place = folder / RUNS / run.name
            own = PaperRun(place.name, 0, place, read_manifest(place))
            asked.setdefault(run.benchmark, []).append(own.as_asked())
            names[key] = max(names[key], marked(run.model, own.manifest), key=len)
            line[run.benchmark] = _figure(own, whole=run.state == "done")
    ways = {name: common_way(own) for name, own in asked.items()}
    for run in state.runs:  # where all were asked in one altered way, this heads the column
        for own in asked.get(run.benchmark, ()) if ways.get(run.benchmark) else ():
            if own.folder.name == run.name:
                figure = _figure(own, whole=run.state == "done")
                lines[run.model, run.condition][run.benchmark] = figure
    kept = [name for name in benchmarks if any(line.get(name) for line in lines.values())]
    for run in state.runs:
        if run.state == "unfit" and run.benchmark in kept:
            lines[run.model, run.condition][run.benchmark] = said("suite-state", state="unfit")
    models = {run.model: run.spec for run in state.runs}
    rows: list[MatrixRow] = [
        (names[key], models[key[0]], key[1] if several else "", [line.get(n) for n in kept])
        for key, line in lines.items()
    ]
    totals = [
        name
        for name, column in zip(kept, zip(*(row[3] for row in rows), strict=True), strict=True)
        if any(isinstance(one, MatrixShare) and one.total for one in column)
    ]
    notes = [said("suite-totals", names=totals)] if totals else []
    absent = [name for name in benchmarks if name not in kept]
    unfit = [
        name for name in absent
        if all(run.state == "unfit" for run in state.runs if run.benchmark == name)
    ]  # fmt: skip
    notes += [said("suite-unfit", names=unfit)] if unfit else []
    absent = [name for name in absent if name not in {*unfit, *asked}]
    notes += [said("suite-left-out", names=absent)] if absent else []
    heads: list[Text] = []
    for name in kept:
        head = set_of_runs([(run.manifest, run.rows) for run in asked[name]], name)
        heads.append(said("table-way", title=head, way=ways[name]) if ways[name] else head)
    return _matrix("benchmarks", said("suite-by-benchmark"), heads, rows, notes)


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
            (order.skill, one.name): MatrixShare(one.value, order.items)
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
    heads: list[Text] = []
    alike: list[Said] = []
    apart: list[Said] = []
    for place, skill in enumerate(skills):
        senses = {
            line.sense for each in cards for card in each.cards for line in card.lines
            if line.skill == skill and line.figure
        }  # fmt: skip
        sense = "both" if len(senses) > 1 else next(iter(senses))
        name = said("suite-skill-name", skill=skill, sense=sense)
        counts = {one.items for row in rows if isinstance(one := row[3][place], MatrixShare)}
        heads.append(name)
        if len(counts) > 1:
            apart.append(name)
        else:
            alike.append(said("suite-skill-of", skill=name, n=counts.pop()))
    notes = [said("suite-items-of", skills=alike)] if alike else []
    notes += [said("suite-own-items", skills=apart)] if apart else []
    return _matrix("skills", said("suite-by-skill"), heads, rows, notes)


def _of_skill(line: SkillLine, ranked: MatrixShare | None) -> MatrixShare | None:
    """The figure of a skill: on the items that it shares with all models, where there are any."""
    if line.figure is None:
        return None
    own = ranked or MatrixShare(line.figure.value, line.items)
    return msgspec.structs.replace(own, floor=line.floor)


def _matrix(
    name: str, title: Text, heads: Sequence[Text], rows: Sequence[MatrixRow], notes: list[Said]
) -> Table | None:
    """Each column is tinted from the highest floor in it, so that more is never paler."""
    if not heads:
        return None
    figures = [row[3] for row in rows]
    floors = [
        max((one.floor or 0.0 for one in column if isinstance(one, MatrixShare)), default=0.0)
        for column in zip(*figures, strict=True)
    ]
    body = []
    for (model, spec, condition, _), own in zip(rows, figures, strict=True):
        cells = (
            tinted(one.value, one.items, floor) if isinstance(one, MatrixShare) else one
            for one, floor in zip(own, floors, strict=True)
        )
        mark: Literal["", "soft"] = "soft" if kind_of_model(spec) == "baseline" else ""
        body.append(Row((_name(model, spec, condition), *cells), mark=mark))
    if any(isinstance(one, MatrixShare) and one.items < FEW for own in figures for one in own):
        notes = [said("suite-few", few=FEW), *notes]
    columns = [Column(said("board-model")), *(Column(head, "share") for head in heads)]
    return Table(name, title, tuple(columns), tuple(body), tuple(notes))


def _name(model: str, spec: str, condition: str) -> Text:
    kind = kind_of_model(spec)
    name = said("board-named", name=model, kind=kind) if kind == "baseline" else model
    return said("suite-under", name=name, condition=condition) if condition else name


def _figure(run: PaperRun, *, whole: bool) -> MatrixShare | Said | None:
    """Of a run: the share of right answers in the benchmark's own way, or its judged total."""
    if scored := scorings(run.folder):
        judged = next((one for one in reversed(scored) if one.by and one.total), None)
        ends = part_interval(judged.parts, TOTAL) if judged else None
        return MatrixShare(ends.mean, ends.n if whole else 0, total=True) if ends else None
    if not run.plain:
        return said("suite-not-marked") if run.rows.outcomes()["ungraded"] else None
    own = estimate(run.plain)
    return MatrixShare(own.value or 0.0, own.items if whole else 0, chance_of(run.plain))
