"""What a run folder says, as one object: the source of every printed result."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

import msgspec

from zhiyin.analysis.audit.readings import HowRead, Readings
from zhiyin.analysis.cost import RunCost, judges_of
from zhiyin.analysis.extent import Extent
from zhiyin.analysis.origins import ReplyOrigins
from zhiyin.analysis.run import OpenRun
from zhiyin.analysis.sections import likelihood_sections
from zhiyin.analysis.warnings import divided, warnings_of
from zhiyin.contract.declared import Reference, Section
from zhiyin.contract.protocols import OURS, protocols_of
from zhiyin.contract.registry import blaming, known, lacking
from zhiyin.engine.log import Manifest, read_manifest
from zhiyin.engine.naming import name_of
from zhiyin.errors import InputError
from zhiyin.files import Place
from zhiyin.runs.figures import Figures, GroupFigures
from zhiyin.runs.reach import SequencesReached
from zhiyin.runs.rows import Rows
from zhiyin.words import said
from zhiyin.words.findings import Remark, TablesFailed, Warning, by_severity

_MOST_CAUSES = 10
FORMAT = 1
"""Of the JSON that a summary becomes; one more whenever a key goes or means something else."""


class ProtocolFollowed(msgspec.Struct, frozen=True):
    """The protocol of a run.

    Attributes
    ----------
    name, source : str
    departures : list of str
        Settings that are other ones.
    differs : list of str
        Clauses that cannot be repeated.
    """

    name: str
    source: str
    departures: list[str]
    differs: list[str]


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """All that is told of a run; ``zhiyin show --json`` prints it.

    Attributes
    ----------
    format : int
        Of this JSON, see `FORMAT`.
    run : str
        The run's folder.
    benchmark, model : str
    name : str
        The run's label, or its model's name in short.
    trials : int
        Those in the log.
    planned : int
        Where a sequence's length is not known, the fewest that it holds.
    sequences : SequencesReached or None
        None without any.
    complete : bool
        Whether all that was planned has been asked, and nothing failed.
    states : dict of str to int
        How many trials ended in each state.
    groups : dict of str to GroupFigures
        "all" first.
    elapsed_s : float
        Of all sessions that ended in good order, from the first trial asked to the last record
        durable.
    trials_per_s : float or None
    failures : dict of str to int
        Failed trials by their cause, the most frequent first.
    part : str or None
        Which part of the benchmark was asked; None for the whole.
    whole : list of str
        The groups of which all published items were asked.
    protocol : ProtocolFollowed
    warnings, remarks : list of Warning
        What limits the figures, the gravest first; what is merely good to know.
    settings : dict
        What tells this run from others.
    canary : dict
        By "sound" and "image", what became of the questions before the run, see
        `probe.canary.Outcome`.
    details : list of Section
        Further tables of the benchmark's own.
    cost : RunCost or None
    reading : HowRead or None
        How replies were read and what audits found. This and `replies` are None of verdicts that
        stand in no log.
    replies : ReplyOrigins or None
        Whence the replies are.
    published : Reference or None
        Published rows that may stand beside the run, of the groups that it holds whole.
    """

    format: int = FORMAT
    run: str
    benchmark: str
    model: str
    name: str
    trials: int
    planned: int
    sequences: SequencesReached | None
    complete: bool
    states: dict[str, int]
    groups: dict[str, GroupFigures]
    elapsed_s: float
    trials_per_s: float | None
    failures: dict[str, int]
    part: str | None
    whole: list[str]
    protocol: ProtocolFollowed
    remarks: list[Warning]
    warnings: list[Warning]
    settings: dict[str, Any]
    canary: dict[str, Any]
    details: list[Section] = []
    cost: RunCost | None = None
    reading: HowRead | None = None
    replies: ReplyOrigins | None = None
    published: Reference | None = None

    def in_english(self) -> Self:
        """The same with the words of its tables in English, for files."""
        tables = [section.in_english() for section in self.details]
        return msgspec.structs.replace(self, details=tables)

    @property
    def how_far(self) -> str:
        """How many trials of how many: "5 of 40 trials", "12 trials, 3 of 8 sequences ..."."""
        walks = self.sequences
        if not walks:
            return f"{self.trials:,} of {self.planned:,} trials"
        ended = f"{walks.ended:,} of {walks.planned:,} sequences at their end"
        return f"{self.trials:,} trials, {ended}"


def summarise(folder: Place) -> Summary:
    """Sum up a run."""
    run = OpenRun(folder)
    extent = run.extent  # before the table: which is then of its questions, too
    summary = assemble(run.folder, run.manifest, run.figures, extent)
    tables: list[Section] = []
    reference: Reference | None = None
    failed: list[Warning] = []
    try:
        reference = published(run.folder, run.manifest)
        tables = details(run.rows, run.manifest)
    except InputError as fault:  # of the run itself all is known
        failed.append(TablesFailed(why=str(fault)))
    right = run.figures.everything.correct
    return msgspec.structs.replace(
        summary,
        cost=run.bill.as_summary(right, judges_of(run.folder)),
        reading=Readings(run.table).as_summary(run.folder),
        replies=run.origins.as_summary(),
        warnings=[*by_severity([*run.origins.warned(), *summary.warnings]), *failed],
        details=tables,
        published=reference and reference.only(summary.whole),
    )


def assemble(folder: Path, manifest: Manifest, tally: Figures, extent: Extent) -> Summary:
    """The summary of a run whose records have been counted."""
    warnings, notes = divided(warnings_of(folder, manifest, tally, extent))
    whole = tally.everything
    elapsed = sum(session.elapsed_s for session in manifest.sessions)
    asked = sum(session.asked for session in manifest.sessions)
    protocol = protocol_of(manifest)
    return Summary(
        run=str(folder),
        benchmark=manifest.benchmark,
        model=manifest.model,
        name=name_of(manifest),
        trials=whole.settled + whole.error,
        planned=manifest.planned,
        sequences=extent.reach.as_summary(manifest),
        complete=_complete(manifest, tally, extent),
        states=whole.states(),
        groups=tally.groups(),
        elapsed_s=round(elapsed, 6),
        trials_per_s=round(asked / elapsed, 3) if elapsed else None,
        failures=dict(tally.causes.most_common(_MOST_CAUSES)),
        part=str(extent.part) if extent.part else None,
        whole=[name for name in tally.counts if extent.whole(name)],
        protocol=protocol,
        remarks=[
            *_protocol_lines(protocol),
            *notes,
            *lacking(manifest),
        ],
        warnings=warnings,
        settings=manifest.config,
        canary=manifest.canary,
    )


def _complete(manifest: Manifest, tally: Figures, extent: Extent) -> bool:
    """Whether all that was planned has been asked, and nothing failed."""
    whole = tally.everything
    if manifest.sequences and not extent.reach.whole(manifest):
        return False
    return whole.settled >= manifest.planned and not whole.error


def published(folder: Place, manifest: Manifest | None = None) -> Reference | None:
    """Published results that may stand beside a run, if there are any."""
    folder = Path(folder)
    kind = known(manifest or read_manifest(folder))
    with blaming(kind):
        return kind.published_beside(folder)


def details(rows: Rows, manifest: Manifest) -> list[Section]:
    """The further tables that its benchmark makes of a run's trials.

    And that of the options' log-probabilities, where they were asked for.
    """
    kind = known(manifest)
    with blaming(kind):
        tables = list(kind.details(rows, manifest))
    if manifest.config.get("score"):
        tables += likelihood_sections(rows)
    return tables


def protocol_of(manifest: Manifest) -> ProtocolFollowed:
    """The protocol of a run."""
    benchmark = known(manifest)
    protocol = protocols_of(benchmark).get(manifest.options.get("protocol") or "", OURS)
    return ProtocolFollowed(
        name=protocol.name,
        source=protocol.source,
        departures=protocol.departures(manifest.options, manifest.sampling),
        differs=list(protocol.differs),
    )


def _protocol_lines(protocol: ProtocolFollowed) -> list[Remark]:
    """The protocol for a reader; nothing where it is ours."""
    if protocol.name == OURS.name:
        return []
    name = protocol.name
    lines = [
        said(
            "protocol-followed",
            name=name,
            source=protocol.source,
            departures=protocol.departures,
        )
    ]
    if protocol.differs:
        lines.append(said("protocol-differs", name=name, differs=protocol.differs))
    return [Remark(what=line) for line in lines]
