"""Tables of `zhiyin study show`: who answered, scores, categories, who would pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from zhiyin.errors import InputError
from zhiyin.plugins.people import group_in_words
from zhiyin.plugins.studies.research_tables import counting, with_ends
from zhiyin.runs.figures import GroupTree
from zhiyin.shown.table import Cell, Column, Kind, Row, Table, table_of
from zhiyin.words import Text, said

if TYPE_CHECKING:
    from zhiyin.plugins.methods.crossed import Crossed
    from zhiyin.plugins.people.summary import PeopleFigures
    from zhiyin.shown.terminal import Terminal


def print_people(
    console: Any, people: Mapping[str, Any], excluded: Mapping[str, int], notes: Sequence[Text]
) -> None:
    """Print how many answered, who is excluded by which rule, and what is to be known."""
    console.say(counting(people, excluded), indent=0)
    for note in notes:
        console.say(note, label=said("cli-note"), style="bold")


def print_figures(
    console: Terminal, figures: PeopleFigures, exam: Any, *, points: bool, mark: float | None,
    everything: bool = False,
) -> None:  # fmt: skip
    """Print scores by group, by category, percentiles and who would pass.

    `everything`: categories within categories too.
    """
    console.print_table(_groups(figures, points))
    for label, n in figures.small.items():
        console.say(said("people-few", label=group_in_words(label), n=n))
    if not points:
        console.say(said("people-precision"))
    console.say(said("people-intervals"))
    categories = _categories(figures, exam.benchmark.titles, everything)
    if categories.rows:
        console.print_table(categories)
    within = sum("/" in name for name in figures.categories)
    if within and not everything:
        console.say(said("people-within", n=within))
    for _, line in figures.ranked():
        console.say(line, indent=0)
    for line in figures.led():
        console.say(line, indent=0)
    if mark is not None:
        console.print_table(_passed(figures, mark))
        console.say(said("people-passing"))


def _groups(figures: PeopleFigures, points: bool) -> Table:
    """Scores by group of people, and of models: right answers, or precision."""
    kind: Kind = "number" if points else "share"
    rows: list[Row] = []
    for one in figures.rows:
        few, many = one.questions
        asked = str(few) if few == many else f"{few}–{many}"
        cells: tuple[Cell, ...] = (one.lowest, one.highest, one.score.mean)
        if points:
            if one.right is None:
                raise InputError(said("people-points"))
            low, high, mean = one.right
            cells = (f"{low:g}", f"{high:g}", mean)
        ends = _ends(one.score, few if points else 1)
        rows.append(Row((group_in_words(one.label), one.people, asked, *cells, ends)))
    for model in figures.models:
        n, score = len(model.answered), model.of_all if points else model.score
        cells = (None, "not known")
        if score is not None:
            times = n if points else 1
            cells = (times * score.mean, (times * score.low, times * score.high))
        rows.append(Row((model.label, "", str(n), "", "", *cells)))
    unit = "right" if points else "precision in %"
    columns: dict[str, Kind | Column] = {
        f"people, {unit}": "text", "n": "count", "questions": "number",
        "lowest": Column("lowest", kind, 1), "highest": Column("highest", kind, 1),
        "mean": Column("mean", kind, 2), "int.": Column("int.", kind, 1),
    }  # fmt: skip
    return table_of("people", columns, rows)


def _categories(figures: PeopleFigures, titles: Mapping[str, str], everything: bool) -> Table:
    """The categories in their order, each with those within it below it where `everything`."""
    labels = [one.label for one in figures.rows]
    models = [one.label for one in figures.models]
    known = [name for name in figures.categories if everything or "/" not in name]
    tree = GroupTree(known, titles)
    rows = []
    for name in sorted(known, key=lambda name: _place(name, known)):
        people, beside = figures.categories[name], figures.model_categories[name]
        means = (people[label] for label in labels)
        shares = (None if mean is None else mean.mean for mean in means)
        cells = (figures.questions[name], *shares, *(beside[label] for label in models))
        rows.append(Row((tree.title(name), *cells), tree.level(name)))
    columns = [Column("category, precision in %"), Column("questions", "count")]
    heads: list[Text] = [*(group_in_words(label) for label in labels), *models]
    columns += [Column(name, "share", 2) for name in heads]
    return table_of("categories", columns, rows)


def _place(name: str, known: Sequence[str]) -> list[int]:
    """Return a category's sort key: its parents' places and its own, in the order of the exam."""
    parts = name.split("/")
    heads = ("/".join(parts[:n]) for n in range(1, len(parts) + 1))
    return [known.index(head) for head in heads if head in known]


def _passed(figures: PeopleFigures, mark: float) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            group_in_words(label), one.people, str(one.passed), *with_ends(one.share),
            str(one.surely), str(one.surely_not),
        )
        for label, one in figures.passed.items()
    ]  # fmt: skip
    for model in figures.models:
        score = model.of_all
        does, sure = score.mean >= mark / 100 - 1e-12, score.low >= mark / 100
        rows.append((model.label, "", does, "", "", sure, score.high < mark / 100))
    columns: dict[str, Kind] = {
        f"pass at {mark:g} %": "text", "n": "count", "pass": "count", "%": "share",
        "int.": "share", "surely": "count", "surely not": "count",
    }  # fmt: skip
    return table_of("passed", columns, rows)


def _ends(score: Crossed, times: float) -> Cell:
    if score.low is None or score.high is None:
        return "not known"
    return (times * score.low, times * score.high)
