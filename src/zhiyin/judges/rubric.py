"""Completeness: named points that a review of a song can earn, each with its evidence.

What each point means stands in the language packs; here is what it is worth.
"""

from __future__ import annotations

from typing import Any

import msgspec

from zhiyin.judges import reading
from zhiyin.judges.reading import NUMBER, TEXT, Judgement, Schema, Unreadable, record_schema


class Rubric(msgspec.Struct, frozen=True):
    """A list of points.

    Attributes
    ----------
    name : str
        As in the language packs.
    parts : dict
        From each part to its points, and from each point to what it is worth.
    dimensions : dict
        From each dimension to its parts.
    """

    name: str
    parts: dict[str, dict[str, float]]
    dimensions: dict[str, tuple[str, ...]]

    @property
    def points(self) -> dict[str, str]:
        """The part of each point."""
        return {point: part for part, points in self.parts.items() for point in points}

    @property
    def most(self) -> dict[str, float]:
        """What each point is worth."""
        return {point: most for points in self.parts.values() for point, most in points.items()}

    @property
    def total(self) -> float:
        """What all of them are worth."""
        return sum(self.most.values())


def _rubric(name: str, **parts: dict[str, float] | str) -> Rubric:
    worth = {
        part: dict.fromkeys(points.split(), 1.0) if isinstance(points, str) else points
        for part, points in parts.items()
    }
    return Rubric(name, worth, _DIMENSIONS)


_DIMENSIONS: dict[str, tuple[str, ...]] = {
    "music_understanding": ("song_analysis", "singer"),
    "background": ("background",),
    "language": ("language",),
    "persona": ("persona",),
}
OURS = _rubric(
    "ours",
    song_analysis="melody rhythm arrangement form",
    singer="performer voice technique",
    background="creation context theme scene",
    language="clarity vividness",
    persona="viewpoint register rapport",
)
"""Sixteen points of one each: 4 + 3, 4, 2, 3, as the README of the Comprehensive Music Appraisal
Benchmark divides them ("LLM-based Completeness Scoring")."""
RELEASED = _rubric(
    "reaction-released",
    song_analysis="section style arrangement composition",
    singer="timbre emotion technique",
    background="artist story empathy trend",
    language={"colloquial": 2.0},
    persona="same_persona comparison association",
)
"""The points of the released rubric (prompt/prompt_llm_score.txt of ReactionEvalBenchmark)."""
POINTS = OURS.points
MOST = OURS.total
"""16, in both."""


def schema(rubric: Rubric = OURS) -> Schema:
    """The JSON schema of a judgement."""
    points = dict.fromkeys(rubric.points, record_schema(score=NUMBER, evidence=TEXT))
    return record_schema(points=record_schema(**points), total=NUMBER, assessment=TEXT)


def list_points(wording: dict[str, str], rubric: Rubric = OURS) -> str:
    """The points as lines for a prompt, by part; what is not worth 1 is marked."""
    return "\n".join(
        f"- {part}: "
        + "; ".join(
            f"{point} ({wording[point]}{'' if most == 1 else f'; 0-{most:g}'})"
            for point, most in points.items()
        )
        for part, points in rubric.parts.items()
    )


def read(reply: str, text: str, rubric: Rubric = OURS) -> Judgement:
    """The judgement in a reply; the total is the sum of the points, not the sum that it states.

    Parameters
    ----------
    reply : str
    text : str
        What was judged, to look for the quotations in.
    rubric : Rubric

    Raises
    ------
    Unreadable
        A point is missing or out of its range.
    """
    fields = reading.read_object(reply, ("points", "items", "scores", *rubric.points))
    given = _given(fields, rubric)
    missing = [point for point in rubric.points if point not in given]
    if missing:
        raise Unreadable(f"points were missing: {', '.join(missing)}")
    scores: dict[str, float] = {}
    evidence: dict[str, str] = {}
    unquoted = 0
    for point, most in rubric.most.items():
        value = given[point]
        score = value.get("score") if isinstance(value, dict) else value
        scores[point] = reading.number(score, most, f"{point}.score")
        evidence[point] = reading.words(value.get("evidence")) if isinstance(value, dict) else ""
        unquoted += bool(scores[point]) and not reading.quoted_in(evidence[point], text)
    total = sum(scores.values())
    stated = reading.optional_number(fields.get("total"), rubric.total)
    return Judgement(
        {"score": total, **_sums(scores, rubric), **scores},
        {
            "evidence": evidence,
            "assessment": reading.words(fields.get("assessment")),
            "unquoted": unquoted,
            "stated_total": stated,
        },
        stated is not None and abs(stated - total) > 1e-6,
    )


def _given(fields: dict[str, Any], rubric: Rubric) -> dict[str, Any]:
    """The points of a reply by name, whether it wrote them as an object, by part or as a list."""
    points = next((fields[n] for n in ("points", "items", "scores") if n in fields), fields)
    if isinstance(points, list):
        named = {}
        for point in points:
            if isinstance(point, dict):
                name = next((point[n] for n in ("name", "item", "id", "point") if n in point), "")
                named[str(name)] = point
        return named
    if not isinstance(points, dict):
        return {}
    inner = {
        k: v
        for part in rubric.parts
        if isinstance(points.get(part), dict) and "score" not in points[part]
        for k, v in points[part].items()
    }
    return {**points, **inner}


def _sums(scores: dict[str, float], rubric: Rubric) -> dict[str, float]:
    """Sums by part and by dimension."""
    parts = {part: sum(scores[p] for p in points) for part, points in rubric.parts.items()}
    sums = {name: sum(parts[part] for part in of) for name, of in rubric.dimensions.items()}
    return {**parts, **sums}
