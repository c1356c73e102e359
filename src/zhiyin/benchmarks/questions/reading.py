"""Which words of a reply a free answer is taken from: what it states, its list, its transcript."""

from __future__ import annotations

import re

from zhiyin.reader import forms
from zhiyin.reader.forms import Value
from zhiyin.reader.plain import plain

_SHARP = re.compile(r"(?<![A-Za-z])([A-Ga-g])(#{1,2})(?![A-Za-z0-9])")
_DOT = "․"
"""Stands for a full stop that ends no sentence."""
_ABBREVIATED = re.compile(
    r"(?<=\b(?i:op|no|nr|kv|rv))\.(?=\s\d)|(?<=\b(?i:bwv|vol|hob|bar))\.(?=\s\d)"
    r"|(?<=\b(?i:st|dr|mr|ca|vs))\.(?=\s\w)"
    r"|(?<=\b[A-Za-z])\.(?=\s[A-Za-z]\.)|(?<=\b[A-Za-z]\.\s[A-Za-z])\.(?=\s)"
    r"|(?<=\b[A-Z])\.(?=\s[A-Z]\w+\W*$)",
    re.MULTILINE,
)
_BULLET = re.compile(r"^\s*+(?:[-*•–]|\d{1,2}[.)])\s++(\S.*)$")
_TRANSCRIPT = re.compile(
    r"^[^\w\n]*+(?:final\s++)?(?:answer|transcript|lyrics|答案|歌词)[^\w\n:：]*+[:：]\W*+",
    re.I | re.M,
)


def _marked(text: str) -> str:
    """A reply whose sharps cannot be taken for the marks of a heading. As long as it was."""
    return _SHARP.sub(lambda match: match[1] + "♯" * len(match[2]), text)


def stated(text: str) -> Value:
    """The answer as the reply words it, where it states one; "Op. 18" is whole."""
    found = forms.words(_ABBREVIATED.sub(_DOT, _marked(text)))
    if isinstance(found.value, str):
        return found._replace(value=found.value.replace("♯", "#").replace(_DOT, "."))
    return found


def notes(text: str) -> Value:
    """The names of notes that the reply states, in order."""
    return forms.notes(_marked(text))


def whole_reply(text: str) -> Value:
    """All words of a reply but its reasoning."""
    words = plain(text)
    if not words.text.strip():
        return Value(None, "nothing said outside the reasoning" if text.strip() else "empty reply")
    return Value(words.text, "the whole reply", None, "by text alone")


def listed(text: str) -> Value:
    """The answer that a reply states as a list: after "answer:", or as two bullets or more."""
    bullets = [match[1].rstrip() for line in text.splitlines() if (match := _BULLET.match(line))]
    found = stated(text)
    if len(bullets) > 1 and not found.why.startswith("declared"):
        return Value("\n".join(bullets), "a list of bullets", None, "declared")
    return found


def transcript(text: str) -> Value:
    """A longer text: all that follows the last "Answer:" at the head of a line, else the reply."""
    found = whole_reply(text)
    if found.value is None:
        return found
    marks = list(_TRANSCRIPT.finditer(found.value))
    rest = found.value[marks[-1].end() :].strip() if marks else ""
    return Value(rest, "what follows 'answer:'", None, "declared") if rest else found
