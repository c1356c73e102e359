"""Pairs of loops, rows of strokes and metres: what is the same, what is struck, what groups."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zhiyin.plugins.music.listener.pieces import FRAMES, LONG_FRAMES, Hearing
from zhiyin.plugins.music.listener.rhythm import HOP, RATE, band_power, hear_rhythm
from zhiyin.plugins.music.listener.spectrum import SILENCE_DB, Answer
from zhiyin.sound import Sound, resample
from zhiyin.trial import Option

# Whether two drum patterns are the same: when something is struck, band by band.

BANDS = ((0, 2), (2, 4), (4, 7), (7, 10), (10, 13))
"""Ranges of `rhythm.EDGES`: kick, toms, snare's body, snare's wires, cymbals."""
BAND_FLOOR_DB = -50.0
"""What lies this far below the loudest moment of its band is not heard."""
WIDTH_S = 0.03
"""How far apart two strokes may lie and still agree."""
LONGEST_LAG_S = 1.0
STRETCHES = np.arange(0.985, 1.0151, 0.005)
"""One may be played this much faster than the other."""


SAME_DRUMS = 0.94
"""Least likeness of two renderings of one pattern."""


def band_flux(sound: Sound) -> NDArray[np.float64] | None:
    """Measure the strokes in each of `BANDS` by frame, shape (frames, 5); None for silence.

    Each band's level in dB above its floor, its rise over 20 ms, and that smoothed by `WIDTH_S`.
    """
    if float(np.max(np.abs(sound.samples))) < 10.0 ** (SILENCE_DB / 20.0):
        return None
    power = band_power(resample(sound, RATE).samples)
    grouped = np.stack([power[:, low:high].sum(axis=1) for low, high in BANDS], axis=1)
    floor = np.maximum(
        grouped.max(axis=0) * 10.0 ** (BAND_FLOOR_DB / 10.0),
        4.0 * np.percentile(grouped, 20, axis=0),
    )
    level = 10.0 * np.log10(1.0 + grouped / floor)
    gap = round(0.02 * RATE / HOP)
    past = np.pad(level, ((gap, 0), (0, 0)))[: len(level)]
    rise = np.maximum(0.0, level - past)
    size = round(WIDTH_S * RATE / HOP)
    smooth = np.hanning(2 * size + 1)
    return np.stack([np.convolve(rise[:, b], smooth, "same") for b in range(len(BANDS))], axis=1)


def same_drums(a: Sound, b: Sound) -> Answer:
    """Tell whether two drum patterns are one, at the lag and stretch of their greatest likeness."""
    first, second = band_flux(a), band_flux(b)
    if first is None or second is None:
        return None, "heard nothing: a recording is silent"
    best = max(_likeness(first, _stretched(second, by)) for by in STRETCHES)
    why = f"heard two drum patterns with a likeness of {best:.2f}"
    return ("yes" if best >= SAME_DRUMS else "no"), why


def _stretched(rise: NDArray[np.float64], by: float) -> NDArray[np.float64]:
    if abs(by - 1.0) < 1e-6:
        return rise
    places = np.arange(0, len(rise) - 1, by)
    frames = np.arange(len(rise))
    return np.stack([np.interp(places, frames, column) for column in rise.T], axis=1)


def _likeness(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """The best correlation over lags, of what both last, the mean over bands that are struck."""
    reach = round(LONGEST_LAG_S * RATE / HOP)
    size = 1 << (len(a) + len(b)).bit_length()
    spectra = np.fft.rfft(a, size, axis=0) * np.conj(np.fft.rfft(b, size, axis=0))
    lagged = np.fft.irfft(spectra, size, axis=0).sum(axis=1)
    lags = np.concatenate([np.arange(min(reach, len(a))), np.arange(-min(reach, len(b) - 1), 0)])
    lag = int(lags[np.argmax(lagged[lags])])
    x, y = (a[lag:], b) if lag >= 0 else (a, b[-lag:])
    length = min(len(x), len(y))
    x, y = x[:length], y[:length]
    weight = np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
    either = np.maximum((x**2).sum(axis=0), (y**2).sum(axis=0))
    struck = either > 0.05 * either.max()
    each = (x * y).sum(axis=0) / np.maximum(weight, 1e-12)
    return float(each[struck].mean())


def more_syncopated(a: Sound, b: Sound) -> Answer:
    """Tell which of two loops has more strokes off the beat, "1" or "2"; None where neither has."""
    first, second = hear_rhythm(a), hear_rhythm(b)
    if first.offbeats is None or second.offbeats is None:
        return None, first.why if first.offbeats is None else second.why
    why = f"heard {first.offbeats} and {second.offbeats} strokes of kick and snare off the beat"
    if first.offbeats == second.offbeats:
        return None, why
    return ("1" if first.offbeats > second.offbeats else "2"), why


# Rows of two kinds of strokes between the clicks of a metronome: which one is which.

_SIGNS = re.compile(r"[xo]( [xo])+")
_CLICKS = 4
_LOW_HZ = 200.0
_APART_S = 0.16
"""A drum rings on for as long."""
_HOP_S, _RISE_DB, _FLOOR_DB = 0.005, 5.0, -30.0
"""Steps of the envelope, by how much a stroke rises in two of them, and how faint it may be."""


def spelled(options: Sequence[Option]) -> dict[str, Option] | None:
    """The options by their signs, where each is a row of x and o; None for any other."""
    by_text = {option.text: option for option in options}
    rows = all(_SIGNS.fullmatch(option.text) for option in options)
    return by_text if options and rows and len(by_text) == len(options) else None


def _struck(samples: NDArray[np.float64], rate: int) -> list[float]:
    """Find strokes, in seconds: where the level rises at once."""
    size = max(1, round(_HOP_S * rate))
    count = len(samples) // size
    if not count:
        return []
    power = np.square(samples[: count * size]).reshape(count, size).mean(axis=1)
    level = 10 * np.log10(power + 1e-9)
    ahead = np.append(np.full(2, -90.0), level)
    before = np.maximum(ahead[:-2], ahead[1:-1])
    kept: list[float] = []
    for place in np.flatnonzero((level - before > _RISE_DB) & (level > level.max() + _FLOOR_DB)):
        if not kept or place * _HOP_S - kept[-1] > _APART_S:
            kept.append(float(place * _HOP_S))
    return kept


def hear_strokes(sound: Sound) -> Answer:
    """The row of strokes after four clicks and before four more: o for a deep one, x for a high."""
    samples, rate = sound.samples.astype(float), sound.rate
    times = _struck(samples, rate)
    strokes = times[_CLICKS:-_CLICKS]
    if len(strokes) < 2:
        return None, f"hear {len(times)} strokes, too few for clicks and a rhythm"
    signs = []
    for time in strokes:
        part = samples[round(time * rate) : round((time + 0.12) * rate)]
        power = np.abs(np.fft.rfft(part)) ** 2
        deep = power[: int(_LOW_HZ * len(part) / rate)].sum() / max(float(power.sum()), 1e-12)
        signs.append("o" if deep > 0.5 else "x")
    return " ".join(signs), f"heard {len(signs)} strokes: {' '.join(signs)}"


# Hearing the meter of an excerpt: whether its beats go in threes, fours or fives.

GROUPS = (3, 4, 5)
LONGEST_LAG = 16
"""Beats at which the excerpt is compared with itself."""


def hear_meter(sound: Sound) -> Answer:
    """Count the beats in a group, "3", "4" or "5"; None where no beat is heard.

    The excerpt is compared with itself beat by beat (strokes by octave, bass, harmony); the group
    is the one at whose multiples it is more like itself than at other distances.
    """
    hearing = Hearing(sound)
    if hearing.samples is None or hearing.pulse is None:
        return None, "heard no beat"
    scores = group_scores(hearing, hearing.pulse.beats)
    if not scores:
        return None, "heard too few beats"
    best = max(scores, key=scores.__getitem__)
    summary = ", ".join(f"{group}: {value:.2f}" for group, value in scores.items())
    return str(best), f"heard beats at {hearing.pulse.bpm:.0f} BPM in groups of {best} ({summary})"


def group_scores(hearing: Hearing, beats: NDArray[np.float64]) -> dict[int, float]:
    """Compute how much more alike an excerpt is at the multiples of each group than elsewhere."""
    most = min(LONGEST_LAG, len(beats) - 4)
    if most < max(GROUPS):
        return {}
    rows = beat_rows(hearing, beats)
    at = np.zeros(most + 1)
    for kind in rows:
        level = kind - kind.mean(axis=0)
        power = max(float((level * level).mean()), 1e-12)
        for lag in range(1, most + 1):
            at[lag] += float((level[lag:] * level[:-lag]).mean()) / power / len(rows)
    scores = {}
    for group in GROUPS:
        lags = np.arange(1, most + 1)
        on = lags % group == 0
        scores[group] = float(at[1:][on].mean() - at[1:][~on].mean())
    return scores


def beat_rows(hearing: Hearing, beats: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Describe each beat: strokes by octave, what begins in the bass, change of harmony."""
    rises = hearing.rises.astype(float)
    places = np.rint(beats * FRAMES).astype(int)
    strokes = np.array([rises[max(0, p - 4) : p + 7].max(axis=0, initial=0.0) for p in places])
    strokes = strokes / (strokes.std(axis=0) + 1e-3)
    period = beats[1] - beats[0]
    width = max(1, int(period * LONG_FRAMES))
    starts = np.minimum((beats * LONG_FRAMES).astype(int) + 1, len(hearing.chroma) - 1)
    rows = [strokes, strokes[:, :2]]
    for folded in (hearing.chroma, hearing.bass):
        each = np.array([folded[s : s + width].mean(axis=0) for s in starts])
        each = each / (np.linalg.norm(each, axis=1, keepdims=True) + 1e-9)
        change = np.zeros((len(beats), 1))
        change[1:, 0] = 1.0 - (each[1:] * each[:-1]).sum(axis=1)
        rows.append(change)
    return rows
