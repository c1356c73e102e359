"""Which options are right: answers as letters, as numbers that count from 0 or 1, or as texts.

A "2" can be the second option, the third, or the option whose text is 2. So the whole file is
looked at: the form in which most rows can be read is the file's. Where two forms read the same
rows and disagree, the user is asked.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import msgspec

from zhiyin.benchmarks.questions.cells import Options, letters, list_of, text_of

Form = Literal["letter", "index-0", "index-1", "text"]
FORMS: tuple[Form, ...] = get_args(Form)
_RUN = re.compile(r"[A-Z]{2,26}")


class Unread(msgspec.Struct, frozen=True):
    """An answer that names no options, and why."""

    problem: str
    remedy: str


@functools.lru_cache(maxsize=64)
def fold(text: str) -> str:
    """A text as it is compared: one width, lower case, single spaces, no full stop at its end."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(" .。")


def readings(answer: Any, options: Options, delimiter: str | None) -> dict[Form, tuple[str, ...]]:
    """The keys (our letters, in the data's order) that an answer names, in each form that fits."""
    if isinstance(answer, str) and answer.isascii() and answer.isalnum() and not delimiter:
        return _of_a_word(answer, options)
    keys_by_form: dict[Form, tuple[str, ...]] = {}
    for form in FORMS:
        whole = _one(answer, form, options)
        if whole is not None:
            keys_by_form[form] = (whole,)
            continue
        parts = _parts(answer, form, options, delimiter)
        keys = [_one(part, form, options) for part in parts]
        named = {key for key in keys if key is not None}
        if keys and None not in keys and len(named) == len(keys):
            keys_by_form[form] = tuple(key for key in letters(len(options.texts)) if key in named)
    return keys_by_form


def _of_a_word(answer: str, options: Options) -> dict[Form, tuple[str, ...]]:
    """The same of a single word or number, as nearly all answers are; nobody writes to it."""
    folded = fold(answer)
    same = [
        place
        for place, option in enumerate(options.texts)
        if (option.strip().rstrip(" .").casefold() if option.isascii() else fold(option)) == folded
    ]
    named = letters(len(options.texts))[same[0]] if len(same) == 1 else None
    return _of_the_labels(answer, options.labels, named)


@functools.lru_cache(maxsize=4096)
def _of_the_labels(
    answer: str, labels: tuple[str, ...], text: str | None
) -> dict[Form, tuple[str, ...]]:
    """What a word is by letter and number, which does not depend on what the options say."""
    options = Options(("",) * len(labels), labels)
    keys_by_form: dict[Form, tuple[str, ...]] = {}
    for form in FORMS:
        if form == "text":
            if text is not None:
                keys_by_form[form] = (text,)
        elif (whole := _one(answer, form, options)) is not None:
            keys_by_form[form] = (whole,)
        else:
            parts = [_one(part, form, options) for part in _parts(answer, form, options, None)]
            named = {key for key in parts if key is not None}
            if parts and None not in parts and len(named) == len(parts):
                keys = letters(len(labels))
                keys_by_form[form] = tuple(key for key in keys if key in named)
    return keys_by_form


def _one(answer: Any, form: Form, options: Options) -> str | None:
    """The key that one answer names, or None."""
    if isinstance(answer, list | tuple | dict):
        return None
    text, count = text_of(answer), len(options.texts)
    keys = letters(count)
    if form == "letter":
        bare = text.strip("()[]. :").casefold()
        labels = [label.casefold() for label in options.labels]
        return keys[labels.index(bare)] if bare and labels.count(bare) == 1 else None
    if form == "text":
        folded = fold(text)
        same = [place for place, option in enumerate(options.texts) if fold(option) == folded]
        return keys[same[0]] if text and len(same) == 1 else None
    if not re.fullmatch(r"\d{1,2}", text):
        return None
    place = int(text) - (form == "index-1")
    return keys[place] if 0 <= place < count else None


def _parts(answer: Any, form: Form, options: Options, delimiter: str | None) -> list[Any]:
    """The entries of an answer that names several options; none where it is one thing."""
    entries = list_of(answer, delimiter)
    if entries is not None:
        return entries
    text = text_of(answer)
    if len(text) > 1 and form != "text" and not delimiter:
        parts = [part for part in re.split(r"[,，、&+/\s]+|\band\b", text) if part]
        if len(parts) > 1:
            return parts
        single = all(len(label) == 1 for label in options.labels)
        if form == "letter" and single and _RUN.fullmatch(text):
            return list(text)
    return []


def choose_form(
    rows: Sequence[Mapping[Form, tuple[str, ...]]],
) -> tuple[Form | None, int | None]:
    """The form of a file's answers, and where it cannot be known.

    Parameters
    ----------
    rows : sequence of mapping
        The `readings` of each row.

    Returns
    -------
    form : str or None
        The form that most rows can be read in; None where there is none.
    unclear : int or None
        The first row in which two such forms disagree; then the form is unclear.
    """
    counts = {form: sum(form in reading for reading in rows) for form in FORMS}
    most = max(counts.values(), default=0)
    best = [form for form in FORMS if counts[form] == most] if most else []
    for place, reading in enumerate(rows if len(best) > 1 else ()):
        if len({reading[form] for form in best if form in reading}) > 1:
            return best[0], place
    return (best[0] if best else None), None


def resolve(
    answer: Any, reading: Mapping[Form, tuple[str, ...]], form: Form | None, options: Options
) -> tuple[str, ...] | Unread:
    """The right keys of one row, in the file's form or in the only other one that fits."""
    if form is not None and form in reading:
        return reading[form]
    other = {keys for name, keys in reading.items() if not name.startswith("index")}
    if len(other) == 1:
        return other.pop()
    text = text_of(answer)
    if not text or answer == []:
        return Unread("no answer", f"name one of {', '.join(options.labels)}")
    same = [
        key
        for key, option in zip(letters(26), options.texts, strict=False)
        if fold(option) == fold(text)
    ]
    if len(same) > 1:
        return Unread(
            f"the answer {text[:60]!r} is the text of options {', '.join(same)} alike",
            "mend the options, or write a letter",
        )
    if reading:
        return Unread(
            f"the answer {text!r} could be counted from 0 or 1, and other answers are no numbers",
            "write a letter",
        )
    return Unread(
        f"the answer {text[:60]!r} is not one of the {len(options.texts)} options",
        f"write one of {', '.join(options.labels)}, or an option's text",
    )
