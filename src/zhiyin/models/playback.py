"""Sound as it is sent to a model: checked against the trial, cut, mixed, resampled, encoded."""

from __future__ import annotations

import contextlib
import hashlib
import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args

import msgspec

from zhiyin.errors import InputError, ModelError
from zhiyin.files import read_regular, write_atomically
from zhiyin.flags import ABOVE_0, COUNT, Flag
from zhiyin.sound import Sound, blocks, decoder, fault_of, mended, resample
from zhiyin.trial import Audio
from zhiyin.words import said

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from soundfile import SoundFile

Format = Literal["wav", "mp3", "flac", "as-is"]
FORMATS: tuple[Format, ...] = get_args(Format)
RATES = (4000, 192000)
"""The lowest and the highest rate that can be asked for, in Hz."""

MOST_SILENCE_S = 60
"""Of silence between clips that are joined, at most."""

_SUFFIXES = frozenset({".flac", ".ogg", ".oga", ".opus", ".m4a", ".aac", ".aif", ".aiff", ".au"})
_ENDINGS = (".wav", ".mp3", *sorted(_SUFFIXES), "")
"""Of neutral copies. Each is looked for by itself: to list a folder of thousands takes long."""
_MP3_RATES = frozenset({8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000})
_VERSION = 1
"""Raised whenever the same sound and settings would give other bytes."""


