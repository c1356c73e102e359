"""Questions of music theory that are solved, so that a key can be proved or refuted.

Each pattern matches a whole question, gaps written as "_"; what it asks is then true or false of
every option that can be read. A question that says more than its pattern is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from zhiyin.plugins.making import errata
from zhiyin.plugins.making.errata import INTERVAL, KEY, NOTE
from zhiyin.plugins.music.theory import SCALES, Key, pitch_class, spell
from zhiyin.text import one_width

Judge = Callable[[str], bool | None]
"""Whether an option is right; None where it cannot be read."""
Solver = Callable[..., "Solved | None"]


class Solved(NamedTuple):
    """The solution of a question: the answer in words, and how an option is judged by it."""

    answer: str
    judge: Judge


_DEGREES = {"主音": 0, "上主音": 1, "中音": 2, "下属音": 3, "属音": 4, "下中音": 5, "导音": 6,
            "tonic": 0, "supertonic": 1, "mediant": 2, "subdominant": 3, "dominant": 4,
            "submediant": 5, "leading tone": 6, "leading note": 6}  # fmt: skip
_DEGREE = "|".join(sorted(_DEGREES, key=len, reverse=True))
_ROMAN = {"Ⅰ": 0, "Ⅱ": 1, "Ⅲ": 2, "Ⅳ": 3, "Ⅴ": 4, "Ⅵ": 5, "Ⅶ": 6,
          "I": 0, "II": 1, "III": 2, "IV": 3, "V": 4, "VI": 5, "VII": 6,
          "一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "七": 6}  # fmt: skip
_SCALES = {"自然大调": SCALES["major"], "和声大调": (0, 2, 4, 5, 7, 8, 11),
           "自然小调": SCALES["minor"], "和声小调": SCALES["harmonic minor"]}  # fmt: skip
_OCTAVES = {"大字二组": -2, "大字一组": -1, "大字组": 0, "小字组": 1, "小字一组": 2,
            "小字二组": 3, "小字三组": 4, "小字四组": 5}  # fmt: skip
_OCTAVE = "|".join(sorted(_OCTAVES, key=len, reverse=True))
_MODES = {"宫": 0, "徵": 1, "商": 2, "羽": 3, "角": 4}
"""Fifths above gong; the key signature of a pentatonic mode is that of its gong's major key."""
_BETWEEN = " \t.,;:!?-–—()[]\"'_*"
_IS = r"(?:应?(?:是|为)|成为|叫做|叫)"
_PATTERNS: list[tuple[re.Pattern[str], Solver]] = []


def _solves(*patterns: str) -> Callable[[Solver], Solver]:
    def add(solver: Solver) -> Solver:
        _PATTERNS.extend((re.compile(each), solver) for each in patterns)
        return solver

    return add


def plain_stem(stem: str) -> str:
    """A question for patterns: in one width, gaps as "_", without blanks in Chinese and its end."""
    text = one_width(stem).replace("（", "(").replace("）", ")")
    text = re.sub(r"\(\s*\)|_[_\s]*", "_", text)
    text = re.sub(r"\s+", " ", text).strip()
    if re.search(r"[\u4e00-\u9fff]", text):
        text = text.replace(" ", "")
    text = text.strip(" .。?:：,，、")
    place = text.lower().find("choose the correct option", text.rfind("?") + 1)
    text = text[:place].rstrip(_BETWEEN) if place >= 0 else text
    text = text[:1].lower() + text[1:] if text[1:2].islower() else text
    text = re.sub(r"^in the audio, ", "", text)
    text = text.removesuffix("_").strip(" .。?:：,，、") + ("_" if text.endswith("_") else "")
    return text


def solve(stem: str) -> Solved | None:
    """Solve a question; None if it is not one that is solved here."""
    text = plain_stem(stem)
    if len(text) > 90:
        return None
    for pattern, solver in _PATTERNS:
        if match := pattern.fullmatch(text):
            return solver(**match.groupdict())
    return None


