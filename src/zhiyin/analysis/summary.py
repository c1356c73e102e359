"""Summary of a run folder, as one object: the source of every printed result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import msgspec

from zhiyin.analysis.cost import RunCost, judges_of
from zhiyin.analysis.coverage import Coverage, lacking_of
from zhiyin.analysis.parts import of_parts, warnings_by_parts
from zhiyin.analysis.question_set import of_which_set
from zhiyin.analysis.readings import HowRead, how_read, likelihood_sections, likelihoods_lack
from zhiyin.analysis.run import OpenRun, ReplyOrigins, in_order, kind_of_run
from zhiyin.analysis.within import LEAST, Within
from zhiyin.contract.declared import Reference, Section
from zhiyin.contract.protocols import OURS, protocols_of
from zhiyin.contract.registry import blaming, known, lacking
from zhiyin.contract.resolved import name_of, resolved
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.log import is_being_written, this_machine
from zhiyin.engine.naming import canaries_of, canary_told, people_in
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.files import Place
from zhiyin.models import is_spec
from zhiyin.runs.figures import Figures, GroupFigures, GroupTree, LogProgress, SequencesReached
from zhiyin.runs.rows import Rows
from zhiyin.text import quoted
from zhiyin.words import Said, Text, findings, said
from zhiyin.words.findings import Remark, TablesFailed, Warning, by_severity, told
from zhiyin.words.reasons import reason

_MOSTLY_READ = 0.9
"""Share of readable replies from which on accuracy below chance is no matter of reading."""
_WELL_BELOW = 0.9
"""Of what guessing gets. Of many questions, and of one letter under all rotations, less tells
nothing of the reading: whoever always says A has 24.1 % of the 14,334 questions of a shuffle."""
_HARDLY_READ = 0.2
"""Share of a group's replies without an answer from which on it is named."""
_MUCH_UNREAD = 0.05
"""Share of replies without an answer from which on their causes are named."""
_TWICE, _PLENTY = 2, 4096
_MOST_NAMED = 3
_REFUSALS = "refusals"
"""Among causes that are sentences of the reader's."""


def warnings_of(
    folder: Path, manifest: Manifest, tally: Figures, coverage: Coverage
) -> list[Warning]:
    """List the warnings on the figures of a run, its remarks included.

    Nothing of it has a remedy while a session goes on, and nothing that is asked of a model has
    one where people answered.
    """
    going = is_being_written(folder)
    found = [
        *told(manifest.remarks), *_ended(manifest, going=going), *_asked(manifest, tally, coverage),
        *_canaries(manifest), *_replies(folder, manifest, tally),
    ]  # fmt: skip
    if going or people_in(manifest):
        return [one.mended_by("") for one in found]
    asks = (findings.Failed, findings.Unfinished, findings.SequencesStopped, findings.Killed)
    if not any(isinstance(one, asks) for one in found):
        return found
    from zhiyin.contract.settings import command_of, settings_of  # with all that makes runs

    again = command_of(settings_of(manifest, folder))
    return [one.mended_by(again) if isinstance(one, asks) else one for one in found]


def _ended(manifest: Manifest, *, going: bool) -> Iterator[Warning]:
    """Warn of a last session that has not ended, or not in good order."""
    if not manifest.sessions:
        return
    last = manifest.sessions[-1]
    if last.stopped:
        yield findings.StoppedEarly(why=reason(last.stopped))
    if last.ended is not None:
        return
    if going:
        yield findings.GoingOn()
    elif last.machine not in ("", this_machine()):
        yield findings.Elsewhere()
    else:
        yield findings.Killed()


def _asked(manifest: Manifest, tally: Figures, coverage: Coverage) -> Iterator[Warning]:
    """Warn of what was not asked, or not what others were asked."""
    whole = tally.everything
    if whole.error:
        causes = _causes(tally.causes)
        yield findings.Failed(n=whole.error, causes=causes)
    # That questions are others than the published ones alone is no doubt about their figures.
    if (caution := coverage.caution) and not (coverage.on_other_items and coverage.all_asked):
        yield caution
    if tally.repeated:
        yield findings.LinesRepeated(n=tally.repeated)
    if stopped := coverage.progress.stopped:
        yield findings.SequencesStopped(what=_stops(manifest, coverage.progress, stopped))
    if manifest.sequences:
        if lacks := lacking_of(coverage.progress, manifest):
            yield findings.Unfinished(what=lacks)
    elif missing := max(0, manifest.planned - whole.settled - whole.error):
        what = said("lacking-not-asked", n=missing, of=manifest.planned)
        yield findings.Unfinished(what=what)


