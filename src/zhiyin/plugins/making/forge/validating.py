"""Validation by people, who mark the right options: the sheet they get, and the rule.

The rule is that of Weck et al. 2024, section 3.2, as their published notebook carries it out:
annotations that say "can't answer" are left out; a question needs three others; it stays if at
least half of them mark the right answer, and no wrong answer is marked by more than half.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from zhiyin.contract.question_table import QuestionTable, RowCells, TableRow, text_of, texts_in
from zhiyin.errors import InputError
from zhiyin.files import json_lines
from zhiyin.flags import COUNT, Flag
from zhiyin.plugins.making.forge import Fallen, ForgeItem, ForgeTrack, chance_of
from zhiyin.plugins.making.forge.blind import LETTERS
from zhiyin.plugins.making.forge.checks import folded
from zhiyin.plugins.making.forge.sources import columns_of, read_whole
from zhiyin.text import csv_row
from zhiyin.words import said

NAMES: dict[str, tuple[str, ...]] = {
    "item": ("item", "question_id", "id", "trial"),
    "annotator": ("annotator", "participant_id", "participant", "who", "person"),
    "chosen": ("chosen", "answer", "marked", "answers", "options"),
    "unfinished": ("unfinished",),
}
"""What the columns of a table of annotations may be called."""
_STUDY = frozenset({"participant", "item", "role", "keys", "said", "excluded"})
"""Columns by which the export of a study is known."""
Form = Literal["auto", "letters", "numbers", "texts"]
_UNABLE = frozenset({"can't answer", "cant answer", "cannot answer", "unable", "skip", "skipped"})
_ODD = frozenset({"odd question", "invalid", "not valid", "odd", "bad question"})
_YES = frozenset({"1", "true", "yes"})
SHARE = msgspec.Meta(ge=0, le=1)


class AcceptanceRule(msgspec.Struct, frozen=True):
    """Rule on which questions stay.

    Attributes
    ----------
    least : int
        Annotations that it needs, those that could not answer left out.
    right : float
        Share of them that must mark the right answer, at least.
    wrong : float
        Share of them that may mark a wrong answer, at most ...
    together : bool
        ... any one of them; or, if so, all of them taken together, as the paper's words can be
        read too.
    """

    least: Annotated[int, Flag("annotations"), COUNT] = 3
    right: Annotated[float, Flag("share that must mark the right one", "X"), SHARE] = 0.5
    wrong: Annotated[float, Flag("share that may mark a wrong one", "X"), SHARE] = 0.5
    together: Annotated[bool, Flag("wrong ones are counted together, not each")] = False


class Annotation(msgspec.Struct, frozen=True):
    """One person's annotation of a question.

    `marked` holds places among the item's options, the right one first (0); `unable` and `odd` say
    that they could not answer it, or found it not valid.
    """

    item: str
    annotator: str
    marked: frozenset[int] = frozenset()
    unable: bool = False
    odd: bool = False


def sheet_order(item: ForgeItem) -> list[int]:
    """The places of an item's options in the order of the sheet, drawn by its id."""
    return sorted(range(len(item.options)), key=lambda place: chance_of("sheet", item.id, place))


def write_sheet(items: Sequence[ForgeItem], tracks: Mapping[str, ForgeTrack]) -> bytes:
    """The sheet for annotators, a CSV file: it does not tell the right answer."""
    most = max((len(item.options) for item in items), default=4)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["item", "recording", "question", *LETTERS[:most], "annotator", "chosen"])
    for item in sorted(items, key=lambda i: chance_of("sheet", i.id)):
        track = tracks.get(item.track)
        shown = [item.options[place] for place in sheet_order(item)]
        shown += [""] * (most - len(shown))
        recording = track.recording if track else ""
        writer.writerow(csv_row([item.id, recording, item.question, *shown, "", ""]))
    return out.getvalue().encode()


def write_questions(items: Sequence[ForgeItem], tracks: Mapping[str, ForgeTrack]) -> bytes:
    """The same as a file of questions with their keys, for a study: its options in that order."""
    rows = []
    for item in items:
        order, track = sheet_order(item), tracks.get(item.track)
        row: dict[str, object] = {
            "id": item.id,
            "question": item.question,
            "options": [item.options[place] for place in order],
            "answer": LETTERS[order.index(0)],
        }
        if track and track.recording:
            row["audio"] = str(Path(track.recording).absolute())
        rows.append(row)
    return json_lines(rows)


def read_annotations(
    path: Path, items: Sequence[ForgeItem], columns: Sequence[str] = (), form: Form = "auto"
) -> tuple[list[Annotation], list[str]]:
    """The annotations of a table, and remarks.

    Parameters
    ----------
    path : Path
        A row for each annotation: which item, who, and what is marked: letters of the sheet
        ("A, C"), numbers of the data (0 is the right answer, 1 the first wrong one), or texts;
        "can't answer" or "odd question" in their place. Or the export of a study of kind validate.
    items : sequence of ForgeItem
    columns : sequence of str
        Such as ``item=question``.
    form : {"auto", "letters", "numbers", "texts"}

    Raises
    ------
    InputError
        A cell cannot be read, with its line.
    """
    table = read_whole(path)
    left_out: Counter[str] = Counter()
    if table.columns and set(table.columns) >= _STUDY:
        table, form = _of_study(table, left_out), "letters"
    column_of = columns_of(table, NAMES, columns, ("item", "chosen"))
    known = {item.id: item for item in items}
    rows = []
    for row in table.rows:
        if text_of(row.cells.get(column_of.get("unfinished", ""))).lower() in _YES:
            left_out["unfinished"] += 1
        elif (name := text_of(row.cells.get(column_of["item"]))) not in known:
            left_out["about no question that was asked"] += 1
        else:
            rows.append((row, known[name]))
    cells = [_entries(row.cells.get(column_of["chosen"])) for row, _ in rows]
    if form == "auto":
        form = _form_of(path, cells)
    by_both: dict[tuple[str, str], Annotation] = {}
    for (row, item), entries in zip(rows, cells, strict=True):
        who = text_of(row.cells.get(column_of.get("annotator", ""))) or f"line {row.line}"
        one = _annotation(item, who, entries, form, f"{path}:{row.line}")
        left_out["said again by the same person"] += (item.id, who) in by_both
        by_both[item.id, who] = one
    remarks = [f"annotations left out, {why}: {n}" for why, n in left_out.items() if n]
    return list(by_both.values()), [f"annotations name options by {form}", *remarks]