def judged(solved: Solved, options: Sequence[str]) -> Iterator[bool | None]:
    """Judge whether each option is right."""
    return (solved.judge(option) for option in options)


def _equal(parse: Callable[[str], Any], answer: Any, words: str) -> Solved:
    def judge(option: str) -> bool | None:
        value = parse(option)
        return None if value is None else bool(value == answer)

    return Solved(words, judge)


def _told(one: errata.NamedInterval) -> str:
    return f"interval {one.number} of {one.semitones} semitones"


@_solves(
    rf"(?P<of>{INTERVAL})(?:音程)?(?:的)?转位(?:音程)?(?:的音程)?(?:以?后)?(?:的音程)?{_IS}_?",
    rf"what is the inversion of an? (?P<of>{INTERVAL})(?: interval)?",
)
def _inversion(of: str) -> Solved | None:
    given = errata.interval(of)
    other = given.inverted if given else None
    if given is None or other is None:
        return None
    return _equal(errata.interval, other, _told(other))


@_solves(
    rf"(?:下列(?:选项中|各音程中|音程中)?,?)?与(?P<of>{INTERVAL})(?:音程)?(?:互)?为等音程的(?:是|有)_?",
    rf"(?P<of>{INTERVAL})(?:音程)?与下列(?:哪个|哪一个|_)音程(?:互)?(?:为|是)等音程_?",
)
def _enharmonic_interval(of: str) -> Solved | None:
    given = errata.interval(of)
    if given is None:
        return None

    def judge(option: str) -> bool | None:
        other = errata.interval(option)
        return None if other is None else other != given and other.semitones == given.semitones

    return Solved(f"an interval of {given.semitones} semitones", judge)


@_solves(
    rf"(?:在音程中,?)?(?P<of>{INTERVAL})(?:音程)?(?:里|中|内|之间)?(?:共)?(?:含有|包含有|包含|包括|含|有)(?:了)?(?:几|多少|_)个?半音_?",
    rf"how many (?:semitones|half[ -]steps) are (?:there )?in an? (?P<of>{INTERVAL})",
)
def _semitones_in(of: str) -> Solved | None:
    given = errata.interval(of)
    return given and _equal(errata.count, given.semitones, f"{given.semitones} semitones")


@_solves(
    rf"(?P<octave>{_OCTAVE})的?(?P<low>{NOTE})(?:音)?(?:到|至|与|和)(?P<above>{_OCTAVE})的?(?P<high>{NOTE})(?:音)?之间共?(?:包含|有|含有)?(?:了)?(?:几|多少|_)?个?半音_?"
)
def _semitones_of_octaves(octave: str, low: str, above: str, high: str) -> Solved | None:
    one, other = errata.note(low), errata.note(high)
    if one is None or other is None:
        return None
    steps = 12 * (_OCTAVES[above] - _OCTAVES[octave]) + _height(other) - _height(one)
    return _equal(errata.count, steps, f"{steps} semitones") if steps > 0 else None


def _height(name: str) -> int:
    """Semitones above the C of a note's octave: Cb is -1, B# is 12."""
    return pitch_class(name[0]) + name.count("#") - name[1:].count("b")


@_solves(
    rf"(?P<low>{NOTE})(?:音)?(?:[-—–~]+|到|至|与|和)(?P<high>{NOTE})(?:音)?(?:之间)?(?:共)?(?:包含|有|含有)(?:几|多少|_)个?半音_?"
)
def _semitones_of_notes(low: str, high: str) -> Solved | None:
    one, other = errata.note(low), errata.note(high)
    if one is None or other is None:
        return None
    steps = errata.between(one, other).semitones
    return _equal(errata.count, steps, f"{steps} semitones")


