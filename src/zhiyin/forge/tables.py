"""Tables that users bring (captions, annotations, questions): rows, with the line of each.

Any set of multiple-choice questions becomes items, the published layout of Zang et al. among them.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.sheets import decode, option_columns, parse_rows
from zhiyin.errors import InputError, did_you_mean
from zhiyin.forge.blind import LETTERS
from zhiyin.forge.stages import Distractor, ForgeItem
from zhiyin.sound import read_regular

ENDINGS = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json")
_SIGNS = (",", ";", "\t", "|")
_PARTS = ("\n", "|", ";")
"""What parts the entries of a cell that holds a list; the first that is there."""


class SourceRow(msgspec.Struct, frozen=True):
    """A row: the line on which it begins, from 1, and its cells by column."""

    line: int
    cells: dict[str, Any]


class SourceTable(msgspec.Struct, frozen=True):
    """A table: where it lies, the SHA-256 of its bytes, its columns and its rows."""

    path: Path
    sha256: str
    columns: tuple[str, ...]
    rows: list[SourceRow]

    def match(
        self, names: Mapping[str, Sequence[str]], chosen: Iterable[str], needed: Iterable[str]
    ) -> dict[str, str]:
        """Which column holds what.

        Parameters
        ----------
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
        column_of = _chosen(chosen, names, self)
        columns = {folded(name): name for name in self.columns}
        for meaning, usual in names.items():
            name = next((columns[word] for word in usual if word in columns), None)
            if name is not None and meaning not in column_of:
                column_of[meaning] = name
        for meaning in needed:
            if meaning not in column_of:
                known = ", ".join(self.columns)[:200]
                raise InputError(
                    f"{self.path}: no column of the {meaning} among {known}: say "
                    f"--columns {meaning}=NAME"
                )
        return column_of


def folded(name: str) -> str:
    """The name of a column in small letters, with ``_`` for blanks."""
    return name.strip().casefold().replace(" ", "_")


def _chosen(
    chosen: Iterable[str], names: Mapping[str, Sequence[str]], table: SourceTable
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


def read_table(path: Path) -> SourceTable:
    """Read a CSV file (cells parted by comma, semicolon, tab or bar), JSON lines, or a JSON list.

    Raises
    ------
    InputError
        The file is not there, not UTF-8, empty, or neither; with the line where there is one.
    """
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"{path}: no table: give a file that ends in {', '.join(ENDINGS)}")
    try:
        raw = read_regular(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}): is it there?") from None
    text, sha256 = decode(path, raw), hashlib.sha256(raw).hexdigest()
    read = _objects if path.suffix.lower() in (".jsonl", ".ndjson", ".json") else _delimited
    columns, rows = read(path, text)
    if not rows:
        raise InputError(f"{path}: holds no rows: give a table with a line of names and rows below")
    return SourceTable(path, sha256, columns, rows)


def _delimited(path: Path, text: str) -> tuple[tuple[str, ...], list[SourceRow]]:
    first = text.lstrip("\n").partition("\n")[0]
    sign = max(_SIGNS, key=first.count)
    lines = parse_rows(path, text, sign)
    header = tuple(name.strip() for name in next(lines, (1, []))[1])
    twice = next((name for name in header if name and header.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{path}: two columns are named {twice!r}: rename one")
    rows = []
    for line, cells in lines:
        if len(cells) > len(header):
            raise InputError(
                f"{path}:{line}: {len(cells)} cells under {len(header)} names: quote cells that "
                f"hold {sign!r}"
            )
        rows.append(SourceRow(line, dict(zip(header, cells, strict=False))))
    return header, rows


def _objects(path: Path, text: str) -> tuple[tuple[str, ...], list[SourceRow]]:
    rows: list[SourceRow] = []
    for line, cells in _decoded(path, text):
        if not isinstance(cells, dict):
            raise InputError(f"{path}:{line}: no object: write a row as {{...}}")
        rows.append(SourceRow(line, cells))
    return tuple(dict.fromkeys(name for row in rows for name in row.cells)), rows


def _decoded(path: Path, text: str) -> Iterator[tuple[int, Any]]:
    """What stands in each line, or in each entry of a list, with its number."""
    number = 1
    try:
        if path.suffix.lower() == ".json":
            document = json.loads(text)
            if isinstance(document, dict):  # objects by their ids
                rows = document.items()
                document = [{"id": k, **v} if isinstance(v, dict) else v for k, v in rows]
            yield from enumerate(document if isinstance(document, list) else [None], 1)
            return
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield number, json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}:{number}: not JSON ({error}): mend it, or give CSV") from None


def text_of(value: Any) -> str:
    """A cell as text: nothing for None, 3 for 3.0, yes and no as written."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def list_of(value: Any) -> tuple[str, ...]:
    """The entries of a cell: a list, one written as JSON or as Python prints it, or parted text."""
    if isinstance(value, str) and value.strip().startswith("["):
        for read in (json.loads, ast.literal_eval):
            try:
                value = read(value.strip())
                break
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                continue
    if isinstance(value, list | tuple):
        return tuple(text for entry in value if (text := text_of(entry)))
    text = text_of(value)
    for sign in _PARTS:
        if sign in text:
            return tuple(part for entry in text.split(sign) if (part := entry.strip()))
    return (text,) if text else ()


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
    entries: list[SetEntry] = []
    seen: set[str] = set()
    for row in table.rows:
        entry = _entry(row, column_of, single, f"{path}:{row.line}")
        if entry.item.id in seen:
            raise InputError(f"{path}:{row.line}: the id {entry.item.id!r} stands earlier too")
        seen.add(entry.item.id)
        entries.append(entry)
    return Set(entries, column_of, single, table.sha256)


def _entry(
    row: SourceRow, columns: dict[str, str], single: tuple[str, ...], where: str
) -> SetEntry:
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
    item = ForgeItem(name, track, question, answer, tuple(Distractor(text) for text in wrong))
    return SetEntry(item, row.cells, index, list_of(cell("proposals")))


def _options(value: Any) -> tuple[str, ...]:
    return tuple(map(text_of, value.values())) if isinstance(value, dict) else list_of(value)
