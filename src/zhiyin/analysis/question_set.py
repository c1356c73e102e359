"""The question set a run was asked: the published one, or one of ours that looks like it.

Numbers by which the questions of published data are known again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from zhiyin.contract.arguments import OWN
from zhiyin.engine.folder import Manifest
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.words import Said, Text, said

_SOURCE, _OURS = "source/", "zhiyin"
"""How groups say where questions are from; and that ``zhiyin data make`` wrote them."""


def of_which_set(benchmark: Text, options: Mapping[str, Any], groups: Iterable[str]) -> Said:
    """A benchmark's name, and whether the questions are Zhiyin's own.

    Parameters
    ----------
    benchmark : Text
    options : mapping
        Of the run: ``--source generated`` makes the questions.
    groups : iterable of str
        Of its questions, in all conditions.
    """
    sources = {name.rpartition(_SOURCE)[2] for name in groups if f"/{_SOURCE}" in f"/{name}"}
    own = sources == {_OURS} or options.get("source") == "generated"
    return said("of-which-set", benchmark=title_of(benchmark), own=own)


def title_of(benchmark: Text) -> Text:
    """A benchmark's name as people read it: a file ``questions.jsonl`` is "questions", once."""
    return OWN if benchmark == f"{OWN}-{OWN}" else benchmark


def set_of_runs(runs: Iterable[tuple[Manifest, Rows]], name: Text = "") -> Said:
    """The same of runs of one benchmark: ours where all were asked questions of ours.

    Parameters
    ----------
    runs : iterable of (Manifest, Rows)
        One or more.
    name : Text
        Instead of the benchmark's, as a suite or a leaderboard has it.
    """
    each = [
        of_which_set(
            name or manifest.benchmark,
            manifest.options,
            (group for kind in rows.table.kinds for group in kind.groups),
        )
        for manifest, rows in runs
    ]
    return next((one for one in each if not one.facts["own"]), each[0])


def own_set(folders: Iterable[Path], manifests: Iterable[Manifest]) -> bool:
    """Tell whether all of some runs were asked questions of ours."""
    runs = ((manifest, rows_of(f)) for f, manifest in zip(folders, manifests, strict=True))
    return bool(set_of_runs(runs).facts["own"])


_HASH_BYTES = 4


def fingerprint_words(stem: str, options: Iterable[tuple[str, str]], target: str | None) -> int:
    """A number for the words of a question: not for the order of its options, nor its letters.

    Parameters
    ----------
    stem : str
    options : iterable of (str, str)
        Key in the data, and words.
    target : str or None
        The key of the right option.

    Returns
    -------
    int
        4 bytes of BLAKE2b over the words, kinds of line ends and outer white space aside.
    """
    words = [_plain(stem), *[f"{k} {_plain(t)}" for k, t in sorted(options)], target or ""]
    digest = hashlib.blake2b("\x1f".join(words).encode(), digest_size=_HASH_BYTES)
    return int.from_bytes(digest.digest(), "big")


def fingerprint_answer(stem: str, answer: str) -> int:
    """A number for a question and its right answer: for their letters and digits alone.

    Case, blanks and punctuation are left aside, since copies of a data set differ in them.
    """
    words = ("".join(filter(str.isalnum, text.casefold())) for text in (stem, answer))
    digest = hashlib.blake2b("\x1f".join(words).encode(), digest_size=_HASH_BYTES)
    return int.from_bytes(digest.digest(), "big")


def _plain(text: str) -> str:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.strip()
