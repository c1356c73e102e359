"""Signed runs: who vouches for a run.

A signed run has a statement of what it is and what came out, and an Ed25519 signature of that in
the format of minisign, so that ``minisign -V`` checks it without Zhiyin. The statement holds the
sums of the run's files and its result, not its questions, so that it can be published before them.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin import __version__
from zhiyin.contract.resolved import COMMITMENT
from zhiyin.engine.folder import FAILURES, MANIFEST, RECORDS, read_manifest
from zhiyin.engine.sums import SIGNATURE, SIGNED, check_sums
from zhiyin.errors import InputError, imported, reworded
from zhiyin.files import write_atomically, write_private
from zhiyin.numerals import now
from zhiyin.runs.figures import figures
from zhiyin.runs.rows import read_table
from zhiyin.session.verifying import verify

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

PASSWORD = "ZHIYIN_KEY_PASSWORD"
_KEY, _PREHASHED = b"Ed", b"ED"
_KEY_BYTES, _SIGNATURE_BYTES = 42, 74
_SIGNED_FILES = (MANIFEST, RECORDS, FAILURES, "share.jsonl")
_COMMENT, _TRUSTED = "untrusted comment: ", "trusted comment: "
_FIRST_LINE = f"{_COMMENT}signature of a run by zhiyin"


class RunStatement(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is signed.

    Attributes
    ----------
    benchmark, benchmark_version, data, model, label, zhiyin : str
        Of the run; `data` is the fingerprint of its items.
    settings : str
        SHA-256 of all settings that make a run what it is.
    planned, records : int
    states : dict of str to int
        How many trials are in each state.
    accuracy : float or None
        Share of right answers, repeats of an item averaged first.
    sums : dict of str to str
        By file: SHA-256, and of the records the root of their Merkle tree.
    key : str
        The public key that belongs to the signature.
    at : str
    seed_commitment : str
        Of a run with a private seed: the commitment that was published before.
    rescored : int
        Records that were scored again before, with the verdicts that are written; 0 where the
        items were not at hand.
    late : bool
        Whether a file was summed later than it was written (``zhiyin verify --seal``).
    """

    benchmark: str
    benchmark_version: str
    data: str
    model: str
    label: str
    zhiyin: str
    settings: str
    planned: int
    records: int
    states: dict[str, int]
    accuracy: float | None
    sums: dict[str, str]
    key: str
    at: str
    seed_commitment: str = ""
    rescored: int = 0
    late: bool = False
    format: str = "zhiyin statement 1"


class Signature(msgspec.Struct, frozen=True):
    """Whose signature a run bears: `known` if one of the keys given made it; `why` it is bad;
    `late` if a file was summed later than it was written.
    """

    by: str
    known: bool = False
    why: str = ""
    late: bool = False


def is_signed(folder: Path) -> bool:
    """Whether somebody has signed a run, well or not."""
    return (folder / SIGNED).exists() or (folder / SIGNATURE).exists()


def make_key(place: Path) -> tuple[Path, str]:
    """Write a new private key, and its public one beside it.

    Parameters
    ----------
    place : Path
        Of the private key (PKCS 8 in PEM, under the password in ``$ZHIYIN_KEY_PASSWORD`` where
        there is one). The public one, in minisign's format, gets ``.pub`` at its end.

    Returns
    -------
    Path
        Of the public key.
    str
        The public key on one line.

    Raises
    ------
    InputError
        There is such a file already, it cannot be written, or cryptography is not installed.
    """
    _library()
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    password = os.environ.get(PASSWORD, "").encode()
    key = Ed25519PrivateKey.generate()
    guard = form.BestAvailableEncryption(password) if password else form.NoEncryption()
    secret = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, guard)
    public = place.with_name(f"{place.name}.pub")
    line = _public(key.public_key())
    with reworded(f"{place}: ", ": name a file that is not there yet"):
        write_private(place, secret)
        text = f"{_COMMENT}minisign public key {_name(line)}\n{line}\n"
        write_atomically(public, text.encode())
    return public, line


def sign(folder: Path, key_file: Path) -> RunStatement:
    """Sign a run: write its statement and the signature into its folder.

    Raises
    ------
    InputError
        The key cannot be read, not every byte of the run is covered by its sums, or something is
        not as it was written: the records scored again give other verdicts, say.
    """
    key = _private(key_file)
    statement = _new_statement(folder, _public(key.public_key()))
    data = msgspec.json.format(msgspec.json.encode(statement), indent=1) + b"\n"
    comment = f"zhiyin {statement.benchmark} {statement.at}"
    with reworded(f"cannot write to {folder}: "):
        write_atomically(folder / SIGNATURE, _signature(key, data, comment), synced=True)
        write_atomically(folder / SIGNED, data, synced=True)
    return statement


