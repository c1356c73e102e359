"""Merging shards: runs of disjoint shares become the run that one machine would have made.

What is merged is proved first. Each shard keeps the names of all that it was to ask, with their
places in the whole (share.jsonl), and a digest of the names of the whole. So whatever is missing,
foreign or there twice is known by name, without benchmark and data.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from zhiyin.engine.appending import write_sums
from zhiyin.engine.asking import merge_calls
from zhiyin.engine.folder import (
    FAILURES,
    MANIFEST,
    RECORDS,
    SHARE,
    Manifest,
    PlannedSequences,
    SequencedRecord,
    Session,
    Shard,
    iterate,
    read_manifest,
    valid_lines,
)
from zhiyin.engine.log import differences, is_being_written
from zhiyin.errors import InputError, reworded, system_words
from zhiyin.files import UNFINISHED, Place, Places, as_paths, write_atomically
from zhiyin.words import said
from zhiyin.words.findings import KeptRemark, kept

_MOST_NAMED = 4
_encode = msgspec.json.Encoder().encode


class PlannedUnit(msgspec.Struct, frozen=True, array_like=True):
    """A unit asked as a whole: its place in the whole run, from 0; its id; its trials."""

    place: int
    id: str
    sequence: bool = False


class Merged(msgspec.Struct, frozen=True):
    """Result of a merge: the folder, shards, records; and what the user should know."""

    folder: Path
    shards: int
    records: int
    notes: list[str] = []


def digest_of(units: Iterable[PlannedUnit]) -> str:
    """A digest of units in their order."""
    total = hashlib.blake2b(digest_size=16)
    for unit in units:
        total.update(_encode((unit.id, unit.sequence)) + b"\n")
    return total.hexdigest()


def write_share(folder: Path, units: Iterable[PlannedUnit]) -> None:
    """Keep the units of a shard in its folder. Raises `InputError` where it cannot be written."""
    with reworded(said("error-not-written", path=folder / SHARE, why="")):
        lines = b"".join(_encode(unit) + b"\n" for unit in units)
        write_atomically(folder / SHARE, lines, synced=True)


def merge(folders: Places, out: Place) -> Merged:
    """Make one run of all shards of a run.

    Its log holds the records in the order in which the benchmark makes its trials, whatever the
    order in which they were answered.

    Parameters
    ----------
    folders : list of Path
        Run folders of ``zhiyin run --shard``.
    out : Path
        The run folder to write; not there yet, or empty.

    Raises
    ------
    InputError
        They are not all the shards of one run, or not done; the line says what differs.
    """
    out, shards = Path(out), [_ShardFolder(folder) for folder in as_paths(folders)]
    refuse_taken(out)
    shards.sort(key=lambda part: part.shard.index)
    _refuse_other_settings(shards)
    _refuse_other_shards(shards)
    _refuse_other_shares(shards)
    lines = _refuse_unfinished(shards)
    manifest, notes = _merged_manifest(shards)
    unfinished = out.parent / f"{UNFINISHED}{out.name}"
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        _write_log(unfinished, shards, lines)
        merge_calls([part.folder for part in shards], unfinished)
        content = msgspec.json.format(_encode(manifest), indent=2) + b"\n"
        write_atomically(unfinished / MANIFEST, content, synced=True)
        write_sums(unfinished)
        unfinished.replace(out)
    except OSError as error:
        raise InputError(said("merge-unwritten", out=out, why=system_words(error))) from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return Merged(out, len(shards), len(lines), notes)


class _RecordPlace(msgspec.Struct, order=True):
    """The target place and the source place of a record, in a merge of shards."""

    place: int
    step: int
    part: int
    offset: int
    length: int


class _ShardFolder:
    """A shard: its folder, its manifest, its share."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.manifest = folder, read_manifest(folder)
        shard = self.manifest.shard
        if shard is None:
            raise InputError(said("merge-no-shard", folder=folder))
        if is_being_written(folder):
            raise InputError(said("merge-busy", folder=folder))
        self.shard: Shard = shard
        if not (folder / SHARE).is_file():
            raise InputError(said("merge-lacks", folder=folder, share=SHARE))
        self.units = [unit for unit, _ in iterate(folder / SHARE, PlannedUnit)]

    @property
    def label(self) -> str:
        return f"{self.folder} ({self.shard})"


