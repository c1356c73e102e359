"""A piece as sound, and as the notes that MIDI holds. Repeat marks are not played out."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from zhiyin.music.midi import DRUM_CHANNEL, Note, Score
from zhiyin.music.notated.piece import Piece
from zhiyin.music.pieces.instruments import INSTRUMENTS
from zhiyin.music.render import RATE, Renderer, normalised, wav_bytes

FIRST, STRONG, WEAK = 104, 90, 78
"""Velocities on the first beat of a bar, on the other beats, and between them."""
HELD = 0.85
"""Share of its written length that a note sounds, so that repeated notes can be told apart."""
TAIL_S = 1.0
"""Silence after the last note, in seconds."""


def as_score(piece: Piece) -> Score:
    """The notes of a piece with their written lengths, a channel for each part."""
    return Score(tuple(sorted(_notes(piece))), piece.tempo, piece.metre)


def _notes(piece: Piece) -> Iterator[Note]:
    second = 60 / piece.tempo
    channels = [n for n in range(16) if n != DRUM_CHANNEL]
    for channel, part in zip(channels, piece.parts, strict=False):
        program = INSTRUMENTS[part.instrument].program
        for event in part.events:
            place = (event.onset - piece.upbeat) % piece.bar
            velocity = FIRST if place == 0 else WEAK if place % piece.beat else STRONG
            for pitch in event.numbers:
                start, length = float(event.onset) * second, float(event.length) * second
                yield Note(start, length, pitch, velocity, channel, program)


def play(piece: Piece, renderer: Renderer) -> bytes:
    """A piece as a WAV file of one channel at 44.1 kHz and 16 bits, normalised."""
    notes = [
        msgspec.structs.replace(note, duration=note.duration * HELD)
        for note in as_score(piece).notes
    ]
    seconds = float(piece.length) * 60 / piece.tempo + TAIL_S
    return wav_bytes(normalised(renderer.render(notes, seconds)), RATE)
