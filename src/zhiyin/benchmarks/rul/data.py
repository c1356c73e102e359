"""Reads RUL-MuchoMusic.json, and the questions that its entries were made from."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.clips import ClipQuestion, FaultSink, common_flaws, read_json
from zhiyin.contract.declared import Flaw
from zhiyin.contract.sheets import decode
from zhiyin.errors import InputError
from zhiyin.recording import read_regular

FILE = "RUL-MuchoMusic.json"
HOME = "https://github.com/yongyizang/AreYouReallyListening"
ORIGINAL = "muchomusic.csv"
"""The questions that these were made from, for ``--distractors own``."""
_OWN = ("correct_answer", "distractor_1_answer", "distractor_2_answer", "distractor_3_answer")
_WRONG = 4


def read_questions(path: Path, on_fault: FaultSink) -> list[ClipQuestion]:
    """The questions, the right answer first among the choices.

    Parameters
    ----------
    path : Path
    on_fault : callable
        Called for each entry that cannot be asked, which is then left out.

    Raises
    ------
    InputError
        The file is no JSON object of entries, or holds none that can be asked.
    """
    entries = read_json(path)
    if not isinstance(entries, dict):
        raise InputError(f"{path}: no object of questions by number; is it the published {FILE}?")
    questions = []
    for number, entry in entries.items():
        fault = _fault(number, entry)
        if fault:
            kind, problem = fault
            on_fault(Flaw(kind, str(path), f"question {number}", f"{problem}: mend the entry"))
            continue
        questions.append(_asked(number, entry))
    if not questions:
        raise InputError(f"{path}: holds no question that can be asked; get it from {HOME}")
    return questions


def _fault(number: str, entry: Any) -> tuple[str, str] | None:
    if not number.isdecimal():
        return "bad-number", "its key is no number"
    if not isinstance(entry, dict):
        return "bad-entry", "no object with question, correct_answer, distractors and PI"
    for name in ("question", "correct_answer"):
        if not isinstance(entry.get(name), str) or not entry[name].strip():
            return "blank-field", f"no {name}"
    wrong = entry.get("distractors")
    if not isinstance(wrong, list) or len(wrong) != _WRONG:
        return "bad-distractors", f"distractors is no list of {_WRONG}"
    if not all(isinstance(text, str) and text.strip() for text in wrong):
        return "bad-distractors", "one of its distractors is blank"
    index = entry.get("PI")
    if not isinstance(index, int | float) or isinstance(index, bool) or not 0 <= index <= 1:
        return "bad-index", f"PI {index!r} is no number from 0 to 1"
    return None


def _asked(number: str, entry: Mapping[str, Any]) -> ClipQuestion:
    return ClipQuestion(
        id=number,
        recording=f"{number}.mp3",
        text=entry["question"].strip(),
        choices=(entry["correct_answer"], *entry["distractors"]),
        right=0,
        tags={"perceptual_index": float(entry["PI"])},
    )


class Original(msgspec.Struct, frozen=True):
    """A question as it was before: its choices, the right one first, and its track."""

    choices: tuple[str, ...]
    track: str


def read_originals(path: Path, questions: Sequence[ClipQuestion]) -> dict[str, Original]:
    """The original of each question by its id, found by question and right answer.

    Those that two questions, or two rows, have in common are left out.

    Raises
    ------
    InputError
        The file cannot be read, or lacks a column.
    """
    rows: dict[tuple[str, str], list[Original]] = {}
    for row in _rows(path):
        choices = tuple(row[name].strip() for name in _OWN)
        if all(choices) and len(set(choices)) == len(choices):
            track = f"{row['dataset']}/{row['dataset_identifier'].removesuffix('.json')}"
            rows.setdefault(_key(row["question"], choices[0]), []).append(Original(choices, track))
    keys = Counter(_key(q.text, q.choices[0]) for q in questions)
    originals = {}
    for question in questions:
        key = _key(question.text, question.choices[0])
        if keys[key] == 1 and len(rows.get(key, ())) == 1:
            originals[question.id] = rows[key][0]
    return originals


def _rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        text = decode(path, read_regular(path))
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror}); --distractors own needs the questions "
            "that these were made from in it"
        ) from None
    reader = csv.DictReader(io.StringIO(text, newline=""), restval="", strict=True)
    try:
        header = reader.fieldnames or ()
        for name in ("question", "dataset", "dataset_identifier", *_OWN):
            if name not in header:
                raise InputError(f"{path}:1: no column {name}: is it the published file?")
        yield from reader
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: not CSV ({error}); get it again") from None


def _key(question: str, answer: str) -> tuple[str, str]:
    return " ".join(question.lower().split()), " ".join(answer.lower().split()).rstrip(".")


def find_flaws(path: Path, questions: Sequence[ClipQuestion]) -> Iterator[Flaw]:
    """Flaws of questions that can still be asked."""
    first_questions: dict[tuple[str, str], ClipQuestion] = {}
    entries = read_json(path)
    for question in questions:
        caption = str(entries[question.id].get("caption") or "").lower()
        if any(choice.strip().lower() in caption for choice in question.choices[1:]):
            detail = "a wrong answer stands word for word in the caption"
            yield Flaw("distractor-in-caption", path.name, question.id, detail)
        yield from common_flaws(path, question)
        right, *wrong = (f" {' '.join(_words(choice))} " for choice in question.choices)
        if any(right in text != right for text in wrong):
            detail = f"{question.choices[0]!r} stands within a wrong answer"
            yield Flaw("target-within-distractor", path.name, question.id, detail)
        if (
            twin := first_questions.setdefault((question.text, question.choices[0]), question)
        ) != question:
            detail = f"the question and right answer of {twin.id}"
            yield Flaw("repeated-question", path.name, question.id, detail)


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()
