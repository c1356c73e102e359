"""The sounds of a trial in one recording, with silences between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zhiyin.music.hearing.dimensions import Dimension
from zhiyin.music.hearing.sounds import RATE, length
from zhiyin.music.render import wav_bytes

if TYPE_CHECKING:
    from zhiyin.statistics.psychometric import Method

EDGE_S, BETWEEN_S = 0.25, 0.8
"""Silence at both ends, and between two sounds."""


def play(
    dimension: Dimension, method: Method, level: float, later: bool, draw: np.random.Generator
) -> tuple[bytes, dict[str, float]]:
    """A trial as a WAV file, 16 bits, one channel, and what was drawn for it.

    Parameters
    ----------
    dimension : Dimension
    method : {"two-interval", "yes-no"}
    level : float
    later : bool
        Whether the second sound has the difference; with one sound, whether it has.
    draw : numpy.random.Generator
    """
    pair = dimension.make(draw, level)
    if method == "two-interval":
        sounds = [pair.plain, pair.target] if later else [pair.target, pair.plain]
        sounds = [sound for sound in (pair.before, *sounds) if sound is not None]
    else:
        one = pair.target if later else pair.plain
        sound_before = pair.before if pair.before is not None else pair.standard
        sounds = [one] if sound_before is None else [sound_before, one]
    edge, between = np.zeros(length(EDGE_S)), np.zeros(length(BETWEEN_S))
    parts = [edge]
    for number, sound in enumerate(sounds):
        parts += [between] * bool(number) + [sound]
    samples = np.concatenate([*parts, edge])
    # The noise of the last bit hides rounding, which would tell a faint sound's silence from it.
    samples = samples + draw.uniform(-0.5, 0.5, len(samples)) / 32767
    return wav_bytes(np.clip(samples, -1, 1).astype(np.float32), RATE), pair.facts
