"""`zhiyin list`: what there is."""

from __future__ import annotations

import argparse
from typing import Any

HELP = "What there is: benchmarks, protocols, models, extraction policies."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Print, and return the exit status."""
    from zhiyin.cli.display import print_json

    found = _everything()
    if args.json:
        print_json(found)
        return 0
    from rich.markup import escape
    from rich.table import Table

    from zhiyin.cli.terminal import Terminal

    console = Terminal(highlight=False)
    for title, rows in found.items():
        table = Table(box=None, pad_edge=False, title=title, title_justify="left")
        table.add_column(no_wrap=True, style="bold")
        table.add_column(overflow="fold")
        for row in rows:
            facts = [row["summary"], *(f"{k}: {v}" for k, v in row.items() if k in _FURTHER)]
            table.add_row(escape(row["name"]), escape("\n".join(facts)))
        table.show_header = False
        console.print(table)
        console.print()
    return 0


_FURTHER = ("paper", "licence", "version")


def _everything() -> dict[str, list[dict[str, Any]]]:
    from zhiyin.contract.registry import find, places
    from zhiyin.models import MODELS
    from zhiyin.reader import POLICIES

    packages = [find(name) for name in sorted(places())]
    return {
        "benchmarks": [
            {"name": p.name, "summary": p.summary, "paper": p.paper, "licence": p.licence}
            for p in packages
        ],
        "protocols": [
            {"name": protocol.name, "summary": f"{p.name}: {protocol.summary}"}
            for p in packages
            for protocol in p.protocols
        ],
        "models": [{"name": form, "summary": text} for form, text in MODELS.items()],
        "policies": [
            {"name": p.name, "summary": p.summary, "version": p.version} for p in POLICIES.values()
        ],
    }
