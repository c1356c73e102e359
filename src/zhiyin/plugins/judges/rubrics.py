"""Criteria that the reasoning behind an answer is judged by, packed into a tag of a trial."""

from __future__ import annotations

import msgspec

CRITERIA = "criteria"
"""The tag."""


class Criterion(msgspec.Struct, frozen=True, array_like=True):
    """One thing that good reasoning does: a short name, and when it is met."""

    name: str
    met: str


class Rubric(msgspec.Struct, frozen=True, array_like=True):
    """A rubric for the reasoning behind an answer: a reasoning that is right, and criteria."""

    reference: str
    criteria: tuple[Criterion, ...]


def pack_rubric(rubric: Rubric) -> str:
    """Encode a rubric as a tag."""
    return msgspec.json.encode(rubric).decode()


def unpack_rubric(tag: str) -> Rubric:
    """The inverse of `pack_rubric`."""
    return msgspec.json.decode(tag, type=Rubric)
