"""How hard generated items are."""

from __future__ import annotations

from typing import Literal

import msgspec

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
