"""One review, one aspect: the published evaluators of completeness, precision and novelty."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.benchmarks.appraisal.data import REVIEWS
from zhiyin.benchmarks.appraisal.interface.functions import wait_for
from zhiyin.benchmarks.appraisal.interface.judge import open_judge
from zhiyin.engine.log import Manifest, RunFolder
from zhiyin.engine.runner import Limits
from zhiyin.judges import novelty
from zhiyin.judges.aspects import ASPECTS, DEFAULT_JUDGE, MAX_TOKENS
from zhiyin.judges.cases import WRITTEN
from zhiyin.judges.grades import Grade, read_grades
from zhiyin.judges.judgement import Judgement
from zhiyin.judges.judging import Request, folder_of, judge_run
from zhiyin.judges.rules import JUDGING, rules_of
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.trial import Trial, say


@dataclass
class LLMEvaluationResult:
    """Completeness of a review: `total_score` out of `max_score`; NaN where judging failed."""

    total_score: float
    max_score: float
    reasoning: str
    overall_assessment: str


@dataclass
class PrecisionEvaluationResult:
    """Precision of a review, in [0, 1]; NaN where judging failed or nothing could be checked.

    `claim_breakdown` holds ``claim`` and ``is_correct`` of each claim that was decided.
    """

    precision_score: float
    total_claims: int
    correct_claims: int
    incorrect_claims: int
    detailed_analysis: str
    claim_breakdown: list[dict[str, Any]]


@dataclass
class NoveltyEvaluationResult:
    """Novelty of a review: scores in [0, 1], NaN where judging failed; statements by kind."""

    novelty_score: float
    music_relevance_score: float
    depth_score: float
    personal_insight_score: float
    novel_content_categories: dict[str, list[str]]
    total_novel_statements: int
    music_related_novel_statements: int
    detailed_analysis: str
    has_personal_reactions: bool
    has_technical_analysis: bool
    has_creative_interpretations: bool
    has_cultural_context: bool
    has_comparative_analysis: bool


class _Evaluator:
    """A judge of single reviews.

    Parameters
    ----------
    api_key, base_url : str, optional
        Of the judge's endpoint; by default OPENAI_API_KEY and OPENAI_BASE_URL.
    model : str
        The judge's name there.
    judge : str, optional
        A model's spec ("lexical") in place of the three above.
    language : str
        Of the prompts.
    protocol : {"ours", "reaction-released"}
    released : str, optional
        The user's clone, whose prompts are used.
    limits : Limits, optional
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        model: str = DEFAULT_JUDGE,
        *,
        judge: str | None = None,
        language: str = "zh",
        protocol: str = "ours",
        released: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._limits = limits or Limits(concurrency=0)
        self._endpoint = (judge, api_key, base_url, model)
        self._rules = rules_of(protocol)
        self._options = {
            "max_tokens": MAX_TOKENS,
            **(JUDGING.usual() if protocol == JUDGING.name else {}),
            "language": language,
            "protocol": protocol,
            "released": released,
            "no_heard": True,  # there is no recording
        }

    def _grade(self, aspect: str, text: str, details: dict[str, Any]) -> Grade:
        """The grade of one text. Raises `InputError` for settings that the user can mend."""
        known = {name: value for name, value in details.items() if name != "audio_path"}
        if ASPECTS[aspect].needs and not known:
            return Grade(aspect, 1, "", None, "nothing is known of the song to judge it by")
        spec, model = open_judge(*self._endpoint, self._limits)
        with tempfile.TemporaryDirectory(prefix="zhiyin-") as folder:
            run = _run_of(Path(folder) / "run", text, known)
            request = Request(
                str(run), spec, {**self._options, "aspects": aspect}, self._limits, model
            )
            wait_for(judge_run(request))
            (grade,) = read_grades(folder_of(request), run).grades
            return grade


def _run_of(folder: Path, text: str, known: dict[str, Any]) -> Path:
    """A run with one review in it."""
    trial = Trial(
        f"{REVIEWS}/text",
        (say("user", "-"),),
        "-",
        target=msgspec.json.encode(known).decode(),
        groups=(REVIEWS,),
        cluster="text",
        tags={"song": "text"},
    )
    verdict = Verdict("ungraded", None, scores={WRITTEN: 1.0})
    manifest = Manifest("appraisal", "text", {}, {}, 1)
    with RunFolder(folder, manifest) as log:
        log.append(Record(trial.id, verdict, trial, Exchange((Turn(Reply(text)),))))
    return folder


