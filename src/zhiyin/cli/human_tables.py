"""Tables of people beside models, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zhiyin.cli.tables import print_table
from zhiyin.errors import InputError
from zhiyin.numerals import counted

if TYPE_CHECKING:
    from rich.table import Table

    from zhiyin.shown.terminal import Terminal
    from zhiyin.human.judging import Judgements
    from zhiyin.human.summing import Figures
    from zhiyin.statistics.crossed import Crossed


def print_figures(
    console: Terminal, figures: Figures, exam: Any, *, points: bool, mark: float | None,
    everything: bool = False,
) -> None:  # fmt: skip
    """Print scores by group, by category, percentiles and who would pass.

    `everything`: categories within categories too.
    """
    print_table(console, _groups(figures, points))
    for label, n in figures.small.items():
        who = counted(n, "person", "people")
        console.say(f"{label}: {who}, too few to be shown (--least-people)")
    if not points:
        console.say(
            "precision: right answers among those given; a blank, or a reply that names no option, "
            "is none"
        )
    console.say("int.: 95 %, for other people and other questions; of models for other questions")
    categories = _categories(figures, exam.benchmark.titles, everything)
    if categories.row_count:
        print_table(console, categories)
    within = sum("/" in name for name in figures.categories)
    if within and not everything:
        console.say(f"{counted(within, 'category', 'categories')} within these: --groups all")
    for model, by_group in figures.percentiles.items():
        for label, one in by_group.items():
            ends = "" if one.low is None else f" ({_span(one.low, one.high)})"
            who = counted(one.people, "person", "people")
            who += "" if label == "all people" else f" with {label}"
            console.say(f"{model} scores above {100 * one.share:.1f} %{ends} of {who}", indent=0)
    if mark is not None:
        print_table(console, _passed(figures, mark))
        console.say("to pass: right answers of all that was asked, blanks being wrong")


def print_judgements(console: Terminal, judgements: Judgements) -> None:
    """Print a line for each thing that was judged, by measure."""
    table = _table("judged", "people", "items", "mean", "int.")
    for one in judgements.figures:
        score, share = one.score, one.measure in ("preferred", "named")
        times, unit = (100, " %") if share else (1, "")
        ends = "" if score.low is None or score.high is None else (
            f"{times * score.low:.2f}–{times * score.high:.2f}"
        )  # fmt: skip
        table.add_row(f"{one.of}: {one.measure}", str(score.people), str(score.items),
                      f"{times * score.mean:.2f}{unit}", ends)  # fmt: skip
    print_table(console, table)
    console.say("int.: 95 %, for other people and other items")


def _table(first: str, *figures: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column(first)
    for name in figures:
        table.add_column(name, justify="right")
    return table


def _groups(figures: Figures, points: bool) -> Table:
    unit = "right" if points else "precision in %"
    table = _table(f"people, {unit}", "n", "questions", "lowest", "highest", "mean", "int.")
    for one in figures.rows:
        few, many = one.questions
        asked = str(few) if few == many else f"{few}–{many}"
        if points:
            if one.right is None:
                raise InputError(
                    "--points: people had different numbers of questions, so that right answers "
                    "cannot be compared: leave it out"
                )
            low, high, mean = one.right
            cells = [f"{low:g}", f"{high:g}", f"{mean:.2f}"]
        else:
            cells = [_share(one.lowest, 1), _share(one.highest, 1), _share(one.score.mean)]
        ends = _ends(one.score, few if points else 100)
        table.add_row(one.label, str(one.people), asked, *cells, ends)
    for model in figures.models:
        n = len(model.answered)
        times, score = (n, model.of_all) if points else (100, model.score)
        cells = ["–", "not known"]
        if score is not None:
            ends = f"{times * score.low:.1f}–{times * score.high:.1f}"
            cells = [f"{times * score.mean:.2f}", ends]
        table.add_row(model.label, "", str(n), "", "", *cells)
    return table


def _categories(figures: Figures, titles: Any, everything: bool) -> Table:
    """The categories in their order, each with those within it below it where `everything`."""
    labels = [one.label for one in figures.rows]
    models = [one.label for one in figures.models]
    table = _table("category, precision in %", "questions", *labels, *models)
    known = [name for name in figures.categories if everything or "/" not in name]
    for name in sorted(known, key=lambda name: _place(name, known)):
        within = [each for each in known if name.startswith(f"{each}/")]
        title = titles.get(name) or name[len(max(within, default="", key=len)) :].strip("/")
        people, beside = figures.categories[name], figures.model_categories[name]
        means = [people[label] for label in labels]
        table.add_row(
            "  " * len(within) + title.replace("_", " "), str(figures.questions[name]),
            *(_share(None if mean is None else mean.mean) for mean in means),
            *(_share(beside[label]) for label in models),
        )  # fmt: skip
    return table


def _place(name: str, known: Sequence[str]) -> list[int]:
    """Where a category stands: behind those it is within, and else in the order of the exam."""
    parts = name.split("/")
    heads = ("/".join(parts[:n]) for n in range(1, len(parts) + 1))
    return [known.index(head) for head in heads if head in known]


def _passed(figures: Figures, mark: float) -> Table:
    table = _table(f"pass at {mark:g} %", "n", "pass", "%", "int.", "surely", "surely not")
    for label, one in figures.passed.items():
        table.add_row(
            label, str(one.people), str(one.passed), _share(one.share.mean, 1),
            _span(one.share.low, one.share.high), str(one.surely), str(one.surely_not),
        )  # fmt: skip
    for model in figures.models:
        score = model.of_all
        does, sure = score.mean >= mark / 100 - 1e-12, score.low >= mark / 100
        table.add_row(
            model.label, "", "yes" if does else "no", "", "",
            "yes" if sure else "no", "yes" if score.high < mark / 100 else "no",
        )  # fmt: skip
    return table


def _share(share: float | None, decimals: int = 2) -> str:
    return "" if share is None else f"{100 * share:.{decimals}f}"


def _span(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{100 * low:.1f}–{100 * high:.1f}"


def _ends(score: Crossed, times: float) -> str:
    if score.low is None or score.high is None:
        return "not known"
    return f"{times * score.low:.1f}–{times * score.high:.1f}"
