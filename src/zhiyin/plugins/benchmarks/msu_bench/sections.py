"""Answers by their form, how far rule and judge agree, and scores of which all is right."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from zhiyin.contract.declared import Cell, Kind, Section, heads
from zhiyin.plugins.methods.agreement import cohen_kappa
from zhiyin.record import NOT_JUDGED, Record
from zhiyin.runs.rows import Rows
from zhiyin.words import said

FORMS = ("yes-no", "short", "long")
_KINDS: tuple[Kind, ...] = (
    "text", "count", "share", "share", "count", "share", "share", "number",
)  # fmt: skip


def answer_sections(rows: Rows) -> list[Section]:
    """A table by form of answer, and one of levels in a row; none for an empty run."""
    asked = rows.settled.main or rows.settled
    if not asked:
        return []
    records = list(asked.records())
    return [_by_form(records), *_by_levels(records)]


def _by_form(records: Sequence[Record]) -> Section:
    lines: list[list[Cell]] = []
    for form in FORMS:
        own = [record for record in records if record.trial.tags.get("form") == form]
        if not own:
            continue
        graded = [record for record in own if record.verdict.state not in NOT_JUDGED]
        keys = Counter(str(record.trial.target).strip().casefold() for record in own)
        right = [record.verdict.state == "correct" for record in graded]
        lines.append(
            [
                said("msu-bench-form", name=form),
                len(own),
                sum(right) / len(right) if right else None,
                keys.most_common(1)[0][1] / len(own),
                *_agreement([] if form == "long" else graded),
            ]
        )
    columns = [
        *heads("kind", "n", "right-share"),
        *(said("msu-bench-head", name=n) for n in ("constant", "both", "judge", "agree", "kappa")),
    ]
    notes = [said("msu-bench-note")]
    if waiting := sum(record.verdict.state == "ungraded" for record in records):
        notes.append(said("msu-bench-unjudged", n=waiting))
    return Section(said("msu-bench-forms"), columns, lines, notes, kinds=_KINDS)


def _agreement(records: Sequence[Record]) -> list[Cell]:
    """Compare rule and judge: replies read by both, share right by judge, agreement, Cohen's kappa.

    The judge's "partly" is not right, as elsewhere here.
    """
    both = [record for record in records if "judged" in record.verdict.scores]
    if not both:
        return [None] * 4
    rule = [record.verdict.state == "correct" for record in both]
    judge = [record.verdict.scores["judged"] >= 1 for record in both]
    alike = sum(one == other for one, other in zip(rule, judge, strict=True)) / len(both)
    return [len(both), sum(judge) / len(both), alike, cohen_kappa(rule, judge).kappa]


def _by_levels(records: Sequence[Record]) -> list[Section]:
    """The share of scores on which every answer up to a level is right.

    Over scores that have every question of these levels graded.
    """
    scores: dict[str, dict[str, list[bool | None]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        state = record.verdict.state
        right = None if state in NOT_JUDGED else state == "correct"
        scores[str(record.trial.cluster)][str(record.trial.tags.get("level"))].append(right)
    lines: list[list[Cell]] = []
    levels = sorted({level for own in scores.values() for level in own})
    for place in range(1, len(levels) + 1):
        answers = [
            [right for level in levels[:place] for right in own.get(level, ())]
            for own in scores.values()
            if all(level in own for level in levels[:place])
        ]
        whole = [own for own in answers if None not in own]
        if whole:
            share = sum(all(own) for own in whole) / len(whole)
            lines.append([", ".join(levels[:place]), len(whole), share])
    if not lines:
        return []
    columns = [*(said("msu-bench-head", name=n) for n in ("levels", "scores", "all-right"))]
    return [Section(said("msu-bench-levels"), columns, lines, kinds=("text", "count", "share"))]
