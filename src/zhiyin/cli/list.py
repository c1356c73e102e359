"""`zhiyin list`: what there is."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from zhiyin.errors import InputError

HELP = "What there is: benchmarks, protocols, models, extraction policies."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument(
        "benchmarks", nargs="*", metavar="FILE.py:CLASS", help="these benchmarks alone"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Print, and return the exit status."""
    from zhiyin.cli.display import print_json

    found, faults = _these(args.benchmarks) if args.benchmarks else _everything()
    if args.json:
        print_json({**found, "faults": faults} if faults else found)
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
    for fault in faults:
        console.print(f"[yellow]not usable:[/] {escape(fault)}", soft_wrap=True)
    return 0


_FURTHER = ("paper", "licence", "version", "commands", "from")


def _these(names: Sequence[str]) -> tuple[dict[str, list[dict[str, Any]]], list[str]]:
    """The benchmarks that are named, by their words or in files."""
    from zhiyin.contract.registry import find

    kinds = [find(name) for name in names]
    found = {"benchmarks": [_benchmark(kind) for kind in kinds], "protocols": _protocols(kinds)}
    return {title: rows for title, rows in found.items() if rows}, []


def _everything() -> tuple[dict[str, list[dict[str, Any]]], list[str]]:
    """All that is installed, and a line for each plug-in that cannot be used."""
    from zhiyin import plugins
    from zhiyin.contract.registry import OURS, find, places
    from zhiyin.models import MODELS, plugged_in
    from zhiyin.reader import open_policy
    from zhiyin.reader import policies as policies_of_ours

    faults: list[str] = []

    def usable(names: Iterable[str], opened: Callable[[str], Any]) -> list[Any]:
        found = []
        for name in names:
            try:
                found.append(opened(name))
            except InputError as error:
                faults.append(str(error))
        return found

    def model(name: str) -> dict[str, Any]:
        plugin = plugged_in(name)
        assert plugin is not None
        return {"name": name, "summary": _first_line(plugins.load(plugin)), "from": plugin.source}

    outside = {group: plugins.installed(group) for group in _GROUPS}
    taken = {
        plugins.BENCHMARKS: frozenset(OURS),
        plugins.POLICIES: frozenset(policies_of_ours()),
        plugins.MODELS: frozenset(n for n in outside[plugins.MODELS] if not plugged_in(n)),
        plugins.JUDGES: frozenset(
            n for n in outside[plugins.JUDGES] if n in outside[plugins.MODELS] or not plugged_in(n)
        ),
    }
    kinds = usable(places(), find)
    models, judges = (
        usable([n for n in outside[group] if n not in taken[group]], model)
        for group in (plugins.MODELS, plugins.JUDGES)
    )
    policies = usable(dict.fromkeys([*policies_of_ours(), *outside[plugins.POLICIES]]), open_policy)
    found: dict[str, list[dict[str, Any]]] = {
        "benchmarks": [_benchmark(kind) for kind in kinds],
        "protocols": _protocols(kinds),
        "models": [{"name": form, "summary": text} for form, text in MODELS.items()] + models,
        "policies": [
            {"name": p.name, "summary": p.summary, "version": p.version} for p in policies
        ],
    }
    if judges:
        found["judges"] = judges
    for group in _GROUPS:
        faults += plugins.hidden(group, taken[group])
    return found, faults


_GROUPS = ("zhiyin.benchmarks", "zhiyin.models", "zhiyin.policies", "zhiyin.judges")


def _benchmark(kind: Any) -> dict[str, Any]:
    from zhiyin.contract.registry import origin_of

    found = {n: getattr(kind, n) for n in ("name", "summary", "paper", "licence")}
    if kind.commands:
        found["commands"] = ", ".join(f"{kind.name} {name}" for name in kind.commands)
    origin = origin_of(kind)
    return found if origin.kind == "zhiyin" else {**found, "from": origin.told}


def _protocols(kinds: Iterable[Any]) -> list[dict[str, Any]]:
    return [
        {"name": protocol.name, "summary": f"{kind.name}: {protocol.summary}"}
        for kind in kinds
        for protocol in kind.protocols
    ]


def _first_line(found: Any) -> str:
    """What a class or function says of itself."""
    return (inspect.getdoc(found) or "").partition("\n")[0].rstrip(".")
