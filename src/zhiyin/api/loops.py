"""Coroutines for callers with an event loop, and for those without one."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from zhiyin.engine.runner import signals_are_ours

P = ParamSpec("P")
T = TypeVar("T")


def waiting(function: Callable[P, Coroutine[Any, Any, T]], name: str) -> Callable[P, T]:
    """A coroutine function as a plain one of this name, which waits for the result."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return wait_for(function(*args, **kwargs))

    return _dressed(call, function, name)


def guest(
    function: Callable[P, Coroutine[Any, Any, T]], name: str
) -> Callable[P, Coroutine[Any, Any, T]]:
    """The same for somebody's event loop: Ctrl-C is left to whoever owns the loop."""

    async def call(*args: P.args, **kwargs: P.kwargs) -> T:
        before = signals_are_ours.set(False)
        try:
            return await function(*args, **kwargs)
        finally:
            signals_are_ours.reset(before)

    return _dressed(call, function, name)


F = TypeVar("F", bound=Callable[..., Any])


def _dressed(call: F, function: Callable[..., Any], name: str) -> F:
    functools.update_wrapper(call, function)
    call.__name__ = call.__qualname__ = name
    return call


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, in a thread of its own where an event loop is running here.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C; the work is cancelled first, and has ended.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    return _in_a_thread(work)


def _in_a_thread(work: Coroutine[Any, Any, T]) -> T:
    under_way: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any] | None]] = []

    async def begin() -> T:
        under_way.append((asyncio.get_running_loop(), asyncio.current_task()))
        return await work

    context = contextvars.copy_context()  # a notebook knows by it which cell output belongs to
    with ThreadPoolExecutor(1, "zhiyin") as pool:
        future = pool.submit(context.run, asyncio.run, begin())
        try:
            return future.result()
        except KeyboardInterrupt:
            for loop, task in under_way:
                if task is not None and not future.done():
                    loop.call_soon_threadsafe(task.cancel)
            raise
