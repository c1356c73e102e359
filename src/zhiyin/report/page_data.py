"""What a page's scripts are given: words, and trials in columns that a browser filters at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from zhiyin.record import STATES
from zhiyin.report.media import PictureEntry, SoundEntry
from zhiyin.report.pictures import MARKS, STATE_WORDS
from zhiyin.report.run_set import RunSet
from zhiyin.words import LANGUAGES, Said, say
from zhiyin.words.messages import words_in
from zhiyin.words.reasons import reason

_MOST_VALUES = 400
"""A tag with more different values than these is searched, not listed."""
_SNIPPET = 90
"""Characters of a question in the list of trials."""


class _Placeholders(dict[str, str]):
    """Facts that the script puts in: "{n}" for n."""

    def __missing__(self, fact: str) -> str:
        return f"{{{fact}}}"


def labels() -> dict[str, dict[str, str]]:
    """By language the words of messages as ``label-find`` ("find"), and of names in data
    ("name-length").
    """
    given = {}
    for language in LANGUAGES:
        words = words_in(language)
        own = {
            name.removeprefix("label-"): words.say(name, _Placeholders())
            for name in sorted(words.names)
            if name.startswith(("label-", "name-"))
        }
        states = {f"name-{state}": say(one, language) for state, one in STATE_WORDS.items()}
        given[language] = {**own, **{name.replace("_", "-"): own for name, own in states.items()}}
    return given


class PageRun(msgspec.Struct, frozen=True):
    """A run as scripts know it."""

    label: str
    benchmark: str
    running: bool


class PageData(msgspec.Struct):
    """What a page's scripts know of the runs, and the words that they show.

    Attributes
    ----------
    runs : list of PageRun
    states, marks
        Of trials, and the sign of each.
    words : dict of str to dict of str to str
        See `labels`.
    reasons : dict of str to str
        Why replies were read as they were, in Chinese, by the log's words.
    sounds, pictures : dict
        By SHA-256.
    engraved : list of str
        The tunes whose engravings are files of their own.
    version : int or None
        Of a page that is served: another one when the runs have gone on.
    """

    runs: list[PageRun]
    states: tuple[str, ...]
    marks: dict[str, str]
    words: dict[str, dict[str, str]]
    reasons: dict[str, str]
    sounds: dict[str, SoundEntry] = {}
    pictures: dict[str, PictureEntry] = {}
    engraved: list[str] = []
    version: int | None = None


def page_data(run_set: RunSet, words: dict[str, dict[str, str]]) -> PageData:
    """The data of a page without media; `words` are `labels`."""
    reasons = {why: reason(why) for why in sorted(run_set.reasons)}
    return PageData(
        [PageRun(run.label, run.manifest.benchmark, run.running) for run in run_set.runs],
        STATES,
        MARKS,
        words,
        {why: say(one, "zh") for why, one in reasons.items() if isinstance(one, Said)},
    )


class CodedColumn(msgspec.Struct, frozen=True):
    """A column: its different values, as text, and for each row the place of its own (-1: none)."""

    values: list[Any]
    codes: list[int]

    @property
    def listed(self) -> bool:
        """Whether trials can be chosen by it from a list."""
        different = len(self.values) + (-1 in self.codes)
        return different >= 2 and len(self.values) <= _MOST_VALUES


class RunColumns(msgspec.Struct, frozen=True):
    """What a run made of each trial.

    Attributes
    ----------
    states : str
        A digit for each trial, the place in `record.STATES`; "-" for not asked.
    letters : str
        A character for each trial, "-" for none.
    read : CodedColumn
        How surely an answer was read.
    cause : CodedColumn
        Why there is none.
    """

    states: str
    letters: str
    read: CodedColumn
    cause: CodedColumn


class TrialIndex(msgspec.Struct, frozen=True):
    """All trials in columns: small enough that a browser holds 50,000 and filters at once.

    Attributes
    ----------
    ids, stems : list of str
        One for each trial: of a question its first characters.
    gold : str
        The letters of the key.
    benchmark, groups : CodedColumn
    tags : dict of str to CodedColumn
    runs : list of RunColumns
    starts : list of int
        The first trial of each file of trials.
    """

    ids: list[str]
    stems: list[str]
    gold: str
    benchmark: CodedColumn
    groups: CodedColumn
    tags: dict[str, CodedColumn]
    runs: list[RunColumns]
    starts: list[int]


def index(run_set: RunSet, starts: list[int]) -> TrialIndex:
    """The index of a page whose files of trials begin with these."""
    cases = run_set.cases
    names = dict.fromkeys(tag for case in cases for tag in case.tags)
    tags = {tag: _coded([case.tags.get(tag) for case in cases]) for tag in names}
    for number, run in enumerate(run_set.runs):
        own = dict.fromkeys(t for c in cases if number in c.answers for t in c.answers[number].tags)
        for tag in own:
            column = [
                case.answers[number].tags.get(tag) if number in case.answers else None
                for case in cases
            ]
            tags[f"{tag} ({run.label})" if len(run_set.runs) > 1 else tag] = _coded(column)
    return TrialIndex(
        ids=[case.id for case in cases],
        stems=[" ".join(case.stem[: 2 * _SNIPPET].split())[:_SNIPPET] for case in cases],
        gold="".join(_letter(case.gold) for case in cases),
        benchmark=_coded([case.benchmark for case in cases]),
        groups=_coded([case.groups for case in cases]),
        tags={tag: column for tag, column in tags.items() if column.listed},
        runs=[_columns(run_set, number) for number in range(len(run_set.runs))],
        starts=starts,
    )


def _columns(run_set: RunSet, number: int) -> RunColumns:
    answers = [case.answers.get(number) for case in run_set.cases]
    return RunColumns(
        states="".join("-" if a is None else str(STATES.index(a.state)) for a in answers),
        letters="".join(_letter(None if a is None else a.letter) for a in answers),
        read=_coded([a.confidence or None if a else None for a in answers]),
        cause=_coded([a.cause or None if a else None for a in answers]),
    )


def _letter(letter: str | None) -> str:
    return letter if letter and len(letter) == 1 and letter.isascii() else "-"


def _coded(column: Sequence[Any]) -> CodedColumn:
    values: dict[Any, int] = {}
    codes = []
    for value in column:
        if value is None:
            codes.append(-1)
            continue
        key = value if isinstance(value, tuple) else str(value)
        codes.append(values.setdefault(key, len(values)))
    return CodedColumn(list(values), codes)
