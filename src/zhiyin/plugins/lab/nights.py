"""A table over the nights of a suite: in the order of time, with what has changed since the first.

`zhiyin table NIGHT NIGHT ...`
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from zhiyin.analysis.parts import RunColumn
from zhiyin.cli import pages
from zhiyin.engine.folder import read_manifest
from zhiyin.errors import InputError
from zhiyin.plugins.lab.gate_command import hold, nights_held
from zhiyin.plugins.lab.gate_summary import gate_table
from zhiyin.plugins.lab.suite.folder import is_suite, read_state
from zhiyin.shown.table import Column
from zhiyin.words import said


def table(given: Namespace) -> int | None:
    """Of several nights of a suite each row names its night, and changes stand below."""
    if given.as_ or len(given.places) < 2 or not all(map(is_suite, given.places)):
        return None
    nights = sorted(given.places, key=lambda place: [f.since for f in read_state(place).files[:1]])
    try:
        pairs, together, unheld = nights_held(*nights)
    except InputError:  # of other runs: no nights of one suite
        return None
    fields = {name: value for name, value in vars(given).items() if name != "runs"}
    status = pages.table(**fields | {"places": tuple(nights), "add": ("night", *given.add)})
    if given.to != "csv" and not given.out:
        found = hold(pairs, 0.0, (), together=together, unheld=unheld)
        if given.to:
            sys.stdout.write("\n")
        changes = gate_table(found, gated=False, nights=nights)
        pages.put_table(changes, given.to, None, given.lang)
    return status


def _night(folders: Sequence[Path]) -> str:
    """The folder of the suite, and the day where that does not name it."""
    days = {
        run.resolve().parents[1].name: read_manifest(run).sessions[0].started for run in folders
    }
    return "; ".join(n if (day := at[:10]) in n else f"{n}, {day}" for n, at in days.items())


NIGHT = RunColumn(Column(said("nights-night")), _night)
