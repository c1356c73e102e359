"""What can be judged: each aspect with its temperature and its way of reading a reply."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.judges import claims, failures, novelty, rubric
from zhiyin.judges.judgement import Judgement
from zhiyin.record import Sampling

VERSION = 2
"""Raised whenever any reply would be read differently."""
MAX_TOKENS = 4096
DEFAULT_JUDGE = "deepseek-v3"
OWN = "own"
"""The temperature that leaves it to the aspect."""


class Aspect(NamedTuple):
    """One kind of judgement: the temperature of its judge, and whether it needs song details."""

    temperature: float
    needs_details: bool


ASPECTS: dict[str, Aspect] = {
    "completeness": Aspect(0.6, False),
    "precision": Aspect(0.3, True),
    "novelty": Aspect(0.4, True),
    "failures": Aspect(0.3, False),
}
"""Temperatures of the first three as in seed 3, "LLM Settings"; the fourth is ours."""

GRADED = ("completeness", "precision", "novelty")


class Dossier(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a judgement is about: the stem of its trial, as JSON.

    `kind` says whether the questions of a failure were "heard" or "read".
    """

    aspect: str
    text: str
    details: dict[str, Any] = {}
    language: str = "zh"
    kind: str = ""


def open_dossier(stem: str) -> Dossier:
    """The dossier in a trial's stem."""
    return msgspec.json.decode(stem, type=Dossier)


def read(dossier: Dossier, reply: str) -> Judgement:
    """The judgement in a reply. Raises `reading.Unreadable` where it holds none."""
    if dossier.aspect == "completeness":
        return rubric.read(reply, dossier.text)
    if dossier.aspect == "precision":
        return claims.read(reply, dossier.text)
    if dossier.aspect == "novelty":
        return novelty.read(reply, dossier.text)
    return failures.read(reply, dossier.text, dossier.kind)


def schema_of(aspect: str, kind: str = "") -> dict[str, Any]:
    """The JSON schema that a judge's reply is to follow; `kind` as in a `Dossier`."""
    if aspect == "failures":
        return failures.schema(kind)
    makers = {"completeness": rubric.schema, "precision": claims.schema, "novelty": novelty.schema}
    return makers[aspect]()


def sampling_of(
    aspect: str, kind: str, temperature: float | str | None, max_tokens: int | None
) -> Sampling:
    """How the judge is to generate; `temperature` is a number, None (the model's) or "own"."""
    own = ASPECTS[aspect].temperature
    chosen = own if isinstance(temperature, str) else temperature
    return Sampling(chosen, max_tokens, schema=schema_of(aspect, kind))


def read_aspects(value: str | None) -> tuple[str, ...]:
    """The aspects in a comma list. Raises `InputError` for unknown ones or an odd mixture."""
    names = tuple(
        dict.fromkeys(n.strip() for n in (value or ",".join(GRADED)).split(",") if n.strip())
    )
    for name in names:
        if name not in ASPECTS:
            raise InputError(f"unknown --aspects {name!r}: {did_you_mean(name, ASPECTS)}")
    if not names or ("failures" in names and len(names) > 1):
        raise InputError(
            f"--aspects {value}: failures are of choices and the others of reviews: name "
            f"failures alone, or some of {','.join(GRADED)}"
        )
    return names
