"""Findings on runs and on what is set side by side, each computed, each leading to its trials."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from zhiyin.analysis.beside import settings_of
from zhiyin.analysis.comparison import GroupDifference
from zhiyin.analysis.parts import Finding
from zhiyin.analysis.within import LEAST_ANSWERS, ConditionGap, FavouredLetter, favoured_letter
from zhiyin.contract.declared import Reference
from zhiyin.contract.options import setting_words
from zhiyin.contract.published_table import ITEMS
from zhiyin.contract.registry import known
from zhiyin.contract.resolved import setting_in_words
from zhiyin.engine.folder import Manifest
from zhiyin.engine.naming import brief
from zhiyin.engine.scoring import ALL
from zhiyin.report.measures import ComparedRuns, ListedGroup, MeasureSheet, is_condition, over_page
from zhiyin.report.printed import higher_apart
from zhiyin.runs.estimates import Frame, estimate, parts_there
from zhiyin.runs.figures import ByItself, GroupFigures, group_name
from zhiyin.runs.measures import Estimate, Measure
from zhiyin.runs.ways import NO_SOUND, Way
from zhiyin.statistics.choice import LEAST_KEYS, LetterBias, binomial, wilson_n
from zhiyin.statistics.intervals import Interval
from zhiyin.statistics.paired import holm
from zhiyin.words import Named, Said, Text, said
from zhiyin.words.reasons import heading

ALPHA = 0.05


def finding(topic: str, words: Said, **show: str) -> Finding:
    """A finding, and the filter of the trial list that it speaks of."""
    return Finding(topic, words, show or None)


def headline(
    label: Named, run: int, figures: dict[str, GroupFigures], *, group: str = ALL,
    within: dict[str, str] | None = None, title: Text = "", instead: Said | None = None,
    state: str = "", measured: Text | None = None, by_itself: ByItself | None = None,
    notes: Sequence[Text] = (),
) -> Iterator[Finding]:  # fmt: skip
    """Say how much was right, how sure that is, and whether guessing does as well.

    `group` is the one that the benchmark's accuracy is of, `title` its plain label, and `within`
    the filter of the trials that are in it.
    `instead` is given where another figure than accuracy is the headline; `state`, `measured` and
    `notes` are those of `standings.Standing`, `by_itself` that of `MeasureSheet.by_itself`.
    """
    whole = figures.get(group)
    within = {**(within or {}), **({} if group == ALL else {"group": group})}
    if instead:
        yield finding("score", instead)
        yield from (finding("score", said("finding-judged-note", who=label, note=n)) for n in notes)
    elif whole and (share := whole.interval):
        of = None if group == ALL else title or group_name(group)
        yield finding("score", _accuracy(label, whole, share, of, by_itself))
        if whole.ifr is not None and whole.ifr < 0.995:
            missing = whole.n - whole.answered
            words = said("finding-unread", n=missing, who=label, share=missing / whole.n)
            yield finding("score", words, run=str(run), state="unanswered", **within)
    else:
        found = said("finding-found", who=label, text=measured) if measured else None
        yield finding("score", found or _without_headline(label, figures, state))


def _accuracy(
    label: Named, whole: GroupFigures, share: Interval, group: Text | None,
    by_itself: ByItself | None,
) -> Said:  # fmt: skip
    uneven = round(1000 * whole.correct / whole.n) != round(1000 * share.mean)
    return said(
        "finding-accuracy", who=label, group=group, n=whole.n,
        value=share.mean, low=share.low, high=share.high,
        items=whole.items if uneven else None,
        guess="alone" if by_itself else whole.against_chance,
        alone=by_itself and said("by-itself", **msgspec.structs.asdict(by_itself)),
        chance=whole.chance, clusters=share.clusters,
        over="clusters" if whole.clusters else "items",
    )  # fmt: skip


def _without_headline(label: Named, figures: dict[str, GroupFigures], state: str) -> Said:
    """Return the message on a run that has no figure under "all"."""
    altered = [name for name, own in figures.items() if own.n and is_condition(name)]
    if altered:
        return said("finding-altered", who=label, ways=altered)
    if any(own.n for own in figures.values()):
        return said("finding-outside", who=label)
    if state == "measured":
        return said("finding-measured", who=label)
    if state == "ungraded":
        return said("finding-ungraded", who=label)
    if any(own.errors for own in figures.values()):
        return said("finding-dead", who=label)
    return said("finding-empty", who=label)


def of_right_answers(found: Finding) -> Finding:
    """The same finding, said to be of right answers, where the headline is of something else."""
    return msgspec.structs.replace(found, words=said("finding-of-right", text=found.words))


def mixture(mixed: Sequence[Way], tags: Iterable[Mapping[str, object]]) -> Iterator[Finding]:
    """Warn that trials asked in another than the main way are in no figure of the whole.

    Parameters
    ----------
    mixed : sequence of Way
        As `measures.MeasureSheet.mixed` has it.
    tags : iterable of dict
        Of all trials.
    """
    all_facts = list(tags)
    ways = []
    for way in mixed:
        tag = way.name
        others = sorted({str(facts[tag]) for facts in all_facts if tag in facts} - {way.plain})
        ways.append(said("finding-way", changes=way.changes, way=tag, values=others))
    if ways:
        show = {f"tag.{way.name}": way.plain for way in mixed}
        yield finding("score", said("finding-mixed", ways=ways), **show)


_COMPARED = ("accuracy", "f1", "recall", "precision")


def beside_people(
    reference: Reference | None, runs: Sequence[tuple[str, GroupFigures]]
) -> Iterator[Finding]:
    """The best published model and the best people beside the best run here, on one figure.

    The best run is that with the highest accuracy, whatever the figure: precision leaves out
    replies that cannot be read, and would put a run first that hardly answers.

    Parameters
    ----------
    reference : Reference or None
    runs : sequence of tuple
        Label and figures of the whole, of each run that holds the whole benchmark.
    """
    if reference is None:
        return
    for kind in ("human", "model"):
        rows = {
            name: row[ALL]
            for name, row in reference.rows.items()
            if reference.kinds.get(name) == kind and ALL in row
        }
        figure = next((f for f in _COMPARED if any(f in row for row in rows.values())), None)
        ours = [(own.accuracy, label, own) for label, own in runs if own.accuracy]
        if figure and ours:
            value, name = max((row[figure], name) for name, row in rows.items() if figure in row)
            highest = max(accuracy for accuracy, *_ in ours)
            tied = [(label, own) for accuracy, label, own in ours if accuracy == highest]
            own = max((own for _, own in tied), key=lambda one: getattr(one, figure) or 0.0)
            value_here: float | None = getattr(own, figure)
            if value_here is None:
                continue
            best = [Named(label) for label, one in tied if getattr(one, figure) == value_here]
            unread = figure == "precision" and own.answered < own.n
            words = said(
                "finding-published", kind=kind, name=name, figure=figure, value=value,
                items=reference.of(name).asked.get(ITEMS),
                who=best, ours=value_here, accuracy=highest,
                source=reference.cited(name, group=ALL),
                higher=higher_apart(reference, name, ALL, figure),
                answered=own.answered / own.n if unread else None,
            )  # fmt: skip
            yield finding("published", words)


def extremes(
    label: Named, figures: dict[str, GroupFigures], groups: Sequence[ListedGroup]
) -> Iterator[Finding]:
    """The main groups that lie above or below the whole.

    Intervals apart are not enough: of a dozen groups in which a model is equally good, one lies
    apart in every tenth run. So the binomial test has to say the same, corrected by Holm over them.
    """
    whole = figures[ALL].interval if ALL in figures else None
    if not whole:
        return
    upper = [
        (own, g.label)
        for g in groups
        if g.main and g.name in figures and (own := figures[g.name].interval)
    ]
    if not upper:
        return
    significant = holm([_p(own, whole.mean) for own, _ in upper]) < ALPHA
    apart = [entry for entry, shown in zip(upper, significant.tolist(), strict=True) if shown]
    above = [(f, name) for f, name in apart if f.low > whole.high]
    below = [(f, name) for f, name in apart if f.high < whole.low]
    sides = []
    for side, there in (("above", above), ("below", below)):
        there.sort(key=lambda entry: entry[0].mean, reverse=side == "above")
        named = [said("finding-group", group=name, value=f.mean) for f, name in there[:3]]
        if there:
            more = max(0, len(there) - 3)
            sides.append(said("finding-groups-side", side=side, groups=named, more=more))
    if sides:
        yield finding("score", said("finding-groups", who=label, sides=sides))


def _p(own: Interval, average: float) -> float:
    """Return the p of a group so far from the average of its run, by the binomial test."""
    trials = round(wilson_n(own.mean, own.low, own.high))
    return binomial(round(trials * own.mean), trials, average) if trials else 1.0


def favoured_letters(
    letters: Mapping[int, LetterBias | None], page: int
) -> dict[int, FavouredLetter]:
    """Return `favoured_letter` of each run that has one, corrected over a page of so many runs."""
    of_runs = {run: own for run, bias in letters.items() if (own := favoured_letter(bias))}
    tested = {run: own.p for run, own in of_runs.items() if own.p is not None}
    for run, p in zip(tested, over_page([*tested.values()], page), strict=True):
        alone, own = of_runs[run].p, msgspec.structs.replace(of_runs[run], p=p)
        if own.verdict == "favours" and p >= ALPHA and alone is not None:
            only = ByItself("better", alone, page)
            own = msgspec.structs.replace(own, verdict="none", by_itself=only)
        of_runs[run] = own
    return of_runs


def preferences(
    labels: Sequence[Named],
    letters: Mapping[int, LetterBias | None],
    liked: Mapping[int, FavouredLetter | None],
) -> Iterator[Finding]:
    """Say which runs favour a letter, chosen against the key; all others in one sentence."""
    others: dict[int, FavouredLetter] = {}
    for run, own in liked.items():
        bias, only = letters[run], own and own.by_itself
        if own is None or bias is None:
            continue
        if own.verdict == "none" and not only:
            others |= {run: own} if bias.answered >= LEAST_ANSWERS else {}
            continue
        both = bias.rstd is not None and bias.rstd_by_chance is not None
        words = said(
            "finding-letter",
            verdict="alone" if only else own.verdict, who=labels[run],
            letter=own.letter, chosen=own.chosen, keyed=own.keyed,
            p=only.p if only else own.p, runs=only and only.runs,
            rare=bias.rare, least=LEAST_KEYS, rstd=bias.rstd if both else None,
            by_chance=bias.rstd_by_chance if both else None, most=bias.units < bias.answered,
        )  # fmt: skip
        yield finding("letters", words, run=str(run), letter=own.letter)
    if others:
        run, own = max(others.items(), key=lambda each: each[1].chosen - each[1].keyed)
        words = said(
            "finding-no-letter", who=[labels[each] for each in others], most=labels[run],
            letter=own.letter, chosen=own.chosen, keyed=own.keyed,
        )  # fmt: skip
        yield finding("letters", words, run=str(run), letter=own.letter)


_MOST_NAMED = 4
_MOST_PAIRS_RUNS = 3
"""With more runs than these there is a ranking, and each is compared with the best alone."""


def comparisons(
    compared: ComparedRuns, labels: Sequence[Named], groups: Sequence[ListedGroup], title: Text
) -> Iterator[Finding]:
    """A sentence on each pair of few runs; of many the ranking, and the best two.

    Parameters
    ----------
    compared : ComparedRuns
    labels : sequence of Named
        Of all runs, by number.
    groups : sequence of ListedGroup
    title : Text
        The headline's group in plain words.
    """
    pairs, head = compared.pairs, compared.group
    of = "" if head == ALL else title
    shown = list(pairs)[:_MOST_PAIRS_RUNS]
    if len(compared.ranking) > _MOST_PAIRS_RUNS:
        best, *others = [run for run, _ in compared.ranking]
        against = {a + b - best: (a, b) for a, b in pairs if best in (a, b)}
        yield finding("comparison", _ranking(compared, labels, best, against, of))
        shown = [against[run] for run in others if run in against][:1]
    for runs in shown:
        names = labels[runs[0]], labels[runs[1]]
        words = _compared(*names, pairs[runs][head], of)
        yield finding("comparison", words, agree=f"apart:{runs[0]}:{runs[1]}")
        yield from _by_group(pairs[runs], groups, runs, names)


def people_apart(
    compared: Sequence[ComparedRuns], people: Collection[int], labels: Sequence[Named]
) -> Iterator[Finding]:
    """Say which runs people are not held against, and what does it."""
    for each in compared:
        others = [run for one in compared if one is not each for run in one.runs]
        models = [labels[run] for run in others if run not in people]
        for run in each.runs if models else ():
            if run in people:
                words = said("finding-people-apart", who=labels[run], others=models)
                yield finding("comparison", words)


def _ranking(
    compared: ComparedRuns, labels: Sequence[Named], best: int,
    against: Mapping[int, tuple[int, int]], title: Text,
) -> Said:  # fmt: skip
    """The ranking, and which runs the best is not shown to be better than."""

    def won(other: int) -> bool:
        if (runs := against.get(other)) is None:
            return False
        row = compared.pairs[runs][compared.group]
        return row.p_adjusted < ALPHA and (row.difference > 0) == (runs[0] == best)

    runs = [said("finding-group", group=labels[run], value=own) for run, own in compared.ranking]
    return said(
        "finding-ranking", items=compared.shared, title=title or None, runs=runs,
        best=labels[best], open=[labels[run] for run, _ in compared.ranking[1:] if not won(run)],
    )  # fmt: skip


def _compared(first: Named, second: Named, whole: GroupDifference, title: Text) -> Said:
    """Two runs on all of the headline's group that both were judged on."""
    of = {"items": whole.items, "title": title or None}
    items, low, high, p = whole.items, whole.low, whole.high, whole.p_adjusted
    if p < ALPHA:
        return said("finding-better", **of, p=p, **_ahead(first, second, whole))
    if low == high:
        return said("finding-same", first=first, second=second, **of)
    beyond = low > 0 or high < 0  # of an interval that rests on few clusters
    return said(
        "finding-apart", first=first, second=second, **of,
        mean=whole.difference, low=low, high=high, p=p if beyond else None,
        detectable=None if beyond else whole.findable(),
        over="clusters" if whole.clusters < items else "items",
    )  # fmt: skip


