"""Asking in bulk what `zhiyin trials` wrote: replies are appended, a block at a time."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from zhiyin.errors import InputError, reworded
from zhiyin.files import NOT_JSON, cut_torn, read_regular
from zhiyin.models import Setting
from zhiyin.models.replay import MANIFEST, TRIALS, QuestionsManifest
from zhiyin.plugins.local.on_ray import Cluster
from zhiyin.plugins.local.on_ray.bulk import WrittenAnswer, ask_all
from zhiyin.record import Finish

ANSWERS, ASKED_OF = "answers.jsonl", "answers.model"


class _Named(msgspec.Struct):
    id: str


class _AnswerLine(msgspec.Struct, omit_defaults=True):
    """A line of the answers."""

    id: str
    text: str
    finish: Finish = "stop"


class BulkProgress(msgspec.Struct):
    """Progress of asking in bulk.

    Attributes
    ----------
    questions, before, answered : int
        In all; those with a reply when this began; those that have got one since.
    failures : Counter
        Questions without a reply, by the reason.
    run : str
        The command that makes a run of the replies.
    file : Path
        The replies.
    """

    questions: int
    before: int
    answered: int
    failures: Counter[str]
    run: str
    file: Path

    @property
    def missing(self) -> int:
        """Questions without a reply."""
        return self.questions - self.before - self.answered


def ask_in_bulk(
    folder: Path,
    spec: str,
    setting: Setting,
    cluster: Cluster,
    block: int,
    progress: Callable[[BulkProgress], None],
) -> BulkProgress:
    """Ask all questions of a folder that have no reply yet.

    Replies are appended to ``answers.jsonl`` in the folder, a block at a time: ending this at
    any moment loses the blocks under way, and the same call asks for the rest.

    Parameters
    ----------
    folder : Path
        What ``zhiyin trials`` wrote.
    spec, setting, cluster, block
        See `ask_all`.
    progress : callable
        Called after each block.

    Raises
    ------
    InputError
        The folder holds no questions, or answers of another model or to other questions; or as
        `ask_all` does.
    HaltError
        As `ask_all` does.
    """
    away = _manifest(folder)
    ids = _ids(folder / TRIALS)
    file = folder / ANSWERS
    _same_model(folder, spec)
    cut_torn(file)
    answered = set(_ids(file)) if file.exists() else set()
    if strangers := answered - set(ids):
        raise InputError(
            f"{file}: {len(strangers)} answers belong to no question of {folder / TRIALS} (such as "
            f"{min(strangers)!r}): move the file away to ask again"
        )
    bulk = BulkProgress(len(ids), len(answered), 0, Counter(), away.run, file)
    if not bulk.missing:
        return bulk
    with file.open("ab") as out:
        todo = _unanswered(folder / TRIALS, answered)
        for answers in ask_all(todo, folder, spec, setting, cluster, block):
            _keep(answers, answered, out, bulk)
            progress(bulk)
    return bulk


def _manifest(folder: Path) -> QuestionsManifest:
    path = folder / MANIFEST
    try:
        if (folder / TRIALS).is_file():
            return msgspec.json.decode(read_regular(path), type=QuestionsManifest)
        trouble = f"no {TRIALS} in it"
    except OSError as error:
        trouble = f"{MANIFEST} cannot be read ({error.strerror})"
    except NOT_JSON as error:
        trouble = f"{MANIFEST}: {error}"
    raise InputError(f"{folder}: no questions to ask: {trouble}; write them with `zhiyin trials`")


def _same_model(folder: Path, spec: str) -> None:
    """Refuse to mix the replies of two models in one file."""
    note = folder / ASKED_OF
    asked = note.read_text("utf-8", errors="ignore").strip() if note.is_file() else ""
    if (folder / ANSWERS).exists() and asked != spec:
        whose = f"of {asked}" if asked else "that something else wrote"
        raise InputError(
            f"{folder / ANSWERS} holds answers {whose}: move it away to ask {spec} the same "
            "questions"
        )
    note.write_text(spec + "\n", "utf-8")


def _ids(path: Path) -> list[str]:
    decoder, ids = msgspec.json.Decoder(_Named), []
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            with reworded(f"{path}, line {number}: ", of=NOT_JSON):
                ids.append(decoder.decode(line).id)
    return ids


def _unanswered(path: Path, answered: set[str]) -> Iterator[bytes]:
    decoder = msgspec.json.Decoder(_Named)
    with path.open("rb") as file:
        for line in file:
            if decoder.decode(line).id not in answered:
                yield line


def _keep(
    answers: list[WrittenAnswer], answered: set[str], out: BinaryIO, bulk: BulkProgress
) -> None:
    """Append a block of replies; one that has come already, from a block sent twice, is dropped."""
    lines = []
    for one in answers:
        if one.reply is None:
            bulk.failures[one.error] += 1
        elif one.id not in answered:
            answered.add(one.id)
            lines.append(
                msgspec.json.encode(_AnswerLine(one.id, one.reply.text, one.reply.finish)) + b"\n"
            )
    out.write(b"".join(lines))
    out.flush()
    os.fsync(out.fileno())
    bulk.answered += len(lines)
    if fatal := next((one for one in answers if one.fatal), None):
        raise InputError(fatal.error)
