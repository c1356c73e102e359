"""Options that are named together: "A, B and D", A、B或C, a list on lines."""

from __future__ import annotations

import re
from typing import NamedTuple

from zhiyin.reader.choices import SHARED, Choices
from zhiyin.reader.cues import before
from zhiyin.reader.mentions import Mention
from zhiyin.reader.plain import Plain

_JOIN = re.compile(
    r"(?:[\"')\]}$]|</\w+>)*(?:\s?(?:,\s?(?![和与跟同]))?(?:(?P<rank>>{1,2}|≻|→|优于)"
    r"|(?P<or>and/or\b|or\b(?! rather| better)|nor\b|versus\b|vs\.?"
    r"|(?:is |are )?(?:just )?as (?:likely|plausible|good|possible)(?: an? \w+)? as\b"
    r"|还是选?|或者|或|抑或)"
    r"|(?P<and>and\b|plus\b|as well as(?: of)?\b|和|与|以及|及|跟|同|y\b|et\b|und\b|e\b))"
    r"|(?P<list>\s?[,、/&+|;]))?\s?"
    r"(?:(?:either|both|also|even|then|next|再|然后|maybe|perhaps|possibly|the|a|an|its relative"
    r"|可能是|也许是|选项)\s?)*(?:[\"'(\[{$]|\\?boxed\b|<\w+>)*"
)
_NOUNS = ("option", "choice", "选项")
_RANGE = re.compile(r"\s?(?:to|-|~|到|至|and)\s?")
_NEWLINE = re.compile(r"[\s>*#•·-]*\n[\s>*#•·-]*(?:(?:option|choice)\s?[:#]?\s?|选项)?")
_SINGULAR = re.compile(r"\s(?:is|was|fits|matches|seems|works|remains|isn't|doesn't|has)\b")
_ENDS = re.compile(r"[\"')\]]*\s*[.。!！]?\s*(?:\n|$)")
_VERB = re.compile(
    r"(?:(?:,|,? and) ?[a-z](?![a-z])){0,4} (?:are|were|would|could|might|can|may"
    r"|only|sounds|looks|lacks|does|needs|comes)\b"
)
_ITS_OWN = re.compile(r"(?:选项|项)?(?![都均皆全两二三四和与及或等项选、]|同样)[\u4e00-\u9fff]")
"""After a second option: something is said of it by itself."""

_MORE = re.compile(r"[\"')\]]* (?!and\b|or\b|both\b|all\b|are\b)[a-z]{2}")
_SUBJECT = re.compile(rf"{_MORE.pattern}|、|[\u4e00-\u9fff]")
"""After an option that follows another: it is spoken of by itself."""

_LESSER = re.compile(r"[\"')\]]*,?\s?(?:possibly|perhaps|maybe|or possibly|or perhaps|或许|也许)")
_MOST = re.compile(r"\b(?:most (?:likely|probably)|likeliest|probably|almost certainly)\b[^,.;]*$")
"""Around the first of two: it is held for the likelier one."""

_NEAR = 24
"""Characters between two mentions, or before the first, that are looked at."""

_NONE_OF = re.compile(r"\b(?:none|neither|any|each|one|either) of\b")
_WORD = re.compile(r"[^\W_]|[√✓✔✅☑✗✘❌×]")


class Group(NamedTuple):
    """Mentions that are named together.

    `join` is "" for a single one, else "and", "or", "list", "lines", "same" or "rank".
    """

    start: int
    end: int
    letters: tuple[str, ...]
    join: str
    first: Mention


def group(mentions: list[Mention], plain: Plain, choices: Choices) -> list[Group]:
    """Mentions that are joined, as one; those that name what is no option are left out."""
    groups: list[Group] = []
    index = 0
    while index < len(mentions):
        joined, join, how_last = [mentions[index]], "", ""
        while index + len(joined) < len(mentions):
            following = mentions[index + len(joined)]
            how = _joined(_Pair(plain.lower, joined, following, choices, how_last))
            if not how:
                break
            how_last = how
            join = how if join in ("", "list") or how == "or" else join
            joined.append(following)
        index += len(joined)
        joined_group = _group(joined, join, choices)
        if joined_group:
            groups.append(joined_group)
    return groups


