"""`zhiyin report RUN... -o FILE`: a page that opens from disk, with sound."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HELP = "Write runs as one page that opens from disk: figures, and every trial with its sound."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a folder that `zhiyin run` wrote")
    parser.add_argument("-o", "--out", default="report.html", metavar="FILE", help="report.html")
    parser.add_argument(
        "--most-trials", type=int, default=500, metavar="N", help="list no more; default 500"
    )


def execute(args: argparse.Namespace) -> int:
    """Write the page, return the exit status."""
    from zhiyin.report.page import write_page

    out = Path(args.out)
    write_page([Path(run) for run in args.runs], out, args.most_trials)
    sys.stderr.write(f"wrote {out} ({out.stat().st_size / 1e6:.1f} MB)\n")
    return 0
