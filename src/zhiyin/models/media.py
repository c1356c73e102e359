"""Sounds and pictures as parts of requests: made in threads, shared, bounded in bytes.

Pictures are sent bit for bit, checked against the trial; sound is made by `zhiyin.models.playback`.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from zhiyin.errors import ModelError
from zhiyin.files import write_atomically
from zhiyin.models.clip_cache import ClipCache
from zhiyin.models.playback import AS_IT_IS, Sent, SoundPolicy, read_same
from zhiyin.picture import FORMATS, MEND, MOST_BYTES, format_of
from zhiyin.trial import Audio, Image

if TYPE_CHECKING:
    from zhiyin.models.dialects import Dialect

_MB = 2**20
_AT_ONCE = max(2, min(4, os.cpu_count() or 2))
Medium = Audio | Image


class SentPicture(msgspec.Struct, frozen=True):
    """What there is to know of a picture that was sent; `sha256` is of its bytes."""

    format: str
    width: int
    height: int
    sha256: str


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


def write_neutral_picture(image: Image, folder: Path) -> Path:
    """A copy of a picture under a name that says nothing but its format.

    Asked again for the same picture, gives the same file. Raises `ModelError` as `load_picture`.
    """
    name = hashlib.blake2b(image.sha256.encode(), digest_size=16).hexdigest()
    for form in FORMATS:
        if (existing := folder / f"{name}.{form.lower()}").exists():
            return existing
    picture = load_picture(image)
    path = folder / f"{name}.{picture.sent.format}"
    write_atomically(path, picture.data)
    return path


class MediaPart(NamedTuple):
    """A clip or a picture as JSON for a chat message, and what it is."""

    json: msgspec.Raw
    sent: Sent | SentPicture


def logged(sent: Sequence[Sent | SentPicture]) -> dict[str, Any]:
    """What a reply's detail says of sounds (seconds in all, and of each what was sent), pictures.

    Parameters
    ----------
    sent : sequence of Sent and SentPicture

    Returns
    -------
    dict
        Empty where nothing but words was sent.
    """
    if not sent:
        return {}
    clips = [one for one in sent if isinstance(one, Sent)]
    pictures = [one for one in sent if isinstance(one, SentPicture)]
    detail: dict[str, Any] = {}
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
    sent : list of Sent and SentPicture
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
    """So many bytes, taken and given back; who comes first is served first.

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
        """What the user should know: a line where clips could not be kept on the disk."""
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
