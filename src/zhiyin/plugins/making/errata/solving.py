"""Rules that solve a question: music theory, notes that sound alike, headers of notation.

The rule that listens: what the reference listener hears against what is keyed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from pathlib import Path
from typing import NamedTuple

import msgspec

from zhiyin.errors import InputError
from zhiyin.plugins.making.errata import AskedItem, note, theory
from zhiyin.plugins.making.errata.rules import EXAMPLE, Erratum, erratum
from zhiyin.plugins.music.theory import pitch_class
from zhiyin.text import option_form
from zhiyin.trial import Audio, Message, Option
from zhiyin.words import said

_SPELLED = re.compile(r"spell|written|notat|enharmon|name of|等音|记谱|写法", re.IGNORECASE)
"""How a question asks for a spelling, not for a sound."""
_SIGNED = re.compile(r"(?<![A-Za-z#♯♭])([A-G])(##|bb|#|b|♯|♭| sharp\b| flat\b)?(?![a-z#])")
_FIELD = re.compile(r"^(K|M|L):[ \t]*([^\n%]*)", re.MULTILINE)
_ENTRY = re.compile(r"^[ \t]*[\[(]?(\d)[\]).:][ \t]*", re.MULTILINE)
_MOST_ORDERS = 5040
_ASKED = {
    "K": re.compile(r"\bkey\b(?! ?changes)", re.IGNORECASE),
    "M": re.compile(r"\b(?:meter|metre|time signature)\b", re.IGNORECASE),
    "L": re.compile(r"\b(?:unit|default) (?:note )?length\b|\bnote length\b", re.IGNORECASE),
}


def solved_unheard(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """A question about something heard that a solver answers by its words: one option fits."""
    for item, answer, right in _solved(items):
        fits = [n for n, yes in enumerate(right) if yes]
        if item.sounds and fits == [item.right[0]] and None not in right:
            detail = said("errata-solved", key=repr(item.keyed), answer=answer)
            yield erratum(item, "solved-unheard", detail, answer=answer)


def _solved(items: Sequence[AskedItem]) -> Iterator[tuple[AskedItem, str, list[bool | None]]]:
    for item in items:
        if item.pictures or len(item.options) < 2 or len(item.right) != 1:
            continue
        solved = theory.solve(item.stem)
        if solved is not None:
            yield item, solved.answer, list(theory.judged(solved, item.options))


def refuted(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """A solver of music theory finds the keyed option wrong."""
    for item, answer, right in _solved(items):
        if right[item.right[0]] is False:
            proved = [text for text, yes in zip(item.options, right, strict=True) if yes]
            detail = said("errata-refuted", key=repr(item.keyed), answer=answer)
            yield erratum(item, "refuted", detail, answer=answer, right=proved)


def several_right(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """A solver of music theory finds another option right beside the keyed one."""
    for item, answer, right in _solved(items):
        others = [item.options[n] for n in item.wrong if right[n]]
        # Of something heard, the ear says which of them it was.
        if right[item.right[0]] and others and not item.sounds:
            detail = said(
                "errata-several", key=repr(item.keyed), other=repr(others[0]), answer=answer
            )
            yield erratum(item, "several-right", detail, answer=answer, right=others)


def several_orders(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """The order that is asked for is one of several, since parts to be ordered are the same.

    Of questions without options whose answer is an order of places from 0 ("3102") and whose text
    lists so many parts, numbered from 0.
    """
    for item in items:
        order = item.target or ""
        if item.options or sorted(order) != [str(n) for n in range(len(order))] or len(order) < 2:
            continue
        parts = _numbered(item.sent, len(order))
        if parts is None or len(set(parts)) == len(parts):
            continue
        line = [parts[int(place)] for place in order]
        others = [
            "".join(map(str, each))
            for each in islice(permutations(range(len(parts))), _MOST_ORDERS)
            if [parts[place] for place in each] == line and "".join(map(str, each)) != order
        ]
        detail = said("errata-orders", key=repr(order), others=others[:3], n=len(others))
        yield erratum(item, "several-orders", detail, parts=parts, right=others)


def _numbered(text: str, n: int) -> list[str] | None:
    """The last list in a text whose entries are numbered from 0 to n - 1, if there is one."""
    starts = [match for match in _ENTRY.finditer(text) if int(match[1]) < n]
    numbers = [int(match[1]) for match in starts]
    for begin in range(len(numbers) - n, -1, -1):
        if numbers[begin : begin + n] == list(range(n)):
            chosen = starts[begin : begin + n]
            ends = [match.start() for match in chosen[1:]]
            last = text.find("\n\n", chosen[-1].end())
            ends.append(len(text) if last < 0 else last)
            bars = (text[m.end() : end] for m, end in zip(chosen, ends, strict=True))
            return [re.sub(r"[\s\\]+", "", bar) for bar in bars]
    return None


def same_by_sound(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """The keyed option and another differ in the names of notes alone, and sound alike."""
    for item in items:
        if not item.sounds or item.pictures or not item.right or _SPELLED.search(item.stem):
            continue
        key = item.keyed
        same = [
            item.options[n] for n in item.wrong
            if option_form(item.options[n]) != option_form(key)
            and _sounding(item.options[n]) == _sounding(key) != option_form(key)
        ]  # fmt: skip
        if same:
            detail = said("errata-by-sound", key=repr(key), other=repr(same[0]))
            yield erratum(item, "same-by-sound", detail, same=same)


def _sounding(text: str) -> str:
    """A text with the names of notes replaced by their pitch classes."""
    return _SIGNED.sub(lambda m: f"<{pitch_class(note(m[0]) or m[1])}>", option_form(text))


def header_shows(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """The tune is sent with the field that is asked for, so that reading a letter answers it."""
    for item in items:
        found: dict[str, list[str]] = {}
        for field, value in _FIELD.findall(item.sent):
            found.setdefault(field, []).append(value.strip())
        fields = {field: several[0] for field, several in found.items() if len(several) == 1}
        for field, asks in _ASKED.items():
            if field not in fields or not item.options or not asks.search(item.stem):
                continue
            fits = [n for n, text in enumerate(item.options) if _same(text, fields[field])]
            if len(fits) == 1 and fits[0] in item.right:
                shown = f"{field}:{fields[field]}"
                detail = said("errata-header", shown=repr(shown))
                yield erratum(item, "header-shows-key", detail, header=shown)


def _same(option: str, value: str) -> bool:
    own = re.sub(r"^(?:K|M|L):", "", option.strip()).strip()
    return own.replace(" ", "") == value.replace(" ", "")


_LEAST, _SHARE = 8, 0.95
"""So many sounds of a kind must have been heard as keyed, and such a share of all of them."""


class HeardQuestion(NamedTuple):
    """A question, or a worked example: what is keyed and what was heard, as keys of options."""

    item: AskedItem
    key: str
    found: str
    why: str
    example: bool
    recording: str

    def erratum(self, agreed: int) -> Erratum:
        """Return the flaw, given how many others of the kind the listener agreed with."""
        texts = {option.key: option.text for option in self.item.trial.options}
        recording = Path(self.recording).name
        detail = said("errata-heard", found=repr(texts[self.found]), why=self.why, n=agreed,
                      recording=recording)  # fmt: skip
        one = erratum(self.item, "heard-otherwise", detail, heard=texts[self.found], why=self.why,
                      agreed=agreed, recording=recording)  # fmt: skip
        witness = one.witness | {"key": texts[self.key]}
        name = f"{EXAMPLE}{recording}" if self.example else one.id
        return msgspec.structs.replace(one, id=name, witness=witness)


def heard_otherwise(items: Sequence[AskedItem]) -> Iterator[Erratum]:
    """The reference listener, right on nearly all others of the kind, hears another option.

    Worked examples are heard too: what they say is as much a key as that of an item.
    """
    from zhiyin.plugins.music.listener.spectrum import one_core

    kinds: dict[tuple[str, ...], list[HeardQuestion]] = defaultdict(list)
    seen: set[tuple[str, ...]] = set()
    with one_core():
        for item in items:
            for messages, key in _questions(item):
                sounds = [p for m in messages for p in m.parts if isinstance(p, Audio)]
                kind = tuple(sorted(option.text for option in item.trial.options))
                name = (*(sound.sha256 for sound in sounds), *kind)
                if not sounds or name in seen:
                    continue
                seen.add(name)
                if (answer := _answer(messages, item)) is not None:
                    example = messages[-1] is not item.trial.messages[-1]
                    kinds[kind].append(HeardQuestion(item, key, *answer, example, sounds[-1].path))
    for several in kinds.values():
        agreed = sum(one.key == one.found for one in several)
        if agreed < max(_LEAST, _SHARE * (len(several) - 1)):
            continue
        yield from (one.erratum(agreed) for one in several if one.key != one.found)


def _questions(item: AskedItem) -> Iterator[tuple[list[Message], str]]:
    """Yield the question and each worked example before it, with the key of its answer."""
    messages = list(item.trial.messages)
    system = [message for message in messages if message.role == "system"]
    options = item.trial.options
    for place, message in enumerate(messages[:-1]):
        if message.role == "user" and messages[place + 1].role == "assistant":
            key = _said(messages[place + 1].text, options)
            yield from [([*system, message], key)] if key else []
    if len(item.right) == 1 and item.trial.target in {option.key for option in options}:
        yield [*system, messages[-1]], str(item.trial.target)


def _said(text: str, options: Sequence[Option]) -> str | None:
    """The key of the option that a worked answer ends with; None where that is not clear."""
    last = text.strip().rpartition("\n")[2].strip()
    letter = re.fullmatch(r"(?:Final Answer: *)?([A-Z])\.?(?: .*)?", last)
    named = [o.key for o in options if o.text.strip().rstrip(".") in last]
    if len(named) == 1:
        return named[0]
    found = [o.key for o in options if letter and o.letter == letter[1]]
    return found[0] if found else None


def _answer(messages: list[Message], item: AskedItem) -> tuple[str, str] | None:
    """The key of the option that the listener hears, and why; None where it does not say."""
    from zhiyin.plugins.music.listener.model import reply

    options = item.trial.options
    try:
        said_ = reply(messages, options, item.trial.stem)
    except (InputError, OSError):
        return None
    key = _said(said_.text, options)
    return None if key is None else (key, str(said_.detail.get("why", "")))
