"""Files of replies given elsewhere: JSON or JSON lines, alone or beside their questions."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError, did_you_mean
from zhiyin.plugins.music import clips
from zhiyin.reader import ROBUST
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.trial import Option, Trial, say
from zhiyin.words import said

Entry = dict[str, Any]
ID = "id"
USUAL = ("model_output", "model_prediction", "answer_prediction", "reply", "response", "text")
"""What the field of the reply is called in published files, in the order looked for."""


class GivenEntry(msgspec.Struct, frozen=True):
    """An entry of a file of replies.

    Attributes
    ----------
    path : Path
    where : str
        "line 3", "item 3".
    entry : dict
        With the fields of its question, where those stand in another file.
    repeat : int
        From 1: which reply to this question it is.
    """

    path: Path
    where: str
    entry: Entry
    repeat: int = 1


def entries_of(path: Path) -> list[tuple[str, Any]]:
    """Read the entries of a file, each with its place: one JSON array, or an object a line.

    Raises
    ------
    InputError
        It is neither.
    """
    text = clips.read_text(path)
    if text.lstrip()[:1] == "{":
        return [(f"line {number}", entry) for number, entry in clips.decode_json_lines(path, text)]
    held = clips.decode_json(path, text)
    if not isinstance(held, list):
        raise InputError(said("replies-form", path=path))
    return [(f"item {number}", entry) for number, entry in enumerate(held, 1)]


def given_entries(files: Sequence[Path], questions: Path | None = None) -> list[GivenEntry]:
    """The entries of files of replies, joined with their questions; see `joined_entries`.

    Raises
    ------
    InputError
        A file cannot be read, or a reply belongs to none of the questions.
    """
    entries = [(path, where, entry) for path in files for where, entry in entries_of(path)]
    if not entries:
        raise InputError(said("replies-empty", files=files[0]))
    return joined_entries(entries, questions)


def joined_entries(
    entries: Iterable[tuple[Path, str, Any]], questions: Path | None
) -> list[GivenEntry]:
    """Entries, each with its file and place, joined with their questions by id.

    A question of another file gives every field that the reply's own entry has not, and its key and
    choices in any case: a file of replies may carry an older version of them.

    Raises
    ------
    InputError
        One is no object, or belongs to none of the questions.
    """
    known = {} if questions is None else _by_id(questions)
    times: Counter[str] = Counter()
    found = []
    for path, where, entry in entries:
        if not isinstance(entry, Mapping):
            raise InputError(said("replies-object", path=path, where=where))
        name = entry.get(ID)
        if known and name not in known:
            hint = did_you_mean(str(name), known) if len(known) < 20 else "no such id"
            asked = {"name": repr(name), "questions": questions, "hint": hint}
            raise InputError(said("replies-unknown", path=path, where=where, **asked))
        times[str(name)] += 1
        whole = {**entry, **known.get(str(name), {})}
        found.append(GivenEntry(path, where, whole, times[str(name)]))
    return found


def _by_id(path: Path) -> dict[str, Entry]:
    entries = [entry for _, entry in entries_of(path)]
    return {e[ID]: e for e in entries if isinstance(e, dict) and isinstance(e.get(ID), str)}


def reply_fields(
    path: Path, entries: Sequence[Mapping[str, Any]], field: str, usual: Sequence[str] = USUAL
) -> tuple[str, ...]:
    """Name the fields of entries that may hold the reply: the one given, or the usual ones.

    Raises
    ------
    InputError
        No entry has the one that is named; or two usual ones hold different texts: which one is
        meant changes the figure.
    """
    there = dict.fromkeys(name for entry in entries for name in entry)
    if field:
        if field not in there:
            hint = did_you_mean(field, there)
            raise InputError(said("replies-field", path=path, field=field, hint=hint))
        return (field,)
    for one, other in combinations([name for name in usual if name in there], 2):
        for entry in entries:
            if None not in (entry.get(one), entry.get(other)) and entry[one] != entry[other]:
                raise InputError(said("replies-two", path=path, one=one, other=other))
    return tuple(usual)


def reply_in(path: Path, entry: Mapping[str, Any], fields: Sequence[str]) -> str | None:
    """The reply of an entry, from the first field that is there; None for nothing.

    Raises
    ------
    InputError
        It is no text.
    """
    given = next((name for name in fields if entry.get(name) is not None), None)
    if given is None:
        return None
    if not isinstance(entry[given], str):
        where = entry.get(ID)
        raise InputError(said("replies-no-text", path=path, where=where, given=given))
    return str(entry[given])


def records_of(entries: Sequence[GivenEntry], field: str) -> Iterator[Record]:
    """A record of each entry that has question, choices, answer and a reply, one after another.

    Raises
    ------
    InputError
        An entry cannot be read as a question with options, or none has a reply. One without is left
        out.
    """
    path = entries[0].path
    fields = reply_fields(path, [each.entry for each in entries], field)
    verdicts: dict[bytes, Verdict] = {}  # a reply that is given again is read once
    for each in entries:
        if fault := clips.fault_in(each.entry, ()):
            raise InputError(
                said("replies-fault", path=each.path, where=each.where, fault=fault[1])
            )
        text = reply_in(each.path, each.entry, fields)
        if text is None:
            continue
        trial = _trial(each.entry, f"{each.entry.get(ID) or each.where}", each.repeat)
        exchange = Exchange((Turn(Reply(text)),))
        key = digest_of(trial, exchange)
        verdict = verdicts.get(key) or verdicts.setdefault(
            key, judge_choice(trial, exchange, ROBUST)
        )
        yield Record(trial.id, verdict, trial, exchange)
    if not verdicts:
        named = ", ".join(sorted({name for each in entries for name in each.entry}))[:150]
        raise InputError(said("replies-none", path=path, named=named))


def _trial(entry: Mapping[str, Any], name: str, repeat: int) -> Trial:
    texts = [choice.strip() for choice in clips.choices_of(entry)]
    keys = [clips.LETTERS[texts.index(text)] for text in texts]  # equal ones are one option
    return Trial(
        id=f"{name}/r{repeat}",
        messages=(say("user", entry["question"]),),
        stem=entry["question"],
        options=tuple(map(Option, clips.LETTERS, texts, keys)),
        target=clips.LETTERS[clips.right_place(entry)],
        item=name,
    )


def digest_of(trial: Trial, exchange: Exchange, about: object = None) -> bytes:
    """Sixteen bytes for all that `read_choice` and `right_letters` look at, and what it is about.

    So a reply that is given many times to the same options is read once.
    """
    said = [(turn.purpose, turn.reply.text) for turn in exchange.turns[-2:]]
    words = msgspec.msgpack.encode((trial.options, trial.target, said, about))
    return hashlib.blake2b(words, digest_size=16).digest()
