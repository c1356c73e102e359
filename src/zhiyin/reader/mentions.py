"""Mentions of options in a reply: by letter, number or text; and what only looks like one.

A letter may be a note, a chord, a section or an article: `cues` knows these.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeVar

from zhiyin.numerals import NUMBER_WORDS
from zhiyin.reader.choices import SHARED, Choices, ends_word, starts_word, telling
from zhiyin.reader.cues import no_option
from zhiyin.reader.plain import Plain

Form = Literal["letter", "text", "number", "letters"]
Sure = Literal[0, 1, 2]
T = TypeVar("T")

MOST = 30
"""Mentions looked at from the beginning of a reply, and as many again, twice, from its end."""


class Mention(NamedTuple):
    """One naming of an option.

    Attributes
    ----------
    start, end : int
        Where it stands, its label and its own text included.
    letter : str
        The letter named; one beyond the options for "the answer is E".
    form : Form
    sure : int
        2 for a label ("option B", "(B)", "B. Minor"), 1 for a bare capital or a text, 0 for
        what is an option only where an answer is due ("b", a text of one character).
    lead : bool
        Whether it begins its line.
    clash : bool
        Whether its label is followed by the text of another option.
    """

    start: int
    end: int
    letter: str
    form: Form
    sure: int
    lead: bool = False
    clash: bool = False


_LETTER = re.compile(
    r"(?<![A-Za-z0-9_À-ÖØ-ɏ#♯♭\\-])(?<![A-Za-z]')([A-Za-z])(?![A-Za-z0-9_À-ÖØ-ɏ]|'(?![dt][ıiuü]r\b)[A-Za-z])"
)
_OF_ANOTHER = re.compile(r"\([A-Z]\)")
_RUN = re.compile(r"(?<![A-Za-z0-9_])([A-Z]{2,8})(?![A-Za-z0-9_])")
_OPEN = "\"'([{<$"
_BRACKETS = (")", "]", "}")
_INITIAL = re.compile(r"\. ?[A-Z0-9]")
"""After a capital: an initial, or a number in a catalogue of works."""

_NOUN = re.compile(
    r"(?:(?:options?|choices?|letter|answer choice|opción|opcion|option|opção|wahl)\s?#?\s?"
    r"|(?:选项|选择项|选択肢|ข้อ)\s?)[\"'(\[{<$]*$"
)
_AFTER = re.compile(
    r"(?P<wrap>[\"')\]}>$]*)"
    r"(?P<noun> ?(?:选项(?! ?[A-Za-z])|项(?!目)|答案(?=是|不|正|错))|\s(?:option|choice)\b)?"
)
_LABEL = re.compile(r"[\"')\]}>$]*(?:[.:、]|(?<=[)\]]))(?![A-Za-z0-9.]|\.)|[\"'\]}>$]*\)")
_BETWEEN = re.compile(
    r"[\"')\]}>$]*\s?(?:[.:、,|)=-]|\s-\s)?\s?"
    r"(?:(?:也就是|也即|亦即|即|namely|that is|i\.e\.),?\s?)?[\"'(\[]?"
)
_DIGIT = re.compile(
    r"(?:^|(?:answer|choice)(?: is)?\s?[:=]?\s?|答案[是为]?\s?:?\s?|我?选)"
    r"[\"'(\[]*([1-6])[\"')\]]*\.?$"
)
_NAMES = re.compile(r"(?:选项|项|中)?(?:的|是|为|即|[:,(])?\s?[\"'(\[]?")
_CLOSED = re.compile(r"[\"')\]}>$]*\s?(?:[.,;!\n]|$|选项|项)")
_A_COLON = re.compile(r"(?m)^[ >#-]*(A)[:.]")
_Q_COLON = re.compile(r"(?m)^\s*q\d?\s?[:.]")
_LEADING = re.compile(r"[^\w?]+|_+|\d{1,2}[.)]|(?<=\[)x(?=\])")
_NAMELY = re.compile(
    r"[\"')\]]*\s?[,(:;=→-]*\s?(?:(?:i\.e\.|that is|that's|this is|which is|so it is|namely|meaning"
    r"|也就是|也即|即|对应(?:的是|于)?|是|为)[,:]?\s?)+(?:the\s)?(?:option|choice|answer|选项)\s?[\"'(\[]*([A-Z])(?![A-Za-z])"
)
"""After a note: the option of which it is the text."""

_NUMBER = re.compile(
    r"(?:\b(?:option|choice)\s?(?:number\s|no\.?\s?|#\s?)?"
    r"(?P<digit>\d|one|two|three|four|five|six)\b(?![.,/]\d)|选项\s?(?P<cdigit>[一二三四五六1-6])(?![\d.])"
    r"|\b(?P<nth>first|second|third|fourth|fifth|sixth|last|1st|2nd|3rd|4th|5th)\s(?:listed\s"
    r"|given\s)?(?:option|one|statement|alternative|description|item|name|continuation|entry|label"
    r"|candidate)\b"
    r"|\bthe (?P<ofnth>first|second|third|fourth|fifth|last) of (?:these|them"
    r"|the (?:four|five|three|options|choices|list))\b"
    r"|第\s?(?P<cnth>[一二三四五六1-6])\s?(?:个(?:选项|答案|描述|说法|(?=[是对不正最才吧或])|(?![\u4e00-\u9fff]))|选项|项(?!目))"
    r"|\bthe (?P<bare>first|second|third|fourth|fifth|last)(?=\s?[.!,\n]|\s?$)"
    r"|(?P<clast>最后)一?(?:个选项|项|个(?![\u4e00-\u9fff])|个(?=[是对正最才]))(?!目))"
)
_NEAR = 120
_FORMER = re.compile(r"\bthe (?:(?P<former>former)|latter)\b|(?:(?P<zhformer>前)|后)者")
_COUNTED = re.compile(
    r"\bthe (?P<end>first|last) (?P<many>two|three|four|five)(?: options| choices| answers"
    r"| statements| ones)?\b(?! (?:bars|beats|notes|phrases|movements|sections|chords))"
    r"|(?P<zhend>前|最后|后)(?P<zhmany>[两二三四五2-5])(?:个选项|个答案|个|项)(?!目)"
)
_ORDINAL = {
    "两": 1,
    **{word: n for n, word in enumerate(NUMBER_WORDS[1:7])},
    **{word: n for n, word in enumerate(["first", "second", "third", "fourth", "fifth", "sixth"])},
    **{word: n for n, word in enumerate(["1st", "2nd", "3rd", "4th", "5th"])},
    **{word: n for n, word in enumerate("一二三四五六")},
    **{str(n + 1): n for n in range(9)},
    "last": -1,
    "最后": -1,
}
_QUALITY = re.compile(r"(?:major|minor|diminished|augmented|dominant|suspended|half-dim)\b", re.I)
_ALTERED = re.compile(r"[#♯♭]|[ -]?(?:double[ -]?)?(?:flat|sharp)(?![a-z])")
_DUE = re.compile(r"answer|option|choice|choose|pick|select|答案|选")
_MORE_OF_NUMBER = re.compile(r"%|\^| 000(?!\d)| ?[x×*·] ?10\^")
_MORE_OF_CHORD = re.compile(r"[#°øΔ]|/[a-g](?![a-z])|\([#b]?\d|\((?:maj|add|sus)")
_INTERVAL = re.compile(
    r"\s(?:\d|2nd|3rd|5th|6th|7th|second|third|fourth|fifth|sixth|intervals?|scale|key|mode|or"
    r"\s?lower)\b|[二三六七]度"
)


def find(plain: Plain, choices: Choices) -> list[Mention]:
    """Every mention of an option, in the order of the reply; of overlapping ones the longest."""
    mentions = [
        *_letters(plain, choices),  # first: a letter is a letter before it is a note
        *_texts(plain, choices),
        *_numbers(plain.lower, choices),
        *_counts(plain.lower, choices),
        *_runs(plain.text, choices),
    ]
    mentions += _of_two(plain.lower, mentions)
    mentions.sort(key=lambda mention: (mention.start, -mention.end))
    kept: list[Mention] = []
    for mention in mentions:
        if kept and mention.start < kept[-1].end:
            shown = mention.letter in choices.letters
            if shown and mention.end >= kept[-1].end and mention.sure > kept[-1].sure:
                kept[-1] = mention
            continue
        kept.append(mention)
    return kept


def _texts(plain: Plain, choices: Choices) -> list[Mention]:
    mentions: list[Mention] = []
    lower = plain.lower
    lower = lower.replace("\n", " ")
    free = lower.replace("-", " ") if "-" in lower else lower
    for whole in choices.texts:
        text = whole.replace("-", " ")
        at = free.find(text)
        if at < 0:
            continue
        distinctive, tries, hit = telling(text), 0, False
        while at >= 0 and tries < 2 * MOST:
            end = at + len(text)
            tries += 1
            letter = ""
            written_so = whole[-1:].isalpha() or lower[at:end] == whole
            if written_so and _stands(lower, at, end, text):
                letter = choices.whose(whole, plain.text[at:end])
            if letter:
                lead = leads(plain.text, at)
                clash = _maybe_letter(plain.text, at, letter, choices)
                mentions.append(
                    Mention(at, end, letter, "text", 1 if distinctive else 0, lead, clash)
                )
                hit = True
            at = free.find(text, end)
        if hit and len(text) > 1:
            free = free.replace(text, "\0" * len(text))
    return mentions


def _stands(lower: str, at: int, end: int, text: str) -> bool:
    """Tell whether the text found at `at` is a word of its own and names the same as the option."""
    if len(text) == 1 and text > "\u2e80":  # 是 or 否 in a sentence are no answers
        before, behind = lower[at - 1 : at], lower[end : end + 1]
        return behind < "\u2e80" and (before < "\u2e80" or before in "选为是向推")
    return starts_word(lower, at) and ends_word(lower, end) and not _part(lower, at, end, text)


_BEFORE_PRONOUN = re.compile(
    r"\b(?:this|that|which|each|every|any|the|no|(?:an?|the)\s(?:hard|tough|difficult|tricky|easy"
    r"|interesting|good|right|correct|best|wrong|same|other|only))\s$"
)


def is_pronoun(lower: str, at: int, end: int) -> bool:
    """Tell whether "one" counts nothing: "not sure about this one", "a hard one"."""
    return lower[at:end] == "one" and bool(_BEFORE_PRONOUN.search(lower, max(0, at - 20), at))


def _part(lower: str, at: int, end: int, text: str) -> bool:
    """Tell whether the text found is part of another thing: "minor third", "D sharp", "-minor"."""
    if is_pronoun(lower, at, end):
        return True
    if text in ("major", "minor", "diminished", "augmented", "perfect") and _INTERVAL.match(
        lower, end
    ):
        return True
    if text[-1:].isdigit() and _MORE_OF_NUMBER.match(lower, end):
        return True
    if text[:1] in "abcdefg" and _MORE_OF_CHORD.match(lower, end):
        return True
    if len(text) == 1 and text in "abcdefg" and _ALTERED.match(lower, end):
        return True
    return lower[end : end + 1] == "-" and lower[end + 1 : end + 2].isalpha() and text.isascii()


def _maybe_letter(text: str, at: int, letter: str, choices: Choices) -> bool:
    """Tell whether a capital "A" before an option's text may be a letter as well as the article."""
    if _QUALITY.match(text.lower(), at) and not _DUE.search(text.lower(), max(0, at - 40), at):
        return False  # "the chord is A minor": a note
    if letter == "A" or at < 4 or text[at - 2 : at] != "A " or "A" not in choices.letters:
        return False
    before = text[max(0, at - 8) : at - 2].rstrip(" ")
    return bool(before) and before[-1] not in ".!?:\n"


