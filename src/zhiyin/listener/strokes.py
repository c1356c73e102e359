"""Rows of two kinds of strokes between the clicks of a metronome: which one is which."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zhiyin.listener.comparing import Answer
from zhiyin.sound import Sound
from zhiyin.trial import Option

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
    """When something is struck, in seconds: where the level rises at once."""
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


def hear_strokes(sounds: Sequence[Sound]) -> Answer:
    """The row of strokes after four clicks and before four more: o for a deep one, x for a high."""
    sound = sounds[0]
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
