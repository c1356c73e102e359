"""The words around a question: templates in text files, each of which can be replaced.

A template holds placeholders such as ``{question}``. Only what is put into them is new: braces
in a question (ABC notation has them) stay as they are, for no text is read twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from zhiyin.errors import InputError, did_you_mean

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")

NEEDED = {
    "question": {"question", "options"},
    "continuation": {"question", "options"},
    "option": {"letter", "text"},
    "answer": {"letter"},
}
"""What each prompt must hold: a question, a continuation of a tune, an option, an example's
answer. The first two may also hold ``{category}``."""
ALLOWED = {**NEEDED, **{name: NEEDED[name] | {"category"} for name in ("question", "continuation")}}


class Template:
    """A text with places to fill.

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


class Wording(msgspec.Struct, frozen=True):
    """The prompts of one language by name (see `NEEDED`), and their texts by file name."""

    templates: dict[str, Template]
    texts: dict[str, str]

    def turn(self, name: str, category: str, letters: str) -> Template:
        """The user's turn: what remains is ``{question}`` and a place per letter (``{a}``...).

        Parameters
        ----------
        name : str
            "question" or "continuation".
        category : str
            The name for ``{category}``.
        letters : str
            The letters of the options, one line each.
        """
        option = self.templates["option"]
        lines = [option.put(letter=x, text=Template(f"{{{x.lower()}}}")) for x in letters]
        rows = Template("\n".join(f"{{{x}}}" for x in letters.lower()))
        block = rows.put(**dict(zip(letters.lower(), lines, strict=True)))
        return self.templates[name].put(category=category, options=block)


def open_wording(language: Language, folder: str | None = None) -> Wording:
    """The prompts of `language`: our own, but for those that `folder` has.

    Parameters
    ----------
    language : {"zh", "en"}
    folder : str or None
        Files named as ours (``question.zh.txt`` and so on) replace them.

    Raises
    ------
    InputError
        No such folder; a file in it that replaces nothing, is not UTF-8, lacks a placeholder
        or has an unknown one; or nothing in it for this language.
    """
    ours = Path(__file__).parent / "prompts"
    files = {f"{name}.{language}.txt": ours / f"{name}.{language}.txt" for name in NEEDED}
    if folder is not None:
        theirs = _prompts_in(Path(folder))
        if not files.keys() & theirs.keys():
            raise InputError(
                f"{folder}: no prompt for --language {language}: it may have {', '.join(files)}"
            )
        files |= {name: path for name, path in theirs.items() if name in files}
    texts = {name: _read(path) for name, path in files.items()}
    templates = {name.split(".")[0]: Template(text) for name, text in texts.items()}
    for (name, template), path in zip(templates.items(), files.values(), strict=True):
        _require(name, template, path)
    return Wording(templates, texts)


def _prompts_in(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder: --prompts FOLDER with text files in it")
    known = [f"{name}.{language}.txt" for name in NEEDED for language in LANGUAGES]
    found = {path.name: path for path in sorted(folder.glob("*.txt"))}
    for name, path in found.items():
        if name not in known:
            raise InputError(f"{path}: replaces no prompt: {did_you_mean(name, known)}")
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig").rstrip("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8: save it as UTF-8") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: is it a file you may read?") from error


def _require(name: str, template: Template, path: Path) -> None:
    missing = sorted(NEEDED[name] - template.placeholders)
    unknown = sorted(template.placeholders - ALLOWED[name])
    if missing:
        raise InputError(f"{path}: no {{{missing[0]}}}: write it where that is to stand")
    if unknown:
        hint = did_you_mean(unknown[0], ALLOWED[name])
        raise InputError(f"{path}: unknown placeholder {{{unknown[0]}}}: {hint}")
