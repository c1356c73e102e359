"""Pages: templates of one family, each rendered in the language that was asked for.

A template is ``web/NAME.html`` of a room ("report/page.html"), or one of this room's own
("base.html"), which all others extend; ``blocks.html`` holds a macro for each block. Whatever is
put into one is escaped and printable, and messages and findings are said in the page's language;
``t("message", fact=...)`` says one by its name, and ``in_words(text)`` marks the names of runs.
A page in several languages is a file for each, and each leads to the others (`write_pages`).
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from html import escape
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.files import write_atomically
from zhiyin.shown.glossary import glossary_of
from zhiyin.shown.table import in_letters
from zhiyin.text import printable
from zhiyin.words import NAME_BEGINS, NAME_ENDS, Named, Said, Text, say

if TYPE_CHECKING:
    from types import CodeType

    import jinja2
    from jinja2.bccache import Bucket
    from markupsafe import Markup

    from zhiyin.shown.table import Table

STYLE = "style.css"
PAGE = "index.html"
"""What the page of a folder is called in the first of its languages."""
TONGUES = {"en": "English", "zh": "中文"}
Others = Sequence[tuple[str, str, str]]
"""The same page in other languages: which, how that language calls itself, and where it is."""
_HTML_LANGUAGES = {"zh": "zh-Hans"}


class Look(msgspec.Struct, frozen=True):
    """Source of a page's style and scripts: `in_page` and `linked` make one.

    Attributes
    ----------
    style, script : str
        In the page itself, and `policy` lets only these be used.
    policy : str
        Content security policy; a page that is served has its own in the answer's headers.
    sheets, scripts : tuple of str
        Addresses.
    """

    style: str = ""
    script: str = ""
    policy: str = ""
    sheets: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()


def asset(name: str) -> str:
    """A file of a room's folder ``web``: "report/trial.js", or "style.css" of this room.

    Of a plug-in it is a file of a package: "my_package.pages/page.html".
    """
    room, _, file = name.rpartition("/")
    folder = resources.files(room if "." in room else f"zhiyin.{room or 'shown'}")
    return folder.joinpath("web", file).read_text("utf-8")


def in_page(
    *,
    styles: tuple[str, ...] = (),
    scripts: tuple[str, ...] = (),
    rules: str = "",
    drawn: bool = False,
) -> Look:
    """The look of a page that opens from disk: everything is in it, and nothing else may run.

    Parameters
    ----------
    styles, scripts : tuple of str
        Assets beside the stylesheet that all pages have.
    rules : str
        Further rules of the content security policy, such as "connect-src 'self'".
    drawn : bool
        Whether drawings with styles of their own are in it, as matplotlib makes them.
    """
    style = "".join(asset(name) for name in (STYLE, *styles))
    script = "\n".join(asset(name) for name in scripts)
    policy = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "font-src data:"]
    policy.append("style-src 'unsafe-inline'" if drawn else f"style-src '{_digest(style)}'")
    policy += [f"script-src '{_digest(script)}'"] if script else []
    policy += [rules] if rules else []
    return Look(style=style, script=script, policy="; ".join(policy))


def linked(*addresses: str) -> Look:
    """The look of a page whose stylesheets and scripts have these addresses."""
    return Look(
        sheets=tuple(one for one in addresses if one.endswith(".css")),
        scripts=tuple(one for one in addresses if one.endswith(".js")),
    )


def page_in(page: Path, language: str) -> Path:
    """Path of a page in a language that is not its first: "x.zh.html" beside "x.html"."""
    return page.with_suffix(f".{language}{page.suffix}")


def files_of(page: Path, languages: Sequence[str]) -> dict[str, Path]:
    """The file of a page in each of its languages."""
    return {one: page_in(page, one) for one in languages} | {languages[0]: page}


def others(addresses: Mapping[str, str], language: str) -> Others:
    """The other languages of a page, whose address in each is given."""
    return [(one, TONGUES[one], to) for one, to in addresses.items() if one != language]


def write_pages(
    page: Path, languages: Sequence[str], make: Callable[[str, Others], str]
) -> list[Path]:
    """Write a page in each language, and take away one of a folder's that is asked for no more.

    Parameters
    ----------
    page : Path
        As it is called in the first language.
    languages : sequence of {"en", "zh"}
    make : callable
        Gives the page in a language, with links to the others.

    Raises
    ------
    OSError
        It cannot be written.
    """
    files = files_of(page, languages)
    names = {language: file.name for language, file in files.items()}
    for language, file in files.items():
        write_atomically(file, make(language, others(names, language)).encode("utf-8", "replace"))
    if page.name == PAGE:
        for left in {page_in(page, one) for one in TONGUES} - {*files.values()}:
            left.unlink(missing_ok=True)
    return list(files.values())


def render(template: str, language: str = "en", /, **facts: Any) -> str:
    """A page, or a part of one, in a language.

    Parameters
    ----------
    template : str
        "ROOM/NAME.html", or a template of this room.
    language : str
        Any: but what `t` says is in English and Chinese alone.
    **facts
        What the template names. One that it names and is not given is an error.
    """
    made = _templates(language).get_template(template).render(facts)
    body, place, end = made.rpartition(_GLOSSARY)
    return "".join((body, glossary_of(body, language), end)) if place else made


_GLOSSARY = "<!-- glossary -->"
"""Where a whole page says what the heads of its tables mean."""


def with_names(text: Text, language: str) -> Markup:
    """A text in a language, the names of runs in it (`zhiyin.words.Named`) in their typeface, and
    a command of ours, in backticks, as code.
    """
    from markupsafe import Markup, escape

    if isinstance(text, str):
        return escape(printable(say(text, language)))
    html = str(escape(say(text, language, names=True)))
    begun = html.replace(NAME_BEGINS, '<bdi class="run">')
    named = printable(begun.replace(NAME_ENDS, "</bdi>"))
    return Markup(_COMMAND.sub(r"<code>\1</code>", named))  # escaped above


def macro(name: str, language: str = "en") -> Callable[..., Markup]:
    """A block of ``blocks.html`` by itself, as HTML."""
    blocks: Any = _templates(language).get_template("blocks.html").module
    made: Callable[..., Markup] = getattr(blocks, name)
    return made


_COMMAND = re.compile(r"`([^`<>]{1,300})`")
_compiled: dict[str, CodeType | None] = {}
"""Templates of this process: only what they say differs between languages."""


_MARKS = {"colon": ": ", "listed": ", ", "stop": ". ", "apart": " "}
_CHINESE_MARKS = {"colon": "：", "listed": "、", "stop": "。", "apart": ""}
"""What templates set between texts."""


@cache
def _templates(language: str) -> jinja2.Environment:
    import jinja2
    from markupsafe import Markup

    def written(value: Any) -> Any:
        """Anything on its way into a page: in words, and without control characters."""
        if hasattr(value, "__html__"):
            return value
        if isinstance(value, str | msgspec.Struct):
            value = say(value, language)
        return "" if value is None else printable(str(value))

    def coded(value: Any) -> Any:
        """Words of ours on their way into a page; a command in them, in backticks, as code."""
        text = written(value)
        pieces = [] if hasattr(text, "__html__") else text.split("`")
        if not len(pieces) % 2:  # markup already, or a backtick without its fellow
            return text
        code = Markup("<code>{}</code>")
        return Markup("").join(code.format(p) if n % 2 else p for n, p in enumerate(pieces))

    class Compiled(jinja2.BytecodeCache):
        """Templates that another language has had compiled."""

        def load_bytecode(self, bucket: Bucket) -> None:
            bucket.code = _compiled.get(bucket.key)

        def dump_bytecode(self, bucket: Bucket) -> None:
            _compiled[bucket.key] = bucket.code

    templates = jinja2.Environment(
        loader=jinja2.FunctionLoader(asset), bytecode_cache=Compiled(), autoescape=True,
        undefined=jinja2.StrictUndefined, finalize=written, trim_blocks=True, lstrip_blocks=True,
        auto_reload=False,
    )  # fmt: skip
    templates.globals |= {
        "t": _saying(language),
        "letters": lambda table, **how: in_letters(table, language, **how),
        "in_words": partial(with_names, language=language),
        "language": language,
        **(_CHINESE_MARKS if language == "zh" else _MARKS),
        "html_language": _HTML_LANGUAGES.get(language, language),
        "look": Look(),
        "others": (),
    }
    templates.filters |= {"named": Named, "coded": coded}
    return templates


def _saying(language: str) -> Callable[..., str]:
    """Return the template function `t`: a message in words, run names (``NAME|named``) marked."""

    def t(name: str, /, **facts: Any) -> str:
        text = Said(name, facts)
        plain = say(text, language, names=True)
        return with_names(text, language) if NAME_BEGINS in plain else plain

    return t


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


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
