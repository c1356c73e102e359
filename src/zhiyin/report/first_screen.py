"""The first screen of a report: status of each run, the comparison of the best, and four checks.

They ask of figures: the whole of the benchmark, readable, one answer to all, does it listen?
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal

import msgspec

from zhiyin.analysis.comparison import GroupDifference
from zhiyin.analysis.run import contenders, is_elsewhere, kind_of_run
from zhiyin.analysis.within import ConditionGap, FavouredLetter, Within, kind_of_answers
from zhiyin.contract.declared import Reference
from zhiyin.contract.registry import known
from zhiyin.engine.naming import brief, failed_canaries
from zhiyin.engine.scoring import ALL
from zhiyin.idioms import grouped
from zhiyin.report.headlines import favours_a_letter, is_listening, is_whole
from zhiyin.report.measures import ComparedRuns, ListedGroup, MeasureSheet, is_condition
from zhiyin.report.pictures import FIGURES, OVER_ALL
from zhiyin.report.run_set import RunSet
from zhiyin.report.standings import (
    LEAST_CLUSTERS,
    CanaryFailed,
    Contest,
    Lead,
    PublishedMark,
    RegisteredOutcome,
    RunFigure,
    Standing,
    coverage_word,
    figure_of,
)
from zhiyin.runs.estimates import estimate
from zhiyin.runs.figures import GroupFigures, GroupTree, group_name
from zhiyin.runs.measures import ACCURACY, Measure, figure_name, key_of
from zhiyin.runs.rows import rows_of
from zhiyin.shown.table import ShortAnswer
from zhiyin.statistics.parts import TOTAL
from zhiyin.words import Named, Said, Text, said

_LEAST = 20
"""A group with fewer trials than these is not spoken of on the first screen."""
_EQUAL = {"accuracy": ("accuracy", "recall")}
"""Under which names a published figure is the same: recall over all questions is accuracy."""


def lead_of(
    run_set: RunSet, sheet: MeasureSheet, groups: Sequence[ListedGroup],
    liked: Mapping[int, FavouredLetter], conditions: Mapping[int, list[ConditionGap]],
    reference: Reference | None, registered: Sequence[RegisteredOutcome] = (),
) -> Lead:  # fmt: skip
    """The facts of the first screen on one benchmark; figures are those of the chapter."""
    kind = known(run_set.runs[sheet.runs[0]].manifest)
    declared, figures = kind.measures[0], sheet.figures
    group = sheet.main if declared.name == "accuracy" else declared.group
    standings = {run: _standing(run_set, sheet, run, group, figures[run]) for run in sheet.runs}
    for run, own in standings.items():
        own.letter = liked.get(run)
        own.listening = conditions[run]
        own.heard = sheet.heard(run)
        own.canary = {
            medium: CanaryFailed(one.right or 0, one.asked or 0)
            for medium, one in failed_canaries(run_set.runs[run].manifest).items()
        }
    title = kind.titles.get(declared.group) or group_name(declared.group)
    title = "" if declared.group == ALL else title
    lead = Lead(key_of(declared), group, title, [], measure=declared)
    if total := _total(run_set, sheet):
        lead = Lead(TOTAL, ALL, "", [], unit="songs", measure=total)
    if lead.measure.name != "accuracy":
        _other_figure(run_set, lead.measure, lead, standings)
    blind = {run for run in sheet.runs if kind_of_run(run_set.runs[run].manifest) == "baseline"}
    _contests(sheet, lead, standings, blind)
    ways = {own.run: n for n, part in enumerate(lead.parts) for own in part.standings}
    best = {part.best for part in lead.each}
    for part in (lead, *lead.parts):
        every = part.standings or [*standings.values()]
        able = [own for own in every if own.state == "judged"]
        able.sort(key=lambda own: (not own.ranked, own.for_scale, ways.get(own.run, 0),
                                   own.run not in best, -lead.height(own)))  # fmt: skip
        part.standings = [*able, *(own for own in every if own.state != "judged")]
    lead.registered = list(registered)
    if lead.figure == "accuracy":
        for one in registered:
            if one.of_chance(lead.group):
                standings[one.run].registered = one
        lead.at_chance = _at_chance(lead.able, figures, groups)
    if reference and any(o.coverage == "whole" for o in lead.standings if o.state == "judged"):
        lead.published = _published(reference, lead)
        lead.published_otherwise = _otherwise(reference, lead, groups, kind.titles)
    return lead


def _standing(
    run_set: RunSet, sheet: MeasureSheet, run: int, group: str, figures: dict[str, GroupFigures]
) -> Standing:
    one = run_set.runs[run]
    elsewhere = is_elsewhere(one.manifest)
    altered = [name for name, f in figures.items() if f.n and is_condition(name)]
    states = sheet.count(run)
    state = figure_of(
        figures, group, states, altered=bool(altered) and not one.coverage.plain,
        measures=known(one.manifest).draws_ungraded,
    )  # fmt: skip
    own = Standing(
        run, kind_of_answers(one.manifest, sheet.frames[run]), state, main=sheet.count_main(run),
        errors=states["error"], trials=sum(states.values()), planned=one.manifest.planned,
        coverage=coverage_word(one.coverage, group),
        finished=one.coverage.done, set_otherwise=one.coverage.set_otherwise,
        unfit=one.coverage.unfit, apart=one.coverage.apart, elsewhere=elsewhere,
    )  # fmt: skip
    whole = figures.get(group)
    if altered and not one.coverage.plain:
        own.alone = ", ".join(altered)
    if whole and (share := whole.interval):
        own.value, own.low, own.high = share.mean, share.low, share.high
        own.n, own.chance = whole.items, whole.chance
        own.unread, own.mute = whole.n - whole.answered, not whole.answered
        if own.chance is not None and own.kind != "constant":
            own.clusters = whole.clusters
            own.guess = whole.against_chance
            own.by_itself = sheet.by_itself(run, group)
    return own


def _total(run_set: RunSet, sheet: MeasureSheet) -> Measure | None:
    """The total of the judge who gave one to most runs; None where there is none."""
    given = Counter(
        total
        for run in sheet.runs
        for total in known(run_set.runs[run].manifest).totals(run_set.runs[run].folder)
        if estimate(sheet.frames[run], total).value is not None
    )
    return max(given, key=given.__getitem__, default=None)


def _other_figure(
    run_set: RunSet, measure: Measure, lead: Lead, standings: dict[int, Standing]
) -> None:
    """Put the declared figure in the place of accuracy, where any run has it."""
    intervals = {}
    for run, own in standings.items():
        if own.state == "dead" or own.state == "empty":
            continue
        plain = rows_of(run_set.runs[run].folder).main
        within = plain.which(lambda kind: _within(kind.bare, measure.group))
        if (found := estimate(within, measure)).value is not None:
            intervals[run] = found
    if not intervals:
        lead.figure, lead.measure = "accuracy", ACCURACY
        return
    for run, own in standings.items():
        if own.state == "judged" and run not in intervals:
            why: RunFigure = "unread" if own.mute else "outside"
            own.state, own.value = "unscored" if measure.by else why, None
    for run, ends in intervals.items():
        own = standings[run]
        own.state, own.by = "judged", brief(measure.by)
        own.value, own.low, own.high, own.n = ends.value, ends.low, ends.high, ends.items
        own.chance, own.guess, own.mute, own.by_itself = None, "free", False, None
        own.notes = ends.warnings


def _within(groups: Sequence[str], group: str) -> bool:
    return group == ALL or any(name == group or name.startswith(f"{group}/") for name in groups)


def _contests(
    sheet: MeasureSheet, lead: Lead, standings: dict[int, Standing], blind: Collection[int]
) -> None:
    """Find the best run and compare each other one with it, in each way of asking by itself."""
    compared = sheet.compared(lead.measure)
    able = _rankable(standings, frozenset[int]().union(*(each.apart for each in compared)))
    if not able:
        return
    lead.best = _highest(lead, standings, able)
    parts = [
        _part(lead, standings, own, each, blind)
        for each in compared
        if (own := [run for run in able if run in each.runs])
    ]
    parts.sort(key=lambda part: -len(part.standings))
    if len(parts) > 1:
        lead.parts = parts
    for part in parts[:1]:
        lead.best, lead.contests = part.best, part.contests
        lead.rule, lead.ruled = part.rule, part.ruled
        if len(able) > 1:
            lead.shared, lead.own = part.shared, part.own


def _part(
    lead: Lead, standings: dict[int, Standing], able: Sequence[int], compared: ComparedRuns,
    blind: Collection[int],
) -> Lead:  # fmt: skip
    """Make the lead of some runs that were asked alike."""
    part = msgspec.structs.replace(lead, standings=[standings[run] for run in able])
    part.best, part.shared = _highest(lead, standings, able), compared.shared
    ranked = [run for run, _ in compared.ranking if run in able]
    every = {runs: own[lead.group] for runs, own in compared.pairs.items() if lead.group in own}
    rows = {runs: row for runs, row in every.items() if set(runs) <= set(able)}
    if lead.group == compared.group and ranked:
        part.best = ranked[0]
    else:
        part.shared = min((row.items for row in rows.values()), default=0) if ranked else 0
    part.own = all(standings[run].n == part.shared for run in able)
    part.contests = _against(lead, part.best, able, rows)
    rules = [run for run in compared.runs if run in blind and standings[run].for_scale]
    if rules:
        part.rule = _highest(lead, standings, rules)
        part.ruled = _against(lead, part.rule, able, every)
    return part


def _rankable(standings: dict[int, Standing], apart: frozenset[int]) -> list[int]:
    """The runs of which a headline speaks; what is there for scale is marked.

    Others than those `apart`, and these only where there are no others.
    """
    judged = [own for own in standings.values() if own.state == "judged"]
    finished = [own for own in judged if own.run not in apart]
    for own in judged if finished else ():
        own.ranked = own.run not in apart
    every = finished or judged
    kinds = contenders([own.kind for own in every])
    for own in judged:
        own.for_scale = own.ranked and own.kind not in kinds
    return [own.run for own in every if not own.for_scale]


def _highest(lead: Lead, standings: dict[int, Standing], able: Sequence[int]) -> int:
    return max(able, key=lambda run: (lead.height(standings[run]), -run))


def _against(
    lead: Lead, best: int, able: Sequence[int], rows: dict[tuple[int, int], GroupDifference]
) -> list[Contest]:
    """The best run's contests, the nearest first."""
    contests = []
    for other in able:
        row, first = rows.get((best, other)), True
        if row is None:
            row, first = rows.get((other, best)), False
        if row is None or other == best:
            continue
        sign = lead.sign if first else -lead.sign
        low, high = sorted((sign * row.low, sign * row.high))
        one, two = (row.first, row.second) if first else (row.second, row.first)
        gap, p, items = sign * row.difference, row.p_adjusted, row.items
        contests.append(Contest(other, gap, low, high, p, items, row.clusters, one, two))
    return sorted(contests, key=lambda one: one.mean)


