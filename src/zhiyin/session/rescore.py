"""Scoring a log again: verdicts are a pure function of trial and exchange."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import msgspec

from zhiyin import __version__
from zhiyin.analysis.coverage import coverage_of
from zhiyin.analysis.summary import Summary, assemble
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.policies import open_policy
from zhiyin.contract.registry import declared, is_missing, open_benchmark
from zhiyin.contract.session_parts import session_parts
from zhiyin.engine.folder import Manifest, find_log, read_manifest
from zhiyin.engine.log import RunFolder
from zhiyin.engine.sequences import Past, SequenceError, Walk
from zhiyin.errors import InputError
from zhiyin.files import Place, write_atomically
from zhiyin.record import Record, Verdict
from zhiyin.runs.figures import GroupFigures, figures
from zhiyin.runs.rows import records_of
from zhiyin.runs.table import RunTable
from zhiyin.runs.ways import Ways, declared_ways, ways_of
from zhiyin.sequence import Sequence
from zhiyin.strategies.likelihood import with_choices
from zhiyin.words import Said, said
from zhiyin.words.findings import kept


class Paths:
    """The sequences of a run that is scored again.

    Parameters
    ----------
    benchmark : Benchmark
        As it scores now.
    log : Path
        Of the run as it was scored before.
    """

    def __init__(self, benchmark: Benchmark[Any], log: Path) -> None:
        self._benchmark, self._log = benchmark, log
        self._verdicts: dict[str, dict[str, Verdict]] = {}
        self._changed: set[str] = set()

    def add(self, record: Record, *, differs: bool) -> None:
        """Take in a record as it is scored now; `differs`: its verdict was another."""
        name = record.trial.sequence
        if name:
            self._verdicts.setdefault(name, {})[record.id] = record.verdict
            if differs:
                self._changed.add(name)

    def remarks(self) -> list[Said]:
        """A line where some sequences would have gone on otherwise, or where that is not known."""
        if not self._changed:
            return []
        of = len(self._verdicts)
        try:
            known = {sequence.id: sequence for sequence in self._benchmark.sequences()}
            past = Past(self._log)
            moved = sum(not self._same(known[name], past) for name in self._changed)
        except Exception:  # the class or its data are not here
            return [said("paths-unknown", n=len(self._changed), of=of)]
        if not moved:
            return []
        return [said("paths-moved", n=moved, of=of)]

    def _same(self, sequence: Sequence, past: Past) -> bool:
        """Tell whether a sequence asks the same trials as before, given the verdicts of now."""
        records = past.records(sequence.id)
        for record in records.values():
            record.verdict = self._verdicts[sequence.id][record.id]
        walk = Walk(sequence)
        try:
            walk.replay(records)
        except (InputError, SequenceError):
            return False
        return walk.ended == any(record.last for record in records.values())


class ScoredBefore(msgspec.Struct, frozen=True):
    """First scoring of a run.

    Attributes
    ----------
    extract, benchmark_version : str or None
        The extraction policy, and the benchmark's version.
    groups : dict of str to GroupFigures
    """

    extract: str | None
    benchmark_version: str | None
    groups: dict[str, GroupFigures]


class RescoredSummary(Summary, frozen=True, kw_only=True):
    """A run as it is scored now.

    Attributes
    ----------
    before : ScoredBefore
    changed : int
        How many verdicts differ.
    """

    before: ScoredBefore
    changed: int


def rescore(folder: Place, policy: str, out: Place | None = None) -> RescoredSummary:
    """Score a run with another extraction policy, or again by the rules of today.

    Parameters
    ----------
    folder : Path
        The run. It is not changed.
    policy : str
        The extraction policy.
    out : Path, optional
        Where to write the new verdicts as a run folder of their own, with today's version of the
        benchmark and of Zhiyin in its manifest.

    Returns
    -------
    RescoredSummary
        With a remark where a sequence would have gone another way by the new verdicts. A trial
        that cannot be scored is an error with its reason, and the rest is scored.

    Raises
    ------
    InputError
        For an unknown policy, a folder that is not a run, or an `out` that is the run itself.
    """
    folder, out = Path(folder), None if out is None else Path(out)
    open_policy(policy)
    if out is not None and out.resolve() == folder.resolve():
        raise InputError(said("error-itself", out=out))
    old = read_manifest(folder)
    benchmark = open_benchmark(old, {**old.options, "extract": policy})
    manifest = _manifest(old, benchmark, policy)
    ways = ways_of(manifest)
    before, after, changed = RunTable(None, ways=ways), RunTable(None, ways=ways), 0
    paths = Paths(benchmark, find_log(folder))
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(RunFolder(out, manifest)) if out else None
        for record in records_of(folder):
            first = record.verdict
            before.add(record)
            if record.exchange.turns and not record.exchange.broken:
                _score(benchmark, record)
            after.add(record)
            changed += (first.state, first.answer) != (record.verdict.state, record.verdict.answer)
            paths.add(record, differs=_decisive(first) != _decisive(record.verdict))
            if log and record.id not in log.answered:
                log.append(record)
        manifest.remarks += kept(paths.remarks())
        if log:
            for name in (name for kind in session_parts().values() for name in kind.files):
                if (folder / name).is_file():
                    write_atomically(log.folder / name, (folder / name).read_bytes())
            log.write_manifest()
    place = out or folder
    summary = assemble(place, manifest, figures(after), coverage_of(place, manifest))
    first_scored = ScoredBefore(
        extract={**(old.config.get("options") or {}), **old.options}.get("extract"),
        benchmark_version=old.config.get("benchmark_version"),
        groups=figures(before).groups(),
    )
    return RescoredSummary(**msgspec.structs.asdict(summary), before=first_scored, changed=changed)


def _manifest(old: Manifest, benchmark: Benchmark[Any], policy: str) -> Manifest:
    """The manifest of the run as it is scored now."""
    return msgspec.structs.replace(
        old,
        declared=old.declared if is_missing(type(benchmark)) else _declared(old, benchmark),
        options={**old.options, "extract": policy},
        config={
            **old.config,
            "options": {**(old.config.get("options") or {}), "extract": policy},
            "benchmark_version": benchmark.version,
        },
        versions={**old.versions, "rescored_by": __version__},
    )


def _declared(old: Manifest, benchmark: Benchmark[Any]) -> dict[str, Any]:
    """Return the class's declaration of now, with the variations of the run."""
    kept = declared(type(benchmark))
    ways = declared_ways(kept)
    more = [way for way in ways_of(old) if way.above_benchmarks and way not in ways]
    return declared(type(benchmark), Ways((*ways, *more))) if more else kept


def _score(benchmark: Benchmark[Any], record: Record) -> None:
    """Judge the exchange of a record. What cannot be scored is an error, never a zero."""
    try:
        score = with_choices(benchmark.score)
        record.verdict, record.error = score(record.trial, record.exchange), None
    except Exception as error:  # one record must not end the rest, whatever is in it
        record.verdict = Verdict("error", None)
        record.error = f"scoring failed: {type(error).__name__}: {error}"


def _decisive(verdict: Verdict) -> tuple[object, ...]:
    """Return what a sequence may depend on of a verdict: all but the names of the rules."""
    return verdict.state, verdict.answer, verdict.letter, verdict.scores, verdict.tags