def _by_group(
    rows: Mapping[str, GroupDifference], groups: Sequence[ListedGroup], pair: tuple[int, int],
    names: tuple[Named, Named],
) -> Iterator[Finding]:  # fmt: skip
    first, second = names
    upper = [(g.label, rows[g.name]) for g in groups if g.name in rows]
    if len(upper) < 2:
        return
    for name, sign in zip(names, (1, -1), strict=True):
        won = [(label, row) for label, row in upper
               if row.p_adjusted < ALPHA and row.difference * sign > 0]  # fmt: skip
        won.sort(key=lambda entry: -abs(entry[1].difference))
        if won:
            other, ends = (second, pair) if sign > 0 else (first, (pair[1], pair[0]))
            by = [said("finding-better-by", group=label, mean=abs(row.difference))
                  for label, row in won[:_MOST_NAMED]]  # fmt: skip
            more = max(0, len(won) - _MOST_NAMED)
            words = said("finding-better-in", better=name, worse=other, groups=by, more=more)
            show = {"group": won[0][1].group, "agree": f"only:{ends[0]}:{ends[1]}"}
            yield finding("comparison", words, **show)
    open_ones = [label for label, row in upper if row.p_adjusted >= ALPHA]
    if open_ones and rows[ALL].low < rows[ALL].high:
        facts = {"groups": open_ones, "of": len(upper), "first": first, "second": second}
        yield finding("comparison", said("finding-open-groups", **facts))


