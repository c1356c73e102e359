"""`zhiyin export RUN --to FORMAT -o PATH`: a run for other tools."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from zhiyin import numerals

HELP = "Write runs for other tools: Parquet, CSV, an Inspect log, the Hugging Face hub."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a folder that `zhiyin run` wrote")
    parser.add_argument(
        "--to",
        required=True,
        metavar="FORMAT",
        help="parquet, csv, inspect (.eval), hf or published",
    )
    parser.add_argument(
        "-o", "--out", required=True, metavar="PATH", help="the file to write; a folder for hf"
    )
    parser.add_argument(
        "--partial",
        action="store_true",
        help="for hf: take a part of a benchmark; the files say so",
    )


def execute(args: argparse.Namespace) -> int:
    """Write, print what was written, return the exit status."""
    from zhiyin.report.export import export

    done = export([Path(run) for run in args.runs], args.to, Path(args.out), partial=args.partial)
    for path in done.files:
        sys.stderr.write(f"wrote {path} ({numerals.size(path.stat().st_size)})\n")
    for note in done.notes:
        sys.stderr.write(f"note: {note}\n")
    return 0
