"""Files of questions as tables: names of columns, and rows with the place where each stands.

========================  ===================================================================
``.csv .tsv .txt``        cells parted by comma, semicolon, tab or bar; UTF-8 or UTF-16
``.jsonl .ndjson``        an object a line; ``.json``: one list of objects
``.parquet``, a folder    what ``datasets`` wrote: needs pyarrow (extra ``parquet``)
``.xlsx .xlsm .xls .ods`` a spreadsheet: needs python-calamine (extra ``questions``)
========================  ===================================================================

Recordings that are packed into the table (a struct with ``bytes``) are unpacked into the cache
under their hash, and the cell then holds their place.
"""

from __future__ import annotations

import codecs
import contextlib
import datetime
import hashlib
import importlib
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.arguments import SUFFIXES, is_dataset
from zhiyin.contract.sheets import Fault, decode, parse_rows
from zhiyin.errors import InputError, did_you_mean, missing_package
from zhiyin.files import cache_folder, refuse_bomb, write_cached

DELIMITED = (".csv", ".tsv", ".txt")
LINES = (".jsonl", ".ndjson")
SPREADSHEETS = (".xlsx", ".xlsm", ".xls", ".ods")
_DELIMITERS = (",", ";", "\t", "|")
_MOST_CELLS = 10_000_000
_LINE = re.compile(r"[^\n]*+\n|[^\n]++")
_SHORT, _MOST_KNOWN = 40, 5_000
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


class MediaFile(msgspec.Struct, frozen=True):
    """Where a file lies, and what it is called: its path from the root, the same for all."""

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


