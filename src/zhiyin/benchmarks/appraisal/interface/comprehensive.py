"""All components in one call: the published module ``music_appraisal_benchmark``."""

from __future__ import annotations

import math
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from zhiyin import session
from zhiyin.benchmarks.appraisal.benchmark import judging_options
from zhiyin.benchmarks.appraisal.data import read_questions
from zhiyin.benchmarks.appraisal.interface.functions import (
    AppraisalFunction,
    ConfidenceFunction,
    Functions,
    QaFunction,
    check_writable,
    published_rows,
    seconds_of,
    wait_for,
    write_json,
)
from zhiyin.benchmarks.appraisal.interface.judge import open_judge
from zhiyin.contract.settings import RunSettings
from zhiyin.engine.runner import Limits
from zhiyin.engine.tally import Count
from zhiyin.errors import InputError
from zhiyin.judges import rubric
from zhiyin.judges.aspects import DEFAULT_JUDGE, MAX_TOKENS
from zhiyin.judges.combine import WEIGHTS, Combined
from zhiyin.judges.judging import Request, check_judge, folder_of, judge_run
from zhiyin.judges.report import Report, build, lines
from zhiyin.judges.rules import ASKING, rules_of
from zhiyin.record import Sampling
from zhiyin.runs.figures import figures
from zhiyin.runs.opening import read_table
from zhiyin.text import printable


@dataclass
class ComprehensiveEvaluationResult:
    """The result of an evaluation.

    A figure that is not known is NaN, never 0; `notes` says why.

    Attributes
    ----------
    qa_accuracy : float
        In [0, 1]. No readable answer is wrong; a question that failed is in no figure.
    qa_total_questions, qa_correct_answers : int
    qa_detailed_results : list of dict
        Each question, see `functions.published_rows`.
    completeness_score, completeness_max_score : float
        Mean over songs, out of 16.
    completeness_details : dict
        ``average_total_score``, ``individual_scores`` and ``assessments`` of the songs.
    completeness_assessment : str
        The score in words.
    precision_score : float
        Correct claims over checked claims, in [0, 1].
    precision_details, novelty_details : dict
        See `zhiyin.judges.report`.
    novelty_score : float
        Mean over songs of the score out of 10, in [0, 1].
    overall_score : float
        Weighted over the components that have a value, in [0, 1]; NaN where every judgement of a
        component failed.
    summary : str
        A few lines in Chinese.
    overall_interval : tuple of float
        95 % interval of `overall_score`, songs being drawn.
    overall_bounds : tuple of float
        What `overall_score` would be if all that is missing were the worst, or the best.
    judge_errors : int
        Judgements that failed; in no figure.
    songs : list of dict
        Each song with its review in full, its scores, and what supports them.
    confidence : dict or None
        Calibration of the answers.
    confidences : list of dict
        Of each part and of the whole, see `zhiyin.judges.confidence.PartConfidence`.
    notes : list of str
    report : str
        The whole report as text.
    """

    qa_accuracy: float
    qa_total_questions: int
    qa_correct_answers: int
    qa_detailed_results: list[dict[str, Any]]
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
    songs: list[dict[str, Any]] = field(default_factory=list)
    confidence: dict[str, Any] | None = None
    notes: list[str] = field(default_factory=list)
    report: str = ""
    confidences: list[dict[str, Any]] = field(default_factory=list)


