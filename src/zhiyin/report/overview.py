"""Everything on the page but the trials: runs, and for each benchmark a chapter of facts."""

from __future__ import annotations

import os
import shlex
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from zhiyin.analysis.parts import (
    ChapterRun,
    ChapterRuns,
    Finding,
    Folded,
    Opening,
    Registration,
    of_parts,
    registrations_of,
)
from zhiyin.analysis.summary import Summary, published, summarise
from zhiyin.analysis.within import ConditionGap, Within, condition_gaps, letters_in
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import FigureRun, PagePart, Reference, Sample, Section
from zhiyin.contract.registry import blaming, known
from zhiyin.contract.resolved import in_common
from zhiyin.engine.naming import people_in
from zhiyin.engine.scoring import ALL
from zhiyin.record import SCORE
from zhiyin.report import findings
from zhiyin.report.dots import Counted, drawn_of, of_part
from zhiyin.report.findings import (
    comparisons,
    extremes,
    favoured_letters,
    findings_in_parts,
    listening,
)
from zhiyin.report.first_screen import Check, checks_of, lead_of
from zhiyin.report.headlines import figure_words, headline
from zhiyin.report.measures import ListedGroup, MeasureSheet, Pairs, listed_groups
from zhiyin.report.methods import methods_sentences
from zhiyin.report.run_cards import RunCard, RunMark, run_cards
from zhiyin.report.run_set import RunSet
from zhiyin.report.standings import Lead, Standing, exploratory, outcomes_of, registered_findings
from zhiyin.runs.estimates import Frame
from zhiyin.runs.figures import GroupFigures
from zhiyin.runs.measures import ACCURACY
from zhiyin.statistics.choice import LetterBias
from zhiyin.statistics.parts import TOTAL
from zhiyin.words import Named, Said, Text, said
from zhiyin.words.findings import Canary, Remark, Ungraded, Warning


class PublishedGroups(msgspec.Struct, frozen=True):
    """A published row: its figures in those groups that some run here holds whole."""

    name: str
    kind: str
    groups: dict[str, dict[str, float]]


class PartialGroups(msgspec.Struct, frozen=True):
    """The reason why a run may not stand beside published figures, and the groups concerned."""

    why: Text
    groups: list[str]


class Charts(msgspec.Struct):
    """The drawings of one benchmark.

    Attributes
    ----------
    name, headline : str
        The benchmark, and the group that its headline is of.
    lead : Lead
        The facts of the first screen.
    groups : list of ListedGroup
    figures : dict of int to dict of str to GroupFigures
        By run and group.
    frames : dict of int to Frame
        The trials of each run.
    pairs : dict
        See `measures.Pairs`.
    letters : dict of int to LetterBias or None
    conditions : dict of int to list of ConditionGap
        By run.
    published : list of PublishedGroups
    reference : Reference or None
        All that is published, comparable or not.
    in_part : dict of int to PartialGroups
    within : dict of int to Within
        What was found in groups of each run.
    drawn : Counted or None
        Its tasks or its models; None where nothing has a figure.
    opening : Opening or None
        The picture of a plug-in, in their place.
    """

    name: str
    headline: str
    lead: Lead
    groups: list[ListedGroup]
    figures: dict[int, dict[str, GroupFigures]]
    frames: dict[int, Frame]
    pairs: Pairs
    letters: dict[int, LetterBias | None]
    conditions: dict[int, list[ConditionGap]]
    published: list[PublishedGroups]
    reference: Reference | None
    in_part: dict[int, PartialGroups]
    within: dict[int, Within]
    drawn: Counted | None
    opening: Opening | None


class Chapter(Charts):
    """The part of a report on one benchmark.

    Attributes
    ----------
    title : Said
        Its name; said of Zhiyin's own questions in the form of a published set.
    alike : list of Said
        The unusual settings that all its models share.
    summary : Text
    paper, licence : str
    trials : int
    told : (Text, sequence of Text)
        The headline in words, and what stands below it.
    checks : list of Check
        Below the picture of the first screen, which is `drawn`.
    runs : list of int
    findings : list of Finding
    sections : list of (int, Section)
        The benchmark's own tables, by run.
    folded : list of Folded
        What plug-ins say of it, each behind a line.
    opened : bool
        Whether its page opens on a picture of the benchmark's own: shares of right answers are not
        what it measures.
    """

    title: Said
    alike: list[Said]
    summary: Text
    paper: str
    licence: str
    trials: int
    told: tuple[Text, Sequence[Text]]
    checks: list[Check]
    runs: list[int]
    findings: list[Finding]
    sections: list[tuple[int, Section]]
    folded: list[Folded]
    opened: bool

    @property
    def hollow(self) -> Text:
        """The sources of the published marks of the first screen: of the best of each kind."""
        best = {row.kind: row.name for row in reversed(self.lead.published)}
        known = self.reference
        return known.cited(*best.values(), group=self.headline) if known else ""

    @property
    def way(self) -> str:
        """The way of asking that a plug-in's picture is of; "" for none."""
        return self.opening.way if self.opening else ""


