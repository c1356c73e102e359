"""The appraisal benchmark from Python: functions of yours are examined, and their reviews judged.

``from zhiyin.appraisal import run_comprehensive_benchmark``; `docs/benchmarks/appraisal.md`.
"""

from __future__ import annotations

import asyncio
import inspect
import math
import sys
import tempfile
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from zhiyin import session
from zhiyin.benchmarks.appraisal.data import LETTERS
from zhiyin.errors import InputError, ModelError
from zhiyin.judges import rubric
from zhiyin.judges.aspects import DEFAULT_JUDGE, MAX_TOKENS
from zhiyin.judges.combine import WEIGHTS, Combined
from zhiyin.judges.judging import Request, check_judge, folder_of, judge_run
from zhiyin.judges.report import Report, build, lines
from zhiyin.models.playback import write_neutral
from zhiyin.models.threads import Threads
from zhiyin.record import Model, Reply, Sampling
from zhiyin.runner import Limits
from zhiyin.tally import Count, tally_log
from zhiyin.trial import Audio, Message, Trial

T = TypeVar("T")
QaFunction = Callable[[str, str, list[str]], str | Awaitable[str]]
AppraisalFunction = Callable[[str], str | Awaitable[str]]
ConfidenceFunction = Callable[[str, str, list[str]], Any]

_BANDS = (
    (0.9, "内容完整，各评价维度均有展开"),
    (0.7, "内容较完整，主要评价维度大多涉及"),
    (0.5, "内容一般，部分评价维度缺失"),
    (0.0, "内容不完整，多数评价维度没有涉及"),
)


@dataclass
class ComprehensiveEvaluationResult:
    """What came of an evaluation.

    A figure that could not be had is NaN, never 0; `notes` says why.

    Attributes
    ----------
    qa_accuracy : float
        In [0, 1]. No readable answer is wrong; a question that failed is in no figure.
    qa_total_questions, qa_correct_answers : int
    completeness_score, completeness_max_score : float
        Mean over songs, out of 16.
    completeness_assessment : str
        The score in words.
    precision_score : float
        Correct claims over checked claims, in [0, 1].
    precision_details, novelty_details : dict
        See `zhiyin.judges.report`.
    novelty_score : float
        Mean over songs of the score out of 10, in [0, 1].
    overall_score : float
        Weighted over the components that have a value, in [0, 1].
    summary : str
        A few lines in Chinese.
    overall_bounds : tuple of float
        What `overall_score` would be if all that is missing were the worst, or the best.
    judge_errors : int
        Judgements that could not be had; in no figure.
    songs : list of dict
        Each song with its review in full, its scores, and what supports them.
    confidence : dict or None
        Calibration of the answers.
    notes : list of str
    report : str
        The whole report as text.
    """

    qa_accuracy: float
    qa_total_questions: int
    qa_correct_answers: int
    completeness_score: float
    completeness_max_score: float
    completeness_assessment: str
    precision_score: float
    precision_details: dict[str, Any]
    novelty_score: float
    novelty_details: dict[str, Any]
    overall_score: float
    summary: str
    overall_bounds: tuple[float, float] = (math.nan, math.nan)
    judge_errors: int = 0
    songs: list[dict[str, Any]] = field(default_factory=list)
    confidence: dict[str, Any] | None = None
    notes: list[str] = field(default_factory=list)
    report: str = ""


