"""The words around a question: templates in text files, each of which can be replaced."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from zhiyin.errors import InputError, did_you_mean

PLACES = {
    "question": {"examples", "question", "options"},
    "example": {"question", "options", "letter"},
    "examples": {"examples"},
    "option": {"letter", "text"},
}
"""The templates and what each must hold. ``examples`` frames the finished examples; where there
are none, ``{examples}`` in ``question`` is nothing."""
EXAMPLES = "examples.json"
_OURS = Path(__file__).parent / "prompts"


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An example question of ours, about no recording; options in the order of the data."""

    question: str
    options: tuple[str, str, str, str]


class Wording(msgspec.Struct, frozen=True):
    """The prompts: templates by name, and the example questions in the order of their use."""

    templates: dict[str, str]
    examples: tuple[Example, ...]

    def fill(self, name: str, **values: str) -> str:
        """A template with its places filled. What is filled in is not read again."""
        return re.sub(r"\{([a-z]+)\}", lambda match: values[match[1]], self.templates[name])

    def options(self, lettered: Mapping[str, str]) -> str:
        """A line for each option."""
        lines = (self.fill("option", letter=a, text=text) for a, text in lettered.items())
        return "\n".join(lines)


def open_wording(folder: str | None = None) -> Wording:
    """Our prompts, but for those that `folder` has.

    Parameters
    ----------
    folder : str or None
        Files ``question.txt``, ``example.txt``, ``examples.txt``, ``option.txt`` and
        ``examples.json`` replace ours.

    Raises
    ------
    InputError
        No such folder, nothing in it that replaces a prompt, a file that cannot be read, or
        one that lacks a place such as ``{question}`` or has an unknown one.
    """
    files = {f"{name}.txt": _OURS / f"{name}.txt" for name in PLACES}
    files[EXAMPLES] = _OURS / EXAMPLES
    if folder is not None:
        theirs = {path.name: path for path in sorted(Path(folder).glob("*.txt"))}
        if (Path(folder) / EXAMPLES).is_file():
            theirs[EXAMPLES] = Path(folder) / EXAMPLES
        if not theirs:
            raise InputError(f"{folder}: no prompts there; it may have {', '.join(files)}")
        for name, path in theirs.items():
            if name not in files:
                raise InputError(f"{path}: replaces no prompt; {did_you_mean(name, files)}")
        files |= theirs
    templates = {name: _template(files[f"{name}.txt"], places) for name, places in PLACES.items()}
    return Wording(templates, _examples(files[EXAMPLES]))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as UTF-8 text ({error}); save it so") from None


def _template(path: Path, places: set[str]) -> str:
    text = _read(path)
    # An example frame ends in a blank line, so that the question stands apart from it.
    text = text.rstrip("\n") + ("\n\n" if path.name == "examples.txt" else "")
    present = set(re.findall(r"\{([a-z]+)\}", text))
    if missing := sorted(places - present):
        raise InputError(f"{path}: no {{{missing[0]}}}; write it where that is to stand")
    if unknown := sorted(present - places):
        hint = did_you_mean(unknown[0], places)
        raise InputError(f"{path}: unknown place {{{unknown[0]}}}; {hint}")
    return text


def _examples(path: Path) -> tuple[Example, ...]:
    try:
        return msgspec.json.decode(_read(path), type=tuple[Example, ...])
    except msgspec.MsgspecError as error:
        raise InputError(
            f"{path}: {error}; write a list of question and four options, the right one first"
        ) from None
