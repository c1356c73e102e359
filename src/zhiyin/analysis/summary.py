"""What a run folder says, as one JSON-able object: the source of every printed result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zhiyin.analysis import likelihood
from zhiyin.analysis.audit.readings import Readings
from zhiyin.analysis.cost import Bill, judges_of
from zhiyin.analysis.extent import Extent, extent_of, table_for
from zhiyin.analysis.origins import Origins
from zhiyin.contract.declared import Reference, Section
from zhiyin.contract.protocols import OURS, protocols_of
from zhiyin.contract.registry import BenchmarkError, blaming, known, lacking
from zhiyin.engine.log import Manifest, is_being_written, read_manifest, this_machine
from zhiyin.engine.naming import name_of
from zhiyin.numerals import counted
from zhiyin.paths import Place
from zhiyin.runs.figures import Figures, figures

_MOST_CAUSES = 10
_MOSTLY_READ = 0.9
"""Share of readable replies from which on accuracy below chance is no matter of reading."""
_WELL_BELOW = 0.9
"""Of what guessing gets. Of many questions, and of one letter under all rotations, less tells
nothing of the reading: whoever always says A has 24.1 % of the 14,334 questions of a shuffle."""
_MUCH_UNREAD = 0.05
"""Share of replies without an answer from which on their causes are named."""


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
        whole), ``remarks``, ``warnings``, ``settings``, ``canary`` (see `probe.canary.Outcome`; by
        "sound" and "image", of what was asked before the run),
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
    summary["warnings"][:0] = origins.lines()
    try:
        summary["details"] = details(folder, manifest)
    except BenchmarkError as fault:  # of the run itself all is known
        summary["warnings"].append(f"its further tables cannot be made: {fault}")
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
            *(remark for remark in manifest.remarks if not must_be_seen(remark)),
            *lacking(manifest),
        ],
        "warnings": [
            *filter(must_be_seen, manifest.remarks),
            *_unended(folder, manifest),
            *_warnings(manifest, tally, extent),
        ],
        "settings": manifest.config,
        "canary": manifest.canary,
        "details": [],
    }


_MUST_BE_SEEN = (
    "of an earlier run, from the cache",
    "models, as the server names them",
    "held a key that was sent",
    "replies are not kept",
    "requests had expired",
    "batches are worked on",
    "mend it and run again",
    "lines repeat a trial",
    "answers were not asked for",
)


def must_be_seen(remark: str) -> bool:
    """Whether a session's remark names something that is damaged, lost or still to be done."""
    return any(words in remark for words in _MUST_BE_SEEN)


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


def _protocol_lines(protocol: dict[str, Any]) -> list[str]:
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


def _unended(folder: Path, manifest: Manifest) -> list[str]:
    """What to say of a session that has not ended, or of which nobody knows how it did."""
    if not manifest.sessions or manifest.sessions[-1].ended is not None:
        return []
    if is_being_written(folder):
        return ["a session is going on: these figures are of what is there by now"]
    if manifest.sessions[-1].machine not in ("", this_machine()):
        return [
            "the last session was on another machine, or on this one before it was last started, "
            "and has not ended: it goes on there, or was killed; the same command goes on from "
            "there"
        ]
    return [
        "the last session ended without a word: it was killed, or the machine went down; the same "
        "command goes on from there"
    ]


def _warnings(manifest: Manifest, tally: Figures, extent: Extent) -> list[str]:
    """What a careful reader would ask about these figures."""
    whole, chance = tally.everything, tally.chance()
    metrics = tally.metrics(chance=chance)
    warnings = []
    if manifest.sessions and manifest.sessions[-1].stopped:
        warnings.append(f"the last session stopped early: {manifest.sessions[-1].stopped}")
    if whole.error:
        causes = "; ".join(f"{n} x {_short(cause)}" for cause, n in tally.causes.most_common(3))
        why = f" ({causes})" if causes else ""
        warnings.append(
            f"{counted(whole.error, 'trial')} failed and {'is' if whole.error == 1 else 'are'} in "
            f"no figure{why}; the same command asks {'it' if whole.error == 1 else 'them'} again"
        )
    if extent.caution and not extent.on_other_items and (extent.expected or extent.limit):
        warnings.append(extent.caution)
    if tally.repeated:
        warnings.append(
            f"{tally.repeated} lines of the log repeat a trial, and are not counted: the last line "
            "of each trial is; something other than Zhiyin wrote there"
        )
    if stops := extent.reach.stops(manifest):
        warnings.append(stops)
    if manifest.sequences:
        warnings += [f"unfinished: {lacks}"] if (lacks := extent.reach.lacking(manifest)) else []
    elif whole.settled + whole.error < manifest.planned:
        missing = manifest.planned - whole.settled - whole.error
        warnings.append(f"unfinished: {missing} of {manifest.planned} trials not asked yet")
    warnings += _canaries(manifest)
    warnings += _unread(manifest, tally)
    read = metrics["ifr"] is not None and metrics["ifr"] >= _MOSTLY_READ
    low = chance is not None and (metrics["accuracy"] or 0.0) < _WELL_BELOW * chance
    if read and low and metrics["guess"] == "worse":
        warnings.append(
            f"accuracy {metrics['accuracy']:.1%} is below chance ({chance:.0%}): the answers may "
            "be misread, or the options mixed up"
        )
    return warnings


def _canaries(manifest: Manifest) -> Iterator[str]:
    """What to say of a model that did not tell apart what any ear or eye can."""
    for outcome in manifest.canary.values():
        if isinstance(outcome, dict) and (warning := outcome.get("warning")):
            yield str(warning)


def _unread(manifest: Manifest, tally: Figures) -> Iterator[str]:
    """What stood in the way of answers: cut-off replies always, the rest where there is much."""
    whole = tally.everything
    replies = f"{whole.judged:,} {'reply' if whole.judged == 1 else 'replies'}"
    if whole.truncated:
        limit = manifest.sampling.get("max_tokens")
        was = f"raise --max-tokens, which was {limit:,}" if limit else "give --max-tokens a value"
        yield f"{whole.truncated:,} of {replies} were cut off before an answer: {was}"
    causes: Counter[str] = Counter()
    for (state, why), times in tally.unread.items():
        if state == "refused":
            causes["refusals"] += times
        elif state == "no_answer":
            causes[why or "no answer in it"] += times
    unread = whole.no_answer + whole.refused
    if whole.judged and unread > _MUCH_UNREAD * whole.judged:
        main = "; ".join(f"{n:,} x {_short(cause)}" for cause, n in causes.most_common(3))
        yield f"{unread:,} of {replies} hold no readable answer{f': {main}' if main else ''}"
