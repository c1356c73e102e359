"""`--notify CMD`: a command of the user's, when long work is over, however it ended."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping

_LONGEST_S = 60.0
_ENDS = {0: "done", 1: "failures", 2: "refused", 130: "interrupted"}
"""How work ended, by exit status."""
Facts = dict[str, str]


def add_notify(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add the flag."""
    parser.add_argument(
        "--notify",
        metavar="CMD",
        help="run this when it is over, however it ended; ZHIYIN_STATUS, ZHIYIN_MESSAGE and "
        "others tell it how (docs/suites.md)",
    )


def notified(command: str | None, what: str, work: Callable[[Facts], int]) -> int:
    """Carry out some work, and run the user's command when it is over.

    Parameters
    ----------
    command : str or None
        For the shell; None for none. What it prints goes to standard error. Where it fails, a note
        is printed, and the exit status stays as it is.
    what : str
        "run" or "suite".
    work : callable
        Gives the exit status; fills in what it knows: upper-case names without ``ZHIYIN_``.

    Returns
    -------
    int
        The exit status of the work.
    """
    facts: Facts = {"KIND": what}
    if command is None:
        return work(facts)
    begun = time.monotonic()
    status, message = 2, ""
    try:
        status = work(facts)
        return status
    except KeyboardInterrupt:
        status, message = 130, "interrupted"
        raise
    except BaseException as error:
        message = " ".join(str(error).split()) or type(error).__name__
        raise
    finally:
        facts["EXIT"], facts["STATUS"] = str(status), _ENDS.get(status, "failures")
        facts["ELAPSED_S"] = f"{time.monotonic() - begun:.1f}"
        if message:
            facts["MESSAGE"] = message
        facts.setdefault("MESSAGE", facts["STATUS"])
        _call(command, {f"ZHIYIN_{name}": value for name, value in facts.items()})


def _call(command: str, facts: Mapping[str, str]) -> None:
    # NUL cannot stand in an environment.
    own = {name: value.replace("\0", "") for name, value in facts.items()}
    try:
        done = subprocess.run(
            command, shell=True, env={**os.environ, **own}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            timeout=_LONGEST_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        sys.stderr.write(f"note: --notify: the command took longer than {_LONGEST_S:.0f} s\n")
    except (OSError, ValueError) as error:
        sys.stderr.write(f"note: --notify: the command cannot be run ({error})\n")
    else:
        sys.stderr.write(done.stdout)
        if done.returncode:
            sys.stderr.write(f"note: --notify: the command ended with {done.returncode}\n")
