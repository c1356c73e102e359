"""The trials of several runs side by side: read once, kept small, looked up again in the logs."""

from __future__ import annotations

import os
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.analysis.extent import Extent, Facts, sounds_of
from zhiyin.contract.declared import Published
from zhiyin.engine.items import gold_of
from zhiyin.engine.log import (
    MANIFEST,
    Manifest,
    decode_line,
    find_log,
    is_being_written,
    read_manifest,
)
from zhiyin.engine.naming import run_names
from zhiyin.record import NOT_JUDGED, Exchange, Record, State, Verdict
from zhiyin.report.ledger import Ledger
from zhiyin.trial import Audio, Image, Message, Option, Tag, Trial, one_line

_CAUSE = 80
"""Characters of a cause in the list of trials."""
MOST_LISTED = 50_000
"""A browser holds so many trials, and filters them at once."""
_MOST_REASONS = 1000
_MOST_KNOWN = 200_000
"""Of so many trials it is remembered in which bytes they stood, in some 300 bytes a trial."""


class _Outcome(msgspec.Struct):
    """A record whose trial is left as it stands: most runs ask alike, byte for byte."""

    id: str
    verdict: Verdict
    trial: msgspec.Raw
    error: str | None = None
    last: bool = False


class _Full(_Outcome, kw_only=True):
    """The same, with the conversation."""

    exchange: Exchange = msgspec.field(default_factory=Exchange)
    attempts: int = 1


class _Trial(msgspec.Struct, gc=False):
    """As much of a trial as the list of trials holds."""

    id: str
    stem: str = ""
    options: tuple[Option, ...] = ()
    target: str | None = None
    groups: tuple[str, ...] = ()
    cluster: str | None = None
    tags: dict[str, Tag] = {}
    item: str = ""
    condition: str = ""
    sequence: str = ""
    step: int = 0


class _HeardTrial(_Trial, gc=False):
    """The same, with its messages."""

    messages: tuple[Message, ...] = ()


_NAMES_MEDIA = b'"sha256"'
"""What stands in every trial with sound or pictures."""
_outcome, _full = msgspec.json.Decoder(_Outcome), msgspec.json.Decoder(_Full)
_brief, _heard = msgspec.json.Decoder(_Trial), msgspec.json.Decoder(_HeardTrial)
_trial = msgspec.json.Decoder(Trial)


class _Known(msgspec.Struct, frozen=True, gc=False):
    """A trial that was met before: its place in the ledger, and what extents count of it."""

    place: int
    asked: Facts


class Answer(msgspec.Struct):
    """What one run made of a trial, and where in its log the record lies.

    `confidence` says how surely an answer was read, `cause` why there is none.
    """

    state: State
    letter: str | None
    key: str | None
    tags: dict[str, Tag]
    start: int
    length: int
    confidence: str = ""
    cause: str = ""


class Case(msgspec.Struct):
    """One trial that is listed, and what each run made of it (by the run's number)."""

    benchmark: str
    id: str
    stem: str
    gold: str | None
    """The letter under which the right option was shown first; None for a free answer."""
    groups: tuple[str, ...]
    """As `ledger.Kind` has them."""
    tags: dict[str, Tag]
    answers: dict[int, Answer] = {}


class Run(msgspec.Struct):
    """One run folder, how far its log has been read, and what was found in it.

    `extent` says how much of the published data was asked; `unread` counts replies without an
    answer by state and by cause; `running`, whether somebody writes it now.
    """

    folder: Path
    manifest: Manifest
    label: str
    extent: Extent
    unread: Counter[tuple[State, str]] = msgspec.field(default_factory=Counter)
    position: int = 0
    inode: int = 0
    lines: int = 0
    running: bool = False
    manifest_version: tuple[int, int] = (0, 0)
    """Which run.json was read: its inode, and when it was written (ns)."""

    def __repr__(self) -> str:
        """On one line: its name and how much has been read."""
        return one_line("Run", self.label, "", self.manifest.benchmark, f"{self.lines:,} lines")


