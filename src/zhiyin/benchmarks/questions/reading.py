"""Which words of a reply a free answer is taken from: all of them, its list, its transcript."""

from __future__ import annotations

import re

from zhiyin.reader import forms
from zhiyin.reader.forms import Value
from zhiyin.reader.plain import plain

_BULLET = re.compile(r"^\s*+(?:[-*•–]|\d{1,2}[.)])\s++(\S.*)$")
_TRANSCRIPT = re.compile(
    r"^[^\w\n]*+(?:final\s++)?(?:answer|transcript|lyrics|答案|歌词)[^\w\n:：]*+[:：]\W*+",
    re.I | re.M,
)


def whole_reply(text: str) -> Value:
    """All words of a reply but its reasoning."""
    words = plain(text)
    if not words.text.strip():
        return Value(None, "nothing said outside the reasoning" if text.strip() else "empty reply")
    return Value(words.text, "the whole reply", None, "by text alone")


def listed(text: str) -> Value:
    """The answer that a reply states as a list: after "answer:", or as two bullets or more."""
    bullets = [match[1].rstrip() for line in text.splitlines() if (match := _BULLET.match(line))]
    stated = forms.words(text)
    if len(bullets) > 1 and not stated.why.startswith("declared"):
        return Value("\n".join(bullets), "a list of bullets", None, "declared")
    return stated


def transcript(text: str) -> Value:
    """A longer text: all that follows the last "Answer:" at the head of a line, else the reply."""
    reply = whole_reply(text)
    if reply.value is None:
        return reply
    marks = list(_TRANSCRIPT.finditer(reply.value))
    rest = reply.value[marks[-1].end() :].strip() if marks else ""
    return Value(rest, "what follows 'answer:'", None, "declared") if rest else reply
