"""Answers that a rule can compare, and the test whether two of them say the same.

The published project releases no scoring code. A rule is used for answers of two words at most;
everything longer, and every list, goes to a judge.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from zhiyin.numerals import NUMBER_WORDS
from zhiyin.reader.policy import Value, form

AnswerForm = Literal["yes-no", "short", "long"]
WORDS, YES_NO = form("words"), form("yes_no")
_LIST = re.compile(r"[;；，,\n、]|\s/\s|[A-Za-z]/[A-Za-z]{2}")
_GLOSS = re.compile(r"^(.*?\S)\s?[(（]([^()（）]+)[)）]$")
_PROGRESSION = re.compile(
    r"^[#♯b♭]?(?:VI{0,3}|I{1,3}V?|vi{0,3}|i{1,3}v?|K)(?![a-z])[ø°o+\d/IViv–—-]*$"
)
_LEADING = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)
_TOKEN = re.compile(r"\d+/\d+|[a-z](?:#|b)?\d?(?![a-z'])|[^\W_]+(?:#\d?)?", re.IGNORECASE)
_DASH = re.compile(r"[‐-―−~-]")
_ALTERED = re.compile(r"\b([a-g])[ -]?(sharp|flat)\b", re.IGNORECASE)
_BARS = re.compile(r"\b(?:measure|bar|m)\w{0,3}\.?\s?(?=\d)|\bmm?\.", re.IGNORECASE)
_SMALL = {word: str(number) for number, word in enumerate(NUMBER_WORDS[:13])}
_BRITISH = {
    "semibreve": "whole", "minim": "half", "crotchet": "quarter", "quaver": "eighth",
    "semiquaver": "sixteenth", "demisemiquaver": "thirty second",
}  # fmt: skip
_FRACTIONS = {"4th": "quarter", "8th": "eighth", "16th": "sixteenth", "32nd": "thirty second"}
_LENGTHS = frozenset(["whole", "half", "quarter", "eighth", "sixteenth", "second"])
_FILLERS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "with",
        "in",
        "is",
        "are",
        "it",
        "its",
        "to",
        "and",
        "from",
        "at",
        "on",
        "this",
    ]
)
_NOTHING = frozenset(("none", "no", "nothing", "nil", "na", "absent", "not any", "not present"))


def form_of(key: str) -> AnswerForm:
    """Choose how a key is compared: as yes or no, as a short answer by rule, or by a judge."""
    bare = key.strip()
    if bare.casefold() in ("yes", "no"):
        return "yes-no"
    head = _GLOSS.match(bare)
    words = (head[1] if head else bare).split()
    if _PROGRESSION.match(bare):
        return "short"
    return "short" if len(words) <= 2 and not _LIST.search(bare) else "long"


def stated(text: str, kind: AnswerForm) -> Value:
    """The answer that a reply states.

    Of yes or no, the word that the stated answer begins with, else what the reply says.
    """
    words = WORDS(text)
    if kind != "yes-no" or words.value is None:
        return words
    leading = _LEADING.match(str(words.value))
    if leading:
        return Value(leading[1].lower() == "yes", words.why, words.span, words.confidence)
    return YES_NO(text)


def is_same(answer: str, key: str, question: str) -> bool:
    """Tell whether a short answer says what the key says.

    Case, signs, plurals, accents, articles and words of the question do not matter ("Treble" for
    "Treble clef" where a clef is asked for), nor does a gloss in brackets. Roman numerals keep
    their case. "None" is an answer: that there is no such thing. Of a composer the family name
    decides, and initials that differ are another one.

    Parameters
    ----------
    answer, key, question : str
    """
    if _PROGRESSION.match(key.strip()):
        return _numerals(answer) == _numerals(key)
    if "composer" in question.casefold():
        return _is_same_name(answer, key)
    asked = set(_tokens(question))
    if _is_nothing(key, ()):
        return _is_nothing(answer, asked)
    given = _variants(answer)
    return any(
        _core(one, asked) == _core(other, asked) for one in given for other in _variants(key)
    )


def _variants(text: str) -> list[str]:
    """A text as it stands, and both parts of one with a gloss: "f (forte)"."""
    gloss = _GLOSS.match(text.strip().rstrip("."))
    return [text, gloss[1], gloss[2]] if gloss else [text]


def _tokens(text: str) -> list[str]:
    """Words for comparison, in order."""
    plain = unicodedata.normalize("NFKD", text.replace("♯", "#").replace("♭", "b")).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c)).replace("’", "'")
    plain = _BARS.sub("measure ", _DASH.sub(" ", _ALTERED.sub(_sign, plain)))
    words: list[str] = []
    for token in _TOKEN.findall(plain):
        word = token[:-1] if len(token) > 3 and token.endswith("s") else token
        word = _SMALL.get(word, _FRACTIONS.get(word, _BRITISH.get(word, word)))
        if word != "note" or not words or words[-1] not in _LENGTHS:  # "eighth note" is "eighth"
            words += word.split()
    return words


def _sign(match: re.Match[str]) -> str:
    return match[1] + ("#" if match[2].lower() == "sharp" else "b")


def _core(text: str, asked: set[str]) -> list[str]:
    """The words that answer: without fillers and what the question says; all if none is left."""
    words = [word for word in _tokens(text) if word not in _FILLERS] or _tokens(text)
    return [word for word in words if word not in asked] or words


def _is_nothing(text: str, asked: Sequence[str] | set[str]) -> bool:
    """Tell whether it says that there is no such thing: "none", "n/a", of dynamics "no dynamics".

    "No" alone answers another question.
    """
    words = [w for w in _tokens(text.replace("/", "")) if w not in _FILLERS and w != "there"]
    said = " ".join(w for w in words if w not in asked or w in _NOTHING)
    return said in _NOTHING and words != ["no"]


def _numerals(text: str) -> list[str]:
    """The chords of a progression, each as it is written, but for kinds of signs and dashes."""
    plain = unicodedata.normalize("NFKC", text).replace("♯", "#").replace("♭", "b")
    return [part for part in re.split(r"[\s,;.]+", _DASH.sub(" ", plain)) if part and part != "to"]


def _is_same_name(answer: str, key: str) -> bool:
    one, other = (re.split(r"[\s.]+", " ".join(_name(text))) for text in (answer, key))
    if not one[-1] or one[-1] != other[-1]:
        return False
    given = [name[0][0] for name in (one[:-1], other[:-1]) if name and name[0]]
    return len(set(given)) < 2


def _name(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return re.findall(r"[^\W\d_]+", plain)
