"""Methods' part of a report's chapter: doses, other words, other rules, the card.

The same replies by every rule, as tables and in a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from zhiyin.analysis.parts import ChapterPart, ChapterRun, ChapterRuns, Finding, Folded, Opening
from zhiyin.analysis.within import Within
from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.contract.registry import known
from zhiyin.engine.naming import people_in
from zhiyin.engine.scoring import ALL
from zhiyin.plugins.methods.dependence import dependence_in
from zhiyin.plugins.methods.dose import DosePoint, dose_in_words, doses_of
from zhiyin.plugins.methods.doses import HEAR
from zhiyin.plugins.methods.readers import OURS, ByEveryRule, RulePair, rules_of_run
from zhiyin.plugins.methods.validity import CardEvidence, card_of
from zhiyin.report.measures import common_chance
from zhiyin.report.pictures import dot_in, read_as
from zhiyin.runs.rows import rows_of
from zhiyin.shown.dots import Dot, DotPicture, DotRow, Fact
from zhiyin.words import Named, Said, said
from zhiyin.words.reasons import reason

_MOST_READ = 2000
"""Of more replies the report does not say what other rules read in them: it takes 0.6 ms each."""


def chapter_of(chapter: ChapterRuns) -> ChapterPart:
    """All that the methods have to say of a benchmark's runs."""
    runs, added = chapter.runs, ChapterPart()
    for run in runs:
        added.findings += half_reached(Named(run.label), run.folder)
        added.findings += kept_in_other_words(Named(run.label), run.folder)
    if by_rules := list(_by_rules(runs)):
        if words := span_words({run.label: each for run, each in by_rules}):
            table = f"readers-{chapter.benchmark}"
            added.findings.append(Finding("reading", words, table=table))
        title = said("report-by-rules", name=chapter.benchmark)
        tables = [
            (run.label if len(runs) > 1 else "", section)
            for run, each in by_rules
            for section in readers_sections(each)
        ]
        added.folded.append(Folded("tables", "readers", title, tables))
    card = card_of(CardEvidence(known(runs[0].manifest), [run.folder for run in runs]))
    added.folded.append(Folded("findings", "card", card.told, [("", card.table())]))
    return added


def _by_rules(runs: Sequence[ChapterRun]) -> Iterator[tuple[ChapterRun, ByEveryRule]]:
    """The runs whose figure other published rules take out of its own interval."""
    for run in runs:
        if not run.running and not people_in(run.manifest):  # who choose write no replies
            one = rules_of_run(run.folder, _MOST_READ, every_pair=False)
            if one is not None and one.matters:
                yield run, one


def half_reached(label: Named, folder: Path) -> Iterator[Finding]:
    """Say after how much sound half of what it adds is reached, of a run with doses of sound."""
    doses = doses_of(rows_of(folder))
    if doses is None or doses.half is None:
        return
    first, last = map(dose_in_words, doses.bracket)
    facts = {"value": doses.half.value, "low": doses.half.low, "high": doses.half.high}
    words = said("finding-dose", who=label, items=doses.items, first=first, last=last, **facts)
    yield Finding("listening", words)


def kept_in_other_words(label: Named, folder: Path) -> Iterator[Finding]:
    """Say how often the answer stays in other words, of a run asked in several wordings."""
    found = dependence_in(rows_of(folder))
    if found is None or found.consistency is None:
        return
    own = found.consistency
    facts = {"value": own.same.mean, "low": own.same.low, "high": own.same.high}
    words = said("finding-wordings", who=label, items=own.items, wordings=own.wordings, **facts)
    yield Finding("score", words)


def doses_picture(runs: Sequence[ChapterRun]) -> Opening | None:
    """Draw a row for each dose of sound, a line from dose to dose; None where nobody had doses."""
    found = [(run, own) for run in runs if (own := doses_of(rows_of(run.folder)))]
    if not found:
        return None
    seconds = {point.name: point.seconds for _, own in found for point in own.points}
    rule = common_chance(own.chance for _, own in found)
    rows = []
    for name in sorted(seconds, key=lambda name: seconds[name]):
        dots: list[Dot | None] = []
        for run, own in found:
            one = next((point for point in own.points if point.name == name), None)
            group = f"{HEAR.name}={name}" if name != HEAR.plain else ALL
            dots.append(_dose(run.within, group, one, own.items) if one else None)
        about = said("report-seconds", seconds=round(seconds[name], 1)) if "%" in name else ""
        words = dose_in_words(name)
        rows.append(DotRow(words, about, dots=tuple(dots), rule=rule, key=name))
    names = tuple((run.series, run.label) for run, _ in found)
    picture = DotPicture(
        said("report-heard"), said("dots-right"), "share", names, tuple(rows), notes=read_as(rows),
        joined=True,
    )  # fmt: skip
    knees = [one.words for run in runs for one in half_reached(Named(run.label), run.folder)]
    claims = [said("claim-dose", **one.facts) for one in knees if isinstance(one, Said)]
    return Opening(picture, claims, HEAR.name)


