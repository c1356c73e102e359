"""Rows of files that other programs wrote: read, their format recognised, every reply found."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.archives import opened_zip, unzipped
from zhiyin.contract.question_table import of_objects
from zhiyin.contract.tables import DELIMITED, SPREADSHEETS, read_table, refuse, text_of_table
from zhiyin.errors import InputError, did_you_mean, missing_package
from zhiyin.parsing import read_json_text
from zhiyin.plugins.lab.imports import (
    AUTO,
    FORMATS,
    ROWS,
    ReplyFormat,
    first_of,
    format_called,
    reach,
    recognise,
    text_of,
)
from zhiyin.plugins.music.clips import LETTERS, decode_json, decode_json_lines, read_bytes
from zhiyin.record import Finish, Reply
from zhiyin.words import said

_COLUMNS = "ABCDEFGHIJ"
_INSIDE = ("details", "results", "samples", "data", "predictions")
"""Under which of these a JSON object may hold its rows."""
_TABLES = (*(suffix for suffix in DELIMITED if suffix != ".txt"), *SPREADSHEETS, ".parquet")
_ENDED: dict[str, Finish] = {
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "content_filter": "refusal",
    "refusal": "refusal",
}
"""How programs say that a reply did not end by itself."""


class ForeignRow(msgspec.Struct, frozen=True):
    """One reply that another program wrote down, with what it says of the question.

    Attributes
    ----------
    where : str
        "FILE, line 3".
    reply : Reply or None
        None where no reply came.
    id, question : str
        "" where it says nothing.
    place : int or None
        Number of the question in the data, from 0.
    options : tuple of str
        In the order of the file; empty where it does not say.
    key : str or None
        The right answer by the file.
    clip : str
    repeat : int or str or None
    failed : bool
        Whether the file says that no reply came.
    """

    where: str
    reply: Reply | None
    id: str = ""
    question: str = ""
    place: int | None = None
    options: tuple[str, ...] = ()
    key: str | None = None
    clip: str = ""
    repeat: int | str | None = None
    failed: bool = False


class ForeignFile(msgspec.Struct, frozen=True):
    """A file that was read: its format, its rows, and where in them the reply stands."""

    path: Path
    format: ReplyFormat
    field: str
    rows: list[ForeignRow]
    sha256: str


def read_foreign(path: Path, name: str = AUTO, field: str = "", line: str = "") -> ForeignFile:
    """The replies in a file of another program.

    Parameters
    ----------
    path : Path
    name : str
        Of the format; "auto" to have it recognised.
    field : str
        The place of the reply in a row; "" for that of the format.
    line : str
        The command that is to be typed again, with another flag behind it.

    Raises
    ------
    InputError
        The file cannot be read, is of no known format, or holds replies in two places that differ.
    """
    entries = list(_entries(path))
    if not entries:
        raise InputError(said("import-no-rows", path=path))
    # A reply that is missing in the first row says nothing of the format.
    where, first = next((pair for pair in entries if recognise(pair[1])), entries[0])
    form = recognise(first) if name == AUTO else format_called(name)
    if form is None and field:
        form = format_called(ROWS)
    if form is None or not (form.recognises(first) or field):
        shown = ", ".join(list(first)[:8]) or "nothing"
        known = ", ".join(each.name for each in FORMATS) if form is None else form.title
        raise InputError(
            f"{where}: has {shown}: not of {known}: name the field of the reply by --field"
        )
    if field and all(reach(entry, field) is None for _, entry in entries):
        raise InputError(
            said("import-field", path=path, field=field, hint=did_you_mean(field, first))
        )
    places = (field,) if field else _reply_places(path, form, entries, line)
    rows = [_row(form, places, place, entry) for place, entry in entries]
    if not any(row.reply or row.failed for row in rows):
        shown = json.dumps(reach(first, places[0]))[:60]
        why = f"{places[0]} is {shown} in the first row"
        raise InputError(said("import-no-words", path=path, why=why))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    held = next((each for each in places if _said(first, each) is not None), places[0])
    return ForeignFile(path, form, held, rows, digest)


def _entries(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each row of a file, and where it stands."""
    ending = path.suffix.lower()
    if ending == ".eval":
        yield from _inspect_samples(path)
        return
    if ending in _TABLES:
        table = read_table(path)
        for fault in table.broken:
            refuse(fault)
        for row in table.rows:
            # An empty cell of a table says nothing; no reply is distinguished from an empty one.
            cells = row.cells.named().items()
            yield table.at(row.line), {name: cell for name, cell in cells if cell not in ("", None)}
        return
    raw = read_bytes(path)
    text = text_of_table(path, unzipped(path, raw) if raw.startswith(b"\x1f\x8b") else raw)
    if _is_one(path, text):
        listed = _list_in(path, decode_json(path, text))
        if listed is None:
            yield from _inspect_samples(path)
            return
        pairs: Iterator[tuple[str, Any]] = (
            (f"{path}, item {number}", entry) for number, entry in enumerate(listed, 1)
        )
    else:
        lines = decode_json_lines(path, text)
        pairs = ((f"{path}, line {number}", entry) for number, entry in lines)
    for where, entry in pairs:
        if not isinstance(entry, dict):
            raise InputError(said("import-object", where=where))
        yield where, entry


def _is_one(path: Path, text: str) -> bool:
    """Tell whether a text is one JSON value, and no object a line, whatever its name says."""
    if text.lstrip().startswith("["):
        return True
    first, _, rest = text.strip().partition("\n")
    named = ".json" in path.suffixes[-2:]
    return named and not (rest and first.rstrip().endswith("}") and first.startswith("{"))


