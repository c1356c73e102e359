"""The results of a suite at a glance: models by benchmarks, and models by skills."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from zhiyin.analysis.question_set import set_of_runs
from zhiyin.analysis.run import contenders, kind_of_model, kind_of_run
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import MARK, marked
from zhiyin.plugins.lab.suite.folder import OVER, RUNS, RunState, SuiteState, answered
from zhiyin.plugins.methods.skills import Ends, Ranked, SkillOrder, skill_name
from zhiyin.report.paper_columns import PaperColumn, PaperRuns, columns_of, has_figure, in_rows
from zhiyin.report.paper_runs import PaperRun, as_compared
from zhiyin.runs.measures import ACCURACY, Estimate, Measure
from zhiyin.shown.charts import Series, marks_of
from zhiyin.shown.dots import Dot, DotPicture, DotRow
from zhiyin.shown.table import FEW
from zhiyin.statistics.paired import holm
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.plugins.lab.suite.cards import Cards


Line = tuple[str, str]
"""A model, and the condition that is named beside it where there are several."""
_ALPHA = 0.05
"""Level of the tests against guessing, after Holm's adjustment over a suite's benchmarks."""


class SuiteFinding(msgspec.Struct, frozen=True):
    """A sentence of a suite's headline: a model on some benchmarks, or at some skills.

    Attributes
    ----------
    what : {"benchmarks", "skills"}
    condition : str
        Named where there are several.
    who : str
        "" for no model.
    names : list of Text
        Of the benchmarks or skills.
    sign : Text
        What pictures call the model.
    side : {"best", "level", "better", "worse", "open", "few"}
        The best of several models, or that none is; how a lone model stands to guessing; and of
        what there were too few items for either.
    """

    what: Literal["benchmarks", "skills"]
    condition: str
    who: str
    names: list[Text]
    sign: Text
    side: Literal["best", "level", "better", "worse", "open", "few"]

    def sentence(self, who: object = None) -> Said:
        """The sentence; `who` is the model as a page marks it."""
        facts = {
            "what": self.what,
            "condition": self.condition or None,
            "names": self.names,
            "few": FEW,
        }
        return said("suite-finding", who=who or self.who, side=self.side, **facts)


def gathered(found: Iterable[SuiteFinding], of: int) -> list[SuiteFinding]:
    """Put into one sentence what is said alike; of all of several it need not be said of what."""
    alike: dict[tuple[bool, str, str, str], SuiteFinding] = {}
    for one in found:
        first = alike.setdefault((one.side == "level", one.condition, one.side, str(one.sign)), one)
        if first is not one:
            first.names.extend(one.names)
    told = [alike[key] for key in sorted(alike, key=lambda key: key[0])]
    lone = told[0] if len(told) == 1 else None
    if lone and lone.side != "level" and len(lone.names) == of > 1:
        lone.names[:] = [said("suite-every", n=of, what=lone.what, denied=lone.side == "open")]
    return told


def under(name: Text, condition: str) -> Text:
    """A model as pictures call it, with its condition where there are several."""
    return said("suite-under", name=name, condition=condition) if condition else name


def run_title(run: RunState, name: str = "") -> Said:
    """A run as people read it, where its folder need not be typed; `name`: of its model."""
    who = under(name or run.model, run.condition)
    return said("suite-run-title", benchmark=run.benchmark, who=who)


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
    folder: Path, state: SuiteState
) -> tuple[list[DotPicture], list[SuiteFinding]]:
    """Draw each model's figure on each benchmark, a picture for each unit; and say who is best."""
    board = _Board(folder, state)
    for name, members in board.asked.items():
        board.add(name, members)
    return _pictures("benchmarks", board.rows, board.called, board.notes(), state), board.told()


