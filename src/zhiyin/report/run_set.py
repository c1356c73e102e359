"""The trials of several runs side by side: counted from their tables, read again from the logs.

Which runs a folder holds, plug-ins say of folders of their own kind (`zhiyin.places`).
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from zhiyin import extensions
from zhiyin.analysis.compare import measure_of_runs, sample_of, totals_of
from zhiyin.analysis.coverage import Coverage, table_for
from zhiyin.analysis.pairs import on_shared
from zhiyin.analysis.run import RULES
from zhiyin.contract.resolved import run_names
from zhiyin.engine.folder import MANIFEST, Manifest, decode_line, find_log, read_manifest
from zhiyin.engine.log import is_being_written
from zhiyin.errors import InputError
from zhiyin.files import Place
from zhiyin.record import Exchange, Record, Verdict
from zhiyin.runs.pairing import Collation
from zhiyin.runs.table import RunTable
from zhiyin.trial import Audio, Image, Message, Tag, Trial, one_line
from zhiyin.words import Text, said

if TYPE_CHECKING:
    from zhiyin.report.paper_table import PublishedBeside


_CAUSE = 80
"""Characters of a cause in the list of trials."""
MOST_LISTED = 50_000
"""A browser holds so many trials, and filters them at once."""
_MOST_REASONS = 1000
_BUFFER = 65_536  # of a log: cases stand one after the other in most


class _Full(msgspec.Struct):
    """A record whose trial is left as it stands: most runs ask alike, byte for byte."""

    id: str
    verdict: Verdict
    trial: msgspec.Raw
    error: str | None = None
    last: bool = False
    exchange: Exchange = msgspec.field(default_factory=Exchange)
    attempts: int = 1


class _ToldTrial(msgspec.Struct, gc=False):
    """The part of a trial that the list of trials holds."""

    stem: str = ""
    item: str = ""
    condition: str = ""
    tags: dict[str, Tag] = {}
    messages: msgspec.Raw = msgspec.Raw()
    """Left as they stand: most hold nothing to be heard or seen."""


class _Told(msgspec.Struct):
    """The part of a record that the list of trials holds."""

    id: str
    verdict: Verdict
    trial: _ToldTrial
    error: str | None = None


_OF_WORDS = re.compile(r"q[0-9a-f]{8}\b")
_full = msgspec.json.Decoder(_Full)
_trial = msgspec.json.Decoder(Trial)
_messages = msgspec.json.Decoder(tuple[Message, ...])


class Answer(msgspec.Struct):
    """A run's answer to a trial, and the place of the record in its log.

    `cause` says in a line why there is no answer.
    """

    verdict: Verdict
    start: int
    length: int
    cause: str = ""


class Case(msgspec.Struct):
    """One trial that is listed, and what each run made of it (by the run's number)."""

    benchmark: str
    id: str
    stem: str
    gold: str | None
    """The letter under which the right option was shown first; None for a free answer."""
    groups: tuple[str, ...]
    """As `collation.TrialKind` has them."""
    item: tuple[str, str, str]
    """What is asked, of which item and in which way: trials alike in this are tries of one."""
    tags: dict[str, Tag]
    answers: dict[int, Answer] = {}


def in_rank(folders: Sequence[Path]) -> list[Path]:
    """Run folders in the one order of a report, its tables and its figures.

    By benchmark as given; within it models and people before baselines, what is finished before
    what is not, and the best in the headline first.
    """

    def rank(folder: Path) -> tuple[int, bool, bool, float]:
        manifest = read_manifest(folder)
        totals = totals_of([folder])
        measure = totals[0] if totals else measure_of_runs([folder], [manifest], None)
        sample = sample_of("", folder, manifest, measure)
        value = on_shared(sample, measure, measure.group).value
        sign = 1 if measure.lower_is_better else -1
        height = math.inf if value is None else sign * value
        return names.index(manifest.benchmark), sample.kind in RULES, not sample.whole, height

    names = [read_manifest(folder).benchmark for folder in folders]
    return sorted(folders, key=rank)


class ReportRun(msgspec.Struct):
    """One run folder, what its log held when it was last looked at, and what was found in it.

    `coverage` says how much of the published data was asked; `running`, whether somebody writes it
    now; `lines`, of each line of its log what is listed of it.
    """

    folder: Path
    manifest: Manifest
    label: str
    coverage: Coverage
    table: RunTable
    lines: list[tuple[_Told, Answer] | None] = []
    stamp: tuple[object, ...] = ()
    running: bool = False

    def __repr__(self) -> str:
        """Write name and number of lines read on one line."""
        lines = f"{len(self.table):,} lines"
        return one_line("ReportRun", self.label, "", self.manifest.benchmark, lines)


class RunSet:
    """Runs that a report is of, and all their trials.

    Parameters
    ----------
    folders : sequence of Path
        Run folders, finished or not.

    Attributes
    ----------
    runs : list of ReportRun
    trials_of : dict of str to Collation
        All trials of each benchmark: what figures are made of.
    cases : list of Case
        Those that are listed and shown in full, by benchmark and name, so that every page has one
        order (those without a name of their own as they came): all, or, of runs that plan more
        than `MOST_LISTED` trials between them, about so many, drawn by their names.
    sounds : dict of str to Audio
        Every recording that a listed record names, by its SHA-256; this, `pictures` and `reasons`
        are known when `cases` are.
    pictures : dict of str to Image
        Likewise every picture.
    reasons : set of str
        Why replies were read as they were, in the reader's words; a thousand at most.

    Raises
    ------
    InputError
        When a folder is not a run, or a log is damaged.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        manifests = [read_manifest(folder) for folder in folders]
        named = zip(folders, manifests, run_names(folders, manifests), strict=True)
        self.runs = []
        for folder, manifest, name in named:
            coverage = Coverage(manifest)
            self.runs.append(
                ReportRun(
                    folder, manifest, name, coverage, table_for(coverage, folder, questions=True)
                )
            )
        planned: dict[str, int] = {}
        for one in manifests:
            planned[one.benchmark] = max(planned.get(one.benchmark, 0), one.planned)
        # Which share of the trials is listed
        self._below = min(1.0, MOST_LISTED / max(1, sum(planned.values()))) * 2**32
        self.sounds: dict[str, Audio] = {}
        self.pictures: dict[str, Image] = {}
        self.reasons: set[str] = set()
        self.trials_of: dict[str, Collation] = {}
        self._cases: list[Case] | None = None
        self.catch_up()

    def catch_up(self) -> bool:
        """Read what the logs have gained. Whether anything has changed."""
        changed = [self._look(run) for run in self.runs]
        if not any(changed):
            return False
        names = dict.fromkeys(run.manifest.benchmark for run in self.runs)
        self.trials_of = {
            name: Collation(
                {n: run.table for n, run in enumerate(self.runs) if run.manifest.benchmark == name}
            )
            for name in names
        }
        self._cases = None
        return True

    @property
    def cases(self) -> list[Case]:
        """Cases that are listed: read from the logs when they are first wanted."""
        if self._cases is None:
            for run in self.runs:
                self._tell(run)
            self._cases = [
                case for name in self.trials_of for case in sorted(self._listed(name), key=_by_name)
            ]
        return self._cases

    def _look(self, run: ReportRun) -> bool:
        """Look at a run again. Whether anything has changed."""
        running = is_being_written(run.folder)  # first: what is written meanwhile is seen later
        version = _version(run.folder / MANIFEST)
        table = table_for(run.coverage, run.folder, questions=True)
        held = hash(table.start.tobytes()), hash(table.outcome.tobytes())
        stamp = running, version, len(table), held
        if stamp == run.stamp:
            return False
        if table is not run.table:  # the runner replaces the log when it ends
            run.table, run.lines = table, []
        run.stamp, run.running, run.manifest = stamp, running, read_manifest(run.folder)
        run.coverage = Coverage(run.manifest)
        run.coverage.count(table)
        return True

    def _tell(self, run: ReportRun) -> None:
        """Read what is listed of the lines that a log has gained."""
        table = run.table
        media = any(one.media for one in table.kinds)
        since = len(run.lines)
        places = iter(table.places(since))
        for block in table.again(_Told, since):
            for record in block:
                start, length = next(places)
                if len(self.reasons) < _MOST_REASONS:
                    self.reasons.add(record.verdict.why)
                if zlib.crc32(record.id.encode()) >= self._below:
                    run.lines.append(None)
                    continue
                if media:
                    self._note_media(record.trial)
                record.trial.messages = msgspec.Raw()  # it holds a whole block of the log
                answer = Answer(record.verdict, start, length, _cause(record))
                run.lines.append((record, answer))

    def _note_media(self, trial: _ToldTrial) -> None:
        """Keep what is heard and seen in a trial that is listed."""
        for message in _messages.decode(trial.messages) if bytes(trial.messages) else ():
            for part in message.parts:
                if isinstance(part, Audio):
                    self.sounds.setdefault(part.sha256, part)
                elif isinstance(part, Image):
                    self.pictures.setdefault(part.sha256, part)

    def _listed(self, benchmark: str) -> Iterator[Case]:
        """The cases of a benchmark."""
        trials = self.trials_of[benchmark]
        own = [(n, run) for n, run in enumerate(self.runs) if run.manifest.benchmark == benchmark]
        rows = [trials.rows(number).tolist() for number, _ in own]
        for place, kind in enumerate(trials.kind.tolist()):
            lines = {
                number: line
                for (number, run), by_place in zip(own, rows, strict=True)
                if (row := by_place[place]) >= 0 and (line := run.lines[row]) is not None
            }
            if lines:
                (first, _), sort = next(iter(lines.values())), trials.kinds[kind]
                answers = {number: answer for number, (_, answer) in lines.items()}
                told = first.trial
                asked = told.stem, told.item or first.id, told.condition
                names = first.id, told.stem, sort.gold, sort.groups, asked, told.tags
                yield Case(benchmark, *names, answers)

    @property
    def trials(self) -> int:
        """Number of trials, listed or not."""
        return sum(map(len, self.trials_of.values()))

    def records(self, first: int, last: int) -> Iterator[tuple[Case, dict[int, Record]]]:
        """The full records of the cases from `first` up to, not including, `last`."""
        paths = [find_log(run.folder) for run in self.runs]
        with ExitStack() as opened:
            logs = [opened.enter_context(path.open("rb", _BUFFER)) for path in paths]
            for case in self.cases[first:last]:
                by_run: dict[int, Record] = {}
                ways: dict[bytes, Trial] = {}
                for number, answer in sorted(case.answers.items()):
                    logs[number].seek(answer.start)
                    line = logs[number].read(answer.length)
                    where = f"{paths[number]}, byte {answer.start:,}"
                    record = decode_line(_full, line, where)
                    way = bytes(record.trial)
                    if way not in ways:
                        ways[way] = decode_line(_trial, way, where)
                    rest = record.exchange, record.error, record.attempts, record.last
                    by_run[number] = Record(record.id, record.verdict, ways[way], *rest)
                yield case, by_run


def _by_name(case: Case) -> list[str | int]:
    """A trial's name, "q2" before "q10"; nothing for one made of its words, which has no order."""
    parts = () if _OF_WORDS.match(case.id) else re.split(r"(\d+)", case.id)
    return [int(part) if part.isdecimal() else part for part in parts]


def _cause(record: _Told) -> str:
    """Return in one line why there is no answer; empty where there is one."""
    if record.verdict.state in ("correct", "wrong", "ungraded"):
        return ""
    words = record.error if record.verdict.state == "error" else record.verdict.why
    line = " ".join((words or record.verdict.state.replace("_", " ")).split())
    return line if len(line) <= _CAUSE else f"{line[: _CAUSE - 1]}…"


def _version(path: Path) -> tuple[int, int]:
    """Return a file's inode and time of change, which differ when it is written anew."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0
    return state.st_ino, state.st_mtime_ns


def not_listed(run_set: RunSet) -> list[Text]:
    """Return a note where not all trials are listed."""
    if len(run_set.cases) == run_set.trials:
        return []
    return [said("trials-listed", n=len(run_set.cases), of=run_set.trials)]


class RunsInPlace(NamedTuple):
    """The runs of a folder.

    A function of the group ``zhiyin.places`` returns it of a folder of its kind, of others None.

    Attributes
    ----------
    runs : dict of Path to str
        Each with what its benchmark is called there; "" for its own name.
    beside : list of PublishedBeside
        Published rows that belong beside them.
    empty : sequence of Path
        Of several folders those without a run.
    """

    runs: dict[Path, str]
    beside: list[PublishedBeside]
    empty: Sequence[Path] = ()


def runs_in(places: Sequence[Path]) -> RunsInPlace:
    """The runs in some folders: runs themselves, folders of runs, and those that a plug-in knows.

    Raises `InputError` where no folder has a run, or one is not there.
    """
    empty = [one for one in places if one.is_dir() and not any(one.rglob(MANIFEST))]
    empty = empty if len(empty) < len(places) else []
    found = RunsInPlace({}, [], empty)
    for place in (one for one in places if one not in empty):
        for own in [known] if (known := _known(place)) else _within(place):
            names = {run: name or found.runs.get(run, "") for run, name in own.runs.items()}
            found.runs.update(names)
            found.beside.extend(own.beside)
    if not found.runs:
        n = sum(1 for _ in places[0].rglob(MANIFEST)) or None
        raise InputError(said("error-unanswered", folder=places[0], n=n))
    return found


def _known(place: Path) -> RunsInPlace | None:
    """The runs of a folder of a kind that a plug-in knows."""
    kinds = extensions.every(extensions.PLACES).values()
    return next((known for kind in kinds if (known := kind(place))), None)


def _within(place: Path) -> Iterator[RunsInPlace]:
    """A run itself, or the runs below a folder; of a folder of some kind in it those that count."""
    if (place / MANIFEST).is_file():
        yield RunsInPlace({place: ""}, [])
        return
    runs = collect(place)
    above = {one for run in runs for one in run.parents if place in one.parents}
    kinds = {one: known for one in sorted(above) if (known := _known(one))}
    yield from kinds.values()
    yield RunsInPlace({run: "" for run in runs if kinds.keys().isdisjoint(run.parents)}, [])


def collect(root: Place) -> list[Path]:
    """The run folders in `root`, at any depth, by name. Raises `InputError` for none.

    What lies in the folder of another run, such as its judgements, is a part of that run.
    """
    root = Path(root)
    if not root.is_dir():
        raise InputError(said("error-no-runs", folder=root, there=False))
    near = root.glob(f"*/{MANIFEST}")  # follows links, which rglob does not
    every = {path.parent for path in (*near, *root.rglob(MANIFEST))}
    folders = sorted(folder for folder in every if not every.intersection(folder.parents))
    if not folders:
        raise InputError(said("error-no-runs", folder=root, there=True))
    return folders
