"""Drum patterns: pairs that are the same or not, pairs of which one is more syncopated, loops."""

from __future__ import annotations

from zhiyin.benchmarks.muse.settings import Knobs
from zhiyin.music.midi import DRUM_CHANNEL, Note, Score
from zhiyin.music.stimuli.dice import Dice, is_reserved
from zhiyin.music.stimuli.item import Plan
from zhiyin.music.stimuli.syncopation import CLOSED_HAT, KICK, SNARE, Groove, draw_groove

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
    """How many strokes of kick, snare and tom only one of two patterns has."""
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


def _another(pattern: Pattern, steps: int, knobs: Knobs, dice: Dice) -> Pattern:
    """Another pattern: a new one, or the same with strokes moved."""
    return _moved(pattern, steps, knobs.moved, dice) if knobs.moved else draw_pattern(steps, dice)


def alike(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> Plan | None:
    """A pair of drum patterns at one tempo and with one kit: played twice, or two patterns."""
    metre = dice.choice(("4/4", "4/4", "3/4"))
    steps = _STEPS[metre]
    first = draw_pattern(steps, dice)
    if is_reserved(*sorted((d, *sorted(s)) for d, s in first.items())) != reserved:
        return None
    second = first
    if answer == "B":
        second = _another(first, steps, knobs, dice)
        if distance(first, second) < (2 if knobs.moved else 4):
            return None
    kit, tempo = dice.choice(KITS), float(dice.whole(90, 150))
    scores = tuple(_played(p, steps, kit, tempo, dice) for p in (first, second))
    seconds = _BARS * steps * 15 / tempo + 0.6
    truth = {"metre": metre, "tempo": tempo, "kit": kit, "distance": distance(first, second)}
    return Plan(scores, (seconds, seconds), answer, truth)


def _played(pattern: Pattern, steps: int, kit: int, tempo: float, dice: Dice) -> Score:
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
    score = _played(draw_pattern(steps, dice), steps, dice.choice(KITS), tempo, dice)
    return score, _BARS * steps * 15 / tempo + 0.6


def more_syncopated(answer: str, knobs: Knobs, dice: Dice, reserved: bool) -> Plan | None:
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
    return Plan(scores, (seconds, seconds), answer, truth)


def _groove(groove: Groove, kit: int, tempo: float, dice: Dice) -> Score:
    step = 30 / tempo
    notes = [_stroke(slot * step, CLOSED_HAT, dice.whole(70, 78), kit) for slot in range(32)]
    for drum, slots in ((KICK, groove.kick), (SNARE, groove.snare)):
        notes += [_stroke((s - 1) * step, drum, dice.whole(98, 112), kit) for s in slots]
    return Score(tuple(sorted(notes)), tempo)
