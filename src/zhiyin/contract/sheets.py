"""CSV files of questions: their rows with the right line numbers, and rows that cannot be asked."""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

import msgspec

from zhiyin.errors import InputError, reworded
from zhiyin.files import read_regular
from zhiyin.words import Said, Text, said

STEMS = "甲乙丙丁戊己庚辛壬癸"
"""What Chinese examinations count by where others take A, B, C."""
LETTER_OF = str.maketrans(STEMS, "ABCDEFGHIJ")
_LETTERED = re.compile(rf"(?:(?:option|choice|answer|alternative|选项|备选)_?)?([a-z{STEMS}])")
_NUMBERED = re.compile(r"(?:option|choice|alternative|选项|备选)_?(\d{1,2})")

_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]++")


class Fault(msgspec.Struct, frozen=True):
    """A row that cannot be asked.

    Attributes
    ----------
    kind : str
        The kind of flaw, as ``zhiyin data check`` lists it.
    path : Path
    line : int
        The line of the file on which the row begins, from 1.
    id : str
        What the row calls its item; "" where it does not say.
    problem, remedy : str or Said
        What is wrong, and how to mend it.
    """

    kind: str
    path: Path
    line: int
    id: str
    problem: Text
    remedy: Text


def refuse(fault: Fault) -> None:
    """Raise `InputError` for `fault`."""
    at = f"{fault.path}:{fault.line}"
    raise InputError(fault_said(at, fault))


def fault_said(at: str, fault: Fault) -> Said:
    """Say of a row, which stands `at` a place, what is wrong and how to mend it."""
    what, fix = map(worded, (fault.problem, fault.remedy))
    return said("error-row", at=at, item=fault.id or None, problem=what, remedy=fix)


def worded(text: Text) -> Said | InputError:
    """Return words of ours as a fact of an error; English ones have the whole said in English."""
    return text if isinstance(text, Said) else InputError(text)


def refuse_twins(path: Path, header: Sequence[str], columns: Sequence[str]) -> None:
    """Raise `InputError` where a column stands twice in a header: which one counts is not known."""
    for name in columns:
        if header.count(name) > 1:
            raise InputError(f"{path}:1: {header.count(name)} columns {name}: keep the right one")


def read_rows(path: Path) -> tuple[str, Iterator[tuple[int, list[str]]]]:
    """The rows of a CSV file.

    Parameters
    ----------
    path : Path
        UTF-8, with or without a byte order mark.

    Returns
    -------
    sha256 : str
        Of the file's bytes, in hexadecimal.
    rows : iterator of (int, list of str)
        Each row that is not empty, with the line on which it begins, from 1: quoted fields may
        hold line ends.

    Raises
    ------
    InputError
        The file cannot be read or is not UTF-8; while iterating: it is not CSV.
    """
    with reworded(said("error-may-read", path=path, why="")):
        raw = read_regular(path)
    return hashlib.sha256(raw).hexdigest(), parse_rows(path, decode(path, raw))


def read_columns(path: Path, needed: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a published CSV file, each by the names of its columns; "" for a missing cell.

    Raises
    ------
    InputError
        The file cannot be read, is not CSV in UTF-8, or lacks a needed column or has it twice.
    """
    _, lines = read_rows(path)
    header = next(lines, (1, []))[1]
    for name in needed:
        if header.count(name) != 1:
            what = f"two columns {name}" if name in header else f"no column {name}"
            raise InputError(f"{path}:1: {what}; is it the published file?")
    return [dict(zip_longest(header, row[: len(header)], fillvalue="")) for _, row in lines]


def decode(path: Path, raw: bytes) -> str:
    """The text of a file in UTF-8. Raises `InputError`, with the line, for any other."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        names = ("CP1252", "GBK") if looks_western(raw) else ("GBK", "CP1252")
        ways = [f"iconv -f {name} -t UTF-8 {path.name} > utf8.csv" for name in names]
        facts = {"path": path, "line": str(line), "way": ways[0], "other": ways[1]}
        raise InputError(said("error-not-utf8", likely=names[0], **facts)) from error


_HIGH = re.compile(rb"[\x80-\xff]+")


def looks_western(raw: bytes) -> bool:
    """Tell whether bytes above 127 mostly stand alone, as accented letters do.

    A Chinese character takes two of them, and one seldom comes without another beside it.
    """
    runs = [len(found) for found in _HIGH.findall(raw)]
    return sum(length == 1 for length in runs) * 2 > len(runs)


def parse_rows(
    path: Path, text: str, delimiter: str = ",", begins: int = 1
) -> Iterator[tuple[int, list[str]]]:
    """Yield rows as the second of `read_rows`, for `delimiter`; `begins` numbers line 1."""
    # An io.StringIO would hold the text once more, four bytes a character.
    lines = (match[0] for match in _LINE.finditer(text))
    # The text is in memory: a whole score in one cell is no reason to refuse it.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    first = begins
    try:
        for row in reader:
            if row:
                yield begins, row
            begins = first + reader.line_num
    except csv.Error as error:
        facts = {"path": path, "line": str(begins), "why": str(error)}
        raise InputError(said("error-not-csv", **facts)) from error


def option_columns(names: Mapping[str, str]) -> tuple[str, ...]:
    """Columns that hold one option each: A, B, ..., 甲, 乙, ... or option_1, ...; in that order.

    Parameters
    ----------
    names : mapping of str to str
        Columns to the same in small letters, with ``_`` for blanks.
    """
    letters: dict[str, str] = {}
    numbers: dict[int, str] = {}
    for name, plain in names.items():
        if match := _LETTERED.fullmatch(plain):
            letters.setdefault(match[1].translate(LETTER_OF).lower(), name)
        elif match := _NUMBERED.fullmatch(plain):
            numbers.setdefault(int(match[1]), name)
    if "a" in letters and "b" in letters:
        return tuple(letters[letter] for letter in sorted(letters))
    return tuple(numbers[number] for number in sorted(numbers)) if len(numbers) > 1 else ()
