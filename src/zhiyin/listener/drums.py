"""Whether two drum patterns are the same: when something is struck, band by band."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zhiyin.listener.rhythm import HOP, RATE, band_power, hear_rhythm
from zhiyin.listener.spectrum import SILENCE_DB
from zhiyin.sound import Sound, resample

BANDS = ((0, 2), (2, 4), (4, 7), (7, 10), (10, 13))
"""Ranges of `rhythm.EDGES`: kick, toms, snare's body, snare's wires, cymbals."""
FLOOR_DB = -50.0
"""What lies this far below the loudest moment of its band is not heard."""
WIDTH_S = 0.03
"""How far apart two strokes may lie and still agree."""
LONGEST_LAG_S = 1.0
STRETCHES = np.arange(0.985, 1.0151, 0.005)
"""One may be played this much faster than the other."""


@dataclass(frozen=True)
class Alike:
    """How alike two patterns are, from 0 to 1, or None where one is silent; and why."""

    likeness: float | None
    why: str


SAME = 0.94
"""Least likeness of two renderings of one pattern."""


def flux(sound: Sound) -> NDArray[np.float64] | None:
    """How much is struck in each of `BANDS`, frame by frame, shape (frames, 5); None for silence.

    Each band's level in dB above its floor, its rise over 20 ms, and that smoothed by `WIDTH_S`.
    """
    if float(np.max(np.abs(sound.samples))) < 10.0 ** (SILENCE_DB / 20.0):
        return None
    power = band_power(resample(sound, RATE).samples)
    grouped = np.stack([power[:, low:high].sum(axis=1) for low, high in BANDS], axis=1)
    floor = np.maximum(
        grouped.max(axis=0) * 10.0 ** (FLOOR_DB / 10.0), 4.0 * np.percentile(grouped, 20, axis=0)
    )
    level = 10.0 * np.log10(1.0 + grouped / floor)
    gap = round(0.02 * RATE / HOP)
    past = np.pad(level, ((gap, 0), (0, 0)))[: len(level)]
    rise = np.maximum(0.0, level - past)
    size = round(WIDTH_S * RATE / HOP)
    smooth = np.hanning(2 * size + 1)
    return np.stack([np.convolve(rise[:, b], smooth, "same") for b in range(len(BANDS))], axis=1)


def compare_drums(a: Sound, b: Sound) -> Alike:
    """How alike two drum patterns are, at the lag and stretch at which they are most alike."""
    first, second = flux(a), flux(b)
    if first is None or second is None:
        return Alike(None, "heard nothing: a recording is silent")
    best = max(_likeness(first, _stretched(second, by)) for by in STRETCHES)
    return Alike(best, f"heard two drum patterns with a likeness of {best:.2f}")


def _stretched(rise: NDArray[np.float64], by: float) -> NDArray[np.float64]:
    if abs(by - 1.0) < 1e-6:
        return rise
    places = np.arange(0, len(rise) - 1, by)
    frames = np.arange(len(rise))
    return np.stack([np.interp(places, frames, column) for column in rise.T], axis=1)


def _likeness(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """The best correlation over lags, of what both last, the mean over bands that are struck."""
    reach = round(LONGEST_LAG_S * RATE / HOP)
    size = 1 << (len(a) + len(b)).bit_length()
    spectra = np.fft.rfft(a, size, axis=0) * np.conj(np.fft.rfft(b, size, axis=0))
    lagged = np.fft.irfft(spectra, size, axis=0).sum(axis=1)
    lags = np.concatenate([np.arange(min(reach, len(a))), np.arange(-min(reach, len(b) - 1), 0)])
    lag = int(lags[np.argmax(lagged[lags])])
    x, y = (a[lag:], b) if lag >= 0 else (a, b[-lag:])
    length = min(len(x), len(y))
    x, y = x[:length], y[:length]
    weight = np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
    either = np.maximum((x**2).sum(axis=0), (y**2).sum(axis=0))
    struck = either > 0.05 * either.max()
    each = (x * y).sum(axis=0) / np.maximum(weight, 1e-12)
    return float(each[struck].mean())


def more_syncopated(a: Sound, b: Sound) -> tuple[int | None, str]:
    """Which of two loops has more strokes off the beat: 1 or 2; None where neither is heard so."""
    first, second = hear_rhythm(a), hear_rhythm(b)
    if first.offbeats is None or second.offbeats is None:
        return None, first.why if first.offbeats is None else second.why
    why = f"heard {first.offbeats} and {second.offbeats} strokes of kick and snare off the beat"
    if first.offbeats == second.offbeats:
        return None, why
    return (1 if first.offbeats > second.offbeats else 2), why
