"""Flags that several commands have, and what the words behind them may be."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.cli import Parser

_LONGEST_S = 60.0
_ENDS = {0: "done", 1: "failures", 2: "refused", 130: "interrupted"}
"""How work ended, by exit status."""
Facts = dict[str, str]


def _number(kind: type, **bounds: float) -> Callable[[str], Any]:
    """How argparse reads a number within bounds: as a setting is read, and in the same words."""

    def read(text: str) -> Any:
        import msgspec

        from zhiyin.flags import read_value

        try:
            bound = msgspec.Meta(**{"le": 10**12, **bounds})  # type: ignore[call-overload]
            return read_value("", Annotated[kind, bound], text)
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error).strip()) from None

    return read


whole, positive, seconds = _number(int, ge=0), _number(int, ge=1), _number(float, gt=0)


def prepare_as_run(
    parser: Parser, arguments: Sequence[str], kept: Collection[str], why: str
) -> None:
    """Give a command the flags of `zhiyin run BENCHMARK`; those not kept are refused.

    Parameters
    ----------
    parser : Parser
    arguments : sequence of str
    kept : collection of str
        The names of common flags that the command has; a benchmark's own are always there.
    why : str
        Why the others make no sense here, for users who give one.
    """
    from zhiyin.cli import run

    run.prepare(parser, arguments)
    own = parser.get_default("benchmark_flags") or ()
    needless = []
    for action in parser._actions:
        if action.dest in kept or action.dest in own or action.dest in ("help", "json"):
            continue
        action.required, action.help = False, argparse.SUPPRESS
        needless += [name for name in action.option_strings if name.startswith("--")]
    for word in arguments:
        flag = word.partition("=")[0]
        if flag in needless or (flag == "-m" and "--model" in needless):
            raise InputError(f"{flag}: {why}: leave it out; see `{parser.prog} --help`")


def add_benchmark(parser: argparse.ArgumentParser) -> None:
    """Add the flag that names the file of the runs' benchmark, where it is no longer there."""
    parser.add_argument(
        "--benchmark", metavar="FILE.py:CLASS", help="read the runs by it, where it lies now"
    )


def read_by(args: argparse.Namespace, runs: Sequence[str]) -> None:
    """Have runs read by the benchmark that is named, if one is."""
    if args.benchmark:
        from zhiyin.contract.registry import read_runs_by
        from zhiyin.engine.folder import read_manifest

        read_runs_by(args.benchmark, [read_manifest(run) for run in runs])


def add_groups(parser: argparse.ArgumentParser, help: str = "") -> None:
    """Add the flag that asks for everything."""
    parser.add_argument(
        "--groups",
        choices=("top", "all"),
        default="top",
        help=help or "top: in short (default); all: every group, table and note",
    )


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
    import subprocess

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
