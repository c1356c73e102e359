"""Exercises in music theory, by what they are about."""

from __future__ import annotations

from zhiyin.benchmarks.exercises.exercise import Maker
from zhiyin.benchmarks.exercises.theory import chords, harmony, lines, pitches, scales, time

MAKERS: dict[str, Maker] = {
    "interval": pitches.interval,
    "enharmonic": pitches.enharmonic,
    "clef": pitches.clef,
    "transposition": pitches.transposition,
    "instrument": pitches.instrument,
    "scale": scales.scale,
    "mode": scales.mode,
    "signature": scales.signature,
    "spelling": chords.spelling,
    "quality": chords.quality,
    "inversion": chords.inversion,
    "roman": harmony.roman,
    "figured": harmony.figured,
    "cadence": harmony.cadence,
    "metre": time.metre,
    "bar": time.bar,
    "value": time.value,
    "counterpoint": lines.counterpoint,
    "row": lines.row,
}
