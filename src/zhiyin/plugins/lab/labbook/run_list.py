"""The runs below a folder and what a list says of each, kept by size and time of its files."""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from zhiyin.analysis.beside import settings_of
from zhiyin.analysis.question_set import own_set
from zhiyin.analysis.run import OpenRun, kind_of_run
from zhiyin.contract.declared import DeclaredMeasure
from zhiyin.contract.registry import known
from zhiyin.contract.resolved import limit_units, name_of
from zhiyin.engine.folder import FAILURES, MANIFEST, RECORDS, Manifest, read_manifest
from zhiyin.engine.log import is_being_written
from zhiyin.engine.naming import MARK, briefs
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, cache_folder, write_cached
from zhiyin.plugins.lab.labbook import NOTES, Notebook, Remarks
from zhiyin.plugins.lab.run_status import RunProgress, progress_at_rest
from zhiyin.record import Record
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.measures import ACCURACY, Estimate, Measure
from zhiyin.runs.rows import Rows, latencies, rows_of
from zhiyin.words import Said, said

FORMAT = 7
"""Of what is kept; another number is counted again."""
_CAUSES = 5
Stamp = list[tuple[int, int]]
"""Size and time of change of the files of a run."""


class RunFacts(msgspec.Struct):
    """Counts of a run; figures of the whole, as `zhiyin show` has them.

    Attributes
    ----------
    states : dict of str to int
    n, value, low, high : int and float or None
        Trials that count, and the headline of the run with its 95 % interval.
    measure : DeclaredMeasure
        What that is.
    causes : list
        What failed, and how often.
    usd, tokens : float or None and int
        Spent; None where nobody knows the price.
    replies, earlier : int
        All, and those that an earlier run asked for.
    median_s, slow_s : float or None
        Latency of a reply: the middle one, and the one that nine in ten do not exceed.
    own_set : bool
        Whether the questions are Zhiyin's own in the form of a published set.
    """

    states: dict[str, int] = {}
    n: int = 0
    value: float | None = None
    low: float | None = None
    high: float | None = None
    measure: DeclaredMeasure = DeclaredMeasure(ACCURACY.name, usual=True)
    causes: list[tuple[str, int]] = []
    usd: float | None = None
    tokens: int = 0
    replies: int = 0
    earlier: int = 0
    median_s: float | None = None
    slow_s: float | None = None
    own_set: bool = False


class ListedRun(msgspec.Struct):
    """A run in the list.

    Attributes
    ----------
    key : str
        By which pages name it; made of its place below the folder.
    place : str
        Its place below the folder.
    benchmark, model, name, data, started, began : str
        `began`: when the last session did.
    planned : int
    total : int or None
        How many trials it will have, where that is known.
    asked, elapsed_s : int and float
        Of the sessions that ended in good order.
    ended : bool
        Whether the last session has ended.
    stopped : str
        Why it ended early.
    facts : RunFacts or None
        None: not counted yet.
    remarks : Remarks
    problem : str
        Why the run cannot be read.
    going : bool
        Whether a session is going on.
    rate : float
        Trials a second of the session that is going on, by the time it began; 0: not known.
    settings : dict of str to object
        By their paths, without the model's: runs of one protocol on the same items share them.
    units : str
        What its limit counts: "trials", or "sequences" of trials in order.
    blind : bool
        Whether a baseline or people answered: what they get right does not change with time.
    labelled : bool
        Whether its name was given to it when it was asked.
    short : str
        What its model is called beside those of the other runs; empty for a run with a label.
    """

    key: str
    place: str
    benchmark: str = ""
    model: str = ""
    name: str = ""
    data: str = ""
    started: str = ""
    planned: int = 0
    total: int | None = None
    asked: int = 0
    elapsed_s: float = 0.0
    ended: bool = True
    stopped: str = ""
    facts: RunFacts | None = None
    remarks: Remarks = msgspec.field(default_factory=Remarks)
    problem: str = ""
    going: bool = False
    rate: float = 0.0
    began: str = ""
    settings: dict[str, Any] = {}
    units: str = "trials"
    blind: bool = False
    labelled: bool = False
    short: str = ""

    @property
    def called(self) -> str:
        """The label that it was given here, or else its name."""
        name = self.remarks.label or self.short
        if name:
            return f"{name}{MARK}" if self.name.endswith(MARK) else name
        return self.name or self.place

    @property
    def asked_of(self) -> Said:
        """Its benchmark; said of Zhiyin's own questions in the form of a published set."""
        own = bool(self.facts and self.facts.own_set)
        return said("of-which-set", benchmark=self.benchmark, own=own)

    @property
    def done(self) -> int:
        """Trials in the log."""
        return sum(self.facts.states.values()) if self.facts else 0

    @property
    def errors(self) -> int:
        """Trials that failed."""
        return self.facts.states.get("error", 0) if self.facts else 0

    @property
    def status(self) -> RunProgress | Literal["unread", "counting"]:
        """Status of the run; also that it cannot be read, or is not counted yet."""
        if self.problem:
            return "unread"
        if self.going:
            return "going"
        if self.facts is None:
            return "counting"
        whole = self.done >= self.planned
        return progress_at_rest(whole=whole, failed=self.errors, stopped=self.stopped)[0]


