"""Why the published figure and ours differ on the same replies: counted, and by how much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from zhiyin.benchmarks.cmi import beats, choices, events, numbers, tags
from zhiyin.benchmarks.cmi.measures import Measure
from zhiyin.benchmarks.cmi.scored import Scored
from zhiyin.benchmarks.cmi.tasks import CHOICES, Task
from zhiyin.contract.published import Cause

_MEANS = {
    "accuracy": ("published", "right"),
    "weighted score": ("published", "weighted"),
    "exactly right": ("published_exact", "right"),
    "F": ("published_f", "f"),
    "CMLt": ("published_cmlt", "cmlt"),
    "AMLt": ("published_amlt", "amlt"),
}
"""Figures that are means both times: the score that each is the mean of."""
_LEAST = 1e-12


def causes(
    task: Task,
    theirs: Measure,
    own: Measure | None,
    scored: Sequence[Scored],
    rule: float | None,
    ours: float | None,
) -> list[Cause]:
    """What leads from the figure by the published rule to ours.

    Of a mean the effects of all causes add up to the difference. Of any other figure the
    difference is that of two definitions: one cause holds it all, or the causes cannot be
    separated.
    """
    if own is None or rule is None or ours is None:
        return []
    if task.kind in CHOICES or task.kind == "beats":
        why = _beat_reason if task.kind == "beats" else _choice_reason(task, scored)
        return _of_means(*_MEANS[theirs.name], scored, why)
    difference = ours - rule
    if task.kind == "lyrics":
        rate, unit = ("wer", "words") if theirs.name.startswith("WER") else ("cer", "characters")
        above = sum(each.verdict.scores.get(rate, 0) > 1 for each in scored)
        description = (
            f"replies with more errors than {unit}; the mean over clips becomes one over {unit}"
        )
        return [Cause("ours", description, above, difference)]
    if task.kind == "description":
        description = f"replies by another definition: {own.name} in place of {theirs.name}"
        return [Cause("ours", description, len(scored), difference)]
    if task.kind == "events":
        return _of_events(scored)
    return _of_numbers(scored) if task.kind == "number" else _of_tags(scored)


def _of_means(
    theirs: str, ours: str, scored: Sequence[Scored], reason: Callable[[Scored, float], str]
) -> list[Cause]:
    counts: Counter[str] = Counter()
    effects: dict[str, float] = {}
    for each in scored:
        gain = each.verdict.scores.get(ours, 0.0) - each.verdict.scores.get(theirs, 0.0)
        if abs(gain) > _LEAST:
            why = reason(each, gain)
            counts[why] += 1
            effects[why] = effects.get(why, 0.0) + gain / len(scored)
    return [Cause("ours", why, n, effects[why]) for why, n in counts.most_common()]


def _choice_reason(task: Task, scored: Sequence[Scored]) -> Callable[[Scored, float], str]:
    labels = {each.clip.label for each in scored}
    never = {
        label
        for label in labels
        if task.kind != "key" and not choices.published_right(label, label, labels)
    }

    def reason(each: Scored, gain: float) -> str:
        if gain > 0 and each.clip.label in never:
            return "better by ours: the label holds another one, so the rule never takes it"
        side = "better" if gain > 0 else "worse"
        return f"{side} by ours: {each.verdict.why}"

    return reason


def _beat_reason(each: Scored, gain: float) -> str:
    if beats.published_times(each.reply) is None:
        return "read by ours, given up by the rule: a full stop or a word beside a time"
    return "the field leaves out the first 5 s, or the times are read otherwise"


def _of_numbers(scored: Sequence[Scored]) -> list[Cause]:
    read = [(numbers.published_number(e.reply), numbers.read_number(e.reply)[0]) for e in scored]
    silent = sum(theirs is None for theirs, _ in read)
    other = sum(theirs != ours for theirs, ours in read)
    description = (
        "replies for which the rule has no number and takes the mean; ours leaves them out"
    )
    reasons = [Cause("ours", description, silent)] if silent else []
    if other - silent > 0:
        more = sum(a is not None and a != b for a, b in read)
        reasons.append(Cause("ours", "replies in which ours reads another number, or none", more))
    description = "replies by another definition: r² in place of R² of standardised numbers"
    return [*reasons, Cause("ours", description, len(scored))]


def _of_tags(scored: Sequence[Scored]) -> list[Cause]:
    items = [each.item for each in scored]
    known = tags.vocabulary(items)
    other = 0
    for item in items:
        literal = {tag for tag in known if tag in item.reply.lower()}
        other += literal != tags.read_tags(item.reply, known)
    wanted = {tag for item in items for tag in tags.tags_of(item.label)}
    blank = sum(choices.published_form(tag) != tag for tag in wanted)
    reasons = []
    if other:
        reasons.append(
            Cause("ours", "replies in which whole words name other tags than letters", other)
        )
    if blank:
        description = "tags with a blank or a hyphen, which by the rule no clip has"
        reasons.append(Cause("ours", description, blank))
    return reasons


def _of_events(scored: Sequence[Scored]) -> list[Cause]:
    reasons = []
    sides = {"labels": [e.clip.label for e in scored], "replies": [e.reply for e in scored]}
    for what, texts in sides.items():
        whole = sum(len(events.read_events(text)) for text in texts)
        first = sum(len(events.published_events(text)) for text in texts)
        if whole > first:
            description = f"events in {what} after the first, which the rule leaves out"
            reasons.append(Cause("ours", description, whole - first))
    return reasons
