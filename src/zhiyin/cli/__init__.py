"""The command line: one small file per command, each imported only when it is called.

A command's file has ``HELP`` (one line), ``configure(parser)`` and ``execute(args) -> int``.
Exit status: 0 done, 1 done with failed trials, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from zhiyin import __version__
from zhiyin.errors import InputError, did_you_mean

COMMANDS = {
    "run": "examine a model on a benchmark; the main job",
    "show": "print the results of runs, beside published ones",
    "judge": "have the texts of a run judged, or its failures named",
    "compare": "who is better at what, and how sure is that?",
    "plan": "how many items a wanted difference needs",
    "attention": "does the model answer worse when it does not hear the music?",
    "import": "make a run of answers that a model gave elsewhere",
    "rescore": "score a run again with another extraction policy, asking nobody",
    "report": "write runs as a report that opens from disk: findings, charts, trials, sound",
    "view": "look at runs in the browser, while they go on too",
    "leaderboard": "write a folder of runs as one sortable page",
    "export": "write a run as Parquet, CSV, an Inspect log or model card metadata",
    "list": "what there is: benchmarks, models, extraction policies",
    "extract": "read answers out of free text",
    "data": "check a benchmark's data or a file of your own questions, or make one",
    "stimuli": "make fresh perception items: sound, MIDI and truth",
    "listen": "what the reference listener hears in a recording",
    "stats": "statistics on runs",
}


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; see `{self.prog} --help`")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status."""
    # Not `list(...)`: importing the command `list` gives this package an attribute of that name.
    arguments = [*(sys.argv[1:] if argv is None else argv)]
    try:
        return _dispatch(arguments)
    except InputError as error:
        print(f"zhiyin: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("zhiyin: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output has left; point stdout elsewhere so that exit stays silent.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _dispatch(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_overview())
        return 0
    if arguments[0] in ("-V", "--version"):
        print(f"zhiyin {__version__}")
        return 0
    name = arguments[0]
    if name not in COMMANDS:
        raise InputError(f"unknown command {name!r}: {did_you_mean(name, COMMANDS)}")
    command = importlib.import_module(f"zhiyin.cli.{name}")
    rewrite = getattr(command, "rewrite", None)
    if rewrite:  # a file of questions in place of a benchmark's name
        arguments = [name, *rewrite(arguments[1:])]
    parser = Parser(prog=f"zhiyin {name}", description=command.HELP, allow_abbrev=False)
    prepare = getattr(command, "prepare", None)
    if prepare:  # flags that depend on other arguments
        prepare(parser, arguments[1:])
    else:
        command.configure(parser)
    status: int = command.execute(parser.parse_args(arguments[1:]))
    return status


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {text}" for name, text in COMMANDS.items()]
    return "\n".join(
        [
            "usage: zhiyin COMMAND ...",
            "",
            "Finds out whether a language model understands music.",
            "",
            *lines,
            "",
            "`zhiyin COMMAND --help` tells a command's flags; `zhiyin run BENCHMARK --help` a",
            "benchmark's. Exit status: 0 done, 1 done with failed trials, 2 bad input.",
        ]
    )
