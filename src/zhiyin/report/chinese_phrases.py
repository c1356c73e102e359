"""The sentences of a report in Chinese, beside the English ones in which they were computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from zhiyin.chinese import found_in_chinese, package_of
from zhiyin.contract.registry import known
from zhiyin.report.casebook import Casebook
from zhiyin.words import said, say
from zhiyin.words.findings import Warning


def in_both(one: Warning, *packages: str) -> dict[str, str]:
    """A warning for a page: its kind, words by language, and the command that mends it.

    Where nobody has put it into Chinese there is none.
    """
    chinese = say(one, "zh", packages)
    kind = str(one.__struct_config__.tag)
    zh = chinese if chinese != one.text else ""
    return {"kind": kind, "en": one.text, "zh": zh, "command": one.remedy}


def phrases(about: Mapping[str, Any], book: Casebook) -> dict[str, str]:
    """Chinese by English, of all sentences on the page that some phrasebook has.

    Parameters
    ----------
    about : mapping
        The page's own data, notes included.
    book : Casebook
        Whose benchmarks' phrasebooks are looked into first.
    """
    packages: dict[str, tuple[str, ...]] = {}
    for run in book.runs:
        kind = package_of(known(run.manifest))
        packages[run.manifest.benchmark] = (kind,)
    every = tuple(dict.fromkeys(name for own in packages.values() for name in own))
    chinese: dict[str, str] = {}

    def note(text: Any, own: tuple[str, ...]) -> None:
        if isinstance(text, str) and text not in chinese:
            translation = found_in_chinese(text, own)
            if translation is not None and translation != text:
                chinese[text] = translation

    for text in (*about.get("notes", ()), *book.reasons):
        note(text, every)
    for board in about["benchmarks"]:
        chinese |= {found["text"]: found["zh"] for found in board["findings"]}
        apart = [own.apart for own in board["lead"].standings if own.apart]
        for words in (*apart, said("no-published-items"), said("judges-unknown")):
            chinese[str(words)] = say(words, "zh")
        for text in _sentences(board):
            note(text, packages[board["name"]])
    return chinese


def _sentences(board: Mapping[str, Any]) -> Iterator[Any]:
    """Every sentence and heading of one chapter."""
    yield board["summary"]
    yield board["lead"].title
    for judged in board["judges"]:
        yield from judged["lines"]
    for section in board["sections"]:
        yield section["title"]
        yield from section["columns"]
        yield from section["notes"]
        for row in section["rows"]:
            yield from row
