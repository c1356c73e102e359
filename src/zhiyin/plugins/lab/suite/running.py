"""Carrying out a plan: runs side by side in one process, each model opened once for all.

Some ten questions of each skill: a suite that comes with Zhiyin, asked of one open model.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.settings import RunSettings
from zhiyin.cost.budget import Pace, common_account, spending_from
from zhiyin.cost.cache import session_of_runs
from zhiyin.engine.naming import brief
from zhiyin.engine.stopping import Host, handled_by, host
from zhiyin.errors import (
    InputError,
    NoPictureError,
    NoSoundError,
    ServerError,
    SetupError,
    UnfitError,
)
from zhiyin.files import stem_of
from zhiyin.models import is_heavy, open_model
from zhiyin.models.capabilities import Capabilities, capabilities_of
from zhiyin.plugins.lab.run_status import RunProgress
from zhiyin.plugins.lab.suite.cards import Cards, all_cards
from zhiyin.plugins.lab.suite.file import Flags, SuiteCell, SuiteModel, read_suite
from zhiyin.plugins.lab.suite.folder import LeftOut, RunState, SuiteFolder, SuiteState, named_runs
from zhiyin.plugins.lab.suite.planning import PlannedRun, SuitePlan, accept, plan
from zhiyin.plugins.lab.suite.progress import Display
from zhiyin.record import Model, Reply, Sampling
from zhiyin.report.media import silent
from zhiyin.report.writing import report
from zhiyin.session import Result
from zhiyin.session.media import Medium
from zhiyin.session.running import carry_out
from zhiyin.trial import Message, Trial


class SlotPace(Pace):
    """A pace that also limits how many calls are under way at once, over all runs.

    Parameters
    ----------
    slots : int
    requests, tokens : float, optional
        Of a minute.
    """

    def __init__(
        self, slots: int, requests: float | None = None, tokens: float | None = None
    ) -> None:
        super().__init__(requests, tokens)
        self._slots = asyncio.Semaphore(slots)

    async def wait(self, tokens: float) -> None:
        """Wait for a slot, and until a call may begin."""
        await self._slots.acquire()
        try:
            await super().wait(tokens)
        except BaseException:
            self._slots.release()
            raise

    def end(self, estimated: float, tokens: float | None) -> None:
        """A call has ended: its slot is free."""
        super().end(estimated, tokens)
        self._slots.release()


class SharedModel:
    """A model that several runs ask, each as if it were its own.

    What else it has (see `zhiyin.models`) is that of the model itself.
    """

    takes_part = True
    """Of a benchmark it is asked what applies to it."""

    def __init__(self, model: Model, pace: Pace) -> None:
        self._model, self.shared_pace = model, pace
        self._checked: asyncio.Task[None] | None = None
        self._refused: dict[str, bool] = {}
        if hasattr(model, "on_headers"):
            model.on_headers = pace.learn

    def __getattr__(self, name: str) -> Any:
        if name == "_model":  # not there yet
            raise AttributeError(name)
        value = getattr(self._model, name)
        return self._check_once if name == "check" else value

    @property
    def capabilities(self) -> Capabilities:
        """The model's declaration, without what it has refused to one of the runs."""
        return msgspec.structs.replace(capabilities_of(self._model), **self._refused)

    async def _check_once(self) -> None:
        """Make sure once that the model can be asked, however many runs call this."""
        own = getattr(self._model, "check", None)
        if own is not None and (self._checked is None or self._checked.cancelled()):
            self._checked = asyncio.ensure_future(own())
        if self._checked is not None:
            await asyncio.shield(self._checked)

    def doubt(self) -> None:
        """Let the next run make sure anew that the model can be asked."""
        own = self._checked
        if own and own.done() and not own.cancelled() and not own.exception():
            self._checked = None

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """One reply of the model."""
        try:
            return await self._model.generate(messages, sampling, trial)
        except (NoSoundError, NoPictureError) as error:  # no other run is to ask for it again
            self.refuse("sound" if isinstance(error, NoSoundError) else "image")
            raise

    def refuse(self, medium: Medium) -> None:
        """Ask for no such thing any more."""
        self._refused[medium] = False

    async def close(self) -> None:
        """A run is done with it; others are not."""

    async def end(self) -> None:
        """All runs are done with it."""
        await self._model.close()