@_solves(
    rf"(?P<low>{NOTE})(?:音)?(?:[-—–~]+|到|至|与|和)(?P<high>{NOTE})(?:音)?(?:之间)?(?:是|为|构成)?(?:的)?(?:几度|什么)(?:的)?音程(?:关系)?_?",
    rf"what (?:is the )?interval (?:is )?(?:from|between) (?P<low>{NOTE}) (?:up )?(?:to|and) "
    rf"(?P<high>{NOTE})",
)
def _interval_of_notes(low: str, high: str) -> Solved | None:
    one, other = errata.note(low), errata.note(high)
    if one is None or other is None:
        return None
    found = errata.between(one, other)
    return _equal(errata.interval, found, _told(found))


@_solves(
    rf"(?P<of>{KEY})的?(?P<by>属调|下属调)?(?:的)?(?:平行|关系)(?P<to>大|小)?调?(?:{_IS})?_?",
    rf"what is the relative (?P<to>major|minor) (?:key )?of (?P<of>{KEY})",
)
def _relative(of: str, by: str | None = None, to: str | None = None) -> Solved | None:
    given = _plain_key(of)
    if given is None:
        return None
    fifths = given.fifths + {"属调": 1, "下属调": -1}.get(by or "", 0)
    mode = "minor" if given.mode == "major" else "major"
    if to and {"大": "major", "小": "minor"}.get(to, to) != mode:
        return None
    return _key_with(fifths, mode)


def _key_with(fifths: int, mode: str | None) -> Solved | None:
    if abs(fifths) > 7:
        return None

    def judge(option: str) -> bool | None:
        found = errata.key(option)
        if found is None:
            return None
        return found.fifths == fifths and mode in (None, found.mode)

    minor = Key(spell(fifths + 3), "minor").name
    names = {"major": Key(spell(fifths)).name, "minor": minor}
    return Solved(names.get(mode or "", " or ".join(names.values())), judge)


def _plain_key(text: str) -> Key | None:
    """A key; of a harmonic or melodic one None, since its scale is another."""
    return None if re.search("和声|旋律", text) else errata.key(text)


@_solves(rf"(?P<of>{KEY})的调号{_IS}_?", rf"what is the key signature of (?P<of>{KEY})",
         rf"how many (?:sharps|flats) are in the key (?:signature )?of (?P<of>{KEY})")  # fmt: skip
def _signature_of(of: str) -> Solved | None:
    given = _plain_key(of)
    if given is None:
        return None
    return _equal(errata.signature, given.fifths, _sharps(given.fifths))


def _sharps(fifths: int) -> str:
    """A key signature in words."""
    if not fifths:
        return "no sharps or flats"
    return f"{abs(fifths)} {'flat' if fifths < 0 else 'sharp'}{'s' if abs(fifths) != 1 else ''}"


@_solves(
    rf"(?:调号(?:为|是))?(?P<of>[一二两三四五六七1-7]个[升降]号)的(?P<mode>大|小)调(?:式)?{_IS}_?",
    rf"(?P<of>[一二两三四五六七1-7]个[升降]号)(?:对应的)?{_IS}_?",
    rf"(?P<of>[一二两三四五六七1-7]个[升降]号)所形成的(?P<mode>大|小)调(?:式)?{_IS}_?",
)
def _key_of(of: str, mode: str | None = None) -> Solved | None:
    given = errata.signature(of)
    if given is None:
        return None
    return _key_with(given, {"大": "major", "小": "minor"}.get(mode or ""))


@_solves(rf"(?P<tonic>{NOTE})(?P<mode>宫|商|角|徵|羽)(?:五声)?调式?的调号{_IS}_?",
         rf"在五声调式中,?(?P<tonic>{NOTE})(?P<mode>宫|商|角|徵|羽)调式?的调号{_IS}_?")  # fmt: skip
def _pentatonic(tonic: str, mode: str) -> Solved | None:
    name = errata.note(tonic)
    if name is None:
        return None
    fifths = Key(name).fifths - _MODES[mode]
    return _equal(errata.signature, fifths, _sharps(fifths)) if abs(fifths) <= 7 else None


