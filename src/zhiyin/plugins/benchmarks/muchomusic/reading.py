"""Reading of replies by the paper and by its code; see `docs/reading.md` for what that costs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zhiyin.plugins.methods.harnesses import FOUR, NOTHING_FOUND, short_form
from zhiyin.reader import answered
from zhiyin.reader.plain import fold
from zhiyin.reader.policy import Policy, Reading
from zhiyin.trial import Option

_FIRST_FOUR = "ABCD"
_PREFIX = "The correct answer is:"
_ALONE = re.compile(r"(?<![A-Za-z0-9])([A-Z])(?![A-Za-z0-9])")


def as_paper(text: str, options: Sequence[Option]) -> Reading:
    """The option whose letter or full text is given, if one and only one is.

    A letter is given where it stands alone as a capital; a text where it occurs as a whole,
    whatever its case. The article "A" at the head of a sentence is thus taken for an option.
    Source: MuChoMusic (arXiv:2408.01337), section 4.1, "Evaluation Protocol".
    """
    letters = {match[1] for match in _ALONE.finditer(text)}
    words = fold(text)
    named = {
        option.letter
        for option in options
        if option.letter in letters or _contains(words, fold(option.text))
    }
    if len(named) == 1:
        return Reading(named.pop(), "the only option given")
    return Reading(None, "several options given" if named else "no option given")


def _contains(words: str, text: str) -> bool:
    """Tell whether a text occurs as whole words; no pattern is compiled."""
    place = words.find(text) if text else -1
    while place >= 0:
        around = words[max(0, place - 1) : place] + words[place + len(text) : place + len(text) + 1]
        if not any(sign.isalnum() or sign == "_" for sign in around):
            return True
        place = words.find(text, place + 1)
    return False


def as_code(text: str, options: Sequence[Option]) -> Reading:
    """Read as MuChoMusic's scoring code does, which is not what its paper says.

    All that follows the last "The correct answer is:" is searched character by character for
    the capitals A, B, C and D. If exactly one of the four occurs, however often and inside
    whatever word, it is the answer, and a wrong one where fewer options were shown. Otherwise
    the first option, in the order shown, whose lower-cased text is contained in the
    lower-cased reply is the answer.
    Source: the public repository mulab-mir/muchomusic, ``extract_responses`` in
    ``muchomusic_eval/scoring.py``, by behaviour.
    """
    stated = text.rpartition(_PREFIX)[2].strip()
    capitals = [letter for letter in _FIRST_FOUR if letter in stated]
    if len(capitals) == 1:
        return answered(capitals[0], options, "the only capital among A to D")
    lower = stated.lower()
    for option in options:
        wanted = option.text.lower().strip()
        if wanted and wanted in lower:
            return Reading(option.letter, "first option whose text is contained")
    return Reading(None, "several capitals among A to D" if capitals else "no capital, no text")


def as_lmms_eval(text: str, options: Sequence[Option]) -> Reading:
    """The short form of lmms-eval; a reply in which it finds nothing is one of A to D by chance."""
    letter = short_form(text.strip())
    if letter is None:
        return Reading(None, NOTHING_FOUND, guesses=tuple(FOUR))
    return answered(letter, options, "a letter in the short form")


POLICIES = (
    Policy(
        "muchomusic",
        1,
        "letter or full text, if one and only one is given (MuChoMusic's paper)",
        as_paper,
        "arXiv:2408.01337, section 4.1",
    ),
    Policy(
        "muchomusic-code",
        2,
        "the only capital among A to D, even inside words (MuChoMusic's code)",
        as_code,
        "mulab-mir/muchomusic@51d5160:muchomusic_eval/scoring.py",
    ),
    Policy(
        "lmms-muchomusic",
        1,
        "(A), A between blanks, A.; else one of A to D by chance (lmms-eval: MuChoMusic)",
        as_lmms_eval,
        "EvolvingLMMs-Lab/lmms-eval@75571cf:lmms_eval/tasks/muchomusic/utils.py",
        "guess",
        by_letter=True,
    ),
)
