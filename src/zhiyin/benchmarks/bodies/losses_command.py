"""`zhiyin losses RUN...`: what runs lose from reading to hearing to seeing, and how they differ."""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zhiyin.contract.declared import Cell, Section


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="from `zhiyin run bodies`")


def execute(args: argparse.Namespace) -> dict[str, Any]:
    """Losses of each run, and of every two runs how much more the first loses."""
    from zhiyin.benchmarks.bodies.losses import between, gather, losses
    from zhiyin.engine.log import read_manifest
    from zhiyin.errors import InputError
    from zhiyin.runs.rows import rows_of

    answers_by_run = {}
    for run in dict.fromkeys(args.runs):
        manifest, answers = read_manifest(Path(run)), gather(rows_of(run))
        if not answers.scores and manifest.benchmark != "bodies":
            raise InputError(f"{run} is a run of {manifest.benchmark}: give runs of bodies")
        if not answers.scores:
            raise InputError(f"{run}: holds no answer yet: the command that began it goes on")
        if not losses(answers):
            raise InputError(
                f"{run}: no item was asked in two ways: run bodies with --body sound,abc,image "
                "or all of them"
            )
        answers_by_run[f"{manifest.model}  {run}"] = answers
    return {
        "runs": [
            {"run": name, "losses": losses(answers)} for name, answers in answers_by_run.items()
        ],
        "differences": [
            {"first": a, "second": b, "losses": between(answers_by_run[a], answers_by_run[b])}
            for a, b in combinations(answers_by_run, 2)
        ],
    }


def show(results: dict[str, Any]) -> list[Section]:
    """A table for each run, then one for each two."""
    from zhiyin.benchmarks.bodies.sections import KINDS, losses_section, points
    from zhiyin.contract.declared import Section, heads
    from zhiyin.words import said

    tables = [losses_section(each["losses"], each["run"]) for each in results["runs"]]
    for pair in results["differences"]:
        rows: list[list[Cell]] = [
            [
                said("bodies-from", first=loss.first, second=loss.second), loss.items,
                round(100 * loss.before, 1), round(100 * loss.after, 1), points(loss),
                loss.p,
            ]
            for loss in pair["losses"]
        ]  # fmt: skip
        notes = [said("bodies-compared", first=pair["first"], second=pair["second"])]
        notes += [] if rows else [said("bodies-none")]
        head = heads("lost", "items", "first-points", "second-points", "difference", "p")
        tables.append(Section(said("bodies-more"), head, rows, notes, kinds=KINDS))
    return tables
