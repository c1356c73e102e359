"""How a run is going, read from its folder alone: on this machine or another one."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import msgspec
import numpy as np

from zhiyin.analysis.cost import Bill
from zhiyin.analysis.standing import RunProgress, progress_of, seconds_since
from zhiyin.engine.folder import Session, read_manifest
from zhiyin.engine.naming import name_of
from zhiyin.files import Place
from zhiyin.runs.figures import figures
from zhiyin.runs.opening import latencies, read_table
from zhiyin.runs.reach import Reach

_MOST_CAUSES = 5


class Going(msgspec.Struct):
    """How far a run has come.

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


def going(folder: Place) -> Going:
    """How far a run has come. Reads its folder and nothing else.

    Raises
    ------
    InputError
        It is no run, or its log is damaged.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    table = read_table(folder)
    reach, bill, counted = Reach(), Bill(manifest, table), figures(table)
    reach.count(table)
    answered, failed = counted.everything.settled, counted.everything.error
    causes: Counter[str] = Counter()
    for cause, times in counted.causes.items():
        causes[" ".join(cause.split())] += times
    waited, calls = latencies(table), 0
    of_server: defaultdict[str, list[float]] = defaultdict(list)
    for alike in table.calls():
        calls += len(alike.rows)
        if alike.kind.server:
            of_server[alike.kind.server] += alike.latency_s[~np.isnan(alike.latency_s)].tolist()
    since = seconds_since(folder)
    last = manifest.sessions[-1] if manifest.sessions else None
    rate = _rate(last, answered, since)
    now, why = progress_of(folder, manifest, reach, failed)
    missing = max(0, manifest.planned - answered) if not reach.whole(manifest) else 0
    cost = bill.as_summary(0)
    return Going(
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
        failures=dict(causes.most_common(_MOST_CAUSES)),
        latency_s=_latency(waited),
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


def _latency(seconds: Iterable[float]) -> tuple[float, float] | None:
    values = np.fromiter(seconds, dtype=np.float64)
    if not len(values):
        return None
    middle, most = np.quantile(values, (0.5, 0.95))
    return float(middle), float(most)
