"""`zhiyin merge DIR... --out DIR`: all shards of a run, or of a suite, become one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli.output import open_console, print_json

if TYPE_CHECKING:
    from zhiyin.engine.merging import Merged

HELP = (
    "Make one run of the shards of a run (`run --shard I/N`), or one suite of those of a suite, "
    "when nothing of it is missing."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("shards", nargs="+", metavar="DIR", help="the folder of each shard")
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to write")
    parser.add_argument("--json", action="store_true", help="print one JSON object, nothing else")


def execute(args: argparse.Namespace) -> int:
    """Merge, print the results, return the exit status."""
    from zhiyin.analysis.summary import summarise
    from zhiyin.cli.show import print_summary
    from zhiyin.contract.registry import is_followed
    from zhiyin.engine.folder import read_manifest
    from zhiyin.engine.merging import merge
    from zhiyin.suite.folder import is_suite, merge_suites

    shards, out = [Path(shard) for shard in args.shards], Path(args.out)
    if is_suite(shards[0]):
        return _print_suite(merge_suites(shards, out), out, args.json)
    merged = merge(shards, out)
    aside = open_console(stderr=True)
    for note in merged.notes:
        aside.say(note, 0, "note")
    aside.say(f"merged {merged.shards} shards: {merged.records:,} trials in {merged.folder}", 0)
    manifest = read_manifest(merged.folder)
    if is_followed(manifest):
        advice = f"the same `run` without --shard, with --out {merged.folder}, asks its judge"
        aside.say(advice, 0)
    summary = summarise(merged.folder)
    print_summary([summary], as_json=args.json, beside=False)
    return 1 if summary.states["error"] else 0


def _print_suite(merged: list[Merged], out: Path, as_json: bool) -> int:
    """Print what was merged; return the exit status."""
    aside = open_console(stderr=True)
    for one in merged:
        for note in one.notes:
            aside.say(f"{one.folder.name}: {note}", 0, "note")
    if as_json:
        print_json({"suite": str(out), "runs": merged})
    trials = sum(one.records for one in merged)
    runs = "1 run" if len(merged) == 1 else f"{len(merged)} runs"
    aside.say(f"merged {runs}, {trials:,} trials, in {out}", 0)
    aside.say(f"`zhiyin suite FILE --out {out}` writes their report", 0)
    return 0
