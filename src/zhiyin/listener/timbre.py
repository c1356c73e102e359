"""Hearing what kind of instrument leads: its partials and how it fades, against known ones."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from zhiyin.listener.general import LONG_FRAMES, Hearing, hear_layout
from zhiyin.listener.spectrum import LOWEST, PER_SEMITONE
from zhiyin.listener.voice import hear_voice

PARTIALS = 10
KEPT = 6
LONG_ENOUGH = 5
"""Frames (0.46 s) that a note must last to be judged."""
FADE_RANGE, FADE_SCALE = (-30.0, 5.0), 40.0
"""Limits of the change of level while a note is held, in dB a second, and its unit."""
CLEARLY = 0.7
"""The nearest family must lie within this share of the distance of the next one."""

KNOWN: tuple[tuple[str, float, float, float, float, float, float, float], ...] = (
    ("brass", 0.61, 0.61, 0.4, 0.23, 0.15, 0.13, -0.07),  # French horn
    ("brass", 0.48, 0.5, 0.47, 0.37, 0.25, 0.19, -0.05),  # trombone
    ("brass", 0.47, 0.49, 0.46, 0.33, 0.29, 0.25, -0.05),  # trumpet
    ("guitar", 0.63, 0.46, 0.38, 0.25, 0.19, 0.15, -0.2),  # electric guitar
    ("guitar", 0.78, 0.5, 0.19, 0.15, 0.17, 0.09, -0.18),  # nylon-string guitar
    ("guitar", 0.74, 0.48, 0.28, 0.22, 0.16, 0.18, 0.02),  # steel-string guitar
    ("keyboard", 0.65, 0.44, 0.26, 0.31, 0.15, 0.23, 0.03),  # church organ
    ("keyboard", 0.74, 0.41, 0.3, 0.21, 0.16, 0.16, -0.37),  # piano
    ("mallets", 0.89, 0.18, 0.15, 0.32, 0.1, 0.1, -0.75),  # marimba
    ("mallets", 0.68, 0.49, 0.29, 0.18, 0.12, 0.11, -0.21),  # vibraphone
    ("mallets", 0.6, 0.38, 0.3, 0.53, 0.21, 0.18, 0.12),  # xylophone
    ("strings", 0.84, 0.34, 0.25, 0.21, 0.18, 0.18, -0.01),  # cello
    ("strings", 0.74, 0.43, 0.26, 0.25, 0.18, 0.18, 0.03),  # string ensemble
    ("strings", 0.76, 0.49, 0.24, 0.23, 0.17, 0.12, -0.1),  # violin
    ("synth", 0.74, 0.43, 0.31, 0.25, 0.2, 0.17, -0.11),  # sawtooth synthesizer
    ("synth", 0.88, 0.11, 0.36, 0.09, 0.22, 0.07, 0.12),  # square-wave synthesizer
    ("synth", 0.8, 0.47, 0.23, 0.19, 0.12, 0.11, 0.05),  # synthesizer pad
    ("woodwind", 0.65, 0.45, 0.41, 0.27, 0.2, 0.18, -0.06),  # alto saxophone
    ("woodwind", 0.67, 0.38, 0.46, 0.24, 0.26, 0.14, -0.11),  # clarinet
    ("woodwind", 0.67, 0.39, 0.28, 0.23, 0.14, 0.13, -0.1),  # flute
    ("woodwind", 0.63, 0.59, 0.29, 0.24, 0.14, 0.15, 0.09),  # oboe
    ("woodwind", 0.74, 0.21, 0.31, 0.32, 0.13, 0.07, -0.06),  # recorder
)
"""Families, and the medians of what was measured of their instruments (one a line) in mixed
pieces of the project's own: roots of the shares of the first six partials, and the fade."""


def hear_family(hearing: Hearing, among: Collection[str]) -> str | None:
    """Which family the instrument that leads at first belongs to.

    Parameters
    ----------
    hearing : Hearing
    among : collection of str
        The families in question, of those in `KNOWN`.

    Returns
    -------
    str or None
        None where no long note was heard, or none of them is clearly nearest.
    """
    heard = opening_timbre(hearing)
    if heard is None:
        return None
    nearest = sorted(
        (min(float(np.linalg.norm(heard - np.array(row[1:]))) for row in KNOWN if row[0] == f), f)
        for f in sorted(set(among))
        if any(row[0] == f for row in KNOWN)
    )
    if len(nearest) < 2 or nearest[0][0] > CLEARLY * nearest[1][0]:
        return None
    return nearest[0][1]


def opening_timbre(hearing: Hearing) -> NDArray[np.float64] | None:
    """What `KNOWN` holds, of the long notes of the leading voice in the first block, shape (7,)."""
    layout, pulse = hear_layout(hearing), hearing.pulse
    if layout is None or pulse is None:
        return None
    begin = pulse.beats[layout.intro]
    end = begin + layout.length * 60.0 / pulse.bpm
    first, last = int(begin * LONG_FRAMES), int(end * LONG_FRAMES)
    voice = hear_voice(hearing)
    steady = np.rint(voice.pitch[first:last])
    edges = [0, *(np.flatnonzero(np.diff(steady)) + 1), len(steady)]
    rows = []
    for low, high in pairwise(edges):
        if high - low >= LONG_ENOUGH:
            pitch = float(voice.pitch[first + low : first + high].mean())
            rows.append(_note(hearing, first + low, first + high, pitch))
    return np.median(rows, axis=0) if rows else None


def _note(hearing: Hearing, low: int, high: int, pitch: float) -> NDArray[np.float64]:
    """The features of one note between two frames."""
    bins = hearing.long.shape[1]
    partials = np.zeros((high - low, PARTIALS))
    for number in range(1, PARTIALS + 1):
        place = round((pitch - LOWEST + 12.0 * float(np.log2(number))) * PER_SEMITONE)
        if place < bins:
            partials[:, number - 1] = hearing.long[low:high, max(0, place - 1) : place + 2].max(1)
    power = np.square(partials[:, :KEPT]).sum(axis=1)
    # The attack is no part of the fade, nor is what comes after nine tenths of a second.
    used = slice(1, min(high - low - 1, 10))
    level = 10.0 * np.log10(power[used] + 1e-12)
    fade = float(np.polyfit(np.arange(len(level)) / LONG_FRAMES, level, 1)[0])
    mean = partials.mean(axis=0)
    shares = np.sqrt(mean[:KEPT] / max(float(mean.sum()), 1e-9))
    return np.append(shares, np.clip(fade, *FADE_RANGE) / FADE_SCALE)
