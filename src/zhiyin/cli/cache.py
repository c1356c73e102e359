"""`zhiyin cache`: what is kept of replies that were paid for."""

from __future__ import annotations

import argparse
import re
import time
from datetime import UTC, datetime
from typing import Any

from zhiyin import numerals
from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.shown.table import Kind, table_of

HELP = "Show what is kept of replies that were paid for; delete those long unused, or all."

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(kB|MB|GB)", re.IGNORECASE)
_BYTES = {"kb": 1e3, "mb": 1e6, "gb": 1e9}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("show", "prune", "clear"),
        default="show",
        help="show (default), prune what --to or --unused-for says, clear all",
    )
    parser.add_argument("--to", metavar="SIZE", help="prune: keep so much, such as 100MB")
    parser.add_argument(
        "--unused-for", type=float, metavar="DAYS", help="prune: delete what was not used so long"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Show or delete, and return the exit status."""
    from zhiyin.cost.store import Damaged, ReplyStore, cache_file, clear, room_for_replies

    if (args.to or args.unused_for is not None) and args.action != "prune":
        raise InputError("--to and --unused-for belong to `zhiyin cache prune`")
    limit = _limit(args) if args.action == "prune" else {}
    path = cache_file()
    if args.action == "clear":
        freed = clear(path)
        return _print(
            args, {"file": str(path), "freed": freed}, f"{numerals.size(freed)} freed: {path}"
        )
    if not path.exists():
        return _print(args, {"file": str(path), "models": []}, f"nothing is kept yet: {path}")
    room = room_for_replies()
    try:
        store = ReplyStore(path, room)
        try:
            if args.action == "prune":
                deleted = store.prune(**limit)
                size = numerals.size(path.stat().st_size)
                message = f"{deleted:,} replies deleted; the file has {size}"
                return _print(args, {"file": str(path), "deleted": deleted}, message)
            rows = store.by_model()
        finally:
            store.close()
    except Damaged as fault:
        raise InputError(str(fault)) from None
    return _show(args, str(path), room, rows)


def _limit(args: argparse.Namespace) -> dict[str, Any]:
    """What is kept, as `ReplyStore.prune` takes it."""
    if (args.to is None) == (args.unused_for is None):
        raise InputError("zhiyin cache prune: give --to SIZE or --unused-for DAYS")
    if args.unused_for is not None:
        if not 0 <= args.unused_for < 1e6:
            raise InputError(f"--unused-for {args.unused_for:g}: give a number of days")
        return {"unused_since": time.time() - args.unused_for * 86400}
    size = _SIZE.fullmatch(args.to.strip())
    if not size:
        raise InputError(f"--to {args.to}: write a size such as 100MB")
    return {"room": int(float(size[1]) * _BYTES[size[2].lower()])}


def _show(args: argparse.Namespace, path: str, room: int, rows: list[dict[str, Any]]) -> int:
    for row in rows:
        row["last_used"] = datetime.fromtimestamp(row["last_used"], UTC).isoformat(" ", "minutes")
    if args.json:
        return _print(args, {"file": path, "room": room, "models": rows}, "")

    columns: dict[str, Kind] = {
        "model": "text", "replies": "count", "size": "bytes", "last used": "text"
    }  # fmt: skip
    console = open_console()
    console.print_table(
        table_of(
            "cache",
            columns,
            [
                (
                    row["model"],
                    row["replies"],
                    row["bytes"],
                    row["last_used"].removesuffix("+00:00"),
                )
                for row in rows
            ],
        )
    )
    total = sum(row["bytes"] for row in rows)
    console.print(
        f"{numerals.size(total)} of {numerals.size(room)}: {path}", soft_wrap=True, markup=False
    )
    return 0


def _print(args: argparse.Namespace, payload: dict[str, Any], text: str) -> int:
    print_json(payload) if args.json else print(text)
    return 0