def findings_in_parts(
    sheet: MeasureSheet, labels: Sequence[Named], totals: Mapping[int, Sequence[Measure]]
) -> Iterator[Finding]:
    """Yield the findings of judgements on runs of one benchmark; nothing without parts.

    Parameters
    ----------
    sheet : MeasureSheet
    labels : sequence of Named
        Of all runs, by number.
    totals : mapping of int to sequence of Measure
        Those of each run.
    """
    for run, own in totals.items():
        for total in own:
            yield from _judged(labels[run], sheet.frames[run], total)
    for total in dict.fromkeys(one for own in totals.values() for one in own if one.by):
        for compared in sheet.compared(total):
            for (a, b), rows in compared.pairs.items():
                lost = parts_there(sheet.frames[a], total) ^ parts_there(sheet.frames[b], total)
                without = [heading(part.name) for part in total.parts if part.name in lost]
                words = _judged_better(labels[a], labels[b], rows[ALL], brief(total.by), without)
                yield finding("comparison", words)


def _judged(label: Named, frame: Frame, total: Measure) -> Iterator[Finding]:
    own = estimate(frame, total)
    if total.by:
        parts = ((part.name, _judged_figure(estimate(frame, part))) for part in total.parts)
        figures = [said("finding-judged-part", name=name, figure=one) for name, one in parts if one]
        words = said(
            "finding-judged", who=label, by=brief(total.by), total=_judged_figure(own),
            parts=figures or [said("finding-judged-nothing")], songs=own.items or None,
        )  # fmt: skip
        yield finding("score", words)
    for note in own.warnings:
        yield finding("score", said("finding-judged-note", who=label, note=note))


