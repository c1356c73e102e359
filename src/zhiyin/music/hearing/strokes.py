"""A row of evenly spaced strokes, claps and bass drums, between clicks of a metronome."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from zhiyin.music.hearing.sounds import RATE, at_times, rounded, tone
from zhiyin.music.render import wav_bytes
from zhiyin.music.render.drums import drum

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
