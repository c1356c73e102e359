"""Hearing the meter of an excerpt: whether its beats go in threes, fours or fives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zhiyin.listener.chords import bass_of
from zhiyin.listener.pieces import FRAMES, LONG_FRAMES, Hearing
from zhiyin.sound import Sound

GROUPS = (3, 4, 5)
LONGEST_LAG = 16
"""Beats at which the excerpt is compared with itself."""
CLEAR = 0.0


def hear_meter(sound: Sound) -> tuple[int | None, str]:
    """3, 4 or 5 beats in a group; None where no beat is heard.

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
    return best, f"heard beats at {hearing.pulse.bpm:.0f} BPM in groups of {best} ({summary})"


def group_scores(hearing: Hearing, beats: NDArray[np.float64]) -> dict[int, float]:
    """How much more alike an excerpt is at the multiples of each group than elsewhere."""
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
    """What happens at each beat: strokes by octave, what begins in the bass, change of harmony."""
    rises = hearing.rises.astype(float)
    places = np.rint(beats * FRAMES).astype(int)
    strokes = np.array([rises[max(0, p - 4) : p + 7].max(axis=0, initial=0.0) for p in places])
    strokes = strokes / (strokes.std(axis=0) + 1e-3)
    period = beats[1] - beats[0]
    width = max(1, int(period * LONG_FRAMES))
    starts = np.minimum((beats * LONG_FRAMES).astype(int) + 1, len(hearing.chroma) - 1)
    rows = [strokes, strokes[:, :2]]
    for folded in (hearing.chroma, bass_of(hearing)):
        each = np.array([folded[s : s + width].mean(axis=0) for s in starts])
        each = each / (np.linalg.norm(each, axis=1, keepdims=True) + 1e-9)
        change = np.zeros((len(beats), 1))
        change[1:, 0] = 1.0 - (each[1:] * each[:-1]).sum(axis=1)
        rows.append(change)
    return rows
