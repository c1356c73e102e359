"""Files of answers that were given elsewhere: JSON lines, a JSON list, or CSV."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON
from zhiyin.record import FINISHES, Finish, Record, Reply

TEXT_NAMES = ("text", "reply", "response", "output", "model_output")
_MEND = 'write {"id": ..., "text": ...}'


class Answer(NamedTuple):
    """An answer: for which id, in one reply or in several calls, and where it was read.

    `failed` says why there is no reply, for a trial of a run that failed.
    """

    id: str
    replies: list[Reply]
    failed: str
    where: str


def read_answers(path: Path) -> tuple[list[Answer], str]:
    """The answers in a file, in its order, and the SHA-256 of its bytes in hexadecimal.

    Raises
    ------
    InputError
        The file cannot be read, an entry is broken, or an id stands in it twice.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    text = data.removeprefix(b"\xef\xbb\xbf")
    if path.suffix.lower() in (".csv", ".tsv"):
        entries = _table(text, path)
    elif text.lstrip()[:1] == b"[" and path.suffix.lower() == ".json":
        entries = _list(text, path)
    else:
        entries = _lines(text, path)
    answers: dict[str, Answer] = {}
    for answer in entries:
        before = answers.get(answer.id)
        if before is not None and answer.replies and before.replies:
            raise InputError(
                f"{answer.where}: id {answer.id!r} has an answer already: keep one of the two"
            )
        if before is None or answer.replies:
            answers[answer.id] = answer
    return list(answers.values()), hashlib.sha256(data).hexdigest()


def _lines(data: bytes, path: Path) -> Iterator[Answer]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            yield _of_line(line, f"{path}, line {number}")


def _of_line(line: bytes, where: str) -> Answer:
    """A line's id, its replies, and why there are none if a run's trial had failed."""
    try:
        entry = msgspec.json.decode(line)
        if isinstance(entry, dict) and "trial" in entry and "verdict" in entry:
            record = msgspec.json.decode(line, type=Record)
            replies = [turn.reply for turn in record.exchange.turns]
            return Answer(record.id, replies, record.error or "no reply", where)
    except NOT_JSON as error:
        raise InputError(f"{where}: not a JSON line that can be read ({error})") from None
    return _of_object(entry, where)


def _list(data: bytes, path: Path) -> Iterator[Answer]:
    """A JSON list of objects."""
    try:
        items = msgspec.json.decode(data)
    except NOT_JSON as error:
        raise InputError(f"{path}: not JSON that can be read ({error})") from None
    for number, item in enumerate(items, 1):
        yield _of_object(item, f"{path}, item {number}")


def _table(data: bytes, path: Path) -> Iterator[Answer]:
    try:
        text = io.StringIO(data.decode("utf-8"), newline="")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 ({error.reason}): save it as UTF-8") from None
    rows = csv.DictReader(text, delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
    try:
        columns = rows.fieldnames or ()
        for name, wanted in (("id", ("id",)), ("answer", TEXT_NAMES)):
            if not any(column in columns for column in wanted):
                names = " or ".join(wanted)
                raise InputError(f"{path}: no column for the {name}: call one {names}")
        for row in rows:
            where = f"{path}, line {rows.line_num}"
            if None in row or None in row.values():
                raise InputError(f"{where}: {len(columns)} columns, and this row has others")
            yield _of_object(row, where)
    except csv.Error as error:
        raise InputError(f"{path}, line {rows.line_num}: not CSV ({error})") from None


def _of_object(entry: Any, where: str) -> Answer:
    if not isinstance(entry, dict):
        raise InputError(f"{where}: not a JSON object: {_MEND}")
    name = entry.get("id")
    if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
        raise InputError(f'{where}: "id" is {_shown(entry, "id")}: give the trial\'s id')
    finish: Finish = entry["finish"] if entry.get("finish") in FINISHES else "stop"
    return Answer(str(name), [Reply(_text(entry, where), finish)], "", where)


def _text(entry: dict[str, Any], where: str) -> str:
    """The answer of an entry, under whichever of the names it goes."""
    present = [name for name in TEXT_NAMES if name in entry]
    if not present:
        raise InputError(f'{where}: no answer: give it as "text" (or {", ".join(TEXT_NAMES[1:])})')
    first = present[0]
    for name in present:
        if not isinstance(entry[name], str):
            raise InputError(
                f'{where}: "{name}" is {_shown(entry, name)} and not a string: '
                "leave out the lines of trials without an answer"
            )
        if entry[name] != entry[first]:
            raise InputError(f'{where}: "{first}" and "{name}" differ: keep one of them')
    text: str = entry[first]
    return text


def _shown(entry: dict[str, Any], name: str) -> str:
    if name not in entry:
        return "missing"
    value = msgspec.json.encode(entry[name]).decode()
    return value if len(value) <= 40 else f"{value[:37]}..."
