"""Money: `zhiyin prices`, what models cost; `cache`, what is kept of replies that were paid for."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from zhiyin import numerals
from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError, reworded
from zhiyin.flags import Flag
from zhiyin.numerals import counted
from zhiyin.shown.table import Kind, table_of
from zhiyin.words import said, say, spoken

if TYPE_CHECKING:
    from zhiyin.cost.prices import Price

_COLUMNS = ("input", "cached", "audio", "output", "minute", "date")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(kB|MB|GB)", re.IGNORECASE)
_BYTES = {"kb": 1e3, "mb": 1e6, "gb": 1e9}


def _read_size(text: str) -> int:
    size = _SIZE.fullmatch(text.strip())
    if not size:
        raise InputError(said("cache-size", text=text))
    return int(float(size[1]) * _BYTES[size[2].lower()])


def _read_day(text: str) -> str:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date().isoformat()
    except ValueError:
        raise InputError(said("prices-date", text=text)) from None


def cache(
    action: Literal["show", "prune", "clear"] = "show",
    *,
    to: Annotated[int | None, Flag(read=_read_size)] = None,
    unused_for: Annotated[float | None, Flag(within=msgspec.Meta(ge=0, lt=1e6))] = None,
    json: bool = False,
) -> int:
    """Show what is kept of replies that were paid for; delete those long unused, or all.

    Parameters
    ----------
    action
        show (default), prune what --to or --unused-for says, clear all
    to : SIZE
        prune: keep so much, such as 100MB
    unused_for : DAYS
        prune: delete what was not used so long
    """
    from zhiyin.cost.store import Damaged, ReplyStore, cache_file, clear, room_for_replies

    if action != "prune" and (to, unused_for) != (None, None):
        raise InputError(said("cache-prune-alone"))
    if action == "prune" and (to is None) == (unused_for is None):
        raise InputError(said("cache-prune-how"))
    path = cache_file()
    if action == "clear":
        freed = clear(path)
        message = say(said("cache-freed", size=numerals.size(freed), path=path), spoken())
        return _print({"file": str(path), "freed": freed}, message, json)
    if not path.exists():
        return _print(
            {"file": str(path), "models": []},
            say(said("cli-nothing-kept", path=path), spoken()),
            json,
        )
    room = room_for_replies()
    try:
        store = ReplyStore(path, room)
        try:
            if action == "prune":
                since = None if unused_for is None else time.time() - unused_for * 86400
                deleted = store.prune(to or 0, since)
                size = numerals.size(path.stat().st_size)
                message = say(said("cache-pruned", n=deleted, size=size), spoken())
                return _print({"file": str(path), "deleted": deleted}, message, json)
            rows = store.by_model()
        finally:
            store.close()
    except Damaged as fault:
        raise InputError(str(fault)) from None
    if json:
        models = [row._asdict() for row in rows]
        return _print({"file": str(path), "room": room, "models": models}, "", json)
    columns: dict[str, Kind] = {
        "model": "text", "replies": "count", "size": "bytes", "last used": "text"
    }  # fmt: skip
    console = open_console()
    lines = [(*row[:3], row.last_used.removesuffix("+00:00")) for row in rows]
    console.print_table(table_of("cache", columns, lines))
    total = numerals.size(sum(row.bytes for row in rows))
    facts = {"total": total, "room": numerals.size(room), "path": path}
    console.print(say(said("cache-total", **facts), spoken()), soft_wrap=True, markup=False)
    return 0


def _print(payload: object, text: str, json: bool) -> int:
    print_json(payload) if json else print(text)
    return 0


def prices(
    model: str | None = None,
    file: Path | None = None,
    *,
    date: Annotated[str | None, Flag(read=_read_day)] = None,
    json: bool = False,
) -> int:
    """Show what models cost. The table is yours to edit; LiteLLM's file can be imported.

    Parameters
    ----------
    model : MODEL | import FILE
        whose price, as after -m, or a part of the name; or: import FILE
    file : hidden
    date : YYYY-MM-DD
        import: when the file was fetched; default: its date
    """
    if model == "import":
        return _import(file, date, json)
    if file is not None:
        raise InputError(said("error-one-price"))
    if date:
        raise InputError(said("prices-date-import"))
    return _show(model, json)


def _import(file: Path | None, date: str | None, json: bool) -> int:
    from zhiyin.cost.prices import from_litellm, write_imported

    if file is None:
        raise InputError(said("prices-import"))
    imported, left_out = from_litellm(file, date or _day_of(file))
    path = write_imported(imported)
    if json:
        print_json({"file": str(path), "prices": len(imported), "left_out": left_out})
        return 0

    console = open_console()
    console.say(f"{counted(len(imported), 'price')}: {path}", 0)
    if left_out:
        console.say(
            f"{len(left_out):,} left out, since their price goes by the length of a request in "
            f"steps: {', '.join(left_out[:5])}{', ...' if len(left_out) > 5 else ''}",
            0,
        )
    return 0


def _day_of(file: Path) -> str:
    with reworded(said("error-read", path=file, why="")):
        return datetime.fromtimestamp(file.stat().st_mtime, UTC).date().isoformat()


def _show(model: str | None, json: bool) -> int:
    from zhiyin.cost.prices import begin_own, price_of, read_prices

    own, known = begin_own(), read_prices()
    if model:
        exact = price_of(model, known)
        like = {name: price for name, price in known.items() if model.lower() in name.lower()}
        known = {model: exact} if exact else like
        if not known:
            raise InputError(said("error-no-price", model=model, path=own))
    if json:
        print_json({"file": str(own), "prices": known})
        return 0
    _print_prices(known, own)
    return 0


def _print_prices(prices: dict[str, Price], own: Path) -> None:
    rows = []
    for name, price in sorted(prices.items()):
        values = [getattr(price, column) for column in _COLUMNS[:-1]]
        rows.append([name, *values, price.date or None])
    console = open_console()
    with console.paged():
        if rows:
            columns: dict[str, Kind] = {"model": "text", **dict.fromkeys(_COLUMNS, "rate")}
            console.print_table(table_of("prices", {**columns, "date": "text"}, rows))
        console.say(said("prices-unit", own=own), 0)
