"""Hearing whole pieces: pulse and metre, key, loudness, layout."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
from numpy.typing import NDArray

from zhiyin.plugins.music.listener.spectrum import (
    PER_SEMITONE,
    RATE,
    Array,
    axis,
    log_spectra,
    prepared,
)
from zhiyin.sound import Sound

HOP = 110
"""Samples between frames: about a hundredth of a second."""
FRAMES = RATE / HOP
LONG, LONG_HOP = 4096, 1024
"""Window and hop of the spectra that pitches are read from: 0.37 s, every 0.09 s."""
LONG_FRAMES = RATE / LONG_HOP
BASS_BELOW = 53
"""F3 in MIDI pitch: what sounds below is the bass."""
_RANGE_DB = 60.0
AUDIBLE = 3.0
"""Doublings above the floor from which a frame is not silent."""

PERIODS_S = np.arange(0.33, 1.02, 0.005)
"""Beats from 182 down to 59 a minute."""
USUAL_BPM, SPREAD_OCTAVES = 100.0, 0.75
"""Where people tap along, and how far they stray from it (Parncutt, Music Perception 11(4), 1994,
puts the centre of preference near 100 beats a minute)."""
_STEPS = 12
"""Positions in a beat at which onsets are counted: both halves and thirds are among them."""

PROFILES = {
    "major": (0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.080, 0.008, 0.081),
    "minor": (0.220, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052),
}
"""How often each degree occurs (Albrecht and Shanahan, Music Perception 31(1), 2013)."""
OPENING_S, OPENING_WEIGHT = 1.5, 0.3
"""The first chord speaks for the key beyond its duration."""

TRIPLE, DUPLE = 0.1, -0.04
"""Periodicity in threes less that in twos and fours: triple above, duple below, else unclear."""
THIRDS = 0.1
"""A beat split in three has at both its thirds this share of the onsets on the beat."""
FULL = 0.85
"""What lies between two beats and is this strong is a beat itself."""
BLOCKS = {3: (12, 6), 2: (16, 8)}
"""Beats in a section, the preferred number first, where beats go in threes or in twos."""
BLOCK_S = (3.6, 14.0)
INTRO_GROWTH = 1.18
"""How much more sounds after an introduction, in mean level over the axis."""
ALIKE, AGAIN = 0.7, 0.9
"""Likeness from which two blocks are the same music, and the very same."""
CADENCE = 0.2
"""What the end of a piece may lack in likeness, its cadence being another."""
DRIFT_DB, JUMP_DB = 4.5, 4.5
"""How far a crescendo leads from beginning to end, and how far apart terraces lie."""
_TAIL_S = 1.0


class Hearing:
    """A recording, and what is computed from it once.

    Parameters
    ----------
    sound : Sound
    """

    def __init__(self, sound: Sound) -> None:
        self.samples = prepared(sound)
        self.seconds = sound.seconds

    @cached_property
    def short(self) -> Array:
        """Level of each bin of the axis, in doublings above a floor; shape (frames, bins)."""
        assert self.samples is not None
        starts = np.arange(0, len(self.samples), HOP) - 512
        magnitude = log_spectra(self.samples, starts, 1024, 2048)
        floor = magnitude.max() * 10.0 ** (-_RANGE_DB / 20.0)
        doublings: Array = np.log2(1.0 + magnitude / floor).astype(np.float32)
        return doublings

    @cached_property
    def long(self) -> Array:
        """Magnitudes from long windows, shape (frames, bins)."""
        assert self.samples is not None
        starts = np.arange(0, len(self.samples), LONG_HOP) - LONG // 2
        return log_spectra(self.samples, starts, LONG, 2 * LONG)

    @cached_property
    def rises(self) -> Array:
        """Rise of each octave from frame to frame, shape (frames, 7)."""
        level = self.short
        past = np.zeros_like(level)
        past[3:] = level[:-3]
        rise = np.maximum(0.0, level - past)
        edges = np.arange(0, level.shape[1], 12 * PER_SEMITONE)
        octaves: Array = np.add.reduceat(rise, edges, axis=1) / np.float32(level.shape[1])
        return octaves

    @cached_property
    def onset(self) -> NDArray[np.float64]:
        """Strength of what begins at each frame, less what usually does; shape (frames,)."""
        total = self.rises.sum(axis=1).astype(float)
        width = round(FRAMES)
        usual = np.convolve(np.pad(total, width, mode="edge"), np.ones(2 * width + 1), "valid")
        fresh: NDArray[np.float64] = np.maximum(0.0, total - usual / (2 * width + 1))
        return fresh

    @cached_property
    def chroma(self) -> NDArray[np.float64]:
        """Weight of each pitch class in each long frame, shape (frames, 12)."""
        pitch = axis()
        return self._folded((pitch > 40) & (pitch < 89))

    @cached_property
    def bass(self) -> NDArray[np.float64]:
        """Weight of each pitch class below F3 in each long frame, shape (frames, 12)."""
        pitch = axis()
        return self._folded((pitch < BASS_BELOW) & (np.abs(pitch - np.rint(pitch)) < 0.1))

    def _folded(self, used: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Some bins of the axis by pitch class, shape (frames, 12)."""
        pitch = axis()[used]
        classes = np.rint(pitch).astype(int) % 12
        # Only the middle bin of a semitone: what lies between two is left out.
        level = np.sqrt(self.long[:, used]) * (np.abs(pitch - np.rint(pitch)) < 0.1)
        folded = np.zeros((len(level), 12))
        for pitch_class in range(12):
            folded[:, pitch_class] = level[:, classes == pitch_class].sum(axis=1)
        return folded

    @cached_property
    def pulse(self) -> Pulse | None:
        """The beat, or None where nothing recurs."""
        return find_pulse(self)


