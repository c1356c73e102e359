"""Sounds as arrays: checked against the trial, decoded, mixed to one channel, resampled, kept."""

from __future__ import annotations

import base64
import hashlib
import io
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from zhiyin.errors import ModelError
from zhiyin.models.playback import SoundPolicy, frames_to_play, read_checked
from zhiyin.sound import Sound, blocks, fault_of, resample
from zhiyin.trial import Audio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KEPT = 256 * 2**20
_AT_ONCE = 4


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
    import soundfile

    data = read_checked(audio)
    try:
        with soundfile.SoundFile(io.BytesIO(data)) as source:
            own = source.samplerate
            begin, end = frames_to_play(source, audio, policy)
            if fault := fault_of(source, data):
                raise ModelError(f"{audio.path}: {fault}; fetch the file again")
            source.seek(begin)
            parts = [part.mean(axis=1) for part in blocks(source, end - begin)]
    except (soundfile.SoundFileError, TypeError, ValueError):
        raise ModelError(
            f"{audio.path}: cannot be decoded; give a WAV, FLAC, OGG or MP3 file"
        ) from None
    samples = np.concatenate(parts) if parts else np.zeros(0, np.float32)
    if not len(samples) or not np.isfinite(samples).all():
        what = "a sample is not a number" if len(samples) else "it breaks off"
        raise ModelError(f"{audio.path}: {what}; export the file again")
    samples = np.ascontiguousarray(resample(Sound(samples, own), rate or own).samples, np.float32)
    return DecodedClip(samples, rate or own, hashlib.sha256(samples.tobytes()).hexdigest())


class ClipDecoder:
    """Clips for a model, decoded in a few threads and kept while there is room.

    Parameters
    ----------
    rate : int or None
        What the model hears, in Hz; None for each recording's own.
    policy : SoundPolicy
        Its limit counts.
    """

    def __init__(self, rate: int | None, policy: SoundPolicy) -> None:
        self.rate, self._policy = rate, policy
        self._kept: OrderedDict[Audio, DecodedClip] = OrderedDict()
        self._lock, self._bytes = threading.Lock(), 0
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="zhiyin-hear")

    def __call__(self, audio: Audio) -> DecodedClip:
        """One clip. Raises `ModelError` as `hear` does."""
        with self._lock:
            if (kept := self._kept.get(audio)) is not None:
                self._kept.move_to_end(audio)
                return kept
        clip = hear(audio, self.rate, self._policy)
        with self._lock:
            if audio not in self._kept:
                self._kept[audio] = clip
                self._bytes += clip.samples.nbytes
            while self._bytes > _KEPT and len(self._kept) > 1:
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= dropped.samples.nbytes
        return clip

    def all(self, sounds: Sequence[Audio]) -> list[DecodedClip]:
        """Several clips, decoded beside each other."""
        return list(self._pool.map(self, sounds)) if sounds else []

    def close(self) -> None:
        """Let the threads end."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def as_wav(clip: DecodedClip) -> str:
    """A clip as a WAV file of 32-bit floats, in base64."""
    import soundfile

    target = io.BytesIO()
    soundfile.write(target, clip.samples, clip.rate, format="WAV", subtype="FLOAT")
    return base64.b64encode(target.getvalue()).decode()


def sound_detail(clips: Sequence[DecodedClip], heard: Sequence[float | None]) -> dict[str, object]:
    """What a reply's detail says of its sounds: what was sent, and what the model heard of it.

    Parameters
    ----------
    clips : sequence of DecodedClip
    heard : sequence of float or None
        Seconds, as the features' mask shows them; None where nothing shows them.
    """
    detail: dict[str, object] = {
        "audio_seconds": round(sum(clip.seconds for clip in clips), 3),
        "audio_sha256": [clip.sha256 for clip in clips],
        "audio_format": ["float32"] * len(clips),
        "audio_rate": [clip.rate for clip in clips],
        "audio_channels": [1] * len(clips),
    }
    known = [seconds for seconds in heard if seconds is not None]
    if len(known) == len(clips):
        detail["audio_seconds_heard"] = round(sum(known), 3)
        detail["audio_heard"] = [round(seconds, 3) for seconds in known]
    return detail


TOLERANCE_S = 0.1
"""Seconds of a clip that the grid of features may swallow without anything being cut."""


class Cuts:
    """Which clips were heard shorter than they were sent."""

    def __init__(self) -> None:
        self._cut: dict[str, tuple[float, float]] = {}

    def note(self, clips: Sequence[DecodedClip], heard: Sequence[float | None]) -> None:
        """Look at the clips of one reply."""
        for clip, seconds in zip(clips, heard, strict=True):
            if seconds is not None and seconds < clip.seconds - TOLERANCE_S:
                self._cut[clip.sha256] = (clip.seconds, seconds)

    def lines(self) -> list[str]:
        """What the user should know, a line or nothing."""
        if not self._cut:
            return []
        sent, seconds = max(self._cut.values(), key=lambda pair: pair[0] - pair[1])
        many = len(self._cut)
        return [
            f"{f'{many:,} clips were' if many > 1 else '1 clip was'} cut by the model's own "
            f"processor: of {sent:.1f} s it heard {seconds:.1f} s; --audio-limit {seconds:.0f} "
            "refuses what is longer, and a benchmark's --clip plays a part"
        ]
