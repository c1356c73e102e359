"""Writes a report as one file that holds everything."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup

from zhiyin.errors import InputError
from zhiyin.files import Place, Places, as_paths, cache_folder, write_atomically
from zhiyin.report import media
from zhiyin.report.details import pictures_of, sounds_of
from zhiyin.report.front import PageNotes, page
from zhiyin.report.notation import Library, Progress, silent
from zhiyin.report.run_set import RunSet, not_listed
from zhiyin.report.writing import (
    SCRIPTS,
    Written,
    chunks,
    engravings,
    lost_pictures,
    overview_beside,
    page_data,
    picture_entry,
    recordings,
    remarks,
    sound_entry,
    summaries_of,
    uncollected,
)
from zhiyin.shown import pages
from zhiyin.words import said

_PACKED_BYTES = 50_000
"""Data that are larger than this are packed."""
_LEVEL = 3
"""A fifth larger than at level 6, in a third of the time."""
_SINGLE_SOUND_BYTES = 60_000_000
"""How much sound one file holds; a browser still opens that at once."""
_SINGLE_PICTURE_BYTES = 30_000_000
"""Likewise of pictures."""


def write_single(
    runs: Places,
    out: Place,
    *,
    sound: bool = True,
    notation: bool = True,
    progress: Progress = silent,
) -> Written:
    """Write a report as one HTML file with everything in it, sound as MP3.

    For small runs: a page that is mailed or kept. Parameters and errors as `write_folder`.
    """
    with uncollected():
        tunes = Library(cache_folder("notation"), wanted=notation, progress=progress)
        return _write_single(as_paths(runs), Path(out), tunes, sound)


def _write_single(runs: list[Path], out: Path, tunes: Library, sound: bool) -> Written:
    summaries = summaries_of(runs)
    run_set = RunSet(runs)
    coming = overview_beside(run_set, summaries(), lambda listed: _block("trials", listed))
    tunes.start()
    with ThreadPoolExecutor(2) as pool:
        try:
            trials = _Portions(run_set, tunes, pool)
            about, chapters, listed = coming()
            tunes.finish()
        except BaseException:
            tunes.stop()
            raise
        heard, shown = trials.heard, trials.shown
        sounds, left = _inline_sounds(run_set, heard) if sound else ({}, 0)
        pictures, left_out = _inline_pictures(run_set, shown) if sound else ({}, 0)
        engraved = list(engravings(tunes))
        notes = remarks(tunes, len(engraved), len(heard) - len(sounds) - left if sound else 0)
        if left:
            notes.append(said("left-out-recordings", n=left))
        notes += lost_pictures(len(shown) - len(pictures) - left_out if sound else 0)
        notes += not_listed(run_set)
        if left_out:
            notes.append(said("left-out-pictures", n=left_out))
        media_of = {"sounds": sounds, "pictures": pictures, "engraved": []}
        blocks = [
            _element("report", _inert(page_data(about, run_set) | media_of)),
            listed,
            _block("played", {name: played for name, _, played in engraved if played}),
            *trials.blocks({name: svg for name, svg, _ in engraved}),
        ]
    html = page(about, chapters, PageNotes(notes), _look(), Markup("".join(blocks)))
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, html.encode())
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}; choose another with -o") from None
    size = out.stat().st_size
    return Written(out, size, len(run_set.cases), len(sounds), len(engraved), notes)


class _Portions:
    """The trials for one file, packed beside all else; those with notation once it is engraved."""

    def __init__(self, run_set: RunSet, tunes: Library, pool: ThreadPoolExecutor) -> None:
        self.heard: set[str] = set()
        self.shown: set[str] = set()
        self._pool = pool
        self._made: dict[int, Future[str] | list[dict[str, Any]]] = {}
        for first, portion in chunks(run_set, tunes):
            self.heard |= sounds_of(portion) if run_set.sounds else set()
            self.shown |= pictures_of(portion) if run_set.pictures else set()
            waits = any(detail["notation"] for detail in portion)
            self._made[first] = portion if waits else self._pack(first, portion)

    def _pack(self, first: int, portion: list[dict[str, Any]]) -> Future[str]:
        for detail in portion:
            detail.setdefault("engraved", {})
        return self._pool.submit(_block, f"trials-{first}", portion)

    def blocks(self, engraved: dict[str, bytes]) -> Iterator[str]:
        """Each portion as an element, in order."""
        coming = []
        for first, made in self._made.items():
            if isinstance(made, list):
                for detail in made:
                    own = {
                        name: engraved[name] for _, name in detail["notation"] if name in engraved
                    }
                    detail["engraved"] = {name: svg.decode() for name, svg in own.items()}
                made = self._pack(first, made)
            coming.append(made)
        return (one.result() for one in coming)


def _inline_sounds(run_set: RunSet, heard: set[str]) -> tuple[dict[str, Any], int]:
    sounds: dict[str, Any] = {}
    size = left = 0
    for sha256, recording in recordings(run_set, heard):
        if size > _SINGLE_SOUND_BYTES:
            left += 1
            continue
        small = recording.suffix in ("mp3", "ogg")
        data = recording.data if small else media.as_mp3(recording.data)
        mime = recording.mime if small else "audio/mpeg"
        size += len(data)
        sounds[sha256] = sound_entry(recording, _data_url(data, mime))
    return sounds, left


def _inline_pictures(run_set: RunSet, names: set[str]) -> tuple[dict[str, Any], int]:
    pictures: dict[str, Any] = {}
    size = left = 0
    for sha256 in sorted(names):
        shown = media.open_picture(run_set.pictures[sha256])
        if shown is None:
            continue
        if size + len(shown.data) > _SINGLE_PICTURE_BYTES:
            left += 1
            continue
        size += len(shown.data)
        pictures[sha256] = picture_entry(shown, _data_url(shown.data, shown.mime))
    return pictures, left


def _data_url(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def _look() -> pages.Look:
    """Scripts and style in the page itself; only these may run, by their hash."""
    scripts = (pages.TONGUES, *(f"report/{name}" for name in SCRIPTS if name != pages.TONGUES))
    rules = "img-src data:; media-src data:"
    return pages.in_page(styles=("report/report.css",), scripts=scripts, rules=rules)


def _block(name: str, value: Any) -> str:
    """Data as an element that does nothing; what is large is packed."""
    text = msgspec.json.encode(value)
    if len(text) < _PACKED_BYTES:
        return _element(name, _inert(value))
    packed = base64.b64encode(gzip.compress(text, _LEVEL, mtime=0)).decode()
    return _element(name, packed, ' data-packed="gzip"')


def _element(name: str, text: str, more: str = "") -> str:
    return f'<script type="application/json" data-name="{name}"{more}>{text}</script>\n'


def _inert(value: Any) -> str:
    """JSON that cannot end the element that it stands in."""
    text = msgspec.json.encode(value).decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