class Casebook:
    """All trials of some runs.

    Trials of two runs are the same where benchmark, id, question, target, sound, pictures and
    transcription are: runs on other data are never compared by the mere name of a trial.

    Parameters
    ----------
    folders : sequence of Path
        Run folders, finished or not.

    Attributes
    ----------
    runs : list of Run
    ledgers : dict of str to Ledger
        All trials of each benchmark: what figures are made of.
    cases : list of Case
        Those that are listed and shown in full, in order of first appearance: all, or, of runs
        that plan more than `MOST_LISTED` trials between them, about so many, drawn by their names.
    sounds : dict of str to Audio
        Every recording that a record names, by its SHA-256.
    pictures : dict of str to Image
        Likewise every picture.
    reasons : set of str
        Why replies were read as they were, in the reader's words; a thousand at most.

    Raises
    ------
    InputError
        When a folder is not a run, or a log is damaged.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        manifests = [read_manifest(folder) for folder in folders]
        self.runs = [
            Run(folder, manifest, name, Extent(manifest))
            for folder, manifest, name in zip(
                folders, manifests, run_names(folders, manifests), strict=True
            )
        ]
        self.ledgers = {run.manifest.benchmark: Ledger() for run in self.runs}
        self.cases: list[Case] = []
        self._listed: dict[tuple[str, int], int] = {}
        self._below = _share_listed(manifests) * 2**32
        self.sounds: dict[str, Audio] = {}
        self.pictures: dict[str, Image] = {}
        self._places: dict[int, int] = {}  # by a hash of what a trial is
        self._sorts = [  # of each run the first one of which the same is expected
            next(n for n, other in enumerate(self.runs) if _expects(other) == _expects(run))
            for run in self.runs
        ]
        self._known: dict[int, _Known] = {}  # by a hash of the bytes
        self.reasons: set[str] = set()
        self.catch_up()

    def catch_up(self) -> bool:
        """Read what the logs have gained. Whether anything has changed."""
        changed = [self._read(number) for number in range(len(self.runs))]
        return any(changed)

    def _read(self, number: int) -> bool:
        run = self.runs[number]
        path = find_log(run.folder)
        with path.open("rb") as log:
            inode = path.stat().st_ino
            again = run.inode not in (0, inode)  # the runner replaces the log when it ends
            if again:
                run.position = run.lines = 0
                run.extent, run.unread = Extent(run.manifest), Counter()
                self.ledgers[run.manifest.benchmark].forget(number)
                for case in self.cases:
                    case.answers.pop(number, None)
            run.inode, begun = inode, run.position
            log.seek(run.position)
            for line in log:
                if not line.endswith(b"\n"):
                    break
                run.lines += 1
                where = f"{path}, line {run.lines}"
                record = decode_line(_outcome, line, where)
                self._enter(number, record, len(line), where)
                run.position += len(line)
        state = is_being_written(run.folder), _version(run.folder / MANIFEST)
        if not again and run.position == begun and state == (run.running, run.manifest_version):
            return False
        run.running, run.manifest_version = state
        run.manifest = run.extent.manifest = read_manifest(run.folder)
        return True

    def _enter(self, number: int, record: _Outcome, length: int, where: str) -> None:
        verdict, run = record.verdict, self.runs[number]
        known = self._known_as(number, record, where)
        place, asked = known.place, known.asked
        name, ledger = run.manifest.benchmark, self.ledgers[run.manifest.benchmark]
        judged = ledger.state(number, place) not in (None, "error")
        if verdict.state == "error" and judged:
            return  # an answer goes before a failure
        if verdict.state != "error" and not judged:
            run.extent.add_facts(asked, last=record.last)
            if verdict.state not in ("correct", "wrong", *NOT_JUDGED):
                run.unread[verdict.state, verdict.why] += 1
        elif verdict.state == "error":
            run.extent.add_failed(asked)
        if len(self.reasons) < _MOST_REASONS:
            self.reasons.add(verdict.why)
        ledger.answer(number, place, verdict.state, verdict.letter)
        if (listed := self._listed.get((name, place))) is not None:
            self.cases[listed].answers[number] = Answer(
                *(verdict.state, verdict.letter, verdict.answer, verdict.tags),
                *(run.position, length, verdict.confidence, _cause(record)),
            )

    def _known_as(self, number: int, record: _Outcome, where: str) -> _Known:
        """A record's trial, looked up by its bytes, or else taken up."""
        line = bytes(record.trial)
        shared = self._sorts.count(self._sorts[number]) > 1
        name = hash((self._sorts[number], record.id, line)) if shared else 0
        known = self._known.get(name) if shared else None
        if known is None:
            decoder: msgspec.json.Decoder[Any] = _heard if _NAMES_MEDIA in line else _brief
            trial = decode_line(decoder, line, where)
            media, heard = self._media(trial) if isinstance(trial, _HeardTrial) else ((), False)
            sounds = sounds_of(trial) if media else []
            place = self._place(number, trial, media, heard, sounds)
            known = _Known(place, self.runs[number].extent.facts_of(trial, sounds))
            if shared and len(self._known) < _MOST_KNOWN:
                self._known[name] = known
        return known

    def _place(
        self, number: int, trial: _Trial, media: tuple[str, ...], heard: bool, sounds: list[str]
    ) -> int:
        """The place of a trial in its ledger, where it is entered if it is not there yet."""
        name = self.runs[number].manifest.benchmark
        transcription = trial.tags.get("transcription") if trial.tags else None
        identity = name, trial.id, trial.stem, trial.target, transcription, media
        ledger = self.ledgers[name]
        place = self._places.setdefault(hash(identity), len(ledger))
        if place == len(ledger):
            gold = gold_of(trial.options, trial.target)
            question = _question(trial, sounds)
            ledger.enter(trial, gold, heard, question)
            if zlib.crc32(trial.id.encode()) < self._below:
                self._listed[name, place] = len(self.cases)
                groups = ledger.groups(place)
                self.cases.append(Case(name, trial.id, trial.stem, gold, groups, trial.tags, {}))
        return place

    def _media(self, trial: _HeardTrial) -> tuple[tuple[str, ...], bool]:
        """The SHA-256 of what is heard and seen in a trial, kept by it; whether it is heard."""
        parts = [part for message in trial.messages for part in message.parts]
        sounds = [part for part in parts if isinstance(part, Audio)]
        pictures = [part for part in parts if isinstance(part, Image)]
        for sound in sounds:
            self.sounds.setdefault(sound.sha256, sound)
        for picture in pictures:
            self.pictures.setdefault(picture.sha256, picture)
        names = [sound.sha256 for sound in sounds] + [picture.sha256 for picture in pictures]
        return tuple(names), bool(sounds)

    @property
    def trials(self) -> int:
        """How many trials there are, listed or not."""
        return sum(map(len, self.ledgers.values()))

    def records(self, first: int, last: int) -> Iterator[tuple[Case, dict[int, Record]]]:
        """The full records of the cases from `first` up to, not including, `last`."""
        paths = [str(find_log(run.folder)) for run in self.runs]
        logs = [os.open(path, os.O_RDONLY | os.O_CLOEXEC) for path in paths]
        try:
            for case in self.cases[first:last]:
                by_run: dict[int, Record] = {}
                ways: dict[bytes, Trial] = {}
                for number, answer in sorted(case.answers.items()):
                    line = os.pread(logs[number], answer.length, answer.start)
                    where = f"{paths[number]}, byte {answer.start:,}"
                    record = decode_line(_full, line, where)
                    way = bytes(record.trial)
                    if way not in ways:
                        ways[way] = decode_line(_trial, way, where)
                    rest = record.exchange, record.error, record.attempts, record.last
                    by_run[number] = Record(record.id, record.verdict, ways[way], *rest)
                yield case, by_run
        finally:
            for log in logs:
                os.close(log)


