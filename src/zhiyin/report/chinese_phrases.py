"""Sentences of the trials in Chinese, beside the English ones in which they were computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zhiyin.chinese import found_in_chinese


def in_chinese(texts: Iterable[str], packages: Sequence[str]) -> dict[str, str]:
    """Chinese by English, of all sentences that some phrasebook has.

    Parameters
    ----------
    texts : iterable of str
    packages : sequence of str
        Whose phrasebooks are looked into first.
    """
    found = {text: found_in_chinese(text, packages) for text in sorted(texts)}
    return {text: chinese for text, chinese in found.items() if chinese and chinese != text}