class _StampedRun(msgspec.Struct):
    stamp: Stamp
    run: ListedRun


class _ListFile(msgspec.Struct):
    format: int
    runs: dict[str, _StampedRun] = {}


class RunList:
    """The runs below a folder.

    Parameters
    ----------
    root : Path

    Raises
    ------
    InputError
        No such folder, or no run in it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._path = cache_folder("labbook") / f"{_digest(str(self.root))}.json"
        self._kept = self._read()
        self._saved = ""
        if not root.is_dir():
            raise InputError(said("runs-no-folder", root=root))
        if not self._folders():
            raise InputError(said("runs-none-in", root=root))

    def runs(self, seconds: float | None = 0.4) -> list[ListedRun]:
        """All runs, newest first.

        Parameters
        ----------
        seconds : float or None
            How long logs that have changed may be counted; what is left has no `facts`. None: as
            long as it takes.
        """
        until = None if seconds is None else time.monotonic() + seconds
        runs = [self._run(folder, until) for folder in self._folders()]
        self._name()
        self._save()
        return sorted(runs, key=lambda run: (run.started, run.place), reverse=True)

    def folder(self, key: str) -> Path | None:
        """The folder of the run with a key, if there is one."""
        return next((f for f in self._folders() if self.key(f) == key), None)

    def run(self, key: str) -> ListedRun | None:
        """The run with a key, counted."""
        folder = self.folder(key)
        if folder is None:
            return None
        run = self._run(folder, None)
        self._name()
        return run

    def _name(self) -> None:
        """Name the models of runs without a label so that no two share a name."""
        runs = [kept.run for kept in self._kept.values() if not kept.run.labelled]
        for run, short in zip(runs, briefs([run.model for run in runs]), strict=True):
            run.short = short

    def key(self, folder: Path) -> str:
        """Return the key by which pages name a run."""
        return _digest(folder.relative_to(self.root).as_posix())[:16]

    def _folders(self) -> list[Path]:
        # Links to runs are followed where they lie in the folder itself, as the leaderboard does.
        run_folders = [path.parent for path in sorted(self.root.glob(f"*/{MANIFEST}"))
                 if path.parent.is_symlink()]  # fmt: skip
        for place, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            if MANIFEST in files:
                run_folders.append(Path(place))
                folders.clear()  # what lies in a run, such as its judgements, is a part of it
        return run_folders

    def _run(self, folder: Path, until: float | None) -> ListedRun:
        place = folder.relative_to(self.root).as_posix()
        graded = sorted(folder.glob(f"*/{RECORDS}"))
        files = [folder / name for name in (MANIFEST, RECORDS, FAILURES, NOTES)]
        stamp = [_state(path) for path in (*files, *graded)]
        kept = self._kept.get(place)
        if kept is None or kept.stamp != stamp or (until is None and kept.run.facts is None):
            kept = self._kept[place] = _StampedRun(stamp, self._described(folder, place))
        run = kept.run
        if run.facts is None and not run.problem and (until is None or time.monotonic() < until):
            try:
                run.facts = count(folder)
            except InputError as error:
                run.problem = str(error)
        run.going = not run.ended and is_being_written(folder)
        run.rate = _rate(run) if run.going else 0.0
        return run

    def _described(self, folder: Path, place: str) -> ListedRun:
        run = ListedRun(self.key(folder), place)
        try:
            _describe(run, read_manifest(folder))
            run.remarks = Notebook(folder).run
        except InputError as error:
            run.problem = str(error)
        return run

    def _read(self) -> dict[str, _StampedRun]:
        try:
            file = msgspec.json.decode(self._path.read_bytes(), type=_ListFile)
        except (OSError, *NOT_JSON):
            return {}
        return file.runs if file.format == FORMAT else {}

    def _save(self) -> None:
        data = msgspec.json.encode(_ListFile(FORMAT, self._kept))
        if (digest := _digest(data.decode())) != self._saved:
            self._saved = digest
            try:
                write_cached(self._path, data)
            except InputError:
                return  # without a cache it is slower, and no less true


def _describe(run: ListedRun, manifest: Manifest) -> None:
    sessions = manifest.sessions
    run.benchmark, run.model, run.name = manifest.benchmark, manifest.model, name_of(manifest)
    run.data = str(manifest.config.get("data") or "")
    run.labelled = bool(manifest.label)
    run.settings = settings_of(manifest)
    run.units = limit_units(manifest)
    run.blind = kind_of_run(manifest) in ("baseline", "people")
    run.started = sessions[0].started if sessions else ""
    run.planned, run.total = manifest.planned, manifest.total
    run.asked = sum(session.asked for session in sessions)
    run.elapsed_s = sum(session.elapsed_s for session in sessions)
    run.ended = not sessions or sessions[-1].ended is not None
    run.began = sessions[-1].started if sessions else ""
    run.stopped = (sessions[-1].stopped or "") if sessions else ""


def _rate(run: ListedRun) -> float:
    """Trials a second since the session that goes on began."""
    try:
        since = datetime.now(UTC) - datetime.fromisoformat(run.began)
    except (TypeError, ValueError):
        return 0.0
    return max(0, run.done - run.asked) / max(since.total_seconds(), 1.0)


def count(folder: Path) -> RunFacts:
    """Count the log of a run. Raises `InputError` where it is damaged."""
    run = OpenRun(folder)
    frame, states = run.figures.frame, run.figures.everything
    kind = known(run.manifest)
    totals = (estimate(frame, total) for total in kind.totals(folder))
    own = next((one for one in totals if one.value is not None), None)
    own = own or _headline(frame, kind.measures)
    spent = run.bill.as_summary(states.correct)
    waits = sorted(latencies(run.table).tolist())
    return RunFacts(
        states=states.states(),
        n=own.n,
        value=own.value,
        low=own.low,
        high=own.high,
        measure=DeclaredMeasure.of(own.measure),
        causes=run.causes(_CAUSES, 300),
        usd=spent.usd if spent else None,
        tokens=spent.input + spent.output if spent else 0,
        replies=run.origins.summary.n,
        earlier=run.origins.summary.earlier,
        median_s=waits[len(waits) // 2] if waits else None,
        slow_s=waits[min(len(waits) - 1, len(waits) * 9 // 10)] if waits else None,
        own_set=own_set([folder], [run.manifest]),
    )


def _headline(frame: Frame, measures: Sequence[Measure]) -> Estimate:
    """The figure by which a run is named: the first of its benchmark's measures that it has.

    Where the first is of a group that was not asked, it is taken of the whole.
    """
    first, *others = measures
    for measure in (first, msgspec.structs.replace(first, group=ALL), *others):
        places = frame.places(measure.group)
        if not len(places):
            places = frame.places(measure.group, "")
        own = estimate(frame, measure, places)
        if own.value is not None:
            return msgspec.structs.replace(own, group=measure.group)
    return Estimate(first)


def _state(path: Path) -> tuple[int, int]:
    try:
        state = path.stat()
    except OSError:
        return (-1, -1)
    return (state.st_size, state.st_mtime_ns)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


SORTS: dict[str, Callable[[ListedRun], Any]] = {
    "name": lambda run: run.called.lower(),
    "started": lambda run: run.started,
    "benchmark": lambda run: run.benchmark,
    "status": lambda run: run.status,
    "value": lambda run: _worth(run),
    "n": lambda run: _of(run, "n"),
    "errors": lambda run: run.errors,
    "usd": lambda run: _of(run, "usd"),
    "latency": lambda run: _of(run, "median_s"),
}
_FIRST_HIGH = ("started", "value", "n", "errors", "usd", "latency")
"""Sorted from the top when first asked for."""
SNIPPET = 160


def _of(run: ListedRun, name: str) -> float:
    value = getattr(run.facts, name) if run.facts else None
    return -1.0 if value is None else float(value)


def _worth(run: ListedRun) -> float:
    """Return a sort key of figures, the better the higher; runs without one come last."""
    if run.facts is None or run.facts.value is None:
        return -math.inf
    return -run.facts.value if run.facts.measure.lower_is_better else run.facts.value


def chosen(runs: Sequence[ListedRun], asked: Mapping[str, str]) -> list[ListedRun]:
    """The runs that are asked for, in the order that is asked for."""
    words = asked.get("q", "").lower().split()
    matches = [
        run
        for run in runs
        if asked.get("benchmark", "") in ("", run.benchmark)
        and asked.get("state", "") in ("", run.status)
        and all(word in _words_of(run) for word in words)
    ]
    name, order = order_of(asked)
    return sorted(matches, key=SORTS[name], reverse=order == "down")


def order_of(asked: Mapping[str, str]) -> tuple[str, str]:
    """Return the column that runs are sorted by, and "up" or "down"."""
    name = asked.get("sort", "started")
    name = name if name in SORTS else "started"
    return name, asked.get("order", first_order(name))


def first_order(name: str) -> str:
    """Return the order of a column that is first sorted by."""
    return "down" if name in _FIRST_HIGH else "up"


def _words_of(run: ListedRun) -> str:
    notes = (text for _, text in run.remarks.notes)
    texts = (run.called, run.name, run.place, run.model, run.benchmark, *run.remarks.tags, *notes)
    return " ".join(texts).lower()


def beginning(record: Record) -> str:
    """Return the beginning of the last reply, or why there is none."""
    turns = record.exchange.turns
    text = record.error or (turns[-1].reply.text if turns else "")
    return " ".join(text[: 4 * SNIPPET].split())[:SNIPPET]


def question(record: Record) -> str:
    """Return the beginning of a question."""
    return " ".join(record.trial.stem[: 4 * SNIPPET].split())[:SNIPPET]


def replies(folder: Path, notebook: Notebook, asked: Mapping[str, str]) -> Rows:
    """The trials of a run that are asked for, in the order of the log."""
    words, state = asked.get("q", "").lower().split(), asked.get("state", "")
    rows = rows_of(folder)
    if state:
        rows = rows.where_outcome(lambda outcome: outcome.state == state)
    if asked.get("marked"):
        rows = rows.where([row.id in notebook.replies for row in rows])
    if words:
        said = (
            f"{record.id} {question(record)} {beginning(record)}".lower()
            for record in rows.records()
        )
        rows = rows.where([all(word in text for word in words) for text in said])
    return rows
