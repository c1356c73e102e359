"""How results look: small HTML tables for a notebook, and figures as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from zhiyin.numerals import percent
from zhiyin.runs.figures import GroupFigures

MOST_ROWS = 15


def ends(low_high: Sequence[float] | None, *, signed: bool = False) -> str:
    """An interval in percent: "33.1–58.0", or "-3.1 to +8.0" for a difference."""
    if low_high is None:
        return "-"
    low, high = (100 * end for end in low_high)
    return f"{low:+.1f} to {high:+.1f}" if signed else f"{low:.1f}–{high:.1f}"


def accuracy(figures: GroupFigures | None) -> str:
    """Accuracy with its interval in words; empty where nothing was judged."""
    if not figures or figures.accuracy is None:
        return ""
    return f"accuracy {percent(figures.accuracy)} % ({ends(figures.ci95)})"


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table as HTML; the first column is words, the others stand to the right.

    Everything is escaped. Of more than `MOST_ROWS` rows the first are shown, and how many more
    there are.
    """
    head = "".join(f"<th{_side(n)}>{escape(name)}</th>" for n, name in enumerate(columns))
    body = "".join(
        "<tr>" + "".join(f"<td{_side(n)}>{escape(_text(c))}</td>" for n, c in enumerate(row))
        + "</tr>"
        for row in rows[:MOST_ROWS]
    )  # fmt: skip
    more = len(rows) - MOST_ROWS
    rest = f"<p>and {more} more rows</p>" if more > 0 else ""
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


def lines(kind: str, texts: Iterable[object]) -> str:
    """Remarks, a paragraph each, such as "warning: ..."."""
    return "".join(f"<p><b>{escape(kind)}:</b> {escape(str(line))}</p>" for line in texts)


def _side(column: int) -> str:
    return f' style="text-align:{"right" if column else "left"}"'


def _text(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
