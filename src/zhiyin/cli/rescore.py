"""`zhiyin rescore RUN --extract POLICY`: score again, ask nobody."""

from __future__ import annotations

import argparse
from pathlib import Path

from zhiyin.cli.flags import add_benchmark, read_by

HELP = "Score a run again with another extraction policy. Asks no model and changes no run."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("run", metavar="RUN", help="a folder that `zhiyin run` wrote")
    parser.add_argument("--extract", metavar="POLICY", required=True, help="see `zhiyin list`")
    parser.add_argument("--out", metavar="RUN_DIR", help="write the verdicts as a run of their own")
    add_benchmark(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Score, print, return the exit status."""
    from zhiyin.cli.show import print_before_and_after, print_summary
    from zhiyin.session.rescore import rescore

    read_by(args, [args.run])
    summary = rescore(Path(args.run), args.extract, Path(args.out) if args.out else None)
    print_summary([summary], as_json=args.json, more="--json")
    if not args.json:
        print_before_and_after(summary)
    return 1 if summary.states["error"] else 0
