"""Reading music from pictures of scores: a published set, and fresh ones; its page is in the docs.

`docs/benchmarks/scores.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zhiyin.reader.policy import Policy


def policies() -> tuple[Policy, ...]:
    """Its rules of reading."""
    from zhiyin.benchmarks.scores.scoring import POLICIES

    return POLICIES


POLICIES = {"scores": policies}
