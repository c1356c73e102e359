"""Hearing which instrument plays alone: drums by their noise, a bass by its register, a piano or
a guitar by its strings.

A piano's strings are stiff. Their partials lie further and further above the multiples of the
lowest one, f_n = n f_0 sqrt(1 + B n^2), and B grows smoothly along the keyboard (Fletcher, JASA
36, 203, 1964). A guitar's strings are limp, and B jumps from string to string.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from zhiyin.listener.general import Hearing
from zhiyin.listener.melody import CLEAR, evidence
from zhiyin.listener.notes import LOW, Event, events
from zhiyin.listener.spectrum import RATE, clean, hertz
from zhiyin.sound import Sound, resample

Source = Literal["piano", "guitar", "bass", "drums"]

ONSET = 0.05
"""Least flux of an onset: all four are struck or plucked."""
FULL_RATE = 22050
ABOVE_HZ = 5000.0
"""From here on the level of cymbals and wires is taken."""
TONAL, NOISY, HISS_DB = 0.2, 0.35, -25.0
"""Drums have less than the first share of narrow partials in their quiet moments, or less than
the second and this level of what lies high."""
DARK = 9.0
"""Half-way, in log2 of Hz, between the centres of gravity of a bass and of the others."""
LOWEST_GUITAR = 40
"""E2. Two different notes below it, and half of the notes below `LOW_MIDDLE`, make a bass."""
LOW_MIDDLE = 46.0

PARTIALS = 16
HIGHEST_HZ = 5200.0
STIFFNESS = np.concatenate([[0.0], 10.0 ** np.arange(-5.0, -2.45, 0.1)])
"""The inharmonicities B that are tried."""
NONE = 3e-6
"""Added to B before its logarithm is taken, since limp strings have none."""
FFT = 32768
SHORTEST, LONGEST = 1800, 6000
"""Samples of a note that is judged."""
FLOOR_DB = -100.0

WEIGHTS = (-0.0501, 0.3862, -6.6264, 4.2164)
OFFSET = 16.8543
"""Piano against guitar, logistic: of the median pitch, the median gain in dB of the best B over
the usual one, the spread and the third quartile of log10 B. Fitted on 16 piano and 27 guitar
recordings of one source and 60 generated items; what that is worth elsewhere is said in
docs/listener.md."""


@dataclass(frozen=True)
class HeardSource:
    """Which instrument was heard; None where nothing clear sounds; and why."""

    source: Source | None
    why: str


def hear_source(sound: Sound) -> HeardSource:
    """Which of piano, guitar, bass and drums plays alone."""
    hearing = Hearing(sound)
    if hearing.samples is None:
        return HeardSource(None, "heard nothing: the recording is silent")
    tonal, hiss = tonality(hearing), hiss_db(sound)
    if tonal < TONAL or (tonal < NOISY and hiss > HISS_DB):
        return HeardSource("drums", f"heard noise: {100 * tonal:.0f} % in narrow partials")
    heard = events(hearing.samples, ONSET)
    clear = [event for event in heard if evidence(event).max() >= CLEAR]
    if not clear:
        return HeardSource(None, "heard no clear note")
    pitches = [pitch_of(event) for event in clear]
    middle, low = float(np.median(pitches)), len({p for p in pitches if p < LOWEST_GUITAR})
    centre = gravity(sound)
    if centre < DARK or (low > 1 and middle < LOW_MIDDLE):
        return HeardSource("bass", f"heard low notes around MIDI {middle:.0f}: a bass")
    value = stringiness(hearing.samples, heard)
    if value is None:
        return HeardSource(None, "heard no note long enough to tell its strings")
    source: Source = "piano" if value > 0 else "guitar"
    return HeardSource(source, f"heard strings of a {source} (log odds of a piano {value:+.1f})")


def tonality(hearing: Hearing) -> float:
    """Share of energy in narrow partials, 0 to 1: its 20th percentile over what is not quiet."""
    magnitude = hearing.long.astype(float)
    energy = np.square(magnitude).sum(axis=1)
    narrow = np.square(clean(magnitude)).sum(axis=1) / (energy + 1e-12)
    loud = energy > np.percentile(energy, 30)
    return float(np.percentile(narrow[loud] if loud.any() else narrow, 20))


def _power(sound: Sound) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    samples = resample(sound, FULL_RATE).samples
    power: NDArray[np.float64] = np.square(np.abs(np.fft.rfft(samples.astype(float)))) + 1e-20
    frequency: NDArray[np.float64] = np.arange(len(power)) * FULL_RATE / len(samples)
    return power, frequency


def hiss_db(sound: Sound) -> float:
    """Level above `ABOVE_HZ` relative to everything, in dB."""
    power, frequency = _power(sound)
    return float(10.0 * np.log10(power[frequency > ABOVE_HZ].sum() / power.sum() + 1e-9))


def gravity(sound: Sound) -> float:
    """Centre of gravity of the magnitudes, in log2 of Hz."""
    power, frequency = _power(sound)
    magnitude = np.sqrt(power)
    return float(np.log2((magnitude * frequency).sum() / magnitude.sum()))


def pitch_of(event: Event) -> int:
    """The MIDI pitch that an event speaks for most."""
    return int(np.argmax(evidence(event))) + LOW


def stringiness(samples: NDArray[np.floating], heard: list[Event]) -> float | None:
    """Log odds of a piano against a guitar; None where no note is long enough."""
    ends = [*(event.time for event in heard[1:]), len(samples) / RATE]
    rows = []
    for event, end in zip(heard, ends, strict=True):
        if evidence(event).max() >= CLEAR:
            measured = stiffness(samples, event.time, end, pitch_of(event))
            if measured is not None:
                rows.append((pitch_of(event), *measured))
    if not rows:
        return None
    pitch, stiff, gain = np.array(rows).T
    traits = (np.median(pitch), np.median(gain), np.std(stiff), np.percentile(stiff, 75))
    return float(np.dot(WEIGHTS, traits)) + OFFSET


def stiffness(
    samples: NDArray[np.floating], start: float, end: float, pitch: int
) -> tuple[float, float] | None:
    """log10 of the B of a note, and how much better it fits than the usual B, in dB.

    A comb of partials is laid over the spectrum for every B and every tuning within a third of
    a semitone; the best one has most decibels under its teeth. None for a note that is too short.
    """
    first = round((start + 0.03) * RATE)
    count = min(round((min(end - start, 1.0) - 0.05) * RATE), len(samples) - first, LONGEST)
    if count < SHORTEST:
        return None
    piece = samples[first : first + count] * np.hanning(count)
    level = 20.0 * np.log10(np.abs(np.fft.rfft(piece, FFT)) / count + 1e-7)
    above = np.clip(level - FLOOR_DB, 0.0, None)
    cents = np.arange(-35.0, 36.0, 2.5)
    base = float(hertz(np.array(float(pitch)))) * 2.0 ** (cents / 1200.0)
    number = np.arange(1, PARTIALS + 1)
    stretch = number * np.sqrt(1.0 + STIFFNESS[:, None] * number**2)
    teeth = base[None, :, None] * stretch[:, None, :]
    inside = teeth < HIGHEST_HZ
    places = np.minimum(np.rint(teeth * FFT / RATE).astype(int), len(above) - 1)
    fits = np.where(inside, above[places], 0.0).sum(axis=2) / np.maximum(inside.sum(axis=2), 1)
    best = fits.max(axis=1)
    chosen = int(best.argmax())
    return float(np.log10(STIFFNESS[chosen] + NONE)), float(best[chosen] - np.median(best))
