"""What the reasoning behind an answer is judged by: a question's own criteria, for a judge.

A benchmark whose data have such criteria packs them into the tag `CRITERIA` of its trials; tags
are never sent to the model that is examined. Any such run can be judged by them.
"""

from __future__ import annotations

import msgspec

CRITERIA = "criteria"
"""The tag."""


class Criterion(msgspec.Struct, frozen=True, array_like=True):
    """One thing that good reasoning does: a short name, and when it is met."""

    name: str
    met: str


class Rubric(msgspec.Struct, frozen=True, array_like=True):
    """What the reasoning behind an answer is judged by: one that is right, and criteria."""

    reference: str
    criteria: tuple[Criterion, ...]


def pack(rubric: Rubric) -> str:
    """As a tag."""
    return msgspec.json.encode(rubric).decode()


def unpack(tag: str) -> Rubric:
    """The inverse of `pack`."""
    return msgspec.json.decode(tag, type=Rubric)
