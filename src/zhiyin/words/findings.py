"""Findings about runs that their reader has to know: facts, and the words for them beside.

A kind is a struct, and its message in ``words`` has its name ("cut-off" of `CutOff`). A new one
takes a struct and a message in each language. A struct stands here where a run's manifest keeps it
or several rooms find it, and else may stand beside the line that finds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal, Self

import msgspec

from zhiyin.words import Said, Text, say

Severity = Literal["stop", "doubt", "note"]
"""Damaged, lost, or still to be done; a reason to doubt the figures; good to know."""
_SEVERITIES: dict[str, Severity] = {"stop": "stop", "doubt": "doubt", "note": "note"}


def _tag(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Warning(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=_tag):
    """A fact that a reader of figures has to know.

    Attributes
    ----------
    severity : {"stop", "doubt", "note"}
        No view leaves out what says "stop".
    remedy : str
        The command that mends it; empty where none does.
    text : str
        It in English, made of its facts.
    """

    severity: Severity = "doubt"
    remedy: str = ""
    text: str = ""

    def __post_init__(self) -> None:
        if not self.text:
            msgspec.structs.force_setattr(self, "text", say(self))

    def __str__(self) -> str:
        return self.text

    @property
    def kind(self) -> str:
        """The name of its kind, as JSON has it: "cut-off"."""
        return str(self.__struct_config__.tag)

    @property
    def facts(self) -> dict[str, Any]:
        """Facts that its kind states, by name: numbers and texts, in English."""
        own = set(self.__struct_fields__) - set(Warning.__struct_fields__)
        stated = {name: getattr(self, name) for name in self.__struct_fields__ if name in own}
        return {n: str(v) if isinstance(v, Said | Warning) else v for n, v in stated.items()}

    def mended_by(self, command: str) -> Self:
        """The same with a command that mends it."""
        return msgspec.structs.replace(self, remedy=command)


class Grave(Warning, frozen=True):
    """A warning that says "stop" by itself."""

    severity: Severity = "stop"


# Of a session


class GoingOn(Warning, frozen=True):
    """A session is writing."""


class Elsewhere(Grave, frozen=True, kw_only=True):
    """The last session has not ended, and was not on this machine as it runs now."""


class Killed(Grave, frozen=True, kw_only=True):
    """The last session was killed."""


class StoppedEarly(Grave, frozen=True, kw_only=True):
    """The last session stopped."""

    why: Any


class Failed(Grave, frozen=True, kw_only=True):
    """Trials that failed."""

    n: int
    causes: Text | None


class Unfinished(Grave, frozen=True, kw_only=True):
    """Planned trials that are not there."""

    what: Text


class SequencesStopped(Grave, frozen=True, kw_only=True):
    """Sequences that a failed trial stopped."""

    what: Text


class Faulty(Grave, frozen=True, kw_only=True):
    """A sequence that cannot go on for a fault of its benchmark's."""

    what: str


class StoppedByPlan(Warning, frozen=True, kw_only=True):
    """A run whose hypotheses were decided before all that was planned had been asked."""

    n: int
    of: int
    names: tuple[str, ...]


class NotKept(Grave, frozen=True, kw_only=True):
    """Replies that should have been kept for later runs, and are not."""

    why: str


class WordsElsewhere(Warning, frozen=True, kw_only=True):
    """Replies without text, whose words stand elsewhere in them."""

    n: int
    place: str


class RequestsExpired(Grave, frozen=True, kw_only=True):
    """Requests of a batch that the provider let lie."""

    n: int


class BatchesOpen(Grave, frozen=True, kw_only=True):
    """Batches that the provider still works on."""

    n: int


class NotAskedFor(Grave, frozen=True, kw_only=True):
    """Answers of a file that belong to no trial."""

    where: str
    n: int
    of: int
    first: str


class LinesRepeated(Grave, frozen=True, kw_only=True):
    """Lines of the log that say a trial again."""

    n: int


# Of what was asked, and of the replies


class Part(Warning, frozen=True, kw_only=True):
    """A run that is not the whole of its benchmark."""

    why: Text
    beside: Literal["settings", "whole", "published", "others"]


class Canary(Grave, frozen=True, kw_only=True):
    """A model that did not tell apart what any ear or eye can, or was not asked."""

    medium: str
    told: Text


class CutOff(Warning, frozen=True, kw_only=True):
    """Replies without an answer since they were cut off."""

    n: int
    of: int
    limit: int | None


class Unreadable(Warning, frozen=True, kw_only=True):
    """Replies in which no answer was found."""

    n: int
    of: int
    causes: Text | None


class UnreadableIn(Warning, frozen=True, kw_only=True):
    """Groups in whose replies often no answer was found."""

    groups: tuple[Text, ...]


class OneAnswer(Warning, frozen=True, kw_only=True):
    """A run whose readable replies (nearly) all give one answer."""

    answer: str
    but: int = 0


class OneAnswerIn(Warning, frozen=True, kw_only=True):
    """Groups whose readable replies (nearly) all give one answer."""

    groups: tuple[Text, ...]
    but: int = 0


