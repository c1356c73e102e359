"""How hard generated items are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from zhiyin.errors import InputError, did_you_mean

Level = Literal["easy", "default", "hard"]


class Knobs(msgspec.Struct, frozen=True):
    """What makes items harder.

    Attributes
    ----------
    odd_notes : int
        Notes of a melody that are altered in an oddball that is not the same.
    altered : bool
        Whether half of the melodies that are not transpositions differ in one note alone.
    moved : int
        Strokes of a drum pattern that are moved where it is another one; 0 for a new pattern.
    apart : int
        Least difference of two patterns in strokes off the beat.
    inverted : bool
        Whether chords of progressions stand in any inversion.
    styles : int
        How many ways of playing a progression there are: 1 for blocks alone, up to 4.
    near : bool
        Whether keys that a modulation leads to are nearest neighbours (fifths and relatives).
    noise_db : float or None
        Signal-to-noise ratio of added white noise.
    """

    odd_notes: int = 2
    altered: bool = False
    moved: int = 0
    apart: int = 2
    inverted: bool = False
    styles: int = 3
    near: bool = False
    noise_db: float | None = None


LEVELS: dict[Level, Knobs] = {
    "easy": Knobs(odd_notes=4, apart=4, styles=1),
    "default": Knobs(),
    "hard": Knobs(
        odd_notes=1, altered=True, moved=2, inverted=True, styles=4, near=True, noise_db=20.0
    ),
}


class _Range(msgspec.Struct, frozen=True):
    low: float
    high: float


_RANGES = {
    "odd_notes": _Range(1, 4),
    "moved": _Range(0, 2),
    "apart": _Range(1, 4),
    "styles": _Range(1, 4),
    "noise_db": _Range(0, 60),
}
"""What the levels span, and noise that leaves something to be heard."""


def set_knobs(knobs: Knobs, words: Iterable[str]) -> Knobs:
    """Knobs with some of them set: ``odd_notes=1``, ``near=true``.

    Raises
    ------
    InputError
        There is no such knob, or it does not take the value.
    """
    given: dict[str, object] = {}
    for word in words:
        name, _, value = (part.strip() for part in word.partition("="))
        if name not in Knobs.__struct_fields__:
            raise InputError(f"--knob {word}: {did_you_mean(name, Knobs.__struct_fields__)}")
        try:
            kind = msgspec.structs.fields(Knobs)[Knobs.__struct_fields__.index(name)].type
            given[name] = msgspec.convert(value, kind, strict=False)
        except msgspec.ValidationError:
            raise InputError(f"--knob {word}: write {name}=VALUE, a value that it takes") from None
        span, number = _RANGES.get(name), given[name]
        if span and isinstance(number, int | float) and not span.low <= number <= span.high:
            raise InputError(f"--knob {word}: {name} is from {span.low:g} to {span.high:g}")
    return msgspec.structs.replace(knobs, **given)
