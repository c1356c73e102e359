"""The dot row on paper: any picture of a page, drawn by matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec.structs import replace

from zhiyin.contract.declared import Cell, Drawn, PagePart
from zhiyin.plugins.paper.figures.style import (
    BAND,
    FAINT,
    HAIR,
    INK,
    SOFT,
    TWO_COLUMNS,
    PictureText,
    Placed,
    canvas,
    chance_line,
    dashed,
    key,
    letter,
    lined,
    painted,
    percent_axis,
    plot_marks,
    remark,
    rows_axis,
)
from zhiyin.runs.measures import Estimate
from zhiyin.shown.charts import SHARES, Series
from zhiyin.shown.dots import MANY, Dot, DotPicture, Fact, Gap
from zhiyin.statistics.intervals import Interval
from zhiyin.words import Text, said

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NARROW = 0.75 * TWO_COLUMNS
_LETTER, _GAP = 3.9, 9.0
"""Width of a letter beside a picture, and what is free before it, in points."""
_NAME_LETTER, _LINE = 0.057, 0.115
"""Width and height of a letter of a row's name, in inches."""
_LEAST_WIDTH = 1.2
"""Of a panel's axes."""
_TITLE_LETTERS, _TITLE_LINE = 13, 0.14
"""Letters of a panel's title an inch, and the height of its lines."""


def dot_of(own: Estimate | Interval, **facts: Fact) -> Dot:
    """A share with its interval and its number of items."""
    found = own.interval if isinstance(own, Estimate) else own
    assert found is not None
    return Dot(*found.ends, facts={"items": found.n, **facts})


def draw_dots(
    name: str,
    title: Text,
    caption: Text,
    *pictures: DotPicture,
    page: PagePart | None = None,
    table: tuple[list[str], list[list[Cell]]] | None = None,
) -> Drawn:
    """Draw pictures as a page has them, side by side where they are several.

    Parameters
    ----------
    name, title, caption
        As of `Drawn`.
    *pictures : DotPicture
        At least one; several have their titles above them.
    page : PagePart, optional
        What a page shows; by default the picture alone, where there is one.
    table : (list of str, list of list), optional
        Columns and rows of the data; by default those of the pictures' own figures.
    """
    deepest = max(len(made.rows) for made in pictures)
    several = len(pictures) > 1
    marks = max(len(row.dots) for made in pictures for row in made.rows)
    step = max(0.18 if marks < 2 else 0.26, 0.075 * marks + 0.1)
    step = max(step, 0.42) if pictures[0].own_axes else step
    named = [[*map(str, (row.name for row in made.rows))] for made in pictures]
    alike = all(names == named[0] for names in named)
    wide = TWO_COLUMNS if several or pictures[0].own_axes else _NARROW
    texts = [[*map(PictureText, _labels(made))] for made in pictures]
    letters = [max(len(line) for text in own for line in text.split("\n")) for own in texts]
    figures = [
        [] if picture.own_axes or (several and marks > 1) else _figures(picture)
        for picture in pictures
    ]
    beside = [sum(map(_width, own)) / 72 for own in figures]
    words = letters[:1] if alike else letters
    across = sum(beside) + sum(words) * _NAME_LETTER + len(pictures) * _LEAST_WIDTH <= wide
    grid = (len(pictures), 1) if across else (1, len(pictures))
    most = max(14, int((wide - max(beside) - 1.5 * _LEAST_WIDTH) / _NAME_LETTER))
    fold = 0 if across or max(letters) <= most else most
    lines = max(PictureText(one, width=fold).count("\n") + 1 for own in texts for one in own)
    step = max(step, _LINE * lines + 0.03 * (lines > 1))
    depths = [deepest] if across else [len(picture.rows) for picture in pictures]
    side = 0.0 if alike and across else min(max(letters), most) * _NAME_LETTER
    title_letters = max(14, int((wide / grid[0] - side) * _TITLE_LETTERS))
    titles = [PictureText(picture.title, width=title_letters) for picture in pictures]
    above = several * (0.25 + _TITLE_LINE * max(title.count("\n") for title in titles))
    height = sum(0.8 + above + step * depth for depth in depths)
    shapes: dict[str, Any] = {"height_ratios": [depth + 1 for depth in depths]}
    made, axes = canvas(wide, height, *grid, sharey=alike and across, **shapes)
    for place, (own, picture) in enumerate(zip(axes, pictures, strict=True)):
        if several:
            own.set_title(PictureText(picture.title))
            letter(own, place, title_letters)
        draw_panel(own, picture, deepest if across else 0, fold)
        if several:
            own.xaxis.set_label_text("%" if picture.kind == "share" else picture.unit)
        _beside(own, picture, figures[place])
    if pictures[0].joined:  # what follows one another has a name
        head = PictureText(pictures[0].head, width=14)
        axes[0].set_ylabel(head, rotation=0, ha="right", va="center")
    names = {str(who): series for picture in pictures for series, who in picture.names if who}
    if names:
        key(made, names)
    columns, rows = table or figures_of(*pictures)
    part = page or (None if several else PagePart(pictures[0]))
    return Drawn(name, title, caption, made, columns, [*map(list, rows)], part)