def _at_chance(
    able: Sequence[Standing],
    figures: Mapping[int, Mapping[str, GroupFigures]],
    groups: Sequence[ListedGroup],
) -> list[Text]:
    """Main groups in which every run was judged and none is significantly better than chance."""
    if not able or any(own.guess != "better" for own in able):
        return []
    labels: list[Text] = []
    for group in groups:
        of_runs = [figures[own.run].get(group.name) for own in able]
        if not group.main or group.n < _LEAST:
            continue
        clusters = [(f.clusters or f.items) if f else 0 for f in of_runs]
        if min(clusters) > LEAST_CLUSTERS and all(f and f.n and f.guess == "open" for f in of_runs):
            labels.append(group.label)
    return labels


def _published(reference: Reference, lead: Lead) -> list[PublishedMark]:
    """The published rows of the headline figure, which a whole run may stand beside."""
    names = _EQUAL.get(lead.figure, (figure_name(lead.figure),))
    rows = []
    for name, row in reference.rows.items():
        figures = row.get(lead.group, {})
        value = next((figures[figure] for figure in names if figure in figures), None)
        if value is not None:
            kind = reference.kinds.get(name, "model")
            rows.append(PublishedMark(name, kind, value, reference.of(name).date))
    return sorted(rows, key=lambda row: -row.value)


