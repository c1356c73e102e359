"""Spectra on a logarithmic frequency axis, the moments at which something new begins, and cores.

The axis is musical: `PER_SEMITONE` bins to a semitone, so that a transposition is a shift.

Notes that begin at a moment, by harmonic templates of what has been added; and their names.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.fft import rfft
from scipy.ndimage import maximum_filter1d, median_filter, percentile_filter
from scipy.optimize import nnls
from scipy.signal import find_peaks
from scipy.signal.windows import hann
from scipy.sparse import csr_array

from zhiyin.plugins.music.theory import ROOTS
from zhiyin.sound import Sound, resample

Array = NDArray[np.floating[Any]]
Answer = tuple[str | None, str]
"""A word of the right option, or None for no answer; and why, to stand after "I"."""

RATE = 11025
"""Pitched sound is heard at this rate (Hz): five octaves of partials, up to 5.5 kHz."""

LOWEST, HIGHEST = 28, 108
"""The range of the axis in MIDI pitch: E1 (41 Hz) to C8 (4186 Hz)."""

PER_SEMITONE = 3
FFT = 8192
"""Length to which every piece is padded with zeros."""

SILENCE_DB = -60.0
"""A recording whose loudest sample lies below this (dB full scale) is silent."""


def axis() -> Array:
    """Centre of each bin in MIDI pitch, shape (bins,)."""
    count = (HIGHEST - LOWEST) * PER_SEMITONE + 1
    return np.linspace(LOWEST, HIGHEST, count, dtype=np.float32)


def hertz(pitch: Array) -> Array:
    """Frequency in Hz of a MIDI pitch, A4 (69) being 440 Hz."""
    return 440.0 * 2.0 ** ((pitch - 69.0) / 12.0)


@lru_cache(maxsize=4)
def filterbank(size: int = FFT) -> Array:
    """Triangular averages over FFT bins, shape (bins, size // 2 + 1); each row sums to one."""
    centres = hertz(axis()) * size / RATE
    width = np.maximum(centres * (2.0 ** (1.0 / (12 * PER_SEMITONE)) - 1.0), 1.0)
    position = np.arange(size // 2 + 1)
    bank = np.maximum(0.0, 1.0 - np.abs(position - centres[:, None]) / width[:, None])
    bank /= bank.sum(axis=1, keepdims=True)
    return np.asarray(bank, dtype=np.float32)


@lru_cache(maxsize=4)
def narrow_filterbank(size: int = FFT) -> csr_array:
    """The same without its zeros, of which it mostly consists: faster for a few spectra."""
    return csr_array(filterbank(size))


_FEW = 16
"""Spectra up to which that is faster."""


@lru_cache(maxsize=16)
def window(length: int) -> Array:
    """Hann window of `length` samples that sums to two: a sine of amplitude 1 measures 1."""
    shape = hann(length, sym=False)
    return np.asarray(shape * (2.0 / shape.sum()), dtype=np.float32)


def prepared(sound: Sound) -> Array | None:
    """The samples at `RATE`, loudest at 1, shape (n,); None where the recording is silent."""
    samples = sound.samples - np.float32(np.mean(sound.samples))
    loudest = float(np.max(np.abs(samples)))
    if loudest < 10.0 ** (SILENCE_DB / 20.0):
        return None
    return resample(Sound(samples / np.float32(loudest), sound.rate), RATE).samples


def log_spectra(samples: Array, starts: NDArray[np.integer], length: int, size: int) -> Array:
    """Magnitudes on the logarithmic axis of pieces of a signal.

    Parameters
    ----------
    samples : ndarray of float32, shape (n,)
        Signal at `RATE`. What lies outside it is taken as silence.
    starts : ndarray of int, shape (m,)
        First sample of each piece; may be negative.
    length : int
        Samples in a piece.
    size : int
        Length of the FFT in samples; a piece is padded with zeros up to it.

    Returns
    -------
    ndarray of float32, shape (m, bins)
        Amplitude of the sinusoids near each bin.
    """
    low = max(0, -int(starts.min(initial=0)))
    high = max(0, int(starts.max(initial=0)) + length - len(samples))
    padded = np.pad(samples, (low, high))
    pieces = np.lib.stride_tricks.sliding_window_view(padded, length)[starts + low]
    spectra = np.abs(rfft(pieces * window(length), size, axis=1))
    if len(spectra) <= _FEW:
        return np.asarray((narrow_filterbank(size) @ spectra.T).T, dtype=np.float32)
    return np.asarray(spectra @ filterbank(size).T, dtype=np.float32)


HOP = 110
"""Samples from one frame of the flux to the next: 10 ms."""

FLUX_LENGTH, FLUX_FFT = 1024, 2048
LAG = 3
"""The flux compares a frame with the one this many frames before."""

RANGE_DB = 45.0
"""What lies this far below the loudest moment does not count in the flux."""

NOISE_RISE = 6.0
"""Steady noise stays below this multiple of its 20th percentile but once in 3000 frames
(a Rayleigh distribution: the percentile is 0.67 sigma, the multiple 4 sigma)."""

NOISE_SPREAD = 3.0
"""Nearly all noise magnitudes stay below this multiple of their 30th percentile (0.84 against
2.5 sigma of a Rayleigh distribution, which 96 of 100 do not exceed)."""

MASKING_S = 0.06
"""Time constant of the masking after an event, in seconds."""


def clean(magnitude: Array) -> Array:
    """Magnitudes less the noise around them, shape as given; never below 0.

    Partials are narrow and noise is broad, so that a low percentile over two octaves of the
    axis tells the level of the noise.
    """
    reach = 12 * PER_SEMITONE
    rows = np.pad(magnitude, (*((0, 0),) * (magnitude.ndim - 1), (reach, reach)), mode="edge")
    # In one row all are filtered twenty times as fast.
    floor = percentile_filter(rows.ravel(), 30, size=2 * reach + 1).reshape(rows.shape)
    floor = floor[..., reach:-reach]
    return np.asarray(np.maximum(0.0, magnitude - NOISE_SPREAD * floor))


def flux(samples: Array) -> Array:
    """Sum what rises from one moment to the next, shape (frames,), a frame every `HOP` samples.

    Spectral flux of logarithmic magnitudes against a maximum-filtered past, which keeps
    vibrato from counting (Böck and Widmer, "Maximum filter vibrato suppression for onset
    detection", DAFx 2013, section 3), averaged over the axis: octaves risen per bin.
    """
    starts = np.arange(0, len(samples), HOP) - FLUX_LENGTH // 2
    magnitude = log_spectra(samples, starts, FLUX_LENGTH, FLUX_FFT)
    quiet = np.percentile(magnitude, 20, axis=0)
    noise = percentile_filter(quiet, 30, size=24 * PER_SEMITONE + 1, mode="nearest")
    floor = np.maximum(magnitude.max() * 10.0 ** (-RANGE_DB / 20.0), noise)
    level = np.log2(1.0 + np.maximum(0.0, magnitude - NOISE_RISE * noise) / floor)
    past = np.zeros_like(level)
    past[LAG:] = maximum_filter1d(level, 2 * PER_SEMITONE - 1, axis=1)[:-LAG]
    return np.asarray(np.maximum(0.0, level - past).mean(axis=1))


def onsets(samples: Array, threshold: float) -> tuple[NDArray[np.float64], Array]:
    """Moments at which something may begin: seconds, ascending, and the flux; shape (n,) each.

    A peak of the flux counts where it stands `threshold` (octaves per bin) above the usual
    level around it and is not masked: the ear is deaf for a while after a loud event.
    """
    rise = flux(samples)
    usual = median_filter(rise, size=41, mode="constant")
    peaks, _ = find_peaks(np.pad(rise - 1.5 * usual, 1), height=threshold, distance=5)
    heard: list[int] = []
    for peak in peaks - 1:
        since = (peak - np.array(heard, dtype=float)) * HOP / RATE
        if not heard or rise[peak] > np.max(rise[heard] * np.exp(-since / MASKING_S)):
            heard.append(int(peak))
    return np.array(heard, dtype=float) * HOP / RATE, rise[heard]


# How many processor cores hearing takes.

_lock = threading.Lock()
_users = 0
_limit: Any = None


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Limit linear algebra of this process to one thread a call, while the context lasts.

    The matrices of a recording are small and many: threads on every core wait for each other
    most of the time, and several recordings are heard side by side already.
    """
    global _users, _limit
    from threadpoolctl import threadpool_limits

    with _lock:
        if not _users:
            _limit = threadpool_limits(1, user_api="blas")
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if not _users:
                _limit.restore_original_limits()


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
