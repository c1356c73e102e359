"""The dot row: what varies in rows, models as marks on one axis, figures at the right."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec
from markupsafe import Markup
from rich.cells import cell_len

from zhiyin.shown.charts import (
    SHARES,
    ChartMark,
    ChartScale,
    Series,
    axis,
    element,
    even_scale,
    symbol,
)
from zhiyin.shown.charts import grid as grid_of
from zhiyin.shown.charts import mark as mark_of
from zhiyin.shown.pages import render
from zhiyin.shown.table import Column, Kind, written
from zhiyin.words import Said, Text, said, say

_APART, _LEAST = 10, 28
"""How far marks stand below each other, and how high a row is at least, in pixels."""
_TICK, _TICK_LINES, _LETTER = 14, 3, 0.018
"""How many letters of a name stand on an axis, on how many lines, and how wide one is, of 1."""
MANY = 4
"""Of more models the names stand above the picture, with their marks."""

Fact = float | str | Said | None


class Dot(msgspec.Struct, frozen=True):
    """A model's figure in a row.

    Attributes
    ----------
    value, low, high : float or None
        With its 95 % interval; none is drawn where every answer was the same.
    clear : bool
        Whether it is in bold: what that means is among the notes of the picture.
    hollow : Text
        Why its mark is hollow, such as the one answer that was given to everything; without a
        figure, why there is none.
    told : Text
        The figure in words, where its letters would not say it.
    notes : tuple of Text
        What stands below its figure.
    sounds : tuple of (float, str, Text)
        Where on the axis what can be heard, the address of its sound, and what it is.
    facts : dict of str to (float, str or None)
        What a table of the figures tells of it besides, such as its number of items; the ends of
        an interval that is not drawn.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    clear: bool = False
    hollow: Text = ""
    told: Text = ""
    notes: tuple[Text, ...] = ()
    sounds: tuple[tuple[float, str, Text], ...] = ()
    facts: Mapping[str, Fact] = {}


class Gap(msgspec.Struct, frozen=True):
    """The first model of a picture minus the second, or by how much a model in a row is worse than
    the best; with its interval, and whether it is shown.
    """

    value: float
    low: float
    high: float
    shown: bool


class DotRow(msgspec.Struct, frozen=True):
    """A row of a picture.

    Attributes
    ----------
    name, about : Text
    link : str
        Where its trials are; empty for none.
    dots : tuple of Dot or None
        One for each series.
    rule : float or None
        What guessing gets.
    published : float or None
        The best published figure.
    gap : Gap or None
    whole : bool
        Whether it is over all the others.
    band : (float, float) or None
        Where people stand; in a picture of differences, what is too small to be found.
    ticks : tuple of (float, Text)
        An axis of its own, from 0 to 1: what stands where.
    level : int
        How far it is set in: a group within another.
    key : str
        What a table of the figures calls it; by default its name.
    """

    name: Text
    about: Text = ""
    link: str = ""
    dots: tuple[Dot | None, ...] = ()
    rule: float | None = None
    published: float | None = None
    gap: Gap | None = None
    whole: bool = False
    band: tuple[float, float] | None = None
    ticks: tuple[tuple[float, Text], ...] = ()
    level: int = 0
    key: str = ""


class DotPicture(msgspec.Struct, frozen=True):
    """A picture of one measure, model by model, on one axis.

    Attributes
    ----------
    head : Text
        What varies.
    title : Text
        What is measured, with its unit and direction.
    unit : str
        "share", "points" for differences of shares, or another.
    names : tuple of (Series, Text)
        The models; empty where each row is a model's.
    rows : tuple of DotRow
    signs : tuple of Series
        Of rows that are models.
    published : str
        Whose the best published figures are.
    apart : Text
        The heading of differences; empty where there are none.
    notes : tuple of Text
    joined : bool
        Whether rows follow one another, as doses and weeks do: a line leads from mark to mark.
    """

    head: Text
    title: Text
    unit: str
    names: tuple[tuple[Series, Text], ...]
    rows: tuple[DotRow, ...]
    signs: tuple[Series, ...] = ()
    published: str = ""
    apart: Text = ""
    notes: tuple[Text, ...] = ()
    joined: bool = False

    @property
    def own_axes(self) -> bool:
        """Tell whether each row has an axis of its own."""
        return any(row.ticks for row in self.rows)

    @property
    def kind(self) -> Kind:
        """The format of its figures."""
        kinds: dict[str, Kind] = {"share": "share", "points": "points"}
        return kinds.get(self.unit, "number")

    @property
    def scale(self) -> ChartScale:
        """The scale of shares; of larger values, from zero or the lowest to the highest."""
        if self.own_axes:
            return SHARES
        ends = [
            end
            for row in self.rows
            for end in (row.rule, row.published, *(row.band or ()), *_ends(row.dots))
            if end is not None and math.isfinite(end)
        ]
        if self.unit == "points":
            return even_scale(ends)
        low, high = min(0.0, *ends, 0.0), max(ends, default=1.0)
        if self.unit == "share" and low >= 0 and high <= 1:
            return SHARES
        return ChartScale(low, high if high > low else low + 1.0)

    @property
    def decimals(self) -> int:
        """Number of decimals of its figures: a thousandth of the axis can be read."""
        wide = 100.0 if self.kind != "number" else self.scale.high - self.scale.low
        return min(4, max(0, 3 - math.floor(math.log10(wide))))

    def figure(self, value: float | None) -> str:
        """A figure in letters."""
        return written(value, Column("", self.kind, self.decimals))

    def difference(self, gap: Gap) -> tuple[str, Text]:
        """A difference in letters, and its ends; of the same replies twice it has none."""
        column = Column("", "gap" if self.kind == "number" else "points", self.decimals)
        value, low, high = (written(each, column) for each in (gap.value, gap.low, gap.high))
        if self.signs and self.unit != "points":  # by how much one lies behind
            value = value.lstrip("+")
        if gap.low == gap.high:
            return value, ""
        return value, said("from-to", low=low.lstrip("+"), high=high.lstrip("+"))

    @property
    def read(self) -> tuple[Text, ...]:
        """How it is read: its notes, and what tells settings of a model apart, if any are shown."""
        several = any(one.setting for one in (*self.signs, *(one for one, _ in self.names)))
        return (*self.notes, said("dots-settings")) if several else self.notes

    def series(self, row: int, place: int) -> Series:
        """Return the series that a mark belongs to."""
        return self.signs[row] if self.signs else self.names[place][0]