class MusicAppraisalBenchmark:
    """The benchmark with its data and its judge.

    Parameters
    ----------
    qa_data_path : str
        Option questions, JSON lines.
    llm_api_key, llm_base_url : str, optional
        Of the judge's endpoint; by default OPENAI_API_KEY and OPENAI_BASE_URL.
    song_details_path : str, optional
        Song details, JSON lines; without them there is no novelty, and precision goes by what is
        heard alone.
    llm_model : str
        The judge's name at that endpoint.
    judge : str, optional
        A model's spec ("lexical", "http://...#model") in place of the three above.
    audio_root : str, optional
        Where relative audio paths begin; by default the folder of the file that names them.
    weights : tuple of float, length 4
        Of option questions, completeness, precision and novelty.
    draws : int
        Judgements of each review.
    language : str
        Of the prompts: "zh", "en", or the folder of a language pack.
    extract : str, optional
        How answers are read from replies; "flexible" is the published way. By default the
        protocol's.
    protocol : {"ours", "reaction-released"}
        By which rules is asked, judged and scored.
    released : str, optional
        The user's clone of the published code, whose judge prompts are used.
    heard : bool
        Whether what is measured in the recordings is evidence too; never by the released rules.
    output_dir : str, optional
        Where runs are kept, so that a repeated call asks only what is missing; by default they
        are dropped.
    limits : Limits, optional
        Concurrency, time limit and retries of the judge's calls.
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
        weights: tuple[float, float, float, float] | tuple[float, ...] = WEIGHTS,
        draws: int = 1,
        language: str = "zh",
        extract: str | None = None,
        protocol: str = "ours",
        released: str | None = None,
        heard: bool = True,
        output_dir: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        rules_of(protocol)
        preset = ASKING.usual() if protocol == ASKING.name else {}
        self._options = {
            **preset,
            "qa": str(qa_data_path),
            "details": None if song_details_path is None else str(song_details_path),
            "audio_root": audio_root,
            "language": language,
            "extract": extract or preset.get("extract", "robust"),
            "protocol": protocol,
        }
        self._endpoint = (judge, llm_api_key, llm_base_url, llm_model)
        self._judging = {"max_tokens": MAX_TOKENS, **judging_options(self._options)}
        self._judging |= {"draws": draws, "released": released}
        if not heard:
            self._judging["no_heard"] = True
        self._weights = weights
        self._output = output_dir
        self._limits = limits or Limits(concurrency=0)

    def evaluate_model(
        self,
        qa_model_function: QaFunction,
        appraisal_model_function: AppraisalFunction,
        include_qa_confidence: bool = False,
        qa_confidence_function: ConfidenceFunction | None = None,
        enable_precision_eval: bool = True,
        enable_novelty_eval: bool = True,
    ) -> ComprehensiveEvaluationResult:
        """Ask all questions and for all reviews, have the reviews judged, and sum up.

        Sound is handed over as a copy under a neutral name, since a file's name may name the song.

        Parameters
        ----------
        qa_model_function : callable
            ``(audio_path, question, options) -> str``, plain or async.
        appraisal_model_function : callable
            ``(audio_path) -> str``, or ``-> (str, confidence)``; plain or async.
        include_qa_confidence : bool
            Whether to ask for confidences.
        qa_confidence_function : callable, optional
            ``(audio_path, question, options) -> (answer, confidence)``, asked in the place of
            `qa_model_function`; other forms as in `functions.Functions`.
        enable_precision_eval, enable_novelty_eval : bool

        Raises
        ------
        InputError
            For data or settings that the user can mend.
        """
        if include_qa_confidence and qa_confidence_function is None:
            raise InputError("include_qa_confidence: give qa_confidence_function too")
        asked_confidence = qa_confidence_function if include_qa_confidence else None
        aspects = ["completeness"]
        aspects += ["precision"] * enable_precision_eval + ["novelty"] * enable_novelty_eval
        functions = Functions(qa_model_function, appraisal_model_function, asked_confidence)
        if self._output is not None:
            return wait_for(self._evaluate(functions, aspects, Path(self._output)))
        with tempfile.TemporaryDirectory(prefix="zhiyin-") as folder:
            return wait_for(self._evaluate(functions, aspects, Path(folder)))

    def print_detailed_report(self, result: ComprehensiveEvaluationResult) -> None:
        """Write the report and the summary to standard output."""
        sys.stdout.write(printable(f"{result.report}\n{result.summary}\n"))

    def save_results(self, result: ComprehensiveEvaluationResult, output_path: str) -> None:
        """Write a result as JSON: ``summary`` and ``detailed_results`` as published, and the rest.

        What is not known is null.

        Raises
        ------
        InputError
            When the file cannot be written.
        """
        write_json(_as_published(result), output_path)

    async def _evaluate(
        self, functions: Functions, aspects: list[str], folder: Path
    ) -> ComprehensiveEvaluationResult:
        run = folder / "run"
        spec, model = open_judge(*self._endpoint, self._limits)
        order = RunSettings(
            "appraisal", functions, self._options, Sampling(), None, str(run), Limits(0)
        )
        await check_judge(spec, model)
        await session.carry_out(order)
        options = {**self._judging, "aspects": ",".join(aspects)}
        request = Request(str(run), spec, options, self._limits, model)
        await judge_run(request)
        report = build(run, [folder_of(request)], self._weights)
        questions = read_questions(Path(self._options["qa"])).items
        details = published_rows(run, {f"qa/{one.id}": one.metadata for one in questions})
        return _result(report, figures(read_table(run)).counts.get("qa", Count()), details)


def run_comprehensive_benchmark(
    qa_model_function: QaFunction,
    appraisal_model_function: AppraisalFunction,
    qa_data_path: str,
    song_details_path: str | None = None,
    llm_api_key: str | None = None,
    llm_base_url: str | None = None,
    output_path: str | None = None,
    include_qa_confidence: bool = False,
    qa_confidence_function: ConfidenceFunction | None = None,
    enable_precision_eval: bool = True,
    enable_novelty_eval: bool = True,
    **settings: Any,
) -> ComprehensiveEvaluationResult:
    """Evaluate two functions in one call, and write the result to `output_path`, if given.

    `settings` are the further parameters of `MusicAppraisalBenchmark`. Nothing is printed: see
    its `print_detailed_report`.

    Raises
    ------
    InputError
        For data, settings or an `output_path` that the user can mend; the last before anything
        is asked.
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


