"""Jianpu (numbers) and gongche (characters), read and written.

Jianpu stands in plain text: ``5,`` has the dot below (an octave lower), ``1'`` the dot above.
Gongche: 上 is do (1), 尺 re, 工 mi, 凡 fa, 六 sol, 五 la, 乙 ti; 合 四 一 are sol, la and ti an
octave lower, 仩 伬 仜 do, re and mi an octave higher. The seven keys of the bamboo flute are named
after the character that falls on the note of xiaogong; xiaogong itself is D.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from zhiyin.benchmarks.exercises.continuation.balance import shared, words_around
from zhiyin.benchmarks.exercises.exercise import Exercise, Facts, Level, line, square
from zhiyin.benchmarks.exercises.notes import Note, full_names, note, plain
from zhiyin.benchmarks.exercises.words import listed, octaves_below
from zhiyin.music.stimuli.dice import Dice
from zhiyin.music.theory import spell
from zhiyin.prompts import LANGUAGES

DEGREES = ("P1", "M2", "M3", "P4", "P5", "M6", "M7")
GAMUT = ("5,", "6,", "7,", "1", "2", "3", "4", "5", "6", "7", "1'", "2'", "3'")
CHARACTERS = ("合", "四", "一", "上", "尺", "工", "凡", "六", "五", "乙", "仩", "伬", "仜")
"""Of the same place in `GAMUT`."""
KEYS = {
    "xiaogong": "D", "fanzi": "Eb", "liuzi": "F", "zhenggong": "G", "yizi": "A",
    "shangzi": "Bb", "chezi": "C",
}  # fmt: skip
"""Where 1 lies in each key of the flute."""
_TONICS = {"easy": (0, 2), "default": (-2, 3), "hard": (-4, 5)}
_LENGTH = {"easy": 3, "default": 4, "hard": 6}
_DASHES = {"easy": (0, 1), "default": (0, 1), "hard": (0, 2)}


def _line(level: Level, dice: Dice, low: int, high: int) -> list[int]:
    """Places in `GAMUT`, moving by small steps between two bounds."""
    places: list[int] = []
    now = dice.whole(low, high)
    while len(places) < _LENGTH[level]:
        places.append(now)
        moves = [now + step for step in (-2, -1, 1, 2) if low <= now + step <= high]
        now = dice.choice(moves)
    return places


def sounding(tonic: Note, places: list[int]) -> list[Note] | None:
    """The pitches of places in `GAMUT`, where 1 is `tonic`."""
    notes: list[Note | None] = []
    for place in places:
        octave, degree = divmod(place - 3, 7)
        moved = tonic.moved(DEGREES[degree])
        notes.append(moved and Note(moved.step + 7 * octave, moved.alter))
    return plain(notes)


def jianpu(places: list[int]) -> str:
    """Places in `GAMUT` as numbers."""
    return " ".join(GAMUT[place] for place in places)


def gongche(places: list[int]) -> str:
    """Places in `GAMUT` as characters."""
    return " ".join(CHARACTERS[place] for place in places)


def _two_keys(level: Level, dice: Dice) -> tuple[list[str], list[int]]:
    keys = dice.sample([spell(place) for place in range(*_TONICS[level])], 2)
    return keys, _line(level, dice, 0, 5)


def _octave(places: list[int], up: bool) -> list[int]:
    return [place + 7 * up for place in places]


def jianpu_read(level: Level, dice: Dice) -> Exercise | None:
    """The pitches of a line of numbers."""
    keys, places = _two_keys(level, dice)
    ways = [(key, up) for up in (False, True) for key in keys]
    readings = [sounding(note(key, 4), _octave(places, up)) for key, up in ways]
    if any(each is None for each in readings):
        return None
    questions = [{"tonic": f"{key}4", "line": jianpu(_octave(places, up))} for key, up in ways]
    answers = [full_names(each or []) for each in readings]
    if not _even(questions, answers):
        return None
    return square(dice, answers, ("key", "octave"), questions.__getitem__)


def _even(questions: list[Facts], answers: list[str]) -> bool:
    """Whether guessing by what questions share with answers is right one time in four.

    The named note is in one reading and not in the other, and so are flats: neither may give the
    answer away.
    """
    shown = [octaves_below(listed(answer)) for answer in answers]
    for language in LANGUAGES:
        prompt = words_around("jianpu-read", language)
        places = [{**facts, "tonic": octaves_below(facts["tonic"])} for facts in questions]
        alike = shared([prompt.format_map(each) for each in places], shown)
        tied = alike == alike.max(1, keepdims=True)
        if abs(float((np.diagonal(tied) / tied.sum(1)).sum()) - 1) > 1e-9:
            return False
    return True


def jianpu_write(level: Level, dice: Dice) -> Exercise | None:
    """The numbers of a line of pitches."""
    start = _line(level, dice, 0, 4)
    ways = _octaves_and_steps(start)
    keys = [spell(place) for place in range(*_TONICS[level])]
    key = dice.choice(keys)

    def facts(right: int) -> Facts | None:
        notes = sounding(note(key, 4), ways[right])
        return {"tonic": f"{key}4", "notes": full_names(notes)} if notes else None

    return square(dice, [jianpu(way) for way in ways], ("degree", "octave"), facts)


def jianpu_length(level: Level, dice: Dice) -> Exercise | None:
    """How many beats a line of numbers lasts: dashes prolong, underlines halve."""
    count = {"easy": 2, "default": 3, "hard": 5}[level]
    low, high = _DASHES[level]
    digits = [dice.whole(1, 7) for _ in range(count)]
    marks = [(dice.whole(low, high), dice.whole(0, 1 if level != "hard" else 2)) for _ in digits]

    def written(longer: int, shorter: int) -> tuple[str, Fraction]:
        first = "5" + " -" * (1 + longer)
        last = "6" + "_" * (1 + shorter)
        total = Fraction(2 + longer) + Fraction(1, 2 << shorter)
        text = []
        for digit, (dashes, lines) in zip(digits, marks, strict=True):
            text.append(f"{digit}" + (" -" * dashes if dashes else "_" * lines))
            total += 1 + dashes if dashes else Fraction(1, 1 << lines)
        return " ".join([first, *text, last]), total

    ways = [written(longer, shorter) for shorter in (0, 1) for longer in (0, 1)]
    return square(
        dice, [f"{float(total):g}" for _, total in ways], ("dash", "underline"),
        lambda right: {"line": ways[right][0]},
    )  # fmt: skip


def gongche_read(level: Level, dice: Dice) -> Exercise | None:
    """The numbers of a line of characters."""
    ways = _gongche_ways(level, dice)
    return square(
        dice, [jianpu(way) for way in ways], ("degree", "octave"),
        lambda right: {"line": gongche(ways[right])},
    )  # fmt: skip


def gongche_write(level: Level, dice: Dice) -> Exercise | None:
    """The characters of a line of numbers."""
    ways = _gongche_ways(level, dice)
    return square(
        dice, [gongche(way) for way in ways], ("degree", "octave"),
        lambda right: {"line": jianpu(ways[right])},
    )  # fmt: skip


def _gongche_ways(level: Level, dice: Dice) -> list[list[int]]:
    start = _line(level, dice, 0, 4)
    return _octaves_and_steps(start)


def _octaves_and_steps(start: list[int]) -> list[list[int]]:
    """A line, a step higher, an octave higher, both."""
    return [[p + more for p in _octave(start, up)] for up in (False, True) for more in (0, 1)]


def gongche_key(level: Level, dice: Dice) -> Exercise | None:
    """Where 1 lies in a key of the flute; where it is hard, another degree."""
    kinds = dice.sample(list(KEYS), 4)
    degree = {"easy": 1, "default": 1, "hard": dice.choice((2, 3, 5, 6))}[level]
    tonics = [note(KEYS[kind], 4).moved(DEGREES[degree - 1]) for kind in kinds]
    notes = plain(tonics)
    if notes is None:
        return None
    return line(
        dice, [each.name for each in notes], "key",
        lambda right: {"diao": kinds[right], "degree": str(degree)},
    )  # fmt: skip
