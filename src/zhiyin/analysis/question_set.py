"""Whose questions a run was asked: the published set, or one of ours that only looks like it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from zhiyin.engine.folder import Manifest
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.runs.ways import Kind
from zhiyin.words import Said, Text, said

OWN_QUESTIONS = "source/zhiyin"
"""The group of questions that `zhiyin data make` wrote in the form of a published set."""


def of_which_set(benchmark: Text, options: Mapping[str, Any], *, written: bool) -> Said:
    """A benchmark's name, and whether the questions are Zhiyin's own.

    Parameters
    ----------
    benchmark : Text
    options : mapping
        Of the run: ``--source generated`` makes the questions.
    written : bool
        Whether all questions are in `OWN_QUESTIONS`.
    """
    own = written or options.get("source") == "generated"
    return said("of-which-set", benchmark=benchmark, own=own)


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
            written=all(map(_is_written, rows.table.kinds)) and bool(rows.table.kinds),
        )
        for manifest, rows in runs
    ]
    return next((one for one in each if not one.facts["own"]), each[0])


def own_set(folders: Iterable[Path], manifests: Iterable[Manifest]) -> bool:
    """Whether all of some runs were asked questions of ours."""
    runs = ((manifest, rows_of(f)) for f, manifest in zip(folders, manifests, strict=True))
    return bool(set_of_runs(runs).facts["own"])


def _is_written(kind: Kind) -> bool:
    return any(f"/{name}".endswith(f"/{OWN_QUESTIONS}") for name in kind.groups)
