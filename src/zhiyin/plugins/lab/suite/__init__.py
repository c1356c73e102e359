"""Suites: many runs in one order, planned, carried out side by side, and shown on one page.

Places of tables and keys in the text of a TOML file, for messages to point at.
"""

from __future__ import annotations

import re
from collections import Counter

KeyPath = tuple[str | int, ...]
"""A key as it is reached: ("models", 1, "flags", "max-tokens"); places in lists from 0."""

_TABLE = re.compile(r"\s*+(\[\[?)([^\[\]]++)\]\]?\s*+(?:#.*)?$")
_KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")
_WITHIN = re.compile(r"""[{,]\s*("[^"]*"|'[^']*'|[\w-]+)\s*=""")


def lines_of(text: str) -> dict[KeyPath, int]:
    """The line of every table and key, from 1. For files that are TOML."""
    lines: dict[KeyPath, int] = {}
    times: Counter[str] = Counter()
    here: KeyPath = ()
    quoted = ""
    for number, line in enumerate(text.splitlines(), 1):
        if quoted:  # within a text of several lines
            quoted = "" if quoted in line else quoted
            continue
        if table := _TABLE.fullmatch(line):
            here = _table(table[1], _words(table[2]), times)
            lines.setdefault(here, number)
        elif key := _KEY.match(line):
            path = (*here, *_words(key[1]))
            for end in range(len(here) + 1, len(path) + 1):
                lines.setdefault(path[:end], number)
            rest = line[key.end() :]
            for inner in _WITHIN.findall(rest) if rest.lstrip().startswith("{") else ():
                lines.setdefault((*path, *_words(inner)), number)
            quoted = next((q for q in ('"""', "'''") if rest.count(q) == 1), "")
    return lines


def line_of(lines: dict[KeyPath, int], path: KeyPath) -> int:
    """The line of a key, or of the nearest table around it; 1 where there is none."""
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return 1


def key_in_words(path: KeyPath) -> str:
    """A key as people write it: ``models[2].flags.max-tokens``, counted from 1."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _table(bracket: str, words: tuple[str, ...], times: Counter[str]) -> KeyPath:
    """The path of a table's heading. Within a list of tables it belongs to the last one."""
    path: list[str | int] = []
    for place in range(len(words)):
        name = ".".join(words[: place + 1])
        path.append(words[place])
        if bracket == "[[" and place == len(words) - 1:
            times[name] += 1
        if times[name]:
            path.append(times[name] - 1)
    return tuple(path)


def _words(dotted: str) -> tuple[str, ...]:
    return tuple(word.strip().strip("\"'") for word in dotted.split("."))
