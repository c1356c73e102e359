"""Answering about a piece in any body: notation by parsing, sound by hearing its notes.

What it reads it answers from the text alone. What it hears is one voice: of chords, of
instruments, of metre and of a picture it says that it cannot tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from zhiyin.listener.melody import HeardMelody, hear_melody
from zhiyin.music.notated.piece import Event, Part, Piece
from zhiyin.music.notated.reading import find_pieces
from zhiyin.music.notated.solving import TWO, solve
from zhiyin.music.notated.solving import understand as understand_notation
from zhiyin.music.theory import Key
from zhiyin.sound import Sound
from zhiyin.trial import Image, Option

F = Fraction
BY_EAR = frozenset(
    ("pitch", "interval", "contour", "key", "repeated bar", "form", "transposition", "changed note")
)
"""Skills that need the notes of one voice and nothing else."""
ONE_VOICE = 0.5
"""Least median clarity of a voice that sounds alone (see `melody.HeardMelody`)."""


def read_piece(
    stem: str, texts: Sequence[str], options: Sequence[Option]
) -> tuple[str | None, str] | None:
    """The letter of the right option by the notation in a message, or None, and why.

    Returns
    -------
    tuple or None
        None for a question that is not understood.

    Raises
    ------
    InputError
        Notation that is not as it is written here.
    """
    asked = understand_notation(stem)
    if asked is None:
        return None
    pieces = find_pieces("\n\n".join(texts))
    if not pieces:
        return None, "find no notation that I can read"
    return _letter(*asked, pieces, options), f"read {len(pieces[0].tune)} notes of the tune"


def hear_piece(
    stem: str, sounds: Sequence[Sound], options: Sequence[Option]
) -> tuple[str | None, str] | None:
    """The letter of the right option by ear, or None, and why; None for another question."""
    asked = understand_notation(stem)
    if asked is None:
        return None
    skill, places = asked
    if skill not in BY_EAR:
        return None, f"have no ear for a question of {skill}"
    if len(sounds) != (2 if skill in TWO else 1):
        return None, f"was played {len(sounds)} sounds"
    heard = [hear_melody(sound) for sound in sounds]
    for each in heard:
        if not each.pitches:
            return None, each.why
        if sorted(each.clarity)[len(each.clarity) // 2] < ONE_VOICE:
            return None, "heard more than one voice"
    lengths = {len(each.pitches) for each in heard}
    if len(lengths) > 1:
        return None, f"heard {' and '.join(map(str, sorted(lengths)))} notes"
    bar = F(places["s"]) if "s" in places else F(4)
    return _letter(skill, places, [as_piece(h, bar) for h in heard], options), heard[0].why


def as_piece(heard: HeardMelody, bar: Fraction) -> Piece:
    """What was heard as a piece whose quarter notes are seconds and whose bars are `bar` long."""
    plain = Key("C")
    events = []
    begins = heard.onsets[0]
    for pitch, onset, length in zip(heard.pitches, heard.onsets, heard.durations, strict=True):
        place = F(onset - begins).limit_denominator(1000)
        events.append(Event(place, F(length).limit_denominator(1000), (plain.spell(pitch),)))
    bars = max(1, round(float(events[-1].end / bar)))
    return _Timed((Part(tuple(events)),), (4, 4), bars, seconds=bar)


class _Timed(Piece, frozen=True):
    """A piece whose bars are as long as somebody said, whatever its metre."""

    seconds: Fraction = F(4)

    @property
    def bar(self) -> Fraction:
        return self.seconds


def _letter(
    skill: str, places: dict[str, str], pieces: Sequence[Piece], options: Sequence[Option]
) -> str | None:
    right = solve(skill, places, pieces, [option.text for option in options])
    return next((option.letter for option in options if option.text == right), None)


def shows_picture(parts: Sequence[object]) -> bool:
    """Whether a message shows a picture, which is not looked at here."""
    return any(isinstance(part, Image) for part in parts)