def _group(joined: list[Mention], join: str, choices: Choices) -> Group | None:
    letters = tuple(dict.fromkeys("".join(mention.letter for mention in joined)))
    beyond = [letter for letter in letters if letter not in choices.letters and letter != SHARED]
    if len(joined) > 1 and beyond:
        return None  # "C, E and G" are notes
    if joined[0].form == "letters":
        join = join or "and"
    if len(letters) == 1:
        join = ""
    first = joined[0]
    if len(letters) == 1 and len({mention.form for mention in joined}) > 1:
        first = first._replace(sure=2, form="letter")  # "Koto (C)": both letter and text
    if join == "rank":
        letters = letters[:1]
    return Group(joined[0].start, joined[-1].end, letters, join, first)


class _Pair:
    """A mention, those joined before it, and what stands between.

    Attributes
    ----------
    first, last, new : Mention
        The first and the last of those joined before, and the one that follows.
    alone : bool
        Whether the first is the only one before.
    gap, bare : str
        The words between `last` and `new`; the same without blanks around.
    how_last : str
        How `last` was joined to the one before it.
    follows : bool
        Whether `new` has the next letter after that of `last`.
    """

    def __init__(
        self, lower: str, joined: list[Mention], new: Mention, choices: Choices, how_last: str
    ) -> None:
        self.lower, self.choices, self.how_last = lower, choices, how_last
        self.first, self.last, self.new = joined[0], joined[-1], new
        self.alone = len(joined) == 1
        self.gap = lower[self.last.end : new.start]
        self.bare = self.gap.strip()
        place = choices.letters.find(self.last.letter[-1])
        self.follows = choices.letters.find(new.letter) == place + 1

    @property
    def ahead(self) -> str:
        """The words before the first of them."""
        return self.lower[max(0, self.first.start - _NEAR) : self.first.start]


def _joined(pair: _Pair) -> str:
    """Return how a mention is joined to those before it; "" if it is not."""
    if len(pair.gap) > _NEAR:
        return ""
    for rule in _RULES:
        how = rule(pair)
        if how is not None:
            return how
    return ""


def _on_lines(pair: _Pair) -> str | None:
    """Options on lines one after the other, with nothing said of them."""
    new, gap, lower = pair.new, pair.gap, pair.lower
    if not new.lead or "\n" not in gap:
        return None
    if not (pair.last.lead and pair.follows) or "\n\n\n" in gap:
        return ""
    line = lower.find("\n", new.end)
    rest = lower[new.end : line if line >= 0 else len(lower)]
    only_marks = _NEWLINE.fullmatch(gap) or not gap.strip("\n .,;)")
    return "lines" if only_marks and not _WORD.search(rest) else ""


def _range(pair: _Pair) -> str | None:
    """Match a range from one number to another."""
    texts = pair.last.form == pair.new.form == "text"
    return "or" if texts and pair.choices.numeric and _RANGE.fullmatch(pair.gap) else None


def _same(pair: _Pair) -> str | None:
    """A letter and the text of the same option."""
    if pair.last.letter != pair.new.letter:
        return None
    if {pair.last.form, pair.new.form} != {"text", "letter"}:
        return None
    return "same" if re.fullmatch(r"[\"')\]]*[ ,:(\[-]{0,3}", pair.gap) else ""


def _touching(pair: _Pair) -> str | None:
    """Match mentions with nothing but blanks between them."""
    last, new, lower = pair.last, pair.new, pair.lower
    if pair.bare:
        return None
    if "\n" in pair.gap:
        return ""
    if last.form != new.form or last.letter == new.letter:
        return "same"
    ended = lower[last.end - 1]
    if lower.startswith(_NOUNS, new.start) and ended in ".:":
        return ""  # "A. Option B has ..."
    if ended == "." and _SUBJECT.match(lower, new.end):
        return ""  # "A. B is a mistake"
    return "list" if pair.follows or _bare_list(lower, last, new, pair.choices) else ""


