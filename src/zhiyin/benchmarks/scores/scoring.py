"""From an exchange to a verdict: a list of notes, a number, or one of some options. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from zhiyin.benchmarks.scores.reading import PUBLISHED, Notes, by_ours, by_published
from zhiyin.engine.scoring import judge_choice
from zhiyin.reader import Policy, forms, is_refusal
from zhiyin.record import Exchange, Reply, State, Verdict
from zhiyin.trial import Tag, Trial

VERSION = 1
"""Raised whenever a free answer would be scored otherwise."""
F1 = "note_f1"


def score(trial: Trial, exchange: Exchange, policy: Policy) -> Verdict:
    """What to make of an exchange. Needs the logged record alone."""
    if trial.options:
        return judge_choice(trial, exchange, policy)
    if trial.tags.get("answer") == "number":
        return _number(trial, exchange.final)
    rule = PUBLISHED if policy.name == PUBLISHED else "robust"
    return judge_notes(trial, exchange.final, rule)


def judge_notes(trial: Trial, reply: Reply, rule: str) -> Verdict:
    """A list of notes by the published rule ("music-bench") or by ours ("robust").

    Its scores are those of the published scorer: precision, recall and F1 of the notes whatever
    their order, and the Levenshtein distance. A reply without a list gets 0, 0, 0 and the number
    of right notes, by both rules: it is in every mean.
    """
    reading = by_published(reply) if rule == PUBLISHED else by_ours(reply)
    right = tuple((trial.target or "").split())
    label = f"{PUBLISHED}@1" if rule == PUBLISHED else f"notes@{VERSION}"
    kind = kind_of(trial, reading)
    scores = note_scores(reading.notes, right)
    tags: dict[str, Tag] = {"kind": kind}
    if reading.notes is None:
        state = _unread(reply, reading.fault)
        return Verdict(state, None, None, reading.why, label, scores, tags)
    state = "correct" if reading.notes == right else "wrong"
    return Verdict(
        state, " ".join(reading.notes), None, reading.why, label, scores, tags,
        confidence=reading.confidence, span=reading.span,
    )  # fmt: skip


def note_scores(stated: Sequence[str] | None, right: Sequence[str]) -> dict[str, float]:
    """The published figures of a list of notes; None for no list.

    Precision and recall are the overlap of the two as multisets over the number of notes stated and
    of right ones; F1 is their harmonic mean.
    """
    if stated is None:
        zeros = dict.fromkeys((F1, "note_precision", "note_recall"), 0.0)
        return {**zeros, "edit_distance": float(len(right))}
    overlap = (Counter(stated) & Counter(right)).total()
    precision = overlap / len(stated) if stated else 0.0
    recall = overlap / len(right) if right else 0.0
    f1 = 2 * precision * recall / (precision + recall) if overlap else 0.0
    return {
        F1: f1,
        "note_precision": precision,
        "note_recall": recall,
        "edit_distance": float(_distance(stated, right)),
    }


def _distance(stated: Sequence[str], right: Sequence[str]) -> int:
    """Levenshtein's distance over notes."""
    row = list(range(len(right) + 1))
    for i, one in enumerate(stated, 1):
        before, row = row, [i]
        for j, other in enumerate(right, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (one != other)))
    return row[-1]


def kind_of(trial: Trial, notes: Notes) -> str:
    """The kind of error, by the published names and in their order: the first that holds."""
    right = tuple((trial.target or "").split())
    stated = notes.notes
    if stated is None:
        cut = "truncated_before_final_answer"
        return cut if notes.fault == cut else "formatting_failure"
    if stated == right:
        return "exact_match"
    bars = [tuple(bar.split()) for bar in str(trial.tags.get("measures") or "").split("|")]
    if any(bar == stated for n, bar in enumerate(bars, 1) if bar and n != trial.tags.get("bar")):
        return "wrong_measure"
    if len(stated) == len(right):
        if [n.rstrip("-0123456789") for n in stated] == [n[:-1] for n in right]:
            return "octave_mistake"
        if [n[0] + n.lstrip("ABCDEFG#b") for n in stated] == [n[0] + n[-1] for n in right]:
            return "accidental_mistake"
    return "other_mismatch"


def _number(trial: Trial, reply: Reply) -> Verdict:
    reading = forms.number(reply.text)
    label = f"number@{VERSION}"
    if reading.value is None:
        return Verdict(_unread(reply), None, None, reading.why, label)
    state: State = "correct" if reading.value == float(trial.target or "nan") else "wrong"
    return Verdict(
        state, f"{reading.value:g}", None, reading.why, label,
        confidence=reading.confidence, span=reading.span,
    )  # fmt: skip


def _unread(reply: Reply, fault: str = "") -> State:
    if reply.finish == "length" or fault == "truncated_before_final_answer":
        return "truncated"
    return "refused" if reply.finish == "refusal" or is_refusal(reply.text) else "no_answer"
