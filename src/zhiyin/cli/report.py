"""`zhiyin report RUN... -o DIR|FILE.html`: runs as a report that opens from disk."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

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
    parser.add_argument("--no-audio", action="store_true", help="leave recordings and pictures out")
    parser.add_argument(
        "--figures",
        action=argparse.BooleanOptionalAction,
        help="figures and tables for a paper; without it where there are at most 10,000 replies",
    )
    parser.add_argument(
        "--notation-seconds",
        type=float,
        metavar="S",
        help="least time for engraving, 0 for none; what was engraved is kept (default: 5; above "
        "10,000 replies as long as the rest takes)",
    )


def execute(args: argparse.Namespace) -> int:
    """Write the report, return the exit status."""
    from zhiyin.report.single import write_single
    from zhiyin.report.writing import write_folder

    out = Path(args.out)
    runs = [Path(run) for run in args.runs]
    single = out.suffix.lower() in (".html", ".htm")
    sound, seconds = not args.no_audio, args.notation_seconds
    if single:
        written = write_single(runs, out, sound=sound, notation_s=seconds)
    else:
        written = write_folder(runs, out, sound=sound, notation_s=seconds, journal=args.figures)
    for note in written.notes:
        sys.stderr.write(f"note: {note}\n")
    start = out if single else out / "index.html"
    sys.stderr.write(
        f"wrote {start}: trials {written.trials:,}, recordings {written.sounds:,}, tunes engraved "
        f"{written.engraved:,} ({written.bytes / 1e6:.1f} MB)\n"
    )
    return 0
