"""One session of a run: opens benchmark, model and folder, runs, and sums up."""

from __future__ import annotations

import asyncio
import collections
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec

from zhiyin.analysis.summary import Summary, summarise
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import Ending, FollowUp
from zhiyin.contract.policies import open_policy
from zhiyin.contract.registry import blaming, given, origin_of
from zhiyin.contract.settings import RunSettings
from zhiyin.cost.batches import BatchModel, batched
from zhiyin.cost.budget import Budget, Purse, purse, spending_from
from zhiyin.cost.desk import (
    Desk,
    Others,
    find_price,
    open_desk,
    price_for,
    price_in_manifest,
)
from zhiyin.cost.ledger import Ledger, remember_runs
from zhiyin.cost.prices import price_of, read_prices
from zhiyin.engine.asking import beside
from zhiyin.engine.log import PARTS, Manifest, RunFolder, Session, this_machine
from zhiyin.engine.merging import write_share
from zhiyin.engine.runner import Outcome, Runner, Watcher
from zhiyin.engine.runner import Watch as Watch
from zhiyin.errors import InputError
from zhiyin.models import open_model
from zhiyin.models.capabilities import Capabilities, capabilities_of, refuse_unsupported
from zhiyin.models.joining import joined
from zhiyin.models.on_ray.cluster import Cluster
from zhiyin.record import Model, Strategy
from zhiyin.session.elsewhere import (
    Elsewhere,
    Layout,
    Written,
    every_question,
    names,
    write_out,
)
from zhiyin.session.manifest import decoding_of, default_folder, manifest_of
from zhiyin.session.opening import open_run
from zhiyin.session.secret_seed import with_private_seed
from zhiyin.session.selection import Selection
from zhiyin.strategies import likelihood
from zhiyin.strategies.confirm import confirming
from zhiyin.trial import Trial, one_line
from zhiyin.words.findings import Faulty, kept


class Result(msgspec.Struct):
    """What came of it. `after` is what came of the run that followed it, such as a judge's."""

    folder: Path
    outcome: Outcome
    summary: Summary
    after: FollowUp | None = None

    @property
    def name(self) -> str:
        """What the run is called."""
        return self.summary.name

    @property
    def ended(self) -> tuple[Ending, str]:
        """Whether all was asked and answered, here and after it; what was in the way."""
        outcome, summary = self.outcome, self.summary
        if outcome.stopped:
            return "stopped", outcome.stopped
        if outcome.faults:
            return "failed", outcome.faults[0]
        if failed := summary.states["error"]:
            causes = "; ".join(f"{n} x {cause}" for cause, n in [*summary.failures.items()][:2])
            trials = "1 trial" if failed == 1 else f"{failed} trials"
            return "failed", f"{trials} failed ({causes})"
        if not summary.complete:
            return "stopped", "not all of it was asked; the same command goes on from here"
        if self.after:
            ended, why = self.after.ended
            return ended, why and f"{self.after.name}, which judges it: {why}"
        return "done", ""

    @property
    def interrupted(self) -> bool:
        """Whether the user ended it, here or after it."""
        return self.outcome.interrupted or bool(self.after and self.after.interrupted)

    def __repr__(self) -> str:
        """On one line: where, of what, how much."""
        trials = self.summary.how_far
        return one_line("Result", str(self.folder), "", self.summary.benchmark, trials)


class _Silent:
    def update(self, count: Any, done: int) -> None:
        """Look away."""


@contextlib.contextmanager
def silent(total: int | None, done: int) -> Iterator[Watcher]:
    """A `Watch` that shows nothing."""
    yield _Silent()


async def carry_out(order: RunSettings, watch: Watch = silent) -> Result:
    """Run what is missing of an order, and sum up the whole run.

    Raises
    ------
    InputError
        For anything in the order that the user can mend.
    """
    kind = given(order.benchmark)
    with blaming(kind):  # its code may fail at any pass, and at any trial
        return await _carry_out(order, kind, watch)


