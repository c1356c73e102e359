"""Replies of the kinds that readers find hard, whose answer is known from how they are made.

A template of ``data/reading/kinds.txt`` is ``kind|language|truth|options|text``, written as those
of `phrasings` are and before the reader was mended; `options` names the kind of options shown.
Beyond the slots of `phrasings` kn and kw are the key's number in digits and in words, ky is its Y
or N, and «between¦of the key¦of others» says something of every option in turn, @ being its
letter and # its text. Half of the templates, by their sum, are set aside: they are counted, and
the reader is never mended by them.
"""

from __future__ import annotations

import random
import re
import zlib
from pathlib import Path
from typing import Any

from phrasings import Phrased, fill

TEMPLATES = Path(__file__).parent / "data" / "reading" / "kinds.txt"
FRESH = TEMPLATES.with_name("fresh.txt")
FRESH_LATER = TEMPLATES.with_name("fresh2.txt")
DRAWS = 2
"""Fillings of a template."""

_WORDS = {
    "en": (
        ("the bass line says so", "nothing in the bass supports it"),
        ("every phrase ends that way", "no phrase ends that way"),
        ("one hears it in the second half", "the second half contradicts it"),
        ("the timbre gives it away", "the timbre is a different one"),
        ("that is how the theme returns", "the theme returns otherwise"),
    ),
    "zh": (
        ("低音声部已经说明了这一点", "低音声部与之矛盾"),
        ("每个乐句都这样收尾", "没有一个乐句这样收尾"),
        ("后半段听得很清楚", "后半段完全不是这样"),
        ("音色一听便知", "音色明显不同"),
    ),
}
"""What speaks for an option, and what against it."""

_NAMES = [
    ["Oboe", "Cello", "Trumpet", "Marimba"],
    ["Tango", "Polka", "Bolero", "Gavotte"],
    ["Maurice Ravel", "Joni Mitchell", "Thelonious Monk", "Hildegard of Bingen"],
    ["Ascending", "Descending", "Static", "Arch-shaped"],
    ["Rondo", "Theme with variations", "Sonata", "Fugue"],
    ["Warm and intimate", "Cold and distant", "Playful", "Menacing"],
]
_AND = [
    ["Guitar and drums", "Flute and harp", "Voice and piano", "Violin and cello"],
    ["Rock and roll", "Rhythm and blues", "Drum and bass", "Call and response"],
    ["Harp", "Harp and flute", "Flute", "Flute or oboe"],
]
_NOT = [
    ["No percussion is used", "The tempo never changes", "It is not in a major key",
     "There are no vocals"],
    ["Without vibrato", "With wide vibrato", "With no attack at all", "Not sustained"],
]  # fmt: skip
_NOTES = [["E flat", "F sharp", "G", "B natural"], ["C4", "F#4", "A4", "Bb3"]]
_CHORDS = [["Am7", "Dm7b5", "G7", "Cmaj7"], ["C", "F", "G", "Em"]]
_KEYS = [["E major", "B minor", "F major", "C minor"], ["A minor", "D major", "G minor", "E major"]]
_AND_ZH = [["琵琶和二胡", "笛子与笙", "古筝和箫", "钢琴与小提琴"]]
_NOT_ZH = [["没有打击乐", "速度始终不变", "不使用人声", "不是五声音阶"]]
_NAMES_ZH = [
    ["柳琴", "葫芦丝", "扬琴", "埙"], ["赋格曲", "回旋曲", "奏鸣曲", "变奏曲"],
    ["阿炳", "聂耳", "刘天华", "黄自"], ["旋律上行", "旋律下行", "旋律平稳", "旋律起伏"],
]  # fmt: skip
_KEYS_ZH = [["E大调", "B小调", "F大调", "C小调"], ["降B大调", "D大调", "G小调", "升F小调"]]
_TRIADS = [["Major", "Minor", "Diminished", "Augmented"], ["Bright", "Dark", "Tense", "Hollow"]]
_TRIADS_ZH = [["大三和弦", "小三和弦", "减三和弦", "增三和弦"], ["明亮", "暗淡", "紧张", "空洞"]]
_BEATS_ZH = [["3拍", "4拍", "5拍", "7拍"], ["三拍", "四拍", "五拍", "七拍"]]
_BPM = [["60 BPM", "96 BPM", "120 BPM", "152 BPM"],
        ["About 72 beats per minute", "About 88 beats per minute", "About 108 beats per minute",
         "About 132 beats per minute"]]  # fmt: skip
