"""Prompts in text files, ours or the user's: found, read, checked, and their places filled.

What stands between ``⟦`` and ``⟧`` says how a reply is to be written. Models read it, without these
two signs; people, who choose among buttons or write as they like, do not (`for_people`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from zhiyin.errors import InputError, did_you_mean, system_words
from zhiyin.idioms import holding
from zhiyin.words import Text, said, say

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")
_MOST_NAMED = 8
_REPLY = re.compile(r"⟦([^⟦⟧]*)⟧")
_to_people = ContextVar("to_people", default=False)


def for_people() -> AbstractContextManager[None]:
    """Have whatever is asked within said as people are to read it."""
    return holding(_to_people, True)


def to_people() -> bool:
    """Tell whether people are asked, and no model."""
    return _to_people.get()


def named_as(letter: str, text: str) -> str:
    """An option as the answer of a worked example names it: by its words for people."""
    return text if to_people() else letter


class Template:
    """A text with places to fill.

    Only what is put in is new: braces in it (ABC notation has them) stay as they are, for no
    text is read twice.

    Parameters
    ----------
    text : str
        A placeholder is a lower-case word in braces; any other brace is only a brace.
    """

    __slots__ = ("parts",)

    def __init__(self, text: str = "") -> None:
        self.parts: list[str] = re.split(r"\{([a-z_]+)\}", text)
        """Text and placeholders' names by turns, beginning and ending with text."""

    @property
    def placeholders(self) -> set[str]:
        """The names of the places that are still to be filled."""
        return set(self.parts[1::2])

    def put(self, **values: str | Template) -> Template:
        """The template with some places filled, by text or by another template."""
        filled = Template()
        parts = [self.parts[0]]
        for name, text in zip(self.parts[1::2], self.parts[2::2], strict=True):
            value = values.get(name)
            if value is None:
                parts += [name, text]
            else:
                head, *tail = [value] if isinstance(value, str) else value.parts
                parts[-1] += head
                parts += tail
                parts[-1] += text
        filled.parts = parts
        return filled

    def fill(self, values: Mapping[str, str]) -> str:
        """The finished text. Every placeholder must be in `values`."""
        parts = self.parts.copy()
        for place in range(1, len(parts), 2):
            parts[place] = values[parts[place]]
        return "".join(parts)


LAYOUT = ("first", "next")
"""The places of a prompt that says how options stand: what is between the two is what separates
options, what is before and after them frames the row. A line each, or all on one line."""
LINES = "{first}\n{next}"
"""A line for each option."""


def lay_out(layout: Template, pieces: Iterable[str | Template]) -> Template:
    """The pieces one after another, separated and framed as `layout` (see `LAYOUT`) says."""
    head, _, between, _, tail = layout.parts
    laid = Template()
    laid.parts = [head]
    for number, piece in enumerate(pieces):
        first, *rest = [piece] if isinstance(piece, str) else piece.parts
        laid.parts[-1] += (between if number else "") + first
        laid.parts += rest
    laid.parts[-1] += tail
    return laid