def _caption(plain: Plain, choices: Choices) -> int:
    """Find the "A:" of question and answer, which is no label; -1 if there is none."""
    captions = list(_A_COLON.finditer(plain.text))
    if not captions or re.search(r"(?m)^[\W_]*[B-H]\s?[.:)]", plain.text):
        return -1
    at = captions[-1].start(1)
    asked = _Q_COLON.search(plain.lower, 0, at)
    if plain.text[at + 1] == "." and not asked:
        return -1
    line = plain.lower[at:].partition("\n")[0]
    rest = line[2:]
    own = choices.own.get("A", "")
    if own and rest.strip(" \"'(").startswith(own):
        return -1
    if any(text in rest for text, letter in choices.texts.items() if letter != "A"):
        return at
    if any(
        re.search(rf"(?<![a-z0-9]){letter.lower()}(?![a-z0-9])", rest)
        for letter in choices.letters[1:]
    ):
        return at
    return at if asked else -1


def _letters(plain: Plain, choices: Choices) -> list[Mention]:
    text, lower = plain.text, plain.lower
    mentions: list[Mention] = []
    caption = _caption(plain, choices)
    for match in bounded(list(_LETTER.finditer(text))):
        if match.start(1) == caption:
            continue
        mention = _letter(text, lower, match.start(1), choices)
        if mention:
            mentions.append(mention)
    return mentions


