"""Findings on groups of a run alone: one answer, a favoured letter, altered sound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from zhiyin.analysis.constant import SoleAnswer, constant_answers
from zhiyin.analysis.letters import FavouredLetter, letters_within
from zhiyin.analysis.listening import ConditionGap, listening_within
from zhiyin.runs.estimates import Frame
from zhiyin.words import Text


class Within(msgspec.Struct, frozen=True):
    """Findings on groups of a run, by their names.

    Attributes
    ----------
    always : dict of str to SoleAnswer
        The one answer that was given to everything.
    often : dict of str to FavouredLetter
    adds : dict of str to ConditionGap
        What true sound adds, where that is other than elsewhere; names without ways before them.
    """

    always: Mapping[str, SoleAnswer] = {}
    often: Mapping[str, FavouredLetter] = {}
    adds: Mapping[str, ConditionGap] = {}

    @classmethod
    def of(cls, frame: Frame) -> Within:
        """Find what there is in the groups of a run."""
        return cls(constant_answers(frame), letters_within(frame), listening_within(frame))

    def told(self, group: str) -> Iterator[Text]:
        """Yield texts beside a group's figure and its interval."""
        if often := self.often.get(group):
            yield often.told
        if adds := self.adds.get(group):
            yield adds.told
