"""What stands in a cell: a text, a list, a yes; whatever the format of the file."""

from __future__ import annotations

import ast
import functools
import json
import re
from collections.abc import Sequence
from typing import Any

import msgspec

DELIMITERS = ("\n", "|", ";")
"""What parts the entries of one cell, the first that is there. Commas stand within options too
often to part them."""
YES = frozenset({"1", "yes", "y", "true", "x", "是", "✓"})
NO = frozenset({"", "0", "no", "n", "false", "否"})
_LABEL = re.compile(r"\(?([A-Z])\s*[).:、．：]\s*")


class Options(msgspec.Struct, frozen=True):
    """The options of a question, and what the file calls them ("A", "B", ... or its own labels)."""

    texts: tuple[str, ...]
    labels: tuple[str, ...]


def text_of(value: Any) -> str:
    """A cell as text: 3.0 of a spreadsheet is 3, True is true, nothing is empty."""
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def list_of(value: Any, delimiter: str | None = None) -> list[Any] | None:
    """The entries of a cell; None where it holds but one thing.

    A list of the format's own, a JSON list, a list as Python prints it, or entries parted by
    `delimiter` (by default the first of `DELIMITERS` that is there).
    """
    if isinstance(value, list | tuple):
        return list(value)
    if not isinstance(value, str):
        return None
    text = value.strip()
    if text.startswith("[") and text.endswith("]"):
        for read in (json.loads, ast.literal_eval):
            try:
                parsed = read(text)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                continue
            if isinstance(parsed, list):
                return parsed
    for sign in (delimiter,) if delimiter else DELIMITERS:
        if sign in text:
            return [part.strip() for part in text.split(sign) if part.strip()]
    return None


def entries(value: Any, delimiter: str | None = None) -> tuple[str, ...]:
    """The entries of a cell as texts; one where it holds one thing, none where it is empty."""
    if value is None:
        return ()
    parts = list_of(value, delimiter)
    texts = map(text_of, [value] if parts is None else parts)
    return tuple(filter(None, texts))


def yes(value: Any) -> bool | None:
    """A yes or a no; None where the cell says neither."""
    word = text_of(value).casefold()
    return True if word in YES else False if word in NO else None


@functools.cache
def letters(count: int) -> tuple[str, ...]:
    """The first `count` letters of the alphabet."""
    return tuple(chr(65 + place) for place in range(count))


def options_of(value: Any, delimiter: str | None = None) -> Options | str:
    """The options in one cell, or what is wrong with it.

    A list; entries parted by a delimiter; an object of texts by label (``{"A": "lute"}``) or of
    two lists (``{"text": [...], "label": [...]}``). An entry's own letter is left out where every
    option has its own.
    """
    if isinstance(value, str) and value.strip().startswith("{"):
        try:
            value = json.loads(value)
        except ValueError:
            return "an object of options that is not JSON"
    if isinstance(value, dict):
        return _labelled(value)
    parts = list_of(value, delimiter)
    if parts is None:
        return "" if not text_of(value) else "options that cannot be told apart"
    return own_letters_off(tuple(map(text_of, parts)))


def _labelled(value: dict[str, Any]) -> Options | str:
    texts, labels = value.get("text"), value.get("label")
    if isinstance(texts, list) and isinstance(labels, list) and len(texts) == len(labels):
        return Options(tuple(map(text_of, texts)), tuple(map(text_of, labels)))
    if any(isinstance(text, list | dict) for text in value.values()):
        return "an object of options that is neither texts by label nor two lists"
    filled = {label: text_of(text) for label, text in value.items() if text is not None}
    return Options(tuple(filled.values()), tuple(filled))


def own_letters_off(texts: Sequence[str]) -> Options:
    """Options without the letters that all of them begin with: they get them from us."""
    named = letters(len(texts)) if len(texts) <= 26 else ()
    matches = [_LABEL.match(text) for text in texts[: 1 if named else 0]]
    if matches and matches[0]:  # most have none, and need no second look
        matches += [_LABEL.match(text) for text in texts[1:]]
    if len(matches) == len(texts) and all(
        m and m[1] == n and m.end() < len(m.string) for m, n in zip(matches, named, strict=True)
    ):
        texts = [text[match.end() :] for text, match in zip(texts, matches, strict=True) if match]
    return Options(tuple(texts), named or tuple(map(str, range(1, len(texts) + 1))))
