"""Texts that may try to instruct their judge: found by their wording, and put between marks."""

from __future__ import annotations

import re
from hashlib import blake2b

from zhiyin.text import as_seen

_WORD = r"(?<![a-z])"
"""Where a Latin word begins; Chinese characters stand beside it without a space."""
_FIELDS = r"novelty_score|music_relevance_score|insight_depth_score|points|verdict"
# Gaps are possessive or short, so that looking takes linear time whatever the text.
_ATTEMPT = re.compile(
    rf"{_WORD}(?:ignore|disregard|forget)\s++(?:all\s++|any\s++)?(?:of\s++)?"
    r"(?:the\s++|your\s++)?(?:(?:previous|above|prior|earlier|other)\s*+)?"
    r"(?:instructions?|rules?|rubric|prompts?)"
    rf"|{_WORD}(?:give|award|assign|rate)\s++(?:this|it|me|the (?:text|review|appraisal))"
    r"[^.\n]{0,40}?(?:full|maximum|highest|perfect|top|\d{1,3}\s{0,3}(?:/|out of)\s{0,3}\d)"
    r"[^.\n]{0,20}?(?:score|marks?|points?|grade|\d)"
    rf"|{_WORD}(?:as|you are|dear)\s++(?:the\s++|an?\s++)?"
    r"(?:judge|grader|evaluator|scoring model)\b"
    r"[^.\n]{0,60}?(?:must|should|please|give|score|award)"
    rf"|{_WORD}(?:output|return|respond with|reply with)[^.\n]{{0,30}}?"
    r"(?:json|\"(?:score|total|points)\")"
    rf"|\"(?:{_FIELDS})\"\s*+:"
    r"|(?:忽略|无视|不要理会|忘记)(?:掉)?(?:以上|之前|前面|上述|所有|一切)[^。\n]{0,12}?(?:指令|指示|要求|规则|标准|提示)"
    r"|(?:请|务必|必须|直接)?(?:给|打|判)(?:我|这篇|本文|该文|出)?[^。\n]{0,8}?(?:满分|最高分|高分)"
    r"|(?:评分|裁判|评审|评委)(?:模型|者|员|系统|老师)?[:,]?[^。\n]{0,20}?(?:请|必须|应当|务必)"
    r"[^。\n]{0,20}?(?:分|正确|通过)"
    r"|\[\[(?:TEXT|END)\b",
    re.IGNORECASE,
)


def attempts(text: str) -> list[str]:
    """The passages of `text` that try to instruct a judge; usually none.

    Looked for in the text as a reader sees it (`zhiyin.text.as_seen`): full-width letters,
    characters without room between letters and Cyrillic look-alikes hide nothing. Found by
    wording alone: a clever one may go unseen, and a review that quotes such words is flagged
    too. The mark says "look at this one"; it changes no score.
    """
    return [" ".join(match[0].split()) for match in _ATTEMPT.finditer(as_seen(text))]


PLACES = {
    "completeness": ("points", "text"),
    "precision": ("details", "heard?", "text"),
    "novelty": ("details", "text"),
    "failures": ("modes", "question", "key", "text"),
    "again": ("fault",),
}
"""The judges' prompts, and the places that each must have."""

REASONING = {
    "reasoning": ("criteria", "question", "key", "reference", "text"),
    "again": ("fault",),
}
"""Those of a judge of reasoning, which a language pack needs only for that."""


def fenced(text: str) -> str:
    """A text between two marks that it cannot itself contain: they hold its hash.

    The writer of the text could not know the mark, so nothing in it can pretend to end it.
    """
    mark = blake2b(text.encode(), digest_size=6).hexdigest()
    return f"[[TEXT {mark}]]\n{text}\n[[END {mark}]]"