_PLACES = {"item": 0, "annotator": 1, "chosen": 2}


def _of_study(table: QuestionTable, left_out: Counter[str]) -> QuestionTable:
    """The answers of a study that count, as annotations."""
    words = {"cannot_tell": "can't answer", "odd": "odd question"}
    rows = []
    for row in table.rows:
        cells = row.cells
        if cells.get("excluded"):
            left_out["of people whom the study excludes"] += 1
        elif cells.get("role") not in ("plain", "gold"):
            left_out["of practice or attention"] += 1
        else:
            chosen = words.get(text_of(cells.get("said"))) or cells.get("keys")
            fields = RowCells(_PLACES, (cells.get("item"), cells.get("participant"), chosen))
            rows.append(TableRow(row.line, fields))
    return msgspec.structs.replace(table, columns=tuple(_PLACES), rows=rows)


def _flag(entry: str) -> str:
    """An entry as `_UNABLE` and `_ODD` have it, whichever apostrophe it was typed with."""
    return entry.strip().casefold().replace("’", "'")


def _entries(cell: object) -> tuple[str, ...]:
    if isinstance(cell, str) and _flag(cell) not in _UNABLE | _ODD:
        listed = texts_in(cell)
        if len(listed) == 1 and re.fullmatch(r"\w(?:\s*,\s*\w)+", listed[0]):
            return tuple(part.strip() for part in listed[0].split(","))
        return listed
    return texts_in(cell)


def _form_of(path: Path, cells: Sequence[tuple[str, ...]]) -> Form:
    named = {entry for entries in cells for entry in entries if _flag(entry) not in _UNABLE | _ODD}
    if all(len(entry) == 1 and entry.upper() in LETTERS for entry in named):
        return "letters"
    return "numbers" if all(entry.isdecimal() for entry in named) else "texts"


def _annotation(
    item: ForgeItem, who: str, entries: tuple[str, ...], form: Form, where: str
) -> Annotation:
    words = set(map(_flag, entries))
    if words & _UNABLE:
        return Annotation(item.id, who, unable=True)
    if words & _ODD:
        return Annotation(item.id, who, odd=True)
    order, marked = sheet_order(item), set()
    for entry in entries:
        place: int | None = None
        if form == "letters" and entry.upper() in LETTERS[: len(order)]:
            place = order[LETTERS.index(entry.upper())]
        elif form == "numbers" and entry.isdecimal() and int(entry) < len(order):
            place = int(entry)
        elif form == "texts":
            same = [n for n, text in enumerate(item.options) if folded(text) == folded(entry)]
            place = same[0] if len(same) == 1 else None
        if place is None:
            raise InputError(
                said("forge-annotation", where=where, entry=repr(entry), id=item.id, form=form)
            )
        marked.add(place)
    return Annotation(item.id, who, frozenset(marked))


def validate(
    items: Sequence[ForgeItem], annotations: Sequence[Annotation], rule: AcceptanceRule
) -> tuple[list[ForgeItem], list[Fallen], list[str]]:
    """The questions that stay by a rule, the others with the reason, and remarks."""
    by_item: dict[str, list[Annotation]] = {}
    for one in annotations:
        if not one.unable:
            by_item.setdefault(one.item, []).append(one)
    kept, fallen = [], []
    for item in items:
        judgements = by_item.get(item.id, [])
        fault = _fault(item, judgements, rule)
        if fault:
            fallen.append(fault)
        else:
            kept.append(msgspec.structs.replace(item, annotations=len(judgements)))
    judged = sum(map(len, by_item.values()))
    unable = sum(one.unable for one in annotations)
    exact = sum(one.marked == {0} for judgements in by_item.values() for one in judgements)
    remarks = [
        f"annotations: {len(annotations)}, of which {unable} could not answer; of the other "
        f"{judged}, {exact} mark the right answer alone"
    ]
    return kept, fallen, remarks


def _fault(
    item: ForgeItem, annotations: Sequence[Annotation], rule: AcceptanceRule
) -> Fallen | None:
    n = len(annotations)
    if n < rule.least:
        return Fallen(item.id, "too-few-annotations", f"{n} of {rule.least}")
    right = sum(0 in one.marked for one in annotations)
    if right / max(n, 1) < rule.right:
        return Fallen(item.id, "right-answer-missed", f"{item.answer!r}: {right} of {n}")
    if rule.together:
        wrong = sum(bool(one.marked - {0}) for one in annotations)
        worst = "a wrong answer"
    else:
        counts = Counter(place for one in annotations for place in one.marked if place)
        place, wrong = max(counts.items(), key=lambda p: (p[1], -p[0]), default=(0, 0))
        worst = repr(item.options[place])
    if wrong / max(n, 1) > rule.wrong:
        return Fallen(item.id, "wrong-answer-marked", f"{worst}: {wrong} of {n}")
    return None
