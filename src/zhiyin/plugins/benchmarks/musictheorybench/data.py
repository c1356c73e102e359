"""Reads MusicTheoryBench: one file of Parquet, or of JSON lines, for each of its two splits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from zhiyin.contract.clips import LETTERS, ClipQuestion, FaultSink, common_flaws, is_left_out
from zhiyin.contract.declared import Flaw
from zhiyin.contract.question_table import RowCells
from zhiyin.contract.tables import find_table, read_table
from zhiyin.errors import InputError
from zhiyin.reader.plain import fold
from zhiyin.words import Said, said

Split = Literal["test", "dev"]
_POINTER = "Use the example below to answer the question that follows."
"""A sentence of the data that points to the score; the released program leaves it out."""
_COLUMNS = ("id", "stem", "options", "subject", "answer", "abc_score")


def find_split(data: str | None, split: Split, owner: str, home: str) -> Path:
    """The file of a split, in a folder or in ``data`` below it; of test, one that is named.

    Raises
    ------
    InputError
        Nothing is named, or there is no such file, or several.
    """
    named = Path(data) if data else None
    place = str(named.parent) if named and split == "dev" and named.is_file() else data
    patterns = (f"data/{split}-*.parquet", f"{split}-*.parquet", f"{split}.jsonl")
    return find_table(place, patterns, owner, home)


def read_split(path: Path, on_fault: FaultSink) -> list[ClipQuestion]:
    """The questions of a file; what cannot be asked is given to `on_fault` and left out.

    Raises
    ------
    InputError
        The file cannot be read, or lacks a column.
    """
    table = read_table(path)
    if missing := [name for name in _COLUMNS if name not in table.columns]:
        raise InputError(f"{path}: no column {missing[0]}; is it the published file?")
    questions: dict[str, ClipQuestion] = {}
    for broken in table.broken:
        on_fault(Flaw("broken-row", str(path), f"row {broken.line}", broken.problem))
    for row in table.rows:
        fault = _fault(row.cells)
        name = "" if fault else str(row.cells.get("id")).strip()
        if name in questions and _subject(row.cells) not in questions[name].groups:
            name = f"{_subject(row.cells)}-{name}"  # each subject may have its own numbers
        if name in questions:
            fault = "repeated-id", said("flaw-twice", id=name)
        if is_left_out(path, f"row {row.line}", "row", fault, on_fault):
            continue
        questions[name] = _question(name, row.cells)
    return list(questions.values())


def _fault(cells: RowCells) -> tuple[str, Said] | None:
    """Find why a row cannot be asked: the kind of the flaw, and what is wrong."""
    for name in ("id", "stem", "subject", "answer"):
        if not str(cells.get(name) if cells.get(name) is not None else "").strip():
            return "blank-field", said("flaw-none", field=name)
    letters = _letters(cells)
    if not 2 <= len(letters) <= len(LETTERS):
        return "bad-choices", said("flaw-choices", n=len(letters), most=len(LETTERS))
    if str(cells.get("answer")).strip() not in letters:
        return "bad-answer", said("flaw-no-choice", answer=repr(cells.get("answer")))
    return None


def _letters(cells: RowCells) -> list[str]:
    """The letters of the options that say something."""
    options = cells.get("options")
    if not isinstance(options, dict):
        return []
    return [letter for letter in LETTERS if str(options.get(letter) or "").strip()]


def _subject(cells: RowCells) -> str:
    return str(cells.get("subject")).strip().lower()


def _question(name: str, cells: RowCells) -> ClipQuestion:
    letters = _letters(cells)
    stem, score = str(cells.get("stem")).strip(), str(cells.get("abc_score") or "").strip("\n")
    if score.strip():
        stem = f"{stem.replace(_POINTER, '').strip()}\n{score}"
    # Questions about one score hang together.
    digest = blake2b(score.encode(), digest_size=8).hexdigest()
    return ClipQuestion(
        id=name,
        recording="",
        text=stem,
        choices=tuple(str(cells.get("options")[letter]).strip() for letter in letters),
        right=letters.index(str(cells.get("answer")).strip()),
        groups=(_subject(cells),),
        cluster=f"score-{digest}" if score.strip() else name,
        tags={"score": bool(score.strip())},
    )


def flaws_of(
    path: Path, questions: Sequence[ClipQuestion], examples: Sequence[ClipQuestion]
) -> Iterator[Flaw]:
    """Yield the flaws of questions that can be asked all the same."""
    shown = {fold(example.text): example.id for example in examples}
    first: dict[str, ClipQuestion] = {}
    for question in questions:
        yield from common_flaws(path, question)
        words = fold(question.text)
        if words in shown:
            detail = said("mtb-example", id=shown[words])
            yield Flaw("example-in-test", path.name, question.id, detail)
        twin = first.setdefault(words, question)
        if twin is not question and {*twin.choices} == {*question.choices}:
            answers = [each.choices[each.right] for each in (twin, question)]
            same = answers[0] == answers[1]
            kind = "repeated-question" if same else "conflicting-answers"
            yield Flaw(kind, path.name, question.id, said("mtb-twin", id=twin.id, same=same))
