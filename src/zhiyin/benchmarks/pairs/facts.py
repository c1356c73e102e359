"""The facts: each a question with two answers, and a scene in which exactly that is otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from zhiyin.benchmarks.pairs.settings import FactName
from zhiyin.music.midi import Note
from zhiyin.music.stimuli.dice import Dice
from zhiyin.music.theory import SCALES

PIANO, TRUMPET, CLARINET = 0, 56, 71
STRONG, USUAL = 112, 64
"""Velocities of an accented note and of the others."""
LATE = 0.28
"""Share of the time between two notes by which one comes late."""
HELD = 0.85
"""Share of its time that a note sounds."""

Clip = tuple[Note, ...]
Scene = tuple[tuple[Clip, ...], tuple[Clip, ...]]
"""The recordings of the first answer and those of the second; the last of them differs."""


class Fact(msgspec.Struct, frozen=True):
    """One fact.

    Attributes
    ----------
    question : str
    answers : tuple of str
        What is true of the first scene, and of the second.
    clips : int
        Recordings in a question. Where there are two, the first is the same in both scenes.
    draw : callable
        Makes a scene.
    """

    question: str
    answers: tuple[str, str]
    clips: int
    draw: Callable[[Dice], Scene]


def _third(dice: Dice) -> Scene:
    """A triad, all notes together and then one by one: its thirds a semitone lower or not."""
    root = dice.whole(48, 56)
    step = dice.whole(34, 40) / 100
    clips = []
    for third in (4, 3):
        pitches = (root, root + third, root + 7, root + 12, root + 12 + third)
        notes = [Note(0.0, 1.6, pitch, 84, 0, PIANO) for pitch in pitches]
        notes += [
            Note(1.8 + n * step, step * HELD, pitch, 84, 0, PIANO)
            for n, pitch in enumerate(pitches)
        ]
        clips.append((tuple(notes),))
    return clips[0], clips[1]


def _melody(dice: Dice, count: int = 8) -> list[int]:
    """A row of notes of a major scale, no note twice in a row."""
    tonic, degree, row = dice.whole(60, 67), dice.choice((0, 2, 4)), list[int]()
    while len(row) < count:
        octave, place = divmod(degree, 7)
        row.append(tonic + 12 * octave + SCALES["major"][place])
        degree = min(9, max(-2, degree + dice.choice((-2, -1, 1, 2, 3, -3))))
        if row[-1] == tonic + 12 * (degree // 7) + SCALES["major"][degree % 7]:
            degree += 1 if degree < 9 else -1
    return row


def _row(pitches: Sequence[int], step: float, program: int = PIANO) -> Clip:
    return tuple(
        Note(n * step, step * HELD, pitch, 84, 0, program) for n, pitch in enumerate(pitches)
    )


def _note(dice: Dice) -> Scene:
    row, step, place = _melody(dice), dice.whole(36, 44) / 100, dice.whole(2, 5)
    other = list(row)
    fits = [
        row[place] + move for move in (-4, -3, 3, 4)
        if row[place] + move not in (row[place - 1], row[place + 1])
    ]  # fmt: skip
    other[place] = dice.choice(fits)
    reference = _row(row, step)
    return (reference, _row(row, step)), (reference, _row(other, step))


def _bars(dice: Dice) -> Scene:
    """A bar that rises and one that falls, in either order."""
    tonic, step = dice.whole(60, 67), dice.whole(36, 44) / 100
    first, second = dice.whole(0, 2), dice.whole(0, 2)

    def notes(start: int) -> list[int]:
        degrees = range(start, start + 4)
        return [tonic + 12 * (d // 7) + SCALES["major"][d % 7] for d in degrees]

    rising, falling = notes(first), notes(second)[::-1]
    return (_row(rising + falling, step),), (_row(falling + rising, step),)


def _instrument(dice: Dice) -> Scene:
    row, step = _melody(dice, 6), dice.whole(48, 58) / 100
    return (_row(row, step, TRUMPET),), (_row(row, step, CLARINET),)


def _tempo(dice: Dice) -> Scene:
    row, step = _melody(dice), dice.whole(36, 40) / 100
    ratio = dice.whole(115, 130) / 100
    reference = _row(row, step)
    return (reference, _row(row, step / ratio)), (reference, _row(row, step * ratio))


def _even(dice: Dice) -> tuple[list[int], float]:
    """Eight notes, the same or nearly so, and the time between them."""
    return [dice.whole(60, 72)] * 8, dice.whole(38, 46) / 100


def _accent(dice: Dice) -> Scene:
    row, step = _even(dice)
    clips = []
    for place in (2, 5):
        clip = [msgspec.structs.replace(note, velocity=USUAL) for note in _row(row, step)]
        clip[place] = msgspec.structs.replace(clip[place], velocity=STRONG)
        clips.append((tuple(clip),))
    return clips[0], clips[1]


def _onset(dice: Dice) -> Scene:
    row, step = _even(dice)
    clips = []
    for place in (2, 5):
        clip = list(_row(row, step))
        late = clip[place]
        clip[place] = msgspec.structs.replace(
            late, start=late.start + LATE * step, duration=late.duration - LATE * step
        )
        clips.append((tuple(clip),))
    return clips[0], clips[1]


FACTS: dict[FactName, Fact] = {
    "third": Fact("Which quality has the chord?", ("Major", "Minor"), 1, _third),
    "note": Fact(
        "Do both recordings play the same melody, perhaps in another key?",
        ("Yes, it is the same melody.", "No, it is not the same melody."),
        2,
        _note,
    ),
    "bars": Fact(
        "The melody has a bar that rises and a bar that falls. Which comes first?",
        ("The bar that rises", "The bar that falls"),
        1,
        _bars,
    ),
    "instrument": Fact("Which instrument plays?", ("Trumpet", "Clarinet"), 1, _instrument),
    "tempo": Fact(
        "How does the second recording go, compared with the first?",
        ("It goes faster.", "It goes slower."),
        2,
        _tempo,
    ),
    "accent": Fact(
        "Eight notes are played. Which of them is the loudest?",
        ("The third note is the loudest.", "The sixth note is the loudest."),
        1,
        _accent,
    ),
    "onset": Fact(
        "Eight notes are played, all but one in time. Which one comes late?",
        ("The third note comes late.", "The sixth note comes late."),
        1,
        _onset,
    ),
}
