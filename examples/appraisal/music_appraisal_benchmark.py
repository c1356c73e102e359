"""The published program of the Comprehensive Music Appraisal Benchmark, on top of Zhiyin.

Copy this file beside a script that was written for the published program, and the script runs:
names, parameters (by name and by place), fields of results and files are those of its four
modules, which are one here. Whatever is asked is asked by `zy.run` and judged by `zy.judge`.
``docs/benchmarks/appraisal.md`` is its page.

A figure that is not known is NaN (null in files), never 0; `notes` says why.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import math
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import msgspec

import zhiyin as zy
from zhiyin.api.running import wait_for
from zhiyin.engine.runner import Limits
from zhiyin.plugins.judges.confidence import confidence_of
from zhiyin.plugins.judges.judging import check_judge
from zhiyin.plugins.judges.report import lines
from zhiyin.plugins.judges.rubric import CATEGORIES
from zhiyin.text import printable

DEFAULT_JUDGE = "deepseek-v3"
PATIENCE_S = 86_400.0
"""Functions take the time that they need."""
COMPLETENESS_MOST, NOVELTY_MOST = 16.0, {"ours": 10.0, "reaction-released": 4.0}
Rows = list[dict[str, Any]]


# Functions as a model


def as_model(
    qa: Callable[..., Any] | None,
    appraisal: Callable[..., Any] | None,
    confidence: Callable[..., Any] | None = None,
) -> Callable[..., Any]:
    """Up to three functions, plain or async, as the one that `zy.run` asks.

    Parameters
    ----------
    qa : callable or None
        ``(audio_path, question, options) -> str``.
    appraisal : callable or None
        ``(audio_path) -> str``, or ``-> (str, confidence)`` with how sure it is of its review, a
        number in [0, 1] or None.
    confidence : callable or None
        ``(audio_path, question, options)`` to the published pair ``(answer, confidence)``, which
        takes the place of what `qa` would answer; or to how sure `qa` is: a number in [0, 1], or
        a probability for each option (a list, or a dict by letter).
    """
    pool = ThreadPoolExecutor(1)  # what is not safe in threads stays in one

    async def call(function: Callable[..., Any] | None, *arguments: Any) -> Any:
        assert function is not None
        try:
            result = await asyncio.get_running_loop().run_in_executor(pool, function, *arguments)
            return await result if inspect.isawaitable(result) else result
        except (Exception, SystemExit) as error:  # a function must not end the examination
            text = " ".join(str(error).split())[:300]
            raise zy.ModelError(
                f"{_name(function)} raised {type(error).__name__}: {text}"
            ) from error

    async def answer(audio_path: str, question: str, options: list[str]) -> zy.Reply:
        if not options:
            review = await call(appraisal, audio_path)
            text, sure = review if _is_pair(review) else (review, None)
            return _reply(text, sure, appraisal)
        if confidence is None:
            return _reply(await call(qa, audio_path, question, options), None, qa)
        sure = await call(confidence, audio_path, question, options)
        if _is_pair(sure):
            return _reply(sure[0], sure[1], confidence)
        text = await call(qa, audio_path, question, options)
        return _reply(_reply(text, None, qa).text, sure, confidence)

    answer.__qualname__ = " and ".join(_name(each) for each in (qa, appraisal) if each)
    return answer


def _name(function: Any) -> str:
    return str(getattr(function, "__qualname__", type(function).__name__)).rpartition(".")[2]


def _is_pair(result: Any) -> bool:
    return isinstance(result, list | tuple) and len(result) == 2 and isinstance(result[0], str)


def _reply(text: Any, sure: Any, function: Any) -> zy.Reply:
    """A reply with how sure the function is: of its answer, or of each option."""
    if not isinstance(text, str):
        raise zy.ModelError(f"{_name(function)} returned {type(text).__name__}, and not a str")
    reply = zy.Reply(text)
    if isinstance(sure, dict | list | tuple):
        letters = sure if isinstance(sure, dict) else dict(zip("ABCDEFGHI", sure, strict=False))
        shares = {str(letter): _share(value, function) for letter, value in letters.items()}
        reply.logprobs = {letter: math.log(max(share, 1e-12)) for letter, share in shares.items()}
    elif sure is not None:
        reply.detail["confidence"] = _share(sure, function)
    return reply


def _share(value: Any, function: Any) -> float:
    try:
        share = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError):
        share = math.nan
    if not 0 <= share <= 1:
        raise zy.ModelError(
            f"{_name(function)} returned {str(value)[:40]!r} as a confidence: give a number from "
            "0 to 1, (answer, number), or a probability for each option"
        )
    return share


# The judge, and files


def open_judge(spec: str | None, key: str | None, base: str | None, name: str) -> Any:
    """The judge as `zy.judge` takes it: a spec, or a model that is open, with a key of its own.

    Parameters
    ----------
    spec : str or None
        A model's spec ("lexical"), which goes before the rest.
    key, base : str or None
        Of an OpenAI-compatible endpoint; by default OPENAI_API_KEY and OPENAI_BASE_URL.
    name : str
        The model's name there.
    """
    if spec is not None or (base is None and key is None):
        return spec or f"openai:{name}"
    from zhiyin.models import PROVIDERS, Setting
    from zhiyin.models.chat import ChatModel
    from zhiyin.models.endpoint import provider_endpoint, url_endpoint

    at = url_endpoint(f"{base}#{name}") if base else None
    endpoint = at or provider_endpoint("openai", PROVIDERS["openai"], name)
    if key is not None:
        endpoint = replace(endpoint, key=key, key_source="llm_api_key")
    return ChatModel(endpoint, Setting(300.0))


def as_parameters(limits: Limits | None) -> dict[str, Any]:
    """Concurrency, time limit and retries of the judge's calls, as `zy.judge` takes them."""
    if limits is None:
        return {}
    most = limits.concurrency or None
    return {"concurrency": most, "timeout": limits.timeout_s, "retries": limits.retries}


