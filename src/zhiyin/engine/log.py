"""The run folder: a manifest (run.json) and an append-only log (records.jsonl).

Promises
--------
* Each record reaches the operating system before the next trial of its worker is asked, and
  the disk within a second: a killed process loses only the replies in flight.
* A last line that a crash left torn is cut off when the folder is opened again, with a remark.
* One trial has one valid record: an answer goes before an error, and of several the last one
  counts. When a run ends, superseded lines are moved to failures.jsonl.
* Of a sequence, the records are all that there is: a later session walks through them again.
* What is written can be read again: a record that JSON cannot hold is mended, or becomes an
  error record that keeps the replies.
* Where a budget is kept, a call is written down before it is sent (`zhiyin.engine.asking`).
* A log, journal or manifest that somebody deletes, replaces or cuts meanwhile is noticed within a
  second: nothing more is asked, and what was paid for is kept beside (`zhiyin.engine.appending`).
* When a session ends it lists the SHA-256 of its files, so that a later change is found.
* A folder is never continued with other settings; the error names the difference. Which part of
  the trials is asked is no such setting: a run may be extended.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.engine.appending import (
    EARLIER_SUMS,
    SUMS,
    AppendedFile,
    change_in,
    remove_sums,
    rescued,
    write_sums,
)
from zhiyin.engine.asking import Journal
from zhiyin.engine.folder import (
    CALLS,
    FAILURES,
    MANIFEST,
    PARTS,
    RECORDS,
    BriefRecord,
    Manifest,
    iterate,
    read_manifest,
    valid_lines,
    without_parts,
)
from zhiyin.engine.naming import brief
from zhiyin.engine.readable import UNWRITABLE, mended_record
from zhiyin.errors import InputError, TakenError, reworded, system_words
from zhiyin.files import refuse_pipes, write_atomically
from zhiyin.record import Record
from zhiyin.words import said
from zhiyin.words.findings import LinesRepeated, Remark, Warning
from zhiyin.words.reasons import reason

_FSYNC_EVERY_S = 0.5
_ALL_CHECKED = 100
_LOCK_TRIES, _LOCK_AGAIN_S = 5, 0.05

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Record)


def is_being_written(folder: Path) -> bool:
    """Tell whether a session of a run is going on now, in this process or another."""
    try:
        with (folder / RECORDS).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


@cache
def this_machine() -> str:
    """A word for this machine since it was started; empty where none can be had.

    Processes with the same word see each other's locks, in containers too.
    """
    try:
        boot_id = Path("/proc/sys/kernel/random/boot_id").read_bytes()
    except OSError:
        return ""
    return hashlib.sha256(boot_id).hexdigest()[:12]


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
    journal : Journal or None
        What calls were begun, where that is written down.
    lost : str
        What somebody has done to these files meanwhile, as a line for the user; "" for nothing.
    remarks : list of str or Warning
        What was repaired on opening, and what has changed since, for the user.

    Raises
    ------
    InputError
        When the folder holds a run with other settings, is being written by another process,
        or cannot be written.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self.remarks: list[str | Warning] = []
        self.answered: dict[str, bool] = {}
        self.answered_before = False
        self._failed: set[str] = set()
        self._unfit: frozenset[str] = frozenset()
        self._superseded = False
        self._appended = 0
        self._closing = threading.Event()
        self._sync_fault: OSError | None = None
        self.journal: Journal | None = None
        self._manifest: os.stat_result | None = None
        self._looking = threading.RLock()
        self.lost = ""
        descriptor = self._open()
        self._log = AppendedFile(folder / RECORDS, descriptor, os.fstat(descriptor).st_size)
        try:
            self._adopt()
            self._load()
            remove_sums(folder)
            self.write_manifest()
        except BaseException:
            self._log.close()
            raise
        self._syncer = threading.Thread(target=self._sync_regularly, daemon=True)
        self._syncer.start()

    def _open(self) -> int:
        """The log, opened and locked: a descriptor of the file that has its name now."""
        path = self.folder / RECORDS
        refuse_pipes(self.folder)
        for _ in range(_LOCK_TRIES):
            descriptor = -1
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                descriptor = os.open(
                    path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644
                )
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # The process that had the lock before may have put another file in its place.
                if os.path.samestat(os.fstat(descriptor), path.stat()):
                    return descriptor
            except BlockingIOError:
                time.sleep(_LOCK_AGAIN_S)  # a viewer may be looking whether we are here
            except FileNotFoundError:
                pass
            except OSError as error:
                if descriptor >= 0:
                    os.close(descriptor)
                why = system_words(error)
                raise InputError(said("error-write-to", folder=self.folder, why=why)) from None
            if descriptor >= 0:
                os.close(descriptor)
        if not self.folder.exists():  # so it goes where the working folder was taken away
            raise InputError(said("error-not-made", folder=self.folder))
        raise TakenError(said("error-taken", folder=self.folder))

    def _adopt(self) -> None:
        """Take over the history of the manifest that is there, if its settings are ours."""
        if not (self.folder / MANIFEST).exists():
            if self._log.size:
                facts = {"folder": self.folder, "records": RECORDS, "manifest": MANIFEST}
                raise InputError(said("error-half-run", **facts))
            return
        old, new = read_manifest(self.folder), self.manifest
        changes = list(differences(without_parts(old.config), without_parts(new.config)))
        if changes and self._is_bare():
            return
        if changes:
            moved = old.model != new.model and brief(old.model) == brief(new.model)
            raise InputError(said(
                "error-other-settings", folder=self.folder, changes=[*map(reason, changes)],
                moved=moved and "://" in new.model,
            ))  # fmt: skip
        new.sessions, new.id = old.sessions, old.id or new.id
        new.left_out(*old.decoding.get("left_out", ()))  # its replies are in the same log
        new.label, new.price, new.canary = new.label or old.label, old.price, old.canary
        before, now = (m.declared.get("origin", {}) for m in (old, new))
        if before and before.get("place") == now.get("place") and before != now:
            self.remarks.append(Remark(what=said("benchmark-edited", place=now["place"])))
        codes = [one.decoding.get("code") for one in (old, new)]
        if all(codes) and codes[0] != codes[1]:
            self.remarks.append(Remark(what=said("model-edited", model=new.spec)))
        new.config = {**without_parts(new.config), **_widest(old.config, new.config)}
        if (old.planned, old.units) > (new.planned, new.units):
            new.planned, new.sequences = old.planned, old.sequences

    def _is_bare(self) -> bool:
        """Tell whether nothing was answered, judged or handed in here: no settings bind then."""
        own = {RECORDS, MANIFEST, SUMS, EARLIER_SUMS, CALLS}
        there = {path.name for path in self.folder.iterdir()}
        return there <= own and not self._log.size

    def _load(self) -> None:
        """Learn what has been answered; cut off a torn last line."""
        path, size, failures, repeated = self.folder / RECORDS, 0, 0, 0
        for record, line in iterate(path, BriefRecord):
            size += len(line)
            if record.verdict.state == "error":
                self._failed.add(record.id)
                failures += 1
            else:
                repeated += record.id in self.answered
                self.answered[record.id] = False
        if repeated:
            self.remarks.append(LinesRepeated(n=repeated))
        self._failed -= self.answered.keys()
        if torn := self._log.size - size:
            self._log.cut(size)
            self.remarks.append(Remark(what=said("torn-line", file=str(path), n=torn)))
        self.answered_before = bool(self.answered)
        # An earlier session may have been killed between superseding a line and retiring it.
        self._superseded = failures > len(self._failed)

    def append(self, record: Record) -> Record:
        """Add one record. When this returns, the operating system has it.

        Raises
        ------
        InputError
            When the disk is full or the file cannot grow. What was logged before stays whole.

        Returns
        -------
        Record
            The one that was written: another where JSON cannot hold the one given.
        """
        self._appended += 1
        try:
            line = _encoder.encode(record) + b"\n"
            verdict = record.verdict
            # Replies have been checked when they came. All else that can be of a wrong type comes
            # from benchmark and strategy, which err from the start or in what they add.
            special = verdict.scores or verdict.tags or record.exchange.notes
            if special or self._appended <= _ALL_CHECKED:
                _decoder.decode(line)
        except UNWRITABLE as fault:
            record = mended_record(record, fault)
            line = _encoder.encode(record) + b"\n"
        if record.id in self._failed:
            self._superseded = True
        try:
            self._log.append(line)
            if self._sync_fault:
                raise self._sync_fault
        except OSError as error:
            raise self._unwritten(error) from None
        if self._log.lost:
            self.look()
        return record

    def keep_journal(self, *, wanted: bool) -> Journal | None:
        """Open the journal of calls where it is wanted, or where an earlier session began one.

        Raises
        ------
        InputError
            It cannot be written, or is damaged.
        """
        if wanted or (self.folder / CALLS).exists():
            self.journal = Journal(self.folder)
        return self.journal

    def supersede(self, record: Record) -> None:
        """Write a trial's record anew: the earlier line moves to failures.jsonl at the end."""
        self._superseded = True
        self.append(record)

    @property
    def failed_before(self) -> bool:
        """Tell whether a trial had failed when the log was opened, and had no answer."""
        return bool(self._failed)

    def set_aside(self, trials: Iterable[str]) -> None:
        """Have the failures of trials that are no part of the run retired with those superseded."""
        self._unfit = frozenset(trials)
        self._superseded = self._superseded or bool(self._unfit)

    def _unwritten(self, error: OSError) -> InputError:
        path = self.folder / RECORDS
        return InputError(said("error-make-room", path=path, why=system_words(error)))

    def _sync_regularly(self) -> None:
        while not self._closing.wait(_FSYNC_EVERY_S):
            try:
                self._log.sync()
                if self.journal:
                    self.journal.file.sync()
                self.look()
            except OSError as error:  # raised by the next `append`
                self._sync_fault = error
                return

    def look(self) -> None:
        """Look whether log, journal and manifest are as they were left; else say so in `lost`.

        Raises `OSError` where what they held cannot be kept beside.
        """
        if self.lost:
            return
        files = [self._log, *([self.journal.file] if self.journal else [])]
        manifest = self.folder / MANIFEST
        with self._looking:
            changes = {file.path: change for file in files if (change := file.look())}
            if self._manifest and (change := change_in(manifest, self._manifest)):
                changes[manifest] = change
        if changes:
            each = [f"{path} was {change}" for path, change in changes.items()]
            beside = " and ".join(str(rescued(path)) for path in changes)
            self.lost = (
                f"{'; '.join(each)} while the run was going on: nothing more is asked; what is "
                f"left of it, and all that came since, is in {beside}: put that in its place, "
                "and the same command goes on"
            )

    def sync(self) -> None:
        """Wait until everything appended is on the disk. Raises `InputError` when it cannot be."""
        try:
            self._log.sync(always=True)
        except OSError as error:
            raise self._unwritten(error) from None

    def write_manifest(self) -> None:
        """Write run.json as it now is."""
        content = msgspec.json.format(_encoder.encode(self.manifest), indent=2) + b"\n"
        place = self.folder / MANIFEST
        with reworded(said("error-not-written", path=place, why="")), self._looking:
            if self._manifest and change_in(place, self._manifest):
                write_atomically(rescued(place), content)
                return
            write_atomically(place, content, synced=True)
            self._manifest = place.stat()

    def retire_superseded(self) -> None:
        """Move error records that a later record of their trial supersedes to failures.jsonl.

        And those of trials that are set aside.
        """
        if self.lost or not self._superseded:
            return
        kept = self.folder / f".{RECORDS}.new"
        with reworded(
            f"{self.folder}: superseded failures cannot be moved to {FAILURES} (",
            "); every answer is safe: make room and run the same command again",
        ):
            descriptor = os.open(
                kept, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC, 0o644
            )
            try:
                # Held before it takes the log's place, so that nobody gets in between.
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._separate(descriptor)
                with self._looking:
                    kept.replace(self.folder / RECORDS)
                    self._log.replaced_by(descriptor)
            except BaseException:
                os.close(descriptor)
                kept.unlink(missing_ok=True)
                raise
        self._superseded = False

    def _separate(self, descriptor: int) -> None:
        """Write the lines that count to `descriptor`, the others to failures.jsonl, or neither."""
        path = self.folder / RECORDS
        valid, _ = valid_lines(path)
        with (
            os.fdopen(descriptor, "wb", closefd=False) as good,
            (self.folder / FAILURES).open("ab") as retired,
        ):
            before = retired.tell()
            try:
                for number, (record, line) in enumerate(iterate(path, BriefRecord), 1):
                    counts = valid.get(record.id, number) == number
                    if record.verdict.state == "error" and record.id in self._unfit:
                        counts = False
                    (good if counts else retired).write(line)
                for file in (retired, good):
                    file.flush()
                    os.fsync(file.fileno())
            except BaseException:
                # Cut a file to the size that it had, whatever of the rest has reached it
                with contextlib.suppress(OSError, ValueError):
                    retired.close()  # tries to write what it still holds
                os.truncate(retired.name, before)
                raise

    def close(self) -> None:
        """Make everything durable, list its SHA-256, and let go of the folder."""
        self._closing.set()
        self._syncer.join()
        with contextlib.suppress(InputError):
            self.sync()
        with contextlib.suppress(OSError):
            self.look()
        if self.journal:
            self.journal.close()
        if not self.lost:
            with contextlib.suppress(OSError):  # on a full disk the run has no list
                write_sums(self.folder)
        self._log.close()

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.close()
        if self.lost and kind is None:
            raise InputError(self.lost)


def _widest(old: dict[str, Any], new: dict[str, Any]) -> dict[str, int | None]:
    """The part of the trials that two sessions ask between them, as `PARTS` say it."""
    parts = [{name: config[name] for name in PARTS if config.get(name)} for config in (old, new)]
    whole: dict[str, int | None] = {"limit": None} if "limit" in old | new else {}
    if not all(parts):
        return whole
    return whole | {name: max(p.get(name, 0) for p in parts) for name in parts[0] | parts[1]}


def differences(
    old: Mapping[str, object], new: Mapping[str, object], prefix: str = ""
) -> Iterator[str]:
    """The settings in which two runs differ, a clause each."""
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from differences(before, after, f"{prefix}{name}.")
        elif before != after:
            facts = {"before": _short(before), "after": _short(after)}
            yield str(said("log-was", name=f"{prefix}{name}", **facts))


def _short(value: object) -> str:
    text = "unset" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:16]}…{text[-8:]}"
