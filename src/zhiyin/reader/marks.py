"""A mark for each option in a row: "A: F, B: T, C: F", "A n B n C y D n"."""

from __future__ import annotations

import re

from zhiyin.reader.choices import Choices

_GOOD = "y|yes|t|true|right|correct|good|ok|in|pass(?:es)?|exactly|是|真|对|正确|✓|√|\\+"
_BAD = (
    "n|no|f|false|wrong|incorrect|bad|poor|out|fails?|not quite|not really|否|假|错|不对|错误"
    "|✗|×|x|-|–|—"
)
_GAP = r"[\s:=(\[|.、-]*"
_MARK = rf"(?:(?P<good>{_GOOD})|(?:{_BAD}))(?![a-z])[)\].,;|\s]*"
_LABEL = re.compile(r"[\W_]*(?:option\s|选项)?\(?(?P<letter>[a-z])(?![a-z])\)?" + _GAP + _MARK)


def marked(lower: str, choices: Choices) -> re.Match[str] | None:
    """The one option marked as right, with its mark, where the reply is a row of marks.

    Every option must have its mark, in order, and nothing else may be said. The group ``letter``
    is the option's letter in lower case.

    Parameters
    ----------
    lower : str
        A reply in plain words, in lower case.
    choices : Choices
    """
    at = 0
    good: list[re.Match[str]] = []
    for letter in choices.letters:
        mark = _LABEL.match(lower, at)
        if mark is None or mark["letter"].upper() != letter:
            return None
        if mark["good"]:
            good.append(mark)
        at = mark.end()
    over = len(choices.letters) < 3 or any(character.isalnum() for character in lower[at:])
    return good[0] if len(good) == 1 and not over else None