@_solves(
    rf"(?P<of>(?:{NOTE})(?:自然|和声)?[大小]调)(?:中)?的?(?P<degree>{_DEGREE})(?:的音名)?{_IS}_?",
    rf"_音?在(?P<of>(?:{NOTE})(?:自然|和声)?[大小]调)中[为是](?P<degree>{_DEGREE})",
    rf"what is the (?P<degree>{_DEGREE}) (?:note )?(?:of|in) (?:the key of )?(?P<of>{KEY})",
)
def _degree(of: str, degree: str) -> Solved | None:
    match = re.fullmatch(rf"({NOTE}) ?(自然|和声|)(大调|小调|major|minor)", of)
    tonic = errata.note(match[1]) if match else None
    if match is None or tonic is None:
        return None
    mode = "major" if match[3] in ("大调", "major") else "minor"
    if _DEGREES[degree] == 6 and mode == "minor" and not match[2]:
        return None  # raised or not: books differ
    if match[2] == "和声" and mode == "major":
        return None
    scale = Key(tonic, "minor" if mode == "minor" else "major").scale(
        "harmonic minor" if match[2] == "和声" else mode
    )
    name = scale[_DEGREES[degree]]
    return _equal(errata.note, name, name)


@_solves(
    rf"(?:在)?(?P<scale>{'|'.join(_SCALES)})(?:式)?(?:中|的)?,?(?:第)?(?P<degree>{_DEGREE}|(?:Ⅶ|Ⅵ|Ⅴ|Ⅳ|Ⅲ|Ⅱ|Ⅰ|VII|VI|IV|V|III|II|I|[一二三四五六七])级)(?:音)?(?:上)?(?:所)?(?:构成的|的)?(?P<size>[三七])和弦(?:的性质)?{_IS}(?:_|什么和弦)*"
)
def _on_degree(scale: str, degree: str, size: str) -> Solved | None:
    steps = _SCALES[scale]
    place = _DEGREES[degree] if degree in _DEGREES else _ROMAN[degree.removesuffix("级")]
    return _chord_on(steps, place, 3 if size == "三" else 4)


@_solves(
    rf"(?P<of>{NOTE}(?:自然|和声)?[大小]调)(?P<degree>[一二三四五六七ⅠⅡⅢⅣⅤⅥⅦ])级(?P<size>[三七])和弦的性质{_IS}_?"
)
def _on_degree_of(of: str, degree: str, size: str) -> Solved | None:
    match = re.fullmatch(rf"{NOTE}(自然|和声|)([大小]调)", of)
    if match is None or (not match[1] and match[2] == "小调"):
        return None
    return _chord_on(
        _SCALES[(match[1] or "自然") + match[2]], _ROMAN[degree], 3 if size == "三" else 4
    )


