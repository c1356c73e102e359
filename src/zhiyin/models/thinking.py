"""Thinking before the answer: told apart from it, kept in the log, never read as an answer."""

from __future__ import annotations

import re

from zhiyin.record import Reply

LEVELS = ("minimal", "low", "medium", "high", "xhigh", "max")
"""Words for how much a model thinks, from little to much; no model knows all of them."""
OFF = "off"

_OPEN = re.compile(r"\s*<(think|thinking|seed:think)>", re.IGNORECASE)
_CLOSE = re.compile(r"</(?:think|thinking|seed:think)>", re.IGNORECASE)


def way_of(thinking: str | int) -> str:
    """How much thinking is asked for: "off", "level" (a word) or "budget" (tokens)."""
    if isinstance(thinking, int):
        return "budget"
    return "off" if thinking == OFF else "level"


def apart(text: str) -> tuple[str, str]:
    """The answer and the thinking in a text that holds both.

    Open models write ``<think>...</think>`` before their answer. Chat templates that put the
    opening mark into the prompt leave the closing one alone in the reply. Thinking that was never
    closed has no answer behind it.

    Returns
    -------
    answer, thinking : str
        Thinking is empty where there are no marks; the answer is then the text as it is.
    """
    opened, closed = _OPEN.match(text), _CLOSE.search(text)
    if closed and (opened or not _inside(text[: closed.start()])):
        begun = opened.end() if opened else 0
        return text[closed.end() :].lstrip(), text[begun : closed.start()].strip()
    return ("", text[opened.end() :].strip()) if opened else (text, "")


def _inside(before: str) -> bool:
    """Whether a closing mark closes one that was opened within the text, after other words."""
    return re.search(r"<(?:think|thinking|seed:think)>", before, re.IGNORECASE) is not None


def with_thinking_apart(reply: Reply) -> Reply:
    """A reply whose text is the answer alone; its thinking is in ``detail["reasoning"]``."""
    if (
        "</think" not in reply.text
        and "<think" not in reply.text
        and "seed:think" not in reply.text
    ):
        return reply
    answer, thinking = apart(reply.text)
    if thinking or answer != reply.text:
        reply.text = answer
        earlier = reply.detail.get("reasoning")
        reply.detail["reasoning"] = f"{earlier}\n\n{thinking}" if earlier else thinking
    return reply
