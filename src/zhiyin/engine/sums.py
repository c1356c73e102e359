"""The sums of a run folder (sums.jsonl): by them every change of a written byte is found.

A line is added for a file whenever a session, or another writer of the folder, is done with it.
Files that are only appended to are summed as far as they went then: what was added since is not
damaged, but not covered either. A file that is replaced as a whole has its new sum written first,
so that a kill between the two leaves a file that one of the last two lines knows. Each line is
chained to the one before, so that the sums themselves cannot be edited unseen.

Records are summed as a Merkle tree of their lines (RFC 6962, section 2.1, with SHA-256), so that
one record can be shown to belong to a run without showing the others (`proof_of`, `root_by`).

Sums are no signature: who can write the folder can write new sums (`zhiyin sign` is for that).
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from zhiyin.engine.folder import RECORDS
from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, UNFINISHED, write_atomically
from zhiyin.numerals import now

SUMS = "sums.jsonl"
SIGNED = "signed.json"
SIGNATURE = f"{SIGNED}.minisig"
REPLACED = frozenset({"share.jsonl"})
"""Files of lines that are written anew as a whole, where others are appended to."""
_START = b'{"chain":"'
_CHAIN = 64
_HEAD = len(_START) + _CHAIN + 2
_BLOCK = 1 << 20


class Sum(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a file was when it was summed.

    Attributes
    ----------
    file : str
        Its name in the folder.
    at : str
        When, in UTC.
    bytes : int
        How long it was.
    lines : int
        Of the records.
    digest : str
        In hexadecimal: the root of the Merkle tree of the records, SHA-256 of any other file.
    coming : bool
        Whether it was summed before it was put in its place.
    changed : str
        What did not agree with the sum before: somebody else had changed the file.
    late : bool
        Whether it holds what no session summed when it wrote it: of what it was before that
        nothing is known.
    """

    file: str
    at: str
    bytes: int
    digest: str
    lines: int = 0
    coming: bool = False
    changed: str = ""
    late: bool = False


def only_grows(name: str) -> bool:
    """Whether a file is appended to and never replaced while it has a good sum."""
    return name.endswith(".jsonl") and name not in REPLACED


class Tree:
    """A Merkle tree that grows leaf by leaf; it holds one hash for each bit of its size."""

    def __init__(self) -> None:
        self._roots: list[tuple[int, bytes]] = []
        self.leaves = 0

    def add(self, leaf: bytes) -> None:
        """Add a leaf."""
        size, digest = 1, hashlib.sha256(b"\0" + leaf).digest()
        roots = self._roots
        while roots and roots[-1][0] == size:
            digest = hashlib.sha256(b"\1" + roots.pop()[1] + digest).digest()
            size *= 2
        roots.append((size, digest))
        self.leaves += 1

    def root(self) -> str:
        """The root, in hexadecimal; of no leaves, the hash of nothing."""
        if not self._roots:
            return hashlib.sha256(b"").hexdigest()
        digest = self._roots[-1][1]
        for _, left in reversed(self._roots[:-1]):
            digest = hashlib.sha256(b"\1" + left + digest).digest()
        return digest.hex()


def proof_of(leaves: Sequence[bytes], index: int) -> list[str]:
    """The hashes that lead from one leaf to the root (RFC 6962, section 2.1.1), from below.

    Each begins with the side that it stands on, ``L`` or ``R``.
    """
    if len(leaves) <= 1:
        return []
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    mine, other, side = leaves[:half], leaves[half:], "R"
    if index >= half:
        mine, other, side, index = other, mine, "L", index - half
    tree = Tree()
    for leaf in other:
        tree.add(leaf)
    return [*proof_of(mine, index), side + tree.root()]


def root_by(leaf: bytes, proof: Iterable[str]) -> str:
    """The root to which a proof leads from a leaf, in hexadecimal."""
    digest = hashlib.sha256(b"\0" + leaf).digest()
    for step in proof:
        other = bytes.fromhex(step[1:])
        pair = other + digest if step[0] == "L" else digest + other
        digest = hashlib.sha256(b"\1" + pair).digest()
    return digest.hex()


def seal(folder: Path, names: Iterable[str] | None = None, *, late: bool = False) -> None:
    """Sum files of a run folder as they are now, and look whether the sums before still hold.

    Parameters
    ----------
    folder : Path
    names : iterable of str, optional
        Which files; by default all that lie in the folder itself.
    late : bool
        Whether somebody asks for it afterwards, and not the session that wrote them.

    Raises
    ------
    OSError
        They cannot be read, or the sums not written.
    """
    with _appending(folder) as (known, add):
        for name in sorted(files_of(folder) if names is None else names):
            before = known.get(name, [])
            current = _current_sum(folder / name, before)
            if not (before and _is_same(before[-1], current)):
                add(msgspec.structs.replace(current, late=late))