class Holder:
    """Holds the models of a suite's entry for all its runs.

    Runs of one entry may set what a model is opened with (a seed of draws, how sound is sent):
    each such setting is a model of its own, and all share the entry's slots and pace.

    Parameters
    ----------
    entry : SuiteModel
    """

    def __init__(self, entry: SuiteModel) -> None:
        self.entry = entry
        self.heavy = is_heavy(entry.model)
        self._held: dict[bytes, SharedModel] = {}
        self._pace: SlotPace | None = None

    def share(self, order: RunSettings) -> RunSettings:
        """The same order, asked of the model that is held.

        Raises
        ------
        InputError
            When the entry names no model, or what it names cannot be opened.
        """
        if not isinstance(order.model, str):  # it is open already, and shared
            return order
        timeout, seed = order.limits.timeout_s, order.options.get("seed") or 0
        key = msgspec.json.encode((order.sound, None if self.heavy else (timeout, seed)))
        shared = self._held.get(key)
        if shared is None:
            model = open_model(
                order.model, timeout=timeout, seed=seed, concurrency=self.entry.slots,
                sound=order.sound,
            )  # fmt: skip
            if hasattr(model, "bind"):  # it answers from the trials of one run
                return order
            if self._pace is None:
                slots = self.entry.slots or model.concurrency
                self._pace = SlotPace(slots, self.entry.rpm, self.entry.tpm)
            shared = self._held[key] = SharedModel(model, self._pace)
        limits = msgspec.structs.replace(order.limits, concurrency=self.entry.slots or 0)
        return msgspec.structs.replace(order, model=shared, limits=limits)

    def doubt(self) -> None:
        """A run failed: where its server is gone, the next ones wait for no call to be retried."""
        for shared in self._held.values():
            shared.doubt()

    async def close(self) -> None:
        """Close all models that are held."""
        for shared in self._held.values():
            await shared.end()
        self._held.clear()


async def carry_out_all(
    plan: SuitePlan, folder: SuiteFolder, holders: Mapping[str, Holder], watcher: Display
) -> bool:
    """Run all that is planned and not done. The state of each is written down at once.

    Models go side by side; those that fill this machine's memory one after another, each until all
    its runs are done. A run that fails stops no other. The caller closes the models.

    Returns
    -------
    bool
        Whether a signal ended it before all was done.
    """
    assert folder.state is not None
    rows = plan.rows
    states = {run.name: run for run in folder.state.runs}
    alone = asyncio.Lock()

    def settle(
        row: PlannedRun, state: RunProgress | LeftOut, why: str, result: Result | None = None,
        *, refused: bool = False,
    ) -> None:  # fmt: skip
        run: RunState = states[row.cell.name]
        run.state, run.told, run.refused = state, why, refused
        folder.write()
        watcher.ended(row, state, why, result)

    for row in rows:
        run = states[row.cell.name]
        run.trials = row.estimate.planned if row.estimate else run.trials
        if row.problem:  # shown with the plan
            run.state, run.told = "unfit" if row.unfit else "missing", row.problem
    folder.write()
    ours = Host()
    token = host.set(ours)
    fault: BaseException | None = None
    try:
        with spending_from(plan.account), session_of_runs(), handled_by(ours.stop):
            async with asyncio.TaskGroup() as group:
                for name, holder in holders.items():
                    its = [r for r in rows if r.cell.model == name and r.order and not r.problem]
                    if its:
                        mine = deque(its)
                        group.create_task(_run_model(mine, holder, alone, ours, watcher, settle))
    except BaseExceptionGroup as faults:
        if input_errors := faults.subgroup(InputError):  # the folder cannot be written
            fault = input_errors
            while isinstance(fault, BaseExceptionGroup):
                fault = fault.exceptions[0]
        else:
            raise
    finally:
        host.reset(token)
    if fault is not None:  # raised out here it keeps its cause, which says what is to be mended
        raise fault
    return ours.stopped is not None