@dataclass(frozen=True)
class Pulse:
    """A steady beat.

    Attributes
    ----------
    bpm : float
        Beats a minute.
    first : float
        When the first beat falls, in seconds.
    beats : ndarray, shape (n,)
        When the beats fall, up to the last one with something to hear.
    profile : ndarray, shape (12,)
        How much begins at each twelfth of a beat, the most being 1.
    """

    bpm: float
    first: float
    beats: NDArray[np.float64]
    profile: NDArray[np.float64]


def find_pulse(hearing: Hearing) -> Pulse | None:
    """The beat: the period that onsets recur with, weighted by where people tap.

    The autocorrelation of the onsets is averaged over eight multiples of each period (a comb);
    the phase is the one on which most begins. Where as much begins half-way as on the beat of a
    slow pulse, the beat is twice as fast.
    """
    onset = np.convolve(hearing.onset, np.hanning(7) / 3.0, mode="same")
    if not onset.any() or hearing.seconds < 4.0:
        return None
    spectrum = np.abs(np.fft.rfft(onset - onset.mean(), 2 * len(onset))) ** 2
    correlation = np.fft.irfft(spectrum)[: len(onset)]
    correlation = correlation / (np.arange(len(onset), 0, -1) * max(correlation[0], 1e-12))
    lags = np.arange(len(correlation))
    comb = np.array(
        [np.interp(p * FRAMES * np.arange(1, 9), lags, correlation).mean() for p in PERIODS_S]
    )
    usual = np.exp(-0.5 * (np.log2(60.0 / PERIODS_S / USUAL_BPM) / SPREAD_OCTAVES) ** 2)
    best = int(np.argmax(comb * usual))
    if comb[best] <= 0.0:
        return None
    # Basses and bass drums fall on the beat more often than others do.
    low = hearing.rises[:, :2].sum(axis=1).astype(float)
    begin = float(np.argmax(hearing.short.max(axis=1) > AUDIBLE)) / FRAMES
    marked = onset / onset.max() + low / max(float(low.max()), 1e-12)
    pulse = _locked(onset, marked, float(PERIODS_S[best]), begin, hearing.seconds)
    if pulse.profile[_STEPS // 2] >= FULL and pulse.bpm < 80.0:
        pulse = _locked(onset, marked, 30.0 / pulse.bpm, begin, hearing.seconds)
    return pulse


def _locked(
    onset: NDArray[np.float64],
    marked: NDArray[np.float64],
    period: float,
    begin: float,
    seconds: float,
) -> Pulse:
    """The pulse near a period whose beats carry most of what marks a beat, from `begin` on."""
    frames = np.arange(len(onset))
    best, best_period, best_phase = -1.0, period, 0.0
    for tried in period * np.linspace(0.975, 1.025, 21):
        phases = np.arange(0.0, tried, 0.02)
        count = max(1, int((seconds - _TAIL_S) / tried) - 1)
        times = phases[:, None] + tried * np.arange(count)
        mean = np.interp(times * FRAMES, frames, marked).mean(axis=1)
        place = int(np.argmax(mean))
        if mean[place] > best:
            best, best_period, best_phase = float(mean[place]), float(tried), float(phases[place])
    heard = np.flatnonzero(onset > 0.2 * onset.max())
    end = heard[-1] / FRAMES
    skipped = round((begin - best_phase) / best_period)
    first = max(0.0, best_phase + skipped * best_period)
    beats = np.arange(first, max(end, first) + 0.3 * best_period, best_period)
    steps = beats[:, None] + best_period * np.arange(_STEPS) / _STEPS
    # The root of each onset: a soft stroke counts, however loud the others are.
    folded = np.sqrt(np.interp(steps * FRAMES, frames, onset)).mean(axis=0)
    profile = folded / max(float(folded.max()), 1e-12)
    return Pulse(60.0 / best_period, float(first), beats, profile)


def hear_tempo(hearing: Hearing) -> float | None:
    """Beats a minute; None where no pulse is clear.

    A pulse whose thirds are as strong as its beats is a wrong one: the true one is not clear.
    """
    pulse = hearing.pulse
    if pulse is None or min(pulse.profile[_STEPS // 3], pulse.profile[2 * _STEPS // 3]) > FULL:
        return None
    return pulse.bpm


def hear_metre(hearing: Hearing) -> str | None:
    """Duple, triple or compound (beats split in three); None where it is not clear.

    Onsets by octave, and changes of harmony, are compared from beat to beat at distances of
    three and six against two, four and eight.
    """
    pulse = hearing.pulse
    if pulse is None or len(pulse.beats) < 12 or hear_tempo(hearing) is None:
        return None
    threes = _threes(hearing, pulse.beats)
    if threes > TRIPLE:
        return "triple"
    thirds = min(pulse.profile[_STEPS // 3], pulse.profile[2 * _STEPS // 3])
    if thirds > THIRDS and thirds > 2.0 * pulse.profile[_STEPS // 2]:
        return "compound"
    return "duple" if threes < DUPLE else None


def _threes(hearing: Hearing, beats: NDArray[np.float64]) -> float:
    """Compute how much more alike beats are at a distance of three than of two or four."""
    rises = hearing.rises
    places = np.rint(beats * FRAMES).astype(int)
    strokes = np.array([rises[max(0, p - 3) : p + 6].max(axis=0) for p in places])
    strokes = strokes / (strokes.std(axis=0) + 1e-3)
    chroma = hearing.chroma
    starts = np.minimum((beats * LONG_FRAMES).astype(int) + 1, len(chroma) - 1)
    width = max(1, int((beats[1] - beats[0]) * LONG_FRAMES))
    chords = [chroma[s : s + width].mean(axis=0) for s in starts]
    change = np.zeros((len(beats), 1))
    for place in range(1, len(beats)):
        change[place, 0] = 1.0 - _likeness(chords[place], chords[place - 1])
    differences = []
    for rows in (strokes, strokes[:, :2], change):
        level = rows - rows.mean(axis=0)
        power = max(float((level * level).mean()), 1e-12)
        at = {lag: float((level[lag:] * level[:-lag]).mean()) / power for lag in (2, 3, 4, 6, 8)}
        differences.append((at[3] + at[6]) / 2.0 - (at[2] + at[4] + at[8]) / 3.0)
    return float(np.mean(differences))


def _likeness(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Correlation of two profiles; 0 where one is flat."""
    x, y = a - a.mean(), b - b.mean()
    norm = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / norm if norm > 1e-12 else 0.0


def hear_key(hearing: Hearing) -> tuple[int, str] | None:
    """Pitch class of the tonic and mode, by the profile that fits the pitch classes best."""
    fits = key_fits(hearing)
    return max(fits, key=fits.__getitem__) if fits else None


def key_fits(hearing: Hearing) -> dict[tuple[int, str], float]:
    """Rate how well each key fits, from -1 to 1; empty where no pitches are heard."""
    chroma = hearing.chroma
    if not chroma.any():
        return {}
    opening = chroma[: max(1, round(OPENING_S * LONG_FRAMES))].mean(axis=0)
    whole = chroma.mean(axis=0)
    heard = whole / whole.sum() + OPENING_WEIGHT * opening / max(opening.sum(), 1e-12)
    return {
        (tonic, mode): _likeness(heard, np.roll(profile, tonic))
        for mode, profile in PROFILES.items()
        for tonic in range(12)
    }


def hear_dynamics(hearing: Hearing) -> str | None:
    """Crescendo, diminuendo, terraced or steady, by the level of each bar or so.

    The first eighth is left out, in which players may still be joining; the end rings out.
    """
    assert hearing.samples is not None
    size = RATE // 2
    used = hearing.samples[: len(hearing.samples) - round(1.5 * RATE)]
    count = len(used) // size
    if count < 16:
        return None
    power = np.square(used[: count * size].astype(float)).reshape(count, size).mean(axis=1)
    smooth = np.convolve(power, np.ones(4) / 4.0, mode="valid")[count // 8 :]
    level = 10.0 * np.log10(np.maximum(smooth, 1e-9))
    place = np.linspace(0.0, 1.0, len(level))
    slope, base = np.polyfit(place, level, 1)
    off_ramp = float((level - base - slope * place).std())
    # Two terraces: the division of the levels that leaves least within each.
    ordered = np.sort(level)
    cuts = range(2, len(ordered) - 1)
    spreads = [ordered[:c].var() * c + ordered[c:].var() * (len(ordered) - c) for c in cuts]
    cut = cuts[int(np.argmin(spreads))]
    off_terraces = float(np.sqrt(min(spreads) / len(ordered)))
    jump = float(ordered[cut:].mean() - ordered[:cut].mean())
    if abs(slope) > DRIFT_DB and off_ramp < off_terraces:
        return "crescendo" if slope > 0 else "diminuendo"
    return "terraced" if jump > JUMP_DB else "steady"


@dataclass(frozen=True)
class PieceLayout:
    """The layout of a piece in blocks of beats.

    Attributes
    ----------
    length : int
        Beats in a block.
    intro : int
        Beats before the first block.
    kinds : tuple of int
        The music of each block: the same number for the same music, counted from 0.
    """

    length: int
    intro: int
    kinds: tuple[int, ...]


def hear_layout(hearing: Hearing) -> PieceLayout | None:
    """The blocks of a piece: which beats belong together, and which blocks are the same music.

    After an introduction, where fewer play, the beats are laid out in blocks of the usual
    lengths (two or four bars of four, two or four of three); blocks are the same music where
    rhythm and pitches agree beat by beat. Long blocks are preferred, unless only the short ones
    show a repetition. None where no such layout fits.
    """
    pulse = hearing.pulse
    if pulse is None or hear_tempo(hearing) is None:
        return None
    beat_s = 60.0 / pulse.bpm
    triple = hear_metre(hearing) == "triple"
    beats = [_beat(hearing, time, beat_s) for time in pulse.beats]
    intro = _intro(hearing, pulse, triple)
    layouts: list[tuple[bool, int, PieceLayout]] = []
    for length in BLOCKS[3 if triple else 2]:
        if BLOCK_S[0] <= length * beat_s <= BLOCK_S[1]:
            fit = _fit(beats, length, intro)
            if fit:
                layouts.append((fit[0] >= AGAIN, length, PieceLayout(length, intro, fit[1])))
    return max(layouts, key=lambda layout: layout[:2])[2] if layouts else None


def _intro(hearing: Hearing, pulse: Pulse, triple: bool) -> int:
    """Beats of an introduction: one bar or two with far less sound than what follows, or 0."""
    beat_s = 60.0 / pulse.bpm
    spans = [(int(t * FRAMES), int((t + beat_s) * FRAMES)) for t in pulse.beats]
    end = len(hearing.short)  # the last beat may begin after the sound has ended
    spans = [(first, min(last, end)) for first, last in spans]
    level = np.array([hearing.short[first:last].mean() for first, last in spans if last > first])
    bars = [count for count in ((3, 6) if triple else (2, 4, 8)) if count + 4 <= len(level)]
    growth = {c: float(level[c : c + 4].mean() / max(level[:c].max(), 1e-9)) for c in bars}
    most = max(growth, key=growth.__getitem__, default=0)
    return most if growth.get(most, 0.0) > INTRO_GROWTH else 0


def hear_sections(hearing: Hearing) -> int | None:
    """Count the different sections, repeats and an introduction apart."""
    layout = hear_layout(hearing)
    return None if layout is None else len(set(layout.kinds))


def _beat(hearing: Hearing, time: float, beat_s: float) -> NDArray[np.float64]:
    """Describe a beat's sound: onsets by octave at six moments, the spectrum; length 1 each."""
    first, last = int(time * FRAMES), int((time + beat_s) * FRAMES)
    rises = hearing.rises[first:last]
    edges = np.linspace(0, len(rises), 7).astype(int)[:-1]
    strokes = np.sqrt(np.maximum.reduceat(rises, edges, axis=0)).ravel() if len(rises) > 6 else 0
    start = min(int((time + 0.03) * LONG_FRAMES) + 1, len(hearing.long) - 1)
    end = max(start + 1, int((time + beat_s) * LONG_FRAMES) + 1)
    level = np.sqrt(hearing.long[start:end].mean(axis=0)).astype(float)
    level -= np.convolve(level, np.ones(25) / 25.0, mode="same")
    rhythm = np.broadcast_to(strokes, (42,)) / (np.linalg.norm(strokes) + 1e-3)
    # Weighted by the roots of 0.4 and 0.6, so that the product of two beats is their likeness.
    weighted: NDArray[np.float64] = np.concatenate(
        [0.632 * rhythm, 0.775 * level / (np.linalg.norm(level) + 1e-6)]
    )
    return weighted


def _fit(
    beats: list[NDArray[np.float64]], length: int, intro: int
) -> tuple[float, tuple[int, ...]] | None:
    """Blocks of a length after an introduction: the greatest likeness of two, and their kinds;
    None where they do not fill the piece.
    """
    count = ceil((len(beats) - intro - 1) / length)
    missing = count * length + intro - len(beats)
    # The last note may be held for a bar, in which no beat is heard.
    if count < 2 or not -1 <= missing <= (3 if length % 3 == 0 else 4):
        return None
    rows = [np.array(beats[intro + i * length : intro + (i + 1) * length]) for i in range(count)]
    kinds: list[int] = []
    pairs: list[float] = []
    for place, row in enumerate(rows):
        varied = CADENCE if place == count - 1 else 0.0
        alike = [_same(row, rows[i], varied) for i in range(place)]
        pairs += alike
        same = [kinds[i] for i, value in enumerate(alike) if value > ALIKE]
        kinds.append(same[0] if same else len(set(kinds)))
    return max(pairs), tuple(kinds)


def _same(a: NDArray[np.float64], b: NDArray[np.float64], varied: float) -> float:
    """Likeness of two blocks: of their less like half, the second one getting `varied` more."""
    size = min(len(a), len(b))
    each = (a[:size] * b[:size]).sum(axis=1)
    middle = len(a) // 2
    return min(float(np.median(each[:middle])), float(np.median(each[middle:])) + varied)
