"""`zhiyin leaderboard RUNS_DIR -o DIR`: a folder of runs as one sortable page."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HELP = "Collect runs and published rows into one static page with intervals and a ranking."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("runs", metavar="RUNS_DIR", help="a folder with run folders in it")
    parser.add_argument("-o", "--out", required=True, metavar="DIR", help="folder to write")
    parser.add_argument(
        "--apart", action="store_true", help="a table for each protocol, in place of refusing"
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="SETTING",
        help="let runs differ in this setting, such as sampling.max_tokens; it is told on the page",
    )
    parser.add_argument("--json", action="store_true", help="print the tables as one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Collect, write, return the exit status."""
    from zhiyin.cli.display import print_json
    from zhiyin.report.leaderboard import build
    from zhiyin.report.leaderboard.page import write_leaderboard

    boards = build(Path(args.runs), args.ignore, apart=args.apart)
    files = write_leaderboard(boards, Path(args.out))
    if args.json:
        print_json({"boards": boards})
    for path in files:
        sys.stderr.write(f"wrote {path}\n")
    return 0