class _Board:
    """What is drawn and said of the benchmarks of a suite, which are added one by one."""

    def __init__(self, folder: Path, state: SuiteState) -> None:
        self._runs = state.runs
        self._several = len({run.condition for run in state.runs}) > 1
        self._names: dict[Line, str] = {}
        self.asked: dict[str, list[tuple[RunState, PaperRun]]] = {}
        there = answered(folder, state)
        for run in state.runs:
            key = (run.model, run.condition)
            self._names.setdefault(key, run.model)
            members = self.asked.setdefault(run.benchmark, [])
            place = folder / RUNS / run.name
            if place in there:
                own = PaperRun(place.name, Series("s0"), place, read_manifest(place))
                members.append((run, own))
                self._names[key] = max(self._names[key], marked(run.model, own.manifest), key=len)
        specs = {run.model: run.spec for run in state.runs}
        self.called = {
            line: _name(name, specs[line[0]], line[1] if self._several else "")
            for line, name in self._names.items()
        }
        self.rows: list[SuiteRow] = []
        self._found: list[SuiteFinding] = []
        self._guessed: list[tuple[SuiteFinding, float]] = []
        self._few: dict[str, Text] = {}
        self._totals, self._unfit, self._left_out = list[str](), list[str](), list[str]()
        self._ahead = False

    def add(self, name: str, members: Sequence[tuple[RunState, PaperRun]]) -> None:
        """Take a benchmark with those of its runs that are there."""
        of = [run for run in self._runs if run.benchmark == name]
        rows = []
        for column in [next(columns_of(one, groups=False)) for one in _beside(name, members)]:
            row, lines = self._drawn(column, members)
            rows.append(row)
            self._totals += [name] if column.of.judge else []
            for alike, best in zip(column.of.alike, column.ahead, strict=True):
                self._compare(column, alike, lines, best, of)
        placed = {line for row in rows for line in row.dots}
        of_members = [(own.manifest, own.rows) for _, own in members]
        rows = rows or [SuiteRow(set_of_runs(of_members, name) if members else name)]
        dots = rows[0].dots
        for run, own in members:
            line = (run.model, run.condition)
            if line not in placed and not own.plain and own.rows.outcomes()["ungraded"]:
                dots[line] = Dot(hollow=said("suite-not-marked"))
        unfit = [run for run in of if run.state == "unfit"]
        if dots:
            for run in unfit:
                dots[run.model, run.condition] = Dot(hollow=said("suite-state", state="unfit"))
            self.rows += rows
        elif unfit == of:
            self._unfit.append(name)
        elif not members:
            self._left_out.append(name)

    def _drawn(
        self, column: PaperColumn, members: Sequence[tuple[RunState, PaperRun]]
    ) -> tuple[SuiteRow, dict[str, RunState]]:
        """A column's figures as a row, and the runs that have one."""
        row, lines = SuiteRow(column.title(), column.measure), dict[str, RunState]()
        strong = {label for own in column.ahead for label in own or ()}
        self._ahead |= bool(strong)
        for label, paper in column.of.runs.items():
            if (figure := column.estimates.get(label)) is not None:
                run = next(run for run, own in members if own.folder == paper.folder)
                line, whole = (run.model, run.condition), run.state == "done"
                row.add(line, figure, figure.items, clear=label in strong, whole=whole)
                lines[label] = run
                row.floors.add(_beside_guessing(column, label, ends=False).chance)
        return row, lines

    def _compare(self, column: PaperColumn, alike: Sequence[str], lines: Mapping[str, RunState],
                 best: Collection[str] | None, of: Sequence[RunState]) -> None:  # fmt: skip
        """Find who is best of the runs asked alike; of one alone, how it stands to guessing."""
        kinds = {one: kind_of_run(column.of.runs[one].manifest) for one in alike if one in lines}
        wanted = contenders(kinds.values()) - {"baseline"}
        done = [one for one in kinds if kinds[one] in wanted and lines[one].state == "done"]
        able = [label for label in done if column.estimates[label].items >= FEW]
        runs = [lines[label] for label in able]
        title = column.of.title
        if done and not able:
            self._few[str(title)] = title
        asked_so = {run.condition for run in runs}
        waiting = any(run.condition in asked_so and run.state not in OVER for run in of
                      if kind_of_model(run.spec) != "baseline")  # fmt: skip
        if len(able) > 1 and best is not None and not waiting:
            first = lines[next(iter(best))] if len(best) == 1 else None
            self._found.append(self._finding(runs, first, title))
        elif len(able) == 1 and (guess := _beside_guessing(column, able[0])).p is not None:
            better = (guess.value or 0.0) > (guess.chance or 0.0)
            one = self._finding(runs, runs[0], title)
            one = msgspec.structs.replace(one, side="better" if better else "worse")
            self._guessed.append((one, guess.p))

    def _finding(self, runs: Sequence[RunState], best: RunState | None, of: Text) -> SuiteFinding:
        """The best of some runs, or that none is; `of` is the benchmark."""
        conditions = {run.condition for run in runs} if self._several else set()
        condition = conditions.pop() if len(conditions) == 1 else ""
        if best is None:
            return SuiteFinding("benchmarks", condition, "", [of], "", "level")
        line = (best.model, best.condition)
        who = self._names[line] if condition or not self._several else str(self.called[line])
        return SuiteFinding("benchmarks", condition, who, [of], self.called[line], "best")

    def notes(self) -> list[Said]:
        """What is said below the pictures."""
        notes = [said("suite-guessing-tests", n=len(self._guessed))] if self._guessed else []
        notes += [said("suite-totals", names=self._totals)] if self._totals else []
        notes += [said("suite-unfit", names=self._unfit)] if self._unfit else []
        notes += [said("suite-left-out", names=self._left_out)] if self._left_out else []
        notes += [said("suite-ahead")] if self._ahead else []
        deaf = any(name.endswith(MARK) for name in self._names.values())
        return notes + ([said("suite-deaf", mark=MARK.strip())] if deaf else [])

    def told(self) -> list[SuiteFinding]:
        """Who is best, by condition; tests against guessing are corrected over the benchmarks."""
        adjusted = holm([p for _, p in self._guessed]).tolist() if self._guessed else []
        found = self._found + [
            one if p < _ALPHA else msgspec.structs.replace(one, side="open")
            for (one, _), p in zip(self._guessed, adjusted, strict=True)
        ]
        told = []
        for condition in dict.fromkeys(one.condition for one in found):
            asked = {r.benchmark for r in self._runs if condition in ("", r.condition)}
            told += gathered([one for one in found if one.condition == condition], len(asked))
        few = [*self._few.values()]
        return told + ([SuiteFinding("benchmarks", "", "", few, "", "few")] if few else [])


