"""`zhiyin prices`: what models cost, by the user's own table."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.flags import Flag, add_part, read_part
from zhiyin.numerals import counted
from zhiyin.shown.table import Kind, table_of

if TYPE_CHECKING:
    from zhiyin.cost.prices import Price

HELP = "Show what models cost. The table is yours to edit; LiteLLM's file can be imported."
_COLUMNS = ("input", "cached", "audio", "output", "minute", "date")


def _read_day(text: str) -> str:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date().isoformat()
    except ValueError:
        raise InputError(f"--date {text}: write it as 2026-01-31") from None


class Fetched(msgspec.Struct, frozen=True):
    """When an imported file was fetched."""

    date: Annotated[
        str | None,
        Flag(
            "import: when the file was fetched; default: its date",
            metavar="YYYY-MM-DD",
            read=_read_day,
        ),
    ] = None


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument(
        "action",
        nargs="?",
        metavar="MODEL | import FILE",
        help="whose price, as after -m, or a part of the name; or: import FILE",
    )
    parser.add_argument("file", nargs="?", type=Path, help=argparse.SUPPRESS)
    add_part(parser, Fetched)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Show or import, and return the exit status."""
    if args.action == "import":
        return _import(args)
    if args.file is not None:
        raise InputError("zhiyin prices: one model at a time, or import FILE")
    return _show(args)


def _import(args: argparse.Namespace) -> int:
    from zhiyin.cost.prices import from_litellm, write_imported

    if args.file is None:
        raise InputError(
            "zhiyin prices import: give LiteLLM's model_prices_and_context_window.json"
        )
    prices, left_out = from_litellm(args.file, _day(args))
    path = write_imported(prices)
    if args.json:
        print_json({"file": str(path), "prices": len(prices), "left_out": left_out})
        return 0

    console = open_console()
    console.say(f"{counted(len(prices), 'price')}: {path}", 0)
    if left_out:
        console.say(
            f"{len(left_out):,} left out, since their price goes by the length of a request in "
            f"steps: {', '.join(left_out[:5])}{', ...' if len(left_out) > 5 else ''}",
            0,
        )
    return 0


def _day(args: argparse.Namespace) -> str:
    if day := read_part(Fetched(), vars(args)).date:
        return day
    try:
        return datetime.fromtimestamp(args.file.stat().st_mtime, UTC).date().isoformat()
    except OSError as error:
        raise InputError(f"{args.file}: cannot be read ({error.strerror or error})") from None


def _show(args: argparse.Namespace) -> int:
    from zhiyin.cost.prices import begin_own, price_of, read_prices

    if args.date:
        raise InputError("--date belongs to `zhiyin prices import FILE`: leave it out")
    own, prices = begin_own(), read_prices()
    if args.action:
        exact = price_of(args.action, prices)
        matches = (
            {args.action: exact}
            if exact
            else {
                name: price for name, price in prices.items() if args.action.lower() in name.lower()
            }
        )
        if not matches:
            raise InputError(f"the price of {args.action} is not known: write it into {own}")
        prices = matches
    if args.json:
        print_json({"file": str(own), "prices": prices})
        return 0
    _print(prices, f"US dollars for a million tokens, or a minute of sound. Yours to edit: {own}")
    return 0


def _print(prices: dict[str, Price], closing: str) -> None:
    rows = []
    for name, price in sorted(prices.items()):
        values = [getattr(price, column) for column in _COLUMNS[:-1]]
        rows.append([name, *values, price.date or None])
    console = open_console()
    with console.paged():
        if rows:
            columns: dict[str, Kind] = {"model": "text", **dict.fromkeys(_COLUMNS, "rate")}
            console.print_table(table_of("prices", {**columns, "date": "text"}, rows))
        console.say(closing, 0)