class BelowChance(Warning, frozen=True, kw_only=True):
    """Fewer right answers than a guesser has."""

    accuracy: float
    chance: float


class Ungraded(Warning, frozen=True, kw_only=True):
    """Replies that have no right answer and no judgement."""

    n: int


class TablesFailed(Warning, frozen=True, kw_only=True):
    """A benchmark's further tables that its code could not make."""

    why: str


class Kept(Grave, frozen=True, kw_only=True):
    """Replies that an earlier run asked for."""

    n: int
    of: int
    days: str | None


class SeveralModels(Grave, frozen=True, kw_only=True):
    """Replies of more than one model, as the server names them."""

    n: int
    named: tuple[str, ...]
    more: int


class KeyHidden(Grave, frozen=True, kw_only=True):
    """Replies in which the server repeated a key."""

    n: int


# Of several runs beside each other


class OfRun(Warning, frozen=True, kw_only=True):
    """A warning about one of several runs."""

    who: str
    what: Any


class OfTwo(Grave, frozen=True, kw_only=True):
    """A warning that names the two runs of which it speaks."""

    first: str
    second: str


class Copies(OfTwo, frozen=True, kw_only=True):
    """Two folders of one run."""


class SharedReplies(OfTwo, frozen=True, kw_only=True):
    """Two runs that hold one and the same replies."""

    n: int


class SameReplies(OfTwo, frozen=True, kw_only=True):
    """Two runs whose replies are word for word the same."""


class DataDiffer(Warning, frozen=True):
    """Runs over data with different fingerprints."""


class RulesDiffer(Warning, frozen=True, kw_only=True):
    """Runs whose replies were read by different rules."""

    rules: tuple[str, ...]


class VersionsDiffer(Warning, frozen=True):
    """Runs that were scored by different versions of their benchmark."""


class LeftOut(Warning, frozen=True, kw_only=True):
    """Trials that no other run has; songs, where these are judged."""

    who: str
    n: int
    of: int
    unit: str = "trials"


class WithoutBenchmark(Warning, frozen=True, kw_only=True):
    """A run whose benchmark is not here, or in a file that nobody named."""

    severity: Severity = "note"
    name: str
    why: str
    place: str
    install: str = ""


class BenchmarkChanged(Warning, frozen=True, kw_only=True):
    """A run whose benchmark's file has changed since; whether it scores in a way of its own."""

    severity: Severity = "note"
    place: str
    scores: bool


class BenchmarkVersion(Warning, frozen=True, kw_only=True):
    """A run whose benchmark is here in another version."""

    severity: Severity = "note"
    then: str
    now: str


class NoScore(Warning, frozen=True, kw_only=True):
    """Replies that have no part in a score since they could not be read."""

    who: str
    n: int
    measure: str


# Of no kind


class Remark(Warning, frozen=True, kw_only=True):
    """A remark that no program has to know by its kind: words of ours, or a sentence of others."""

    severity: Severity = "note"
    what: Text


KeptRemark = str | dict[str, Any]
"""A remark in a manifest: words, or a warning as JSON."""


_OLDER_STOPS = (
    "of an earlier run, from the cache",
    "models, as the server names them",
    "held a key that was sent",
    "replies are not kept",
    "requests had expired",
    "batches are worked on",
    "mend it and run again",
    "lines repeat a trial",
    "answers were not asked for",
)
"""What remarks of before, which were sentences, say where they mean "stop"."""


def kept(remarks: Iterable[Text | Warning]) -> list[KeptRemark]:
    """Remarks as a manifest keeps them."""
    ours = (Remark(what=one) if isinstance(one, Said) else one for one in remarks)
    return [one if isinstance(one, str) else msgspec.to_builtins(one) for one in ours]


def told(remarks: Iterable[KeptRemark]) -> Iterator[Warning]:
    """The remarks of a manifest; one of a kind that is not known here by its English words."""
    for one in remarks:
        if isinstance(one, str):
            yield Remark(
                what=one, severity="stop" if any(words in one for words in _OLDER_STOPS) else "note"
            )
            continue
        try:
            found = msgspec.convert(one, KINDS[one["kind"]])
            say(found, strict=True)  # a message in it may be of another version, too
            yield found
        except (LookupError, AttributeError, TypeError, ValueError):
            text = str(one.get("text") or "a remark of another version")
            yield Remark(what=text, severity=_SEVERITIES.get(str(one.get("severity")), "note"))


def by_severity(warnings: Iterable[Warning]) -> list[Warning]:
    """The gravest first, in their order otherwise."""
    order = list(_SEVERITIES)
    return sorted(warnings, key=lambda one: order.index(one.severity))


KINDS: dict[str, type[Warning]] = {
    str(kind.__struct_config__.tag): kind
    for above in (Warning, Grave, OfTwo)
    for kind in above.__subclasses__()
    if kind not in (Grave, OfTwo)
}
"""Every kind of the core by its name."""