def _stops(manifest: Manifest, progress: LogProgress, stopped: dict[str, int]) -> Said:
    """Say which sequences a failed trial stopped, and where."""
    places = [said("stopped-place", name=name, step=step) for name, step in sorted(stopped.items())]
    return said(
        "stopped-sequences", n=len(places),
        of=manifest.sequences.count if manifest.sequences else len(progress.begun),
        places=places[:_MOST_NAMED], more=max(0, len(places) - _MOST_NAMED),
    )  # fmt: skip


def _canaries(manifest: Manifest) -> Iterator[Warning]:
    """Warn of a model that did not tell apart what any ear or eye can."""
    spec = manifest.spec or manifest.model
    doctor = f"zhiyin doctor {quoted(spec)}" if is_spec(spec) else ""
    for medium, one in canaries_of(manifest).items():
        if one.warning:
            yield findings.Canary(medium=medium, told=canary_told(medium, one), remedy=doctor)


def _replies(folder: Path, manifest: Manifest, tally: Figures) -> Iterator[Warning]:
    """Warn of what prevented answers: cut-off replies always, the rest where there is much.

    Of what was asked in the main way: to silence none may be the right answer.
    """
    count, limit = tally.counts[ALL], manifest.sampling.get("max_tokens")
    if count.truncated:
        from zhiyin.contract.settings import command_of, settings_of

        more = _TWICE * limit if isinstance(limit, int) else _PLENTY
        settings = settings_of(manifest)
        longer = msgspec.structs.replace(settings.sampling, max_tokens=more)
        fresh = command_of(msgspec.structs.replace(settings, sampling=longer))
        yield findings.CutOff(n=count.truncated, of=count.judged, limit=limit, remedy=fresh)
    causes: Counter[str] = Counter()
    for (state, why), times in tally.unread.items():
        if state == "refused":
            causes[_REFUSALS] += times
        elif state == "no_answer":
            causes[why or "no answer in it"] += times
    unread, of = count.no_answer + count.refused, count.judged
    if unread > _MUCH_UNREAD * of:
        # A sheet, since without one a page is served until somebody ends it.
        audit = f"zhiyin audit {quoted(folder)} --sheet {quoted(f'{folder}-replies.jsonl')}"
        main = _causes(causes)
        yield findings.Unreadable(n=unread, of=of, causes=main, remedy=audit)
    metrics = tally.metrics()
    chance, accuracy, read = metrics.chance, metrics.accuracy, metrics.ifr
    if chance is None or accuracy is None or read is None or read < _MOSTLY_READ:
        return
    blind = read == 1 and kind_of_run(manifest) == "baseline"  # whose replies are letters
    if accuracy < _WELL_BELOW * chance and metrics.guess == "worse" and not blind:
        yield findings.BelowChance(accuracy=accuracy, chance=chance)


def _by_group(run: OpenRun, groups: Mapping[str, GroupFigures]) -> Iterator[Warning]:
    """Warn of groups alone: one answer to everything, and many unread replies."""
    tree = GroupTree(groups, known(run.manifest).titles)
    main = [name for name in groups if not run.table.ways.is_altered(name)]
    always = {name: groups[name].always for name in main if groups[name].always}
    if always.get(ALL):
        yield findings.OneAnswer(answer=always[ALL], but=groups[ALL].always_but)
    elif widest := [name for name in always if not always.keys() & {*tree.within(name)}]:
        named = [
            said(
                "answer-in",
                group=tree.title(name),
                answer=always[name],
                but=groups[name].always_but,
            )
            for name in widest
        ]
        but = sum(groups[name].always_but for name in widest)
        yield findings.OneAnswerIn(groups=tuple(named), but=but)
    whole = groups[ALL]
    if whole.n - whole.answered > _MUCH_UNREAD * whole.n:
        return  # which is said
    large = [(name, groups[name]) for name in main if groups[name].n >= LEAST]
    unread = {
        name: share for name, own in large if (share := 1 - own.answered / own.n) >= _HARDLY_READ
    }
    if widest := [name for name in unread if not unread.keys() & {*tree.within(name)}]:
        named = [said("share-in", share=unread[name], group=tree.title(name)) for name in widest]
        yield findings.UnreadableIn(groups=tuple(named))


