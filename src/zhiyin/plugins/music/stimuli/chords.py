"""Chord items: a chord as a block, then its notes one by one from the lowest up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise

from zhiyin.errors import InputError
from zhiyin.plugins.music.midi import Note, Score
from zhiyin.plugins.music.stimuli.dice import Dice, balanced, crossed, is_reserved
from zhiyin.plugins.music.stimuli.item import INSTRUMENTS, QUALITY_LETTERS, Difficulty, StimulusPlan
from zhiyin.plugins.music.theory import QUALITIES, ROOTS, pitch_class, spell_chord

TEMPO = 120
BLOCK_BEATS = 4
TOTAL_BEATS = 18
"""Nine seconds at 120 quarter notes a minute."""
LAST_BEAT = 16
"""When the arpeggio's last note is released."""

_LOWEST = (40, 63)
"""Range of the lowest pitch, E2 to Eb4: every root in two octaves."""
_SPAN = 26
_SIZES = range(4, 8)
"""How many notes a chord has, octave doublings included."""


def designs(
    kits: Sequence[int], seed: int, difficulty: Difficulty, reserved: bool
) -> Iterator[StimulusPlan]:
    """Chord items without end, each root and quality once in every round.

    Raises
    ------
    InputError
        All voicings of a root and quality have been used.
    """
    stream = "examples" if reserved else "items"
    words = (seed, "chords", stream)
    instruments = balanced(difficulty.instruments or ("piano",), *words, "instruments")
    used: dict[tuple[str, str], int] = {}
    pairs = crossed(ROOTS, difficulty.qualities, *words, "pairs")
    for index, (root, quality) in enumerate(pairs):
        voicings = _voicings(pitch_class(root), quality, difficulty.inversions, reserved)
        shuffled = Dice(*words, root, quality).shuffled(voicings)
        place = used.get((root, quality), 0)
        used[root, quality] = place + 1
        if place >= len(shuffled):
            raise InputError(
                f"chords: only {index} items exist with these settings: "
                "ask for fewer, or allow more qualities or inversions"
            )
        dice = Dice(*words, "item", index)
        yield _plan(root, quality, shuffled[place], next(instruments), difficulty, dice)


@cache
def _voicings(
    root: int, quality: str, inversions: bool, reserved: bool
) -> tuple[tuple[int, ...], ...]:
    """All voicings of a chord, pitches low to high, that may be scored (or are reserved).

    Four to seven notes within about two octaves, every chord tone present and at least one
    doubled, no gap wider than an octave, and no close intervals in the bass (below C3 at least
    a fourth), which would blur. An augmented chord is its own inversion, on another root: it
    has none here.
    """
    inverted = inversions and quality != "augmented"
    tones = {(root + step) % 12 for step in QUALITIES[quality]}
    voicings = []
    for lowest in range(_LOWEST[0], _LOWEST[1] + 1):
        if lowest % 12 not in tones or (not inverted and lowest % 12 != root):
            continue
        above = [p for p in range(lowest + 1, lowest + _SPAN + 1) if p % 12 in tones]
        for size in _SIZES:
            for rest in combinations(above, size - 1):
                pitches = (lowest, *rest)
                complete = {p % 12 for p in pitches} == tones and size > len(tones)
                if complete and _is_clear(pitches) and is_reserved(pitches) == reserved:
                    voicings.append(pitches)
    return tuple(voicings)


def _is_clear(pitches: tuple[int, ...]) -> bool:
    """Tell whether neighbouring notes are not too far apart or too close for their register."""
    return all((5 if low < 48 else 1) <= high - low <= 12 for low, high in pairwise(pitches))


def _plan(
    root: str,
    quality: str,
    pitches: tuple[int, ...],
    instrument: str,
    difficulty: Difficulty,
    dice: Dice,
) -> StimulusPlan:
    slow, fast = difficulty.tempo or (TEMPO, TEMPO)
    tempo = float(dice.whole(slow, fast))
    beat = 60 / tempo
    program = INSTRUMENTS[instrument]
    block = dice.whole(76, 92)
    notes = [
        Note(0.0, BLOCK_BEATS * beat, pitch, block + dice.whole(-4, 4), 0, program)
        for pitch in pitches
    ]
    for step, pitch in enumerate(pitches):
        beats = LAST_BEAT - BLOCK_BEATS - step if step == len(pitches) - 1 else 1
        velocity = dice.whole(78, 96)
        start = (BLOCK_BEATS + step) * beat
        notes.append(Note(start, beats * beat, pitch, velocity, 0, program))
    names = spell_chord(root, quality)
    inversion = [(pitch_class(root) + step) % 12 for step in QUALITIES[quality]].index(
        pitches[0] % 12
    )
    truth = {
        "root": root,
        "quality": quality,
        "tones": names,
        "pitches": pitches,
        "inversion": inversion,
        "instrument": instrument,
        "tempo": tempo,
    }
    seconds = TOTAL_BEATS * beat
    return StimulusPlan((Score(tuple(notes), tempo),), (seconds,), QUALITY_LETTERS[quality], truth)
