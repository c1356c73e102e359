"""Files of questions, read as tables whatever their format.

========================  ===================================================================
``.csv .tsv .txt``        cells parted by comma, semicolon, tab or bar; UTF-8 or UTF-16
``.jsonl .ndjson``        an object a line; ``.json``: one list of objects, or objects by id
``.parquet``, a folder    what ``datasets`` wrote: needs pyarrow (extra ``parquet``)
``.xlsx .xlsm .xls .ods`` a spreadsheet: needs python-calamine (extra ``questions``)
========================  ===================================================================

Rows of CSV files keep the numbers of their lines, also where a cell has several.
"""

from __future__ import annotations

import codecs
import csv
import datetime
import hashlib
import re
import string
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from zhiyin.archives import opened_zip
from zhiyin.contract.arguments import SUFFIXES, is_dataset
from zhiyin.contract.parquet import read_dataset, read_parquet
from zhiyin.contract.question_table import Fault, Keeper, QuestionTable, TableRow, broken_row
from zhiyin.errors import InputError, did_you_mean, imported, reworded
from zhiyin.files import read_regular
from zhiyin.idioms import grouped
from zhiyin.parsing import read_json_text
from zhiyin.text import quoted
from zhiyin.words import Said, Text, said

DELIMITED = (".csv", ".tsv", ".txt")
GB18030 = "GB18030"
LINES = (".jsonl", ".ndjson")
SPREADSHEETS = (".xlsx", ".xlsm", ".xls", ".ods")
_DELIMITERS = (",", ";", "\t", "|")
_MOST_CELLS = 10_000_000
_LINE = re.compile(r"[^\n]*+\n|[^\n]++")
_PLACE = re.compile(rb"""<c\s[^<>]*?\br=["']([A-Za-z]{1,4})(\d{1,8})["']""")
_ODS_ROW = re.compile(
    rb"<table:table-row(?=[\s>])(?:[^<>]*?number-rows-repeated=.(\d{1,9}))?[^<>]*(?<!/)>"
    rb"(.*?)</table:table-row>",
    re.DOTALL,
)
_VALUE_CELL = re.compile(
    rb"<table:(?:covered-)?table-cell(?=[^<>]*office:value-type)"
    rb"(?:[^<>]*?number-columns-repeated=.(\d{1,9}))?"
)


def read_table(path: Path, *, sheet: str | None = None, split: str | None = None) -> QuestionTable:
    """A file of questions, whatever its format.

    Parameters
    ----------
    path : Path
        A file with one of `SUFFIXES`, or a folder that ``datasets`` wrote.
    sheet : str or None
        Which sheet of a spreadsheet; needed where several hold anything.
    split : str or None
        Which split of a folder; needed where it holds several.

    Raises
    ------
    InputError
        There is no such file, it holds no row, its format is not one of these, a package is
        missing, or the file is damaged as a whole. Single bad rows are in `QuestionTable.broken`.
    """
    if not path.exists():
        raise InputError(said("error-no-file", path=path))
    suffix = path.suffix.lower()
    _refuse_unused("--sheet", sheet, suffix in SPREADSHEETS, path)
    _refuse_unused("--split", split, path.is_dir(), path)
    if path.is_dir():
        if not is_dataset(path):
            raise InputError(said("error-folder", path=path))
        return _not_empty(read_dataset(path, split))
    if suffix == ".parquet":
        return _not_empty(read_parquet(path))
    readers: dict[str, Callable[[Path, bytes], QuestionTable]] = {
        **dict.fromkeys(DELIMITED, _read_delimited),
        **dict.fromkeys(LINES, _read_lines),
        ".json": _read_list,
        **dict.fromkeys(SPREADSHEETS, lambda p, raw: _read_spreadsheet(p, raw, sheet)),
    }
    if suffix not in readers:
        raise InputError(said("error-suffix", path=path, suffixes=SUFFIXES))
    return _not_empty(readers[suffix](path, _bytes_of(path)))


