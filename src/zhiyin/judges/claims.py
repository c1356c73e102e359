"""Precision: the factual claims of a review, each held against what is known of the song."""

from __future__ import annotations

from typing import Any

from zhiyin.judges import reading
from zhiyin.judges.judgement import Judgement

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


def schema() -> dict[str, Any]:
    """The JSON schema of a judgement, as structured outputs want it."""
    fields: dict[str, Any] = {name: {"type": "string"} for name in ("claim", "quote", "field")}
    fields["verdict"] = {"type": "string", "enum": list(VERDICTS)}
    claim = {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"claims": {"type": "array", "items": claim}},
        "required": ["claims"],
        "additionalProperties": False,
    }


def read(reply: str, text: str) -> Judgement:
    """The judgement in a reply: precision is supported / (supported + contradicted).

    Claims that the song's details do not decide are counted apart, opinions are left out. Where
    nothing was checked there is no precision: `scores` then has no "score".

    Raises
    ------
    Unreadable
        There is no list of claims, or a verdict is none of `VERDICTS`.
    """
    found = reading.read_object(reply, ("claims",))
    claims = []
    for place, claim in enumerate(reading.objects(found.get("claims"), "claims"), 1):
        verdict = reading.word_of(claim.get("verdict"), VERDICTS, f"verdict of claim {place}")
        claims.append(
            {
                "claim": reading.words(claim.get("claim")) or reading.words(claim.get("quote")),
                "quote": reading.words(claim.get("quote")),
                "field": reading.words(claim.get("field")),
                "verdict": verdict,
            }
        )
    counts = {name: float(sum(c["verdict"] == name for c in claims)) for name in VERDICTS}
    checked = counts["supported"] + counts["contradicted"]
    scores = {**counts, "checked": checked}
    if checked:
        scores["score"] = counts["supported"] / checked
    unquoted = sum(
        c["verdict"] in ("supported", "contradicted")
        and not reading.quoted_in(c["quote"] or c["claim"], text)
        for c in claims
    )
    return Judgement(scores, {"claims": claims, "unquoted": unquoted})
