"""How far the reading of replies can be trusted: marked replies, and audits of runs.

The commands are ``zhiyin reading`` and ``zhiyin audit``; `docs/how-to/audit.md` is their page. As a
benchmark ("audit") it is a judge model that marks the replies of a run's draw.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.audit.judging import Marking

NAME = "audit"
SUMMARY = "marks that a judge model gives to replies of an earlier run (use `zhiyin audit RUN`)"
PAPER = "none"
LICENCE = "prompts: as Zhiyin"
BIBTEX = ""
CHANCE = None
"""A mark is not right or wrong, and so there is no chance level."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the flags of such a run."""
    parser.add_argument("--run", metavar="RUN", help="the run whose replies are marked")


def from_options(options: dict[str, Any]) -> Marking:
    """The marking that flags or a manifest name. Raises `InputError` where they name no run."""
    from zhiyin.audit.judging import Marking

    if not options.get("run"):
        raise InputError("no run to audit: write `zhiyin audit RUN --judge MODEL`")
    return Marking(str(options["run"]))


def published() -> None:
    """There are no published figures."""
