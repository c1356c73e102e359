"""Claims and statements over all songs, under the names of the published benchmark."""

from __future__ import annotations

from collections import Counter
from statistics import fmean

import msgspec

from zhiyin.plugins.judges import rubric
from zhiyin.plugins.judges.combine import scores_of
from zhiyin.plugins.judges.grades import Grades
from zhiyin.plugins.judges.rubric import Claim


class CheckedClaim(msgspec.Struct, frozen=True):
    """A claim that the evidence decides, as published."""

    audio_path: str
    claim: str
    is_correct: bool


class PrecisionDetails(msgspec.Struct, frozen=True):
    """Claims over all songs, under the published names.

    `total_claims` are those checked, `overall_precision` that of all claims together,
    `average_score` the mean of the songs that have one. Beyond what is published:
    `unverifiable_claims`, those that the recording decided (`heard_claims`), and in `claims` every
    claim by trial and draw.
    """

    total_claims: int
    total_correct_claims: int
    total_incorrect_claims: int
    unverifiable_claims: int
    heard_correct_claims: int
    heard_claims: int
    overall_precision: float | None
    individual_scores: list[float]
    average_score: float | None
    claim_breakdown: list[CheckedClaim]
    files_evaluated: int
    claims: dict[str, list[list[Claim]]]


class NovelContent(msgspec.Struct, frozen=True):
    """A statement beyond the facts, as published."""

    audio_path: str
    content: str


class NoveltyDetails(msgspec.Struct, frozen=True):
    """The "Novelty Details Structure" of the benchmark's README, over all songs.

    Averages are in [0, 1]; `insight_type_counts` counts songs.
    """

    avg_music_relevance_score: float | None
    avg_depth_score: float | None
    avg_personal_insight_score: float | None
    total_novel_statements: int
    total_music_related_statements: int
    music_relevance_ratio: float | None
    novel_content_categories: dict[str, list[NovelContent]]
    insight_type_counts: dict[str, int]
    files_evaluated: int
    individual_scores: list[float]


def precision_details(grades: Grades) -> PrecisionDetails:
    """Claims counted over all judgements of all songs (several draws count several times)."""
    graded = [(g.case, g.judgement) for g in grades.grades if g.aspect == "precision"]
    claims: dict[str, list[list[Claim]]] = {}
    sums: Counter[str] = Counter()
    for case, judgement in graded:
        if judgement:
            claims.setdefault(case, []).append(judgement.detail.claims or [])
            sums.update(judgement.scores)
    singles = _by_song(grades, "precision", 1.0)
    every, right = int(sums["checked"]), int(sums["supported"])
    heard_right = int(sums["heard_supported"])
    songs = {case.id: case.song for case in grades.cases}
    return PrecisionDetails(
        every,
        right,
        int(sums["contradicted"]),
        int(sums["not_in_details"]),
        heard_right,
        heard_right + int(sums["heard_contradicted"]),
        right / every if every else None,
        singles,
        fmean(singles) if singles else None,
        [
            CheckedClaim(songs[case], claim.claim, claim.verdict == "supported")
            for case, draws in claims.items()
            for draw in draws
            for claim in draw
            if claim.verdict in ("supported", "contradicted")
        ],
        len(claims),
        claims,
    )


def novelty_details(grades: Grades) -> NoveltyDetails:
    """Statements counted over all judgements of all songs."""
    graded = [(g.case, g.judgement) for g in grades.grades if g.aspect == "novelty" and g.judgement]
    scores = [judgement.scores for _, judgement in graded]
    total, related = (int(sum(s[name] for s in scores)) for name in ("statements", "related"))
    songs = {case.id: case.song for case in grades.cases}

    def average(name: str) -> float | None:
        most = rubric.NOVELTY_PARTS.get(name, 1.0)
        return sum(s[name] for s in scores) / most / len(scores) if scores else None

    return NoveltyDetails(
        average("music_relevance"),
        average("insight_depth"),
        average("personal_insight"),
        total,
        related,
        related / total if total else None,
        {
            name: [
                NovelContent(songs[case], statement.quote)
                for case, judgement in graded
                for statement in judgement.detail.statements or ()
                if statement.category == name
            ]
            for name in rubric.CATEGORIES
        },
        {
            f"has_{name}": len({case for case, judgement in graded if judgement.scores[name]})
            for name in rubric.CATEGORIES
        },
        len({case for case, _ in graded}),
        _by_song(grades, "novelty", grades.rules.most["novelty"]),
    )


def _by_song(grades: Grades, aspect: str, most: float) -> list[float]:
    """The mean score of each song that has one, as a share."""
    every = map(scores_of, grades.of(aspect).values())
    return [fmean(draws) / most for draws in every if draws]
