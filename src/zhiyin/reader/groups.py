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
            how = _joined(plain, joined, following, choices, how_last)
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


def _joined(
    plain: Plain, joined: list[Mention], new: Mention, choices: Choices, how_last: str
) -> str:
    """How `new` is joined to the mentions before it; "" where it is not."""
    last, lower = joined[-1], plain.lower
    if new.start - last.end > 24:
        return ""
    gap = lower[last.end : new.start]
    if new.lead and "\n" in gap:
        follows = choices.letters.find(new.letter) == choices.letters.find(last.letter[-1]) + 1
        line = lower.find("\n", new.end)
        rest = lower[new.end : line if line >= 0 else len(lower)]
        listed = (_NEWLINE.fullmatch(gap) or not gap.strip("\n .,;)")) and not _WORD.search(rest)
        return "lines" if last.lead and follows and listed and "\n\n\n" not in gap else ""
    if last.form == new.form == "text" and choices.numeric and _RANGE.fullmatch(gap):
        return "or"
    follows = choices.letters.find(new.letter) == choices.letters.find(last.letter[-1]) + 1
    if last.letter == new.letter and {last.form, new.form} == {"text", "letter"}:
        return "same" if re.fullmatch(r"[\"')\]]*[ ,:(\[-]{0,3}", gap) else ""
    if not gap.strip():
        if "\n" in gap:
            return ""
        if last.form != new.form or last.letter == new.letter:
            return "same"
        if lower.startswith(_NOUNS, new.start) and lower[last.end - 1] in ".:":
            return ""  # "A. Option B has ..."
        if lower[last.end - 1] == "." and _SUBJECT.match(lower, new.end):
            return ""  # "A. B is a mistake"
        return "list" if follows or _bare_list(lower, last, new, choices) else ""
    opens = joined[0].lead or lower[: joined[0].start].rstrip(" ")[-1:] in ":,;"
    if (
        gap.strip() in (".", ".)")
        and follows
        and opens
        and lower[new.end : new.end + 1] in (".", ")")
    ):
        return "list"
    if gap.strip(" ,") == "就是" and lower[: joined[0].start].endswith(("不是", "不是 ")):
        return "or"  # 不是A就是B: one of the two
    match = _JOIN.fullmatch(gap)
    if gap.strip() == "," and lower[new.end : new.end + 1] == "、" and len(joined) == 1:
        return ""  # 错误的是C，A、B、D都对
    if match is None:
        return ""
    named = lower.startswith(_NOUNS, new.start)
    if named and not lower.startswith(_NOUNS, joined[0].start):
        return ""  # "the answer is C, options A and B are wrong"
    ahead = lower[max(0, joined[0].start - 24) : joined[0].start]
    single = _SINGULAR.match(lower, new.end) and not _NONE_OF.search(ahead)
    if single and (match["and"] or match["list"]) and new.sure < 2:
        return ""  # "better than C, and A is better"
    if lower[last.end - 1] == "." and gap.strip()[:1] in ("和", "与", "跟", "同"):
        return ""  # A。与B不同
    apart = gap.strip() == "," and len(joined) == 1 and _ITS_OWN.match(lower, new.end)
    if apart and before.DECLARES.search(lower, max(0, last.start - _NEAR), last.start):
        return ""  # 答案是C,A属于另一时期
    if ";" in gap and (_VERB.match(lower, new.end) or _MORE.match(lower, new.end)):
        return ""  # "it is E; D would need another third"
    if match["list"] and not match["or"] and not match["and"] and how_last in ("and", "or"):
        return ""  # "compared with A and B, C fits"
    if match["rank"] or (_LESSER.match(gap) and _MOST.search(ahead)):
        return "rank"
    if match["or"]:
        return "or"
    if match["and"]:
        return "and"
    return "list" if match["list"] else ""


def _bare_list(lower: str, last: Mention, new: Mention, choices: Choices) -> bool:
    """Whether a letter right after another is one more of a list: "B D", "options B D"."""
    if last.sure < 2 or lower.startswith(("options", "choices"), last.start):
        return True
    if choices.own.get(last.letter) == lower[new.start : new.end]:
        return False  # the option's own text
    return lower.startswith(_NOUNS, last.start) and bool(_ENDS.match(lower, new.end))
