"""Open answers: what a judge is to reply, and what is made of it by the official rule and by ours.

Source of criteria and scale: sonalkum/MMAUPro, ``evaluate_mmau_pro_comprehensive.py``
(lines 256-354 at commit 960e93a).
"""

from __future__ import annotations

from statistics import fmean

import msgspec

from zhiyin.plugins.judges.answers import JudgingForm
from zhiyin.plugins.judges.reading import (
    NUMBER,
    UnreadableJudgement,
    number,
    optional_number,
    read_object,
    record_schema,
)

CRITERIA = ("correctness", "relevance", "completeness", "clarity")
MOST, GOOD = 5.0, 4.0
LEAST_OFFICIAL = 1 / MOST
"""The floor of the official score: it divides by 5 and a criterion is at least 1."""


class OpenGrade(msgspec.Struct, frozen=True):
    """A judge's grade of an open answer: four criteria from 1 to 5, and a whole that it states."""

    criteria: dict[str, float]
    stated: float | None

    @property
    def mean(self) -> float:
        """Mean of the four criteria."""
        return fmean(self.criteria.values())

    @property
    def official(self) -> float:
        """Official score in [0.2, 1]: the stated one, else the mean; a stated 3 does not count."""
        stated = None if self.stated == 3.0 else self.stated
        return (self.mean if stated is None else stated) / MOST

    @property
    def scores(self) -> dict[str, float]:
        """Scores for a verdict: `open` is 0 where all criteria are at their lowest."""
        return {"official": self.official, "open": (self.mean - 1) / (MOST - 1)}


def read_grade(text: str) -> OpenGrade:
    """The grade in a judge's reply.

    Raises
    ------
    UnreadableJudgement
        A criterion is missing or none from 1 to 5. (Officially it is then 3.)
    """
    fields = read_object(text, CRITERIA)
    criteria = {name: number(fields.get(name), MOST, name) for name in CRITERIA}
    low = next((name for name, value in criteria.items() if value < 1), None)
    if low is not None:
        raise UnreadableJudgement(f'"{low}" was {criteria[low]:g} and not from 1 to 5')
    stated = optional_number(fields.get("overall"), MOST)
    return OpenGrade(criteria, stated if stated is not None and stated >= 1 else None)


GRADE = JudgingForm(record_schema(**dict.fromkeys((*CRITERIA, "overall"), NUMBER)), read_grade)