def _dose(within: Within, group: str, point: DosePoint, items: int) -> Dot:
    """Return the share right at a dose, with what more sound adds to it."""
    own, more = point.accuracy, point.needing_more
    facts: dict[str, Fact] = {"seconds": point.seconds, "items": items}
    if more:
        facts["needing_more"], facts["needing_low"] = more.value, more.low
        facts["needing_high"] = more.high
    return dot_in(within, group, own.mean, (own.low, own.high), **facts)


_CAUSES = 3


def readers_sections(found: ByEveryRule) -> list[Section]:
    """The figures by every rule, and why each reads some replies otherwise than ours."""
    rows: list[list[Cell]] = []
    for own in found.figures:
        spread = own.drawn or own.bounds
        value = None if own.accuracy is None else (own.accuracy, *(own.ci95 or (0.0, 1.0)))
        handling = said("readers-unread", how=own.unread.replace(" ", "-"))
        source = own.source or said("readers-ours")
        rows.append([own.name, own.n, value, own.unreadable, handling, spread, source])
    notes = [said("readers-key")]
    notes += [said("readers-bounds", rule=own.name) for own in found.figures if own.bounds]
    notes += [said("readers-whatever", rule=own.name) for own in found.figures if not own.heeds]
    figures = Section(
        said("readers-title", replies=found.replies, items=found.items),
        heads("rule", "n", "accuracy-share", "unread-share", "unread-is", "draws-share", "source"),
        rows,
        notes,
        kinds=("text", "count", "share", "share", "text", "share", "text"),
    )
    apart = [pair for pair in found.pairs if pair.first == OURS and pair.n]
    return [figures, *([_differences(apart)] if apart else [])]


def _differences(pairs: Sequence[RulePair]) -> Section:
    rows: list[list[Cell]] = []
    for pair in sorted(pairs, key=lambda each: -each.n):
        for number, cause in enumerate(pair.causes[:_CAUSES]):
            example = cause.examples[0]
            name, n = (pair.second, pair.n) if not number else ("", None)
            read = f"{example.first} / {example.second}: {example.reply}"
            rows.append([name, n, cause.n, reason(cause.first), reason(cause.second), read])
    return Section(
        said("readers-differ"),
        heads("rule", "read-otherwise", "of-them", "ours-because", "rule-because", "example"),
        rows,
        [said("readers-differ-key")],
        kinds=("text", "count", "count", "text", "text", "text"),
    )


def span_words(found: Mapping[str, ByEveryRule]) -> Said | None:
    """One sentence on the runs, by name, of which the rules of others disagree by over a point.

    None where there is no such run; a run that is alone may have no name.
    """
    each: list[Said] = []
    left: dict[str, Said] = {}
    deaf: dict[str, None] = {}
    for who, own in found.items():
        if (span := own.span) is None:
            continue
        (lowest, highest), others = span, own.of_others
        each.append(said(
            "readers-span-of", who=who or None, low=lowest.accuracy, high=highest.accuracy,
            lowest=lowest.name, highest=highest.name, ours=own.figures[0].accuracy,
            rules=len(others), n=own.items, of=own.of,
        ))  # fmt: skip
        known = [one for one in own.figures if one.source and one.accuracy is not None]
        deaf |= dict.fromkeys(one.name for one in known if not one.heeds)
        if sum(one.heeds for one in known) > len(others):
            why = "own" if all(one.name in own.own for one in others) else "silent"
            left[why] = said("readers-span-left", why=why, rules=[])
    if deaf:
        left["same"] = said("readers-span-left", why="same", rules=[*deaf])
    return said("readers-span", each=each, left=[*left.values()]) if each else None
