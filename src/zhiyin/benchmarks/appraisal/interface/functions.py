"""The user's functions as a model, and their answers in the published form."""

from __future__ import annotations

import asyncio
import inspect
import math
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from zhiyin.benchmarks.appraisal.data import LETTERS
from zhiyin.errors import InputError, ModelError
from zhiyin.judges.confidence import confidence_of
from zhiyin.models.playback import write_neutral
from zhiyin.models.threads import Threads
from zhiyin.record import Record, Reply, Sampling
from zhiyin.runs.rows import rows_of
from zhiyin.trial import Audio, Message, Trial

T = TypeVar("T")
QaFunction = Callable[[str, str, list[str]], str | Awaitable[str]]
Appraised = str | tuple[str, float]
AppraisalFunction = Callable[[str], Appraised | Awaitable[Appraised]]
ConfidenceFunction = Callable[[str, str, list[str]], Any]


class Functions:
    """Up to three functions as one model: for questions, for reviews, and for confidence.

    Parameters
    ----------
    qa : callable or None
        ``(audio_path, question, options) -> str``, plain or async.
    appraisal : callable or None
        ``(audio_path) -> str``, or ``-> (str, confidence)`` with how sure it is of its review, a
        number in [0, 1] or None; plain or async.
    confidence : callable or None
        ``(audio_path, question, options)`` to the published pair ``(answer, confidence)``, which
        takes the place of what `qa` would answer; or to how sure `qa` is: a number in [0, 1], or
        a probability for each option (a list, or a dict by letter).
    """

    concurrency = 1
    timed = False

    def __init__(
        self,
        qa: QaFunction | None,
        appraisal: AppraisalFunction | None,
        confidence: ConfidenceFunction | None,
    ) -> None:
        self.name = " and ".join(
            _function_name(function) for function in (qa, appraisal) if function
        )
        self._qa, self._appraisal, self._confidence = qa, appraisal, confidence
        self._folder = tempfile.TemporaryDirectory(prefix="zhiyin-", ignore_cleanup_errors=True)
        self._threads = Threads(1)

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """Call the function that the trial is for. Raises `ModelError` where it fails."""
        sound = next(part for m in messages for part in m.parts if isinstance(part, Audio))
        path = str(write_neutral(sound, Path(self._folder.name)))
        options = [option.text for option in trial.options]
        begun = time.perf_counter()
        if options:
            reply = await self._answer(path, trial.stem, options)
        else:
            assert self._appraisal is not None
            review = await self._call(self._appraisal, path)
            text, sure = review if _is_pair(review) else (review, None)
            reply = Reply(_text(text, self._appraisal))
            if sure is not None:
                reply.detail["confidence"] = _share(sure, self._appraisal)
        reply.latency_s = time.perf_counter() - begun
        return reply

    async def _answer(self, path: str, question: str, options: list[str]) -> Reply:
        """The answer to a question, with its confidence where that is asked for."""
        confidence = None
        if self._confidence is not None:
            confidence = await self._call(self._confidence, path, question, options)
            if _is_pair(confidence):
                reply = Reply(confidence[0])
                _attach(reply, confidence[1], self._confidence)
                return reply
        assert self._qa is not None
        reply = Reply(_text(await self._call(self._qa, path, question, options), self._qa))
        if self._confidence is not None:
            _attach(reply, confidence, self._confidence)
        return reply

    async def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            result = await self._threads.call(function, *arguments)
            return await result if inspect.isawaitable(result) else result
        except (Exception, SystemExit) as error:  # a function must not end the whole examination
            error_text = " ".join(str(error).split())[:300]
            raise ModelError(
                f"{_function_name(function)} raised {type(error).__name__}: {error_text}"
            ) from error

    async def close(self) -> None:
        """Delete the copies of sounds."""
        self._threads.close()
        self._folder.cleanup()


def _function_name(function: Callable[..., Any]) -> str:
    return getattr(function, "__qualname__", type(function).__name__).rpartition(".")[2]


def _text(result: Any, function: Callable[..., Any]) -> str:
    if not isinstance(result, str):
        raise ModelError(
            f"{_function_name(function)} returned {type(result).__name__}, and not a str"
        )
    return result


def _is_pair(result: Any) -> bool:
    """Whether this is the published pair ``(text, confidence)``."""
    return isinstance(result, list | tuple) and len(result) == 2 and isinstance(result[0], str)


def _attach(reply: Reply, confidence: Any, function: Callable[..., Any]) -> None:
    """Note a confidence: one for the answer, or a probability for each option."""
    if not isinstance(confidence, dict | list | tuple):
        reply.detail["confidence"] = _share(confidence, function)
        return
    by_letter = (
        confidence if isinstance(confidence, dict) else dict(zip(LETTERS, confidence, strict=False))
    )
    shares = {str(letter): _share(value, function) for letter, value in by_letter.items()}
    reply.logprobs = {letter: math.log(max(share, 1e-12)) for letter, share in shares.items()}


def _share(value: Any, function: Callable[..., Any]) -> float:
    try:
        share = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError):
        share = math.nan
    if not 0 <= share <= 1:
        raise ModelError(
            f"{_function_name(function)} returned {str(value)[:40]!r} as a confidence: give a "
            "number from 0 to 1, (answer, number), or a probability for each option"
        )
    return share


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, also from within a running loop (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def published_rows(run: Path, metadata: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The questions of a run in the published form, in order.

    Parameters
    ----------
    run : Path
    metadata : dict
        What the data says beside a question, by its id.

    Returns
    -------
    list of dict
        ``question_id`` (from 0), ``audio_path``, ``question``, ``options``, ``correct_answer``,
        ``predicted_answer``, ``is_correct``, ``response_time`` (seconds), ``metadata``, and
        ``confidence`` where it is known. A question that failed has ``error`` instead of an
        answer.
    """
    records = list(rows_of(run).which(lambda kind: kind.options > 0).records())
    return [
        {"question_id": number, **_published_row(record), "metadata": metadata.get(record.id, {})}
        for number, record in enumerate(records)
    ]


def _published_row(record: Record) -> dict[str, Any]:
    trial, verdict = record.trial, record.verdict
    row: dict[str, Any] = {
        "audio_path": trial.cluster,
        "question": trial.stem,
        "options": [option.text for option in trial.options],
        "correct_answer": trial.target,
        "is_correct": verdict.state == "correct",
        "response_time": 0,
    }
    if verdict.state == "error":
        return {**row, "error": record.error or verdict.why}
    reply = record.exchange.final
    row |= {"predicted_answer": reply.text, "response_time": reply.latency_s or 0}
    if (confidence := confidence_of(reply, verdict.letter or "")) is not None:
        row["confidence"] = confidence[0]
    return row


def seconds_of(results: Sequence[dict[str, Any]]) -> float:
    """The mean response time in seconds of what did not fail; NaN for nothing."""
    times = [float(result["response_time"]) for result in results if "error" not in result]
    return sum(times) / len(times) if times else math.nan


def write_json(content: Any, path: str | Path) -> None:
    """Write JSON; NaN becomes null. Raises `InputError` where the file cannot be written."""
    encoded = msgspec.json.format(msgspec.json.encode(content), indent=2)
    try:
        Path(path).write_bytes(encoded + b"\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def check_writable(path: str | Path | None) -> None:
    """Raise `InputError` where a file could not be written: before anything is asked."""
    if path is not None and not Path(path).absolute().parent.is_dir():
        raise InputError(f"{path}: cannot be written: make its folder first")
