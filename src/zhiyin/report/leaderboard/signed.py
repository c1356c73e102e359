"""Which runs of a leaderboard are signed, and their statements, for a third party to check."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from msgspec import structs

from zhiyin.engine.sums import SIGNATURE, SIGNED
from zhiyin.report.leaderboard.board import Board, Row
from zhiyin.session.signing import check_signature, is_signed
from zhiyin.words.findings import SealedLate, SignatureBroken

PLACE = "signed"


def with_signatures(root: Path, boards: Sequence[Board], keys: Sequence[str] = ()) -> list[Board]:
    """Tables whose rows say by which key a run is signed; each signature is checked.

    Parameters
    ----------
    root : Path
        The folder that was collected.
    boards : sequence of Board
    keys : sequence of str
        Public keys, or files of them, that alone count; empty: any key.

    Raises
    ------
    InputError
        One of `keys` is none, or a run is signed and cryptography is not installed.
    """
    return [
        structs.replace(board, rows=[_checked(root, row, keys) for row in board.rows])
        for board in boards
    ]


def _checked(root: Path, row: Row, keys: Sequence[str]) -> Row:
    if row.kind != "run" or not row.folder:
        return row
    folder = folder_of(root, row)
    if not is_signed(folder):
        return row
    checked = check_signature(folder, keys)
    if checked.why:
        return structs.replace(row, notes=(*row.notes, SignatureBroken(why=checked.why)))
    late = (SealedLate(),) if checked.late else ()
    return structs.replace(row, signed=checked.by, notes=(*row.notes, *late))


def folder_of(root: Path, row: Row) -> Path:
    """Where the run of a row lies."""
    return root if row.folder == root.name else root / row.folder


def copy_statements(root: Path, boards: Sequence[Board], out: Path) -> dict[str, str]:
    """Copy what was signed, and the signatures, beside the page.

    Returns
    -------
    dict of str to str
        The address of a run's statement, by the run's folder.
    """
    addresses: dict[str, str] = {}
    for row in (row for board in boards for row in board.rows if row.signed):
        if row.folder in addresses:
            continue
        place = f"{PLACE}/{len(addresses) + 1}"
        (out / place).mkdir(parents=True, exist_ok=True)
        for name in (SIGNED, SIGNATURE):
            shutil.copyfile(folder_of(root, row) / name, out / place / name)
        addresses[row.folder] = f"{place}/{SIGNED}"
    return addresses
