"""Chords, progressions, modulations, and excerpts with a meter."""

from __future__ import annotations

from collections.abc import Sequence

from zhiyin.benchmarks.muse.fresh.melodies import BASS, PIANO, program_of
from zhiyin.benchmarks.muse.settings import Knobs
from zhiyin.music.midi import DRUM_CHANNEL, Note, Score
from zhiyin.music.stimuli.dice import Dice, is_reserved
from zhiyin.music.stimuli.item import Plan
from zhiyin.music.stimuli.syncopation import CLOSED_HAT, KICK, SNARE

PROGRESSIONS = (
    ("I", "V", "vi", "IV"),
    ("I", "vi", "IV", "V"),
    ("vi", "IV", "I", "V"),
    ("I", "IV", "V", "I"),
    ("I", "vi", "ii", "V"),
    ("I", "IV", "ii", "V"),
)
"""Roman numerals in major: upper case for major chords, lower case for minor ones."""
_DEGREES = {"I": 0, "ii": 2, "iii": 4, "IV": 5, "V": 7, "vi": 9}
Chord = tuple[int, str]
"""Pitch class of the root, and "major" or "minor"."""
STYLES = ("blocks", "repeated", "broken", "bass and chords")
_NEAR = (5, 7)
_FAR = (1, 2, 3, 4, 5, 7, 8, 9, 10, 11)


def chords_of(numerals: Sequence[str], tonic: int) -> list[Chord]:
    """Roman numerals in a major key as chords."""
    return [((tonic + _DEGREES[n]) % 12, "major" if n.isupper() else "minor") for n in numerals]


def _voiced(chord: Chord, low: int, inversion: int) -> list[int]:
    """Root in the bass, and a close triad above; an inversion moves the bass."""
    root, quality = chord
    steps = [0, 4 if quality == "major" else 3, 7]
    bass = low + (root + steps[inversion] - low) % 12
    top = 12 + bass - bass % 12
    above = sorted(top + (root + step) % 12 for step in steps)
    return [bass, *above]


def played(
    chords: Sequence[Chord], style: str, program: int, beat: float, beats: int, dice: Dice,
    inverted: bool = False,
) -> tuple[Note, ...]:  # fmt: skip
    """Chords one after another, each for a number of beats (beat in seconds)."""
    notes: list[Note] = []
    for place, chord in enumerate(chords):
        start = place * beats * beat
        inversion = dice.whole(0, 2) if inverted else 0
        pitches = _voiced(chord, 40, inversion)
        for at, length, which in _pattern(style, beats):
            sound = [pitches[i] for i in which]
            notes += [
                Note(start + at * beat, length * beat * 0.96, p, dice.whole(74, 94), 0, program)
                for p in sound
            ]
    return tuple(sorted(notes))


def _pattern(style: str, beats: int) -> list[tuple[float, float, tuple[int, ...]]]:
    """When, how long, and which notes of a chord (0 the bass)."""
    whole = (0, 1, 2, 3)
    if style == "blocks":
        return [(0.0, float(beats), whole)]
    if style == "repeated":
        return [(float(b), 1.0, whole) for b in range(beats)]
    if style == "broken":
        row = (0, 1, 2, 3, 2, 1)
        return [(b / 2, 0.5 if b else float(beats), (row[b % 6],)) for b in range(2 * beats)]
    return [(0.0, float(beats), (0,)), *((float(b), 1.0, whole[1:]) for b in range(1, beats))]


