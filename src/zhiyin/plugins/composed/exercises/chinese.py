"""Chinese traditional music: modes, jianpu and gongche, ban and yan.

Gong, shang, jue, zhi and yu are the first, second, third, fifth and sixth degree of a major scale
on gong. Any of them may be the tonic; the mode bears its name. Added are qingjue (a fourth above
gong), bianzhi (a raised fourth), biangong (a seventh) and run (a lowered seventh).

Jianpu stands in plain text: ``5,`` has the dot below (an octave lower), ``1'`` the dot above.
Gongche: 上 is do (1), 尺 re, 工 mi, 凡 fa, 六 sol, 五 la, 乙 ti; 合 四 一 are sol, la and ti an
octave lower, 仩 伬 仜 do, re and mi an octave higher. The seven keys of the bamboo flute are named
after the character that falls on the note of xiaogong; xiaogong itself is D.

Ban is the strong beat, which is struck with the clapper; yan are the weak ones after it.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from zhiyin.plugins.composed.exercises.exercise import Exercise, Facts, Level, Maker, line, square
from zhiyin.plugins.composed.exercises.matching import shared, words_around
from zhiyin.plugins.composed.exercises.pitches import (
    SpelledNote,
    draw_note,
    full_names,
    listed,
    names,
    note,
    octaves_below,
    plain,
)
from zhiyin.plugins.music.stimuli import Dice
from zhiyin.plugins.music.theory import spell
from zhiyin.prompts import LANGUAGES

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
    base = draw_note(dice, level)
    tones = dice.shuffled(list(TONES)[1:])
    up = level != "hard" or dice.chance(0.5)
    notes = plain([base.moved(TONES[tone], up) for tone in tones])
    if notes is None:
        return None

    def facts(right: int) -> Facts:
        given, wanted = ("gong", tones[right]) if up else (tones[right], "gong")
        return {"note": base.name, "given": given, "wanted": wanted}

    return line(dice, [each.name for each in notes], "degree", facts)


def scale_of(gong: SpelledNote, kind: str) -> list[SpelledNote] | None:
    """The notes of a scale upwards from gong, where none needs two accidentals."""
    more = [ALTERED[tone] for tone in SCALES[kind]]
    notes = plain([gong.moved(each) for each in (*TONES.values(), *more)])
    return sorted(notes, key=lambda each: each.midi) if notes else None


def pentatonic(level: Level, dice: Dice) -> Exercise | None:
    """The mode of five notes, by its tonic."""
    tonic = draw_note(dice, level)
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
    gong = draw_note(dice, level)
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
    gong = draw_note(dice, level)
    kinds = PLAIN if level != "hard" else _HARD

    def facts(right: int) -> Facts | None:
        notes = scale_of(gong, kinds[right])
        return {"gong": gong.name, "notes": names(notes)} if notes else None

    if level == "hard":
        return line(dice, kinds, "added tone", facts)
    return square(dice, kinds, ("qingjue", "biangong"), facts)


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


def sounding(tonic: SpelledNote, places: list[int]) -> list[SpelledNote] | None:
    """The pitches of places in `GAMUT`, where 1 is `tonic`."""
    notes: list[SpelledNote | None] = []
    for place in places:
        octave, degree = divmod(place - 3, 7)
        moved = tonic.moved(DEGREES[degree])
        notes.append(moved and SpelledNote(moved.step + 7 * octave, moved.alter))
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
    """Tell whether guessing by what questions share with answers is right one time in four.

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
    """Ask how many beats a line of numbers lasts: dashes prolong, underlines halve."""
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
    return _octaves_and_steps(_line(level, dice, 0, 4))


def _octaves_and_steps(start: list[int]) -> list[list[int]]:
    """A line, a step higher, an octave higher, both."""
    return [[p + more for p in _octave(start, up)] for up in (False, True) for more in (0, 1)]


def gongche_key(level: Level, dice: Dice) -> Exercise | None:
    """Ask where 1 lies in a key of the flute; at the hard level, another degree."""
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


METRES = {"ban": (1, 0), "yiyan": (1, 1), "sanyan": (1, 3), "zengban": (2, 6)}
"""Ban and yan of a bar: ban without yan (1/4), one ban one yan (2/4), one ban three yan (4/4), and
that with a ban added (8/4)."""
BEATS = ("ban", "touyan", "zhongyan", "moyan")
"""The four beats of one ban three yan."""
_BARS = {"easy": (2, 9), "default": (5, 30), "hard": (20, 90)}


def banyan_metre(level: Level, dice: Dice) -> Exercise | None:
    """Ask how many beats some bars of a banyan have."""
    kinds = list(METRES)
    bars = dice.whole(*_BARS[level])

    def answer(kind: str) -> str:
        return str(sum(METRES[kind]) * bars)

    def mistake(right: int, other: int) -> str:
        return "one slower or faster" if abs(right - other) == 1 else "several slower or faster"

    return line(
        dice, [answer(kind) for kind in kinds], mistake,
        lambda right: {"banyan": kinds[right], "bars": str(bars)},
    )  # fmt: skip


def banyan_beat(level: Level, dice: Dice) -> Exercise | None:
    """The beat at which a place of one ban three yan falls, counted from a ban."""
    number = dice.whole(*{"easy": (0, 2), "default": (2, 12), "hard": (10, 60)}[level])
    return line(dice, BEATS, "beat", lambda right: {"number": str(4 * number + right + 1)})


def banyan_count(level: Level, dice: Dice) -> Exercise | None:
    """Ask how many ban, or yan, some bars have."""
    bars = dice.whole(*_BARS[level])
    # As it is; another banyan; ban for yan; both.
    ways = [("sanyan", "yan"), ("zengban", "yan"), ("sanyan", "ban"), ("zengban", "ban")]

    def answer(kind: str, what: str) -> str:
        return str(bars * METRES[kind][what == "yan"])

    return square(
        dice, [answer(*way) for way in ways], ("banyan", "ban and yan"),
        lambda right: {"banyan": ways[right][0], "what": ways[right][1], "bars": str(bars)},
    )  # fmt: skip


MAKERS: dict[str, Maker] = {
    "gong": tone_of_gong,
    "pentatonic": pentatonic,
    "altered": altered,
    "added": added,
    "jianpu-read": jianpu_read,
    "jianpu-write": jianpu_write,
    "jianpu-length": jianpu_length,
    "gongche-read": gongche_read,
    "gongche-write": gongche_write,
    "gongche-key": gongche_key,
    "banyan-metre": banyan_metre,
    "banyan-beat": banyan_beat,
    "banyan-count": banyan_count,
}
"""What makes exercises of each kind."""
