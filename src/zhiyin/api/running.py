"""Running, judging again and scoring again from Python, with or without an event loop."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
import os
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, ParamSpec, TypeVar

import msgspec

from zhiyin import session
from zhiyin.api.arguments import (
    GivenModel,
    Temperature,
    as_parameters,
    benchmark_options,
    open_given_model,
)
from zhiyin.api.runs import Rescored, Run, load
from zhiyin.contract.arguments import OWN, looks_like_file
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.options import Options
from zhiyin.contract.protocols import open_protocol
from zhiyin.contract.registry import find, is_file, known, register
from zhiyin.contract.settings import added_parameters, read_run
from zhiyin.cost.cache import Keep
from zhiyin.engine.readable import plain
from zhiyin.engine.stopping import signals_are_ours
from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.files import Place
from zhiyin.idioms import holding
from zhiyin.models.playback import AS_IT_IS, SoundPolicy
from zhiyin.session.rescore import rescore as score_again
from zhiyin.words import said

P = ParamSpec("P")
T = TypeVar("T")
_LOOK_EVERY_S = 0.1


def waiting(function: Callable[P, Coroutine[Any, Any, T]], name: str) -> Callable[P, T]:
    """A coroutine function as a plain one of this name, which waits for the result."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        check_call(function, name, args, kwargs)
        return wait_for(function(*args, **kwargs))

    return _with_name_of(call, function, name)


def guest(
    function: Callable[P, Coroutine[Any, Any, T]], name: str
) -> Callable[P, Coroutine[Any, Any, T]]:
    """The same for somebody's event loop: Ctrl-C is left to the owner of the loop."""

    async def call(*args: P.args, **kwargs: P.kwargs) -> T:
        check_call(function, name, args, kwargs)
        with holding(signals_are_ours, False):
            return await function(*args, **kwargs)

    return _with_name_of(call, function, name)


