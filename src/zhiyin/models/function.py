"""A Python function of the user's as a model: plain or async, given messages or a question."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import importlib
import inspect
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter
from types import ModuleType
from typing import Any, Literal, NamedTuple

from zhiyin.errors import InputError, ModelError, TransientError, UnsupportedError, did_you_mean
from zhiyin.extensions import error_line, import_file
from zhiyin.files import TemporaryPlace
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.media import neutral_copy
from zhiyin.models.replay import in_chat_form
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Audio, Image, Messages, Trial
from zhiyin.words import said


class _Job(NamedTuple):
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


class Threads:
    """Calls of plain functions, so many at once, each in a thread.

    A call that is given up goes on, since a thread cannot be stopped; but it takes no
    other's place, and unlike a thread of `concurrent.futures` it does not keep the program from
    ending.

    Parameters
    ----------
    most : int
        Calls at once. One that was given up is not counted.
    """

    def __init__(self, most: int) -> None:
        self._room = asyncio.Semaphore(most)
        self._idle: list[SimpleQueue[_Job | None]] = []

    async def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the function in a thread and return its result. Raises what it raises."""
        async with self._room:
            jobs = self._idle.pop() if self._idle else _start()
            loop = asyncio.get_running_loop()
            future = loop.create_future()
            jobs.put(_Job(function, arguments, loop, future))
            try:
                return await future
            finally:
                if future.cancelled():
                    jobs.put(None)  # the thread ends when its call does
                else:
                    self._idle.append(jobs)

    def close(self) -> None:
        """Let idle threads end."""
        while self._idle:
            self._idle.pop().put(None)


def _start() -> SimpleQueue[_Job | None]:
    jobs: SimpleQueue[_Job | None] = SimpleQueue()
    threading.Thread(target=_work, args=(jobs,), name="zhiyin-function", daemon=True).start()
    return jobs


def _work(jobs: SimpleQueue[_Job | None]) -> None:
    while (job := jobs.get()) is not None:
        result, error = None, None
        try:
            result = job.function(*job.arguments)
        except BaseException as raised:
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop has ended: no one waits any more
            job.loop.call_soon_threadsafe(_settle, job.future, result, error)
        del job, result, error  # so that nothing is held while we wait


