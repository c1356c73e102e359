"""Judgement of a review: points of completeness, claims, and statements beyond the facts.

Completeness: named points that a review of a song can earn, each with its evidence. What each point
means stands in the language packs; here is what it is worth. Precision: the factual claims of a
review, each held against what is known of the song. Novelty: its statements beyond the known facts,
their kind and their depth.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from zhiyin.plugins.judges import reading
from zhiyin.plugins.judges.reading import (
    NUMBER,
    TEXT,
    YES_NO,
    Fields,
    Schema,
    UnreadableJudgement,
    choice,
    list_schema,
    record_schema,
)
from zhiyin.words import said


class Claim(msgspec.Struct, frozen=True, omit_defaults=True):
    """A factual claim of a review: its words, the detail it is about, and whether it holds.

    `evidence` is what decided it, "details" or "heard"; "" where nothing did.
    """

    claim: str
    quote: str = ""
    field: str = ""
    verdict: str = ""
    evidence: str = ""


class NovelStatement(msgspec.Struct, frozen=True, omit_defaults=True):
    """A statement of a review beyond the facts: its words, kind and depth."""

    quote: str
    category: str
    music_related: bool | None = None
    depth: str = ""


class JudgementDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """Details behind a judgement's numbers; what its aspect does not have is left out.

    Attributes
    ----------
    reply : str
        The whole reply, where it is in the released form.
    evidence : dict of str to str
        The quotation that shows each point of completeness.
    assessment : str
    claims : list of Claim
    statements : list of NovelStatement
    unquoted : int
        Quotations that do not stand in the review.
    stated_total : float or None
        The sum that the judge states.
    mode, quote, reason : str
        Of a failure.
    met : list of bool
        Which criteria of reasoning are met, and in `reasons` why.
    """

    reply: str = ""
    evidence: dict[str, str] = {}
    assessment: str | UnsetType = UNSET
    claims: list[Claim] | UnsetType = UNSET
    statements: list[NovelStatement] | UnsetType = UNSET
    unquoted: int | UnsetType = UNSET
    stated_total: float | UnsetType | None = UNSET
    mode: str = ""
    quote: str = ""
    reason: str = ""
    met: list[bool] = []
    reasons: list[str] = []


class Judgement(msgspec.Struct, frozen=True):
    """One judgement.

    Attributes
    ----------
    scores : dict of str to float
        Named numbers, for the verdict. What "score" is depends on the aspect.
    detail : JudgementDetail
        Quotations, claims, statements: whatever the numbers rest on.
    mended : bool
        A sum that the judge stated differs from that of its own parts; ours counts.
    """

    scores: dict[str, float]
    detail: JudgementDetail = JudgementDetail()
    mended: bool = False


class PointRubric(msgspec.Struct, frozen=True):
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
        """Highest number of points that each point of the rubric earns."""
        return {point: most for points in self.parts.values() for point, most in points.items()}

    @property
    def total(self) -> float:
        """Sum of the points that all of them can earn."""
        return sum(self.most.values())


def _rubric(name: str, **parts: dict[str, float] | str) -> PointRubric:
    worth = {
        part: dict.fromkeys(points.split(), 1.0) if isinstance(points, str) else points
        for part, points in parts.items()
    }
    return PointRubric(name, worth, _DIMENSIONS)


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
MOST = OURS.total
"""16, in both."""


def completeness_schema(rubric: PointRubric = OURS) -> Schema:
    """The JSON schema of a judgement."""
    points = dict.fromkeys(rubric.points, record_schema(score=NUMBER, evidence=TEXT))
    return record_schema(points=record_schema(**points), total=NUMBER, assessment=TEXT)


def list_points(wording: dict[str, str], rubric: PointRubric = OURS) -> str:
    """The points as lines for a prompt, by part; what is not worth 1 is marked."""
    return "\n".join(
        f"- {part}: "
        + "; ".join(
            f"{point} ({wording[point]}{'' if most == 1 else f'; 0-{most:g}'})"
            for point, most in points.items()
        )
        for part, points in rubric.parts.items()
    )


def read_completeness(reply: str, text: str, rubric: PointRubric = OURS) -> Judgement:
    """The judgement in a reply; the total is the sum of the points, not the sum that it states.

    Parameters
    ----------
    reply : str
    text : str
        What was judged, to look for the quotations in.
    rubric : PointRubric

    Raises
    ------
    UnreadableJudgement
        A point is missing or out of its range.
    """
    fields = reading.read_object(reply, ("points", "items", "scores", *rubric.points))
    given = _given(fields, rubric)
    missing = [point for point in rubric.points if point not in given]
    values = {
        p: v if isinstance(v := given[p], dict) else {"score": v} for p in rubric.most if p in given
    }
    read = reading.read_all(
        lambda p: reading.number(values[p].get("score"), rubric.most[p], f"{p}.score"),
        values,
        *([said("log-judge-points", points=missing)] if missing else []),
    )
    scores = dict(zip(values, read, strict=True))
    evidence = {point: reading.words(value.get("evidence")) for point, value in values.items()}
    unquoted = sum(bool(scores[p]) and not reading.quoted_in(evidence[p], text) for p in scores)
    total = sum(scores.values())
    stated = reading.optional_number(fields.get("total"), rubric.total)
    parts = {part: sum(scores[p] for p in points) for part, points in rubric.parts.items()}
    sums = {name: sum(parts[part] for part in of) for name, of in rubric.dimensions.items()}
    return Judgement(
        {"score": total, **{**parts, **sums}, **scores},
        JudgementDetail(
            evidence=evidence,
            assessment=reading.words(fields.get("assessment")),
            unquoted=unquoted,
            stated_total=stated,
        ),
        stated is not None and abs(stated - total) > 1e-6,
    )


def _given(fields: Fields, rubric: PointRubric) -> Fields:
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


def score_schema() -> Schema:
    """The JSON schema of a judgement of an aspect that is not one of ours."""
    return record_schema(score=NUMBER, quote=TEXT, reason=TEXT)


def read_score(reply: str, text: str, scale: tuple[float, float]) -> Judgement:
    """The score in a reply, with the passage that shows it and why.

    Raises
    ------
    UnreadableJudgement
        It is missing, or not on the scale.
    """
    fields, high = reading.read_object(reply, ("score",)), scale[1]
    score = reading.within(reading.number(fields.get("score"), high, "score"), scale, "score")
    quote, reason = (reading.words(fields.get(name)) for name in ("quote", "reason"))
    unquoted = int(bool(quote) and not reading.quoted_in(quote, text))
    return Judgement(
        {"score": score}, JudgementDetail(quote=quote, reason=reason, unquoted=unquoted)
    )


VERDICTS: dict[str, tuple[str, ...]] = {
    "supported": ("correct", "true", "accurate", "right", "支持", "正确", "属实", "符合", "一致"),
    "contradicted": (
        *("incorrect", "false", "inaccurate", "wrong", "contradiction"),
        *("错误", "矛盾", "不正确", "不符", "不符合", "不一致"),
    ),
    "not_in_details": (
        *("unverifiable", "not_in_ground_truth", "not_mentioned", "unknown", "unsupported"),
        *(
            "not_in_the_details",
            "unverified",
            "无法验证",
            "未提及",
            "无法核实",
            "未知",
            "不在资料中",
        ),
    ),
    "subjective": ("opinion", "主观", "主观评价", "观点"),
}
"""What a claim can be, with other words that judges use for it."""
EVIDENCE = ("details", "heard")
"""What decides a claim: the song's details, or what was measured in its recording."""


