"""Somebody's table: which column says what, and its rows, also of what other tools export."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from zhiyin.contract.tables import decode, parse_rows
from zhiyin.errors import InputError, reworded
from zhiyin.files import read_bytes
from zhiyin.parsing import read_json_text, read_toml_text
from zhiyin.plugins.music.clips import refuse_twins
from zhiyin.plugins.people import FIELDS, Keep
from zhiyin.words import Said, Text, said

Layout = Literal["long", "wide", "jspsych", "potato", "label-studio"]
Form = Literal["key", "letter", "text", "index-0", "index-1"]


class _MapTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the map. A name that is not known is refused."""


class _BackgroundColumns(_MapTable, frozen=True, kw_only=True):
    """Columns of what is known of people."""

    education: str = ""
    music_major: str = ""
    music_background: str = ""
    lessons_years: str = ""
    instrument: str = ""
    age: str = ""
    hearing: str = ""
    language: str = ""


class AnswerColumns(_BackgroundColumns, frozen=True, kw_only=True):
    """The columns, by what they say; "" for what the table does not have.

    Within JSON, "a.b" is the field b of the field a. `answer` of a Potato or Label Studio export
    names the scheme or control.
    """

    person: str = ""
    item: str = ""
    answer: str = ""
    seconds: str = ""
    role: str = ""
    expected: str = ""
    order: str = ""
    outcome: str = ""
    headphones: str = ""


class PeopleTable(_BackgroundColumns, frozen=True, kw_only=True):
    """A table of its own with what is known of people, a row each; `file` is beside the map."""

    file: str
    person: str


class ColumnMap(_MapTable, frozen=True):
    """Declaration of how a table of answers is read.

    Attributes
    ----------
    layout : str
        "long": a row an answer. "wide": a row a person, a column a question. The others are
        exports of these tools.
    kind : str
        "exam" or "validate".
    columns : AnswerColumns
    items : dict of str to str
        The trial's id by the name that the table has for it. Of a wide table these are its columns
        with answers, those called as a trial where there are none; else a name that is not here is
        the id itself.
    answers : str, optional
        What an answer names: the "key" in the data, the "letter" as the trial shows it, the "text"
        of the option, or its place from 0 or from 1 ("index-0", "index-1"). None: the key or the
        text; of a button of jsPsych its place from 0.
    several : str
        What stands between several answers, and between the keys of an order; "" for one answer.
    empty : str
        An empty answer: "missing" is outside every figure, "no_answer" was asked and
        not answered: in no precision, and wrong where it is to be passed.
    cannot_tell, odd : list of str
        Answers that say so in the place of marks.
    milliseconds : bool
        Whether times are in milliseconds.
    values : dict
        By field (education, role, answer, ...): our word by theirs.
    people : PeopleTable, optional
    keep : Keep
    """

    layout: Layout = "long"
    kind: Literal["exam", "validate"] = "exam"
    columns: AnswerColumns = AnswerColumns()
    items: dict[str, str] = {}
    answers: Form | None = None
    several: str = ""
    empty: Literal["missing", "no_answer"] = "missing"
    cannot_tell: list[str] = []
    odd: list[str] = []
    milliseconds: bool = False
    values: dict[str, dict[str, str]] = {}
    people: PeopleTable | None = None
    keep: Keep = Keep()


_USUAL: dict[str, AnswerColumns] = {
    "long": AnswerColumns(person="person", item="item", answer="answer"),
    "wide": AnswerColumns(person="person"),
    "jspsych": AnswerColumns(answer="response", seconds="rt"),
    "potato": AnswerColumns(person="user_id", item="instance_id"),
    "label-studio": AnswerColumns(person="completed_by", item="id", seconds="lead_time"),
}
"""What a layout calls its columns, where the map does not say."""


T = TypeVar("T")


def read_toml(path: Path, kind: type[T], remedy: Text = "", see: Text = "") -> T:
    """Read a TOML file into a type. Raises `InputError`, with a remedy, or where to look it up."""
    try:
        return msgspec.convert(read_toml_text(read_bytes(path, remedy)), kind)
    except msgspec.ValidationError as error:
        raise InputError(said("people-misfit", path=path, why=str(error), see=see)) from None
    except ValueError as error:
        raise InputError(said("people-toml", path=path, why=str(error))) from None


