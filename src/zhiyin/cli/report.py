"""`zhiyin report RUN... -o DIR|FILE.html`: runs as a report that opens from disk."""

from __future__ import annotations

import argparse
import sys
import time

from zhiyin.cli.flags import add_benchmark, read_by
from zhiyin.numerals import size

_TOLD_EVERY_S = 10
HELP = "Write runs as a report that opens from disk: findings, charts, every trial with its sound."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a folder that `zhiyin run` wrote")
    parser.add_argument(
        "-o",
        "--out",
        default="report",
        metavar="DIR|FILE.html",
        help="a folder, or one file that holds everything (default: report)",
    )
    add_benchmark(parser)
    parser.add_argument("--no-audio", action="store_true", help="leave recordings and pictures out")
    parser.add_argument(
        "--figures",
        action=argparse.BooleanOptionalAction,
        help="figures and tables for a paper; without it where there are at most 10,000 replies",
    )
    parser.add_argument(
        "--no-notation",
        action="store_true",
        help="engrave no tunes (about a tenth of a second each, once: engravings are kept)",
    )


class Engraving:
    """Says how far the engraving is: a line that changes, in a log a line every ten seconds."""

    def __init__(self) -> None:
        self._changes, self._next = sys.stderr.isatty(), time.monotonic() + _TOLD_EVERY_S

    def __call__(self, done: int, of: int) -> None:
        """So many of so many tunes."""
        line = f"engraving: {done:,} of {of:,} tunes" if done < of else ""
        if self._changes:
            sys.stderr.write(f"\r\x1b[K{line}")
        elif line and time.monotonic() > self._next:
            self._next = time.monotonic() + _TOLD_EVERY_S
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def execute(args: argparse.Namespace) -> int:
    """Write the report, return the exit status."""
    from zhiyin.report.calling import report

    read_by(args, args.runs)
    written = report(
        *args.runs,
        out=args.out,
        sound=not args.no_audio,
        figures=args.figures,
        notation=not args.no_notation,
        progress=Engraving(),
    )
    for note in written.notes:
        sys.stderr.write(f"note: {note}\n")
    sys.stderr.write(
        f"wrote {written.page}: trials {written.trials:,}, recordings {written.sounds:,}, "
        f"tunes engraved {written.engraved:,} ({size(written.bytes)})\n"
    )
    return 0
