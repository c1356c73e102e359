"""Parquet files, and folders that ``datasets`` wrote, as tables of questions. Needs pyarrow.

Recordings and pictures that are packed into the table (a struct with ``bytes``) are unpacked into
the cache under their hash, and the cell then holds their place.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from zhiyin.archives import refuse_bomb
from zhiyin.contract.question_table import Keeper, MediaFile, QuestionTable, TableRow, written
from zhiyin.errors import InputError, did_you_mean, imported, reworded
from zhiyin.files import cache_folder, inside, read_json, read_regular, write_cached
from zhiyin.words import said

T = TypeVar("T")
_SPLITS = "dataset_dict.json"


@contextmanager
def _readable(path: Path, kind: str = "Parquet") -> Iterator[None]:
    """Raise `InputError` for what pyarrow says, whose own errors are of many kinds."""
    try:
        yield
    except _UNREAD as error:
        raise InputError(said("parquet-kind", path=path, kind=kind, line=_line(error))) from None


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
            raise InputError(said("parquet-names-none", folder=folder / _SPLITS))
        if split is None and len(splits) > 1:
            raise InputError(said("parquet-splits", folder=folder, splits=splits))
        if split is not None and split not in splits:
            raise InputError(
                said("parquet-split", split=split, folder=folder, hint=did_you_mean(split, splits))
            )
        place = _inside(folder, split or splits[0])
    elif split is not None:
        raise InputError(said("parquet-no-splits", split=split, folder=folder))
    state = _described(place / "state.json", _DatasetState)
    if state.indices or state.index_files:
        raise InputError(said("parquet-index", place=place))
    if not state.files:
        raise InputError(said("parquet-no-files", place=place))
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
    with reworded(said("error-unread", path=path, remedy=said("save-again"), why="")):
        data = read_regular(path)
    return read_json(data, kind, str(path), said("save-again-unread", why=""))


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
    fault = said("save-again-columns", why="")
    data = (schema.metadata or {}).get(b"huggingface", b"{}")
    features = read_json(data, _Noted, str(path), fault).info.features or {}
    with reworded(said("save-again-labels", path=path, why=""), of=msgspec.ValidationError):
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


_DATA_URL = re.compile(r"\s*data:[^,]{0,200},", re.IGNORECASE)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{200,}={0,2}\s*")
_PATHS = ("path", "file", "file_name", "filename", "audio_path", "image_path", "src", "url")
_PACKED = ("bytes", "data", "base64", "b64", "b64_json", "url", "src")


def unpacked(value: Any) -> Any:
    """The file that a cell holds, or the path that it names; any other cell as it is.

    Packed is an object with ``bytes`` (also as base64 or numbers), with ``array`` and
    ``sampling_rate``, or with ``data``, as in requests; a data URL; or base64 by itself. An object
    with none of these names its file by ``path``; None where it holds no file at all.
    """
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = written(value.strip()) or value
    if isinstance(value, str):
        data = _decoded(value, _BASE64.fullmatch(value) is not None)
        return value if data is None else _kept(data, "")
    if not isinstance(value, dict):
        return value
    name = next((text for key in _PATHS if isinstance(text := value.get(key), str)), "")
    held = (_bytes(value.get(key), bare=key not in _PATHS) for key in _PACKED)
    if data := next(filter(None, held), None) or _as_wav(value):
        return _kept(data, "" if name.startswith("data:") else name)
    if name or all(each is None for each in value.values()):
        return name  # a path; or "", of a row without a recording
    inner = [each for each in value.values() if isinstance(each, dict)]
    return unpacked(inner[0]) if inner else None


def _bytes(value: Any, *, bare: bool) -> bytes | None:
    """Return the bytes in an entry of an object: given as such, as numbers or in letters."""
    if isinstance(value, str):
        return _decoded(value, bare)
    if isinstance(value, list) and all(type(n) is int and 0 <= n < 256 for n in value):
        return bytes(value)
    return value if isinstance(value, bytes) else None


def _decoded(text: str, bare: bool) -> bytes | None:
    """Decode a data URL, or base64 where that may stand alone; None for anything else."""
    url = _DATA_URL.match(text)
    if url is None and not bare:
        return None
    packed = text[url.end() :] if url else text
    with contextlib.suppress(ValueError):
        return base64.urlsafe_b64decode(packed.replace("+", "-").replace("/", "_"))
    return None


def _as_wav(value: dict[str, Any]) -> bytes | None:
    """The samples of an object, of one channel or several, as a WAV file; None for none."""
    import numpy as np
    import soundfile

    rate: Any = value.get("sampling_rate") or value.get("sample_rate")
    out = io.BytesIO()
    if not isinstance(value.get("array"), list):
        return None
    with contextlib.suppress(soundfile.SoundFileError, TypeError, ValueError):
        samples = np.asarray(value["array"], dtype=np.float64)
        samples = samples.T if samples.ndim == 2 and len(samples) < samples.shape[1] else samples
        soundfile.write(out, samples, int(rate), format="WAV", subtype="FLOAT")
        return out.getvalue()
    return None


def _kept(data: bytes, name: str) -> MediaFile:
    """The file in the cache, under the name that the table gives it, or its hash."""
    digest = hashlib.sha256(data).hexdigest()
    path = cache_folder("questions") / digest
    if not path.is_file():
        write_cached(path, data)
    return MediaFile(path, name or digest)
