"""The picture of a benchmark: its tasks in rows with a mark for each model, or models in rows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec
import numpy as np
from msgspec import structs

from zhiyin.analysis.within import Within
from zhiyin.contract.declared import PagePart, Reference, Sample
from zhiyin.engine.scoring import ALL
from zhiyin.report.findings import ALPHA
from zhiyin.report.measures import ListedGroup, MeasureSheet, common_chance
from zhiyin.report.pictures import FEW, dot_in, group_name, trials_link, units
from zhiyin.report.run_cards import RunMark
from zhiyin.report.standings import Lead, Standing
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.figures import way_in_words
from zhiyin.runs.measures import SHARE, Estimate, figure_name, measure_title
from zhiyin.shown.charts import Series
from zhiyin.shown.dots import Dot, DotPicture, DotRow, Gap
from zhiyin.statistics.paired import holm
from zhiyin.statistics.parts import TOTAL
from zhiyin.words import Said, Text, said

_MOST_MODELS, _LEAST_TASKS, _MOST_TASKS = 4, 2, 40
LEAST_COUNTED = 3
"""Of fewer tasks nothing is counted in a claim."""


class Counted(msgspec.Struct):
    """The drawing of one benchmark, and what can be counted in it.

    Attributes
    ----------
    picture : DotPicture
    main : list of ListedGroup
        The groups in which runs are compared, whatever the rows are.
    tasks : dict of str to Text
        The groups that are rows, and what they are called; none where rows are models.
    better : dict of int to int
        In how many of these each run is shown to be better than guessing, corrected for all tasks
        and runs; of runs with a chance in every task.
    always : dict of int to int
        In how many each gave the same answer to everything.
    small : int
        How many tasks were asked too few items to be rows.
    """

    picture: DotPicture
    main: Sequence[ListedGroup] = ()
    tasks: Mapping[str, Text] = {}
    better: dict[int, int] = {}
    always: dict[int, int] = {}
    small: int = 0


def drawn_of(
    sheet: MeasureSheet, lead: Lead, groups: Sequence[ListedGroup], cards: Sequence[RunMark],
    reference: Reference | None, within: Mapping[int, Within], people: Collection[int] = (),
) -> Counted | None:  # fmt: skip
    """The picture of a benchmark; None where no run has a figure. `people`: whose runs."""
    able = [own for own in lead.standings if own.state == "judged" and own.value is not None]
    if not able:
        return None
    tasks, small = _tasks(sheet, lead, groups, able)
    if lead.figure == TOTAL or len(able) > _MOST_MODELS or len(tasks) < _LEAST_TASKS:
        made, small = Counted(_of_models(sheet, lead, able, cards, within), tasks), []
    else:
        made = _of_tasks(sheet, lead, able, tasks, cards, reference, within)
    told = [*made.picture.notes]
    if small:
        told.append(said("dots-small", names=[group_name(one) for one in small], least=FEW))
    if theirs := [cards[own.run].label for own in able if own.run in people]:
        told.append(said("table-people", rows=theirs))
    made.picture, made.small = structs.replace(made.picture, notes=tuple(told)), len(small)
    return made


def _tasks(
    sheet: MeasureSheet, lead: Lead, groups: Sequence[ListedGroup], able: Sequence[Standing]
) -> tuple[list[ListedGroup], list[ListedGroup]]:
    """The groups just within that of the headline in which every run was asked: none that holds
    another, none that is a way of asking. Those of fewer than five clusters by themselves.
    """
    asked = [
        one
        for one in groups
        if all(one.name in sheet.figures[own.run] for own in able) and not one.same
    ]
    if lead.group == ALL:
        own = [one for one in asked if one.main and one.name != ALL]
    else:
        inner = [one for one in asked if one.name.startswith(f"{lead.group}/")]
        least = min((one.level for one in inner), default=0)
        own = [one for one in inner if one.level == least]
    ways = _ways(sheet.frames[able[0].run], [one.name for one in own])
    # What is said of items, such as how difficult they are, is no task: it holds those of many.
    own = [one for one in own if one.name not in ways and "=" not in one.name.rpartition("/")[2]]
    own = [one for one in own if not any(_holds(sheet, one.name, other.name) for other in own)]
    enough = [one for one in own if units(sheet.figures, one.name) >= FEW]
    small = [one for one in own if one not in enough]
    return (enough, small) if len(enough) <= _MOST_TASKS else ([], [])


def _ways(frame: Frame, groups: Sequence[str]) -> set[str]:
    """Groups that are ways of asking, such as sound and ABC: items of one are in another, too,
    but in trials of their own.
    """
    trials = {name: set(frame.places(name).tolist()) for name in groups}
    items = {name: set(frame.item[[*own]].tolist()) for name, own in trials.items()}
    return {
        name
        for one, other in itertools.combinations(groups, 2)
        if not items[one].isdisjoint(items[other]) and trials[one].isdisjoint(trials[other])
        for name in (one, other)
    }


def _holds(sheet: MeasureSheet, group: str, other: str) -> bool:
    """Tell whether a group has all trials of another, and more: one task and a part of it."""
    whole, part = sheet.groups[group], sheet.groups[other]
    return len(part) < len(whole) and bool(np.isin(part, whole).all())


def _of_tasks(
    sheet: MeasureSheet, lead: Lead, able: Sequence[Standing], tasks: Sequence[ListedGroup],
    cards: Sequence[RunMark], reference: Reference | None, within: Mapping[int, Within],
) -> Counted:  # fmt: skip
    cells = {
        (own.run, one.name): estimate(frame, lead.measure, frame.places(one.name), test=True)
        for own in able
        for frame in [sheet.frames[own.run]]
        for one in tasks
    }
    clear = _clear(cells, sheet.page, len(able))
    tasks = sorted(tasks, key=lambda one: -lead.sign * (cells[able[0].run, one.name].value or 0.0))
    pair = _pair(lead)
    gaps = _gaps(sheet, lead, pair) if pair else {}
    best, published = "", {}  # the model with the best published figure of the headline
    models = [row for row in lead.published if row.kind == "model"]
    if models and reference:
        best, published = models[0].dated, reference.rows[models[0].name]
    rows = [_whole(sheet, lead, able, pair, within, _published(lead, published, lead.group))]
    for one in tasks:
        dots = []
        for own in able:
            cell, shown = cells[own.run, one.name], (own.run, one.name) in clear
            dots.append(_dot_of(cell, within[own.run], one.name, clear=shown))
        rows.append(
            DotRow(
                group_name(one),
                link=trials_link(sheet.benchmark, group=one.name),
                dots=tuple(dots),
                rule=common_chance(cells[own.run, one.name].chance for own in able),
                published=_published(lead, published, one.name),
                gap=gaps.get(one.name),
                key=one.name,
            )
        )
    where = said("dots-task")
    names = tuple((cards[own.run].series, cards[own.run].label) for own in able)
    apart = said("dots-apart", unit=_unit(lead)) if pair else ""
    between = [cards[run].label for run in pair or ()]
    picture = _picture(lead, where, names, rows, apart, best, between)
    made = Counted(picture, tasks, {one.name: group_name(one) for one in tasks})
    for own in able:
        mine = [one.name in within[own.run].always for one in tasks]
        made.always[own.run] = sum(mine)
        if all(cells[own.run, one.name].chance is not None for one in tasks):
            made.better[own.run] = sum(
                (own.run, one.name) in clear and not always
                for one, always in zip(tasks, mine, strict=True)
            )
    return made


def _clear(cells: Mapping[tuple[int, str], Estimate], page: int, runs: int) -> set[tuple[int, str]]:
    """Select the figures shown to be better than guessing, of all runs and tasks together.

    By Holm over all; where other benchmarks stand on the page, they have their share of the level.
    """
    tested = {at: own for at, own in cells.items() if own.p is not None and own.chance is not None}
    adjusted = holm([own.p or 0.0 for own in tested.values()]).tolist() if tested else []
    share = page / runs
    return {
        at
        for (at, own), p in zip(tested.items(), adjusted, strict=True)
        if p * share < ALPHA and (own.value or 0.0) > (own.chance or 0.0)
    }


def _whole(
    sheet: MeasureSheet, lead: Lead, able: Sequence[Standing], pair: tuple[int, int] | None,
    within: Mapping[int, Within], published: float | None,
) -> DotRow:  # fmt: skip
    sizes = {own.n for own in able}
    about = said("dots-items", n=able[0].n, unit=lead.unit) if len(sizes) == 1 else ""
    contest = next((one for one in lead.contests if pair and one.other == pair[1]), None)
    ends = contest and (contest.mean, contest.low, contest.high, contest.won)
    return DotRow(
        lead.title or said("report-everything"), about,
        dots=tuple(_dot(own, within[own.run], lead.group) for own in able),
        rule=common_chance(own.chance for own in able), published=published,
        gap=_gap(lead.sign, *ends) if ends else None, whole=True, key=lead.group,
        link=trials_link(sheet.benchmark, group=None if lead.group == ALL else lead.group),
    )  # fmt: skip


def _dot(own: Standing, within: Within, group: str) -> Dot:
    """The figure of a run as a whole."""
    return _dot_of(own, within, group, clear=own.guess == "better")


def _dot_of(own: Standing | Estimate, within: Within, group: str, *, clear: bool) -> Dot:
    """A figure; hollow, and without an interval, where one answer was given to everything."""
    ends = None if own.low is None or own.high is None else (own.low, own.high)
    items = own.items if isinstance(own, Estimate) else own.n
    dot = dot_in(within, group, own.value, ends, items=items)
    return structs.replace(dot, clear=clear and not dot.hollow)


def _gap(sign: int, value: float, low: float, high: float, shown: bool) -> Gap:
    """A difference, larger where the first is better."""
    low, high = sorted((sign * low, sign * high))
    return Gap(sign * value, low, high, shown)


def _pair(lead: Lead) -> tuple[int, int] | None:
    """The two models of a headline that speaks of two."""
    if lead.best is None or len(lead.contests) != 1 or lead.parts:
        return None
    return lead.best, lead.contests[0].other


def _gaps(sheet: MeasureSheet, lead: Lead, pair: tuple[int, int]) -> dict[str, Gap]:
    """The first run minus the second in each group, by the tests that every table shows."""
    pairs = {runs: own for each in sheet.compared(lead.measure) for runs, own in each.pairs.items()}
    for runs, sign in ((pair, 1), (pair[::-1], -1)):
        if runs in pairs:
            return {
                name: _gap(sign, row.difference, row.low, row.high, row.p_adjusted < ALPHA)
                for name, row in pairs[runs].items()
            }
    return {}


def _published(lead: Lead, rows: Mapping[str, Mapping[str, float]], group: str) -> float | None:
    figures = rows.get(group, {})
    names = [figure_name(lead.figure), *(["recall"] if lead.figure == "accuracy" else [])]
    return next((figures[name] for name in names if name in figures), None)


def _of_models(
    sheet: MeasureSheet, lead: Lead, able: Sequence[Standing], cards: Sequence[RunMark],
    within: Mapping[int, Within],
) -> DotPicture:  # fmt: skip
    """Models in rows, the best first, each held against the best; then published figures."""
    contests = {one.other: one for part in lead.each for one in part.contests}
    rows, signs = [], []
    for own in able:
        card, one = cards[own.run], contests.get(own.run)
        rows.append(
            DotRow(
                card.label,
                own.alone and way_in_words(own.alone),
                trials_link(sheet.benchmark, run=str(own.run)),
                (_dot(own, within[own.run], lead.group),),
                own.chance,
                gap=Gap(one.mean, one.low, one.high, one.won) if one else None,
            )
        )
        signs.append(card.series)
    kinds = {one.kind: [row for row in lead.published if row.kind == one.kind]
             for one in lead.published}  # fmt: skip
    for kind, each in kinds.items():
        rows.append(
            DotRow(
                said("published-of-kind", kind=kind, n=len(each)),
                each[0].dated,
                dots=(Dot(each[0].value),),
            )
        )
        signs.append(Series(kind, 0, hollow=True))
    where = said("report-run")
    best = cards[lead.best].label if lead.best is not None and not lead.parts else None
    apart = said("dots-behind", unit=_unit(lead), best=best) if contests else ""
    picture = _picture(lead, where, (), rows, apart, "")
    return structs.replace(picture, signs=tuple(signs))


def _picture(
    lead: Lead, head: Text, names: tuple[tuple[Series, str], ...], rows: Sequence[DotRow],
    apart: Text, published: str, between: Sequence[str] = (),
) -> DotPicture:  # fmt: skip
    title = said("dots-right") if lead.figure == "accuracy" else measure_title(lead.measure)
    if lead.figure == TOTAL:
        title = said("report-of-figure", figure=said("report-total"))
    notes = [*_notes(rows, bool(names), between, published)]
    if lead.published and lead.published_otherwise:
        notes.append(lead.published_otherwise)
    return DotPicture(
        head, title, lead.measure.unit, names, tuple(rows), (), published, apart, tuple(notes)
    )


def _unit(lead: Lead) -> str | None:
    """Return the unit of differences; None for points."""
    return None if lead.measure.unit == SHARE else lead.measure.unit


def _notes(
    rows: Sequence[DotRow], tasks: bool, between: Sequence[str], published: str
) -> Iterator[Said]:
    """Yield notes on how to read the picture, each only where what it speaks of is drawn."""
    dots = [dot for row in rows for dot in row.dots if dot and dot.value is not None]
    if any(dot.low is not None for dot in dots):
        yield said("dots-lines")
    if any(row.rule is not None for row in rows):
        beside = [dot for row in rows if row.rule is not None for dot in row.dots
                  if dot and dot.low is not None]  # fmt: skip
        bold = any(dot.clear for dot in beside)
        told = said("dots-dashed", bold=bold, tasks=tasks, n=len(beside))
        yield told if beside else said("dots-guessing")
    if gaps := [row.gap for row in rows if row.gap]:
        first, second = between or (None, None)
        bold = any(gap.shown for gap in gaps)
        yield said("dots-gaps", bold=bold, n=len(gaps), first=first, second=second)
    if any(dot.hollow for dot in dots):
        yield said("dots-hollow")
    if published and any(row.published is not None for row in rows):
        yield said("dots-published", name=published)


def of_part(part: PagePart, title: Text, address: Callable[[Sample], str]) -> DotPicture:
    """Return a benchmark's own picture, with the sounds at its marks that can be played.

    Parameters
    ----------
    part : PagePart
    title : Text
    address : callable
        Where a sample of it is to be heard; empty where it is not.
    """
    made, played = part.picture, dict[tuple[str, str], list[tuple[float, str, Text]]]()
    for one in part.samples:
        if to := address(one):
            played.setdefault((str(one.of), one.run), []).append((one.at, to, one.what))
    rows = []
    for row in made.rows:
        sounds = [played.get((str(row.name), str(who)), ()) for _, who in made.names]
        dots = [
            dot and structs.replace(dot, sounds=tuple(own))
            for dot, own in zip(row.dots, sounds, strict=True)
        ]
        rows.append(structs.replace(row, dots=tuple(dots)))
    told = [part.played] if any(dot and dot.sounds for row in rows for dot in row.dots) else []
    notes = (*made.notes, *told)
    return structs.replace(made, title=title, rows=tuple(rows), notes=notes)
