"""Finds the recording of each track: in the published layout, by identifier, or in Parquet files.

Where a track is looked for, in this order, below the folder of the data:

1. ``sdd``: the ``path`` that ``sdd/song_describer.csv`` has for the ``track_id``, with
   ``.2min.mp3`` for ``.mp3``, below ``sdd/audio/``. ``musiccaps``: the row of
   ``musiccaps/musiccaps-public.csv`` with the ``ytid`` and ``start_s`` of the identifier, as
   ``musiccaps/audio/[ytid]-[start-end].wav``.
2. A file named after the identifier, with any ending, in ``audio/DATASET/`` or ``audio/``
   (``audio/415600.flac``, ``audio/musiccaps/YTID_0.wav``).
3. Rows of ``*.parquet`` or ``data/*.parquet`` that hold audio bytes (see `find_packed`).
"""

from __future__ import annotations

import hashlib
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from zhiyin.contract.parquet import open_parquet
from zhiyin.errors import InputError
from zhiyin.files import cache_folder, inside, one_form, write_cached
from zhiyin.plugins.benchmarks.muchomusic.questions import TrackQuestion
from zhiyin.plugins.benchmarks.recordings import Recording, files_by_stem, recording_at
from zhiyin.plugins.music.clips import read_columns
from zhiyin.reader.plain import fold
from zhiyin.words import said

SDD_CLIP = 120.0
"""Song Describer's clips last two minutes, or as long as a shorter track (section 3.2)."""
_AUDIO = ("audio", "context")
_QUESTION = ("question", "instruction")
_BYTES = ("binary", "large_binary", "binary_view")
"""Types of the field that holds a sound."""
_ROWS = 8
"""Rows that are unpacked at once: a few bytes can stand for many long cells."""
_LONGEST = 100_000
"""Characters of the longest text that is looked at."""


def find_recordings(data: Path, questions: Sequence[TrackQuestion]) -> dict[str, Recording]:
    """The recordings of the questions' tracks, by place (``sdd/415600``), as far as they are here.

    Raises
    ------
    InputError
        For a catalogue that cannot be read, two files for one identifier, or Parquet files that
        are needed while pyarrow is not installed.
    """
    wanted = dict.fromkeys(question.recording for question in questions)
    recordings: dict[str, Recording] = {}
    for finder in (_published, _by_identifier):
        for place, recording in finder(
            data, [place for place in wanted if place not in recordings]
        ):
            recordings.setdefault(place, recording)
    missing = [question for question in questions if question.recording not in recordings]
    if missing and (files := [*data.glob("*.parquet"), *data.glob("data/*.parquet")]):
        for place, name, unpack in find_packed(sorted(files), missing):
            recordings.setdefault(place, Recording(name, unpack))
    return {place: recordings[place] for place in wanted if place in recordings}


def _published(data: Path, places: Iterable[str]) -> Iterator[tuple[str, Recording]]:
    tracks = {place: place.partition("/") for place in places}
    song_describer = _catalogue(data / "sdd" / "song_describer.csv", ("track_id", "path"))
    songs = {row["track_id"]: row for row in song_describer}
    music_caps = _catalogue(
        data / "musiccaps" / "musiccaps-public.csv", ("ytid", "start_s", "end_s")
    )
    clips = {f"{row['ytid']}_{_whole(row['start_s'])}": row for row in music_caps}
    for place, (dataset, _, track) in tracks.items():
        if dataset == "sdd" and track in songs:
            name = songs[track]["path"].removesuffix(".mp3") + ".2min.mp3"
            path, declared = inside(data / "sdd" / "audio", name), _sdd_seconds(songs[track])
        elif dataset == "musiccaps" and track in clips:
            row = clips[track]
            start, end = _whole(row["start_s"]), _whole(row["end_s"])
            name = f"[{row['ytid']}]-[{start}-{end}].wav"
            path, declared = inside(data / "musiccaps" / "audio", name), _length(start, end)
        else:
            continue
        if path.is_file():
            yield place, recording_at(path, declared)


def _sdd_seconds(row: dict[str, str]) -> float | None:
    try:
        seconds = float(row["duration"])
    except (KeyError, ValueError):
        return None
    return min(SDD_CLIP, seconds) if seconds > 0 else None


def _length(start: str, end: str) -> float | None:
    """Seconds between two whole numbers of them."""
    try:
        return float(int(end) - int(start)) if start.isdecimal() else None
    except (ValueError, OverflowError):
        return None


def _whole(text: str) -> str:
    """Seconds as the file names have them: ``30.0`` is 30."""
    try:
        return str(int(float(text)))
    except (ValueError, OverflowError):
        return text


