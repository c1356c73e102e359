"""`zhiyin forge renew RUN`: a sister set, as hard as the run's items as far as features tell."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli import forge_common
from zhiyin.cli.values import positive

if TYPE_CHECKING:
    from zhiyin.forge.renewing import Renewed


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    add = parser.add_argument
    add("run", metavar="RUN", help="a folder that `zhiyin run` wrote")
    add("--out", metavar="DIR", required=True, help="where the sister set is written")
    add("--pool", metavar="FILE", help="new questions to choose from; default: new seeds")
    add("--columns", action="append", default=[], metavar="MEANING=NAME", help="of the pool")
    add("--seeds", type=positive, default=3, metavar="N", help="to choose among; default 3")
    add("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Make it, print how alike the sets are."""
    from zhiyin.forge.renewing import renew_by_seed, renew_from_pool

    run, out = Path(args.run), Path(args.out)
    if args.pool:
        renewed = renew_from_pool(run, Path(args.pool), out, args.columns)
    else:
        renewed = renew_by_seed(run, out, args.seeds)
    if args.json:
        forge_common.print_object(renewed)
    else:
        _print(renewed)
    return 0


def _print(renewed: Renewed) -> None:
    from zhiyin.shown.table import Column, table_of
    from zhiyin.shown.terminal import Terminal

    columns = {
        "mean of": Column("mean of"),
        **{name: Column(name, "number", 3) for name in ("old items", "new items")},
        "apart, SD": Column("apart, SD", "number", 2),
    }
    rows = [
        (one.name, one.old, one.new, None if one.apart is None else f"{one.apart:+.2f}")
        for one in renewed.features
    ]
    Terminal(highlight=False, markup=False).print_table(table_of("features", columns, rows))
    lines = [f"\n{renewed.old} old items, {renewed.new} new ones; in both: {renewed.shared}"]
    if renewed.seed is not None:
        lines.append(f"seed {renewed.seed}, the most alike of those that were tried")
    lines += ["equal in features is not equal in difficulty: let a model that knows neither set",
              "answer both, and compare"]  # fmt: skip
    forge_common.print_notes([*lines, f"\n{renewed.command}"])
