"""`zhiyin batch`: questions asked in bulk."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from zhiyin.engine.runner import Limits
from zhiyin.errors import HaltError, InputError
from zhiyin.models import Setting
from zhiyin.plugins.local.on_ray import BulkSettings, Cluster
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.plugins.local.on_ray.bulk import BulkProgress


_REPORT_EVERY_S = 10.0


_MOST_CAUSES = 3


def batch(
    folder: Path,
    *,
    model: str,
    settings: BulkSettings = BulkSettings(),
    limits: Annotated[Limits, {"concurrency": "", "retries": ""}] = Limits(timeout_s=600.0),
    cluster: Annotated[Cluster, "its workers (docs/cluster.md)"] = Cluster("local"),
) -> int:
    """Ask what `zhiyin trials` wrote, thousands to millions of single questions, through Ray Data.

    The same command goes on where it was ended.

    Parameters
    ----------
    folder : DIR
        what `zhiyin trials BENCHMARK --out DIR` wrote
    model : -m MODEL
        as for `zhiyin run`
    """
    from zhiyin.plugins.local.on_ray.bulk import ask_in_bulk

    if model.startswith("vllm:") and not cluster.gpus:
        raise InputError(said("batch-gpu"))
    report = _Progress().report
    try:
        bulk = ask_in_bulk(
            folder, model, Setting(limits.timeout_s), cluster, settings.block, report
        )
    except HaltError as error:
        sys.stderr.write(f"stopped: {error}\n")
        return 1
    return _end(bulk, settings.out)


class _Progress:
    """Prints how far it has come, a line every ten seconds."""

    def __init__(self) -> None:
        self._begun = self._last = time.monotonic()

    def report(self, bulk: BulkProgress) -> None:
        """Print a line, if the last one is long enough ago."""
        now = time.monotonic()
        if now - self._last < _REPORT_EVERY_S:
            return
        self._last = now
        rate = bulk.answered / (now - self._begun)
        sys.stderr.write(
            f"{bulk.before + bulk.answered:,} of {bulk.questions:,} answered, {rate:,.1f}/s, "
            f"{bulk.failures.total():,} failed\n"
        )


def _end(bulk: BulkProgress, out: str | None) -> int:
    """Print what is there; make a run of it if `out` is given and nothing is missing."""
    there = bulk.before + bulk.answered
    sys.stderr.write(f"{there:,} of {bulk.questions:,} answered, in {bulk.file}\n")
    for cause, times in bulk.failures.most_common(_MOST_CAUSES):
        sys.stderr.write(f"  {times:,} x {cause}\n")
    if bulk.missing:
        sys.stderr.write(f"{bulk.missing:,} have no reply: the same command asks them again\n")
        return 1
    if out is None:
        sys.stderr.write("a run of them:\n")
        sys.stdout.write(f"{bulk.run}\n")
        return 0
    from zhiyin.cli import main

    return main([*shlex.split(bulk.run)[1:], "--out", out])