def _expects(run: Run) -> tuple[str, Published | None]:
    return run.manifest.benchmark, run.extent.expected


def _question(trial: _Trial, sounds: list[str]) -> int | None:
    """A number that is equal for trials that ask the same; None without a target."""
    if trial.target is None:
        return None
    offered = frozenset((option.key, option.text) for option in trial.options)
    return hash((trial.stem, offered, trial.target, *sounds))


def _cause(record: _Outcome) -> str:
    """Why there is no answer, in one line; empty where there is one."""
    if record.verdict.state in ("correct", "wrong", "ungraded"):
        return ""
    words = record.error if record.verdict.state == "error" else record.verdict.why
    line = " ".join((words or record.verdict.state.replace("_", " ")).split())
    return line if len(line) <= _CAUSE else f"{line[: _CAUSE - 1]}…"


def _version(path: Path) -> tuple[int, int]:
    """What changes when a file is written anew."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0
    return state.st_ino, state.st_mtime_ns


def _share_listed(manifests: Sequence[Manifest]) -> float:
    """Which share of the trials is listed."""
    planned: dict[str, int] = {}
    for manifest in manifests:
        planned[manifest.benchmark] = max(planned.get(manifest.benchmark, 0), manifest.planned)
    return min(1.0, MOST_LISTED / max(1, sum(planned.values())))


def not_listed(book: Casebook) -> list[str]:
    """What to say where not all trials are listed."""
    if len(book.cases) == book.trials:
        return []
    return [
        f"{len(book.cases):,} of {book.trials:,} trials are listed, drawn by their names whatever "
        "became of them; all figures are over all trials"
    ]
