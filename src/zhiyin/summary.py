"""What a run folder says, as one JSON-able object: the source of every printed result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zhiyin.audit.told import told_of
from zhiyin.benchmarks import PACKAGES, Reference, Section, open_package
from zhiyin.benchmarks.protocols import OURS, open_protocol
from zhiyin.coverage import caution, part_of
from zhiyin.log import Manifest, read_manifest
from zhiyin.tally import ALL, Tally, tally_log

_MOST_CAUSES = 10


def summarise(folder: Path) -> dict[str, Any]:
    """Sum up a run.

    Returns
    -------
    dict
        ``run``, ``benchmark``, ``model``, ``trials`` (logged), ``planned``, ``complete``,
        ``states`` (counts by state), ``groups`` (name -> metrics, see `tally.Count.metrics`),
        ``elapsed_s`` and ``trials_per_s`` (of all sessions that ended in good order; from the
        first trial asked to the last record durable), ``failures`` (what was said of failed
        trials -> how many), ``part`` (which part of the benchmark was asked, None for the
        whole), ``remarks``, ``warnings``, ``settings``,
        ``reading`` (how replies were read and what audits found, see `audit.told.told_of`),
        ``protocol`` (its name, source, departures and what it cannot repeat),
        ``details`` (further tables of the benchmark's own, see `benchmarks.Section`).
    """
    manifest = read_manifest(folder)
    summary = assemble(folder, manifest, tally_log(folder))
    summary["reading"] = told_of(folder)
    summary["details"] = details(folder, manifest.benchmark)
    return summary


def assemble(folder: Path, manifest: Manifest, tally: Tally) -> dict[str, Any]:
    """The summary of a run whose records have been counted."""
    whole = tally.counts[ALL]
    trials = whole.judged + whole.error
    elapsed = sum(session.elapsed_s for session in manifest.sessions)
    asked = sum(session.asked for session in manifest.sessions)
    return {
        "run": str(folder),
        "benchmark": manifest.benchmark,
        "model": manifest.model,
        "trials": trials,
        "planned": manifest.planned,
        "complete": trials >= manifest.planned and not whole.error,
        "states": whole.states(),
        "groups": tally.groups(),
        "elapsed_s": round(elapsed, 6),
        "trials_per_s": round(asked / elapsed, 3) if elapsed else None,
        "failures": dict(tally.causes.most_common(_MOST_CAUSES)),
        "part": part_of(manifest),
        "protocol": (protocol := protocol_of(manifest)),
        "remarks": [*_said_of(protocol), *manifest.remarks],
        "warnings": _warnings(manifest, tally),
        "settings": manifest.config,
        "details": [],
    }


def published(benchmark: str) -> Reference | None:
    """Published results for a benchmark, if there are any."""
    if benchmark not in PACKAGES:
        return None
    reference: Reference | None = open_package(benchmark).published()
    return reference


def details(folder: Path, benchmark: str) -> list[Section]:
    """The further tables that a benchmark makes of a run's records."""
    if benchmark not in PACKAGES:
        return []
    make = getattr(open_package(benchmark), "details", None)
    sections: list[Section] = make(folder) if make else []
    return sections


def protocol_of(manifest: Manifest) -> dict[str, Any]:
    """The protocol of a run: ``name``, ``source``, ``departures`` and ``differs`` (clauses)."""
    protocol = OURS
    if manifest.benchmark in PACKAGES:
        package = open_package(manifest.benchmark)
        protocol = open_protocol(package, manifest.options.get("protocol"))
    sampling = manifest.config.get("sampling") or {}
    return {
        "name": protocol.name,
        "source": protocol.source,
        "departures": protocol.departures(manifest.options, sampling),
        "differs": list(protocol.differs),
    }


def _said_of(protocol: dict[str, Any]) -> list[str]:
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
    return lines


def _short(cause: str) -> str:
    line = " ".join(cause.split())
    return line if len(line) <= 120 else f"{line[:119]}…"


def _warnings(manifest: Manifest, tally: Tally) -> list[str]:
    """What a careful reader would ask about these figures."""
    whole = tally.counts[ALL]
    metrics = whole.metrics()
    warnings = []
    if manifest.sessions and manifest.sessions[-1].stopped:
        warnings.append(f"the last session stopped early: {manifest.sessions[-1].stopped}")
    if whole.error:
        causes = "; ".join(f"{n} x {_short(cause)}" for cause, n in tally.causes.most_common(3))
        said = f" ({causes})" if causes else ""
        warnings.append(
            f"{whole.error} trials failed and are in no figure{said}; the same command asks them "
            "again"
        )
    if part := caution(manifest):
        warnings.append(part)
    if whole.judged + whole.error < manifest.planned:
        missing = manifest.planned - whole.judged - whole.error
        warnings.append(f"unfinished: {missing} of {manifest.planned} trials not asked yet")
    if whole.judged and metrics["ifr"] < 0.9:
        warnings.append(
            f"only {metrics['ifr']:.1%} of the replies hold a readable answer: look at some "
            "replies, or try another --extract policy with `zhiyin rescore`"
        )
    chance = open_package(manifest.benchmark).CHANCE if manifest.benchmark in PACKAGES else None
    if whole.judged and chance is not None and metrics["ci95"][1] < chance:
        warnings.append(
            f"accuracy {metrics['accuracy']:.1%} is below chance ({chance:.0%}): the answers are "
            "probably misread, or the options mixed up"
        )
    return warnings
