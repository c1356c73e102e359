"""Work in a second process, where there is a second core and enough to do."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def in_second_process(work: Callable[[], T], *, worth: bool) -> Callable[[], T]:
    """Begin some work in a process of its own, which knows all that is known by now.

    Parameters
    ----------
    work : callable
        Changes nothing that this process looks at later, for it works on a copy. What it returns
        or raises is pickled.
    worth : bool
        Whether there is so much of it that a process pays. It is done here, when the result is
        asked for, where it does not, where there is one core, other threads or no Linux.

    Returns
    -------
    callable
        Waits for the result, or raises what the work raised.
    """
    alone = threading.active_count() == 1 and sys.platform == "linux"
    if not worth or not alone or (os.cpu_count() or 1) < 2:
        return work
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(work, sender), daemon=True)
    process.start()
    sender.close()

    def result() -> T:
        try:
            done, value = receiver.recv()
        except EOFError:  # the process was killed: for its memory, say
            return work()
        finally:
            receiver.close()
            process.join()
        if done:
            outcome: T = value
            return outcome
        raise value

    return result


def _work(work: Callable[[], object], sender: multiprocessing.connection.Connection) -> None:
    try:
        result: tuple[bool, object] = (True, work())
    except Exception as error:
        result = False, error
    with contextlib.suppress(BrokenPipeError):  # nobody waits for it any more
        sender.send(result)
    sender.close()
