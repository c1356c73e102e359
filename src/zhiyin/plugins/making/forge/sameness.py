"""Checks of a paraphrase without asking anybody: what no other wording may change.

Reasons
-------
unchanged, repeated
    It is the original, or another wording of it, but for punctuation and case.
other-language, other-lines
    Chinese where the original has none, or none where it has; English where it is mostly Chinese,
    or seems to be in another language; or lines where it has one.
too-long
    More than so many times as long, or an option so.
numbers-changed, names-changed, quotation-changed, blanks-changed
    Numbers; notes, chords, letters and names; what is quoted, marked up or notated; the blanks
    to be filled. Numbers and notes keep their order, and terms do where one is before another.
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
adds-words
    Something stands behind the question, in brackets, or in signs that nobody sees.
speaks-to-the-model
    It instructs a model, and the original does not.

A question in other words without a model: phrases that stand for each other, and frames.

What it may do stands in ``languages/en.toml`` and ``languages/zh.toml``; it rewords stems alone,
and changes little: what a figure owes to words is shown by it at the least.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from unicodedata import category

import msgspec

from zhiyin.parsing import read_toml_text
from zhiyin.plugins.making.forge import Fallen, chance_of
from zhiyin.plugins.making.forge.checks import AFTER_A_NOTE, bare, folded, speaks
from zhiyin.text import one_width

_NUMBER = re.compile(r"\d++(?:[./:]\d++)*+|[零一二三四五六七八九十百千两]{2,}+")
_NAME = re.compile(
    r"(?<![A-Za-z])(?:[A-Z](?:#|b|♯|♭)?(?:maj|min|dim|aug|sus|m)?\d{0,2}|[IVX]{2,8}|[ivx]{2,8})"
    r"(?![A-Za-z])"
    r"|(?<![\w'’.-])[b-hj-z](?![\w'’-]|\.\w)|\([a-z]\)"
)
_PROPER = re.compile(r"(?<=[a-z,;] )[A-Z][A-Za-z-]{1,40}")
_TAG = re.compile(r"<[^<>\n]{1,60}>")
_BRACKET = re.compile(r"[(（\[【{]")
_BLANK = re.compile(r"_{2,}+|…{2,}+|（\s*+）|\(\s*+\)")
_PRONOUNS = frozenset({"I", "A"})
"""Letters that are words, too: "A" is taken for a note where no small word follows."""
_FEW_WORDS, _FEW_SIGNS = 3, 6
_SLACK, _SHORT, _SENTENCE = 20, 4, 4


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
    """Find the fault of a paraphrase; None if there is none.

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
    if _translated(item.stem, other.stem):
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
    if not ours and _adds(item.stem, other.stem):
        return fallen("adds-words", shown)
    why_options = _option_fault(item, other, longest)
    return None if why_options is None else fallen(*why_options)


def _both(stem: str, options: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(folded, (stem, *options)))


def _option_fault(
    item: ParaphraseItem, other: Paraphrase, longest: float
) -> tuple[str, str] | None:
    """Find the fault of its options: a reason and what shows it."""
    for own, text in other.options.items():
        shown = f"{text!r} for {own!r}"
        if folded(text) == folded(own):
            continue
        if _is_name(own):
            return "option-is-a-name", shown
        if len(text) > longest * len(own) + _SLACK or "\n" in text:
            return "too-long", shown
        if _translated(own, text):
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
    """The reason for which one text cannot stand for another, in either language's words."""
    languages = [forge_language(name) for name in ("en", "zh")]
    for why, find in _FOUND.items():
        if any(find(old, language) != find(new, language) for language in languages):
            return why
    return "names-changed" if _proper_changed(old, new) else None


def _translated(old: str, new: str) -> bool:
    """Tell whether one of two texts is in another language, as far as can be seen."""
    if language_of(old) != language_of(new):
        return True
    tongues = tongue_of(old), tongue_of(new)
    if all(tongues):
        return tongues[0] != tongues[1]
    return any(tongues) and len((new if tongues[0] else old).split()) >= _SENTENCE


def _numbers(text: str, language: ForgeLanguage) -> list[str]:
    return _NUMBER.findall(one_width(text))


def _names(text: str, language: ForgeLanguage) -> list[str]:
    plain = one_width(text)
    return [
        match[0]
        for match in _NAME.finditer(plain)
        if not (match[0] in _PRONOUNS and _goes_on(plain[match.end() :]))
    ]


def _goes_on(text: str) -> bool:
    """Tell whether a small word comes next that does not stand behind a note."""
    word = text.lstrip()[:1].islower() and folded(text[:40]).split()[0]
    return bool(word) and word not in AFTER_A_NOTE


def _quotations(text: str, language: ForgeLanguage) -> tuple[list[str], list[str]]:
    """Return what is quoted or marked up, and lines of notation."""
    bars = [line for line in text.split("\n") if line.count("|") > 1]
    quoted = [text[start:stop] for start, stop in quotations(text)]
    return sorted([*_TAG.findall(text), *(words for words in quoted if "|" not in words)]), bars


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
    return {*_words(text, language.degrees), *_words(text, language.relations)}


def _terms(text: str, language: ForgeLanguage) -> tuple[set[str], list[str]]:
    """Musical terms; in their order where one stands before another."""
    terms = _words(text, language.terms, begin=True)
    return set(terms), terms if _words(text, language.relations) else []


def _proper_changed(old: str, new: str) -> bool:
    """Tell whether one has a capitalised word within a sentence that the other lacks entirely."""
    both = [one_width(text).replace("’", "'") for text in (old, new)]
    folds = [text.casefold().replace("n't", " not") for text in both]
    return any(
        name.casefold() not in folds[1 - place]
        for place, text in enumerate(both)
        for name in _PROPER.findall(text)
    )


def _adds(old: str, new: str) -> bool:
    """Tell whether something is added: behind the question, in brackets, or invisibly."""
    hidden = (sum(category(sign) == "Cf" for sign in text) for text in (old, new))
    if len(_BRACKET.findall(old)) != len(_BRACKET.findall(new)) or next(hidden) < next(hidden):
        return True
    tail = folded(_behind(new))
    return bool(tail.strip()) and tail != folded(_behind(old))


def _behind(text: str) -> str:
    """Return the text behind the last question mark."""
    _, mark, behind = one_width(text).rpartition("?")
    return behind if mark else ""


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
