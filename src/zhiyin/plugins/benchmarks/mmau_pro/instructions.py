"""Rules of MMAU-Pro, by their names, on whether a reply follows an instruction on its form.

Source of names, arguments and limits: sonalkum/MMAUPro, ``evaluate_mmau_pro_comprehensive.py``,
``evaluate_aif_sample`` (lines 122-252 at commit 960e93a). There sentences are counted by NLTK's
punkt; here by their end marks, so that "Dr. Who" may count as two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Arguments = Mapping[str, Any]
_SENTENCE_END = re.compile(r"(?<![.!?…。！？])[.!?…。！？]++[\"'”’)\]]*+(?:\s++|$)")
_WITHIN = re.compile(r"(.+) \((at least|at most|range)\)")


def follows(rule: str, text: str, arguments: Arguments, question: str) -> bool | None:
    """Tell whether a reply follows a rule; None for a rule that is not known.

    Parameters
    ----------
    rule : str
        The row's ``task_identifier``.
    text : str
        The reply.
    arguments : mapping
        The row's ``kwargs``.
    question : str
        For the rule that has it repeated.
    """
    bounded = _WITHIN.fullmatch(rule)
    if bounded and bounded[1] in _COUNTED:
        n = _COUNTED[bounded[1]](text)
        if bounded[2] == "range":
            return _number(arguments, "N1") <= n <= _number(arguments, "N2", 999)
        limit = _number(arguments, "N")
        return n >= limit if bounded[2] == "at least" else n <= limit
    if rule == "Repeat Prompt":
        return text.strip().lower().startswith(question.strip().lower())
    check = _RULES.get(rule)
    return None if check is None else check(text, arguments)


def _number(arguments: Arguments, name: str, usual: float = 0) -> float:
    """A number among the arguments; they are text in some copies of the data."""
    value = arguments.get(name)
    try:
        return usual if value is None else float(value)
    except (TypeError, ValueError):
        return usual


def _word(arguments: Arguments, name: str) -> str:
    return str(arguments.get(name) or "")


def _names(arguments: Arguments, name: str) -> list[str]:
    return _word(arguments, name).lower().split(", ")


def _sentences(text: str) -> int:
    return sum(1 for piece in _SENTENCE_END.split(text) if piece.strip())


def _letters(text: str, kept: str = "") -> str:
    """Letters of the English alphabet alone, small, and what is `kept` beside them."""
    return "".join(c for c in text.lower() if "a" <= c <= "z" or c in kept)


def _filled(pieces: list[str]) -> int:
    return sum(1 for piece in pieces if piece.strip())


_COUNTED: dict[str, Callable[[str], int]] = {
    "Number Words": lambda text: len(text.split()),
    "Number Sentences": _sentences,
    "All-capital Words": lambda text: sum(map(str.isupper, text.split())),
}
"""What is counted by the rules that have bounds."""


def _titled(text: str) -> bool:
    """Tell whether ``<<[^>]+>>`` is found, in linear time."""
    pieces = text.split(">")
    return any(
        "<<" in piece[:-1] and not after
        for piece, after, _ in zip(pieces, pieces[1:], pieces[2:], strict=False)
    )


def _bullets(text: str) -> int:
    r"""Count how often ``(?:^|\n)\s*\*\s+`` is found, in linear time."""
    count = end = 0
    for match in re.finditer(r"\*\s++", text):
        place = match.start()
        while place > end and text[place - 1].isspace():
            place -= 1
        if "\n" in text[place : match.start()] or place == 0:
            count, end = count + 1, match.end()
    return count


def _often(pattern: str, text: str) -> int:
    return len(re.findall(pattern, text))


def _keyword(text: str, arguments: Arguments) -> bool:
    whole = rf"\b{re.escape(_word(arguments, 'keyword').lower())}\b"
    return _often(whole, text.lower()) == _number(arguments, "N")


def _sections(text: str, arguments: Arguments) -> bool:
    mark = _word(arguments, "section_splitter")
    pieces = text.split(mark) if mark else list(text)
    return _filled(pieces) == _number(arguments, "N")


def _two(text: str, arguments: Arguments) -> bool:
    parts = [part.strip().lower() for part in text.split("******")]
    return len(parts) == 2 and parts[0] != parts[1]


def _quoted(text: str, arguments: Arguments) -> bool:
    bare = text.strip()
    return bare.startswith('"') and bare.endswith('"')


_RULES: dict[str, Callable[[str, Arguments], bool]] = {
    "Include Keywords": lambda t, a: all(word in t.lower() for word in _names(a, "keywords")),
    "Forbidden Words": lambda t, a: all(w not in t.lower() for w in _names(a, "forbidden_words")),
    "Keyword Frequency": _keyword,
    "Number Paragraphs": lambda t, a: _filled(t.split("***")) == _number(a, "N"),
    "Number Placeholder": lambda t, a: (
        _often(r"\[[^\]]+\]", t[: t.rfind("]") + 1]) >= _number(a, "N")
    ),
    "Number Bullets": lambda t, a: _bullets(t) == _number(a, "N"),
    "Minimum Number Highlighted Section": lambda t, a: _often(r"\*[^*]+\*", t) >= _number(a, "N"),
    "Multiple Sections": _sections,
    "Title": lambda t, a: _titled(t),
    "Postscript": lambda t, a: _letters(_word(a, "postscript_marker")) in _letters(t),
    "Two Responses": _two,
    "All Uppercase": lambda t, a: t.isupper(),
    "All Lowercase": lambda t, a: t.islower(),
    "Start Checker": lambda t, a: _letters(t, " ").startswith(
        _letters(_word(a, "start_phrase"), " ")
    ),
    "End Checker": lambda t, a: _letters(t, " ").endswith(_letters(_word(a, "end_phrase"), " ")),
    "Quotation": _quoted,
    "No Commas": lambda t, a: "," not in t,
}


def is_known(rule: str) -> bool:
    """Tell whether there is a rule of this name."""
    return follows(rule, "", {}, "-") is not None
