"""The styles: each one's metre, tempo, harmony, patterns and players.

Harmony and patterns are the common stock of each style, in a few bars; none is taken from a
particular piece.
"""

from __future__ import annotations

import msgspec

from zhiyin.music.theory import Mode

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
        A pattern of `patterns.DRUMS`.
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


_MAJOR: Changes = (
    ("I", "IV", "V7", "I"),
    ("vi", "ii", "V7", "V"),
    ("IV", "I", "ii", "V"),
)
_MINOR: Changes = (
    ("i", "iv", "V7", "i"),
    ("III", "VII", "iv", "V"),
    ("VI", "III", "iio", "V"),
)
_BLUES: Changes = (
    ("I7", "IV7", "I7", "I7"),
    ("IV7", "IV7", "I7", "I7"),
    ("V7", "IV7", "I7", "V7"),
)
_S = 2 / 3
_L = 1 / 3

STYLES: dict[str, Style] = {
    "waltz": Style(
        metre=(3, 4),
        tempos=((94, 110), (132, 160)),
        changes={"major": _MAJOR, "minor": _MINOR},
        rhythms=((2, 1), (1, 1, 1), (1, 0.5, 0.5, 1), (1.5, 0.5, 1)),
        ending=(3,),
        tunes=("violin", "clarinet", "flute", "piano", "trumpet"),
        chords=("string ensemble", "piano"),
        bass=("double bass", "cello"),
        chord_patterns=("waltz", "waltz broken", "held"),
        bass_patterns=("waltz", "waltz walk", "held"),
    ),
    "march": Style(
        metre=(2, 4),
        tempos=((98, 112), (122, 132)),
        changes={"major": _MAJOR, "minor": _MINOR},
        rhythms=((1, 1), (1, 0.5, 0.5), (0.75, 0.25, 1), (0.5, 0.5, 0.5, 0.5)),
        ending=(2,),
        tunes=("trumpet", "trombone", "clarinet", "flute"),
        chords=("French horn", "trombone"),
        bass=("tuba",),
        chord_patterns=("afterbeats", "march full", "held"),
        bass_patterns=("oom", "oom run", "held"),
        drums="march",
    ),
    "blues shuffle": Style(
        metre=(4, 4),
        tempos=((92, 110), (122, 138)),
        changes={"major": _BLUES},
        rhythms=(
            (_S, _L, 1, _S, _L, 1),
            (1, _S, _L, 2),
            (1 + _S, _L, 1, 1),
            (_S, _L, _S, _L, 2),
        ),
        ending=(_S, _L, 3),
        tunes=("alto saxophone", "electric guitar", "trumpet", "piano"),
        chords=("piano", "electric guitar"),
        bass=("double bass", "electric bass"),
        chord_patterns=("shuffle", "shuffle stabs", "held"),
        bass_patterns=("walking", "shuffle", "held"),
        drums="shuffle",
        feel="swung",
    ),
    "bossa nova": Style(
        metre=(4, 4),
        tempos=((98, 112), (124, 140)),
        changes={
            "major": (
                ("Imaj7", "Imaj7", "ii7", "V7"),
                ("IVmaj7", "iv7", "Imaj7", "V7"),
                ("vi7", "II7", "ii7", "V7"),
            ),
            "minor": (
                ("i7", "iv7", "V7", "i7"),
                ("VImaj7", "iv7", "V7", "V7"),
                ("iv7", "VII7", "IIImaj7", "V7"),
            ),
        },
        rhythms=((1.5, 1.5, 1), (0.5, 1, 1, 1.5), (1.5, 1, 1.5), (0.5, 1, 1, 1, 0.5)),
        ending=(1.5, 2.5),
        tunes=("alto saxophone", "flute", "vibraphone", "trombone"),
        chords=("nylon-string guitar",),
        bass=("double bass",),
        chord_patterns=("bossa", "bossa late", "held"),
        bass_patterns=("bossa", "bossa", "held"),
        drums="bossa",
        feel="syncopated",
    ),
    "pop ballad": Style(
        metre=(4, 4),
        tempos=((62, 78),),
        changes={
            "major": (("I", "V", "vi", "IV"), ("vi", "IV", "I", "V"), ("IV", "V", "iii", "vi")),
            "minor": (("i", "VI", "III", "VII"), ("iv", "VI", "i", "V"), ("VI", "VII", "i", "i")),
        },
        rhythms=((1, 1, 2), (1.5, 0.5, 1, 1), (0.5, 0.5, 1, 1, 1), (2, 1, 1)),
        ending=(1, 3),
        tunes=("oboe", "electric guitar", "string ensemble", "piano"),
        chords=("piano", "steel-string guitar"),
        bass=("electric bass",),
        chord_patterns=("broken eighths", "quarters", "held"),
        bass_patterns=("roots", "ballad", "held"),
        drums="ballad",
        bars=(4, 2),
    ),
    "house": Style(
        metre=(4, 4),
        tempos=((122, 130),),
        changes={
            "major": (("I", "V", "vi", "IV"), ("IV", "V", "vi", "vi"), ("ii", "IV", "I", "V")),
            "minor": (("i", "VI", "III", "VII"), ("iv", "i", "VI", "VII"), ("VI", "VII", "i", "v")),
        },
        rhythms=((1, 1, 1, 1), (0.5, 0.5, 1, 1, 1), (1, 0.5, 0.5, 2), (2, 1, 1)),
        ending=(1, 3),
        tunes=("sawtooth synthesizer", "square-wave synthesizer", "piano", "marimba"),
        chords=("synthesizer pad", "sawtooth synthesizer"),
        bass=("synthesizer bass",),
        chord_patterns=("offbeat stabs", "sixteenths", "held"),
        bass_patterns=("pulse", "octaves", "held"),
        drums="four on the floor",
    ),
    "chorale": Style(
        metre=(4, 4),
        tempos=((66, 78),),
        changes={
            "major": (
                ("I V", "vi IV", "ii V", "I V"),
                ("vi iii", "IV I", "ii vi", "V V"),
                ("IV I", "ii vi", "IV ii", "V V"),
            ),
            "minor": (
                ("i V", "i iv", "VI V", "i V"),
                ("III VII", "VI III", "iv i", "V V"),
                ("iv i", "VI iv", "i iio", "V V"),
            ),
        },
        rhythms=((1, 1, 1, 1),),
        ending=(1, 1, 2),
        tunes=("church organ", "trumpet", "string ensemble", "oboe"),
        chords=("church organ", "string ensemble", "French horn"),
        bass=("cello", "trombone"),
        chord_patterns=("quarters", "quarters", "quarters"),
        bass_patterns=("walking", "walking", "walking"),
        bars=(4, 2),
        texture="chordal",
    ),
    "jig": Style(
        metre=(6, 8),
        tempos=((94, 112), (122, 134)),
        changes={
            "major": (
                ("I", "I", "V", "I"),
                ("IV", "I", "V", "V"),
                ("vi", "IV", "I", "V"),
            ),
            "minor": (
                ("i", "VII", "i", "i"),
                ("III", "VII", "i", "V"),
                ("iv", "i", "VII", "V"),
            ),
        },
        rhythms=(
            (0.5,) * 6,
            (1, 0.5, 0.5, 0.5, 0.5),
            (1, 0.5, 1, 0.5),
            (0.5, 0.5, 0.5, 1, 0.5),
        ),
        ending=(1, 0.5, 1.5),
        tunes=("violin", "recorder", "steel-string guitar", "flute"),
        chords=("nylon-string guitar", "steel-string guitar"),
        bass=("double bass",),
        chord_patterns=("jig", "jig lilt", "held"),
        bass_patterns=("jig", "jig", "held"),
        drums="jig",
    ),
    "ragtime": Style(
        metre=(2, 4),
        tempos=((84, 104),),
        changes={
            "major": (
                ("I", "II7", "V7", "I"),
                ("IV", "I", "II7", "V7"),
                ("vi", "II7", "ii", "V7"),
            ),
        },
        rhythms=(
            (0.25, 0.5, 0.25, 0.5, 0.5),
            (0.5, 0.25, 0.5, 0.25, 0.5),
            (0.25, 0.5, 0.25, 0.25, 0.5, 0.25),
        ),
        ending=(0.25, 0.5, 1.25),
        tunes=("piano", "xylophone", "clarinet", "trumpet"),
        chords=("piano",),
        bass=("tuba", "double bass"),
        chord_patterns=("afterbeats", "march full", "held"),
        bass_patterns=("oom", "oom", "held"),
        feel="syncopated",
    ),
    "ambient": Style(
        metre=(4, 4),
        tempos=((60, 72),),
        changes={
            "major": (
                ("Imaj7", "IVmaj7", "Imaj7", "IVmaj7"),
                ("vi7", "IVmaj7", "vi7", "ii7"),
                ("ii7", "vi7", "IVmaj7", "V"),
            ),
            "minor": (
                ("i7", "VImaj7", "i7", "iv7"),
                ("iv7", "VImaj7", "IIImaj7", "V"),
                ("VImaj7", "iv7", "i7", "V"),
            ),
        },
        rhythms=((2, 2), (1, 1, 2), (2, 1, 1)),
        ending=(1, 1, 2),
        tunes=("synthesizer pad", "vibraphone", "piano", "French horn"),
        chords=("synthesizer pad", "string ensemble"),
        bass=("synthesizer bass",),
        chord_patterns=("held", "held halves", "broken eighths"),
        bass_patterns=("held", "held", "held"),
        bars=(2,),
    ),
    "unaccompanied air": Style(
        metre=(3, 4),
        tempos=((64, 78), (92, 108)),
        changes={"major": _MAJOR, "minor": _MINOR},
        rhythms=((2, 1), (1, 1, 1), (1, 0.5, 0.5, 1), (1.5, 0.5, 1)),
        ending=(3,),
        tunes=("recorder", "violin", "cello", "clarinet", "nylon-string guitar"),
        bars=(4, 2),
        texture="solo",
    ),
}
