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

    found = contrast(Path(args.old), Path(args.new))
    if args.json:
        forge_common.print_object(found)
        return 0
    ends = f"{100 * found.low:+.1f} to {100 * found.high:+.1f}"
    lines = [
        f"{found.model}: {100 * found.old:.1f} % of {found.items[0]} old items, "
        f"{100 * found.new:.1f} % of {found.items[1]} new ones",
        f"old - new: {100 * found.difference:+.1f} points (95 % interval {ends}, "
        f"p {p_value(found.p)})",
        found.in_words,
        f"power: {100 * found.detectable:.1f} points are found with 80 % at 5 %",
    ]
    if found.shared or found.alone:
        lines.append(
            f"left out: {found.shared} items that are in both, {found.alone} of groups that only "
            "one set has"
        )
    forge_common.print_notes([*lines, *found.remarks])
    return 0
