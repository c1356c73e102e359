"""The published reading of one label of a closed set, as a policy for options with texts."""

from __future__ import annotations

from collections.abc import Sequence

from zhiyin.plugins.benchmarks.cmi.choices import published_labels
from zhiyin.reader.policy import Policy, Reading
from zhiyin.trial import Option


def as_published(text: str, options: Sequence[Option]) -> Reading:
    """The option whose text stands anywhere in the reply while no other option's does.

    Without ``_``, ``-``, ``'``, blanks and full stops, in small letters. The letter of an option is
    no answer, and an option that holds another's text can never be right.
    Source: ``published_right``, of CMI-Bench's accuracy.
    """
    right = published_labels(text, [option.text for option in options])
    if found := [option.letter for option in options if option.text in right]:
        return Reading(found[0], "the only option whose text is contained", alike=tuple(found[1:]))
    return Reading(None, "no option's text is contained, or several")


SOURCE = "nicolaus625/CMI-bench@4c15f41 (the accuracy)"
POLICIES = (
    Policy(
        "cmi",
        1,
        "the only option whose text is contained, blanks and marks aside (CMI-Bench)",
        as_published,
        SOURCE,
    ),
)
