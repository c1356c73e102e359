"""Numbers from 1 to 9 for arousal, against a standardised label."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from zhiyin.plugins.benchmarks.cmi.measures import CmiMeasure, JudgedReply

_LEFT_OUT = {
    r"out of 9": "",
    r"1-9 scale": "scale",
    r"from 1 to 9": "scale",
    r"\d-point scale": "scale",
    r"\d/\d time signature": "time signature",
    r"\d/\d beat": "time signature",
    r"Example \d": "",
}
"""Phrases and what the published script puts in their place, in its order: the digits on both
sides of a phrase do not become one number."""
_RANGE = re.compile(
    r"(?:from\s+)?1\s*(?:-|–|to)\s*9|out of (?:9|nine)|/\s*9\b|\d-point|Example \d"
    r"|\d/(?!9)\d\s+\w+",
    re.I,
)
_NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)(?!\w|\.\d)")


def published_number(reply: str) -> float | None:
    """The number that the published script reads: the first digit run from 1 to 9.

    Phrases that name the scale go first. Exactly two runs that stand as "a.b" are that decimal.
    """
    text = reply
    for phrase, instead in _LEFT_OUT.items():
        text = re.sub(phrase, instead, text)
    runs = [run for run in re.findall(r"\d+", text) if len(_figures(run)) == 1]
    if not runs:
        return None
    if len(runs) == 2 and f"{runs[0]}.{runs[1]}" in text:
        return float(f"{runs[0]}.{runs[1]}")
    return float(_figures(runs[0]))


def _figures(run: str) -> str:
    """The digits of a number in any script, without the noughts before it."""
    return "".join(str(int(digit)) for digit in run).lstrip("0")


def read_number(reply: str) -> tuple[float | None, str]:
    """The one number from 1 to 9 that a reply gives, what only names the scale aside."""
    numbers = {float(n) for n in _NUMBER.findall(_RANGE.sub(" ", reply)) if 1 <= float(n) <= 9}
    if len(numbers) == 1:
        return numbers.pop(), "the only number from 1 to 9"
    return None, "several numbers from 1 to 9" if numbers else "no number from 1 to 9"


def score(label: str, reply: str) -> tuple[dict[str, float], str]:
    """The numbers that the field and the published script read, and how the former was read."""
    number, why = read_number(reply)
    theirs = published_number(reply)
    scores = {"read": float(number is not None), "number": number, "published": theirs}
    return {name: value for name, value in scores.items() if value is not None}, why


@cache
def _moments(score: str) -> Callable[[Sequence[JudgedReply]], list[list[float]]]:
    def sums(items: Sequence[JudgedReply]) -> list[list[float]]:
        rows = []
        for item in items:
            y, x = float(item.label), item.scores.get(score)
            given = [0.0] * 5 if x is None else [1.0, x, x * x, x * y, y]
            rows.append([1.0, y, y * y, *given, 0.0 if x is None else y * y])
        return rows

    return sums


def _published_r2(s: Any) -> Any:
    """1 - Σ(y - z)² / Σ(y - mean)², z the numbers standardised by themselves, 0 where missing."""
    import numpy as np

    n, y, yy, m, x, xx, xy, ym, _ = (s[..., k] for k in range(9))
    mean = x / m
    spread = np.sqrt(np.maximum(xx / m - mean**2, 0))
    spread = np.where(spread > 1e-9, spread, np.nan)  # all numbers equal: the script stops
    together = (xy - mean * ym) / spread
    return 1 - (yy - 2 * together + m) / (yy - y * y / n)


def _correlation(s: Any) -> Any:
    """Pearson's r over the replies with a number."""
    import numpy as np

    _, _, _, m, x, xx, xy, y, yy = (s[..., k] for k in range(9))
    below = (xx - x * x / m) * (yy - y * y / m)
    return (xy - x * y / m) / np.sqrt(np.where(below > 1e-12, below, np.nan))


def _squared(s: Any) -> Any:
    return _correlation(s) ** 2


MEASURES = (
    CmiMeasure(
        "R²", True, _moments("published"), _published_r2, False, ours="r² of those with a number"
    ),
    CmiMeasure("r of those with a number", False, _moments("number"), _correlation, False),
    CmiMeasure("r² of those with a number", False, _moments("number"), _squared, False),
)
