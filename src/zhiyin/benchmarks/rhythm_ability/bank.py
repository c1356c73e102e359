"""The published item bank: read, checked, and the next item chosen from it."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from zhiyin.errors import InputError
from zhiyin.sound import read_regular
from zhiyin.statistics.items import BankItem

FILE = "item_bank.csv"
HOME = "the package RAT of Klaus Frieler and Peter Harrison (github.com/klausfrieler/RAT)"
_COLUMNS = (
    "item_id", "pattern", "lure_1", "lure_2", "lure_3",
    "discrimination", "difficulty", "guessing", "inattention",
)  # fmt: skip


class Rhythm(msgspec.Struct, frozen=True):
    """An item: the pattern that is played, three that are not, and its parameters.

    A pattern is a string of 0 and 1, a stroke each.
    """

    id: str
    pattern: str
    lures: tuple[str, ...]
    item: BankItem


class Bank(msgspec.Struct, frozen=True):
    """All items, and the SHA-256 of the file that they are from."""

    items: tuple[Rhythm, ...]
    sha256: str


def read_bank(folder: str | None) -> Bank:
    """The items of a folder.

    Raises
    ------
    InputError
        No folder, no file in it, or a row that is faulty, with its line.
    """
    if not folder:
        raise InputError(f"give --data, the folder with {FILE} of {HOME}")
    path = Path(folder) / FILE
    try:
        raw = read_regular(path)
        rows = csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline=""), strict=True)
        missing = [name for name in _COLUMNS if name not in (rows.fieldnames or ())]
        if missing:
            raise InputError(f"{path}:1: no column {missing[0]}: give the bank of {HOME}")
        items = tuple(_item(path, rows.line_num, row) for row in rows)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: give --data, the bank's folder") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not CSV in UTF-8 ({error}): fetch it again") from None
    if not items:
        raise InputError(f"{path}: no items in it: fetch it again")
    twice = len(items) - len({item.id for item in items})
    if twice:
        raise InputError(f"{path}: {twice} ids stand more than once: fetch it again")
    return Bank(items, hashlib.sha256(raw).hexdigest())


def _item(path: Path, line: int, row: dict[str, str | None]) -> Rhythm:
    def fault(why: str) -> InputError:
        return InputError(f"{path}:{line}: {why}: correct the row")

    fields = {name: (row.get(name) or "").strip() for name in _COLUMNS}
    patterns = (fields["pattern"], *(fields[f"lure_{n}"] for n in (1, 2, 3)))
    if any(not text or set(text) - {"0", "1"} for text in patterns):
        raise fault("pattern and lures must be written with 0 and 1 (read them as text)")
    if len({*patterns}) < len(patterns) or len({*map(len, patterns)}) > 1:
        raise fault("pattern and lures must differ and be of one length")
    try:
        numbers = [float(fields[name]) for name in _COLUMNS[5:]]
    except ValueError:
        raise fault("a parameter is not a number") from None
    item = BankItem(*numbers)
    if not (np.isfinite(numbers).all() and item.a > 0 and 0 <= item.c < item.d <= 1):
        raise fault("its parameters make no response model")
    return Rhythm(fields["item_id"], patterns[0], patterns[1:], item)


def _opens(rhythm: Rhythm) -> bool:
    """Whether the published test may begin with it: 8 strokes, of which each lure turns 4."""
    turned = {sum(map(str.__ne__, rhythm.pattern, lure)) for lure in rhythm.lures}
    return len(rhythm.pattern) == 8 and turned == {4}


class Shelf:
    """The bank as the test draws from it.

    Parameters
    ----------
    bank : Bank
    """

    def __init__(self, bank: Bank) -> None:
        self.items = bank.items
        self.by_id = {item.id: item for item in bank.items}
        self._hard = np.array([item.item.b for item in bank.items])
        numbers: dict[str, int] = {}
        self._pattern = np.array([numbers.setdefault(i.pattern, len(numbers)) for i in bank.items])
        self._first = np.array([_opens(item) for item in bank.items])
        self._places = {item.id: place for place, item in enumerate(bank.items)}

    def nearest(self, theta: float, heard: set[str], words: str) -> Rhythm | None:
        """The item whose difficulty is nearest; None where every pattern has been heard.

        A pattern is played once in a test, with whatever lures. Ties are drawn by `words`. The
        first item is one of `_opens`, as in the published test, where the bank has any.
        """
        used = {self._pattern[self._places[name]] for name in heard}
        free = ~np.isin(self._pattern, list(used))
        if not free.any():
            return None
        if not heard and self._first.any():
            free = self._first
        distances = np.where(free, np.abs(self._hard - theta), np.inf)
        tied = [
            self.items[int(place)] for place in np.flatnonzero(distances <= distances.min() + 1e-9)
        ]
        return min(tied, key=lambda item: hashlib.sha256(f"{words}/{item.id}".encode()).digest())

    def __iter__(self) -> Iterator[Rhythm]:
        return iter(self.items)
