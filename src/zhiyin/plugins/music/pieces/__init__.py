"""Short pieces for several instruments, composed from a seed, of which everything is known.

A piece is in one of a dozen styles, each with its own metre, harmony, patterns and instruments;
what a listener can be asked about it (`Piece.facts`) was decided before the first note.

The styles, and what accompanists play in a bar of them: chords, basses, drums, onset by onset.

Conventions
-----------
Onsets and lengths are in quarter notes from the beginning of the bar. Chord tones count from 0,
the lowest of the voicing; beyond the highest they go on an octave up; `ALL` is the whole chord.
Bass tones are 0 for the root, 1 for the third, 2 for the fifth, 3 for the octave.

The instruments of the pieces: General MIDI program, family and the register of a tune.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from zhiyin.parsing import read_beside
from zhiyin.plugins.music.theory import Mode

Changes = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Four bars each of the sections A, B and C, in Roman numerals."""


class Style(msgspec.Struct, frozen=True):
    """One style.

    Attributes
    ----------
    metre : tuple of int
    tempos : tuple of tuple of int
        Ranges of beats a minute; a piece draws one of the ranges, then a tempo.
    changes : dict
        Harmony by mode; its keys are the modes that the style knows.
    rhythms : tuple of tuple of float
        Rhythms of the tune in a bar, in quarter notes.
    ending : tuple of float
        The tune's last bar of a phrase.
    tunes : tuple of str
        Instruments for the tune; the first two or three families of them differ.
    chords, bass : tuple of str
        Instruments; empty where the style has no such part.
    chord_patterns, bass_patterns : tuple of str
        For the sections A, B and C.
    drums : str or None
        A pattern of `DRUMS`.
    bars : tuple of int
        Bars in a section, the preferred number first.
    feel : {"on the beat", "syncopated", "swung"}
    texture : {"solo", "chordal", "accompanied"}
    """

    metre: tuple[int, int]
    tempos: tuple[tuple[int, int], ...]
    changes: dict[Mode, Changes]
    rhythms: tuple[tuple[float, ...], ...]
    ending: tuple[float, ...]
    tunes: tuple[str, ...]
    chords: tuple[str, ...] = ()
    bass: tuple[str, ...] = ()
    chord_patterns: tuple[str, str, str] = ("held", "held", "held")
    bass_patterns: tuple[str, str, str] = ("held", "held", "held")
    drums: str | None = None
    bars: tuple[int, ...] = (4,)
    feel: str = "on the beat"
    texture: str = "accompanied"


STYLES = read_beside(__file__, "styles.toml", dict[str, Style])
"""By their names in truth files and questions: the table ``styles.toml``."""

ALL = -1
KICK, SNARE, HAT, OPEN_HAT, RIDE = 36, 38, 42, 46, 51
_SWUNG = 2 / 3


class Hit(msgspec.Struct, frozen=True):
    """One stroke: when, for how long, which tone (or drum), and how strongly (0 to 1)."""

    onset: float
    length: float
    tone: int
    force: float = 1.0


Pattern = tuple[Hit, ...]


def _even(count: int, step: float, length: float, *tones: int) -> Pattern:
    """`count` hits a `step` apart that go round the `tones`; the first one is strongest."""
    return tuple(
        Hit(i * step, length, tones[i % len(tones)], 1.0 if i == 0 else 0.82) for i in range(count)
    )


CHORDS: dict[str, Pattern] = {
    "waltz": (Hit(1, 0.6, ALL, 0.85), Hit(2, 0.6, ALL, 0.8)),
    "waltz broken": _even(6, 0.5, 0.55, 0, 1, 2, 3, 2, 1),
    "afterbeats": (Hit(0.5, 0.3, ALL, 0.9), Hit(1.5, 0.3, ALL, 0.9)),
    "march full": (Hit(0, 0.6, ALL), Hit(1, 0.3, ALL, 0.8), Hit(1.5, 0.3, ALL, 0.8)),
    "shuffle": tuple(
        Hit(b + o, 0.3, ALL, f) for b in range(4) for o, f in ((0, 0.9), (_SWUNG, 0.7))
    ),
    "shuffle stabs": (Hit(0 + _SWUNG, 0.3, ALL), Hit(2 + _SWUNG, 0.3, ALL), Hit(3, 0.3, ALL, 0.8)),
    "bossa": (Hit(0, 0.4, ALL), Hit(1.5, 0.4, ALL, 0.9), Hit(3, 0.4, ALL, 0.9)),
    "bossa late": (*(Hit(o, 0.35, ALL, 0.9) for o in (0.5, 1.5, 2.0, 3.5)), Hit(0, 0.3, 0, 0.9)),
    "broken eighths": _even(8, 0.5, 0.6, 0, 1, 2, 3, 2, 1, 2, 1),
    "quarters": _even(4, 1.0, 0.85, ALL),
    "offbeat stabs": tuple(Hit(b + 0.5, 0.25, ALL, 0.9) for b in range(4)),
    "sixteenths": _even(16, 0.25, 0.22, 0, 1, 2, 3),
    "jig": (Hit(0, 1.0, ALL), Hit(1.5, 1.0, ALL, 0.85)),
    "jig lilt": tuple(
        Hit(b + o, n, ALL, f) for b in (0, 1.5) for o, n, f in ((0, 0.8, 1.0), (1.0, 0.4, 0.75))
    ),
    "held": (Hit(0, 4.0, ALL),),
    "held halves": (Hit(0, 2.0, ALL), Hit(2, 2.0, ALL, 0.9)),
}