class Prompts:
    """The prompts of a package by name, the user's in place of ours.

    Ours lie in the package's folder ``prompts``, as ``NAME.txt`` or, where there are languages,
    ``NAME.LANGUAGE.txt``. A folder in it is a pack of ours: the other words of a protocol. The
    text of a prompt is that of its file without the line ends after its last line.

    Parameters
    ----------
    package : str
        Such as ``zhiyin.plugins.judges``.
    places : mapping of str to collection of str, or None
        The prompts there are, and the placeholders that each must have: no others, but for
        those written with a question mark (``"category?"``), which it may have. None: every
        text file of ours is a prompt, and braces are only braces.
    language : str or None
        "zh", "en" or that of a language pack; None where prompts have no language.
    folder : str or None
        A prompt pack: text files named as ours replace them. Files of another language may be
        there too.
    pack : str or None
        A pack of ours, by the name of its folder; the user's files stand before it.
    others : collection of str
        Names of files beside the prompts, such as ``examples.json``, that a pack may also
        replace. Their texts are not looked at.
    base : Path or Traversable, optional
        Where our prompts lie, where it is another folder than the package's ``prompts``.

    Attributes
    ----------
    texts : dict of str to str
        By name, as who is asked reads them; of `others`, by file name.
    paths : dict of str to Path or Traversable
        Where each was read.

    Raises
    ------
    InputError
        No such folder, or nothing in it that is used; a file there that replaces nothing; a
        file that is empty, cannot be read, is not UTF-8, lacks a placeholder or has an unknown
        one.
    """

    def __init__(
        self,
        package: str,
        places: Mapping[str, Collection[str]] | None = None,
        *,
        language: str | None = None,
        folder: str | None = None,
        pack: str | None = None,
        others: Collection[str] = (),
        base: Path | Traversable | None = None,
    ) -> None:
        self._said_in = language if language in LANGUAGES else "en"
        ours = base or resources.files(package) / "prompts"
        names = _names_in(ours) if places is None else list(places)
        files = {name: _file_name(name, language) for name in names}
        files |= {name: name for name in others}
        theirs: dict[str, Path] = {}
        if folder is not None:
            theirs = _pack(Path(folder), names, language, others)
            if theirs.keys().isdisjoint(files.values()):
                raise InputError(_nothing_in(folder, language, list(files.values())))
        self.paths: dict[str, Path | Traversable] = {
            name: theirs.get(file) or _ours(ours, pack, file) for name, file in files.items()
        }
        texts = {name: _read(path) for name, path in self.paths.items()}
        self.texts = {name: _REPLY.sub(r"\1", text) for name, text in texts.items()}
        for name, needed in (places or {}).items():
            require(self.texts[name], needed, self.paths[name])
        if to_people():
            self.texts = {name: _REPLY.sub("", text) for name, text in texts.items()}

    @cached_property
    def templates(self) -> dict[str, Template]:
        """The texts as templates, by name."""
        return {name: Template(text) for name, text in self.texts.items()}

    def fill(self, name: str, **values: Text) -> str:
        """A prompt with its places filled. What is put in is not read again for places.

        Messages are said in the language of the prompts; in English for a language that has none.
        """
        words = {n: v if isinstance(v, str) else say(v, self._said_in) for n, v in values.items()}
        return self.templates[name].fill(words)

    def as_bytes(self) -> bytes:
        """All names and texts in the order of the names, each ended by a zero byte: to hash."""
        return "".join(f"{name}\0{text}\0" for name, text in sorted(self.texts.items())).encode()

    def fingerprint(self) -> str:
        """SHA-256 of `as_bytes`."""
        return hashlib.sha256(self.as_bytes()).hexdigest()


def _ours(ours: Traversable, pack: str | None, file: str) -> Traversable:
    """A prompt file of ours: the pack's, or the usual one where the pack has none."""
    packed = ours / pack / file if pack else ours / file
    return packed if packed.is_file() else ours / file


def _names_in(ours: Traversable) -> list[str]:
    files = sorted(file.name for file in ours.iterdir())
    return [file.removesuffix(".txt") for file in files if file.endswith(".txt")]


def _file_name(name: str, language: str | None) -> str:
    return f"{name}.{language}.txt" if language else f"{name}.txt"


def _pack(
    folder: Path, names: Collection[str], language: str | None, others: Collection[str]
) -> dict[str, Path]:
    """The files of a pack by their names, every language's."""
    if not folder.is_dir():
        raise InputError(said("prompts-no-folder", folder=folder))
    languages = dict.fromkeys((*LANGUAGES, language)) if language else (None,)
    known = [_file_name(n, each) for n in names for each in languages]
    files = {path.name: path for path in sorted(folder.glob("*.txt"))}
    for file, path in files.items():
        if file not in known:
            raise InputError(
                said("prompts-replaces-none", path=path, hint=did_you_mean(file, known))
            )
    return files | {file: folder / file for file in others if (folder / file).is_file()}


def _nothing_in(folder: str, language: str | None, files: list[str]) -> str:
    what = f"no prompt for --language {language}" if language else "no prompt files there"
    more = ", ..." if len(files) > _MOST_NAMED else ""
    return f"{folder}: {what}: it may have {', '.join(files[:_MOST_NAMED])}{more}"


def _read(path: Path | Traversable) -> str:
    try:
        text = path.read_text(encoding="utf-8-sig").rstrip("\n")
    except UnicodeDecodeError:
        raise InputError(said("prompts-utf8", path=path)) from None
    except OSError as error:
        raise InputError(said("error-may-read", path=path, why=system_words(error))) from None
    if not text.strip():
        raise InputError(said("prompts-empty", path=path))
    return text


def require(text: str, places: Collection[str], path: Path | Traversable) -> None:
    """Check the placeholders of a prompt. Raises `InputError`, naming its file."""
    needed = {place for place in places if not place.endswith("?")}
    allowed = {place.removesuffix("?") for place in places}
    present = Template(text).placeholders
    if missing := sorted(needed - present):
        raise InputError(said("prompts-missing", path=path, missing=missing[0]))
    if unknown := sorted(present - allowed):
        hint = did_you_mean(unknown[0], allowed) if allowed else "this prompt has no places"
        raise InputError(said("prompts-unknown", path=path, unknown=unknown[0], hint=hint))
    if tuple(places) == LAYOUT and tuple(Template(text).parts[1::2]) != LAYOUT:
        raise InputError(said("prompts-between", path=path))
