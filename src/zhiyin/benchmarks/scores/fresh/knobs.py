"""How hard a picture is to read."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from zhiyin.benchmarks.scores.fresh.music import Clef, Value

Level = Literal["easy", "default", "hard"]
LEVELS: tuple[Level, ...] = get_args(Level)


class Knobs(msgspec.Struct, frozen=True):
    """What makes a picture harder.

    Attributes
    ----------
    clefs : tuple of str
        Those that may stand at its beginning.
    keys : int
        Most sharps or flats of a key signature.
    accidentals : float
        Probability that a note is altered against its key.
    ledger : int
        Most ledger lines above or below the staff.
    rests, chords : float
        Probability that an event is a rest, or a chord.
    voices : int
        1 or 2 on the staff.
    dynamics : bool
        Whether bars carry marks from pp to ff.
    bars : int
    leap : int
        Most steps from one note to the next.
    values : tuple of Value
        The note values.
    metres : tuple of (int, int)
    counted : bool
        Whether a metre that is asked for is not drawn, and has to be counted.
    """

    clefs: tuple[Clef, ...]
    keys: int
    accidentals: float
    ledger: int
    rests: float
    chords: float
    voices: int
    dynamics: bool
    bars: int
    leap: int
    values: tuple[Value, ...]
    metres: tuple[tuple[int, int], ...]
    counted: bool = False


def _values(text: str) -> tuple[Value, ...]:
    return tuple(Value(int(word.rstrip(".")), word.endswith(".")) for word in text.split())


KNOBS: dict[Level, Knobs] = {
    "easy": Knobs(
        clefs=("treble", "bass"), keys=2, accidentals=0.0, ledger=1, rests=0.1, chords=0.1,
        voices=1, dynamics=True, bars=3, leap=2, values=_values("1 2. 2 4 8"),
        metres=((2, 4), (3, 4), (4, 4), (5, 4)),
    ),
    "default": Knobs(
        clefs=("treble", "bass", "alto"), keys=4, accidentals=0.12, ledger=2, rests=0.15,
        chords=0.15, voices=1, dynamics=True, bars=4, leap=5, values=_values("1 2. 2 4. 4 8 16"),
        metres=((2, 4), (3, 4), (4, 4), (5, 4), (3, 8), (6, 8), (9, 8)),
    ),
    "hard": Knobs(
        clefs=("treble", "bass", "alto", "tenor"), keys=7, accidentals=0.3, ledger=4, rests=0.2,
        chords=0.25, voices=2, dynamics=True, bars=6, leap=9,
        values=_values("1 2. 2 4. 4 8. 8 16"),
        metres=((2, 4), (3, 4), (4, 4), (5, 4), (3, 8), (6, 8), (9, 8)), counted=True,
    ),
}  # fmt: skip