def check_call(
    function: Callable[..., Any], name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> None:
    """Refuse settings that a function of ours has not, or lacks. Raises `InputError`."""
    signature = inspect.signature(function)
    kinds = {each.kind for each in signature.parameters.values()}
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        for word in kwargs:
            if word not in signature.parameters:
                hint = did_you_mean(word, signature.parameters)
                raise InputError(said("api-no-setting-of", name=name, word=repr(word), hint=hint))
    with reworded(f"zhiyin.{name}: ", f"; see help(zhiyin.{name})", of=TypeError):
        signature.bind(*args, **kwargs)


F = TypeVar("F", bound=Callable[..., Any])


def _with_name_of(call: F, function: Callable[..., Any], name: str) -> F:
    functools.update_wrapper(call, function)
    call.__name__ = call.__qualname__ = name
    return call


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, in a thread of its own where an event loop is running here.

    Raises
    ------
    KeyboardInterrupt, asyncio.CancelledError
        After Ctrl-C, or where the task that waits is cancelled; the work has ended then, too.
    """
    return _in_a_thread(work) if _loop_is_running() else asyncio.run(work)


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _in_a_thread(work: Coroutine[Any, Any, T]) -> T:
    under_way: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any] | None]] = []

    async def begin() -> T:
        under_way.append((asyncio.get_running_loop(), asyncio.current_task()))
        return await work

    def drop() -> None:
        for loop, task in under_way:
            if task is not None and not future.done():
                loop.call_soon_threadsafe(task.cancel)

    # In `asyncio.run` the first Ctrl-C raises nothing: it cancels the task that waits here.
    owner = asyncio.current_task()
    before = owner.cancelling() if owner else 0
    context = contextvars.copy_context()  # a notebook knows by it which cell output belongs to
    with ThreadPoolExecutor(1, "zhiyin") as pool:
        future = pool.submit(context.run, asyncio.run, begin())
        try:
            while not wait([future], _LOOK_EVERY_S).done:
                if owner and owner.cancelling() > before:
                    raise asyncio.CancelledError
            return future.result()
        except (KeyboardInterrupt, asyncio.CancelledError):
            drop()
            raise


Kind = Place | type[Benchmark[Any]] | Benchmark[Any]
"""A benchmark by name or ``FILE.py:Class``, its class, an object of it, or a file of questions."""


async def _run(
    benchmark: Kind,
    model: GivenModel,
    *,
    data: Place | None = None,
    out: Place | None = None,
    label: str = "",
    limit: int | None = None,
    sample: int | None = None,
    seed: int = 0,
    shots: int | str | None = None,
    extract: str | None = None,
    protocol: str | None = None,
    temperature: Temperature = None,
    max_tokens: int | None = None,
    top_p: float | None = None,
    top_k: int | None = None,
    sampling_seed: int | None = None,
    thinking: str | int | None = None,
    concurrency: int | None = None,
    timeout: float = 300.0,
    retries: int = 5,
    sound: SoundPolicy = AS_IT_IS,
    score: str | None = None,
    canary: bool = True,
    cache: Keep = "off",
    budget: str | None = None,
    rpm: float | None = None,
    tpm: float | None = None,
    batch: bool = False,
    progress: bool | None = None,
    **own: Any,
) -> Run:
    """Examine a model on a benchmark; ask only what is missing, and return the whole run.

    `run` waits for it, also where an event loop is running, as in a notebook: the run has a
    thread and a loop of its own then. ``await arun(...)`` stays in the loop that awaits it;
    several may go on side by side.

    Parameters
    ----------
    benchmark : str, path, type of Benchmark or Benchmark
        A name that ``zhiyin list`` shows, ``FILE.py:Class``, a file of your own questions, a class
        of yours, or an object that is set up already (and then takes no settings here).
    model : str, callable or Model
        A spec such as "openai:gpt-4o" or "listener"; a function of the messages, or of
        (audio_path, question, options), plain or async; or an object with ``generate``, whose
        ``close`` is awaited when the run is over.
    data : path, optional
        The folder of the benchmark's data.
    out : path, optional
        The run folder; by default one under ``runs/`` that the same settings find again.
    label : str
        What tables and sentences call the run.
    limit : int, optional
        The first so many trials, or whole sequences. A later call with more, or with none, goes
        on in the same folder.
    sample : int, optional
        So many items drawn at random, each group in proportion. Not together with `limit`.
    seed : int
        For everything random.
    shots : int or str, optional
        Worked examples before each question.
    extract : str, optional
        How answers are read from replies.
    protocol : str, optional
        A published way of asking; what is given beside it goes before.
    temperature : float, "default" or None
        In [0, 2]. None: the protocol's, else 0. "default" leaves it to the model.
    max_tokens, top_p, top_k, sampling_seed : optional
        None: the protocol's, else the model's own.
    thinking : str or int, optional
        "off", "low", "medium", "high" or a number of tokens; None: the model's own.
    concurrency : int, optional
        Trials under way at once; None leaves it to the model.
    timeout : float
        Seconds for one call.
    retries : int
        Of a failed call.
    sound : SoundPolicy
        How sound is sent to a model behind a server.
    score : {"loglikelihood"}, optional
        Also ask for the log-probability of each option, and choose by it, beside the reply.
    canary : bool
        Whether the run may begin with eight questions that show whether the model hears (or sees).
    cache : float or {"off", "always"}
        A number of days: kept replies are used that are no older, and new ones are kept, where the
        same request is to get the same reply. "always": of whatever age, and also those drawn at
        random. "off" asks anew, and keeps nothing.
    budget : str, optional
        "5usd", "2Mtokens", "1000calls", or several with commas: the run stops when it has spent it.
    rpm, tpm : float, optional
        Requests and tokens a minute; None: as the server says.
    batch : bool
        Whether requests are handed in as batches.
    progress : bool, optional
        Whether progress is shown; None: in a notebook and on a terminal.
    **own
        The benchmark's own flags, with "_" for "-": ``task="chords"``, ``rotations="all"``,
        and ``confirm=True``, ``partial=True``, which every benchmark has.

    Returns
    -------
    Run
        The whole run, what earlier calls asked included. Trials that failed are no exception:
        the run shows them, and the same call asks them again.

    Raises
    ------
    InputError
        For whatever the caller can mend, on one line; before the first call of the model where
        it can be known then.
    KeyboardInterrupt
        After Ctrl-C. What was answered is logged; the same call goes on from there.
    """
    given = dict(locals())  # each parameter by its name: read by what it says as a flag
    given |= {name: own.pop(name) for name in added_parameters() if name in own}
    common = {"data": data, "seed": seed, "shots": shots, "extract": extract, "protocol": protocol}
    named, options, kind = named_benchmark(benchmark, common | own)
    usual = open_protocol(kind, options.get("protocol")).usual()
    with as_parameters():
        settings = read_run(named, "", options, given, usual)
    limits = settings.limits
    opened = open_given_model(model, limits.timeout_s, limits.concurrency or None)
    order = msgspec.structs.replace(settings, model=opened)
    result = await session.carry_out(order, watch_of(progress))
    if result.interrupted:
        raise KeyboardInterrupt(f"{result.folder}: {result.ended[1]}")
    return Run(result.folder, result.summary)


run = waiting(_run, "run")
arun = guest(_run, "arun")


def named_benchmark(
    given: Kind, settings: Options
) -> tuple[str | Benchmark[Any], Options, type[Benchmark[Any]]]:
    """Return the arguments for `RunSettings`: name or object, its options, and the class."""
    if isinstance(given, Benchmark):
        kind = register(type(given))
        chosen = sorted(n for n, value in settings.items() if value not in (None, 0, False))
        if chosen:
            raise InputError(said("api-set-up", kind=kind.name, chosen=chosen))
        struct = isinstance(given.settings, msgspec.Struct)
        options = plain(msgspec.structs.asdict(given.settings)) if struct else {}
        return given, options, kind
    if isinstance(given, type):
        kind = register(given)
        return kind.name, benchmark_options(kind, settings), kind
    if isinstance(given, os.PathLike):
        given = os.fsdecode(given)
    if not isinstance(given, str):
        type_name = type(given).__name__
        raise InputError(said("api-benchmark", name=type_name))
    if not is_file(given) and looks_like_file(given):
        if settings.get("data") is not None:
            raise InputError(said("api-data", given=given))
        given, settings = OWN, {**settings, "data": given}
    kind = find(given)
    return given, benchmark_options(kind, settings), kind


def rescore(run: Place, extract: str, out: Place | None = None) -> Rescored:
    """Score a run again with another extraction policy, asking nobody. The run is not changed.

    Parameters
    ----------
    run : path or Run
    extract : str
        The extraction policy; ``zhiyin list`` names them.
    out : path, optional
        Where to write the new verdicts as a run of their own.

    Returns
    -------
    Rescored
        The figures before and after.

    Raises
    ------
    InputError
        For an unknown policy, a folder that is not a run, a benchmark that is not known here (see
        `zhiyin.register`), or an `out` that is the run itself.
    """
    name = load(run).benchmark
    if not known(name).name:
        raise InputError(said("api-unknown", run=os.fsdecode(run), name=repr(name)))
    return Rescored(score_again(run, extract, out))


def watch_of(progress: bool | None) -> session.Watch:
    """Choose how to show a run's progress: a notebook's output, a bar on a terminal, or nothing."""
    from zhiyin.session.progress import NotebookProgress, Progress, in_notebook

    if progress is False or (progress is None and not in_notebook() and not sys.stderr.isatty()):
        return session.silent
    shown: Callable[[int | None, int], Any] = NotebookProgress if in_notebook() else Progress
    return shown
