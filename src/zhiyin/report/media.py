"""Recordings and pictures for the page: checked against their hash; waveforms in outline.

Plug-ins draw what stands in the words of a trial, such as a tune (`Engravings`).
"""

from __future__ import annotations

import contextlib
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from zhiyin import extensions
from zhiyin.errors import InputError
from zhiyin.files import cache_folder, read_regular, write_atomically
from zhiyin.picture import format_of
from zhiyin.trial import Audio, Image, Trial
from zhiyin.words import Said, said

POINTS = 240
"""How many points the outline of a waveform has."""

_TYPES = {
    b"RIFF": ("wav", "audio/wav"),
    b"fLaC": ("flac", "audio/flac"),
    b"OggS": ("ogg", "audio/ogg"),
    b"ID3": ("mp3", "audio/mpeg"),
}
_PAGE_RATE = 22050


class PlayableRecording(msgspec.Struct, frozen=True):
    """The bytes of a recording, how a browser calls its format, and its waveform.

    `peaks` are the largest magnitudes of `POINTS` equal parts, 0 to 100; `seconds` the length.
    """

    data: bytes
    suffix: str
    mime: str
    seconds: float
    peaks: list[int]


def open_recording(sound: Audio, cache: Path) -> PlayableRecording | None:
    """A recording that a record names, in a format that browsers play.

    Returns
    -------
    PlayableRecording or None
        None where the file is gone, is another than was played, or is not audio.
    """
    data = _read_same(sound)
    if data is None:
        return None
    try:
        seconds, peaks = _outline(data, sound.sha256, cache)
        suffix, mime = _type(data)
        if not mime:
            data, suffix, mime = as_mp3(data), "mp3", "audio/mpeg"
    except InputError:
        return None
    return PlayableRecording(data, suffix, mime, seconds, peaks)


def recordings(
    sounds: Mapping[str, Audio],
    wanted: Iterable[str],
    fitted: Callable[[PlayableRecording], PlayableRecording],
) -> Iterator[tuple[str, PlayableRecording]]:
    """The recordings that are wanted and still there, by their SHA-256.

    `fitted` makes of each what the page is given; it runs in several threads at once.
    """
    cache = cache_folder("waveforms")

    def one(sha256: str) -> tuple[str, PlayableRecording | None]:
        recording = open_recording(sounds[sha256], cache)
        return sha256, recording and fitted(recording)

    with ThreadPoolExecutor(2) as pool:
        for sha256, recording in pool.map(one, sorted(wanted)):
            if recording is not None:
                yield sha256, recording


def bytes_of(sounds: Mapping[str, Audio], wanted: Iterable[str]) -> int:
    """Sum the sizes of some recordings' files in bytes; a missing one counts nothing."""
    held = 0
    for sha256 in wanted:
        with contextlib.suppress(OSError, ValueError):  # a name that no file can have
            held += Path(sounds[sha256].path).stat().st_size
    return held


class SoundEntry(msgspec.Struct, frozen=True):
    """A recording as a page knows it: its address, and what `PlayableRecording` has."""

    url: str
    seconds: float
    peaks: list[int]

    @classmethod
    def of(cls, url: str, recording: PlayableRecording) -> SoundEntry:
        """Make the entry of a recording with an address."""
        return cls(url, recording.seconds, recording.peaks)


class Shown(msgspec.Struct, frozen=True):
    """The bytes of a picture and how a browser calls its format; width and height in pixels."""

    data: bytes
    suffix: str
    width: int
    height: int

    @property
    def mime(self) -> str:
        """The media type."""
        return f"image/{self.suffix}"


def open_picture(image: Image) -> Shown | None:
    """A picture that a record names; None where it is gone, another, or in no safe format."""
    data = _read_same(image)
    form = "" if data is None else format_of(data)
    return Shown(data, form, image.width, image.height) if data is not None and form else None


def open_pictures(
    pictures: Mapping[str, Image], wanted: Iterable[str]
) -> Iterator[tuple[str, Shown]]:
    """The pictures that are wanted and still there, by their SHA-256."""
    for sha256 in sorted(wanted):
        if shown := open_picture(pictures[sha256]):
            yield sha256, shown


class PictureEntry(msgspec.Struct, frozen=True):
    """A picture as a page knows it: its address, its size in pixels."""

    url: str
    width: int
    height: int

    @classmethod
    def of(cls, url: str, shown: Shown) -> PictureEntry:
        """Make the entry of a picture with an address."""
        return cls(url, shown.width, shown.height)


