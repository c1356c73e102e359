"""The options of a question as the reader looks them up: by letter, by text, in other words.

In other words an option is found only where a short reply fits it and no other.

Other spellings of an option's text, of chords, notes, metres, and of words that are joined, are
names by which a reply may call the option, where no other option has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from zhiyin.numerals import NUMBER_WORDS
from zhiyin.reader.cues import lexicon, listed
from zhiyin.reader.plain import bare, in_plain_words
from zhiyin.text import compared
from zhiyin.trial import Option

SHARED = "?"
"""Stands for "more than one option" where a letter is expected."""

_ARTICLE = re.compile(r"(?:an?|the)\s+(?=\S{3})")
_INNER = re.compile(r"\(([^()]{3,})\)$")
_NUMBERED = re.compile(r"(\d{1,2})[.)、]\s?(\D.*)")
_YES_COMMA = re.compile(r"(?:yes|no|是的?|否|不是),\s?")
_MODE = re.compile(r"a (?:minor|major|flat|sharp|natural|dorian|phrygian|lydian|mixolydian)\b")
_UNIT = re.compile(r"(\d+(?:\.\d+)?) ([a-z]+)")
_STEP = re.compile(r" ?(?:-|→|->) ?")
_HIGHEST_NAMED = 12
"""Up to here an option that is a number is also called by its word."""

_YES = re.compile(r"(?:yes|true|right|是的?|对|正确|相同|一样)(?![\w])|(?:是|对|相同|正确)")
_NO = re.compile(r"(?:no|false|not|wrong)(?![\w])|(?:否|不|错|没有)")


class Choices:
    """The options of one question, prepared for looking up.

    Attributes
    ----------
    letters : str
        The letters shown, in order.
    own : dict of str to str
        Letter to folded text.
    written : dict of str to str
        Letter to text, its case kept.
    cased : dict
        Of texts whose case tells: how each is written, and its letter.
    texts : dict of str to str
        Folded text, or a short name of it, to letter, the longest first; `SHARED` where
        several options have it.
    yes, no : str
        The letter of the one option that says yes, and of the one that says no; "" for none.
    closed : bool
        Whether there is no other answer: what is left when all but one are excluded is it.
    opposites : bool
        Whether the two options deny each other.
    numeric : bool
        Whether every text begins with a digit.
    """

    def __init__(self, pairs: tuple[tuple[str, str], ...], closed: bool = True) -> None:
        self.closed = closed
        self.letters = "".join(letter for letter, _ in pairs)
        self.written = {letter: _words(letter, text) for letter, text in pairs}
        self.own = {letter: bare(text.lower()) for letter, text in self.written.items()}
        self.cased: dict[str, dict[str, str]] = {}
        texts: dict[str, str] = {}
        for letter, text in self.own.items():
            if text:
                texts[text] = SHARED if text in texts else letter
        self._told_by_case(texts)
        self._short_names(texts)
        self._shared_ends(texts)
        self.texts = dict(sorted(texts.items(), key=lambda item: -len(item[0])))
        self.yes, self.no = self._yes_no()
        if self.yes:
            self.texts |= {"y": self.yes, "n": self.no}
        own_texts = set(self.own.values())
        self.opposites = len(pairs) == 2 and any(own_texts == pair for pair in _OPPOSITES)
        self.numeric = bool(pairs) and all(text[:1].isdigit() for text in self.own.values() if text)

    def _told_by_case(self, texts: dict[str, str]) -> None:
        """Notes how texts are written that a case or an accent alone tells apart."""
        for letter, written in self.written.items():
            own = self.own[letter]
            if own and (texts[own] == SHARED or case_tells(written)):
                self.cased.setdefault(own, {})
                twice = written in self.cased[own]
                self.cased[own][written] = SHARED if twice else letter
        for own, letters in list(self.cased.items()):
            if len(set(map(compared, letters))) < len(letters):
                del self.cased[own]  # words that differ in case alone are one word

    def whose(self, name: str, written: str) -> str:
        """The letter of the option that has `name`, one of `texts`, as the reply writes it.

        `SHARED` where it is several options', "" where its case makes it another thing.
        """
        if name not in self.cased:
            return self.texts[name]
        if len(written) > 2:
            written = written[:1].upper() + written[1:] if written[:1] in "abcdefg" else written
        return self.cased[name].get(written, SHARED if self.texts[name] == SHARED else "")

    def _short_names(self, texts: dict[str, str]) -> None:
        """Adds what a text is also called: without its brackets, what they hold, no article."""
        whole = dict(texts)
        for text, letter in whole.items():
            inner = _INNER.search(text)
            names = [text.partition(" (")[0], inner[1] if inner else ""]
            names += [] if _MODE.match(text) else [_ARTICLE.sub("", text, 1)]
            names += [text.strip("\"'()[] "), _YES_COMMA.sub("", text, 1)]
            numbered = _NUMBERED.match(text)
            names += numbered.groups() if numbered else ()
            names += spellings(self.written.get(letter, text))
            if _UNIT.fullmatch(text):
                names.append(text.replace(" ", ""))
            steps = _STEP.split(text)
            if len(steps) > 2:
                names += [step.join(steps) for step in ("-", " - ", "→", " → ", "->", " -> ")]
            if text.isdecimal() and int(text) <= _HIGHEST_NAMED:
                names.append(NUMBER_WORDS[int(text)])
            for written in names:
                name = bare(written.lower())
                if name and name != text and name not in whole:
                    texts[name] = SHARED if texts.get(name, letter) != letter else letter
                if name and case_tells(written):
                    self.cased.setdefault(name, {}).setdefault(written, letter)

    def _shared_ends(self, texts: dict[str, str]) -> None:
        """Adds the texts without the words with which all of them begin or end: "120" BPM."""
        parts = [text.split(" ") for text in self.own.values()]
        if len(parts) < 2 or min(map(len, parts)) < 2:
            return
        for last in (True, False):
            ends = {words[-1] if last else words[0] for words in parts}
            if len(ends) > 1:
                continue
            for letter, words in zip(self.own, parts, strict=True):
                name = " ".join(words[:-1] if last else words[1:])
                if len(name) > 1 or name.isdigit():
                    texts.setdefault(name, letter)

    def _yes_no(self) -> tuple[str, str]:
        no = [letter for letter, text in self.own.items() if _NO.match(text)]
        yes = [letter for letter, text in self.own.items() if _YES.match(text) and letter not in no]
        if len(yes) == 1 and len(no) == 1 and len(self.own) < 4:
            return yes[0], no[0]
        return "", ""

    def begins(self, words: str, at: int) -> tuple[str, str]:
        """The longest text that stands in `words` (lower case) at `at`, and its letter."""
        for text, letter in self.texts.items():
            if words.startswith(text, at) and ends_word(words, at + len(text)):
                return text, letter
        return "", ""


@lru_cache(maxsize=1024)
def _prepared(pairs: tuple[tuple[str, str], ...]) -> Choices:
    return Choices(pairs)


def prepare(options: Sequence[Option]) -> Choices:
    """The prepared form of `options`, kept for as long as the same question is asked."""
    return _prepared(tuple([(option.letter, option.text) for option in options]))


def telling(text: str) -> bool:
    """Tell whether a text names something in running prose: no letter, number or yes."""
    if text in ("yes", "no", "not", "true", "false", "相同", "不同", "正确", "错误"):
        return False
    return len(text) >= 3 or (len(text) == 2 and not text.isascii() and text.isalnum())


def starts_word(words: str, at: int) -> bool:
    """Tell whether a word of a script with spaces, or a number, may begin at `at`."""
    if at == 0 or at >= len(words):
        return True
    before = words[at - 1]
    if (
        at > 1
        and words[at].isdigit()
        and (before == "-" or (before in ".,/" and words[at - 2].isdigit()))
    ):
        return False
    return not (latin(before) and latin(words[at]))


def ends_word(words: str, end: int) -> bool:
    """Tell whether a word of a script with spaces, or a number, may end at `end`."""
    if end >= len(words):
        return True
    if latin(words[end]) and latin(words[end - 1]):
        return False
    following = words[end + 1 : end + 2]
    return not (words[end] in ".,/" and words[end - 1].isdigit() and following.isdigit())


def latin(character: str) -> bool:
    """Tell whether words written in this character's script are set apart by spaces."""
    return character.isalnum() and character < "\u2e80"