_YEARS = [["1785", "1804", "1830", "1913"], ["1685", "1721", "1749", "1750"]]
_OPTIONS = {
    "any": [*_NAMES, *_AND, *_NOT, *_NOTES, *_CHORDS, *_KEYS], "word": [*_NAMES, *_AND],
    "and": _AND[:2], "neg": _NOT, "note": _NOTES, "chord": _CHORDS[:1], "key": _KEYS,
    "triad": _TRIADS,
    "beats": [["3 beats", "4 beats", "5 beats", "7 beats"], ["Three", "Four", "Five", "Seven"]],
    "bpm": _BPM, "year": _YEARS,
    "count": [["Two voices", "Three voices", "Four voices", "Five voices"], ["2", "3", "4", "5"]],
    "semis": [["2 semitones", "4 semitones", "7 semitones", "9 semitones"]],
    "meter": [["3/4", "4/4", "6/8", "5/4"]], "yn": [["Yes", "No"], ["No", "Yes"]],
    "same": [["Same", "Different"], ["different", "the same"]],
    "any_zh": [*_NAMES_ZH, *_AND_ZH, *_NOT_ZH, *_KEYS_ZH], "and_zh": _AND_ZH, "neg_zh": _NOT_ZH,
    "triad_zh": _TRIADS_ZH, "key_zh": _KEYS_ZH, "beats_zh": _BEATS_ZH,
    "year_zh": [[f"{year}年" for year in years] for years in _YEARS],
    "count_zh": [["两个", "三个", "四个", "五个"], ["2", "3", "4", "5"]],
    "bpm_zh": [["60", "96", "120", "152"],
               ["每分钟72拍", "每分钟88拍", "每分钟108拍", "每分钟132拍"]],
    "yn_zh": [["是", "否"], ["否", "是"]],
}  # fmt: skip
_NUMBERS = {
    "2": "two 两", "3": "three 三", "4": "four 四", "5": "five 五", "7": "seven 七", "9": "nine 九",
}  # fmt: skip
_ROW = re.compile("«([^¦]*)¦([^¦]*)¦([^»]*)»")


def phrased_kinds(part: str) -> list[Phrased]:
    """The replies of one part, "work" or "aside", the same at every call."""
    made: dict[tuple[str, tuple[str, ...]], Phrased] = {}
    for line in TEMPLATES.read_text(encoding="utf-8").splitlines():
        kind, lang, truth, shown, text = line.split("|", 4)
        total = zlib.crc32(text.encode())
        later = kind.startswith("+")
        if ("work" if later else ("work", "aside")[total % 2]) != part:
            continue
        draw = random.Random(total)
        sets = _OPTIONS["any_zh" if (shown, lang) == ("any", "zh") else shown]
        for _ in range(DRAWS):
            options = list(draw.choice(sets))
            draw.shuffle(options)
            key = draw.randrange(len(options))
            reply = _filled(draw, options, key, lang, text)
            expect = "ABCD"[key] if truth == "K" else None
            one = Phrased(kind.strip("+"), lang, reply, options, expect, False, line)
            made.setdefault((reply, tuple(options)), one)
    return list(made.values())


def fresh_replies(part: str, file: Path = FRESH) -> list[Phrased]:
    """Whole replies as models write them: ``kind¦language¦answer¦options¦text``, "-" for none.

    They were written and marked before the reader was run on any of them.
    """
    made = []
    for line in file.read_text(encoding="utf-8").splitlines():
        kind, lang, truth, shown, written = line.split("¦", 4)
        text = written.replace("\\n", "\n").replace("\\\\", "\\")
        if ("work", "aside")[zlib.crc32(text.encode()) % 2] == part:
            expect = None if truth == "-" else truth
            made.append(Phrased(kind, lang, text, shown.split(" ; "), expect, False, line))
    return made


def _filled(draw: random.Random, options: list[str], key: int, lang: str, template: str) -> str:
    pros = draw.sample(_WORDS[lang], len(options))
    row = _ROW.sub(lambda match: _row(match, options, key), template)
    return fill(draw, options, key, pros, row, _written(options, key, lang))


def _row(match: re.Match[str], options: list[str], key: int) -> str:
    """What is said of each option in turn."""
    said = [match[2] if number == key else match[3] for number in range(len(options))]
    return (
        match[1]
        .replace("\\n", "\n")
        .join(
            one.replace("@", "ABCD"[number]).replace("#", options[number])
            for number, one in enumerate(said)
        )
    )


def _written(options: list[str], key: int, lang: str) -> dict[str, Any]:
    """The key's number and two others' in digits and in words, and its Y or N."""
    order = [key, *(n for n in range(len(options)) if n != key)]
    slots = {"ky": "Y" if options[key] in ("Yes", "是") else "N"}
    for name, number in zip("kab", order, strict=False):
        text = options[number]
        digits = re.search(r"\d+", text)
        worded = next((one for one, word in _NUMBERS.items() if _begins(text, word)), "")
        slots[f"{name}n"] = digits[0] if digits else worded
        names = _NUMBERS.get(slots[f"{name}n"], " ").split(" ")
        slots[f"{name}w"] = names[lang == "zh"]
    return slots


def _begins(text: str, words: str) -> bool:
    return any(text.lower().startswith(word) for word in words.split(" "))