def draw_panel(axes: Axes, made: DotPicture, room: int = 0, letters: int = 0) -> None:
    """Draw the rows of a picture on one axis, or each on its own; see `rows_axis`."""
    bands = [(y, *row.band) for y, row in enumerate(made.rows) if row.band is not None]
    if bands:
        heights, low, high = map(np.array, zip(*bands, strict=True))
        shade = HAIR if made.unit == "points" else BAND
        axes.barh(heights, high - low, left=low, height=0.8, color=shade, linewidth=0, zorder=0)
    marks: dict[Series, list[Placed]] = {}
    for y, row in enumerate(made.rows):
        if row.ticks:
            axes.plot([0, 1], [y, y], color=HAIR, linewidth=0.8, zorder=0)
        for at, words in row.ticks:
            axes.plot([at, at], [y - 0.06, y + 0.06], color=FAINT, linewidth=0.6, zorder=0)
            remark(axes, words, (at, y), xytext=(0, -6.5), ha="center", va="top", fontsize=5.5)
        if row.published is not None:
            hollow = marks.setdefault(Series("model", hollow=True), [])
            hollow.append((row.published, _height(made, y, 0), None, None))
        for place, dot in enumerate(row.dots):
            if dot is not None and dot.value is not None:
                own = made.series(y, place)
                own = replace(own, hollow=own.hollow or bool(dot.hollow))
                placed = (dot.value, _height(made, y, place), dot.low, dot.high)
                if made.own_axes:
                    placed = _clipped(axes, placed, painted(own)["color"])
                marks.setdefault(own, []).append(placed)
    for series, own_marks in marks.items():
        plot_marks(axes, own_marks, series)
    if made.joined:
        _join(axes, made)
    _rules(axes, made)
    rows_axis(axes, _labels(made), room, letters)
    runs = _runs(made)
    deep = any(row.level > 0 for row in made.rows)
    for n, (row, label) in enumerate(zip(made.rows, axes.get_yticklabels(), strict=False)):
        if (runs and runs[n]) or row.whole or (deep and row.level <= 0):
            label.set_fontweight("bold")
    _axis(axes, made)


def _runs(made: DotPicture) -> list[bool]:
    """Which rows are runs, where others are published ones; nothing where rows are groups."""
    return [one.name.startswith("s") and made.unit != "points" for one in made.signs]


def _labels(made: DotPicture) -> list[Text]:
    """The names of rows: a run with its settings; of published rows the best is named."""
    runs = _runs(made)
    return [
        said("picture-published", name=row.name, about=row.about)
        if runs and not runs[n] and row.about
        else said("picture-row", name=row.name, about=None if runs else row.about or None)
        for n, row in enumerate(made.rows)
    ]


def _height(made: DotPicture, row: int, place: int) -> float:
    """Return the height of a mark among those of its row."""
    count = len(made.rows[row].dots)
    return row + (place - (count - 1) / 2) * min(0.24, 0.72 / max(1, count))


def _clipped(axes: Axes, placed: Placed, colour: str) -> Placed:
    """Clip a mark to an axis from 0 to 1; arrows where its interval goes on."""
    value, y, low, high = placed
    if low is not None and high is not None:
        for beyond, edge, step in ((low < 0, 0.0, -0.025), (high > 1, 1.0, 0.025)):
            if beyond:
                arrow: Any = {"arrowstyle": "->", "color": colour, "linewidth": 1.0}
                axes.annotate("", (edge + step, y), (edge, y), arrowprops=arrow)
        low, high = (min(1.0, max(0.0, end)) for end in (low, high))
    return value if 0 <= value <= 1 else math.nan, y, low, high


def _join(axes: Axes, made: DotPicture) -> None:
    """Draw a line from mark to mark of those that follow one another."""
    for place, (series, _) in enumerate(made.names):
        dots = [(y, row.dots[place]) for y, row in enumerate(made.rows) if not row.whole]
        for (y, dot), (below, other) in pairwise(dots):
            if dot and other and dot.value is not None and other.value is not None:
                heights = _height(made, y, place), _height(made, below, place)
                axes.plot([dot.value, other.value], heights, linewidth=0.9, zorder=1,
                          **lined(series))  # fmt: skip


def _rules(axes: Axes, made: DotPicture) -> None:
    """Draw where guessing lies: one line if that is the same in all rows, else one a row."""
    rules = [row.rule for row in made.rows]
    known = [rule for rule in rules if rule is not None]
    if made.unit == "points":
        axes.axvline(0, color=INK, linewidth=0.6, zorder=1)
    elif known and len(known) == len(rules) and max(known) - min(known) < 1e-9:
        chance_line(axes, known[0])
    else:
        for y, rule in enumerate(rules):
            if rule is not None:
                dashed(axes, [rule] * 2, [y - 0.45, y + 0.45])