def bounded(matches: list[T]) -> list[T]:
    """The first and the last of very many: what is looked at of a long reply."""
    return matches if len(matches) <= 3 * MOST else matches[:MOST] + matches[-2 * MOST :]


class _Letter:
    """A letter in a reply, and the signs around it that it names an option.

    Attributes
    ----------
    letter : str
        The capital.
    start : int
        Where the quotes and brackets before it begin.
    noun : match or None
        A word such as "option" before it.
    lead : bool
        Whether it begins its line.
    wrap, named : str
        Quotes and brackets after it, and a word such as 选项.
    wrapped : bool
        Whether it stands in brackets.
    label : match or None
        A mark after it that makes it a label.
    own : _Own
        What follows it.
    sure : bool
        Whether any of these says that it is an option.
    """

    def __init__(self, text: str, lower: str, at: int, choices: Choices) -> None:
        self.text, self.lower, self.at = text, lower, at
        self.letter = text[at].upper()
        self.shown = self.letter in choices.letters
        start = at
        while start > 0 and at - start < 4 and text[start - 1] in _OPEN:
            start -= 1
        self.start = start
        self.noun = _NOUN.search(lower, max(0, start - 16), at)
        self.lead = leads(text, self.noun.start() if self.noun else start)
        after = _AFTER.match(text, at + 1)
        self.wrap, self.named = after.groups("") if after else ("", "")
        self.wrapped = start < at and text[start] in "([{" and text[at + 1 : at + 2] in _BRACKETS
        self.label = _LABEL.match(text, at + 1)
        self.own = _own_text(text, lower, at + 1, self.letter, choices)
        signs = self.noun or self.named or self.wrapped or self.own.same
        self.sure = bool(signs or (self.label and self.lead))

    def mention(self) -> Mention | None:
        """The mention, or None where it is none."""
        if self.text[self.at].islower() and not self._clear_though_small():
            return self._small()
        if self._is_article() or (
            not self.sure and no_option(self.text, self.lower, self.at, self.start)
        ):
            return None
        if not self.shown and _INITIAL.match(self.text, self.at + 1):
            return None
        start = self.noun.start() if self.noun else self.start
        sure: Sure = 2 if self.sure else 1
        return Mention(start, self._end(), self.letter, "letter", sure, self.lead, self.own.other)

    def _clear_though_small(self) -> bool:
        labelled = self.label and self.lead and self.lower[self.at + 1] in ").:"
        return self.shown and bool(self.noun or self.wrapped or labelled)

    def _is_article(self) -> bool:
        """Tell whether an "A" opens a sentence about the text of option A: "A guitar has frets"."""
        follows = self.text[self.at + 1 : self.at + 3]
        prose = (
            self.letter == "A" and self.own.same and follows[:1] == " " and follows[1:].islower()
        )
        return prose and not _CLOSED.match(self.text, self.own.end)

    def _small(self) -> Mention | None:
        """A small letter, which is an option only where an answer is due."""
        same = self.own.same
        if not self.shown or not (same or _CLOSED.match(self.text, self.at + 1)):
            return None
        if same and self.letter in "AI" and not self.label:
            return None
        end = self.own.end if same else self.at + 1
        return Mention(self.start, end, self.letter, "letter", 0, self.lead)

    def _end(self) -> int:
        ends = [self.own.end, self.at + 1]
        if self.named:
            ends.append(self.at + 1 + len(self.wrap) + len(self.named))
        if self.label and self.lead:
            ends.append(self.label.end())
        if (self.wrapped or self.noun) and not self.own.same:
            ends.append(self.at + 1 + len(self.wrap))
        return max(ends)


