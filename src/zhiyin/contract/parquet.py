"""Parquet files, and folders that ``datasets`` wrote, as tables of questions. Needs pyarrow.

Recordings that are packed into the table (a struct with ``bytes``) are unpacked into the cache
under their hash, and the cell then holds their place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from zhiyin.archives import refuse_bomb
from zhiyin.contract.packed import unpacked
from zhiyin.contract.question_table import Keeper, QuestionTable, TableRow
from zhiyin.errors import InputError, did_you_mean, imported, reworded
from zhiyin.files import inside, read_json, read_regular

T = TypeVar("T")
_SPLITS = "dataset_dict.json"


@contextmanager
def _readable(path: Path, kind: str = "Parquet") -> Iterator[None]:
    """Raise `InputError` for what pyarrow says, whose own errors are of many kinds."""
    try:
        yield
    except _UNREAD as error:
        raise InputError(f"{path}: not a {kind} file ({_line(error)}); get it again") from None


_UNREAD = (OSError, ValueError, TypeError, LookupError, NotImplementedError, OverflowError)


def open_parquet(path: Path, columns: Collection[str] = ()) -> Any:
    """A Parquet file as pyarrow opens it, of which no row is read yet.

    Parameters
    ----------
    path : Path
    columns : collection of str
        What is to be read of it; by default all.

    Raises
    ------
    InputError
        pyarrow is not installed, it is no Parquet file, or what is to be read is huge unpacked.
    """
    parquet = imported("pyarrow.parquet", "pyarrow", "parquet")
    with _readable(path):
        file = parquet.ParquetFile(path)
        for group in map(file.metadata.row_group, range(file.num_row_groups)):
            for column in map(group.column, range(group.num_columns)):
                if not columns or column.path_in_schema.partition(".")[0] in columns:
                    packed, unpacked = column.total_compressed_size, column.total_uncompressed_size
                    refuse_bomb(path, column.path_in_schema, packed, unpacked)
    return file


def read_parquet(path: Path) -> QuestionTable:
    """A Parquet file. Raises `InputError` where it is none, or pyarrow is not installed."""
    file = open_parquet(path)
    with _readable(path):
        table = file.read()
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
    if (folder / _SPLITS).is_file():
        splits = _described(folder / _SPLITS, _Splits).splits
        if not splits:
            raise InputError(f"{folder / _SPLITS}: names no splits; save it again")
        if split is None and len(splits) > 1:
            raise InputError(f"{folder}: several splits: say --split NAME: {', '.join(splits)}")
        if split is not None and split not in splits:
            raise InputError(f"--split {split}: {folder}: {did_you_mean(split, splits)}")
        place = _inside(folder, split or splits[0])
    elif split is not None:
        raise InputError(f"--split {split}: {folder} has no splits; leave the flag out")
    state = _described(place / "state.json", _DatasetState)
    if state.indices or state.index_files:
        raise InputError(f"{place}: rows by an index: call flatten_indices() before save_to_disk")
    if not state.files:
        raise InputError(f"{place}: names no data files; save it again with save_to_disk")
    files = [_inside(place, one.filename) for one in state.files]
    return _table(folder, files, [_stream(file) for file in files])


class _Splits(msgspec.Struct):
    splits: list[str]


class _DataFile(msgspec.Struct):
    filename: str


class _DatasetState(msgspec.Struct):
    files: list[_DataFile] = msgspec.field(name="_data_files", default_factory=list)
    indices: Any = msgspec.field(name="_indices_data_files", default=None)
    index_files: Any = msgspec.field(name="_indices_files", default=None)


def _inside(folder: Path, name: str) -> Path:
    with reworded(f"{folder}: ", of=InputError):
        return inside(folder, name)


def _described(path: Path, kind: type[T]) -> T:
    """Read a description from a file of the folder. Raises `InputError`."""
    before, after = "cannot be read (", "); save it again with save_to_disk"
    with reworded(f"{path}: {before}", after):
        data = read_regular(path)
    return read_json(data, kind, str(path), f"{before}{{}}{after}")


def _stream(file: Path) -> Any:
    """A data file, whose columns may be packed. Raises `InputError`."""
    arrow, ipc = (imported(name, "pyarrow", "parquet") for name in ("pyarrow", "pyarrow.ipc"))
    batches = []
    with _readable(file, "data"):
        data, before = read_regular(file), arrow.total_allocated_bytes()
        reader = ipc.open_stream(data)
        for batch in reader:  # what is not packed takes no room of its own
            refuse_bomb(file, "", len(data), arrow.total_allocated_bytes() - before)
            batches.append(batch)
        return arrow.Table.from_batches(batches, reader.schema)


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
        names = _class_names(path, table.schema)
        for batch in table.to_batches(max_chunksize=256):
            with _readable(path):  # words that are no UTF-8, times that Python has not
                listed = batch.to_pylist()
            for cells in listed:
                values = [_cell(value, names.get(name)) for name, value in cells.items()]
                rows.append(TableRow(len(rows) + 1, keeper.line(tuple(cells), values)))
    return QuestionTable(path, digest.hexdigest(), tuple(columns), rows, unit="row")


class _Columns(msgspec.Struct):
    features: dict[str, Any] | None = None


class _Noted(msgspec.Struct):
    info: _Columns = msgspec.field(default_factory=_Columns)


class _ClassLabel(msgspec.Struct):
    names: list[str]


def _class_names(path: Path, schema: Any) -> dict[str, list[str]]:
    """The words behind the numbers of ``ClassLabel`` columns, by column. Raises `InputError`."""
    fault = "what it says of its columns cannot be read ({}); save it again"
    data = (schema.metadata or {}).get(b"huggingface", b"{}")
    features = read_json(data, _Noted, str(path), fault).info.features or {}
    with reworded(f"{path}: ClassLabel: ", "; save it again", of=msgspec.ValidationError):
        return {
            name: msgspec.convert(feature, _ClassLabel).names
            for name, feature in features.items()
            if isinstance(feature, dict) and feature.get("_type") == "ClassLabel"
        }


def _cell(value: Any, names: list[str] | None) -> Any:
    if names is not None and isinstance(value, int):
        return names[value] if 0 <= value < len(names) else None
    if isinstance(value, dict) and value.keys() == {"bytes", "path"}:
        return unpacked(value)
    if isinstance(value, list):
        return [_cell(each, names) for each in value]
    return value