async def _carry_out(order: RunSettings, kind: type[Benchmark[Any]], watch: Watch) -> Result:
    async with opened(order, kind) as (order, model, selection, manifest, folder):
        price_for(model, order.spending)
        can = capabilities_of(model)
        await check(model)
        desk = open_desk(model, order.spending, order.sound)
        if capabilities_of(model) != can:  # some know only when they have been reached
            can = _refuse_unsupported(order, selection, model)
            manifest.decoding["capabilities"] = msgspec.to_builtins(can)
        judge = kind.judge_of(order.options)
        if judge:
            Purse(order.spending.budget).refuse_priceless(judge, price_of(judge, read_prices()))
        await selection.benchmark.before(order)
        with RunFolder(folder, manifest) as log:
            if desk:
                desk.run = manifest.id
            spent = _purse(order.spending.budget, desk)
            pays = desk is not None or bool(judge)
            _keep_journal(order, log, desk, wanted=spent is not None and pays)
            if spent and order.spending.budget.bounded:
                if desk:
                    desk.ledger.remember(manifest, log.folder)
                remember_runs(spent, folder, leave_out=folder if desk else None)
            # Of a run that is whole nothing more is asked, and a batch takes hours: no canary.
            asks = len(log.answered) < manifest.planned and not order.spending.batch
            if order.canary and asks:
                limits, seed = order.limits, order.seed
                asked = selection.known()
                with desk.asking_anew() if desk else contextlib.nullcontext():
                    await open_run(manifest, asked, model, order.sampling, limits, seed, desk)
            with spending_from(spent), asking_beside(order, log) as others:
                try:
                    outcome = await _run(order, selection, model, log, watch, desk)
                finally:
                    await others.close()
    after = None
    if not outcome.stopped and order.shard is None:  # a share is judged when all are merged
        with spending_from(spent):
            after = await kind.after(folder, order, watch)
    return Result(folder, outcome, summarise(folder), after)


def _purse(budget: Budget, desk: Desk | None) -> Purse | None:
    """What a run spends from with all that judge for it; None where nothing is bounded."""
    common = purse.get()
    if not budget.bounded:
        return common
    return desk.ledger.purse if desk else Purse(budget, within=common)


def _keep_journal(order: RunSettings, log: RunFolder, desk: Desk | None, *, wanted: bool) -> None:
    """Have calls written down before they are sent, where a budget is to hold for them.

    What answers on this machine costs nothing, and batches keep a journal of their own.
    """
    journal = log.keep_journal(wanted=wanted and not order.spending.batch)
    ledger = desk.ledger if desk else Ledger(Budget(), None)
    ledger.keep(journal, log.manifest, log.folder)


@contextlib.contextmanager
def asking_beside(order: RunSettings, log: RunFolder) -> Iterator[Others]:
    """Let strategies ask other models than the run's, from the same budget."""
    run = log.manifest.id
    others = Others(order.spending, order.limits, order.sound, log.journal, run)
    token = beside.set(others.asker)
    try:
        yield others
    finally:
        beside.reset(token)


class Opened(NamedTuple):
    """What an order comes to, before anything is asked."""

    order: RunSettings
    model: Model
    selection: Selection
    manifest: Manifest
    folder: Path


@contextlib.asynccontextmanager
async def opened(order: RunSettings, kind: type[Benchmark[Any]]) -> AsyncIterator[Opened]:
    """Open what an order names, and look whether the model can take it; the model is closed after.

    Raises
    ------
    InputError
        For anything in the order that the user can mend.
    """
    order, benchmark = _set_up(order, kind)
    model = _open(order)
    try:
        selection = Selection(benchmark, order.limit, order.sample, order.seed, order.shard)
        manifest = manifest_of(order, selection, model)
        if selection.sequences:  # a sequence that cannot begin says so before anything is asked
            collections.deque(selection.known(), maxlen=0)
        if bind := getattr(model, "bind", None):
            asked = names(selection.known(), strategies(order, benchmark), order.sampling)
            bind([pair async for pair in asked], manifest.config)
        folder = Path(order.out) if order.out else default_folder(order, manifest)
        _refuse_unsupported(order, selection, model)
        yield Opened(order, model, selection, manifest, folder)
    finally:
        await model.close()


def _refuse_unsupported(order: RunSettings, selection: Selection, model: Model) -> Capabilities:
    """What a model can take. Raises `InputError` where it cannot take the run's trials."""
    can = capabilities_of(model)
    without = selection.benchmark.without_sound
    refuse_unsupported(selection.known(), can, order.sampling, order.sound, model.name, without)
    return can


