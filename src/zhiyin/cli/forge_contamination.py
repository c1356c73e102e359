"""`zhiyin forge contamination OLD NEW`: is a model better on old items than on new ones?"""

from __future__ import annotations

import argparse
from pathlib import Path

from zhiyin.cli import forge_common
from zhiyin.numerals import p_value


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    add = parser.add_argument
    add("old", metavar="OLD", help="the model's run on items that it may have read")
    add("new", metavar="NEW", help="its run on a sister set")
    add("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Compare, and print."""
    from zhiyin.forge.contamination import contrast

    result = contrast(Path(args.old), Path(args.new))
    if args.json:
        forge_common.print_object(result)
        return 0
    ends = f"{100 * result.low:+.1f} to {100 * result.high:+.1f}"
    lines = [
        f"{result.model}: {100 * result.old:.1f} % of {result.items[0]} old items, "
        f"{100 * result.new:.1f} % of {result.items[1]} new ones",
        f"old - new: {100 * result.difference:+.1f} points (95 % interval {ends}, "
        f"p {p_value(result.p)})",
        result.in_words,
        f"power: {100 * result.detectable:.1f} points are found with 80 % at 5 %",
    ]
    if result.shared or result.alone:
        lines.append(
            f"left out: {result.shared} items that are in both, {result.alone} of groups that only "
            "one set has"
        )
    forge_common.print_notes([*lines, *result.remarks])
    return 0
