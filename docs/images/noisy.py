"""The listener behind an internal noise, as a model: the third model of the audiogram."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from zhiyin.plugins.music.hearing import BY_NAME
from zhiyin.plugins.music.listener import differences
from zhiyin.sound import read_sound

Measure = Callable[[Any, int], float]
HEARD: dict[str, tuple[Measure, float]] = {
    "pitch": (differences.pitch, 12),  # cents
    "tempo": (differences.tempo, 4),  # per cent
    "gap": (differences.hole, 2),  # dB below the whole
    "chord-in-noise": (differences.tonality, 2),  # dB above the median
}
"""How each dimension is measured in the waveform, and the noise that is added to each measure."""


def answer(messages: Sequence[dict[str, Any]]) -> str:
    """Which of two sounds has more of what is asked for."""
    parts = messages[-1]["content"]
    asked = " ".join(part["text"] for part in parts if part["type"] == "text")
    data = Path(next(part["path"] for part in parts if part["type"] == "audio")).read_bytes()
    measure, noise = next(own for name, own in HEARD.items() if BY_NAME[name].asked in asked)
    sound, draw = read_sound(data), random.Random(data)
    parts = differences.parts(sound)
    first, second = (measure(part, sound.rate) + draw.gauss(0, noise) for part in parts)
    return "A" if first > second else "B"
