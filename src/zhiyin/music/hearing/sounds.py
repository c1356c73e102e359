"""Tones, sequences of tones and noises, at an exact level and without clicks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

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
