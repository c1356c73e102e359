"""Messages of Zhiyin in English and Chinese, by name, and the facts that are put into them.

Messages are files in Fluent's syntax, one a topic and language (``words/en/warnings.ftl``), read
with the field's own parser; what it parses is resolved in `zhiyin.words.messages`, since the
resolver that exists takes 36 MB of plural rules for languages that are not spoken here
(docs/rooms/shown.md). Nothing is read before something is said, and a message is parsed
when it is first said. A benchmark's own messages are files beside its class (`words.en.ftl`,
`words.zh.ftl`); those of a plug-in are added when its class is opened.
"""

from __future__ import annotations

from contextvars import ContextVar
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.idioms import holding
from zhiyin.text import LANGUAGES as LANGUAGES
from zhiyin.text import spoken as spoken


class Said(msgspec.Struct, frozen=True):
    """Words of ours, in no language yet: a message, and its facts. `said` makes one."""

    name: str
    facts: dict[str, Any] = {}

    def __str__(self) -> str:
        return say(self)


Text = str | Said
"""Words of ours, or text of others, which is shown as it is."""


class Named(msgspec.Struct, frozen=True):
    """A run's name, as a fact of a message: a page sets all of them in one typeface."""

    name: str


_names: dict[str, Any] = {}
"""Names of runs and remarks that hold words of ours, by their English: `naming`."""
_named = ContextVar("_named", default="")
"""The name that is being said: its own words may be the same, and are not looked up again."""

NAME_BEGINS, NAME_ENDS = "\u2068", "\u2069"
"""Around names, where `say` is to mark them: the signs of Unicode that set a name apart."""


def said(name: str, /, **facts: Any) -> Said:
    """A message with its facts, to be written when its language is known.

    Parameters
    ----------
    name : str
        Of a message in ``words/*/*.ftl``, or in the file of a benchmark, written out where this is
        called: a test holds all calls against the messages.
    **facts
        What it names: numbers, names, sequences, other messages and findings.
    """
    return Said(name, facts)


def naming(name: Any) -> str:
    """Return words in English, as files and JSON keep them; `say` has them in other languages.

    Parameters
    ----------
    name : Said or finding
        A run's name, "good, 5 shots", or a remark.
    """
    text = say(name)
    _names.setdefault(text, name)
    return text


def say(finding: Any, language: str = "en", *, strict: bool = False, names: bool = False) -> str:
    """A finding or a message in words; text of others as it is.

    Parameters
    ----------
    finding : Finding, Said or str
        A run's name, too: see `naming`.
    language : {"en", "zh"}
    strict : bool
        Whether a fault in words is an error. Else a message that is not there, or lacks a fact,
        stands as its name and its facts: it must stop no run, and hide no figure.
    names : bool
        Whether names of runs (`Named`) stand between `NAME_BEGINS` and `NAME_ENDS`, which nothing
        else then holds.

    Raises
    ------
    KeyError, AttributeError, TypeError, ValueError
        With `strict`.
    """
    if isinstance(finding, str | Named):
        name = finding if isinstance(finding, str) else finding.name
        own = None if language == "en" else _names.get(name)
        if own is None or name == _named.get():
            return name
        with holding(_named, name):
            return say(own, language)
    if isinstance(finding, Exception):
        ours = finding.args and isinstance(finding.args[0], Said)
        return say(finding.args[0], language, strict=strict) if ours else str(finding)
    from zhiyin.words.messages import words_in

    if isinstance(finding, Said):
        name, facts = finding.name, finding.facts
    else:
        name = type(finding).__struct_config__.tag
        facts = {field: getattr(finding, field) for field in finding.__struct_fields__}
    try:
        return words_in(language).say(name, facts, strict=strict, names=names)
    except (LookupError, AttributeError, TypeError, ValueError):
        if strict:
            raise
        each = (f"{fact}: {_plain(value, language)}" for fact, value in facts.items())
        return f"{name} ({', '.join(each)})" if facts else str(name)


def localized(text: Any) -> str:
    """Put a finding or a message into the language of the terminal."""
    return say(text, spoken())


def say_error(error: Exception | Text, language: str | None = None) -> str:
    """Put an error into words, by default of the terminal's language.

    Where a part of it has no words in that language, the whole is said in English.
    """
    wanted = language or spoken()
    return say(error, wanted if wanted == "en" or _has_words(error) else "en")


def _has_words(text: Any) -> bool:
    """Tell whether no part of a text is an error that has English words alone."""
    if isinstance(text, Exception):
        return bool(text.args) and isinstance(text.args[0], Said) and _has_words(text.args[0])
    parts = [*text.facts.values()] if isinstance(text, Said) else text
    return not isinstance(parts, list | tuple) or all(map(_has_words, parts))


def _plain(value: Any, language: str) -> str:
    return say(value, language) if isinstance(value, Said | Named) else str(value)


def add_words(folder: Path) -> None:
    """Add the messages that a benchmark from outside brings, where it brings any.

    Parameters
    ----------
    folder : Path
        Of its class, with ``words.en.ftl`` and ``words.zh.ftl``.

    Raises
    ------
    InputError
        A file is missing or not in Fluent's syntax, a message is there already, or is in one
        language only.
    """
    from zhiyin.words import messages

    if (folder / messages.FILE.format("en")).is_file():
        messages.add(folder)
