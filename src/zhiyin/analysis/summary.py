"""What a run folder says, as one JSON-able object: the source of every printed result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zhiyin.analysis import likelihood
from zhiyin.analysis.audit.readings import Readings
from zhiyin.analysis.cost import Bill, judges_of
from zhiyin.analysis.extent import Extent, extent_of, table_for
from zhiyin.analysis.origins import Origins
from zhiyin.analysis.warned import divided, warned
from zhiyin.contract.declared import Reference, Section
from zhiyin.contract.protocols import OURS, protocols_of
from zhiyin.contract.registry import BenchmarkError, blaming, known, lacking
from zhiyin.engine.log import Manifest, read_manifest
from zhiyin.engine.naming import name_of
from zhiyin.paths import Place
from zhiyin.runs.figures import Figures, figures
from zhiyin.words.findings import Remark, TablesFailed, by_severity

_MOST_CAUSES = 10


def summarise(folder: Place) -> dict[str, Any]:
    """Sum up a run.

    Returns
    -------
    dict
        ``run``, ``benchmark``, ``model``, ``name`` (the run's label, or its model's name in
        short), ``trials`` (logged), ``planned`` (where a sequence's length is not known, the
        fewest that it holds), ``sequences`` (see `Reach.as_summary`; None without any),
        ``complete``, ``states`` (counts by state), ``groups`` (name -> metrics, see
        `Figures.metrics`), ``elapsed_s`` and ``trials_per_s`` (of all sessions that ended in
        good order; from the first trial asked to the last record durable), ``failures`` (causes of
        failed trials -> how many), ``part`` (which part of the benchmark was asked, None for the
        whole), ``warnings`` and ``remarks`` (see `words.findings.Warning`), ``settings``,
        ``canary`` (see `probe.canary.Outcome`; by "sound" and "image", of what was asked before
        the run),
        ``reading`` (how replies were read and what audits found, see `audit.readings.readings_of`),
        ``protocol`` (its name, source, departures and what it cannot repeat),
        ``details`` (further tables of the benchmark's own, see `benchmarks.Section`),
        ``cost`` (see `cost.Bill.as_summary`), ``replies`` (see `origins.Origins.as_summary`).
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    tally, extent, readings, bill, origins = _count(folder, manifest)
    summary = assemble(folder, manifest, tally, extent)
    summary["cost"] = bill.as_summary(tally.everything.correct, judges_of(folder))
    summary["reading"] = readings.as_summary(folder)
    summary["replies"] = origins.as_summary()
    summary["warnings"] = by_severity([*origins.warned(), *summary["warnings"]])
    try:
        summary["details"] = details(folder, manifest)
    except BenchmarkError as fault:  # of the run itself all is known
        summary["warnings"].append(TablesFailed(why=str(fault)))
    return summary


def _count(folder: Path, manifest: Manifest) -> tuple[Figures, Extent, Readings, Bill, Origins]:
    """What there is to be counted of a run, its log read once."""
    extent = Extent(manifest)
    table = table_for(extent, folder)
    extent.count(table)
    return figures(table), extent, Readings(table), Bill(manifest, table), Origins(table)


def assemble(
    folder: Path, manifest: Manifest, tally: Figures, extent: Extent | None = None
) -> dict[str, Any]:
    """The summary of a run whose records have been counted; `extent` is read where not given."""
    extent = extent or extent_of(folder, manifest)
    warnings, notes = divided(warned(folder, manifest, tally, extent))
    whole = tally.everything
    trials = whole.settled + whole.error
    elapsed = sum(session.elapsed_s for session in manifest.sessions)
    asked = sum(session.asked for session in manifest.sessions)
    return {
        "run": str(folder),
        "benchmark": manifest.benchmark,
        "model": manifest.model,
        "name": name_of(manifest),
        "trials": trials,
        "planned": manifest.planned,
        "sequences": extent.reach.as_summary(manifest),
        "complete": _complete(manifest, tally, extent),
        "states": whole.states(),
        "groups": tally.groups(),
        "elapsed_s": round(elapsed, 6),
        "trials_per_s": round(asked / elapsed, 3) if elapsed else None,
        "failures": dict(tally.causes.most_common(_MOST_CAUSES)),
        "part": extent.part,
        "whole": [name for name in tally.counts if extent.whole(name)],
        "protocol": (protocol := protocol_of(manifest)),
        "remarks": [
            *_protocol_lines(protocol),
            *notes,
            *(Remark(what=line) for line in lacking(manifest)),
        ],
        "warnings": warnings,
        "settings": manifest.config,
        "canary": manifest.canary,
        "details": [],
    }


def _complete(manifest: Manifest, tally: Figures, extent: Extent) -> bool:
    """Whether all that was planned has been asked, and nothing failed."""
    whole = tally.everything
    if manifest.sequences and not extent.reach.whole(manifest):
        return False
    return whole.settled >= manifest.planned and not whole.error


def published(folder: Place) -> Reference | None:
    """Published results that may stand beside a run, if there are any."""
    folder = Path(folder)
    return known(read_manifest(folder)).published_beside(folder)


def details(folder: Path, benchmark: str | Manifest) -> list[Section]:
    """The further tables that a benchmark, named or that of a run, makes of a run's records.

    And that of the options' log-probabilities, where they were asked for.
    """
    kind = known(benchmark)
    with blaming(kind):
        tables = list(kind.details(folder))
    if isinstance(benchmark, Manifest) and benchmark.config.get("score"):
        tables += likelihood.sections(folder)
    return tables


def protocol_of(manifest: Manifest) -> dict[str, Any]:
    """The protocol of a run: ``name``, ``source``, ``departures`` and ``differs`` (clauses)."""
    benchmark = known(manifest)
    protocol = protocols_of(benchmark).get(manifest.options.get("protocol") or "", OURS)
    return {
        "name": protocol.name,
        "source": protocol.source,
        "departures": protocol.departures(manifest.options, manifest.sampling),
        "differs": list(protocol.differs),
    }


def _protocol_lines(protocol: dict[str, Any]) -> list[Remark]:
    """The protocol for a reader; nothing where it is ours."""
    if protocol["name"] == OURS.name:
        return []
    departures = "; ".join(protocol["departures"])
    lines = [
        f"protocol {protocol['name']} ({protocol['source']}), "
        + (f"departing from it in: {departures}" if departures else "without a departure")
    ]
    if protocol["differs"]:
        lines.append(f"not done as in {protocol['name']}: {'; '.join(protocol['differs'])}")
    return [Remark(what=line) for line in lines]