def _chord_on(steps: Sequence[int], place: int, size: int) -> Solved | None:
    tones = tuple(steps[(place + 2 * n) % 7] + 12 * ((place + 2 * n) // 7) for n in range(size))
    name = errata.quality(tones)
    return _equal(errata.chord, name, f"a chord of the quality {name}") if name else None


@_solves(
    rf"将?(?P<of>{errata.CHORD})和弦的?,?(?P<tone>根音|三音|五音|七音)(?P<way>升高|降低)(?:一个)?(?:变化|自然)?(?:一个)?半音(?:以?后)?,?(?:的和弦|就?构成了?|变成|{_IS})?_?"
)
def _changed(of: str, tone: str, way: str) -> Solved | None:
    name = errata.chord(of)
    steps = list(errata.SEMITONES[name]) if name else []
    place = ("根音", "三音", "五音", "七音").index(tone)
    if place >= len(steps):
        return None
    steps[place] += 1 if way == "升高" else -1
    found = errata.quality(tuple(steps))
    return _equal(errata.chord, found, f"a chord of the quality {found}") if found else None


@_solves(
    rf"(?:由)?(?P<one>{NOTE})[-—–、](?P<two>{NOTE})[-—–、](?P<three>{NOTE})(?:[-—–、](?P<four>{NOTE}))?(?:构成的|三个音构成的|组成的)?(?:和弦)?(?:是|为)(?:什么|_)?(?:和弦)?_?"
)
def _spelled(one: str, two: str, three: str, four: str | None = None) -> Solved | None:
    notes = [errata.note(each) for each in (one, two, three, four) if each]
    if None in notes:
        return None
    found = errata.quality(tuple(pitch_class(each or "C") for each in notes))
    return _equal(errata.chord, found, f"a chord of the quality {found}") if found else None


@_solves(rf"(?P<of>{NOTE})(?:音)?的等音{_IS}_?",
         rf"与(?P<of>{NOTE})(?:音)?(?:互)?为等音的(?:音)?{_IS}_?",
         rf"what is the enharmonic equivalent of (?P<of>{NOTE})")  # fmt: skip
def _enharmonic(of: str) -> Solved | None:
    given = errata.note(of)
    if given is None:
        return None

    def judge(option: str) -> bool | None:
        found = errata.note(option)
        return None if found is None else found != given and errata.same_pitch(found, given)

    return Solved(f"another name of {given}", judge)


@_solves(
    r"(?:which|what) chord (?:in the audio )?(?:typically )?(?:serves|functions) as the dominant "
    rf"(?:\(V\) )?chord in the key of (?P<of>{NOTE} major)"
)
def _dominant(of: str) -> Solved | None:
    given = errata.key(of)
    if given is None:
        return None
    name = given.scale()[4]
    return _equal(_root_alone, name, f"{name} major")


def _root_alone(option: str) -> str | None:
    """The root of a major chord that has no other sign than "major"."""
    named = re.fullmatch(rf"({NOTE})(?: major)?", option.strip())
    return errata.note(named[1]) if named else None


@_solves(
    r"which (?:chord in the audio|of (?:the following|these) chords(?: in the audio)?) is an? "
    rf"(?P<of>{errata.CHORD}|major|minor|diminished|augmented)(?: chord)?"
)
def _kind_of_chord(of: str) -> Solved | None:
    wanted = errata.chord(of) or of
    return _equal(_part("quality"), wanted, f"a chord of the quality {wanted}")


def _part(name: str) -> Callable[[str], str | None]:
    """Reads a chord's symbol, and gives its root or its quality."""

    def read(option: str) -> str | None:
        found = errata.symbol(option)
        return None if found is None else str(getattr(found, name))

    return read


@_solves(
    r"which chord (?:in the audio )?(?:serves|acts|functions) as the "
    rf"(?P<degree>tonic|dominant|subdominant) (?:chord )?in the (?P<of>{KEY}) key(?: in the audio)?"
)
def _chord_of_degree(degree: str, of: str) -> Solved | None:
    given = _plain_key(of)
    if given is None:
        return None
    root = given.scale()[_DEGREES[degree]]
    return _equal(_part("root"), root, f"a chord on {root}")


@_solves(
    rf"what is the harmonic function of the (?P<root>{NOTE}) chord (?:with)?in the "
    rf"(?:context of the )?(?P<of>{KEY}) key(?: in the audio)?"
)
def _function(root: str, of: str) -> Solved | None:
    given, note = _plain_key(of), errata.note(root)
    if given is None or note not in given.scale():
        return None
    names = ("tonic", "supertonic", "mediant", "subdominant", "dominant", "submediant")
    place = given.scale().index(note)
    last = "subtonic" if given.mode == "minor" else "leading tone"
    name = names[place] if place < len(names) else last

    def judge(option: str) -> bool | None:
        said = option.strip().lower()
        return said == name if said in (*names, "subtonic", "leading tone") else None

    return Solved(f"the {name}", judge)
