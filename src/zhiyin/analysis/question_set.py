"""The question set a run was asked: the published one, or one of ours that looks like it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from zhiyin.contract.arguments import OWN
from zhiyin.engine.folder import Manifest
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.words import Said, Text, said

_SOURCE, _OURS = "source/", "zhiyin"
"""How groups say where questions are from; and that ``zhiyin data make`` wrote them."""


def of_which_set(benchmark: Text, options: Mapping[str, Any], groups: Iterable[str]) -> Said:
    """A benchmark's name, and whether the questions are Zhiyin's own.

    Parameters
    ----------
    benchmark : Text
    options : mapping
        Of the run: ``--source generated`` makes the questions.
    groups : iterable of str
        Of its questions, in all conditions.
    """
    sources = {name.rpartition(_SOURCE)[2] for name in groups if f"/{_SOURCE}" in f"/{name}"}
    own = sources == {_OURS} or options.get("source") == "generated"
    return said("of-which-set", benchmark=title_of(benchmark), own=own)


def title_of(benchmark: Text) -> Text:
    """A benchmark's name as people read it: a file ``questions.jsonl`` is "questions", once."""
    return OWN if benchmark == f"{OWN}-{OWN}" else benchmark


def set_of_runs(runs: Iterable[tuple[Manifest, Rows]], name: Text = "") -> Said:
    """The same of runs of one benchmark: ours where all were asked questions of ours.

    Parameters
    ----------
    runs : iterable of (Manifest, Rows)
        One or more.
    name : Text
        Instead of the benchmark's, as a suite or a leaderboard has it.
    """
    each = [
        of_which_set(
            name or manifest.benchmark,
            manifest.options,
            (group for kind in rows.table.kinds for group in kind.groups),
        )
        for manifest, rows in runs
    ]
    return next((one for one in each if not one.facts["own"]), each[0])


def own_set(folders: Iterable[Path], manifests: Iterable[Manifest]) -> bool:
    """Tell whether all of some runs were asked questions of ours."""
    runs = ((manifest, rows_of(f)) for f, manifest in zip(folders, manifests, strict=True))
    return bool(set_of_runs(runs).facts["own"])
