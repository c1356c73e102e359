"""Tables on a page: the macro ``table`` of ``web/blocks.html``."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from zhiyin.shown.figures import in_letters
from zhiyin.shown.pages import macro
from zhiyin.text import printable

if TYPE_CHECKING:
    from zhiyin.shown.table import Table

_MOST_ROWS = 15
"""Of a table in a notebook."""
_STYLE = (
    "<style>.zhiyin th, .zhiyin td { text-align: left } .zhiyin .n { text-align: right }</style>"
)


def as_html(table: Table, language: str = "en", most: int | None = None) -> str:
    """A table as HTML, for a notebook or another's page; all that is put into it is escaped.

    Parameters
    ----------
    table : Table
    language : {"en", "zh"}
    most : int, optional
        How many rows are shown: those of the most weight. A line says how many more there are.
    """
    shown = table if most is None else table.heaviest(most)
    left = len(table.rows) - len(shown.rows)
    return macro("table", language)(in_letters(shown, language), left)


def in_notebook(table: Table) -> str:
    """A table as HTML that needs no page around it, with `_MOST_ROWS` rows at most."""
    return f'<div class="zhiyin">{_STYLE}{as_html(table, most=_MOST_ROWS)}</div>'


def paragraphs(label: str, texts: Iterable[object]) -> str:
    """Sentences as HTML, a paragraph each, such as "warning: ..."."""
    return "".join(f"<p><b>{escape(label)}:</b> {escape(printable(str(x)))}</p>" for x in texts)
