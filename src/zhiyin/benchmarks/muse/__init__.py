"""MUSE: ten tasks of music perception and relational reasoning, asked in a chat that remembers.

`docs/benchmarks/muse.md` is its page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zhiyin.reader.policy import Policy


def policies() -> tuple[Policy, ...]:
    """Its rules of reading."""
    from zhiyin.benchmarks.muse.reading import POLICIES

    return POLICIES


POLICIES = {"muse": policies}
