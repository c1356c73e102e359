"""A file of questions as a table: names of columns, and rows with the place where each stands.

Columns that look like facts of people are told of: they would be copied into every log.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.parsing import read_json_text, read_literal
from zhiyin.text import equal_places, number_in
from zhiyin.words import Said, Text, said

_SHORT, _MOST_KNOWN = 40, 5_000


class MediaFile(msgspec.Struct, frozen=True):
    """A file's place, and its name: its path from the root, the same for all."""

    path: Path
    name: str


class RowCells(msgspec.Struct, frozen=True, gc=False):
    """The cells of a line by column: a third of the memory of a dict."""

    places: dict[str, int]
    values: tuple[Any, ...]

    def get(self, name: str) -> Any:
        """The cell of a column; None where the line ends before it."""
        place = self.places.get(name)
        return self.values[place] if place is not None and place < len(self.values) else None

    def named(self) -> dict[str, Any]:
        """The cells by the names of their columns."""
        most = len(self.values)
        return {name: self.values[place] for name, place in self.places.items() if place < most}


class TableRow(msgspec.Struct, frozen=True, gc=False):  # of a million none is part of a circle
    """A row: the number of its line (or row) in the file, from 1, and its cells by column.

    A cell is what the format holds: text in CSV; numbers, lists and objects elsewhere.
    """

    line: int
    cells: RowCells


class Keeper:
    """Makes the lines of one file: names of columns and short texts of many rows are kept once."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, ...], dict[str, int]] = {}
        self._known: dict[str, str] = {}

    def line(self, names: tuple[str, ...], cells: Iterable[Any]) -> RowCells:
        """The cells below `names`; a column without a name is none."""
        known, values = self._known, tuple(cells)
        if len(known) < _MOST_KNOWN:
            short = (each for each in values if isinstance(each, str) and len(each) <= _SHORT)
            known.update((each, each) for each in short)
        places = self._places.get(names)
        if places is None:
            places = {name: place for place, name in enumerate(names) if name}
            self._places[names] = places
        once = [known.get(each, each) if isinstance(each, str) else each for each in values]
        return RowCells(places, tuple(once))


def broken_row(path: Path, line: int, problem: Text, remedy: Text) -> Fault:
    """A row that is no row: where, what is wrong, and how to mend it."""
    return Fault("broken-row", path, line, "", problem, remedy)


class QuestionTable(msgspec.Struct, frozen=True):
    """A file of questions.

    Attributes
    ----------
    path : Path
    sha256 : str
        Of the bytes of all files that were read, in hexadecimal.
    columns : tuple of str
        In the order of the file.
    rows : list of TableRow
        Those that hold anything at all.
    broken : list of Fault
        Rows that are none.
    unit : {"line", "row"}
        What the numbers of rows count.
    encoding : str
        Of its text, where that is neither UTF-8 nor UTF-16.
    """

    path: Path
    sha256: str
    columns: tuple[str, ...]
    rows: list[TableRow]
    broken: list[Fault] = []
    unit: str = "line"
    encoding: str = ""

    def at(self, line: int) -> str:
        """Return the place of a row, as messages say it."""
        return f"{self.path}:{line}" if self.unit == "line" else f"{self.path}, row {line}"


DELIMITERS = ("\n", "|", ";", "；")
"""What parts the entries of one cell, the first that is there. Commas stand within options too
often to part them."""


_LABELS = ("key", "label", "letter", "id", "index", "number", "no", "标号", "序号")
_TEXTS = (
    *("text", "content", "value", "answer", "option", "choice", "label", "name", "title"),
    *("description", "body", "文本", "内容", "选项"),
)
"""What objects call the label of an option, and its text: the first name that is there."""


def text_of(value: Any) -> str:
    """A cell as text: 3.0 of a spreadsheet is 3, True is true; what is no text is empty.

    Of an object its text, by the names that are usual for it.
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        whole = value.is_integer()
        return str(int(value)) if whole else str(value) if math.isfinite(value) else ""
    if isinstance(value, dict):
        named = {str(name).casefold(): text for name, text in value.items()}
        return next((text for name in _TEXTS if (text := text_of(named.get(name)))), "")
    return str(value) if isinstance(value, int | Decimal | date | time | timedelta) else ""