class Overview(msgspec.Struct):
    """Everything on a report's page but its trials.

    Attributes
    ----------
    methods : list of list of str
        The sentences for a paper, by paragraph.
    runs : list of RunCard
    benchmarks : list of Chapter
    todo : list of (list of int, Warning)
        The warnings that something can be done about, and the numbers of their runs.
    plans : list of Registration
        The registered plans that the runs follow.
    """

    methods: list[list[Text]]
    runs: list[RunCard]
    benchmarks: list[Chapter]
    todo: list[tuple[list[int], Warning]]
    plans: list[Registration] = []


def overview(run_set: RunSet, given: Mapping[str, Any] = {}) -> Overview:
    """The page's facts: runs, and for each benchmark figures, comparisons and findings.

    Parameters
    ----------
    run_set : RunSet
    given : mapping
        Settings of what plug-ins add.
    """
    names = dict.fromkeys(run.manifest.benchmark for run in run_set.runs)
    own = [summarise(run.folder) for run in run_set.runs]
    runs = run_cards(run_set, own)
    plans, faults = registrations_of([run.folder for run in run_set.runs])
    sheets = {name: MeasureSheet(run_set, name) for name in names}
    chapters = [_chapter(run_set, sheet, own, runs, plans, given) for sheet in sheets.values()]
    _add_ungraded(run_set, runs, chapters)
    if faults:
        runs[0].warnings += [Remark(what=fault, severity="doubt") for fault in faults]
    return Overview(
        methods=methods_sentences([run.folder for run in run_set.runs], sheets), runs=runs,
        benchmarks=chapters, todo=_todo(runs), plans=plans,
    )  # fmt: skip


def _add_ungraded(run_set: RunSet, runs: list[RunCard], chapters: Sequence[Chapter]) -> None:
    """Add to the warnings of runs that have replies which somebody is still to judge."""
    right_or_judged = [one.lead for one in chapters if one.lead.figure in (ACCURACY.name, TOTAL)]
    for own in (each for lead in right_or_judged for each in lead.standings):
        run, n = run_set.runs[own.run], runs[own.run].states.get("ungraded")
        if n and not own.by and own.state != "measured" and not run.running:
            command = f"zhiyin judge {shlex.quote(os.fspath(run.folder))}"
            runs[own.run].warnings.append(Ungraded(n=n, remedy=command))


def _todo(runs: Sequence[RunCard]) -> list[tuple[list[int], Warning]]:
    """The warnings that something can be done about, with the numbers of their runs.

    A model that may not hear goes before everything else, and is told of once.
    """
    tasks: dict[Any, tuple[list[int], Warning]] = {}
    for run in runs:
        for place, one in enumerate(run.warnings):
            alike = one.medium if isinstance(one, Canary) else (run.number, place)
            if one.remedy:
                tasks.setdefault((one.remedy, alike), ([], one))[0].append(run.number)
    return sorted(tasks.values(), key=lambda task: not isinstance(task[1], Canary))


