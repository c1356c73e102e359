"""Scores in a folder of the user's: notation as text, or pages as pictures, found by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from zhiyin.contract.clips import read_text
from zhiyin.contract.declared import Flaw
from zhiyin.errors import InputError
from zhiyin.picture import image_part
from zhiyin.trial import Image, Part, Text
from zhiyin.words import said

Shown = Literal["notation", "pages", "none"]
NOTATION = (".abc", ".krn", ".musicxml", ".xml", ".mei", ".ly", ".txt")
"""Endings of notation that is sent as it is, the first that is there."""
PAGES = frozenset((".png", ".jpg", ".jpeg", ".webp", ".gif"))
_PAGE = re.compile(r"^[ _.-]*+(?:(?:p|page|seite)[ _.-]*+)?(\d+)$", re.IGNORECASE)
_SHOWN_NAMES = 3


class ScoreFiles(msgspec.Struct, frozen=True):
    """The files of one score: its notation, and its pages in order."""

    notation: Path | None = None
    pages: tuple[Path, ...] = ()


class ScoreFolder:
    """The scores that questions are about, as far as a folder has them.

    A score is looked for under each of its names: ``NAME.abc`` or another notation; ``NAME.png``,
    ``NAME-1.png``, ``NAME_p02.jpg`` or ``NAME/1.png`` for pages.

    Parameters
    ----------
    root : Path
    names : mapping of str to sequence of str
        From a score to what it may be called: the number in its link, its number in the data.
    texts : mapping of str to str
        Notation that the table of the questions holds itself.

    Raises
    ------
    InputError
        There is no such folder.
    """

    def __init__(
        self, root: Path | None, names: Mapping[str, Sequence[str]], texts: Mapping[str, str]
    ) -> None:
        if root is not None and not root.is_dir():
            raise InputError(f"--scores {root}: no such folder: name the one with the scores")
        self._texts = texts
        self._files = dict(_found(root, names)) if root else {}
        self._parts: dict[tuple[str, Shown], tuple[Part, ...]] = {}

    def has(self, score: str, shown: Shown) -> bool:
        """Tell whether a score can be shown so."""
        files = self._files.get(score, ScoreFiles())
        if shown == "notation":
            return score in self._texts or files.notation is not None
        return shown == "none" or bool(files.pages)

    def require(self, scores: Iterable[str], shown: Iterable[Shown], *, partial: bool) -> None:
        """Raise `InputError` where scores are missing and `partial` does not allow it."""
        every = sorted(scores)
        for how in shown:
            missing = [score for score in every if not self.has(score, how)]
            if missing and not (partial and len(missing) < len(every)):
                named = ", ".join(missing[:_SHOWN_NAMES])
                more = ", or run what is there with --partial" if len(missing) < len(every) else ""
                raise InputError(
                    f"no {how} for {len(missing)} of {len(every)} scores ({named}): name their "
                    f"folder with --scores, files by the number in the link{more}; "
                    "--show none asks without"
                )

    def parts(self, score: str, shown: Shown) -> tuple[Part, ...]:
        """Get what is sent of a score. Raises `InputError` for a file that cannot be read."""
        if shown == "none":
            return ()
        if (score, shown) not in self._parts:
            self._parts[score, shown] = tuple(self._read(score, shown))
        return self._parts[score, shown]

    def _read(self, score: str, shown: Shown) -> Iterator[Text | Image]:
        files = self._files.get(score, ScoreFiles())
        if shown == "pages":
            yield from map(image_part, files.pages)
        elif score in self._texts:
            yield Text(self._texts[score])
        elif files.notation is not None:
            yield Text(read_text(files.notation).strip())

    def flaws(self, scores: Iterable[str]) -> Iterator[Flaw]:
        """Scores with neither notation nor pages, and files that cannot be read."""
        for score in scores:
            there = [how for how in ("notation", "pages") if self.has(score, how)]  # type: ignore[arg-type]
            if not there:
                yield Flaw("missing-score", "", score, said("msu-bench-no-score"))
            for how in there:
                try:
                    self.parts(score, how)  # type: ignore[arg-type]
                except InputError as fault:
                    yield Flaw("unreadable", "", score, str(fault))


def _found(root: Path, names: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ScoreFiles]]:
    """The files of each score that is there."""
    every = sorted(path for path in root.iterdir() if not path.name.startswith("."))
    stems: dict[str, list[Path]] = {}
    for path in every:
        stems.setdefault(path.stem if path.is_file() else path.name, []).append(path)
    for score, called in names.items():
        notation = next(
            (p for e in NOTATION for n in called for p in stems.get(n, ()) if p.suffix == e), None
        )
        pages = next((found for n in called if (found := _pages(n, stems))), ())
        if notation or pages:
            yield score, ScoreFiles(notation, pages)


def _pages(name: str, stems: Mapping[str, list[Path]]) -> tuple[Path, ...]:
    """The pages of a score by the numbers in their names."""
    pages: dict[int, Path] = {}
    for stem, paths in stems.items():
        numbered = _PAGE.match(stem.removeprefix(name)) if stem.startswith(name) else None
        if stem != name and (numbered is None or stem[len(name)].isdigit()):
            continue
        for path in paths:
            if path.is_dir() and stem == name:
                inside = sorted(p for p in path.iterdir() if p.suffix.lower() in PAGES)
                pages |= {_number(p.stem): p for p in inside}
            elif path.suffix.lower() in PAGES:
                pages[int(numbered[1]) if numbered else 0] = path
    return tuple(pages[number] for number in sorted(pages))


def _number(stem: str) -> int:
    """The last number in a name; 0 without one."""
    return int((re.findall(r"\d+", stem) or ["0"])[-1])
