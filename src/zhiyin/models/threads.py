"""Plain functions called in threads that need not be waited for."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, NamedTuple


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
        """What the function returns. Raises what it raises."""
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
