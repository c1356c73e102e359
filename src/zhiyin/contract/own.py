"""A file of the user's own questions in the place of a benchmark's name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zhiyin.errors import InputError

OWN = "questions"
"""The benchmark that a file of questions is; its runs are called after the file."""
SUFFIXES = (
    *(".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".parquet"),
    *(".xlsx", ".xlsm", ".xls", ".ods"),
)
DATASET_MARKS = ("state.json", "dataset_dict.json")
"""What tells a folder that ``datasets`` wrote."""
_SWITCHES = frozenset(
    {
        *("--json", "--quiet", "--partial", "--shuffle", "--several", "--audio-mono", "--confirm"),
        "--no-canary",
    }
)


def is_dataset(path: Path) -> bool:
    """Whether a folder was written by ``datasets``."""
    return any((path / name).is_file() for name in DATASET_MARKS)


def looks_like_file(word: str) -> bool:
    """Whether a word of the command line means a file of questions and no benchmark's name."""
    path = Path(word)
    return path.suffix.lower() in SUFFIXES or path.is_file() or is_dataset(path)


def file_as_data(arguments: Sequence[str]) -> list[str]:
    """Arguments in which a file stands as ``questions --data FILE``, if one stands first.

    Raises
    ------
    InputError
        ``--data`` is given beside it.
    """
    for place, word in enumerate(arguments):
        before = arguments[place - 1] if place else ""
        if word.startswith("-") or (before.startswith("-") and before not in _SWITCHES):
            continue
        if not looks_like_file(word):
            break
        rest = [*arguments[:place], *arguments[place + 1 :]]
        if any(each.partition("=")[0] == "--data" for each in rest):
            raise InputError(f"{word} is the data: leave --data out")
        return [OWN, "--data", word, *rest]
    return list(arguments)
