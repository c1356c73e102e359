"""Reads option questions and song details: JSON lines, whatever is faulty reported and left out."""

from __future__ import annotations

import hashlib
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.declared import Flaw
from zhiyin.errors import reworded
from zhiyin.files import NOT_JSON, read_regular
from zhiyin.trial import Option
from zhiyin.words import Text, said

LETTERS = string.ascii_uppercase
QA, REVIEWS = "qa", "appraisal"
"""The groups of questions and of reviews."""
QA_FILE, DETAILS_FILE = "option_qa.jsonl", "song_details.jsonl"


class Question(msgspec.Struct, frozen=True):
    """One option question.

    Attributes
    ----------
    id : str
        Its own, or the hash of what is asked about what.
    song : str
        The audio path as it is written in the file.
    text : str
    options : tuple of str
    answer : str
        The letter of the right one, "A" for the first.
    metadata : dict
        Whatever else the data says of it.
    """

    id: str
    song: str
    text: str
    options: tuple[str, ...]
    answer: str
    metadata: dict[str, Any] = {}

    @property
    def choices(self) -> tuple[Option, ...]:
        """The options with their letters."""
        return tuple(
            Option(letter, text, letter)
            for letter, text in zip(LETTERS, self.options, strict=False)
        )

    @property
    def option_lines(self) -> str:
        """The options as they are shown, a line each."""
        return "\n".join(f"{option.letter}. {option.text}" for option in self.choices)


class LineFile(msgspec.Struct):
    """A file of JSON lines: where it lies, what was read from it, and what was left out."""

    path: Path
    sha256: str
    flaws: list[Flaw]


class QuestionFile(LineFile):
    """The questions of a file, in order."""

    items: list[Question]


class Details(LineFile):
    """The song details of a file: for each audio path, all fields but that."""

    items: dict[str, dict[str, Any]]


def read_questions(path: Path) -> QuestionFile:
    """The questions in a file.

    A line needs ``audio_path``, ``question``, ``options`` (two to 26) and ``answer`` or
    ``correct_answer`` (a letter); ``id`` is optional. A faulty line becomes a flaw.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    raw = _read(path)
    questions = QuestionFile(path, hashlib.sha256(raw).hexdigest(), [], [])
    first_lines: dict[str, int] = {}
    for number, line in _objects(raw, questions):
        try:
            question = question_in(line)
        except ValueError as fault:
            _flaw(questions, "bad-question", number, str(fault))
            continue
        if question.id in first_lines:
            _flaw(
                questions,
                "repeated-question",
                number,
                said("appraisal-twice", line=str(first_lines[question.id])),
            )
            continue
        first_lines[question.id] = number
        questions.items.append(question)
    return questions


def question_in(line: dict[str, Any]) -> Question:
    """The question in a line. Raises `ValueError` with what is wrong."""
    song, text = _word(line, "audio_path"), _word(line, "question")
    options = line.get("options")
    if not isinstance(options, list) or not all(isinstance(o, str) and o.strip() for o in options):
        raise ValueError("options are no list of texts")
    if not 2 <= len(options) <= len(LETTERS):
        raise ValueError(f"{len(options)} options: give 2 to {len(LETTERS)}")
    fields = [field for field in ("answer", "correct_answer") if line.get(field) is not None]
    if not fields:
        raise ValueError("no answer: give the letter of the right option as answer")
    answers = {str(line[field]).strip().upper() for field in fields}
    if len(answers) > 1:
        raise ValueError("answer and correct_answer differ: keep the right one")
    answer = answers.pop()
    if len(answer) != 1 or answer not in LETTERS[: len(options)]:
        raise ValueError(
            f"answer {answer!r} is not one of the options' letters A to {LETTERS[len(options) - 1]}"
        )
    content = msgspec.json.encode([song, text, options])
    own_id = line.get("id")
    question_id = (
        str(own_id) if isinstance(own_id, str | int) else hashlib.sha256(content).hexdigest()[:12]
    )
    given_metadata = line.get("metadata")
    metadata = given_metadata if isinstance(given_metadata, dict) else {}
    return Question(question_id, song, text, tuple(o.strip() for o in options), answer, metadata)


def read_details(path: Path) -> Details:
    """The song details in a file.

    A line needs ``audio_path``; any other fields are details. Two lines for one song that say
    the same are one; where they differ, neither is used, since it is unclear which is true.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    raw = _read(path)
    details = Details(path, hashlib.sha256(raw).hexdigest(), [], {})
    lines: dict[str, int] = {}
    for number, line in _objects(raw, details):
        try:
            song = _word(line, "audio_path")
        except ValueError as fault:
            _flaw(details, "bad-details", number, str(fault))
            continue
        fields = {k: v for k, v in line.items() if k != "audio_path" and v not in (None, "")}
        if song in lines and details.items.get(song) != fields:
            message = said("appraisal-two-details", song=song, line=str(lines[song]))
            _flaw(details, "two-details", number, message)
            details.items[song] = {}
            continue
        lines[song] = number
        details.items[song] = fields
    return details


def _word(line: dict[str, Any], name: str) -> str:
    value = line.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} is {'missing' if value is None else 'no text'}")
    return value.strip()


def _read(path: Path) -> bytes:
    with reworded(f"{path}: ", ": is it there, and a file?"):
        return read_regular(path)


def _objects(raw: bytes, source: LineFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines that are JSON objects, numbered from 1; others become flaws."""
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            value = msgspec.json.decode(line.decode("utf-8"))
        except NOT_JSON as error:
            _flaw(source, "broken-line", number, said("appraisal-no-json", why=str(error)))
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            _flaw(source, "broken-line", number, said("appraisal-no-object"))


def _flaw(source: LineFile, kind: str, number: int, detail: Text) -> None:
    source.flaws.append(Flaw(kind, str(source.path), f"line {number}", detail))
