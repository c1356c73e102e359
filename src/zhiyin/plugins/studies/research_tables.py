"""Tables of a study for its researcher."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.plugins.people import value_in_words
from zhiyin.plugins.people.rules import Exclude
from zhiyin.plugins.studies.design import CHECKING, FIELDS
from zhiyin.runs.figures import group_in_words
from zhiyin.shown.table import Cell, Column, Link, Row, Table
from zhiyin.statistics.intervals import Interval
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.plugins.methods.crossed import Crossed
    from zhiyin.plugins.people.validation import Judgements
    from zhiyin.plugins.studies.results import StudyFigures

STATES = (
    *("no_consent", "begun", "complete", "under_way", "given_up", "screened_out", "full"),
    "withdrawn",
)  # fmt: skip


def people_table(summary: StudyFigures, hours: float) -> Table:
    """Table of how many people came how far, where anybody is; `hours` is when one gave up."""
    rows = [Row((said("study-state", state=name, hours=hours), str(summary.people[name])))
            for name in STATES if summary.people[name]]  # fmt: skip
    columns = (Column(said("study-of-people")), Column(said("study-number"), "count"))
    notes = (said("study-full-is"),) if summary.people["full"] else ()
    return Table("people", said("study-people"), columns, tuple(rows), notes)


_MOST_NAMED = 5


def enough_claim(summary: StudyFigures) -> Said | None:
    """Name the items that lack answers; None where all do, or none does."""
    short, items = summary.short, len(summary.items)
    if len(short) in (0, items):
        return None
    fewest = sorted(short.items(), key=lambda one: one[1])[:_MOST_NAMED]
    named = [said("study-short-of", item=name, n=n) for name, n in fewest]
    if len(short) > _MOST_NAMED:
        named.append(said("study-short-more", n=len(short) - _MOST_NAMED))
    facts = {"wanted": summary.progress.wanted, "done": items - len(short), "items": items}
    return said("study-enough", short=named, **facts)


def people_claim(summary: StudyFigures) -> Said:
    """State how far a study is, and how much is right of what people answered."""
    facts = {"n": summary.people["begun"], **msgspec.structs.asdict(summary.progress)}
    facts["begun"] = facts["people"] - facts["complete"]  # who count, and have not ended
    right = summary.right
    ends = {} if right is None else {"value": right.mean, "low": right.low, "high": right.high}
    return said("study-claim", **{"value": None, "low": None, "high": None, **facts, **ends})


def languages_claim(summary: StudyFigures) -> Said | None:
    """State in which languages people answered; None where nothing is translated."""
    each = [said("methods-people-language", **one) for one in summary.languages]
    return said("study-read-in", each=each) if each else None


def background_table(summary: StudyFigures) -> Table | None:
    """Table of who these people are, by their own account; None if nobody has answered yet."""
    rows = []
    for name, values in summary.background.items():
        if not values:
            continue
        order = sorted(values, key=partial(_order, name))
        counts = [said("study-value-n", value=value_in_words(value), n=values[value])
                  for value in order]  # fmt: skip
        rows.append(Row((value_in_words(name), said("study-each", each=counts))))
    columns = (Column(said("study-asked")), Column(said("study-answered")))
    table = Table("background", said("study-backgrounds"), columns, tuple(rows))
    return table if rows else None


def _order(field: str, value: str) -> int:
    """The place of an answer among those of its question; what is no longer asked stands last."""
    known = FIELDS.get(field, ())
    return known.index(value) if value in known else len(known)


def persons_table(summary: StudyFigures) -> Table:
    """Each person's answers and checks; of an exam the right ones, with all people first."""
    columns = (
        Column(said("study-person")), Column(said("study-n-answers"), "count"),
        Column(said("study-right-percent"), "share"), Column(said("study-interval"), "share"),
        Column(said("study-median-s", sound=summary.heard), "number", 1),
        *(Column(said("study-checks", role=role)) for role in CHECKING),
        Column(said("study-excluded-by")), Column(said("study-remark")),
    )  # fmt: skip
    rows = []
    if mean := summary.right:
        name = said("study-people-n", n=mean.people)
        cells: list[Cell] = [name, mean.answers, *with_ends(mean), None, *[""] * 4]
        rows.append(Row(tuple(cells), mark="strong"))
    for one in sorted(summary.persons, key=lambda one: (bool(one.excluded), one.person)):
        found = {"always": one.always and one.always.told,
                 "hasty": one.hasty and said("study-hasty", n=one.hasty, of=one.answers,
                                             seconds=summary.rules["median_seconds"]),
                 "end": not one.finished and said("study-unfinished")}  # fmt: skip
        remarks = [*filter(None, found.values())]
        cells = [one.person, one.answers, *(with_ends(one.right) if one.right else ("", "")),
                 one.seconds,
                 *(said("study-n-of", n=one.checks[role][0], of=one.checks[role][1])
                   if role in one.checks else "" for role in CHECKING),
                 rules_in_words(one.excluded) if one.excluded else "",
                 said("study-each", each=remarks) if remarks else ""]  # fmt: skip
        rows.append(Row(tuple(cells), mark="soft" if one.excluded else ""))
    notes = (said("study-persons-are"),) if summary.right else ()
    return _without_empty(Table("persons", said("study-by-person"), columns, tuple(rows), notes))


