"""Exercises in Chinese traditional music, by what they are about."""

from __future__ import annotations

from zhiyin.benchmarks.exercises.chinese import banyan, modes, notation
from zhiyin.benchmarks.exercises.exercise import Maker

MAKERS: dict[str, Maker] = {
    "gong": modes.tone_of_gong,
    "pentatonic": modes.pentatonic,
    "altered": modes.altered,
    "added": modes.added,
    "jianpu-read": notation.jianpu_read,
    "jianpu-write": notation.jianpu_write,
    "jianpu-length": notation.jianpu_length,
    "gongche-read": notation.gongche_read,
    "gongche-write": notation.gongche_write,
    "gongche-key": notation.gongche_key,
    "banyan-metre": banyan.metre,
    "banyan-beat": banyan.beat,
    "banyan-count": banyan.count,
}
