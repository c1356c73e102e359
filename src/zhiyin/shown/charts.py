"""Charts: tables whose rows draw themselves, and drawings, as SVG that is made here alone.

The numbers stand in words in the table, so that a chart reads aloud, prints, and fits any width:
places in a row are per cent of its width. Colours are the style sheet's, by the names of series;
what differs in colour differs in shape too. Whatever is put into a drawing is escaped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec
from markupsafe import Markup, escape

from zhiyin.idioms import grouped
from zhiyin.numerals import round_values
from zhiyin.shown.table import Column, Drawing, Kind, Row, Table, written
from zhiyin.text import printable
from zhiyin.words import Text

Owner = TypeVar("Owner", str, tuple[str, str])
"""Whose a mark is: a model, or a model and what it is called in one of its settings."""
_LEFT, _WIDE = 3.0, 94.0
"""Where a scale begins, and how wide it is, in per cent of a row."""
_LINE, _MIDDLE = 20, 10
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)
_MOST_TICKS = 6
_SHAPES = (  # the first is a circle; none is a cross, the sign of a failed canary
    "",
    "M-4 -4h8v8h-8z",
    "M0 -5.5L5 4H-5z",
    "M0 -5.5L5.5 0L0 5.5L-5.5 0z",
    "M-5 -4H5L0 5.5z",
    "M-1.7 -5h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3v-3.4h3.3z",
)
SERIES, SETTINGS = 8, 3
"""So many colours there are, and fills."""


class Series(msgspec.Struct, frozen=True):
    """The look of a series: how its marks are told from those of others.

    Attributes
    ----------
    name : str
        Its colour: "s0" to "s7" of models, or a kind: "human", "model", "chance", "unsure".
    shape : int
        Of the model, too.
    hollow : bool
        Published figures, and differences that are not significant.
    setting : int
        How full the mark is, and how its interval is dashed: a model in another setting.
    """

    name: str
    shape: int = 0
    hollow: bool = False
    setting: int = 0

    @property
    def looks(self) -> str:
        """Its classes in the style sheet."""
        return f"{self.name} set{self.setting}" if self.setting else self.name


def marks_of(owners: Iterable[Owner]) -> dict[Owner, Series]:
    """The mark of each: colour and shape say the model, fill and dash the setting.

    In the order of the names, so that they are the same on every page of the same models. 48 models
    have marks of their own.
    """
    named = {own: own if isinstance(own, tuple) else (own, own) for own in owners}
    settings = grouped(sorted(set(named.values()), key=lambda own: own[::-1]))
    numbers = {model: n for n, model in enumerate(settings)}
    return {
        own: Series(
            f"s{n % SERIES}",
            (n + n // (SERIES * len(_SHAPES) // 2)) % len(_SHAPES),
            setting=settings[model].index(called) % SETTINGS,
        )
        for own, (model, called) in named.items()
        for n in (numbers[model],)
    }


class ChartMark(msgspec.Struct, frozen=True):
    """A figure as it is drawn: with its interval, and the words that a pointer over it shows."""

    value: float | None
    series: Series
    low: float | None = None
    high: float | None = None
    title: str = ""


class ChartRow(msgspec.Struct, frozen=True):
    """The drawing in a row of a chart, beside its cells.

    Attributes
    ----------
    marks : sequence of ChartMark
        One for each run, below one another where there is room.
    rules : sequence of float or None
        Where upright lines stand: at chance, at no difference.
    """

    marks: Sequence[ChartMark]
    rules: Sequence[float | None] = ()


class ChartScale(msgspec.Struct, frozen=True):
    """A scale for drawings that stand side by side."""

    low: float
    high: float

    @property
    def ticks(self) -> tuple[float, ...]:
        """Round values between the ends, as they are written below it."""
        wide = self.high - self.low
        step = next((s for s in _STEPS if wide / s <= _MOST_TICKS), None)
        if step is None:
            return tuple(round_values(self.low, self.high, _MOST_TICKS))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return tuple(n * step for n in range(first, last + 1))

    def place(self, value: float) -> str:
        """Position of a value, in per cent of a row; values beyond the ends stand at them."""
        share = (min(self.high, max(self.low, value)) - self.low) / (self.high - self.low)
        return f"{_LEFT + _WIDE * share:.2f}%"

    def width(self, value: float) -> str:
        """Width of a bar from 0, on a scale that begins there, in per cent of a row."""
        return f"{_WIDE * min(value, self.high) / self.high:.2f}%"


SHARES = ChartScale(0.0, 1.0)
"""Of shares of right answers, everywhere: 0 to 100 %."""


def even_scale(values: Iterable[float | None]) -> ChartScale:
    """Return a scale of differences: as far below zero as above."""
    reach = 1.04 * max(0.05, *(abs(v) for v in values if v is not None), 0.0)
    return ChartScale(-reach, reach)


def worth_an_axis(costs: Sequence[float]) -> bool:
    """Tell whether costs differ enough to draw: two or more, the highest 5 % above the lowest."""
    return len(costs) > 1 and max(costs) >= 1.05 * min(costs)


ChartLine = tuple[Row, ChartRow | Markup]
"""A row, and what is drawn in it."""


def chart_of(
    name: str,
    title: Text,
    columns: Sequence[Column],
    lines: Sequence[ChartLine],
    scale: ChartScale | None = SHARES,
    *,
    at: int = 1,
    kind: Kind = "share",
) -> Table:
    """A table whose rows are drawn.

    Parameters
    ----------
    name, title, columns
        Of the table.
    lines : sequence of ChartLine
    scale : ChartScale or None
        None where rows bring drawings of their own.
    at : int
        The column before which the drawings stand.
    kind : Kind
        Of the scale's values.
    """
    over = Column("", axis=axis(scale, kind) if scale else " ")
    rows = []
    for row, own in lines:
        svg = strip(scale or SHARES, own) if isinstance(own, ChartRow) else own
        cells = (*row.cells[:at], Drawing(svg), *row.cells[at:])
        rows.append(msgspec.structs.replace(row, cells=cells))
    return Table(name, title, (*columns[:at], over, *columns[at:]), tuple(rows))


def element(tag: str, *children: str | Markup, **attributes: Any) -> Markup:
    """An element of a drawing. Underscores in names of attributes are hyphens; None is left out."""
    given = "".join(
        f' {name.strip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items()
        if value is not None and value != ""
    )
    inner = "".join(
        one if isinstance(one, Markup) else escape(printable(str(one))) for one in children
    )
    end = f">{inner}</{tag}>" if inner else "/>"
    return Markup(f"<{tag}{given}{end}")  # all of it is escaped above


def symbol(series: Series) -> Markup:
    """The mark of a series, as it stands before a name."""
    classes = f"symbol {_classes(series)}"
    return element("svg", _point("7", "7", series), class_=classes, aria_hidden="true")


def axis(scale: ChartScale, kind: Kind = "share") -> Markup:
    """The values of a scale, as they stand over the drawings of a chart."""
    column = Column("", kind, decimals=None if kind == "number" else 0)
    ticks = (
        element("text", written(tick, column), x=scale.place(tick), y=12, text_anchor="middle")
        for tick in scale.ticks
    )
    return element("svg", *ticks, class_="strip axis", aria_hidden="true")


def strip(scale: ChartScale, own: ChartRow) -> Markup:
    """The drawing of a row: its marks on a scale, and upright lines at some values."""
    parts = [grid(scale)]
    parts += [
        element("use", href="#rule", x=scale.place(rule))
        for rule in own.rules
        if rule is not None and scale.low <= rule <= scale.high
    ]
    parts += [mark(scale, one) for one in own.marks if one.value is not None]
    return element("svg", *parts, class_="strip", height=_LINE, aria_hidden="true")


def bar(scale: ChartScale, share: float, against: float, series: Series) -> Markup:
    """The drawing of a row: a bar, and an upright line at what it is held against."""
    filled = element(
        "rect", class_=f"bar {series.name}", x=f"{_LEFT:g}%", y=4, height=14,
        width=scale.width(share),
    )  # fmt: skip
    place = scale.place(against)
    line = element("line", class_="keyed", x1=place, x2=place, y1=0, y2=22)
    return element("svg", filled, line, class_="strip", height=22, aria_hidden="true")


def stack(parts: Sequence[tuple[str, int, str]], total: int) -> Markup:
    """The drawing of a row: parts of a whole, each with its class, size and words.

    A part is filled by the pattern ``state-CLASS`` of the page, where it has one.
    """
    bars, at = [], 0
    for name, size, words in parts:
        place = {"x": f"{100 * at / total:.4f}%", "width": f"{100 * size / total:.4f}%"}
        fill = f"url(#state-{name})" if name in HATCHES else None
        title = element("title", words)
        bars.append(element("rect", title, class_=name, y=0, height=14, fill=fill, **place))
        at += size
    return element("svg", *bars, class_="stack", height=14, aria_hidden="true")


HATCHES = {
    "wrong": "M0 6L6 0",
    "refused": "M0 0L6 6M0 6L6 0",
    "truncated": "M3 0V6",
    "no_answer": "M0 3H6",
    "error": "",
}
"""States differ in how dark they are and by their pattern, not by colour alone."""


def definitions() -> Markup:
    """Return what charts refer to, once a page: patterns of `stack`, marks, upright lines."""
    patterns = (
        element(
            "pattern",
            element("rect", width=6, height=6),
            element("path", d=path),
            id=f"state-{name}",
            class_=f"stated {name}",
            width=6,
            height=6,
            patternUnits="userSpaceOnUse",
        )
        for name, path in HATCHES.items()
    )
    marks = (
        element("path", d=path, id=f"mark-{number}") if path
        else element("circle", r=4.5, id=f"mark-{number}")
        for number, path in enumerate(_SHAPES)
    )  # fmt: skip
    rule = element("line", y2=_LINE, id="rule")
    shares = element("symbol", _lines(SHARES), id="grid-shares", **_BOX)
    inner = element("defs", *patterns, *marks, rule, shares)
    return element("svg", inner, id="patterns", width=0, height=0, aria_hidden="true")


def _classes(series: Series) -> str:
    return f"mark {series.looks}{' hollow' if series.hollow else ''}"


def _point(x: str, y: str, series: Series) -> Markup:
    """The shape of a series, drawn once a page, at a place."""
    return element("use", href=f"#mark-{series.shape}", x=x, y=y)


def grid(scale: ChartScale, high: int = _LINE) -> Markup:
    """The upright lines of a scale, as wide as the row: those of shares are drawn once a page."""
    if scale == SHARES:
        return element("use", href="#grid-shares", height=high)
    return element("svg", _lines(scale), height=high, **_BOX)


_BOX = {"viewBox": "0 0 100 1", "preserveAspectRatio": "none", "width": "100%"}


@cache
def _lines(scale: ChartScale) -> Markup:
    """Upright lines in a box of 100 by 1."""
    path = "".join(f"M{scale.place(tick).rstrip('%')} 0V1" for tick in scale.ticks)
    return element("path", class_="grid", d=path)


def mark(scale: ChartScale, one: ChartMark, y: float = _MIDDLE) -> Markup:
    """A figure in a drawing, with its interval, so far from the top."""
    parts = [element("title", one.title)] if one.title else []
    if one.low is not None and one.high is not None:
        ends = {"x1": scale.place(one.low), "x2": scale.place(one.high)}
        parts.append(element("line", class_="whisker", y1=f"{y:g}", y2=f"{y:g}", **ends))
    parts.append(_point(scale.place(one.value or 0.0), f"{y:g}", one.series))
    return element("g", *parts, class_=_classes(one.series))
