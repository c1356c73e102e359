"""One session of a run: opens benchmark, model and folder, runs, and sums up."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import hashlib
import platform
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec

from zhiyin import __version__, plugins
from zhiyin.analysis.summary import summarise
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.flags import place_names
from zhiyin.contract.protocols import OURS
from zhiyin.contract.registry import blaming, declared, given, origin_of
from zhiyin.cost.batches import BatchModel, batched
from zhiyin.cost.desk import Desk, Spending, find_price, open_desk, price_told
from zhiyin.engine.folder import Shard
from zhiyin.engine.log import PARTS, Manifest, RunFolder, Session
from zhiyin.engine.merging import write_share
from zhiyin.engine.reach import planned_words
from zhiyin.engine.readable import plain
from zhiyin.engine.runner import Limits, Outcome, Runner, Watcher
from zhiyin.errors import InputError
from zhiyin.models import open_model
from zhiyin.models.capabilities import Capabilities, capabilities_of, refuse_unsupported
from zhiyin.models.joining import joined
from zhiyin.models.on_ray.cluster import Cluster
from zhiyin.models.playback import AS_IT_IS, SoundPolicy
from zhiyin.reader import open_policy, policies
from zhiyin.record import Model, Sampling, Strategy
from zhiyin.session.elsewhere import (
    Elsewhere,
    Layout,
    Written,
    every_question,
    names,
    write_out,
)
from zhiyin.session.opening import open_run
from zhiyin.session.selection import Selection
from zhiyin.session.signing import COMMITMENT
from zhiyin.strategies import likelihood
from zhiyin.strategies.confirm import confirming, signature
from zhiyin.trial import Trial, one_line

_COMMON_PLACES = frozenset({"data", "partial", "released"})
Watch = Callable[[int | None, int], AbstractContextManager[Watcher]]
"""From the number of trials, None where sequences decide it as they go, and how many are done
already to something that watches."""


class Order(msgspec.Struct, frozen=True):
    """What to run, as the user said it: benchmark and model by name, or as objects.

    `benchmark` may be a name, ``FILE.py:Class``, a subclass of `Benchmark`, or a benchmark that is
    set up already; `model` a spec, or a model that is open. A concurrency of 0 leaves it to the
    model. `limit` asks the first so many trials, `sample` so many items drawn at random (see
    `selection.Selection`). `label` is what tables and sentences call the run. `score` is
    "loglikelihood" where the options' log-probabilities are asked for beside the reply. `canary`
    says whether the run may open with one (see `opening`). `spending` says what about kept replies,
    budget and limits a minute. `shard` is the share of the run that is asked here; None for all.
    `cluster` says where a model is to be that does not run here. `commitment` is that of a private
    seed (see `secret_seed`); the seed itself is in `options`.
    """

    benchmark: str | type[Benchmark[Any]] | Benchmark[Any]
    model: str | Model
    options: dict[str, Any]
    sampling: Sampling
    limit: int | None
    out: str | None
    limits: Limits
    sound: SoundPolicy = AS_IT_IS
    sample: int | None = None
    label: str = ""
    score: str = ""
    canary: bool = True
    spending: Spending = Spending()
    shard: Shard | None = None
    cluster: Cluster | None = None
    commitment: str = ""


class Result(msgspec.Struct):
    """What came of it."""

    folder: Path
    outcome: Outcome
    summary: dict[str, Any]

    def __repr__(self) -> str:
        """On one line: where, of what, how much."""
        trials = planned_words(self.summary)
        return one_line("Result", str(self.folder), "", self.summary["benchmark"], trials)


class _Silent:
    def update(self, count: Any, done: int) -> None:
        """Look away."""


@contextlib.contextmanager
def silent(total: int | None, done: int) -> Iterator[Watcher]:
    """A `Watch` that shows nothing."""
    yield _Silent()


async def carry_out(order: Order, watch: Watch = silent) -> Result:
    """Run what is missing of an order, and sum up the whole run.

    Raises
    ------
    InputError
        For anything in the order that the user can mend.
    """
    kind = given(order.benchmark)
    with blaming(kind):  # its code may fail at any pass, and at any trial
        return await _carry_out(order, kind, watch)


async def _carry_out(order: Order, kind: type[Benchmark[Any]], watch: Watch) -> Result:
    async with opened(order, kind) as (order, model, selection, manifest, folder):
        desk = open_desk(model, order.spending, order.sound)
        can = capabilities_of(model)
        await check(model)
        if capabilities_of(model) != can:  # some know only when they have been reached
            can = _refuse_unsupported(order, selection, model)
            manifest.decoding["capabilities"] = msgspec.to_builtins(can)
        await kind.before(order)
        with RunFolder(folder, manifest) as log:
            if desk and order.spending.budget.bounded:
                desk.ledger.remember(manifest, log.folder)
            # Of a run that is whole nothing more is asked, and a batch takes hours: no canary.
            asks = len(log.answered) < manifest.planned and not order.spending.batch
            if order.canary and asks:
                limits, seed = order.limits, _seed(order)
                asked = selection.known()
                await open_run(manifest, asked, model, order.sampling, limits, seed, desk)
            outcome = await _run(order, selection, model, log, watch, desk)
    if not outcome.stopped:
        await kind.after(folder, order, watch)
    return Result(folder, outcome, summarise(folder))


class Opened(NamedTuple):
    """What an order comes to, before anything is asked."""

    order: Order
    model: Model
    selection: Selection
    manifest: Manifest
    folder: Path


@contextlib.asynccontextmanager
async def opened(order: Order, kind: type[Benchmark[Any]]) -> AsyncIterator[Opened]:
    """Open what an order names, and look whether the model can take it; the model is closed after.

    Raises
    ------
    InputError
        For anything in the order that the user can mend.
    """
    order, benchmark = _set_up(order, kind)
    model = _open(order)
    try:
        selection = Selection(benchmark, order.limit, order.sample, _seed(order), order.shard)
        manifest = _manifest(order, selection, model)
        if selection.sequences:  # whoever cannot begin says so before anything is asked
            collections.deque(selection.known(), maxlen=0)
        if bind := getattr(model, "bind", None):
            asked = names(selection.known(), strategies(order, benchmark), order.sampling)
            bind([pair async for pair in asked], manifest.config)
        folder = Path(order.out) if order.out else _default_folder(order, manifest)
        _refuse_unsupported(order, selection, model)
        yield Opened(order, model, selection, manifest, folder)
    finally:
        await model.close()


def _refuse_unsupported(order: Order, selection: Selection, model: Model) -> Capabilities:
    """What a model can take, seen to it that it can take the run's trials. Raises `InputError`."""
    can = capabilities_of(model)
    without = selection.benchmark.without_sound
    refuse_unsupported(selection.known(), can, order.sampling, order.sound, model.name, without)
    return can


