"""What makes listening harder: reverberation and noise, both seeded."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from zhiyin.music.render import RATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from zhiyin.music.stimuli.item import Difficulty

_WET_DB = -8.0
"""Energy of the reverberant sound against the direct one."""


def apply_effects(
    samples: NDArray[np.float32], difficulty: Difficulty, *words: str | int
) -> NDArray[np.float32]:
    """Reverberate, then add noise, as the difficulty says; unchanged by default.

    Parameters
    ----------
    samples : ndarray of float32, shape (n,)
        At `RATE`.
    difficulty : Difficulty
        Its `reverb_s` and `noise_db` are used.
    *words : str or int
        What the room and the noise are seeded from.

    Returns
    -------
    ndarray of float32, shape (n,)
    """
    if difficulty.reverb_s is not None:
        samples = _reverberated(samples, difficulty.reverb_s, _noise_source("room", *words))
    if difficulty.noise_db is not None:
        power = float(np.mean(np.square(samples, dtype=np.float64)))
        level = np.sqrt(power / 10 ** (difficulty.noise_db / 10))
        noise = _noise_source("noise", *words).standard_normal(len(samples), dtype=np.float32)
        samples = samples + np.float32(level) * noise
    return samples


def _noise_source(*words: str | int) -> np.random.Generator:
    digest = hashlib.sha256("\x1f".join(map(str, words)).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))


def _reverberated(
    samples: NDArray[np.float32], rt60_s: float, source: np.random.Generator
) -> NDArray[np.float32]:
    """Convolve with exponentially decaying noise (Moorer, Computer Music Journal 3(2), 1979)."""
    count = round(rt60_s * RATE)
    tail = source.standard_normal(count) * 10 ** (-3 * np.arange(count) / count)
    tail *= np.sqrt(10 ** (_WET_DB / 10) / np.sum(tail**2))
    gap = round(0.015 * RATE)  # the first reflection comes 15 ms after the direct sound
    room = np.concatenate([[1.0], np.zeros(gap), tail])
    size = 1 << (len(samples) + len(room) - 2).bit_length()
    wet = np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(room, size), size)
    return wet[: len(samples)].astype(np.float32)