def of_objects(entries: Sequence[Any]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The texts and the labels of options that are objects; None where they have no text.

    The label is what counts through them (A, B, ... or numbers), or is called so; the text is what
    is called so, or is all that is left. ``[{"A": "lute"}, {"B": "harp"}]`` is read too.
    """
    rows = [each if isinstance(each, dict) else {"text": each} for each in entries]
    if all(len(row) == 1 for row in rows) and len({*map(str, map(list, rows))}) == len(rows) > 1:
        pairs = [(text_of(label), text_of(text)) for row in rows for label, text in row.items()]
        labels, texts = zip(*pairs, strict=True)
        return (texts, labels) if all(texts) else None
    columns = {
        str(name).casefold(): tuple(text_of(row.get(name)) for row in rows) for name in rows[0]
    }
    full = {name: texts for name, texts in columns.items() if all(texts)}
    usual = sorted(full, key=lambda name: name not in _LABELS)
    label = next((n for n in usual if _count(full[n])), None) or next(
        (n for n in usual if n in _LABELS and len(set(full[n])) == len(rows)), None
    )
    left = [name for name in full if name != label] or list(full)
    name = next((n for n in _TEXTS if n in left), left[0] if len(left) == 1 else None)
    if name is None or (name == label and name in ("key", "letter", "id", "index")):
        return None
    return full[name], full[label] if label and label != name else ()


def _count(texts: Sequence[str]) -> bool:
    """Tell whether texts count: A, B, C or a, b, c or from 0 or 1."""
    bare = [text.strip("()[]. :").upper() for text in texts]
    letters = [chr(65 + place) for place in range(len(bare))]
    return bare in (letters, *([str(n + k) for n in range(len(bare))] for k in (0, 1)))


def list_of(value: Any, delimiter: str | None = None) -> list[Any] | None:
    """The entries of a cell; None where it holds but one thing.

    A list of the format's own, a JSON list, a list as Python, numpy or pandas print it, or
    entries parted by `delimiter` (by default the first of `DELIMITERS` that is there).
    """
    if isinstance(value, list | tuple):
        return list(value)
    if not isinstance(value, str):
        return None
    text = value.strip()
    if (made := _MADE.fullmatch(text)) is not None:
        text = made[1].strip()
    if (printed := _printed(text)) is not None:
        return printed or None
    if text.startswith(("[", "(")) and isinstance(parsed := written(text), list | tuple):
        return list(parsed)
    for sign in (delimiter,) if delimiter else DELIMITERS:
        if sign in text:
            return [part.strip() for part in text.split(sign) if part.strip()]
    return None


def written(text: str) -> Any:
    """Read a text of JSON, or a value as Python prints it; None where it is neither."""
    for read in (read_json_text, read_literal):
        with contextlib.suppress(ValueError):
            return read(text)
    return None


_MADE = re.compile(
    r"(?:\w+\.)?(?:array|Index|Series|list|tuple)\(\s*([\[(].*[\])])\s*(?:,\s*\w+\s*=[^()]*)?\)",
    re.DOTALL,
)
"""A list as numpy and pandas print it in a list of their own."""
_ENTRY = re.compile(r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|[^\s'"]+""")


def _printed(text: str) -> list[str] | None:
    """The entries of an array as numpy prints it, or a column of pandas; None for anything else.

    Empty where it was cut ("..."): what it held is lost.
    """
    if text.endswith(("dtype: object", "dtype: string", "dtype: str")):
        rows = (line.split(None, 1) for line in text.splitlines()[:-1])
        return [row[1].strip() for row in rows if len(row) > 1]
    if not (text.startswith("[") and text.endswith("]")):
        return None
    entries = _ENTRY.findall(text[1:-1])
    held = [one for one in entries if one != "..."]
    quoted = all(len(one) > 1 and one[0] == one[-1] and one[0] in "'\"" for one in held)
    if len(entries) < 2 or not (quoted or all(map(math.isfinite, map(number_in, held)))):
        return None
    texts = [str(read_literal(one)) if quoted else one.rstrip(".") for one in held]
    return texts if len(held) == len(entries) else []


