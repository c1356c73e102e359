"""The official script's reading of a closed question: the part that needs no embedding."""

from __future__ import annotations

from collections.abc import Sequence

from zhiyin.reader.policy import Policy, Reading
from zhiyin.trial import Option


def nearest_option(text: str, options: Sequence[Option]) -> Reading:
    """The part of MMAU-Pro's rule that needs no embedding: the reply is the text of an option.

    The option nearest to the reply is taken, and none is nearer than one that is equal to it. For
    any other reply, an empty one too, an embedding decides: it is never unread at the source.
    """
    letter = next((option.letter for option in options if option.text == text), None)
    return Reading(letter, "equal to an option" if letter else "left to an embedding")


POLICIES = (
    Policy(
        "mmau-pro",
        1,
        "the option nearest by an embedding; without one only a reply that equals an option "
        "(MMAU-Pro)",
        nearest_option,
        "sonalkum/MMAUPro@960e93a:evaluate_mmau_pro_comprehensive.py",
        "open",
    ),
)