def declared_in_words(rules: Mapping[str, Any]) -> list[Said] | None:
    """Rules of exclusion as a sentence has them; None for none."""
    share = rules.get("reference_share", Exclude().reference_share)
    told = [said("ethics-rule", rule=name, value=value, share=share)
            for name, value in rules.items() if name != "reference_share"]  # fmt: skip
    return told or None


def rules_in_words(rules: Sequence[str]) -> Said:
    """The rules that a person breaks."""
    return said("study-each", each=[said("study-rule", rule=rule) for rule in rules])


def counting(people: Mapping[str, Any], excluded: Mapping[str, int]) -> Said:
    """How many people answered, who is set aside by which rules, and who counts."""
    rules = [said("study-value-n", value=said("study-rule", rule=rule), n=n)
             for rule, n in excluded.items()]  # fmt: skip
    languages = [said("methods-people-language", **one) for one in people["languages"]]
    return said("study-counting", **{**people, "languages": languages}, rules=rules)


def agreement_table(summary: StudyFigures) -> Table | None:
    """Krippendorff's alpha of each measure; None where there is none."""
    columns = (
        Column(said("study-measure")), Column("alpha", "number", 2),
        Column(said("study-from"), "number", 2), Column(said("study-to"), "number", 2),
        Column(said("study-of-people"), "count"), Column(said("study-n-questions"), "count"),
        Column(said("study-n-answers"), "count"),
    )  # fmt: skip
    rows = tuple(
        Row((said("study-measure-is", measure=name), one.alpha, one.low, one.high,
             one.people, one.questions, one.answers))
        for name, one in summary.alphas.items()
    )  # fmt: skip
    notes = (said("study-alpha-is"),)
    return Table("agreement", said("study-agreement"), columns, rows, notes) if rows else None


