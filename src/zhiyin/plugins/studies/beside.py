"""People beside models: what `zhiyin study show` says of a study, on a page and as a figure."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.engine.naming import EVERYBODY
from zhiyin.errors import InputError, reworded
from zhiyin.plugins.people import by_group, check_same, group_in_words, open_exam
from zhiyin.plugins.people.figures import Examined, question_of
from zhiyin.plugins.people.reading import read_export
from zhiyin.plugins.people.summary import PeopleFigures, sum_up
from zhiyin.plugins.studies.guard import CHARTS, page_of
from zhiyin.plugins.studies.research_tables import counting
from zhiyin.plugins.studies.results import export
from zhiyin.plugins.studies.store import StudyStore
from zhiyin.runs.figures import GroupTree
from zhiyin.shown.charts import Series, definitions, marks_of
from zhiyin.shown.dots import Dot, DotPicture, DotRow, picture
from zhiyin.shown.pages import Others, in_page, render, write_pages
from zhiyin.shown.table import Cell, Column, Row, Table
from zhiyin.words import Said, Text, said


class PeopleBesideModels(msgspec.Struct, frozen=True):
    """A study's people beside models on the same questions.

    Attributes
    ----------
    chart : DotPicture
        A row for people and for each model: share of right ones among answers, with its interval.
    categories : Table
        The same in each category of the exam.
    notes : sequence of Text
    by_item : dict of str to list of (str, float or None)
        By the study's item: each model's name and its share of right ones.
    claims : sequence of Said
        By how much models are ahead of people: the first ones are the figure's headline.
    """

    chart: DotPicture
    categories: Table
    notes: Sequence[Text]
    by_item: dict[str, list[tuple[str, float | None]]]
    claims: Sequence[Said]


_CLAIMED = 3
"""So many sentences are a headline; others stand below the figure."""
_LEAST = 3
"""Groups of fewer people are counted and not shown: somebody could be known by a background."""


def beside(store: StudyStore, models: Sequence[Path], by: str = "") -> PeopleBesideModels:
    """People of a study beside models, in groups by their answer about themselves.

    Everything goes through the export, as `zhiyin study show` reads it: one way to a figure.

    Raises
    ------
    InputError
        Nobody has answered yet, or a run is of another exam.
    """
    with tempfile.TemporaryDirectory() as folder:
        written = export(store, Path(folder, "answers.jsonl"))
        if not written.answers:
            raise InputError(said("study-unanswered", folder=store.folder))
        study = read_export(written.file)
    exam = open_exam(str(models[0]))
    check_same(study, exam, str(models[0]))
    least = _LEAST if by else 1
    groups, small = by_group(study, [by] if by else [], least)
    figures = sum_up(study, exam, groups, small, models, least=least)
    scores = {one.label: one for one in figures.models}
    by_item = {
        item.id: [(name, _on(one, store, item.id)) for name, one in scores.items()]
        for item in store.items.values()
    }
    return picture_of(figures, exam.benchmark.titles, by_item)


def picture_of(
    figures: PeopleFigures,
    titles: Mapping[str, Text],
    by_item: dict[str, list[tuple[str, float | None]]] | None = None,
) -> PeopleBesideModels:
    """People beside models, of figures that are there."""
    told = [*figures.led()]
    claims = [line for line in told if line.name == "people-lead"][:_CLAIMED]
    return PeopleBesideModels(
        _drawn(figures), _categories(figures, titles),
        [counting(figures.population, figures.excluded),
         *([said("study-small", n=sum(figures.small.values()))] if figures.small else []),
         *figures.warned(),
         *(line for label, line in figures.ranked() if label != EVERYBODY),
         *(line for line in told if line not in claims), *figures.notes], by_item or {}, claims,
    )  # fmt: skip


def _on(model: Examined, store: StudyStore, item: str) -> float | None:
    """A model's share of right ones in one item of the study."""
    trial = store.items[item].trial
    return model.scores.get(question_of(trial.item or trial.id, trial.condition))


def _drawn(figures: PeopleFigures) -> DotPicture:
    """People, and each model below them with the share of people whom it leaves behind."""
    rows, signs = [], []
    for row in figures.rows:
        few, many = row.questions
        asked = said("study-own-questions", few=few, many=many if many != few else None)
        dot = Dot(row.score.mean, row.score.low, row.score.high)
        rows.append(
            DotRow(group_in_words(row.label, row.people), asked, dots=(dot,), rule=figures.chance)
        )
        signs.append(Series("human", 1))
    marks = marks_of((model.model, model.label) for model in figures.models)
    for model in figures.models:
        share, n = model.score, len(model.answered)
        place = figures.percentiles.get(model.label, {}).get(EVERYBODY)
        below = said("study-own-questions", few=n, many=None)
        if place:
            below = said("study-rank", n=n, share=place.share, low=place.low, high=place.high)
        if model.label in figures.always:
            below = said("study-each", each=[figures.always[model.label].told, below])
        own = Dot(share.mean, share.low, share.high) if share else None
        rows.append(DotRow(model.label, below, dots=(own,), rule=model.chance))
        signs.append(marks[model.model, model.label])
    notes = (said("dots-guessing"),) if any(row.rule is not None for row in rows) else ()
    heads = said("study-who"), said("study-right-of-answers")
    return DotPicture(*heads, "share", (), tuple(rows), tuple(signs), notes=notes)


def _categories(figures: PeopleFigures, titles: Mapping[str, Text]) -> Table:
    """Categories of the exam, those within others left out."""
    names = [name for name in figures.categories if "/" not in name]
    tree = GroupTree(names, titles)
    models = [one.label for one in figures.models]
    columns = [
        Column(said("study-category")), Column(said("study-n-questions"), "count"),
        *(Column(group_in_words(one.label, one.people), "share") for one in figures.rows),
        *(Column(name, "share") for name in models),
    ]  # fmt: skip
    rows = []
    for name in names:
        own = [*(figures.categories[name][row.label] for row in figures.rows),
               *(model.categories.get(name) for model in figures.models)]  # fmt: skip
        cells = [_with_ends(one.mean, one.low, one.high) if one else None for one in own]
        rows.append(Row((tree.title(name), figures.questions[name], *cells)))
    notes = (said("study-intervals-are"),)
    return Table("categories", said("study-by-category"), tuple(columns), tuple(rows), notes)


def _with_ends(mean: float, low: float | None, high: float | None) -> Cell:
    """A share with its interval, where there is one."""
    return mean if low is None or high is None else (mean, low, high)


def beside_facts(compared: PeopleBesideModels | None) -> dict[str, Any]:
    """Return the values that the figure's template needs."""
    return {
        "definitions": definitions(), "chart": compared and compared.chart, "drawn": picture,
        "categories": compared and compared.categories, "notes": compared.notes if compared else (),
        "claims": compared and compared.claims,
    }  # fmt: skip


def write_figure(
    compared: PeopleBesideModels, name: str, out: Path, languages: Sequence[str] = ("en",)
) -> None:
    """Write the figure as a page of its own.

    Raises
    ------
    InputError
        `out` does not end in .html, or cannot be written.
    """
    if out.suffix != ".html":
        raise InputError(said("study-out-html", out=out))
    look, facts = in_page(styles=(CHARTS,)), beside_facts(compared)

    def page(language: str, others: Others) -> str:
        return render(page_of("alone"), language, look=look, others=others, name=name, **facts)

    with reworded(said("error-unwritten", path=out, why="")):
        write_pages(out, languages, page)
