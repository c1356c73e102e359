"""`zhiyin cache`: what is kept of replies that were paid for."""

from __future__ import annotations

import argparse
import re
import time
from typing import Annotated

import msgspec

from zhiyin import numerals
from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.flags import Flag, add_part, read_part
from zhiyin.shown.table import Kind, table_of

HELP = "Show what is kept of replies that were paid for; delete those long unused, or all."

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(kB|MB|GB)", re.IGNORECASE)
_BYTES = {"kb": 1e3, "mb": 1e6, "gb": 1e9}


def _read_size(text: str) -> int:
    size = _SIZE.fullmatch(text.strip())
    if not size:
        raise InputError(f"--to {text}: write a size such as 100MB")
    return int(float(size[1]) * _BYTES[size[2].lower()])


class Pruning(msgspec.Struct, frozen=True):
    """What `prune` leaves: so many bytes, or what was used in so many days."""

    room: Annotated[
        int | None,
        Flag("prune: keep so much, such as 100MB", metavar="SIZE", name="to", read=_read_size),
    ] = None
    unused_for: Annotated[
        float | None,
        Flag(
            "prune: delete what was not used so long",
            metavar="DAYS",
            within=msgspec.Meta(ge=0, lt=1e6),
        ),
    ] = None


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("show", "prune", "clear"),
        default="show",
        help="show (default), prune what --to or --unused-for says, clear all",
    )
    add_part(parser, Pruning)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Show or delete, and return the exit status."""
    from zhiyin.cost.store import Damaged, ReplyStore, cache_file, clear, room_for_replies

    wish = read_part(Pruning(), vars(args))
    if args.action != "prune" and wish != Pruning():
        raise InputError("--to and --unused-for belong to `zhiyin cache prune`")
    if args.action == "prune" and (wish.room is None) == (wish.unused_for is None):
        raise InputError("zhiyin cache prune: give --to SIZE or --unused-for DAYS")
    path = cache_file()
    if args.action == "clear":
        freed = clear(path)
        message = f"{numerals.size(freed)} freed: {path}"
        return _print(args, {"file": str(path), "freed": freed}, message)
    if not path.exists():
        return _print(args, {"file": str(path), "models": []}, f"nothing is kept yet: {path}")
    room = room_for_replies()
    try:
        store = ReplyStore(path, room)
        try:
            if args.action == "prune":
                days = wish.unused_for
                since = None if days is None else time.time() - days * 86400
                deleted = store.prune(wish.room or 0, since)
                size = numerals.size(path.stat().st_size)
                message = f"{deleted:,} replies deleted; the file has {size}"
                return _print(args, {"file": str(path), "deleted": deleted}, message)
            rows = store.by_model()
        finally:
            store.close()
    except Damaged as fault:
        raise InputError(str(fault)) from None
    if args.json:
        models = [row._asdict() for row in rows]
        return _print(args, {"file": str(path), "room": room, "models": models}, "")
    columns: dict[str, Kind] = {
        "model": "text", "replies": "count", "size": "bytes", "last used": "text"
    }  # fmt: skip
    console = open_console()
    lines = [(*row[:3], row.last_used.removesuffix("+00:00")) for row in rows]
    console.print_table(table_of("cache", columns, lines))
    total = numerals.size(sum(row.bytes for row in rows))
    console.print(f"{total} of {numerals.size(room)}: {path}", soft_wrap=True, markup=False)
    return 0


def _print(args: argparse.Namespace, payload: object, text: str) -> int:
    print_json(payload) if args.json else print(text)
    return 0
