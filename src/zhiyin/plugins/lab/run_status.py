"""Status of a run that goes on, rests or is done: how far it has come, and what it has found."""

from __future__ import annotations

import time
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from zhiyin.analysis.run import OpenRun
from zhiyin.contract.resolved import name_of
from zhiyin.engine.folder import RECORDS, Manifest, Session
from zhiyin.engine.log import is_being_written, this_machine
from zhiyin.files import Place
from zhiyin.runs.figures import LogProgress
from zhiyin.words import said

_MOST_CAUSES = 5

RunProgress = Literal["planned", "going", "quiet", "stopped", "failed", "done"]
"""Not begun; a session goes on; it may go on elsewhere, or was killed; ended early; ended with
failed trials, or could not go on; all that was planned is asked, and nothing failed."""


_QUIET_S = 60.0
"""A log that has not grown for so long is not being written, as far as another machine can see."""


def progress_of(
    folder: Path, manifest: Manifest, progress: LogProgress, failed: int
) -> tuple[RunProgress, str]:
    """Return how far a run has come, and why its last session ended early, if known.

    Parameters
    ----------
    folder : Path
    manifest : Manifest
    progress : LogProgress
        What its log holds.
    failed : int
        Trials that failed.
    """
    last = manifest.sessions[-1] if manifest.sessions else None
    whole = progress.whole(manifest)
    if last is not None and last.ended is None:
        here = last.machine != "" and last.machine == this_machine()
        if is_being_written(folder) or (not here and _grows(folder)):
            return "going", ""
        if here and (failed or not whole):
            return "stopped", str(said("log-killed"))
        if failed or not whole:
            return "quiet", str(said("log-quiet"))
    stopped = (last.stopped or "") if last else ""
    return progress_at_rest(whole=whole, failed=failed, begun=last is not None, stopped=stopped)


def progress_at_rest(
    *, whole: bool, failed: int, begun: bool = True, stopped: str = ""
) -> tuple[RunProgress, str]:
    """The same of a run that nobody is writing, from what is known of it.

    Parameters
    ----------
    whole : bool
        Whether all that was planned has an answer.
    failed : int
        Trials that failed.
    begun : bool
        Whether any session began.
    stopped : str
        Why the last session ended early; "" where it did not.
    """
    if whole and not failed:
        return "done", ""
    if stopped:
        return "stopped", stopped
    if failed:
        return "failed", ""
    return ("stopped" if begun else "planned"), ""


def seconds_since(folder: Path) -> float | None:
    """Return the seconds since the last record was written; None where there is none."""
    try:
        state = (folder / RECORDS).stat()
    except OSError:
        return None
    return max(0.0, time.time() - state.st_mtime) if state.st_size else None


def _grows(folder: Path) -> bool:
    since = seconds_since(folder)
    return since is not None and since < _QUIET_S


class RunStatus(msgspec.Struct):
    """Status of a run: how far it has come.

    Attributes
    ----------
    run, name, benchmark, model : str
    now : RunProgress
    why : str
        Why its last session ended early.
    planned : int
        Trials; of sequences whose length is not known, the fewest.
    answered, failed : int
        Trials with a verdict, and those that failed.
    per_second : float or None
        Trials of the last session; of one that goes on, until the last record.
    left_s : float or None
        Seconds that the rest takes at this rate; 0 where nothing is left.
    since_s : float or None
        Seconds since the last record.
    failures : dict of str to int
        Failed trials by their cause, the most frequent first.
    latency_s : tuple of float or None
        Of a reply: the median, and what 95 % of them are below.
    usd : float or None
        What it has cost, as far as prices are known.
    calls : int
    servers : dict of str to tuple of (int, float)
        Of a pool: the replies of each server, and the median of their seconds.
    """

    run: str
    name: str
    benchmark: str
    model: str
    now: RunProgress
    why: str
    planned: int
    answered: int
    failed: int
    per_second: float | None
    left_s: float | None
    since_s: float | None
    failures: dict[str, int]
    latency_s: tuple[float, float] | None
    usd: float | None
    calls: int
    servers: dict[str, tuple[int, float]] = {}


def status_of_run(folder: Place) -> RunStatus:
    """Read how far a run has come, from its folder and nothing else.

    Raises
    ------
    InputError
        It is no run, or its log is damaged.
    """
    run = OpenRun(folder)
    folder, manifest, counted = run.folder, run.manifest, run.figures.everything
    progress = LogProgress()
    progress.count(run.table)
    answered, failed = counted.settled, counted.error
    calls = 0
    of_server: defaultdict[str, list[float]] = defaultdict(list)
    for alike in run.table.calls():
        calls += len(alike.rows)
        if alike.kind.server:
            of_server[alike.kind.server] += alike.latency_s[~np.isnan(alike.latency_s)].tolist()
    waited, cost = run.latency(0.5, 0.95), run.bill.as_summary(0)
    since = seconds_since(folder)
    last = manifest.sessions[-1] if manifest.sessions else None
    rate = _rate(last, answered, since)
    now, why = progress_of(folder, manifest, progress, failed)
    missing = max(0, manifest.planned - answered) if not progress.whole(manifest) else 0
    return RunStatus(
        run=str(folder),
        name=name_of(manifest),
        benchmark=manifest.benchmark,
        model=manifest.model,
        now=now,
        why=why,
        planned=max(manifest.planned, answered),  # a sequence may be longer than its least
        answered=answered,
        failed=failed,
        per_second=rate,
        left_s=0.0 if not missing else missing / rate if rate else None,
        since_s=since,
        failures=dict(run.causes(_MOST_CAUSES)),
        latency_s=(waited[0], waited[1]) if waited else None,
        usd=cost.usd if cost else None,
        calls=calls,
        servers={name: (len(s), float(np.median(s))) for name, s in sorted(of_server.items()) if s},
    )


def _rate(session: Session | None, answered: int, since: float | None) -> float | None:
    if session is None:
        return None
    if session.ended is not None:
        return session.asked / session.elapsed_s if session.elapsed_s and session.asked else None
    if since is None:
        return None
    seconds = time.time() - since - datetime.fromisoformat(session.started).timestamp()
    asked = answered - session.before
    # A session's beginning is known to the second.
    return asked / max(seconds, 1.0) if asked > 0 else None
