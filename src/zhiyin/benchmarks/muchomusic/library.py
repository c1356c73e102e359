"""Finds the recording of each track: in the published layout, by identifier, or in Parquet files.

Where a track is looked for, in this order, below the folder of the data:

1. ``sdd``: the ``path`` that ``sdd/song_describer.csv`` has for the ``track_id``, with
   ``.2min.mp3`` for ``.mp3``, below ``sdd/audio/``. ``musiccaps``: the row of
   ``musiccaps/musiccaps-public.csv`` with the ``ytid`` and ``start_s`` of the identifier, as
   ``musiccaps/audio/[ytid]-[start-end].wav``.
2. A file named after the identifier, with any ending, in ``audio/DATASET/`` or ``audio/``
   (``audio/415600.flac``, ``audio/musiccaps/YTID_0.wav``).
3. Rows of ``*.parquet`` or ``data/*.parquet`` that hold audio bytes (see `parquet`).
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from zhiyin.benchmarks.muchomusic.data import Question
from zhiyin.contract.recordings import Recording
from zhiyin.errors import InputError
from zhiyin.files import inside

SDD_CLIP = 120.0
"""Song Describer's clips last two minutes, or as long as a shorter track (section 3.2)."""


def find_recordings(data: Path, questions: Sequence[Question]) -> dict[str, Recording]:
    """The recordings of the questions' tracks, by place (``sdd/415600``), as far as they are here.

    Raises
    ------
    InputError
        For a catalogue that cannot be read, two files for one identifier, or Parquet files that
        are needed while pyarrow is not installed.
    """
    wanted = dict.fromkeys(question.place for question in questions)
    recordings: dict[str, Recording] = {}
    for finder in (_published, _by_identifier):
        for place, recording in finder(
            data, [place for place in wanted if place not in recordings]
        ):
            recordings.setdefault(place, recording)
    missing = [question for question in questions if question.place not in recordings]
    if missing and (files := [*data.glob("*.parquet"), *data.glob("data/*.parquet")]):
        from zhiyin.benchmarks.muchomusic.parquet import find_packed

        for place, name, unpack in find_packed(sorted(files), missing):
            recordings.setdefault(place, Recording(name, unpack))
    return {place: recordings[place] for place in wanted if place in recordings}


def _file(path: Path, declared: float | None = None) -> Recording:
    return Recording(str(path), lambda: path, declared)


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
            yield place, _file(path, declared)


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
    if not path.is_file():
        return []
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, restval="", strict=True)
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as CSV ({error}); get it again") from None
    header = list(reader.fieldnames or ())
    for name in needed:
        if rows and header.count(name) != 1:
            what = f"two columns {name}" if name in header else f"no column {name}"
            raise InputError(f"{path}, line 1: {what}; is it the published file?")
    return rows


def _by_identifier(data: Path, places: Iterable[str]) -> Iterator[tuple[str, Recording]]:
    shelves: dict[str, dict[str, Path]] = {}
    for place in places:
        dataset, _, track = place.partition("/")
        for folder in (f"audio/{dataset}", "audio"):
            if folder not in shelves:
                shelves[folder] = _shelf(data / folder)
            if track in shelves[folder]:
                yield place, _file(shelves[folder][track])
                break


def _shelf(folder: Path) -> dict[str, Path]:
    """The files of a folder by identifier: their names without the ending, or ``.2min`` and it."""
    shelf: dict[str, Path] = {}
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    for path in paths:
        if path.name.startswith(".") or not path.is_file():
            continue
        name = path.stem.removesuffix(".2min")
        if name in shelf:
            raise InputError(f"{path}: {shelf[name].name} is for {name} too; keep one of the two")
        shelf[name] = path
    return shelf
