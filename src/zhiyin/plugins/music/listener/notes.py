"""Notes that begin at a moment, by harmonic templates of what has been added; and their names."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.fft import rfft
from scipy.optimize import nnls

from zhiyin.plugins.music.listener.spectrum import (
    FFT,
    HIGHEST,
    LOWEST,
    RATE,
    Array,
    axis,
    clean,
    hertz,
    log_spectra,
    narrow_filterbank,
    onsets,
    window,
)
from zhiyin.plugins.music.theory import ROOTS


def pitch_class_name(pitch_class: int) -> str:
    """The name of a pitch class, 0 (C) to 11 (B)."""
    return ROOTS[pitch_class % 12]


def pitch_name(pitch: int) -> str:
    """The name and octave of a MIDI pitch: 60 is C4."""
    return f"{ROOTS[pitch % 12]}{pitch // 12 - 1}"


# Which notes begin at a moment: harmonic templates fitted to what has been added to the sound.

LOW, HIGH = 28, 96
"""The notes that can be heard, in MIDI pitch: E1, a bass's lowest string, to C7."""

LENGTHS = (4096, 2048, 1024)
"""Window lengths in samples, the longest that fits between two onsets is used."""

PARTIALS = 16
DECAYS = (0.6, 0.85)
"""A dull and a bright timbre: amplitude of a partial relative to the one below it."""

STIFFNESS = 1e-4
"""Inharmonicity coefficient B of a middle piano string: f_n = n f_0 sqrt(1 + B n^2)."""

COMPRESSION = 0.5
"""Exponent applied to magnitudes, so that weak partials count, as in hearing."""


@dataclass(frozen=True)
class SoundEvent:
    """Something that begins.

    Attributes
    ----------
    time : float
        Onset in seconds.
    rise : float
        Flux at the onset, in octaves per bin: how sharply everything rises.
    fresh : float
        Share of the energy after the onset that was not there before it, 0 to 1.
    level : float
        Amplitude of what is new (1 is a full-scale sine).
    strengths : ndarray, shape (HIGH - LOW + 1,)
        For each pitch from `LOW` up, its share of the (compressed) new spectrum: near 1 for
        a single clear note, 0.4 for each of six equal notes, under 0.2 for noise.
    sounding : ndarray, shape (HIGH - LOW + 1,)
        The same for everything that sounds after the onset, whether new or not.
    """

    time: float
    rise: float
    fresh: float
    level: float
    strengths: Array
    sounding: Array


def templates(length: int) -> Array:
    """Make the templates of a compressed spectrum: columns of length 1, shape (bins, columns).

    First every note in every timbre (`DECAYS`), then humps two octaves wide, an octave apart,
    which take up noise and the thump of an attack.
    """
    with _making:  # recordings are heard side by side: made once all the same
        return _templates(length)


_making = threading.Lock()


@lru_cache(maxsize=4)
def _templates(length: int) -> Array:
    fine = 16
    lobe = np.abs(rfft(window(length), FFT * fine)) / 2.0
    around = np.concatenate((lobe[:0:-1], lobe))  # on both sides of its middle
    last = fine * (FFT // 2)
    bank = narrow_filterbank().astype(float)
    number = np.arange(1, PARTIALS + 1)
    columns = []
    for decay in DECAYS:
        for pitch in range(LOW, HIGH + 1):
            partials = number * hertz(np.array(float(pitch))) * np.sqrt(1.0 + STIFFNESS * number**2)
            spectrum = np.zeros(FFT // 2 + 1)
            for amplitude, frequency in zip(decay**number, partials, strict=True):
                if frequency < RATE / 2.0:
                    first = last - int(np.rint(frequency * FFT / RATE * fine))
                    spectrum += amplitude * around[first : first + last + 1 : fine]
            column = (bank @ spectrum) ** COMPRESSION
            columns.append(column / np.linalg.norm(column))
    for centre in range(LOWEST, HIGHEST + 1, 12):
        hump = np.maximum(0.0, np.cos((axis() - centre) * np.pi / 24.0))
        hump[np.abs(axis() - centre) > 12] = 0.0
        columns.append(hump / np.linalg.norm(hump))
    return np.stack(columns, axis=1)


def strengths(spectrum: Array, length: int) -> Array:
    """Share of each pitch in a spectrum that was taken with a window of `length` samples."""
    target = spectrum.astype(float) ** COMPRESSION
    norm = float(np.linalg.norm(target))
    if norm == 0.0:
        return np.zeros(HIGH - LOW + 1)
    weights, _ = nnls(templates(length), target / norm)
    notes = HIGH - LOW + 1
    shares = weights[: len(DECAYS) * notes].reshape(len(DECAYS), notes)
    return np.asarray(shares.sum(axis=0))


def events(samples: Array, threshold: float) -> list[SoundEvent]:
    """Everything that begins in a signal at `RATE`, in order of time.

    Parameters
    ----------
    samples : ndarray, shape (n,)
        From `spectrum.prepared`.
    threshold : float
        Least flux of an onset, in octaves per bin (see `spectrum.onsets`).
    """
    times, rises = onsets(samples, threshold)
    ends = np.append(times, len(samples) / RATE)[1:]
    spans = zip(times, rises, ends, strict=True)
    return [event(samples, float(time), float(rise), float(end)) for time, rise, end in spans]


def event(samples: Array, time: float, rise: float, end: float) -> SoundEvent:
    """Analyse what begins at `time` with a flux of `rise`, heard up to `end` (s) at the latest."""
    room = min(end - time, 1.0)
    length = next((n for n in LENGTHS if n / RATE <= room - 0.02), LENGTHS[-1])
    starts = np.array([(time + 0.01) * RATE, (time - 0.03) * RATE - length]).astype(int)
    after, before = clean(log_spectra(samples, starts, length, FFT))
    new = np.maximum(0.0, after - before)
    total = float(np.sum(after**2))
    energy = float(np.sum(new**2))
    return SoundEvent(
        time=time,
        rise=rise,
        fresh=energy / total if total else 0.0,
        level=energy**0.5,
        strengths=strengths(new, length),
        sounding=strengths(after, length),
    )