def read_map(path: Path) -> ColumnMap:
    """The column map of a TOML file, with the usual names of its layout filled in.

    Raises
    ------
    InputError
        It cannot be read, holds what is not known, or leaves out what must be said.
    """
    remedies = said("people-correct", flag="--columns"), said("people-see-tables")
    return checked(read_toml(path, ColumnMap, *remedies), str(path))


def checked(column_map: ColumnMap, where: str) -> ColumnMap:
    """A map with the usual names filled in. Raises `InputError` for what it leaves out."""
    usual = _USUAL[column_map.layout]
    names = {
        name: getattr(column_map.columns, name) or getattr(usual, name)
        for name in AnswerColumns.__struct_fields__
    }
    needed = ("person",) if column_map.layout == "wide" else ("person", "item", "answer")
    for name in needed:
        if not names[name]:
            raise InputError(said("people-column-missing", where=where, name=name))
    fields = (*FIELDS, "role", "outcome", "headphones", "answer")
    if unknown := sorted(set(column_map.values) - {*fields}):
        raise InputError(said("people-no-field", where=where, unknown=unknown[0], fields=fields))
    milliseconds, answers = column_map.milliseconds, column_map.answers
    if column_map.layout == "jspsych":
        milliseconds = milliseconds or names["seconds"] == "rt"
        answers = answers or ("index-0" if names["answer"] == usual.answer else None)
    return msgspec.structs.replace(
        column_map, columns=AnswerColumns(**names), milliseconds=milliseconds, answers=answers
    )


Cells = dict[str, object]
"""Cells by column, or the fields of an object: texts, numbers and lists."""


class AnswerRow(NamedTuple):
    """A row, and where it stands ("FILE, row 3"); with `comma`, "0,5" is 0.5."""

    place: Text
    cells: Cells
    comma: bool = False

    def text(self, column: str) -> str:
        """A cell as a text, whole numbers without a point; "" where there is none."""
        return as_text(self.cells.get(column))

    def at(self, column: str) -> Said:
        """Describe a cell's place for an error message."""
        return said("people-cell", place=self.place, column=column)


