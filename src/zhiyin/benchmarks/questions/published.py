"""Published rows that lie beside a file of questions.

Beside ``my_questions.csv`` these are ``my_questions.published.json`` or
``my_questions.published.csv``. The JSON file is a `zhiyin.contract.Reference`: ``rows`` maps a
name to groups to figures. The CSV file has a row for each name and group, with the columns
``name``, ``group`` ("all" where it is empty), ``kind`` (model, human or chance), and a column for
each figure: ``accuracy``, ``f1``, ``precision``, ``recall``. Figures are shares from 0 to 1.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract import Reference
from zhiyin.contract.tables import read_rows
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError, reworded
from zhiyin.files import NOT_JSON
from zhiyin.words import said

FIGURES = ("accuracy", "f1", "precision", "recall")
KEPT = "questions"
"""In the folder of a run the rows lie as if this were the file of questions."""
KINDS = ("model", "human", "chance")


class _Written(msgspec.Struct, forbid_unknown_fields=True):
    """A JSON file of rows. `sha256` is of the file of questions that they are about."""

    rows: dict[str, dict[str, dict[str, float]]]
    title: str = ""
    source: str = ""
    kinds: dict[str, str] = {}
    sha256: str = ""


def places(data: Path) -> tuple[Path, Path]:
    """Return the two paths where published rows of a file of questions may lie."""
    return (
        data.with_name(f"{data.stem}.published.json"),
        data.with_name(f"{data.stem}.published.csv"),
    )


def keep(data: Path, folder: Path) -> None:
    """Copy the rows beside a file of questions into the folder of a run of it."""
    for own, kept in zip(places(data), places(folder / KEPT), strict=True):
        kept.unlink(missing_ok=True)
        if own.is_file():
            shutil.copyfile(own, kept)


def read_published(data: Path) -> Reference | None:
    """The published rows beside a file of questions; None where there are none.

    Raises
    ------
    InputError
        There are two files of rows, one cannot be read, a figure is no share, or the rows are
        about another file of questions.
    """
    paths = [place for place in places(data) if place.is_file()]
    if not paths:
        return None
    if len(paths) > 1:
        raise InputError(said("questions-keep-one", paths=paths[0], name=paths[1].name))
    path = paths[0]
    written = _json(path) if path.suffix == ".json" else _csv(path)
    for name, groups in written.rows.items():
        for figures in groups.values():
            for figure, value in figures.items():
                if figure not in FIGURES:
                    raise InputError(said(
                        "questions-figure", path=path, name=name, figure=repr(figure),
                        figures=FIGURES,
                    ))  # fmt: skip
                if not 0 <= value <= 1:
                    raise InputError(
                        said("questions-share", path=path, name=name, figure=figure, value=value)
                    )
    for name, kind in written.kinds.items():
        if kind not in KINDS:
            raise InputError(
                said("questions-kind", path=path, name=name, kind=repr(kind), kinds=KINDS)
            )
    if written.sha256 and data.is_file():
        have = hashlib.sha256(data.read_bytes()).hexdigest()
        if have != written.sha256:
            raise InputError(said("questions-other-data", path=path, data=data.name))
    kinds = {name: written.kinds.get(name, "model") for name in written.rows}
    source = written.source or "the file of rows beside the questions, which names no source"
    return Reference(written.title or "Published", source, written.rows, kinds)


def _json(path: Path) -> _Written:
    with reworded(f"{path}: ", ": see docs/how-to/your-own-questions.md", of=(OSError, *NOT_JSON)):
        return msgspec.json.decode(path.read_bytes(), type=_Written)


def _csv(path: Path) -> _Written:
    _, lines = read_rows(path)
    header = [name.strip().casefold() for name in next(lines, (1, []))[1]]
    figures = [name for name in header if name not in ("name", "group", "kind")]
    if "name" not in header or not figures:
        raise InputError(said("questions-no-figures", path=path, figures=FIGURES))
    written = _Written({})
    for line, cells in lines:
        row: dict[str, Any] = dict(zip(header, (cell.strip() for cell in cells), strict=False))
        values = {}
        for figure in figures:
            if row.get(figure):
                try:
                    values[figure] = float(row[figure])
                except ValueError:
                    raise InputError(said(
                        "questions-no-number", path=path, line=str(line), figure=figure,
                        value=repr(row[figure]),
                    )) from None  # fmt: skip
        written.rows.setdefault(row["name"], {})[row.get("group") or ALL] = values
        if row.get("kind"):
            written.kinds[row["name"]] = row["kind"].casefold()
    return written
