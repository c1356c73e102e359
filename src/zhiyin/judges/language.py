"""Language packs: one folder holds the words of a rubric, the prompts and the lexical lists.

A pack of the language LANG is a folder with

==========================  =====================================================================
``language.json``           its name, and the wording of the rubrics' points
``lexicon.json``            the word lists and patterns of the lexical judge
``PROMPT.LANG.txt``         the judge's prompts (`wording.PLACES`), and those of a
                            benchmark, where models are to be asked in this language too
==========================  =====================================================================

Chinese and English are packs of the same form, in ``languages/`` beside this file.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import NOT_JSON
from zhiyin.text import trouble_with

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

OURS = ("zh", "en")
WORDS, LISTS = "language.json", "lexicon.json"
_GROUPS = {"key": {"note", "mode"}}
"""Named groups that a pattern must have."""
_opened: dict[str, Language] = {}
"""Packs from folders that this process has opened, by name: a dossier names its language only."""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``language.json`` holds.

    Attributes
    ----------
    language : str
        Short name, as in the names of the prompts' files: "es".
    name : str
        In English: "Spanish".
    rubric : dict
        For each rubric ("ours", "reaction-released") the wording of each point.
    none : str
        Stands where nothing is known of a song.
    beside : list of str
        Languages whose word lists are looked in as well.
    modes : dict of str to str
        Wording of the kinds of failure; English where one is left out.
    """

    language: str
    name: str
    rubric: dict[str, dict[str, str]]
    none: str = "(-)"
    beside: list[str] = []
    modes: dict[str, str] = {}


class Language:
    """An open pack.

    Parameters
    ----------
    folder : Path or Traversable
        The pack; read when something of it is needed.
    words : Words
    """

    def __init__(self, folder: Path | Traversable, words: Words) -> None:
        self.folder, self.words = folder, words
        self.language = words.language

    @cached_property
    def own_lists(self) -> dict[str, Any]:
        """The word lists of this pack alone."""
        path = self.folder / LISTS
        tables: dict[str, Any] = _json(path, dict)
        if self.language not in OURS:
            needed = {name for name, entries in open_language("en").own_lists.items() if entries}
            if missing := sorted(needed - tables.keys()):
                raise InputError(f"{path}: no {missing[0]!r}: add the list, empty if need be")
        return tables

    def check(self) -> None:
        """Read everything that a judge needs. Raises `InputError` for what is faulty in it."""
        path = self.folder / LISTS
        for name, expressions in self.own_lists["patterns"].items():
            for expression in expressions:
                if fault := trouble_with(expression):
                    what = f"{path}: patterns, {name}: {expression[:60]!r}"
                    raise InputError(f"{what} {fault}; mend it")
                groups = re.compile(expression)
                needed = _GROUPS.get(name, set())
                if missing := sorted(needed - groups.groupindex.keys()):
                    raise InputError(f"{path}: patterns, {name}: no (?P<{missing[0]}>...): add it")
                if name in ("singer", "tempo") and not groups.groups:
                    raise InputError(f"{path}: patterns, {name}: put what is claimed into (...)")

    @cached_property
    def lists(self) -> dict[str, Any]:
        """The word lists, those of the languages beside it behind its own."""
        tables = self.own_lists
        for other in self.words.beside:
            tables = _merged(tables, open_language(other).own_lists)
        return tables

    def wording(self, rubric: str, points: dict[str, str]) -> dict[str, str]:
        """The wording of the points of a rubric. Raises `InputError` where one is missing."""
        own = self.words.rubric.get(rubric, {})
        if missing := [point for point in points if point not in own]:
            raise InputError(
                f"{self.folder / WORDS}: rubric {rubric!r} says nothing of {missing[0]!r}: add it"
            )
        return own


def open_language(named: str | None) -> Language:
    """The language that ``--language`` names: "zh" (the default), "en", or the folder of a pack.

    Raises
    ------
    InputError
        There is no such language or folder, or its pack is faulty.
    """
    if named in (None, *OURS):
        return _ours(named or "zh")
    if named in _opened:
        return _opened[named]
    folder = Path(str(named))
    if not folder.is_dir():
        raise InputError(
            f"unknown --language {named!r}: {did_you_mean(str(named), OURS)}; or give the folder "
            f"of a language pack, with {WORDS} in it"
        )
    words = _json(folder / WORDS, Words)
    if words.language in OURS:
        raise InputError(
            f"{folder / WORDS}: the language {words.language!r} is there already: give the pack a "
            "name of its own"
        )
    pack = _opened[words.language] = Language(folder, words)
    return pack


@cache
def _ours(name: str) -> Language:
    folder = resources.files("zhiyin.judges") / "languages" / name
    return Language(folder, _json(folder / WORDS, Words))


def _json(path: Path | Traversable, kind: Any) -> Any:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: a language pack needs this file") from None
    except NOT_JSON as error:
        raise InputError(f"{path}: {error}: put it right") from None


def _merged(one: Any, other: Any) -> Any:
    """Two tables of lists as one: lists of the same name behind each other."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = dict.fromkeys((*one, *other))
        return {
            name: _merged(one[name], other[name])
            if name in one and name in other
            else one.get(name, other.get(name))
            for name in names
        }
    if isinstance(one, list) and isinstance(other, list):
        return [*one, *(word for word in other if word not in one)]
    return one
