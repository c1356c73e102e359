"""Thinking before the answer: separated from it, kept in the log, never read as an answer."""

from __future__ import annotations

import re

from zhiyin.record import OFF, Reply

_MARK = re.compile(r"<(/?)(?:think|thinking|seed:think)>", re.IGNORECASE)


def way_of(thinking: str | int) -> str:
    """How much thinking is asked for: "off", "level" (a word) or "budget" (tokens)."""
    if isinstance(thinking, int):
        return "budget"
    return "off" if thinking == OFF else "level"


def apart(text: str) -> tuple[str, str]:
    """The answer and the thinking in a text that holds both.

    Open models write ``<think>...</think>`` before their answer, and some again within it. Chat
    templates that put the opening mark into the prompt leave the closing one alone in the reply:
    all before it is thinking. So is all after a mark that is never closed.

    Returns
    -------
    answer, thinking : str
        Thinking is empty where there are no marks; the answer is then the text as it is.
    """
    answer: list[str] = []
    thoughts: list[str] = []
    thinks, at = False, 0
    for mark in _MARK.finditer(text):
        part, at = text[at : mark.start()], mark.end()
        if thinks:
            thoughts.append(part)
        elif mark[1]:
            thoughts += [*answer, part]
            answer.clear()
        else:
            answer.append(part)
        thinks = not mark[1]
    if not at:
        return text, ""
    (thoughts if thinks else answer).append(text[at:])
    return "".join(answer).lstrip(), "\n\n".join(filter(None, map(str.strip, thoughts)))


def with_thinking_apart(reply: Reply) -> Reply:
    """A reply whose text is the answer alone; its thinking is in ``detail["reasoning"]``."""
    answer, thinking = apart(reply.text)
    if thinking:
        earlier = reply.detail.get("reasoning")
        reply.detail["reasoning"] = f"{earlier}\n\n{thinking}" if earlier else thinking
    reply.text = answer
    return reply