def _judged_figure(own: Estimate) -> Said | None:
    if own.value is None:
        return None
    return said("finding-judged-figure", value=own.value, low=own.low, high=own.high)


def _judged_better(
    first: Named, second: Named, row: GroupDifference, by: str, without: Sequence[Text]
) -> Said:
    """Set the totals of two runs against each other, `without` the parts that one of them lacks."""
    facts = {"by": by, "n": row.items, "p": row.p_adjusted, "without": without or None}
    if row.p_adjusted < ALPHA:
        return said("finding-judged-better", **_ahead(first, second, row), **facts)
    facts |= {"mean": row.difference, "low": row.low, "high": row.high}
    return said("finding-judged-apart", first=first, second=second, **facts)


def _ahead(first: Named, second: Named, row: GroupDifference) -> dict[str, object]:
    """The better of two, the other, and the one minus the other."""
    if row.difference < 0:
        first, second, row = second, first, row.turned()
    names = {"better": first, "worse": second}
    return {**names, "mean": row.difference, "low": row.low, "high": row.high}


def in_settings(
    sheet: MeasureSheet, runs: Sequence[Manifest], labels: Sequence[Named]
) -> Iterator[Finding]:
    """Compare each model with itself where one setting of asking differs."""
    for pair, setting, one in sheet.in_settings():
        first, second = (
            setting_in_words(setting, value, setting_words(known(runs[run]).Settings))
            if (value := settings_of(runs[run]).get(setting)) else said("finding-setting-none")
            for run in pair
        )  # fmt: skip
        if one.low == one.high:  # the same replies
            names = {"first": labels[pair[0]], "second": labels[pair[1]]}
            yield finding("conditions", said("finding-same", items=one.items, title=None, **names))
            continue
        words = said("finding-condition", who=Named(brief(runs[pair[0]].model)), way=None,
                     first=first, second=second, **_tested(one))  # fmt: skip
        yield finding("conditions", words, agree="apart:{}:{}".format(*pair))


def _tested(gap: Estimate) -> dict[str, object]:
    """What is found of the difference of two ways of asking."""
    pair, beyond = gap.pair, gap.p is not None and gap.p < ALPHA
    assert pair is not None
    return {
        "verdict": ("better" if (gap.value or 0.0) > 0 else "worse") if beyond else "open",
        **{"a": pair.first, "b": pair.second, "n": gap.items, "p": gap.p},
        **{"mean": gap.value, "low": gap.low, "high": gap.high},
    }


def listening(label: Named, gaps: Sequence[ConditionGap]) -> Iterator[Finding]:
    """Say whether answers depend on the sound, on reading in its place, on how it was asked."""
    for one in gaps:
        facts = _tested(one.gap)
        if one.way.changes in ("sound", "dose"):
            instead = "no-sound" if one.second in ("none", NO_SOUND) else one.second
            words = said(
                "finding-listening", who=label, instead=instead, guessed=one.guessed, **facts
            )
        elif one.of_hearing:
            words = said("finding-reading", who=label, **facts)
        else:
            ways = {"way": one.way.name, "first": one.first, "second": one.second}
            words = said("finding-condition", who=label, **ways, **facts)
        yield finding("listening" if one.of_hearing else "conditions", words)
