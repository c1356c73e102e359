"""The same replies by every rule, as tables and in a line."""

from __future__ import annotations

from collections.abc import Sequence

from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.plugins.methods.readers import OURS, ByEveryRule, RulePair
from zhiyin.words import Said, said
from zhiyin.words.reasons import reason

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
    if bounded := [own for own in found.figures if own.bounds]:
        notes += [said("readers-bounds", rule=own.name) for own in bounded]
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
            rows.append([name, n, cause.n, _why(cause.first), _why(cause.second), read])
    return Section(
        said("readers-differ"),
        heads("rule", "read-otherwise", "of-them", "ours-because", "rule-because", "example"),
        rows,
        [said("readers-differ-key")],
        kinds=("text", "count", "count", "text", "text", "text"),
    )


def _why(why: str) -> Cell:
    return reason(why) if why else ""


def span_words(found: ByEveryRule, who: str = "") -> Said | None:
    """One line where the rules of others disagree by more than a point; None where they do not."""
    if not (span := found.span):
        return None
    lowest, highest = span
    return said(
        "readers-span",
        who=who or None,
        low=lowest.accuracy,
        high=highest.accuracy,
        lowest=lowest.name,
        highest=highest.name,
        rules=len(found.of_others),
    )