def charts_of(
    run_set: RunSet, sheet: MeasureSheet, marks: Sequence[RunMark], plans: Sequence[Registration],
    given: Mapping[str, Any] = {},
) -> Charts:  # fmt: skip
    """Compute what is drawn of one benchmark, on a page and on paper.

    Parameters
    ----------
    run_set : RunSet
    sheet : MeasureSheet
        Of the benchmark.
    marks : sequence of RunMark
        Of all runs.
    plans : sequence of Registration
        Those that the runs follow.
    given : mapping
        Settings of what plug-ins add.
    """
    first = run_set.runs[sheet.runs[0]]
    reference = published(*(run_set.runs[n].folder for n in sheet.runs))
    groups = listed_groups(sheet)
    letters = {
        run: letters_in(own.rows(own.places()))
        if ALL in sheet.figures[run] and not people_in(run_set.runs[run].manifest)
        else None  # people saw no letters
        for run, own in sheet.frames.items()
    }
    conditions = {run: condition_gaps(own.several[0]) for run, own in sheet.frames.items()}
    in_part = {
        run: [g.name for g in groups if not run_set.runs[run].coverage.whole(g.name)]
        for run in sheet.runs
    }
    whole_groups = {g.name for g in groups if any(g.name not in in_part[run] for run in sheet.runs)}
    registered = outcomes_of(plans, {run: run_set.runs[run].manifest for run in sheet.runs})
    liked = favoured_letters(letters, sheet.page)
    lead = lead_of(run_set, sheet, groups, liked, conditions, reference, registered)
    within = {run: Within.of(own) for run, own in sheet.frames.items()}
    runs = _chapter_runs(run_set, sheet, marks, within, given)
    people = [number for number, run in enumerate(run_set.runs) if people_in(run.manifest) > 1]
    return Charts(
        name=sheet.benchmark, headline=known(first.manifest).measures[0].group, lead=lead,
        groups=groups, figures=sheet.figures, frames=sheet.frames, pairs=sheet.pairs,
        letters=letters, conditions=conditions,
        published=_rows(reference, whole_groups) if reference else [], reference=reference,
        in_part={
            run: PartialGroups(
                run_set.runs[run].coverage.apart or said("no-published-items"), names
            )
            for run, names in in_part.items()
            if names
        },
        within=within,
        drawn=drawn_of(sheet, lead, groups, marks, reference, within, people),
        opening=next(filter(None, of_parts(lambda part: part.opening(runs))), None),
    )  # fmt: skip


def _chapter(
    run_set: RunSet, sheet: MeasureSheet, own: Sequence[Summary], cards: Sequence[RunCard],
    plans: Sequence[Registration], given: Mapping[str, Any],
) -> Chapter:  # fmt: skip
    charts = charts_of(run_set, sheet, cards, plans, given)
    first, lead = run_set.runs[sheet.runs[0]], charts.lead
    kind = known(first.manifest)
    for each in lead.standings:
        if whence := own[each.run].replies:
            each.kept, each.replies = whence.earlier, whence.n
        if each.state == "measured":
            found = (section.finding for section in own[each.run].details)
            each.measured = next((one for one in found if one is not msgspec.UNSET), None)
    labels = [Named(run.label) for run in run_set.runs]
    runs = _chapter_runs(run_set, sheet, cards, charts.within, given)
    added = of_parts(lambda part: part.chapter(runs))
    drawn, opening = charts.drawn, charts.opening
    if opening:
        drawn = Counted(opening.picture)
    told: tuple[Text, Sequence[Text]] = headline(lead, labels, drawn)
    if opening and opening.claims:
        told = (said("claim-tasks", each=opening.claims), [told[0], *told[1]])
    if (opened := _opening(run_set, sheet, cards, kind)) is not None:
        part, drawn = opened
        told = (said("claim-tasks", each=part.findings), []) if part.findings else told
    sets = [own[run].of_which_set for run in sheet.runs]
    of_charts = {**msgspec.structs.asdict(charts), "drawn": drawn}
    return Chapter(
        **of_charts,
        title=next((one for one in sets if not one.facts["own"]), sets[0]),
        alike=in_common([run_set.runs[n].manifest for n in sheet.runs]),
        summary=kind.summary,
        paper=kind.paper,
        licence=kind.licence,
        trials=len(sheet),
        told=told,
        checks=checks_of(lead, labels, charts.within, drawn.tasks if drawn else {}),
        runs=sheet.runs,
        findings=[
            *_findings(run_set, sheet, charts, drawn),
            *_beside_people(run_set, charts),
            *(one for part in added for one in part.findings),
        ],
        sections=[(run, section) for run in sheet.runs for section in own[run].details],
        folded=[one for part in added for one in part.folded],
        opened=opened is not None,
    )


def _chapter_runs(
    run_set: RunSet, sheet: MeasureSheet, cards: Sequence[RunMark], within: Mapping[int, Within],
    given: Mapping[str, Any],
) -> ChapterRuns:  # fmt: skip
    runs = [
        ChapterRun(n, own.label, cards[n].series, own.folder, own.manifest, within[n], own.running)
        for n in sheet.runs
        for own in [run_set.runs[n]]
    ]
    group = known(runs[0].manifest).measures[0].group
    return ChapterRuns(runs[0].manifest.benchmark, group, runs, given)


