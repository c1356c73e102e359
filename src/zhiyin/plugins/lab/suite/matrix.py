"""The results of a suite at a glance: models by benchmarks, and models by skills."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.analysis.question_set import set_of_runs
from zhiyin.analysis.run import kind_of_model
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import MARK, marked
from zhiyin.plugins.lab.suite.folder import RUNS, RunState, SuiteState
from zhiyin.plugins.methods.skills import skill_name
from zhiyin.report.paper_columns import PaperColumn, PaperRuns, columns_of, has_figure, in_rows
from zhiyin.report.paper_runs import PaperRun, common_way
from zhiyin.runs.measures import ACCURACY, SHARE, Estimate, Measure
from zhiyin.shown.charts import Series, marks_of
from zhiyin.shown.dots import Dot, DotPicture, DotRow
from zhiyin.shown.table import FEW
from zhiyin.statistics.intervals import Ends
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.plugins.lab.suite.results import Cards
    from zhiyin.plugins.methods.skills import Ranked, SkillOrder


Line = tuple[str, str]
"""A model, and the condition that is named beside it where there are several."""


class SuiteRow(msgspec.Struct):
    """A benchmark or a skill: its measure, each model's figure, of how many items, and guessing."""

    name: Text
    measure: Measure = ACCURACY
    dots: dict[Line, Dot] = {}
    items: set[int] = set()
    floors: set[float | None] = set()
    verdicts: list[Said] = []

    def add(self, line: Line, own: Estimate | Ends | Ranked, items: int, *, clear: bool = False,
            whole: bool = True) -> None:  # fmt: skip
        """Take a figure, which says it where it is of few items, or of a run that is not whole."""
        thin = (said("suite-thin", n=items, whole=whole),) if items < FEW or not whole else ()
        self.dots[line] = Dot(own.value, own.low, own.high, clear, notes=thin)
        self.items.add(items)


def benchmark_pictures(
    folder: Path, state: SuiteState, has_records: Callable[[Path, RunState], bool]
) -> list[DotPicture]:
    """Draw each model's figure on each benchmark, a picture for each unit.

    Parameters
    ----------
    folder : Path
        The suite's.
    state : SuiteState
    has_records : callable
        Whether a run of the suite's folder has answers.
    """
    several = len({run.condition for run in state.runs}) > 1
    names: dict[Line, str] = {}
    asked: dict[str, list[tuple[RunState, PaperRun]]] = {}
    for run in state.runs:
        key = (run.model, run.condition)
        names.setdefault(key, run.model)
        asked.setdefault(run.benchmark, [])
        if has_records(folder, run):
            place = folder / RUNS / run.name
            own = PaperRun(place.name, Series("s0"), place, read_manifest(place))
            asked[run.benchmark].append((run, own))
            names[key] = max(names[key], marked(run.model, own.manifest), key=len)
    rows: list[SuiteRow] = []
    totals, unfit, left, ahead = [], [], [], False
    for name, members in asked.items():
        of = [run for run in state.runs if run.benchmark == name]
        columns = [next(columns_of(one, groups=False)) for one in _beside(name, members)]
        of_members = [(own.manifest, own.rows) for _, own in members]
        row = SuiteRow(set_of_runs(of_members, name) if members else name)
        for column in columns:
            row.name, row.measure = column.title(), column.measure
            strong = {label for own in column.ahead for label in own or ()}
            ahead |= bool(strong)
            totals += [name] if column.of.judge else []
            for label, paper in column.of.runs.items():
                run = next(run for run, own in members if own.folder == paper.folder)
                if (figure := column.estimates.get(label)) is not None:
                    line, whole = (run.model, run.condition), run.state == "done"
                    row.add(line, figure, figure.items, clear=label in strong, whole=whole)
                    row.floors.add(_chance(column, paper))
        for run, own in members:
            line = (run.model, run.condition)
            if line not in row.dots and not own.plain and own.rows.outcomes()["ungraded"]:
                row.dots[line] = Dot(hollow=said("suite-not-marked"))
        told = dict.fromkeys(one.state for one in of)
        if row.dots:
            for run in of:
                if run.state == "unfit":
                    said_of = Dot(hollow=said("suite-state", state="unfit"))
                    row.dots[run.model, run.condition] = said_of
            rows.append(row)
        elif list(told) == ["unfit"]:
            unfit.append(name)
        elif not members:
            left.append(name)
    notes = [said("suite-totals", names=totals)] if totals else []
    notes += [said("suite-unfit", names=unfit)] if unfit else []
    notes += [said("suite-left-out", names=left)] if left else []
    notes += [said("suite-ahead")] if ahead else []
    models = {run.model: run.spec for run in state.runs}
    called = {
        key: _name(name, models[key[0]], key[1] if several else "") for key, name in names.items()
    }
    return _pictures("benchmarks", rows, called, notes)


