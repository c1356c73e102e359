"""`zhiyin import NAME FILE...`: answers that were given elsewhere become a run."""  # noqa: N999

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "Make a run of answers that a model gave elsewhere, so that any policy can score them."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    add = parser.add_argument
    add("benchmark", help="whose published output format it is")
    add(
        "files",
        nargs="+",
        metavar="FILE",
        help="as published: files of answers, or a folder of logs",
    )
    add("--out", metavar="RUN_DIR", help="the run folder; by default runs/NAME-FILE-HASH")
    add("-m", "--model", default="", metavar="NAME", help="whose answers; default: the file's name")
    add("--extract", metavar="POLICY", default="robust", help="default robust; see `zhiyin list`")
    add("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Import, print the results, return the exit status."""
    from zhiyin.analysis.summary import summarise
    from zhiyin.cli.show import print_summary
    from zhiyin.contract.registry import find

    files = [Path(file) for file in args.files]
    out = Path(args.out) if args.out else None
    made = find(args.benchmark).import_answers(files, out, args.extract, args.model)
    folders = [made] if isinstance(made, Path) else list(made)
    print_summary([summarise(folder) for folder in folders], as_json=args.json)
    return 0
