"""Whether a run is what was written: sums, form, media, scores, signature; one record shown."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.analysis.hypotheses import plan_of
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.registry import open_benchmark
from zhiyin.engine.folder import (
    MANIFEST,
    RECORDS,
    Manifest,
    decode_line,
    find_log,
    read_manifest,
    read_records,
    valid_lines,
)
from zhiyin.engine.log import is_being_written
from zhiyin.engine.sums import Checked, check_sums, proof_of, root_by
from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, Place, read_regular
from zhiyin.numerals import counted
from zhiyin.record import Record
from zhiyin.strategies.likelihood import with_choices
from zhiyin.trial import Audio, Image

_MOST_NAMED = 5
_AGAIN = 3


class RescoredRecords(msgspec.Struct):
    """What came of scoring the records again: how many, and those that came out otherwise."""

    records: int = 0
    differ: list[str] = []


class Verified(msgspec.Struct):
    """What is known of a run folder.

    Attributes
    ----------
    folder : Path
    files : list of Checked
        Each file that lies in it.
    faults : list of str
        What is not as it was written, or cannot be so.
    notes : list of str
        What is not covered, or could not be looked at.
    records : int
        Lines of the log.
    root : str
        The root of the Merkle tree of the records that are covered.
    rescored : RescoredRecords or None
    signed : str
        By which key, where it is signed.
    """

    folder: Path
    files: list[Checked] = []
    faults: list[str] = []
    notes: list[str] = []
    records: int = 0
    root: str = ""
    rescored: RescoredRecords | None = None
    signed: str = ""

    @property
    def late(self) -> bool:
        """Whether something was summed later than it was written (``--seal``)."""
        return any(one.late for one in self.files)

    @property
    def covered(self) -> bool:
        """Whether every byte of every file is covered by a sum."""
        return not self.faults and all(one.state == "sealed" for one in self.files)


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


def verify(
    folder: Path, *, rescore: bool = False, keys: Sequence[str] = (), signature: bool = True
) -> Verified:
    """Look whether a run folder is what was written into it. Nothing is changed.

    Parameters
    ----------
    folder : Path
    rescore : bool
        Also score every record again, from the log and the benchmark's items, and make the
        fingerprint of the items again.
    keys : sequence of str
        Public keys, or files of them, one of which must have signed the run.
    signature : bool
        Whether to look at the signature, where there is one.

    Raises
    ------
    InputError
        It is no run; a key that is none; or what `rescore` needs is not here.
    """
    result = Verified(folder)
    find_log(folder)
    _check_files(result)
    manifest = _read_manifest(result)
    _check_records(result)
    if manifest is not None:
        _check_plan(result, manifest)
    _note_coverage(result, manifest)
    _note_missing(result, manifest)
    if signature:
        _check_signature(result, keys)
    if rescore and manifest is not None and not result.faults:
        _rescore(result, manifest)
    return result


def _check_files(result: Verified) -> None:
    """The files beside their sums; of a run under way again, where it went on meanwhile."""
    for _ in range(_AGAIN):
        result.files, wrong = check_sums(result.folder)
        bad = [one for one in result.files if one.state in ("changed", "missing")]
        if not (bad or wrong) or not is_being_written(result.folder):
            break
    result.faults += [*wrong, *(f"{one.file}: {one.why}" for one in bad)]
    result.root = next((one.digest for one in result.files if one.file == RECORDS), "")


def _read_manifest(result: Verified) -> Manifest | None:
    try:
        return read_manifest(result.folder)
    except InputError as error:
        result.faults.append(str(error))
        return None


def _check_plan(result: Verified, manifest: Manifest) -> None:
    """The registered plan, where the run follows one, is the one that it names."""
    try:
        plan_of(result.folder, manifest)
    except InputError as error:
        result.faults.append(str(error))


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
        result.faults.append(f"{RECORDS}: {damaged - _MOST_NAMED:,} more lines are no records")
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
        result.faults.append(f"{path}: not the sound or picture that was sent (SHA-256)")
    if len(other) > _MOST_NAMED:
        result.faults.append(f"{len(other) - _MOST_NAMED:,} more sounds or pictures are others")
    if absent:
        result.notes.append(f"{absent:,} of {len(media):,} sounds and pictures are not here")


def _note_coverage(result: Verified, manifest: Manifest | None) -> None:
    """A note for whatever no sum covers, and why."""
    going = is_being_written(result.folder)
    ended = manifest is None or not manifest.sessions or manifest.sessions[-1].ended is not None
    why = "a session is going on" if going else "a session was killed, or something else wrote it"
    if not going and not ended:
        why = "the last session did not end in good order"
    for one in result.files:
        if one.late:
            result.notes.append(
                f"{one.file}: summed by --seal ({one.late}), and not when it was written: what it "
                "was before nobody can say; --rescore says whether the verdicts follow from the "
                "replies"
            )
        if one.state == "grown" and one.file == RECORDS:
            result.notes.append(
                f"{RECORDS}: {one.lines:,} records are covered, and {one.more_lines:,} after them "
                f"are not: {why}"
            )
        elif one.state == "grown":
            result.notes.append(f"{one.file}: its last {one.more:,} bytes are not covered")
        elif one.state == "unsealed":
            reason = (
                why if going or not ended else "nobody has summed it: --seal does, as it is now"
            )
            result.notes.append(f"{one.file}: not covered: {reason}")


def _note_missing(result: Verified, manifest: Manifest | None) -> None:
    """A note where fewer trials are there than were planned: nobody can say why from the files."""
    if manifest is None or manifest.sequences or is_being_written(result.folder):
        return
    if 0 < result.records < manifest.planned:
        result.notes.append(
            f"{counted(manifest.planned, 'trial')} planned, {counted(result.records, 'record')} "
            "there: the run was not finished, or records were taken away"
        )


def _check_signature(result: Verified, keys: Sequence[str]) -> None:
    from zhiyin.session.signing import check_signature, is_signed, read_public

    public = [read_public(key) for key in keys]
    if not is_signed(result.folder):
        if public:
            result.faults.append("the run is not signed")
        return
    signature = check_signature(result.folder, public)
    result.signed = signature.by
    if signature.why:
        result.faults.append(f"signature: {signature.why}")
    elif not signature.known:
        result.notes.append(
            f"signed with the key {signature.by}: --key FILE says whether it is theirs"
        )


def _rescore(result: Verified, manifest: Manifest) -> None:
    """Score every record again, and make the items again."""
    benchmark = open_benchmark(manifest, manifest.options)
    if manifest.config.get("benchmark_version") != benchmark.version:
        result.notes.append(
            f"scored by version {manifest.config.get('benchmark_version')} of {benchmark.name}, "
            f"now again by version {benchmark.version}"
        )
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
    """Whether the benchmark makes the same items here and now."""
    try:
        here = benchmark.fingerprint()
    except (InputError, OSError) as error:
        result.notes.append(f"the items could not be made again: {error}")
        return
    if here != manifest.config.get("data"):
        result.faults.append(
            "the benchmark's items are others here than those of the run: other data, prompts, or "
            "versions"
        )


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a log, and the hashes that lead from it to the root of the records.

    By it one record is shown to belong to a run, without showing the others.

    Attributes
    ----------
    root : str
        Root of the Merkle tree, 64 hexadecimal digits (RFC 6962, section 2.1).
    path : list of str
        From below; each begins with the side that the other hash stands on, ``L`` or ``R``.
    line : str
        The record as it stands in the log, without its end of line.
    """

    root: str
    path: list[str]
    line: str


