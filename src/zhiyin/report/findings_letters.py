"""Findings on letters: whether an examinee favours one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from zhiyin.report.findings import ALPHA, Finding, finding
from zhiyin.report.measures import over_page
from zhiyin.statistics.choice import LetterBias
from zhiyin.statistics.intervals import wilson
from zhiyin.words import said

_LEAST_ANSWERS = 20
"""Of fewer it is not said that no letter is favoured: nothing could have been found."""


class FavouredLetter(msgspec.Struct, frozen=True):
    """Whether a letter is favoured, and which: the one that most exceeds the key.

    Attributes
    ----------
    verdict : {"always", "favours", "none"}
    letter : str
    chosen, keyed : float
        Shares of the answers and of the key.
    p : float or None
    """

    verdict: Literal["always", "favours", "none"]
    letter: str
    chosen: float
    keyed: float
    p: float | None


def favoured_letters(
    letters: Mapping[int, LetterBias | None], page: int
) -> dict[int, FavouredLetter]:
    """What `favoured_letter` says of each run, where it says something; corrected over a page of
    so many runs.
    """
    of_runs = {run: own for run, bias in letters.items() if (own := favoured_letter(bias))}
    tested = {run: own.p for run, own in of_runs.items() if own.p is not None}
    for run, p in zip(tested, over_page([*tested.values()], page), strict=True):
        own = msgspec.structs.replace(of_runs[run], p=p)
        if own.verdict == "favours" and p >= ALPHA:
            own = msgspec.structs.replace(own, verdict="none")
        of_runs[run] = own
    return of_runs


def favoured_letter(bias: LetterBias | None) -> FavouredLetter | None:
    """Whether a letter is favoured; None where there are no letters to favour, or too few answers
    to tell.
    """
    if bias is None or not bias.answered or len(bias.letters) < 2:
        return None
    gold = sum(letter.gold for letter in bias.letters)
    shares = [
        (letter.chosen / bias.answered, letter.gold / gold, letter.letter)
        for letter in bias.letters
    ]
    chosen, keyed, name = max(shares, key=lambda share: share[0] - share[1])
    test = bias.marginal or bias.chosen_against_key
    verdict: Literal["always", "favours", "none"] = "none"
    if sum(letter.chosen > 0 for letter in bias.letters) == 1 and bias.answered >= _LEAST_ANSWERS:
        verdict = "always"
    elif test is None:
        return None
    elif test.p < ALPHA and _favoured(bias, name):
        verdict = "favours"
    return FavouredLetter(verdict, name, chosen, keyed, None if test is None else test.p)


def preference(
    label: str, run: int, bias: LetterBias | None, liked: FavouredLetter | None
) -> Iterator[Finding]:
    """Whether an examinee favours a letter: chosen against the key."""
    if liked is None or bias is None:
        return
    if liked.verdict == "none" and bias.answered < _LEAST_ANSWERS:
        return
    name, chosen, keyed = liked.letter, liked.chosen, liked.keyed
    both = bias.rstd is not None and bias.rstd_by_chance is not None
    rstd, by_chance = (bias.rstd, bias.rstd_by_chance) if both else (None, None)
    if liked.verdict == "always":
        words = said("finding-always", who=label, letter=name)
    elif liked.verdict == "favours":
        words = said(
            "finding-favours",
            who=label,
            letter=name,
            chosen=chosen,
            keyed=keyed,
            p=liked.p,
            rstd=rstd,
            by_chance=by_chance,
        )
    else:
        words = said(
            "finding-no-letter",
            who=label,
            letter=name,
            chosen=chosen,
            keyed=keyed,
            rstd=rstd,
            by_chance=by_chance,
        )
    yield finding("letters", words, run=str(run), letter=name)


def _favoured(bias: LetterBias, name: str) -> bool:
    """Whether a letter is chosen more often than by one who spreads guesses evenly."""
    chosen = next(letter.chosen for letter in bias.letters if letter.letter == name)
    share = chosen / bias.answered
    return wilson(share * bias.units, bias.units).low > 1 / len(bias.letters)
