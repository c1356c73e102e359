"""The dot row: what varies in rows, models as marks on one axis, figures at the right."""

from __future__ import annotations

import math

import msgspec
from markupsafe import Markup

from zhiyin.shown.charts import SHARES, ChartMark, ChartScale, Series, axis, element, symbol
from zhiyin.shown.charts import grid as grid_of
from zhiyin.shown.charts import mark as mark_of
from zhiyin.shown.pages import render
from zhiyin.shown.table import Column, Kind, written
from zhiyin.words import Text

_APART, _LEAST = 10, 28
"""How far marks stand below each other, and how high a row is at least, in pixels."""


class Dot(msgspec.Struct, frozen=True):
    """A model's figure in a row.

    Attributes
    ----------
    value, low, high : float or None
        With its 95 % interval; none is drawn where every answer was the same.
    clear : bool
        Whether it is shown to be better than guessing.
    always : Text
        The one answer that was given to everything; empty where answers differ.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    clear: bool = False
    always: Text = ""


class Gap(msgspec.Struct, frozen=True):
    """The first model of a picture minus the second, with its interval; whether it is shown."""

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
    """

    name: Text
    about: Text = ""
    link: str = ""
    dots: tuple[Dot | None, ...] = ()
    rule: float | None = None
    published: float | None = None
    gap: Gap | None = None
    whole: bool = False


class DotPicture(msgspec.Struct, frozen=True):
    """What varies, model by model, on one axis.

    Attributes
    ----------
    head : Text
        What varies.
    title : Text
        What is measured, with its unit and direction.
    unit : str
        "share", or another.
    names : tuple of (Series, str)
        The models; empty where each row is a model's.
    rows : tuple of DotRow
    signs : tuple of Series
        Of rows that are models.
    published : str
        Whose the best published figures are.
    apart : Text
        The heading of differences; empty where there are none.
    notes : tuple of Text
    """

    head: Text
    title: Text
    unit: str
    names: tuple[tuple[Series, str], ...]
    rows: tuple[DotRow, ...]
    signs: tuple[Series, ...] = ()
    published: str = ""
    apart: Text = ""
    notes: tuple[Text, ...] = ()

    @property
    def kind(self) -> Kind:
        """How its figures are written."""
        return "share" if self.unit == "share" else "number"

    @property
    def scale(self) -> ChartScale:
        """That of shares; of others from zero, or the lowest figure, to the highest."""
        if self.unit == "share":
            return SHARES
        ends = [
            end
            for row in self.rows
            for end in (row.rule, row.published, *_ends(row.dots))
            if end is not None
        ]
        low, high = min(0.0, *ends, 0.0), max(ends, default=1.0)
        return ChartScale(low, high if high > low else low + 1.0)

    @property
    def decimals(self) -> int:
        """Those of its figures: a thousandth of the axis can be read."""
        wide = 100.0 if self.unit == "share" else self.scale.high - self.scale.low
        return min(4, max(0, 3 - math.floor(math.log10(wide))))

    def figure(self, value: float | None) -> str:
        """A figure in letters."""
        return written(value, Column("", self.kind, self.decimals))

    def difference(self, gap: Gap) -> tuple[str, str]:
        """A difference in letters, and its ends."""
        column = Column("", "points" if self.unit == "share" else "gap", self.decimals)
        value, low, high = (written(each, column) for each in (gap.value, gap.low, gap.high))
        return value, f"{low.lstrip('+')} to {high.lstrip('+')}"

    def series(self, row: int, place: int) -> Series:
        """Of which series a mark is."""
        return self.signs[row] if self.signs else self.names[place][0]


def _ends(dots: tuple[Dot | None, ...]) -> list[float]:
    each = [end for dot in dots if dot for end in (dot.value, dot.low, dot.high)]
    return [end for end in each if end is not None]


def picture(made: DotPicture, language: str, name: str) -> Markup:
    """The picture as a table in one language; its drawings refer to `charts.definitions`."""
    scale = made.scale
    rows = [
        (row, _drawn(made, scale, number), row.gap and made.difference(row.gap))
        for number, row in enumerate(made.rows)
    ]
    facts = {"made": made, "rows": rows, "axis": axis(scale, made.kind), "symbol": symbol}
    return Markup(render("dots.html", language, name=name, **facts))


def _drawn(made: DotPicture, scale: ChartScale, number: int) -> Markup:
    """The drawing of a row."""
    row = made.rows[number]
    high = max(_LEAST, _APART * (len(row.dots) + 1))
    first = (high - _APART * (len(row.dots) - 1)) / 2
    parts = [grid_of(scale, high)]
    if row.rule is not None:
        at = scale.place(row.rule)
        parts.append(element("line", class_="guess", x1=at, x2=at, y1=3, y2=high - 3))
    if row.published is not None:
        hollow = Series("model", 0, hollow=True)
        parts.append(mark_of(scale, ChartMark(row.published, hollow, title=made.published), first))
    for place, dot in enumerate(row.dots):
        if dot is None or dot.value is None:
            continue
        own = made.series(number, place)
        series = Series(own.name, own.shape, hollow=own.hollow or bool(dot.always))
        name = made.names[place][1] if made.names else str(row.name)
        title = f"{name}: {made.figure(dot.value)}"
        ends = (None, None) if dot.always else (dot.low, dot.high)
        drawn = ChartMark(dot.value, series, *ends, title)
        parts.append(mark_of(scale, drawn, first + _APART * place))
    return element("svg", *parts, class_="strip", height=high, aria_hidden="true")
