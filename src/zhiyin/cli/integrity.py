"""Whether runs are what they claim: `zhiyin verify`, `repeat`, `sign` and `seed`."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.cli.output import open_console, print_json
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError, reworded
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.session.parity import Repeated
    from zhiyin.session.verifying import Verified
    from zhiyin.shown.terminal import Terminal


def verify(
    runs: tuple[Path, ...],
    *,
    rescore: bool = False,
    key: tuple[str, ...] = (),
    strict: bool = False,
    seal: bool = False,
    prove: str = "",
    out: str = "",
    root: str = "",
    json: bool = False,
) -> int:
    """Look whether runs are what was written.

    Every byte by its sum, every record by its form, every sound by its hash, and the signature.
    Status 1 where something is not.

    Parameters
    ----------
    runs : RUN
        a run folder; what lies in it is verified too. Or one registered plan, by --key
    rescore
        also score every record again, and make its items
    key : KEY
        a public key, or a file of it, that must have signed; several: one of them
    strict
        status 1 too where something is not covered
    seal
        first sum what no sum covers, as it is now
    prove : ID
        write what shows that this record belongs to the run
    out : FILE
        where --prove writes (ID.proof.json)
    root : ROOT
        RUN is a file of --prove: is its record one of this root?
    """
    from zhiyin.session.verifying import runs_in
    from zhiyin.session.verifying import verify as verify_run

    if len(runs) == 1 and key and runs[0].is_file() and not root:
        return _signed_file(runs[0], key, json)
    if prove or root or out:
        return _one_record(runs, prove, root, out, json)
    results = []
    console = open_console()
    for run in runs:
        for folder in runs_in(run):
            if seal:
                _seal(folder)
            one = verify_run(folder, rescore=rescore, keys=key if folder == run else ())
            results.append(one)
            if not json:
                _print_verified(console, one)
    if json:
        each = [
            msgspec.to_builtins(one, enc_hook=str) | {"covered": one.covered} for one in results
        ]
        print_json({"runs": each})
    return int(any(one.faults or (strict and not one.covered) for one in results))


def _signed_file(place: Path, keys: tuple[str, ...], as_json: bool) -> int:
    """Check a registered plan and who signed it."""
    from zhiyin.contract.plan import read_registered
    from zhiyin.session.signing import check_file

    plan, signer = read_registered(place), check_file(place, keys)
    if as_json:
        print_json({"plan": plan.sha256, "at": plan.at, "key": signer})
    else:
        open_console().say(
            f"{place} is the plan registered at {plan.at}, signed with the key {signer}", 0
        )
    return 0


def _one_record(runs: tuple[Path, ...], record: str, root: str, out: str, as_json: bool) -> int:
    """Write the proof of one record, or check one."""
    from zhiyin.files import write_atomically
    from zhiyin.session.verifying import check_proof, prove

    if len(runs) != 1 or bool(record) == bool(root):
        raise InputError("give one run and --prove ID, or one file that it wrote and --root ROOT")
    if root:
        payload = {"id": check_proof(runs[0], root).id, "root": root}
        line = f"{runs[0]}: {payload['id']!r} is a record of the run of this root"
    else:
        proof = prove(runs[0], record)
        file = Path(out or f"{re.sub(r'[^-.0-9A-Z_a-z]', '-', record)}.proof.json")
        with reworded(f"cannot write {file}: "):
            write_atomically(file, msgspec.json.format(msgspec.json.encode(proof)) + b"\n")
        payload = {"id": record, "root": proof.root, "file": str(file)}
        line = f"wrote {file}: by it the record can be shown to be one of the root {proof.root}"
    if as_json:
        print_json(payload)
    else:
        open_console().say(line, 0)
    return 0


def _seal(folder: Path) -> None:
    from zhiyin.engine.log import is_being_written
    from zhiyin.engine.sums import seal

    if is_being_written(folder):
        raise InputError(f"{folder} is being written: it is summed when its session ends")
    seal(folder, late=True)


def _print_verified(console: Terminal, one: Verified) -> None:
    many = f"{one.records:,} records" if one.records != 1 else "1 record"
    if one.faults:
        state = "does not verify"
    elif one.covered:
        state = "is what it was when it was sealed" if one.late else "is what was written"
    else:
        state = "holds nothing wrong; not all of it is covered"
    console.say(f"{one.folder} {state}: {many}", 0, "", "red" if one.faults else "green")
    for fault in one.faults:
        console.say(fault, 2, "wrong", "red")
    for note in one.notes:
        console.say(note, 2, "note")
    if one.root:
        console.say(f"Merkle root of the records: {one.root}", 2)
    if one.signed and not one.faults:
        console.say(f"signed with the key {one.signed}", 2)
    if one.rescored:
        alike = one.rescored.records - len(one.rescored.differ)
        console.say(f"scored again: {alike:,} of {one.rescored.records:,} as written", 2)


def repeat(
    run: Path,
    *,
    out: str,
    model: str = "",
    data: str = "",
    limits: Limits = Limits(0),
    quiet: bool = False,
    json: bool = False,
) -> int:
    """Run again what a run was, and compare reply by reply.

    From its manifest: the same items, seeds, model and settings, into another folder. No kept reply
    is used. Says what differs; status 1 where anything does.

    Parameters
    ----------
    out : DIR
        the folder of the new run
    model : -m MODEL
        ask this one; default: the run's own
    data : DIR
        where the data lie now, if elsewhere
    """
    from zhiyin import session
    from zhiyin.session.parity import compare_repeat, order_again
    from zhiyin.session.progress import Progress, quietly

    order = order_again(run, out, limits, model, data)
    result = asyncio.run(session.carry_out(order, quietly if quiet or json else Progress))
    comparison = compare_repeat(run, result.folder)
    if json:
        print_json(msgspec.to_builtins(comparison, enc_hook=str) | {"same": comparison.same})
    else:
        _print_repeated(open_console(), comparison)
    if result.outcome.interrupted:
        return 130
    return 0 if comparison.same else 1


def _print_repeated(console: Terminal, comparison: Repeated) -> None:
    console.say(
        f"{comparison.first} and, again, {comparison.second}: {comparison.trials:,} trials in both",
        0,
    )
    if comparison.same:
        console.say("asked, answered and judged alike, every one", 2)
    for number, meaning in (
        (comparison.items, "asked otherwise: the items differ"),
        (comparison.replies, "answered otherwise: the model's replies differ"),
        (comparison.verdicts, "judged otherwise"),
        (comparison.only_first, "not asked this time"),
        (comparison.only_second, "not asked the first time"),
    ):
        if number:
            console.say(f"{number:,} {'was' if number == 1 else 'were'} {meaning}", 2)
    for line in comparison.examples:
        console.say(line, 4)
    for title, lines in (
        ("settings", comparison.settings),
        ("versions", comparison.versions),
        ("model", comparison.servers),
    ):
        if lines:
            console.say(f"{title}: {'; '.join(lines)}", 2)


def sign(runs: tuple[str, ...] = (), *, key: str = "", new: str = "", json: bool = False) -> int:
    """Sign runs, or registered plans, with an Ed25519 key, in minisign's format.

    Needs the extra `sign`. `zhiyin verify RUN --key FILE.pub` checks a signature.

    Parameters
    ----------
    runs : RUN
        a run folder, or the file of a registered plan
    key : FILE
        the private key to sign with
    new : FILE
        write a new private key, and FILE.pub
    """
    from zhiyin.session.signing import make_key, sign_file
    from zhiyin.session.signing import sign as sign_run

    if bool(new) == bool(runs) or bool(new) == bool(key):
        raise InputError("give runs and --key FILE, or --new FILE alone")
    console = open_console()
    if new:
        place, public = make_key(Path(new))
        if json:
            print_json({"private": new, "public": str(place), "key": public})
        else:
            console.say(f"private key: {new} (keep it to yourself)", 0)
            console.say(f"public key: {place}: {public}", 0)
        return 0
    plans = {run: sign_file(Path(run), Path(key)) for run in runs if Path(run).is_file()}
    signed = {run: sign_run(Path(run), Path(key)) for run in runs if run not in plans}
    if json:
        print_json({**plans, **signed})
        return 0
    for plan, name in plans.items():
        console.say(f"{plan} is signed with the key {name}: see {plan}.minisig", 0)
    for run, one in signed.items():
        console.say(said("cli-signed", run=run, records=one.records, accuracy=one.accuracy), 0)
        console.say(f"{run}/signed.json is what was signed; beside it, its signature", 2)
        if not one.rescored:
            console.say("its records were not scored again: the items are not here", 2, "note")
        if one.late:
            console.say("summed by --seal, later than written; the statement says so", 2, "note")
    return 0


def seed(
    file: Path, *, check: str | None = None, run: tuple[str, ...] = (), json: bool = False
) -> int:
    """Draw a private seed, or prove one.

    A new FILE holds the seed; its commitment is printed, to be published before any model is asked.
    `zhiyin run --private-seed FILE` uses it. With --check, prove it afterwards.

    Parameters
    ----------
    file : FILE
        of the seed; a new one, or with --check one that is there
    check : COMMITMENT
        whether the seed is the one committed to
    run : RUN
        with --check: a run that was made with it; several: give it again
    """
    from zhiyin.session.private_seeds import (
        check_commitment,
        check_run,
        make_seed,
        read_seed,
    )

    console = open_console()
    if check is None:
        if run:
            raise InputError("runs are looked at with --check COMMITMENT")
        made = make_seed(file)
        if json:
            print_json({"file": str(file), "commitment": made.commitment})
        else:
            console.say(f"{file} holds the seed: keep it to yourself until the result is out", 0)
            console.say(f"commitment, to be published now: {made.commitment}", 0)
        return 0
    secret = read_seed(file)
    check_commitment(secret, check)
    for one in run:
        check_run(secret, Path(one))
    if json:
        print_json({"seed": secret.seed, "commitment": secret.commitment, "runs": run})
        return 0
    console.say(f"the seed {secret.seed} is the one that was committed to", 0)
    for one in run:
        console.say(f"{one} was made with it: it makes the same items", 2)
    return 0