def _otherwise(
    reference: Reference, lead: Lead, groups: Sequence[ListedGroup], titles: Mapping[str, Text]
) -> Said | None:
    """Count the comparable rows without a figure of the headline.

    Named is the highest figure over all questions of the largest group that has one.
    """
    shown = {row.name for row in lead.published}
    rows = {name: row for name, row in reference.rows.items() if name not in shown}
    cells = [(group, figure, value, name) for name, row in rows.items()
             for group, own in row.items() for figure, value in own.items()]  # fmt: skip
    if not cells:
        return None
    times = Counter((group, figure) for group, figure, *_ in cells)
    sizes = {one.name: one.n for one in groups}
    group, figure, value, name = max(cells, key=lambda one: (
        one[1] in OVER_ALL, sizes.get(one[0], 0), times[one[0], one[1]], one[1] == "f1", one[2]
    ))  # fmt: skip
    return said("dots-published-more", n=len(rows), name=name, value=value,
                figure=FIGURES.get(figure, figure),
                group=titles.get(group) or GroupTree([], titles).title(group))  # fmt: skip


_READ = 0.98
"""Where this share of replies holds an answer, reading is no doubt of its own."""
_MOODS = ("bad", "soft", "good")


class Check(msgspec.Struct, frozen=True):
    """Result of a check of all models.

    Attributes
    ----------
    question : Said
    mood : {"good", "bad", "soft"}
        The worst of any model.
    verdict, detail : Text
    """

    question: Said
    mood: Literal["good", "bad", "soft"]
    verdict: Text
    detail: Text


