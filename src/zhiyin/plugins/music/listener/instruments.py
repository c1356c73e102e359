"""Hearing the leading voice: where it goes, its family of instruments, and what plays alone."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from zhiyin.parsing import read_beside
from zhiyin.plugins.music.listener.melody import CLEAR, evidence
from zhiyin.plugins.music.listener.pieces import LONG_FRAMES, Hearing, hear_layout
from zhiyin.plugins.music.listener.spectrum import (
    LOW,
    LOWEST,
    PER_SEMITONE,
    RATE,
    Answer,
    SoundEvent,
    clean,
    events,
    hertz,
)
from zhiyin.sound import Sound, resample

VOICE_LOW, VOICE_HIGH = 52, 91
"""Where a leading voice is looked for, in MIDI pitch: E3 to G6."""
VOICE_PARTIALS = 8
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
    steps = np.arange((VOICE_LOW - LOWEST) * PER_SEMITONE, (VOICE_HIGH - LOWEST) * PER_SEMITONE + 1)
    salience = np.zeros((len(level), len(steps)))
    for number in range(1, VOICE_PARTIALS + 1):
        shifted = steps + round(12 * PER_SEMITONE * float(np.log2(number)))
        inside = shifted < level.shape[1]
        salience[:, inside] += WEIGHT**number * level[:, shifted[inside]]
    pitches = LOWEST + steps / PER_SEMITONE
    salience *= 1.0 + BRIGHT * (pitches - VOICE_LOW)
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


# Hearing what kind of instrument leads: its partials and how it fades, against known ones.

TIMBRE_PARTIALS = 10
KEPT = 6
LONG_ENOUGH = 5
"""Frames (0.46 s) that a note must last to be judged."""
FADE_RANGE, FADE_SCALE = (-30.0, 5.0), 40.0
"""Limits of the change of level while a note is held, in dB a second, and its unit."""
CLEARLY = 0.7
"""The nearest family must lie within this share of the distance of the next one."""

KNOWN = read_beside(__file__, "timbres.toml", dict[str, tuple[tuple[float, ...], ...]])
"""What was measured of the instruments of each family, as `opening_timbre` does."""


def hear_family(hearing: Hearing, among: Collection[str]) -> str | None:
    """Name the family of the instrument that leads at first.

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
        (min(float(np.linalg.norm(heard - np.array(row))) for row in KNOWN[family]), family)
        for family in KNOWN.keys() & among
    )
    if len(nearest) < 2 or nearest[0][0] > CLEARLY * nearest[1][0]:
        return None
    return nearest[0][1]


def opening_timbre(hearing: Hearing) -> NDArray[np.float64] | None:
    """Measure the long notes of the leading voice in the first block as in `KNOWN`, shape (7,)."""
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
    partials = np.zeros((high - low, TIMBRE_PARTIALS))
    for number in range(1, TIMBRE_PARTIALS + 1):
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


# Hearing which instrument plays alone: drums by their noise, a bass by its register, a piano or
# a guitar by its strings.
#
# A piano's strings are stiff. Their partials lie further and further above the multiples of the
# lowest one, f_n = n f_0 sqrt(1 + B n^2), and B grows smoothly along the keyboard (Fletcher, JASA
# 36, 203, 1964). A guitar's strings are limp, and B jumps from string to string.

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


def hear_source(sound: Sound) -> Answer:
    """Name which of piano, guitar, bass and drums plays alone."""
    hearing = Hearing(sound)
    if hearing.samples is None:
        return None, "heard nothing: the recording is silent"
    tonal, hiss = tonality(hearing), hiss_db(sound)
    if tonal < TONAL or (tonal < NOISY and hiss > HISS_DB):
        return "drums", f"heard noise: {100 * tonal:.0f} % in narrow partials"
    heard = events(hearing.samples, ONSET)
    clear = [event for event in heard if evidence(event).max() >= CLEAR]
    if not clear:
        return None, "heard no clear note"
    pitches = [pitch_of(event) for event in clear]
    middle, low = float(np.median(pitches)), len({p for p in pitches if p < LOWEST_GUITAR})
    centre = gravity(sound)
    if centre < DARK or (low > 1 and middle < LOW_MIDDLE):
        return "bass", f"heard low notes around MIDI {middle:.0f}: a bass"
    value = stringiness(hearing.samples, heard)
    if value is None:
        return None, "heard no note long enough to tell its strings"
    source = "piano" if value > 0 else "guitar"
    return source, f"heard strings of a {source} (log odds of a piano {value:+.1f})"


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


def pitch_of(event: SoundEvent) -> int:
    """The MIDI pitch that an event speaks for most."""
    return int(np.argmax(evidence(event))) + LOW


def stringiness(samples: NDArray[np.floating], heard: list[SoundEvent]) -> float | None:
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
