"""Rows of shares with a mark for each run: one picture for every benchmark that measures some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zhiyin.contract.declared import (
    Cell,
    Drawn,
    FigureRun,
    Kind,
    PageMark,
    PagePart,
    Section,
    heads,
)
from zhiyin.report.figures.style import (
    TWO_COLUMNS,
    canvas,
    chance_line,
    key,
    letter,
    percent_axis,
    plot_rows,
    run_series,
)
from zhiyin.shown.charts import ChartMark, ChartRow
from zhiyin.words import Text, said


class DrawnShare(NamedTuple):
    """A share of a run, and where it is drawn.

    Attributes
    ----------
    run : FigureRun
    about : Text
        What its row is of.
    ends : (float, float, float)
        The share with its 95 % interval.
    n : int
        Of how many items.
    chance : float or None
    panel : Text
        What is counted, where several things stand side by side.
    """

    run: FigureRun
    about: Text
    ends: tuple[float, float, float]
    n: int
    chance: float | None = None
    panel: Text = ""


def draw_shares(
    name: str,
    title: Text,
    caption: Text,
    shares: Sequence[DrawnShare],
    *,
    notes: Sequence[Text] = (),
    findings: Sequence[Text] = (),
) -> Drawn:
    """A row for each thing that shares are of, a panel for what is counted, a mark for each run.

    Parameters
    ----------
    name, title, caption
        As of `Drawn`.
    shares : sequence of DrawnShare
        At least one, in the order of the rows.
    notes, findings
        As of the part of a page; by default the caption is its note.
    """
    panels = {str(share.panel): share.panel for share in shares}
    names = {str(share.about): share.about for share in shares}
    runs = {share.run.label: share.run for share in shares}
    made, axes = canvas(TWO_COLUMNS, 0.9 + 0.28 * len(names), len(panels), sharey=True)
    for place, (axis, (panel, words)) in enumerate(zip(axes, panels.items(), strict=True)):
        own = [share for share in shares if str(share.panel) == panel]
        at = {(str(share.about), share.run.label): share.ends for share in own}
        drawn = []
        for about, row_words in names.items():
            marks = []
            for label, run in runs.items():
                value, low, high = at.get((about, label), (None, None, None))
                marks.append(ChartMark(value, run_series(run.place), low, high))
            drawn.append(ChartRow(marks, name=row_words))
        plot_rows(axis, drawn, gap=0.14)
        percent_axis(axis, "x", said("figure-axis", what=words) if words else said("picture-right"))
        if len(panels) > 1:
            letter(axis, place)
        if own[0].chance is not None:
            chance_line(axis, own[0].chance)
    key(made, {label: run.place for label, run in runs.items()})
    head = ["run", "row", "counted", "items", "share", "low", "high"]
    rows: list[list[Cell]] = [
        [one.run.label, str(one.about), str(one.panel), one.n, *one.ends] for one in shares
    ]
    part = _page_part(shares, notes or [caption], findings)
    return Drawn(name, title, caption, made, head, rows, part)


def _page_part(
    shares: Sequence[DrawnShare], notes: Sequence[Text], findings: Sequence[Text]
) -> PagePart:
    """The same for a page, what is counted below one another."""
    told: list[list[Cell]] = []
    for one in shares:
        what = said("figure-row", about=one.about, panel=one.panel or None)
        told.append([what, one.run.label, one.n, one.ends[0], one.ends[1:]])
    marks: list[PageMark | None] = [
        PageMark(*one.ends, one.run.place, one.chance) for one in shares
    ]
    kinds: tuple[Kind, ...] = ("text", "text", "count", "share", "share")
    columns = heads("shown", "run", "items", "right-share", "interval-95")
    table = Section("", columns, told, notes, kinds=kinds)
    return PagePart(table, marks, findings, shares=True)