def _opening(
    run_set: RunSet, sheet: MeasureSheet, cards: Sequence[RunCard], kind: type[Benchmark[Any]]
) -> tuple[PagePart, Counted] | None:
    """Return a benchmark's own opening of a report, where that is no share of right answers.

    Of its sounds those at the marks can be played: the page holds them.
    """
    runs = [
        FigureRun(own.label, cards[n].series, own.folder, own.manifest)
        for n in sheet.runs
        for own in [run_set.runs[n]]
    ]
    with blaming(kind):
        part = kind.opening(runs)
    if part is None:
        return None

    def address(one: Sample) -> str:
        held = "-heard" in one.name
        return f"data:audio/wav;base64,{b64encode(one.wav).decode()}" if held else ""

    return part, Counted(of_part(part, kind.summary, address))


def _rows(reference: Reference, whole_groups: set[str]) -> list[PublishedGroups]:
    """Published rows with those groups that some run here holds whole."""
    return [
        PublishedGroups(
            name,
            reference.kinds.get(name, "model"),
            {group: figures for group, figures in row.items() if group in whole_groups},
        )
        for name, row in reference.rows.items()
    ]


def _findings(
    run_set: RunSet, sheet: MeasureSheet, charts: Charts, drawn: Counted | None
) -> Iterator[Finding]:
    lead, groups, letters = charts.lead, charts.groups, charts.letters
    labels = [Named(run.label) for run in run_set.runs]
    kind = known(run_set.runs[sheet.runs[0]].manifest)
    measure = kind.measures[0]
    main = measure.group
    within = {f"tag.{way.name}": way.plain for way in sheet.mixed}
    standings = {own.run: own for own in lead.standings}
    totals = {run: kind.totals(run_set.runs[run].folder) for run in sheet.runs}
    yield from findings_in_parts(sheet, labels, totals)
    planned = lead.registered
    yield from registered_findings(planned)
    for run in sheet.runs:
        one = standings[run]
        own = findings.headline(
            labels[run], run, sheet.figures[run], within=within,
            group=main if measure.name != ACCURACY.name else sheet.main,
            title=lead.title, instead=_named_figure(lead, one, labels[run]),
            state=one.state, measured=one.measured, by_itself=one.by_itself, notes=one.notes,
        )  # fmt: skip
        yield from exploratory(own, planned, main, run)
        yield from extremes(labels[run], sheet.figures[run], groups)
    yield from findings.mixture(sheet.mixed, (kind.facts for kind in sheet.kinds.values()))
    for each in sheet.compared():
        # What the picture of tasks says of two runs in bold is not said again; of others its tasks.
        upper = (drawn and drawn.main) or [one for one in groups if one.main]
        untold = [] if drawn and drawn.tasks and drawn.picture.apart else upper
        told = exploratory(
            comparisons(each, labels, untold, lead.title), planned,
            ALL if each.group == ALL else main, None,
        )  # fmt: skip
        yield from told if measure.of == ACCURACY.of else map(findings.of_right_answers, told)
    people = [run for run in sheet.runs if people_in(run_set.runs[run].manifest)]
    yield from findings.people_apart(sheet.compared(), people, labels)
    if measure.of == ACCURACY.of:
        yield from findings.in_settings(sheet, [run.manifest for run in run_set.runs], labels)
    for run in sheet.runs:
        yield from listening(labels[run], charts.conditions[run])
    liked = {run: standings[run].letter for run in sheet.runs}
    yield from findings.preferences(labels, letters, liked)


def _beside_people(run_set: RunSet, charts: Charts) -> Iterator[Finding]:
    """Sentences on people and published models beside the runs that hold the whole benchmark."""
    part = {run for run, own in charts.in_part.items() if ALL in own.groups}
    whole = [
        (run_set.runs[run].label, own[ALL])
        for run, own in charts.figures.items()
        if ALL in own and run not in part
    ]
    yield from findings.beside_people(charts.reference, whole)


def _named_figure(lead: Lead, own: Standing, label: Named) -> Said | None:
    """Return the message on a run whose headline is a score of its own; None for any other."""
    if not lead.figure.startswith(SCORE) or own.value is None:
        return None
    return said(
        "finding-figure", who=label, figure=figure_words(lead), items=own.n,
        value=own.value, low=own.low, high=own.high, scale=lead.measure.unit,
    )  # fmt: skip