def _letter(text: str, lower: str, at: int, choices: Choices) -> Mention | None:
    """The mention whose letter stands at `at`, or None where it is none."""
    letter = text[at].upper()
    text_of = choices.texts.get(letter.lower())
    beyond = letter not in choices.letters
    if beyond and (text_of is not None or _OF_ANOTHER.match(text, at + 1)):
        return None  # a text of one letter, or P(A)
    named_so = _NAMELY.match(text, at + 1) if text_of is not None else None
    if named_so and text_of == named_so[1]:
        return None  # "the note is D, i.e. option B"
    return _Letter(text, lower, at, choices).mention()


def leads(text: str, start: int) -> bool:
    """Tell whether only list marks stand before `start` on its line."""
    line = text.rfind("\n", max(0, start - 12), start) + 1
    if line == 0 and start > 12:
        return False
    before = text[line:start]
    return not before or not _LEADING.sub("", before)


class _Own(NamedTuple):
    """The text after a letter: its end, and whether it is the option's or another's."""

    end: int
    same: bool = False
    other: bool = False


def _own_text(text: str, lower: str, at: int, letter: str, choices: Choices) -> _Own:
    """The option's own text after its label, or the text of another option there."""
    own = choices.own.get(letter, "")
    if not own:
        return _Own(at)
    between = _BETWEEN.match(lower, at)
    begun = between.end() if between else at
    noun = _NAMES.match(lower, begun, begun + 8)
    begun = noun.end() if noun else begun
    flat = lower[at : begun + len(own) + 8].replace("\n", " ")
    starts = [begun - at]
    if flat[begun - at - 1 : begun - at] in _OPEN:
        starts.append(begun - at - 1)  # the text itself begins with a bracket
    for start in starts:
        for lead in ("", "the ", "a ", "an "):
            end = at + start + len(lead + own)
            if flat.startswith(lead + own, start) and ends_word(lower, end):
                same = choices.whose(own, text[end - len(own) : end]) in (letter, SHARED)
                return _Own(_past_quotes(lower, end), same=same, other=not same)
    other, whose = choices.begins(lower, begun) if begun > at else ("", "")
    stop = begun + len(other)
    closed = lower[stop : stop + 1] in ("", *'.,;!\n)]}"<(')
    if len(other) > 1 and whose not in (letter, SHARED) and closed:
        return _Own(stop, other=True)
    return _Own(at)


