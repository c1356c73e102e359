"""A reply cut into sentences; a clause of it around the options it names, and what it does."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cached_property
from typing import Any, Literal, NamedTuple

from zhiyin.reader.choices import SHARED, Choices
from zhiyin.reader.cues import after, before, lexicon, phrases
from zhiyin.reader.groups import Group
from zhiyin.reader.plain import Plain

Kind = Literal[
    "declaring", "rejecting", "hedging", "conditional", "reported", "listing", "discussing",
    "mention",
]  # fmt: skip
"""The kinds of clause. A "mention" is neither said to be the answer nor discussed."""

Place = Literal["", "opens", "own line", "last line", "alone", "sentence"]
"""Where an option stands by itself: an option in such a place is declared by it."""

Yields = Literal["", "draft", "partly"]
"""Of a hedge that gives way to any other option held possible: why it does."""

Named = Literal["", "named", "spoken of"]
"""Of a mention: whether an option is named, or is the subject of a sentence about it."""

FACT = "a fact about it"
"""Why an option is named of which a fact is told: it is no answer even if it is the only one."""

FINAL, DECLARED, AFFIRMED, PLACED, WEAK = 5, 4, 3, 2, 1
"""How firmly something is declared: finally, in so many words, by praise, by its place, weakly."""


class Act(NamedTuple):
    """An act of one clause: what it does with the options that it names.

    Attributes
    ----------
    kind : Kind
    letters : tuple of str
        The options named; `choices.SHARED` for a text of several.
    start, end : int
        Where they stand in the plain text.
    why : str
        The words it was read from, for people.
    firmness : int
        Of a declaration; 0 otherwise.
    corrects : bool
        Whether it corrects what was said before.
    also : bool
        Whether it stands beside what was said before.
    before : str
        The words before it in its clause: declarations with the same words are alike.
    label : bool
        Whether it labels what follows ("B: ...").
    place : Place
        Of a declaration by place.
    concluded : bool
        Whether it follows from what was said ("so it is B").
    plainly : bool
        Of a weak declaration: "it is B".
    share : float or None
        The percentage given to it.
    supported : bool
        Of a hedge: something speaks for the option, as it may for others.
    yields : Yields
    better : bool
        Of praise: it sets the option above those praised before.
    named : Named
    """

    kind: Kind
    letters: tuple[str, ...]
    start: int
    end: int
    why: str = ""
    firmness: int = 0
    corrects: bool = False
    also: bool = False
    before: str = ""
    label: bool = False
    place: Place = ""
    concluded: bool = False
    plainly: bool = False
    share: float | None = None
    supported: bool = False
    yields: Yields = ""
    better: bool = False
    named: Named = ""

    @property
    def declares(self) -> bool:
        """Tell whether it says, however weakly, that an option is the answer."""
        return self.kind == "declaring"


def letters_named(acts: Iterable[Act]) -> set[str]:
    """The letters that some acts are about."""
    return {letter for act in acts for letter in act.letters}


REACH = 140
"""Characters on either side of an option that are looked at."""

_BREAK = re.compile(r"[!?.]+[\"')\]]*(?=\s|$|[^\x00-\x7f])(?!\s?,)|[;\n…]|\.(?=[a-z]{4})")
_CLAUSE = re.compile(
    r"[,:;](?!\d)|\s-\s|\b(?:but|while|whereas|although|though|however|because|since)\b"
    r"|(?:但是?|而且?|不过|因为|由于)"
)
_ENDS = phrases(lexicon("chinese")["ends"], lexicon("others")["ends"])
_CLOSED = re.compile(
    rf"[\"')\]}}>$.]*\s?(?:{_ENDS}|then\b)?\s?"
    r"(?:$|(?:because|since|as|due|given)\b|因为|由于|[.,;:!\n…]|\(|\[|<|-\s|→)"
)
_VERDICT = re.compile(r"[\s\"')\]:-]*(?:false|wrong|incorrect)\b")
_YES_NO = re.compile(r"[ \"')\]:-]*(?:yes|no|true|right|correct)[\s,;|(\[]*$")
"""Between two labels: a verdict on the first, and nothing of the second."""

_BACK = re.compile(
    r"(?:this|that|it|its|which|nope|not|then again|but|however|no(?=\s?[.,!]|\s?$))\b"
    r"|[这该此它本]|其(?![他它余])|\n|说法|描述|表述"
)
"""Opens a sentence that speaks of what was said before it."""

_SAID_NO = re.compile(r"(?:(?<=[:)|])|\s*[:|(-])\s*no\b[^\w\n]*(?:\n|$)")
"""After an option: it is said to be none, and nothing is corrected by that."""

_MISSING = re.compile(r"(?:no|never|nowhere)\b|没有|缺|无|未")
_LABELS = re.compile(r"[.:)\]、]|.[.:)\]、]")
_SUPPOSED_ASIDE = re.compile(
    rf"^[\"'\s]*[(\[](?=[^()\[\]\n]{{0,60}}(?:{before.SUPPOSES.pattern}))[^()\[\]\n]*[)\]]?"
)
"""A bracket after an option, in which another case is supposed."""

_CLAUSE_START = re.compile(r"(?:^|[,;.:!?\n])[\s>#*|\"'(\[-]*$")

SUBJECT_START = re.compile(
    r"(?:^|[,;.:!?\n]|\b(?:and|while|but|whereas|as|because|that)\b|[而但因为])"
    r"[\s>#*|\"'(\[-]*(?:the|an?)?\s?[\"']*$"
)
"""Before an option: a clause begins with it."""

SENTENCE_ENDS = re.compile(r"[\"')\]]*\s?(?:[.!\n]|$)")
"""After an option: its sentence ends."""


class Sentences:
    """The sentences of a reply, no option cut in two by them.

    Attributes
    ----------
    lower : str
        The plain text in lower case.
    groups : list of Group
        The options named, in order.
    choices : Choices
    breaks : list of int
        Where sentences end.
    """

    def __init__(self, plain: Plain, groups: list[Group], choices: Choices) -> None:
        self.lower, self.groups, self.choices = plain.lower, groups, choices
        starts = [group.start for group in groups]
        self.breaks: list[int] = []
        for match in _BREAK.finditer(self.lower):
            here = bisect_right(starts, match.start()) - 1
            if here < 0 or match.start() >= groups[here].end:
                self.breaks.append(match.end())

    def around(self, at: int) -> tuple[int, int]:
        """Return the start and end of the sentence that holds `at`."""
        here = bisect_right(self.breaks, at)
        start = self.breaks[here - 1] if here else 0
        end = self.breaks[here] if here < len(self.breaks) else len(self.lower)
        return start, end


class Clause:
    """One group of options, and the words on either side of it.

    Attributes
    ----------
    left, right : str
        The words of its sentence back to the option before, and on to the next one.
    whole : str
        The words of its sentence before it, other options included.
    start, end : int
        Where its sentence begins and ends.
    last, follows : int
        Where the option before it ended, and where the next one begins.
    next : int
        The same, no further than `REACH` away.
    """

    def __init__(self, sentences: Sentences, index: int) -> None:
        self.sentences, self.index = sentences, index
        self.lower, self.choices = sentences.lower, sentences.choices
        self.group = group = sentences.groups[index]
        groups, lower = sentences.groups, sentences.lower
        self.start, self.end = sentences.around(group.start)
        self.last = groups[index - 1].end if index else 0
        self.follows = groups[index + 1].start if index + 1 < len(groups) else len(lower)
        self.next = min(self.follows, group.end + REACH)
        self.left = lower[max(self.start, self.last, group.start - REACH) : group.start]
        verdict = _VERDICT.match(self.left) if index else None
        if verdict is None and index and _after_label(lower, self.last):
            verdict = _YES_NO.match(self.left)
        if verdict:  # of the option before: "(A) false (B)"
            self.left = self.left[verdict.end() :]
        self.whole = lower[max(self.start, group.start - REACH) : group.start]
        right = lower[group.end : min(self.end, self.next)]
        stop = group.end + len(right)
        if stop == self.follows < len(lower):
            labelled = _after_label(lower, group.end) and _YES_NO.match(right)
            right = right if labelled else own_words(right)
        right = _SUPPOSED_ASIDE.sub("", right)
        self.right = right + "\n" if stop == len(lower) else right

    def act(self, kind: Kind, why: str, **more: Any) -> Act:
        """Make an act of the clause; `more` are further fields of it."""
        group = self.group
        letters = more.pop("letters", group.letters)
        if group.first.clash and kind == "declaring":
            letters, why = (*letters, SHARED), "a letter and a text of different options"
        corrects = more.pop("corrects", False)
        return Act(
            kind, letters, group.start, group.end, why.strip(" ,.:;|\n\"'"),
            corrects=corrects or (kind in ("declaring", "rejecting") and self.corrects),
            also=more.pop("also", False) or (kind == "declaring" and self._also()),
            before=self.left.strip(),
            label=group.first.sure == 2 and bool(_CLAUSE_START.search(self.left)),
            **more,
        )  # fmt: skip

    @property
    def named(self) -> str:
        """The words of the group itself."""
        return self.lower[self.group.start : self.group.end]

    @property
    def single(self) -> bool:
        """Tell whether one option is named, and not several."""
        return len(self.group.letters) == 1

    @property
    def by_text(self) -> bool:
        """Tell whether the option is named by its text alone."""
        return self.group.first.form == "text"

    @cached_property
    def closed(self) -> bool:
        """Tell whether the clause ends with the option."""
        return bool(_CLOSED.match(self.lower[self.group.end : self.group.end + 14]))

    @cached_property
    def concludes(self) -> bool:
        """Tell whether "so it is" stands before the option."""
        return bool(before.CONCLUDES.search(self.left))

    @cached_property
    def freed(self) -> str:
        """The words before the option, after the last "but" or "so" of its sentence."""
        return before.FREES.split(before.CONCEDES.sub("", self.whole))[-1]

    @cached_property
    def supposed_before(self) -> bool:
        """Tell whether the sentence before supposes something: "Let us assume it is slow."."""
        ahead = self.lower[max(0, self.start - REACH) : self.start].rstrip(" .!\n")
        return bool(before.ASSUMES.match(ahead[max(ahead.rfind("."), ahead.rfind("\n")) + 1 :]))

    @cached_property
    def weakly(self) -> bool:
        """Tell whether a plain "it is" stands before the option."""
        return bool(before.WEAK.search(self.left))

    @cached_property
    def declaration(self) -> re.Match[str] | None:
        """The words before the option that make it the answer."""
        return before.DECLARES.search(self.left)

    @cached_property
    def answers_first(self) -> bool:
        """Tell whether a letter is the first sentence, and what follows speaks of something else.

        "A. The tune stands alone, no second voice is heard" is an answer and its reason;
        "A. Too slow", "A. This is wrong" and "A. ... B. ... C. ..." are not.
        """
        group, lower = self.group, self.lower
        if group.first.form != "letter" or re.search(r"\w", lower[: group.start]):
            return False
        rest = lower[group.end : group.end + 60].lstrip(" .")
        if not rest or "." not in lower[group.end - 1 : group.end + 1]:
            return False
        judged = after.DISLIKES.match(rest) and not _MISSING.match(rest)
        if judged or _BACK.match(rest) or before.WAITS.match(rest) or after.AFFIRMS.match(rest):
            return False
        labels = (g for g in self.sentences.groups[self.index + 1 :] if g.first.sure == 2)
        return not any(_LABELS.match(lower, g.end - 1) for g in labels)

    @cached_property
    def corrects(self) -> bool:
        """Tell whether words of correction stand before the option, in its sentence or the last."""
        start, breaks = self.start, self.sentences.breaks
        here = bisect_left(breaks, start)
        if here > 0:
            new_line = self.lower[max(0, start - 1) : start] == "\n"
            start = max(breaks[here - 1], start - 60) if new_line else breaks[here - 1]
        start = max(start, self.last, self.group.start - REACH)
        said_no = _SAID_NO.match(self.lower, self.last) if self.index else None
        start = max(start, said_no.end()) if said_no else start
        return bool(before.CORRECTS.search(self.lower, start, self.group.start))

    @cached_property
    def denied_before(self) -> bool:
        """Tell whether the option named before this one is rejected."""
        if not self.index:
            return False
        other = self.sentences.groups[self.index - 1]
        left = self.lower[max(0, other.start - 40) : other.start]
        right = self.lower[other.end : self.group.start]
        return bool(before.DENIES.search(left) or after.DENIED.match(right))

    def rest_of_line(self) -> tuple[str, int]:
        """Return the text after the option on its line, and the end of the line."""
        end = self.lower.find("\n", self.group.end)
        end = end if end >= 0 else len(self.lower)
        return self.lower[self.group.end : end], end

    def _also(self) -> bool:
        return bool(
            before.ALSO.search(re.split(r"[,;:.]", self.left)[-1])
            or before.ALSO.search(_first_clause(self.right))
        )


def _after_label(lower: str, at: int) -> bool:
    """Tell whether a label such as "A)" or "A:" ends at `at`, or its mark follows."""
    return lower[at - 1] in ":)]." or lower[at : at + 1] in (":", ")", "]", "-")


def own_words(right: str) -> str:
    """Return the text between two options, without the words that speak of the second."""
    if _VERDICT.match(right):
        return right
    for pattern in (before.DENIES, before.DECLARES, before.SECOND):
        match = pattern.search(right)
        if match:
            return right[: match.start()]
    return right


def brief(words: str) -> str:
    """The last words of `words`, in one line, to say why."""
    return " ".join(words.split())[-48:].strip(" ,.:;=-{[(\"'|")


def _first_clause(words: str) -> str:
    match = _CLAUSE.search(words)
    return words[: match.start()] if match else words
