"""Registered plans beside their runs: what became of the hypotheses, in words, and departures.

Replies that were there before the plan that a run follows: by whichever way they came into it.

A result is confirmatory where every reply was asked for after the plan was registered. Who has seen
some of them may have written the plan by them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from zhiyin.analysis.parts import Departure, Prediction, Registration
from zhiyin.contract.resolved import resolved
from zhiyin.engine.folder import RECORDS, Manifest, iterate, read_manifest
from zhiyin.errors import InputError
from zhiyin.plugins.local.batch_model import BatchLine
from zhiyin.plugins.local.session_parts import BATCHES
from zhiyin.plugins.methods import hypotheses
from zhiyin.plugins.methods.plan import PLAN, Hypothesis, RegisteredPlan
from zhiyin.runs.columns import Lean
from zhiyin.runs.pairing import differing
from zhiyin.runs.rows import rows_of
from zhiyin.shown.table import Column, Row, Table
from zhiyin.statistics.intervals import Floats
from zhiyin.words import Said, said, say


def outcome_in_words(one: hypotheses.HypothesisResult) -> Said:
    """Describe a hypothesis's outcome: "the registered hypothesis H1 (...) is supported (...)"."""
    own = one.hypothesis
    return said(
        "plan-outcome",
        name=own.name,
        expects=expected(own),
        fate=one.fate,
        effect=one.effect,
        p=one.adjusted,
        sides="two" if own.direction == "different" else "one",
        confirmatory=one.confirmatory,
    )


def registered_remark(folders: Sequence[Path]) -> Said | None:
    """Remark that hypotheses on these runs were registered, with their outcomes; None for none.

    For tables whose own tests nobody registered.
    """
    by_plan: dict[str, set[str]] = {}
    for manifest in map(read_manifest, folders):
        if named := manifest.config.get(PLAN):
            by_plan.setdefault(named, set()).add(manifest.spec)
    plans, _ = plan_reports(folders) if by_plan else ([], [])
    found = [
        one
        for plan in plans
        for one in plan.results
        if {one.hypothesis.model, one.hypothesis.other} - {""} <= by_plan[plan.sha256]
    ]
    confirmatory = all(one.confirmatory for one in found)
    each = [outcome_in_words(one) for one in found]
    return said("plan-beside", each=each, confirmatory=confirmatory) if each else None


class PlanReport(msgspec.Struct, frozen=True):
    """A registered plan beside its runs.

    Attributes
    ----------
    title, sha256, at : str
    results : list of HypothesisResult
    departures : list of Departure
    correction : str
    alpha : float
    confirmatory : bool
        Whether every reply of its runs was asked for after it was registered.
    """

    title: str
    sha256: str
    at: str
    results: list[hypotheses.HypothesisResult]
    departures: list[Departure]
    correction: str
    alpha: float
    confirmatory: bool

    @property
    def registration(self) -> Registration:
        """The registration as every view takes it."""
        made = [
            Prediction(
                own.name, one.fate, outcome_in_words(one), own.model, own.other, own.group,
                "" if own.score else "run" if own.other else str(own.than), one.confirmatory,
            )
            for one in self.results
            for own in [one.hypothesis]
        ]  # fmt: skip
        return Registration(
            self.sha256, self.at, self.told, self.table, self.notes, self.cautions, made,
            self.departures, self.confirmatory,
        )  # fmt: skip

    @property
    def table(self) -> Table:
        """The hypotheses, a row each."""
        columns = (
            Column(said("plan-hypothesis")),
            Column(said("plan-expected")),
            Column(said("plan-became")),
            Column(said("plan-difference"), "points"),
            Column(said("plan-smallest"), "share"),
            Column("p", "p"),
            Column(said("plan-items"), "count"),
        )
        rows = [
            Row((
                one.hypothesis.name, expected(one.hypothesis), said("plan-fate", fate=one.fate),
                None if one.effect is None else (one.effect, one.low or 0.0, one.high or 0.0),
                one.hypothesis.least, one.adjusted, one.items,
            ))
            for one in self.results
        ]  # fmt: skip
        return Table("plan", said("plan-title"), columns, tuple(rows))

    def in_english(self) -> PlanReport:
        """The same with its words in English, for files."""
        told = [Departure(one.model, say(one.text), one.early) for one in self.departures]
        return replace(self, departures=told)

    @property
    def told(self) -> Said:
        """Words on whether the plan came before the run, and which hypotheses confirm nothing."""
        named = [one.hypothesis.name for one in self.results if not one.confirmatory]
        return said(
            "plan-confirmatory",
            confirmatory=self.confirmatory,
            title=self.title or None,
            at=self.at[:10],
            sha=self.sha256[:12],
            names=named if len(named) < len(self.results) else [],
            each=[said("of-run", who=d.model, what=d.text) for d in self.departures if d.early],
        )

    @property
    def notes(self) -> list[Said]:
        """Notes on how to read the table."""
        watched = [said("plan-watched")] if any(one.always for one in self.results) else []
        sided = any(one.hypothesis.direction != "different" for one in self.results)
        corrected = said(
            "plan-corrected",
            correction=self.correction,
            level=1 - self.alpha,
            sided=sided and not watched,
        )
        scaled = any(one.hypothesis.score for one in self.results)
        scales = [said("plan-scaled")] if scaled else []
        return [corrected, *scales, *self.cautions, *watched, said("plan-how-fate")]

    @property
    def cautions(self) -> list[Said]:
        """Cautions on what the tests leave out: that a share which was given was measured, too."""
        known = any(not isinstance(one.hypothesis.than, str) for one in self.results)
        return [said("plan-known")] if known else []


