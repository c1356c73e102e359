"""The judges' prompts and their places, and the marks around a text that is judged."""

from __future__ import annotations

from hashlib import blake2b

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
