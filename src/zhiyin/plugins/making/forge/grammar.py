"""A question in other words without a model: phrases that stand for each other, and frames.

What it may do stands in ``languages/en.toml`` and ``languages/zh.toml``; it rewords stems alone,
and changes little: what a figure owes to words is shown by it at the least.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources

import msgspec

from zhiyin.parsing import read_toml_text
from zhiyin.plugins.making.forge.stages import chance_of

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]{2,40}")
_JAPANESE_OR_KOREAN = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_ENGLISH = re.compile(
    r"\b(?:the|which|what|who|whose|how|why|where|does|did|this|these|following|identify|choose|"
    r"and|with|from|to|it|by|you)\b",
    re.IGNORECASE,
)
_TRADITIONAL = re.compile(r"[個樂調這麼聽說選項題請節聲為屬與對於種號階譜]")
"""No Chinese of our own stands beside these."""
_FEW = 4
_CLAUSE = frozenset("，。；：？！,.;:?!\n")
_NO_PRONOUN = frozenset({"为什么", "没什么", "论什么"})
_QUOTES = (("“", "”"), ('"', '"'), ("《", "》"), ("「", "」"), ("`", "`"), ("$", "$"))
_INVERTED = re.compile(
    r"\b(?:do|does|did|can|could|will|would|should|shall|may|might|must|have|has|had|is|are|was|were)\b",
    re.IGNORECASE,
)
_WHAT_IS = re.compile(
    r"(what|which) (is|are|was|were) (the(?: [a-z-]{1,30}){1,3} (?:of|in|between) [^?\n]+)\?",
    re.IGNORECASE,
)
_VERBS = re.compile(r"\b[a-z-]{2,30}(?:ing|ed)\b|\b(?:that|which|who|where|when|known|called)\b")
"""With these within it, what is asked for may be no noun: "the song called" is none."""
_NO_SUBJECT = re.compile(r"[.!] [A-Z]|^what (?:if|about)\b", re.IGNORECASE)
_SUBJECT = re.compile(r"(which|what|who|how many) ([^?\n]+)\?", re.IGNORECASE)


class ForgeLanguage(msgspec.Struct, frozen=True):
    """Changes that a paraphrase may make in a language; see the files."""

    terms: tuple[str, ...]
    negations: tuple[str, ...]
    degrees: tuple[str, ...]
    relations: tuple[str, ...]
    swaps: tuple[tuple[str, ...], ...]
    within: tuple[str, ...]
    frames: tuple[str, ...]


@cache
def forge_language(name: str) -> ForgeLanguage:
    """Load the rules of "en" or "zh"."""
    text = (resources.files(__package__) / "languages" / f"{name}.toml").read_text("utf-8")
    return msgspec.convert(read_toml_text(text), ForgeLanguage)


def language_of(text: str) -> str:
    """The language of a text: "zh" where it has a Chinese character, else "en"."""
    return "zh" if _CHINESE.search(text) else "en"


def tongue_of(text: str) -> str:
    """Guess a text's language: "zh", "en", or "" for another, or if it cannot be told.

    Chinese terms do not make an English question Chinese, nor Latin names a Chinese one English.
    """
    if _JAPANESE_OR_KOREAN.search(text):
        return ""
    if len(_CHINESE.findall(text)) > len(_LATIN.findall(text)):
        return "zh"
    return "en" if _ENGLISH.search(text) else ""


def quotations(text: str) -> list[tuple[int, int]]:
    """Find the spans of quotations and of text behind a bar line: nothing in them is reworded."""
    found: list[tuple[int, int]] = []
    for begin, end in _QUOTES:
        start = text.find(begin)
        while start >= 0 and (stop := text.find(end, start + 1)) >= 0:
            found.append((start, stop + 1))
            start = text.find(begin, stop + 1)
    bar = text.find("|")
    return sorted(found) + ([(bar, len(text))] if bar >= 0 else [])


def wordings_by_grammar(stem: str, item: str, count: int) -> list[str]:
    """Other wordings of a stem: first such that put it otherwise, then such that frame it.

    Parameters
    ----------
    stem, item : str
        The item draws which frames.
    count : int
        At most so many.

    Returns
    -------
    list of str
        Empty where it is neither English nor Chinese in simplified characters.
    """
    few = stem.isascii() and len(stem.split()) < _FEW
    tongue = tongue_of(stem) or ("en" if few else "")  # "Tempo?"
    if not tongue or _TRADITIONAL.search(stem):
        return []
    language = forge_language(tongue)
    swapped = list(_swapped(stem, language))
    inner = [*swapped, *_within(stem, language)]
    bases = [stem, *swapped]
    frames = sorted(language.frames, key=lambda frame: chance_of("frame", item, frame))
    framed = [frame.format(stem=bases[number % len(bases)]) for number, frame in enumerate(frames)]
    return [text for text in dict.fromkeys((*inner, *framed)) if text != stem][:count]


def _swapped(stem: str, language: ForgeLanguage) -> Iterator[str]:
    """Yield the question with all exchangeable phrases exchanged, once for each further choice."""
    most = max(map(len, language.swaps), default=1)
    for turn in range(1, most):
        text, done = stem, list[str]()
        for phrases in language.swaps:
            first = phrases[0].removeprefix("^")
            if any(first in other or other in first for other in done):
                continue
            put = phrases[1:][(turn - 1) % (len(phrases) - 1)]
            changed = _exchanged(text, first, put, leading=phrases[0] != first)
            if changed != text:
                text = changed
                done += [first, put]
        if text != stem:
            yield text


def _exchanged(text: str, old: str, new: str, *, leading: bool) -> str:
    """A text with one phrase in the place of another, once, outside of what is quoted.

    `leading`: only where it begins the text, or of Chinese a clause.
    """
    kept, chinese = quotations(text), language_of(old) == "zh"
    lower, at = text.lower(), -1
    while (at := lower.find(old, at + 1)) >= 0:
        end, before = at + len(old), text[:at].rstrip(" \t")[-1:]
        if leading and before and not (chinese and before in _CLAUSE):
            continue
        if chinese and text[at - 1 : at + 2] in _NO_PRONOUN:
            continue
        beside = text[at - 1 : at] + text[end : end + 1]
        if not chinese and any(sign.isalnum() or sign in "/-" for sign in beside):
            continue
        if not any(at < stop and start < end for start, stop in kept):
            put = new[:1].upper() + new[1:] if text[at].isupper() else new
            return text[:at] + put + text[end:]
    return text


def _within(stem: str, language: ForgeLanguage) -> Sequence[str]:
    """The question as a part of a sentence, where the order of its words stays."""
    if not language.within or quotations(stem):
        return []
    if match := _WHAT_IS.fullmatch(stem):
        rest = match[3]
        if "," in rest or _INVERTED.search(rest) or _VERBS.search(rest):
            return []
        asked = f"{match[1].lower()} {rest} {match[2].lower()}"
    elif (match := _SUBJECT.fullmatch(stem)) and not (
        _INVERTED.search(stem) or _NO_SUBJECT.search(stem)
    ):
        asked = f"{match[1].lower()} {match[2]}"
    else:
        return []
    return [f"{verb} {asked}." for verb in language.within]
