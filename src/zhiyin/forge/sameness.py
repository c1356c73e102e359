"""What is checked of a paraphrase without asking anybody: what no other wording may change.

Reasons
-------
unchanged, repeated
    It is the original, or another wording of it, but for punctuation and case.
other-language, other-lines
    Chinese where the original has none, or none where it has; or lines where it has one.
too-long
    More than so many times as long, or an option so.
numbers-changed, names-changed, quotation-changed, blanks-changed
    Numbers; notes, chords and letters; what is quoted or notated; the blanks to be filled.
negation-changed, degree-changed, term-changed
    "not", "except"; "most", "before"; musical terms: those of the original and no others.
answer-words-changed
    A word of an option stands in the one wording of the stem and not in the other.
option-is-a-name
    An option of few words is reworded.
options-alike
    Two options say the same now.
gives-itself-away
    The stem holds the right answer now, or it has become the longest option.
speaks-to-the-model
    It instructs a model, and the original does not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from zhiyin.forge.checks import bare, folded, speaks
from zhiyin.forge.grammar import ForgeLanguage, forge_language, language_of, quotations
from zhiyin.forge.stages import Fallen
from zhiyin.text import one_width

_NUMBER = re.compile(r"\d++(?:[./:]\d++)*+")
_NAME = re.compile(
    r"(?<![A-Za-z])(?:[A-Z](?:#|b|♯|♭)?(?:maj|min|dim|aug|sus|m)?\d{0,2}|[IVX]{2,8}|[ivx]{2,8})"
    r"(?![A-Za-z])"
)
_BLANK = re.compile(r"_{2,}+|…{2,}+|（\s*+）|\(\s*+\)")
_PRONOUNS = frozenset({"I", "A"})
"""Letters that are words, too: "A" is taken for a note where no small word follows."""
_FEW_WORDS, _FEW_SIGNS = 3, 6
_SLACK, _SHORT = 20, 4


class ParaphraseItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question that is to be put in other words.

    Attributes
    ----------
    id : str
    item : str
        As the benchmark calls it.
    stem : str
    options : tuple of str
        In the order shown; of an item that is shown with several sets of options, all.
    right : str
        The right one of them; "" for a free answer.
    accepted : tuple of str
        Right answers of a free one.
    fixed : bool
        Whether its options stand where they cannot be reworded.
    recording : str
        The file of its first sound, for people; "" for none.
    of : tuple of str
        Hashes of its words.
    """

    id: str
    item: str
    stem: str
    options: tuple[str, ...] = ()
    right: str = ""
    accepted: tuple[str, ...] = ()
    fixed: bool = False
    recording: str = ""
    of: tuple[str, ...] = ()


class Paraphrase(msgspec.Struct, frozen=True):
    """A wording that is proposed: its stem, and the options that it changes, by their own texts."""

    stem: str
    options: dict[str, str] = {}

    def options_of(self, item: ParaphraseItem) -> tuple[str, ...]:
        """All options as it has them."""
        return tuple(self.options.get(text, text) for text in item.options)

    def right_of(self, item: ParaphraseItem) -> str:
        """The right one of these."""
        return self.options.get(item.right, item.right)


def fault_of(
    item: ParaphraseItem, other: Paraphrase, earlier: Sequence[Paraphrase], longest: float,
    *, ours: bool = False,
) -> Fallen | None:  # fmt: skip
    """What speaks against a paraphrase; None for nothing.

    Parameters
    ----------
    item : ParaphraseItem
    other : Paraphrase
    earlier : sequence of Paraphrase
        Those of the same item that are kept.
    longest : float
        How many times as long as the original it may be.
    ours : bool
        Whether it is by our grammar, whose frames do speak to the model.
    """

    def fallen(why: str, detail: str) -> Fallen:
        return Fallen(item.id, why, detail)

    shown = f"{other.stem!r} for {item.stem!r}"
    known = [_both(one.stem, one.options_of(item)) for one in earlier]
    own, new = _both(item.stem, item.options), _both(other.stem, other.options_of(item))
    if new == own or new in known:
        return fallen("repeated" if new in known else "unchanged", repr(other.stem))
    if language_of(other.stem) != language_of(item.stem):
        return fallen("other-language", shown)
    if other.stem.count("\n") != item.stem.count("\n"):
        return fallen("other-lines", shown)
    if len(other.stem) > longest * len(item.stem) + _SLACK:
        return fallen("too-long", shown)
    if (why := _changed(item.stem, other.stem)) is not None:
        return fallen(why, shown)
    answers = (*item.options, *item.accepted)
    if (word := _answer_word(answers, item.stem, other.stem)) is not None:
        return fallen("answer-words-changed", f"{word!r}: {shown}")
    if not ours and speaks(other.stem) and not speaks(item.stem):
        return fallen("speaks-to-the-model", repr(speaks(other.stem)))
    why_options = _option_fault(item, other, longest)
    return None if why_options is None else fallen(*why_options)


