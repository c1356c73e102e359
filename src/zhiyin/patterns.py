"""Regular expressions that users write: tried before the run, and never without a limit of time.

`re` has no such limit and hears no signal while it searches, so that one pattern on one reply could
hold a process for ever; the package regex reads the same patterns and has one.
"""

from __future__ import annotations

import functools
import re

import regex

from zhiyin.errors import InputError

_SECONDS = 2.0
"""Of processor time, for one pattern on one reply: a usual one takes a thousandth of it."""
_TRIED_S = 0.1
_TRIED_ON = ("a", " ", "0", "ab ", "word ", "1, ", "和")
_TRIED_LETTERS = 500
ADVICE = "write it without a repeated group that holds another repetition"


def found(pattern: str, text: str, seconds: float = _SECONDS) -> bool:
    """Whether a pattern matches anywhere in a text.

    Raises
    ------
    InputError
        It takes longer than `seconds`.
    """
    try:
        return regex.search(pattern, text, timeout=seconds) is not None
    except TimeoutError:
        raise InputError(
            f"the pattern {pattern[:60]!r} took more than {seconds:g} s on this reply: {ADVICE}"
        ) from None


@functools.lru_cache(maxsize=4096)
def trouble_with(pattern: str) -> str:
    """What is wrong with a pattern, to be said behind it; "" for nothing.

    It is tried on texts that nearly match: a pattern that tries every way of parting a text takes
    twice as long for each letter more.
    """
    try:
        re.compile(pattern)
        regex.compile(pattern)
    except (re.error, regex.error, RecursionError, OverflowError) as error:
        return f"is no regular expression ({error})"
    for sign in (*_TRIED_ON, *dict.fromkeys(re.findall(r"[^\W\d_]+|\d", pattern)[:8])):
        text = sign * (_TRIED_LETTERS // len(sign) or 1)
        for tried in (f"{text}\x00", f"{sign}\x00{text}\x00"):
            try:
                found(pattern, tried, _TRIED_S)
            except InputError:
                return f"takes too long on {sign!r} many times over: {ADVICE}"
    return ""
