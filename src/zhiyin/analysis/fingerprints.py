"""Numbers by which the questions of published data are known again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

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
