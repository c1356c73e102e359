"""Columns that look like facts of people: they would be copied into every log."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

_NAMES = frozenset({
    "phone", "telephone", "tel", "mobile", "handy", "telefon", "email", "mail", "address",
    "adresse", "surname", "birthday", "birthdate", "passport", "wechat", "qq",
    "电话", "电话号码", "手机", "手机号", "手机号码", "联系电话", "联系方式", "邮箱", "电子邮箱",
    "电子邮件", "邮件",
    "姓名", "地址", "住址", "身份证", "身份证号", "生日", "出生日期", "微信", "微信号",
})  # fmt: skip
"""Parts of a column's name; "name" is none, for pieces and files have names."""
_PAIRS = ("e mail", "first name", "last name", "full name", "date of birth")
_MAIL = re.compile(r"[^\s@]{1,64}@[^\s@.]{1,64}(?:\.[^\s@.]{1,64}){1,4}")
_DIGITS = range(9, 16)
"""Digits of a telephone number with its area: a date has eight."""
_CHINESE_MOBILE = re.compile(r"1[3-9]\d{9}")


def personal_columns(rows: Iterable[Mapping[str, object]]) -> list[str]:
    """The columns whose name, or most of whose values, look like an address or number of a person.

    Parameters
    ----------
    rows : iterable of mapping of str to object
        Cells by column.
    """
    values: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        for name, cell in row.items():
            if isinstance(cell, str | int) and (text := str(cell).strip()):
                values[name].append(text)
    return [name for name, cells in values.items() if _is_named(name) or _is_filled(cells)]


def _is_named(name: str) -> bool:
    words = re.sub(r"[\W_]+", " ", name.casefold()).strip()
    padded = f" {words} "
    return not _NAMES.isdisjoint(words.split()) or any(f" {pair} " in padded for pair in _PAIRS)


def _is_filled(cells: list[str]) -> bool:
    return sum(_is_mail(cell) or _is_phone(cell) for cell in cells) * 2 > len(cells)


def _is_mail(cell: str) -> bool:
    return len(cell) <= 200 and _MAIL.fullmatch(cell) is not None


def _is_phone(cell: str) -> bool:
    """Tell whether a cell is a Chinese mobile's number, or one with a plus or gaps."""
    if _CHINESE_MOBILE.fullmatch(cell):
        return True
    if _is_pitches(cell):
        return False
    digits = sum(map(str.isdecimal, cell))
    gaps = len(cell) - digits
    return (
        digits in _DIGITS
        and 0 < gaps <= 8
        and set(cell) <= set("0123456789+-/() .")
        and not cell.replace(".", "", 1).isdecimal()
    )


def _is_pitches(cell: str) -> bool:
    """Tell whether a cell is four or more MIDI numbers, of 0 to 127 and parted by spaces.

    A telephone number in groups so short begins with a plus, or with a group such as 01.
    """
    words = cell.split()
    return len(words) > 3 and all(
        word.isdecimal() and str(int(word)) == word and int(word) < 128 for word in words
    )
