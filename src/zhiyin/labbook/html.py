"""HTML from values: all text is escaped, whoever wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from urllib.parse import urlencode

from zhiyin.labbook.words import t
from zhiyin.text import printable


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


Content = str | int | None | Markup | Iterable["Content"]


def el(name: str, /, *content: Content, **attributes: str | int | bool | None) -> Markup:
    """An element. Attributes: `class_` for class, "_" for "-"; None and False are left out.

    Parameters
    ----------
    name : str
    *content
        Text is escaped, `Markup` is not, None is nothing, iterables are joined.
    """
    attribute_text = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{_text(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in ("input", "br", "link", "meta"):
        return Markup(f"<{name}{attribute_text}>")
    if name in ("line", "circle"):  # in a drawing what is not closed would hold all that follows
        return Markup(f"<{name}{attribute_text}/>")
    return Markup(f"<{name}{attribute_text}>{join(content)}</{name}>")


def join(content: Iterable[Content]) -> Markup:
    """Pieces after one another."""
    parts: list[Markup] = []
    for piece in content:
        if piece is None:
            continue
        if isinstance(piece, Markup):
            parts.append(piece)
        elif isinstance(piece, str | int):
            parts.append(Markup(_text(piece)))
        else:
            parts.append(join(piece))
    return Markup("".join(parts))


def link(path: str, content: Content, /, **query: str | int) -> Markup:
    """A link to a page of ours."""
    return el("a", content, href=f"{path}?{urlencode(query)}" if query else path)


def table(
    head: Sequence[Content], rows: Iterable[Sequence[Content]], caption: str, numbers: set[int]
) -> Markup:
    """A table that becomes stacked rows on a phone; the columns `numbers` hold figures."""
    head = [t(c) if isinstance(c, str) and not isinstance(c, Markup) else c for c in head]
    names = [column if isinstance(column, str) else "" for column in head]

    def cell(place: int, content: Content) -> Markup:
        kind = "num" if place in numbers else None
        name = "th" if place == 0 else "td"
        label = names[place] if not isinstance(names[place], Markup) else _bare(names[place])
        return el(name, content, class_=kind, data_label=label or None,
                  scope="row" if place == 0 else None)  # fmt: skip

    body = [el("tr", (cell(p, c) for p, c in enumerate(row))) for row in rows]
    heads = (el("th", c, scope="col", class_="num" if p in numbers else None)
             for p, c in enumerate(head))  # fmt: skip
    return el(
        "div",
        el("table", el("caption", caption), el("thead", el("tr", heads)), el("tbody", body)),
        class_="wide",
    )


def _bare(markup: str) -> str:
    """The text of a heading that is a link."""
    text = markup.rpartition("</")[0] or markup
    return text.rpartition(">")[2]


def hidden(values: Mapping[str, str]) -> Markup:
    """Hidden fields of a form."""
    return join(el("input", type="hidden", name=k, value=v) for k, v in values.items())


def _text(value: object) -> str:
    return escape(printable(str(value)), quote=True)
