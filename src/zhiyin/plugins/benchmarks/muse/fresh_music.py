"""Fresh music for the tasks of MUSE: melodies, chords and metres, drums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from zhiyin.plugins.benchmarks.muse.tasks import Knobs
from zhiyin.plugins.music.midi import DRUM_CHANNEL, Note, Score
from zhiyin.plugins.music.stimuli import Dice, Difficulty, StimulusPlan, is_reserved, transposition
from zhiyin.plugins.music.stimuli.syncopation import CLOSED_HAT, KICK, SNARE, Groove, draw_groove
from zhiyin.plugins.music.stimuli.transposition import METRES, draw_line, sounding
from zhiyin.plugins.music.theory import SCALES, Mode

PIANO, BASS = 0, 33
GUITARS = (24, 25, 27)
"""General MIDI programs: nylon, steel and clean electric strings."""
_LOWEST = {"piano": (45, 62), "guitar": (42, 57), "bass": (28, 38)}
"""Of scales and broken chords: from where to where their lowest note lies."""
SHAPES = {"A": "arch", "B": "inverted arch", "C": "ascending", "D": "descending"}


def program_of(instrument: str, dice: Dice) -> int:
    """A General MIDI program for piano, guitar or bass."""
    return {"piano": PIANO, "bass": BASS}.get(instrument) or (
        dice.choice(GUITARS) if instrument == "guitar" else PIANO
    )


def in_two_keys(seed: int, knobs: Knobs, reserved: bool) -> Iterator[StimulusPlan]:
    """Pairs that are one melody in two keys, or not."""
    for plan in transposition.designs((), seed, Difficulty(altered=knobs.altered), reserved):
        yield StimulusPlan(
            plan.scores, plan.seconds, "A" if plan.answer == "Yes" else "B", plan.truth
        )


def with_odd_notes(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> StimulusPlan | None:
    """A melody twice; the second time with notes out of the key, or played again as it was."""
    modes: tuple[Mode, ...] = ("major", "minor")
    metre, mode = dice.choice(METRES), dice.choice(modes)
    tempo = float(dice.whole(78, 150))
    line = draw_line(metre, tempo, dice)
    first = sounding(line.degrees, dice.whole(52, 63), mode)
    if is_reserved(first, line.beats) != reserved:
        return None
    second = list(first)
    inner = range(1, len(first) - 1)
    places = dice.sample(inner, min(knobs.odd_notes, len(inner))) if answer == "B" else []
    key = {pitch % 12 for pitch in first}
    for place in places:
        foreign = [first[place] + step for step in (-1, 1) if (first[place] + step) % 12 not in key]
        if not foreign:
            return None
        second[place] = dice.choice(foreign)
    program = dice.choice((PIANO, *GUITARS))
    rows = (first, tuple(second))
    scores = tuple(_played_line(row, line.beats, tempo, program, dice) for row in rows)
    seconds = sum(line.beats) * 60 / tempo + 1.0
    truth = {"pitches": rows, "odd": sorted(places), "program": program, "tempo": tempo}
    return StimulusPlan(scores, (seconds, seconds), answer, truth)


def _played_line(
    pitches: Sequence[int], beats: Sequence[float], tempo: float, program: int, dice: Dice
) -> Score:
    onsets = accumulate(beats[:-1], initial=0.0)
    beat = 60 / tempo
    notes = tuple(
        Note(on * beat, length * beat * 0.95, pitch, dice.whole(78, 98), 0, program)
        for pitch, on, length in zip(pitches, onsets, beats, strict=True)
    )
    return Score(notes, tempo)


def shapes(
    answer: tuple[str, str], knobs: Knobs, dice: Dice, reserved: bool
) -> StimulusPlan | None:
    """A scale or broken chord that goes up, down, or turns once: its shape, and its instrument."""
    shape, instrument = answer
    score, truth = run_of_notes(shape, instrument, dice)
    if is_reserved(tuple((note.pitch, note.program) for note in score.notes)) != reserved:
        return None
    return StimulusPlan((score,), (score.notes[-1].end + 0.8,), shape, truth)


def run_of_notes(shape: str, instrument: str, dice: Dice) -> tuple[Score, dict[str, object]]:
    """A scale or broken chord of a shape (a key of `SHAPES`), and what it is."""
    mode: Mode = dice.choice(("major", "minor"))
    kind = dice.choice(("scale", "arpeggio"))
    lowest = dice.whole(*_LOWEST[instrument])
    if kind == "scale":
        up = [lowest + step for step in (*SCALES[mode], 12)]
    else:
        third = 4 if mode == "major" else 3
        octaves = dice.choice((1, 2))
        up = [lowest + 12 * o + step for o in range(octaves) for step in (0, third, 7)]
        up.append(lowest + 12 * octaves)
    down = up[::-1]
    pitches = {"A": up + down[1:], "B": down + up[1:], "C": up, "D": down}[shape]
    beat = 60 / dice.whole(90, 180)
    program = program_of(instrument, dice)
    notes = tuple(
        Note(i * beat, beat * 0.95, pitch, dice.whole(80, 98), 0, program)
        for i, pitch in enumerate(pitches)
    )
    truth: dict[str, object] = {"shape": SHAPES[shape], "kind": kind}
    truth |= {"instrument": instrument, "pitches": pitches}
    return Score(notes, 60 / beat), truth


# Chords, progressions, modulations, and excerpts with a meter.

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
    """List when, how long, and which notes of a chord (0 the bass) are played."""
    whole = (0, 1, 2, 3)
    if style == "blocks":
        return [(0.0, float(beats), whole)]
    if style == "repeated":
        return [(float(b), 1.0, whole) for b in range(beats)]
    if style == "broken":
        row = (0, 1, 2, 3, 2, 1)
        return [(b / 2, 0.5 if b else float(beats), (row[b % 6],)) for b in range(2 * beats)]
    return [(0.0, float(beats), (0,)), *((float(b), 1.0, whole[1:]) for b in range(1, beats))]


def triads(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> StimulusPlan | None:
    """A major or minor triad: all its notes together, then one after another from the lowest."""
    instrument = dice.choice(("piano", "guitar"))
    score, truth = triad("major" if answer == "A" else "minor", instrument, dice)
    if is_reserved(tuple((n.pitch, n.program) for n in score.notes)) != reserved:
        return None
    return StimulusPlan((score,), (score.notes[-1].end + 0.8,), answer, truth)


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


def modulations(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> StimulusPlan | None:
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
    return StimulusPlan((Score(notes, 60 / beat),), (notes[-1].end + 0.8,), answer, truth)


def same_progression(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> StimulusPlan | None:
    """Two progressions in different styles, tempos and keys: the same functions, or not."""
    first, other = dice.sample(PROGRESSIONS, 2)
    tonics = (dice.whole(0, 11), dice.whole(0, 11))
    if is_reserved(first, other, tonics) != reserved:
        return None
    pair = (first, first if answer == "A" else other)
    scores = [_excerpt(n, t, knobs, dice) for n, t in zip(pair, tonics, strict=True)]
    seconds = tuple(score.notes[-1].end + 0.8 for score in scores)
    truth = {"numerals": [list(n) for n in pair], "tonics": list(tonics)}
    return StimulusPlan(tuple(scores), seconds, answer, truth)


def _excerpt(numerals: Sequence[str], tonic: int, knobs: Knobs, dice: Dice) -> Score:
    chords = chords_of(numerals, tonic) * 2
    style = dice.choice(STYLES[: knobs.styles])
    program = program_of(dice.choice(("piano", "guitar")), dice)
    beat = 60 / dice.whole(100, 160)
    return Score(played(chords, style, program, beat, 4, dice, knobs.inverted), 60 / beat)


def meters(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> StimulusPlan | None:
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
    return StimulusPlan((score,), (bars * group * 60 / tempo + 0.8,), answer, truth)


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


# Drum patterns: pairs that are the same or not, pairs of which one is more syncopated, loops.

KITS = (0, 8, 16, 24, 25)
TOM = 45
_STEPS = {"4/4": 16, "3/4": 12}
"""Sixteenth notes of a bar."""
_BARS = 4
Pattern = dict[int, frozenset[int]]
"""By drum: the sixteenths of a bar on which it is struck, from 0."""


def draw_pattern(steps: int, dice: Dice) -> Pattern:
    """One bar of a beat: kick on the first, snare on backbeats, a hi-hat, now and then a tom."""
    beats = list(range(0, steps, 4))
    offs = [s for s in range(1, steps) if s not in beats]
    kick = {0, *dice.sample(list(range(2, steps, 2)), dice.whole(1, 3))}
    snare = set(dice.sample(beats[1:], dice.whole(1, 2))) | set(dice.sample(offs, dice.whole(0, 1)))
    hat = set(range(0, steps, dice.choice((2, 2, 4))))
    tom = set(dice.sample(offs, 1)) if dice.chance(0.3) else set()
    strokes = {KICK: kick - snare, SNARE: snare, CLOSED_HAT: hat, TOM: tom}
    return {drum: frozenset(where) for drum, where in strokes.items() if where}


def distance(a: Pattern, b: Pattern) -> int:
    """Count the strokes of kick, snare and tom that only one of two patterns has."""
    drums = {KICK, SNARE, TOM}
    return sum(len(a.get(d, frozenset()) ^ b.get(d, frozenset())) for d in drums)


def _moved(pattern: Pattern, steps: int, count: int, dice: Dice) -> Pattern:
    """The pattern with some strokes of kick and snare in other places."""
    strokes = [(d, s) for d in (KICK, SNARE) for s in sorted(pattern.get(d, ())) if s]
    changed = {drum: set(where) for drum, where in pattern.items()}
    for drum, place in dice.sample(strokes, min(count, len(strokes))):
        free = [s for s in range(1, steps) if s not in changed[KICK] | changed.get(SNARE, set())]
        changed[drum].discard(place)
        changed[drum].add(dice.choice(free))
    return {drum: frozenset(where) for drum, where in changed.items()}


def alike(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> StimulusPlan | None:
    """A pair of drum patterns at one tempo and with one kit: played twice, or two patterns."""
    metre = dice.choice(("4/4", "4/4", "3/4"))
    steps = _STEPS[metre]
    first = draw_pattern(steps, dice)
    if is_reserved(*sorted((d, *sorted(s)) for d, s in first.items())) != reserved:
        return None
    second = first
    if answer == "B":
        moved = knobs.moved
        second = _moved(first, steps, moved, dice) if moved else draw_pattern(steps, dice)
        if distance(first, second) < (2 if knobs.moved else 4):
            return None
    kit, tempo = dice.choice(KITS), float(dice.whole(90, 150))
    scores = tuple(_played_pattern(p, steps, kit, tempo, dice) for p in (first, second))
    seconds = _BARS * steps * 15 / tempo + 0.6
    truth = {"metre": metre, "tempo": tempo, "kit": kit, "distance": distance(first, second)}
    return StimulusPlan(scores, (seconds, seconds), answer, truth)


def _played_pattern(pattern: Pattern, steps: int, kit: int, tempo: float, dice: Dice) -> Score:
    step = 15 / tempo
    notes = [
        _stroke((bar * steps + place) * step, drum, dice.whole(84, 108), kit)
        for bar in range(_BARS)
        for drum, places in sorted(pattern.items())
        for place in sorted(places)
    ]
    return Score(tuple(sorted(notes)), tempo)


def _stroke(start: float, drum: int, velocity: int, kit: int) -> Note:
    return Note(start, 0.1, drum, velocity, DRUM_CHANNEL, kit)


def loop(dice: Dice) -> tuple[Score, float]:
    """Four bars of a beat, and how long they last."""
    steps, tempo = dice.choice((16, 16, 12)), float(dice.whole(90, 150))
    score = _played_pattern(draw_pattern(steps, dice), steps, dice.choice(KITS), tempo, dice)
    return score, _BARS * steps * 15 / tempo + 0.6


def more_syncopated(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> StimulusPlan | None:
    """Two loops of kick, snare and hi-hat, one with more strokes off the beat."""
    less = dice.choice([level for level in (0, 2, 4, 6, 8) if level + knobs.apart <= 8])
    more = dice.choice([level for level in (2, 4, 6, 8) if level >= less + knobs.apart])
    grooves = (draw_groove(more, dice), draw_groove(less, dice))
    if is_reserved(grooves[0].kick, grooves[0].snare) != reserved:
        return None
    pair = grooves if answer == "A" else grooves[::-1]
    kit, tempo = dice.choice(KITS), float(dice.whole(100, 130))
    scores = tuple(_groove(g, kit, tempo, dice) for g in pair)
    seconds = 32 * 30 / tempo + 0.5
    truth = {"offbeats": [g.offbeats for g in pair], "tempo": tempo, "kit": kit}
    return StimulusPlan(scores, (seconds, seconds), answer, truth)


def _groove(groove: Groove, kit: int, tempo: float, dice: Dice) -> Score:
    step = 30 / tempo
    notes = [_stroke(slot * step, CLOSED_HAT, dice.whole(70, 78), kit) for slot in range(32)]
    for drum, slots in ((KICK, groove.kick), (SNARE, groove.snare)):
        notes += [_stroke((s - 1) * step, drum, dice.whole(98, 112), kit) for s in slots]
    return Score(tuple(sorted(notes)), tempo)
