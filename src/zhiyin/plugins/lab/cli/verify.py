"""`zhiyin verify`: are runs what they claim?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.cli.functions import read_by
from zhiyin.cli.output import open_console, print_json
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.plugins.lab.verifying import Verified
    from zhiyin.shown.terminal import Terminal


def verify(
    runs: tuple[Path, ...],
    *,
    rescore: bool = False,
    strict: bool = False,
    benchmark_file: str | None = None,
    json: bool = False,
) -> int:
    """Look whether runs are what was written.

    Every file by its SHA-256 (`sha256sum -c SHA256SUMS` does the same), every record by its form,
    every sound by its hash. Status 1 where something is not.

    Parameters
    ----------
    runs : RUN
        a run folder; what lies in it is verified too
    rescore
        also score every record again, and make its items
    strict
        status 1 too where something is not covered
    """
    from zhiyin.plugins.lab.verifying import runs_in
    from zhiyin.plugins.lab.verifying import verify as verify_run

    read_by(benchmark_file, runs)
    results = []
    console = open_console()
    for folder in (folder for run in runs for folder in runs_in(run)):
        results.append(verify_run(folder, rescore=rescore))
        if not json:
            _print_verified(console, results[-1])
    if json:
        print_json({"runs": msgspec.to_builtins(results, enc_hook=str)})
    return int(any(one.faults or (strict and not one.covered) for one in results))


def _print_verified(console: Terminal, one: Verified) -> None:
    state = "faults" if one.faults else "covered" if one.covered else "open"
    line = said("verify-state", folder=one.folder, state=state, n=one.records)
    console.say(line, 0, "", "red" if one.faults else "green")
    for fault in one.faults:
        console.say(fault, 2, said("verify-wrong"), "red")
    for note in one.notes:
        console.say(note, 2, said("cli-note"))
    if one.rescored:
        alike = one.rescored.records - len(one.rescored.differ)
        console.say(said("verify-again", alike=alike, of=one.rescored.records), 2)