async def write_trials(order: Order, folder: Path, layout: Layout, run: str) -> Written:
    """Write out what an order would ask, for a model that runs elsewhere.

    Parameters
    ----------
    order : Order
        Its model and its folder do not matter.
    folder : Path
    layout : {"chat", "list"}
    run : str
        The command that makes a run of the answers.

    Raises
    ------
    InputError
        For anything in the order that the user can mend, or where what is asked depends on what
        is answered.
    """
    kind = given(order.benchmark)
    order, benchmark = _set_up(order, kind)
    with blaming(kind):
        selection = Selection(benchmark, order.limit, order.sample, _seed(order))
        config = _manifest(order, selection, Elsewhere()).config
        del config["model"]
        asked = await every_question(selection, strategies(order, benchmark), order.sampling)
        return write_out(asked, folder, config, run, layout)


def _set_up(order: Order, kind: type[Benchmark[Any]]) -> tuple[Order, Benchmark[Any]]:
    """The benchmark of an order, and the order with all its options: an object brings its own."""
    open_policy(order.options.get("extract") or kind.extract)
    if not isinstance(order.benchmark, Benchmark):
        if not order.options.get("data") and (found := kind.fetched(order.options)):
            order = msgspec.structs.replace(order, options={**order.options, "data": found})
        benchmark = kind.from_options(order.options)
        if origin_of(kind).kind == "zhiyin":
            return order, benchmark
    else:
        benchmark = order.benchmark
        benchmark.reading = order.options.get("extract")
    # All settings are kept, the defaults too: those of a later version may be others.
    settings = getattr(benchmark, "settings", None)
    own = msgspec.to_builtins(settings) if isinstance(settings, msgspec.Struct) else {}
    return msgspec.structs.replace(order, options={**order.options, **own}), benchmark


async def check(model: Model) -> None:
    """Make sure that a model can be asked, where it knows how. Raises `InputError`."""
    own = getattr(model, "check", None)
    if own:
        await own()


def _open(order: Order) -> Model:
    """The model of an order, which joins clips where that is asked for."""
    model = order.model
    if isinstance(model, str) and order.cluster is not None:
        model = on_workers(model, order.cluster, order)
    elif isinstance(model, str):
        model = open_model(
            model,
            timeout=order.limits.timeout_s,
            seed=_seed(order),
            concurrency=order.limits.concurrency or None,
            sound=order.sound,
        )
    if order.spending.batch:
        model = batched(model)
    return joined(model, order.sound.join)


