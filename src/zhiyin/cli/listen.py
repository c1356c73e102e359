"""`zhiyin listen`: what the reference listener hears in a recording."""

from __future__ import annotations

import argparse
import sys

from zhiyin.cli.output import print_json
from zhiyin.listener.files import FILES, hear

HELP = "what the reference listener hears in a recording"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a recording (two to compare)")
    parser.add_argument("--task", required=True, choices=FILES, help="what to listen for")
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
    heard = hear(args.task, args.files)
    if args.json:
        print_json(heard)
    else:
        sys.stdout.write(f"{heard['why']}\n")
    return 0
