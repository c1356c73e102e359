"""The look of all figures: type, colours that colour-blind readers tell apart, axes, files."""

from __future__ import annotations

import csv
import logging
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Self

import msgspec

from zhiyin.contract.declared import Drawn
from zhiyin.errors import missing_package
from zhiyin.files import whole_or_nothing
from zhiyin.numerals import percent
from zhiyin.shown.charts import Series
from zhiyin.shown.paper import is_wide
from zhiyin.statistics.intervals import Interval
from zhiyin.text import csv_row
from zhiyin.words import LANGUAGES, Text, said, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

INK, SOFT, FAINT, HAIR = "#222222", "#6b6b6b", "#b5b5b5", "#e4e4e4"
BAND = "#d8e7f3"
BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY = (
    *("#0072b2", "#c45500", "#00835f", "#a8527f", "#8a6d00", "#2a8fc0"),
)
PALETTE = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, "#4a4a4a", "#7a3fb0")
"""Those of the page: Okabe and Ito (2008), "Color Universal Design", as dark as text has to be;
every colour goes with a marker of its own.
"""
_DASHES = (100, "-"), (50, (0, (4, 2))), (20, (0, (1, 2)))
"""How full a mark is, in per cent, and the line of its interval, by the setting of its model."""
MARKERS = ("o", "s", "^", "D", "v", "P")
ONE_COLUMN, TWO_COLUMNS = 3.5, 7.1
"""Widths in inches: 89 and 180 mm, as most journals set them."""
FORMATS = ("svg", "pdf", "png")
IN_CHINESE = ("zh.svg", "zh.pdf", "zh.png")
_LETTERS_AN_INCH = 15  # of the legend's type
_AXIS_LETTERS = 48
_MOST_TRIALS = 8
_FONTS = ("Arial", "Helvetica", "Liberation Sans", "DejaVu Sans")
_SETTINGS = Path(__file__).with_suffix(".mplstyle")
_HAN = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Source Han Sans SC"),
    *("Source Han Sans CN", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Microsoft YaHei"),
    *("SimHei", "PingFang SC", "Hiragino Sans GB", "Heiti TC", "Arial Unicode MS"),
)
"""Fonts with Chinese characters that are tried first: Chinese pictures need one. Of a collection
matplotlib knows the first: that of Noto is the Japanese one.
"""
_SAMPLE = "正确率区间随机猜测"
"""Characters that any other font must have."""


class Figure(msgspec.Struct, frozen=True):
    """A figure that was written.

    Attributes
    ----------
    name : str
        Stem of its files: the benchmark, "-", and what is shown.
    title, caption : str
        In English. The caption says what is shown, the n, and what the intervals are.
    files : dict of str to Path
        By suffix: svg, pdf, png, and csv with the data behind it; zh.svg, zh.pdf, zh.png with the
        words in the picture in Chinese, where a font for them is installed.
    """

    name: str
    title: str
    caption: str
    files: dict[str, Path]
    words: tuple[Text, Text] = ("", "")
    """Title and caption, to be said in any language."""

    def in_language(self, language: str) -> list[Path]:
        """Its picture in a language, or in English where it is in no other, and its data."""
        kinds = [kind for kind in self.files if kind != "csv"]
        own = [kind for kind in kinds if (kind in IN_CHINESE) == (language == "zh")]
        return [self.files[kind] for kind in (*(own or kinds), "csv")]


class PictureText(str):
    """Words in a picture: English as long as it is drawn, and what they say in any language."""

    __slots__ = ("lines", "width")
    lines: tuple[Text, ...]
    width: int

    def __new__(cls, *lines: Text, width: int = 0, language: str = "en") -> Self:
        """Lines one below the other, each folded to a width of so many letters if one is given."""
        own = [
            _in(line, language) if isinstance(line, str) else say(line, language) for line in lines
        ]
        each = [_folded(line, width) for text in own for line in text.splitlines()]
        made = super().__new__(cls, "\n".join(each if width else own))
        made.lines, made.width = lines, width
        return made

    def __str__(self) -> Self:
        """Return the text itself: matplotlib keeps what this gives."""
        return self

    def in_language(self, language: str) -> PictureText:
        """The same in another language."""
        return PictureText(*self.lines, width=self.width, language=language)


