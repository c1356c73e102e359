"""Replies that other programs wrote: their formats as a table, joined to questions, made runs.

No format has an importer of its own: `formats` says how each is recognised and where in a row
each thing stands; `files` makes rows of files by it, `joining` finds the question of each row,
and `importing` writes the run (docs/rooms/lab.md).

Formats of other programs' files: how they are recognised, and each thing's place in a row.

A place in a row is a path: names and numbers with dots between, ``resps.0.0``. A step ``@user`` is
the last message of the user in a list of messages, ``@message`` the last output of the type
"message" in a list of outputs, ``@refusal`` its last part of that type. Of several places the first
that holds something counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.parsing import read_beside
from zhiyin.words import said

Places = tuple[str, ...]
AUTO = "auto"
ROWS = "rows"
"""Rows of any program: what is looked for in each has one of the usual names."""
PUBLISHED = "published"
"""What a benchmark's own format is called: see `Benchmark.import_answers`."""


class ReplyFormat(msgspec.Struct, frozen=True):
    """The replies of one program: how its rows are recognised, and where each thing stands.

    Attributes
    ----------
    name : str
        What ``--from`` calls it.
    title : str
        The program, and the file that it writes.
    source : str
        Where the format was read: repository@commit, file.
    marks : tuple of str
        Places that every row has.
    texts : tuple of str
        Those of them that hold a text; any other of them may hold anything.
    id : tuple of str
        Where the question's id stands, if it has one.
    place : tuple of str
        Where its number in the data stands, from 0; it parts questions that are worded alike.
    question : tuple of str
        The question, or the prompt that it stands in.
    options, key, clip : tuple of str
        What was offered, what was right, which recording was played.
    replies : tuple of str
        Where what the model said may stand. Several that hold different texts are asked about
        (``--field``), unless `settled`.
    settled : bool
        Whether the first of `replies` that a row has is the reply: the others are made from it.
    reasoning : tuple of str
        Thoughts that stand apart from the reply.
    finish : tuple of str
        Why the reply ended.
    refusal : tuple of str
        What was said in the place of a reply.
    repeat : tuple of str
        Which of several replies to the question it is.
    failed : tuple of str
        Where it says that no reply came: any value there means so.
    nothing : tuple of str
        Texts that stand for no reply.
    """

    name: str
    title: str
    source: str = ""
    marks: Places = ()
    texts: Places = ()
    id: Places = ()
    place: Places = ()
    question: Places = ()
    options: Places = ()
    key: Places = ()
    clip: Places = ()
    replies: Places = ()
    settled: bool = True
    reasoning: Places = ()
    finish: Places = ()
    refusal: Places = ()
    repeat: Places = ()
    failed: Places = ()
    nothing: Places = ()

    def recognises(self, row: Mapping[str, Any]) -> bool:
        """Tell whether a row is of this format."""
        if not all(reach(row, place) is not None for place in self.marks):
            return False
        if not all(isinstance(reach(row, place), str) for place in self.texts):
            return False
        return bool(self.marks) or any(reach(row, place) is not None for place in self.replies)


FORMATS = read_beside(__file__, "formats.toml", dict[str, tuple[ReplyFormat, ...]])["formats"]
"""What ``--from`` knows; of several that recognise a row the first is meant."""


def format_called(name: str) -> ReplyFormat:
    """The format of a name. Raises `InputError` where there is none."""
    known = {each.name: each for each in FORMATS}
    if name not in known:
        hint = did_you_mean(name, [AUTO, PUBLISHED, *known])
        raise InputError(said("error-choice", name="--from", value=name, hint=hint))
    return known[name]


def recognise(row: Mapping[str, Any]) -> ReplyFormat | None:
    """The format of a row; None for none that is known."""
    return next((each for each in FORMATS if each.recognises(row)), None)


def reach(row: Any, place: str) -> Any:
    """Return the value at a place of a row; None for nothing, and for a number that is none."""
    value = row
    for step in place.split("."):
        value = _step(value, step)
        if value is None:
            return None
    return None if isinstance(value, float) and math.isnan(value) else value


_LISTED = {
    "@user": ("role", "user"), "@message": ("type", "message"), "@refusal": ("type", "refusal"),
}  # fmt: skip


def _step(value: Any, step: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(step)
    if not isinstance(value, list):
        return None
    if step in _LISTED:
        name, wanted = _LISTED[step]
        fit = [each for each in value if isinstance(each, Mapping) and each.get(name) == wanted]
        return fit[-1] if fit else None
    if step.isdecimal() and int(step) < len(value):
        return value[int(step)]
    return None


def first_of(row: Any, places: Sequence[str]) -> Any:
    """Return the value at the first of some places that holds any; None for nothing."""
    return next((each for place in places if (each := reach(row, place)) is not None), None)


def text_of(value: Any) -> str | None:
    """A text, or the text of a message's parts; None for what is none."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value:
        if all(isinstance(part, str) for part in value):
            return value[0] if len(value) == 1 else None
        parts = [part.get("text") for part in value if isinstance(part, Mapping)]
        texts = [part for part in parts if isinstance(part, str)]
        return "\n".join(texts) if texts else None
    return None
