"""`zhiyin data`: fetch a benchmark's data, list what is here, check it, or make a small set."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zhiyin.contract.declared import CheckResult, Flaw

HELP = "fetch a benchmark's data, list what is here, check it, or make a small set of ours"


def rewrite(arguments: Sequence[str]) -> list[str]:
    """`check FILE` is `check questions --data FILE`; a recipe is its flags."""
    from zhiyin.contract.own import file_as_data, with_recipe

    action, *rest = arguments or [""]
    return [action, *file_as_data(with_recipe(rest))] if action == "check" else list(arguments)


def prepare(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the flags, and those of the benchmark that is named."""
    from zhiyin.cli import added
    from zhiyin.contract.flags import add_flags
    from zhiyin.contract.kept import is_own
    from zhiyin.contract.registry import find, is_file, places

    named = next((word for word in arguments[1:] if word in places() or is_file(word)), None)
    if named is None and arguments[:1] == ["make"]:
        named = next((word for word in arguments[1:2] if not word.startswith("-")), None)
    kind = find(named) if named else None
    if kind and arguments[0] == "make" and not is_own(kind, "make"):
        kind.make({})  # raises: there is nothing to be made
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="list the flaws of data", allow_abbrev=False)
    check.add_argument("benchmark", help="which benchmark, or a file of your own questions")
    check.add_argument("--data", metavar="DIR", help="the folder of the benchmark's data")
    check.add_argument("--partial", action="store_true", help="accept a part of a published set")
    check.add_argument("--all", action="store_true", help="list every flaw, however many")
    make = actions.add_parser("make", help="make a small set of ours", allow_abbrev=False)
    make.add_argument("benchmark", help="which benchmark")
    fetch = actions.add_parser("fetch", help="bring published data here", allow_abbrev=False)
    _add_fetch(fetch)
    listed = actions.add_parser("list", help="what is here, whole or in part", allow_abbrev=False)
    for action in (check, make, fetch, listed):
        action.add_argument("--json", action="store_true", help="print one JSON object")
    if kind:
        add_flags(check.add_argument_group(kind.name), kind.Checking, there=("data", "partial"))
        add_flags(make.add_argument_group(kind.name), kind.Making, there=())
    added.add_under(actions, "data")


def _add_fetch(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("benchmark", metavar="NAME", help="which benchmark's data, or NAME:SOURCE")
    add("--from", dest="mirror", default="", metavar="URL|DIR", help="a mirror of the files")
    add("--link", action="store_true", help="link to the files of --from DIR; do not copy them")
    add("--offline", action="store_true", help="only make sure that all is here, unchanged")
    add("--quiet", action="store_true", help="no line for each file")


def execute(args: argparse.Namespace) -> int:
    """Check or make, print, return the exit status: 0 also where flaws are found."""
    if "added" in args:
        from zhiyin.cli import added

        return added.carry_out(args.added, args)
    if args.action in ("fetch", "list"):
        from zhiyin.cli import fetching

        return fetching.fetch(args) if args.action == "fetch" else fetching.show_all(args)
    return _make(args) if args.action == "make" else _check(args)


def _make(args: argparse.Namespace) -> int:
    from zhiyin.contract.registry import find

    remark = find(args.benchmark).make(vars(args))
    if args.json:
        from zhiyin.cli.display import print_json

        out = getattr(args, "out", None)
        print_json({"benchmark": args.benchmark, "out": out, "remark": remark})
    else:
        print(remark)
    return 0


def _check(args: argparse.Namespace) -> int:
    from zhiyin.contract.registry import find

    kind = find(args.benchmark)
    options = vars(args)
    result = kind.check({**options, "data": options.get("data") or kind.fetched(options)})
    kinds = Counter(flaw.kind for flaw in result.flaws)
    if args.json:
        _print_json(args, result, kinds)
        return 0
    _print_flaws(result, kinds, args.all)
    return 0


_LISTED = 18
"""So many flaws are listed one by one; of more the first of each kind is."""


def _print_flaws(result: CheckResult, kinds: Counter[str], whole: bool) -> None:
    """Every flaw where there are few, or `whole`; else how many of each kind, and one of them."""
    from zhiyin.numerals import counted
    from zhiyin.shown.terminal import Terminal

    console = Terminal(highlight=False, markup=False)
    every = whole or len(result.flaws) <= _LISTED
    if every:
        console.say_all([_line(flaw) for flaw in result.flaws], 0)
    else:
        first = {flaw.kind: flaw for flaw in reversed(result.flaws)}
        for kind, n in kinds.items():
            console.say(f"{n:,} {kind}, such as {_place(first[kind])}: {first[kind].detail}", 0)
    console.say_all(result.notes, 0, "note")
    counts = ", ".join(f"{n} {kind}" for kind, n in kinds.items()) or "no flaws"
    more = "" if every else " (--all lists them)"
    console.say(f"{counted(result.items, 'item')}: {counts}{more}", 0)


def _line(flaw: Flaw) -> str:
    return f"{_place(flaw)}  {flaw.kind}: {flaw.detail}"


def _place(flaw: Flaw) -> str:
    return f"{flaw.file}  id {flaw.id}" if flaw.id else flaw.file


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