def refuse_taken(out: Path) -> None:
    """Raise `InputError` where something is there already."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(said("merge-there", out=out))


def _refuse_other_settings(shards: Sequence[_ShardFolder]) -> None:
    first = shards[0]
    for other in shards[1:]:
        # The number of shards is compared too; which of them a folder is may differ.
        one, two = (
            {**part.manifest.config, "shard": f"one of {part.shard.of}"} for part in (first, other)
        )
        if differing := list(differences(one, two)):
            listed = "; ".join(differing[:_MOST_NAMED])
            raise InputError(
                said("merge-differ", folder=first.folder, folderb=other.folder, listed=listed)
            )


def _refuse_other_shards(shards: Sequence[_ShardFolder]) -> None:
    of, there = shards[0].shard.of, Counter(part.shard.index for part in shards)
    for index, times in there.items():
        if times > 1:
            twice = [p.folder for p in shards if p.shard.index == index]
            raise InputError(said("merge-twice", folders=twice, index=str(index), of=str(of)))
    if missing := [index for index in range(1, of + 1) if index not in there]:
        raise InputError(said(
            "merge-missing", missing=len(missing), shown=list(map(str, missing[:_MOST_NAMED])),
            more=len(missing[_MOST_NAMED:]), of=str(of),
        ))  # fmt: skip


def _refuse_other_shares(shards: Sequence[_ShardFolder]) -> None:
    """Refuse shares that overlap, or that do not make up the whole that each is a share of."""
    first = shards[0]
    owner: dict[tuple[bool, str], _ShardFolder] = {}
    for part in shards:
        if (part.shard.units, part.shard.whole) != (first.shard.units, first.shard.whole):
            raise InputError(said(
                "merge-wholes", label=first.label, labelb=part.label, units=first.shard.units,
                unitsb=part.shard.units,
            ))  # fmt: skip
        for unit in part.units:
            key = unit.sequence, unit.id
            if (other := owner.setdefault(key, part)) is not part:
                raise InputError(said(
                    "merge-both", sequence=unit.sequence, id=repr(unit.id), other=other.label,
                    part=part.label,
                ))  # fmt: skip
    every = sorted((unit for part in shards for unit in part.units), key=lambda unit: unit.place)
    if len(every) != first.shard.units or digest_of(every) != first.shard.whole:
        raise InputError(
            said("merge-changed", every=len(every), units=first.shard.units, share=SHARE)
        )


def _refuse_unfinished(shards: Sequence[_ShardFolder]) -> list[_RecordPlace]:
    """The lines of the merged log in order. Each unit was asked by the shard whose it is."""
    lines: list[_RecordPlace] = []
    lacking: list[str] = []
    for number, part in enumerate(shards):
        own, missing = _lines_of(part, number)
        lines += own
        if missing:
            lacking.append(f"{part.label}: {missing:,} of {len(part.units):,}")
    if lacking:
        raise InputError(
            said("merge-unfinished", lacking=lacking[:_MOST_NAMED], more=len(lacking[_MOST_NAMED:]))
        )
    return sorted(lines)


def _lines_of(part: _ShardFolder, number: int) -> tuple[list[_RecordPlace], int]:
    """The records of a shard that count, and how many of its units are not done."""
    places = {(unit.sequence, unit.id): unit.place for unit in part.units}
    open_ = set(places)
    lines: list[_RecordPlace] = []
    path, offset = part.folder / RECORDS, 0
    valid, _ = valid_lines(path)
    for line_number, (record, line) in enumerate(iterate(path, SequencedRecord), 1):
        name = record.trial.sequence
        key = bool(name), name or record.id
        if key not in places:
            raise InputError(said("merge-foreign", label=part.label, id=repr(record.id)))
        if valid.get(record.id, line_number) == line_number:
            lines.append(_RecordPlace(places[key], record.trial.step, number, offset, len(line)))
            # A failed trial was asked; what would come after it in its sequence cannot be.
            if not name or record.last or record.verdict.state == "error":
                open_.discard(key)
        offset += len(line)
    return lines, len(open_)


def _write_log(folder: Path, shards: Sequence[_ShardFolder], lines: Iterable[_RecordPlace]) -> None:
    """Copy the records in order; what they superseded goes to failures.jsonl."""
    with contextlib.ExitStack() as stack:
        log = stack.enter_context((folder / RECORDS).open("wb"))
        logs = [stack.enter_context((part.folder / RECORDS).open("rb")) for part in shards]
        for line in lines:
            logs[line.part].seek(line.offset)
            log.write(logs[line.part].read(line.length))
    retired = b"".join(
        (part.folder / FAILURES).read_bytes()
        for part in shards
        if (part.folder / FAILURES).is_file()
    )
    if retired:
        (folder / FAILURES).write_bytes(retired)


def _merged_manifest(shards: Sequence[_ShardFolder]) -> tuple[Manifest, list[str]]:
    """The manifest of the whole, and what the user should know."""
    first, manifests = shards[0].manifest, [part.manifest for part in shards]
    sessions: list[Session] = [each for manifest in manifests for each in manifest.sessions]
    notes = [said("merged-from", n=len(shards))]
    for name in dict.fromkeys(name for manifest in manifests for name in manifest.versions):
        versions = sorted({manifest.versions.get(name, "none") for manifest in manifests})
        if len(versions) > 1:
            notes.append(said("merged-versions", name=name, versions=versions))
    further = sorted({p.parent.name for s in shards for p in s.folder.glob(f"*/{MANIFEST}")})
    if further:
        notes.append(said("merged-further", runs=further))
    whole = msgspec.structs.replace(
        first,
        config={name: value for name, value in first.config.items() if name != "shard"},
        planned=sum(manifest.planned for manifest in manifests),
        sequences=_planned_sequences(manifests),
        sessions=sorted(sessions, key=lambda each: each.started),
        remarks=_each_once([*kept(notes), *(r for m in manifests for r in m.remarks)]),
        decoding=_decoding(shards),
        label=next((m.label for m in manifests if m.label), ""),
        canary=_canary(manifests),
        shard=None,
    )
    return whole, [str(note) for note in notes[1:]]


def _planned_sequences(manifests: Sequence[Manifest]) -> PlannedSequences | None:
    every = [manifest.sequences for manifest in manifests if manifest.sequences]
    if not every:
        return None
    most = [planned.at_most for planned in every if planned.at_most is not None]
    return PlannedSequences(
        sum(planned.count for planned in every),
        sum(planned.at_least for planned in every),
        sum(most) if len(most) == len(every) else None,
    )


def _decoding(shards: Sequence[_ShardFolder]) -> dict[str, object]:
    """Decoding of the first shard, all that any shard left out, and other services reached."""
    decoding = dict(shards[0].manifest.decoding)
    if gone := sorted({name for part in shards for name in part.manifest.left_out()}):
        decoding["left_out"] = gone
    others = {}
    for part in shards[1:]:
        own, there = part.manifest.decoding, shards[0].manifest.decoding
        if other := {name: own[name] for name in own if own[name] != there.get(name)}:
            others[str(part.shard)] = other
    return {**decoding, "shards": others} if others else decoding


def _canary(manifests: Sequence[Manifest]) -> dict[str, object]:
    """Canary result by medium, of the first shard; a warning of any shard goes before."""
    outcomes: dict[str, object] = {}
    for manifest in manifests:
        for medium, outcome in manifest.canary.items():
            warns = isinstance(outcome, dict) and "warning" in outcome
            there = outcomes.setdefault(medium, outcome)
            if warns and not (isinstance(there, dict) and "warning" in there):
                outcomes[medium] = outcome
    return outcomes


def _each_once(remarks: list[KeptRemark]) -> list[KeptRemark]:
    return [one for number, one in enumerate(remarks) if one not in remarks[:number]]
