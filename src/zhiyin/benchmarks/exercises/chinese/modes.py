"""Pentatonic modes and the tones added to them.

Gong, shang, jue, zhi and yu are the first, second, third, fifth and sixth degree of a major scale
on gong. Any of them may be the tonic; the mode bears its name. Added are qingjue (a fourth above
gong), bianzhi (a raised fourth), biangong (a seventh) and run (a lowered seventh).
"""

from __future__ import annotations

from zhiyin.benchmarks.exercises.exercise import Exercise, Facts, Level, line, square
from zhiyin.benchmarks.exercises.notes import Note, draw_note, names, plain
from zhiyin.music.stimuli.dice import Dice

TONES = {"gong": "P1", "shang": "M2", "jue": "M3", "zhi": "P5", "yu": "M6"}
"""Intervals above gong."""
ALTERED = {"qingjue": "P4", "run": "m7", "bianzhi": "A4", "biangong": "M7"}
"""Likewise; ordered as a square: fourth or seventh, lower or higher."""
PLAIN = ("five", "six qingjue", "six biangong", "qingyue")
SCALES = {
    "five": (),
    "six qingjue": ("qingjue",),
    "six biangong": ("biangong",),
    "qingyue": ("qingjue", "biangong"),
    "yayue": ("bianzhi", "biangong"),
    "yanyue": ("qingjue", "run"),
}
"""The tones that a scale has besides the five."""
_HARD = ("qingyue", "yayue", "yanyue", "six biangong")


def tone_of_gong(level: Level, dice: Dice) -> Exercise | None:
    """The tonic of a mode, by its gong; where it is hard, gong by another tone."""
    base = draw_note(dice, level, 4, 4)
    tones = dice.shuffled(list(TONES)[1:])
    up = level != "hard" or dice.chance(0.5)
    notes = plain([base.moved(TONES[tone], up) for tone in tones])
    if notes is None:
        return None

    def facts(right: int) -> Facts:
        given, wanted = ("gong", tones[right]) if up else (tones[right], "gong")
        return {"note": base.name, "given": given, "wanted": wanted}

    return line(dice, [each.name for each in notes], "degree", facts)


def scale_of(gong: Note, kind: str) -> list[Note] | None:
    """The notes of a scale upwards from gong, where none needs two accidentals."""
    more = [ALTERED[tone] for tone in SCALES[kind]]
    notes = plain([gong.moved(each) for each in (*TONES.values(), *more)])
    return sorted(notes, key=lambda each: each.midi) if notes else None


def pentatonic(level: Level, dice: Dice) -> Exercise | None:
    """The mode of five notes, by its tonic."""
    tonic = draw_note(dice, level, 4, 4)
    tones = dice.sample(list(TONES), 4)

    def facts(right: int) -> Facts | None:
        gong = tonic.moved(TONES[tones[right]], up=False)
        notes = scale_of(gong, "five") if gong else None
        if notes is None:
            return None
        while notes[0].name != tonic.name:
            notes = notes[1:] + notes[:1]
        shown = notes if level == "easy" else dice.shuffled(notes)
        return {"tonic": tonic.name, "notes": names(shown)}

    return line(dice, tones, "degree", facts)


def altered(level: Level, dice: Dice) -> Exercise | None:
    """The pitch of an added tone."""
    gong = draw_note(dice, level, 4, 4)
    tones = list(ALTERED)
    notes = plain([gong.moved(ALTERED[tone]) for tone in tones])
    if notes is None:
        return None

    def facts(right: int) -> Facts | None:
        if level != "hard":
            return {"note": gong.name, "given": "gong", "wanted": tones[right]}
        zhi = gong.moved("P5")
        return {"note": zhi.name, "given": "zhi", "wanted": tones[right]} if zhi else None

    return square(dice, [each.name for each in notes], ("degree", "semitone"), facts)


def added(level: Level, dice: Dice) -> Exercise | None:
    """The kind of scale on gong, by its notes."""
    gong = draw_note(dice, level, 4, 4)
    kinds = PLAIN if level != "hard" else _HARD

    def facts(right: int) -> Facts | None:
        notes = scale_of(gong, kinds[right])
        return {"gong": gong.name, "notes": names(notes)} if notes else None

    if level == "hard":
        return line(dice, kinds, "added tone", facts)
    return square(dice, kinds, ("qingjue", "biangong"), facts)
