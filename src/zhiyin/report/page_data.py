"""Data for a page's scripts: words, trials in columns to be filtered, and each in full."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import msgspec

from zhiyin.contract.registry import known
from zhiyin.record import STATES, Finish, Record, State, Turn, Verdict
from zhiyin.report.media import Engravings, PictureEntry, SoundEntry
from zhiyin.report.pictures import MARKS, STATE_WORDS
from zhiyin.report.run_cards import run_marks
from zhiyin.report.run_set import Case, RunSet
from zhiyin.runs.figures import group_in_words
from zhiyin.trial import Audio, Image, Message, Part, Tag, Trial
from zhiyin.words import Said, Text, say
from zhiyin.words.messages import words_in
from zhiyin.words.reasons import reason

_MOST_VALUES = 400
"""A tag with more different values than these is searched, not listed."""
_DIGITS = {state: str(place) for place, state in enumerate(STATES)}
_SNIPPET = 90
"""Characters of a question in the list of trials."""


class _Placeholders(dict[str, str]):
    """Facts that the script puts in: "{n}" for n."""

    def __missing__(self, fact: str) -> str:
        return f"{{{fact}}}"


def labels(language: str) -> dict[str, str]:
    """The words of messages as ``label-find`` ("find"), and of names in data ("name-length")."""
    words = words_in(language)
    own = {
        name.removeprefix("label-"): words.say(name, _Placeholders())
        for name in sorted(words.names)
        if name.startswith(("label-", "name-"))
    }
    states = {f"name-{state}": say(one, language) for state, one in STATE_WORDS.items()}
    return own | {name.replace("_", "-"): one for name, one in states.items()}


class PageRun(msgspec.Struct, frozen=True):
    """A run as scripts know it, with its mark: classes and shape of `charts.Series`."""

    label: str
    benchmark: str
    looks: str
    shape: int
    running: bool


class PageData(msgspec.Struct):
    """Data of the runs for a page's scripts, and the words that they show.

    Attributes
    ----------
    runs : list of PageRun
    states, marks
        Of trials, and the sign of each.
    words : dict of str to dict of str to str
        By language; see `labels`.
    reasons : dict of str to str
        Why replies were read as they were, by the log's words, and names of runs: in Chinese where
        they have it.
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


def page_data(run_set: RunSet, languages: Sequence[str]) -> PageData:
    """The data of a page without media, for its scripts in some languages."""
    read = sorted(run_set.reasons) if "zh" in languages else ()
    reasons = {why: reason(why) for why in read}
    labelled = {run.label: run.label for run in run_set.runs} | _groups_of(run_set)
    names = {name: zh for name, own in labelled.items() if (zh := say(own, "zh")) != name}
    runs = [
        PageRun(
            run.label, run.manifest.benchmark, mark.series.looks, mark.series.shape, run.running
        )
        for run, mark in zip(run_set.runs, run_marks(run_set), strict=True)
    ]
    return PageData(
        runs, STATES, MARKS, {language: labels(language) for language in languages},
        names | {why: say(one, "zh") for why, one in reasons.items() if isinstance(one, Said)},
    )  # fmt: skip


def _groups_of(run_set: RunSet) -> dict[str, Text]:
    """The groups of all trials with what pages call them."""
    titles: dict[str, Text] = {}
    for run in run_set.runs:
        titles |= known(run.manifest).titles
    groups = dict.fromkeys(group for case in run_set.cases for group in case.groups)
    return {group: titles.get(group) or group_in_words(group) for group in groups}


class CodedColumn(msgspec.Struct, frozen=True):
    """A column: its different values, as text, and for each row the place of its own (-1: none)."""

    values: list[Any]
    codes: list[int]

    @property
    def listed(self) -> bool:
        """True if trials can be chosen by it from a list."""
        different = len(self.values) + (-1 in self.codes)
        return different >= 2 and len(self.values) <= _MOST_VALUES


class RunColumns(msgspec.Struct, frozen=True):
    """Columns of a run's outcomes, one entry a trial.

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
    measured : CodedColumn
        What was measured of a reply that names no option, with its unit.
    """

    states: str
    letters: str
    read: CodedColumn
    cause: CodedColumn
    measured: CodedColumn


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
    items : list of int
        Trials of one number ask the same in the same way; empty where nothing was asked again.
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
    items: list[int]
    runs: list[RunColumns]
    starts: list[int]


