"""Names of runs in tables and sentences: short, and all different."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence

import msgspec

from zhiyin.engine.folder import Manifest
from zhiyin.text import shared_start
from zhiyin.words import Said, Text, naming, said

_CHECKPOINT = re.compile(
    r"(?:checkpoint|ckpt|step|epoch|iter)[^\W_]*+(?:[-_.]\d+)*+|final|last|best|hf"
)
"""Names of folders that say nothing without the one that they are in."""
MARK = " ✗"
"""Behind the name of a run whose model failed its canary, wherever it is named."""


def brief(model: str) -> str:
    """A model's name without scheme, address and folders.

    ``openai:gpt-4o`` is gpt-4o, ``http://127.0.0.1:8000/v1#org/model-7b`` is model-7b, and
    ``python:work/mine.py:answer`` is mine.py:answer, ``python:lab.mine:answer`` mine:answer.
    A checkpoint keeps the folder that says of what: ``runs/tune-3/checkpoint-500`` is
    tune-3/checkpoint-500.
    """
    at = re.match(r"(?:pool:|https?://).*#", model)  # the addresses of a server, or of several
    name = model[at.end() :] if at else model
    if "://" in name:  # an address that names no model: its host says who answers
        name = name.partition("://")[2].partition("/")[0]
    name = re.sub(r"^python:(?:\w+\.)+(?!py:)(?=\w+:)", "", name)
    name = re.sub(r"^(?:openai|python|replay):", "", name)
    if re.fullmatch(r"[\w.:@+#-]*(?:/[\w.:@+#-]+)+", name):
        folder, _, name = name.rpartition("/")
        if _CHECKPOINT.fullmatch(name) and folder.rpartition("/")[2]:
            name = f"{folder.rpartition('/')[2]}/{name}"
    return name or model


def briefs(models: Sequence[str]) -> list[str]:
    """Brief names of models; where two share one, all of theirs but the folders they begin with.

    ``http://here/v1#runs/a/step-100`` and ``http://here/v1#runs/b/step-100`` are a/step-100 and
    b/step-100.
    """
    alike: dict[str, set[str]] = {}
    for model in models:
        alike.setdefault(brief(model), set()).add(model)
    return [_uncommon(model, sorted(alike[brief(model)])) or brief(model) for model in models]


def models_in(manifests: Sequence[Manifest]) -> list[str]:
    """The model of each run; of one name under one label at several addresses the first is all."""
    first: dict[tuple[str, str], str] = {}
    models: dict[str, str] = {}
    for one in manifests:
        model = models.setdefault(one.model, one.model)
        if one.label:
            models[one.model] = first.setdefault((one.label, brief(one.model)), model)
    return [models[one.model] for one in manifests]


def _uncommon(model: str, alike: Sequence[str]) -> str:
    """A model's name without the folders that all of some begin with; empty where it is alone."""
    if len(alike) < 2:
        return ""
    parts = [name.split("/") for name in alike]
    same = shared_start(parts)
    return "/".join(model.split("/")[same:]) or model


def marked(name: str, manifest: Manifest) -> str:
    """A name with the mark behind it where the run's model failed a canary."""
    again = name.endswith(MARK)
    deaf = failed_canaries(manifest) and not again
    return naming(said("boards-marked", name=name, mark=MARK)) if deaf else name


class LoggedCanary(msgspec.Struct, frozen=True):
    """Result of a canary, as `run.json` has it: see `zhiyin.session.canary.CanaryOutcome`.

    What one of another version does not say is None.
    """

    state: str = ""
    right: int | None = None
    asked: int | None = None
    needed: int | None = None
    by_guessing: float | None = None
    unread: int | None = None
    told: str | None = None
    warning: str = ""


def canaries_of(manifest: Manifest) -> dict[str, LoggedCanary]:
    """The canaries of a run by medium ("sound", "image"); one of another shape says nothing."""
    found = {}
    for medium, outcome in manifest.canary.items():
        with contextlib.suppress(msgspec.ValidationError):
            found[medium] = msgspec.convert(outcome, LoggedCanary)
    return found


def failed_canaries(manifest: Manifest) -> dict[str, LoggedCanary]:
    """The canaries that a run's model failed, by medium."""
    return {
        medium: one
        for medium, one in canaries_of(manifest).items()
        if one.state == "failed" and one.warning and None not in (one.right, one.asked)
    }


def canary_told(medium: str, one: LoggedCanary) -> Text:
    """Describe a canary that was not passed; one of another version by the sentence in its log."""
    if None in msgspec.structs.astuple(one):
        return one.warning
    return said(
        "canary-told",
        medium=medium,
        state=one.state,
        right=one.right,
        asked=one.asked,
        needed=one.needed,
        by_guessing=one.by_guessing,
        unread=one.unread,
        why=(one.told or "").removeprefix("unsupported: "),
    )


def told_of(names: Sequence[Text], manifests: Sequence[Manifest]) -> list[Text]:
    """List the notes beside a table that names runs with the mark: a line each medium."""
    each = [*zip(names, map(failed_canaries, manifests), strict=True)]
    return [
        told if isinstance(told, Said) and told.name == "canaries-failed"
        else said("canary-of", who=[name for name, own in each if medium in own], told=told)
        for medium, told in canaries_told(zip(names, manifests, strict=True)).items()
    ]  # fmt: skip


def canaries_told(runs: Iterable[tuple[Text, Manifest]]) -> dict[str, Text]:
    """Describe by medium the canaries that models of some named runs failed, all models in one.

    Where their results differ, each stands with its model's name.
    """
    failed: dict[str, list[tuple[Text, LoggedCanary]]] = {}
    for name, manifest in runs:
        for medium, one in failed_canaries(manifest).items():
            failed.setdefault(medium, []).append((name, one))
    told: dict[str, Text] = {}
    for medium, every in failed.items():
        right = [said("canary-right", who=name, right=one.right, asked=one.asked)
                 for name, one in every]  # fmt: skip
        needed = {one.needed for _, one in every}
        results = {(one.right, one.asked) for _, one in every}
        told[medium] = canary_told(medium, every[0][1]) if len(results) == 1 else said(
            "canaries-failed", medium=medium, each=right,
            needed=needed.pop() if len(needed) == 1 else None,
        )  # fmt: skip
    return told


PEOPLE = "people"
"""Kind of a run that `zhiyin study show` wrote, in its manifest's `decoding`."""
_GROUP = "people: "
"""How the names of their groups begin."""
EVERYBODY = "all people"
"""Label of the group that holds everybody who counts."""


def people_in(manifest: Manifest) -> int:
    """Number of people behind a run's answers; 0 for models, 2 for a group of unknown size."""
    if manifest.decoding.get("kind") != PEOPLE:
        return 0
    people = manifest.decoding.get("people")
    return people if isinstance(people, int) else 2 if manifest.model.startswith(_GROUP) else 1


def own_name(manifest: Manifest, short: str) -> str:
    """Name of a run: its label, or its model in `short`.

    Of people that they are a group, and how many.
    """
    kind, group, label = manifest.model.partition(_GROUP)
    if manifest.label or kind or not group or not people_in(manifest):
        return manifest.label or short
    many = str(manifest.decoding.get("people", "several"))
    own = None if label == EVERYBODY else label
    return naming(said("people-group", many=many, label=own))