Settle = Callable[..., None]


async def _run_model(
    rows: deque[PlannedRun], holder: Holder, alone: asyncio.Lock, ours: Host, watcher: Display,
    settle: Settle,
) -> None:  # fmt: skip
    """All runs of one model, some of them at once."""

    async def work() -> None:
        while rows and not ours.stopped:
            if not await _run_one(rows.popleft(), watcher, settle):
                holder.doubt()

    async with alone if holder.heavy else contextlib.nullcontext():
        workers = [asyncio.create_task(work()) for _ in range(min(holder.entry.runs, len(rows)))]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            if holder.heavy:  # its memory is the next one's
                await holder.close()


async def _run_one(row: PlannedRun, watcher: Display, settle: Settle) -> bool:
    """Carry out a run. Returns whether it is done."""
    assert row.order is not None
    try:
        order = msgspec.structs.replace(row.order, beside=True)
        result = await carry_out(order, watcher.of(row))
    except UnfitError as error:
        settle(row, "unfit", str(error))
    except InputError as error:
        settle(row, "failed", str(error), refused=isinstance(error, ServerError | SetupError))
    except Exception as error:  # an error in one run ends no other
        settle(row, "failed", f"{type(error).__name__}: {' '.join(str(error).split())}")
    except asyncio.CancelledError:
        settle(row, "stopped", "interrupted; the same command goes on from here")
        raise
    else:
        settle(row, *result.ended, result)
        return result.ended[0] == "done"
    return False


SUITE = "first-look"


class FirstLook:
    """The questions of a first look, and the page of their answers.

    Parameters
    ----------
    model : str
        As after ``-m``.
    order_of : callable
        From a run of the suite to its order, with the open model.
    flags : dict
        Where data lie, see `read_suite`.
    out : Path, optional
        By default a new folder in ``doctor/``: a server may be another one than before.

    Raises
    ------
    InputError
        The folder holds something else, or the data are of no benchmark of the suite.
    """

    def __init__(
        self, model: str, order_of: Callable[[SuiteCell], RunSettings], flags: Flags,
        out: Path | None = None,
    ) -> None:  # fmt: skip
        self._suite, self._order = read_suite(SUITE, (model,), flags), order_of
        self._held = {one.model: Holder(self._suite.model(one.model)) for one in self._suite.cells}
        self._folder = SuiteFolder(out or _new(Path("doctor") / stem_of(brief(model))))

    async def plan(self) -> SuitePlan:
        """All runs, estimated; nothing is asked."""
        account = common_account.get()
        return await plan(self._suite, self._order, self._folder, self._held, account, silent)

    async def ask(self, *, quiet: bool) -> tuple[SuiteState, bool]:
        """Ask what applies to the model: the state of all runs, and whether Ctrl-C ended it."""
        planned = await self.plan()  # anew: the model may have refused something
        with self._folder as folder:
            accept(planned, folder)
            state = folder.begin(self._suite)
            with Display(planned.rows, planned.account, quiet=quiet) as watcher:
                return state, await carry_out_all(planned, folder, self._held, watcher)

    def write(self, state: SuiteState, languages: Sequence[str]) -> tuple[str, list[Cards]]:
        """Write the report of all runs: its page, "" where nothing was answered, and the skills."""
        place = self._folder.folder
        if not (runs := named_runs(place, state)):
            return "", []
        report(*runs, out=place / "report", figures=False, languages=languages)
        return str(place / "report" / "index.html"), all_cards(place, state)


def _new(place: Path) -> Path:
    """The first of NAME, NAME-2, NAME-3, ... that is not there."""
    others = (place.with_name(f"{place.name}-{n}") for n in itertools.count(2))
    return next(each for each in itertools.chain([place], others) if not each.exists())