def claims_schema() -> Schema:
    """The JSON schema of a judgement."""
    fields = dict.fromkeys(("claim", "quote", "field"), TEXT)
    claim = record_schema(**fields, verdict=choice(VERDICTS), evidence=choice((*EVIDENCE, "")))
    return record_schema(claims=list_schema(claim))


def read_claims(reply: str, text: str, heard: bool = False) -> Judgement:
    """The judgement in a reply: precision is supported / (supported + contradicted).

    Claims that the evidence does not decide are counted apart, opinions are left out. Where
    nothing was checked there is no precision: `scores` then has no "score". Decided claims count
    under ``heard_supported`` and ``heard_contradicted`` too where the recording decided them.

    Parameters
    ----------
    reply : str
    text : str
        What was judged, to look for the quotations in.
    heard : bool
        Whether the judge was shown measurements of the recording.

    Raises
    ------
    UnreadableJudgement
        There is no list of claims, a verdict is none of `VERDICTS`, or a claim rests on what was
        heard where nothing was measured.
    """
    fields = reading.read_object(reply, ("claims",))

    def read_claim(at: tuple[int, Fields]) -> Claim:
        place, claim = at
        verdict = reading.word_of(claim.get("verdict"), VERDICTS, f"claims[{place}].verdict")
        return Claim(
            reading.words(claim.get("claim")) or reading.words(claim.get("quote")),
            reading.words(claim.get("quote")),
            reading.words(claim.get("field")),
            verdict,
            _evidence(claim, verdict, heard, place),
        )

    listed = enumerate(reading.objects(fields.get("claims"), "claims"))
    claims = reading.read_all(read_claim, listed)
    counts = {name: float(sum(c.verdict == name for c in claims)) for name in VERDICTS}
    checked = counts["supported"] + counts["contradicted"]
    scores = {**counts, "checked": checked}
    for name in ("supported", "contradicted") if heard else ():
        own = (c.verdict == name and c.evidence == "heard" for c in claims)
        scores[f"heard_{name}"] = float(sum(own))
    if checked:
        scores["score"] = counts["supported"] / checked
    unquoted = sum(
        c.verdict in ("supported", "contradicted")
        and not reading.quoted_in(c.quote or c.claim, text)
        for c in claims
    )
    return Judgement(scores, JudgementDetail(claims=claims, unquoted=unquoted))