_OPPOSITES = (
    {"same", "different"}, {"the same", "different"}, {"相同", "不同"}, {"相同", "不相同"},
    {"一样", "不一样"}, {"一致", "不一致"}, {"true", "false"}, {"正确", "错误"},
)  # fmt: skip


def _words(letter: str, text: str) -> str:
    words = in_plain_words(text)
    label = re.match(rf"\(?{re.escape(letter)}[.):]\s*", words, re.IGNORECASE)
    return words[label.end() if label else 0 :].rstrip(" .")


_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[\u4e00-\u9fff]")
_EMPTY = frozenset(listed(lexicon("english_talk")["empty"], lexicon("chinese")["empty"]))
"""Words that mean nothing by themselves."""

_DENIED = re.compile(
    r"\b(?:not|no|never|neither|nor|without|cannot|or|either|maybe)\b|n't|不|没|非|或|还是|\?|\d\s?%"
)
_SUBJECT = re.compile(
    r"(?:the|this|its) (?:overall |main |general |predominant |musical )?(?:mood|genre|style|tempo"
    r"|instrument|emotion|feeling|atmosphere|character|tone|texture|music|song|piece|track|clip"
    r"|excerpt)(?: of (?:the|this) \w+)? (?:is|sounds|feels|seems) "
)
_LONGEST = 80
"""Characters up to which a reply is short."""

