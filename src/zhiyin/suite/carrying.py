"""Carrying out a plan: runs side by side in one process, within the limits of their models."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Protocol

from zhiyin.analysis.progress import RunProgress
from zhiyin.cost.budget import spending_from
from zhiyin.cost.cache import session_of_runs
from zhiyin.engine.runner import SIGNALS, Host, host
from zhiyin.errors import InputError
from zhiyin.session import Result, Watch
from zhiyin.session.running import carry_out
from zhiyin.suite.folder import RunState, SuiteFolder
from zhiyin.suite.planning import Plan, Planned
from zhiyin.suite.sharing import Holder


class Watcher(Protocol):
    """What is called as the runs of a suite begin and end."""

    def of(self, row: Planned) -> Watch:
        """What watches one run."""

    def ended(self, row: Planned, state: RunProgress, why: str, result: Result | None) -> None:
        """A run has ended."""


async def carry_out_all(
    plan: Plan,
    folder: SuiteFolder,
    holders: Mapping[str, Holder],
    watcher: Watcher,
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

    def settle(row: Planned, state: RunProgress, why: str, result: Result | None = None) -> None:
        run: RunState = states[row.cell.name]
        run.state, run.told = state, why
        folder.write()
        watcher.ended(row, state, why, result)

    for row in rows:
        if row.problem:  # shown with the plan
            states[row.cell.name].state, states[row.cell.name].told = "missing", row.problem
    folder.write()
    ours = Host()
    token = host.set(ours)
    try:
        with spending_from(plan.purse), session_of_runs():
            async with _signals(ours), asyncio.TaskGroup() as group:
                for name, holder in holders.items():
                    its = [r for r in rows if r.cell.model == name and r.order and not r.problem]
                    if its:
                        mine = deque(its)
                        group.create_task(_run_model(mine, holder, alone, ours, watcher, settle))
    except BaseExceptionGroup as faults:
        if input_errors := faults.subgroup(InputError):  # the folder cannot be written
            raise _first(input_errors) from None
        raise
    finally:
        host.reset(token)
    return ours.stopped is not None


def _first(faults: BaseExceptionGroup[InputError]) -> BaseException:
    fault: BaseException = faults
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    return fault


Settle = Callable[..., None]


async def _run_model(
    rows: deque[Planned],
    holder: Holder,
    alone: asyncio.Lock,
    ours: Host,
    watcher: Watcher,
    settle: Settle,
) -> None:
    """All runs of one model, some of them at once."""

    async def work() -> None:
        while rows and not ours.stopped:
            await _run_one(rows.popleft(), watcher, settle)

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


async def _run_one(row: Planned, watcher: Watcher, settle: Settle) -> None:
    assert row.order is not None
    try:
        result = await carry_out(row.order, watcher.of(row))
    except InputError as error:
        settle(row, "failed", str(error))
    except Exception as error:  # an error in one run ends no other
        settle(row, "failed", f"{type(error).__name__}: {' '.join(str(error).split())}")
    except asyncio.CancelledError:
        settle(row, "stopped", "interrupted; the same command goes on from here")
        raise
    else:
        settle(row, *result.ended, result)


@contextlib.asynccontextmanager
async def _signals(ours: Host) -> AsyncIterator[None]:
    """Hand Ctrl-C, and requests to end, on to all runs; the second one drops what is in flight."""
    loop = asyncio.get_running_loop()
    before: dict[signal.Signals, Any] = {}
    try:
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if handler is not signal.SIG_IGN:
                loop.add_signal_handler(number, ours.stop, number)
                before[number] = handler
    except (NotImplementedError, RuntimeError, ValueError):
        pass  # not the main thread
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            if handler is not None:
                signal.signal(number, handler)