def _causes(causes: Counter[str]) -> Said | None:
    """The most frequent ones, and how often."""
    each = [
        said("cause-refusals", n=n)
        if cause == _REFUSALS
        else said("cause", n=n, what=reason(_short(cause)))
        for cause, n in causes.most_common(3)
    ]
    return said("causes", each=each) if each else None


def _short(cause: str) -> str:
    line = " ".join(cause.split())
    return line if len(line) <= 120 else f"{line[:119]}…"


def divided(found: Iterable[Warning]) -> tuple[list[Warning], list[Warning]]:
    """Warnings, the gravest first, and what is merely good to know."""
    ordered = findings.by_severity(found)
    return (
        [one for one in ordered if one.severity != "note"],
        [one for one in ordered if one.severity == "note"],
    )


_MOST_CAUSES = 10
FORMAT = 1
"""Of the JSON that a summary becomes; one more whenever a key goes or means something else."""


class ProtocolFollowed(msgspec.Struct, frozen=True):
    """The protocol of a run.

    Attributes
    ----------
    name, source : str
    departures : list of Text
        Settings that are other ones.
    differs : list of str
        Clauses that cannot be repeated.
    """

    name: str
    source: str
    departures: list[Text]
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
    timed : int
        Trials that these two are of: a session that was killed, or goes on, has no time yet.
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
    timed: int
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
        """The same with words in English, for files."""
        tables = [section.in_english() for section in self.details]
        published = self.published and self.published.in_english()
        departures = [*map(str, self.protocol.departures)]
        protocol = msgspec.structs.replace(self.protocol, departures=departures)
        return msgspec.structs.replace(self, details=tables, published=published, protocol=protocol)

    @property
    def of_which_set(self) -> Said:
        """Its benchmark; said of Zhiyin's own questions in the form of a published set."""
        return of_which_set(self.benchmark, self.settings.get("options") or {}, self.groups)

    @property
    def how_far(self) -> str:
        """Progress in words: "5 of 40 trials", "12 trials, 3 of 8 sequences ..."."""
        walks = self.sequences
        if not walks:
            return f"{self.trials:,} of {self.planned:,} trials"
        ended = f"{walks.ended:,} of {walks.planned:,} sequences at their end"
        return f"{self.trials:,} trials, {ended}"


def summarise(folder: Place) -> Summary:
    """Sum up a run."""
    run = OpenRun(folder)
    coverage = run.coverage  # before the table: which is then of its questions, too
    summary = assemble(run.folder, run.manifest, run.figures, coverage)
    tables: list[Section] = []
    reference: Reference | None = None
    failed: list[Warning] = []
    added: list[Warning] = []
    try:
        added = warnings_by_parts(run.rows, run.manifest)
        reference = published(run.folder)
        tables = details(run.rows, run.manifest)
    except InputError as fault:  # of the run itself all is known
        failed.append(TablesFailed(why=str(fault)))
    if run.manifest.config.get("score") and (lack := likelihoods_lack(run.rows)):
        failed.append(Remark(what=lack, severity="doubt"))
    right = run.figures.everything.correct
    blind = kind_of_run(run.manifest) == "baseline"
    alone = Within() if blind else Within.of(run.figures.frame)
    ways = run.table.ways
    adds = {name: alone.adds.get(ways.bare(name)) for name in summary.groups
            if not ways.is_altered(name)}  # fmt: skip
    groups = {
        name: msgspec.structs.replace(
            own,
            always=one.named if (one := alone.always.get(name)) else "",
            always_but=one.others if one else 0,
            favours=liked.letter if (liked := alone.often.get(name)) else "",
            sound_adds={gap.second: gap.gap.value or 0.0} if (gap := adds.get(name)) else {},
        )
        for name, own in summary.groups.items()
    }
    doubts, notes = divided(added)
    warned = [*run.origins.warned(), *summary.warnings, *_by_group(run, groups), *doubts]
    return msgspec.structs.replace(
        summary, groups=groups, cost=run.bill.as_summary(right, judges_of(run.folder)),
        reading=how_read(run.table, run.folder, chosen=people_in(run.manifest) > 0),
        replies=run.origins.summary, warnings=[*by_severity(warned), *failed],
        remarks=[*summary.remarks, *notes], details=tables,
        published=reference and reference.only(summary.whole),
    )  # fmt: skip