def sign_file(place: Path, key_file: Path) -> str:
    """Sign a file, such as a registered plan: the signature stands beside it, in ``.minisig``.

    Returns
    -------
    str
        The name of the key.

    Raises
    ------
    InputError
        The key or the file cannot be read, or nothing can be written.
    """
    key = _private(key_file)
    with reworded(f"{place}: cannot be signed: "):
        made = _signature(key, place.read_bytes(), f"zhiyin {place.name} {now()}")
        write_atomically(place.with_name(f"{place.name}.minisig"), made, synced=True)
    return _name(_public(key.public_key()))


def check_file(place: Path, keys: Sequence[str]) -> str:
    """By which of some keys a file was signed: its name. Raises `InputError` where by none."""
    try:
        data, signature = (
            (place.with_name(place.name + end)).read_bytes() for end in ("", ".minisig")
        )
    except OSError as error:
        raise InputError(f"{error.filename}: {error.strerror}: `zhiyin sign` makes it") from None
    why = "give the public key with --key"
    for key in map(read_public, keys):
        try:
            _check(_key_of(key), data, signature)
            return _name(key)
        except ValueError as error:
            why = str(error)
    raise InputError(f"{place}: not signed by a key that was given: {why}")


def check_signature(folder: Path, keys: Sequence[str] = ()) -> Signature:
    """Whether a run's signature is good, by one of some keys or by the one that it names.

    Parameters
    ----------
    folder : Path
    keys : sequence of str
        Public keys of minisign's form, or files that hold one. Empty: by any key.

    Raises
    ------
    InputError
        One of `keys` is none, or cryptography is not installed.
    """
    known = {read_public(text) for text in keys}
    try:
        data, signature = ((folder / name).read_bytes() for name in (SIGNED, SIGNATURE))
    except OSError as error:
        return Signature("", why=f"{Path(error.filename).name} cannot be read ({error.strerror})")
    try:
        statement = msgspec.json.decode(data, type=RunStatement)
        name = _name(statement.key)
        _check(_key_of(statement.key), data, signature)
    except (msgspec.MsgspecError, InputError, ValueError) as error:
        return Signature("", why=str(error) or "it is not in minisign's format")
    if known and statement.key not in known:
        return Signature(name, why=f"by the key {name}, which is none of those given")
    return Signature(name, bool(known), _contradiction(folder, statement), statement.late)


def read_public(text: str) -> str:
    """A public key as one line, from that line or a file that holds it."""
    if "." in text and not Path(text).exists():  # which is in no key
        raise InputError(f"{text}: no such file: give a public key, or the file KEY.pub")
    if Path(text).is_file():
        lines = Path(text).read_text("utf-8", errors="replace").split("\n")
        text = next((x.strip() for x in lines if x.strip() and not x.startswith(_COMMENT)), "")
    try:
        _key_of(text)
    except ValueError:
        raise InputError(
            f"{text or 'the file'}: no public key of minisign's form: give a line such as "
            "RWQ..., or the file KEY.pub"
        ) from None
    return text


def _new_statement(folder: Path, key: str) -> RunStatement:
    """The statement of a run. Raises `InputError` where not all of it is as it was written."""
    files, wrong = check_sums(folder)
    here = {one.file: one for one in files if one.file in _SIGNED_FILES}
    open_ = [name for name, one in here.items() if one.state != "sealed"]
    if wrong or open_ or RECORDS not in here or MANIFEST not in here:
        reason = (wrong or open_ or [f"no {MANIFEST}"])[0]
        raise InputError(
            f"{folder}: not every byte is covered by its sums ({reason}): see "
            f"`zhiyin verify {folder}`"
        )
    # An earlier signature may no longer hold: it is about to be replaced.
    verdict = verify(folder, signature=False)
    if not verdict.faults:
        # Items that are not on this machine: the statement says that nobody looked.
        with contextlib.suppress(InputError):
            verdict = verify(folder, rescore=True, signature=False)
    if verdict.faults:
        raise InputError(
            f"{folder} does not verify ({verdict.faults[0]}): see `zhiyin verify {folder} "
            "--rescore`; `zhiyin rescore` writes its verdicts anew"
        )
    return _statement_of(
        folder,
        sums={name: one.digest for name, one in here.items()},
        key=key,
        at=now(),
        rescored=verdict.rescored.records if verdict.rescored else 0,
        late=any(one.late for one in files),
    )


