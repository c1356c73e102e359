"""Novelty: the statements of a review beyond the known facts, their kind and their depth."""

from __future__ import annotations

from typing import Any

from zhiyin.judges import reading
from zhiyin.judges.reading import (
    NUMBER,
    TEXT,
    YES_NO,
    Judgement,
    Schema,
    choice,
    list_schema,
    record_schema,
)

CATEGORIES: dict[str, tuple[str, ...]] = {
    "personal_reactions": ("personal_reaction", "personal", "个人反应", "个人感受", "情感反应"),
    "technical_analysis": ("technical", "technical_analyses", "技术分析", "专业分析"),
    "creative_interpretations": (
        *("creative_interpretation", "creative", "创意解读", "创造性解读", "创意诠释", "艺术诠释"),
    ),
    "cultural_context": ("cultural", "cultural_contexts", "文化背景", "文化语境"),
    "comparative_analysis": ("comparative", "comparison", "比较分析", "对比分析"),
}
DEPTHS: dict[str, tuple[str, ...]] = {
    "surface": ("shallow", "浅层", "表面", "表层"),
    "analytical": ("analytic", "medium", "分析", "分析性", "中等"),
    "insightful": ("deep", "insight", "深刻", "洞察", "有洞见", "深入"),
}
MOST: dict[str, float] = {"novelty": 4.0, "music_relevance": 3.0, "insight_depth": 3.0}
TOTAL = sum(MOST.values())
_WEIGHT = {"surface": 0.0, "analytical": 0.5, "insightful": 1.0}


def schema() -> Schema:
    """The JSON schema of a judgement."""
    statement = record_schema(
        quote=TEXT, category=choice(CATEGORIES), music_related=YES_NO, depth=choice(DEPTHS)
    )
    scores = {f"{name}_score": NUMBER for name in MOST}
    return record_schema(statements=list_schema(statement), **scores, total=NUMBER)


def read(reply: str, text: str) -> Judgement:
    """The judgement in a reply; the score out of 10 is the sum of its three parts (4 + 3 + 3).

    ``personal_insight`` is the mean depth of the statements that concern music (surface 0,
    analytical 0.5, insightful 1): our definition of a figure that
    the benchmark's README ("Novelty Details Structure") prints without one.

    Raises
    ------
    Unreadable
        A score is missing or out of range; a statement is of an unknown kind.
    """
    fields = reading.read_object(reply, ("statements", *(f"{name}_score" for name in MOST)))
    statements = [
        _statement(statement, place)
        for place, statement in enumerate(
            reading.objects(fields.get("statements"), "statements"), 1
        )
    ]
    parts = {
        name: reading.number(fields.get(f"{name}_score"), most, f"{name}_score")
        for name, most in MOST.items()
    }
    total = sum(parts.values())
    related = [s for s in statements if s["music_related"]]
    depth = [_WEIGHT[s["depth"]] for s in related]
    stated = reading.optional_number(fields.get("total"), TOTAL)
    scores = {
        "score": total,
        **parts,
        "statements": float(len(statements)),
        "related": float(len(related)),
        "personal_insight": sum(depth) / len(depth) if depth else 0.0,
        **{name: float(sum(s["category"] == name for s in statements)) for name in CATEGORIES},
    }
    unquoted = sum(not reading.quoted_in(s["quote"], text) for s in statements)
    return Judgement(
        scores,
        {"statements": statements, "unquoted": unquoted, "stated_total": stated},
        stated is not None and abs(stated - total) > 1e-6,
    )


def _statement(fields: dict[str, Any], place: int) -> dict[str, Any]:
    return {
        "quote": reading.words(fields.get("quote")) or reading.words(fields.get("statement")),
        "category": reading.word_of(
            fields.get("category"), CATEGORIES, f"category of statement {place}"
        ),
        "music_related": reading.yes_no(
            fields.get("music_related"), f"music_related of statement {place}"
        ),
        "depth": reading.word_of(fields.get("depth"), DEPTHS, f"depth of statement {place}"),
    }