def texts_in(value: Any, delimiter: str | None = None) -> tuple[str, ...]:
    """The entries of a cell as texts; one where it holds one thing, none where it is empty."""
    if value is None:
        return ()
    parts = list_of(value, delimiter)
    texts = map(text_of, [value] if parts is None else parts)
    return tuple(filter(None, texts))


_NAMES = frozenset({
    "phone", "telephone", "tel", "mobile", "handy", "telefon", "email", "mail", "address",
    "adresse", "surname", "birthday", "birthdate", "passport", "wechat", "qq",
    "电话", "电话号码", "手机", "手机号", "手机号码", "联系电话", "联系方式", "邮箱", "电子邮箱",
    "电子邮件", "邮件",
    "姓名", "地址", "住址", "身份证", "身份证号", "生日", "出生日期", "微信", "微信号",
})  # fmt: skip
"""Parts of a column's name; "name" is none, for pieces and files have names."""
_PAIRS = ("e mail", "first name", "last name", "full name", "date of birth")
_MAIL = re.compile(r"[^\s@]{1,64}@[^\s@.]{1,64}(?:\.[^\s@.]{1,64}){1,4}")
_DIGITS = range(9, 16)
"""Digits of a telephone number with its area: a date has eight."""
_CHINESE_MOBILE = re.compile(r"1[3-9]\d{9}")


def personal_columns(rows: Iterable[Mapping[str, object]]) -> list[str]:
    """The columns whose name, or most of whose values, look like an address or number of a person.

    Parameters
    ----------
    rows : iterable of mapping of str to object
        Cells by column.
    """
    values: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        for name, cell in row.items():
            if isinstance(cell, str | int) and (text := str(cell).strip()):
                values[name].append(text)
    return [name for name, cells in values.items() if _is_named(name) or _is_filled(cells)]


def _is_named(name: str) -> bool:
    words = re.sub(r"[\W_]+", " ", name.casefold()).strip()
    padded = f" {words} "
    return not _NAMES.isdisjoint(words.split()) or any(f" {pair} " in padded for pair in _PAIRS)


def _is_filled(cells: list[str]) -> bool:
    return sum(_is_mail(cell) or _is_phone(cell) for cell in cells) * 2 > len(cells)


def _is_mail(cell: str) -> bool:
    return len(cell) <= 200 and _MAIL.fullmatch(cell) is not None


def _is_phone(cell: str) -> bool:
    """Tell whether a cell is a Chinese mobile's number, or one with a plus or gaps."""
    if _CHINESE_MOBILE.fullmatch(cell):
        return True
    if _is_pitches(cell):
        return False
    digits = sum(map(str.isdecimal, cell))
    gaps = len(cell) - digits
    return (
        digits in _DIGITS
        and 0 < gaps <= 8
        and set(cell) <= set("0123456789+-/() .")
        and not cell.replace(".", "", 1).isdecimal()
    )


def _is_pitches(cell: str) -> bool:
    """Tell whether a cell is four or more MIDI numbers, of 0 to 127 and parted by spaces.

    A telephone number in groups so short begins with a plus, or with a group such as 01.
    """
    words = cell.split()
    return len(words) > 3 and all(
        word.isdecimal() and str(int(word)) == word and int(word) < 128 for word in words
    )


_MOST_NAMED = 5


def with_equal_options(questions: Iterable[tuple[str, Sequence[str]]]) -> Said | None:
    """Warn that options of questions, by their ids, are the same; None where none are."""
    twins = [name for name, options in questions if equal_places(options)]
    if not twins:
        return None
    more = max(0, len(twins) - _MOST_NAMED)
    return said("equal-options", n=len(twins), items=twins[:_MOST_NAMED], more=more)


class Fault(msgspec.Struct, frozen=True):
    """A row that cannot be asked.

    Attributes
    ----------
    kind : str
        The kind of flaw, as ``zhiyin data check`` lists it.
    path : Path
    line : int
        The line of the file on which the row begins, from 1.
    id : str
        What the row calls its item; "" where it does not say.
    problem, remedy : str or Said
        What is wrong, and how to mend it.
    """

    kind: str
    path: Path
    line: int
    id: str
    problem: Text
    remedy: Text
