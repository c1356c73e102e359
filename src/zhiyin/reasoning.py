"""Thinking and answering parts of a reply: the marks of all models, known in this one place.

A mark is known by its name: whatever tag speaks of thinking, reasoning or analysis sets apart what
it holds, in angle brackets, with bars, with a model's prefix or suffix. What a reply gives as its
response counts where the reply began with a mark.
"""

from __future__ import annotations

import re
from collections import deque

_NAMED = r"(?:think|thought|reason|analysis|scratchpad|reflection|monologue|rationale)"
_MARK = re.compile(
    r"<\|?(?P<shut>/|end_(?:of_)?)?(?:[a-z]{1,12}:)?"
    rf"(?:[a-z_]{{0,20}}?{_NAMED}[a-z_]{{0,16}}|cot|unused9(?P<nine>[45]))(?::[\w-]{{1,20}})?\|?>"
    r"|[\[◁](?P<shut2>/?)(?:think(?:ing)?|thoughts?|reason(?:ing)?|analysis|scratchpad|reflection)"
    r"[\]▷]",
    re.IGNORECASE,
)
CHANNEL = "<|channel|>final<|message|>"
_RESPONSE = re.compile(
    r"<\|?(?:begin_of_|start_(?:of_)?|final_)?(?:response|solution|output)\|?>", re.IGNORECASE
)
_CLOSED = re.compile(
    r"<(?:/|\|/?end_(?:of_)?)(?:final_)?(?:response|solution|output)\|?>\s*+\Z", re.IGNORECASE
)
HIDDEN_CHANNEL = re.compile(r"<\|channel\|>(?:analysis|commentary)[^<]{0,40}<\|message\|>")
_IN_WORDS = (
    (
        re.compile(
            r"(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)[^<]{0,40}<"
            r"(?:\|message\|>)?"
        ),
        re.compile(r"(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>"),
    ),
    (re.compile(r"\s{0,9}analysis(?=[A-Z\"'])"), re.compile(r"assistant\s?final(?!ly)")),
    (
        re.compile(r"[\s*#]{0,9}Here(?: is|'s) my (?:thought|reasoning)(?: process)?\s?:", re.I),
        re.compile(r"\bHere(?: is|'s) my (?:final )?(?:response|answer)\s?:[\s*]{0,9}", re.I),
    ),
)
"""What stands at the head of the thinking, and of the response, of gpt-oss and of Granite."""

Span = tuple[int, int]


def parts(text: str) -> tuple[list[Span], list[Span]]:
    """Return the spans in which `text` answers and in which it thinks.

    A block that is never closed hides the rest. A closing mark that was never opened ends thinking
    that began with the text: chat templates often open the block themselves.

    Returns
    -------
    answers, thoughts : list of (int, int)
        Without the marks.
    """
    for opening, response in _IN_WORDS:
        if opened := opening.match(text):
            begun = response.search(text, opened.end())
            if begun is None:
                return [], [(opened.end(), len(text))]
            return [(begun.end(), len(text))], [(opened.end(), begun.start())]
    if "<" not in text and "[" not in text and "◁" not in text:
        return [(0, len(text))], []
    start, end, thoughts = _response(text)
    answers: list[Span] = []
    at, inside, last = start, False, len(text[:end].rstrip())
    for mark in _MARK.finditer(text, start, end):
        piece, at = (at, mark.start()), mark.end()
        if inside:
            thoughts.append(piece)
        elif not _shuts(mark) or (thoughts and at >= last):  # a tag too many, at the end
            answers.append(piece)
        else:
            thoughts += [*answers, piece]
            answers.clear()
        inside = not _shuts(mark)
    (thoughts if inside else answers).append((at, end))
    return answers, thoughts


def _shuts(mark: re.Match[str]) -> bool:
    return bool(mark["shut"] or mark["shut2"] or mark["nine"] == "5")


def _response(text: str) -> tuple[int, int, list[Span]]:
    """Return the response's start and end, and what was thought before it."""
    opening = deque(_RESPONSE.finditer(text), maxlen=1) if text.lstrip()[:1] in "<[◁" else None
    if not opening:
        return 0, len(text), []
    last = opening[0]
    closed = _CLOSED.search(text, max(last.end(), len(text) - 60))
    end = closed.start() if closed else len(text)
    before = [(0, last.start())] if last.start() else []
    return last.end(), end, before


def apart(text: str) -> tuple[str, str]:
    """The answer and the thinking in a text that holds both.

    Returns
    -------
    answer, thinking : str
        Thinking is empty where there are no marks; the answer is then the text as it is.
    """
    answers, thoughts = parts(text)
    if not thoughts and answers == [(0, len(text))]:
        return text, ""
    said = "".join(text[a:b] for a, b in answers).lstrip()
    return said, "\n\n".join(filter(None, (text[a:b].strip() for a, b in thoughts)))
