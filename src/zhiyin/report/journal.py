"""Figures and tables for a paper beside the page: each made in a process of its own.

They take longer than the page itself, and what they need (matplotlib) may not be installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zhiyin.errors import InputError
from zhiyin.words import said

SHARES = (("figures",), ("tables",))
"""What is made side by side."""


class Journal:
    """The work under way.

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
        self._lock = lock
        self._processes = [self._begin(share, runs, out) for share in SHARES]

    def _begin(
        self, share: Sequence[str], runs: Sequence[Path], out: Path
    ) -> subprocess.Popen[str]:
        order = {"parts": share, "runs": [str(run) for run in runs], "out": str(out)}
        return subprocess.Popen(
            [sys.executable, "-m", __name__, json.dumps(order | {"for": os.getpid()})],
            pass_fds=(self._lock,),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self) -> dict[str, Any]:
        """Wait. ``figures`` for the page; ``without``: what is missing, and why, as messages."""
        result: dict[str, Any] = {"figures": [], "without": []}
        for share, process in zip(SHARES, self._processes, strict=True):
            output, errors = process.communicate()
            if process.returncode:
                last = (errors.strip().splitlines() or ["it died"])[-1]
                result["without"].append(said("without-parts", parts=list(share), why=last))
                continue
            made = json.loads(output)
            result["without"] += [
                said("without-parts", parts=[part], why=why) for part, why in made.pop("without")
            ]
            result |= made
        return result

    def stop(self) -> None:
        """End what is still under way: the report has failed elsewhere."""
        for process in self._processes:
            if process.poll() is None:
                process.kill()
                process.communicate()


def make(parts: Sequence[str], runs: Sequence[Path], out: Path) -> dict[str, Any]:
    """Make some parts. A package that is missing is named in ``without``."""
    result: dict[str, Any] = {"without": []}
    for part in parts:
        try:
            result |= _PARTS[part](runs, out)
        except (ImportError, InputError) as error:
            result["without"].append((part, str(error)))
    return result


def _figures(runs: Sequence[Path], out: Path) -> dict[str, Any]:
    from zhiyin.report.figures import write_figures

    return {
        "figures": [
            {
                "title": figure.title,
                "caption": figure.caption,
                "files": [path.relative_to(out).as_posix() for path in figure.files.values()],
            }
            for figure in write_figures(runs, out / "figures")
        ]
    }


def _tables(runs: Sequence[Path], out: Path) -> dict[str, Any]:
    from zhiyin.report.tables import write_tables

    write_tables(runs, out / "tables")
    return {}


_PARTS = {"figures": _figures, "tables": _tables}


def _end_with(parent: int) -> None:
    """End when the process that this one works for has died, even by SIGKILL."""
    while os.getppid() == parent:
        time.sleep(0.1)
    os._exit(1)


if __name__ == "__main__":
    order = json.loads(sys.argv[1])
    threading.Thread(target=_end_with, args=(order["for"],), daemon=True).start()
    folders = [Path(run) for run in order["runs"]]
    sys.stdout.write(json.dumps(make(order["parts"], folders, Path(order["out"]))))
