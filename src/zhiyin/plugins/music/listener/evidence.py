"""Evidence in the waveform that a recording is music: steady pitches or a recurring beat.

Speech glides, noise has no pitch, and neither recurs evenly. What has neither steady pitch nor
beat is no music; what has one of them may be music, or a siren that stands still.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zhiyin.plugins.music.listener.pieces import AUDIBLE, FRAMES, PERIODS_S, Hearing
from zhiyin.sound import Sound

SHORTEST_S, LONGEST_S = 4.0, 60.0
"""What is shorter cannot be told; of what is longer the middle is heard."""
STEADY, BEAT = 0.27, 0.22
"""Share of frames with a steady pitch, and likeness from beat to beat, from which on it may be
music. Set so that music is not taken for something else: all of 105 recordings of pieces, scales
and drum patterns pass by one or the other, and so do three of eight sequences of spoken words."""
_STANDS_OUT = 10.0
"""How far the strongest place of a spectrum stands out from its median where there is a pitch."""
_HELD = 4
"""Long frames in a row (0.3 s) at one pitch."""
_LOUD = 0.05


@dataclass(frozen=True)
class MusicEvidence:
    """Share of steady pitches, and likeness from beat to beat; both 0 in silence."""

    steady: float
    beat: float

    @property
    def is_music(self) -> bool:
        """True if it may be music."""
        return self.steady >= STEADY or self.beat >= BEAT


def hear_music(sound: Sound) -> MusicEvidence | None:
    """Measure how far a recording is music; None where it is too short to tell.

    Parameters
    ----------
    sound : Sound
    """
    if sound.seconds < SHORTEST_S:
        return None
    if sound.seconds > LONGEST_S:
        begin = int((sound.seconds - LONGEST_S) / 2 * sound.rate)
        part = sound.samples[begin : begin + int(LONGEST_S * sound.rate)]
        sound = Sound(part, sound.rate)
    hearing = Hearing(sound)
    if hearing.samples is None:
        return MusicEvidence(0.0, 0.0)
    return MusicEvidence(_steady(hearing), _recurrence(hearing))


def _steady(hearing: Hearing) -> float:
    """Share of the loud enough frames in which one pitch stands out and stays."""
    level = hearing.long
    top = level.max(axis=1)
    loud = top > _LOUD * top.max()
    place = level.argmax(axis=1)
    clear = top > _STANDS_OUT * np.median(level, axis=1)
    same = (np.abs(np.diff(place)) <= 1) & clear[1:] & clear[:-1]
    held = np.zeros(len(place), dtype=bool)
    for frame in range(len(place) - _HELD + 1):
        if same[frame : frame + _HELD - 1].all():
            held[frame : frame + _HELD] = True
    return float((held & loud).sum() / max(1, loud.sum()))


def _recurrence(hearing: Hearing) -> float:
    """The best mean autocorrelation of onsets over four multiples of a beat, at most 1."""
    onset = np.convolve(hearing.onset, np.hanning(7) / 3.0, mode="same")
    if not onset.any() or hearing.short.max() <= AUDIBLE:
        return 0.0
    spectrum = np.abs(np.fft.rfft(onset - onset.mean(), 2 * len(onset))) ** 2
    correlation = np.fft.irfft(spectrum)[: len(onset)]
    shares = correlation / max(correlation[0], 1e-12)
    shares *= len(onset) / np.arange(len(onset), 0, -1)
    lags = np.arange(len(shares))
    combs = [np.interp(p * FRAMES * np.arange(1, 5), lags, shares).mean() for p in PERIODS_S]
    return float(min(1.0, max(combs)))
