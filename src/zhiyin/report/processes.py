"""Work in other processes: the second half of a report, and its figures and tables for a paper.

The latter take longer than the page itself, and what they need (matplotlib) may not be installed:
each is made in a process of its own, by this module's `main`.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from zhiyin.errors import InputError
from zhiyin.words import LANGUAGES, Text, said, say

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


class PaperFigure(msgspec.Struct):
    """A figure for a paper that a page shows: its words, and its files beside it, by language."""

    title: dict[str, str]
    caption: dict[str, str]
    files: dict[str, list[str]]


class PaperParts(msgspec.Struct):
    """What a process made: its figures, and for each part that is missing why."""

    figures: list[PaperFigure] = []
    without: list[tuple[str, str]] = []


class PaperOrder(msgspec.Struct):
    """What a process is to make, in which folder, in which formats, and for which process."""

    parts: Sequence[str]
    runs: list[str]
    out: str
    formats: Sequence[str]
    parent: int


PARTS = ("figures", "tables")
"""What is made side by side."""


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
        from zhiyin.report.figures.style import FORMATS

        folders, own = [str(run) for run in runs], os.getpid()
        orders = [PaperOrder([part], folders, str(out), FORMATS, own) for part in PARTS]
        self._processes = [
            subprocess.Popen(
                [sys.executable, "-m", __name__, msgspec.json.encode(order).decode()],
                pass_fds=(lock,),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for order in orders
        ]  # fmt: skip

    def finish(self) -> tuple[list[PaperFigure], list[Text]]:
        """Wait. The figures; and what is missing and why, as messages."""
        figures: list[PaperFigure] = []
        missing: list[tuple[str, str]] = []
        for part, process in zip(PARTS, self._processes, strict=True):
            output, errors = process.communicate()
            if process.returncode:
                missing.append((part, (errors.strip().splitlines() or ["it died"])[-1]))
                continue
            made = msgspec.json.decode(output, type=PaperParts)
            figures += made.figures
            missing += made.without
        return figures, [said("without-parts", parts=[part], why=why) for part, why in missing]

    def stop(self) -> None:
        """End what is still under way: the report has failed elsewhere."""
        for process in self._processes:
            if process.poll() is None:
                process.kill()
                process.communicate()


def make_parts(
    parts: Sequence[str], runs: Sequence[Path], out: Path, formats: Sequence[str] | None = None
) -> PaperParts:
    """Make some parts, figures in some formats. A package that is missing is in ``without``."""
    made = PaperParts()
    for part in parts:
        try:
            if part == "figures":
                made.figures = _figures(runs, out, formats)
            else:
                from zhiyin.report.tables import write_tables

                write_tables(runs, out / "tables")
        except (ImportError, InputError) as error:
            made.without.append((part, str(error)))
    return made


def _figures(runs: Sequence[Path], out: Path, formats: Sequence[str] | None) -> list[PaperFigure]:
    from zhiyin.report.figures import write_figures

    return [
        PaperFigure(
            {language: say(figure.words[0], language) for language in LANGUAGES},
            {language: say(figure.words[1], language) for language in LANGUAGES},
            {
                lang: [f.relative_to(out).as_posix() for f in figure.in_language(lang)]
                for lang in LANGUAGES
            },
        )
        for figure in write_figures(runs, out / "figures", formats)
    ]


def _end_with(parent: int) -> None:
    """End when the process that this one works for has died, even by SIGKILL."""
    while os.getppid() == parent:
        time.sleep(0.1)
    os._exit(1)


def main() -> None:
    """Make what the argument orders, and tell it on standard output."""
    order = msgspec.json.decode(sys.argv[1], type=PaperOrder)
    threading.Thread(target=_end_with, args=(order.parent,), daemon=True).start()
    runs = [Path(run) for run in order.runs]
    made = make_parts(order.parts, runs, Path(order.out), order.formats)
    sys.stdout.buffer.write(msgspec.json.encode(made))


if __name__ == "__main__":
    main()
