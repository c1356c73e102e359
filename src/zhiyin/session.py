"""One session of a run: opens benchmark, model and folder, runs, and sums up."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import platform
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from zhiyin import __version__
from zhiyin.benchmarks import Benchmark, open_benchmark, open_package
from zhiyin.benchmarks.protocols import OURS
from zhiyin.errors import InputError
from zhiyin.log import Manifest, RunFolder, Session
from zhiyin.models import open_model
from zhiyin.models.playback import AS_IT_IS, SoundPolicy, refuse_longer_trials
from zhiyin.record import Model, Sampling
from zhiyin.runner import Limits, Outcome, Runner, Watcher
from zhiyin.summary import summarise

# Where data lie does not make a run another one; what they are does (the fingerprint). Nor
# does who judges it afterwards.
_PLACES = (
    *("data", "stimuli", "prompts", "released", "partial"),
    *("qa", "details", "audio_root", "run", "judge"),
)

Watch = Callable[[int, int], AbstractContextManager[Watcher]]
"""From the number of trials and how many are done already to something that watches."""


class Order(msgspec.Struct, frozen=True):
    """What to run, as the user said it: a model by its spec, or one that is open already.

    A concurrency of 0 leaves it to the model.
    """

    benchmark: str
    model: str | Model
    options: dict[str, Any]
    sampling: Sampling
    limit: int | None
    out: str | None
    limits: Limits
    sound: SoundPolicy = AS_IT_IS


class Result(msgspec.Struct):
    """What came of it."""

    folder: Path
    outcome: Outcome
    summary: dict[str, Any]


class _Silent:
    def update(self, count: Any, done: int) -> None:
        """Look away."""


@contextlib.contextmanager
def silent(total: int, done: int) -> Iterator[Watcher]:
    """A `Watch` that shows nothing."""
    yield _Silent()


async def carry_out(order: Order, watch: Watch = silent) -> Result:
    """Run what is missing of an order, and sum up the whole run.

    Raises
    ------
    InputError
        For anything in the order that the user can mend.
    """
    benchmark = open_benchmark(order.benchmark, order.options)
    model = _open(order)
    try:
        manifest = _manifest(order, benchmark, model)
        folder = Path(order.out) if order.out else _default_folder(order, manifest)
        refuse_longer_trials(itertools.islice(benchmark.trials(), order.limit), order.sound)
        check = getattr(model, "check", None)
        if check:
            await check()
        if before := getattr(open_package(order.benchmark), "before", None):
            await before(order)
        with RunFolder(folder, manifest) as log:
            outcome = await _run(order, benchmark, model, log, watch)
    finally:
        await model.close()
    after = getattr(open_package(order.benchmark), "after", None)
    if after and not outcome.stopped:
        await after(folder, order, watch)
    return Result(folder, outcome, summarise(folder))


def _open(order: Order) -> Model:
    if not isinstance(order.model, str):
        return order.model
    return open_model(
        order.model,
        timeout=order.limits.timeout_s,
        seed=order.options.get("seed") or 0,
        concurrency=order.limits.concurrency or None,
        sound=order.sound,
    )


async def _run(
    order: Order, benchmark: Benchmark, model: Model, log: RunFolder, watch: Watch
) -> Outcome:
    """One session: ask, keep the manifest up to date whatever happens."""
    manifest, done = log.manifest, len(log.answered)
    here = Session(started=_now())
    manifest.sessions = [*manifest.sessions, here]
    manifest.remarks = [*benchmark.remarks(), *log.remarks]
    limits = msgspec.structs.replace(
        order.limits, concurrency=order.limits.concurrency or model.concurrency
    )
    outcome = None
    try:
        with watch(manifest.planned, done) as watcher:
            runner = Runner(
                model, benchmark.strategy, benchmark.score, log, order.sampling, limits, watcher
            )
            trials = itertools.islice(benchmark.trials(), order.limit)
            outcome = await runner.run(trials, done)
        log.retire_superseded()
    except InputError as error:
        here.stopped = str(error)
        raise
    finally:
        here.ended = _now()
        if outcome:
            here.asked, here.elapsed_s = outcome.asked, outcome.elapsed_s
            here.stopped = outcome.stopped
        manifest.remarks += getattr(model, "report", list)()
        with contextlib.suppress(InputError):  # a full disk: the first error is the one to tell
            log.write_manifest()
    return outcome


def _manifest(order: Order, benchmark: Benchmark, model: Model) -> Manifest:
    settings = {k: v for k, v in order.options.items() if k not in _PLACES}
    if settings.get("protocol") == OURS.name:  # a run from before there were protocols is ours
        del settings["protocol"]
    settings["extract"] = settings.get("extract") or "robust"
    config = {
        "benchmark": benchmark.name,
        "benchmark_version": benchmark.version,
        "options": settings,
        "data": benchmark.fingerprint(),
        "model": model.name,
        "sampling": msgspec.to_builtins(order.sampling),
        "limit": order.limit,
    }
    if order.sound != AS_IT_IS:
        config["sound"] = msgspec.to_builtins(order.sound)
    if hasattr(model, "fingerprint"):
        config["model_data"] = model.fingerprint()
    planned = len(benchmark) if order.limit is None else min(order.limit, len(benchmark))
    if planned == 0:
        raise InputError(f"nothing to ask: {benchmark.name} has no trials with these settings")
    describe = getattr(model, "describe", dict)
    return Manifest(
        benchmark=benchmark.name,
        model=model.name,
        config=msgspec.json.decode(msgspec.json.encode(config)),  # as it will be read back
        options=msgspec.json.decode(msgspec.json.encode(order.options)),
        planned=planned,
        versions={"zhiyin": __version__, "python": platform.python_version()},
        decoding=describe(),
    )


def _default_folder(order: Order, manifest: Manifest) -> Path:
    """A folder named after the settings: the same command finds its run again."""
    digest = hashlib.blake2b(msgspec.json.encode(manifest.config, order="sorted"), digest_size=4)
    return Path("runs") / f"{order.benchmark}-{short_name(order.model)}-{digest.hexdigest()}"


def short_name(model: str | Model) -> str:
    """A model's name as part of a folder's: letters, digits, "_", "." and "-"."""
    spec = model if isinstance(model, str) else model.name
    return re.sub(r"[^\w.-]+", "-", spec.split("://")[-1]).strip("-")[:40]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
