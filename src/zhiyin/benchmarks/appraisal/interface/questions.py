"""The option questions alone: the published module ``audio_qa``."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zhiyin import session
from zhiyin.benchmarks.appraisal.data import read_questions
from zhiyin.benchmarks.appraisal.interface.functions import (
    ConfidenceFunction,
    Functions,
    QaFunction,
    check_writable,
    published_rows,
    seconds_of,
    wait_for,
    write_json,
)
from zhiyin.contract.settings import RunSettings
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError
from zhiyin.record import Sampling


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
    failed; `average_response_time` is in seconds; for `detailed_results` see
    `functions.published_rows`.
    """

    accuracy: float
    total_questions: int
    correct_answers: int
    detailed_results: list[dict[str, Any]]
    average_response_time: float
    confidence_scores: list[float] | None = field(default=None)


class AudioQABenchmark:
    """The questions of a file.

    Parameters
    ----------
    data_path : str
        JSON lines.
    audio_base_path : str, optional
        Where relative audio paths begin; by default the folder of `data_path`.
    extract : str
        How answers are read; "flexible" is the published way.

    Raises
    ------
    InputError
        The file cannot be read.
    """

    def __init__(
        self, data_path: str, audio_base_path: str | None = None, *, extract: str = "robust"
    ) -> None:
        self._options = {
            "qa": str(data_path),
            "audio_root": None if audio_base_path is None else str(audio_base_path),
            "parts": "qa",
            "extract": extract,
        }
        questions = read_questions(Path(data_path)).items
        self._metadata = {f"qa/{one.id}": one.metadata for one in questions}
        self.qa_items = [
            QAItem(one.song, one.text, list(one.options), one.answer, one.metadata)
            for one in questions
        ]

    def evaluate_model(
        self,
        model_function: QaFunction,
        include_confidence: bool = False,
        confidence_function: ConfidenceFunction | None = None,
    ) -> EvaluationResult:
        """Ask all questions.

        Parameters
        ----------
        model_function : callable
            ``(audio_path, question, options) -> str``.
        include_confidence : bool
        confidence_function : callable, optional
            ``(audio_path, question, options) -> (answer, confidence)``, asked in the place of
            `model_function`; other forms as in `functions.Functions`.

        Raises
        ------
        InputError
            For data or settings that the user can mend.
        """
        if include_confidence and confidence_function is None:
            raise InputError("include_confidence: give confidence_function too")
        asked_confidence = confidence_function if include_confidence else None
        with tempfile.TemporaryDirectory(prefix="zhiyin-") as folder:
            run = Path(folder) / "run"
            model = Functions(model_function, None, asked_confidence)
            order = RunSettings(
                "appraisal", model, self._options, Sampling(), None, str(run), Limits(0)
            )
            wait_for(session.carry_out(order))
            return result_of(published_rows(run, self._metadata))

    def save_results(self, result: EvaluationResult, output_path: str) -> None:
        """Write ``summary`` and ``detailed_results``. Raises `InputError` where it cannot."""
        write_json({"summary": _summary(result), "detailed_results": result.detailed_results},
                   output_path)  # fmt: skip

    def get_statistics(self, result: EvaluationResult) -> dict[str, Any]:
        """Counts, and mean, standard deviation, least and most of times and confidences."""
        import numpy as np

        times = [float(one["response_time"]) for one in result.detailed_results]
        statistics = _summary(result)
        statistics["incorrect_answers"] = result.total_questions - result.correct_answers
        for name, values in (("response_time", times), ("confidence", result.confidence_scores)):
            if values:
                statistics[f"{name}_std"] = float(np.std(values))
                statistics[f"min_{name}"], statistics[f"max_{name}"] = min(values), max(values)
        return statistics


def _summary(result: EvaluationResult) -> dict[str, Any]:
    summary: dict[str, Any] = {
        "accuracy": result.accuracy,
        "total_questions": result.total_questions,
        "correct_answers": result.correct_answers,
        "average_response_time": result.average_response_time,
    }
    if confidences := result.confidence_scores:
        summary["average_confidence"] = sum(confidences) / len(confidences)
    return summary


def result_of(details: list[dict[str, Any]]) -> EvaluationResult:
    """The result of questions in the published form, see `functions.published_rows`."""
    answered = [one for one in details if "error" not in one]
    right = sum(one["is_correct"] for one in answered)
    confidences = [one["confidence"] for one in answered if "confidence" in one]
    accuracy = right / len(answered) if answered else float("nan")
    return EvaluationResult(
        accuracy, len(answered), right, details, seconds_of(answered), confidences or None
    )


def run_benchmark(
    model_function: QaFunction,
    data_path: str = "data/option_qa.jsonl",
    output_path: str | None = None,
    include_confidence: bool = False,
    confidence_function: Callable[..., Any] | None = None,
) -> EvaluationResult:
    """Ask a function all questions of a file, and write the results to `output_path`, if given.

    Raises
    ------
    InputError
        For data, settings or an `output_path` that the user can mend; the last before anything
        is asked.
    """
    check_writable(output_path)
    benchmark = AudioQABenchmark(data_path)
    result = benchmark.evaluate_model(model_function, include_confidence, confidence_function)
    if output_path is not None:
        benchmark.save_results(result, output_path)
    return result
