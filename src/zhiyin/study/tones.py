"""Sounds made for checks: setting the volume, and whether headphones are worn."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from zhiyin.study.media import flac

if TYPE_CHECKING:
    from numpy.typing import NDArray

RATE = 44100
TRIALS = 6
ENOUGH = {"woods": 5, "huggins": 6}
"""Of six: five for the tones (Woods et al. 2017), all for the noise (Milne et al. 2020)."""
_TONE_HZ, _TONE_S, _RAMP_S, _GAP_S = 200.0, 1.0, 0.1, 0.5
_QUIETER_DB = 6.0
_NOISE_S, _PITCH_HZ, _BAND = 1.0, 600.0, 0.06


def right_places(kind: str, seed: str) -> list[int]:
    """Which of the three sounds is the quiet one, or has the pitch: 0 to 2, for six trials.

    Each place is right twice.
    """
    places = [0, 0, 1, 1, 2, 2]
    random.Random(f"{kind}/{seed}").shuffle(places)
    return places


@lru_cache(maxsize=64)
def trial_sound(kind: str, right: int, seed: int = 0) -> bytes:
    """Three sounds in a row as FLAC, stereo.

    Parameters
    ----------
    kind : {"woods", "huggins"}
        Woods: tones of 200 Hz, one quieter by 6 dB, and of the others one with its channels in
        opposite phase, which loudspeakers cancel. Huggins: noise, in one of three with a phase
        shift of 360 degrees between the ears across 6 % about 600 Hz, a pitch for two ears alone.
    right : int
        0 to 2.
    seed : int
        Of the noise, and of which tone is in opposite phase.

    References
    ----------
    Woods, Siegel, Traer and McDermott (2017), doi 10.3758/s13414-017-1361-2.
    Milne, Bianco, Poole et al. (2020), doi 10.3758/s13428-020-01514-0.
    """
    draw = np.random.default_rng(seed)
    turned = [place for place in range(3) if place != right][seed % 2]
    gap = np.zeros((round(_GAP_S * RATE), 2))
    parts = []
    for place in range(3):
        if kind == "woods":
            level = 0.3 * (10 ** (-_QUIETER_DB / 20) if place == right else 1.0)
            tone = level * _ramped(np.sin(2 * np.pi * _TONE_HZ * _times(_TONE_S)))
            parts.append(np.column_stack([tone, -tone if place == turned else tone]))
        else:
            parts.append(_noise(draw, pitched=place == right))
        parts.append(gap)
    return flac(np.vstack(parts[:-1]), RATE)


@lru_cache(maxsize=1)
def volume_sound() -> bytes:
    """Ten seconds of pink noise at the loudness of the questions, for setting the volume."""
    draw = np.random.default_rng(1)
    size = 10 * RATE
    spectrum = np.fft.rfft(draw.standard_normal(size))
    spectrum[1:] /= np.sqrt(np.arange(1, len(spectrum)))
    spectrum[0] = 0
    noise = np.fft.irfft(spectrum, size)
    # Root mean square that gives about -23 LUFS for pink noise in one channel.
    return flac(_ramped(noise / np.sqrt(np.mean(noise**2)) * 0.07).reshape(-1, 1), RATE)


def _noise(draw: np.random.Generator, *, pitched: bool) -> NDArray[np.float64]:
    size = round(_NOISE_S * RATE)
    left = draw.standard_normal(size)
    right = left
    if pitched:
        spectrum = np.fft.rfft(left)
        hertz = np.fft.rfftfreq(size, 1 / RATE)
        # From 0 to 360 degrees across the band: nothing changes outside of it.
        share = np.clip((hertz / _PITCH_HZ - 1 + _BAND) / (2 * _BAND), 0, 1)
        right = np.fft.irfft(spectrum * np.exp(2j * np.pi * share), size)
    both = np.column_stack([_ramped(left), _ramped(right)])
    level: NDArray[np.float64] = 0.1 * both / np.sqrt(np.mean(left**2))
    return level


def _times(seconds: float) -> NDArray[np.float64]:
    return np.arange(round(seconds * RATE)) / RATE


def _ramped(wave: NDArray[np.float64]) -> NDArray[np.float64]:
    n = round(_RAMP_S * RATE)
    ramp = np.sin(np.linspace(0, np.pi / 2, n)) ** 2
    shaped = wave.copy()
    shaped[:n] *= ramp
    shaped[-n:] *= ramp[::-1]
    return shaped