def _read_same(medium: Audio | Image) -> bytes | None:
    """The bytes that a record names; None where the file is gone or is another by now."""
    try:
        data = read_regular(medium.path)
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == medium.sha256 else None


def as_mp3(data: bytes) -> bytes:
    """A recording as MP3, mono, 22,050 Hz: small enough that one page can hold hundreds."""
    import soundfile

    from zhiyin.sound import read_sound, resample

    sound = resample(read_sound(data), _PAGE_RATE)
    buffer = io.BytesIO()
    soundfile.write(buffer, sound.samples, sound.rate, format="MP3")
    return buffer.getvalue()


def small(recording: PlayableRecording) -> PlayableRecording:
    """A compressed copy (see `as_mp3`); what is compressed already stays."""
    if recording.suffix in ("mp3", "ogg"):
        return recording
    data = as_mp3(recording.data)
    return msgspec.structs.replace(recording, data=data, suffix="mp3", mime="audio/mpeg")


def _type(data: bytes) -> tuple[str, str]:
    """Suffix and MIME type by the first bytes; empty for what a browser may not play."""
    for magic, names in _TYPES.items():
        if data.startswith(magic):
            return names
    if data[0] == 0xFF and data[1] & 0xE0 == 0xE0:  # an MPEG frame without a tag before it
        return "mp3", "audio/mpeg"
    return "", ""


def _outline(data: bytes, sha256: str, cache: Path) -> tuple[float, list[int]]:
    """Length in seconds and peaks, from the cache where the sound has been seen before."""
    kept = cache / f"{sha256}.json"
    if kept.is_file():
        try:
            return msgspec.json.decode(kept.read_bytes(), type=tuple[float, list[int]])
        except msgspec.MsgspecError:
            kept.unlink(missing_ok=True)
    import numpy as np

    from zhiyin.sound import read_sound

    sound = read_sound(data)
    edges = np.linspace(0, len(sound.samples), POINTS, endpoint=False).astype(np.intp)
    heights = np.maximum.reduceat(np.abs(sound.samples), edges)
    loudest = float(heights.max())
    peaks = np.round(100 * heights / loudest).astype(int).tolist() if loudest else [0] * POINTS
    with contextlib.suppress(OSError):  # it is only slower without
        cache.mkdir(parents=True, exist_ok=True)
        write_atomically(kept, msgspec.json.encode((sound.seconds, peaks)))
    return sound.seconds, peaks


Progress = Callable[[int, int], None]
"""Is given how many of how many are done."""


def silent(done: int, of: int) -> None:
    """Tell nothing."""


class Engravings:
    """Names what can be drawn of trials, and draws it. This one draws nothing.

    A plug-in's is a subclass, declared in the group ``zhiyin.engravings``.

    Parameters
    ----------
    cache : Path
        A folder that is kept between reports.
    wanted : bool
        Whether anything is drawn at all.
    progress : callable
        Is told how far `finish` has come.

    Attributes
    ----------
    available : bool
        Whether what it draws with is installed.
    tunes : mapping
        What has been named, by name.
    """

    available = True
    tunes: Mapping[str, Any]

    def __init__(self, cache: Path, *, wanted: bool = True, progress: Progress = silent) -> None:
        self.tunes = {}

    def named(self, trial: Trial) -> list[tuple[str, str]]:
        """Labels and names of what can be drawn of a trial."""
        return []

    def start(self) -> None:
        """Draw in the background all that is named from now on."""

    def finish(self) -> None:
        """Wait until all that was named is drawn."""

    def stop(self) -> None:
        """Leave what is not drawn yet."""

    def engraving(self, name: str) -> bytes | None:
        """The SVG of what was named, drawn now if need be; None where it cannot be.

        Raises
        ------
        InputError
            Nothing has that name.
        """
        raise InputError(said("report-no-tune", name=repr(name)))

    def drawn(self) -> Iterator[tuple[str, bytes, str]]:
        """Yield each drawing's name, its SVG, and the notes in it ("onset,length,pitch;…")."""
        return iter(())

    def told(self, drawn: int) -> list[Said]:
        """Return notes where not all could be drawn."""
        return []


def open_engravings(cache: Path, *, wanted: bool = True, progress: Progress = silent) -> Engravings:
    """Open the engravings of the plug-in that draws; without one, those that draw nothing."""
    kinds = [*extensions.every(extensions.ENGRAVINGS).values()]
    made: Engravings = (kinds[0] if kinds else Engravings)(cache, wanted=wanted, progress=progress)
    return made
