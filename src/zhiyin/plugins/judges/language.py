"""Language packs: one folder holds the words of a rubric, the prompts and the lexical lists.

A pack of the language LANG is a folder with

==========================  =====================================================================
``language.json``           its name, and the wording of the rubrics' points
``lexicon.json``            the word lists and patterns of the lexical judge
``PROMPT.LANG.txt``         the judge's prompts (`PLACES`), and those of a
                            benchmark, where models are to be asked in this language too
==========================  =====================================================================

Chinese and English are packs of the same form, in ``languages/`` beside this file.

Texts that may try to instruct their judge are found by their wording, and put between marks.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, cached_property
from hashlib import blake2b
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import NOT_JSON
from zhiyin.text import one_width, trouble_with
from zhiyin.words import said

OURS = ("zh", "en")
WORDS, LISTS = "language.json", "lexicon.json"
PLACES = {
    "completeness": ("points", "text"),
    "precision": ("details", "heard?", "text"),
    "novelty": ("details", "text"),
    "failures": ("modes", "question", "key", "text"),
    "again": ("fault",),
}
"""The judges' prompts, and the places that each must have."""

REASONING = {"reasoning": ("criteria", "question", "key", "reference", "text"), "again": ("fault",)}
"""Those of a judge of reasoning, which a language pack needs only for that."""
_GROUPS = {"key": {"note", "mode"}}
"""Named groups that a pattern must have."""
_opened: dict[str, Language] = {}
"""Packs from folders that this process has opened, by name: a dossier names its language only."""


class LanguagePack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of ``language.json``.

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


Table = dict[str, list[str]]
"""Words by what they name."""


class Lexicon(msgspec.Struct, frozen=True):
    """Contents of ``lexicon.json``: the word lists and patterns of the lexical judge.

    Attributes
    ----------
    points : dict
        For each rubric the words of each point.
    chatty, insightful, analytical, common : list of str
        Words that break a reviewer's tone; of insight; of analysis; that say nothing of a theme.
    genres, instruments, categories, modes, signs : dict of str to list of str
    patterns : dict of str to list of str
        Regular expressions by what they find.
    notes : dict of str to str
        Letters of notes by their names.
    """

    points: dict[str, Table]
    chatty: list[str]
    genres: Table
    instruments: Table
    categories: Table
    analytical: list[str]
    insightful: list[str]
    patterns: Table
    modes: Table
    signs: Table
    common: list[str]
    notes: dict[str, str] = {}


class Language:
    """An open pack.

    Parameters
    ----------
    folder : Path or Traversable
        The pack; read when something of it is needed.
    words : LanguagePack
    """

    def __init__(self, folder: Path | Traversable, words: LanguagePack) -> None:
        self.folder, self.words = folder, words
        self.language = words.language

    @cached_property
    def own_lists(self) -> Lexicon:
        """The word lists of this pack alone."""
        path = self.folder / LISTS
        tables = _json(path, dict[str, msgspec.Raw])
        needed = (field.name for field in msgspec.structs.fields(Lexicon) if field.required)
        if missing := [name for name in needed if name not in tables]:
            raise InputError(said("pack-list", path=path, missing=repr(missing[0])))
        lists: Lexicon = _json(path, Lexicon)
        return lists

    def check(self) -> None:
        """Read everything that a judge needs. Raises `InputError` for what is faulty in it."""
        path = self.folder / LISTS
        for name, expressions in self.own_lists.patterns.items():
            for expression in expressions:
                if fault := trouble_with(expression):
                    what = f"{path}: patterns, {name}: {expression[:60]!r}"
                    raise InputError(f"{what} {fault}; mend it")
                groups = re.compile(expression)
                needed = _GROUPS.get(name, set())
                if missing := sorted(needed - groups.groupindex.keys()):
                    raise InputError(said("pack-group", path=path, name=name, missing=missing[0]))
                if name in ("singer", "tempo") and not groups.groups:
                    raise InputError(said("pack-claim", path=path, name=name))

    @cached_property
    def lists(self) -> Lexicon:
        """The word lists, those of the languages beside it behind its own."""
        tables: Any = msgspec.to_builtins(self.own_lists)
        for other in self.words.beside:
            tables = _merged(tables, msgspec.to_builtins(open_language(other).own_lists))
        return msgspec.convert(tables, Lexicon)

    def wording(self, rubric: str, points: dict[str, str]) -> dict[str, str]:
        """The wording of the points of a rubric. Raises `InputError` where one is missing."""
        own = self.words.rubric.get(rubric, {})
        if missing := [point for point in points if point not in own]:
            lacks = {"rubric": repr(rubric), "missing": repr(missing[0])}
            raise InputError(said("pack-rubric", folder=self.folder / WORDS, **lacks))
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
        hint = did_you_mean(str(named), OURS)
        raise InputError(said("pack-unknown", named=repr(named), hint=hint, words=WORDS))
    words = _json(folder / WORDS, LanguagePack)
    if words.language in OURS:
        raise InputError(said("pack-twice", folder=folder / WORDS, language=repr(words.language)))
    pack = _opened[words.language] = Language(folder, words)
    return pack


