"""Tables that users bring (captions, annotations, questions): rows, with the line of each.

Any set of multiple-choice questions becomes items, the published layout of Zang et al. among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.question_table import QuestionTable, TableRow, text_of, texts_in
from zhiyin.contract.tables import option_columns, read_table, refuse
from zhiyin.errors import InputError, did_you_mean
from zhiyin.plugins.making.forge.blind import LETTERS
from zhiyin.plugins.making.forge.stages import Distractor, ForgeItem


def read_whole(path: Path) -> QuestionTable:
    """A table, as `contract.tables.read_table`, none of whose rows is broken."""
    table = read_table(path)
    for fault in table.broken:
        refuse(fault)
    return table


def columns_of(
    table: QuestionTable,
    names: Mapping[str, Sequence[str]],
    chosen: Iterable[str],
    needed: Iterable[str],
) -> dict[str, str]:
    """Find which column of a table holds what.

    Parameters
    ----------
    table : QuestionTable
    names : mapping
        What a column of each meaning may be called, in small letters; the first one wins.
    chosen : iterable of str
        The user's words, such as ``caption=text``.
    needed : iterable of str
        Meanings that must have a column.

    Raises
    ------
    InputError
        A word of the user's is unclear, or a column that is needed is not there.
    """
    column_of = _chosen(chosen, names, table)
    columns = {folded(name): name for name in table.columns}
    for meaning, usual in names.items():
        name = next((columns[word] for word in usual if word in columns), None)
        if name is not None and meaning not in column_of:
            column_of[meaning] = name
    for meaning in needed:
        if meaning not in column_of:
            known = ", ".join(table.columns)[:200]
            raise InputError(
                f"{table.path}: no column of the {meaning} among {known}: say "
                f"--columns {meaning}=NAME"
            )
    return column_of


def folded(name: str) -> str:
    """The name of a column in small letters, with ``_`` for blanks."""
    return name.strip().casefold().replace(" ", "_")


def _chosen(
    chosen: Iterable[str], names: Mapping[str, Sequence[str]], table: QuestionTable
) -> dict[str, str]:
    column_of: dict[str, str] = {}
    for pair in (part for word in chosen for part in word.split(",") if part.strip()):
        meaning, equals, name = (part.strip() for part in pair.partition("="))
        if not equals:
            raise InputError(f"--columns {pair}: write MEANING=COLUMN")
        if meaning not in names:
            raise InputError(f"--columns {pair}: {did_you_mean(meaning, names)}")
        if name not in table.columns:
            raise InputError(f"--columns {pair}: {table.path}: {did_you_mean(name, table.columns)}")
        column_of[meaning] = name
    return column_of


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


class SetEntry(msgspec.Struct, frozen=True):
    """A question of a set.

    Attributes
    ----------
    item : ForgeItem
    cells : dict
        Its row as it was.
    index : float or None
        The perceptual index that the set states.
    proposals : tuple of str
        Further wrong answers that the set brings along.
    """

    item: ForgeItem
    cells: dict[str, Any]
    index: float | None = None
    proposals: tuple[str, ...] = ()


class Set(msgspec.Struct, frozen=True):
    """A set of questions: its entries, and which column is what.

    `single` are the columns that hold one option each, where they do.
    """

    entries: list[SetEntry]
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
    table = read_whole(path)
    column_of = columns_of(table, NAMES, columns, ("question", "answer"))
    single: tuple[str, ...] = ()
    if "options" not in column_of and "distractors" not in column_of:
        taken = set(column_of.values())
        free = {name: folded(name) for name in table.columns if name not in taken}
        single = option_columns(free)
        if not single:
            raise InputError(
                f"{path}: no column of options or distractors: say --columns options=NAME"
            )
    found: list[SetEntry] = []
    seen: set[str] = set()
    for row in table.rows:
        entry = _entry(row, column_of, single, f"{path}:{row.line}")
        if entry.item.id in seen:
            raise InputError(f"{path}:{row.line}: the id {entry.item.id!r} stands earlier too")
        seen.add(entry.item.id)
        found.append(entry)
    return Set(found, column_of, single, table.sha256)


def _entry(row: TableRow, columns: dict[str, str], single: tuple[str, ...], where: str) -> SetEntry:
    def cell(meaning: str) -> Any:
        return row.cells.get(columns.get(meaning, ""))

    question, answer = text_of(cell("question")), text_of(cell("answer"))
    wrong = list(texts_in(cell("distractors")))
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
    item = ForgeItem(name, track, question, answer, tuple(Distractor(text) for text in wrong))
    return SetEntry(item, row.cells.named(), index, texts_in(cell("proposals")))


def _options(value: Any) -> tuple[str, ...]:
    return tuple(map(text_of, value.values())) if isinstance(value, dict) else texts_in(value)