def _is_same(before: Sum, current: Sum) -> bool:
    """Whether a file is to the byte what its last sum says."""
    return before == msgspec.structs.replace(current, at=before.at, late=before.late)


def seal_quietly(folder: Path, names: Iterable[str] | None = None) -> None:
    """As `seal`; where the disk is full, what was added is not covered."""
    with contextlib.suppress(OSError):
        seal(folder, names)


def announce(folder: Path, name: str, place: Path) -> None:
    """Sum what is about to take the place of a file of a run folder.

    Raises
    ------
    OSError
        It cannot be read, or the sums not written.
    """
    with _appending(folder) as (_, add):
        add(msgspec.structs.replace(_sum(place, name)[0], coming=True))


def write_summed(folder: Path, name: str, data: bytes) -> None:
    """Write a file of a run folder as a whole, its sum first. Raises `OSError`."""
    with _appending(folder) as (known, add):
        there = name in known and (folder / name).exists()
        broken = _current_sum(folder / name, known[name]).changed if there else ""
        add(Sum(name, now(), len(data), hashlib.sha256(data).hexdigest(), 0, True, broken))
    write_atomically(folder / name, data, synced=True)


def files_of(folder: Path) -> list[str]:
    """The files that lie in a run folder itself and are summed, by name."""
    apart = {SUMS, SIGNED, SIGNATURE}
    return sorted(
        path.name
        for path in folder.iterdir()
        if path.name not in apart and not path.name.startswith((".", UNFINISHED)) and path.is_file()
    )


def read_sums(folder: Path) -> tuple[dict[str, list[Sum]], list[str]]:
    """The sums of each file, the newest last, and what is wrong with the sums themselves.

    Raises
    ------
    InputError
        The file of sums is there and cannot be read.
    """
    path = folder / SUMS
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)  # not in the middle of a line
            lines = list(file)
    except FileNotFoundError:
        return {}, []
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    known, _, whole = _chained(lines)
    torn = f"{SUMS}, line {whole + 1}: changed, or torn by a power cut"
    return known, [torn] if whole < len(lines) else []


class Checked(msgspec.Struct, frozen=True):
    """How a file agrees with its sums.

    Attributes
    ----------
    file : str
    state : {"sealed", "grown", "unsealed", "changed", "missing"}
        "grown": what was summed is as it was, and more was added since.
    bytes, lines : int
        How much of it is covered.
    more, more_lines : int
        How much is not.
    digest : str
        Of what is covered.
    why : str
        What is wrong with it.
    late : str
        When somebody summed of it what no session had; "" for never.
    """

    file: str
    state: str
    bytes: int = 0
    lines: int = 0
    more: int = 0
    more_lines: int = 0
    digest: str = ""
    why: str = ""
    late: str = ""


def check_sums(folder: Path) -> tuple[list[Checked], list[str]]:
    """Each file of a run folder beside its sums, and what is wrong with the sums themselves."""
    known, wrong = read_sums(folder)
    names = sorted({*known, *files_of(folder)})
    checked = [_check(folder / name, known.get(name, [])) for name in names]
    for at, one in enumerate(checked):
        late = [entry.at for entry in known.get(one.file, ()) if entry.late]
        # What is replaced as a whole is known again once a session has written it.
        if late and (only_grows(one.file) or known[one.file][-1].late):
            checked[at] = msgspec.structs.replace(one, late=late[-1])
    for name in names:
        broken = [one for one in known.get(name, ()) if one.changed]
        wrong += [f"{name}: {one.changed} (seen {one.at})" for one in broken]
    return checked, wrong


def _check(path: Path, sums: Sequence[Sum]) -> Checked:
    name = path.name
    if not sums:
        here = _sum(path, name)[0]
        return Checked(name, "unsealed", more=here.bytes, more_lines=here.lines)
    last = sums[-1]
    try:
        here, marks = _sum(path, name, tuple(one.bytes for one in sums[-2:]))
    except FileNotFoundError:
        if last.coming and len(sums) == 1:
            return Checked(name, "unsealed", why="was about to be written")
        return Checked(name, "missing", why="it was summed, and is gone")
    agreed = _agreeing(sums, here, marks)
    if agreed is not None and agreed.bytes == here.bytes:
        return Checked(name, "sealed", here.bytes, here.lines, digest=here.digest)
    if agreed is not None:
        more = here.bytes - agreed.bytes, here.lines - agreed.lines
        return Checked(name, "grown", agreed.bytes, agreed.lines, *more, agreed.digest)
    how = "shorter than" if here.bytes < last.bytes else "not what"
    return Checked(name, "changed", why=f"it is {how} it was when it was summed ({last.at})")


