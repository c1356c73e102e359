"""One session of a run: opens benchmark, model and folder, runs, and sums up."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec

from zhiyin.analysis.summary import Summary, summarise
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import Ending, FollowUp
from zhiyin.contract.registry import blaming, given
from zhiyin.contract.session_parts import SessionPart, parts_of
from zhiyin.contract.settings import RunSettings
from zhiyin.cost.budget import Budget, BudgetAccount, common_account, spending_from
from zhiyin.cost.cache import check_keep
from zhiyin.cost.ledger import Ledger, remember_runs
from zhiyin.cost.prices import opening_of, price_of, read_prices
from zhiyin.cost.request_queue import (
    OtherModels,
    RequestQueue,
    find_price,
    open_request_queue,
    price_for,
    price_in_manifest,
)
from zhiyin.engine.asking import asking_others
from zhiyin.engine.folder import PARTS, Manifest, Session
from zhiyin.engine.log import RunFolder, this_machine
from zhiyin.engine.merging import write_share
from zhiyin.engine.runner import Runner, SessionOutcome, Watcher
from zhiyin.engine.runner import Watch as Watch
from zhiyin.errors import InputError, UnfitError
from zhiyin.models.baselines import BASELINES, Baseline
from zhiyin.models.capabilities import Capabilities, capabilities_of, does_not_apply
from zhiyin.numerals import now
from zhiyin.record import Model
from zhiyin.session.canary import ask_canary, wants_canary, warning
from zhiyin.session.media import Medium
from zhiyin.session.selection import Selection, applying
from zhiyin.session.setup import check, decoding_of, opened, opening, require_support, strategies
from zhiyin.strategies import likelihood
from zhiyin.trial import Audio, Image, Trial, one_line
from zhiyin.words import Said, said
from zhiyin.words.findings import Faulty, NotAskedFor, kept

_PARTS: dict[Medium, type[Audio] | type[Image]] = {"sound": Audio, "image": Image}
MEDIA: tuple[Medium, ...] = get_args(Medium)


class Result(msgspec.Struct):
    """Result of a run. `after` is that of the run that followed it, such as a judge's."""

    folder: Path
    outcome: SessionOutcome
    summary: Summary
    after: FollowUp | None = None

    @property
    def name(self) -> str:
        """Name of the run."""
        return self.summary.name

    @property
    def ended(self) -> tuple[Ending, str]:
        """Status of the run and of the one that followed it, with the reason if it stopped."""
        outcome, summary = self.outcome, self.summary
        if outcome.stopped:
            return "stopped", outcome.stopped
        if outcome.faults:
            return "failed", outcome.faults[0]
        if failed := summary.states["error"]:
            causes = "; ".join(f"{n} x {cause}" for cause, n in [*summary.failures.items()][:2])
            several = said("log-trials-failed", n=failed, why=causes)
            return "failed", str(said("log-one-failed", why=causes) if failed == 1 else several)
        if not summary.complete:
            return "stopped", str(said("log-not-all"))
        if self.after:
            ended, why = self.after.ended
            return ended, why and f"{self.after.name}, which judges it: {why}"
        return "done", ""

    @property
    def interrupted(self) -> bool:
        """True if the user ended the run or the one that followed it."""
        return self.outcome.interrupted or bool(self.after and self.after.interrupted)

    def __repr__(self) -> str:
        """Write the result on one line: folder, benchmark, number of trials."""
        trials = self.summary.how_far
        return one_line("Result", str(self.folder), "", self.summary.benchmark, trials)


class _Silent:
    def update(self, count: Any, done: int) -> None:
        """Ignore the event."""


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
    check_keep(order.spending.cache)
    kind = given(order.benchmark)
    parts = parts_of(order)
    with contextlib.ExitStack() as stack, blaming(kind):  # its code may fail at any pass and trial
        for part in parts:
            stack.enter_context(part.around(order))
        return await _carry_out(order, kind, watch, parts)


