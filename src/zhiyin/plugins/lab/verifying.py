"""Check that a run is what was written: its files by their sums, form, media and scores."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.registry import open_benchmark
from zhiyin.contract.session_parts import session_parts
from zhiyin.engine.appending import EARLIER_SUMS, SUMS, files_of, sha256_of
from zhiyin.engine.folder import (
    MANIFEST,
    RECORDS,
    Manifest,
    decode_line,
    find_log,
    read_manifest,
    read_records,
)
from zhiyin.engine.log import is_being_written
from zhiyin.errors import InputError, reworded
from zhiyin.files import NOT_JSON, Place, read_regular
from zhiyin.record import Record
from zhiyin.strategies.likelihood import with_choices
from zhiyin.trial import Audio, Image
from zhiyin.words import naming, said

_LINE = re.compile(r"([0-9a-f]{64}) [ *]([^/\0]+)")

_MOST_NAMED = 5
_EARLIER = {
    EARLIER_SUMS: "the tree of hashes of its records and the chain of its sums",
    "signed.json": "its signature",
    "plan.json.minisig": "its plan's signature",
}
"""Files of earlier versions, and what of them nobody checks."""
_OURS = (".json", ".jsonl")


class RescoredRecords(msgspec.Struct):
    """Result of scoring the records again: their number, and those that came out otherwise."""

    records: int = 0
    differ: list[str] = []


class Verified(msgspec.Struct):
    """Result of verifying a run folder.

    Attributes
    ----------
    folder : Path
    covered : bool
        Whether every file of the run was checked by its sum.
    faults : list of str
        What is not as it was written, or cannot be so.
    notes : list of str
        What is not covered, or could not be looked at.
    records : int
        Lines of the log.
    rescored : RescoredRecords or None
    """

    folder: Path
    covered: bool = False
    faults: list[str] = []
    notes: list[str] = []
    records: int = 0
    rescored: RescoredRecords | None = None


def runs_in(folder: Place) -> list[Path]:
    """The folder of a run, and those of its judgements and audits within it.

    Raises
    ------
    InputError
        It is no run.
    """
    folder = Path(folder)
    find_log(folder)
    return [folder, *sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))]


def verify(folder: Path, *, rescore: bool = False) -> Verified:
    """Check that a run folder is what was written into it. Nothing is changed.

    Parameters
    ----------
    folder : Path
    rescore : bool
        Also score every record again, from the log and the benchmark's items, and make the
        fingerprint of the items again.

    Raises
    ------
    InputError
        It is no run; or what `rescore` needs is not here.
    """
    result = Verified(folder)
    find_log(folder)
    _check_files(result)
    manifest = None
    try:
        manifest = read_manifest(folder)
    except InputError as error:
        result.faults.append(str(error))
    _check_records(result)
    if manifest is not None:
        for kind in session_parts().values():
            try:
                kind.verify(result.folder, manifest)
            except InputError as error:
                result.faults.append(str(error))
    _note_missing(result, manifest)
    if rescore and manifest is not None and not result.faults:
        _rescore(result, manifest)
    return result


def _check_files(result: Verified) -> None:
    """Compare the files with their list, and note which are in none and why."""
    folder = result.folder
    with reworded(said("error-cannot-read", path=folder, why="")):
        checked = check_sums(folder)
        there = {path.name for path in folder.iterdir() if path.is_file()}
    if is_being_written(folder):
        result.notes.append(f"a session is going on, which writes {SUMS} when it ends")
        return
    result.faults += [
        naming(said("of-run", who=name, what=why)) for name, why in checked.items() if why
    ]
    own = files_of(folder)
    missed = sorted(own - checked.keys())
    result.covered = not missed
    if not checked:
        result.notes.append(naming(said("verify-no-sums", sums=SUMS)))
    elif missed:
        result.notes.append(naming(said("verify-unchecked", files=missed)))
    if gone := [what for name, what in _EARLIER.items() if name in there]:
        result.notes.append(f"of an earlier version, and not checked any more: {'; '.join(gone)}")
    if later := sorted(name for name in there - own - _EARLIER.keys() if name.endswith(_OURS)):
        result.notes.append(naming(said("verify-later", sums=SUMS, files=later)))


def _check_records(result: Verified) -> None:
    """Every line is a record, and every sound and picture that is here is the one that was sent."""
    decoder, damaged = msgspec.json.Decoder(Record), 0
    media: dict[tuple[str, str], None] = {}
    with (result.folder / RECORDS).open("rb") as file:
        for number, line in enumerate(file, 1):
            if line[-1:] != b"\n":
                if not is_being_written(result.folder):
                    result.notes.append(f"{RECORDS}: a torn last line, which the next session cuts")
                continue
            result.records += 1
            try:
                record = decode_line(decoder, line, f"{RECORDS}, line {number}")
            except InputError as error:
                damaged += 1
                if damaged <= _MOST_NAMED:
                    result.faults.append(str(error).partition(";")[0])
                continue
            for message in record.trial.messages:
                for part in message.parts:
                    if isinstance(part, Audio | Image):
                        media[part.path, part.sha256] = None
    if damaged > _MOST_NAMED:
        result.faults.append(naming(said("verify-no-records", n=damaged - _MOST_NAMED)))
    _check_media(result, media)


def _check_media(result: Verified, media: dict[tuple[str, str], None]) -> None:
    absent, other = 0, list[str]()
    for path, digest in media:
        try:
            here = hashlib.sha256(read_regular(path)).hexdigest()
        except OSError:  # a log may name anything: devices, pipes, a name with a zero byte
            absent += 1
            continue
        if here != digest:
            other.append(path)
    for path in other[:_MOST_NAMED]:
        result.faults.append(naming(said("verify-other-medium", path=str(path))))
    if len(other) > _MOST_NAMED:
        result.faults.append(naming(said("verify-other-media", n=len(other) - _MOST_NAMED)))
    if absent:
        result.notes.append(f"{absent:,} of {len(media):,} sounds and pictures are not here")


def _note_missing(result: Verified, manifest: Manifest | None) -> None:
    """A note where fewer trials are there than were planned: nobody can say why from the files."""
    if manifest is None or manifest.sequences or is_being_written(result.folder):
        return
    if 0 < result.records < manifest.planned:
        fewer = said("verify-fewer", planned=manifest.planned, records=result.records)
        result.notes.append(naming(fewer))


def _rescore(result: Verified, manifest: Manifest) -> None:
    """Score every record again, and make the items again."""
    benchmark = open_benchmark(manifest, manifest.options)
    if manifest.config.get("benchmark_version") != benchmark.version:
        then = manifest.config.get("benchmark_version")
        versions = {"then": str(then), "now": str(benchmark.version)}
        result.notes.append(naming(said("verify-version", name=benchmark.name, **versions)))
    result.rescored = rescored(result.folder, benchmark)
    for difference in result.rescored.differ[:_MOST_NAMED]:
        result.faults.append(f"scored again: {difference}")
    if (more := len(result.rescored.differ) - _MOST_NAMED) > 0:
        result.faults.append(f"scored again: {more:,} more records differ")
    _check_items(result, manifest, benchmark)


def rescored(folder: Path, benchmark: Benchmark[Any]) -> RescoredRecords:
    """Score each record that counts again, and compare the whole verdict with what is written."""
    result, encode = RescoredRecords(), msgspec.json.Encoder(order="sorted").encode
    score = with_choices(benchmark.score)
    for record in read_records(folder):
        if not record.exchange.turns or record.exchange.broken:
            continue
        result.records += 1
        written = record.verdict
        try:
            verdict = score(record.trial, record.exchange)
        except Exception as error:  # one record must not end the rest, whatever is in it
            if written.state != "error":
                result.differ.append(f"{record.id}: {type(error).__name__}: {error}")
            continue
        if encode(verdict) != encode(written):
            result.differ.append(
                f"{record.id}: written {written.state} ({written.answer}), now {verdict.state} "
                f"({verdict.answer})"
            )
    return result


def _check_items(result: Verified, manifest: Manifest, benchmark: Benchmark[Any]) -> None:
    """Check that the benchmark makes the same items here and now."""
    try:
        here = benchmark.fingerprint()
    except (InputError, OSError) as error:
        result.notes.append(f"the items could not be made again: {error}")
        return
    if here != manifest.config.get("data"):
        result.faults.append(naming(said("verify-other-items")))


def check_sums(folder: Path) -> dict[str, str]:
    """Compare a run's files with its list: what is wrong with each that is listed, "" for nothing.

    What is wrong with the list itself stands under its name. Of a run without a list the last sums
    of an earlier version count; of records these hold the root of a tree of hashes, so that of
    them the length alone is looked at, and they are left out where that can be.

    Raises
    ------
    OSError
        The list or a file cannot be read.
    """
    if not (folder / SUMS).is_file():
        return _check_earlier(folder) if (folder / EARLIER_SUMS).is_file() else {}
    checked = {}
    text = (folder / SUMS).read_bytes().decode("utf-8", "replace")
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        match = _LINE.fullmatch(line)
        if not match:
            checked[SUMS] = naming(said("verify-no-sum", line=str(number)))
        elif not (folder / match[2]).is_file():  # nor is a device opened, which has no end
            checked[match[2]] = naming(said("verify-gone"))
        else:
            same = sha256_of(folder / match[2]) == match[1]
            checked[match[2]] = "" if same else naming(said("verify-changed", at=SUMS))
    return checked


class _EarlierSum(msgspec.Struct):
    """A line of the sums of an earlier version; `digest` is SHA-256 but of records."""

    file: str
    at: str
    bytes: int
    digest: str
    changed: str = ""


def _check_earlier(folder: Path) -> dict[str, str]:
    """Compare files with their last two sums, as far as they had grown by then.

    The one before the last counts too: a sum of a file that was replaced was written before it.
    """
    sums: dict[str, list[_EarlierSum]] = {}
    checked = {}
    for number, line in enumerate((folder / EARLIER_SUMS).read_bytes().splitlines(), 1):
        try:
            one = msgspec.json.decode(line, type=_EarlierSum)
        except NOT_JSON:
            checked[EARLIER_SUMS] = naming(said("verify-torn", line=str(number)))
            continue
        if Path(one.file).name == one.file:  # nothing outside the folder is opened
            sums.setdefault(one.file, []).append(one)
    for name, each in sums.items():
        path = folder / name
        seen = next((f"{one.changed} (seen {one.at})" for one in each if one.changed), "")
        if not path.is_file():
            checked[name] = naming(said("verify-gone"))
        elif not any(_agrees(path, one) for one in each[-2:]):
            checked[name] = naming(said("verify-changed", at=each[-1].at))
        elif seen or name != RECORDS:
            checked[name] = seen
    return checked


def _agrees(path: Path, one: _EarlierSum) -> bool:
    """Tell whether a file is what a sum says, or has grown since if it is one of lines."""
    size = path.stat().st_size
    if size < one.bytes or (size > one.bytes and path.suffix != ".jsonl"):
        return False
    return path.name == RECORDS or sha256_of(path, one.bytes) == one.digest
