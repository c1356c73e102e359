"""The run folder: a manifest (run.json) and an append-only log (records.jsonl).

Promises
--------
* Each record reaches the operating system before the next trial of its worker is asked, and
  the disk within a second: a killed process loses only the replies in flight.
* A last line that a crash left torn is cut off when the folder is opened again, and said.
* One trial has one valid record: an error record is superseded by a later record of the same
  trial. When a run ends, superseded lines are moved to failures.jsonl.
* A folder is never continued with other settings; the difference is spelled out.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from zhiyin.errors import InputError
from zhiyin.record import Record, State

RECORDS, MANIFEST, FAILURES = "records.jsonl", "run.json", "failures.jsonl"
_FSYNC_EVERY_S = 0.5

_encoder = msgspec.json.Encoder()


class BriefVerdict(msgspec.Struct):
    """As much of a verdict as resuming needs."""

    state: State


class BriefRecord(msgspec.Struct):
    """As much of a record as resuming needs."""

    id: str
    verdict: BriefVerdict


class Session(msgspec.Struct, omit_defaults=True):
    """One time that somebody worked on a run."""

    started: str
    asked: int = 0
    elapsed_s: float = 0.0
    ended: str | None = None
    stopped: str | None = None


class Manifest(msgspec.Struct):
    """What a run is: everything that has to be equal for two sessions to be one run.

    `config` is compared when a folder is opened again; the rest is information. `label` is what
    the user calls the run; empty for its model's name.
    """

    benchmark: str
    model: str
    config: dict[str, Any]
    options: dict[str, Any]
    planned: int
    versions: dict[str, str] = {}
    decoding: dict[str, Any] = {}
    remarks: list[str] = []
    sessions: list[Session] = []
    states: dict[str, int] = {}
    label: str = ""
    format: int = 1


R = TypeVar("R")


def iterate(path: Path, kind: type[R]) -> Iterator[tuple[R, bytes]]:
    """Each whole line of a log, decoded as `kind`, with its bytes. A torn end is left out.

    Raises
    ------
    InputError
        For a damaged line that is not the last one: the file was changed by something else.
    """
    decoder = msgspec.json.Decoder(kind)
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield decoder.decode(line), line
            except msgspec.MsgspecError as error:
                raise InputError(
                    f"{path}, line {number}: not a record ({error}); delete the line to ask that "
                    "trial again"
                ) from None


def read_records(folder: Path) -> Iterator[Record]:
    """The valid record of each trial in a run folder, in the order of the log.

    While a run is unfinished its log may hold superseded error records; they are left out.
    """
    path = find_log(folder)
    last_failure = _last_line_of_failed(path)
    for number, (record, _) in enumerate(iterate(path, Record), 1):
        if last_failure.get(record.id, number) == number:
            yield record


def _last_line_of_failed(path: Path) -> dict[str, int]:
    """For each trial that failed at least once, the number of its last line."""
    last: dict[str, int] = {}
    for number, (record, _) in enumerate(iterate(path, BriefRecord), 1):
        if record.verdict.state == "error" or record.id in last:
            last[record.id] = number
    return last


def find_log(folder: Path) -> Path:
    """The log in a run folder. Raises `InputError` when it is not a run folder."""
    path = folder / RECORDS
    if not path.is_file():
        what = "no such folder" if not folder.is_dir() else f"no {RECORDS} in it"
        raise InputError(f"{folder} is not a run: {what}; give a folder that `zhiyin run` wrote")
    return path


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a run folder. Raises `InputError` when it is missing or damaged."""
    path = folder / MANIFEST
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError:
        raise InputError(f"{folder} is not a run: no {MANIFEST} in it") from None
    except msgspec.MsgspecError as error:
        raise InputError(f"{path}: not a run's manifest ({error})") from None


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a crash leaves either the old one or the new one."""
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


class RunFolder:
    """A run folder opened for writing. Use as a context manager.

    Parameters
    ----------
    folder : Path
        Made if it is not there. Continued if it holds the same run.
    manifest : Manifest
        What is to be run.

    Attributes
    ----------
    answered : dict of str to bool
        The ids of trials that need not be asked again. The runner marks with True those that
        the benchmark has named in this session.
    remarks : list of str
        What was found and put right on opening, for the user.

    Raises
    ------
    InputError
        When the folder holds a run with other settings, is being written by another process,
        or cannot be written.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self.remarks: list[str] = []
        self.answered: dict[str, bool] = {}
        self.answered_before = False
        self._failed: set[str] = set()
        self._superseded = False
        self._dirty, self._closing = False, threading.Event()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(
                folder / RECORDS, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644
            )
        except OSError as error:
            raise InputError(
                f"cannot write to {folder}: {error.strerror}; choose another folder with --out"
            ) from None
        try:
            self._lock()
            self._adopt()
            self._load()
            self.write_manifest()
        except BaseException:
            os.close(self._descriptor)
            raise
        self._syncer = threading.Thread(target=self._sync_regularly, daemon=True)
        self._syncer.start()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(
                f"{self.folder} is being written by another zhiyin: wait for it to end, or "
                "choose another folder with --out"
            ) from None

    def _adopt(self) -> None:
        """Take over the history of the manifest that is there, if its settings are ours."""
        if not (self.folder / MANIFEST).exists():
            if os.fstat(self._descriptor).st_size:
                raise InputError(
                    f"{self.folder} holds {RECORDS} but no {MANIFEST}: choose another folder"
                )
            return
        old = read_manifest(self.folder)
        differences = list(_differences(old.config, self.manifest.config))
        if differences:
            raise InputError(
                f"{self.folder} holds a run with other settings ({'; '.join(differences)}): "
                "choose another folder with --out, or repeat the old settings"
            )
        self.manifest.sessions = old.sessions
        self.manifest.label = self.manifest.label or old.label

    def _load(self) -> None:
        """Learn what has been answered; cut off a torn last line."""
        path, size, failures = self.folder / RECORDS, 0, 0
        for record, line in iterate(path, BriefRecord):
            size += len(line)
            if record.verdict.state == "error":
                self._failed.add(record.id)
                failures += 1
            else:
                self.answered[record.id] = False
        self._failed -= self.answered.keys()
        torn = os.fstat(self._descriptor).st_size - size
        if torn:
            os.ftruncate(self._descriptor, size)
            self.remarks.append(f"{path}: cut off a torn last line of {torn} bytes")
        self._size = size
        self.answered_before = bool(self.answered)
        # An earlier session may have been killed between superseding a line and retiring it.
        self._superseded = failures > len(self._failed)

    def append(self, record: Record) -> None:
        """Add one record. When this returns, the operating system has it.

        Raises
        ------
        InputError
            When the disk is full or the file cannot grow. What was logged before stays whole.
        """
        line = _encoder.encode(record) + b"\n"
        if record.id in self._failed:
            self._superseded = True
        written = 0
        try:
            while written < len(line):
                written += os.write(self._descriptor, line[written:])
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, self._size)
            raise InputError(
                f"cannot write to {self.folder / RECORDS}: {error.strerror}; everything logged "
                "so far is safe: make room and run the same command again"
            ) from None
        self._size += len(line)
        self._dirty = True

    def _sync_regularly(self) -> None:
        while not self._closing.wait(_FSYNC_EVERY_S):
            if self._dirty:
                self._dirty = False
                os.fsync(self._descriptor)

    def sync(self) -> None:
        """Wait until everything appended is on the disk."""
        self._dirty = False
        os.fsync(self._descriptor)

    def write_manifest(self) -> None:
        """Write run.json as it now is."""
        content = msgspec.json.format(_encoder.encode(self.manifest), indent=2) + b"\n"
        try:
            write_atomically(self.folder / MANIFEST, content)
        except OSError as error:
            raise InputError(f"cannot write {self.folder / MANIFEST}: {error.strerror}") from None

    def retire_superseded(self) -> None:
        """Move error records that a later record of their trial supersedes to failures.jsonl."""
        if not self._superseded:
            return
        path = self.folder / RECORDS
        last = _last_line_of_failed(path)
        kept = self.folder / f".{RECORDS}.new"
        with kept.open("wb") as good, (self.folder / FAILURES).open("ab") as retired:
            for number, (record, line) in enumerate(iterate(path, BriefRecord), 1):
                (good if last.get(record.id, number) == number else retired).write(line)
            for file in (retired, good):
                file.flush()
                os.fsync(file.fileno())
            kept.replace(path)
        self._superseded = False

    def close(self) -> None:
        """Make everything durable and let go of the folder."""
        self._closing.set()
        self._syncer.join()
        with contextlib.suppress(OSError):
            self.sync()
        os.close(self._descriptor)

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _differences(old: dict[str, Any], new: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from _differences(before, after, f"{name}.")
        elif before != after:
            yield f"{prefix}{name} was {_short(before)}, now {_short(after)}"


def _short(value: Any) -> str:
    text = "unset" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:16]}…{text[-8:]}"
