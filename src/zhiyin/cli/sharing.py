"""The flags of `zhiyin run` for other commands that ask what a run asks."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.cli import Parser


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