async def _carry_out(
    order: RunSettings, kind: type[Benchmark[Any]], watch: Watch, parts: Sequence[SessionPart]
) -> Result:
    async with opened(order, kind, parts) as (order, model, selection, manifest, folder, _):
        price_for(model, order.spending)
        can = capabilities_of(model)
        await check(model)
        queue = open_request_queue(model, order.spending, order.sound)
        if capabilities_of(model) != can:  # some know only when they have been reached
            selection = applying(selection, model)
            can = require_support(order, selection, model)
            manifest.decoding["capabilities"] = msgspec.to_builtins(can)
        judge = kind.judge_of(order.options)
        if judge:
            BudgetAccount(order.spending.budget).refuse_priceless(
                judge, price_of(judge, read_prices())
            )
        await selection.benchmark.before(order)
        with RunFolder(folder, manifest) as log:
            for part in parts:
                part.begin(order, selection, folder)
            if queue:
                queue.run = manifest.id
            spent = _account(order.spending.budget, queue)
            pays = queue is not None or bool(judge)
            # What answers on this machine costs nothing, and batches keep a journal of their own.
            wanted = spent is not None and pays and not order.spending.batch
            journal = log.keep_journal(wanted=wanted)
            ledger = queue.ledger if queue else Ledger(Budget(), None)
            ledger.keep(journal, log.manifest, log.folder)
            if spent and order.spending.budget.bounded:
                if queue:
                    queue.ledger.remember(manifest, log.folder)
                remember_runs(spent, folder, leave_out=folder if queue else None)
            # Of a run that is whole nothing more is asked, and a batch takes hours: no canary.
            asks = len(log.answered) < manifest.planned and not order.spending.batch
            if order.canary and asks:
                with queue.asking_anew() if queue else contextlib.nullcontext():
                    await _ask_canaries(order, selection, model, manifest, queue)
            selection = _narrowed(selection, model, manifest, log.folder)
            others = OtherModels(
                order.spending, order.limits, order.sound, log.journal, manifest.id
            )
            with spending_from(spent), asking_others(others.asker):
                try:
                    outcome = await _run(order, selection, model, log, watch, queue, parts)
                finally:
                    await others.close()
    after = None
    if not outcome.stopped and order.shard is None:  # a share is judged when all are merged
        with spending_from(spent):
            after = await kind.after(folder, order, watch)
    return Result(folder, outcome, summarise(folder), after)


def _account(budget: Budget, queue: RequestQueue | None) -> BudgetAccount | None:
    """Return the account that a run shares with its judges; None where nothing is bounded."""
    common = common_account.get()
    if not budget.bounded:
        return common
    return queue.ledger.account if queue else BudgetAccount(budget, within=common)


async def _run(
    order: RunSettings,
    selection: Selection,
    model: Model,
    log: RunFolder,
    watch: Watch,
    queue: RequestQueue | None,
    parts: Sequence[SessionPart],
) -> SessionOutcome:
    """One session: ask, keep the manifest up to date whatever happens."""
    manifest, benchmark = log.manifest, selection.benchmark
    here = _begun(selection, model, log)
    done = here.before
    trials = next(filter(None, (part.trials() for part in parts)), selection)
    if isinstance(model, Baseline):
        model.read = lambda text, options: benchmark.policy.extract(text, options).letter
    wanted = order.limits.concurrency or model.concurrency
    runner = Runner(
        model, strategies(order, benchmark), likelihood.with_choices(benchmark.score), log,
        order.sampling,
        msgspec.structs.replace(order.limits, concurrency=min(wanted, manifest.units or 1)),
        without_sound=benchmark.without_sound, queue=queue, leaves_out=_refused_by(model),
    )  # fmt: skip
    try:
        with watch(manifest.total, done) as runner.watcher:
            if done < manifest.planned and hasattr(runner.watcher, "begin"):
                runner.watcher.begin(opening(order, selection))
            if queue and hasattr(runner.watcher, "follow"):
                runner.watcher.follow(queue.ledger, queue.pace)
            await runner.run(trials, done, selection.sequences)
        _set_misfits_aside(runner, selection, model, log)
        log.retire_superseded()
    except BaseException as error:
        here.stopped = _end_reason(error)
        raise
    finally:
        if queue:
            await queue.close()
        _end(here, runner.outcome, order, model, log, queue, parts)
    return runner.outcome