def items_table(
    summary: StudyFigures, kind: str, pages: Mapping[str, int],
    models: Mapping[str, Sequence[tuple[str, float | None]]],
) -> Table:  # fmt: skip
    """Table of items; each leads to its page of the preview.

    Parameters
    ----------
    summary : StudyFigures
    kind : str
        Of the study.
    pages : mapping of str to int
        The page of the preview for each item, where there is one.
    models : mapping
        Each model's share of right ones by item; empty without models.
    """
    columns = [
        Column(said("study-item")), Column(said("study-group")),
        Column(said("study-n-answers"), "count"), Column(said("study-closed")),
    ]  # fmt: skip
    if kind == "exam":
        columns += [Column(said("study-right-percent"), "share"),
                    Column(said("study-interval"), "share")]  # fmt: skip
        columns += [Column(name, "share") for name, _ in next(iter(models.values()), ())]
    columns += [Column(said("study-median-s", sound=summary.heard), "number", 1),
                Column("alpha", "number", 2)]  # fmt: skip
    if pages:  # a terminal has no room for them: `chosen_table`
        columns.append(Column(said("study-chosen")))
    if kind == "validate":
        columns += [Column(said("study-right"), "number", 2),
                    Column(said("study-distractors"), "number", 2),
                    Column(said("study-decision"))]  # fmt: skip
    rows = []
    several = len({one.group for one in summary.items}) > 1
    for one in summary.items:
        page = pages.get(one.item)
        short = one.item.removeprefix(f"{one.group}/")
        name = short if page is None else Link(short, f"/preview/{page}")
        group = group_in_words(one.group) if several else ""
        cells: list[Cell] = [name, group, one.answers,
                             said("study-yes") if one.closed else ""]  # fmt: skip
        if kind == "exam":
            cells += [*with_ends(one.right), *(share for _, share in models.get(one.item, ()))]
        cells += [one.seconds, one.alpha]
        if pages:
            cells.append(_taken(one.chosen))
        if kind == "validate":
            kept = one.kept
            cells += [kept.right, kept.distractors, kept.decision] if kept else ["", "", ""]
        rows.append(Row(tuple(cells)))
    notes: list[Text] = [said("study-items-lead", sound=summary.heard)] if pages else []
    notes += [said("study-items-are", models=int(bool(models)))] if kind == "exam" else []
    if any(one.closed for one in summary.items):
        notes.append(said("study-closed-is"))
    if pages and any(one.chosen for one in summary.items):
        notes.append(said("study-chosen-is"))
    made = Table("items", said("study-items"), tuple(columns), tuple(rows), tuple(notes))
    return _without_empty(made)


def chosen_table(summary: StudyFigures) -> Table:
    """Table of which options people took, item by item: for a terminal, where it stands apart."""
    rows = tuple(Row((one.item.removeprefix(f"{one.group}/"), _taken(one.chosen)))
                 for one in summary.items if one.chosen)  # fmt: skip
    columns = Column(said("study-item")), Column(said("study-chosen"))
    return Table("chosen", said("study-options"), columns, rows, (said("study-chosen-is"),))


def _taken(chosen: Mapping[str, int]) -> str:
    return " · ".join(f"{text} {n}" for text, n in chosen.items())


def judged_table(judgements: Judgements, group: Said | None = None) -> Table:
    """Table of what was judged, a row for each by measure; `group` is whose judgements."""
    columns = (
        Column(said("study-judged")), Column(said("study-people"), "count"),
        Column(said("study-item"), "count"), Column(said("study-mean"), "number", 2),
        Column(said("study-interval"), "number", 2),
    )  # fmt: skip
    rows = []
    for one in [*judgements.figures, *judgements.differences]:
        score, times = one.score, 100 if (share := one.measure in ("preferred", "named")) else 1
        ends = None
        if score.low is not None and score.high is not None:
            ends = (times * score.low, times * score.high)
        what = f"{one.measure}{', %' if share else ''}"
        name = one.of if one.measure == "rating" else said("of-run", who=one.of, what=what)
        rows.append(Row((name, score.people, score.items, times * score.mean, ends)))
    notes = (said("study-judged-is", pairs=len(judgements.differences)),)
    return Table("judged", said("study-judgements", group=group), columns, tuple(rows), notes)


def _without_empty(table: Table) -> Table:
    """A table without the columns that no row has anything in."""
    kept = [n for n in range(len(table.columns)) if any(row.cells[n] != "" for row in table.rows)]
    kept = kept or [*range(len(table.columns))]
    rows = [msgspec.structs.replace(row, cells=tuple(row.cells[n] for n in kept))
            for row in table.rows]  # fmt: skip
    columns = tuple(table.columns[n] for n in kept)
    return msgspec.structs.replace(table, columns=columns, rows=tuple(rows))


def with_ends(figure: Interval | Crossed | None) -> tuple[Cell, Cell]:
    """A figure and its interval, as far as they are known."""
    if figure is None:
        return None, None
    low, high = figure.low, figure.high
    return figure.mean, None if low is None or high is None else (low, high)