def checks_of(
    lead: Lead, labels: Sequence[Named], within: Mapping[int, Within], tasks: Mapping[str, Text]
) -> list[Check]:
    """The checks of the models that a headline speaks of; of all runs where it speaks of none.

    Parameters
    ----------
    lead : Lead
    labels : sequence of Named
        Of all runs, by number.
    within : dict of int to Within
        What was found in groups of each run.
    tasks : dict of str to Text
        The groups that are tasks, and what they are called.
    """
    judged = [own for own in lead.standings if own.state == "judged"]
    able = [own for own in judged if not own.for_scale or own.kind == "constant"] or judged
    able = able or [own for own in lead.standings if own.state == "measured"]
    if not able:
        return []

    def one_answer(own: Standing) -> ShortAnswer:
        found, here = favours_a_letter(own), within[own.run]
        n = sum(task in here.always for task in tasks)
        if own.letter and own.letter.verdict == "always":
            return found
        liked = own.letter.letter if own.letter and found.mood == "bad" else ""
        often = {name: one.told for name, one in here.often.items() if one.letter != liked}
        others = told(often)
        if n:
            return ShortAnswer("bad", said("check-in-tasks", n=n, of=len(tasks)), others)
        if found.mood == "bad":
            return ShortAnswer("bad", found.text, both(found.detail, others))
        return ShortAnswer("bad", others) if others else ShortAnswer("soft", found.text)

    def listens(own: Standing) -> ShortAnswer:
        found = is_listening(own)
        adds = within[own.run].adds
        here = {name: one.told for name, one in adds.items()}
        if found.mood == "bad" or not (others := told(here, any(o.listens for o in adds.values()))):
            return found
        return ShortAnswer("soft", said("short-in-part"), both(found.detail, others))

    def both(first: Text | None, second: Said | None) -> Text | None:
        several = [each for each in (first, second) if each]
        return said("check-each", each=several) if len(several) > 1 else first or second

    def told(found: Mapping[str, Text], so: bool = True) -> Said | None:
        """Name the tasks that differ from the whole, and in what; those where it is not `so`."""
        each = [said("check-task", task=title, text=found[name])
                for name, title in tasks.items() if name in found]  # fmt: skip
        return said("check-within", each=each, so=so) if each else None

    fond = any(one_answer(own).mood == "bad" for own in judged if own not in able)
    every_good = all(_is_read([own]).mood == "good" for own in able)
    # Where nothing is right or wrong, a table of its own says what was answered, and how alike.
    graded = any(own.main.keys() - {"ungraded", "error"} for own in able)
    asked: list[tuple[Said, Callable[[Standing], ShortAnswer]]] = [
        (said("ask-whole"), lambda own: is_whole(own, lead)),
        (said("ask-read"), lambda own: _is_read(able if every_good else [own])),
        (said("ask-letter"), one_answer),
        (said("ask-listening"), listens),
    ]
    return [
        _check(question, [(labels[o.run], of(o)) for o in able], named=fond and of is one_answer)
        for question, of in (asked if graded else (asked[0], asked[-1]))
    ]


def _is_read(several: Sequence[Standing]) -> ShortAnswer:
    """Tell whether the replies of runs hold an answer that could be read."""
    counts = sum((Counter(own.main) for own in several), Counter[str]())
    unread = sum(counts[state] for state in ("no_answer", "refused", "truncated"))
    replies = counts["correct"] + counts["wrong"] + unread  # what is ungraded has no right answer
    if not replies:
        return ShortAnswer("soft", said("short-not-known"))
    good = (replies - unread) / replies >= _READ
    so = "yes" if good else "part" if unread < replies else "no"
    detail = said("check-read-of", n=replies - unread, of=replies)
    return ShortAnswer("good" if good else "bad", said("check-read", so=so), detail)


def _check(question: Said, each: Sequence[tuple[Named, ShortAnswer]], *, named: bool) -> Check:
    """The answers of several models as one, with what the bad ones rest on: of none bad, all; and
    with names where others on the page have another answer.
    """
    alike = grouped(((answer.mood, str(answer.text)), (who, answer)) for who, answer in each)
    groups = sorted(alike.values(), key=lambda group: _MOODS.index(group[0][1].mood))
    verdict: Text = groups[0][0][1].text
    if len(groups) > 1 or named:
        parts = [
            said("check-of", who=[who for who, _ in group], text=group[0][1].text)
            for group in groups
        ]
        verdict = said("check-each", each=parts)
    bad = [one for group in groups for one in group if one[1].mood == "bad"]
    of = bad or each
    told = [(who, answer.detail) for who, answer in of if answer.detail]
    every = len(told) == len(of) or len(groups) == 1
    alone = len({str(text) for _, text in told}) == 1 and every
    detail: Text = said("check-each", each=[said("check-of", who=[who], text=text)
                                            for who, text in told]) if told else ""  # fmt: skip
    if alone:
        detail = told[0][1]
        if len(groups) > 1:  # it is of some alone
            detail = said("check-of", who=[who for who, _ in told], text=detail)
    return Check(question, groups[0][0][1].mood, verdict, detail)
