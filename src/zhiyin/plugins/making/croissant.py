"""Croissant metadata beside a set of questions: what its files hold, for catalogues and loaders.

Croissant 1.0 is the vocabulary of MLCommons for data sets in JSON-LD
(https://docs.mlcommons.org/croissant/docs/croissant-spec.html): every table as a file with its sum
and its columns, recordings and pictures as sets of files. No date is in it, so that the same seed
writes the same bytes.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.files import NOT_JSON, write_atomically
from zhiyin.parsing import read_beside

CROISSANT = "croissant.json"
_FORMATS = {
    ".jsonl": "application/jsonlines", ".csv": "text/csv", ".json": "application/json",
    ".md": "text/markdown", ".wav": "audio/wav", ".mp3": "audio/mpeg", ".flac": "audio/flac",
    ".ogg": "audio/ogg", ".mid": "audio/midi", ".png": "image/png", ".jpg": "image/jpeg",
    ".svg": "image/svg+xml", ".abc": "text/vnd.abc", ".musicxml": "application/xml",
}  # fmt: skip
_TABLES = (".jsonl", ".csv")
_LOOKED_AT = 1000
"""So many rows say what a column holds."""
_CONTEXT = read_beside(__file__, "croissant_context.json", dict[str, Any])


def write_croissant(
    folder: Path, name: str, description: str, licence: str, version: str = "1"
) -> Path:
    """Write ``croissant.json`` into a folder of questions, over what its files hold now.

    Parameters
    ----------
    folder : Path
        What lies in its ``private/`` is another set, and is not named.
    name, description, licence, version : str

    Returns
    -------
    Path
    """
    paths = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.name != CROISSANT
        and not path.relative_to(folder).as_posix().startswith(("private/", "."))
    ]
    described = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": description,
        "license": licence or "not stated",
        "version": f"{version}.0.0" if version.isdigit() else version,
        "distribution": [*_files(folder, paths)],
        "recordSet": [*_tables(folder, paths)],
    }
    data = msgspec.json.format(msgspec.json.encode(described), indent=1) + b"\n"
    place = folder / CROISSANT
    write_atomically(place, data)
    return place


def _files(folder: Path, paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """Files of the folder itself one by one; those of folders in it as sets."""
    sets: dict[tuple[str, str], int] = {}
    for path in paths:
        name = path.relative_to(folder).as_posix()
        kind = _FORMATS.get(path.suffix.lower(), "application/octet-stream")
        if "/" in name:
            where = (name.rpartition("/")[0], path.suffix)
            sets[where] = sets.get(where, 0) + 1
            continue
        yield {
            "@type": "cr:FileObject",
            "@id": name,
            "name": name,
            "contentUrl": name,
            "contentSize": f"{path.stat().st_size} B",
            "encodingFormat": kind,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
    for (within, suffix), count in sets.items():
        yield {
            "@type": "cr:FileSet",
            "@id": f"{within}/*{suffix}",
            "name": f"{within}/*{suffix}",
            "description": f"{count} files",
            "includes": f"{within}/*{suffix}",
            "encodingFormat": _FORMATS.get(suffix.lower(), "application/octet-stream"),
        }


def _tables(folder: Path, paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        if path.parent != folder or path.suffix not in _TABLES:
            continue
        columns = _columns(_rows(path))
        fields = [
            {
                "@type": "cr:Field",
                "@id": f"{path.stem}/{name}",
                "name": name,
                "dataType": kind,
                **({"repeated": True} if several else {}),
                "source": {"fileObject": {"@id": path.name}, "extract": {"column": name}},
            }
            for name, (kind, several) in columns.items()
        ]
        if fields:
            yield {"@type": "cr:RecordSet", "@id": path.stem, "name": path.stem, "field": fields}


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        lines: Iterable[Any] = csv.DictReader(file) if path.suffix == ".csv" else file
        for number, line in enumerate(lines):
            if number == _LOOKED_AT:
                return
            if isinstance(line, dict):
                yield line
                continue
            try:
                row = msgspec.json.decode(line)
            except NOT_JSON:
                continue
            if isinstance(row, dict):
                yield row


_KINDS: dict[type, str] = {
    bool: "sc:Boolean", int: "sc:Integer", float: "sc:Float", str: "sc:Text",
}  # fmt: skip


def _columns(rows: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, bool]]:
    """Map a column's name to its type, and whether it holds lists. Other objects are left out."""
    seen: dict[str, set[tuple[str, bool]]] = {}
    for row in rows:
        for name, value in row.items():
            several = isinstance(value, list)
            for one in value if several else [value]:
                if one is not None:
                    kind = _KINDS.get(type(one), "")
                    seen.setdefault(name, set()).add((kind, several))
    found = {}
    for name, kinds in seen.items():
        only = {kind for kind, _ in kinds}
        if "" in only:
            continue
        kind = only.pop() if len(only) == 1 else "sc:Text"
        if kinds <= {("sc:Integer", False), ("sc:Float", False)}:
            kind = "sc:Float" if len(kinds) > 1 else kind
        found[name] = kind, any(several for _, several in kinds)
    return found
