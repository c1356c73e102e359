"""JSON objects in a text of any kind, found in one pass, however deep they are nested.

A decoder that is tried at every brace takes quadratic time on braces that are never closed.
Here it is tried once: where it fails, what was open is given up, what was closed before the
fault is kept, and the search goes on from there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

_DECODER = json.JSONDecoder(strict=False)
_FAULTS = 20
"""How often the decoder may fail: each time it counts the lines up to the fault."""
_BLANK = r"[ \t\n\r]*+"
_STRING = r'"(?:[^"\\]|\\.)*+"'
_NAME = rf"{_BLANK}{_STRING}{_BLANK}:"
_PLAIN = (
    rf"{_BLANK}(?:{_STRING}|true|false|null|NaN|-?(?:Infinity|[0-9]++(?:\.[0-9]++)?"
    r"(?:[eE][-+]?[0-9]++)?))"
)
_FLAT = rf"\{{(?:{_NAME}{_PLAIN}(?:{_BLANK},{_NAME}{_PLAIN})*+)?{_BLANK}\}}"
_BEGIN = re.compile(rf"\{{{_NAME}", re.DOTALL)
"""The beginning of an object that is not empty."""
_VALUE = re.compile(rf"{_BLANK}(?:({_FLAT})|([{{\[])|{_PLAIN})", re.DOTALL)
_MEMBER = re.compile(_NAME, re.DOTALL)
_NEXT = re.compile(rf"{_BLANK}([,\]}}])")
_EMPTY = re.compile(rf"{_BLANK}([\]}}])")
_CLOSING = {"{": "}", "[": "]"}


def objects_in(text: str) -> Iterator[tuple[dict[str, Any], int]]:
    """Every object in a text that is good JSON, not empty and in no other such, and its end.

    Objects nested deeper than Python can follow, and those with a number of thousands of
    digits, are left out.
    """
    place, faults = 0, 0
    while (begun := _BEGIN.search(text, place)) is not None:
        if faults < _FAULTS:
            try:
                decoded, place = _DECODER.raw_decode(text, begun.start())
                yield decoded, place
                continue
            except (ValueError, RecursionError):
                faults += 1
        whole, place = _whole_before_fault(text, begun.start())
        for begin, end in whole:
            with suppress(ValueError, RecursionError):
                yield _DECODER.decode(text[begin:end]), end


def _whole_before_fault(text: str, begin: int) -> tuple[list[tuple[int, int]], int]:
    """Begin and end of the whole objects in a broken one, and where to look for the next.

    That is where the last string began, for a string that was never closed swallows what
    follows, up to the next quote.
    """
    opened = [("{", begin, 0)]  # kind, place, and how many whole objects there were before
    whole: list[tuple[int, int]] = []
    place, last, fresh = begin + 1, begin + 1, True
    while opened:
        kind, since, before = opened[-1]
        mark = _EMPTY.match(text, place) if fresh else _NEXT.match(text, place)
        if mark is not None and mark[1] != ",":
            if mark[1] != _CLOSING[kind]:
                break
            opened.pop()
            place, fresh = mark.end(), False
            if kind == "{":
                whole[before:] = [(since, place)]
            continue
        if mark is None and not fresh:
            break
        place = place if mark is None else mark.end()
        if kind == "{":
            name = _MEMBER.match(text, place)
            if name is None:
                break
            last, place = place, name.end()
        value = _VALUE.match(text, place)
        if value is None:
            break
        last, place, fresh = place, value.end(), value[2] is not None
        if value[1] is not None:
            whole.append(value.span(1))
        elif fresh:
            opened.append((value[2], place - 1, len(whole)))
    return whole, max(begin + 1, last if opened else place)
