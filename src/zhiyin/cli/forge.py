"""`zhiyin forge PART`: benchmarks made, made harder, and renewed."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence

HELP = "Make benchmarks: questions from captions, harder wrong answers, sister sets."
PARTS = {
    "questions": "multiple-choice questions from captions of recordings, as a benchmark folder",
    "distractors": "harder wrong answers, chosen so that text alone does not tell the right one",
    "index": "how much the text alone gives away: questions put before models that hear nothing",
    "renew": "a sister set of a run's items, of equal difficulty as far as features tell",
    "contamination": "does a model do better on old items than on new ones?",
}
"""Each in a file of its own, ``forge_PART.py``, with `configure` and `execute`."""


def prepare(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the parts; only the one that is named is imported."""
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    for name, summary in PARTS.items():
        one = parts.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        if name in arguments[:1]:
            importlib.import_module(f"zhiyin.cli.forge_{name}").configure(one)


def execute(args: argparse.Namespace) -> int:
    """Carry out the part, and return the exit status."""
    status: int = importlib.import_module(f"zhiyin.cli.forge_{args.part}").execute(args)
    return status
