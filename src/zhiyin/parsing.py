"""Texts in JSON, TOML and Python's literals, from files and servers: read here, or refused.

Whatever is wrong with a text is a `ValueError`. That holds for brackets without end, too: the
parsers meet them with a `RecursionError` or a `MemoryError`, or leave them to whoever walks
through what was read.

Bodies that servers send are read as leniently as files: JSON of any writer, streams, web pages.
"""

from __future__ import annotations

import ast
import functools
import json
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from zhiyin.errors import LostError
from zhiyin.files import NOT_JSON
from zhiyin.words import said

T = TypeVar("T")
DEEPEST = 100
"""Values within values, at most: what people and programs write has some ten."""


def read_json_text(text: str | bytes) -> Any:
    """Decode JSON, to which Python counts NaN and Infinity. Raises `ValueError`."""
    return _read(json.loads, text)


def read_toml_text(text: str | bytes) -> dict[str, Any]:
    """Decode TOML. Raises `ValueError`."""
    import tomllib  # which takes a while to load

    found: dict[str, Any] = _read(
        tomllib.loads, text.decode("utf-8") if isinstance(text, bytes) else text
    )
    return found


def read_beside(module: str, name: str, kind: type[T]) -> T:
    """Decode a table of our own, TOML or JSON, which stands beside a module (its `__file__`)."""
    decode = msgspec.toml.decode if name.endswith(".toml") else msgspec.json.decode
    table: T = decode(Path(module).with_name(name).read_bytes(), type=kind)
    return table


def read_literal(text: str) -> Any:
    """Decode a literal of Python; nothing is evaluated. Raises `ValueError`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a backslash that means nothing in Python
        return _read(ast.literal_eval, text)


def _read(parse: Callable[[Any], Any], text: Any) -> Any:
    try:
        value = parse(text)
    except (RecursionError, MemoryError):
        raise ValueError("it is nested too deeply") from None
    except (SyntaxError, TypeError):
        raise ValueError("it is no literal of Python") from None
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list | tuple | set)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list | tuple)
        ]
        if not level:
            return value
    raise ValueError("it is nested too deeply")


_PAGE = re.compile(r"\s*(?:<!--.*?-->\s*)?<(?:!doctype|\?xml|html|head|body)\b", re.I | re.S)
_TITLE = re.compile(r"<(title|h1)[^<>]*>\s*([^<>]{1,200})", re.IGNORECASE)


def _finite(written: str) -> float | None:
    return value if math.isfinite(value := float(written)) else None


_lenient = json.JSONDecoder(parse_constant=lambda _: None, parse_float=_finite, strict=False)


_decoder: Callable[[Any], msgspec.json.Decoder[Any]] = functools.cache(msgspec.json.Decoder)


def text_in(body: bytes, errors: str = "replace") -> str:
    """A body as text, in the encoding that its byte order mark or the zeros in it tell."""
    return body.decode(json.detect_encoding(body), errors)


def decoded(body: bytes, kind: type[T], what: str, *, part: bool = False) -> T:
    """Decode a JSON body.

    Writers differ. NaN and infinities are missing figures, half a character is U+FFFD; raw line
    breaks in texts, comments that keep a connection alive, and what follows the first value are
    no reason to lose what was paid for.

    Parameters
    ----------
    body : bytes
    kind : type
        What it must be.
    what : str
        It should have been, for messages.
    part : bool
        Whether it is a piece of a stream: the other half of a character may be in the next one.

    Raises
    ------
    LostError
        It is empty, a web page, or nothing of the kind.
    """
    try:
        return _decoder(kind).decode(body)  # type: ignore[no-any-return]
    except NOT_JSON as error:
        problem: Exception = error
    try:
        lines = text_in(body, "strict").splitlines(True)
        kept = [line for line in lines if not line.startswith(":")]
        text = "".join(kept).strip()
        value, end = _lenient.raw_decode(text)
        if end < len(text) and not isinstance(value, dict):  # "404 page not found"
            raise ValueError
        if not part:
            value = read_json_text(whole([json.dumps(value, ensure_ascii=False)]))
        return msgspec.convert(value, kind)
    except (*NOT_JSON, ValueError):
        if not body.strip():
            raise LostError(str(said("log-empty"))) from None
        if title := page_title(body):
            raise LostError(str(said("log-replied-with", what=title))) from None
        raise LostError(str(said("log-no-form", what=what, why=problem))) from None


def fitting(value: Any, kind: type[T]) -> T | None:
    """A part of a reply that it can do without; None where it is not of its kind."""
    try:
        return msgspec.convert(value, kind)
    except NOT_JSON:
        return None


def whole(texts: Iterable[str]) -> str:
    """The text that pieces make: a character whose halves came apart is put together."""
    return "".join(texts).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def page_title(body: bytes) -> str:
    """Return the title of a web page, for a message; "" if the body is none."""
    text = text_in(body)
    if not _PAGE.match(text):
        return ""
    title = _TITLE.search(text)
    page = str(said("log-web-page"))
    return f'{page} ("{" ".join(title[2].split())}")' if title else page


def is_stream(body: bytes) -> bool:
    """Tell whether a body is a stream: server-sent events, or an object on each of some lines."""
    lines = [line for line in body.removeprefix(b"\xef\xbb\xbf").splitlines() if line.strip()]
    first = next((line for line in lines if not line.startswith(b":")), b"")
    if first.startswith((b"data:", b"event:", b"id:", b"retry:")):
        return True
    return len(lines) > 1 and all(line[:1] + line[-1:] == b"{}" for line in lines)


def events(body: bytes, kind: type[T]) -> Iterator[T]:
    """The events of a stream, one JSON a ``data:`` or a line. Raises `LostError` for others."""
    for line in body.removeprefix(b"\xef\xbb\xbf").splitlines():
        name, _, data = line.partition(b":")
        data = line if line.startswith(b"{") else data if name.strip() == b"data" else b""
        if data.strip() not in (b"", b"[DONE]"):
            yield decoded(data, kind, "stream that can be read to its end", part=True)
