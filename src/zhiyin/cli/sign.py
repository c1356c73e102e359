"""`zhiyin sign RUN --key FILE`: sign a run, so that others can check whose it is."""

from __future__ import annotations

import argparse
from pathlib import Path

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.words import said

HELP = (
    "Sign runs with an Ed25519 key, in minisign's format. Needs zhiyin[sign]. `zhiyin verify RUN "
    "--key FILE.pub` checks a signature."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    add = parser.add_argument
    add("runs", nargs="*", metavar="RUN", help="a folder that `zhiyin run` wrote")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--key", metavar="FILE", help="the private key to sign with")
    which.add_argument("--new", metavar="FILE", help="write a new private key, and FILE.pub")
    add("--json", action="store_true", help="print one JSON object and nothing else")


def execute(args: argparse.Namespace) -> int:
    """Sign or make a key, print, return the exit status."""
    from zhiyin.session.signing import make_key, sign

    if bool(args.new) == bool(args.runs):
        raise InputError("give runs and --key FILE, or --new FILE alone")
    console = open_console()
    if args.new:
        place, public = make_key(Path(args.new))
        if args.json:
            print_json({"private": args.new, "public": str(place), "key": public})
        else:
            console.say(f"private key: {args.new} (keep it to yourself)", 0)
            console.say(f"public key: {place}: {public}", 0)
        return 0
    signed = {run: sign(Path(run), Path(args.key)) for run in args.runs}
    if args.json:
        print_json(signed)
        return 0
    for run, statement in signed.items():
        signed_run = said(
            "cli-signed", run=run, records=statement.records, accuracy=statement.accuracy
        )
        console.say(signed_run, 0)
        console.say(f"{run}/signed.json is what was signed; beside it, its signature", 2)
        if not statement.rescored:
            console.say("its records were not scored again: the items are not here", 2, "note")
        if statement.late:
            console.say("summed by --seal, later than written; the statement says so", 2, "note")
    return 0
