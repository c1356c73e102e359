"""Yes or no in words, where one option says yes and one says no."""

from __future__ import annotations

import re

from zhiyin.reader.acts import DECLARED, Act
from zhiyin.reader.choices import Choices
from zhiyin.reader.plain import last_match
from zhiyin.reader.resolve import Outcome

_END = r"(?=[\s,.!;:\"')]|$)"
_YES = re.compile(
    r"[\"'(]*(?:(?:indeed|well|so|ok|okay|hmm|ah|oh),?\s)?"
    rf"(?P<word>yes|yeah|yep|true|correct|是的|是|对的|对|正确){_END}(?!\s?(?:and|or|/)\s?no)"
)
_NO = re.compile(
    rf"[\"'(]*(?P<word>no|nope|false|incorrect|否|不是|不对|错误|不){_END}"
    r"(?!(?<=no) (?![\W_]|(?:they|the|there|these|those|it|its|it's|this|that|we|i|you|he|she|not|a"
    r"|an|because|since|as|while|although|both|each|two|in|on|at|after|however|but|here|all)\b))"
)
"""No; "no audio" and "no violin" are none."""

_DUE = re.compile(
    r"(?:answer(?: is)?|答案|回答|conclusion)[\"']?\s?(?:是|为|is)?\s?[:=]?\s?[\"'(]*"
    rf"(?:(?P<yes>yes|true|是|对)|(?P<no>no|false|否|错)){_END}"
)
_STATEMENT = re.compile(
    r"\b(?:the|this|that) (?:statement|claim|assertion"
    r"|proposition) (?:is|holds|seems)\s?(?:\w+ly )?"
    r"(?:(?P<good>right|true|correct|accurate|valid)|false|wrong|incorrect|untrue|inaccurate)"
    rf"{_END}"
    r"|(?:说法|表述|陈述|论断|命题|这句话|这话)(?:显然|确实|其实|应该?|也)?"
    r"(?:(?P<zhgood>是?(?:正确|对)的?|成立|没错|没有错|无误|准确)"
    rf"|是?(?:错误?|不对|不正确)的?|有误|不成立|不准确){_END}"
)
"""What is said of the statement that is to be judged."""
_SUPPOSED = re.compile(
    r"(?:\b(?:if|whether|that|when|unless|say|claim)\s|(?:如果|若|假如|倘若|是否|不能说)[^,.;]{0,8})$"
)
"""Before a statement: it is supposed, or asked, or denied."""
_SO = re.compile(
    r"(?:所以|因此|故|因而|综上)[,，]?\s?(?=(?:是|否|对|错|不是|不对|正确|错误)[.!。！]?\s*$)"
)
"""What the last sentence concludes in one word."""
_STOP = re.compile(r"[.!?]\s")
_ONE_WORD = re.compile(r"[\"'(]*\w+(?:\s?[,;:]|[.!\"')]*$)")


def yes_or_no(lower: str, choices: Choices, acts: list[Act]) -> Outcome | None:
    """The option that says yes, or no, where the reply says so and declares no letter.

    Parameters
    ----------
    lower : str
        The reply in plain words, in lower case.
    choices : Choices
    acts : list of Act
        What the reply does with the options.
    """
    if not choices.yes or any(act.declares and act.firmness >= DECLARED for act in acts):
        return None
    due = last_match(_DUE, lower)
    if due:
        letter = choices.yes if due["yes"] else choices.no
        if not choices.own[letter].startswith(due["yes"] or due["no"]):
            return None
        return Outcome(letter, f"declared: {due[0]!r}", "declared", due.start(), due.end())
    concluded = last_match(_SO, lower)
    last = lower[concluded.end() :] if concluded else ""
    stated = last_match(_STATEMENT, lower)
    if stated and not _SUPPOSED.search(lower, 0, stated.start()):
        good = stated["good"] or stated["zhgood"]
        letter = choices.yes if good else choices.no
        return Outcome(
            letter,
            f"said of the statement: {stated[0]!r}",
            "declared",
            stated.start(),
            stated.end(),
        )
    for line in (lower, lower.rpartition("\n")[2], _last_sentence(lower), last):
        for pattern, letter in ((_YES, choices.yes), (_NO, choices.no)):
            match = pattern.match(line)
            if match and choices.own[letter].startswith(match["word"].rstrip("的")):
                at = len(lower) - len(line)
                start, end = at + match.start("word"), at + match.end("word")
                return Outcome(letter, "yes or no at the beginning", "declared", start, end)
    return None


def _last_sentence(lower: str) -> str:
    """The last sentence where it begins with one word apart, and the one before asks nothing."""
    last = last_match(_STOP, lower.rstrip(" .!\"')"))
    if last is None or last[0][0] == "?" or not _ONE_WORD.match(lower, last.end()):
        return ""
    return lower[last.end() :]
