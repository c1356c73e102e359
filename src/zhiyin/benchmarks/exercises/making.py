"""Exercises as a folder of questions, for other programs or to be kept as they are."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from zhiyin import __version__
from zhiyin.benchmarks.exercises.items import AskedQuestions, Item, question_keys
from zhiyin.benchmarks.exercises.settings import Settings
from zhiyin.contract.arguments import BENCHMARK
from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.flags import Flag
from zhiyin.trial import Trial

_QUESTIONS = "exercises.jsonl"


class Making(Settings, frozen=True):
    """What may be set of ``zhiyin data make exercises``: all that a run may set, and where to."""

    out: Annotated[str | None, Flag("the folder, a new or an empty one", "DIR")] = None


def write(out: str | None, items: Sequence[Item], trials: Sequence[Trial], chosen: Settings) -> str:
    """Write exercises as a folder that ``zhiyin run DIR`` examines; says what was written.

    Parameters
    ----------
    out : str or None
        A new folder, or an empty one.
    items, trials
        The exercises, and the same as questions.
    chosen : Settings
        How they were made, for ``benchmark.json``.

    Raises
    ------
    InputError
        No folder is named, it cannot be written, or it holds something.
    """
    if not out:
        raise InputError("--out: name the folder to write")
    place = Path(out)
    rows = _different(items, trials)
    lines = b"\n".join(msgspec.json.encode(row, order="deterministic") for row in rows) + b"\n"
    facts = {
        "format": 1,
        "name": "exercises",
        "questions": _QUESTIONS,
        "items": len(rows),
        "chance": 0.25,
        "licence": "none claimed; rows of tunes have the statement of their collection",
        "made": msgspec.to_builtins(chosen),
        "zhiyin": __version__,
        "files": {_QUESTIONS: hashlib.sha256(lines).hexdigest()},
    }
    try:
        place.mkdir(parents=True, exist_ok=True)
        if any(place.iterdir()):
            raise InputError(f"{place}: is not empty: name a new folder")
        write_atomically(place / _QUESTIONS, lines)
        described = msgspec.json.format(msgspec.json.encode(facts), indent=1)
        write_atomically(place / BENCHMARK, described + b"\n")
    except OSError as error:
        raise InputError(f"{place}: cannot be written ({error.strerror}): name another") from None
    left_out = len(items) - len(rows)
    note = f" ({left_out} that repeat another left out)" if left_out else ""
    return f"{place}: {len(rows)} exercises{note}; zhiyin run {place} examines them"


def _different(items: Sequence[Item], trials: Sequence[Trial]) -> list[dict[str, Any]]:
    """The exercises as rows, those that are new, whatever their difficulty."""
    asked_questions: dict[str, AskedQuestions] = defaultdict(AskedQuestions)
    rows = []
    for item, trial in zip(items, trials, strict=True):
        question = question_keys(item.kind, item.exercise)
        if not item.again and not asked_questions[item.kind].before(*question):
            asked_questions[item.kind].add(*question, item.id)
            rows.append(_row(item, trial))
    return rows


def _row(item: Item, trial: Trial) -> dict[str, Any]:
    """An exercise as a line of a file of questions."""
    key = next(option.letter for option in trial.options if option.key == trial.target)
    return {
        "id": trial.id,
        "question": trial.stem,
        "options": [option.text for option in trial.options],
        "answer": key,
        "category": list(trial.groups),
        "cluster": item.cluster,
        **{name: value for name, value in trial.tags.items() if name not in ("task", "kind")},
    }
