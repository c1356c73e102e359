"""What options say, by language."""

from __future__ import annotations

from zhiyin.benchmarks.scores.fresh.asked import Task
from zhiyin.music.theory import spell
from zhiyin.prompts import Language

_QUALITIES = {
    "en": {"m": "minor", "M": "major", "P": "perfect", "A": "augmented", "d": "diminished"},
    "zh": {"m": "小", "M": "大", "P": "纯", "A": "增", "d": "减"},
}
_NUMBERS = {
    "en": ("unison", "second", "third", "fourth", "fifth", "sixth", "seventh", "octave"),
    "zh": ("一度", "二度", "三度", "四度", "五度", "六度", "七度", "八度"),
}
_VALUES = {
    "en": {1: "whole", 2: "half", 4: "quarter", 8: "eighth", 16: "sixteenth"},
    "zh": {1: "全", 2: "二分", 4: "四分", 8: "八分", 16: "十六分"},
}
_VOICES = {
    "en": ("upper voice (stems up)", "lower voice (stems down)"),
    "zh": ("上方声部（符干朝上）", "下方声部（符干朝下）"),
}


def option_text(task: Task, option: str, language: Language) -> str:
    """An option of `Question` in words."""
    if task == "interval":
        number, quality = _NUMBERS[language][int(option[0]) - 1], _QUALITIES[language][option[1:]]
        return f"{quality} {number}" if language == "en" else quality + number
    if task == "signature":
        return _key(spell(int(option)), language)
    if task == "value":
        shape = _VALUES[language][int(option.rstrip("."))]
        if language == "en":
            return f"{'dotted ' if option.endswith('.') else ''}{shape} note"
        return f"{'附点' if option.endswith('.') else ''}{shape}音符"
    return option


def voice_text(voice: int, language: Language) -> str:
    """The first or second voice of a staff, from 1."""
    return _VOICES[language][voice - 1]


def _key(tonic: str, language: Language) -> str:
    if language == "en":
        return f"{tonic} major"
    sign = {"#": "升", "b": "降"}.get(tonic[1:], "")
    return f"{sign}{tonic[0]}大调"
