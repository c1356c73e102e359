"""A policy for options that are numbers of semitones."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zhiyin.reader import Policy, Reading
from zhiyin.trial import Option

_NUMBER = re.compile(r"(\d+) ?semitones?\b")


def read(text: str, options: Sequence[Option]) -> Reading:
    """The option that is the last number of semitones in the reply."""
    for found in reversed(list(_NUMBER.finditer(text))):
        for option in options:
            if option.text.split()[:1] == [found[1]]:
                return Reading(option.letter, f"the last number of semitones: {found[1]}")
    return Reading(None, "no number of semitones in it")


SEMITONES = Policy("semitones", 3, "the last number of semitones in the reply", read)