class MusicAppraisalBenchmark:
    """The benchmark with its data and its judge.

    Parameters
    ----------
    qa_data_path : str
        Option questions, JSON lines.
    song_details_path : str, optional
        Song details, JSON lines; without them there is no precision and no novelty.
    llm_api_key, llm_base_url : str, optional
        Of the judge's endpoint; by default OPENAI_API_KEY and OPENAI_BASE_URL.
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
    language : {"zh", "en"}
        Of the judge's prompts.
    extract : str
        How answers are read from replies; "flexible" is the published way.
    output_dir : str, optional
        Where runs are kept, so that a repeated call asks only what is missing; by default they
        are dropped.
    limits : Limits, optional
        Concurrency, time limit and retries of the judge's calls.
    """

    def __init__(
        self,
        qa_data_path: str,
        song_details_path: str | None = None,
        llm_api_key: str | None = None,
        llm_base_url: str | None = None,
        llm_model: str = DEFAULT_JUDGE,
        *,
        judge: str | None = None,
        audio_root: str | None = None,
        weights: tuple[float, float, float, float] | tuple[float, ...] = WEIGHTS,
        draws: int = 1,
        language: str = "zh",
        extract: str = "robust",
        output_dir: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._options = {
            "qa": str(qa_data_path),
            "details": None if song_details_path is None else str(song_details_path),
            "audio_root": audio_root,
            "language": language,
            "extract": extract,
        }
        self._judge = judge
        self._endpoint = (llm_api_key, llm_base_url, llm_model)
        self._weights, self._draws, self._language = weights, draws, language
        self._output = output_dir
        self._limits = limits or Limits(concurrency=0)

    def evaluate_model(
        self,
        qa_model_function: QaFunction,
        appraisal_model_function: AppraisalFunction,
        enable_precision_eval: bool = True,
        enable_novelty_eval: bool = True,
        include_qa_confidence: bool = False,
        qa_confidence_function: ConfidenceFunction | None = None,
    ) -> ComprehensiveEvaluationResult:
        """Ask all questions and for all reviews, have the reviews judged, and sum up.

        Sound is handed over as a copy under a neutral name, since a file's name tells the song.

        Parameters
        ----------
        qa_model_function : callable
            ``(audio_path, question, options) -> str``, plain or async.
        appraisal_model_function : callable
            ``(audio_path) -> str``, plain or async.
        enable_precision_eval, enable_novelty_eval : bool
        include_qa_confidence : bool
            Whether to ask for confidences.
        qa_confidence_function : callable, optional
            ``(audio_path, question, options)`` to the confidence in its answer, in [0, 1], or a
            probability for each option (a list, or a dict by letter).

        Raises
        ------
        InputError
            For data or settings that the user can mend.
        """
        if include_qa_confidence and qa_confidence_function is None:
            raise InputError("include_qa_confidence: give qa_confidence_function too")
        sure = qa_confidence_function if include_qa_confidence else None
        aspects = ["completeness"]
        aspects += ["precision"] * enable_precision_eval + ["novelty"] * enable_novelty_eval
        functions = _Functions(qa_model_function, appraisal_model_function, sure)
        if self._output is not None:
            return _await(self._evaluate(functions, aspects, Path(self._output)))
        with tempfile.TemporaryDirectory(prefix="zhiyin-") as folder:
            return _await(self._evaluate(functions, aspects, Path(folder)))

    def print_detailed_report(self, result: ComprehensiveEvaluationResult) -> None:
        """Write the report and the summary to standard output."""
        sys.stdout.write(f"{result.report}\n{result.summary}\n")

    def save_results(self, result: ComprehensiveEvaluationResult, path: str) -> None:
        """Write a result as JSON; what could not be had is null.

        Raises
        ------
        InputError
            When the file cannot be written.
        """
        content = msgspec.json.format(msgspec.json.encode(asdict(result)), indent=2)
        try:
            Path(path).write_bytes(content + b"\n")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None

    async def _evaluate(
        self, functions: Model, aspects: list[str], folder: Path
    ) -> ComprehensiveEvaluationResult:
        run = folder / "run"
        order = session.Order(
            "appraisal", functions, self._options, Sampling(), None, str(run), Limits(0)
        )
        spec, model = self._open_judge()
        await check_judge(spec, model)
        await session.carry_out(order)
        options = {"aspects": ",".join(aspects), "draws": self._draws, "language": self._language}
        request = Request(
            str(run), spec, {**options, "max_tokens": MAX_TOKENS}, self._limits, model
        )
        await judge_run(request)
        report = build(run, [folder_of(request)], self._weights)
        return _result(report, tally_log(run).counts.get("qa", Count()))

    def _open_judge(self) -> tuple[str, Model | None]:
        """The judge's spec, and the judge where it has to be opened with a key of its own."""
        if self._judge is not None:
            return self._judge, None
        from zhiyin.models.chat import ChatModel, openai_endpoint, url_endpoint

        key, base, name = self._endpoint
        if base is None and key is None:
            return f"openai:{name}", None
        endpoint = url_endpoint(f"{base}#{name}") if base else openai_endpoint(name)
        if key is not None:
            endpoint = replace(endpoint, key=key, key_source="llm_api_key")
        limits = self._limits
        return endpoint.name, ChatModel(endpoint, limits.timeout_s, limits.concurrency or None)


def run_comprehensive_benchmark(
    qa_model_function: QaFunction,
    appraisal_model_function: AppraisalFunction,
    qa_data_path: str,
    song_details_path: str | None = None,
    enable_precision_eval: bool = True,
    enable_novelty_eval: bool = True,
    **settings: Any,
) -> ComprehensiveEvaluationResult:
    """Evaluate two functions in one call.

    `settings` are the further parameters of `MusicAppraisalBenchmark`, and
    ``include_qa_confidence`` and ``qa_confidence_function`` of its `evaluate_model`.

    Raises
    ------
    InputError
        For data or settings that the user can mend.
    """
    names = ("include_qa_confidence", "qa_confidence_function")
    asked = {name: settings.pop(name) for name in names if name in settings}
    benchmark = MusicAppraisalBenchmark(qa_data_path, song_details_path, **settings)
    return benchmark.evaluate_model(
        qa_model_function,
        appraisal_model_function,
        enable_precision_eval,
        enable_novelty_eval,
        **asked,
    )


class _Functions:
    """Two functions of the user's as one model, and a third that says how sure the first is."""

    concurrency = 1
    timed = False

    def __init__(
        self, qa: QaFunction, appraisal: AppraisalFunction, sure: ConfidenceFunction | None
    ) -> None:
        self.name = f"{_named(qa)} and {_named(appraisal)}"
        self._qa, self._appraisal, self._sure = qa, appraisal, sure
        self._folder = tempfile.TemporaryDirectory(prefix="zhiyin-", ignore_cleanup_errors=True)
        self._threads = Threads(1)

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """Call the function that the trial is for. Raises `ModelError` where it fails."""
        sound = next(part for m in messages for part in m.parts if isinstance(part, Audio))
        path = str(write_neutral(sound, Path(self._folder.name)))
        options = [option.text for option in trial.options]
        if not options:
            return Reply(_text(await self._call(self._appraisal, path), self._appraisal))
        reply = Reply(_text(await self._call(self._qa, path, trial.stem, options), self._qa))
        if self._sure is not None:
            _attach(reply, await self._call(self._sure, path, trial.stem, options))
        return reply

    async def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            result = await self._threads.call(function, *arguments)
            return await result if inspect.isawaitable(result) else result
        except (Exception, SystemExit) as error:  # a function must not end the whole examination
            told = " ".join(str(error).split())[:300]
            raise ModelError(f"{_named(function)} raised {type(error).__name__}: {told}") from error

    async def close(self) -> None:
        """Delete the copies of sounds."""
        self._threads.close()
        self._folder.cleanup()


def _named(function: Callable[..., Any]) -> str:
    return getattr(function, "__qualname__", type(function).__name__).rpartition(".")[2]


def _text(result: Any, function: Callable[..., Any]) -> str:
    if not isinstance(result, str):
        raise ModelError(f"{_named(function)} returned {type(result).__name__}, and not a str")
    return result


def _attach(reply: Reply, sure: Any) -> None:
    """Note a confidence: one for the answer, or a probability for each option."""
    if isinstance(sure, int | float) and not isinstance(sure, bool):
        reply.detail["confidence"] = float(sure)
        return
    if not isinstance(sure, dict):
        sure = dict(zip(LETTERS, sure, strict=False))
    reply.logprobs = {str(k): math.log(max(float(p), 1e-12)) for k, p in sure.items()}


def _await(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, also from within a running loop (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def _result(report: Report, qa: Count) -> ComprehensiveEvaluationResult:
    judged = report.judges[0]
    parts = {name: _known(part.value) for name, part in judged.components.items()}
    completeness = parts["completeness"]
    return ComprehensiveEvaluationResult(
        qa_accuracy=parts["qa"],
        qa_total_questions=qa.judged,
        qa_correct_answers=qa.correct,
        completeness_score=completeness * rubric.MOST,
        completeness_max_score=rubric.MOST,
        completeness_assessment=next((w for least, w in _BANDS if completeness >= least), ""),
        precision_score=parts["precision"],
        precision_details=report.precision[0],
        novelty_score=parts["novelty"],
        novelty_details=report.novelty[0],
        overall_score=_known(judged.total),
        summary=_summary(judged, qa),
        overall_bounds=(_known(judged.low), _known(judged.high)),
        judge_errors=sum(part.errors for n, part in judged.components.items() if n != "qa"),
        songs=[msgspec.to_builtins(song) for song in judged.songs],
        confidence=msgspec.to_builtins(report.confidence) if report.confidence else None,
        notes=[*judged.notes, *report.notes[0], *report.reliability.warnings],
        report="\n".join(lines(report)),
    )


def _summary(judged: Combined, qa: Count) -> str:
    """The figures in Chinese, one a line, with what is missing."""
    parts = judged.components

    def share(name: str) -> str:
        value = parts[name].value
        return f"无（{parts[name].why}）" if value is None else f"{100 * value:.2f}%"

    completeness = parts["completeness"].value
    points = "" if completeness is None else f"（{completeness * rubric.MOST:.1f}/{rubric.MOST:g}）"
    told = [
        "综合评估：",
        f"- 选择题正确率：{share('qa')}（{qa.correct}/{qa.judged}）",
        f"- 完整性：{share('completeness')}{points}",
        f"- 事实准确率：{share('precision')}",
        f"- 新颖性：{share('novelty')}",
        f"- 总分：{'无' if judged.total is None else f'{100 * judged.total:.2f}%'}",
    ]
    missing = sum(part.errors for part in parts.values())
    if missing and judged.low is not None and judged.high is not None:
        told.append(
            f"- 缺失 {missing} 项，不计入以上数字；总分界限 "
            f"{100 * judged.low:.2f}% 至 {100 * judged.high:.2f}%"
        )
    return "\n".join(told)


def _known(value: float | None) -> float:
    return math.nan if value is None else value