def _result(
    report: Report, qa: Count, details: list[dict[str, Any]]
) -> ComprehensiveEvaluationResult:
    judged = report.judges[0]
    parts = {name: _nan_if_none(part.value) for name, part in judged.components.items()}
    completeness = parts["completeness"]
    return ComprehensiveEvaluationResult(
        qa_accuracy=parts["qa"],
        qa_total_questions=qa.judged,
        qa_correct_answers=qa.correct,
        qa_detailed_results=details,
        completeness_score=completeness * rubric.MOST,
        completeness_max_score=rubric.MOST,
        completeness_details=_completeness_details(judged),
        completeness_assessment=report.assessments[0],
        precision_score=parts["precision"],
        precision_details=report.precision[0],
        novelty_score=parts["novelty"],
        novelty_details=report.novelty[0],
        overall_score=_nan_if_none(judged.total),
        summary=_summary(judged, qa, seconds_of(details)),
        overall_interval=(judged.interval.low, judged.interval.high)
        if judged.interval
        else (math.nan, math.nan),
        overall_bounds=(_nan_if_none(judged.low), _nan_if_none(judged.high)),
        judge_errors=sum(part.errors for n, part in judged.components.items() if n != "qa"),
        songs=[msgspec.to_builtins(song) for song in judged.songs],
        confidence=msgspec.to_builtins(report.confidence) if report.confidence else None,
        notes=[*map(str, (*judged.notes, *report.notes[0], *report.reliability.warnings))],
        report="\n".join(lines(report)),
        confidences=msgspec.to_builtins(report.confidences[0]),
    )


def _completeness_details(judged: Combined) -> dict[str, Any]:
    """As published: the mean, the score of each song, and what the judge said of each."""
    scores = [song.completeness for song in judged.songs if song.completeness is not None]
    assessments = [
        findings.get("assessment", "")
        for song in judged.songs
        for findings in song.found.get("completeness", ())
    ]
    return {
        "average_total_score": fmean(scores) if scores else math.nan,
        "individual_scores": scores,
        "assessments": assessments,
    }


def _as_published(result: ComprehensiveEvaluationResult) -> dict[str, Any]:
    """A result in the published form, followed by what that form lacks."""
    fields = asdict(result)
    summary_names = (
        *("qa_accuracy", "qa_total_questions", "qa_correct_answers"),
        *("completeness_score", "completeness_max_score", "precision_score", "novelty_score"),
        *("overall_score", "summary"),
    )
    parts = ("completeness", "precision", "novelty")
    details = {
        "qa_results": fields.pop("qa_detailed_results"),
        **{f"{part}_details": fields.pop(f"{part}_details") for part in parts},
    }
    summary = {name: fields.pop(name) for name in summary_names}
    return {"summary": summary, "detailed_results": details, **fields}


def _summary(judged: Combined, qa: Count, seconds: float) -> str:
    """The figures in Chinese, one a line as in the README's example, with what is missing."""
    parts = judged.components

    def share(name: str) -> str:
        value = parts[name].value
        return f"无（{parts[name].why}）" if value is None else f"{100 * value:.2f}%"

    completeness = parts["completeness"].value
    points = (
        f"{completeness * rubric.MOST:.1f}/{rubric.MOST:.1f} ({100 * completeness:.1f}%)"
        if completeness is not None
        else share("completeness")
    )
    summary_lines = [
        "模型综合评估结果：",
        f"- 选择题准确率: {share('qa')} ({qa.correct}/{qa.judged})",
        f"- 完整性评分: {points}",
        f"- 事实准确率: {share('precision')}",
        f"- 新颖性得分: {share('novelty')}",
        f"- 综合得分: {'无' if judged.total is None else f'{100 * judged.total:.2f}%'}",
        f"- 平均响应时间: {'无' if math.isnan(seconds) else f'{seconds:.2f}秒'}",
    ]
    missing = sum(part.errors for part in parts.values())
    if missing and judged.low is not None and judged.high is not None:
        summary_lines.append(
            f"- 缺失 {missing} 项，不计入以上数字；总分界限 "
            f"{100 * judged.low:.2f}% 至 {100 * judged.high:.2f}%"
        )
    return "\n".join(summary_lines)


def _nan_if_none(value: float | None) -> float:
    return math.nan if value is None else value
