"""Sound as it is sent to a model: checked against the trial, cut, and in a format models take."""

from __future__ import annotations

import asyncio
import hashlib
import io
import threading
from base64 import b64encode
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from zhiyin.errors import ModelError
from zhiyin.trial import Audio

if TYPE_CHECKING:
    from soundfile import SoundFile

Format = Literal["wav", "mp3"]
_SUFFIXES = frozenset({".flac", ".ogg", ".oga", ".opus", ".m4a", ".aac", ".aif", ".aiff", ".au"})


class Clip(NamedTuple):
    """Sound ready to be sent: a file's bytes, their format, and the duration in seconds."""

    data: bytes
    format: Format
    seconds: float


class SoundPart(NamedTuple):
    """A clip as JSON for a chat message, and its duration in seconds."""

    json: msgspec.Raw
    seconds: float


def read_checked(audio: Audio) -> bytes:
    """The bytes of the file that a trial was made with.

    Raises
    ------
    ModelError
        When the file cannot be read, or is another than when the trial was made.
    """
    try:
        data = Path(audio.path).read_bytes()
    except OSError as error:
        raise ModelError(f"{audio.path}: cannot be read ({error.strerror or error})") from None
    if hashlib.sha256(data).hexdigest() != audio.sha256:
        raise ModelError(
            f"{audio.path}: the file has changed since the trial was made (SHA-256 differs); "
            "put the old file back, or start a new run"
        )
    return data


def load_clip(audio: Audio) -> Clip:
    """What is to be played: the whole file, or the part from `audio.start` to `audio.end`.

    A whole WAV or MP3 file is passed on bit for bit, whatever its name says it is. A part, and
    any other format, becomes WAV with 16 bits at the file's own rate and channels; samples that
    have 16 bits already are not altered.

    Raises
    ------
    ModelError
        When the file cannot be read or decoded, has changed, or the part lies outside it.
    """
    data = read_checked(audio)
    kind = _format(data)
    whole = audio.start is None and audio.end is None
    if whole and kind and audio.seconds:
        return Clip(data, kind, audio.seconds)
    import soundfile

    try:
        with soundfile.SoundFile(io.BytesIO(data)) as source:
            if whole and kind:
                return Clip(data, kind, source.frames / source.samplerate)
            return _cut(source, audio)
    except (soundfile.SoundFileError, TypeError, ValueError):
        raise ModelError(
            f"{audio.path}: cannot be decoded; give a WAV, FLAC, OGG or MP3 file"
        ) from None


def write_neutral(audio: Audio, folder: Path) -> Path:
    """A copy of what is to be played, under a name that says nothing but its format.

    Asked again for the same sound, gives the same file. Several threads may ask at once.

    Raises
    ------
    ModelError
        As `load_clip`.
    """
    part = f"{audio.sha256}:{audio.start}:{audio.end}"
    name = hashlib.blake2b(part.encode(), digest_size=16).hexdigest()
    found = next(folder.glob(f"{name}*"), None)
    if found is not None:
        return found
    if audio.start is None and audio.end is None:
        data = read_checked(audio)
        kind, suffix = _format(data), Path(audio.path).suffix.lower()
        # Only a known ending is kept: "etude.Gm" would tell the key.
        ending = f".{kind}" if kind else suffix if suffix in _SUFFIXES else ""
    else:
        data, ending = load_clip(audio).data, ".wav"
    unfinished = folder / f".{name}-{threading.get_ident()}"
    unfinished.write_bytes(data)
    return unfinished.replace(folder / f"{name}{ending}")


def _format(data: bytes) -> Format | None:
    """The format by the file's first bytes (RIFF/WAVE; ID3, or an MPEG layer III frame)."""
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return "wav"
    layer_iii = len(data) > 1 and data[0] == 0xFF and data[1] & 0xE6 == 0xE2
    return "mp3" if data[:3] == b"ID3" or layer_iii else None


def _cut(source: SoundFile, audio: Audio) -> Clip:
    """The part that is to be played, as WAV."""
    import soundfile

    rate, frames = source.samplerate, source.frames
    begin = round((audio.start or 0.0) * rate)
    end = frames if audio.end is None else min(frames, round(audio.end * rate))
    if not 0 <= begin < end:
        raise ModelError(
            f"{audio.path}: nothing lies between {audio.start or 0:g} s and "
            f"{'the end' if audio.end is None else f'{audio.end:g} s'}; "
            f"the file lasts {frames / rate:.3f} s"
        )
    source.seek(begin)
    exact = "int16" if source.subtype == "PCM_16" else "float64"
    samples = source.read(end - begin, dtype=exact, always_2d=True)
    target = io.BytesIO()
    soundfile.write(target, samples, rate, format="WAV", subtype="PCM_16")
    return Clip(target.getvalue(), "wav", len(samples) / rate)


def sound_part(audio: Audio) -> SoundPart:
    """A clip as OpenAI's chat completions take it: base64, beside its format."""
    clip = load_clip(audio)
    pieces = (
        b'{"type":"input_audio","input_audio":{"data":"',
        b64encode(clip.data),
        f'","format":"{clip.format}"}}}}'.encode(),
    )
    return SoundPart(msgspec.Raw(b"".join(pieces)), clip.seconds)


class SoundParts:
    """Sounds as message parts, made in a thread and kept while there is room.

    Several questions about one recording, asked one after another or at once, encode it once.

    Parameters
    ----------
    room : int
        Bytes of JSON to keep; the sound not used for longest goes first.
    """

    def __init__(self, room: int = 64 * 2**20) -> None:
        self._room = room
        self._kept: OrderedDict[Audio, SoundPart] = OrderedDict()
        self._making: dict[Audio, asyncio.Task[SoundPart]] = {}
        self.bytes = 0

    async def get(self, audio: Audio) -> SoundPart:
        """The part for a sound. Raises `ModelError` as `load_clip` does."""
        part = self._kept.get(audio)
        if part is not None:
            self._kept.move_to_end(audio)
            return part
        making = self._making.get(audio)
        if making is None:
            making = self._making[audio] = asyncio.create_task(self._make(audio))
        # Whoever is cancelled must not take the sound away from others who wait for it.
        return await asyncio.shield(making)

    async def _make(self, audio: Audio) -> SoundPart:
        try:
            part = await asyncio.to_thread(sound_part, audio)
        finally:
            del self._making[audio]
        self._kept[audio] = part
        self.bytes += len(part.json)
        while self.bytes > self._room:
            _, dropped = self._kept.popitem(last=False)
            self.bytes -= len(dropped.json)
        return part