def triads(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> Plan | None:
    """A major or minor triad: all its notes together, then one after another from the lowest."""
    instrument = dice.choice(("piano", "guitar"))
    score, truth = triad("major" if answer == "A" else "minor", instrument, dice)
    if is_reserved(tuple((n.pitch, n.program) for n in score.notes)) != reserved:
        return None
    return Plan((score,), (score.notes[-1].end + 0.8,), answer, truth)


def triad(quality: str, instrument: str, dice: Dice) -> tuple[Score, dict[str, object]]:
    """A triad in root position with doublings, together and then note by note."""
    root = dice.whole(40, 57)
    third = 4 if quality == "major" else 3
    above = [root + 7, root + 12, root + 12 + third, root + 19]
    extra = [root + third] if root >= 48 else []
    pitches = sorted([root, *extra, *above[: dice.whole(3, 4)]])
    program = program_of(instrument, dice)
    beat = 60 / dice.whole(100, 132)
    notes = [Note(0.0, 4 * beat, p, dice.whole(78, 92), 0, program) for p in pitches]
    for place, pitch in enumerate(pitches):
        length = beat * (1 if place < len(pitches) - 1 else 3)
        notes.append(Note((4 + place) * beat, length, pitch, dice.whole(80, 96), 0, program))
    truth: dict[str, object] = {"quality": quality, "pitches": pitches, "instrument": instrument}
    return Score(tuple(notes), 60 / beat), truth


def modulations(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> Plan | None:
    """A progression that leaves its key for good, or one that stays."""
    tonic, numerals = dice.whole(0, 11), dice.choice(PROGRESSIONS)
    away = dice.choice(_NEAR if knobs.near else _FAR) if answer == "A" else 0
    home = chords_of(numerals, tonic)
    body = home + home + chords_of(("V", "I", *numerals, "IV", "V", "I"), tonic + away)
    if is_reserved(tuple(body)) != reserved:
        return None
    style = dice.choice(STYLES[: knobs.styles])
    program = program_of(dice.choice(("piano", "guitar")), dice)
    beat = 60 / dice.whole(100, 150)
    beats = 4 if style == "broken" else dice.choice((2, 4))
    notes = played(body, style, program, beat, beats, dice, knobs.inverted)
    truth = {"tonic": tonic, "away": away, "numerals": list(numerals), "style": style}
    return Plan((Score(notes, 60 / beat),), (notes[-1].end + 0.8,), answer, truth)


def same_progression(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> Plan | None:
    """Two progressions in different styles, tempos and keys: the same functions, or not."""
    first, other = dice.sample(PROGRESSIONS, 2)
    tonics = (dice.whole(0, 11), dice.whole(0, 11))
    if is_reserved(first, other, tonics) != reserved:
        return None
    pair = (first, first if answer == "A" else other)
    scores = [_excerpt(n, t, knobs, dice) for n, t in zip(pair, tonics, strict=True)]
    seconds = tuple(score.notes[-1].end + 0.8 for score in scores)
    truth = {"numerals": [list(n) for n in pair], "tonics": list(tonics)}
    return Plan(tuple(scores), seconds, answer, truth)


def _excerpt(numerals: Sequence[str], tonic: int, knobs: Knobs, dice: Dice) -> Score:
    chords = chords_of(numerals, tonic) * 2
    style = dice.choice(STYLES[: knobs.styles])
    program = program_of(dice.choice(("piano", "guitar")), dice)
    beat = 60 / dice.whole(100, 160)
    return Score(played(chords, style, program, beat, 4, dice, knobs.inverted), 60 / beat)


def meters(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> Plan | None:
    """An excerpt whose beats go in threes, fours or fives: bass and harmony on the first beat."""
    group = {"A": 3, "B": 4, "C": 5}[answer]
    tonic, numerals = dice.whole(0, 11), dice.choice(PROGRESSIONS)
    tempo, drums = dice.whole(96, 150), dice.chance(0.6)
    if is_reserved(tonic, numerals, tempo, group) != reserved:
        return None
    bars = -(-36 // group)
    chords = [chords_of(numerals, tonic)[i % 4] for i in range(bars)]
    notes = _metric(chords, group, 60 / tempo, drums, dice)
    truth = {"group": group, "tempo": tempo, "drums": drums, "numerals": list(numerals)}
    score = Score(notes, float(tempo), (group, 4))
    return Plan((score,), (bars * group * 60 / tempo + 0.8,), answer, truth)


def _metric(
    chords: Sequence[Chord], group: int, beat: float, drums: bool, dice: Dice
) -> tuple[Note, ...]:
    """Each chord fills a bar: bass on its first beat, chords on others, perhaps a kit."""
    program = program_of(dice.choice(("piano", "guitar")), dice)
    backbeats = {3: {1, 2}, 4: {1, 3}, 5: {3, 4} if dice.chance(0.5) else {2, 4}}[group]
    strums = [b for b in range(1, group) if dice.chance(0.75)] or [group - 1]
    notes: list[Note] = []
    for bar, chord in enumerate(chords):
        start = bar * group * beat
        bass, *above = _voiced(chord, 36, 0)
        notes.append(
            Note(start, group * beat * 0.9, bass, dice.whole(88, 100), 1, BASS if drums else PIANO)
        )
        notes += [Note(start, beat * 0.9, p, dice.whole(76, 88), 0, program) for p in above]
        for b in strums:
            notes += [
                Note(start + b * beat, beat * 0.9, p, dice.whole(60, 74), 0, program) for p in above
            ]
        if drums:
            notes.append(_hit(start, KICK, dice.whole(96, 108)))
            notes += [_hit(start + b * beat, SNARE, dice.whole(84, 98)) for b in sorted(backbeats)]
            notes += [
                _hit(start + b * beat / 2, CLOSED_HAT, dice.whole(62, 72)) for b in range(2 * group)
            ]
    return tuple(sorted(notes))


def _hit(start: float, drum: int, velocity: int) -> Note:
    return Note(start, 0.1, drum, velocity, DRUM_CHANNEL, 0)