def index(run_set: RunSet, starts: list[int]) -> TrialIndex:
    """The index of a page whose files of trials begin with these."""
    cases = run_set.cases
    names = dict.fromkeys(tag for case in cases for tag in case.tags)
    tags = {tag: _coded([case.tags.get(tag) for case in cases]) for tag in names}
    for number, run in enumerate(run_set.runs):
        read = [case.answers[number].verdict.tags if number in case.answers else {}
                for case in cases]  # fmt: skip
        for tag in dict.fromkeys(tag for own in read for tag in own):
            column = _coded([own.get(tag) for own in read])
            tags[f"{tag} ({run.label})" if len(run_set.runs) > 1 else tag] = column
    items = [(case.benchmark, case.item) for case in cases]
    numbers = {item: number for number, item in enumerate(dict.fromkeys(items))}
    return TrialIndex(
        ids=[case.id for case in cases],
        stems=[" ".join(case.stem[: 2 * _SNIPPET].split())[:_SNIPPET] for case in cases],
        gold="".join(_letter(case.gold) for case in cases),
        benchmark=_coded([case.benchmark for case in cases]),
        groups=_coded([case.groups for case in cases]),
        tags={tag: column for tag, column in tags.items() if column.listed},
        items=[numbers[item] for item in items] if len(numbers) < len(items) else [],
        runs=[_columns(run_set, number) for number in range(len(run_set.runs))],
        starts=starts,
    )


def _columns(run_set: RunSet, number: int) -> RunColumns:
    answers = [case.answers.get(number) for case in run_set.cases]
    return RunColumns(
        states="".join("-" if a is None else _DIGITS[a.verdict.of_reply] for a in answers),
        letters="".join(_letter(None if a is None else a.verdict.letter) for a in answers),
        read=_coded([a.verdict.confidence or None if a else None for a in answers]),
        cause=_coded([a.cause or None if a else None for a in answers]),
        measured=_coded([a and _measured(a.verdict) for a in answers]),
    )


def _measured(verdict: Verdict) -> str | None:
    first = None if verdict.letter else next(iter(verdict.scores.items()), None)
    return f"{first[1]:.3g} {first[0]}" if first else None


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


_KINDS = {"syncopation": "rhythm", "transposition": "melody", "chords": "chord"}
Rows = list[list[int]]


class SoundPart(msgspec.Struct, frozen=True, gc=False):
    """A recording in a message, by its SHA-256, and what was played of it."""

    sound: str
    start: float | None
    end: float | None


class PicturePart(msgspec.Struct, frozen=True, gc=False):
    """A picture in a message, by its SHA-256."""

    picture: str
    width: int
    height: int


class TextPart(msgspec.Struct, frozen=True, gc=False):
    """Words in a message."""

    text: str


class PageMessage(msgspec.Struct, frozen=True, gc=False):
    """One turn of a conversation."""

    role: str
    parts: list[SoundPart | PicturePart | TextPart]


class AskedWay(msgspec.Struct, frozen=True, gc=False):
    """A way in which runs put a trial; `options` are letter, text and key."""

    messages: list[PageMessage]
    options: list[tuple[str, str, str]]
    target: str | None


class PageCall(msgspec.Struct, omit_defaults=True, gc=False):
    """One call of the model; the page knows what is left out (`trial.js`)."""

    text: str
    sent: list[PageMessage] | None = None
    purpose: str = "answer"
    finish: Finish = "stop"
    latency: float | None = None
    usage: dict[str, int] = {}
    reasoning: str | None = None


class PageOutcome(msgspec.Struct, omit_defaults=True, gc=False):
    """A run's outcome of a trial; `asked` is the number of the way in which it was put."""

    run: int
    asked: int
    state: State
    letter: str | None
    key: str | None
    why: str
    policy: str
    confidence: str
    span: tuple[int, int] | None
    turns: list[PageCall]
    scores: dict[str, float] = {}
    tags: dict[str, Tag] = {}
    error: str | None = None
    attempts: int = 1
    heard: Rows | None = None
    faults: list[str] = []


class PianoRoll(msgspec.Struct, frozen=True, gc=False):
    """The kind of a trial's numbers, and the true ones, where they are known."""

    kind: str | None
    truth: Rows | None


class TrialDetails(msgspec.Struct, gc=False):
    """One trial in full.

    Attributes
    ----------
    id, stem : str
    asked : list of AskedWay
        The different ways in which the runs put it.
    runs : list of PageOutcome
        What each made of it.
    tags : dict of str to Tag
    step : (str, int) or None
        Its sequence and its place in it from 1 on; None for a trial by itself.
    roll : PianoRoll
    notation : list of (str, str)
        Labels and ids of its tunes.
    sounds, pictures : dict, or UNSET
        On a page that is served: what is known of its recordings and pictures, by SHA-256.
    engraved : dict of str to str, or UNSET
        In one file: its engravings.
    """

    id: str
    stem: str
    asked: list[AskedWay]
    runs: list[PageOutcome]
    tags: dict[str, Tag]
    step: tuple[str, int] | None
    roll: PianoRoll
    notation: list[tuple[str, str]]
    sounds: dict[str, SoundEntry] | msgspec.UnsetType = msgspec.UNSET
    pictures: dict[str, PictureEntry] | msgspec.UnsetType = msgspec.UNSET
    engraved: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


