"""`zhiyin exam`: few questions, those that tell most."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.cli.parser import Parser
from zhiyin.cli.run import prepare_run, run


def rewrite_exam(arguments: Sequence[str]) -> list[str]:
    """`exam BENCHMARK` is `run adaptive --of BENCHMARK`; a file is the data of its questions."""
    if not any(word.startswith(("-m", "--mod", "-h", "--h")) for word in arguments):
        raise InputError(
            "no model: `zhiyin exam BENCHMARK --bank FILE -m MODEL`, with --n 100 or --se 0.3 "
            "(the bank is a file of `zhiyin stats items RUN... --bank FILE`)"
        )
    from zhiyin.contract.arguments import file_as_data

    of = ["--of"] if arguments and not arguments[0].startswith("-") else []
    return ["adaptive", *of, *(file_as_data(arguments) if of else arguments)]


def prepare_exam(parser: Parser, arguments: Sequence[str]) -> None:
    """Add the flags of `run`."""
    prepare_run(parser, arguments)
    parser.help_at = parser.prog


def exam(args: argparse.Namespace) -> int:
    """Examine a model on few questions of a benchmark, those that tell most, one after another."""
    return run(args)
