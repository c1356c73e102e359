"""Texts in JSON, TOML and Python's literals: each is read here, and what is none is refused.

Whatever is wrong with a text is a `ValueError`. That holds for brackets without end, too: the
parsers meet them with a `RecursionError` or a `MemoryError`, or leave them to whoever walks
through what was read.
"""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Callable
from typing import Any

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