def on_workers(spec: str, cluster: Cluster, order: Order) -> Model:
    """The model of an order, on the workers of a cluster. Nothing is reached yet."""
    from zhiyin.models.on_ray.model import RayModel

    limits = order.limits
    sound = msgspec.structs.replace(order.sound, join=None)
    settings = {"timeout": limits.timeout_s, "seed": _seed(order), "sound": sound}
    return cast("Model", RayModel(spec, cluster, settings, limits.concurrency or None))


def _seed(order: Order) -> int:
    return order.options.get("seed") or 0


async def _run(
    order: Order,
    selection: Selection,
    model: Model,
    log: RunFolder,
    watch: Watch,
    desk: Desk | None,
) -> Outcome:
    """One session: ask, keep the manifest up to date whatever happens."""
    manifest, done, benchmark = log.manifest, len(log.answered), selection.benchmark
    manifest.price = price_told(find_price(model)) or manifest.price
    if isinstance(model, BatchModel):
        model.begin(log.folder)
    here = Session(started=_now(), before=done)
    manifest.sessions = [*manifest.sessions, here]
    manifest.remarks = [*benchmark.remarks(), *log.remarks, *_more(manifest, selection)]
    if share := _widest(manifest, selection).share:
        manifest.shard = share.shard
        write_share(log.folder, share.units)
    log.write_manifest()  # whoever looks sees that a session goes on, or was killed
    wanted = order.limits.concurrency or model.concurrency
    runner = Runner(
        model,
        strategies(order, benchmark),
        likelihood.with_choices(benchmark.score),
        log,
        order.sampling,
        msgspec.structs.replace(order.limits, concurrency=min(wanted, manifest.units or 1)),
        without_sound=benchmark.without_sound,
        desk=desk,
    )
    try:
        with watch(manifest.total, done) as runner.watcher:
            if desk and hasattr(runner.watcher, "follow"):
                runner.watcher.follow(desk.ledger)
            await runner.run(selection, done, selection.sequences)
        log.retire_superseded()
    except BaseException as error:
        here.stopped = _why(error)
        raise
    finally:
        outcome = runner.outcome
        if desk:
            await desk.close()
        here.ended = _now()
        here.asked, here.elapsed_s = outcome.asked, outcome.elapsed_s
        here.stopped = here.stopped or outcome.stopped
        manifest.remarks += getattr(model, "report", list)()
        manifest.remarks += desk.report() if desk else []
        manifest.remarks += [f"{fault}: mend it and run again" for fault in outcome.faults]
        if outcome.asked:  # what the server has taught meanwhile
            gone = manifest.left_out()
            manifest.decoding = _decoding(model)
            manifest.left_out(*gone)
        with contextlib.suppress(InputError):  # a full disk: the first error is the one to tell
            log.write_manifest()
    return outcome


def strategies(order: Order, benchmark: Benchmark[Any]) -> Callable[[Trial], Strategy]:
    """Who conducts each trial: the benchmark's own strategies.

    With `confirm`, and with log-probabilities, where asked for.
    """
    own: Callable[[Trial], Strategy] = benchmark.strategy
    if order.options.get("confirm"):
        policy = open_policy(order.options.get("extract") or benchmark.extract)
        own = confirming(own, policy, order.options.get("language"))
    return likelihood.scoring(own) if order.score else own


def _why(error: BaseException) -> str:
    """Why a session ended early, on one line."""
    if isinstance(error, KeyboardInterrupt | asyncio.CancelledError):
        return "interrupted"
    told = " ".join(str(error).split())
    return told if isinstance(error, InputError) else f"{type(error).__name__}: {told}"


def _more(manifest: Manifest, selection: Selection) -> list[str]:
    """What to say where earlier sessions asked for another part; puts the number planned right."""
    whole = _widest(manifest, selection)
    if whole is selection:
        return []
    manifest.planned, manifest.sequences = whole.planned, whole.planned_sequences
    if (len(selection), len(selection.sequences)) == (len(whole), len(whole.sequences)):
        return []
    now = f"{selection.planned} of {whole.planned} trials"
    if whole.sequences:
        now = f"{len(selection.sequences)} of {len(whole.sequences)} sequences"
        now += f", {len(selection)} of {len(whole)} trials beside them" if len(whole) else ""
    return [f"this folder holds more than was asked for now ({now}); all that it holds is counted"]


def _widest(manifest: Manifest, selection: Selection) -> Selection:
    """What all sessions of a run ask between them; the selection itself where it is that."""
    config = manifest.config
    if selection.part() == {name: config[name] for name in PARTS if name in config}:
        return selection
    part = config.get("limit"), config.get("sample")
    return Selection(selection.benchmark, *part, selection.seed, selection.shard)


