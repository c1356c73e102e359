"""Tones, sequences of tones and noises, at an exact level and without clicks; rows of strokes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from zhiyin.files import cache_folder, write_cached
from zhiyin.plugins.music.render import wav_bytes
from zhiyin.plugins.music.render.builtin import drum
from zhiyin.sound import audio_part
from zhiyin.trial import Audio

if TYPE_CHECKING:
    from numpy.typing import NDArray


RATE = 24_000
"""Samples per second of all of them."""
LEVEL_DB = -26.0
"""RMS of a sound against full scale, before it is roved."""
RAMP_S = 0.01


def length(seconds: float) -> int:
    """Seconds as samples."""
    return round(seconds * RATE)


def tone(
    hertz: float,
    seconds: float,
    strengths: Sequence[float],
    shifts: dict[int, float] | None = None,
    phases: Sequence[float] | NDArray[np.float64] = (),
) -> NDArray[np.float64]:
    """Partials above a fundamental, with rounded ends.

    Parameters
    ----------
    hertz, seconds : float
    strengths : sequence of float
        Amplitude of each partial, the first one first.
    shifts : dict of int to float, optional
        Cents by which a partial, counted from 1, is off the harmonic.
    phases : sequence of float, optional
        Where each partial begins, in radians; by default such that the peak is low (Schroeder
        1970).
    """
    t = np.arange(length(seconds)) / RATE
    sound = np.zeros(len(t))
    for number, strength in enumerate(strengths, 1):
        at = hertz * number * 2 ** ((shifts or {}).get(number, 0.0) / 1200)
        if at < 0.45 * RATE:
            phase = phases[number - 1] if len(phases) else -np.pi * number * number / 12
            sound += strength * np.sin(2 * np.pi * at * t + phase)
    return rounded(sound)


def rounded(sound: NDArray[np.float64], seconds: float = RAMP_S) -> NDArray[np.float64]:
    """Both ends raised and lowered along half a cosine."""
    count = min(length(seconds), len(sound) // 2)
    ramp = 0.5 - 0.5 * np.cos(np.pi * (np.arange(count) + 0.5) / count)
    sound = sound.copy()
    sound[:count] *= ramp
    sound[-count:] *= ramp[::-1]
    return sound


def noise(draw: np.random.Generator, seconds: float) -> NDArray[np.float64]:
    """White noise with rounded ends."""
    return rounded(draw.standard_normal(length(seconds)))


def at_times(
    seconds: float, sounds: Sequence[tuple[float, NDArray[np.float64]]]
) -> NDArray[np.float64]:
    """Sounds at their times, in seconds, in a stretch of silence."""
    row = np.zeros(length(seconds))
    for start, sound in sounds:
        first = round(start * RATE)
        row[first : first + len(sound)] += sound[: len(row) - first]
    return row


def levelled(sound: NDArray[np.float64], decibels: float = 0.0) -> NDArray[np.float64]:
    """The sound with an RMS of `LEVEL_DB` + `decibels`, over all of its length."""
    now = float(np.sqrt(np.mean(sound**2)))
    return sound * (10 ** ((LEVEL_DB + decibels) / 20) / now)


def cached_sound(contents: bytes) -> Audio:
    """A WAV file in the cache, written once. Raises `InputError` where it cannot be written."""
    name = hashlib.sha256(contents).hexdigest()
    path = cache_folder("hearing") / name[:2] / f"{name}.wav"
    if not path.is_file():
        write_cached(path, contents)
    return audio_part(path)


CLICKS, BEAT_S, STROKE_S = 4, 0.5, 0.25
"""Clicks before and after, their distance, and that of the strokes: two to a beat."""
LEAD_S = 0.25
CLAP, BASS = "x", "o"


def play_strokes(pattern: str) -> bytes:
    """Clicks, strokes and clicks as a WAV file, 16 bits, one channel.

    Parameters
    ----------
    pattern : str
        Of "x" for a clap and "o" for a bass drum.
    """
    rhythm = LEAD_S + CLICKS * BEAT_S
    after = rhythm + len(pattern) * STROKE_S
    # A pattern of odd length would leave the clicks off the beat; the bank has none.
    clicks = [start + n * BEAT_S for start in (LEAD_S, after) for n in range(CLICKS)]
    sounds = [(time, _click()) for time in clicks]
    sounds += [
        (rhythm + n * STROKE_S, _clap() if sign == CLAP else _bass())
        for n, sign in enumerate(pattern)
    ]
    samples = at_times(after + CLICKS * BEAT_S + LEAD_S, sounds)
    return wav_bytes((0.8 * samples / np.abs(samples).max()).astype(np.float32), RATE)


@cache
def _click() -> NDArray[np.float64]:
    return 0.35 * tone(1500.0, 0.03, (1.0,))


@cache
def _bass() -> NDArray[np.float64]:
    whole = drum(36, 0, RATE).astype(float)[: round(0.24 * RATE)]
    return rounded(np.append(np.zeros(1), whole), 0.002)


@cache
def _clap() -> NDArray[np.float64]:
    """Noise around 1.5 kHz in four bursts that run into each other, then a short tail."""
    t = np.arange(round(0.15 * RATE)) / RATE
    envelope = 0.7 * np.exp(-np.maximum(t - 0.03, 0) / 0.03) * (t >= 0.03)
    for start in (0.0, 0.01, 0.02):
        envelope += np.exp(-np.maximum(t - start, 0) / 0.004) * (t >= start)
    source = np.random.Generator(np.random.PCG64(39)).standard_normal(len(t))
    spectrum = np.fft.rfft(source)
    at = np.fft.rfftfreq(len(t), 1 / RATE)
    band = np.exp(-0.5 * (np.log2(np.maximum(at, 1.0) / 1500.0) / 0.6) ** 2)
    sound = np.fft.irfft(spectrum * band, len(t)) * envelope
    return rounded(sound / np.abs(sound).max(), 0.001)
