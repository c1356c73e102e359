"""A judge that answers as language models do, and runs to be judged, for the tests of judges."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from zhiyin.engine.folder import Manifest
from zhiyin.engine.log import RunFolder
from zhiyin.engine.runner import Limits
from zhiyin.plugins.benchmarks.appraisal.data import LETTERS
from zhiyin.plugins.judges import rubric
from zhiyin.plugins.judges.judging import JudgeRequest, folder_of, judge_run
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.trial import Option, Trial, say

REVIEW = (
    "前奏一响，我就像回到了十七岁的夏天。她的嗓音好比细雨落在湖面，鼓点收放得很讲究，"
    "一下一下如同脉搏。我总觉得它和《红豆》是一对姐妹。"
)
CLAIMING = (
    "《灯笼》由林小满演唱，2004年问世，是专辑《城南》里的一首。曲风偏R&B，讲的是对回忆的惦念。"
)
DETAILS = {"release_year": 2004, "album": "城南", "genre": "流行", "theme": "回忆与重逢"}


def points(scores: dict[str, float] | None = None, quote: str = "", total: float | None = None):
    """A judgement of completeness: every point 1, but for those in `scores`."""
    given = dict.fromkeys(rubric.OURS.points, 1.0) | (scores or {})
    found = {
        name: {"score": score, "evidence": quote if score else ""} for name, score in given.items()
    }
    stated = sum(map(float, given.values())) if total is None else total
    return {"points": found, "total": stated, "assessment": "完整"}


def four_claims():
    """The example of the benchmark's README: year, album and theme are right, the genre is not."""
    verdicts = (
        ("release_year", "2004年问世", "supported"),
        ("album", "是专辑《城南》里的一首", "supported"),
        ("genre", "曲风偏R&B", "contradicted"),
        ("theme", "讲的是对回忆的惦念", "supported"),
    )
    return {
        "claims": [
            {"claim": quote, "quote": quote, "field": name, "verdict": verdict}
            for name, quote, verdict in verdicts
        ]
    }


def five_statements(total: float = 9):
    """The README's example: five novel statements in four categories, all on music."""
    found = (
        ("我就像回到了十七岁的夏天", "personal_reactions", "surface"),
        ("好比细雨落在湖面", "creative_interpretations", "analytical"),
        ("一下一下如同脉搏", "creative_interpretations", "surface"),
        ("鼓点收放得很讲究", "technical_analysis", "analytical"),
        ("和《红豆》是一对姐妹", "comparative_analysis", "insightful"),
    )
    return {
        "statements": [
            {"quote": quote, "category": category, "music_related": True, "depth": depth}
            for quote, category, depth in found
        ],
        "novelty_score": 4,
        "music_relevance_score": 3,
        "insight_depth_score": 2,
        "total": total,
    }


def aspect_of(call) -> str:
    """Which aspect a request asks for, by the first message; "" for one that is not ours."""
    asked = call.body["messages"][0]["content"]
    if '{"score": ' in asked and '"quote": "' in asked and '"statements"' not in asked:
        return ""
    if '"points"' in asked:
        return "completeness"
    return "precision" if '"claims"' in asked else "novelty"


def judge_answer(call) -> str:
    """A judge whose grade of completeness depends on the text alone, in plain JSON."""
    aspect = aspect_of(call)
    if not aspect:
        return dump({"score": 3, "quote": "", "reason": "It says why."})
    if '"criteria"' in call.body["messages"][0]["content"]:
        return dump({"criteria": [{"criterion": n, "met": n < 4} for n in range(1, 6)]})
    if aspect == "completeness":
        text = call.body["messages"][0]["content"]
        low = sum(map(ord, text)) % 7
        if "same_persona" in text:  # a point of the released rubric alone
            return dump(points(dict.fromkeys(rubric.RELEASED.points, 0.5)))
        return dump(points(dict.fromkeys(list(rubric.OURS.points)[:low], 0)))
    return dump(four_claims() if aspect == "precision" else five_statements())


def dump(value) -> str:
    return json.dumps(value, ensure_ascii=False)


def make_run(folder: Path, texts: list[str], details=DETAILS, model: str = "toy") -> Path:
    """A run of reviews, with two option questions: one right, one wrong."""
    manifest = Manifest("appraisal", model, {"model": model}, {}, len(texts) + 2)
    with RunFolder(folder, manifest) as log:
        for number, state in enumerate(("correct", "wrong")):
            log.append(choice(f"qa/{number}", "I think it is A.", state))
        for number, text in enumerate(texts):
            trial = Trial(
                f"appraisal/song-{number}",
                (say("user", "Write."),),
                "Write.",
                target=dump(details) if details else None,
                groups=("appraisal",),
                cluster=f"song-{number}",
                tags={"song": f"song-{number}"},
            )
            log.append(
                Record(trial.id, Verdict("correct", None), trial, Exchange((Turn(Reply(text)),)))
            )
    return folder


def choice(name: str, reply: str, state: str, options=("piano", "violin"), sound=None) -> Record:
    """A record of an option question whose right answer is B where it was answered wrongly."""
    shown = tuple(Option(x, text, x) for x, text in zip(LETTERS, options, strict=False))
    message = say("user", "Which instrument?", *([sound] if sound else []))
    target = "A" if state == "correct" else "B"
    trial = Trial(name, (message,), "Which instrument?", shown, target, ("qa",))
    chosen = "A" if state in ("correct", "wrong") else None
    verdict = Verdict(state, chosen, chosen)
    return Record(name, verdict, trial, Exchange((Turn(Reply(reply)),)))


def judge(run: Path, spec: str, retries: int = 2, concurrency: int = 8, **options) -> Path:
    """Judge a run; returns the folder of the judgements."""
    request = JudgeRequest(str(run), spec, options, Limits(concurrency, 5.0, retries))
    asyncio.run(judge_run(request))
    return folder_of(request)
