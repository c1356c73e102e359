"""Headlines of one benchmark on the first screen: which messages, with which facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from zhiyin.analysis.comparison import beside_baseline
from zhiyin.analysis.within import ConditionGap
from zhiyin.report.dots import LEAST_COUNTED, Counted
from zhiyin.report.findings import ALPHA
from zhiyin.report.standings import LEAST_CLUSTERS, Contest, Lead, Standing, outcomes_in_short
from zhiyin.runs.figures import way_in_words
from zhiyin.runs.measures import figure_name
from zhiyin.shown.table import ShortAnswer
from zhiyin.words import Named, Said, Text, said

_MOST = 3
"""No more groups are named."""
_FACTS = 2
"""No more stand in a headline; the others stand below it."""
_UNTESTED = {
    "lead-late", "lead-kept", "lead-letter", "lead-dead", "lead-empty", "lead-altered",
    "lead-ungraded", "lead-unscored", "lead-measured", "lead-outside",
}  # fmt: skip
"""Clauses that no test of right answers is behind."""


def headline(
    lead: Lead, labels: Sequence[Named], drawn: Counted | None = None
) -> tuple[Said, list[Said]]:
    """The finding of one benchmark, and sentences on what else is to be known.

    Baselines, and the listener beside models, never stand in the sentence that speaks of models:
    they have one of their own below it. Where hypotheses were registered of these runs, what became
    of them is the finding, and what the page tests itself stands below it, as exploratory.

    Parameters
    ----------
    lead : Lead
    labels : sequence of Named
        Of all runs, by number.
    drawn : Counted, optional
        Where it counts tasks, they make the claim, and the figures of the whole stand below it.
    """
    doubts, facts = list(_canaries(lead.standings, labels)), list(_clauses(lead, labels))
    facts = doubts + facts if not lead.registered else facts
    scale = [own for own in lead.standings if own.state == "judged" and own.for_scale]
    more = [said("lead", clauses=facts[_FACTS:])] if facts[_FACTS:] else []
    if lead.registered:
        tested = [one for one in facts if one.name not in _UNTESTED]
        rest = [one for one in facts if one.name in _UNTESTED]
        more = [said("lead-exploratory", text=said("lead", clauses=tested))] if tested else []
        more += [said("lead", clauses=rest)] if rest else []
    if scale:
        sizes = {own.n for own in lead.standings if own.state == "judged"}
        each = [
            said("lead-scaled", who=labels[own.run], value=own.value, unit=lead.unit,
                 scale=lead.measure.unit, n=own.n if len(sizes) > 1 else None)
            for own in scale
        ]  # fmt: skip
        rules = [
            beside_baseline(
                labels[part.rule],
                [
                    (labels[one.other], one.side, (one.mean, one.low, one.high))
                    for one in part.ruled
                ],
                lead.measure.unit,
            )
            for part in lead.each
            if part.rule is not None and part.ruled
        ]
        more.insert(0, said("lead-scale", each=each, rules=rules))
    if lead.registered:
        return said("lead", clauses=[*doubts, *outcomes_in_short(lead.registered)]), more
    first = said("lead", clauses=facts[:_FACTS])
    if not doubts and drawn and (claim := _claim(lead, labels, drawn)):
        # Of several that were compared, who is best comes first: that all beat guessing parts none.
        return (first, [claim, *more]) if lead.contests else (claim, [first, *more])
    return first, more


def _claim(lead: Lead, labels: Sequence[Named], drawn: Counted) -> Said | None:
    """Count the tasks in which each of a few models beats guessing.

    None where they are not counted, and where a model beats it as a whole and in no task: then
    tasks are too small to tell, and their number says nothing.
    """
    able = [own for own in lead.standings if own.state == "judged" and not own.for_scale]
    counted = [own.run for own in able if own.run in drawn.better]
    if len(drawn.tasks) < LEAST_COUNTED or not counted or len(counted) < len(able):
        return None
    if any(own.guess == "better" and not drawn.better[own.run] for own in able):
        return None
    of = len(drawn.tasks)
    each = [
        said("claim-better", who=labels[own.run], n=_of_all(drawn.better[own.run], of), of=of,
             also=own is not able[0], small=drawn.small,
             always=_of_all(drawn.always[own.run], of))
        for own in able
    ]  # fmt: skip
    alone = {own.alone for own in able}
    claim = said("claim-tasks", each=each)
    if len(alone) > 1 or "" in alone:
        return claim
    return said("claim-with", alone=way_in_words(alone.pop()), text=claim)


def _of_all(n: int, of: int) -> int | str:
    return "all" if n == of else n


def _clauses(lead: Lead, labels: Sequence[Named]) -> Iterator[Said]:
    judged = [own for own in lead.standings if own.state == "judged" and not own.for_scale]
    able = [own for own in judged if own.ranked]
    late = [own for own in judged if not own.ranked]
    if able:
        first, *more = [one for part in lead.each for one in _first(part, part.able, labels)]
        ways = {own.alone for own in able}
        if len(ways) == 1 and "" not in ways:
            first = said("lead-with", alone=way_in_words(able[0].alone), text=first)
        yield from (first, *more)
        if lead.parts:
            yield said("lead-otherwise")
        alone = {part.best for part in lead.parts if len(part.able) == 1}
        yield from _guessing([own for own in able if own.run not in alone], labels)
    if unfinished := [own for own in late if not own.finished]:
        yield said("lead-late", who=_names(unfinished, labels))
    for own in late:
        if own.finished:
            yield said("lead-lacking", who=labels[own.run], why=own.notes)
    if not able:  # else they stand below the picture, each with its reason
        yield from _silent(lead, labels)
    if able and 0 < len(lead.at_chance) <= _MOST:
        yield said("lead-groups", groups=lead.at_chance, runs=len(able))
    yield from _letters(able, labels)
    for own in lead.standings:
        if own.kept:
            yield said("lead-kept", n=own.kept, of=own.replies, who=labels[own.run])


def _names(several: Sequence[Standing], labels: Sequence[Named]) -> list[Named]:
    return [labels[own.run] for own in several]


def _first(lead: Lead, able: Sequence[Standing], labels: Sequence[Named]) -> list[Said]:
    """Compare the best model with the others."""
    best = next(own for own in able if own.run == lead.best)
    if len(able) == 1:
        return [_alone(best, _figure(lead, best, [labels[best.run]], "alone", 1))]
    if not lead.shared or len(lead.contests) < len(able) - 1 or lead.scarce:
        return [_not_compared(lead, able, labels)]
    nearest = lead.contests[0]
    if len(able) == 2 and not nearest.won:
        return [_apart(lead, able, nearest, labels)]
    first, *more = _won_or_level(lead, best, labels, len(able))
    if not lead.own:
        first = said("lead-on", n=lead.shared, unit=lead.unit, runs=len(able), text=first)
    return [first, *more]


def _won_or_level(lead: Lead, best: Standing, labels: Sequence[Named], runs: int) -> list[Said]:
    """The best of those that were compared, where it has won or there are more than two."""
    nearest, name = lead.contests[0], labels[best.run]
    open_ones = [one for one in lead.contests if not one.won]
    equal = [labels[one.other] for one in lead.contests if one.level]
    if nearest.level and len(equal) == len(lead.contests):
        return [_figure(lead, best, [], "each", runs), said("lead-none-better", runs=runs)]
    if nearest.level:
        others = [labels[one.other] for one in open_ones if not one.level]
        level = _figure(lead, best, [name, *equal], "level", runs)
        return [level, said("lead-open", who=name, others=others)] if others else [level]
    if open_ones:
        most = _figure(lead, best, [name], "most", runs)
        return [said("lead-but-open", best=most, others=[labels[o.other] for o in open_ones])]
    facts = {
        "best": _figure(lead, best, [name], "alone", runs), "other": labels[nearest.other],
        "mean": nearest.mean, "low": nearest.low, "high": nearest.high, **_scale(lead),
    }  # fmt: skip
    if runs == 2:
        return [said("lead-better", **facts)]
    return [said("lead-best-of-all", others=runs - 1, **facts)]


def _scale(lead: Lead) -> dict[str, object]:
    """Return the unit of the figure, and whether less of it is better."""
    return {"scale": lead.measure.unit, "least": lead.measure.lower_is_better}


def _figure(lead: Lead, own: Standing, who: Sequence[Named], manner: str, runs: int) -> Said:
    """The best run with its figure: its own, or that on the items that were compared."""
    value = own.value if lead.own or not lead.contests else lead.contests[0].best
    names = who if manner == "level" else who[0] if who else ""
    title = lead.title or None
    if lead.figure == "accuracy":
        return said("lead-right", who=names, value=value, manner=manner, runs=runs, title=title)
    if lead.figure == "total":
        return said("lead-total", who=names, value=value, manner=manner, runs=runs, by=own.by)
    figure = figure_words(lead)
    facts = {"who": names, "value": value, "manner": manner, "runs": runs, "title": title}
    return said("lead-score", figure=figure, **facts, **_scale(lead))


def _alone(own: Standing, figure: Said) -> Said:
    """The only run, beside chance."""
    guess = "alone" if own.by_itself else own.guess
    return said(
        "lead-alone", best=figure, chance=own.chance, clusters=own.clusters or own.n,
        guess="mute" if own.mute else "free" if own.chance is None else guess,
        alone=own.by_itself and said("by-itself", **msgspec.structs.asdict(own.by_itself)),
        over="clusters" if own.clusters else "items",
    )  # fmt: skip


def _not_compared(lead: Lead, able: Sequence[Standing], labels: Sequence[Named]) -> Said:
    """The figures of runs that were not ranked, and why they were not."""
    each = [
        said("lead-value", who=labels[own.run], value=own.value, scale=lead.measure.unit)
        for own in able
    ]
    n = lead.shared if lead.scarce or not lead.shared else None
    facts = {"unit": lead.unit, "runs": len(able), "title": lead.title or None}
    return said("lead-not-compared", each=each, n=n, **facts)


def _apart(lead: Lead, able: Sequence[Standing], nearest: Contest, labels: Sequence[Named]) -> Said:
    """Two runs of which neither is significantly better."""
    best, second = able[0], able[1]
    values = (best.value, second.value) if lead.own else (nearest.best, nearest.second)
    facts: dict[str, object] = {
        "who": labels[best.run], "other": labels[second.run], "title": lead.title or None,
        "n": None if lead.own else nearest.items, "unit": lead.unit, "value": values[0],
        "scale": lead.measure.unit,
    }  # fmt: skip
    if nearest.low == nearest.high:
        return said("lead-same", **facts)
    return said(
        "lead-apart", **facts, second=values[1], p=nearest.p if nearest.low > 0 else None,
        clusters=nearest.clusters,
        over="clusters" if nearest.clusters < nearest.items else lead.unit,
        mean=nearest.mean, low=nearest.low, high=nearest.high,
    )  # fmt: skip


def _guessing(able: Sequence[Standing], labels: Sequence[Named]) -> Iterator[Said]:
    """Say which of several runs beat guessing; with one run its own sentence says so."""
    if len(able) < 2 or any(own.guess == "free" for own in able):
        return
    only: list[Standing] = []
    by_kind: dict[str, list[Standing]] = {kind: [] for kind in ("better", "open", "worse", "mute")}
    for own in able:
        if own.by_itself and not own.mute:
            only.append(own)
        else:
            kind = "mute" if own.mute else "open" if own.guess == "untold" else own.guess
            by_kind[kind].append(own)
    all_better = len(by_kind["better"]) == len(able)
    for guess in ("better",) if all_better else ("open", "worse", "mute"):
        if by_kind[guess]:
            yield said("lead-chance", guess=guess, who=_names(by_kind[guess], labels))
    for side in ("better", "worse"):
        if alike := [own for own in only if own.by_itself and own.by_itself.side == side]:
            yield _by_themselves(alike, labels)


def _by_themselves(alike: Sequence[Standing], labels: Sequence[Named]) -> Said:
    """Runs that lie on one side of chance by themselves alone, with the largest of their p."""
    each = [own.by_itself for own in alike if own.by_itself]
    largest = max(each, key=lambda one: one.p)
    facts = msgspec.structs.asdict(largest)
    return said("lead-by-itself", who=_names(alike, labels), **facts)


def _letters(able: Sequence[Standing], labels: Sequence[Named]) -> Iterator[Said]:
    by_letter: dict[tuple[str, str], list[Named]] = {}
    for own in able:
        if own.letter and own.letter.verdict != "none":
            alike = by_letter.setdefault((own.letter.verdict, own.letter.letter), [])
            alike.append(labels[own.run])
    for (verdict, letter), several in by_letter.items():
        yield said("lead-letter", who=several, verdict=verdict, letter=letter)


def _canaries(standings: Sequence[Standing], labels: Sequence[Named]) -> Iterator[Said]:
    """Name models that failed a canary, before any figure, which may not depend on the music."""
    for medium in ("sound", "image"):
        deaf = [own for own in standings if medium in own.canary]
        if deaf:
            counts = [
                said("lead-canary-count", right=one.right, asked=one.asked)
                for one in (own.canary[medium] for own in deaf[:_MOST])
            ]
            yield said("lead-canary", who=_names(deaf, labels), medium=medium, counts=counts)


def _silent(lead: Lead, labels: Sequence[Named]) -> Iterator[Said]:
    """Runs without a figure, those alike together."""
    by_state: dict[tuple[str, str], list[Named]] = {}
    for own in lead.standings:
        if own.measured is not None:
            yield said("lead-found", who=labels[own.run], text=own.measured)
        elif own.state != "judged":
            by_state.setdefault((own.state, own.alone), []).append(labels[own.run])
    for (state, alone), who in by_state.items():
        match state:
            case "dead":
                yield said("lead-dead", who=who)
            case "empty":
                yield said("lead-empty", who=who)
            case "altered":
                yield said("lead-altered", who=who, alone=alone)
            case "ungraded":
                yield said("lead-ungraded", who=who)
            case "unread":
                yield said("lead-chance", guess="mute", who=who)
            case "unscored":
                yield said("lead-unscored", who=who)
            case "measured":
                yield said("lead-measured", who=who)
            case _:
                yield said("lead-outside", who=who, title=lead.title or None)


def is_listening(own: Standing) -> ShortAnswer:
    """Tell whether its answers depend on the sound."""
    if failed := own.canary.get("sound"):
        detail = said("short-canary-right", right=failed.right, asked=failed.asked)
        return ShortAnswer("bad", said("short-canary-failed"), detail)
    if not (listening := [gap for gap in own.listening if gap.of_hearing]):
        if own.heard:
            return ShortAnswer("soft", said("short-not-tested"))
        if own.elsewhere:
            return ShortAnswer("soft", said("short-not-known"), said("short-elsewhere"))
        return ShortAnswer("soft", said("short-no-sound"))
    if listening[0].way.changes == "medium":
        return ShortAnswer("soft", _reading_or_hearing(listening[0]))
    able = [gap for gap in listening if gap.gap.clusters > LEAST_CLUSTERS]
    gaps = able or listening
    sure = [own for own in gaps if own.listens]
    every = len(sure) == len(gaps)
    shown = sure[0] if every else next(gap for gap in gaps if gap not in sure)
    if every:
        return ShortAnswer("good", said("short-yes"), shown.told)
    return ShortAnswer("soft", said("short-not-shown"), shown.told)


def _reading_or_hearing(one: ConditionGap) -> Said:
    if one.gap.p is None or one.gap.p >= ALPHA:
        return said("short-reading-hearing-open")
    gap = one.gap.value or 0.0
    if gap > 0:
        return said("short-reads-better", gap=gap)
    return said("short-hears-better", gap=-gap)


def favours_a_letter(own: Standing) -> ShortAnswer:
    """Tell whether it chooses a letter more often than the key has it."""
    liked = own.letter
    if liked is None:
        return ShortAnswer("soft", "–" if own.by or own.kind == "people" else said("short-too-few"))
    shares = said("short-letter", letter=liked.letter, chosen=liked.chosen, keyed=liked.keyed)
    if liked.verdict == "always":
        return ShortAnswer("bad", said("short-always", letter=liked.letter, others=0), shares)
    if liked.verdict == "favours":
        return ShortAnswer("bad", said("short-often", letter=liked.letter), shares)
    if only := liked.by_itself:
        detail = said("short-corrected", p=only.p, runs=only.runs, text=shares)
        return ShortAnswer("soft", said("short-by-itself", side=only.side), detail)
    return ShortAnswer("soft", said("short-none-found"), shares)


def is_whole(own: Standing, lead: Lead) -> ShortAnswer:
    """Tell whether it was asked the whole benchmark, as `Coverage.part` has it."""
    unit = lead.unit
    if own.state == "measured":
        return ShortAnswer("soft", said("short-asked", n=own.trials, unit=unit))
    if own.coverage == "other items":
        return ShortAnswer("soft", own.apart or said("short-other-items"))
    if own.set_otherwise:
        return ShortAnswer("soft", said("short-other-settings"), own.apart)
    if own.coverage == "unknown":
        return ShortAnswer("soft", said("short-not-known"), said("short-asked", n=own.n, unit=unit))
    if own.coverage == "whole" and own.apart and lead.title:
        return ShortAnswer("soft", said("short-whole-of", group=lead.title), own.apart)
    if own.coverage == "whole" and not own.apart:
        if own.unfit:
            facts = {"n": own.n, "unfit": own.unfit, "of": own.unfit + own.planned}
            return ShortAnswer("soft", said("short-where-it-applies"), said("short-unfit", **facts))
        if own.notes:  # its figure is over fewer than were asked
            return ShortAnswer("good", said("short-yes"))
        return ShortAnswer("good", said("short-yes"), said("short-all", n=own.n, unit=unit))
    word = said("short-in-part") if own.finished else said("short-unfinished")
    return ShortAnswer("soft", word, own.apart)


def without_figure(own: Standing) -> Text:
    """Return why a run has no figure, or what was measured instead."""
    return own.measured or said("without-figure", why=own.state, n=own.trials)


def figure_words(lead: Lead) -> Said | None:
    """Return the name of the headline's figure; None where its unit says so."""
    name = figure_name(lead.figure)
    if name == lead.measure.unit:
        return None
    return said("score-name", name=name, plain=name.replace("_", " "))
