"""Sounds and pictures as parts of requests: made in threads, shared, bounded in bytes.

Pictures are sent bit for bit, checked against the trial; sound is made by `zhiyin.models.playback`.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from zhiyin.errors import InputError, ModelError
from zhiyin.files import (
    NOT_JSON,
    UNFINISHED,
    cache_folder,
    cache_room,
    write_atomically,
    write_cached,
)
from zhiyin.models.playback import (
    AS_IT_IS,
    SentSound,
    SoundClip,
    SoundPolicy,
    load_clip,
    read_checked,
    read_same,
    recipe,
    refuse_longer,
    write_neutral,
)
from zhiyin.picture import FORMATS, MEND, MOST_BYTES, format_of
from zhiyin.trial import Audio, Image

if TYPE_CHECKING:
    from zhiyin.models.dialects import Dialect


_DEFAULT_GB = 4.0
_ABANDONED_S = 3600.0

_Stamp = tuple[int, int, int, str]


def cache_bytes() -> int:
    """Bytes that may be kept on the disk: ``$ZHIYIN_CACHE_GB``, or 4 GB. See `cache_room`."""
    return cache_room("ZHIYIN_CACHE_GB", _DEFAULT_GB)


class ClipCache:
    """Clips by what they are made of, in the folder ``clips`` of Zhiyin's cache.

    Several threads and processes may use the folder at once. An entry is whole or not there; a
    damaged one is made again; those not used for longest go first. Files that are sent as they
    are take no room here.

    Parameters
    ----------
    policy : SoundPolicy
    room : int, optional
        Bytes to keep; 0 keeps nothing. By default `cache_bytes`.

    Attributes
    ----------
    trouble : str
        Why nothing more is kept, where the folder cannot be written; else empty.
    """

    def __init__(self, policy: SoundPolicy, room: int | None = None) -> None:
        self._policy = policy
        self._room = cache_bytes() if room is None else room
        self._unchanged: dict[str, _Stamp] = {}
        self._lock = threading.Lock()
        self._written: int | None = None  # since the folder was last looked through
        self.trouble = ""

    def load(self, audio: Audio) -> SoundClip:
        """The clip for a sound, from the folder or newly made. Raises as `load_clip` does."""
        path = self._path(audio)
        clip = self._read(path) if self._room else None
        if clip is None:
            clip = load_clip(audio, self._policy)
            if clip.sent.sha256 != audio.sha256:
                self._keep(path, clip)
            return clip
        self._check_unchanged(audio)
        refuse_longer(audio, clip.seconds, self._policy)
        return clip

    def remarks(self) -> list[str]:
        """List what the user should know: a line if clips could not be kept on the disk."""
        return [f"clips were not kept for the next run: {self.trouble}"] if self.trouble else []

    def _path(self, audio: Audio) -> Path:
        name = hashlib.blake2b(recipe(audio, self._policy).encode(), digest_size=20).hexdigest()
        return cache_folder("clips") / name

    def _read(self, path: Path) -> SoundClip | None:
        """An entry, or None where there is none that is sound."""
        try:
            clip = msgspec.msgpack.decode(path.read_bytes(), type=SoundClip)
        except (OSError, *NOT_JSON):
            return None
        if hashlib.sha256(clip.data).hexdigest() != clip.sent.sha256:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # access times are not kept on most disks
        return clip

    def _check_unchanged(self, audio: Audio) -> None:
        """Read the recording to see that it is the trial's; once, as long as it is not touched."""
        stamp = None
        with contextlib.suppress(OSError):
            status = Path(audio.path).stat()
            stamp = (status.st_ino, status.st_size, status.st_mtime_ns, audio.sha256)
        if stamp is None or self._unchanged.get(audio.path) != stamp:
            read_checked(audio)
            if stamp is not None:
                self._unchanged[audio.path] = stamp

    def _keep(self, path: Path, clip: SoundClip) -> None:
        """Write an entry; a folder that cannot be written costs time and nothing else."""
        entry = msgspec.msgpack.encode(clip)
        if self.trouble or len(entry) > self._room // 2:
            return
        try:
            write_cached(path, entry)
        except InputError as error:
            self.trouble = str(error)
            return
        with self._lock:
            if self._written is not None:
                self._written += len(entry)
            if self._written is None or self._written > self._room // 20:
                self._written = 0
                _trim(path.parent, self._room - self._room // 20)


def _trim(folder: Path, room: int) -> None:
    """Delete the entries not used for longest until the rest fits, and what a crash left."""
    entries, now = [], time.time()
    with contextlib.suppress(OSError), os.scandir(folder) as scan:
        for entry in scan:
            with contextlib.suppress(OSError):
                stat = entry.stat()
                if not entry.name.startswith(UNFINISHED):
                    entries.append((stat.st_mtime_ns, stat.st_size, entry.path))
                elif now - stat.st_mtime > _ABANDONED_S:
                    Path(entry.path).unlink(missing_ok=True)
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= room:
            break
        with contextlib.suppress(OSError):
            Path(path).unlink(missing_ok=True)
            total -= size


_MB = 2**20
_AT_ONCE = max(2, min(4, os.cpu_count() or 2))
Medium = Audio | Image


class SentPicture(msgspec.Struct, frozen=True):
    """Facts about a picture that was sent; `sha256` is of its bytes."""

    format: str
    width: int
    height: int
    sha256: str


SentMedium = SentSound | SentPicture


class Picture(msgspec.Struct, frozen=True):
    """A picture ready to be sent: the bytes of a file, and what they are."""

    data: bytes
    sent: SentPicture

    @property
    def mime(self) -> str:
        """Its media type, such as "image/png"."""
        return f"image/{self.sent.format}"


def load_picture(image: Image) -> Picture:
    """The bytes of a picture, as they lie in its file.

    Raises
    ------
    ModelError
        When the file cannot be read, has changed since the trial was made, or is no picture that
        is sent.
    """
    data = read_same(image.path, image.sha256)
    form = format_of(data)
    if not form:
        raise ModelError(f"{image.path}: not a picture that is sent; {MEND}")
    if len(data) > MOST_BYTES:
        raise ModelError(f"{image.path}: more than {MOST_BYTES / 1e6:g} MB: make it smaller")
    return Picture(data, SentPicture(form, image.width, image.height, image.sha256))


def neutral_copy(medium: Audio | Image, folder: Path) -> Path:
    """A copy of a sound or a picture under a name that says nothing but its format.

    Asked again for the same, gives the same file. Raises `ModelError` as it is loaded.
    """
    if isinstance(medium, Audio):
        return write_neutral(medium, folder)
    image = medium
    name = hashlib.blake2b(image.sha256.encode(), digest_size=16).hexdigest()
    for form in FORMATS:
        if (existing := folder / f"{name}.{form.lower()}").exists():
            return existing
    picture = load_picture(image)
    path = folder / f"{name}.{picture.sent.format}"
    write_atomically(path, picture.data)
    return path


def data_url(medium: Audio | Image) -> tuple[str, str]:
    """A sound or a picture within an address, and its format. Raises `ModelError` as it is loaded.

    A sound is WAV or MP3, whatever its file is.
    """
    if isinstance(medium, Image):
        shown = load_picture(medium)
        mime, data, form = shown.mime, shown.data, shown.sent.format
    else:
        clip = load_clip(medium)
        data, form = clip.data, clip.sent.format
        mime = "audio/mpeg" if form == "mp3" else "audio/wav"
    return f"data:{mime};base64,{base64.b64encode(data).decode()}", form


class MediaPart(NamedTuple):
    """A clip or a picture as JSON for a chat message, and what it is."""

    json: msgspec.Raw
    sent: SentMedium


def logged(sent: Sequence[SentMedium]) -> dict[str, object]:
    """Return a reply's detail on sounds (seconds in all, and of each what was sent) and pictures.

    Parameters
    ----------
    sent : sequence of SentSound and SentPicture

    Returns
    -------
    dict
        Empty where nothing but words was sent.
    """
    if not sent:
        return {}
    clips = [one for one in sent if isinstance(one, SentSound)]
    pictures = [one for one in sent if isinstance(one, SentPicture)]
    detail: dict[str, object] = {}
    if clips:
        detail = {
            "audio_seconds": round(sum(clip.seconds for clip in clips), 3),
            "audio_sha256": [clip.sha256 for clip in clips],
            "audio_format": [clip.format for clip in clips],
            "audio_rate": [clip.rate for clip in clips],
            "audio_channels": [clip.channels for clip in clips],
        }
    if pictures:
        detail["image_sha256"] = [picture.sha256 for picture in pictures]
        detail["image_format"] = [picture.format for picture in pictures]
        detail["image_pixels"] = [[picture.width, picture.height] for picture in pictures]
    return detail


class Hold:
    """The sounds and pictures of one request, and the room that they take until it has been sent.

    Attributes
    ----------
    parts : list of MediaPart
        In the order asked for. Whoever has written them clears the list, so that they are not
        in memory twice.
    sent : list of SentSound and SentPicture
    size : int
        Bytes of JSON; 0 once released.
    """

    def __init__(self, parts: list[MediaPart], room: Room) -> None:
        self.parts = parts
        self.sent = [part.sent for part in parts]
        self.size, self._room = sum(len(part.json) for part in parts), room

    def release(self) -> None:
        """Give the room back. May be called again."""
        self.parts.clear()
        self._room.give(self.size)
        self.size = 0


class Room:
    """Pool of bytes, taken and given back; who comes first is served first.

    Parameters
    ----------
    size : int
        Bytes. What is larger by itself is let in when nothing else is there.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._turn, self._given = asyncio.Lock(), asyncio.Event()
        self.used = 0

    async def take(self, size: int) -> None:
        """Wait until there is room for `size` bytes, and take it."""
        async with self._turn:
            while self.used and self.used + size > self._size:
                self._given.clear()
                await self._given.wait()
            self.used += size

    def give(self, size: int) -> None:
        """Give back `size` bytes."""
        self.used -= size
        self._given.set()


class MediaParts:
    """Sounds and pictures as message parts, made in threads and kept while there is room.

    Several questions about one recording, asked one after another or at once, encode it once.
    Memory holds what is kept, what is on its way, and what a few threads are making: how many
    sounds a run has, and how many requests wait for a reply, does not matter.

    Parameters
    ----------
    writer : Dialect
        How sounds and pictures are written.
    policy : SoundPolicy
    kept : int
        Bytes of JSON to keep; the sound not used for longest goes first.
    sending : int
        Bytes of JSON that requests may hold at once while they are being sent.

    Attributes
    ----------
    bytes : int
        Bytes of JSON kept.
    """

    def __init__(
        self,
        writer: Dialect,
        policy: SoundPolicy = AS_IT_IS,
        kept: int = 64 * _MB,
        sending: int = 128 * _MB,
    ) -> None:
        self._writer = writer
        self._clips = ClipCache(policy)
        self._room = kept
        self._sending = Room(sending)
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self._kept: OrderedDict[Medium, MediaPart] = OrderedDict()
        self._making: dict[Medium, asyncio.Task[MediaPart]] = {}
        self.bytes = 0

    async def hold(self, media: Sequence[Medium]) -> Hold:
        """The parts for a request's sounds and pictures, once there is room to send them.

        Raises
        ------
        ModelError
            As `load_clip` and `load_picture`.
        """
        async with self._gate:  # so that few sounds wait for room, and not one for each request
            hold = Hold([await self.get(medium) for medium in media], self._sending)
            await self._sending.take(hold.size)
        return hold

    async def get(self, medium: Medium) -> MediaPart:
        """The part for a sound or a picture. Raises `ModelError` as they are loaded."""
        part = self._kept.get(medium)
        if part is not None:
            self._kept.move_to_end(medium)
            return part
        making = self._making.get(medium)
        if making is None:
            making = self._making[medium] = asyncio.create_task(self._make(medium))
        # Whoever is cancelled must not take the sound away from others who wait for it.
        return await asyncio.shield(making)

    def remarks(self) -> list[str]:
        """List what the user should know: a line if clips could not be kept on the disk."""
        return self._clips.remarks()

    async def _make(self, medium: Medium) -> MediaPart:
        try:
            part = await asyncio.to_thread(self._load, medium)
        finally:
            del self._making[medium]
        self._kept[medium] = part
        self.bytes += len(part.json)
        while self.bytes > self._room:
            _, dropped = self._kept.popitem(last=False)
            self.bytes -= len(dropped.json)
        return part

    def _load(self, medium: Medium) -> MediaPart:
        if isinstance(medium, Image):
            picture = load_picture(medium)
            pieces = self._writer.picture(picture)
            return MediaPart(msgspec.Raw(b"".join(pieces)), picture.sent)
        clip = self._clips.load(medium)
        return MediaPart(msgspec.Raw(b"".join(self._writer.sound(clip))), clip.sent)