def _past_quotes(lower: str, end: int) -> int:
    stop = end + 8
    while end < min(len(lower), stop) and lower[end] in "\"')]":
        end += 1
    return end


def _numbers(lower: str, choices: Choices) -> list[Mention]:
    mentions = _lone_number(lower, choices)
    for match in bounded(list(_NUMBER.finditer(lower))):
        word = next(filter(None, match.groups()))
        place = _ORDINAL[word]
        if place >= len(choices.letters):
            continue
        lead = leads(lower, match.start())
        sure: Sure = 0 if match["bare"] else 2
        letter = choices.letters[place]
        mentions.append(Mention(match.start(), match.end(), letter, "number", sure, lead))
    return mentions


def _lone_number(lower: str, choices: Choices) -> list[Mention]:
    """A digit where an answer is due, which counts the options where none holds a number."""
    if any(any(map(str.isdigit, own)) for own in choices.own.values()):
        return []
    match = _DIGIT.search(lower)
    if match is None or not 0 < int(match[1]) <= len(choices.letters):
        return []
    letter = choices.letters[int(match[1]) - 1]
    return [
        Mention(match.start(1), match.end(1), letter, "number", 0, leads(lower, match.start(1)))
    ]


def _counts(lower: str, choices: Choices) -> list[Mention]:
    """Several options counted from one end: "the first three options", 前三项."""
    mentions = []
    for match in bounded(list(_COUNTED.finditer(lower))):
        count = _ORDINAL[match["many"] or match["zhmany"]] + 1
        if not 1 < count < len(choices.letters):
            continue
        last = (match["end"] or match["zhend"]) in ("last", "后", "最后")
        letters = choices.letters[-count:] if last else choices.letters[:count]
        mentions.append(Mention(match.start(), match.end(), letters, "letters", 2))
    return mentions


def _of_two(lower: str, named: list[Mention]) -> list[Mention]:
    """Find references to one of the two named just before: "the latter", 前者."""
    mentions = []
    for match in bounded(list(_FORMER.finditer(lower))):
        near = [m for m in named if match.start() - _NEAR < m.start < match.start() and m.sure]
        letters = list(dict.fromkeys(m.letter for m in sorted(near) if len(m.letter) == 1))
        if len(letters) == 2:
            letter = letters[0] if match["former"] or match["zhformer"] else letters[1]
            mentions.append(Mention(match.start(), match.end(), letter, "text", 1))
    return mentions


def _runs(text: str, choices: Choices) -> list[Mention]:
    """Capitals written together, such as "ABD", where they are all options in order."""
    mentions = []
    for match in bounded(list(_RUN.finditer(text))):
        run = match[1]
        if all(letter in choices.letters for letter in run) and list(run) == sorted(set(run)):
            mentions.append(Mention(match.start(), match.end(), run, "letters", 1))
    return mentions