def _beside(name: str, members: Sequence[tuple[RunState, PaperRun]]) -> list[PaperRuns]:
    """Runs of a benchmark in a column; those of other items in one of their own.

    By the last of several judges.
    """
    able = [run for run in as_compared([own for _, own in members]) if has_figure(run)]
    if not able:
        return []
    beside = in_rows(able[0].manifest.benchmark, able, [run.label for run in able], name)
    judged = [one for one in beside if one.judge is None or one.judge.by]
    return [*{tuple(one.runs): one for one in judged}.values()]


def skill_pictures(cards: Sequence[Cards], state: SuiteState) -> list[DotPicture]:
    """Draw each model's figure on each skill; none where nothing was asked.

    The figure of a skill is that of the order of the models, on the items of all of them.

    Parameters
    ----------
    cards : sequence of Cards
    state : SuiteState
    """
    specs = {run.model: run.spec for run in state.runs}
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
            ranked = {one.name.removesuffix(MARK): one for one in order.ranked} if order else {}
            if order:
                text, condition = [verdict(order)], each.condition if len(cards) > 1 else None
                if condition or not order.ahead or order.items < FEW:  # else it is in bold
                    row.verdicts.append(said("suite-verdict", condition=condition, text=text))
                tests.append(said("suite-tests", n=order.tests))
            for card in each.cards:
                model = card.model.removesuffix(MARK)
                key = (model, each.condition)
                condition = each.condition if len(cards) > 1 else ""
                called[key] = _name(card.model, specs.get(model, ""), condition)
                for line in card.lines:
                    if line.skill == skill and line.figure is not None:
                        own = ranked.get(model)
                        items = order.items if order and own else line.items
                        best = order.ahead.removesuffix(MARK) if order and items >= FEW else ""
                        row.add(key, own or line.figure, items, clear=best == model)
                        row.floors.add(line.floor)
                        senses.add(line.sense)
        sense = "both" if len(senses) > 1 else next(iter(senses))
        row.name = skill_name(skill, sense)
        rows.append(row)
    return _pictures("skills", rows, called, tests[:1], state)


def verdict(order: SkillOrder) -> Said:
    """Say who is significantly better; of few items that there are too few."""
    return said("suite-too-few", few=FEW) if order.items < FEW else order.sentence


def _pictures(
    what: str, rows: Sequence[SuiteRow], called: Mapping[Line, Text], notes: Sequence[Said],
    state: SuiteState,
) -> list[DotPicture]:  # fmt: skip
    """A picture for each unit and direction, in the order in which these come."""
    kinds: dict[tuple[str, bool], list[SuiteRow]] = {}
    for row in rows:
        kinds.setdefault((row.measure.unit, row.measure.lower_is_better), []).append(row)
    marks = marks_of((run.model, run.condition) for run in state.runs)  # on the whole page
    made: list[DotPicture] = []
    for (unit, low), own in kinds.items():
        lines = [line for line in called if any(line in row.dots for row in own)]
        drawn = tuple(_drawn(row, lines) for row in own)
        read = [said("dots-lines")]
        read += [said("dots-guessing")] if any(row.rule is not None for row in drawn) else []
        names = tuple((marks[line], called[line]) for line in lines)
        title = said("suite-by", what=what, unit=unit, low=low)
        head, notes_of = said("suite-head", what=what), (*read, *(() if made else notes))
        made.append(DotPicture(head, title, unit, names, drawn, notes=notes_of))
    return made


def _drawn(row: SuiteRow, lines: Sequence[Line]) -> DotRow:
    items = row.items - {0}
    many = max(items) if len(items) > 1 else None
    about: Text = said("suite-own-items", few=min(items), many=many) if items else ""
    about = "" if items and max(items) < FEW and not many else about  # stands at each figure
    if row.verdicts:
        about = said("suite-about", items=about if min(items) >= FEW else None, each=row.verdicts)
    rule = next(iter(row.floors)) if len(row.floors) == 1 else None
    return DotRow(row.name, about, dots=tuple(map(row.dots.get, lines)), rule=rule)


def _name(model: str, spec: str, condition: str) -> Text:
    kind = kind_of_model(spec)
    name = said("board-named", name=model, kind=kind) if kind == "baseline" else model
    return under(name, condition)


def _beside_guessing(column: PaperColumn, row: str, *, ends: bool = True) -> Estimate:
    """Return the figure with the score of guessing; with its `ends` the test against this too."""
    if not column.measure.of:
        return Estimate(column.measure)
    run = column.of.runs[row]
    return run.estimate(column.measure, column.group, test=True, ends=ends)
