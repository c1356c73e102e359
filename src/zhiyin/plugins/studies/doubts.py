"""Warnings about a new study's items, for its researcher, before people see them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zhiyin.contract.question_table import personal_columns
from zhiyin.plugins.studies.design import StudyItem
from zhiyin.text import equal_places
from zhiyin.words import naming, said

_MOST_NAMED = 5


def doubts_of(items: Sequence[StudyItem]) -> Iterator[str]:
    """Options that are the same, columns of personal data, and sounds that need not be heard."""
    twins = [item.id for item in items if equal_places([choice.text for choice in item.choices])]
    if twins:
        yield naming(said("study-same-options", n=len(twins), items=", ".join(twins[:_MOST_NAMED])))
    if columns := personal_columns(item.trial.tags for item in items):
        yield naming(said("study-personal", columns=", ".join(columns)))
    if any(one.kind == "tune_sound" for item in items for one in item.media):
        yield naming(said("study-tunes-unheard"))
