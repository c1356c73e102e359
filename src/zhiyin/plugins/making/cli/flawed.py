"""`--errata FILE` of `show`, `report` and `rescore`: figures without items found flawed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec.structs import replace

from zhiyin.cli.functions import read_by
from zhiyin.cli.output import open_console, print_json

if TYPE_CHECKING:
    from zhiyin.plugins.making.errata.figures import WithoutErrata
    from zhiyin.plugins.making.errata.finding import Errata


def show(given: argparse.Namespace, *, errata: Path | None = None) -> int | None:
    """Given errata, it prints headline figures without these items, too.

    Parameters
    ----------
    errata : FILE
        of `zhiyin errata`: print the headline figures on all items, and without the flawed ones
    """
    if errata is None:
        return None
    from zhiyin.analysis.summary import summarise
    from zhiyin.cli.tables import labels
    from zhiyin.plugins.making.errata.figures import without_errata
    from zhiyin.plugins.making.errata.finding import read_errata

    read_by(given.benchmark_file, given.runs)
    listed = read_errata(errata)
    found = [one for run in given.runs for one in without_errata(run, listed)]
    if given.json:
        print_json({"errata": listed.head, "runs": found})
        return 0
    called = labels([summarise(run) for run in given.runs])
    names = dict(zip(map(str, given.runs), called, strict=True))
    _print_changes(found, [names[one.run] for one in found])
    return 0


def report(given: argparse.Namespace, *, errata: Path | None = None) -> int | None:
    """Given errata, its figures stand there without these items, too.

    Parameters
    ----------
    errata : FILE
        of `zhiyin errata`: its figures without the flawed items, too
    """
    if errata is None:
        return None
    from zhiyin.cli.pages import write_report

    return write_report(given={"errata": errata}, **vars(given))


def rescore(given: argparse.Namespace, *, errata: Path | None = None) -> int | None:
    """Given errata, it prints headline figures without these items, too.

    Parameters
    ----------
    errata : FILE
        of `zhiyin errata`: print its headline figures as scored now without the flawed items, too
    """
    if errata is None:
        return None
    from zhiyin.cli.show import print_rescored
    from zhiyin.plugins.making.errata.finding import read_errata
    from zhiyin.session.rescore import rescore as score_again

    read_by(given.benchmark_file, [given.run])
    listed = read_errata(errata)
    summary = score_again(given.run, given.extract, given.out)
    changed = _rescored_without(given.run, given.extract, given.out, listed)
    if given.json:
        print_json(
            {"runs": [summary.in_english()], "errata": listed.head, "without_errata": changed}
        )
    else:
        print_rescored(summary, as_json=False)
        _print_changes(changed, [given.extract] * len(changed))
    return 1 if summary.states["error"] else 0


def _rescored_without(
    run: Path, extract: str, out: Path | None, errata: Errata
) -> list[WithoutErrata]:
    """Apply `without_errata` to a run as it is scored now, wherever that was written."""
    from zhiyin.plugins.making.errata.figures import without_errata
    from zhiyin.session.rescore import rescore as score_again

    if out is not None:
        return without_errata(out, errata)
    with TemporaryDirectory() as scratch:
        place = Path(scratch) / run.name
        score_again(run, extract, place)
        return [replace(one, run=str(run)) for one in without_errata(place, errata)]


def _print_changes(found: Sequence[WithoutErrata], names: Sequence[str]) -> None:
    from zhiyin.plugins.making.errata.figures import errata_sections

    console = open_console()
    for section in errata_sections(found, names):
        console.print_table(section.table("errata"))
