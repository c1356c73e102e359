"""Hearing drums: the grid of a loop, its slots, and which of them hold kick or snare."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.fft import rfft
from scipy.optimize import nnls
from scipy.signal import find_peaks
from scipy.signal.windows import hann

from zhiyin.plugins.music.listener.spectrum import SILENCE_DB, Array
from zhiyin.plugins.music.solvers import count_offbeats
from zhiyin.sound import Sound, resample

RATE = 22050
"""Drums are heard at this rate (Hz), which keeps the hi-hat up to 11 kHz."""

HOP, LENGTH, FFT = 110, 1024, 1024
"""A frame every 5 ms, 46 ms long."""

EDGES = (30, 60, 100, 160, 250, 400, 600, 900, 1400, 2200, 3500, 5500, 8000, 11000)
"""Edges of the frequency bands in Hz, about three to two octaves."""

BODY = slice(0, 9)
"""The bands below 2.2 kHz, where kick and snare have their body and a hi-hat has little."""

HIGH = slice(10, None)
"""The bands above 3.5 kHz, where a hi-hat has nearly everything."""

SLOTS = 32
"""Eighth notes in four bars."""

EIGHTH_S = (0.16, 0.4)
"""Length of an eighth note that is looked for, in seconds: 75 to 187 beats a minute."""

FLOOR_DB = -55.0
"""What lies this far below the loudest moment is not heard."""

NOISE = 4.0
"""A band must rise above its 20th percentile over time by this factor in power to be heard."""

TAIL = 3.0
"""A stroke must exceed the tail of the one before by this factor in power: no reverberation
fluctuates by much more within a band."""
DRUM_DB = (4.0, 20.0)
"""A slot that exceeds a hi-hat by less than the first holds no drum, by more than the second
surely does; in between, the widest gap decides."""

STROKE_DB = 2.0
"""Least mean rise over all bands that counts as a stroke."""

TOLERANCE_S = 0.04
"""How far from its slot a stroke may lie."""

KICK_DB, KICK_GAP_DB = 4.0, 5.0
"""A kick outweighs its body above 160 Hz with what lies below 100 Hz by the first, where a loop
has but one kind of drum; a gap of the second tells two kinds apart."""

BOTH = 0.3
"""Share of a typical kick (or snare) that makes a slot of the other kind hold both."""

ON_GRID = 0.6
"""Least share of the onsets (by strength) that must lie on the grid."""


@dataclass(frozen=True)
class HeardRhythm:
    """A drum loop of four bars as it was heard.

    Attributes
    ----------
    kicks, snares, hats : tuple of int
        Slots on the grid of eighth notes, 1 to 32, ascending; odd slots are on the beat.
        `hats` are the slots on which nothing but the hi-hat (or another cymbal) was struck.
    tempo : float or None
        Quarter notes a minute; None where no grid was found.
    offbeats : int or None
        Number of even slots with kick or snare; None where no grid was found.
    why : str
        One line for people.
    """

    kicks: tuple[int, ...]
    snares: tuple[int, ...]
    hats: tuple[int, ...]
    tempo: float | None
    offbeats: int | None
    why: str

    @property
    def slots(self) -> tuple[int, ...]:
        """Slots with kick or snare, ascending."""
        return tuple(sorted({*self.kicks, *self.snares}))


@dataclass(frozen=True)
class SlotGrid:
    """The places of the slots: the first one and the distance between them, in seconds."""

    start: float
    eighth: float

    @property
    def times(self) -> Array:
        """Time of each slot in seconds, shape (32,)."""
        return self.start + self.eighth * np.arange(SLOTS)


def hear_rhythm(sound: Sound) -> HeardRhythm:
    """Transcribe four bars of kick, snare and hi-hat.

    The grid is the comb of 32 eighths that catches the onsets; each slot is then sorted by
    what it adds below 2 kHz, and the drums among them by the shape of their spectrum.
    """
    if float(np.max(np.abs(sound.samples))) < 10.0 ** (SILENCE_DB / 20.0):
        return nothing("heard nothing: the recording is silent")
    power = band_power(resample(sound, RATE).samples)
    strokes = accents(power)
    frames = np.flatnonzero(strokes)
    grid = find_grid(frames * HOP / RATE, strokes[frames], sound.seconds)
    if grid is None:
        return nothing("heard no steady eighth notes over four bars")
    peak, added = slot_power(power, strokes, grid)
    drums = struck(peak, added, noise_floor(power))
    kick, snare = kick_and_snare(added, drums)
    slots = np.arange(1, SLOTS + 1)
    cymbals = ~drums & (added.sum(axis=1) > 10.0 ** (FLOOR_DB / 10.0))
    kicks, snares, hats = (tuple(map(int, slots[mask])) for mask in (kick, snare, cymbals))
    count = count_offbeats({*kicks, *snares})
    tempo = 30.0 / grid.eighth
    why = f"heard kick {list(kicks)}, snare {list(snares)} at {tempo:.0f} BPM: {count} off the beat"
    return HeardRhythm(kicks, snares, hats, tempo, count, why)


def nothing(why: str) -> HeardRhythm:
    """No rhythm, and why."""
    return HeardRhythm((), (), (), None, None, why)


@lru_cache(maxsize=1)
def bank() -> Array:
    """Make the masks of the FFT bins in each band, shape (bins, bands)."""
    frequency = np.arange(FFT // 2 + 1) * RATE / FFT
    masks = [(frequency >= low) & (frequency < high) for low, high in pairwise(EDGES)]
    return np.stack(masks, axis=1).astype(np.float32)


def band_power(samples: Array) -> Array:
    """Power in each band relative to the loudest frame.

    Parameters
    ----------
    samples : ndarray of float32, shape (n,)
        Signal at `RATE`.

    Returns
    -------
    ndarray of float32, shape (frames, bands)
        A frame is centred on each multiple of `HOP` samples.
    """
    padded = np.pad(samples, (LENGTH // 2, LENGTH))
    frames = np.lib.stride_tricks.sliding_window_view(padded, LENGTH)[: len(samples) : HOP]
    power = (np.abs(rfft(frames * hann(LENGTH, sym=False).astype(np.float32), FFT)) ** 2) @ bank()
    return np.asarray(power / power.sum(axis=1).max())


def noise_floor(power: Array) -> Array:
    """Power below which a band tells nothing, shape (bands,): steady noise, or `FLOOR_DB`."""
    quiet = np.percentile(power, 20, axis=0)
    return np.asarray(np.maximum(10.0 ** (FLOOR_DB / 10.0), NOISE * quiet))


def accents(power: Array) -> Array:
    """Strength of whatever is struck at each frame, shape (frames,); 0 between the strokes.

    A stroke is a peak of the mean rise in dB from just behind to just ahead, over all bands;
    what lies below the steady noise of its band, or `FLOOR_DB`, does not count.
    """
    floor = noise_floor(power)
    level = 10.0 * np.log10(1.0 + power / floor)
    gap = round(0.02 * RATE / HOP)
    ahead = np.pad(level, ((0, gap), (0, 0)))[gap:]
    behind = np.pad(level, ((gap, 0), (0, 0)))[:-gap]
    rise = np.maximum(0.0, ahead - behind).mean(axis=1)
    peaks, _ = find_peaks(np.pad(rise, 1), height=STROKE_DB, distance=8)
    strokes = np.zeros_like(rise)
    strokes[peaks - 1] = rise[peaks - 1]
    return np.asarray(strokes)


def find_grid(times: Array, weights: Array, seconds: float) -> SlotGrid | None:
    """The comb of 32 eighths that catches the strokes best; None where none catches enough.

    Parameters
    ----------
    times : ndarray, shape (n,)
        When something is struck, in seconds, ascending.
    weights : ndarray, shape (n,)
        How strongly, above 0.
    seconds : float
        Length of the recording; all slots must begin within it.
    """
    if len(times) < 4:
        return None
    candidates = [
        SlotGrid(float(times[0] - missed * eighth), float(eighth))
        for missed in range(4)
        for eighth in np.arange(*EIGHTH_S, 0.001)
        if times[0] - missed * eighth > -TOLERANCE_S
        and times[0] + (SLOTS - 0.5 - missed) * eighth < seconds
    ]
    if not candidates:
        return None
    best = max(candidates, key=lambda grid: round(fit(grid, times, weights), 2))
    for _ in range(3):
        best = refined(best, times, weights)
    caught = weights[closeness(best, times) > 0.0].sum() / weights.sum()
    return best if caught >= ON_GRID else None


def closeness(grid: SlotGrid, times: Array) -> Array:
    """Rate how near each time lies to its slot: 1 on it, 0 from `TOLERANCE_S`; shape as given."""
    slot = np.clip(np.rint((times - grid.start) / grid.eighth), 0, SLOTS - 1)
    distance = np.abs(times - grid.start - slot * grid.eighth)
    return np.asarray(np.maximum(0.0, 1.0 - distance / TOLERANCE_S))


def fit(grid: SlotGrid, times: Array, weights: Array) -> float:
    """Rate how well a grid explains strokes: the share it catches times the share it fills."""
    near = closeness(grid, times)
    slots = np.rint((times - grid.start) / grid.eighth)
    filled = len(np.unique(slots[near > 0.0])) / SLOTS
    return float((near * weights).sum() / weights.sum() * filled)


def refined(grid: SlotGrid, times: Array, weights: Array) -> SlotGrid:
    """The grid moved and stretched to the strokes near it, by weighted least squares."""
    near = closeness(grid, times) > 0.0
    slots = np.rint((times[near] - grid.start) / grid.eighth)
    if len(np.unique(slots)) < 4:
        return grid
    eighth, start = np.polyfit(slots, times[near], 1, w=weights[near])
    return SlotGrid(float(start), float(eighth))


def slot_power(power: Array, strokes: Array, grid: SlotGrid) -> tuple[Array, Array]:
    """Power at each slot, per band: its peak, and what it adds; shape (32, bands) each.

    What is added is the peak less the level before the stroke, so that the tail of an earlier
    drum is not heard again.
    """
    peak = np.zeros((SLOTS, power.shape[1]))
    before = np.zeros_like(peak)
    reach = round(TOLERANCE_S * RATE / HOP)
    for slot, time in enumerate(grid.times):
        centre = max(0, round(time * RATE / HOP))
        near = strokes[max(0, centre - reach) : centre + reach + 1]
        if near.any():
            centre = max(0, centre - reach) + int(np.argmax(near))
        peak[slot] = power[centre : centre + 12].max(axis=0, initial=0.0)
        before[slot] = power[max(0, centre - 9) : max(0, centre - 5)].max(axis=0, initial=0.0)
    return peak, np.maximum(0.0, peak - TAIL * before)


def struck(peak: Array, added: Array, floor: Array) -> NDArray[np.bool_]:
    """Mark the slots that carry a kick or a snare, shape (32,).

    A hi-hat sounds in every slot, so that the quietest peaks show how loud it is by itself.
    What a drum adds exceeds that below 2 kHz by far more than a harder stroke of the hi-hat
    would, which lifts all bands alike.
    """
    hat = 10.0 * np.log10(np.percentile(peak, 15, axis=0) + floor)
    excess = np.maximum(0.0, 10.0 * np.log10(added + floor) - hat)
    body = np.sort(excess[:, BODY], axis=1)[:, -4:].mean(axis=1)
    weight = body - np.median(excess[:, HIGH], axis=1)
    low, high = DRUM_DB
    steps = np.sort(np.concatenate([[low, high], weight[(weight > low) & (weight < high)]]))
    widest = int(np.argmax(np.diff(steps)))
    return np.asarray(weight > (steps[widest] + steps[widest + 1]) / 2.0)


def kick_and_snare(
    added: Array, drums: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Mark the drum slots with a kick, and those with a snare; two masks of shape (32,).

    A kick has its weight below 100 Hz, a snare between 160 and 900 Hz. The typical
    spectra of both then explain each slot together, so that a slot may hold both.
    """
    low, middle = (added[:, bands].sum(axis=1) + 1e-9 for bands in (slice(0, 2), slice(3, 7)))
    balance = np.clip(10.0 * np.log10(low / middle), -20.0, 20.0)
    kicks = drums & (balance > parting(balance[drums]))
    snares = drums & ~kicks
    if not kicks.any() or not snares.any():
        return kicks, snares
    typical = np.stack([np.median(added[kicks], axis=0), np.median(added[snares], axis=0)], axis=1)
    for slot in np.flatnonzero(drums):
        share, _ = nnls(typical.astype(float), added[slot].astype(float))
        kicks[slot] |= share[0] > BOTH
        snares[slot] |= share[1] > BOTH
    return kicks, snares


def parting(balance: Array) -> float:
    """The balance (dB) that parts kicks from snares: the middle of the widest gap, if wide."""
    steps = np.sort(balance)
    gaps = np.diff(steps)
    widest = int(np.argmax(gaps)) if len(gaps) else 0
    if len(gaps) and gaps[widest] >= KICK_GAP_DB:
        return float(steps[widest] + steps[widest + 1]) / 2.0
    return KICK_DB
