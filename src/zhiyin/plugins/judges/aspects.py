"""Aspects that can be judged, each with its temperature and its way of reading a reply."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.plugins.judges import failures, reasoning, rubric
from zhiyin.plugins.judges.heard import NOTHING, HeardFacts
from zhiyin.plugins.judges.reading import Schema
from zhiyin.plugins.judges.rubric import Judgement
from zhiyin.plugins.judges.rules import OURS, by_released_rules, read_released, rules_of

VERSION = 2
"""Raised whenever any reply would be read differently."""
MAX_TOKENS = 4096
DEFAULT_JUDGE = "deepseek-v3"
OWN = "own"
"""The value that stands for each aspect's own temperature."""


class Aspect(NamedTuple):
    """One kind of judgement: the temperature of its judge, and what must be known of the song.

    `needs` is "" for nothing, "details", or "evidence" (details, or something heard).
    """

    temperature: float
    needs: str = ""


ASPECTS: dict[str, Aspect] = {
    "completeness": Aspect(0.6),
    "precision": Aspect(0.3, "evidence"),
    "novelty": Aspect(0.4, "details"),
    "failures": Aspect(0.3),
    "reasoning": Aspect(0.0),
}
"""Temperatures of the first three as in the README of the Comprehensive Music Appraisal
Benchmark, "LLM Settings"; of failures it is ours; reasoning is judged at 0, as published."""

GRADED = ("completeness", "precision", "novelty")
ALONE = ("failures", "reasoning")
"""Aspects of choices: each is judged in a run of its own, and gives no grade of a review."""


SongDetails = dict[str, Any]
"""What is known of a song, as its data have it."""


class Dossier(msgspec.Struct, frozen=True, omit_defaults=True):
    """The subject of a judgement: the stem of its trial, as JSON.

    `kind` says whether the questions of a failure were "heard" or "read"; `heard` is what was
    measured in the song's recording; `released` says that the prompt, and so the reply, is in the
    released form, and not in ours; `criteria` how many there are of reasoning.
    """

    aspect: str
    text: str
    details: SongDetails = {}
    language: str = "zh"
    kind: str = ""
    heard: HeardFacts = NOTHING
    protocol: str = OURS.name
    released: bool = False
    criteria: int = 0


def open_dossier(stem: str) -> Dossier:
    """The dossier in a trial's stem."""
    return msgspec.json.decode(stem, type=Dossier)


def read(dossier: Dossier, reply: str) -> Judgement:
    """The judgement in a reply. Raises `reading.UnreadableJudgement` where it holds none."""
    if dossier.aspect == "failures":
        return failures.read(reply, dossier.text, dossier.kind)
    if dossier.aspect == "reasoning":
        return reasoning.read(reply, dossier.criteria)
    if dossier.released:
        return read_released(dossier.aspect, reply)
    rules = rules_of(dossier.protocol)
    if dossier.aspect == "completeness":
        return rubric.read_completeness(reply, dossier.text, rules.rubric)
    if dossier.aspect == "precision":
        judgement = rubric.read_claims(reply, dossier.text, bool(dossier.heard))
    else:
        judgement = rubric.read_novelty(reply, dossier.text)
    return judgement if rules == OURS else by_released_rules(dossier.aspect, judgement)


def schema_of(aspect: str, kind: str = "", protocol: str = OURS.name, criteria: int = 0) -> Schema:
    """The JSON schema that a judge's reply is to follow; `kind`, `criteria` as in a `Dossier`."""
    if aspect == "failures":
        return failures.schema(kind)
    if aspect == "reasoning":
        return reasoning.schema(criteria)
    if aspect == "completeness":
        return rubric.completeness_schema(rules_of(protocol).rubric)
    return rubric.claims_schema() if aspect == "precision" else rubric.novelty_schema()


def temperature_of(aspect: str, temperature: float | str | None) -> float | None:
    """A number, None (the model's own), or "own" (the aspect's)."""
    return ASPECTS[aspect].temperature if isinstance(temperature, str) else temperature


def read_aspects(value: str | None) -> tuple[str, ...]:
    """The aspects in a comma list. Raises `InputError` for unknown ones or an odd mixture."""
    names = tuple(
        dict.fromkeys(n.strip() for n in (value or ",".join(GRADED)).split(",") if n.strip())
    )
    for name in names:
        if name not in ASPECTS:
            raise InputError(f"unknown --aspects {name!r}: {did_you_mean(name, ASPECTS)}")
    if not names or (len(names) > 1 and not set(ALONE).isdisjoint(names)):
        raise InputError(
            f"--aspects {value}: failures and reasoning are of choices and the others of reviews: "
            f"name failures alone, or reasoning, or some of {','.join(GRADED)}"
        )
    return names
