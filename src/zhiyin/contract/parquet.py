"""Parquet files, and folders that ``datasets`` wrote, as tables of questions. Needs pyarrow.

Recordings that are packed into the table (a struct with ``bytes``) are unpacked into the cache
under their hash, and the cell then holds their place.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zhiyin.contract.packed import unpacked
from zhiyin.contract.question_table import Keeper, QuestionTable, TableRow
from zhiyin.errors import InputError, did_you_mean, imported
from zhiyin.files import refuse_bomb


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Raise `InputError` for what pyarrow says: its own errors are ValueErrors."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not a Parquet file ({_line(error)}); get it again") from None


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
    ipc = imported("pyarrow.ipc", "pyarrow", "parquet")
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
        return unpacked(value)
    if isinstance(value, list):
        return [_cell(each, names) for each in value]
    return value