def _list_in(path: Path, value: Any) -> list[Any] | None:
    """The rows of a JSON file; None where it is a log of Inspect's."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        if "eval" in value and "samples" in value:
            return None
        for name in _INSIDE:
            if isinstance(value.get(name), list):
                return list(value[name])
    raise InputError(said("import-no-list", path=path, inside=_INSIDE))


def _inspect_samples(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The samples of a log, read by Inspect itself, which resolves what it stores apart."""
    try:
        from inspect_ai.log import read_eval_log
    except ImportError:
        raise missing_package("inspect_ai", "inspect") from None
    if path.suffix.lower() == ".eval":
        with opened_zip(path):
            pass
    try:
        log = read_eval_log(str(path), resolve_attachments=True)
    except Exception as error:  # whatever its readers raise for a file that is none
        raise InputError(said("import-inspect", path=path, why=str(error))) from None
    for sample in log.samples or ():
        entry = sample.model_dump(
            include={"id", "epoch", "input", "choices", "target", "output", "error"}
        )
        message = sample.output.choices[0].message if sample.output.choices else None
        if message is not None and not isinstance(message.content, str):
            thoughts = [part.reasoning for part in message.content if part.type == "reasoning"]
            entry["reasoning"] = "\n".join(filter(None, thoughts)) or None
        yield f"{path}, sample {sample.id}", {**entry, "inspect_sample": True}


def _reply_places(
    path: Path, form: ReplyFormat, entries: Sequence[tuple[str, Mapping[str, Any]]], line: str
) -> tuple[str, ...]:
    """Find the places of the reply. Raises `InputError` where two hold different texts."""
    if form.settled:
        return form.replies
    held = [p for p in form.replies if any(_said(entry, p) is not None for _, entry in entries)]
    if not held:
        names = ", ".join(form.replies)
        raise InputError(said("import-no-reply", path=path, names=names))
    for where, entry in entries:
        texts = {place: _said(entry, place) for place in held}
        if len(set(texts.values())) > 1:
            lines = "; or ".join(f"{line} --field {shlex.quote(place)}" for place in held)
            raise InputError(
                said("import-which", path=path, held=" and ".join(held), where=where, lines=lines)
            )
    return (held[0],)


def _said(entry: Mapping[str, Any], place: str) -> str | None:
    return text_of(reach(entry, place))


def _row(
    form: ReplyFormat, places: Sequence[str], where: str, entry: Mapping[str, Any]
) -> ForeignRow:
    name, number = first_of(entry, form.id), first_of(entry, form.place)
    options = first_of(entry, form.options) or _lettered(entry)
    repeat = first_of(entry, form.repeat)
    return ForeignRow(
        where=where,
        reply=_reply(form, places, entry),
        id=str(name) if isinstance(name, str | int) and not isinstance(name, bool) else "",
        question=next((t for p in form.question if (t := _said(entry, p)) is not None), ""),
        place=number if type(number) is int else None,
        options=_options(options),
        key=text_of(first_of(entry, form.key)),
        clip=text_of(first_of(entry, form.clip)) or "",
        repeat=repeat if isinstance(repeat, int | str) else None,
        failed=first_of(entry, form.failed) is not None,
    )


def _lettered(entry: Mapping[str, Any]) -> list[Any]:
    """Options in columns of their own: A, B, and so on."""
    texts = itertools.takewhile(lambda text: text is not None, map(entry.get, _COLUMNS))
    found = list(texts)
    return found if len(found) > 1 else []


def _reply(form: ReplyFormat, places: Sequence[str], entry: Mapping[str, Any]) -> Reply | None:
    """Return the model's reply; None where nothing came, which is no empty reply."""
    if first_of(entry, form.failed) is not None:
        return None
    text = next((said for place in places if (said := _said(entry, place)) is not None), None)
    ended = _ENDED.get(text_of(first_of(entry, form.finish)) or "", "stop")
    refusal = text_of(first_of(entry, form.refusal))
    if refusal and not text:
        text, ended = refusal, "refusal"
    if text is None and ended != "stop":  # cut off before its first word, or held back
        text = ""
    if text is None or text in form.nothing:
        return None
    thought = text_of(first_of(entry, form.reasoning))
    detail = {"reasoning": thought} if thought else {}
    return Reply(text, ended, detail=detail)


def _options(value: Any) -> tuple[str, ...]:
    """The options that a row shows, as texts without their letters; none where it shows none."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, str):
        value = _listed(value)
    if not isinstance(value, list) or not value:
        return ()
    if any(isinstance(each, dict) for each in value):
        found = of_objects(value)
        return found[0] if found else ()
    texts = [_option(each) for each in value]
    return tuple(texts) if all(texts) else ()


_LABEL = re.compile(r"^\(?([A-Z])[).:\]]\s+", re.MULTILINE)


def _listed(text: str) -> list[Any]:
    """The options of a text: a list in JSON, or lines of which each has its letter; else none."""
    if text.lstrip().startswith("["):
        try:
            value = read_json_text(text)
        except ValueError:
            return []
        return value if isinstance(value, list) else []
    _, *parts = _LABEL.split(text.strip())
    in_order = "".join(parts[::2]) == LETTERS[: len(parts) // 2]
    return parts[1::2] if in_order else []


def _option(value: Any) -> str:
    if isinstance(value, bool) or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(value).strip() if isinstance(value, str | int | float) else ""