def _axis(axes: Axes, made: DotPicture) -> None:
    scale = made.scale
    if made.own_axes:
        axes.set_xlim(-0.05, 1.05)
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
        axes.xaxis.set_label_text(PictureText(made.title))
        return
    if made.kind in ("share", "points"):
        percent_axis(axes, "x", made.title, whole=scale == SHARES)
    else:
        axes.grid(axis="x", color=HAIR, linewidth=0.6)
        axes.xaxis.set_label_text(PictureText(made.title, width=48))
    if scale != SHARES:
        edge = 0.03 * (scale.high - scale.low)
        axes.set_xlim(scale.low - edge, scale.high + edge)


_Column = list[tuple[Text, bool, str]]
"""Words, whether they are bold, and their colour, row by row."""


def _figures(made: DotPicture) -> list[_Column]:
    """The figures right of the rows, as on the page: a column for each model."""
    if len(made.names) > MANY:
        return []
    columns: list[_Column] = []
    for place in range(max(len(row.dots) for row in made.rows)):
        columns.append([])
        for y, row in enumerate(made.rows):
            dot = row.dots[place] if place < len(row.dots) else None
            series, words = made.series(y, place), _figure(made, dot)
            columns[-1].append((words, bool(dot and dot.clear), painted(series)["color"]))
    if made.apart:
        columns.append(
            [(_apart(made, row.gap), bool(row.gap and row.gap.shown), INK) for row in made.rows]
        )
    return columns


def _width(column: _Column) -> float:
    """The width of a column of figures with the gap before it, in points."""
    return _LETTER * max(len(str(words)) for words, *_ in column) + _GAP


def _beside(axes: Axes, made: DotPicture, columns: Sequence[_Column]) -> None:
    """Write figures right of their rows."""
    if not columns:
        return
    from matplotlib.transforms import offset_copy

    def right_of(points: float) -> Any:
        return offset_copy(
            axes.get_yaxis_transform(), axes.get_figure(root=True), points, units="points"
        )

    left = _GAP
    for column in columns:
        widest = max(range(len(column)), key=lambda y: len(str(column[y][0])))
        left += _width(column)
        for y, (words, bold, colour) in enumerate(column):
            if words:
                text = axes.text(
                    1, y, PictureText(words), transform=right_of(left - _GAP), ha="right",
                    va="center", color=colour, fontsize=6.2,
                    fontweight="bold" if bold else "normal",
                )  # fmt: skip
                text.set_in_layout(y == widest)  # room for one is room for all
    if made.apart:
        axes.text(
            1, -0.6, PictureText(made.apart), transform=right_of(left - _GAP), ha="right",
            va="bottom", color=SOFT, fontsize=6.2,
        )  # fmt: skip


def _figure(made: DotPicture, dot: Dot | None) -> Text:
    """A figure in letters; with its interval where it is the only one of its row."""
    if dot is None or dot.value is None:
        return ""
    alone = len(made.names) < 2 and dot.low is not None and dot.high is not None
    if made.unit == "points" and alone:
        return _apart(made, Gap(dot.value, dot.low or 0.0, dot.high or 0.0, dot.clear))
    ends = f" ({made.figure(dot.low)}–{made.figure(dot.high)})" if alone else ""
    return made.figure(dot.value) + ends


def _apart(made: DotPicture, gap: Gap | None) -> Text:
    """A difference in letters, with its ends."""
    if gap is None:
        return ""
    value, ends = made.difference(gap)
    return said("picture-row", name=value, about=ends)


def figures_of(*pictures: DotPicture) -> tuple[list[str], list[list[Fact]]]:
    """Every figure of some pictures, unrounded: names of columns, and a row for each mark."""
    found: list[dict[str, Fact]] = []
    for made in pictures:
        panel: dict[str, Fact] = {"panel": made.title} if len(pictures) > 1 else {}
        for number, row in enumerate(made.rows):
            name = {**panel, "row": row.key or row.name}
            gap = row.gap and dict(zip(_APART_BY, msgspec.structs.astuple(row.gap), strict=False))
            for place, dot in enumerate(row.dots):
                if dot is None or dot.value is None:
                    continue
                series = made.series(number, place)
                kind = series.name if series.name.isalpha() else "run"
                who: dict[str, Fact] = (
                    {"run": made.names[place][1]} if made.names else {"kind": kind}
                )
                figures: dict[str, Fact] = {"value": dot.value, "low": dot.low, "high": dot.high}
                found.append(
                    {**name, **who, **figures, "guessing": row.rule, **dot.facts, **(gap or {})}
                )
                gap = None
            if row.published is not None:
                of = f"{made.published} (published)"
                found.append({**name, "run": of, "value": row.published})
    columns = list(dict.fromkeys(column for one in found for column in one))
    return columns, [[one.get(column) for column in columns] for one in found]


_APART_BY = ("apart", "apart_low", "apart_high")
