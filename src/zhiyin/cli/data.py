"""`zhiyin data`: check a local copy of a benchmark's data, or make a small benchmark of ours."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HELP = "check a local copy of a benchmark's data and list its flaws, or make a small set of ours"


def rewrite(arguments: Sequence[str]) -> list[str]:
    """`check FILE` is `check questions --data FILE`."""
    from zhiyin.contract.own import file_as_data

    action, *rest = arguments or [""]
    return [action, *file_as_data(rest)] if action == "check" else list(arguments)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("action", choices=["check", "make", "template"])
    parser.add_argument(
        "benchmark",
        help="which benchmark; for template and check also a file of your own questions",
    )
    parser.add_argument("--data", metavar="DIR", help="the folder of the benchmark's data")
    parser.add_argument("--partial", action="store_true", help="accept a part of a published set")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    make = parser.add_argument_group("make")
    make.add_argument("--out", metavar="DIR", help="the folder to write to")
    make.add_argument("--seed", type=int, default=0, help="0 or more (default 0)")
    make.add_argument("--clips", type=int, help="how many clips (default 20)")
    make.add_argument("--renderer", default="auto", help="as for `zhiyin stimuli make`")
    from zhiyin.benchmarks.questions.settings import Reading
    from zhiyin.contract.flags import add_flags

    own = parser.add_argument_group("your own questions: check FILE, template FILE")
    own.add_argument("--kind", default="choice", help="of a template: choice, free or audio")
    add_flags(own, Reading)


def execute(args: argparse.Namespace) -> int:
    """Check or make, print, return the exit status: 0 also where flaws are found."""
    if args.action == "template":
        from zhiyin.benchmarks.questions.templates import write_template

        print(write_template(Path(args.benchmark), args.kind))
        return 0
    return _make(args) if args.action == "make" else _check(args)


def _make(args: argparse.Namespace) -> int:
    from zhiyin.contract.registry import find

    options = {name: getattr(args, name) for name in ("out", "seed", "clips", "renderer")}
    remark = find(args.benchmark).make(options)
    if args.json:
        from zhiyin.cli.display import print_json

        print_json({"benchmark": args.benchmark, "out": args.out, "remark": remark})
    else:
        print(remark)
    return 0


def _check(args: argparse.Namespace) -> int:
    from zhiyin.contract.registry import find

    result = find(args.benchmark).check(vars(args))
    kinds = Counter(flaw.kind for flaw in result.flaws)
    if args.json:
        _print_json(args, result, kinds)
        return 0
    from zhiyin.cli.terminal import Terminal

    console = Terminal(highlight=False, soft_wrap=True, markup=False)
    for flaw in result.flaws:
        place = f"{flaw.file}  id {flaw.id}" if flaw.id else flaw.file
        console.print(f"{place}  {flaw.kind}: {flaw.detail}")
    for note in result.notes:
        console.print(f"note: {note}")
    found = ", ".join(f"{n} {kind}" for kind, n in kinds.items()) or "no flaws"
    console.print(f"{result.items} items: {found}")
    return 0


def _print_json(args: argparse.Namespace, result: Any, kinds: Counter[str]) -> None:
    from zhiyin.cli.display import print_json

    print_json(
        {
            "benchmark": args.benchmark,
            "items": result.items,
            "counts": dict(kinds),
            "flaws": result.flaws,
            "notes": result.notes,
        }
    )
