"""What is checked of each question without asking anybody, and of all of them together.

Reasons
-------
no-single-key
    The right answer stands among the wrong ones, or within one, or one within it.
repeated-option
    Two wrong answers are the same.
points-elsewhere
    An option points at others ("all of the above"), or the question at the text.
unlike-length
    The longest option has more than `RATIO` times the letters of the shortest, and `APART` more.
unlike-form
    Some options are whole sentences or begin with a capital, others not.
without-evidence
    The words that the answer rests on stand in no caption of the track.
speaks-to-the-model
    Question or option hold words that instruct a model.
names-the-track
    Question or option hold title or artist.
gives-itself-away
    The question holds the right answer.
near-duplicate
    The question is nearly one that was asked about the same track, or, of texts, one that was
    asked at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from difflib import SequenceMatcher

from zhiyin.forge.injection import speaks
from zhiyin.forge.items import Item, Track
from zhiyin.forge.stages import Checked, Fallen
from zhiyin.judges.reading import quoted_in
from zhiyin.text import one_width

RATIO, APART = 2.5, 15
"""Two options of "piano" and "double bass" are alike enough; one of 60 letters is not."""
LIKE = 0.85
"""Likeness of two questions, from 0 to 1, from which on one of them falls."""
_ELSEWHERE = re.compile(
    r"\b(?:all|none|both|neither|either|any)\b[^\n]{0,12}\b(?:above|options?|choices|these)\b"
    r"|^\(?[A-Z]\)? (?:and|or|&) \(?[A-Z]\)?$|以上|上述|都(?:是|对)|均(?:是|对)",
    re.IGNORECASE,
)
_OF_TEXT = re.compile(
    r"\b(?:captions?|descriptions?|the text|the labels?|tags?|according to)\b|描述|文字|标签"
    r"|\bthe (?:passage|author|excerpt)(?:'s)? (?:says?|states?|mentions?|calls?)\b|作者认为",
    re.IGNORECASE,
)
_COMMON = frozenset(
    {"a", "an", "and", "as", "by", "for", "from", "in", "is", "it", "its", "of", "on", "or", "the"}
    | {"this", "to", "with"}
)
_AFTER_A_NOTE = frozenset(
    {"major", "minor", "maj", "min", "flat", "sharp", "natural", "harmonic", "melodic", "dorian"}
    | {"phrygian", "lydian", "mixolydian", "aeolian", "locrian", "diminished", "augmented"}
)
"""Before these, and at the end, "a" may be the note: "A minor" is not "C minor" with another
article, nor is "note A" another word for "note"."""


def checks_of(tracks: Mapping[str, Track], *, texts: bool = False) -> list[Checked[Item]]:
    """The checks of questions, in order. The last ones remember what has passed them.

    Parameters
    ----------
    tracks : mapping
        By id. A question whose track is not among them falls as ``without-track``.
    texts : bool
        Whether these are texts: a question may name what its book is called after, and none is
        asked twice in the whole set. (Of each recording one may ask which instruments play.)
    """
    earlier: dict[str, list[Item]] = {}
    asked: dict[str, str] = {}
    checks: list[Checked[Item]] = [
        lambda item: (
            None if item.track in tracks else Fallen(item.id, "without-track", repr(item.track))
        ),
        one_key,
        _elsewhere,
        _length,
        _form,
        lambda item: _speaks(item),
        lambda item: None if texts else _names(item, tracks[item.track]),
        _gives_away,
        lambda item: _evidence(item, tracks[item.track]),
        lambda item: _near(item, earlier.setdefault(item.track, [])),
    ]
    return [*checks, lambda item: _again(item, asked)] if texts else checks


def folded(text: str) -> str:
    """The words of a text between single spaces, one before and one behind: to look for others."""
    plain = "".join(c if c.isalnum() or c == "#" else " " for c in one_width(text).casefold())
    return f" {' '.join(plain.split())} "


def bare(text: str) -> str:
    """As `folded`, without articles and other small words, so that "the lute" is "a lute"."""
    words = folded(text).split()
    return " ".join(
        word
        for word, after in zip(words, [*words[1:], ""], strict=False)
        if word not in _COMMON or (word == "a" and (not after or after in _AFTER_A_NOTE))
    )


def one_key(item: Item) -> Fallen | None:
    """One option is right, and all differ by more than small words."""
    right, *wrong = (bare(text) for text in item.options)
    letters = any(len(text) < 2 and text.isascii() for text in item.options)  # 笛 is a word
    if not all((right, *wrong)) or letters:
        return Fallen(item.id, "no-single-key", "an option holds no word")
    for text, plain in zip(item.options[1:], wrong, strict=True):
        padded = (f" {right} ", f" {plain} ")
        if padded[0] in padded[1] or padded[1] in padded[0]:
            return Fallen(item.id, "no-single-key", f"{item.answer!r} beside {text!r}")
    twice = [plain for plain, count in Counter(wrong).items() if count > 1]
    return Fallen(item.id, "repeated-option", repr(twice[0])) if twice else None


def _elsewhere(item: Item) -> Fallen | None:
    phrase = next((text for text in item.options if _ELSEWHERE.search(text)), None)
    if phrase is None and (match := _OF_TEXT.search(item.question)):
        phrase = match[0]
    return Fallen(item.id, "points-elsewhere", repr(phrase)) if phrase else None


def _length(item: Item) -> Fallen | None:
    sizes = sorted(item.options, key=len)
    short, long = len(sizes[0]), len(sizes[-1])
    if long <= RATIO * short or long - short <= APART:
        return None
    return Fallen(item.id, "unlike-length", f"{sizes[0]!r} beside {sizes[-1]!r}")


def _form(item: Item) -> Fallen | None:
    """Whether every option ends like a sentence or none does, and likewise for capitals."""
    ends = {text.endswith((".", "。", "!", "！")) for text in item.options}
    if len(ends) > 1:
        return Fallen(item.id, "unlike-form", "only some of its options end like a sentence")
    capitals = {text[0].isupper() for text in item.options if text[0].isalpha()}
    if len(capitals) > 1:
        return Fallen(item.id, "unlike-form", "only some of its options begin with a capital")
    return None


def _speaks(item: Item) -> Fallen | None:
    for text in (item.question, *item.options):
        if passage := speaks(text):
            return Fallen(item.id, "speaks-to-the-model", repr(passage))
    return None


def _names(item: Item, track: Track) -> Fallen | None:
    for what, name in (("title", track.title), ("artist", track.artist)):
        known = folded(name)
        if len(known) > 4 and any(known in folded(text) for text in (item.question, *item.options)):
            return Fallen(item.id, "names-the-track", f"the {what} {name!r}")
    return None


def _gives_away(item: Item) -> Fallen | None:
    right = bare(item.answer)
    if f" {right} " in f" {bare(item.question)} ":
        return Fallen(item.id, "gives-itself-away", f"{item.answer!r} in {item.question!r}")
    return None


def _evidence(item: Item, track: Track) -> Fallen | None:
    if any(quoted_in(item.evidence, text) for text in (*track.captions, *track.labels)):
        return None
    return Fallen(item.id, "without-evidence", repr(item.evidence[:80]))


def _near(item: Item, earlier: list[Item]) -> Fallen | None:
    for other in earlier:
        if like(item, other) >= LIKE:
            return Fallen(item.id, "near-duplicate", f"nearly {other.id}: {item.question!r}")
    earlier.append(item)
    return None


def _again(item: Item, asked: dict[str, str]) -> Fallen | None:
    other = asked.setdefault(bare(item.question), item.id)
    if other == item.id:
        return None
    return Fallen(item.id, "near-duplicate", f"as {other}: {item.question!r}")


def like(one: Item, other: Item) -> float:
    """How like two questions are, from 0 to 1, by the letters of their words."""
    first, second = bare(one.question), bare(other.question)
    return SequenceMatcher(None, first, second, autojunk=False).ratio()