def expected(own: Hypothesis) -> Said:
    """Describe what a hypothesis expects."""
    than = own.than if isinstance(own.than, str) else None
    return said(
        "plan-expects",
        model=own.model,
        direction=own.direction,
        than="model" if own.other else "chance" if than else "score" if own.score else "share",
        other=own.other,
        share=None if than is not None else f"{own.than:g}",
        group=None if own.group == "all" else own.group,
        score=own.score or None,
        low=f"{own.ends[0]:g}",
        high=f"{own.ends[1]:g}",
    )


def departures(plan: RegisteredPlan, model: str, folder: Path) -> Iterator[Said]:
    """Yield a run's departures from its plan that could be known only afterwards.

    Replies that were there before the plan are told by `asked_before`.
    """
    manifest, rows = read_manifest(folder), rows_of(folder)
    configs = [resolved(manifest, plan.configs.get(model, {})), resolved(manifest)]
    for name, values in differing(("plan", "run"), configs).items():
        if name != PLAN:
            yield said("plan-setting", name=name, **{k: str(v) for k, v in values.items()})
    if again := manifest.versions.get("rescored_by"):
        yield said("plan-rescored", version=again)
    if failed := len(rows.failed):
        yield said("plan-failed", n=failed)
    if (missing := manifest.planned - len(rows)) > 0:
        yield said("plan-not-asked", n=missing, of=manifest.planned)
    if gone := manifest.left_out():
        yield said("plan-not-sent", names=gone)
    for own in plan.plan.hypotheses:
        if own.score and model in (own.model, own.other):
            yield from _unscored(
                own, hypotheses.values_of(own, hypotheses.rows_in(plan, own, folder))
            )
    if plan.codes.get(model) not in (None, manifest.decoding.get("code")):
        yield said("plan-code")
    if (version := manifest.versions.get("zhiyin", "")) != plan.zhiyin:
        yield said("plan-version", planned=plan.zhiyin, run=version)


def _unscored(own: Hypothesis, values: Floats) -> Iterator[Said]:
    """Trials that have no score of a hypothesis, or one that cannot be."""
    if without := int(np.isnan(values).sum()):
        yield said("plan-without-score", n=without, score=own.score, name=own.name)
    if outside := int(((values < 0) | (values > 1)).sum()):
        low, high = (f"{end:g}" for end in own.ends)
        yield said("plan-outside", n=outside, score=own.score, low=low, high=high, name=own.name)


def plan_reports(folders: Sequence[Path]) -> tuple[list[PlanReport], list[Said]]:
    """The plans that some runs follow, and what is to be said of plans that cannot be read."""
    plans: dict[str, tuple[RegisteredPlan, list[Path]]] = {}
    faults: list[Said] = []
    for folder in folders:
        try:
            plan = hypotheses.plan_of(folder)
        except InputError as error:
            faults.append(said("plan-unreadable", why=str(error)))
            continue
        if plan is not None:
            plans.setdefault(plan.sha256, (plan, []))[1].append(folder)
    return [_report(plan, own) for plan, own in plans.values()], faults