def _not_empty(table: QuestionTable) -> QuestionTable:
    """The same table. Raises `InputError` where it has no row, not even a broken one."""
    if not table.rows and not table.broken:
        below = bool(table.columns)
        raise InputError(said("error-no-row", path=table.path, below=below, unit=table.unit))
    return table


def _refuse_unused(flag: str, value: str | None, used: bool, path: Path) -> None:
    if value is not None and not used:
        raise InputError(said("error-has-none", flag=flag, value=value, path=path))


def _bytes_of(path: Path) -> bytes:
    with reworded(said("error-may-read", path=path, why="")):
        return path.read_bytes()


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def text_of_table(path: Path, raw: bytes) -> str:
    """UTF-8; UTF-16 where a byte order mark says so (a spreadsheet's "Unicode text"); GB18030, as a
    Chinese spreadsheet writes CSV, where nothing else is likely.
    """
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return raw.decode("utf-16")
        except UnicodeDecodeError:
            raise InputError(said("error-utf16", path=path)) from None
    refuse_binary(path, raw)
    return raw.decode(GB18030) if is_gb18030(raw) else decode(path, raw)


_MAGIC = {
    **{b"PK\x03\x04": ".xlsx", b"\xd0\xcf\x11\xe0": ".xls"},
    **dict.fromkeys((b"\x89PNG", b"%PDF-", b"\x1f\x8b"), ""),
}
"""What files begin with that are no text, and how those that hold tables are named."""


def refuse_binary(path: Path, raw: bytes) -> None:
    """Raise `InputError` for what is no text, or UTF-16 that does not say so; with what to do."""
    kind = next((suffix for magic, suffix in _MAGIC.items() if raw.startswith(magic)), None)
    if kind is None and b"\0" not in raw:
        return
    most = max(("UTF-16LE", "UTF-16BE"), key=lambda code: raw[code == "UTF-16LE" :: 2].count(0))
    ends = "\n".encode(most) in raw
    way = f"iconv -f {most} -t UTF-8 {quoted(path.name)} > utf8.csv" if ends else ""
    form = "utf16" if kind is None and ends else "book" if kind else "other"
    raise InputError(said("error-not-text", path=path, form=form, way=way, suffix=kind))


def is_gb18030(raw: bytes) -> bool:
    """Tell whether bytes are no UTF-8, but are GB18030 throughout, and look Chinese."""
    try:
        raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        with suppress(UnicodeDecodeError):
            return bool(raw.decode(GB18030)) and not looks_western(raw)
    return False


def _read_delimited(path: Path, raw: bytes) -> QuestionTable:
    text, begins, declared = text_of_table(path, raw), 1, None
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep=") and len(first.strip()) <= 5:
        declared, text, begins = first.strip()[4:] or "\t", rest, 2  # Excel's own directive
    delimiter = declared or _delimiter(path, text)
    lines = parse_rows(path, text, delimiter, begins)
    try:
        header = next(lines)[1]
    except StopIteration:
        raise InputError(said("error-empty", path=path)) from None
    names = tuple(_names(path, header))
    rows, broken = [], []
    keeper = Keeper()
    for line, cells in lines:
        if len(cells) > len(names) and any(cells[len(names) :]):
            problem = said("row-many-cells", n=len(cells), most=len(names))
            broken.append(broken_row(path, line, problem, said("row-quote-cells")))
        elif any(map(str.strip, cells)):
            rows.append(TableRow(line, keeper.line(names, cells)))
    encoding = GB18030 if is_gb18030(raw) else ""
    columns = tuple(filter(None, names))
    return QuestionTable(path, _digest(raw), columns, rows, broken, encoding=encoding)


def _delimiter(path: Path, text: str) -> str:
    """Return the delimiter of the header's cells: whichever gives most columns."""
    counts: dict[str, int] = {}
    for delimiter in _DELIMITERS:
        header = next(parse_rows(path, text, delimiter), (1, []))[1]
        counts[delimiter] = sum(bool(cell.strip()) for cell in header)
    return max(_DELIMITERS, key=lambda delimiter: counts[delimiter])


