"""The trials of several runs side by side: read once, kept small, looked up again in the logs."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.analysis.extent import Extent, sounds_of
from zhiyin.engine.entries import gold_of, question_of
from zhiyin.engine.folder import DAMAGED
from zhiyin.engine.log import (
    MANIFEST,
    Manifest,
    decode_line,
    find_log,
    is_being_written,
    read_manifest,
)
from zhiyin.engine.naming import run_names
from zhiyin.record import NOT_JUDGED, Record, State
from zhiyin.report.ledger import Ledger, groups_of
from zhiyin.trial import Audio, Image, Message, Option, Tag, one_line

_CAUSE = 80
"""Characters of a cause in the list of trials."""
MOST_LISTED = 50_000
"""A browser holds so many trials, and filters them at once."""
_MOST_REASONS = 1000
_READ = ("correct", "wrong", *NOT_JUDGED)
_decoder = msgspec.json.Decoder(Record)
_NAMES_MEDIA = b'"sha256"'
"""What stands in the line of every record with sound or pictures."""


class _Verdict(msgspec.Struct, gc=False):
    state: State
    answer: str | None = None
    letter: str | None = None
    why: str = ""
    tags: dict[str, Tag] = {}
    confidence: str = ""


class _Trial(msgspec.Struct, gc=False):
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
    messages: tuple[Message, ...] = ()


class _Record(msgspec.Struct, gc=False):
    """As much of a record as the list of trials holds."""

    id: str
    verdict: _Verdict
    trial: _Trial
    error: str | None = None
    last: bool = False


class _HeardRecord(_Record, gc=False):
    trial: _HeardTrial


_brief, _heard = msgspec.json.Decoder(_Record), msgspec.json.Decoder(_HeardRecord)


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
    answer by state and by what was said of them; `running`, whether somebody writes it now.
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
    told: tuple[int, int] = (0, 0)
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
                if line[-1:] != b"\n":
                    break
                run.lines += 1
                decoder: msgspec.json.Decoder[Any] = _heard if _NAMES_MEDIA in line else _brief
                try:
                    record = decoder.decode(line)
                except DAMAGED:
                    record = decode_line(decoder, line, f"{path}, line {run.lines}")
                self._enter(number, run, record, len(line))
                run.position += len(line)
        state = is_being_written(run.folder), _version(run.folder / MANIFEST)
        if not again and run.position == begun and state == (run.running, run.told):
            return False
        run.running, run.told = state
        run.manifest = run.extent.manifest = read_manifest(run.folder)
        return True

    def _enter(self, number: int, run: Run, record: _Record, length: int) -> None:
        trial, verdict, name = record.trial, record.verdict, run.manifest.benchmark
        media, heard = self._media(trial) if isinstance(trial, _HeardTrial) else ((), False)
        sounds = sounds_of(trial) if media else ()
        transcription = trial.tags.get("transcription") if trial.tags else None
        identity = name, record.id, trial.stem, trial.target, transcription, media
        ledger = self.ledgers[name]
        place = self._places.setdefault(hash(identity), len(ledger))
        judged = False
        if place == len(ledger):
            gold = gold_of(trial.options, trial.target)
            question = question_of(trial.stem, trial.options, trial.target, sounds)
            ledger.enter(trial, gold, heard, question)
            if zlib.crc32(record.id.encode()) < self._below:
                self._listed[name, place] = len(self.cases)
                groups = groups_of(trial.groups, trial.tags)
                self.cases.append(Case(name, trial.id, trial.stem, gold, groups, trial.tags, {}))
        else:
            judged = ledger.state(number, place) not in (None, "error")
        state = verdict.state
        if state == "error":
            if judged:
                return  # an answer goes before a failure
            run.extent.add_failed(trial)
        elif not judged:
            run.extent.add(trial, sounds, last=record.last)
            if state not in _READ:
                run.unread[state, verdict.why] += 1
        if len(self.reasons) < _MOST_REASONS:
            self.reasons.add(verdict.why)
        ledger.answer(number, place, state, verdict.letter)
        if (listed := self._listed.get((name, place))) is not None:
            self.cases[listed].answers[number] = Answer(
                *(state, verdict.letter, verdict.answer, verdict.tags),
                *(run.position, length, verdict.confidence, _cause(record)),
            )

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
        logs = [find_log(run.folder).open("rb") for run in self.runs]
        try:
            for case in self.cases[first:last]:
                found = {}
                for number, answer in sorted(case.answers.items()):
                    logs[number].seek(answer.start)
                    line = logs[number].read(answer.length)
                    found[number] = decode_line(_decoder, line, str(self.runs[number].folder))
                yield case, found
        finally:
            for log in logs:
                log.close()


def _cause(record: _Record) -> str:
    """Why there is no answer, in one line; empty where there is one."""
    if record.verdict.state in ("correct", "wrong", "ungraded"):
        return ""
    told = record.error if record.verdict.state == "error" else record.verdict.why
    line = " ".join((told or record.verdict.state.replace("_", " ")).split())
    return line if len(line) <= _CAUSE else f"{line[: _CAUSE - 1]}…"


def _version(path: Path) -> tuple[int, int]:
    """What changes when a file is written anew."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_ino, found.st_mtime_ns


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