def prove(folder: Path, trial: str) -> Proof:
    """The proof of the record of a trial.

    Raises
    ------
    InputError
        It is no run, has no such record, or not every line of its log is covered by a sum.
    """
    log = find_log(folder)
    (records,) = [one for one in check_sums(folder)[0] if one.file == RECORDS]
    if records.state != "sealed":
        why = records.why or "not all of them are covered by a sum"
        raise InputError(f"{folder}: its records prove nothing ({why}): see `zhiyin verify`")
    with log.open("rb") as file:
        lines = list(file)  # a torn last line may be covered by the sum, and is no record
    decode = msgspec.json.Decoder(_Named).decode
    numbers = {decode(line).id: n for n, line in enumerate(lines) if line.endswith(b"\n")}
    number = valid_lines(log)[0].get(trial, numbers.get(trial, -1) + 1) - 1
    if number < 0:
        raise InputError(f"{folder}: holds no record {trial!r}; `zhiyin export` lists their ids")
    line = lines[number].decode().removesuffix("\n")
    return Proof(records.digest, proof_of(lines, number), line)


class _Named(msgspec.Struct):
    id: str


def check_proof(path: Path, root: str) -> Record:
    """The record that a file of `zhiyin verify --prove` shows to be one of a run.

    Parameters
    ----------
    path : Path
    root : str
        The root of the run's records, from a trusted place: a published result, or the sums in
        its signed statement.

    Raises
    ------
    InputError
        The file is no proof, or does not lead to this root.
    """
    if not re.fullmatch(r"[0-9a-f]{64}", root):
        raise InputError(f"--root {root}: a root has 64 hexadecimal digits")
    try:
        proof = msgspec.json.decode(read_regular(path), type=Proof)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except (*NOT_JSON, UnicodeError) as error:
        raise InputError(
            f"{path}: is no proof that `zhiyin verify --prove` wrote ({error})"
        ) from None
    if not all(re.fullmatch(r"[LR][0-9a-f]{64}", step) for step in proof.path):
        raise InputError(f"{path}: is no proof: its path holds something else than hashes")
    if root_by(proof.line.encode() + b"\n", proof.path) != root:
        raise InputError(f"{path}: does not show that its record belongs to the run of this root")
    try:
        return msgspec.json.decode(proof.line, type=Record)
    except (*NOT_JSON, UnicodeError) as error:
        raise InputError(f"the line that is shown is not a record ({error})") from None
