"""Sounds played in place of a recording, to see who listens: noise, silence, a swap."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from zhiyin.errors import InputError
from zhiyin.files import cache_folder, read_regular, write_cached
from zhiyin.sound import blocks, decoder
from zhiyin.trial import Audio
from zhiyin.words import said

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Maker = Callable[[NDArray[np.float32]], NDArray[np.float32]]

_VERSION = 1
"""Raised whenever the same settings would give other samples: part of every file's name."""


def gaussian_noise(frames: int, rms: float, seed: str) -> NDArray[np.float32]:
    """White Gaussian noise of a given level.

    Parameters
    ----------
    frames : int
        Number of samples.
    rms : float
        Root mean square of the result, in (0, 1), full scale being 1.
    seed : str
        The same seed gives the same noise.

    Returns
    -------
    ndarray of float32, shape (frames,)
        Within [-1, 1]. Where peaks had to be cut off, the rest is louder, so that the level is
        kept within 0.1 dB up to an rms of 0.7.
    """
    digest = hashlib.blake2b(seed.encode(), digest_size=16).digest()
    generator = np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))
    white = generator.standard_normal(frames, dtype=np.float32)
    white *= rms / _rms(white)
    noise = np.clip(white, -1.0, 1.0)
    for _ in range(20):
        if abs(20 * np.log10(rms / _rms(noise))) < 0.01:
            break
        white *= rms / _rms(noise)
        noise = np.clip(white, -1.0, 1.0)
    return noise


def noise_like(audio: Audio, seed: str) -> Audio:
    """White Gaussian noise as long and as loud as what `audio` plays (Weck et al. 2024).

    Parameters
    ----------
    audio : Audio
        A recording, or a part of one (`start`, `end`).
    seed : str
        With the recording's hash it decides the noise.

    Returns
    -------
    Audio
        A WAV file in the cache, of one channel and 16 bits at the recording's rate. Its level
        is the root mean square of the mean of the recording's channels.

    Raises
    ------
    InputError
        Where the recording cannot be decoded, or is silent.
    """

    def make(samples: NDArray[np.float32]) -> NDArray[np.float32]:
        level = _rms(samples)
        if level < 1 / 32768:
            raise InputError(said("sound-silent", path=audio.path))
        return gaussian_noise(len(samples), level, f"{seed}:{audio.sha256}")

    return _cached_wav(audio, f"noise:{seed}", make)


def silence_like(audio: Audio) -> Audio:
    """Digital silence as long as what `audio` plays: a WAV file in the cache, as `noise_like`'s."""
    return _cached_wav(audio, "silence", np.zeros_like)


def draw_order(seed: int, item: str, tracks: Iterable[str]) -> list[str]:
    """Other tracks in the order in which they are tried for an item.

    Each track has a place of its own by the hash of seed, item and track, so that a track that
    is left out or added changes nothing but its own place.
    """

    def place(track: str) -> bytes:
        return hashlib.blake2b(f"{seed}/{item}/{track}".encode(), digest_size=8).digest()

    return sorted(tracks, key=place)


def _cached_wav(audio: Audio, what: str, make: Maker) -> Audio:
    """The file that `make` makes of the samples that `audio` plays, made once."""
    import soundfile

    from zhiyin.sound import audio_part

    label = f"{_VERSION}:{what}:{audio.sha256}:{audio.start}:{audio.end}"
    name = hashlib.blake2b(label.encode(), digest_size=16).hexdigest()
    path = cache_folder("conditions") / f"{name}.wav"
    if not path.exists():
        samples, rate = _played(audio)
        target = io.BytesIO()
        soundfile.write(target, make(samples), rate, format="WAV", subtype="PCM_16")
        write_cached(path, target.getvalue())
    return audio_part(path)


def _played(audio: Audio) -> tuple[NDArray[np.float32], int]:
    """Decode what is played of a recording: the mean of its channels, and its rate in Hz."""
    import soundfile

    try:
        with decoder(read_regular(audio.path)) as source:
            rate = source.samplerate
            begin = round((audio.start or 0.0) * rate)
            end = source.frames if audio.end is None else round(audio.end * rate)
            source.seek(begin)
            read = [part.mean(axis=1, dtype=np.float32) for part in blocks(source, end - begin)]
    except (OSError, soundfile.SoundFileError, TypeError, ValueError):
        raise InputError(said("control-undecoded", path=audio.path)) from None
    if not read:
        raise InputError(said("control-empty", path=audio.path))
    return np.concatenate(read), rate


def _rms(samples: NDArray[np.float32]) -> float:
    """Root mean square, full scale being 1."""
    return float(np.sqrt(np.mean(np.square(samples, dtype=np.float64))))
