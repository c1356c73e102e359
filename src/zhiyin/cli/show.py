"""`zhiyin show RUN...`: results in the terminal."""

from __future__ import annotations

import argparse
from pathlib import Path

from zhiyin.cli.sharing import add_benchmark, add_groups, read_by

HELP = "Print the results of one or more runs, beside what has been published."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a folder that `zhiyin run` wrote")
    add_benchmark(parser)
    add_groups(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Print, and return the exit status."""
    from zhiyin.analysis.summary import summarise
    from zhiyin.cli.display import print_summary

    read_by(args, args.runs)
    summaries = [summarise(Path(run)) for run in args.runs]
    print_summary(summaries, as_json=args.json, whole=args.groups == "all")
    return 0