class SoundPolicy(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for sending sound.

    Attributes
    ----------
    format : {"wav", "mp3", "flac", "as-is"} or None
        What every clip is sent as. None: whole WAV and MP3 files as they are, all else as WAV.
        "as-is": every whole file as it is, a part as WAV.
    rate : int or None
        The rate to resample to, in Hz, within `RATES`; None for the recording's own.
    mono : bool
        Whether to send the mean of the channels.
    limit : float or None
        Seconds of sound that the model takes, by its maker's word. A longer clip is an error.
    join : float or None
        Seconds of silence by which several clips of a conversation are joined into one; None:
        they are sent as they are. See `joining`.

    Raises
    ------
    InputError
        For settings that cannot be, or not together.
    """

    format: Annotated[
        Format | None,
        Flag(
            "of every clip; default: whole WAV and MP3 files as they are, all else as WAV",
            name="audio-format",
        ),
    ] = None
    rate: Annotated[
        int | None,
        Flag("resample; default: the file's own", metavar="HZ", name="audio-rate", within=COUNT),
    ] = None
    mono: Annotated[bool, Flag("mix the channels down to one", name="audio-mono")] = False
    limit: Annotated[
        float | None,
        Flag(
            "how much sound the model takes; a longer clip is an error, and not cut without notice",
            metavar="S",
            name="audio-limit",
            within=ABOVE_0,
        ),
    ] = None
    join: Annotated[
        float | None,
        Flag(
            "several clips of a prompt as one, with S seconds of silence between them (1)",
            metavar="S",
            name="join-clips",
            within=msgspec.Meta(ge=0, le=MOST_SILENCE_S),
            alone=1.0,
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.format not in (None, *FORMATS):
            raise InputError(said("play-format", format=self.format, formats=FORMATS))
        if self.rate is not None and not RATES[0] <= self.rate <= RATES[1]:
            raise InputError(said(
                "play-rate-range", rate=str(self.rate), least=str(RATES[0]), most=str(RATES[1])
            ))  # fmt: skip
        if self.format == "as-is" and (self.rate or self.mono):
            raise InputError(said("play-as-is"))
        if self.format == "mp3" and self.rate not in (None, *_MP3_RATES):
            known = ", ".join(map(str, sorted(_MP3_RATES)))
            raise InputError(said("play-rate", rate=self.rate, known=known))
        if self.limit is not None and not self.limit > 0:
            raise InputError(said("play-limit", limit=f"{self.limit:g}"))
        if self.join is not None and not 0 <= self.join <= MOST_SILENCE_S:
            raise InputError(said("play-join", join=f"{self.join:g}", mostsilences=MOST_SILENCE_S))

    @property
    def made_as(self) -> str:
        """The format of a clip that cannot be sent as it is."""
        return "wav" if self.format in (None, "as-is") else self.format

    def passes(self, form: str, rate: int, channels: int) -> bool:
        """Tell whether a whole file of this format, rate in Hz and channels is sent bit for bit."""
        usual = self.format is None and form in ("wav", "mp3")
        kept = usual or self.format in ("as-is", form)
        return kept and self.rate in (None, rate) and not (self.mono and channels > 1)


AS_IT_IS = SoundPolicy()
"""What is done by default."""


class SentSound(msgspec.Struct, frozen=True):
    """Facts about a clip that was sent.

    `sha256` is of the bytes sent, in hexadecimal; `seconds` their duration, `rate` in Hz.
    """

    format: str
    seconds: float
    rate: int
    channels: int
    sha256: str


class SoundClip(msgspec.Struct, frozen=True):
    """Sound ready to be sent: the bytes of a file, and what they are."""

    data: bytes
    sent: SentSound

    @property
    def seconds(self) -> float:
        """Duration in seconds."""
        return self.sent.seconds


def read_checked(audio: Audio) -> bytes:
    """The bytes of the file that a trial was made with. Raises `ModelError` as `read_same`."""
    return read_same(audio.path, audio.sha256)


def read_same(path: str, sha256: str) -> bytes:
    """The bytes of a file that a trial was made with.

    Raises
    ------
    ModelError
        When the file cannot be read, or is another than when the trial was made.
    """
    try:
        data = read_regular(path)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read ({error.strerror or error})") from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ModelError(
            f"{path}: the file has changed since the trial was made (SHA-256 differs); "
            "put the old file back, or start a new run"
        )
    return data


def load_clip(audio: Audio, policy: SoundPolicy = AS_IT_IS) -> SoundClip:
    """Load what is to be played: the whole file, or the part from `audio.start` to `audio.end`.

    A whole file that already is what the policy asks for is passed on bit for bit, whatever its
    name says it is. Everything else is decoded, no further than needed, and encoded with 16
    bits; samples that have 16 bits and are neither mixed nor resampled are not altered. The
    same file, part and policy give the same bytes, as long as `recipe` is the same.

    Raises
    ------
    ModelError
        When the file cannot be read or decoded, has changed, is longer than the policy's limit,
        cannot be had in the format asked for, or when the part lies outside it.
    """
    with opened(audio) as (source, data):
        form = "wav" if source.format == "WAVEX" else source.format.lower()
        rate, channels = source.samplerate, source.channels
        whole = audio.start is None and audio.end is None
        if whole and policy.passes(form, rate, channels):
            seconds = source.frames / rate
            refuse_longer(audio, seconds, policy)
            refuse_faulty(audio, source, data)
            sound = mended(data)
            digest = audio.sha256 if sound is data else hashlib.sha256(sound).hexdigest()
            return SoundClip(sound, SentSound(form, seconds, rate, channels, digest))
        samples = _part(source, audio, policy)
    samples, rate = _shaped(audio, samples, rate, policy)
    return _encoded(audio, samples, rate, policy.made_as)


@contextlib.contextmanager
def opened(audio: Audio) -> Iterator[tuple[SoundFile, bytes]]:
    """A recording, checked against the trial, and its bytes. Raises `ModelError`."""
    data = read_checked(audio)
    import soundfile

    try:
        with decoder(data) as source:
            yield source, data
    except (soundfile.SoundFileError, TypeError, ValueError):
        raise ModelError(
            f"{audio.path}: cannot be decoded; give a WAV, FLAC, OGG or MP3 file"
        ) from None


def refuse_faulty(audio: Audio, source: SoundFile, data: bytes) -> None:
    """Raise `ModelError` where a recording breaks off, or is damaged otherwise."""
    if fault := fault_of(source, data):
        raise ModelError(f"{audio.path}: {fault}; fetch the file again")


def recipe(audio: Audio, policy: SoundPolicy) -> str:
    """Everything on which the bytes of a clip depend, the libraries that make it included."""
    import soundfile

    libraries = f"{soundfile.__version__}/{soundfile.__libsndfile_version__}"
    if policy.rate:
        import scipy

        libraries += f"/{scipy.__version__}"
    return (
        f"{_VERSION}:{audio.sha256}:{audio.start or 0.0}:{audio.end}:{policy.made_as}:"
        f"{policy.rate}:{policy.mono}:{libraries}"
    )


def refuse_longer(audio: Audio, seconds: float, policy: SoundPolicy) -> None:
    """Raise `ModelError` when a clip of so many seconds is more than the model takes."""
    if policy.limit is not None and round(seconds, 3) > policy.limit:
        raise ModelError(too_long(audio, seconds, policy.limit))


def too_long(audio: Audio, seconds: float, limit: float) -> str:
    """The fault of a clip that is longer than the model takes."""
    return (
        f"{audio.path}: {seconds:.3f} s of sound, and the model takes {limit:g} s: "
        f"play shorter recordings, or a part of each where the benchmark has "
        f"a flag for that, such as --clip first:{limit:g}"
    )


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
    for ending in _ENDINGS:
        if (existing := folder / f"{name}{ending}").exists():
            return existing
    if audio.start is None and audio.end is None:
        data = mended(read_checked(audio))
        kind, suffix = _by_first_bytes(data), Path(audio.path).suffix.lower()
        # Only a known ending is kept: "etude.Gm" would tell the key.
        ending = kind or (suffix if suffix in _SUFFIXES else "")
    else:
        data, ending = load_clip(audio).data, ".wav"
    path = folder / f"{name}{ending}"
    write_atomically(path, data)
    return path


def _by_first_bytes(data: bytes) -> str:
    """The ending for a WAV file (RIFF/WAVE) or an MP3 (ID3, or an MPEG layer III frame)."""
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return ".wav"
    layer_iii = len(data) > 1 and data[0] == 0xFF and data[1] & 0xE6 == 0xE2
    return ".mp3" if data[:3] == b"ID3" or layer_iii else ""


def frames_to_play(source: SoundFile, audio: Audio, policy: SoundPolicy) -> tuple[int, int]:
    """The first frame to be played of a recording, and the one after the last.

    Raises
    ------
    ModelError
        The part lies outside the recording, or is longer than the model takes.
    """
    rate, frames = source.samplerate, source.frames
    begin = round((audio.start or 0.0) * rate)
    end = frames if audio.end is None else min(frames, round(audio.end * rate))
    if not 0 <= begin < end:
        raise ModelError(
            f"{audio.path}: nothing lies between {audio.start or 0:g} s and "
            f"{'the end' if audio.end is None else f'{audio.end:g} s'}; "
            f"the file lasts {frames / rate:.3f} s"
        )
    refuse_longer(audio, (end - begin) / rate, policy)
    return begin, end


def _part(source: SoundFile, audio: Audio, policy: SoundPolicy) -> NDArray[Any]:
    """The samples to be played, shape (n, channels): int16 where nothing is lost, or float32."""
    import numpy as np

    rate = source.samplerate
    begin, end = frames_to_play(source, audio, policy)
    source.seek(begin)
    mixed = policy.mono and source.channels > 1
    untouched = source.subtype == "PCM_16" and not mixed and policy.rate in (None, rate)
    read = list(blocks(source, end - begin, "int16" if untouched else "float32"))
    if not read:
        raise ModelError(
            f"{audio.path}: breaks off before {begin / rate:.3f} s; fetch the file again"
        )
    return np.concatenate(read)


def _shaped(
    audio: Audio, samples: NDArray[Any], rate: int, policy: SoundPolicy
) -> tuple[NDArray[Any], int]:
    """The samples mixed and resampled as the policy says, with 16 bits, and their rate in Hz."""
    import numpy as np

    if samples.dtype == np.int16:
        return samples, rate
    if not np.isfinite(samples).all():
        raise ModelError(f"{audio.path}: a sample is not a number; export the file again")
    if policy.mono and samples.shape[1] > 1:
        samples = samples.mean(axis=1, keepdims=True, dtype=np.float32)
    if policy.rate not in (None, rate):
        from scipy.signal import resample_poly

        ratio = Fraction(policy.rate, rate)
        samples = resample_poly(samples, ratio.numerator, ratio.denominator, axis=0)
        rate = policy.rate
    scaled = samples * np.float32(32768)
    np.rint(scaled, out=scaled)
    np.clip(scaled, -32768, 32767, out=scaled)
    return scaled.astype(np.int16), rate


def _encoded(audio: Audio, samples: NDArray[Any], rate: int, form: str) -> SoundClip:
    """The samples as a file of the given format.

    MP3 is encoded at libsndfile's own setting (LAME, about 128 kbit/s for two channels).
    """
    import soundfile

    channels = samples.shape[1]
    if form == "mp3" and channels > 2:
        raise ModelError(f"{audio.path}: {channels} channels, and MP3 has two: add --audio-mono")
    if form == "mp3" and rate not in _MP3_RATES:
        raise ModelError(f"{audio.path}: MP3 has no rate of {rate} Hz: add --audio-rate 44100")
    target = io.BytesIO()
    subtype = None if form == "mp3" else "PCM_16"
    try:
        soundfile.write(target, samples, rate, format=form.upper(), subtype=subtype)
    except (soundfile.SoundFileError, ValueError) as error:
        raise ModelError(f"{audio.path}: cannot be sent as {form} ({error})") from None
    data = target.getvalue()
    digest = hashlib.sha256(data).hexdigest()
    return SoundClip(data, SentSound(form, len(samples) / rate, rate, channels, digest))


class DecodedClip(NamedTuple):
    """A clip as a model is given it.

    Attributes
    ----------
    samples : ndarray of float32, shape (n,)
        One channel; full scale is -1 to 1.
    rate : int
        In Hz.
    sha256 : str
        Of the samples' bytes, in hexadecimal.
    """

    samples: NDArray[np.float32]
    rate: int
    sha256: str

    @property
    def seconds(self) -> float:
        """Duration in seconds."""
        return len(self.samples) / self.rate


def hear(audio: Audio, rate: int | None, policy: SoundPolicy) -> DecodedClip:
    """Decode what is to be played of a recording: one channel, at `rate` or its own.

    Raises
    ------
    ModelError
        The file cannot be read or decoded, has changed since the trial was made, is longer than the
        policy's limit, or the part lies outside it.
    """
    import numpy as np

    with opened(audio) as (source, data):
        own = source.samplerate
        begin, end = frames_to_play(source, audio, policy)
        refuse_faulty(audio, source, data)
        source.seek(begin)
        parts = [part.mean(axis=1) for part in blocks(source, end - begin)]
    samples = np.concatenate(parts) if parts else np.zeros(0, np.float32)
    if not len(samples) or not np.isfinite(samples).all():
        what = "a sample is not a number" if len(samples) else "it breaks off"
        raise ModelError(f"{audio.path}: {what}; export the file again")
    samples = np.ascontiguousarray(resample(Sound(samples, own), rate or own).samples, np.float32)
    return DecodedClip(samples, rate or own, hashlib.sha256(samples.tobytes()).hexdigest())