def _settle(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if isinstance(error, StopIteration):  # no future takes one
        error = RuntimeError("StopIteration")
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


Form = Literal["messages", "question"]
_SAMPLING = "sampling"
_QUESTION = ("audio_path", "question", "options")


class FunctionModel:
    """A function as a model.

    The function takes either the messages, as a list of dicts such as chat APIs take (sound is
    ``{"type": "audio", "path": ...}``, a picture ``{"type": "image", "path": ...}``), or the three
    arguments ``(audio_path, question, options)``; a parameter called ``sampling`` gets the run's
    `Sampling`. It returns the reply as a str, or a `Reply`.

    Sounds and pictures are handed over as copies under neutral names, since a file's name may hold
    the answer; the copies are deleted by `close`.

    Parameters
    ----------
    spec : str
        How it is called: ``MODULE:FUNCTION`` or ``FILE.py:FUNCTION``.
    function : callable
    timeout : float
        Seconds until an async function is given up. A plain one cannot be stopped.
    concurrency : int, optional
        Calls at once; 1 for a plain function, which may not be safe in threads, else 16.

    Raises
    ------
    InputError
        When the function cannot be called in either form.
    """

    timed = False
    """A plain function takes what it needs; what is awaited is timed here."""

    def __init__(
        self,
        spec: str,
        function: Callable[..., Any],
        timeout: float,
        concurrency: int | None = None,
    ) -> None:
        self.name = f"python:{spec}"
        self._function = function
        self._form = form_of(self._function, self.name)
        asked = inspect.signature(function).parameters.get(_SAMPLING)
        self._sampled = asked is not None and asked.kind != asked.POSITIONAL_ONLY
        self._async = inspect.iscoroutinefunction(self._function)
        self.concurrency = concurrency or (16 if self._async else 1)
        self._timeout = timeout
        self._threads = Threads(self.concurrency)
        self._copies = TemporaryPlace()
        self._file = code_of(function)

    async def generate(self, messages: Messages, sampling: Sampling, trial: Trial) -> Reply:
        """Call the function. `sampling` is passed on where it has a parameter of that name.

        Raises
        ------
        ModelError
            When the function raises or exits (its own `ModelError` is passed on), returns
            something else than a reply, or cannot be given the trial.
        TransientError
            When an async function has not returned in time.
        """
        begun = perf_counter()
        if self._async:
            arguments = await self._threads.call(self._arguments, messages, trial)
            result = await self._awaited(self._call(arguments, sampling))
        else:
            result = await self._threads.call(
                lambda: self._call(self._arguments(messages, trial), sampling)
            )
            if inspect.isawaitable(result):
                result = await self._awaited(result)
        if isinstance(result, str):
            return Reply(result, latency_s=perf_counter() - begun)
        if not isinstance(result, Reply):
            raise ModelError(f"{self.name} returned {type(result).__name__}, and not a str")
        if result.latency_s is None:
            result.latency_s = perf_counter() - begun
        return result

    def describe(self) -> dict[str, object]:
        """Return what a run's manifest says of this model."""
        return {
            "kind": "function",
            "called_with": self._form,
            "async": self._async,
            "takes_sampling": self._sampled,
            **self._file,
        }

    @property
    def capabilities(self) -> Capabilities:
        """Inputs that its form can be given; what the function makes of it is its own affair."""
        if self._form == "messages":
            return Capabilities(clips=None, pictures=None, system=True, logprobs=False)
        return Capabilities(image=False, clips=1, logprobs=False)

    async def close(self) -> None:
        """Delete the copies of files. A plain function that still runs is left to end."""
        self._threads.close()
        self._copies.delete()

    def _call(self, arguments: tuple[Any, ...], sampling: Sampling) -> Any:
        more = {_SAMPLING: sampling} if self._sampled else {}
        try:
            return self._function(*arguments, **more)
        except ModelError:
            raise
        except (Exception, SystemExit, asyncio.CancelledError) as error:
            raise ModelError(
                str(said("log-raised", name=self.name, why=error_line(error)))
            ) from error

    async def _awaited(self, result: Awaitable[Any]) -> Any:
        limit = asyncio.timeout(self._timeout)
        try:
            async with limit:
                return await result
        except ModelError:
            raise
        except (Exception, SystemExit) as error:
            if limit.expired():
                raise TransientError(f"{self.name}: no reply in {self._timeout:g} s") from None
            raise ModelError(f"{self.name} raised {error_line(error)}") from error

    def _arguments(self, messages: Messages, trial: Trial) -> tuple[Any, ...]:
        """Return the function's arguments: nothing that names the trial or its files."""
        if self._form == "messages":
            return (in_chat_form(messages, self._copy),)
        parts = [part for m in messages for part in m.parts]
        sounds = [part for part in parts if isinstance(part, Audio)]
        pictures = sum(isinstance(part, Image) for part in parts)
        if len(sounds) > 1 or pictures:
            shown = f"shows {pictures} pictures" if pictures else f"plays {len(sounds)}"
            raise UnsupportedError(
                f"{self.name} takes one sound and this trial {shown}: "
                "write a function of one argument, the messages"
            )
        question = trial.stem or next((m.text for m in reversed(messages) if m.role == "user"), "")
        path = self._copy(sounds[0]) if sounds else None
        return path, question, [option.text for option in trial.options]

    def _copy(self, medium: Audio | Image) -> str:
        return str(neutral_copy(medium, self._copies.path))


def code_of(target: Any) -> dict[str, object]:
    """Return under ``code`` the SHA-256 of the file that defines a function or class, if any.

    What that file imports is not in it.
    """
    with contextlib.suppress(TypeError, OSError):
        if file := inspect.getsourcefile(inspect.unwrap(target)):
            return {"code": hashlib.sha256(Path(file).read_bytes()).hexdigest()}
    return {}


def load_object(spec: str) -> Any:
    """Load the function, class or instance that ``MODULE:NAME`` or ``FILE.py:NAME`` names.

    Modules are looked for where Python looks, and last in the current folder.

    Raises
    ------
    InputError
        When there is no such file, module or function, or importing it fails.
    """
    place, _, name = spec.rpartition(":")
    if not place or not name:
        raise InputError(said("error-python", spec=spec))
    try:
        module = _import_file(Path(place)) if place.endswith(".py") else _import_module(place)
    except (Exception, SystemExit) as error:
        facts = {"spec": spec, "place": place, "why": error_line(error)}
        raise InputError(said("error-import", **facts)) from error
    target = getattr(module, name, None)
    if target is None:
        known = [n for n, v in vars(module).items() if callable(v) and not n.startswith("_")]
        hint = did_you_mean(name, known) if known else None
        facts = {"name": repr(name), "where": getattr(module, "__file__", None) or place}
        raise InputError(said("error-no-function", spec=spec, hint=hint, **facts))
    return target


def _import_module(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        # Last, so that a random.py that lies about cannot take the place of Python's own.
        sys.path.append(here)
    return importlib.import_module(name)


def _import_file(path: Path) -> ModuleType:
    path = path.expanduser().resolve()
    if not path.is_file():
        raise FileNotFoundError("no such file")
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    return import_file(path, f"zhiyin_model_{path.stem}")


def form_of(function: Callable[..., Any], name: str) -> Form:
    """Find how to call `function`, by its parameters: one for messages, three for a question.

    Parameters with defaults may follow.

    Raises
    ------
    InputError
        When it takes neither.
    """
    try:
        every = inspect.signature(function).parameters.values()
        parameters = [p for p in every if p.name != _SAMPLING or p.kind == p.POSITIONAL_ONLY]
    except (TypeError, ValueError):
        raise InputError(said("model-parameters", name=name)) from None
    by_place = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    named = any(p.kind == p.KEYWORD_ONLY and p.default is p.empty for p in parameters)
    needed = sum(p.default is p.empty for p in by_place)
    if not named:
        if tuple(p.name for p in by_place[:3]) == _QUESTION and needed <= 3:
            return "question"
        if needed <= 1 <= len(by_place):
            return "messages"
        if needed <= 3 <= len(by_place):
            return "question"
    raise InputError(said("model-called", name=name, question=_QUESTION))
