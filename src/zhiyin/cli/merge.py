"""`zhiyin merge DIR... --out DIR`: all shards of a run become one run."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "Make one run of the shards of a run (`run --shard I/N`), when nothing of it is missing."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("shards", nargs="+", metavar="DIR", help="the run folder of each shard")
    parser.add_argument("--out", required=True, metavar="DIR", help="the run folder to write")
    parser.add_argument("--json", action="store_true", help="print one JSON object, nothing else")


def execute(args: argparse.Namespace) -> int:
    """Merge, print the results, return the exit status."""
    from zhiyin.analysis.summary import summarise
    from zhiyin.cli.display import open_console, print_summary
    from zhiyin.engine.merging import merge

    merged = merge([Path(shard) for shard in args.shards], Path(args.out))
    aside = open_console(stderr=True)
    for note in merged.notes:
        aside.say(note, 0, "note")
    aside.say(f"merged {merged.shards} shards: {merged.records:,} trials in {merged.folder}", 0)
    summary = summarise(merged.folder)
    print_summary([summary], as_json=args.json, beside=False)
    return 1 if summary["states"]["error"] else 0