def _analysis(judgement: Judgement) -> str:
    """What a judgement rests on, as text."""
    reply = judgement.detail.get("reply")
    return str(reply) if reply else msgspec.json.encode(judgement.detail).decode()


class AudioLLMEvaluator(_Evaluator):
    """Completeness: the published ``llm_evaluator``."""

    def evaluate_appraisal(self, appraisal_text: str) -> LLMEvaluationResult:
        """Judge one review. Raises `InputError` for settings that the user can mend."""
        grade = self._grade("completeness", appraisal_text, {})
        most = self._rules.most["completeness"]
        if grade.judgement is None:
            return LLMEvaluationResult(math.nan, most, grade.error, "")
        judgement = grade.judgement
        assessment = str(judgement.detail.get("assessment", ""))
        return LLMEvaluationResult(
            judgement.scores["score"], most, _analysis(judgement), assessment
        )


class AudioPrecisionEvaluator(_Evaluator):
    """Precision: the published ``precision_evaluator``."""

    def evaluate_precision(
        self, appraisal_text: str, ground_truth: dict[str, Any]
    ) -> PrecisionEvaluationResult:
        """Judge one review. Raises `InputError` for settings that the user can mend."""
        grade = self._grade("precision", appraisal_text, ground_truth)
        if grade.judgement is None:
            return PrecisionEvaluationResult(math.nan, 0, 0, 0, grade.error, [])
        judgement = grade.judgement
        scores = judgement.scores
        return PrecisionEvaluationResult(
            scores.get("score", math.nan),
            int(scores["checked"]),
            int(scores["supported"]),
            int(scores["contradicted"]),
            _analysis(judgement),
            [
                {"claim": claim["claim"], "is_correct": claim["verdict"] == "supported"}
                for claim in judgement.detail["claims"]
                if claim["verdict"] in ("supported", "contradicted")
            ],
        )

    def calculate_average_precision(self, results: Sequence[PrecisionEvaluationResult]) -> float:
        """The mean over results with a claim; NaN for none."""
        return _mean([r.precision_score for r in results if r.total_claims > 0])


class AudioNoveltyEvaluator(_Evaluator):
    """Novelty: the published ``novelty_evaluator``."""

    def evaluate_novelty(
        self, appraisal_text: str, ground_truth: dict[str, Any]
    ) -> NoveltyEvaluationResult:
        """Judge one review. Raises `InputError` for settings that the user can mend."""
        grade = self._grade("novelty", appraisal_text, ground_truth)
        judgement = grade.judgement
        scores = judgement.scores if judgement else {}
        statements: list[dict[str, Any]] = judgement.detail["statements"] if judgement else []
        kinds = {
            kind: [s["quote"] for s in statements if s["category"] == kind]
            for kind in novelty.CATEGORIES
        }
        most = self._rules.most["novelty"]
        return NoveltyEvaluationResult(
            scores.get("score", math.nan) / most,
            scores.get("music_relevance", math.nan) / novelty.MOST["music_relevance"],
            scores.get("insight_depth", math.nan) / novelty.MOST["insight_depth"],
            scores.get("personal_insight", math.nan),
            kinds,
            int(scores.get("statements", 0)),
            int(scores.get("related", 0)),
            _analysis(judgement) if judgement else grade.error,
            **{f"has_{kind}": bool(quotes) for kind, quotes in kinds.items()},
        )

    def calculate_average_novelty(
        self, results: Sequence[NoveltyEvaluationResult]
    ) -> dict[str, float]:
        """Means over the results that are there; NaN for none."""
        return {
            "avg_novelty_score": _mean([r.novelty_score for r in results]),
            "avg_music_relevance": _mean([r.music_relevance_score for r in results]),
            "avg_depth_score": _mean([r.depth_score for r in results]),
            "avg_personal_insight": _mean([r.personal_insight_score for r in results]),
        }


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan
