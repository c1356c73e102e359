"""Rows of shares with a mark for each run: one picture for every benchmark that measures some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

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
from zhiyin.plugins.paper.figures.style import (
    TWO_COLUMNS,
    PictureText,
    canvas,
    chance_line,
    dashed,
    key,
    letter,
    percent_axis,
    plot_rows,
    run_series,
)
from zhiyin.runs.measures import Estimate
from zhiyin.shown.charts import ChartMark, ChartRow
from zhiyin.statistics.intervals import Interval
from zhiyin.words import Text, said

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class DrawnShare(NamedTuple):
    """A share of a run, and where it is drawn.

    Attributes
    ----------
    run : FigureRun
    about : Text
        What its row is of.
    own : Estimate or Interval
    chance : float or None
    panel : Text
        What is counted, or what the rows are parts of, where several things stand side by side.
    key : str
        What the table behind the figure calls the row; by default as it is named.
    p : float or None
        Of a test that the table tells.
    """

    run: FigureRun
    about: Text
    own: Estimate | Interval
    chance: float | None = None
    panel: Text = ""
    key: str = ""
    p: float | None = None

    @property
    def interval(self) -> Interval:
        """The share with its 95 % interval."""
        own = self.own.interval if isinstance(self.own, Estimate) else self.own
        assert own is not None
        return own


def draw_shares(
    name: str,
    title: Text,
    caption: Text,
    shares: Sequence[DrawnShare],
    *,
    label: Text | None = None,
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
    label : Text, optional
        What is counted, by default right answers.
    notes, findings
        As of the part of a page; by default the caption is its note.
    """
    panels = {str(share.panel): share.panel for share in shares}
    runs = {share.run.label: share.run for share in shares}
    by_panel = [[one for one in shares if str(one.panel) == panel] for panel in panels]
    deepest = max(len({str(one.about) for one in own}) for own in by_panel)
    step = max(0.28, 0.075 * len(runs) + 0.1)
    made, axes = canvas(TWO_COLUMNS, 0.9 + step * deepest, len(panels))
    for place, (axis, words, own) in enumerate(zip(axes, panels.values(), by_panel, strict=True)):
        names = {str(one.about): one.about for one in own}
        at = {(str(one.about), one.run.label): one.interval for one in own}
        rows = []
        for about, row_words in names.items():
            each = [(run, at.get((about, label))) for label, run in runs.items()]
            marks = [_mark(run, found) for run, found in each]
            rows.append(ChartRow(marks, name=row_words))
        plot_rows(axis, rows, gap=min(0.24, 0.72 / len(runs)), room=deepest, size=3.8)
        percent_axis(axis, "x", label or said("picture-right"))
        axis.set_title(PictureText(words))
        if len(panels) > 1:
            letter(axis, place)
        chances = {str(one.about): one.chance for one in own}
        _chances(axis, [chances[about] for about in names])
    key(made, {label: run.place for label, run in runs.items()})
    head = ["run", "row", "counted", "items", "share", "low", "high", "chance", "p"]
    table: list[list[Cell]] = []
    for one in shares:
        found = one.interval
        about = one.key or str(one.about)
        figures = (found.n, *found.ends, one.chance, one.p)
        table.append([one.run.label, about, str(one.panel), *figures])
    part = _page_part(shares, notes or [caption], findings)
    return Drawn(name, title, caption, made, head, table, part)


def _mark(run: FigureRun, own: Interval | None) -> ChartMark:
    ends = (None, None, None) if own is None else own.ends
    return ChartMark(ends[0], run_series(run.place), *ends[1:])


def _chances(axes: Axes, chances: Sequence[float | None]) -> None:
    """Draw the score of guessing: one line if it is the same in all rows, else one a row."""
    known = [chance for chance in chances if chance is not None]
    if known and max(known) - min(known) < 1e-9:
        chance_line(axes, known[0])
        return
    for row, chance in enumerate(chances):
        if chance is not None:
            dashed(axes, [chance] * 2, [row - 0.45, row + 0.45])


def _page_part(
    shares: Sequence[DrawnShare], notes: Sequence[Text], findings: Sequence[Text]
) -> PagePart:
    """The same for a page, what is counted below one another."""
    told: list[list[Cell]] = []
    marks: list[PageMark | None] = []
    for one in shares:
        own, what = one.interval, said("figure-row", about=one.about, panel=one.panel or None)
        told.append([what, one.run.label, own.n, own.mean, (own.low, own.high)])
        marks.append(PageMark(*own.ends, one.run.place, one.chance))
    kinds: tuple[Kind, ...] = ("text", "text", "count", "share", "share")
    columns = heads("shown", "run", "items", "right-share", "interval-95")
    table = Section("", columns, told, notes, kinds=kinds)
    return PagePart(table, marks, findings, shares=True)
