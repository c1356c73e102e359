"""Scoring a log again: verdicts are a pure function of trial and exchange."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from zhiyin.benchmarks import open_benchmark
from zhiyin.errors import InputError
from zhiyin.log import RunFolder, read_manifest, read_records
from zhiyin.reader import open_policy
from zhiyin.summary import assemble
from zhiyin.tally import Tally


def rescore(folder: Path, policy: str, out: Path | None = None) -> dict[str, Any]:
    """Score a run with another extraction policy.

    Parameters
    ----------
    folder : Path
        The run. It is not changed.
    policy : str
        The extraction policy.
    out : Path, optional
        Where to write the new verdicts as a run folder of their own.

    Returns
    -------
    dict
        As `summary.summarise` gives for a run.

    Raises
    ------
    InputError
        For an unknown policy, a folder that is not a run, or an `out` that is the run itself.
    """
    open_policy(policy)
    if out is not None and out.resolve() == folder.resolve():
        raise InputError(f"--out {out} is the run itself: choose another folder")
    manifest = read_manifest(folder)
    manifest.options = {**manifest.options, "extract": policy}
    settings = {**manifest.config["options"], "extract": policy}
    manifest.config = {**manifest.config, "options": settings}
    benchmark = open_benchmark(manifest.benchmark, manifest.options)
    tally = Tally()
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(RunFolder(out, manifest)) if out else None
        for record in read_records(folder):
            if record.exchange.turns and not record.exchange.broken:
                record.verdict = benchmark.score(record.trial, record.exchange)
                record.error = None
            tally.add(record.verdict.state, record.trial.groups, record.trial.cluster)
            if record.verdict.state == "error":
                tally.causes[record.error or record.verdict.why] += 1
            if log and record.id not in log.answered:
                log.append(record)
    return assemble(out or folder, manifest, tally)
