"""Work in other processes: the second half of a report, and its figures and tables for a paper.

The latter take longer than the page itself, and what they need (matplotlib) may not be installed:
each is made in a process of its own: a copy of this one, or by this module's `main`.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import multiprocessing.connection
import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from zhiyin import extensions
from zhiyin.errors import InputError
from zhiyin.words import Text, said

T = TypeVar("T")


def can_fork() -> bool:
    """Tell whether this process can be forked: on Linux, without other threads."""
    return threading.active_count() == 1 and sys.platform == "linux"


class SecondProcess(Generic[T]):
    """Some work in a copy of this process, which knows all that is known by now.

    Parameters
    ----------
    work : callable
        Changes nothing that this process looks at later. What it returns or raises is pickled.
    """

    def __init__(self, work: Callable[[], T]) -> None:
        context = multiprocessing.get_context("fork")
        self._receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(work, sender, os.getpid()), daemon=True)
        process.start()
        self._process = process
        sender.close()

    def result(self) -> T:
        """Wait for it, or raise what the work raised; `ChildProcessError` where it was killed."""
        try:
            done, value = self._receiver.recv()
        except EOFError:
            raise ChildProcessError("it died") from None
        finally:
            self._receiver.close()
            self._process.join()
        if done:
            outcome: T = value
            return outcome
        raise value

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.join()


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
    if not worth or not can_fork() or (os.cpu_count() or 1) < 2:
        return work
    second = SecondProcess(work)

    def result() -> T:
        try:
            return second.result()
        except ChildProcessError:  # for its memory, say
            return work()

    return result


def _work(
    work: Callable[[], object], sender: multiprocessing.connection.Connection, parent: int
) -> None:
    gc.freeze()  # else looking for garbage copies all that is there
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    try:
        result: tuple[bool, object] = (True, work())
    except Exception as error:
        result = False, error
    with contextlib.suppress(BrokenPipeError):  # nobody waits for it any more
        sender.send(result)
    sender.close()


class PaperFigure(msgspec.Struct):
    """A figure for a paper that a page shows: its words, and its files beside it, by language."""

    title: dict[str, str]
    caption: dict[str, str]
    files: dict[str, list[str]]


Beside = Callable[[Sequence[Path], Path, Sequence[str] | None], list[PaperFigure]]
"""Writes something for a paper beside a report: from its runs, its folder, and formats (None for
all) to the figures that the page shows. A plug-in declares one in the group ``zhiyin.beside``.
"""


class PaperParts(msgspec.Struct):
    """Result of a process: its figures, and for each part that is missing why."""

    figures: list[PaperFigure] = []
    without: list[tuple[str, str]] = []


class PaperOrder(msgspec.Struct):
    """Order to a process: the parts, in which folder, in which formats, and for which process."""

    parts: Sequence[str]
    runs: list[str]
    out: str
    formats: Sequence[str] | None
    parent: int


class PaperProcess:
    """The process of a part that is made by another Python, where this one cannot be copied."""

    def __init__(self, order: PaperOrder, lock: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, msgspec.json.encode(order).decode()], pass_fds=(lock,),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def result(self) -> PaperParts:
        """Wait. Raises `ChildProcessError` with the last words of one that died."""
        output, errors = self._process.communicate()
        if self._process.returncode:
            raise ChildProcessError((errors.strip().splitlines() or ["it died"])[-1])
        return msgspec.json.decode(output, type=PaperParts)

    def stop(self) -> None:
        """End it."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


class PaperJob:
    """Figures and tables for a paper under way.

    Parameters
    ----------
    runs : sequence of Path
        Run folders.
    out : Path
        The report's folder; figures and tables get a folder each in it.
    lock : int
        The open lock of the report's folder: who makes a part holds it too, so that the next
        report waits until nobody writes any more, even where this process is killed.
    """

    def __init__(self, runs: Sequence[Path], out: Path, lock: int) -> None:
        folders, own = [str(run) for run in runs], os.getpid()
        self._parts = list(extensions.ours(extensions.BESIDE))
        self._parts += extensions.installed(extensions.BESIDE)
        orders = [PaperOrder([part], folders, str(out), None, own) for part in self._parts]
        self._processes: list[PaperProcess | SecondProcess[PaperParts]]
        if can_fork():  # what was imported need not be again
            self._processes = [SecondProcess(partial(make_quietly, order)) for order in orders]
        else:
            self._processes = [PaperProcess(order, lock) for order in orders]

    def finish(self) -> tuple[list[PaperFigure], list[Text]]:
        """Wait. The figures; and what is missing and why, as messages."""
        figures: list[PaperFigure] = []
        missing: list[tuple[str, str]] = []
        for part, process in zip(self._parts, self._processes, strict=True):
            try:
                made = process.result()
            except ChildProcessError as error:
                missing.append((part, str(error)))
                continue
            figures += made.figures
            missing += made.without
        return figures, [said("without-parts", parts=[part], why=why) for part, why in missing]

    def stop(self) -> None:
        """End what is still under way: the report has failed elsewhere."""
        for process in self._processes:
            process.stop()


def make_parts(
    parts: Sequence[str], runs: Sequence[Path], out: Path, formats: Sequence[str] | None = None
) -> PaperParts:
    """Make some parts, figures in some formats. A package that is missing is in ``without``."""
    made = PaperParts()
    for part in parts:
        try:
            make: Beside = extensions.one(extensions.BESIDE, part)
            made.figures += make(runs, out, formats)
        except (ImportError, InputError) as error:
            made.without.append((part, str(error)))
    return made


def _end_with(parent: int) -> None:
    """End when the process that this one works for has died, even by SIGKILL."""
    while os.getppid() == parent:
        time.sleep(0.1)
    os._exit(1)


def make_ordered(order: PaperOrder) -> PaperParts:
    """Make what is ordered."""
    runs = [Path(run) for run in order.runs]
    return make_parts(order.parts, runs, Path(order.out), order.formats)


def make_quietly(order: PaperOrder) -> PaperParts:
    """The same in a copy, which does not write between the lines of the other process.

    Raises `ChildProcessError` with the last line of what it would have written.
    """
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    try:
        return make_ordered(order)
    except Exception as error:
        raise ChildProcessError(traceback.format_exception_only(error)[-1].strip()) from None


def main() -> None:
    """Make what the argument orders, and tell it on standard output."""
    order = msgspec.json.decode(sys.argv[1], type=PaperOrder)
    threading.Thread(target=_end_with, args=(order.parent,), daemon=True).start()
    sys.stdout.buffer.write(msgspec.json.encode(make_ordered(order)))


if __name__ == "__main__":
    main()