def _manifest(order: Order, selection: Selection, model: Model) -> Manifest:
    benchmark = selection.benchmark
    places = _places(type(benchmark))
    settings = {k: v for k, v in order.options.items() if k not in places}
    if settings.get("protocol") == OURS.name:  # a run from before there were protocols is ours
        del settings["protocol"]
    if settings.get("language"):  # a language pack is known by its name; its contents are in `data`
        settings["language"] = Path(settings["language"]).name
    settings["extract"] = settings.get("extract") or benchmark.extract
    config = {
        "benchmark": benchmark.name,
        "benchmark_version": benchmark.version,
        "options": settings,
        "data": benchmark.fingerprint(),
        "model": model.name,
        "sampling": _sampling(order.sampling),
        **selection.part(),
    }
    if order.shard:
        config["shard"] = str(order.shard)
    if order.options.get("confirm"):
        config["confirm"] = signature()
    if order.commitment:
        config[COMMITMENT] = order.commitment
    if order.score:
        if order.spending.batch:
            raise InputError("--score and --batch do not go together: leave out one of them")
        if capabilities_of(model).logprobs is False:
            raise InputError(
                f"{model.name} gives no log-probabilities: leave out --score, or take a model that "
                "does (hf:, or a server with logprobs)"
            )
        config["score"] = likelihood.signature()
    if order.sound != AS_IT_IS:
        config["sound"] = msgspec.to_builtins(order.sound)
    if hasattr(model, "fingerprint"):
        config["model_data"] = model.fingerprint()
    if selection.planned == 0 and not order.shard:  # a shard may happen to get nothing
        raise InputError(f"nothing to ask: {benchmark.name} has no trials with these settings")
    declaration = declared(type(benchmark))
    return Manifest(
        benchmark=benchmark.name,
        model=model.name,
        config=msgspec.json.decode(msgspec.json.encode(config)),  # as it will be read back
        options=msgspec.json.decode(msgspec.json.encode(order.options)),
        planned=selection.planned,
        sequences=selection.planned_sequences,
        versions={
            "zhiyin": __version__,
            "python": platform.python_version(),
            **_versions(benchmark, settings["extract"], model),
        },
        declared=declaration,
        decoding=_decoding(model),
        label=order.label,
        spec=order.model if isinstance(order.model, str) else "",
    )


def _sampling(sampling: Sampling) -> dict[str, Any]:
    """As the manifest has it; earlier versions knew nothing of thinking."""
    found: dict[str, Any] = msgspec.to_builtins(sampling)
    if sampling.thinking is None:
        del found["thinking"]
    return found


def _decoding(model: Model) -> dict[str, Any]:
    """How a model was reached and spoken to, and what it can take."""
    told: dict[str, Any] = getattr(model, "describe", dict)()
    can = msgspec.to_builtins(capabilities_of(model))
    return cast(dict[str, Any], plain({**told, "capabilities": can}))


def _places(kind: type[Benchmark[Any]]) -> frozenset[str]:
    """The options that do not make a run another one.

    Where data lie does not; what they are does (the fingerprint).
    """
    return _COMMON_PLACES | kind.places | place_names(kind.Settings)


def _versions(benchmark: Benchmark[Any], policy: str, model: Model) -> dict[str, str]:
    """The packages that benchmark, policy and model come from, where these are not Zhiyin's."""
    origin = origin_of(type(benchmark))
    sources = [(origin.distribution, origin.version), *distributions(policy, model)]
    return {name: version for name, version in sources if name}


def distributions(policy: str, model: Model) -> list[tuple[str, str]]:
    """Name and version of the packages that a policy and a model are plugged in by."""
    plugged = plugins.installed(plugins.POLICIES).get(policy)
    found = [plugged] if plugged and policy not in policies() else []
    plugin = getattr(model, "plugin", None)
    found += [plugin] if isinstance(plugin, plugins.Plugin) else []
    return [(one.distribution, one.version) for one in found]


def _default_folder(order: Order, manifest: Manifest) -> Path:
    """A folder named after the settings: the same command finds its run again.

    Which part of the trials is asked is not in the name, so that a pilot grows into the whole.
    """
    left = {*PARTS, "shard"}
    settings = {k: v for k, v in manifest.config.items() if k not in left} | {"limit": None}
    digest = hashlib.blake2b(msgspec.json.encode(settings, order="sorted"), digest_size=4)
    name = f"{manifest.benchmark}-{short_name(order.model)}-{digest.hexdigest()}"
    if shard := order.shard:
        name += shard.suffix
    return Path("runs") / name


def short_name(model: str | Model) -> str:
    """A model's name as part of a folder's: letters, digits, "_", "." and "-"."""
    spec = model if isinstance(model, str) else model.name
    return re.sub(r"[^\w.-]+", "-", spec.split("://")[-1]).strip("-")[:40]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
