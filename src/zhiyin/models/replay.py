"""Answers produced elsewhere, or in an earlier run, given again: matched by trial id."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.errors import InputError, ModelError
from zhiyin.models.capabilities import ANYTHING
from zhiyin.record import Record, Reply, Sampling
from zhiyin.trial import Message, Trial

_TEXT_NAMES = ("text", "reply", "response", "output", "model_output")
_SHOWN = 5


class ReplayModel:
    """A file of answers as a model.

    Each line is a JSON object with ``id`` and the answer as ``text`` (or ``reply``,
    ``response``, ``output``, ``model_output``), or a record of a run of Zhiyin's, whose replies
    are given in the order in which they came.

    Parameters
    ----------
    path : str
        The file, or the folder of a run.

    Raises
    ------
    InputError
        When the file cannot be read, a line is broken, or an id occurs twice.
    """

    capabilities = ANYTHING
    canary = False
    concurrency = 1
    instant = True

    def __init__(self, path: str) -> None:
        if not path:
            raise InputError("replay: names no file: write replay:FILE.jsonl")
        self.name = f"replay:{path}"
        file = Path(path).expanduser()
        self._path = file / "records.jsonl" if file.is_dir() else file
        self._failed: dict[str, str] = {}
        self._replies = self._read()
        self._given: dict[str, int] = {}
        self._missing: dict[str, None] = {}

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """The file's answer; asked about the same trial again, the next one.

        Raises
        ------
        ModelError
            When the file holds no answer, or no further one, for the trial.
        """
        replies = self._replies.get(trial.id)
        if replies is None:
            self._missing[trial.id] = None
            why = self._failed.get(trial.id)
            raise ModelError(
                f"no answer for this trial in {self._path}"
                + (f" (it failed: {why})" if why else "")
            )
        given = self._given.get(trial.id, 0)
        self._given[trial.id] = given + 1
        if given >= len(replies):
            raise ModelError(
                f"no answer for call {given + 1} of this trial in {self._path}, "
                f"which holds {len(replies)}"
            )
        return replies[given]

    def report(self) -> list[str]:
        """Which answers nobody asked for, and which trials found none: a line each, if any."""
        unused = [name for name in self._replies if name not in self._given]
        lines = []
        if unused:
            lines.append(
                f"{self._path}: {len(unused)} of {len(self._replies)} answers were not asked for "
                f"({_first(unused)})"
            )
        if self._missing:
            lines.append(
                f"{self._path}: no answer for {len(self._missing)} of the trials "
                f"({_first(self._missing)})"
            )
        return lines

    def describe(self) -> dict[str, Any]:
        """What a run's manifest says of this model."""
        return {"kind": "replay", "file": str(self._path), "answers": len(self._replies)}

    def fingerprint(self) -> str:
        """SHA-256 of the file as it was read, in hexadecimal: other answers are another run."""
        return self._sha256

    async def close(self) -> None:
        """Nothing is held open."""

    def _read(self) -> dict[str, list[Reply]]:
        replies: dict[str, list[Reply]] = {}
        for number, line in self._lines():
            where = f"{self._path}, line {number}"
            name, answers, failed = _entry(line, where)
            if not answers:
                self._failed[name] = failed
            elif name in replies:
                raise InputError(f"{where}: id {name!r} has an answer already: keep one of the two")
            else:
                replies[name] = answers
        if not replies:
            raise InputError(f"{self._path}: holds no answers: write one JSON object a line")
        return replies

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines that are not blank, numbered from 1."""
        try:
            data = self._path.read_bytes()
        except OSError as error:
            raise InputError(f"{self._path}: cannot be read ({error.strerror or error})") from None
        self._sha256 = hashlib.sha256(data).hexdigest()
        for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
            if line.strip():
                yield number, line


def _entry(line: bytes, where: str) -> tuple[str, list[Reply], str]:
    """A line's trial id, its replies, and why there are none if a run's trial had failed."""
    try:
        found = msgspec.json.decode(line)
        if isinstance(found, dict) and "trial" in found and "verdict" in found:
            record = msgspec.json.decode(line, type=Record)
            return record.id, [t.reply for t in record.exchange.turns], record.error or "no reply"
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{where}: not a JSON line that can be read ({error})") from None
    if not isinstance(found, dict):
        raise InputError(f'{where}: not a JSON object: write {{"id": ..., "text": ...}}')
    name = found.get("id")
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise InputError(f'{where}: "id" is {_shown(found, "id")}: give the trial\'s id')
    return str(name), [Reply(_text(found, where))], ""


def _text(found: dict[str, Any], where: str) -> str:
    """The answer of a line, under whichever of the names it goes."""
    present = [name for name in _TEXT_NAMES if name in found]
    if not present:
        raise InputError(f'{where}: no answer: give it as "text" (or {", ".join(_TEXT_NAMES[1:])})')
    first = present[0]
    for name in present:
        if not isinstance(found[name], str):
            raise InputError(
                f'{where}: "{name}" is {_shown(found, name)} and not a string: '
                "leave out the lines of trials without an answer"
            )
        if found[name] != found[first]:
            raise InputError(f'{where}: "{first}" and "{name}" differ: keep one of them')
    text: str = found[first]
    return text


def _shown(found: dict[str, Any], name: str) -> str:
    if name not in found:
        return "missing"
    value = msgspec.json.encode(found[name]).decode()
    return value if len(value) <= 40 else f"{value[:37]}..."


def _first(names: Iterable[str]) -> str:
    """The first few of some ids."""
    names = list(names)
    return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
