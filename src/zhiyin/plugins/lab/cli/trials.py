"""`zhiyin trials`: questions written out for a model that runs elsewhere."""

from __future__ import annotations

import argparse
import asyncio
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.cli.output import print_json
from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.cli.parser import Parser
from zhiyin.cli.run import order_of


def rewrite_trials(arguments: Sequence[str]) -> list[str]:
    """`FILE` in the place of a benchmark's name is `questions --data FILE`."""
    from zhiyin.contract.arguments import file_as_data

    return file_as_data(arguments)


def prepare_trials(parser: Parser, arguments: Sequence[str]) -> None:
    """Add the flags of `zhiyin run` for what is asked and how replies are sampled."""
    from zhiyin.cli.functions import prepare_as_run
    from zhiyin.contract.options import common_settings
    from zhiyin.flags import flagged
    from zhiyin.record import Sampling

    every: tuple[type[msgspec.Struct], ...] = (*common_settings(), Sampling)
    asked = {field.parameter for part in every for field in flagged(part)}
    kept = asked | {"benchmark", "limit", "sample", "out"}
    prepare_as_run(parser, arguments, kept, "nobody is asked here")
    for action in parser._actions:
        if action.dest == "out":
            action.metavar, action.help = "DIR", "the folder to write to"
    parser.add_argument(
        "--layout",
        choices=("chat", "list", "evalscope", "vlmevalkit", "lmms-eval", "openai-batch"),
        default="chat",
        help="chat: a JSON line a question; list: one JSON list of prompt, answers and audio_path; "
        "or the files of another harness, which hold the right answers (docs/how-to/elsewhere.md)",
    )


def trials(args: argparse.Namespace) -> int:
    """Write out what a run would ask, its sounds and pictures, and nothing that tells the answers.

    `zhiyin run BENCHMARK -m replay:FILE` makes a run of what comes back. Layouts of other harnesses
    hold the right answers, since these score.
    """
    from zhiyin.contract.settings import command_of
    from zhiyin.plugins.lab.written_out import write_trials
    from zhiyin.text import printable

    if not args.out:
        raise InputError("--out is missing: name the folder to write to")
    folder = Path(args.out)
    order = msgspec.structs.replace(
        order_of(args), model=f"replay:{folder / 'answers.jsonl'}", out=None
    )
    run = command_of(order)
    written = asyncio.run(write_trials(order, folder, args.layout, run))
    if args.json:
        payload = {"folder": str(folder), "file": str(written.file), "trials": written.trials}
        more = {"use": written.use, "holds_key": written.holds_key}
        print_json({**payload, "media": written.media, "run": run, **more})
        return 0
    files = f" and {written.media} files of sound or pictures" if written.media else ""
    plural = "s" if written.trials != 1 else ""
    print(f"wrote {written.trials} question{plural}{files} to {folder}")
    if written.holds_key:
        print("  warning: these files hold the right answers: no model may see them")
    if written.use:
        print(f"  in {folder}:")
        for line in written.use.splitlines():
            print(f"  {printable(line)}")
        print("  what it writes, left in that folder, becomes a run:")
        print(f"  {printable(_import_line(args.benchmark, order.options.get('data')))}")
        return 0
    print(f"  answers come back as JSON lines of id and text, in {folder / 'answers.jsonl'}, then:")
    print(f"  {printable(run)}")
    return 0


def _import_line(benchmark: str, data: str | None) -> str:
    """The command that makes a run of what another harness wrote."""
    from zhiyin.contract.arguments import OWN

    own = benchmark == OWN and data is not None
    more = ["--data", data] if data and not own else []
    words = ["zhiyin", "import", data if data and own else benchmark, "FILE", "--from", "auto"]
    return shlex.join([*words, *more])