def _ends(dots: tuple[Dot | None, ...]) -> list[float]:
    each = [end for dot in dots if dot for end in (dot.value, dot.low, dot.high)]
    return [end for end in each if end is not None]


def strips(made: DotPicture, language: str = "en") -> tuple[Markup, list[Markup]]:
    """Draw the strip over a picture's drawings, and the drawing of each row."""
    over = Markup() if made.own_axes else axis(made.scale, made.kind)
    return over, [_drawn(made, number, language) for number in range(len(made.rows))]


def picture(made: DotPicture, language: str, name: str) -> Markup:
    """The picture as a table in one language; its drawings refer to `charts.definitions`."""
    over, drawings = strips(made, language)
    rows = [
        (row, drawn, row.gap and made.difference(row.gap))
        for row, drawn in zip(made.rows, drawings, strict=True)
    ]
    facts = {"made": made, "rows": rows, "axis": over, "symbol": symbol, "many": MANY}
    return Markup(render("dots.html", language, name=name, **facts))


def _drawn(made: DotPicture, number: int, language: str) -> Markup:
    """The drawing of a row."""
    row, scale = made.rows[number], made.scale
    high = max(_LEAST, _APART * (len(row.dots) + 1))
    first = (high - _APART * (len(row.dots) - 1)) / 2
    parts = [] if made.own_axes else [grid_of(scale, high)]
    for at, _ in row.ticks:
        parts.append(
            element("line", class_="tick", x1=scale.place(at), x2=scale.place(at), y2=high)
        )
    if row.band is not None:
        ends = {"x1": scale.place(row.band[0]), "x2": scale.place(row.band[1])}
        parts.append(element("line", class_="band", y1=high / 2, y2=high / 2, **ends))
        people = say(said("dots-people"), language)
        place_of = {"x": scale.place(sum(row.band) / 2), "text_anchor": "middle"}
        parts.append(element("text", people, y=high / 2 + 4, **place_of))
    if row.rule is not None:
        ends = {"x1": scale.place(row.rule), "x2": scale.place(row.rule)}
        parts.append(element("line", class_="guess", y1=3, y2=high - 3, **ends))
    if row.published is not None:
        hollow, whose = Series("model", 0, hollow=True), say(made.published, language)
        parts.append(mark_of(scale, ChartMark(row.published, hollow, title=whose), first))
    for place, dot in enumerate(row.dots):
        if dot is None or dot.value is None:
            continue
        y = first + _APART * place
        own = made.series(number, place)
        if made.joined:
            parts += _joints(made, scale, (number, place), y, high)
        series = msgspec.structs.replace(own, hollow=own.hollow or bool(dot.hollow))
        name = say(made.names[place][1] if made.names else row.name, language)
        told = say(dot.told, language) or made.figure(dot.value)
        if not dot.told and dot.low is not None:
            told += f" ({made.figure(dot.low)}–{made.figure(dot.high)})"
        title = f"{name}{'：' if language == 'zh' else ': '}{told}"
        parts.append(mark_of(scale, ChartMark(dot.value, series, dot.low, dot.high, title), y))
        for at, to, what in dot.sounds:
            words = say(what, language)
            drawn = element("circle", cx=16, r=7), element("path", d="M14 -4L20 0L14 4z")
            button = element("svg", *drawn, x=scale.place(at), y=f"{y:g}", overflow="visible")
            inner = (element("title", words), button)
            parts.append(element("a", *inner, href=to, class_="play", aria_label=words))
    lines = [-1.0] * _TICK_LINES
    for at, tick in sorted(row.ticks):
        name = say(tick, language)[:_TICK]
        half = cell_len(name) * _LETTER / 2
        line = next((n for n, end in enumerate(lines) if end <= at - half), None)
        if name and line is not None:
            lines[line] = at + half
            place_of = {"x": scale.place(at), "text_anchor": "middle"}
            parts.append(element("text", name, y=high + 8 + 12 * line, **place_of))
    high += 12 * sum(end >= 0 for end in lines)
    hidden = None if any(dot and dot.sounds for dot in row.dots) else "true"
    return element("svg", *parts, class_="strip", height=high, aria_hidden=hidden)


def _joints(
    made: DotPicture, scale: ChartScale, at: tuple[int, int], y: float, high: int
) -> list[Markup]:
    """The line that comes from the mark of the row above, and the one that goes to the next."""
    number, place = at
    looks, here = made.series(number, place).looks, made.rows[number].dots[place]
    parts = []
    for step, edge in ((-1, 0), (1, high)):
        rows = made.rows[number + step : number + step + 1] if number + step >= 0 else ()
        for other in (row.dots[place] for row in rows if not row.whole):
            if here and other and None not in (here.value, other.value):
                middle = ((here.value or 0.0) + (other.value or 0.0)) / 2
                ends = {"x1": scale.place(here.value or 0.0), "x2": scale.place(middle)}
                parts.append(
                    element("line", class_=f"whisker joint {looks}", y1=y, y2=edge, **ends)
                )
    return parts