def _begun(selection: Selection, model: Model, log: RunFolder) -> Session:
    """A session that begins: it stands in the manifest, with what is to be said of the run."""
    manifest = log.manifest
    manifest.price = price_in_manifest(find_price(model)) or manifest.price
    if begin := getattr(model, "begin", None):
        begin(log.folder)
    here = Session(started=now(), before=len(log.answered), machine=this_machine())
    manifest.sessions = [*manifest.sessions, here]
    benchmark, widest = selection.benchmark, _widest(manifest, selection)
    whole = not any(widest.part().values()) and widest.share is None
    of_data = benchmark.remarks() if whole else benchmark.remarks_on(widest.known)
    told = [*of_data, *log.remarks, *_more(manifest, selection)]
    manifest.remarks = kept([*told, *_not_applying(selection, model)])
    if share := widest.share:
        manifest.shard = share.shard
        write_share(log.folder, share.units)
    log.write_manifest()  # so that others see that a session goes on, or was killed
    return here


def _set_misfits_aside(runner: Runner, selection: Selection, model: Model, log: RunFolder) -> None:
    """Take out of a run, and out of its log, trials that turned out not to apply to its model."""
    manifest = log.manifest
    if runner.misfit:  # it was refused meanwhile: what does not apply is no part of the run
        selection = _fitting(selection, model, manifest, runner.misfit)
        manifest.remarks += kept(_not_applying(selection, model))
    if selection.leaves_out and (log.failed_before or runner.outcome.count.error):
        every = _widest(manifest, selection).without(None).known()
        log.set_aside(trial.id for trial in every if selection.leaves_out(trial))


def _end(
    here: Session,
    outcome: SessionOutcome,
    order: RunSettings,
    model: Model,
    log: RunFolder,
    queue: RequestQueue | None,
    parts: Sequence[SessionPart],
) -> None:
    """Write down how a session ended, and what all that took part have to say of it."""
    manifest = log.manifest
    here.ended = now()
    here.asked, here.elapsed_s = outcome.asked, outcome.elapsed_s
    here.stopped = here.stopped or outcome.stopped
    manifest.remarks += kept(
        one
        for one in getattr(model, "report", list)()
        if not (order.beside and isinstance(one, NotAskedFor))
    )
    manifest.remarks += kept(queue.report() if queue else [])
    manifest.remarks += kept(Faulty(what=fault) for fault in outcome.faults)
    for part in parts:
        part.end(manifest, here.before + outcome.asked)
    if outcome.asked:  # what the server has taught meanwhile
        gone = manifest.left_out()
        manifest.decoding = decoding_of(model)
        manifest.left_out(*gone)
    with contextlib.suppress(InputError):  # a full disk: the first error is the one to tell
        log.write_manifest()


def _end_reason(error: BaseException) -> str:
    """Return, on one line, why a session ended early."""
    if isinstance(error, KeyboardInterrupt | asyncio.CancelledError):
        return str(said("log-interrupted"))
    message = " ".join(str(error).split())
    return message if isinstance(error, InputError) else f"{type(error).__name__}: {message}"


def _more(manifest: Manifest, selection: Selection) -> list[Said]:
    """Return the notes due where earlier sessions asked for another part, and correct `planned`."""
    whole = _widest(manifest, selection)
    if whole is selection:
        if selection.left_out:  # not what an earlier session, which did not know of it, planned
            manifest.planned, manifest.sequences = whole.planned, whole.planned_sequences
        return []
    manifest.planned, manifest.sequences = whole.planned, whole.planned_sequences
    if (len(selection), len(selection.sequences)) == (len(whole), len(whole.sequences)):
        return []
    now = said("holds-trials", n=str(selection.planned), of=str(whole.planned))
    if whole.sequences:
        sequences = {"n": str(len(selection.sequences)), "of": str(len(whole.sequences))}
        beside = {"beside": str(len(selection)), "trials": str(len(whole)) if len(whole) else None}
        now = said("holds-sequences", **sequences, **beside)
    return [said("holds-more", now=now)]


def _widest(manifest: Manifest, selection: Selection) -> Selection:
    """Return the selection that covers all sessions of a run; the given one if it does."""
    config = manifest.config
    if selection.part() == {name: config[name] for name in PARTS if name in config}:
        return selection
    part = config.get("limit"), config.get("sample")
    return Selection(
        selection.benchmark, *part, selection.seed, selection.shard, selection.conditions,
        at_random=selection.at_random,
    ).without(selection.leaves_out)  # fmt: skip


