"""Aspects that can be judged, and how a reply on each is read.

Declarations of aspects: Zhiyin's own in ``own/``, others in a file or a package.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from zhiyin import extensions as plugins
from zhiyin.errors import InputError, did_you_mean
from zhiyin.parsing import read_toml_text
from zhiyin.plugins.judges import rubric
from zhiyin.plugins.judges.choices import (
    criteria_schema,
    failure_schema,
    read_criteria,
    read_failure,
)
from zhiyin.plugins.judges.heard import NOTHING, HeardFacts
from zhiyin.plugins.judges.reading import Schema
from zhiyin.plugins.judges.rubric import Judgement
from zhiyin.plugins.judges.rules import OURS as OUR_RULES
from zhiyin.plugins.judges.rules import by_released_rules, read_released, rules_of
from zhiyin.prompts import require
from zhiyin.words import Said, naming, said

Given = Literal["details", "heard"]
_RESERVED = ("qa", "questions", "total", "song", "missing", "score")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_SEE = "see `Aspects of your own` in docs/judges.md"


class Aspect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One kind of judgement.

    Attributes
    ----------
    name : str
    scale : (float, float)
        The lowest and the highest score.
    weight : float
        In the total, beside those of the other aspects and of the questions.
    prompt : str
        The question to the judge, with ``{text}`` and what else is given in it; "" of Zhiyin's own,
        whose prompts are in the language packs and whose replies have forms of their own.
    given : tuple of {"details", "heard"}
        What a judge is given beside the text. Without any of it a song is not judged.
    temperature : float
        Of the judge.
    of : {"reviews", "choices"}
        What is judged. An aspect of choices is judged in a run of its own, and gives no grade.
    title : str
        Its name wherever Chinese is shown; files and English keep `name`.
    """

    name: str
    scale: tuple[float, float]
    weight: Annotated[float, msgspec.Meta(ge=0, le=1e6)]
    prompt: str = ""
    given: tuple[Given, ...] = ()
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.3
    of: Literal["reviews", "choices"] = "reviews"
    title: str = ""

    def __post_init__(self) -> None:
        """Make the title known to all that is shown."""
        if self.title:
            facts = {"name": self.name, "title": self.title}  # the one in English, or the other
            naming(said("aspect-titled", **facts))

    @property
    def needs(self) -> str:
        """What must be known of a song: "" for nothing, else details, heard, or any of both."""
        return "evidence" if len(self.given) > 1 else "".join(self.given)


def _read(path: Path) -> Aspect:
    """The declaration in a file. Raises `InputError`."""
    try:
        return msgspec.convert(read_toml_text(path.read_bytes()), Aspect)
    except OSError as error:
        raise InputError(said("aspect-unread", path=path, strerror=error.strerror)) from None
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {error}: {_SEE}") from None
    except ValueError as error:
        raise InputError(f"{path}: not TOML ({error}): mend that line") from None


_FILES = sorted((Path(__file__).parent / "own").glob("*.toml"))
OURS = {one.name: one for one in sorted(map(_read, _FILES), key=lambda one: -one.weight)}
"""Temperatures of the first three as in the README of the Comprehensive Music Appraisal
Benchmark, "LLM Settings"; of failures it is ours; reasoning is judged at 0, as published. Weights
by "Scoring Weights" there."""


def part_named(name: str) -> Said:
    """An aspect, or the questions, by its name in tables."""
    return said("judged-part", name=name)


def read_aspect(path: Path) -> Aspect:
    """The aspect that a file of others declares.

    Raises
    ------
    InputError
        It cannot be read, lacks a key, has a name that is taken, a scale or a prompt of no use.
    """
    aspect = _read(path)
    low, high = aspect.scale
    if not _NAME.fullmatch(aspect.name):
        raise InputError(said("aspect-name", path=path, name=repr(aspect.name)))
    if aspect.name in OURS or aspect.name in _RESERVED:
        raise InputError(said("aspect-taken", path=path, name=repr(aspect.name)))
    if not 0 <= low < high < float("inf"):
        raise InputError(said("aspect-scale", path=path, low=f"{low:g}", high=f"{high:g}"))
    if aspect.of != "reviews":
        raise InputError(said("aspect-of", path=path))
    if not aspect.prompt.strip():
        raise InputError(said("aspect-no-prompt", path=path, see=_SEE))
    require(aspect.prompt, ("text", *aspect.given), path)
    return aspect


def read_declared(options: Mapping[str, Any]) -> tuple[Aspect, ...]:
    """The aspects that are not Zhiyin's own in the options of a judge run."""
    return msgspec.convert(options.get("declared") or (), tuple[Aspect, ...])


@cache
def installed() -> dict[str, Path]:
    """The files of aspects that packages declare, by the names of their entry points."""
    return {name: Path(str(place)) for name, place in plugins.every(plugins.ASPECTS).items()}


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
        return read_failure(reply, dossier.text, dossier.kind)
    if dossier.aspect == "reasoning":
        return read_criteria(reply, dossier.criteria)
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
        return failure_schema(dossier.kind)
    if aspect == "reasoning":
        return criteria_schema(dossier.criteria)
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
        raise InputError(said("aspects-mixed", value=value, graded=",".join(GRADED)))
    found: dict[str, Aspect] = {}
    for name in names:
        aspect = added.get(name) or OURS.get(name)
        if aspect is None and (name.endswith(".toml") or name in installed()):
            aspect = read_aspect(installed().get(name) or Path(name))
        if aspect is None:
            known = (*OURS, *added, *installed())
            raise InputError(said("aspects-unknown", name=name, hint=did_you_mean(name, known)))
        if aspect.name in found:
            raise InputError(said("aspects-twice", name=name, nameb=repr(aspect.name)))
        found[aspect.name] = aspect
    return tuple(found.values())