def as_text(cell: object) -> str:
    """A cell as a text; whole numbers without a point."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def table_rows(path: Path, layout: str, control: str) -> tuple[list[AnswerRow], list[Text]]:
    """The rows of a file, and what was left out of it.

    Parameters
    ----------
    path : Path
        CSV, TSV, JSON or JSON lines.
    layout : str
        See `ColumnMap`.
    control : str
        The scheme or control whose answers are wanted, of Potato and Label Studio.

    Raises
    ------
    InputError
        The file cannot be read, or is of another layout.
    """
    if layout == "potato":
        return list(_potato(path, control)), []
    if layout == "label-studio":
        return _label_studio(path, control)
    return list(table(path)), []


def _at(path: Path, unit: str, number: int) -> Said:
    return said("people-row", file=path.name, unit=unit, number=str(number))


def table(path: Path) -> Iterator[AnswerRow]:
    """The rows of a table: CSV and TSV with a heading, or JSON objects."""
    if path.suffix.lower() in (".csv", ".tsv", ".txt"):
        yield from _delimited(path)
        return
    for number, entry in enumerate(_objects(path), 1):
        yield AnswerRow(_at(path, "entry", number), flat(entry))


def _delimited(path: Path) -> Iterator[AnswerRow]:
    text = decode(path, read_bytes(path))
    head = text.partition("\n")[0]
    mark = "\t" if path.suffix.lower() == ".tsv" or head.count("\t") > head.count(",") else ","
    if mark == "," and head.count(";") > head.count(","):
        mark = ";"
    names: list[str] = []
    for line, cells in parse_rows(path, text, mark):
        if not names:
            names = [name.strip() for name in cells]
            refuse_twins(path, names, [name for name in names if name])
        elif any(cells):
            place = _at(path, "row", line)
            if len(cells) != len(names):
                raise InputError(
                    said("people-cells", place=place, cells=len(cells), names=len(names))
                )
            yield AnswerRow(place, flat(dict(zip(names, cells, strict=True))), mark != ",")


def _objects(path: Path) -> list[Cells]:
    """Objects in a JSON list, in lists within it, or a line each."""
    text = decode(path, read_bytes(path))
    queue: deque[Any] = deque()
    try:
        queue.append(read_json_text(text))
    except ValueError:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                queue.append(_loaded(line, said("line-of", path=path, line=str(number))))
    objects: list[Cells] = []
    while queue:
        value = queue.popleft()
        if isinstance(value, list):
            queue.extendleft(reversed(value))
        elif isinstance(value, dict):
            objects.append(value)
        else:
            raise InputError(said("people-object", path=path, value=repr(str(value)[:40])))
    return objects


def _loaded(line: str, where: Said) -> Any:
    with reworded(said("people-json", where=where, why=""), of=ValueError):
        return read_json_text(line)


def flat(entry: Mapping[str, object], before: str = "") -> Cells:
    """An object with the fields of objects within it as "outer.inner"; JSON in a cell is read."""
    fields: Cells = {}
    for name, value in entry.items():
        if isinstance(value, str) and value.startswith("{") and value.endswith("}"):
            with contextlib.suppress(ValueError):  # it may be a text in braces
                value = read_json_text(value)
        if isinstance(value, dict):
            fields |= flat(value, f"{before}{name}.")
        else:
            fields[f"{before}{name}"] = value
    return fields


def _potato(path: Path, scheme: str) -> Iterator[AnswerRow]:
    """Lines of annotated_instances.jsonl: a person's labels of one instance.

    Potato writes the file into a folder for each person, or one for all with ``user_id``. In it,
    ``label_annotations`` holds, by scheme, the labels with what was put there: a text box its
    text, a choice anything that is not empty or false.
    """
    files = sorted(path.glob("*/annotated_instances.jsonl")) if path.is_dir() else [path]
    if not files:
        raise InputError(said("people-potato", path=path))
    for file in files:
        yield from _potato_file(file, scheme)


def _potato_file(path: Path, scheme: str) -> Iterator[AnswerRow]:
    for number, instance in enumerate(_objects(path), 1):
        entry = {"user_id": path.parent.name, "instance_id": instance.get("id"), **instance}
        place = _at(path, "entry", number)
        given = entry.get("label_annotations")
        if not isinstance(given, dict):
            raise InputError(said("people-potato-labels", place=place))
        rest = {name: value for name, value in entry.items() if name != "label_annotations"}
        if scheme not in given:
            yield AnswerRow(place, {**flat(rest), scheme: ""})
            continue
        labels = given[scheme]
        if not isinstance(labels, dict):
            raise InputError(said("people-labels", place=place, scheme=scheme, labels=repr(labels)))
        if set(labels) == {"text_box"}:
            answer: Any = labels["text_box"]
        else:
            answer = [str(label) for label, value in labels.items() if value not in _UNMARKED]
        yield AnswerRow(place, {**flat(rest), scheme: answer})


_UNMARKED = ("", None, False, "false", "False", 0)


def _label_studio(path: Path, control: str) -> tuple[list[AnswerRow], list[Text]]:
    """Tasks of the JSON export: a row for each annotation that was submitted."""
    rows: list[AnswerRow] = []
    cancelled = truths = 0
    for number, task in enumerate(_objects(path), 1):
        place = _at(path, "task", number)
        annotations = task.get("annotations")
        if not isinstance(annotations, list):
            raise InputError(said("people-annotations", place=place))
        about = flat({k: v for k, v in task.items() if k not in ("annotations", "predictions")})
        for at, one in enumerate(annotations, 1):
            if not isinstance(one, dict):
                raise InputError(said("people-annotation-object", place=place, at=str(at)))
            if one.get("was_cancelled"):
                cancelled += 1
                continue
            if one.get("ground_truth"):
                truths += 1
                continue
            row = {**about, "lead_time": one.get("lead_time"), control: ""}
            by = one.get("completed_by")
            row["completed_by"] = by.get("id") if isinstance(by, dict) else by
            for part in one.get("result") or []:
                if isinstance(part, dict) and part.get("from_name") == control:
                    row[control] = _value(part)
            rows.append(AnswerRow(said("people-annotation", place=place, number=str(at)), row))
    notes: list[Text] = [said("people-skipped", n=cancelled)] if cancelled else []
    if truths:
        notes.append(said("people-truths", n=truths))
    return rows, notes


def _value(part: Mapping[str, object]) -> object:
    """Return the content of a form control: choices, a text or a rating."""
    value = part.get("value")
    if not isinstance(value, dict):
        return ""
    return next((value[k] for k in ("choices", "text", "rating", "number") if k in value), "")


def people_rows(column_map: ColumnMap, beside: Path) -> list[AnswerRow]:
    """The rows of the table of people that a map names; none where it names none."""
    return list(table(beside / column_map.people.file)) if column_map.people else []