@cache
def _ours(name: str) -> Language:
    folder = resources.files(__package__) / "languages" / name
    return Language(folder, _json(folder / WORDS, LanguagePack))


def _json(path: Path | Traversable, kind: Any) -> Any:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise InputError(said("pack-unread", path=path, strerror=error.strerror)) from None
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


_WORD = r"(?<![a-z])"
"""Where a Latin word begins; Chinese characters stand beside it without a space."""
_FIELDS = r"novelty_score|music_relevance_score|insight_depth_score|points|verdict"
# Gaps are possessive or short, so that looking takes linear time whatever the text.
_ATTEMPT = re.compile(
    rf"{_WORD}(?:ignore|disregard|forget)\s++(?:all\s++|any\s++)?(?:of\s++)?"
    r"(?:the\s++|your\s++)?(?:(?:previous|above|prior|earlier|other)\s*+)?"
    r"(?:instructions?|rules?|rubric|prompts?)"
    rf"|{_WORD}(?:give|award|assign|rate)\s++(?:this|it|me|the (?:text|review|appraisal))"
    r"[^.\n]{0,40}?(?:full|maximum|highest|perfect|top|\d{1,3}\s{0,3}(?:/|out of)\s{0,3}\d)"
    r"[^.\n]{0,20}?(?:score|marks?|points?|grade|\d)"
    rf"|{_WORD}(?:as|you are|dear)\s++(?:the\s++|an?\s++)?"
    r"(?:judge|grader|evaluator|scoring model)\b"
    r"[^.\n]{0,60}?(?:must|should|please|give|score|award)"
    rf"|{_WORD}(?:output|return|respond with|reply with)[^.\n]{{0,30}}?"
    r"(?:json|\"(?:score|total|points)\")"
    rf"|\"(?:{_FIELDS})\"\s*+:"
    r"|(?:忽略|无视|不要理会|忘记)(?:掉)?(?:以上|之前|前面|上述|所有|一切)[^。\n]{0,12}?(?:指令|指示|要求|规则|标准|提示)"
    r"|(?:请|务必|必须|直接)?(?:给|打|判)(?:我|这篇|本文|该文|出)?[^。\n]{0,8}?(?:满分|最高分|高分)"
    r"|(?:评分|裁判|评审|评委)(?:模型|者|员|系统|老师)?[:,]?[^。\n]{0,20}?(?:请|必须|应当|务必)"
    r"[^。\n]{0,20}?(?:分|正确|通过)"
    r"|\[\[(?:TEXT|END)\b",
    re.IGNORECASE,
)


def attempts(text: str) -> list[str]:
    """The passages of `text` that try to instruct a judge; usually none.

    Looked for in the text as a reader sees it (`as_seen`): full-width letters,
    characters without room between letters and Cyrillic look-alikes hide nothing. Found by
    wording alone: a clever one may go unseen, and a review that quotes such words is flagged
    too. The mark says "look at this one"; it changes no score.
    """
    return [" ".join(match[0].split()) for match in _ATTEMPT.finditer(as_seen(text))]


def fenced(text: str) -> str:
    """A text between two marks that it cannot itself contain: they hold its hash.

    The writer of the text could not know the mark, so nothing in it can pretend to end it.
    """
    mark = blake2b(text.encode(), digest_size=6).hexdigest()
    return f"[[TEXT {mark}]]\n{text}\n[[END {mark}]]"


_UNSEEN = {"Cf", "Mn", "Me"}  # zero-width and direction marks, soft hyphens, accents alone
_BLANKS = frozenset("\u115f\u1160\u2800")
"""Letters by their category, and nothing to be seen: fillers, the empty Braille cell."""
_ALIKE = str.maketrans(
    "аеорсухіјѕԁһӏԛѡАВЕНІЈКМОРЅТХУСαοιρυνκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijsdhlqwABEHIJKMOPSTXYCaoipuvkABEZHIKMNOPTYX",
)
"""Cyrillic and Greek letters that look like Latin ones."""


def as_seen(text: str) -> str:
    """`text` as a reader sees it, for looking up words that somebody may have disguised.

    In one width, without characters that take no room, letters that look like Latin ones as
    those.
    """
    if text.isascii():
        return text
    return one_width(text).translate(_Seen())


class _Seen(dict[int, int | None]):
    """A table for `str.translate` that is filled as characters are met."""

    def __missing__(self, code: int) -> int | None:
        sign = chr(code)
        gone = sign in _BLANKS or unicodedata.category(sign) in _UNSEEN
        self[code] = None if gone else _ALIKE.get(code, code)
        return self[code]
