"""Reasons why replies were read as they were: the clauses that a log keeps, as messages.

A log keeps them in English, for it is read by other programs too. Here alone they are looked at.
"""

from __future__ import annotations

import re
import shlex
from functools import cache

from fluent.syntax import ast

from zhiyin.words import Said, Text, said
from zhiyin.words.messages import words_in

_KEPT = "log-"
"""What the names of messages begin with that are kept in English, with facts and no choices."""

_FURTHER = ", before a further question"
_UNSUPPORTED = "unsupported: "
"""What `UnsupportedError` begins with."""
_QUOTED, _LISTED = "quoted_", "listed_"
_COUNTED = re.compile(r"(?:^|; )(?=\d+ x )")
"""Where causes begin that are counted, "6 x no reply; 2 x the reply is empty"."""
_WORD = r"""(?:[^\s'"`]|'[^']*'|"[^"]*")+"""
"""A word of a shell."""


@cache
def _kept() -> list[tuple[str, re.Pattern[str]]]:
    """Messages that a log or JSON keeps in English, as what their English words match."""
    words = words_in("en")
    forms = {
        name: "".join(map(_form, words.pattern(name).elements))
        for name in words.names
        if name.startswith(_KEPT)
    }
    exact = sorted(forms, key=lambda name: (-len(forms[name]), name))
    return [(name, re.compile(forms[name])) for name in exact]


def _form(part: ast.TextElement | ast.Placeable) -> str:
    if isinstance(part, ast.TextElement):
        return re.escape(part.value)
    if isinstance(part.expression, ast.FunctionReference):
        (held,) = part.expression.arguments.positional
        assert isinstance(held, ast.VariableReference)
        if part.expression.id.name == "NAMES":
            return f"(?P<{_LISTED}{held.id.name}>.+)"
        return f"(?P<{_QUOTED}{held.id.name}>{_WORD})"
    assert isinstance(part.expression, ast.VariableReference)
    return f"(?P<{part.expression.id.name}>.+)"


def _fact(name: str, text: str) -> tuple[str, Text | list[str]]:
    """A fact of a message as it was read from its words, without a shell's quotes."""
    if name.startswith(_LISTED):
        return name.removeprefix(_LISTED), text.split(", ")
    if name.startswith(_QUOTED):
        return name.removeprefix(_QUOTED), "".join(shlex.split(text))
    return name, reason(text)


def is_spent(why: str) -> bool:
    """Tell whether a run ended since its budget is spent: the same command alone asks no more."""
    return "--budget" in why


def reason(text: str) -> Text:
    """A log's reason as a message; as it is where it is in other words."""
    known = _choices("reading-why")
    if why := known.get(text):
        return said("reading-why", why=why, what="")
    if _COUNTED.match(text):
        each = [one.split(" x ", 1) for one in _COUNTED.split(text)[1:]]
        return said("causes", each=[said("cause", n=n, what=reason(why)) for n, why in each])
    before = {words: key for words, key in known.items() if words.endswith(" ")}
    for name, form in [] if text.startswith((*before,)) else _kept():
        if found := form.fullmatch(text):
            return Said(name, dict(_fact(*pair) for pair in found.groupdict().items()))
    if text.startswith(_UNSUPPORTED):
        return said("unsupported", why=reason(text.removeprefix(_UNSUPPORTED)))
    first, several, rest = text.partition("; ")
    if several:
        return said("causes", each=[reason(first), reason(rest)])
    if text.endswith(_FURTHER):
        inner = reason(text.removesuffix(_FURTHER))
        return said("reading-why", why="before-another", what=inner)
    for start, why in before.items():
        if text.startswith(start):
            return said("reading-why", why=why, what=reason(text.removeprefix(start)))
    return text


@cache
def _choices(message: str) -> dict[str, str]:
    """The choices of a message by their English words."""
    (part,) = words_in("en").pattern(message).elements
    assert isinstance(part, ast.Placeable)
    assert isinstance(part.expression, ast.SelectExpression)
    keys = [one.key.name for one in part.expression.variants if isinstance(one.key, ast.Identifier)]
    facts = ({"name": key, "why": key, "what": ""} for key in keys if key != "other")
    return {words_in("en").say(message, each): each["name"] for each in facts}


def as_said(message: str, text: str) -> Said:
    """The choice of a message that has these words in English; else the words as they are."""
    return Said(message, {"name": _choices(message).get(text, text)})


def heading(text: Text) -> Text:
    """A heading as a message, where it is written in English; as it is where it is somebody's."""
    return as_said("head", text) if isinstance(text, str) else text
