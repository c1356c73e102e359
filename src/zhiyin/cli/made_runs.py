"""Runs made of runs: `zhiyin merge` and `rescore`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.analysis.summary import summarise
from zhiyin.cli import run_tables
from zhiyin.cli.flags import read_by
from zhiyin.cli.output import open_console
from zhiyin.cli.show import print_summary
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.session.rescore import RescoredSummary


def rescore(
    run: Path,
    *,
    extract: str,
    out: Path | None = None,
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
    """
    from zhiyin.session.rescore import rescore as score_again

    read_by(benchmark_file, [run])
    summary = score_again(run, extract, out)
    print_rescored(summary, as_json=json)
    return 1 if summary.states["error"] else 0


def print_rescored(summary: RescoredSummary, *, as_json: bool) -> None:
    """Print a run that was scored again, and what that has changed."""
    print_summary([summary], as_json=as_json, more="--json")
    if not as_json:
        console = open_console()
        console.print_table(run_tables.before_and_after(summary))
        of = sum(summary.states.values())
        console.say(said("cli-differ-now", n=summary.changed, of=of))


def merge(shards: tuple[Path, ...], *, out: Path, json: bool = False) -> int:
    """Make one run of all its shards (`run --shard I/N`). Nothing of it may be missing.

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