_STEM = re.compile(r"(?<=[a-z]{3})(?:ing|ed|es|s|ly|y|ic)$")


def option_meant(lower: str, choices: Choices) -> str:
    """The letter of the one option whose words the reply uses, or "".

    All words of the reply that carry meaning must be words of that option, they must be at
    least half of its words, and no other option may share as many. A reply that denies, asks or
    doubts is left alone.

    Parameters
    ----------
    lower : str
        A reply in plain words, in lower case.
    choices : Choices
    """
    if len(lower) > _LONGEST or _DENIED.search(lower):
        return ""
    reply_words = _meaning(_SUBJECT.sub("", lower, count=1))
    if not reply_words or any(
        word.isdigit() or len(word) < 3 for word in reply_words if word.isascii()
    ):
        return ""
    fits: list[str] = []
    for letter, own in choices.own.items():
        option_words = _meaning(own)
        if (
            option_words
            and own not in choices.cased
            and reply_words <= option_words
            and 2 * len(reply_words) >= len(option_words)
        ):
            fits.append(letter)
    return fits[0] if len(fits) == 1 else ""


def _meaning(text: str) -> frozenset[str]:
    words = (word for word in _WORD.findall(text) if word not in _EMPTY)
    return frozenset(_STEM.sub("", word) for word in words)


_KINDS = map(listed, lexicon("music")["qualities"].strip().splitlines())
_SAME = {name: names for names in _KINDS for name in names}
"""Ways of writing one kind of chord, by each of them."""

_CHORD = re.compile(
    rf"([A-G][#b]?)[: ]?({'|'.join(sorted(map(re.escape, _SAME), key=len, reverse=True))})"
)
_NOTE = re.compile(r"([a-g])(?P<sign>[ -]?flat|b|[ -]?sharp|#)?(?=[ -]|$)", re.IGNORECASE)
_METRE = re.compile(r"(\d{1,2})/(\d{1,2})")
_SECTIONS = re.compile(r"[A-E]{3,8}")
_AND = re.compile(r"(?<=\w)\s?(?:&|\band\b|'n'?|\bn'?(?=\s))\s?(?=\w)", re.IGNORECASE)
_JOINTS = re.compile(r"[\s'-]+")
_CASE_TELLS = re.compile(r"(?:[A-G][#b]?)?[mM](?=[\d/ (]|$|add|maj|b5)")
_LEAST_JOINED = 5


def spellings(text: str) -> Iterator[str]:
    """Yield other spellings of a text. Those of chords keep their case.

    Parameters
    ----------
    text : str
        An option's text in plain words.
    """
    chord = _CHORD.fullmatch(text)
    if chord:
        for quality in _SAME[chord[2]]:
            joints = ("", ":", " ") if quality[0].isalpha() else ("", ":")  # C-7 is no C7
            yield from (chord[1] + joint + quality for joint in joints)
    lower = text.lower()
    note = _NOTE.match(text)
    if note and note["sign"]:
        flat = note["sign"].lower() in ("b", "flat", " flat", "-flat")
        for sign in ("b", " flat", "-flat") if flat else ("#", " sharp", "-sharp"):
            yield lower[0] + sign + lower[note.end() :]
    elif note and len(text) == 1:
        yield f"{lower} natural"
    metre = _METRE.fullmatch(text)
    if metre:
        yield from (joint.join(metre.groups()) for joint in (" / ", ":"))
        if max(counts := tuple(map(int, metre.groups()))) < len(NUMBER_WORDS):
            yield from (joint.join(NUMBER_WORDS[n] for n in counts) for joint in ("-", " "))
    if _SECTIONS.fullmatch(text):
        yield from (joint.join(lower) for joint in ("-", " ", ", "))
    if lower.endswith("°"):
        yield from (lower[:-1] + word for word in (" degrees", " degree"))
    if _AND.search(lower):
        yield from (_AND.sub(joint, lower) for joint in (" and ", " & ", "&", " 'n' ", " n "))
    joined = _JOINTS.sub("", lower)
    if joined != lower and len(joined) >= _LEAST_JOINED and joined.isalpha():
        yield joined


def case_tells(text: str) -> bool:
    """Tell whether another case would be another thing whatever the options are: M3 and m3."""
    return bool(_CASE_TELLS.match(text))
