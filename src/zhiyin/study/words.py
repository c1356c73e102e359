"""The words of the pages: English and Chinese are here, other languages come by a file."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from zhiyin.errors import InputError
from zhiyin.study.design import BUILT_IN, Study

_ON_ITEMS = frozenset({"several"})
"""Words that stand in the items, so that a translation of the pages need not have them."""
_FOLDER = Path(__file__).parent / "languages"


@lru_cache(maxsize=8)
def words_of(language: str) -> dict[str, str]:
    """The words of a language that Zhiyin has, by name."""
    words: dict[str, str] = json.loads((_FOLDER / f"{language}.json").read_text("utf-8"))
    return words


def words_for(study: Study, folder: Path) -> dict[str, dict[str, str]]:
    """The words of all languages of a study.

    Raises
    ------
    InputError
        A language that is not built in has no file ``language-NAME.json``, or it lacks a word.
    """
    return {language: _read(folder, language) for language in study.languages}


def _read(folder: Path, language: str) -> dict[str, str]:
    path = folder / f"language-{language}.json"
    if not path.is_file():
        if language in BUILT_IN:
            return words_of(language)
        raise InputError(
            f"{path}: is missing: copy the words with `zhiyin study words` and translate them"
        )
    try:
        words = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    needed = words_of("en")
    if not isinstance(words, dict) or not all(isinstance(v, str) for v in words.values()):
        raise InputError(f"{path}: give one object of names and words")
    lacking = [name for name in needed if name not in words and name not in _ON_ITEMS]
    if lacking:
        raise InputError(f"{path}: lacks {', '.join(lacking[:5])}; see `zhiyin study words`")
    return words