def _statement_of(folder: Path, **said: Any) -> RunStatement:
    """What a run says of itself, and what is `said` of it: sums, key, time, how it was checked."""
    manifest, counted = read_manifest(folder), figures(read_table(folder))
    states, config = counted.everything.states(), manifest.config
    return RunStatement(
        benchmark=manifest.benchmark,
        benchmark_version=str(config.get("benchmark_version", "")),
        data=str(config.get("data", "")),
        model=manifest.model,
        label=manifest.label,
        zhiyin=manifest.versions.get("zhiyin", __version__),
        settings=hashlib.sha256(msgspec.json.encode(config, order="sorted")).hexdigest(),
        planned=manifest.planned,
        records=sum(states.values()),
        states={name: n for name, n in states.items() if n},
        accuracy=counted.figure("accuracy"),
        seed_commitment=str(config.get(COMMITMENT, "")),
        **said,
    )


def _contradiction(folder: Path, statement: RunStatement) -> str:
    """In what a run is not the one that was signed; "" where it is."""
    files, _ = check_sums(folder)
    here = {one.file: one for one in files if one.file in _SIGNED_FILES}
    if here.keys() != statement.sums.keys():
        return "files were added to the run, or taken away, since it was signed"
    for name, digest in statement.sums.items():
        one = here[name]
        if one.digest != digest or one.state != "sealed":
            return f"{name} is not what was signed: it was changed, or the run went on since"
    said = {name: getattr(statement, name) for name in ("sums", "key", "at", "rescored", "late")}
    if _statement_of(folder, **said) != statement:
        return "the statement does not agree with the records"
    return ""


def _signature(key: Ed25519PrivateKey, data: bytes, comment: str) -> bytes:
    """A signature of `data` in minisign's format, of its BLAKE2b hash."""
    made = key.sign(hashlib.blake2b(data).digest())
    overall = key.sign(made + comment.encode())
    packed = base64.b64encode(_PREHASHED + _identity(_public(key.public_key())) + made).decode()
    lines = [
        _FIRST_LINE,
        packed,
        f"{_TRUSTED}{comment}",
        base64.b64encode(overall).decode(),
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def _check(key: Ed25519PublicKey, data: bytes, signature: bytes) -> None:
    """Raise ValueError where a signature of minisign's format is not one of `data` by `key`."""
    from cryptography.exceptions import InvalidSignature

    lines = signature.decode("utf-8").split("\n")
    malformed = "the signature is not in minisign's format"
    if len(lines) != 5 or (lines[0], lines[4]) != (_FIRST_LINE, ""):
        raise ValueError(malformed)
    packed = base64.b64decode(lines[1], validate=True)
    overall = base64.b64decode(lines[3], validate=True)
    canonical = base64.b64encode(packed).decode(), base64.b64encode(overall).decode()
    if (lines[1], lines[3]) != canonical or not lines[2].startswith(_TRUSTED):
        raise ValueError(malformed)
    if len(packed) != _SIGNATURE_BYTES or packed[:2] != _PREHASHED:
        raise ValueError(malformed)
    if packed[2:10] != _identity(_public(key)):
        raise ValueError("the signature is of another key than the statement names")
    made = packed[10:]
    try:
        key.verify(made, hashlib.blake2b(data).digest())
        key.verify(overall, made + lines[2].removeprefix(_TRUSTED).encode())
    except InvalidSignature:
        raise ValueError("statement or signature were changed: they do not fit") from None


def _private(place: Path) -> Ed25519PrivateKey:
    _library()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    password = os.environ.get(PASSWORD, "").encode() or None
    try:
        key = load_pem_private_key(place.read_bytes(), password)
    except OSError as error:
        raise InputError(
            f"{place}: {error.strerror}: `zhiyin sign --new {place}` makes a key"
        ) from None
    except (ValueError, TypeError) as error:
        raise InputError(
            f"{place}: no private key that can be read ({str(error).partition('. ')[0]}); name the "
            f"file that `zhiyin sign --new` wrote, not its .pub; a password goes into {PASSWORD}"
        ) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(f"{place}: not an Ed25519 key: `zhiyin sign --new FILE` makes one")
    return key


def _library() -> None:
    imported("cryptography", "cryptography", "sign")


def _identity(public: str) -> bytes:
    """The eight bytes by which minisign tells keys apart."""
    return base64.b64decode(public)[2:10]


def _name(public: str) -> str:
    """A key's name as minisign prints it: sixteen hexadecimal digits."""
    return _identity(public)[::-1].hex().upper()


def _public(key: Ed25519PublicKey) -> str:
    raw = key.public_bytes_raw()
    identity = hashlib.blake2b(raw, digest_size=8).digest()
    return base64.b64encode(_KEY + identity + raw).decode()


def _key_of(public: str) -> Ed25519PublicKey:
    """The key of one line. Raises ValueError where it is none."""
    _library()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    packed = base64.b64decode(public, validate=True)
    if len(packed) != _KEY_BYTES or packed[:2] != _KEY:
        raise ValueError("no key of minisign's form")
    return Ed25519PublicKey.from_public_bytes(packed[10:])
