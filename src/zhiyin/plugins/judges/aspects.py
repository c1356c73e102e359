"""Aspects that can be judged, and how a reply on each is read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.plugins.judges import failures, reasoning, rubric
from zhiyin.plugins.judges.declared import OURS, Aspect, installed, read_aspect
from zhiyin.plugins.judges.heard import NOTHING, HeardFacts
from zhiyin.plugins.judges.reading import Schema
from zhiyin.plugins.judges.rubric import Judgement
from zhiyin.plugins.judges.rules import OURS as OUR_RULES
from zhiyin.plugins.judges.rules import by_released_rules, read_released, rules_of

VERSION = 2
"""Raised whenever any reply would be read differently."""
MAX_TOKENS = 4096
DEFAULT_JUDGE = "deepseek-v3"
OWN = "own"
"""The value that stands for each aspect's own temperature."""
GRADED = tuple(name for name, one in OURS.items() if one.of == "reviews")
ALONE = tuple(name for name, one in OURS.items() if one.of == "choices")
"""Aspects of choices: each is judged in a run of its own, and gives no grade of a review."""


SongDetails = dict[str, Any]
"""What is known of a song, as its data have it."""


class Dossier(msgspec.Struct, frozen=True, omit_defaults=True):
    """The subject of a judgement: the stem of its trial, as JSON.

    `kind` says whether the questions of a failure were "heard" or "read"; `heard` is what was
    measured in the song's recording; `released` says that the prompt, and so the reply, is in the
    released form, and not in ours; `criteria` how many there are of reasoning; `scale` that of an
    aspect which is not one of ours.
    """

    aspect: str
    text: str
    details: SongDetails = {}
    language: str = "zh"
    kind: str = ""
    heard: HeardFacts = NOTHING
    protocol: str = OUR_RULES.name
    released: bool = False
    criteria: int = 0
    scale: tuple[float, float] | None = None


def open_dossier(stem: str) -> Dossier:
    """The dossier in a trial's stem."""
    return msgspec.json.decode(stem, type=Dossier)


def read(dossier: Dossier, reply: str) -> Judgement:
    """The judgement in a reply. Raises `reading.UnreadableJudgement` where it holds none."""
    if dossier.scale:
        return rubric.read_score(reply, dossier.text, dossier.scale)
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
    return judgement if rules == OUR_RULES else by_released_rules(dossier.aspect, judgement)


def schema_of(dossier: Dossier) -> Schema:
    """The JSON schema that a judge's reply is to follow."""
    aspect = dossier.aspect
    if dossier.scale:
        return rubric.score_schema()
    if aspect == "failures":
        return failures.schema(dossier.kind)
    if aspect == "reasoning":
        return reasoning.schema(dossier.criteria)
    if aspect == "completeness":
        return rubric.completeness_schema(rules_of(dossier.protocol).rubric)
    return rubric.claims_schema() if aspect == "precision" else rubric.novelty_schema()


def aspect_words(value: Any) -> tuple[str, ...]:
    """The words of a comma list of aspects, each once; the graded ones of ours for none."""
    parts = value if isinstance(value, list | tuple) else (value or ",".join(GRADED)).split(",")
    return tuple(dict.fromkeys(word for part in parts if (word := part.strip())))


def read_aspects(value: Any, kept: Sequence[Aspect] = ()) -> tuple[Aspect, ...]:
    """The aspects in a comma list: names, and files that declare some.

    Parameters
    ----------
    value : str or sequence of str
    kept : sequence of Aspect
        Declarations that a judge run holds, which its names mean, whatever became of the files.

    Raises
    ------
    InputError
        An unknown name, a faulty file, one name twice, or an odd mixture.
    """
    added, names = {one.name: one for one in kept}, aspect_words(value)
    if not names or (len(names) > 1 and not set(ALONE).isdisjoint(names)):
        raise InputError(
            f"--aspects {value}: failures and reasoning are of choices and the others of reviews: "
            f"name failures alone, or reasoning, or some of {','.join(GRADED)} and files of yours"
        )
    found: dict[str, Aspect] = {}
    for name in names:
        aspect = added.get(name) or OURS.get(name)
        if aspect is None and (name.endswith(".toml") or name in installed()):
            aspect = read_aspect(installed().get(name) or Path(name))
        if aspect is None:
            known = (*OURS, *added, *installed())
            raise InputError(f"unknown --aspects {name!r}: {did_you_mean(name, known)}")
        if aspect.name in found:
            raise InputError(f"--aspects {name}: the name {aspect.name!r} is taken by another one")
        found[aspect.name] = aspect
    return tuple(found.values())