def _evidence(claim: Fields, verdict: str, heard: bool, place: int) -> str:
    """Return what decided a claim: the details if the judge names none; "" if undecided."""
    if verdict not in ("supported", "contradicted"):
        return ""
    source = reading.words(claim.get("evidence")).lower()
    if source == "heard" and not heard:
        raise UnreadableJudgement(said("log-judge-unheard", field=f"claims[{place}]"))
    return source if source in EVIDENCE else "details"


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
NOVELTY_PARTS: dict[str, float] = {"novelty": 4.0, "music_relevance": 3.0, "insight_depth": 3.0}
NOVELTY_MOST = sum(NOVELTY_PARTS.values())
_WEIGHT = {"surface": 0.0, "analytical": 0.5, "insightful": 1.0}


def novelty_schema() -> Schema:
    """The JSON schema of a judgement."""
    statement = record_schema(
        quote=TEXT, category=choice(CATEGORIES), music_related=YES_NO, depth=choice(DEPTHS)
    )
    scores = {f"{name}_score": NUMBER for name in NOVELTY_PARTS}
    return record_schema(statements=list_schema(statement), **scores, total=NUMBER)


def read_novelty(reply: str, text: str) -> Judgement:
    """The judgement in a reply; the score out of 10 is the sum of its three parts (4 + 3 + 3).

    ``personal_insight`` is the mean depth of the statements that concern music (surface 0,
    analytical 0.5, insightful 1): our definition of a figure that
    the benchmark's README ("Novelty Details Structure") prints without one.

    Raises
    ------
    UnreadableJudgement
        A score is missing or out of range; a statement is of an unknown kind.
    """
    fields = reading.read_object(
        reply, ("statements", *(f"{name}_score" for name in NOVELTY_PARTS))
    )
    listed = reading.objects(fields.get("statements"), "statements")
    read: list[Any] = reading.read_all(
        lambda one: one(),
        [partial(_statement, *each) for each in enumerate(listed)]
        + [
            partial(reading.number, fields.get(f"{name}_score"), most, f"{name}_score")
            for name, most in NOVELTY_PARTS.items()
        ],
    )
    statements: list[NovelStatement] = read[: len(listed)]
    parts: dict[str, float] = dict(zip(NOVELTY_PARTS, read[len(listed) :], strict=True))
    total = sum(parts.values())
    related = [s for s in statements if s.music_related]
    depth = [_WEIGHT[s.depth] for s in related]
    stated = reading.optional_number(fields.get("total"), NOVELTY_MOST)
    scores = {
        "score": total,
        **parts,
        "statements": float(len(statements)),
        "related": float(len(related)),
        "personal_insight": sum(depth) / len(depth) if depth else 0.0,
        **{name: float(sum(s.category == name for s in statements)) for name in CATEGORIES},
    }
    unquoted = sum(not reading.quoted_in(s.quote, text) for s in statements)
    return Judgement(
        scores,
        JudgementDetail(statements=statements, unquoted=unquoted, stated_total=stated),
        stated is not None and abs(stated - total) > 1e-6,
    )


def _statement(place: int, fields: Fields) -> NovelStatement:
    ways: dict[str, Any] = {
        "category": partial(reading.word_of, words=CATEGORIES),
        "music_related": reading.yes_no,
        "depth": partial(reading.word_of, words=DEPTHS),
    }
    read: list[Any] = reading.read_all(
        lambda name: ways[name](fields.get(name), name=f"statements[{place}].{name}"), ways
    )
    quote = reading.words(fields.get("quote")) or reading.words(fields.get("statement"))
    return NovelStatement(quote, *read)
