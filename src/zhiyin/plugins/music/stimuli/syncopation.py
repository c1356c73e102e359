"""Syncopation items: four bars of drums with an exact number of off-beat hits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from zhiyin.errors import InputError
from zhiyin.plugins.music.midi import DRUM_CHANNEL, Note, Score
from zhiyin.plugins.music.solvers import LEVELS
from zhiyin.plugins.music.stimuli import (
    Dice,
    Difficulty,
    StimulusPlan,
    balanced,
    crossed,
    is_reserved,
)

TEMPO = 120
SLOTS = 32
"""Eighth notes in four bars; odd slots are on-beats, even ones off-beats."""
CELL = 16
"""Slots of the two-bar cell that a pattern is made of."""

KICK, SNARE, CLOSED_HAT, PEDAL_HAT = 36, 38, 42, 44
KITS = {
    0: "standard",
    8: "room",
    16: "power",
    24: "electronic",
    25: "tr-808",
    32: "jazz",
    40: "brush",
}
HATS = {
    "closed, even": (CLOSED_HAT, 74, 74),
    "closed, on-beats accented": (CLOSED_HAT, 88, 66),
    "closed, off-beats accented": (CLOSED_HAT, 64, 84),
    "pedal, even": (PEDAL_HAT, 88, 88),
    "pedal, on-beats accented": (PEDAL_HAT, 100, 80),
}
"""Hi-hat variants: drum, velocity on the beat, velocity off the beat."""
_HITS_PER_CELL = (6, 7, 8)
"""Drawn without regard to the level, so that busy does not mean syncopated."""
_ATTEMPTS = 2000


class Groove(msgspec.Struct, frozen=True):
    """Slots of kick and snare, counted from 1, ascending."""

    kick: tuple[int, ...]
    snare: tuple[int, ...]

    @property
    def offbeats(self) -> int:
        """Number of hits on even slots."""
        return sum(slot % 2 == 0 for slot in (*self.kick, *self.snare))


def designs(
    kits: Sequence[int], seed: int, difficulty: Difficulty, reserved: bool
) -> Iterator[StimulusPlan]:
    """Syncopation items without end: levels and kits balanced and crossed, hi-hats balanced.

    Raises
    ------
    InputError
        The renderer has none of the kits, or no new pattern could be found.
    """
    words = (seed, "syncopation", "examples" if reserved else "items")
    known = [program for program in KITS if program in kits]
    if not known:
        raise InputError("syncopation: the sound font has no drum kits: choose another renderer")
    hats = balanced(tuple(HATS), *words, "hats")
    seen: set[Groove] = set()
    pairs = crossed(tuple(LEVELS.items()), known, *words, "pairs")
    for index, ((letter, level), kit) in enumerate(pairs):
        groove = _new_groove(level, seen, reserved, (*words, "item", index))
        seen.add(groove)
        dice = Dice(*words, "playing", index)
        yield _plan(groove, letter, kit, next(hats), difficulty, dice)


def _new_groove(
    level: int, seen: set[Groove], reserved: bool, words: tuple[str | int, ...]
) -> Groove:
    for attempt in range(_ATTEMPTS):
        groove = draw_groove(level, Dice(*words, attempt))
        if groove not in seen and is_reserved(groove.kick, groove.snare) == reserved:
            return groove
    raise InputError(f"syncopation: only {len(seen)} items could be found: ask for fewer")


def draw_groove(level: int, dice: Dice) -> Groove:
    """Four bars with exactly `level` (even, 0 to 8) off-beat hits.

    Two thirds of the patterns say a two-bar cell twice; in the others the second cell is
    another one with its own share of the off-beats, so that hearing half is not enough.
    """
    half = level // 2
    if dice.chance(2 / 3):
        cells = [draw_cell(half, dice)] * 2
    else:
        lean = dice.whole(-min(1, half), min(1, half))
        cells = [draw_cell(half + lean, dice), draw_cell(half - lean, dice)]
    kick = [slot + CELL * turn for turn, cell in enumerate(cells) for slot in cell.kick]
    snare = [slot + CELL * turn for turn, cell in enumerate(cells) for slot in cell.snare]
    return Groove(tuple(kick), tuple(snare))


def draw_cell(offbeats: int, dice: Dice) -> Groove:
    """Two bars with exactly `offbeats` (0 to 5) off-beat hits among six to eight hits.

    A kick stands on the first beat. An off-beat hit tends to anticipate: the on-beat after it
    is then more likely to be left out, which is what makes it felt as a syncopation. Kicks
    prefer beats one and three, snares two and four, and each occurs at least twice.
    """
    hits = dice.choice(_HITS_PER_CELL)
    off = set(dice.sample(range(2, CELL + 1, 2), offbeats))
    others = list(range(3, CELL, 2))
    on = {1}
    while len(on) < hits - offbeats:
        weights = [0.35 if slot - 1 in off else 1.0 for slot in others]
        slot = dice.weighted(others, weights)
        others.remove(slot)
        on.add(slot)
    while True:
        kick, snare = [1], list[int]()
        for slot in sorted((on | off) - {1}):
            beat = slot % 4
            share = 0.88 if beat == 1 else 0.14 if beat == 3 else 0.58
            (kick if dice.chance(share) else snare).append(slot)
        if len(kick) > 1 and len(snare) > 1:
            return Groove(tuple(kick), tuple(snare))


def _plan(
    groove: Groove, letter: str, kit: int, hat: str, difficulty: Difficulty, dice: Dice
) -> StimulusPlan:
    slow, fast = difficulty.tempo or (TEMPO, TEMPO)
    tempo = float(dice.whole(slow, fast))
    step = 30 / tempo
    drum, on_beat, off_beat = HATS[hat]
    snare = 116 if KITS[kit] == "brush" else 104  # a brush is soft
    notes = []
    for slot in range(1, SLOTS + 1):
        start = (slot - 1) * step
        accent = on_beat if slot % 2 else off_beat
        notes.append(_hit(start, drum, accent + dice.whole(-3, 3), kit))
        # The first beat of a bar is a little stronger, whatever the level.
        weight = 6 if slot % 8 == 1 else 0
        if slot in groove.kick:
            notes.append(_hit(start, KICK, 104 + weight + dice.whole(-5, 5), kit))
        if slot in groove.snare:
            notes.append(_hit(start, SNARE, snare + weight + dice.whole(-5, 5), kit))
    truth = {
        "kick": groove.kick,
        "snare": groove.snare,
        "offbeats": groove.offbeats,
        "level": LEVELS[letter],
        "tempo": tempo,
        "kit": KITS[kit],
        "hat": hat,
    }
    return StimulusPlan((Score(tuple(notes), tempo),), (SLOTS * step,), letter, truth)


def _hit(start: float, drum: int, velocity: int, kit: int) -> Note:
    return Note(start, 0.1, drum, min(127, velocity), DRUM_CHANNEL, kit)
