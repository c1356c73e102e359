"""Reads muchomusic.csv: what each row asks, and what is wrong with it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import msgspec

from zhiyin.contract.sheets import Fault, read_rows, refuse, refuse_twins
from zhiyin.errors import InputError

NAME = "muchomusic.csv"
HOME = "https://doi.org/10.5281/zenodo.12709974"
OPTIONS = ("correct_answer", "distractor_1_answer", "distractor_2_answer", "distractor_3_answer")
"""The columns of the options in the order of their keys A, B, C, D."""
COLUMNS = (
    "question",
    *OPTIONS,
    "dataset",
    "dataset_identifier",
    "genre",
    "music_knowledge",
    "music_reasoning",
)
_LONGEST_LIST = 10_000


class Question(msgspec.Struct, frozen=True):
    """One row.

    Attributes
    ----------
    dataset : str
        ``sdd`` or ``musiccaps``; any other name for data of your own.
    track : str
        The identifier without ``.json``: ``415600``, ``YTID_0``.
    number : int
        Which question of its track it is in the file, from 1.
    text : str
        The question.
    options : tuple of str
        The right answer, then the distractors IR, CU and IU.
    genre : str or None
    knowledge, reasoning : tuple of str
        Labels as in the data.
    line : int
        The line of the file on which the row begins, from 1.
    """

    dataset: str
    track: str
    number: int
    text: str
    options: tuple[str, str, str, str]
    genre: str | None
    knowledge: tuple[str, ...]
    reasoning: tuple[str, ...]
    line: int

    @property
    def place(self) -> str:
        """The track among all data sets: ``sdd/415600``."""
        return f"{self.dataset}/{self.track}"

    @property
    def id(self) -> str:
        """The question among all: ``sdd/415600/1``."""
        return f"{self.place}/{self.number}"


def find_questions(data: str | None) -> Path:
    """The questions' file: ``DATA/muchomusic.csv``. Raises `InputError` where there is none."""
    if not data:
        raise InputError(f"muchomusic needs --data, a folder with {NAME} (from {HOME})")
    path = Path(data) / NAME
    if not path.is_file():
        raise InputError(f"{path}: no such file; get it from {HOME}, or correct --data")
    return path


def read_questions(path: Path, on_fault: Callable[[Fault], None] = refuse) -> list[Question]:
    """The questions of a file.

    Parameters
    ----------
    path : Path
        UTF-8, with or without a byte order mark; the columns of `COLUMNS` in any order, and
        any others.
    on_fault : callable
        Called for each row that cannot be asked (wrong number of fields, blank question or
        option, bad identifier, a list that is not one of strings, an identifier that another
        data set has), which is then left out. `refuse` raises.

    Raises
    ------
    InputError
        The file cannot be read, is not UTF-8, lacks a column or holds no question.
    """
    _, rows = read_rows(path)
    header = [name.strip() for name in next(rows, (1, []))[1]]
    if absent := [name for name in COLUMNS if name not in header]:
        raise InputError(f"{path}:1: no column {absent[0]}: is it the published {NAME}?")
    refuse_twins(path, header, COLUMNS)
    questions: list[Question] = []
    counts: dict[str, int] = {}
    owners: dict[str, Question] = {}
    for line, row in rows:
        try:
            question = _question(line, header, row)
        except _UnfitError as unfit:
            kind, problem, remedy = unfit.args
            on_fault(Fault(kind, path, line, _named(header, row), problem, remedy))
            continue
        owner = owners.setdefault(question.track, question)
        if owner.dataset != question.dataset:
            problem = f"{question.track} is in {owner.dataset} too, on line {owner.line}"
            remedy = "correct dataset or dataset_identifier on one of the two"
            on_fault(Fault("id-in-two-data-sets", path, line, question.place, problem, remedy))
            continue
        number = counts[question.place] = counts.get(question.place, 0) + 1
        questions.append(msgspec.structs.replace(question, number=number))
    if not questions:
        raise InputError(f"{path}: holds no question that can be asked; is the file complete?")
    return questions


def read_labels(text: str) -> tuple[str, ...]:
    """The labels of a list literal such as ``['melody', 'harmony']``; blank is no label.

    Nothing is evaluated: `ast.literal_eval` reads literals only, and a list of strings is the
    only literal that is taken.

    Raises
    ------
    ValueError
        For anything else.
    """
    if text.strip() in ("", "nan"):
        return ()
    if len(text) > _LONGEST_LIST:
        raise ValueError("too long for a list of labels")
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ValueError("not a list of strings") from None
    if not isinstance(value, list) or not all(isinstance(label, str) for label in value):
        raise ValueError("not a list of strings")
    return tuple(dict.fromkeys(label.strip() for label in value if label.strip()))


def _question(line: int, header: list[str], row: list[str]) -> Question:
    """The question of a row, its number still to be counted. Raises `_UnfitError`."""
    if len(row) != len(header):
        problem = f"{len(row)} fields under {len(header)} columns"
        raise _UnfitError("short-row", problem, "mend its commas and quotes")
    cells = dict(zip(header, (cell.strip() for cell in row), strict=True))
    for name in ("question", *OPTIONS):
        if not cells[name]:
            kind = "missing-distractor" if name.startswith("distractor") else "blank-field"
            raise _UnfitError(kind, f"{name} is blank", "fill it, or remove the row")
    dataset, track = cells["dataset"], cells["dataset_identifier"].removesuffix(".json")
    named = re.fullmatch(r"[\w-]+", dataset) and re.fullmatch(r"[\w-][\w.-]*", track)
    if not named or (dataset == "sdd" and not track.isdecimal()):
        problem = f"{dataset!r} and {cells['dataset_identifier']!r} name no track"
        raise _UnfitError("bad-identifier", problem, "write such as sdd and 415600.json")
    labels = []
    for name in ("music_knowledge", "music_reasoning"):
        try:
            labels.append(read_labels(cells[name]))
        except ValueError as error:
            problem = f"{name} is {error}: {cells[name][:40]}"
            raise _UnfitError("bad-list", problem, "write such as ['melody'] or []") from None
    return Question(
        dataset=dataset,
        track=track,
        number=0,
        text=cells["question"],
        options=tuple(cells[name] for name in OPTIONS),  # type: ignore[arg-type]
        genre=cells["genre"] if cells["genre"] not in ("", "nan") else None,
        knowledge=labels[0],
        reasoning=labels[1],
        line=line,
    )


def _named(header: list[str], row: list[str]) -> str:
    """What a row that cannot be asked calls its track, as far as it has the cells."""
    cells = dict(zip(header, row, strict=False))
    named = (cells.get(name, "").strip() for name in ("dataset", "dataset_identifier"))
    return "/".join(filter(None, named))


class _UnfitError(Exception):
    """A row that cannot be asked: kind, problem and remedy of a `Fault`."""
