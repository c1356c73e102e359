"""Judging what models write: grades for reviews, names for failures, and how far to trust both.

Each call of a judge is a trial of a run of its own, made from the records of the run judged.
`docs/judges.md` is its page; the command is ``zhiyin judge``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.benchmarks import Section
from zhiyin.judges.rules import JUDGING

if TYPE_CHECKING:
    from zhiyin.judges.benchmark import Judging

NAME = "judge"
SUMMARY = "judgements of the reviews or failures of an earlier run (use `zhiyin judge RUN`)"
PAPER = "none; the aspects and weights are those of the comprehensive music appraisal benchmark"
LICENCE = "rubrics and prompts: as Zhiyin"
BIBTEX = ""
CHANCE = None
"""There is no right answer, and so no chance level."""


PROTOCOLS = (JUDGING,)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the flags of a judge run."""
    parser.add_argument("--run", metavar="RUN", help="the run whose texts are judged")
    add_judging(parser)


def add_judging(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say what is judged and how."""
    parser.add_argument(
        "--aspects",
        metavar="LIST",
        help="completeness,precision,novelty (the default), or failures",
    )
    parser.add_argument(
        "--draws", type=int, default=1, metavar="K", help="judgements of each text; default 1"
    )
    parser.add_argument(
        "--language",
        default="zh",
        metavar="LANG",
        help="of the prompts: zh (the default), en, or the folder of a language pack",
    )
    parser.add_argument("--prompts", metavar="DIR", help="prompts that replace ours by file name")
    parser.add_argument(
        "--no-heard",
        action="store_true",
        help="judge by song details alone, without what is measured in the recordings",
    )


def from_options(options: dict[str, Any]) -> Judging:
    """A judging as `options` say: parsed flags, or a judge run's manifest. Reads nothing yet.

    Raises
    ------
    InputError
        A value that no flag takes.
    """
    from zhiyin.judges.benchmark import Judging, read_settings

    return Judging(read_settings(options))


def published() -> None:
    """There are no published figures."""


def details(folder: Path) -> list[Section]:
    """The scores of a judge run by song."""
    from zhiyin.judges.sections import judged_sections

    return judged_sections(folder)
