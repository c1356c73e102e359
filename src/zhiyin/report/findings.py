"""What the figures say: each finding computed from the data, each leading to its trials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from zhiyin.contract.declared import Reference
from zhiyin.engine.tally import ALL
from zhiyin.runs.figures import GroupFigures
from zhiyin.runs.ways import Way
from zhiyin.statistics.intervals import Interval
from zhiyin.words import Said, Text, said

ALPHA = 0.05


class Finding(msgspec.Struct, frozen=True):
    """Something that the figures say.

    Attributes
    ----------
    topic : str
        The question that it answers.
    words : Said
    show : dict of str to str or None
        The filter of the trial list that it speaks of.
    """

    topic: str
    words: Said
    show: dict[str, str] | None = None


def finding(topic: str, words: Said, **show: str) -> Finding:
    """A finding, and the filter of the trial list that it speaks of."""
    return Finding(topic, words, show or None)


def headline(
    label: str,
    run: int,
    figures: dict[str, GroupFigures],
    *,
    group: str = ALL,
    heard: bool = True,
    within: dict[str, str] | None = None,
    title: Text = "",
    instead: Said | None = None,
    state: str = "",
) -> Iterator[Finding]:
    """How much was right, how sure that is, and whether guessing does as well.

    `group` is the one that the benchmark's accuracy is of, `title` its plain label, and `within`
    the filter of the trials that are in it; `heard` says whether there was any sound in them.
    `instead` is given where another figure than accuracy is the headline; `state` is that of
    `lead.Standing`.
    """
    whole = figures.get(group)
    within = {**(within or {}), **({} if group == ALL else {"group": group})}
    share = whole.interval if whole else None
    if not whole or not share:
        yield finding("score", _without_headline(label, figures, state))
        return
    of = None if group == ALL else title or group
    yield finding("score", instead or _accuracy(label, whole, share, of))
    yield from _unread_and_wrong(label, run, whole, heard, within)


def _accuracy(label: str, whole: GroupFigures, share: Interval, group: Text | None) -> Said:
    uneven = abs(whole.correct - whole.n * share.mean) >= 0.5
    return said(
        "finding-accuracy",
        who=label,
        value=share.mean,
        n=whole.n,
        items=whole.items if uneven else None,
        group=group,
        low=share.low,
        high=share.high,
        guess=whole.against_chance,
        chance=whole.chance,
        clusters=share.clusters,
        over="clusters" if whole.clusters else "items",
    )


def _unread_and_wrong(
    label: str, run: int, whole: GroupFigures, heard: bool, within: dict[str, str]
) -> Iterator[Finding]:
    if whole.ifr is not None and whole.ifr < 0.995:
        missing = whole.n - whole.answered
        words = said("finding-unread", n=missing, who=label, share=missing / whole.n)
        yield finding("score", words, run=str(run), state="unanswered", **within)
    wrong = whole.answered - whole.correct  # no answer is none, as in the counts of states
    if wrong:
        words = said("finding-wrong", who=label, n=wrong, heard=heard)
        yield finding("mistakes", words, run=str(run), state="wrong", **within)


def _without_headline(label: str, figures: dict[str, GroupFigures], state: str) -> Said:
    """What to say of a run that has no figure under "all"."""
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


def is_condition(group: str) -> bool:
    """Whether a group is that of an altered condition."""
    return all("=" in part for part in group.split("/"))


def mixture(mixed: Sequence[Way], tags: Iterable[Mapping[str, object]]) -> Iterator[Finding]:
    """That trials asked in another than the main way are in no figure of the whole.

    Parameters
    ----------
    mixed : sequence of Way
        As `measures.Sheet.mixed` has it.
    tags : iterable of dict
        Of all trials.
    """
    all_facts = list(tags)
    ways = []
    for way in mixed:
        tag = way.name
        others = sorted({str(facts[tag]) for facts in all_facts if tag in facts} - {way.plain})
        if way.changes == "sound":
            ways.append(said("finding-altered-sound", values=others))
        else:
            ways.append(said("finding-fewer-distractors", values=others))
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
            highest, label, own = max(ours, key=lambda entry: entry[:2])
            value_here: float | None = getattr(own, figure)
            if value_here is None:
                continue
            unread = figure == "precision" and own.answered < own.n
            words = said(
                "finding-published",
                kind=kind,
                name=name,
                figure=figure,
                value=value,
                who=label,
                ours=value_here,
                answered=own.answered / own.n if unread else None,
                accuracy=highest,
                source=reference.source,
            )
            yield finding("published", words)
