"""Hearing the leading voice of a piece: where it goes at first, and what kind of sound it has."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from zhiyin.listener.general import LONG_FRAMES, Hearing, hear_layout
from zhiyin.listener.spectrum import LOWEST, PER_SEMITONE, clean

LOW, HIGH = 52, 91
"""Where a leading voice is looked for, in MIDI pitch: E3 to G6."""
PARTIALS = 8
WEIGHT = 0.84
"""Weight of a partial relative to the one below it (Klapuri, ISMIR 2006, weights partials in a
like way)."""
BRIGHT = 0.012
"""How much a semitone higher is preferred: the leading voice is mostly the upper one."""
CONTOUR_SEMITONES = 2.5
"""How far the thirds of a phrase must lie apart for a contour to be clear."""


@dataclass(frozen=True)
class Voice:
    """The leading voice.

    Attributes
    ----------
    pitch : ndarray of float, shape (frames,)
        MIDI pitch in each frame of `LONG_FRAMES` to a second.
    salience : ndarray of float, shape (frames,)
        How strongly it sounds, the strongest frame being 1.
    """

    pitch: NDArray[np.float64]
    salience: NDArray[np.float64]


def hear_voice(hearing: Hearing) -> Voice:
    """Follow the leading voice: the pitch with the strongest partials, continuous in time."""
    level = np.sqrt(clean(hearing.long)).astype(float)
    steps = np.arange((LOW - LOWEST) * PER_SEMITONE, (HIGH - LOWEST) * PER_SEMITONE + 1)
    salience = np.zeros((len(level), len(steps)))
    for number in range(1, PARTIALS + 1):
        shifted = steps + round(12 * PER_SEMITONE * float(np.log2(number)))
        inside = shifted < level.shape[1]
        salience[:, inside] += WEIGHT**number * level[:, shifted[inside]]
    pitches = LOWEST + steps / PER_SEMITONE
    salience *= 1.0 + BRIGHT * (pitches - LOW)
    path = _smoothest(salience / max(float(salience.max()), 1e-12))
    strength = salience[np.arange(len(path)), path]
    return Voice(pitches[path], strength / max(float(strength.max()), 1e-12))


def _smoothest(salience: NDArray[np.float64]) -> NDArray[np.intp]:
    """The path of most salience that does not jump for nothing (Viterbi), shape (frames,)."""
    count = salience.shape[1]
    jump = 0.012 * np.minimum(np.abs(np.subtract.outer(np.arange(count), np.arange(count))), 24)
    total = salience[0].copy()
    back = np.zeros(salience.shape, dtype=np.intp)
    for frame in range(1, len(salience)):
        reached = total[None, :] - jump
        back[frame] = reached.argmax(axis=1)
        total = reached.max(axis=1) + salience[frame]
    path = np.zeros(len(salience), dtype=np.intp)
    path[-1] = int(total.argmax())
    for frame in range(len(salience) - 1, 0, -1):
        path[frame - 1] = back[frame, path[frame]]
    return path


def hear_contour(hearing: Hearing) -> str | None:
    """Rising, falling, arch or valley: the direction of the opening phrase; None where unclear.

    The phrase is the first block of the layout, without the last beat, in which the tune rests.
    """
    thirds = opening_thirds(hearing)
    if thirds is None:
        return None
    first, middle, last = thirds
    bend = middle - (first + last) / 2.0
    if abs(last - first) >= CONTOUR_SEMITONES and abs(last - first) > abs(bend):
        return "rising" if last > first else "falling"
    if abs(bend) >= CONTOUR_SEMITONES:
        return "arch" if bend > 0 else "valley"
    return None


def opening_thirds(hearing: Hearing) -> tuple[float, float, float] | None:
    """Mean MIDI pitch of the leading voice in each third of the opening phrase."""
    layout, pulse = hear_layout(hearing), hearing.pulse
    if layout is None or pulse is None:
        return None
    voice = hear_voice(hearing)
    start = pulse.beats[layout.intro]
    end = start + layout.length * 60.0 / pulse.bpm
    edges = np.rint(np.linspace(start, end, 4) * LONG_FRAMES).astype(int)
    means = []
    for low, high in pairwise(edges):
        weight = voice.salience[low:high] ** 2
        if weight.sum() < 1e-9:
            return None
        means.append(float((voice.pitch[low:high] * weight).sum() / weight.sum()))
    return means[0], means[1], means[2]
