"""Questions about recordings as published files hold them: read, checked, and their flaws named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.declared import Flaw
from zhiyin.contract.tables import decode, read_rows
from zhiyin.errors import InputError, reworded
from zhiyin.files import read_regular
from zhiyin.parsing import read_json_text
from zhiyin.trial import Tag
from zhiyin.words import Text, said

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FaultSink = Callable[[Flaw], None]


class ClipQuestion(msgspec.Struct, frozen=True):
    """One question about a recording.

    Attributes
    ----------
    id : str
    recording : str
        As the data name it: a path below their folder.
    text : str
        The question.
    choices : tuple of str
        In the order of the data.
    right : int
        Which of them is right, from 0.
    groups : tuple of str
    cluster : str
        What its trials hang together by: the recording, by default.
    tags : dict
        Never sent.
    """

    id: str
    recording: str
    text: str
    choices: tuple[str, ...]
    right: int
    groups: tuple[str, ...] = ()
    cluster: str = ""
    tags: dict[str, Tag] = {}

    @property
    def clips(self) -> tuple[str, ...]:
        """Every recording that is played for it, in order."""
        return (self.recording,)


def refuse(flaw: Flaw) -> None:
    """Raise `InputError` for a question that cannot be asked."""
    raise InputError(said("clip-flaw", file=flaw.file, flaw=flaw.id, detail=flaw.detail))


def is_left_out(
    path: Path, where: str, unit: str, fault: tuple[str, Text] | None, on_fault: FaultSink
) -> bool:
    """Tell whether an entry has a fault (its kind and a text), and report it to `on_fault`."""
    if fault is not None:
        detail = said("flaw-mend", detail=fault[1], unit=unit)
        on_fault(Flaw(fault[0], str(path), where, detail))
    return fault is not None


def read_json(path: Path) -> Any:
    """Read a JSON file. Raises `InputError`, with the line, where it is none."""
    return decode_json(path, read_text(path))


def read_json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Read each line of a file of JSON lines, with its number; blank lines are skipped."""
    return decode_json_lines(path, read_text(path))


def decode_json_lines(path: Path, text: str) -> Iterator[tuple[int, Any]]:
    """Decode each line of a text of JSON lines, with its number; blank lines are skipped."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, decode_json(path, line, number)


def read_text(path: Path) -> str:
    """The text of a file. Raises `InputError` where it cannot be read, or is not UTF-8."""
    return decode(path, read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """Read a file's bytes. Raises `InputError` where it cannot be read."""
    with reworded(said("error-read-name", path=path, why="")):
        return read_regular(path)


def decode_json(path: Path, text: str, line: int = 0) -> Any:
    """Decode a JSON text from a file; `line` is its number where it is one line of many."""
    try:
        return read_json_text(text)
    except ValueError as error:
        where, why = line or getattr(error, "lineno", 1), getattr(error, "msg", error)
        raise InputError(said("clip-json", path=path, where=where, why=why)) from None


def fault_in(entry: Any, named: Sequence[str]) -> tuple[str, Text] | None:
    """Return why an entry with `question`, `choices`, `answer` and texts `named` cannot be asked.

    Returns
    -------
    tuple of (str, Text) or None
        The kind of the flaw, and what is wrong.
    """
    if not isinstance(entry, dict):
        return "bad-entry", said("flaw-no-object", fields=["question", "choices", "answer"])
    for name in ("question", "answer", *named):
        if not isinstance(entry.get(name), str) or not entry[name].strip():
            return "blank-field", said("flaw-none", field=name)
    choices = entry.get("choices")
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        return "bad-choices", said("flaw-is-no", field="choices", value=None, what="texts")
    if not 2 <= len(choices_of(entry)) <= len(LETTERS):
        return "bad-choices", said("flaw-choices", n=len(choices_of(entry)), most=len(LETTERS))
    if entry["answer"].strip() not in [choice.strip() for choice in choices]:
        return "bad-answer", said("flaw-no-choice", answer=repr(entry["answer"]))
    return None


def right_place(entry: Mapping[str, Any]) -> int:
    """Return the first place of the answer among the choices, from 0."""
    return [choice.strip() for choice in choices_of(entry)].index(entry["answer"].strip())


def choices_of(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """The choices that say something: an empty one is none that could be chosen."""
    return tuple(choice for choice in entry["choices"] if choice.strip())


def slug(name: str) -> str:
    """The name of a group: "Two Words" is ``two_words``."""
    return "_".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def twins(path: Path, question: ClipQuestion) -> Iterator[Flaw]:
    """Choices that a rule of words cannot tell apart: the same words in another order or number."""
    sets = [frozenset(re.findall(r"\w+", choice.lower())) for choice in question.choices]
    folded = [" ".join(choice.lower().split()) for choice in question.choices]
    right = question.right
    others = [
        choice
        for choice, words, text in zip(question.choices, sets, folded, strict=True)
        if words == sets[right] and text != folded[right]
    ]
    if others:
        detail = said("flaw-same-words", choice=repr(others[0]))
        yield Flaw("same-words", path.name, question.id, detail)


def common_flaws(path: Path, question: ClipQuestion) -> Iterator[Flaw]:
    """Choices that are the same, that hold another, or that have blanks at their ends."""
    folded = [" ".join(choice.lower().split()) for choice in question.choices]
    if (count := folded.count(folded[question.right])) > 1:
        right = repr(question.choices[question.right])
        detail = said("flaw-target-repeated", choice=right, n=count)
        yield Flaw("target-repeated", path.name, question.id, detail)
    elif len(set(folded)) < len(folded):
        yield Flaw("repeated-option", path.name, question.id, said("flaw-repeated-option"))
    if question.tags.get("empty_choices"):
        yield Flaw("empty-choice", path.name, question.id, said("flaw-empty-choice"))
    if any(choice != choice.strip() for choice in question.choices):
        yield Flaw("blanks", path.name, question.id, said("flaw-blanks"))


def find_table(data: str | None, files: Sequence[str], owner: str, home: str) -> Path:
    """The table of a benchmark's questions: a file that is named, or one in a folder.

    Parameters
    ----------
    data : str or None
        What the user gave.
    files : sequence of str
        Names in the order in which they are looked for, patterns such as ``*.parquet`` too.
    owner, home : str
        Whose table it is, and where it is published, for messages.

    Raises
    ------
    InputError
        Nothing is given, there is none, or one pattern fits several.
    """
    if not data:
        raise InputError(said("log-needs-table", owner=owner, home=home))
    place = Path(data)
    if place.is_file():
        return place
    for pattern in files:
        found = sorted(place.glob(pattern))
        if len(found) > 1:
            named = [path.name for path in found[:3]]
            raise InputError(said("error-which-file", path=place, names=named))
        if found:
            return found[0]
    raise InputError(said("error-none-of", path=place, files=files, home=home))


def read_columns(path: Path, needed: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a published CSV file, each by the names of its columns; "" for a missing cell.

    Raises
    ------
    InputError
        The file cannot be read, is not CSV in UTF-8, or lacks a needed column or has it twice.
    """
    _, lines = read_rows(path)
    header = next(lines, (1, []))[1]
    for name in needed:
        if header.count(name) != 1:
            raise InputError(said("table-other", path=path, twice=name in header, name=name))
    return [dict(zip_longest(header, row[: len(header)], fillvalue="")) for _, row in lines]


def refuse_twins(path: Path, header: Sequence[str], columns: Sequence[str]) -> None:
    """Raise `InputError` where a column stands twice in a header: which one counts is not known."""
    for name in columns:
        if header.count(name) > 1:
            raise InputError(said("table-twins", path=path, n=header.count(name), name=name))
