"""RUListening: questions on recordings that cannot be answered from their text alone.

`docs/benchmarks/rul.md` is its page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zhiyin.reader.policy import Policy


def policies() -> tuple[Policy, ...]:
    """Its rule of reading."""
    from zhiyin.benchmarks.rul.reading import POLICIES

    return POLICIES


POLICIES = {"rul": policies}
