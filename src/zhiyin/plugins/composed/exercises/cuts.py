"""Cuts of a tune, and how they are written in C and moved to another key or by a step.

The parser's notes are written once for each tune. Whatever is shown is made from that text, sign
by sign: a note that has no accidental has none after it is moved, for the signature moves along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from zhiyin.plugins.composed.exercises.pitches import SpelledNote, note
from zhiyin.plugins.composed.exercises.tunes import TICKS, VocalTune, phrase_starts, strictly_inside
from zhiyin.plugins.music.notated import NotatedEvent, NotatedPart, NotatedPiece, accidental_of
from zhiyin.plugins.music.notated.writing import abc_signs
from zhiyin.plugins.music.theory import ALTERS, LETTERS, Key, fifths_of, parse_pitch, spell

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
    name = SpelledNote(old, _ALTERS[accidental]).name
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
    """Tell whether a text has no accidentals."""
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


LEAST, MOST = 2, 8
"""Bars of a continuation."""
_NOTES = 5
"""Fewest notes of an opening, and of a continuation."""
_CLOSE = 3
"""Fewest notes of a cadence."""
_A_LINE = 4
_FINEST = 12
"""Cuts stand on sixteenth notes, never within a triplet."""
_OPENING = 12
"""Most bars of an opening; a longer one begins later, at a phrase."""
Notes = Sequence[tuple[int, int, str]]


@cache
def midi(pitch: str) -> int:
    """Parse a pitch as `parse_pitch` does, with a cache."""
    return parse_pitch(pitch)


class Cut(NamedTuple):
    """An opening from `begin` to `start`, and a continuation from `start` to `end`, in ticks."""

    tune: VocalTune
    begin: int
    start: int
    end: int
    mode: int

    @property
    def phase(self) -> int:
        """Ticks from the last bar line to the cut."""
        return (self.start - self.tune.upbeat) % self.tune.bar

    @property
    def final(self) -> bool:
        """True if the tune ends where the cut does."""
        return self.end == self.tune.end

    @property
    def group(self) -> tuple[object, ...]:
        """The properties that continuations offered together have in common.

        Metre, mode, where in the bar they begin, how long they are, whether they end the tune.
        """
        return self.tune.metre, self.mode, self.phase, self.end - self.start, self.final

    def notes(self, begin: int, end: int) -> list[tuple[int, int, str]]:
        """The notes of a stretch."""
        return [note for note in self.tune.notes if begin <= note[0] < end]

    @property
    def opening(self) -> list[tuple[int, int, str]]:
        """The notes before the cut."""
        return self.notes(self.begin, self.start)

    @property
    def continuation(self) -> list[tuple[int, int, str]]:
        """The notes after it."""
        return self.notes(self.start, self.end)


def mode_of(tune: VocalTune) -> int | None:
    """The place of the last note in the signature, by fifths from the lowest (0) to 6.

    1 is major, 4 is minor. None where the last note is not in the signature.
    """
    place = fifths_of(tune.notes[-1][2].rstrip("-0123456789")) - tune.fifths + 1
    return place if 0 <= place <= 6 else None


def cuts_of(tune: VocalTune, phrases: str | None) -> list[Cut]:
    """Every way to cut a tune at phrases."""
    mode = mode_of(tune)
    if mode is None:
        return []
    places = [
        at for at in phrase_starts(tune, phrases) if at % _FINEST == 0 and strictly_inside(tune, at)
    ]
    cuts = []
    for number, start in enumerate(places[:-1]):
        begin = next(at for at in (0, *places) if start - at <= _OPENING * tune.bar)
        if start - begin < LEAST * tune.bar:
            continue
        for end in places[number + 1 :]:
            if LEAST * tune.bar <= end - start <= MOST * tune.bar and _whole(tune, end):
                cut = Cut(tune, begin, start, end, mode)
                if len(cut.continuation) >= _NOTES and len(cut.opening) >= _NOTES:
                    cuts.append(cut)
    return cuts


def endings_of(cut: Cut) -> Iterator[Cut]:
    """The cuts of a final one that leave its last bar, or its last two, alone."""
    tune = cut.tune
    for start in range(tune.upbeat, tune.end if cut.final else 0, tune.bar):
        if tune.end - start > 2 * tune.bar or start - cut.begin < LEAST * tune.bar:
            continue
        ending = cut._replace(start=start)
        enough = len(ending.continuation) >= _CLOSE and len(ending.opening) >= _NOTES
        if enough and strictly_inside(tune, start):
            yield ending


def _whole(tune: VocalTune, end: int) -> bool:
    """Tell whether a stretch ends with a bar, or with what the upbeat leaves of the last one."""
    rest = (end - tune.upbeat) % tune.bar
    return rest == 0 or (tune.upbeat > 0 and rest == tune.bar - tune.upbeat)


def moved(notes: Notes, fifths: int, semitones: int) -> list[tuple[int, int, str]] | None:
    """Notes moved along the line of fifths and by semitones; None where one has no plain name."""
    moved_notes = []
    for onset, length, pitch in notes:
        name = _moved(pitch, fifths, semitones)
        if not name:
            return None
        moved_notes.append((onset, length, name))
    return moved_notes


@cache
def _moved(pitch: str, fifths: int, semitones: int) -> str:
    place = fifths_of(pitch.rstrip("-0123456789")) + fifths
    if not -8 <= place <= 12:
        return ""
    name = spell(place)
    octave = (midi(pitch) + semitones - name.count("#") + name.count("b")) // 12 - 1
    return f"{name}{octave}" if 1 <= octave <= 6 else ""


def piece(cut: Cut, notes: Notes, begin: int, end: int, fifths: int) -> NotatedPiece:
    """A stretch as a piece; its last bar is filled with rest."""
    tune = cut.tune
    upbeat = -(begin - tune.upbeat) % tune.bar
    bars = -(-(end - begin - upbeat) // tune.bar)
    events = tuple(
        NotatedEvent(Fraction(onset - begin, TICKS), Fraction(length, TICKS), (pitch,))
        for onset, length, pitch in notes
    )
    return NotatedPiece(
        (NotatedPart(events),),
        tune.metre,
        max(bars, 1),
        Key(spell(fifths)),
        Fraction(upbeat, TICKS),
    )


Bars = list[tuple[int, list[tuple[int, str]]]]


def bars_of(tune: VocalTune, notes: Notes, fifths: int) -> Bars:
    """A whole tune as ABC, sign by sign: where each bar ends, and its signs with their onsets."""
    whole = Cut(tune, 0, 0, tune.end, 0)
    whole_piece = piece(whole, notes, 0, tune.end, fifths)
    ends = [int(edge * TICKS) for edge in whole_piece.edges()[1:]]
    return [
        (end, [(int(onset * TICKS), text) for onset, text in row])
        for end, row in zip(ends, abc_signs(whole_piece), strict=True)
    ]


def written(bars: Bars, begin: int, end: int) -> str:
    """A stretch of a tune as ABC without a header, four bars a line."""
    lines, now, count = [], "", 0
    for bar_end, signs in bars:
        kept = [text for onset, text in signs if begin <= onset < end]
        if not kept:
            continue
        now += "".join(kept).strip()
        if bar_end <= end:
            now += " | "
            count += 1
            if count % _A_LINE == 0:
                lines.append(now.strip())
                now = ""
    return "\n".join([*lines, now.strip()]).strip()


def header(tune: VocalTune, fifths: int) -> str:
    """The header that stands before an opening."""
    return f"X:1\nM:{tune.metre[0]}/{tune.metre[1]}\nL:1/8\nK:{spell(fifths)}"
