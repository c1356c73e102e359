"""Commands that take what `zhiyin run` takes, but for some flags."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence

from zhiyin.cli.parser import Parser
from zhiyin.errors import InputError
from zhiyin.words import said


def prepare_as_run(
    parser: Parser, arguments: Sequence[str], kept: Collection[str], why: str, out: str = ""
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
    out : str
        What --out names; "" for a run's folder.
    """
    from zhiyin.cli import run

    run.prepare_run(parser, arguments)
    own = parser.get_default("benchmark_flags") or ()
    needless = []
    for action in parser._actions:
        if out and action.dest == "out":
            action.metavar, action.help = "DIR", out
        if action.dest in kept or action.dest in own or action.dest in ("help", "json"):
            continue
        action.required, action.help = False, argparse.SUPPRESS
        needless += [name for name in action.option_strings if name.startswith("--")]
    for word in arguments:
        flag = word.partition("=")[0]
        if flag in needless or (flag == "-m" and "--model" in needless):
            raise InputError(said("error-leave-out", flag=flag, why=why, prog=parser.prog))