def _folded(line: str, width: int) -> str:
    """A line in several, of so many letters, or half as many signs of Chinese."""
    return fill(line, max(1, width // (1 + any(map(is_wide, line)))))


def _speak(canvas: Canvas, language: str) -> None:
    """Put the words of a picture that is drawn into another language."""
    from matplotlib.text import Text as Drawn

    for axes in canvas.axes:
        for axis in (axes.xaxis, axes.yaxis):
            names = [label.get_text() for label in axis.get_ticklabels()]
            if any(isinstance(name, PictureText) for name in names):
                axis.set_ticks(axis.get_ticklocs(), labels=[_in(name, language) for name in names])
    for drawn in canvas.findobj(Drawn):
        drawn.set_text(_in(drawn.get_text(), language))


def _in(text: str, language: str) -> str:
    return text.in_language(language) if isinstance(text, PictureText) else text


@cache
def _chinese_font() -> str | None:
    """Name a font with Chinese characters that matplotlib finds; None where there is none."""
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    installed = font_manager.fontManager.ttflist
    names = {font.name for font in installed}
    if known := next((name for name in _HAN if name in names), None):
        return known
    for font in installed:
        with suppress(OSError, RuntimeError):  # a font of pictures, or none
            has = FT2Font(font.fname).get_charmap()
            if "Last Resort" not in font.name and all(ord(sign) in has for sign in _SAMPLE):
                return font.name
    return None


@contextmanager
def style() -> Iterator[None]:
    """Draw within this. Raises `InputError` when matplotlib is not installed."""
    try:
        import matplotlib
        from matplotlib import font_manager
    except ImportError:
        raise missing_package("matplotlib", "figures") from None
    installed = {font.name for font in font_manager.fontManager.ttflist}
    fonts = [name for name in _FONTS if name in installed][:1] or ["sans-serif"]
    fonts += [han] if (han := _chinese_font()) else []
    fonts += [_FONTS[-1]]  # it comes with matplotlib, and has the marks that others lack
    settings = matplotlib.rc_params_from_file(_SETTINGS, use_default_template=False)
    settings |= {"backend": "agg", "font.family": fonts}
    # A Chinese font without bold letters is no fault that a reader can mend.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    with matplotlib.rc_context(settings):
        yield


def canvas(
    width: float, height: float, columns: int = 1, rows: int = 1, **options: Any
) -> tuple[Canvas, Any]:
    """A canvas of `width` by `height` inches with its axes row by row, always as an array."""
    from matplotlib.figure import Figure as Canvas

    made = Canvas(figsize=(width, height))
    return made, made.subplots(rows, columns, squeeze=False, **options).ravel()


def _lay_out(canvas: Canvas) -> None:
    """Find a place for everything, on a larger canvas where words leave the axes no room."""
    for _ in range(_MOST_TRIALS):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            canvas.draw_without_rendering()
        if not any("constrained_layout" in str(one.message) for one in told):
            return
        width, height = canvas.get_size_inches()
        canvas.set_size_inches(1.25 * width, 1.1 * height)


def save(drawn: Drawn, out: Path, formats: Sequence[str] | None = None) -> Figure:
    """Write a figure in every format, or some, and the data behind it. Same data, same bytes."""
    from matplotlib import rc_context

    formats = formats or FORMATS
    in_chinese = [kind for kind in IN_CHINESE if kind[3:] in formats]
    out.mkdir(parents=True, exist_ok=True)
    layout, files = drawn.canvas.get_layout_engine(), {}
    for language in LANGUAGES if _chinese_font() else LANGUAGES[:1]:
        if language != "en":
            drawn.canvas.set_layout_engine(layout)
            _speak(drawn.canvas, language)
        _lay_out(drawn.canvas)
        with rc_context({"figure.constrained_layout.use": False}), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a sign that no font has is an empty box
            drawn.canvas.set_layout_engine(None)  # with one, each format would be drawn twice
            for kind in formats if language == "en" else in_chinese:
                files[kind] = out / f"{drawn.name}.{kind}"
                metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind[-3:])
                with whole_or_nothing(files[kind]) as unfinished:
                    drawn.canvas.savefig(unfinished, metadata=metadata)
    files["csv"] = out / f"{drawn.name}.csv"
    with (
        whole_or_nothing(files["csv"]) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(csv_row(drawn.columns))
        writer.writerows(map(csv_row, drawn.rows))
    words = drawn.title, drawn.caption
    return Figure(drawn.name, say(words[0]), say(words[1]), files, words)


def painted(series: Series) -> dict[str, Any]:
    """A series on paper, as `zhiyin.shown.charts` has it on a page: colour, marker, fill, dash."""
    own = series.name[1:]
    color = PALETTE[int(own) % len(PALETTE)] if own.isdigit() else SOFT
    full, dash = (0, "-") if series.hollow else _DASHES[series.setting]
    parts = [int(color[n : n + 2], 16) for n in (1, 3, 5)]
    filled = "#" + "".join(f"{round(255 + (part - 255) * full / 100):02x}" for part in parts)
    return {
        "color": color,
        "marker": MARKERS[series.shape],
        "markerfacecolor": filled,
        "linestyle": dash,
    }


def lined(series: Series) -> dict[str, Any]:
    """A line of a series: colour and dash."""
    own = painted(series)
    return {name: own[name] for name in ("color", "linestyle")}


Placed = tuple[float, float, float | None, float | None]
"""Where a mark stands, across and upright, and the ends of its interval."""


def plot_marks(axes: Axes, marks: Sequence[Placed], series: Series, *, across: bool = True) -> None:
    """Marks of one look, each with its interval, across or upright: two lines for all."""
    own, ends = painted(series), []
    for x, y, low, high in marks:
        if low is not None and high is not None and math.isfinite(low) and math.isfinite(high):
            ends += [(low, y), (high, y)] if across else [(x, low), (x, high)]
            ends.append((math.nan, math.nan))
    if ends:
        axes.plot(*zip(*ends, strict=True), linewidth=1.1, solid_capstyle="butt", zorder=2,
                  **lined(series))  # fmt: skip
    axes.plot([x for x, *_ in marks], [y for _, y, *_ in marks], markersize=4, zorder=3,
              **own | {"linestyle": ""})  # fmt: skip


def plot_line(axes: Axes, points: Mapping[float, Interval], series: Series) -> None:
    """Figures with their upright intervals, joined by a line, by their places."""
    axes.plot(list(points), [value.mean for value in points.values()], **lined(series))
    placed = [(x, value.mean, value.low, value.high) for x, value in points.items()]
    plot_marks(axes, placed, series, across=False)


def percent_axis(axes: Axes, which: str = "x", label: Text = "", *, whole: bool = True) -> None:
    """Fractions shown as percentages, with a hairline grid."""
    from matplotlib.ticker import FuncFormatter

    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_formatter(  # ticks at 2.5 are not said to be at 2
        FuncFormatter(lambda at, _: percent(at, int(abs(100 * at - round(100 * at)) > 1e-6)))
    )
    axes.grid(axis=which, color=HAIR, linewidth=0.6)  # type: ignore[arg-type]
    axis.set_label_text(PictureText(label, width=_AXIS_LETTERS))
    if whole:
        (axes.set_xlim if which == "x" else axes.set_ylim)(-0.02, 1.02)
        axis.set_ticks([0, 0.25, 0.5, 0.75, 1])


def rows_axis(axes: Axes, names: Sequence[Text], room: int = 0, letters: int = 0) -> None:
    """Names down the side, the first on top, without a line or ticks; room for `room` rows.

    They are folded to a width of so many letters, where one is given.
    """
    axes.set_yticks(range(len(names)), labels=[PictureText(one, width=letters) for one in names])
    axes.set_ylim(max(len(names), room) - 0.4, -0.6)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def remark(axes: Axes, text: Text, place: tuple[float, float], **how: Any) -> None:
    """Small grey words at a place, moved by so many points (`xytext`)."""
    settings = {"fontsize": 6.2, "color": SOFT, "textcoords": "offset points", "xytext": (0, 0)}
    axes.annotate(PictureText(text), place, **{**settings, **how})


def chance_line(axes: Axes, chance: float) -> None:
    """A dashed upright line where guessing lies, named."""
    axes.axvline(chance, color=SOFT, linewidth=0.8, linestyle=(0, (3, 2)), zorder=1)
    remark(axes, said("picture-chance"), (chance, 1), xycoords=("data", "axes fraction"),
           xytext=(0, 1), fontsize=6.5, ha="center", va="bottom")  # fmt: skip
    axes.set_title(axes.get_title(loc="left"), loc="left", pad=11)  # above that word


def dashed(axes: Axes, x: Sequence[float], y: Sequence[float]) -> None:
    """A short dashed line: what guessing would score in a group."""
    axes.plot(x, y, color=SOFT, linewidth=0.9, linestyle=(0, (3, 2)), zorder=1)


def key(target: Any, names: Mapping[str, Series]) -> None:
    """A legend of runs by name above a figure, in as many columns as fit."""
    letters = int(target.get_figwidth() * _LETTERS_AN_INCH)
    room = letters // (max(map(len, names)) + 6)
    from matplotlib.lines import Line2D

    several = {own.setting for own in names.values()} != {0}  # a dash is seen on a line
    looks = {n: painted(own) | ({} if several else {"linestyle": ""}) for n, own in names.items()}
    handles = [Line2D([], [], label=_folded(n, letters - 6), **own) for n, own in looks.items()]
    columns = max(1, min(len(names), room))
    place = {"loc": "outside upper left", "columnspacing": 1.4, "borderaxespad": 0.2}
    target.legend(handles=handles, ncols=columns, **place)


def letter(axes: Axes, place: int, width: int = 0) -> None:
    """Panel letter before the title: A, B, C."""
    title = axes.get_title(loc="left")
    own = title.lines[0] if isinstance(title, PictureText) else title
    named = said("picture-panel", letter=chr(ord("A") + place), title=own)
    axes.set_title(PictureText(named, width=width), loc="left")


def humanly(name: str) -> str:
    """A group's own name: the last part of its path, first letter large."""
    words = name.rsplit("/", 1)[-1].replace("_", " ")
    return words[:1].upper() + words[1:]
