"""The words around what is judged: prompts in text files, each of which can be replaced."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Literal

from zhiyin.errors import InputError, did_you_mean

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")
_PLACE = re.compile(r"\{([a-z_]+)\}")

NEEDED: dict[str, frozenset[str]] = {
    "completeness": frozenset({"points", "text"}),
    "precision": frozenset({"details", "text"}),
    "novelty": frozenset({"details", "text"}),
    "failures": frozenset({"modes", "question", "key", "text"}),
    "again": frozenset({"fault"}),
}
"""The judges' prompts, and the places that each must have."""


class Wording:
    """Prompts of one language, by name.

    Parameters
    ----------
    ours : Path
        The folder with the prompts that come with the package.
    needed : mapping of str to set of str
        The prompts there are, and the places that each must have. It may have no others.
    language : {"zh", "en"}
    folder : str or None
        A prompt pack: files named as ours (``novelty.zh.txt``) replace them.

    Raises
    ------
    InputError
        No such folder or nothing in it for this language; a file that replaces nothing, is not
        UTF-8, lacks a place or has an unknown one.
    """

    def __init__(
        self,
        ours: Path,
        needed: Mapping[str, frozenset[str]],
        language: Language,
        folder: str | None = None,
    ) -> None:
        files = {f"{name}.{language}.txt": ours / f"{name}.{language}.txt" for name in needed}
        if folder is not None:
            theirs = _pack(Path(folder), needed)
            if not files.keys() & theirs.keys():
                raise InputError(
                    f"{folder}: no prompt for --language {language}: it may have {', '.join(files)}"
                )
            files |= {name: path for name, path in theirs.items() if name in files}
        self.language: Language = language
        self.texts = {name.split(".")[0]: _read(path) for name, path in files.items()}
        for (name, text), path in zip(self.texts.items(), files.values(), strict=True):
            _require(text, needed[name], path)

    def fill(self, name: str, **values: str) -> str:
        """A prompt with its places filled. What is put in is not read again for places."""
        return _PLACE.sub(lambda place: values[place[1]], self.texts[name])

    def fingerprint(self) -> str:
        """SHA-256 over all prompts."""
        total = sha256()
        for name, text in sorted(self.texts.items()):
            total.update(f"{name}\0{text}\0".encode())
        return total.hexdigest()


def fenced(text: str) -> str:
    """A text between two marks that it cannot itself contain: they hold its hash.

    Whoever wrote the text could not know the mark, so nothing in it can pretend to end it.
    """
    mark = blake2b(text.encode(), digest_size=6).hexdigest()
    return f"[[TEXT {mark}]]\n{text}\n[[END {mark}]]"


def _pack(folder: Path, needed: Mapping[str, frozenset[str]]) -> dict[str, Path]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder: --prompts FOLDER with text files in it")
    known = [f"{name}.{language}.txt" for name in needed for language in LANGUAGES]
    found = {path.name: path for path in sorted(folder.glob("*.txt"))}
    for name, path in found.items():
        if name not in known:
            raise InputError(f"{path}: replaces no prompt: {did_you_mean(name, known)}")
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig").rstrip("\n")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8: save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: is it a file you may read?") from None


def _require(text: str, needed: frozenset[str], path: Path) -> None:
    places = set(_PLACE.findall(text))
    missing, unknown = sorted(needed - places), sorted(places - needed)
    if missing:
        raise InputError(f"{path}: no {{{missing[0]}}}: write it where that is to stand")
    if unknown:
        hint = did_you_mean(unknown[0], needed) if needed else "this prompt has no places"
        raise InputError(f"{path}: unknown placeholder {{{unknown[0]}}}: {hint}")
