"""Words of participants' pages: a file in Fluent's syntax a language, ours or a researcher's."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.files import read_bytes
from zhiyin.parsing import read_json_text
from zhiyin.plugins.studies.design import StudyDesign
from zhiyin.words import Said, said
from zhiyin.words.messages import Catalogue

Words = dict[str, str]
"""Words by their names; what is filled in stands in braces: "{minutes}"."""
ASKED = "asked_"
"""How the names of lines begin that are questions of hearing, and no words of pages."""
_FOLDER = Path(__file__).parent / "languages"
_PLACES = {name: f"{{{name}}}" for name in ("minutes", "n", "word")}
_OF_STUDY = re.compile(r"(?:language-)?(?P<name>[A-Za-z]+(?:-[A-Za-z0-9]+)*)\.(?:ftl|json)")
"""Names of files: ``fr.ftl`` of the researcher, ``language-fr.ftl`` in a study's folder (JSON in
those of earlier versions)."""


def source_of(language: str) -> str:
    """The file of a language that Zhiyin has."""
    return (_FOLDER / f"{language}.ftl").read_text("utf-8")


@functools.cache
def built_in_words() -> dict[str, Words]:
    """The words of the pages by their names, in each language that Zhiyin has: English first."""
    names = sorted((file.stem for file in _FOLDER.glob("*.ftl")), key=lambda name: name != "en")
    return {name: _parsed(source_of(name), name) for name in names}


def words_of(language: str) -> Words:
    """The words of a language that Zhiyin has, and the English ones for any other."""
    return built_in_words().get(language) or built_in_words()["en"]


def lines_in_all() -> dict[str, set[str]]:
    """Lines of questions of hearing in other languages of ours, by the English one."""
    english, *others = built_in_words().values()
    return {line: {words[name] for words in others if name in words}
            for name, line in english.items() if name.startswith(ASKED)}  # fmt: skip


def _parsed(text: str, language: str) -> Words:
    """The words of a file. A name that begins with a digit has "age_" before it there."""
    catalogue, words = Catalogue(text, language), {}
    for name in re.findall(r"^([a-z]\w*) =", text, re.M):
        try:
            words[re.sub(r"^age_(?=\d)", "", name)] = catalogue.say(name, _PLACES)
        except LookupError as error:
            raise InputError(said("words-odd-place", name=name, place=error.args[0])) from None
    return words


def language_named(path: Path) -> str:
    """The language that a file of words is of, by its name. Raises `InputError`."""
    named = _OF_STUDY.fullmatch(path.name)
    if not named:
        raise InputError(said("words-odd-name", path=str(path)))
    return named["name"]


def read_words(path: Path) -> Words:
    """The words of a file. Raises `InputError` where it cannot be meant, or has none of ours."""
    language_named(path)
    data, remedy = read_bytes(path), "; write it as `zhiyin study words en` is, in UTF-8"
    with reworded(f"{path}: ", remedy, (InputError, ValueError, AssertionError, AttributeError)):
        text = data.decode("utf-8-sig")
        words = read_json_text(text) if path.suffix == ".json" else _parsed(text, path.stem)
    if not isinstance(words, dict) or not all(isinstance(one, str) for one in words.values()):
        raise InputError(said("study-language-object", path=path))
    if not words.keys() & words_of("en").keys():
        raise InputError(said("words-none", path=str(path)))
    return words


def faults_of_words(words: Words, language: str) -> Iterator[Said]:
    """Say what lacks a translation, is unknown, or does not have a place to be filled.

    In a language of ours a file gives other words for some of our lines, and lacks none.
    """
    english = words_of("en")
    # Without any line of a question, a file is for somebody who asks others.
    asks = any(name.startswith(ASKED) for name in words)
    wanted = [name for name in english if asks or not name.startswith(ASKED)]
    lacking = [name for name in wanted if not words.get(name, "").strip()]
    if lacking and language not in built_in_words():
        named = [*lacking[:8], *(["…"] if len(lacking) > 8 else [])]
        yield said("words-lacking", n=len(lacking), of=len(wanted), names=named)
    for name in words.keys() - english.keys():
        yield said("words-unknown", name=name, hint=did_you_mean(name, english))
    for name in english.keys() & words.keys():
        for place, sign in _PLACES.items():
            if sign in english[name] and sign not in words[name]:
                yield said("words-no-place", name=name, place=place)


def file_of_words(language: str, folder: Path) -> Path | None:
    """The researcher's words of a language, in a study's folder; None where there are none."""
    files = (folder / f"language-{language}.{end}" for end in ("ftl", "json"))
    return next((file for file in files if file.is_file()), None)


def read_language(language: str, folder: Path) -> Words:
    """The words of a language of a study; what its file lacks stands in English.

    Raises
    ------
    InputError
        It is not built in and has no file, or that cannot be read.
    """
    path = file_of_words(language, folder)
    if path is None and language not in built_in_words():
        raise InputError(no_words(language))
    own = read_words(path) if path else {}
    named = {} if language in built_in_words() else {"language_itself": language}
    return words_of(language) | named | own


def words_for(study: StudyDesign, folder: Path) -> dict[str, Words]:
    """The words of all languages of a study. Raises `InputError`."""
    return {language: read_language(language, folder) for language in study.languages}


def no_words(language: str) -> Said:
    """Say that a language is not there, and what to do."""
    return said("words-no-language", language=language, known=[*built_in_words()])