def _current_sum(path: Path, before: Sequence[Sum]) -> Sum:
    """The sum of a file as it is, with what does not agree with its sums before."""
    current, digests = _sum(path, path.name, tuple(one.bytes for one in before[-2:]))
    if not before or _agreeing(before, current, digests):
        return current
    return msgspec.structs.replace(current, changed="was changed by something else than Zhiyin")


def _agreeing(sums: Sequence[Sum], here: Sum, digests: Mapping[int, str]) -> Sum | None:
    """The sum that a file as it is `here` agrees with: it is the same, or has only grown since.

    The one before the last counts too, where the last was made before the file was in its place: a
    log that is about to be replaced may have grown since its own last sum.
    """
    for one in (sums[-1], *sums[-2:-1]) if sums[-1].coming else sums[-1:]:
        same = (here.bytes, here.digest) == (one.bytes, one.digest)
        if same or (only_grows(here.file) and digests.get(one.bytes) == one.digest):
            return one
    return None


def _sum(path: Path, name: str, marks: Sequence[int] = ()) -> tuple[Sum, dict[int, str]]:
    """The sum of a file, and the digests that it had when it was as long as each of `marks`."""
    size, lines, digests = 0, 0, dict[int, str]()
    if not path.is_file():  # a link may lead to a device, which has no end
        raise FileNotFoundError(errno.ENOENT, "no plain file", str(path))
    with path.open("rb") as file:
        if name == RECORDS:
            tree = Tree()
            for line in file:
                if size in marks:
                    digests[size] = tree.root()
                tree.add(line)
                size += len(line)
            digest, lines = tree.root(), tree.leaves
        else:
            total = hashlib.sha256()
            for block in _blocks(file, sorted(marks)):
                total.update(block)
                size += len(block)
                if size in marks:
                    digests[size] = total.hexdigest()
            digest = total.hexdigest()
    digests[size] = digest
    return Sum(name, now(), size, digest, lines), digests


def _blocks(file: BinaryIO, marks: Sequence[int]) -> Iterator[bytes]:
    """A file in pieces that end at each of some places."""
    at = 0
    while True:
        upto = next((mark - at for mark in marks if mark > at), _BLOCK)
        block = file.read(min(upto, _BLOCK))
        if not block:
            return
        at += len(block)
        yield block


@contextlib.contextmanager
def _appending(folder: Path) -> Iterator[tuple[dict[str, list[Sum]], Callable[[Sum], None]]]:
    """The sums of each file so far, and what adds one; all are on the disk at the end.

    A torn last line is cut off. A line that was changed stays, and every check finds it; from it on
    nothing is known.
    """
    with (folder / SUMS).open("ab+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        lines = list(file)
        if lines and lines[-1][-1:] != b"\n":
            file.truncate(sum(map(len, lines[:-1])))
            del lines[-1]
        known, chain, _ = _chained(lines)

        def add(entry: Sum) -> None:
            nonlocal chain
            rest = msgspec.json.encode(entry)[1:]
            chain = hashlib.sha256(chain + rest).hexdigest().encode()
            file.write(_START + chain + b'",' + rest + b"\n")

        yield known, add
        file.flush()
        os.fsync(file.fileno())


def _chained(lines: Sequence[bytes]) -> tuple[dict[str, list[Sum]], bytes, int]:
    """The sums of each file, the chain at their end, and how many lines are as written."""
    known: dict[str, list[Sum]] = {}
    chain = b""
    for number, line in enumerate(lines):
        entry, here = _read(line, chain)
        if entry is None:
            return known, chain, number
        known.setdefault(entry.file, []).append(entry)
        chain = here
    return known, chain, len(lines)


def _read(line: bytes, chain: bytes) -> tuple[Sum | None, bytes]:
    """A line of sums; None where it is not what followed the line before."""
    here, rest = line[len(_START) : len(_START) + _CHAIN], line[_HEAD:-1]
    framed = line[: len(_START)] == _START and line[_HEAD - 2 : _HEAD] == b'",'
    if (
        not framed
        or line[-1:] != b"\n"
        or hashlib.sha256(chain + rest).hexdigest().encode() != here
    ):
        return None, b""
    try:
        entry = msgspec.json.decode(b"{" + rest, type=Sum)
    except NOT_JSON:
        return None, b""
    # Sums that somebody else wrote may name anything: only what lies in the folder is opened.
    return (entry, here) if Path(entry.file).name == entry.file else (None, b"")
