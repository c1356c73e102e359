"""`zhiyin verify RUN...`: is a run what was written into it? And a record, is it one of its?"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.session.verifying import Verified
    from zhiyin.shown.terminal import Terminal

HELP = (
    "Look whether runs are what was written: every byte by its sum, every record by its form, "
    "every sound by its hash, and the signature. Status 1 where something is not."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    add = parser.add_argument
    add("runs", nargs="+", metavar="RUN", help="a run folder; what lies in it is verified too")
    add("--rescore", action="store_true", help="also score every record again, and make its items")
    add(
        "--key",
        action="append",
        default=[],
        metavar="KEY",
        help="a public key, or a file of it, that must have signed; several: one of them",
    )
    add("--strict", action="store_true", help="status 1 too where something is not covered")
    add("--seal", action="store_true", help="first sum what no sum covers, as it is now")
    add("--prove", metavar="ID", help="write what shows that this record belongs to the run")
    add("--out", metavar="FILE", help="where --prove writes (ID.proof.json)")
    add("--root", metavar="ROOT", help="RUN is a file of --prove: is its record one of this root?")
    add("--json", action="store_true", help="print one JSON object and nothing else")


def execute(args: argparse.Namespace) -> int:
    """Verify, print, return the exit status."""
    from zhiyin.session.verifying import runs_in, verify

    if args.prove or args.root or args.out:
        return _one_record(args)
    results = []
    console = open_console()
    for run in args.runs:
        for folder in runs_in(Path(run)):
            if args.seal:
                _seal(folder)
            keys = args.key if folder == Path(run) else ()
            one = verify(folder, rescore=args.rescore, keys=keys)
            results.append(one)
            if not args.json:
                _print(console, one)
    if args.json:
        print_json(
            {
                "runs": [
                    msgspec.to_builtins(one, enc_hook=str) | {"covered": one.covered}
                    for one in results
                ]
            }
        )
    bad = any(one.faults or (args.strict and not one.covered) for one in results)
    return 1 if bad else 0


def _one_record(args: argparse.Namespace) -> int:
    """Write the proof of one record, or check one."""
    from zhiyin.files import write_atomically
    from zhiyin.session.verifying import check_proof, prove

    if len(args.runs) != 1 or bool(args.prove) == bool(args.root):
        raise InputError("give one run and --prove ID, or one file that it wrote and --root ROOT")
    place = Path(args.runs[0])
    if args.root:
        payload = {"id": check_proof(place, args.root).id, "root": args.root}
        line = f"{place}: {payload['id']!r} is a record of the run of this root"
    else:
        proof = prove(place, args.prove)
        out = Path(args.out or f"{re.sub(r'[^-.0-9A-Z_a-z]', '-', args.prove)}.proof.json")
        try:
            write_atomically(out, msgspec.json.format(msgspec.json.encode(proof)) + b"\n")
        except OSError as error:
            raise InputError(f"cannot write {out}: {error.strerror}") from None
        payload = {"id": args.prove, "root": proof.root, "file": str(out)}
        line = f"wrote {out}: by it the record can be shown to be one of the root {proof.root}"
    if args.json:
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


def _print(console: Terminal, one: Verified) -> None:
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
