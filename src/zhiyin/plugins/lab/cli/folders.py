"""Folders that commands of the core know nothing of: suites, and folders of runs as lab books."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli.output import open_console, print_json
from zhiyin.text import quoted

if TYPE_CHECKING:
    from zhiyin.report.run_set import RunsInPlace


def suite(place: Path) -> RunsInPlace | None:
    """The runs of a suite that have answers, and the published rows that its file names."""
    from zhiyin.plugins.lab.suite.folder import is_suite, read_state

    if not is_suite(place):
        return None
    from zhiyin.plugins.lab.suite.results import named_runs, published_rows_of
    from zhiyin.report.run_set import RunsInPlace

    state = read_state(place)
    return RunsInPlace(named_runs(place, state), published_rows_of(place, state))


def merge(given: argparse.Namespace) -> int | None:
    """Merge shards of a suite into one suite."""
    from zhiyin.plugins.lab.suite.folder import is_suite, merge_suites

    if not is_suite(given.shards[0]):
        return None
    merged = merge_suites(given.shards, given.out)
    aside = open_console(stderr=True)
    for one in merged:
        for note in one.notes:
            aside.say(f"{one.folder.name}: {note}", 0, "note")
    if given.json:
        print_json({"suite": str(given.out), "runs": merged})
    trials = sum(one.records for one in merged)
    runs = "1 run" if len(merged) == 1 else f"{len(merged)} runs"
    aside.say(f"merged {runs}, {trials:,} trials, in {given.out}", 0)
    aside.say(f"`zhiyin suite FILE.toml --out {quoted(given.out)}` writes their report", 0)
    return 0
