"""Files of other programs that hold questions, options and keys of their own: read as entries."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zhiyin.plugins.lab.imports.files import ForeignRow, read_foreign
from zhiyin.plugins.lab.imports.joining import lettered, names_key, unlabelled
from zhiyin.plugins.methods.replies import GivenEntry, joined_entries
from zhiyin.trial import Option, Trial

REPLY = "reply"


def foreign_entries(
    path: Path, field: str = "", questions: Path | None = None, line: str = ""
) -> list[GivenEntry]:
    """The rows of a file of any known format as entries, the reply of each under `REPLY`.

    Parameters
    ----------
    path : Path
    field : str
        The place of the reply in a row; "" for that of the format.
    questions : Path, optional
        See `joined_entries`.
    line : str
        The command that is to be typed again, with another flag behind it.

    Raises
    ------
    InputError
        The file cannot be read, or a reply belongs to none of the questions.
    """
    rows = read_foreign(path, field=field, line=line).rows
    return joined_entries(((path, _where(path, row), _entry(row)) for row in rows), questions)


def _where(path: Path, row: ForeignRow) -> str:
    return row.where.removeprefix(f"{path}, ")


def _entry(row: ForeignRow) -> Mapping[str, Any]:
    texts = unlabelled(row.options)
    options = lettered(Option("", text, str(place)) for place, text in enumerate(texts))
    entry = {
        "id": row.id,
        "question": row.question,
        "choices": [*texts],
        "answer": _keyed(row.key or "", options),
        REPLY: None if row.reply is None else row.reply.text,
    }
    return {name: value for name, value in entry.items() if value} | {REPLY: entry[REPLY]}


def _keyed(key: str, options: tuple[Option, ...]) -> str:
    """The text of the option that a key names, by its text, its letter or both; else the key."""
    texts = [option.text for option in options]
    if key.strip() in texts:
        return key.strip()
    trials = (Trial("", (), options=options, target=option.key) for option in options)
    named = (text for text, trial in zip(texts, trials, strict=True) if names_key(key, trial))
    return next(named, key)
