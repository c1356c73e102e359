"""What Zhiyin says, in Chinese: a phrasebook of sentences with places for names and numbers.

Sentences are made in English, where they are computed. A page in Chinese looks each of them up
here, and shows the English one, marked as English, where there is none. So a sentence is computed
once, and cannot say one thing in one language and another in the other.

A phrasebook is a text file: an English line, its Chinese line, an empty line. ``{name}`` stands
for any words, ``{#name}`` for numbers, ``{@name}`` for words that are looked up in turn;
``[...]`` may be absent, and in the Chinese line is left out where a place in it has no words. The
core's book is beside this module; a benchmark's is ``zh.txt`` in the folder of its class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import resources
from itertools import product
from typing import Any

import msgspec

_PLACE = re.compile(r"\{([@#]?)(\w+)\}")
_OPTION = re.compile(r"\[([^\[\]]*)\]")
_NUMBER = frozenset("0123456789.,+-−–<>= %\u00a0")
_CLAUSES = "; "
_DEPTH, _TRIES = 8, 200


class _Phrase(msgspec.Struct, frozen=True):
    """An English sentence as the words between its places, and its Chinese."""

    words: tuple[str, ...]
    places: tuple[tuple[str, str], ...]
    """Kind ("", "#", "@") and name of each."""
    longest: str
    chinese: str

    def read(self, text: str) -> dict[str, str] | None:
        """What stands in the places of a text; None where it is another sentence.

        Each place is as short as the words behind it and its numbers allow; after so many tries
        (`_TRIES`) it counts as another sentence.
        """
        words = self.words
        if not self.places:
            return {} if text == words[0] else None
        end = len(text) - len(words[-1])
        if end < len(words[0]) or not text.startswith(words[0]) or not text.endswith(words[-1]):
            return None
        tries = _TRIES

        def place(number: int, at: int, values: dict[str, str]) -> dict[str, str] | None:
            nonlocal tries
            kind, name = self.places[number]
            last = number + 1 == len(self.places)
            stop = end if last else text.find(words[number + 1], at + 1, end)
            while at < stop <= end and tries:
                tries -= 1
                own = text[at:stop]
                if kind == "#" and not _NUMBER.issuperset(own):
                    return None
                if values.get(name, own) == own:
                    extended = {**values, name: own}
                    if last:
                        return extended
                    rest = place(number + 1, stop + len(words[number + 1]), extended)
                    if rest is not None:
                        return rest
                if last:
                    return None
                stop = text.find(words[number + 1], stop + 1, end)
            return None

        return place(0, len(words[0]), {})


def _phrases(text: str) -> Iterator[_Phrase]:
    """The sentences of a phrasebook, those with the most words of their own first."""
    phrases = []
    for block in text.split("\n\n"):
        lines = [line for line in block.strip("\n").split("\n") if line and line[0] != "%"]
        if not lines:
            continue
        english, chinese = lines
        for way in _ways(english):
            parts = _PLACE.split(way)
            words, places = tuple(parts[::3]), tuple(zip(parts[1::3], parts[2::3], strict=True))
            phrases.append(_Phrase(words, places, max(words, key=len), chinese))
    yield from sorted(phrases, key=lambda phrase: -sum(map(len, phrase.words)))


def _ways(english: str) -> Iterator[str]:
    """A sentence with and without each of its options."""
    parts = _OPTION.split(english)
    for chosen in product((True, False), repeat=len(parts) // 2):
        yield "".join(
            part if place % 2 == 0 or chosen[place // 2] else "" for place, part in enumerate(parts)
        )


@cache
def _book(package: str) -> tuple[_Phrase, ...]:
    """The phrasebook in a package; empty where there is none."""
    try:
        file = resources.files(package) / "zh.txt"
    except (ModuleNotFoundError, TypeError, ValueError):
        return ()
    return tuple(_phrases(file.read_text("utf-8"))) if file.is_file() else ()


def package_of(kind: Any) -> str:
    """The package in which a benchmark's class stands, and its phrasebook with it."""
    module = (
        getattr(type(kind), "__module__", "") if not isinstance(kind, type) else kind.__module__
    )
    return module.rpartition(".")[0] or module


def chinese(text: str, packages: Iterable[str] = ()) -> str:
    """A sentence of ours in Chinese; itself where no phrasebook has it.

    Parameters
    ----------
    text : str
    packages : iterable of str
        Whose phrasebooks are asked before the core's.
    """
    return found_in_chinese(text, packages) or text


def found_in_chinese(text: str, packages: Iterable[str] = ()) -> str | None:
    """As `chinese`; None where no phrasebook has it."""
    translation = _translate(
        text.replace("\u00a0", " "), (*dict.fromkeys(packages), __name__), _DEPTH
    )
    return None if translation is None else translation.replace(" %", "\u00a0%")


@lru_cache(maxsize=1 << 14)
def _translate(text: str, packages: tuple[str, ...], depth: int) -> str | None:
    if not text or depth == 0:
        return None
    for package in packages:
        for phrase in _book(package):
            if phrase.longest in text and (values := phrase.read(text)) is not None:
                return _filled(phrase, values, packages, depth)
    if _CLAUSES in text:
        clauses = text.split(_CLAUSES)
        translations = [_translate(clause, packages, depth - 1) for clause in clauses]
        if any(translations):
            return "；".join(
                ours or clause for ours, clause in zip(translations, clauses, strict=True)
            )
    return None


def _filled(phrase: _Phrase, values: dict[str, str], packages: tuple[str, ...], depth: int) -> str:
    looked_up = {name for kind, name in phrase.places if kind == "@"}

    def value(name: str) -> str:
        words = values.get(name, "")
        return (_translate(words, packages, depth - 1) or words) if name in looked_up else words

    def option(match: re.Match[str]) -> str:
        names = [name for _, name in _PLACE.findall(match[1])]
        return match[1] if all(name in values for name in names) else ""

    return _PLACE.sub(lambda match: value(match[2]), _OPTION.sub(option, phrase.chinese))