async def write_trials(order: RunSettings, folder: Path, layout: Layout, run: str) -> Written:
    """Write out what an order would ask, for a model that runs elsewhere.

    Parameters
    ----------
    order : RunSettings
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
        selection = Selection(benchmark, order.limit, order.sample, order.seed)
        config = manifest_of(order, selection, Elsewhere()).config
        del config["model"]
        asked = await every_question(selection, strategies(order, benchmark), order.sampling)
        return write_out(asked, folder, config, run, layout)


def _set_up(order: RunSettings, kind: type[Benchmark[Any]]) -> tuple[RunSettings, Benchmark[Any]]:
    """The benchmark of an order, and the order with all its options: an object brings its own."""
    open_policy(order.options.get("extract") or kind.extract)
    order = with_private_seed(order)
    if not isinstance(order.benchmark, Benchmark):
        if not order.options.get("data") and (data := kind.fetched(order.options)):
            order = msgspec.structs.replace(order, options={**order.options, "data": data})
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


def _open(order: RunSettings) -> Model:
    """The model of an order, which joins clips where that is asked for."""
    model = order.model
    if isinstance(model, str) and order.cluster is not None:
        model = on_workers(model, order.cluster, order)
    elif isinstance(model, str):
        model = open_model(
            model,
            timeout=order.limits.timeout_s,
            seed=order.seed,
            concurrency=order.limits.concurrency or None,
            sound=order.sound,
        )
    if order.spending.batch:
        model = batched(model)
    return joined(model, order.sound.join)


def on_workers(spec: str, cluster: Cluster, order: RunSettings) -> Model:
    """The model of an order, on the workers of a cluster. Nothing is reached yet."""
    from zhiyin.models.on_ray.model import RayModel

    limits = order.limits
    sound = msgspec.structs.replace(order.sound, join=None)
    settings = {"timeout": limits.timeout_s, "seed": order.seed, "sound": sound}
    each, keeps = limits.concurrency or None, order.spending.cache != "off"
    return cast("Model", RayModel(spec, cluster, settings, each, keeps=keeps))


async def _run(
    order: RunSettings,
    selection: Selection,
    model: Model,
    log: RunFolder,
    watch: Watch,
    desk: Desk | None,
) -> Outcome:
    """One session: ask, keep the manifest up to date whatever happens."""
    manifest, done, benchmark = log.manifest, len(log.answered), selection.benchmark
    manifest.price = price_in_manifest(find_price(model)) or manifest.price
    if isinstance(model, BatchModel):
        model.begin(log.folder)
    here = Session(started=_now(), before=done, machine=this_machine())
    manifest.sessions = [*manifest.sessions, here]
    said = [*benchmark.remarks(), *log.remarks, *_more(manifest, selection)]
    manifest.remarks = kept(said)
    if share := _widest(manifest, selection).share:
        manifest.shard = share.shard
        write_share(log.folder, share.units)
    log.write_manifest()  # so that others see that a session goes on, or was killed
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
                runner.watcher.follow(desk.ledger, desk.pace)
            await runner.run(selection, done, selection.sequences)
        log.retire_superseded()
    except BaseException as error:
        here.stopped = _end_reason(error)
        raise
    finally:
        outcome = runner.outcome
        if desk:
            await desk.close()
        here.ended = _now()
        here.asked, here.elapsed_s = outcome.asked, outcome.elapsed_s
        here.stopped = here.stopped or outcome.stopped
        manifest.remarks += kept(getattr(model, "report", list)())
        manifest.remarks += kept(desk.report() if desk else [])
        manifest.remarks += kept(Faulty(what=fault) for fault in outcome.faults)
        if outcome.asked:  # what the server has taught meanwhile
            gone = manifest.left_out()
            manifest.decoding = decoding_of(model)
            manifest.left_out(*gone)
        with contextlib.suppress(InputError):  # a full disk: the first error is the one to tell
            log.write_manifest()
    return outcome


def strategies(order: RunSettings, benchmark: Benchmark[Any]) -> Callable[[Trial], Strategy]:
    """Who conducts each trial: the benchmark's own strategies.

    With `confirm`, and with log-probabilities, where asked for.
    """
    own: Callable[[Trial], Strategy] = benchmark.strategy
    if order.options.get("confirm"):
        policy = open_policy(order.options.get("extract") or benchmark.extract)
        own = confirming(own, policy, order.options.get("language"))
    return likelihood.scoring(own) if order.score else own


def _end_reason(error: BaseException) -> str:
    """Why a session ended early, on one line."""
    if isinstance(error, KeyboardInterrupt | asyncio.CancelledError):
        return "interrupted"
    message = " ".join(str(error).split())
    return message if isinstance(error, InputError) else f"{type(error).__name__}: {message}"


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


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
