"""`zhiyin batch DIR -m MODEL`: questions that were written out, asked in bulk on a Ray cluster."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.errors import HaltError, InputError

if TYPE_CHECKING:
    from zhiyin.session.offline import BulkProgress

HELP = (
    "Ask what `zhiyin trials` wrote, thousands to millions of single questions, through Ray Data; "
    "the same command goes on where it was ended."
)
_REPORT_EVERY_S = 10.0
_MOST_CAUSES = 3


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import add_part
    from zhiyin.models.on_ray.cluster import BulkSettings, Cluster

    add = parser.add_argument
    add("folder", metavar="DIR", help="what `zhiyin trials BENCHMARK --out DIR` wrote")
    add("-m", "--model", required=True, metavar="MODEL", help="as for `zhiyin run`")
    add_part(parser, BulkSettings)
    add_part(parser, Limits(timeout_s=600.0), concurrency="", retries="")
    add_part(parser.add_argument_group("its workers (docs/cluster.md)"), Cluster)


def execute(args: argparse.Namespace) -> int:
    """Ask, print the result, return the exit status."""
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import read_part
    from zhiyin.models.on_ray.cluster import BulkSettings, Cluster
    from zhiyin.models.playback import AS_IT_IS
    from zhiyin.session.offline import ask_in_bulk

    cluster = read_part(Cluster("local"), vars(args))
    if args.model.startswith("vllm:") and not cluster.gpus:
        raise InputError("vllm: works on a GPU: give each worker one with --ray-gpus 1")
    wanted = read_part(BulkSettings(), vars(args))
    timeout = read_part(Limits(timeout_s=600.0), vars(args)).timeout_s
    settings = {"timeout": timeout, "seed": 0, "sound": AS_IT_IS}
    try:
        bulk = ask_in_bulk(
            Path(args.folder), args.model, settings, cluster, wanted.block, _Progress().report
        )
    except HaltError as error:
        sys.stderr.write(f"stopped: {error}\n")
        return 1
    return _end(bulk, wanted.out)


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
