"""Tables on a page: HTML by Jinja2, which escapes all that is put into it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from zhiyin.shown.figures import in_letters
from zhiyin.text import printable

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from zhiyin.shown.table import Table


@cache
def templates() -> Environment:
    """The templates of ``shown/web``; what they are given is escaped, control characters shown."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("zhiyin.shown", "web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["printable"] = printable
    return environment


def as_html(table: Table, language: str = "en", most: int | None = None) -> Markup:
    """A table as HTML: the macro ``table`` of ``blocks.html``.

    Parameters
    ----------
    table : Table
    language : {"en", "zh"}
    most : int, optional
        How many rows are shown: those of the most weight. A line says how many more there are.
    """
    from markupsafe import Markup

    shown = table if most is None else table.heaviest(most)
    left = len(table.rows) - len(shown.rows)
    blocks = templates().get_template("blocks.html").module
    return Markup(blocks.table(in_letters(shown, language), left, language))  # type: ignore[attr-defined]