def _labels(pair: _Pair) -> str | None:
    """Labels in a row: "A. B. C."."""
    lower, first = pair.lower, pair.first
    if pair.bare not in (".", ".)") or not pair.follows:
        return None
    opens = first.lead or lower[: first.start].rstrip(" ")[-1:] in ":,;"
    return "list" if opens and lower[pair.new.end : pair.new.end + 1] in (".", ")") else None


def _one_of_two(pair: _Pair) -> str | None:
    """不是A就是B: one of the two."""
    either = pair.gap.strip(" ,") == "就是"
    denied = either and pair.lower[: pair.first.start].endswith(("不是", "不是 "))
    return "or" if denied else None


def _by_words(pair: _Pair) -> str | None:
    """Words or marks that join, unless what stands around says otherwise."""
    match = _JOIN.fullmatch(pair.gap)
    if match is None or any(apart(pair, match) for apart in _APART):
        return ""
    if match["rank"] or (_LESSER.match(pair.gap) and _MOST.search(pair.ahead)):
        return "rank"
    return next((how for how in ("or", "and", "list") if match[how]), "")


_RULES = (_on_lines, _range, _same, _touching, _labels, _one_of_two, _by_words)
"""Tried in this order: each says how the mentions are joined, or None where it does not know."""


def _others_listed(pair: _Pair, _: re.Match[str]) -> bool:
    """错误的是C，A、B、D都对."""
    return pair.alone and pair.bare == "," and pair.lower[pair.new.end : pair.new.end + 1] == "、"


def _named_anew(pair: _Pair, _: re.Match[str]) -> bool:
    """Match options named anew, as in "the answer is C, options A and B are wrong"."""
    named = pair.lower.startswith(_NOUNS, pair.new.start)
    return named and not pair.lower.startswith(_NOUNS, pair.first.start)


def _subject_alone(pair: _Pair, join: re.Match[str]) -> bool:
    """Match a new subject alone, as in "better than C, and A is better"."""
    single = _SINGULAR.match(pair.lower, pair.new.end) and not _NONE_OF.search(pair.ahead)
    return bool(single and (join["and"] or join["list"]) and pair.new.sure < 2)


def _sentence_with(pair: _Pair, _: re.Match[str]) -> bool:
    """A。与B不同."""
    return pair.lower[pair.last.end - 1] == "." and pair.bare[:1] in ("和", "与", "跟", "同")


def _declared_before(pair: _Pair, _: re.Match[str]) -> bool:
    """答案是C,A属于另一时期."""
    lower, last = pair.lower, pair.last
    apart = pair.bare == "," and pair.alone and _ITS_OWN.match(lower, pair.new.end)
    return bool(apart and before.DECLARES.search(lower, max(0, last.start - _NEAR), last.start))


def _next_clause(pair: _Pair, _: re.Match[str]) -> bool:
    """Match a new clause, as in "it is E; D would need another third"."""
    goes_on = any(said.match(pair.lower, pair.new.end) for said in (_VERB, _MORE))
    return ";" in pair.gap and goes_on


def _after_several(pair: _Pair, join: re.Match[str]) -> bool:
    """Match a mention after several, as in "compared with A and B, C fits"."""
    only_list = join["list"] and not join["or"] and not join["and"]
    return bool(only_list) and pair.how_last in ("and", "or")


_APART = (
    _others_listed, _named_anew, _subject_alone, _sentence_with, _declared_before, _next_clause,
    _after_several,
)  # fmt: skip
"""In spite of joining words, two mentions are apart: each says so of its example."""


def _bare_list(lower: str, last: Mention, new: Mention, choices: Choices) -> bool:
    """Tell whether a letter right after another is one more of a list: "B D", "options B D"."""
    if last.sure < 2 or lower.startswith(("options", "choices"), last.start):
        return True
    if choices.own.get(last.letter) == lower[new.start : new.end]:
        return False  # the option's own text
    return lower.startswith(_NOUNS, last.start) and bool(_ENDS.match(lower, new.end))