def is_confirmatory(folder: Path, manifest: Manifest) -> bool:
    """Tell whether a run follows a plan that was registered before each of its replies."""
    try:
        plan = hypotheses.plan_of(folder, manifest)
    except InputError:
        return False
    return plan is not None and not any(asked_before(plan, manifest, folder))


def _report(plan: RegisteredPlan, folders: list[Path]) -> PlanReport:
    runs = hypotheses.runs_of(plan, folders)
    found = [
        Departure(model, one, early=True)
        for model, run in runs.items()
        for one in asked_before(plan, read_manifest(run), run)
    ]
    early = {one.model for one in found}
    results = [
        replace(one, confirmatory=early.isdisjoint((one.hypothesis.model, one.hypothesis.other)))
        for one in hypotheses.results_of(plan, runs)
    ]
    found += [
        Departure(model, one) for model, run in runs.items() for one in departures(plan, model, run)
    ]
    correction = plan.plan.correction if len(plan.plan.hypotheses) > 1 else "none"
    return PlanReport(
        plan.plan.title, plan.sha256, plan.at, results, found, correction, plan.plan.alpha,
        confirmatory=not early,
    )  # fmt: skip


_NEVER = datetime.max.replace(tzinfo=UTC)


def time_of(text: Any) -> datetime | None:
    """A time as it is written down; None where it is none."""
    try:
        when = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def asked_before(plan: RegisteredPlan, manifest: Manifest, folder: Path) -> Iterator[Said]:
    """Yield the reasons why some reply of a run may be from before its plan was registered."""
    registered, sessions = time_of(plan.at) or _NEVER, manifest.sessions
    begun = [time_of(one.started) for one in sessions]
    if not begun or not all(one and one >= registered for one in begun):
        yield said("plan-begun-before")
    if manifest.spec.startswith("replay:") or manifest.decoding.get("kind") == "replay":
        yield said("plan-replayed")
    when = [time_of(text) for one, _ in iterate(folder / RECORDS, Lean) for text in _kept(one)]
    known = [one for one in when if one]
    # To the second: one that was asked for in the same second may have been seen.
    if early := sum(one <= registered for one in known):
        yield said("plan-kept-before", n=early)
    if undated := len(when) - len(known):
        yield said("plan-kept-undated", n=undated)
    rows = rows_of(folder)
    if strange := _put_in(manifest, len(rows) - len(rows.failed)):
        yield said("plan-put-in", n=strange)
    if (folder / BATCHES).exists():
        handed = [one.at for one, _ in iterate(folder / BATCHES, BatchLine) if one.ids]
        if n := sum(at <= registered.timestamp() for at in handed):
            yield said("plan-batches-before", n=n)
    if _went_back(begun, [time_of(one.ended) for one in sessions], known):
        yield said("plan-clock")


def _kept(record: Lean) -> Iterator[Any]:
    """Yield the time at which each kept reply of a trial was asked for, its judge's among them."""
    for turn in record.exchange.turns:
        if turn.reply.detail and turn.reply.detail.cached:
            yield turn.reply.detail.kept_at
    judge = record.exchange.notes.get("judge")
    yield from judge.get("kept_at", ()) if isinstance(judge, dict) else ()


def _put_in(manifest: Manifest, answered: int) -> int:
    """Count the records that no session of the run has asked for."""
    asked = 0
    for one in manifest.sessions:
        if one.before > asked:
            return one.before - asked
        if one.ended is None:  # it was killed: how many it asked nobody wrote down
            return 0
        asked += one.asked
    return max(0, answered - asked)


def _went_back(
    begun: list[datetime | None], ended: list[datetime | None], kept: list[datetime]
) -> bool:
    """Tell whether times contradict each other: dates are worth nothing then."""
    spans = [(a, b) for a, b in zip(begun, ended, strict=True) if a and b]
    if any(b < a for a, b in spans) or any(b < a for a, b in pairwise(filter(None, begun))):
        return True
    return 0 < len(spans) == len(ended) and any(one > max(spans)[1] for one in kept)
