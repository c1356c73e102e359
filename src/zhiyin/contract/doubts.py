"""Warnings about questions, to be looked at before anybody is asked them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zhiyin.text import equal_places
from zhiyin.words import Said, said

_MOST_NAMED = 5


def with_equal_options(questions: Iterable[tuple[str, Sequence[str]]]) -> Said | None:
    """Warn that options of questions, by their ids, are the same; None where none are."""
    twins = [name for name, options in questions if equal_places(options)]
    if not twins:
        return None
    more = max(0, len(twins) - _MOST_NAMED)
    return said("equal-options", n=len(twins), items=twins[:_MOST_NAMED], more=more)
