"""Coroutines for callers with an event loop, and for those without one."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, ParamSpec, TypeVar

from zhiyin.engine.runner import signals_are_ours

P = ParamSpec("P")
T = TypeVar("T")
_LOOK_EVERY_S = 0.1


def waiting(function: Callable[P, Coroutine[Any, Any, T]], name: str) -> Callable[P, T]:
    """A coroutine function as a plain one of this name, which waits for the result."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return wait_for(function(*args, **kwargs))

    return _with_name_of(call, function, name)


def guest(
    function: Callable[P, Coroutine[Any, Any, T]], name: str
) -> Callable[P, Coroutine[Any, Any, T]]:
    """The same for somebody's event loop: Ctrl-C is left to the owner of the loop."""

    async def call(*args: P.args, **kwargs: P.kwargs) -> T:
        before = signals_are_ours.set(False)
        try:
            return await function(*args, **kwargs)
        finally:
            signals_are_ours.reset(before)

    return _with_name_of(call, function, name)


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
