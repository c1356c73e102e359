"""Runs made of runs: `zhiyin merge` and `rescore`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import msgspec

from zhiyin.analysis.summary import summarise
from zhiyin.cli import run_tables
from zhiyin.cli.flags import read_by
from zhiyin.cli.output import open_console, print_json
from zhiyin.cli.show import print_changes, print_summary

if TYPE_CHECKING:
    from zhiyin.engine.merging import Merged
    from zhiyin.plugins.making.errata.figures import WithoutErrata
    from zhiyin.plugins.making.errata.finding import Errata
    from zhiyin.session.rescore import RescoredSummary


def rescore(
    run: Path,
    *,
    extract: str,
    out: Path | None = None,
    errata: Path | None = None,
    benchmark_file: str | None = None,
    json: bool = False,
) -> int:
    """Score a run again with another extraction policy. Asks no model and changes no run.

    Parameters
    ----------
    extract : POLICY
        see `zhiyin list`
    out : RUN_DIR
        write the verdicts as a run of their own
    errata : FILE
        of `zhiyin errata`: print its headline figures as scored now without the flawed items, too
    """
    from zhiyin.plugins.making.errata.finding import read_errata
    from zhiyin.session.rescore import rescore as score_again

    read_by(benchmark_file, [run])
    listed = None if errata is None else read_errata(errata)
    summary = score_again(run, extract, out)
    changed = _rescored_without(run, extract, out, listed) if listed else []
    if json and listed:
        print_json(
            {"runs": [summary.in_english()], "errata": listed.head, "without_errata": changed}
        )
        return 1 if summary.states["error"] else 0
    print_summary([summary], as_json=json, more="--json")
    if not json:
        _print_before_and_after(summary)
        print_changes(changed, [extract] * len(changed))
    return 1 if summary.states["error"] else 0


def _rescored_without(
    run: Path, extract: str, out: Path | None, errata: Errata
) -> list[WithoutErrata]:
    """What `without_errata` finds of a run as it is scored now, wherever that was written."""
    from zhiyin.plugins.making.errata.figures import without_errata
    from zhiyin.session.rescore import rescore as score_again

    if out is not None:
        return without_errata(out, errata)
    with TemporaryDirectory() as scratch:
        place = Path(scratch) / run.name
        score_again(run, extract, place)
        return [msgspec.structs.replace(one, run=str(run)) for one in without_errata(place, errata)]


def merge(shards: tuple[Path, ...], *, out: Path, json: bool = False) -> int:
    """Make one run of all its shards (`run --shard I/N`), or one suite of those of a suite.

    Nothing of it may be missing.

    Parameters
    ----------
    shards : DIR
        the folder of each shard
    out : DIR
        the folder to write
    """
    from zhiyin.contract.registry import is_followed
    from zhiyin.engine.folder import read_manifest
    from zhiyin.engine.merging import merge as merge_runs
    from zhiyin.plugins.lab.suite.folder import is_suite, merge_suites

    if is_suite(shards[0]):
        return _print_suite(merge_suites(shards, out), out, json)
    merged = merge_runs(shards, out)
    aside = open_console(stderr=True)
    for note in merged.notes:
        aside.say(note, 0, "note")
    aside.say(f"merged {merged.shards} shards: {merged.records:,} trials in {merged.folder}", 0)
    if is_followed(read_manifest(merged.folder)):
        advice = f"the same `run` without --shard, with --out {merged.folder}, asks its judge"
        aside.say(advice, 0)
    summary = summarise(merged.folder)
    print_summary([summary], as_json=json, beside=False)
    return 1 if summary.states["error"] else 0


def _print_suite(merged: list[Merged], out: Path, as_json: bool) -> int:
    """Print what was merged; return the exit status."""
    aside = open_console(stderr=True)
    for one in merged:
        for note in one.notes:
            aside.say(f"{one.folder.name}: {note}", 0, "note")
    if as_json:
        print_json({"suite": str(out), "runs": merged})
    trials = sum(one.records for one in merged)
    runs = "1 run" if len(merged) == 1 else f"{len(merged)} runs"
    aside.say(f"merged {runs}, {trials:,} trials, in {out}", 0)
    aside.say(f"`zhiyin suite FILE --out {out}` writes their report", 0)
    return 0


def _print_before_and_after(summary: RescoredSummary) -> None:
    """Print what scoring a run again has changed: the figures of the whole, before and after."""
    console = open_console()
    console.print_table(run_tables.before_and_after(summary))
    console.say(f"{summary.changed} of {sum(summary.states.values())} verdicts differ")
