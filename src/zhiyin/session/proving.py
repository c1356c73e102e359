"""One record shown to belong to a run, without showing the others: written, and checked."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from zhiyin.engine.folder import RECORDS, find_log, valid_lines
from zhiyin.engine.sums import check_sums, proof_of, root_by
from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, write_atomically
from zhiyin.record import Record

_STEP = re.compile(r"[LR][0-9a-f]{64}")
_ROOT = re.compile(r"[0-9a-f]{64}")


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a log, and the hashes that lead from it to the root of the records.

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

    @property
    def record(self) -> Record:
        """The record. Raises `InputError` where the line is none."""
        try:
            return msgspec.json.decode(self.line, type=Record)
        except (*NOT_JSON, UnicodeError) as error:
            raise InputError(f"the line that is shown is not a record ({error})") from None


def prove(folder: Path, trial: str) -> Proof:
    """The proof of one record of a run.

    Parameters
    ----------
    folder : Path
    trial : str
        Its id.

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
    number = valid_lines(log)[0].get(trial)
    with log.open("rb") as file:
        lines = list(file)
    if number is None:  # a torn last line may be covered by the sum, and is no record
        whole = (n for n, line in enumerate(lines, 1) if line.endswith(b"\n"))
        number = next((n for n in whole if _id_of(lines[n - 1]) == trial), None)
    if number is None:
        raise InputError(f"{folder}: holds no record {trial!r}; `zhiyin export` lists their ids")
    line = lines[number - 1]
    return Proof(records.digest, proof_of(lines, number - 1), line.decode().removesuffix("\n"))


class _Named(msgspec.Struct):
    id: str


def _id_of(line: bytes) -> str:
    return msgspec.json.decode(line, type=_Named).id


def write_proof(proof: Proof, path: Path) -> None:
    """Write a proof as JSON. Raises `OSError`."""
    write_atomically(path, msgspec.json.format(msgspec.json.encode(proof)) + b"\n")


def check_proof(path: Path, root: str) -> Record:
    """The record that a proof shows to be one of a run.

    Parameters
    ----------
    path : Path
        A file that `write_proof` wrote.
    root : str
        The root of the run's records, from a trusted place: a published result, or the sums in
        its signed statement.

    Raises
    ------
    InputError
        The file is no proof, or does not lead to this root.
    """
    if not _ROOT.fullmatch(root):
        raise InputError(f"--root {root}: a root has 64 hexadecimal digits")
    try:
        proof = msgspec.json.decode(path.read_bytes(), type=Proof)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except (*NOT_JSON, UnicodeError) as error:
        raise InputError(
            f"{path}: is no proof that `zhiyin verify --prove` wrote ({error})"
        ) from None
    if not all(_STEP.fullmatch(step) for step in proof.path):
        raise InputError(f"{path}: is no proof: its path holds something else than hashes")
    if root_by(proof.line.encode() + b"\n", proof.path) != root:
        raise InputError(f"{path}: does not show that its record belongs to the run of this root")
    return proof.record
