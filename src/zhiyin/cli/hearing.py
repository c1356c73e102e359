"""`zhiyin hearing RUN... -o DIR`: what a model hears, a page for each model."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HELP = "Write a page for each model that shows what it hears, with figures for a paper."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a folder that `zhiyin run` wrote")
    parser.add_argument(
        "-o", "--out", default="hearing", metavar="DIR", help="folder (default: hearing)"
    )


def execute(args: argparse.Namespace) -> int:
    """Write the pages, return the exit status."""
    from zhiyin.report.hearing import write_hearing

    for page in write_hearing([Path(run) for run in args.runs], Path(args.out)):
        sys.stderr.write(f"wrote {page}\n")
    return 0
