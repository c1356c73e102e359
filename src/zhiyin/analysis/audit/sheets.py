"""Marks that are made elsewhere: a sheet of replies to be marked, and marks taken from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from zhiyin.analysis.audit.drawing import Audit, fits
from zhiyin.analysis.audit.marks import NONE, UNSURE, Draw, Mark, read_lines
from zhiyin.analysis.audit.population import show
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import NOT_JSON, write_atomically


def write_sheet(audit: Audit, by: str, path: Path) -> int:
    """Write the replies that `by` has not marked as JSON lines, ``mark`` still to be filled in.

    Raises
    ------
    InputError
        The file is there already, or cannot be written.
    """
    done = audit.book.marked_by(by)
    lines = []
    for drawn in audit.draw.replies:
        if drawn.id not in done:
            shown = audit.shown[drawn.id]
            row = {
                "mark": None,
                "options": {option.letter: option.text for option in shown.options},
                "texts": shown.texts,
                "question": shown.question,
                "id": drawn.id,
                "reply": drawn.reply,
            }
            lines.append(msgspec.json.encode(row) + b"\n")
    if path.exists():
        raise InputError(f"{path} is there already: marks in it would be lost")
    try:
        write_atomically(path, b"".join(lines))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    return len(lines)


class Taken(msgspec.Struct):
    """How many marks were taken, and how many lines were of replies that are not drawn."""

    marks: int
    others: int
    draw: bool = False


def take_marks(audit: Audit, path: Path, by: str) -> Taken:
    """Take marks from a file: a filled-in sheet, or the audit of a run with the same replies.

    A sheet's line has ``id``, ``mark`` (a letter, "none" or "unsure"; null: not marked) and,
    where it was written by `write_sheet`, the ``reply`` that it is of. An audit (``audit.jsonl``)
    brings its draw along where that is one of the same replies, so that a run which was scored
    again keeps its audit.

    Raises
    ------
    InputError
        A line that is no mark, by its number, or a file of which no line is of a drawn reply.
    """
    first = _first(path)
    if first.get("kind") in ("draw", "mark"):
        return _from_audit(audit, path)
    drawn = {one.id: one for one in audit.draw.replies}
    marks: list[Mark] = []
    others = 0
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        row = _decode(line, where)
        if row.get("mark") is None:
            continue
        one = drawn.get(str(row.get("id", "")))
        if one is None or row.get("reply", one.reply) != one.reply:
            others += 1
            continue
        letters = [option.letter for option in audit.shown[one.id].options]
        mark = row["mark"]
        if mark not in (*letters, NONE, UNSURE):
            hint = did_you_mean(str(mark), (*letters, NONE, UNSURE))
            raise InputError(f'{where}: "mark" is {mark!r}: {hint}')
        marks.append(Mark(one.id, one.reply, mark, str(row.get("by") or by)))
    if not marks:
        raise InputError(
            f"{path}: no mark in it is of a reply that is drawn here ({others} are of others); "
            "`zhiyin audit RUN --sheet FILE` writes those that are"
        )
    audit.book.add(marks)
    return Taken(len(marks), others)


def _first(path: Path) -> dict[str, Any]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: give a file of marks") from None
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            return _decode(line, f"{path}:{number}")
    raise InputError(f"{path}: is empty: it is to hold marks")


def _decode(line: bytes, where: str) -> dict[str, Any]:
    try:
        row = msgspec.json.decode(line)
    except NOT_JSON as error:
        raise InputError(f"{where}: not JSON ({error})") from None
    if not isinstance(row, dict):
        raise InputError(f'{where}: no object with "id" and "mark"')
    return row


def _from_audit(audit: Audit, path: Path) -> Taken:
    lines = read_lines(path)
    draws = [line for line in lines if isinstance(line, Draw)]
    marks = [line for line in lines if isinstance(line, Mark)]
    adopted = bool(draws) and _same_replies(audit, draws[-1])
    if adopted:
        audit.draw = draws[-1]
        audit.shown = show(audit.folder, {one.id for one in audit.draw.replies})
    drawn = {(one.id, one.reply) for one in audit.draw.replies}
    ours = [mark for mark in marks if (mark.id, mark.reply) in drawn]
    if not ours:
        raise InputError(f"{path}: none of its {len(marks)} marks is of a reply that is drawn here")
    audit.book.add([*([audit.draw] if adopted else []), *ours])
    return Taken(len(ours), len(marks) - len(ours), adopted)


def _same_replies(audit: Audit, draw: Draw) -> bool:
    if not fits(draw, audit.population):
        return False
    shown = show(audit.folder, {one.id for one in draw.replies})
    return all(shown[one.id].reply == one.reply for one in draw.replies)
