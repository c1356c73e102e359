"""What the reasoning behind an answer is held against: a question's own criteria, for a judge.

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


class Held(msgspec.Struct, frozen=True, array_like=True):
    """What a question holds its reasoning against: a reasoning that is right, and criteria."""

    reference: str
    criteria: tuple[Criterion, ...]


def pack(held: Held) -> str:
    """As a tag."""
    return msgspec.json.encode(held).decode()


def unpack(tag: str) -> Held:
    """The inverse of `pack`."""
    return msgspec.json.decode(tag, type=Held)
