"""The judgement of one text: numbers, and the words that support them."""

from __future__ import annotations

from typing import Any

import msgspec


class Judgement(msgspec.Struct, frozen=True):
    """One judgement.

    Attributes
    ----------
    scores : dict of str to float
        Named numbers, for the verdict. What "score" is depends on the aspect.
    detail : dict
        Quotations, claims, statements: whatever the numbers rest on.
    mended : bool
        A sum that the judge stated differs from that of its own parts; ours counts.
    """

    scores: dict[str, float]
    detail: dict[str, Any]
    mended: bool = False
