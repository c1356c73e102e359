"""`zhiyin listen`: what the reference listener hears in a recording."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from zhiyin.errors import InputError

HELP = "what the reference listener hears in a recording"

_FILES = {"syncopation": 1, "transposition": 2, "chords": 1}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a recording (two to compare)")
    parser.add_argument("--task", required=True, choices=_FILES, help="what to listen for")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Run the command.

    Returns
    -------
    int
        0, also where nothing was heard.

    Raises
    ------
    InputError
        For a file that cannot be read, or another number of files than the task needs.
    """
    needed = _FILES[args.task]
    if len(args.files) != needed:
        files = "one FILE" if needed == 1 else "two FILEs"
        raise InputError(f"--task {args.task} needs {files}, got {len(args.files)}")
    from zhiyin.listener.cores import one_core

    with one_core():
        heard = _hear(args.task, args.files)
    if args.json:
        import msgspec

        sys.stdout.buffer.write(msgspec.json.encode(heard) + b"\n")
    else:
        sys.stdout.write(f"{heard['why']}\n")
    return 0


def _hear(task: str, files: list[str]) -> dict[str, Any]:
    """What was heard, as a flat object with a line ``why`` for people."""
    from dataclasses import asdict

    from zhiyin.listener.chord import hear_chord
    from zhiyin.listener.likeness import same_melody
    from zhiyin.listener.melody import hear_melody
    from zhiyin.listener.rhythm import hear_rhythm
    from zhiyin.sound import read_sound

    if task == "chords":
        return asdict(hear_chord(read_sound(files[0])))
    if task == "syncopation":
        return asdict(hear_rhythm(read_sound(files[0])))
    melodies = [hear_melody(read_sound(file)) for file in files]
    match = same_melody(*melodies)
    return {**asdict(match), "melodies": [asdict(melody) for melody in melodies]}
