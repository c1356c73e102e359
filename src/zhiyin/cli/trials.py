"""`zhiyin trials BENCHMARK --out DIR`: questions for a model that runs elsewhere."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.cli.output import print_json
from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.cli import Parser

HELP = (
    "Write out what a run would ask, with its sounds and pictures, and nothing that tells the "
    "answers; `zhiyin run BENCHMARK -m replay:FILE` makes a run of what comes back."
)


def rewrite(arguments: Sequence[str]) -> list[str]:
    """`FILE` in the place of a benchmark's name is `questions --data FILE`."""
    from zhiyin.contract.arguments import file_as_data

    return file_as_data(arguments)


def prepare(parser: Parser, arguments: Sequence[str]) -> None:
    """Add the flags of `zhiyin run` for what is asked and how replies are sampled."""
    from zhiyin.cli.flags import prepare_as_run
    from zhiyin.contract.flags import CommonOptions
    from zhiyin.flags import flagged
    from zhiyin.record import Sampling

    asked = {field.parameter for part in (CommonOptions, Sampling) for field in flagged(part)}
    kept = asked | {"benchmark", "limit", "sample", "out"}
    prepare_as_run(parser, arguments, kept, "nobody is asked here")
    for action in parser._actions:
        if action.dest == "out":
            action.metavar, action.help = "DIR", "the folder to write to"
    parser.add_argument(
        "--layout",
        choices=("chat", "list"),
        default="chat",
        help="chat: a JSON line a question; list: one JSON list of prompt, answers and audio_path",
    )


def execute(args: argparse.Namespace) -> int:
    """Write, print what was written, return the exit status."""
    from zhiyin import session
    from zhiyin.cli.run import order_of
    from zhiyin.contract.settings import command_of
    from zhiyin.text import printable

    if not args.out:
        raise InputError("--out is missing: name the folder to write to")
    folder = Path(args.out)
    order = msgspec.structs.replace(
        order_of(args), model=f"replay:{folder / 'answers.jsonl'}", out=None
    )
    run = command_of(order)
    written = asyncio.run(session.write_trials(order, folder, args.layout, run))
    if args.json:
        payload = {"folder": str(folder), "file": str(written.file), "trials": written.trials}
        print_json({**payload, "media": written.media, "run": run})
        return 0
    files = f" and {written.media} files of sound or pictures" if written.media else ""
    plural = "s" if written.trials != 1 else ""
    print(f"wrote {written.trials} question{plural}{files} to {folder}")
    print(f"  answers come back as JSON lines of id and text, in {folder / 'answers.jsonl'}, then:")
    print(f"  {printable(run)}")
    return 0
