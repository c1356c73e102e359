"""Letters that a model favours, over the whole of a run and within its groups."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from zhiyin.engine.scoring import ALL
from zhiyin.runs.estimates import Frame
from zhiyin.runs.figures import ByItself
from zhiyin.runs.measures import ANSWERED
from zhiyin.runs.rows import Rows
from zhiyin.runs.ways import Codes
from zhiyin.statistics.choice import LetterBias, letter_bias
from zhiyin.statistics.intervals import wilson
from zhiyin.words import Said, said

ALPHA = 0.05
LEAST_ANSWERS = 20
"""Of fewer it is not said that no letter is favoured: nothing could have been found."""
_LARGE = 0.2
"""By how much a letter's share of a group's answers is above its share of the key, to be told."""


class FavouredLetter(msgspec.Struct, frozen=True):
    """The letter that most exceeds the key, and whether it is favoured.

    Attributes
    ----------
    verdict : {"always", "favours", "none"}
    letter : str
    chosen, keyed : float
        Shares of the answers and of the key.
    p : float or None
    by_itself : ByItself or None
        Of one that is favoured by itself, and not after the correction for all runs of a page.
    """

    verdict: Literal["always", "favours", "none"]
    letter: str
    chosen: float
    keyed: float
    p: float | None
    by_itself: ByItself | None = None

    @property
    def told(self) -> Said:
        """Text beside the figure: "often A"."""
        return said("short-often", letter=self.letter)


def letters_in(rows: Rows) -> LetterBias | None:
    """Chosen letters against the key; None without lettered options, and where nothing is right or
    wrong.
    """
    rows = rows.judged.which(lambda kind: kind.gold is not None)
    if not rows:
        return None
    outcomes, kinds = rows.table.outcomes, rows.table.kinds
    chosen = [outcomes[n].letter for n in rows.table.outcome[rows.numbers].tolist()]
    gold = [kinds[n].gold or "" for n in rows.table.kind[rows.numbers].tolist()]
    return letter_bias(chosen, gold, rows.items.tolist())


def favoured_letter(bias: LetterBias | None) -> FavouredLetter | None:
    """Find the letter that is favoured, if any.

    None where there are no letters to favour, or too few answers to tell.
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
    # More often than by one who spreads guesses evenly.
    is_often = wilson(chosen * bias.units, bias.units).low > 1 / len(bias.letters)
    if sum(letter.chosen > 0 for letter in bias.letters) == 1 and bias.answered >= LEAST_ANSWERS:
        verdict = "always"
    elif test is None:
        return None
    elif test.p < ALPHA and is_often:
        verdict = "favours"
    if verdict == "none" and bias.answered < LEAST_ANSWERS:
        return None
    return FavouredLetter(verdict, name, chosen, keyed, None if test is None else test.p)


def letters_within(frame: Frame) -> dict[str, FavouredLetter]:
    """The groups of a run in which a letter is favoured by far, the whole among them.

    None within a group of which the same is found. Corrected by Bonferroni for all groups with
    enough answers; of altered conditions none is.
    """
    (rows,) = frame.several
    table, ways = rows.table, rows.ways
    codes = Codes[str | None](None)
    letters = np.array([codes[one.letter] for one in table.outcomes], dtype=np.int64)
    keys = np.array([codes[one.gold] for one in table.kinds], dtype=np.int64)
    took, right = letters[table.outcome[rows.numbers]], keys[table.kind[rows.numbers]]
    counted = ANSWERED[frame.state] & (took > 0) & (right > 0)
    looked_at = {
        group: own
        for group in frame.groups()
        if not ways.is_altered(group)
        and len(own := (places := frame.places(group))[counted[places]]) >= LEAST_ANSWERS
    }
    found: dict[str, FavouredLetter] = {}
    for group, places in looked_at.items():
        chosen, keyed = (np.bincount(x[places], minlength=len(codes)) for x in (took, right))
        excess, above = chosen - keyed, group.split("/")
        wider = {ALL, *("/".join(above[:n]) for n in range(len(above)))} & found.keys()
        letter = codes.names[excess.argmax()]
        if excess.max() < _LARGE * len(places) or letter in {found[one].letter for one in wider}:
            continue
        own = favoured_letter(letters_in(frame.rows(frame.places(group))))
        if own and own.verdict == "favours" and (own.p or 0.0) * len(looked_at) < ALPHA:
            found[group] = own
    return found