def _names(path: Path, header: Sequence[str]) -> list[str]:
    """The columns' names; an unnamed one at the end is dropped as empty."""
    names = [" ".join(name.split()) for name in header]
    while names and not names[-1]:
        names.pop()
    for name in names:
        if name and names.count(name) > 1:
            raise InputError(said("error-two-columns", path=path, name=repr(name)))
    return names


def _read_lines(path: Path, raw: bytes) -> QuestionTable:
    def values() -> Iterator[tuple[int, Any]]:
        lines = _LINE.finditer(text_of_table(path, raw))  # a list would hold the text once more
        for number, line in enumerate((match[0] for match in lines), 1):
            if line.strip():
                try:
                    yield number, read_json_text(line.rstrip("\n"))
                except ValueError as error:
                    problem = said("row-not-json", why=getattr(error, "msg", str(error)))
                    yield number, broken_row(path, number, problem, said("row-one-object"))

    return _table_of_objects(path, raw, values(), "line")


def _read_list(path: Path, raw: bytes) -> QuestionTable:
    text = text_of_table(path, raw)
    try:
        items = read_json_text(text)
    except ValueError as error:
        where, why = str(getattr(error, "lineno", 1)), getattr(error, "msg", str(error))
        raise InputError(said("error-not-json", path=path, where=where, why=why)) from None
    if items and isinstance(items, dict) and all(isinstance(one, dict) for one in items.values()):
        items = [{"id": name, **one} for name, one in items.items()]
    if not isinstance(items, list):
        raise InputError(said("error-not-list", path=path))
    return _table_of_objects(path, raw, enumerate(items, 1), "row")


def _table_of_objects(
    path: Path, raw: bytes, values: Iterable[tuple[int, Any]], unit: str
) -> QuestionTable:
    """The table of numbered objects; a `Fault` in the place of one is a broken row."""
    columns: dict[str, None] = {}
    rows: list[TableRow] = []
    broken: list[Fault] = []
    keeper = Keeper()
    for number, value in values:
        if isinstance(value, Fault):
            broken.append(value)
        elif not isinstance(value, dict):
            remedy = 'write {"question": ..., ...}'
            broken.append(broken_row(path, number, "not an object", remedy))
        elif value:
            columns.update(dict.fromkeys(value))
            rows.append(TableRow(number, keeper.line(tuple(value), value.values())))
    return QuestionTable(path, _digest(raw), tuple(columns), rows, broken, unit)


def _read_spreadsheet(path: Path, raw: bytes, sheet: str | None) -> QuestionTable:
    """The one sheet of a spreadsheet that holds anything, or the one that is named."""
    calamine = imported("python_calamine", "python-calamine", "questions")
    if raw.startswith(b"PK"):
        with opened_zip(path) as packed:
            _refuse_vast(path, packed)
    try:
        book = calamine.load_workbook(str(path))
        sheets = {n: book.get_sheet_by_name(n) for n in book.sheet_names}
        filled = {n: each.to_python(skip_empty_area=False) for n, each in sheets.items()}
    except Exception as error:  # every format has errors of its own, without a common class
        reason = " ".join(str(error).split())
        raise InputError(said("error-spreadsheet", path=path, why=reason)) from None
    filled = {name: cells for name, cells in filled.items() if any(map(any, cells))}
    if sheet is None and len(filled) > 1:
        raise InputError(said("error-sheets", path=path, names=filled))
    if not filled:
        raise InputError(said("error-empty", path=path))
    if sheet is not None and sheet not in filled:
        raise InputError(
            said("error-sheet", name=sheet, path=path, hint=did_you_mean(sheet, filled))
        )
    cells = filled[sheet] if sheet else next(iter(filled.values()))
    lines = _written(cells)
    names = tuple(_names(path, [str(cell) for cell in next(lines)[1]]))
    keeper = Keeper()
    rows = [TableRow(line, keeper.line(names, row)) for line, row in lines]
    return QuestionTable(path, _digest(raw), tuple(filter(None, names)), rows, unit="row")