def check_first(judge: Any) -> None:
    """Raise `InputError` where a judge cannot be asked: before anything is paid for."""
    spec = judge if isinstance(judge, str) else judge.name
    wait_for(check_judge(spec, None if isinstance(judge, str) else judge))


def check_writable(path: str | None) -> None:
    """Raise `InputError` where a file could not be written: before anything is asked."""
    if path is not None and not Path(path).absolute().parent.is_dir():
        raise zy.InputError(f"{path}: cannot be written: make its folder first")


def write_json(content: Any, path: str) -> None:
    """Write JSON; NaN becomes null. Raises `InputError` where the file cannot be written."""
    try:
        Path(path).write_bytes(msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n")
    except OSError as error:
        raise zy.InputError(f"{path}: cannot be written: {error.strerror}") from None


# The option questions alone: `audio_qa`


@dataclass
class QAItem:
    """One question: as in the data, `answer` being the letter of the right option."""

    audio_path: str
    question: str
    options: list[str]
    answer: str
    metadata: dict[str, Any] | None = None


@dataclass
class EvaluationResult:
    """The result of the questions.

    `total_questions` are those that did not fail; `accuracy` is in [0, 1], and NaN where all
    failed; `average_response_time` is in seconds; for `detailed_results` see `published_rows`.
    """

    accuracy: float
    total_questions: int
    correct_answers: int
    detailed_results: Rows
    average_response_time: float
    confidence_scores: list[float] | None = None


def published_rows(run: zy.Run, metadata: dict[str, Any]) -> Rows:
    """The questions of a run in the published form, in order.

    A row has ``question_id`` (from 0), ``audio_path``, ``question``, ``options``,
    ``correct_answer``, ``predicted_answer``, ``is_correct``, ``response_time`` (seconds),
    ``metadata``, and ``confidence`` where it is known. A question that failed has ``error`` instead
    of an answer.
    """
    rows: Rows = []
    for record in run.records():
        trial, verdict = record.trial, record.verdict
        if not trial.options:
            continue
        row: dict[str, Any] = {
            "question_id": len(rows),
            "audio_path": trial.cluster,
            "question": trial.stem,
            "options": [option.text for option in trial.options],
            "correct_answer": trial.target,
            "is_correct": verdict.state == "correct",
            "response_time": 0,
        }
        if verdict.state == "error":
            row["error"] = record.error or verdict.why
        else:
            reply = record.exchange.final
            row |= {"predicted_answer": reply.text, "response_time": reply.latency_s or 0}
            if (confidence := confidence_of(reply, verdict.letter or "")) is not None:
                row["confidence"] = confidence[0]
        rows.append({**row, "metadata": metadata.get(record.id, {})})
    return rows


def result_of(rows: Rows) -> EvaluationResult:
    """The result of questions in the published form, see `published_rows`."""
    answered = [row for row in rows if "error" not in row]
    right = sum(row["is_correct"] for row in answered)
    sure = [row["confidence"] for row in answered if "confidence" in row]
    accuracy = right / len(answered) if answered else math.nan
    seconds = [float(row["response_time"]) for row in answered]
    return EvaluationResult(accuracy, len(answered), right, rows, _mean(seconds), sure or None)


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


class AudioQABenchmark:
    """The questions of a file (JSON lines).

    `audio_base_path` is where relative audio paths begin, by default the folder of `data_path`;
    `extract` how answers are read, "flexible" being the published way. Raises `InputError` where
    the file cannot be read.
    """

    def __init__(
        self, data_path: str, audio_base_path: str | None = None, *, extract: str = "robust"
    ) -> None:
        from zhiyin.plugins.benchmarks.appraisal.data import read_questions

        questions = read_questions(Path(data_path)).items
        self._settings: dict[str, Any] = {
            "qa": str(data_path),
            "audio_root": audio_base_path,
            "extract": extract,
        }
        self.metadata = {f"qa/{one.id}": one.metadata for one in questions}
        self.qa_items = [
            QAItem(one.song, one.text, list(one.options), one.answer, one.metadata)
            for one in questions
        ]

    def evaluate_model(
        self,
        model_function: Callable[..., Any],
        include_confidence: bool = False,
        confidence_function: Callable[..., Any] | None = None,
    ) -> EvaluationResult:
        """Ask all questions; for the functions see `as_model`."""
        if include_confidence and confidence_function is None:
            raise zy.InputError("include_confidence: give confidence_function too")
        sure = confidence_function if include_confidence else None
        model = as_model(model_function, None, sure)
        with tempfile.TemporaryDirectory(prefix="zhiyin-") as folder:
            run = ask(model, Path(folder) / "run", parts="qa", **self._settings)
            return result_of(published_rows(run, self.metadata))

    def save_results(self, result: EvaluationResult, output_path: str) -> None:
        """Write ``summary`` and ``detailed_results``."""
        details = result.detailed_results
        write_json({"summary": _qa_summary(result), "detailed_results": details}, output_path)

    def get_statistics(self, result: EvaluationResult) -> dict[str, Any]:
        """Counts, and mean, standard deviation, least and most of times and confidences."""
        statistics = _qa_summary(result)
        statistics["incorrect_answers"] = result.total_questions - result.correct_answers
        times = [float(row["response_time"]) for row in result.detailed_results]
        for name, values in (("response_time", times), ("confidence", result.confidence_scores)):
            if values:
                statistics[f"{name}_std"] = pstdev(values)
                statistics[f"min_{name}"], statistics[f"max_{name}"] = min(values), max(values)
        return statistics


def ask(model: Callable[..., Any], folder: Path, **settings: Any) -> zy.Run:
    """A run of the benchmark, as Zhiyin makes any."""
    return zy.run(
        "appraisal",
        model,
        out=folder,
        concurrency=1,
        timeout=PATIENCE_S,
        canary=False,
        progress=False,
        **settings,
    )


def _qa_summary(result: EvaluationResult) -> dict[str, Any]:
    summary: dict[str, Any] = {
        "accuracy": result.accuracy,
        "total_questions": result.total_questions,
        "correct_answers": result.correct_answers,
        "average_response_time": result.average_response_time,
    }
    if result.confidence_scores:
        summary["average_confidence"] = fmean(result.confidence_scores)
    return summary


def run_benchmark(
    model_function: Callable[..., Any],
    data_path: str = "data/option_qa.jsonl",
    output_path: str | None = None,
    include_confidence: bool = False,
    confidence_function: Callable[..., Any] | None = None,
) -> EvaluationResult:
    """Ask a function all questions of a file, and write the results to `output_path`, if given."""
    check_writable(output_path)
    benchmark = AudioQABenchmark(data_path)
    result = benchmark.evaluate_model(model_function, include_confidence, confidence_function)
    if output_path is not None:
        benchmark.save_results(result, output_path)
    return result


# One review, one aspect: `llm_evaluator`, `precision_evaluator`, `novelty_evaluator`


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
    claim_breakdown: Rows


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


class OneReview(zy.Benchmark[Any]):
    """A text that is there already, to be judged: `settings` are what is known of its song."""

    name = "one-review"
    summary = "a review to be judged"
    reviews = "review"

    def trials(self) -> list[zy.Trial]:
        """The one review."""
        known = json.dumps(self.settings, ensure_ascii=False)
        message = zy.say("user", "-")
        tags = {"song": "text"}
        return [zy.Trial("review/text", (message,), "-", target=known, groups=("review",),
                         cluster="text", tags=tags)]  # fmt: skip

    def score(self, trial: zy.Trial, exchange: zy.Exchange) -> zy.Verdict:
        """It is written."""
        return zy.Verdict("ungraded", None, scores={"written": 1.0})


class _Evaluator:
    """A judge of single reviews; for `judge` see `open_judge`, for the rest `zy.judge`."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        model: str = DEFAULT_JUDGE,
        *,
        judge: str | None = None,
        language: str | None = None,
        protocol: str = "ours",
        released: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._endpoint = (judge, api_key, base_url, model)
        self._protocol = protocol
        self._settings: dict[str, Any] = {
            "language": language,
            "protocol": protocol,
            "released": released,
            "heard": False,  # there is no recording
            **as_parameters(limits),
        }

    def _grade(self, aspect: str, text: str, details: dict[str, Any]) -> dict[str, Any]:
        """What the judge found, or ``error``. Raises `InputError` for what the user can mend."""
        known = {name: value for name, value in details.items() if name != "audio_path"}
        if aspect != "completeness" and not known:
            return {"error": "nothing is known of the song to judge it by"}
        with tempfile.TemporaryDirectory(prefix="zhiyin-") as folder:
            run = zy.run(OneReview(known), lambda messages: text, out=Path(folder) / "run",
                         canary=False, progress=False)  # fmt: skip
            judged = zy.judge(run, open_judge(*self._endpoint), aspects=[aspect], progress=False,
                              **self._settings)  # fmt: skip
            found: dict[str, Any] = judged.judges[0].songs[0].found[aspect][0]
            return found


def _analysis(found: dict[str, Any]) -> str:
    """What a judgement rests on, as text; why there is none."""
    return str(found.get("error") or found.get("reply") or json.dumps(found, ensure_ascii=False))


class AudioLLMEvaluator(_Evaluator):
    """Completeness: the published ``llm_evaluator``."""

    def evaluate_appraisal(self, appraisal_text: str) -> LLMEvaluationResult:
        """Judge one review."""
        found = self._grade("completeness", appraisal_text, {})
        score = found.get("scores", {}).get("score", math.nan)
        assessment = str(found.get("assessment", ""))
        return LLMEvaluationResult(score, COMPLETENESS_MOST, _analysis(found), assessment)


class AudioPrecisionEvaluator(_Evaluator):
    """Precision: the published ``precision_evaluator``."""

    def evaluate_precision(
        self, appraisal_text: str, ground_truth: dict[str, Any]
    ) -> PrecisionEvaluationResult:
        """Judge one review."""
        found = self._grade("precision", appraisal_text, ground_truth)
        scores = found.get("scores", {})
        counted = ("checked", "supported", "contradicted")
        every, right, wrong = (int(scores.get(name, 0)) for name in counted)
        claims = [
            {"claim": claim["claim"], "is_correct": claim["verdict"] == "supported"}
            for claim in found.get("claims", ())
            if claim["verdict"] in ("supported", "contradicted")
        ]
        score = scores.get("score", math.nan)
        return PrecisionEvaluationResult(score, every, right, wrong, _analysis(found), claims)

    def calculate_average_precision(self, results: Sequence[PrecisionEvaluationResult]) -> float:
        """The mean over results with a claim; NaN for none."""
        return _mean([result.precision_score for result in results if result.total_claims > 0])


class AudioNoveltyEvaluator(_Evaluator):
    """Novelty: the published ``novelty_evaluator``."""

    def evaluate_novelty(
        self, appraisal_text: str, ground_truth: dict[str, Any]
    ) -> NoveltyEvaluationResult:
        """Judge one review."""
        found = self._grade("novelty", appraisal_text, ground_truth)
        scores = found.get("scores", {})
        statements: Rows = found.get("statements", [])
        kinds = {
            kind: [each["quote"] for each in statements if each["category"] == kind]
            for kind in CATEGORIES
        }
        return NoveltyEvaluationResult(
            scores.get("score", math.nan) / NOVELTY_MOST[self._protocol],
            scores.get("music_relevance", math.nan) / 3,
            scores.get("insight_depth", math.nan) / 3,
            scores.get("personal_insight", math.nan),
            kinds,
            int(scores.get("statements", 0)),
            int(scores.get("related", 0)),
            _analysis(found),
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


# All components in one call: `music_appraisal_benchmark`


@dataclass
class ComprehensiveEvaluationResult:
    """The result of an evaluation. Scores are shares in [0, 1] but `completeness_score`.

    Beyond the published fields: `overall_interval`, 95 % with songs being drawn;
    `overall_bounds`, what the score would be if all that is missing were the worst or the best;
    `judge_errors`, judgements that failed and are in no figure; `songs`, each with its review, its
    scores and what supports them; `confidence` of the answers and `confidences` of each part, see
    `zhiyin.plugins.judges.confidence`; `report`, the whole as text.
    """

    qa_accuracy: float
    qa_total_questions: int
    qa_correct_answers: int
    qa_detailed_results: Rows
    completeness_score: float
    completeness_max_score: float
    completeness_details: dict[str, Any]
    completeness_assessment: str
    precision_score: float
    precision_details: dict[str, Any]
    novelty_score: float
    novelty_details: dict[str, Any]
    overall_score: float
    summary: str
    overall_interval: tuple[float, float] = (math.nan, math.nan)
    overall_bounds: tuple[float, float] = (math.nan, math.nan)
    judge_errors: int = 0
    songs: Rows = field(default_factory=list)
    confidence: dict[str, Any] | None = None
    notes: list[str] = field(default_factory=list)
    report: str = ""
    confidences: Rows = field(default_factory=list)


class MusicAppraisalBenchmark:
    """The benchmark with its data and its judge.

    Parameters
    ----------
    qa_data_path : str
        Option questions, JSON lines.
    llm_api_key, llm_base_url, llm_model, judge
        See `open_judge`.
    song_details_path : str, optional
        Song details, JSON lines; without them there is no novelty, and precision goes by what is
        heard alone.
    audio_root, extract
        See `AudioQABenchmark`; both are the protocol's by default.
    output_dir : str, optional
        Where runs are kept, so that a repeated call asks only what is missing; by default they
        are dropped.
    language, protocol : str
        Of questions and judges.
    limits : Limits, optional
        Of the judge's calls.
    settings
        Further parameters of `zy.judge`, such as `weights`, `draws`, `released` and `heard`.
    """

    def __init__(
        self,
        qa_data_path: str,
        llm_api_key: str | None = None,
        llm_base_url: str | None = None,
        song_details_path: str | None = None,
        llm_model: str = DEFAULT_JUDGE,
        *,
        judge: str | None = None,
        audio_root: str | None = None,
        language: str = "zh",
        extract: str | None = None,
        protocol: str = "ours",
        output_dir: str | None = None,
        limits: Limits | None = None,
        **settings: Any,
    ) -> None:
        if protocol not in NOVELTY_MOST:
            raise zy.InputError(f"unknown protocol {protocol!r}: known: {', '.join(NOVELTY_MOST)}")
        self._asking = {
            "qa": str(qa_data_path),
            "details": song_details_path,
            "audio_root": audio_root,
            "language": language,
            "extract": extract,
            "protocol": None if protocol == "ours" else protocol,
        }
        self._endpoint = (judge, llm_api_key, llm_base_url, llm_model)
        self._judging: dict[str, Any] = {"language": language, "protocol": protocol}
        self._judging |= {**as_parameters(limits), **settings}
        self._output = output_dir
        self._metadata = AudioQABenchmark(qa_data_path).metadata

    def evaluate_model(
        self,
        qa_model_function: Callable[..., Any],
        appraisal_model_function: Callable[..., Any],
        include_qa_confidence: bool = False,
        qa_confidence_function: Callable[..., Any] | None = None,
        enable_precision_eval: bool = True,
        enable_novelty_eval: bool = True,
    ) -> ComprehensiveEvaluationResult:
        """Ask all questions and for all reviews, have the reviews judged, and sum up.

        Sound is handed over as a copy under a neutral name, since a file's name may name the song.
        For the functions see `as_model`.
        """
        if include_qa_confidence and qa_confidence_function is None:
            raise zy.InputError("include_qa_confidence: give qa_confidence_function too")
        sure = qa_confidence_function if include_qa_confidence else None
        model = as_model(qa_model_function, appraisal_model_function, sure)
        aspects = ["completeness"]
        aspects += ["precision"] * enable_precision_eval + ["novelty"] * enable_novelty_eval
        check_first(open_judge(*self._endpoint))
        with tempfile.TemporaryDirectory(prefix="zhiyin-") as folder:
            run = ask(model, Path(self._output or folder) / "run", **self._asking)
            judge = open_judge(*self._endpoint)
            judged = zy.judge(run, judge, aspects=aspects, progress=False, **self._judging)
            return _result(judged, result_of(published_rows(run, self._metadata)))

    def print_detailed_report(self, result: ComprehensiveEvaluationResult) -> None:
        """Write the report and the summary to standard output."""
        sys.stdout.write(printable(f"{result.report}\n{result.summary}\n"))

    def save_results(self, result: ComprehensiveEvaluationResult, output_path: str) -> None:
        """Write ``summary`` and ``detailed_results`` as published, and the rest."""
        fields = asdict(result)
        details = {"qa_results": fields.pop("qa_detailed_results")}
        for part in ("completeness", "precision", "novelty"):
            details[f"{part}_details"] = fields.pop(f"{part}_details")
        names = (
            *("qa_accuracy", "qa_total_questions", "qa_correct_answers", "completeness_score"),
            *("completeness_max_score", "precision_score", "novelty_score", "overall_score"),
            "summary",
        )
        summary = {name: fields.pop(name) for name in names}
        write_json({"summary": summary, "detailed_results": details, **fields}, output_path)


def run_comprehensive_benchmark(
    qa_model_function: Callable[..., Any],
    appraisal_model_function: Callable[..., Any],
    qa_data_path: str,
    song_details_path: str | None = None,
    llm_api_key: str | None = None,
    llm_base_url: str | None = None,
    output_path: str | None = None,
    include_qa_confidence: bool = False,
    qa_confidence_function: Callable[..., Any] | None = None,
    enable_precision_eval: bool = True,
    enable_novelty_eval: bool = True,
    **settings: Any,
) -> ComprehensiveEvaluationResult:
    """Evaluate two functions in one call, and write the result to `output_path`, if given.

    `settings` are the further parameters of `MusicAppraisalBenchmark`. Nothing is printed: see its
    `print_detailed_report`.
    """
    check_writable(output_path)
    benchmark = MusicAppraisalBenchmark(
        qa_data_path, llm_api_key, llm_base_url, song_details_path, **settings
    )
    result = benchmark.evaluate_model(
        qa_model_function,
        appraisal_model_function,
        include_qa_confidence,
        qa_confidence_function,
        enable_precision_eval,
        enable_novelty_eval,
    )
    if output_path is not None:
        benchmark.save_results(result, output_path)
    return result


def _result(judged: zy.Judged, qa: EvaluationResult) -> ComprehensiveEvaluationResult:
    one = judged.judges[0]
    parts = {name: _nan_if_none(part.value) for name, part in one.components.items()}
    interval = one.interval
    scores = [song.completeness for song in one.songs if song.completeness is not None]
    found = [each for song in one.songs for each in song.found.get("completeness", ())]
    notes = (*one.notes, *judged.notes[0], *judged.reliability.warnings)
    return ComprehensiveEvaluationResult(
        qa_accuracy=parts["qa"],
        qa_total_questions=qa.total_questions,
        qa_correct_answers=qa.correct_answers,
        qa_detailed_results=qa.detailed_results,
        completeness_score=parts["completeness"] * COMPLETENESS_MOST,
        completeness_max_score=COMPLETENESS_MOST,
        completeness_details={
            "average_total_score": fmean(scores) if scores else math.nan,
            "individual_scores": scores,
            "assessments": [each.get("assessment", "") for each in found],
        },
        completeness_assessment=judged.assessments[0],
        precision_score=parts["precision"],
        precision_details=msgspec.to_builtins(judged.precision[0]),
        novelty_score=parts["novelty"],
        novelty_details=msgspec.to_builtins(judged.novelty[0]),
        overall_score=_nan_if_none(one.total),
        summary=_summary(one, qa),
        overall_interval=(interval.low, interval.high) if interval else (math.nan, math.nan),
        overall_bounds=(_nan_if_none(one.low), _nan_if_none(one.high)),
        judge_errors=sum(part.errors for name, part in one.components.items() if name != "qa"),
        songs=[msgspec.to_builtins(song) for song in one.songs],
        confidence=msgspec.to_builtins(judged.confidence) if judged.confidence else None,
        notes=list(map(str, notes)),
        report="\n".join(lines(judged)),
        confidences=msgspec.to_builtins(judged.confidences[0]),
    )


def _summary(judged: Any, qa: EvaluationResult) -> str:
    """The figures in Chinese, one a line as in the README's example, with what is missing."""
    parts = judged.components

    def share(name: str) -> str:
        value = parts[name].value
        return f"无（{parts[name].why}）" if value is None else f"{100 * value:.2f}%"

    value, most = parts["completeness"].value, COMPLETENESS_MOST
    points = share("completeness")
    if value is not None:
        points = f"{value * most:.1f}/{most:.1f} ({100 * value:.1f}%)"
    seconds = qa.average_response_time
    summary = [
        "模型综合评估结果：",
        f"- 选择题准确率: {share('qa')} ({qa.correct_answers}/{qa.total_questions})",
        f"- 完整性评分: {points}",
        f"- 事实准确率: {share('precision')}",
        f"- 新颖性得分: {share('novelty')}",
        f"- 综合得分: {'无' if judged.total is None else f'{100 * judged.total:.2f}%'}",
        f"- 平均响应时间: {'无' if math.isnan(seconds) else f'{seconds:.2f}秒'}",
    ]
    missing = sum(part.errors for part in parts.values())
    if missing and judged.low is not None and judged.high is not None:
        summary.append(
            f"- 缺失 {missing} 项，不计入以上数字；总分界限 "
            f"{100 * judged.low:.2f}% 至 {100 * judged.high:.2f}%"
        )
    return "\n".join(summary)


def _nan_if_none(value: float | None) -> float:
    return math.nan if value is None else value