def assemble(folder: Path, manifest: Manifest, tally: Figures, coverage: Coverage) -> Summary:
    """The summary of a run whose records have been counted."""
    warnings, notes = divided(warnings_of(folder, manifest, tally, coverage))
    whole = tally.everything
    elapsed = sum(session.elapsed_s for session in manifest.sessions)
    asked = sum(session.asked for session in manifest.sessions)
    protocol, groups = protocol_of(manifest), tally.groups()
    return Summary(
        run=str(folder), benchmark=manifest.benchmark, model=manifest.model, name=name_of(manifest),
        trials=whole.settled + whole.error, planned=manifest.planned,
        sequences=coverage.progress.as_summary(manifest),
        complete=_complete(manifest, tally, coverage), states=whole.states(),
        groups={name: groups[name] for name in in_order(groups, known(manifest))},
        elapsed_s=round(elapsed, 6), trials_per_s=round(asked / elapsed, 3) if elapsed else None,
        timed=asked, failures=dict(tally.causes.most_common(_MOST_CAUSES)),
        part=str(coverage.part) if coverage.part else None,
        whole=[name for name in tally.counts if coverage.whole(name)], protocol=protocol,
        remarks=[*_protocol_lines(protocol), *notes, *lacking(manifest)], warnings=warnings,
        settings=resolved(manifest), canary=manifest.canary,
    )  # fmt: skip


def _complete(manifest: Manifest, tally: Figures, coverage: Coverage) -> bool:
    """Tell whether all that was planned has been asked, and nothing failed."""
    whole = tally.everything
    if manifest.sequences and not coverage.progress.whole(manifest):
        return False
    return whole.settled >= manifest.planned and not whole.error


def published(*folders: Place) -> Reference | None:
    """Published results that may stand beside runs of a benchmark, if there are any.

    Those of other settings than any of the runs has are aside.
    """
    manifests = [read_manifest(Path(folder)) for folder in folders]
    kind = known(manifests[0])
    with blaming(kind):
        found = kind.published_beside(Path(folders[0]))
    options = (resolved(manifest).get("options", {}) for manifest in manifests)
    return found and found.beside(*options)


def details(rows: Rows, manifest: Manifest) -> list[Section]:
    """The further tables that its benchmark makes of a run's trials.

    With those of plug-ins (doses of sound, other words), and of the options' log-probabilities,
    where these were asked for. What was heard in part alone, or asked in other words, is in no
    table of the benchmark's own.
    """
    kind = known(manifest)
    with blaming(kind):
        tables = _checked(kind.details(rows.unvaried, manifest))
    tables += [table for own in of_parts(lambda part: [*part.tables(rows)]) for table in own]
    if manifest.config.get("score"):
        tables += likelihood_sections(rows)
    return tables


def _checked(tables: object) -> list[Section]:
    """Check the tables that a benchmark gave. Raises `InputError` where they are none."""
    if isinstance(tables, Iterable):
        tables = list(tables)
        if all(isinstance(each, Section) for each in tables):
            return tables
    raise InputError(said("part-details"))


def protocol_of(manifest: Manifest) -> ProtocolFollowed:
    """The protocol of a run."""
    benchmark = known(manifest)
    protocol = protocols_of(benchmark).get(manifest.options.get("protocol") or "", OURS)
    return ProtocolFollowed(
        name=protocol.name,
        source=protocol.source,
        departures=[*protocol.departures(manifest.options, manifest.sampling)],
        differs=list(protocol.differs),
    )


def _protocol_lines(protocol: ProtocolFollowed) -> list[Remark]:
    """The protocol for a reader; nothing where it is ours."""
    if protocol.name == OURS.name:
        return []
    name = protocol.name
    lines = [
        said("protocol-followed", name=name, source=protocol.source, departures=protocol.departures)
    ]
    if protocol.differs:
        lines.append(said("protocol-differs", name=name, differs=protocol.differs))
    return [Remark(what=line) for line in lines]