def _narrowed(selection: Selection, model: Model, manifest: Manifest, folder: Path) -> Selection:
    """Keep the part of a selection that applies to a model, by its canaries of now or before.

    Raises
    ------
    UnfitError
        Nothing does.
    """
    refused = {
        medium: False for medium in MEDIA
        if (manifest.canary.get(medium) or {}).get("state") == "refused"
    }  # fmt: skip
    if not refused:
        return selection
    why = next(iter(refused))
    told = str(manifest.canary[why].get("told") or f"{model.name} takes no {why}")
    can = msgspec.structs.replace(capabilities_of(model), **refused)
    return _fitting(selection, model, manifest, told, can)


def _fitting(
    selection: Selection,
    model: Model,
    manifest: Manifest,
    told: str,
    can: Capabilities | None = None,
) -> Selection:
    """Keep the part of a selection that applies to a model, by default by what it is known to take.

    Raises
    ------
    UnfitError
        Nothing does; it says what is `told`, which is the server's refusal.
    """
    can = can or capabilities_of(model)
    chosen = applying(selection, model, can)
    if chosen is not selection:
        manifest.planned, manifest.sequences = chosen.planned, chosen.planned_sequences
    elif getattr(model, "takes_part", False) and all(
        does_not_apply(trial, can) for trial in selection.known()
    ):
        raise UnfitError(told.removeprefix("unsupported: "))
    return chosen


def _refused_by(model: Model) -> Callable[[Trial], bool] | None:
    """Return a test for trials that a model of a suite is not asked, by its refusals so far."""
    if not getattr(model, "takes_part", False):
        return None
    return lambda trial: does_not_apply(trial, capabilities_of(model))


def _not_applying(selection: Selection, model: Model) -> list[Said]:
    """Return a note on trials that are left out since they do not apply."""
    if not (n := selection.left_out):
        return []
    blind = model.name in BASELINES
    return [said("not-applying", n=n, of=n + selection.planned, blind=blind)]


async def _ask_canaries(
    order: RunSettings,
    selection: Selection,
    model: Model,
    manifest: Manifest,
    queue: RequestQueue | None,
) -> None:
    """Ask a canary for sound, and one for pictures, where a run has them and none was asked.

    What becomes of it is put into the manifest. The run goes on whatever it is.
    """
    for medium in canaries(manifest.canary, selection.known(), model):
        outcome = await ask_canary(model, medium, order.seed, order.sampling, order.limits, queue)
        # What an undecided one used was used, too.
        used = opening_of({medium: manifest.canary.get(medium)}) + outcome.used
        outcome = msgspec.structs.replace(outcome, used=used)
        entry = msgspec.to_builtins(outcome)
        if message := str(warning(medium, outcome) or ""):
            entry["warning"] = message
        manifest.canary = {**manifest.canary, medium: entry}


def canaries(canary: Mapping[str, Any], trials: Iterable[Trial], model: Model) -> list[Medium]:
    """List the media that a run opens with a canary for.

    Parameters
    ----------
    canary : mapping
        What became of those of earlier sessions, as the manifest holds it.
    trials : iterable of Trial
        What the run is to ask; looked through only where the model is to be asked a canary.
    model : Model
    """
    open_yet = {medium for medium in MEDIA if _open(canary, medium)}
    wanted = {medium for medium in open_yet if wants_canary(model, medium)}
    return sorted(_media_of(trials, wanted), key=MEDIA.index) if wanted else []


def _open(canary: Mapping[str, Any], medium: Medium) -> bool:
    before = canary.get(medium)
    return not isinstance(before, dict) or before.get("state") == "undecided"


def _media_of(trials: Iterable[Trial], wanted: set[Medium]) -> set[Medium]:
    """Return those of some media that the trials have; looks no further than it must."""
    present: set[Medium] = set()
    for trial in trials:
        kinds = {type(part) for message in trial.messages for part in message.parts}
        present |= {medium for medium in wanted if _PARTS[medium] in kinds}
        if present == wanted:
            break
    return present
