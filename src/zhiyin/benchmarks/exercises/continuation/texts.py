"""Tunes written in C, and how such a text is moved to another key or by a step.

The parser's notes are written once for each tune. Whatever is shown is made from that text, sign
by sign: a note that has no accidental has none after it is moved, for the signature moves along.
"""

from __future__ import annotations

import re
from functools import cache

from zhiyin.benchmarks.exercises.notes import Note, note
from zhiyin.music.notated.piece import accidental_of
from zhiyin.music.theory import ALTERS, LETTERS, fifths_of, spell

KEYS = (-3, -2, -1, 0, 1, 2, 3, 4)
"""The signatures in which exercises are shown."""
_NOTE = re.compile(r"([_^=]{0,2})([A-Ga-g])([',]*)")
_SIGNS = {-2: "__", -1: "_", 0: "=", 1: "^", 2: "^^"}
_ALTERS = {sign: alter for alter, sign in _SIGNS.items()}


def moved_text(text: str, fifths: int) -> str | None:
    """A text in C, moved to the nearest key with a signature of `fifths` (sharps positive).

    None where a note has no plain name there.
    """
    parts = []
    at = 0
    for match in _NOTE.finditer(text):
        sign = _moved_sign(match[1], match[2], match[3], fifths)
        if sign is None:
            return None
        parts += [text[at : match.start()], sign]
        at = match.end()
    return "".join([*parts, text[at:]])


@cache
def _moved_sign(accidental: str, letter: str, marks: str, fifths: int) -> str | None:
    old = _step(letter, marks)
    new = old + _steps(fifths)
    if not accidental:
        return _sign(new)
    name = Note(old, _ALTERS[accidental]).name
    place = fifths_of(name) + fifths
    if not -8 <= place <= 12:
        return None
    alter = ALTERS[accidental_of(spell(place))]
    return _SIGNS[alter] + _sign(new)


@cache
def _steps(fifths: int) -> int:
    """Letters from C4 to the nearest tonic of a signature."""
    tonics = (note(spell(fifths), octave) for octave in (3, 4))
    return min(tonics, key=lambda tonic: abs(tonic.midi - 60)).step - note("C4").step


def gamut_of(text: str) -> tuple[int, ...]:
    """The letters that a text without accidentals uses, C = 0, upwards."""
    return tuple(sorted({step % 7 for step in pitches_of(text)}))


def stepped(text: str, gamut: tuple[int, ...], places: int) -> str:
    """A text without accidentals, moved by places of a scale that has all of its notes."""
    return _NOTE.sub(lambda match: _sign(_along(_step(match[2], match[3]), gamut, places)), text)


def _along(step: int, gamut: tuple[int, ...], places: int) -> int:
    octave, letter = divmod(step, 7)
    octaves, place = divmod(gamut.index(letter) + places, len(gamut))
    return 7 * (octave + octaves) + gamut[place]


def is_plain(text: str) -> bool:
    """Whether a text has no accidentals."""
    return not any(sign in text for sign in "_^=")


def pitches_of(text: str) -> list[int]:
    """The steps of a text's signs above C0, ties and accidentals apart."""
    return [_step(match[2], match[3]) for match in _NOTE.finditer(text)]


def _step(letter: str, marks: str) -> int:
    octave = (5 if letter.islower() else 4) + marks.count("'") - marks.count(",")
    return LETTERS.index(letter.upper()) + 7 * octave


@cache
def _sign(step: int) -> str:
    octave, letter = divmod(step, 7)
    name = LETTERS[letter]
    if octave < 5:
        return name + "," * (4 - octave)
    return name.lower() + "'" * (octave - 5)