def _catalogue(path: Path, needed: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a data set's own table; none where the table is not there."""
    return read_columns(path, needed) if path.is_file() else []


def _by_identifier(data: Path, places: Iterable[str]) -> Iterator[tuple[str, Recording]]:
    folders: dict[str, dict[str, Path]] = {}
    for place in places:
        dataset, _, track = place.partition("/")
        for folder in (f"audio/{dataset}", "audio"):
            if folder not in folders:
                folders[folder] = files_by_stem(data / folder, endings=None, without=".2min")
            if found := folders[folder].get(one_form(track)):
                yield place, recording_at(found)
                break


def find_packed(
    files: Iterable[Path], questions: Sequence[TrackQuestion]
) -> Iterator[tuple[str, str, Callable[[], Path]]]:
    """Each track that a Parquet file holds: its place, a name for messages, and what unpacks it.

    A row belongs to a track by its ``dataset_identifier``, where there is that column; otherwise by
    the question in its ``question`` or ``instruction`` column, and, where several tracks are asked
    the same, by the right answer in ``answer``. A row that fits no track, or several, is left
    alone.

    Only the text columns are read here. A track is unpacked, together with all others in its
    row group, when it is first opened, into ``$ZHIYIN_CACHE/muchomusic``.

    Raises
    ------
    InputError
        Where pyarrow is not installed, or a file is not Parquet.
    """
    recognise = _TrackFinder(questions)
    taken: set[str] = set()
    for path in files:
        file = open_parquet(path, {*_AUDIO, *_QUESTION, "dataset_identifier", "answer"})
        audio = next((name for name in _AUDIO if _holds_sound(file.schema_arrow, name)), None)
        if audio is None:
            continue
        packed = _PackedFile(path, audio)
        for row, cells in enumerate(_text_rows(file)):
            place = recognise(cells)
            if place is not None and place not in taken:
                taken.add(place)
                packed.add(row, file)
                yield place, f"{path}, row {row + 1}", partial(packed.unpack, row)


class _PackedFile:
    """The wanted rows of one Parquet file."""

    def __init__(self, path: Path, column: str) -> None:
        self._path, self._column = path, column
        state = path.stat()
        self._label = f"{path.resolve()}:{state.st_size}:{state.st_mtime_ns}"
        self._groups: dict[int, tuple[int, int]] = {}
        self._wanted: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self._lock = threading.Lock()

    def add(self, row: int, file: Any) -> None:
        """Note that a row will be wanted, and in which row group it lies."""
        if not self._groups:
            first = 0
            for group in range(file.num_row_groups):
                count = file.metadata.row_group(group).num_rows
                self._groups.update({first + i: (group, i) for i in range(count)})
                first += count
        group, index = self._groups[row]
        self._wanted[group].append((row, index))

    def unpack(self, row: int) -> Path:
        """The file of a row in the cache; written there first, with its row group, if need be."""
        path = self._place(row)
        with self._lock:
            if not path.exists():
                self._unpack_group(self._groups[row][0])
        return path

    def _place(self, row: int) -> Path:
        name = hashlib.blake2b(f"{self._label}:{row}".encode(), digest_size=16).hexdigest()
        return cache_folder("muchomusic") / f"{name}.audio"

    def _unpack_group(self, group: int) -> None:
        file = open_parquet(self._path, {self._column})
        rows = {index: row for row, index in self._wanted[group]}
        packed = file.iter_batches(_ROWS, row_groups=[group], columns=[self._column])
        cells = (cell for batch in packed for cell in batch.column(0))
        for index, cell in enumerate(cells):
            row = rows.get(index)
            if row is None:
                continue
            value = cell.as_py()
            data = value.get("bytes") if isinstance(value, dict) else None
            if not data or not isinstance(data, bytes):
                raise InputError(
                    said("mucho-no-bytes", path=self._path, row=str(row + 1), column=self._column)
                )
            write_cached(self._place(row), data)


class _TrackFinder:
    """Finds the track that a row of text cells is about."""

    def __init__(self, questions: Sequence[TrackQuestion]) -> None:
        self._places = {question.track: question.recording for question in questions}
        self._asked: dict[str, list[TrackQuestion]] = defaultdict(list)
        for question in questions:
            self._asked[fold(question.text)].append(question)

    def __call__(self, cells: dict[str, Any]) -> str | None:
        identifier = _text(cells.get("dataset_identifier"))
        if identifier:
            return self._places.get(identifier.removesuffix(".json"))
        text = next((cells[name] for name in _QUESTION if cells.get(name)), "")
        fitting = self._asked.get(fold(_text(text)), [])
        if len({question.recording for question in fitting}) > 1:
            answer = fold(_text(cells.get("answer")))
            fitting = [q for q in fitting if fold(q.choices[0]) in answer]
        places = {question.recording for question in fitting}
        return places.pop() if len(places) == 1 else None


def _text(cell: Any) -> str:
    """A cell as text, also where it was stored as bytes; nothing for anything else."""
    if isinstance(cell, bytes):
        cell = cell.decode(errors="replace")
    return cell if isinstance(cell, str) and len(cell) <= _LONGEST else ""


def _holds_sound(schema: Any, name: str) -> bool:
    """Tell whether a column is a struct with a field ``bytes``."""
    if name not in schema.names:
        return False
    kind = schema.field(name).type
    names = [kind.field(i).name for i in range(kind.num_fields)]
    return "bytes" in names and str(kind.field(names.index("bytes")).type) in _BYTES


def _text_rows(file: Any) -> Iterator[dict[str, Any]]:
    names = [
        name
        for name in ("dataset_identifier", *_QUESTION, "answer")
        if name in file.schema_arrow.names
    ]
    for batch in file.iter_batches(_ROWS, columns=names):
        yield from batch.to_pylist()