BASSES: dict[str, Pattern] = {
    "waltz": (Hit(0, 1.0, 0),),
    "waltz walk": (Hit(0, 0.9, 0), Hit(1, 0.9, 1, 0.8), Hit(2, 0.9, 2, 0.8)),
    "oom": (Hit(0, 0.7, 0), Hit(1, 0.7, 2, 0.9)),
    "oom run": (Hit(0, 0.5, 0), Hit(0.5, 0.4, 1, 0.8), Hit(1, 0.5, 2, 0.9), Hit(1.5, 0.4, 1, 0.8)),
    "walking": (Hit(0, 0.9, 0), Hit(1, 0.9, 1), Hit(2, 0.9, 2), Hit(3, 0.9, 3)),
    "shuffle": tuple(
        Hit(b + o, 0.35, t, f)
        for b, t in enumerate((0, 0, 2, 2))
        for o, f in ((0, 1.0), (_SWUNG, 0.7))
    ),
    "bossa": (Hit(0, 1.4, 0), Hit(1.5, 0.4, 2, 0.8), Hit(2, 1.4, 2), Hit(3.5, 0.4, 0, 0.8)),
    "roots": (Hit(0, 1.9, 0), Hit(2, 1.9, 0, 0.9)),
    "ballad": (Hit(0, 1.4, 0), Hit(1.5, 0.5, 0, 0.8), Hit(2, 1.9, 2, 0.9)),
    "pulse": tuple(Hit(b + 0.5, 0.4, 0) for b in range(4)),
    "octaves": _even(8, 0.5, 0.4, 0, 3),
    "jig": (Hit(0, 1.3, 0), Hit(1.5, 1.3, 2, 0.85)),
    "held": (Hit(0, 4.0, 0),),
}


def _drums(*rows: tuple[int, float, tuple[float, ...]]) -> Pattern:
    """Rows of drum, force and onsets."""
    hits = [Hit(onset, 0.1, drum, force) for drum, force, onsets in rows for onset in onsets]
    return tuple(sorted(hits, key=lambda hit: (hit.onset, hit.tone)))


_EIGHTHS = tuple(i / 2 for i in range(8))
_SWUNG_EIGHTHS = tuple(b + o for b in range(4) for o in (0, _SWUNG))

DRUMS: dict[str, Pattern] = {
    "march": _drums((KICK, 0.9, (0,)), (SNARE, 0.8, (1,)), (SNARE, 0.5, (0.5, 1.5, 1.75))),
    "shuffle": _drums((KICK, 1, (0, 2)), (SNARE, 0.9, (1, 3)), (RIDE, 0.7, _SWUNG_EIGHTHS)),
    "bossa": _drums((KICK, 0.8, (0, 1.5, 2, 3.5)), (SNARE, 0.45, (1, 2.5)), (HAT, 0.6, _EIGHTHS)),
    "ballad": _drums((KICK, 0.9, (0, 2.5)), (SNARE, 0.85, (1, 3)), (HAT, 0.5, _EIGHTHS)),
    "four on the floor": _drums(
        (KICK, 1.0, (0, 1, 2, 3)), (SNARE, 0.7, (1, 3)), (OPEN_HAT, 0.6, (0.5, 1.5, 2.5, 3.5))
    ),
    "jig": _drums((KICK, 0.9, (0, 1.5)), (HAT, 0.5, (0, 0.5, 1, 1.5, 2, 2.5))),
}


Family = Literal["strings", "brass", "woodwind", "keyboard", "guitar", "mallets", "synth"]


class Instrument(msgspec.Struct, frozen=True):
    """One instrument.

    Attributes
    ----------
    program : int
        General MIDI, counted from 0.
    family : str
    centre : int
        MIDI pitch around which it plays a tune.
    sustains : bool
        Whether a note speaks at once and keeps sounding, so that staccato and legato can be
        distinguished.
    """

    program: int
    family: Family
    centre: int
    sustains: bool = True


INSTRUMENTS = read_beside(__file__, "instruments.toml", dict[str, Instrument])
"""By the name in truth files and questions. The built-in renderer has all of them too."""


def instrument_of(program: int) -> str:
    """The name of a General MIDI program; a piano for one that is not known here."""
    names = {each.program: name for name, each in reversed(INSTRUMENTS.items())}
    return names.get(program, "piano")
