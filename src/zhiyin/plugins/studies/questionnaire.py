"""The questionnaire: what people say of themselves, and a self-report of the researcher's own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import read_bytes, read_json
from zhiyin.plugins.studies.design import FIELDS, StudyDesign
from zhiyin.words import said


class ScaleStatement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One statement of a scale: its words by language, its subscale, whether it counts reversed."""

    id: str
    text: dict[str, str]
    subscale: str
    reversed: bool = False


class SelfReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Statements to which people agree in steps.

    `labels` are the words of the steps by language, from the least; a subscale's score is the sum
    of its statements' steps, counted from 1, or their mean.
    """

    name: str
    labels: dict[str, list[str]]
    statements: list[ScaleStatement]
    score: str = "mean"


def read_scale(study: StudyDesign, folder: Path) -> SelfReport | None:
    """The scale of a study, from its file; None where it has none.

    Raises
    ------
    InputError
        The file cannot be read, or has no words in one of the study's languages.
    """
    if not study.scale_file:
        return None
    path = folder / study.scale_file
    if path.resolve().parent != folder.resolve():
        raise InputError(said("scale-place", scalefile=repr(study.scale_file), folder=folder))
    scale = read_json(read_bytes(path), SelfReport, str(path))
    steps = {len(labels) for labels in scale.labels.values()}
    if len(steps) != 1 or steps.pop() < 2 or scale.score not in ("mean", "sum"):
        raise InputError(said("scale-labels", path=path))
    names = [statement.id for statement in scale.statements]
    if len(set(names)) < len(names) or not names:
        raise InputError(said("scale-ids", path=path))
    for language in study.languages:
        translated = all(language in statement.text for statement in scale.statements)
        if not translated or language not in scale.labels:
            raise InputError(said("scale-words", path=path, language=language))
    return scale


def read_background(
    study: StudyDesign, scale: SelfReport | None, form: Mapping[str, Any]
) -> dict[str, Any]:
    """Check what a person said of themselves; adds the scores of the statements' subscales.

    Raises
    ------
    ValueError
        Something is missing, or is no answer.
    """
    answers: dict[str, Any] = {}
    for name in study.fields:
        if form.get(name) not in FIELDS[name]:
            raise ValueError(name)
        answers[name] = form[name]
    if scale is not None:
        steps = len(next(iter(scale.labels.values())))
        statements: dict[str, int] = {}
        for statement in scale.statements:
            value = str(form.get(f"scale-{statement.id}", ""))
            if value not in map(str, range(1, steps + 1)):
                raise ValueError(statement.id)
            statements[statement.id] = int(value)
        answers["statements"] = statements
        answers["scores"] = scores_of(scale, statements)
    return answers


def scores_of(scale: SelfReport, answers: Mapping[str, int]) -> dict[str, float]:
    """The score of each subscale: sum or mean of its steps, reversed statements turned round."""
    steps = len(next(iter(scale.labels.values())))
    values: defaultdict[str, list[int]] = defaultdict(list)
    for statement in scale.statements:
        step = answers[statement.id]
        values[statement.subscale].append(steps + 1 - step if statement.reversed else step)
    return {
        name: float(sum(chosen)) / (len(chosen) if scale.score == "mean" else 1)
        for name, chosen in values.items()
    }
