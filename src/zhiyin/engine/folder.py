"""Reading a run folder: the manifest, and the records that count. `zhiyin.engine.log` writes it."""

from __future__ import annotations

import contextlib
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from zhiyin.errors import InputError, reworded, system_words
from zhiyin.files import NOT_JSON, Place, read_regular, refuse_pipes
from zhiyin.record import Record, State
from zhiyin.trial import one_line
from zhiyin.words import said
from zhiyin.words.findings import KeptRemark

RECORDS, MANIFEST, FAILURES = "records.jsonl", "run.json", "failures.jsonl"
CALLS, SHARE = "calls.jsonl", "share.jsonl"
PARTS = ("limit", "sample")
"""Entries of a manifest's config that say which part of the trials is asked; None: no bound."""


def without_parts(config: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that distinguish runs: all of a manifest's config but `PARTS`."""
    return {name: value for name, value in config.items() if name not in PARTS}


class BriefVerdict(msgspec.Struct):
    """The part of a verdict that resuming needs."""

    state: State


class BriefTrial(msgspec.Struct):
    """The part of a trial that gives its place in its sequence; see `zhiyin.trial.Trial`."""

    sequence: str = ""
    step: int = 0


class BriefRecord(msgspec.Struct):
    """The part of a record that resuming needs."""

    id: str
    verdict: BriefVerdict


class SequencedRecord(BriefRecord):
    """The part of a record that says what it answers, and its place in its sequence."""

    trial: BriefTrial
    last: bool = False


class Session(msgspec.Struct, omit_defaults=True):
    """One time that somebody worked on a run.

    `before`: trials that were answered when it began. `machine`: a word for the machine that it
    ran on, another after each start of it (`log.this_machine`); empty where that is not known.
    """

    started: str
    asked: int = 0
    elapsed_s: float = 0.0
    ended: str | None = None
    stopped: str | None = None
    before: int = 0
    machine: str = ""


class PlannedSequences(msgspec.Struct):
    """Number of sequences that a run is to ask, and of the trials in all of them.

    `at_most` is None where one of them has no upper bound.
    """

    count: int
    at_least: int
    at_most: int | None


class Shard(msgspec.Struct, frozen=True):
    """One of the shares in which a run is asked on several machines.

    Attributes
    ----------
    index, of : int
        Which one, from 1, of how many.
    units : int
        Plain trials and sequences of the whole run.
    whole : str
        A digest of their names in order.
    """

    index: int
    of: int
    units: int = 0
    whole: str = ""

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"

    @property
    def suffix(self) -> str:
        """Ending of its folders' names: ``-shard-03-of-16``."""
        return f"-shard-{self.index:0{len(str(self.of))}}-of-{self.of}"


MOST_SHARDS = 100_000
_SHARD = re.compile(r"(\d{1,6})/(\d{1,6})")


def read_shard(text: str | Shard) -> Shard:
    """The shard that ``3/16`` names: the third of sixteen.

    Raises
    ------
    InputError
        It is none.
    """
    if isinstance(text, Shard):
        return text
    match = _SHARD.fullmatch(text.strip())
    index, of = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= index <= of <= MOST_SHARDS:
        raise InputError(said("error-shard", text=text))
    return Shard(index, of)


class Manifest(msgspec.Struct):
    """Identity of a run: everything that has to be equal for two sessions to be one run.

    `config` is compared when a folder is opened again; the rest is information. `label` is what
    the user calls the run; empty for its model's name. `declared` is the benchmark's declaration
    when the run began, so that the run can be read where the benchmark is missing.
    `planned` counts trials; of sequences whose length is not known, the fewest that they hold.
    `sequences` is None for a run of plain trials alone. `canary` is what became of the few
    questions that any ear or eye can answer, by medium ("sound", "image"). `price` is what the
    model cost when it was asked last, as far as that was known. `shard` says which share of a run
    it is; None for a whole one. `spec` is how the user named the model; empty for an object.
    `id` is drawn when the run begins; empty in runs of earlier versions.
    """

    benchmark: str
    model: str
    config: dict[str, Any]
    options: dict[str, Any]
    planned: int
    versions: dict[str, str] = {}
    decoding: dict[str, Any] = {}
    remarks: list[KeptRemark] = []
    sessions: list[Session] = []
    states: dict[str, int] = {}
    label: str = ""
    declared: dict[str, Any] = {}
    sequences: PlannedSequences | None = None
    canary: dict[str, Any] = {}
    price: dict[str, Any] = {}
    shard: Shard | None = None
    spec: str = ""
    id: str = ""
    format: int = 1

    def left_out(self, *names: str) -> list[str]:
        """The settings of sampling that were wanted and not sent; `names` are added to them."""
        gone: list[str] = self.decoding.get("left_out") or []
        if names:
            gone = self.decoding["left_out"] = sorted({*gone, *names})
        return gone

    @property
    def sampling(self) -> dict[str, Any]:
        """The fields of `record.Sampling` as they were sent: None for what was left out."""
        wanted: dict[str, Any] = self.config.get("sampling") or {}
        return wanted | {name: None for name in self.left_out() if name in wanted}

    @property
    def total(self) -> int | None:
        """Number of trials that the run will have; None if that is not known beforehand."""
        planned = self.sequences
        if planned is None or planned.at_least == planned.at_most:
            return self.planned
        return None

    @property
    def units(self) -> int:
        """Number of units asked side by side: plain trials, and sequences."""
        planned = self.sequences
        return self.planned - planned.at_least + planned.count if planned else self.planned

    def __repr__(self) -> str:
        """Return one line: which model, on what, how much."""
        name = self.label or self.model
        return one_line("Manifest", name, "", self.benchmark, f"{self.planned:,} trials")


_FEW = 10_000
"""Under so many words the import of NumPy takes longer than a set."""
R = TypeVar("R")


def iterate(path: Place, kind: type[R]) -> Iterator[tuple[R, bytes]]:
    """Each whole line of a log, decoded as `kind`, with its bytes. A torn end is left out.

    Raises
    ------
    InputError
        For a damaged line that is not the last one: the file was changed by something else; or
        where the file cannot be read.
    """
    path = Path(path)
    decoder = msgspec.json.Decoder(kind)
    decode = decoder.decode
    with reworded(said("error-read", path=path, why="")):
        file = path.open("rb")
    with file:
        for number, line in enumerate(file, 1):
            if line[-1:] != b"\n":
                return
            try:
                record = decode(line)
            except NOT_JSON:
                record = decode_line(decoder, line, f"{path}, line {number}")
            yield record, line


def decode_block(
    decoder: msgspec.json.Decoder[R], block: bytes, path: Path, before: int
) -> list[R]:
    """The records of whole lines, the last without its end; `before`: lines that stand above."""
    with contextlib.suppress(*NOT_JSON):
        records: list[R] = decoder.decode_lines(block)
        if len(records) == block.count(b"\n") + 1:
            return records
    return [
        decode_line(decoder, line, f"{path}, line {number}")
        for number, line in enumerate(block.split(b"\n"), before + 1)
    ]


def decode_line(decoder: msgspec.json.Decoder[R], line: bytes, where: str) -> R:
    """A line of a log. Raises `InputError`, which begins with `where`, when it is no record."""
    try:  # a context for each of a million lines takes longer than decoding them
        return decoder.decode(line)
    except NOT_JSON as error:
        why = said("error-no-record", where=where, why=str(error))
        raise InputError(said("error-line", why=why)) from None


def read_records(folder: Place) -> Iterator[Record]:
    """The valid record of each trial in a run folder, in the order of the log.

    While a run is unfinished its log may hold superseded error records; they are left out.
    """
    path = find_log(folder)
    valid, _ = valid_lines(path)
    for number, (record, _) in enumerate(iterate(path, Record), 1):
        if valid.get(record.id, number) == number:
            yield record


class Distinct:
    """A counter of the different words among those added, in 8 bytes a word."""

    def __init__(self) -> None:
        self._hashes = array("q")

    def update(self, words: Iterable[str]) -> None:
        """Count words: equal hashes are one word."""
        self._hashes.extend(map(hash, words))

    @property
    def added(self) -> int:
        """Number of words added, each as often as it was."""
        return len(self._hashes)

    def __len__(self) -> int:
        if len(self._hashes) < _FEW:
            return len(set(self._hashes))
        import numpy as np

        from zhiyin.statistics.intervals import how_many

        return how_many(np.frombuffer(self._hashes, dtype=np.int64))


def valid_lines(path: Path) -> tuple[Mapping[str, int], int]:
    """Find the lines of a log that count.

    Returns
    -------
    mapping of str to int
        For each trial that has several lines or has failed, the number of the line that counts.
        All other lines count. Small for any log that Zhiyin wrote.
    int
        How many lines repeat a trial that another line answers: something else wrote them.
    """
    return _valid_lines(path.absolute(), stamp_of(path))


def stamp_of(path: Path) -> tuple[int, ...]:
    """Return the state of a file, which changes when the file does."""
    with reworded(said("error-read", path=path, why="")):
        state = path.stat()
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns


@lru_cache(maxsize=32)
def _valid_lines(path: Path, _state: tuple[int, ...]) -> tuple[Mapping[str, int], int]:
    """Implement `valid_lines`, once for each state of the file: a summary asks several times."""
    valid: dict[str, int] = {}
    answered: set[str] = set()  # of those in `valid`
    ids, superseded = Distinct(), 0
    for number, (record, _) in enumerate(iterate(path, BriefRecord), 1):
        ids.update((record.id,))
        failed = record.verdict.state == "error"
        if failed or record.id in valid:
            superseded += record.id in valid
            if not failed:
                answered.add(record.id)
            if record.id not in answered or not failed:
                valid[record.id] = number
    if len(ids) == ids.added - superseded:
        return valid, 0
    return _with_repeats(path)


def _with_repeats(path: Path) -> tuple[dict[str, int], int]:
    """Implement `valid_lines`, holding every trial in memory."""
    valid: dict[str, int] = {}
    answered: set[str] = set()
    repeated = 0
    for number, (record, _) in enumerate(iterate(path, BriefRecord), 1):
        repeated += record.id in answered
        if record.verdict.state != "error":
            answered.add(record.id)
        elif record.id in answered:
            continue
        valid[record.id] = number
    return valid, repeated


def find_log(folder: Place) -> Path:
    """The log in a run folder. Raises `InputError` when it is not a run folder."""
    folder = Path(folder)
    path = folder / RECORDS
    refuse_pipes(folder)
    if not path.is_file():
        raise _no_run(folder, RECORDS)
    return path


def _no_run(folder: Path, lacks: str) -> InputError:
    """The error for what is no run folder: a run that lies in it is named.

    Of a folder whose runs all have no answers, that is said.
    """
    what = "folder" if folder.is_dir() else "file" if folder.exists() else "nothing"
    within = [*sorted(folder.glob(f"*/{RECORDS}")), *sorted(folder.glob(f"*/*/{RECORDS}"))]
    if within and not any(log.stat().st_size for log in within):
        return InputError(said("error-unanswered", folder=folder, n=len(within)))
    inner = within[0].parent if within else None
    return InputError(said("error-no-run", folder=folder, what=what, lacks=lacks, inner=inner))


class _Options(msgspec.Struct):
    """The options in a manifest that every command reads."""

    protocol: str | None = None
    extract: str | None = None


class _Config(msgspec.Struct):
    """The part of a manifest's `config` that every command reads."""

    options: _Options | None = None
    sampling: dict[str, Any] | None = None
    limit: int | None = None


def read_manifest(folder: Place) -> Manifest:
    """The manifest of a run folder. Raises `InputError` when it is missing or damaged."""
    folder = Path(folder)
    path = folder / MANIFEST
    refuse_pipes(folder)
    try:
        manifest = msgspec.json.decode(read_regular(path), type=Manifest)
        msgspec.convert(manifest.config, _Config)
        msgspec.convert(manifest.options, _Options)
    except (FileNotFoundError, NotADirectoryError):
        raise _no_run(folder, MANIFEST) from None
    except OSError as error:
        raise InputError(said("error-read", path=path, why=system_words(error))) from None
    except NOT_JSON as error:
        raise InputError(said("error-manifest", path=path, why=str(error))) from None
    if set("/\0") & set(manifest.benchmark):  # files of reports are called after it
        raise InputError(said("run-no-benchmark", path=path, benchmark=repr(manifest.benchmark)))
    return manifest
