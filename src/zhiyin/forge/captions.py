"""Captions as people have them: a CSV file, JSON lines, or the folder of a published data set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import inside
from zhiyin.forge.items import Track
from zhiyin.forge.tables import Row, Table, list_of, read_table, text_of

NAMES: dict[str, tuple[str, ...]] = {
    "track": ("track_id", "track", "ytid", "clip_id", "song_id", "song", "id"),
    "caption": ("caption", "captions", "description", "text"),
    "recording": ("recording", "audio", "file_name", "audio_path", "path", "file"),
    "title": ("title", "track_title", "song_title"),
    "artist": ("artist", "artist_name", "artists", "performer"),
    "style": ("genre", "genres", "style"),
    "labels": ("aspect_list", "aspects", "labels", "tags"),
    "quality": ("quality", "audio_quality"),
    "licence": ("licence", "license"),
    "start": ("start_s",),
}
"""What a column may be called; a track may stand in several rows, with a caption in each."""
FOLDERS = ("song_describer.csv", "musiccaps-public.csv")
"""Files by which the folder of a published data set is known."""
_BALANCED = ("is_balanced_subset", "is_audioset_eval")
_SOUNDS = (".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a", ".aif", ".aiff")
_YES = frozenset({"1", "true", "yes"})


class Captions(msgspec.Struct, frozen=True):
    """The tracks of a source, and the SHA-256 of its table."""

    tracks: list[Track]
    sha256: str
    remarks: list[str]


def read_captions(path: Path, columns: Sequence[str] = (), audio: Path | None = None) -> Captions:
    """The tracks of a table, or of the folder of a published data set.

    Parameters
    ----------
    path : Path
        A file, or a folder that holds one of `FOLDERS` or a single table.
    columns : sequence of str
        Which column is what, such as ``caption=text``.
    audio : Path, optional
        Where the recordings lie; by default beside the table, or in ``audio`` there.

    Raises
    ------
    InputError
        There is no table, it cannot be read, or columns that are needed are not there.
    """
    path = _table_in(path) if path.is_dir() else path
    table = read_table(path)
    column_of = table.match(NAMES, columns, ("track", "caption"))
    for meaning in ("track", "caption"):
        if all(not text_of(row.cells.get(column_of[meaning])) for row in table.rows):
            raise InputError(
                f"{path}: its column {column_of[meaning]!r} is empty: name another one"
            )
    shelf = _Recordings(audio or path.parent)
    rows: dict[str, list[Row]] = {}
    nameless = 0
    for row in table.rows:
        name = _name(row, column_of)
        nameless += not name
        if name:
            rows.setdefault(name, []).append(row)
    tracks = [_track(name, lines, column_of, table, shelf) for name, lines in rows.items()]
    remarks = [f"rows without a track, left out: {nameless}"] if nameless else []
    return Captions(tracks, table.sha256, remarks)


def _table_in(folder: Path) -> Path:
    for name in FOLDERS:
        if (folder / name).is_file():
            return folder / name
    tables = sorted(
        p for p in folder.iterdir() if p.suffix.lower() in (".csv", ".tsv", ".jsonl", ".ndjson")
    )
    if len(tables) != 1:
        candidates = ", ".join(p.name for p in tables[:5]) or "no table"
        raise InputError(
            f"{folder}: which table holds the captions? there is {candidates}: name the file"
        )
    return tables[0]


def _name(row: Row, columns: dict[str, str]) -> str:
    """A track's name; of a part of a recording, with its beginning in seconds."""
    name = text_of(row.cells.get(columns["track"]))
    start = text_of(row.cells.get(columns["start"])) if "start" in columns else ""
    return f"{name}_{start}" if name and start else name


def _track(
    name: str, rows: list[Row], columns: dict[str, str], table: Table, shelf: _Recordings
) -> Track:
    def cells(meaning: str) -> Iterator[object]:
        return (row.cells.get(columns[meaning]) for row in rows if meaning in columns)

    def first(meaning: str) -> str:
        return next((text for cell in cells(meaning) if (text := text_of(cell))), "")

    captions = []
    for cell in cells("caption"):
        listed = isinstance(cell, list)
        captions += list(list_of(cell)) if listed else [text_of(cell)]
    outside = ""
    if table.path.name in FOLDERS:
        flags = [text_of(rows[0].cells.get(flag)).lower() for flag in _BALANCED]
        if set(_BALANCED) <= set(table.columns) and not set(flags) <= _YES:
            outside = "not in the balanced part of the test split"
    return Track(
        id=name,
        captions=tuple(dict.fromkeys(text for text in captions if text)),
        recording=shelf.find(first("recording"), name),
        title=first("title"),
        artist=first("artist"),
        style=first("style").split("---")[0].strip("[]'\" "),
        labels=tuple(dict.fromkeys(word for cell in cells("labels") for word in list_of(cell))),
        quality=first("quality"),
        licence=first("licence"),
        dataset=table.path.stem,
        outside=outside,
    )


class _Recordings:
    """Where recordings lie: under the path that is written, or under the track's name."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._by_stem: dict[str, Path] = {}
        for folder in (root, root / "audio"):
            if folder.is_dir():
                for path in sorted(
                    folder.rglob("*") if folder.name == "audio" else folder.iterdir()
                ):
                    if path.suffix.lower() in _SOUNDS:
                        self._by_stem.setdefault(path.stem, path)

    def find(self, written: str, track: str) -> str:
        if written and (path := inside(self.root, written)).is_file():
            return str(path)
        if written and not Path(written).is_absolute():
            path = self.root / "audio" / written
            if path.is_file():
                return str(path)
        stems = (Path(written).stem, track) if written else (track,)
        for stem in stems:
            for name in (stem, f"{stem}.2min", re.sub(r"[^\w.-]", "_", stem)):
                if name in self._by_stem:
                    return str(self._by_stem[name])
        return ""