def _both(stem: str, options: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(folded, (stem, *options)))


def _option_fault(
    item: ParaphraseItem, other: Paraphrase, longest: float
) -> tuple[str, str] | None:
    """What speaks against its options: a reason and what shows it."""
    for own, text in other.options.items():
        shown = f"{text!r} for {own!r}"
        if folded(text) == folded(own):
            continue
        if _is_name(own):
            return "option-is-a-name", shown
        if len(text) > longest * len(own) + _SLACK or "\n" in text:
            return "too-long", shown
        if language_of(own) != language_of(text):
            return "other-language", shown
        if speaks(text) and not speaks(own):
            return "speaks-to-the-model", shown
        if (why := _changed(own, text)) is not None:
            return why, shown
    options, right = other.options_of(item), other.right_of(item)
    if len({*map(bare, options)}) < len({*map(bare, item.options)}):
        return "options-alike", repr(list(options))
    if right and _longest(options, right) and not _longest(item.options, item.right):
        return "gives-itself-away", f"the longest option now: {right!r}"
    key = bare(right)
    if key and f" {key} " in f" {bare(other.stem)} " and f" {key} " not in f" {bare(item.stem)} ":
        return "gives-itself-away", f"{right!r} in {other.stem!r}"
    return None


def _longest(options: Sequence[str], right: str) -> bool:
    return all(len(text) < len(right) for text in options if text != right)


def _is_name(text: str) -> bool:
    if language_of(text) == "zh":
        return len(text) <= _FEW_SIGNS
    return len(text.split()) <= _FEW_WORDS


def _changed(old: str, new: str) -> str | None:
    """The reason for which one text cannot stand for another."""
    language = forge_language(language_of(old))
    for why, find in _FOUND.items():
        if find(old, language) != find(new, language):
            return why
    return None


def _numbers(text: str, language: ForgeLanguage) -> Counter[str]:
    return Counter(_NUMBER.findall(one_width(text)))


def _names(text: str, language: ForgeLanguage) -> Counter[str]:
    plain = one_width(text)
    return Counter(
        match[0]
        for match in _NAME.finditer(plain)
        if not (match[0] in _PRONOUNS and plain[match.end() :].lstrip()[:1].islower())
    )


def _quotations(text: str, language: ForgeLanguage) -> tuple[list[str], list[str]]:
    """What is quoted, and lines of notation."""
    bars = [line for line in text.split("\n") if line.count("|") > 1]
    quoted = (text[start:stop] for start, stop in quotations(text))
    return sorted(words for words in quoted if "|" not in words), bars


def _blanks(text: str, language: ForgeLanguage) -> int:
    return len(_BLANK.findall(text))


@cache
def _pattern(words: tuple[str, ...], *, begin: bool) -> re.Pattern[str]:
    """Any of some words; of Latin ones whole, or their beginnings."""
    longest = sorted(words, key=lambda word: (-len(word), word))
    pattern = "|".join(map(re.escape, longest))
    if language_of(words[0]) == "en":
        pattern = rf"(?<![a-z])(?:{pattern})" + ("" if begin else r"(?![a-z])")
    return re.compile(pattern)


def _words(text: str, words: tuple[str, ...], *, begin: bool = False) -> list[str]:
    plain = one_width(text).lower().replace("’", "'").replace("n't", " not")
    return _pattern(words, begin=begin).findall(plain)


def _negations(text: str, language: ForgeLanguage) -> Counter[str]:
    return Counter(_words(text, language.negations))


def _degrees(text: str, language: ForgeLanguage) -> set[str]:
    return set(_words(text, language.degrees))


def _terms(text: str, language: ForgeLanguage) -> set[str]:
    return set(_words(text, language.terms, begin=True))


_FOUND = {
    "numbers-changed": _numbers,
    "names-changed": _names,
    "quotation-changed": _quotations,
    "blanks-changed": _blanks,
    "negation-changed": _negations,
    "degree-changed": _degrees,
    "term-changed": _terms,
}


def _answer_word(answers: Iterable[str], old: str, new: str) -> str | None:
    """A word of an option that stands in one of two stems alone; of Chinese the whole option."""
    before, after = bare(old), bare(new)
    for answer in answers:
        plain = bare(answer)
        chinese = language_of(answer) == "zh"
        for word in [plain] if chinese else plain.split():
            if len(word) < (2 if chinese else _SHORT):  # notes are looked at as names
                continue
            inside = [
                word in text if chinese else f" {word} " in f" {text} " for text in (before, after)
            ]
            if inside[0] != inside[1]:
                return word
    return None