def describe(case: Case, records: dict[int, Record], notation: Engravings) -> TrialDetails:
    """One trial as the page shows it.

    Parameters
    ----------
    case : Case
    records : dict of int to Record
        By the number of the run.
    notation : Engravings
        Notes every tune that the trial's words hold.
    """
    asked: list[AskedWay] = []
    runs = []
    ways: list[Trial] = []  # most runs ask alike: what is equal is put into words once
    for number, record in records.items():
        place = next((n for n, trial in enumerate(ways) if _alike(trial, record.trial)), None)
        if place is None:
            place = len(ways)
            ways.append(record.trial)
            asked.append(_way(record.trial))
        runs.append(_outcome(number, place, record))
    trial = next(iter(records.values())).trial
    return TrialDetails(
        case.id, trial.stem, asked, runs, case.tags,
        (trial.sequence, trial.step) if trial.sequence else None,
        PianoRoll(_KINDS.get(str(case.tags.get("task"))), _truth(trial)), notation.named(trial),
    )  # fmt: skip


def _alike(one: Trial, two: Trial) -> bool:
    """Tell whether two trials put a question in the same way."""
    same = one.messages, one.options, one.target
    return one is two or same == (two.messages, two.options, two.target)


def _way(trial: Trial) -> AskedWay:
    options = [(option.letter, option.text, option.key) for option in trial.options]
    return AskedWay([_message(one) for one in trial.messages], options, trial.target)


def _message(message: Message) -> PageMessage:
    return PageMessage(message.role, [_part(part) for part in message.parts])


def _part(part: Part) -> SoundPart | PicturePart | TextPart:
    if isinstance(part, Audio):
        return SoundPart(part.sha256, part.start, part.end)
    if isinstance(part, Image):
        return PicturePart(part.sha256, part.width, part.height)
    return TextPart(part.text)


def _outcome(run: int, asked: int, record: Record) -> PageOutcome:
    verdict, notes = record.verdict, record.exchange.notes
    return PageOutcome(
        run=run, asked=asked, state=verdict.of_reply, letter=verdict.letter, key=verdict.answer,
        why=verdict.why, policy=verdict.policy, confidence=verdict.confidence, span=verdict.span,
        turns=[_call(turn) for turn in record.exchange.turns], scores=verdict.scores,
        tags=verdict.tags, error=record.error, attempts=record.attempts, heard=_heard(record),
        faults=_faults(notes) if notes else [],
    )  # fmt: skip


def _call(turn: Turn) -> PageCall:
    reply, detail = turn.reply, turn.reply.detail
    reasoning = (detail.get("reasoning") or detail.get("why")) if detail else None
    return PageCall(
        text=reply.text,
        sent=None if turn.sent is None else [_message(message) for message in turn.sent],
        purpose=turn.purpose, finish=reply.finish, latency=reply.latency_s, usage=reply.usage,
        reasoning=reasoning if isinstance(reasoning, str) else None,
    )  # fmt: skip


def _faults(notes: dict[str, Any]) -> list[str]:
    faults = notes.get("faults") or []
    return [str(fault.get("message")) for fault in faults if isinstance(fault, dict)]


def _truth(trial: Trial) -> Rows | None:
    """The true numbers, where a tag holds them as ``60 64 67 | 62 65``."""
    packed = trial.tags.get("transcription")
    if not isinstance(packed, str):
        return None
    try:
        return [[int(number) for number in row.split()] for row in packed.split("|")]
    except ValueError:
        return None


def _heard(record: Record) -> Rows | None:
    """Return what was transcribed: by LogicLM's transcription, or by a model that gives it."""
    exchange = record.exchange
    candidates = [exchange.notes.get("transcription")] if exchange.notes else []
    candidates += [t.reply.detail.get("heard") for t in exchange.turns if t.reply.detail]
    for candidate in candidates:
        if candidate is not None:
            with contextlib.suppress(msgspec.ValidationError):
                return msgspec.convert(candidate, Rows)
    return None


def media_of(details: Sequence[TrialDetails]) -> tuple[set[str], set[str]]:
    """The SHA-256 of every recording that is heard, and of every picture, in some trials."""
    messages = [
        message
        for detail in details
        for conversation in (
            *(way.messages for way in detail.asked),
            *(turn.sent or () for run in detail.runs for turn in run.turns),
        )
        for message in conversation
    ]
    parts = [part for message in messages for part in message.parts]
    heard = {part.sound for part in parts if isinstance(part, SoundPart)}
    return heard, {part.picture for part in parts if isinstance(part, PicturePart)}
