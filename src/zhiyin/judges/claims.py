"""Precision: the factual claims of a review, each held against what is known of the song."""

from __future__ import annotations

from typing import Any

from zhiyin.judges import reading
from zhiyin.judges.reading import (
    TEXT,
    Judgement,
    Schema,
    Unreadable,
    choice,
    list_schema,
    record_schema,
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


def schema() -> Schema:
    """The JSON schema of a judgement."""
    fields = dict.fromkeys(("claim", "quote", "field"), TEXT)
    claim = record_schema(**fields, verdict=choice(VERDICTS), evidence=choice((*EVIDENCE, "")))
    return record_schema(claims=list_schema(claim))


def read(reply: str, text: str, heard: bool = False) -> Judgement:
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
    Unreadable
        There is no list of claims, a verdict is none of `VERDICTS`, or a claim rests on what was
        heard where nothing was measured.
    """
    fields = reading.read_object(reply, ("claims",))
    claims = []
    for place, claim in enumerate(reading.objects(fields.get("claims"), "claims"), 1):
        verdict = reading.word_of(claim.get("verdict"), VERDICTS, f"verdict of claim {place}")
        claims.append(
            {
                "claim": reading.words(claim.get("claim")) or reading.words(claim.get("quote")),
                "quote": reading.words(claim.get("quote")),
                "field": reading.words(claim.get("field")),
                "verdict": verdict,
                "evidence": _evidence(claim, verdict, heard, place),
            }
        )
    counts = {name: float(sum(c["verdict"] == name for c in claims)) for name in VERDICTS}
    checked = counts["supported"] + counts["contradicted"]
    scores = {**counts, "checked": checked}
    for name in ("supported", "contradicted") if heard else ():
        own = (c["verdict"] == name and c["evidence"] == "heard" for c in claims)
        scores[f"heard_{name}"] = float(sum(own))
    if checked:
        scores["score"] = counts["supported"] / checked
    unquoted = sum(
        c["verdict"] in ("supported", "contradicted")
        and not reading.quoted_in(c["quote"] or c["claim"], text)
        for c in claims
    )
    return Judgement(scores, {"claims": claims, "unquoted": unquoted})


def _evidence(claim: dict[str, Any], verdict: str, heard: bool, place: int) -> str:
    """What decided a claim; "" where nothing did. The details, where the judge names none."""
    if verdict not in ("supported", "contradicted"):
        return ""
    source = reading.words(claim.get("evidence")).lower()
    if source == "heard" and not heard:
        raise Unreadable(f'claim {place} rests on what was "heard", and nothing was measured')
    return source if source in EVIDENCE else "details"