def _refuse_vast(path: Path, packed: zipfile.ZipFile) -> None:
    """Refuse a sheet with far more room than cells: a reader makes room for every one of them.

    Excel's sheets say where each cell stands; OpenDocument's say how often one is repeated.
    """
    for part in packed.infolist():
        if re.fullmatch(r"xl/worksheets/[^/]+\.xml", part.filename, re.IGNORECASE):
            places = {place.groups() for place in _PLACE.finditer(packed.read(part))}
            width = max((_column(letters) for letters, _ in places), default=0)
            height = max((int(row) for _, row in places), default=0)
        elif part.filename == "content.xml":
            rows = [
                (int(row[1] or 1), sum(int(cell[1] or 1) for cell in _VALUE_CELL.finditer(row[2])))
                for row in _ODS_ROW.finditer(packed.read(part))
            ]
            width = max((cells for _, cells in rows), default=0)
            height = sum(times for times, cells in rows if cells)
        else:
            continue
        if width * height > _MOST_CELLS:
            raise InputError(
                said("table-large", path=path, height=height, width=width, most=_MOST_CELLS)
            )


def _column(letters: bytes) -> int:
    """The number of a column: A is 1, XFD 16,384."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - 64
    return number


def _written(cells: Sequence[Sequence[Any]]) -> Iterator[tuple[int, list[Any]]]:
    """The rows of a sheet that hold anything, with their numbers; dates and times as text."""
    for number, row in enumerate(cells, 1):
        plain = [
            str(cell) if isinstance(cell, datetime.date | datetime.time | datetime.timedelta)
            else cell
            for cell in row
        ]  # fmt: skip
        if any(cell != "" for cell in plain):
            yield number, plain


STEMS = "甲乙丙丁戊己庚辛壬癸"
"""What Chinese examinations count by where others take A, B, C."""
LETTER_OF = str.maketrans(
    STEMS + "".join(map(chr, range(0xFF21, 0xFF3B))), "ABCDEFGHIJ" + string.ascii_uppercase
)
"""The letters that stems stand for, and those that a Chinese keyboard writes in full width."""
_LETTERED = re.compile(rf"(?:(?:option|choice|answer|alternative|选项|备选)_?)?([a-z{STEMS}])")
_NUMBERED = re.compile(r"(?:option|choice|alternative|选项|备选)_?(\d{1,2})")

_LINE_OF_SHEET = re.compile(r"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]++")


def refuse(fault: Fault) -> None:
    """Raise `InputError` for `fault`."""
    at = f"{fault.path}:{fault.line}"
    raise InputError(fault_said(at, fault))


def fault_said(at: str, fault: Fault) -> Said:
    """Say of a row, which stands `at` a place, what is wrong and how to mend it."""
    what, fix = map(worded, (fault.problem, fault.remedy))
    return said("error-row", at=at, item=fault.id or None, problem=what, remedy=fix)


_MOST_LINES, _MOST_APART = 10, 3


def faults_said(faults: Iterable[Fault], unit: str, whole: bool = False) -> list[Said]:
    """Say of each kind of fault once what is wrong, in which rows, and how to mend it.

    With `whole` every row is named, and faults that differ in what they say stand apart.
    """
    kinds: dict[object, list[Fault]] = {}
    for fault in sorted(faults, key=lambda fault: fault.line):
        texts = fault.problem, fault.remedy
        kinds.setdefault(str(texts) if whole else tuple(map(_kind_of, texts)), []).append(fault)
    told = []
    for each in kinds.values():
        first, *apart = grouped((repr(one.problem), one) for one in each).values()
        others = [
            said("fault-own", problem=worded(own[0].problem), rows=_rows(own, unit, whole))
            for own in apart[:_MOST_APART]
        ]
        if rest := [one for own in apart[_MOST_APART:] for one in own]:
            others.append(_rows(rest, unit, whole))
        what, fix = map(worded, (first[0].problem, first[0].remedy))
        rows = _rows(first, unit, whole)
        told.append(said("fault-kind", problem=what, rows=rows, others=others or None, remedy=fix))
    return told


def _kind_of(text: Text) -> object:
    """What a text says of whatever row: messages by their names."""
    if not isinstance(text, Said):
        return str(text)
    return text.name, *(_kind_of(fact) for fact in text.facts.values() if isinstance(fact, Said))


def _rows(faults: Sequence[Fault], unit: str, whole: bool) -> Said:
    lines = [str(fault.line) for fault in faults]
    most = len(lines) if whole else _MOST_LINES
    return said("fault-rows", unit=unit, lines=lines[:most], n=len(lines), more=len(lines) > most)


def worded(text: Text) -> Said | InputError:
    """Return words of ours as a fact of an error; English ones have the whole said in English."""
    return text if isinstance(text, Said) else InputError(text)


def read_rows(path: Path) -> tuple[str, Iterator[tuple[int, list[str]]]]:
    """The rows of a CSV file.

    Parameters
    ----------
    path : Path
        UTF-8, with or without a byte order mark.

    Returns
    -------
    sha256 : str
        Of the file's bytes, in hexadecimal.
    rows : iterator of (int, list of str)
        Each row that is not empty, with the line on which it begins, from 1: quoted fields may
        hold line ends.

    Raises
    ------
    InputError
        The file cannot be read or is not UTF-8; while iterating: it is not CSV.
    """
    with reworded(said("error-may-read", path=path, why="")):
        raw = read_regular(path)
    return hashlib.sha256(raw).hexdigest(), parse_rows(path, decode(path, raw))


def decode(path: Path, raw: bytes) -> str:
    """The text of a file in UTF-8. Raises `InputError`, with the line, for any other."""
    refuse_binary(path, raw)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        names = ("CP1252", "GBK") if looks_western(raw) else ("GBK", "CP1252")
        ways = [f"iconv -f {name} -t UTF-8 {path.name} > utf8.csv" for name in names]
        facts = {"path": path, "line": str(line), "way": ways[0], "other": ways[1]}
        raise InputError(said("error-not-utf8", likely=names[0], **facts)) from error


_HIGH = re.compile(rb"[\x80-\xff]+")


def looks_western(raw: bytes) -> bool:
    """Tell whether bytes above 127 mostly stand alone, as accented letters do.

    A Chinese character takes two of them, and one seldom comes without another beside it.
    """
    runs = [len(found) for found in _HIGH.findall(raw)]
    return sum(length == 1 for length in runs) * 2 > len(runs)


def parse_rows(
    path: Path, text: str, delimiter: str = ",", begins: int = 1
) -> Iterator[tuple[int, list[str]]]:
    """Yield rows as the second of `read_rows`, for `delimiter`; `begins` numbers line 1."""
    # An io.StringIO would hold the text once more, four bytes a character.
    lines = (match[0] for match in _LINE_OF_SHEET.finditer(text))
    # The text is in memory: a whole score in one cell is no reason to refuse it.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    first = begins
    try:
        for row in reader:
            if row:
                yield begins, row
            begins = first + reader.line_num
    except csv.Error as error:
        facts = {"path": path, "line": str(begins), "why": str(error)}
        raise InputError(said("error-not-csv", **facts)) from error


def option_columns(names: Mapping[str, str]) -> tuple[str, ...]:
    """Columns that hold one option each: A, B, ..., 甲, 乙, ... or option_1, ...; in that order.

    Parameters
    ----------
    names : mapping of str to str
        Columns to the same in small letters, with ``_`` for blanks.
    """
    letters: dict[str, str] = {}
    numbers: dict[int, str] = {}
    for name, plain in names.items():
        if match := _LETTERED.fullmatch(plain):
            letters.setdefault(match[1].translate(LETTER_OF).lower(), name)
        elif match := _NUMBERED.fullmatch(plain):
            numbers.setdefault(int(match[1]), name)
    if "a" in letters and "b" in letters:
        return tuple(letters[letter] for letter in sorted(letters))
    return tuple(numbers[number] for number in sorted(numbers)) if len(numbers) > 1 else ()