def _beside(name: str, members: Sequence[tuple[RunState, PaperRun]]) -> list[PaperRuns]:
    """Runs of a benchmark in one column; where all were asked in one altered way, by this."""
    runs = [own for _, own in members]
    asked = [run.as_asked() for run in runs]
    able = [run for run in (asked if common_way(asked) else runs) if has_figure(run)]
    if not able:
        return []
    beside = in_rows(able[0].manifest.benchmark, able, [run.label for run in able], name)
    return [one for one in reversed(beside) if one.judge is None or one.judge.by][:1]


def skill_pictures(cards: Sequence[Cards], specs: dict[str, str]) -> list[DotPicture]:
    """Draw each model's figure on each skill; none where nothing was asked.

    The figure of a skill is that of the order of the models, on the items of all of them.

    Parameters
    ----------
    cards : sequence of Cards
    specs : dict of str to str
        How models are reached, by their names.
    """
    rows: list[SuiteRow] = []
    tests: list[Said] = []
    called: dict[Line, Text] = {}
    skills = dict.fromkeys(
        line.skill for each in cards for card in each.cards for line in card.lines if line.figure
    )
    for skill in skills:
        row, senses = SuiteRow(""), set()
        for each in cards:
            order = next((one for one in each.orders if one.skill == skill), None)
            ranked = {one.name: one for one in order.ranked} if order else {}
            if order:
                condition = each.condition if len(cards) > 1 else None
                text = [verdict(order)]
                if condition or not order.ahead or order.items < FEW:  # else it is in bold
                    row.verdicts.append(said("suite-verdict", condition=condition, text=text))
                tests.append(said("suite-tests", n=order.tests))
            for card in each.cards:
                key = (card.model, each.condition)
                spec = specs.get(card.model.removesuffix(MARK), "")
                called[key] = _name(card.model, spec, each.condition if len(cards) > 1 else "")
                for line in card.lines:
                    if line.skill == skill and line.figure is not None:
                        own = ranked.get(card.model)
                        items = order.items if order and own else line.items
                        ahead = bool(order and items >= FEW and order.ahead == card.model)
                        row.add(key, own or line.figure, items, clear=ahead)
                        row.floors.add(line.floor)
                        senses.add(line.sense)
        sense = "both" if len(senses) > 1 else next(iter(senses))
        row.name = skill_name(skill, sense)
        rows.append(row)
    return _pictures("skills", rows, called, tests[:1])


def verdict(order: SkillOrder) -> Said:
    """Say who is significantly better; of few items that there are too few."""
    return said("suite-too-few", few=FEW) if order.items < FEW else order.sentence


def _pictures(
    what: str, rows: Sequence[SuiteRow], called: Mapping[Line, Text], notes: Sequence[Said]
) -> list[DotPicture]:
    """A picture for each unit and direction, in the order in which these come."""
    kinds: dict[tuple[str, bool], list[SuiteRow]] = {}
    for row in rows:
        kinds.setdefault((row.measure.unit, row.measure.lower_is_better), []).append(row)
    marks = marks_of(called)
    made: list[DotPicture] = []
    for (unit, low), own in kinds.items():
        lines = [line for line in called if any(line in row.dots for row in own)]
        drawn = tuple(_drawn(row, lines) for row in own)
        read = [said("dots-lines")]
        read += [said("dots-guessing")] if any(row.rule is not None for row in drawn) else []
        names = tuple((marks[line], called[line]) for line in lines)
        share = unit == SHARE
        title = said("suite-by", what=what, unit=None if share else unit, low=low)
        head, notes_of = said("suite-head", what=what), (*read, *(() if made else notes))
        made.append(DotPicture(head, title, unit, names, drawn, notes=notes_of))
    return made


def _drawn(row: SuiteRow, lines: Sequence[Line]) -> DotRow:
    items = row.items - {0}
    many = max(items) if len(items) > 1 else None
    about: Text = said("suite-own-items", few=min(items), many=many) if items else ""
    if row.verdicts:
        about = said("suite-about", items=about if min(items) >= FEW else None, each=row.verdicts)
    rule = next(iter(row.floors)) if len(row.floors) == 1 else None
    return DotRow(row.name, about, dots=tuple(map(row.dots.get, lines)), rule=rule)


def _name(model: str, spec: str, condition: str) -> Text:
    kind = kind_of_model(spec)
    name = said("board-named", name=model, kind=kind) if kind == "baseline" else model
    return said("suite-under", name=name, condition=condition) if condition else name


def _chance(column: PaperColumn, run: PaperRun) -> float | None:
    """Return the score of guessing."""
    if not column.measure.of:
        return None
    return run.estimate(column.measure, column.group, test=True, ends=False).chance
