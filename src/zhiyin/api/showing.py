"""How results look: small HTML tables for a notebook, and figures as people write them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from zhiyin.numerals import percent
from zhiyin.runs.figures import GroupFigures
from zhiyin.shown.figures import written
from zhiyin.shown.table import Column, Kind, Table
from zhiyin.text import printable

MOST_ROWS = 15
FIGURES: dict[str, Kind] = {
    "trials": "count", "accuracy, %": "share", "95 % interval": "share", "readable, %": "share"
}  # fmt: skip
"""What is told of a run, or of a group in it."""
_STYLE = (
    "<style>.zhiyin th, .zhiyin td { text-align: left } .zhiyin .n { text-align: right }</style>"
)


def cells(own: GroupFigures) -> tuple[int, float | None, tuple[float, float] | None, float | None]:
    """The cells of `FIGURES`."""
    return (own.n, own.accuracy, own.ci95, own.ifr)


def ends(low_high: tuple[float, float] | None, kind: Kind = "share") -> str:
    """An interval in per cent: "33.1–58.0", or "-3.1 to +8.0" for points of a difference."""
    return written(low_high, Column("", kind))


def accuracy(figures: GroupFigures | None) -> str:
    """Accuracy with its interval in words; empty where nothing was judged."""
    if not figures or figures.accuracy is None:
        return ""
    return f"accuracy {percent(figures.accuracy)} % ({ends(figures.ci95)})"


def table(shown: Table) -> str:
    """A table as HTML that needs no page around it, with `MOST_ROWS` rows at most."""
    from zhiyin.shown.page import as_html

    return f'<div class="zhiyin">{_STYLE}{as_html(shown, most=MOST_ROWS)}</div>'


def lines(kind: str, texts: Iterable[object]) -> str:
    """Remarks, a paragraph each, such as "warning: ..."."""
    return "".join(f"<p><b>{escape(kind)}:</b> {escape(printable(str(x)))}</p>" for x in texts)
