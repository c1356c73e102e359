"""Any set of multiple-choice questions as items: a table, or the published layout of Zang et al."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.sheets import option_columns
from zhiyin.errors import InputError
from zhiyin.forge.blind import LETTERS
from zhiyin.forge.items import Distractor, Item
from zhiyin.forge.tables import Row, folded, list_of, read_table, text_of

NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "qid", "question_id", "item", "item_id"),
    "question": ("question", "stem", "prompt"),
    "options": ("options", "choices"),
    "answer": ("answer", "correct_answer", "correct", "gold", "key"),
    "distractors": ("distractors", "wrong", "incorrect_answers"),
    "cluster": ("cluster", "track", "recording", "audio", "song"),
    "index": ("perceptual_index", "pi"),
    "proposals": ("proposals",),
}
"""What the columns of a set may be called."""


class Entry(msgspec.Struct, frozen=True):
    """A question of a set.

    Attributes
    ----------
    item : Item
    cells : dict
        Its row as it was.
    index : float or None
        The perceptual index that the set states.
    proposals : tuple of str
        Further wrong answers that the set brings along.
    """

    item: Item
    cells: dict[str, Any]
    index: float | None = None
    proposals: tuple[str, ...] = ()


class Set(msgspec.Struct, frozen=True):
    """A set of questions: its entries, and which column is what.

    `single` are the columns that hold one option each, where they do.
    """

    entries: list[Entry]
    columns: dict[str, str]
    single: tuple[str, ...]
    sha256: str


def read_set(path: Path, columns: Sequence[str] = ()) -> Set:
    """Read a set of questions.

    Raises
    ------
    InputError
        It cannot be read, or a row is no question with a right answer and a wrong one.
    """
    table = read_table(path)
    column_of = table.match(NAMES, columns, ("question", "answer"))
    single: tuple[str, ...] = ()
    if "options" not in column_of and "distractors" not in column_of:
        taken = set(column_of.values())
        free = {name: folded(name) for name in table.columns if name not in taken}
        single = option_columns(free)
        if not single:
            raise InputError(
                f"{path}: no column of options or distractors: say --columns options=NAME"
            )
    entries: list[Entry] = []
    seen: set[str] = set()
    for row in table.rows:
        entry = _entry(row, column_of, single, f"{path}:{row.line}")
        if entry.item.id in seen:
            raise InputError(f"{path}:{row.line}: the id {entry.item.id!r} stands earlier too")
        seen.add(entry.item.id)
        entries.append(entry)
    return Set(entries, column_of, single, table.sha256)


def _entry(row: Row, columns: dict[str, str], single: tuple[str, ...], where: str) -> Entry:
    def cell(meaning: str) -> Any:
        return row.cells.get(columns.get(meaning, ""))

    question, answer = text_of(cell("question")), text_of(cell("answer"))
    wrong = list(list_of(cell("distractors")))
    if "options" in columns or single:
        each = (text_of(row.cells.get(name)) for name in single)
        options = _options(cell("options")) if not single else tuple(text for text in each if text)
        letters = LETTERS[: len(options)]
        if answer not in options and len(answer) == 1 and answer in letters:
            answer = options[letters.index(answer)]
        if answer not in options:
            raise InputError(f"{where}: the answer {answer!r} is not an option: mend the row")
        wrong = [text for text in options if text != answer]
    if not question or not answer or not wrong:
        raise InputError(f"{where}: lacks a question, an answer or a wrong one: mend the row")
    if len(wrong) >= len(LETTERS):
        raise InputError(
            f"{where}: {len(wrong)} wrong answers, and {len(LETTERS) - 1} can be shown"
        )
    name = text_of(cell("id")) or f"row-{row.line}"
    track = text_of(cell("cluster")) or name
    try:
        index = float(text_of(cell("index"))) if text_of(cell("index")) else None
    except ValueError:
        index = None
    item = Item(name, track, question, answer, tuple(Distractor(text) for text in wrong))
    return Entry(item, row.cells, index, list_of(cell("proposals")))


def _options(value: Any) -> tuple[str, ...]:
    return tuple(map(text_of, value.values())) if isinstance(value, dict) else list_of(value)
