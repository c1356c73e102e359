"""The default policy: a reply of a few words is read at once, any other clause by clause."""

from __future__ import annotations

from collections.abc import Sequence

from zhiyin.reader.reading import Reading
from zhiyin.reader.short import read_at_once
from zhiyin.trial import Option


def read(text: str, options: Sequence[Option]) -> Reading:
    """The answer that a careful reader would find in `text`.

    Parameters
    ----------
    text : str
        A reply, of any length and in any script.
    options : sequence of Option
        In the order shown, lettered "A" to "Z".

    Returns
    -------
    Reading
        `letter` is None where the reply declares nothing, or several things at once.
    """
    reading = read_at_once(text, options)
    if reading:
        return reading
    from zhiyin.reader import clauses  # a tenth of a second, which letters alone do not need

    return clauses.read(text, options)
