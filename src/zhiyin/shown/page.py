"""Tables on a page: the macro ``table`` of ``web/blocks.html``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zhiyin.shown.figures import in_letters
from zhiyin.shown.pages import macro

if TYPE_CHECKING:
    from zhiyin.shown.table import Table


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