def broken_row(path: Path, line: int, problem: str, remedy: str) -> Fault:
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
    """

    path: Path
    sha256: str
    columns: tuple[str, ...]
    rows: list[TableRow]
    broken: list[Fault] = []
    unit: str = "line"

    def at(self, line: int) -> str:
        """Where a row stands, as messages say it."""
        return f"{self.path}:{line}" if self.unit == "line" else f"{self.path}, row {line}"


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
        raise InputError(f"{path}: no such file: give a file of questions (docs/how-to)")
    suffix = path.suffix.lower()
    _refuse_unused("--sheet", sheet, suffix in SPREADSHEETS, path)
    _refuse_unused("--split", split, path.is_dir(), path)
    if path.is_dir():
        if not is_dataset(path):
            raise InputError(
                f"{path}: a folder, but none that `datasets` wrote with save_to_disk: give the "
                "file of questions in it"
            )
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
        raise InputError(f"{path}: not a file of questions: it may end in {', '.join(SUFFIXES)}")
    return _not_empty(readers[suffix](path, _bytes_of(path)))


def _not_empty(table: QuestionTable) -> QuestionTable:
    """The same table. Raises `InputError` where it has no row, not even a broken one."""
    if not table.rows and not table.broken:
        below = " below the names of its columns" if table.columns else ""
        raise InputError(f"{table.path}: holds no question{below}: write one a {table.unit}")
    return table


def _refuse_unused(flag: str, value: str | None, used: bool, path: Path) -> None:
    if value is not None and not used:
        raise InputError(f"{flag} {value}: {path} has none; leave the flag out")


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: is it a file you may read?") from None


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def text_of_table(path: Path, raw: bytes) -> str:
    """UTF-8, or UTF-16 where a byte order mark says so (a spreadsheet's "Unicode text")."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return raw.decode("utf-16")
        except UnicodeDecodeError:
            raise InputError(f"{path}: damaged UTF-16: export it again as UTF-8") from None
    return decode(path, raw)


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
        raise InputError(
            f"{path}: is empty: its first line names the columns (question, ...)"
        ) from None
    names = tuple(_names(path, header))
    rows, broken = [], []
    keeper = Keeper()
    for line, cells in lines:
        if len(cells) > len(names) and any(cells[len(names) :]):
            problem = f"{len(cells)} cells, and the header names {len(names)}"
            broken.append(
                broken_row(path, line, problem, "put cells with the delimiter in them in quotes")
            )
        elif any(map(str.strip, cells)):
            rows.append(TableRow(line, keeper.line(names, cells)))
    return QuestionTable(path, _digest(raw), tuple(filter(None, names)), rows, broken)


def _delimiter(path: Path, text: str) -> str:
    """What parts the cells of the header: whichever gives most columns."""
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
            raise InputError(f"{path}: two columns are called {name!r}: rename one of them")
    return names


def _read_lines(path: Path, raw: bytes) -> QuestionTable:
    def values() -> Iterator[tuple[int, Any]]:
        lines = _LINE.finditer(text_of_table(path, raw))  # a list would hold the text once more
        for number, line in enumerate((match[0] for match in lines), 1):
            if line.strip():
                try:
                    yield number, json.loads(line.rstrip("\n"))
                except (ValueError, RecursionError) as error:
                    problem = f"not JSON ({getattr(error, 'msg', str(error))})"
                    yield number, broken_row(path, number, problem, "write one object a line")

    return _table_of_objects(path, raw, values(), "line")


def _read_list(path: Path, raw: bytes) -> QuestionTable:
    text = text_of_table(path, raw)
    try:
        items = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: not JSON ({error.msg})") from None
    except (ValueError, RecursionError) as error:  # a number or a nesting without end
        raise InputError(f"{path}: not JSON ({error})") from None
    if not isinstance(items, list):
        raise InputError(f"{path}: not a list: write [{{...}}, {{...}}], or a .jsonl file")
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
    try:
        calamine: Any = importlib.import_module("python_calamine")
    except ImportError:
        raise missing_package("python-calamine", "questions") from None
    if raw.startswith(b"PK"):
        with contextlib.suppress(zipfile.BadZipFile), zipfile.ZipFile(path) as packed:
            refuse_bomb(path, "", len(raw), sum(part.file_size for part in packed.infolist()))
            _refuse_vast(path, packed)
    try:
        book = calamine.load_workbook(str(path))
        sheets = {n: book.get_sheet_by_name(n) for n in book.sheet_names}
        filled = {n: each.to_python(skip_empty_area=False) for n, each in sheets.items()}
    except Exception as error:  # every format has errors of its own, without a common class
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: not a spreadsheet that can be read ({reason})") from None
    filled = {name: cells for name, cells in filled.items() if any(map(any, cells))}
    if sheet is None and len(filled) > 1:
        raise InputError(f"{path}: several sheets: say --sheet NAME: {', '.join(filled)}")
    if not filled:
        raise InputError(f"{path}: is empty: its first line names the columns (question, ...)")
    if sheet is not None and sheet not in filled:
        raise InputError(f"--sheet {sheet}: {path}: {did_you_mean(sheet, filled)}")
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
                f"{path}: a sheet of {height:,} rows by {width:,} columns, more than "
                f"{_MOST_CELLS:,} cells: delete what stands far from the table, or save it as CSV"
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


def read_parquet(path: Path) -> QuestionTable:
    """A Parquet file. Raises `InputError` where it is none, or pyarrow is not installed."""
    parquet = _import("pyarrow.parquet")
    try:
        file = parquet.ParquetFile(path)
        for group in map(file.metadata.row_group, range(file.num_row_groups)):
            for column in map(group.column, range(group.num_columns)):
                packed, unpacked = column.total_compressed_size, column.total_uncompressed_size
                refuse_bomb(path, column.path_in_schema, packed, unpacked)
        table = file.read()
    except (OSError, ValueError) as error:  # pyarrow's own errors are ValueErrors
        raise InputError(f"{path}: not a Parquet file ({_line(error)}); get it again") from None
    return _table(path, [path], [table])


def read_dataset(folder: Path, split: str | None) -> QuestionTable:
    """A folder that ``Dataset.save_to_disk`` or ``DatasetDict.save_to_disk`` wrote.

    Raises
    ------
    InputError
        There are several splits and none is named, the folder is damaged, or pyarrow is not
        installed.
    """
    place = folder
    if (folder / "dataset_dict.json").is_file():
        splits = _json(folder / "dataset_dict.json").get("splits") or []
        if split is None and len(splits) > 1:
            raise InputError(f"{folder}: several splits: say --split NAME: {', '.join(splits)}")
        if split is not None and split not in splits:
            raise InputError(f"--split {split}: {folder}: {did_you_mean(split, splits)}")
        place = folder / (split or splits[0])
    elif split is not None:
        raise InputError(f"--split {split}: {folder} has no splits; leave the flag out")
    state = _json(place / "state.json")
    if state.get("_indices_data_files") or state.get("_indices_files"):
        raise InputError(f"{place}: rows by an index: call flatten_indices() before save_to_disk")
    ipc = _import("pyarrow.ipc")
    files = [place / entry["filename"] for entry in state.get("_data_files", [])]
    tables = []
    for file in files:
        try:
            tables.append(ipc.open_stream(file.read_bytes()).read_all())
        except (OSError, ValueError) as error:
            raise InputError(f"{file}: cannot be read ({_line(error)}); save it again") from None
    if not tables:
        raise InputError(f"{place}: names no data files; save it again with save_to_disk")
    return _table(folder, files, tables)


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise missing_package("pyarrow", "parquet") from None


def _json(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({_line(error)}); save it again") from None
    return content


def _line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _table(path: Path, files: Iterable[Path], tables: list[Any]) -> QuestionTable:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    columns: dict[str, None] = {}
    rows: list[TableRow] = []
    keeper = Keeper()
    for table in tables:
        columns.update(dict.fromkeys(table.schema.names))
        names = _class_names(table.schema)
        for batch in table.to_batches(max_chunksize=256):
            for cells in batch.to_pylist():
                values = [_cell(value, names.get(name)) for name, value in cells.items()]
                rows.append(TableRow(len(rows) + 1, keeper.line(tuple(cells), values)))
    return QuestionTable(path, digest.hexdigest(), tuple(columns), rows, unit="row")


def _class_names(schema: Any) -> dict[str, list[str]]:
    """The words behind the numbers of ``ClassLabel`` columns, by column."""
    noted = (schema.metadata or {}).get(b"huggingface")
    features = json.loads(noted)["info"]["features"] if noted else {}
    return {
        name: feature["names"]
        for name, feature in features.items()
        if isinstance(feature, dict) and feature.get("_type") == "ClassLabel"
    }


def _cell(value: Any, names: list[str] | None) -> Any:
    if names is not None and isinstance(value, int):
        return names[value] if 0 <= value < len(names) else None
    if isinstance(value, dict) and value.keys() == {"bytes", "path"}:
        return _unpacked(value)
    if isinstance(value, list):
        return [_cell(each, names) for each in value]
    return value


def _unpacked(value: dict[str, Any]) -> Any:
    if value["bytes"] is None:
        return value["path"]
    name = hashlib.sha256(value["bytes"]).hexdigest()
    path = cache_folder("questions") / name
    if not path.is_file():
        write_cached(path, value["bytes"])
    return MediaFile(path, value["path"] or name)


def find_table(data: str | None, files: Sequence[str], owner: str, home: str) -> Path:
    """The table of a benchmark's questions: a file that is named, or one in a folder.

    Parameters
    ----------
    data : str or None
        What the user gave.
    files : sequence of str
        Names in the order in which they are looked for, patterns such as ``*.parquet`` too.
    owner, home : str
        Whose table it is, and where it is published, for messages.

    Raises
    ------
    InputError
        Nothing is given, there is none, or one pattern fits several.
    """
    if not data:
        raise InputError(f"{owner} needs --data, the table of questions or its folder ({home})")
    place = Path(data)
    if place.is_file():
        return place
    for pattern in files:
        found = sorted(place.glob(pattern))
        if len(found) > 1:
            named = ", ".join(path.name for path in found[:3])
            raise InputError(f"{place}: {named}: which is it? name the file with --data")
        if found:
            return found[0]
    raise InputError(f"{place}: holds none of {', '.join(files)}; get it from {home}")
