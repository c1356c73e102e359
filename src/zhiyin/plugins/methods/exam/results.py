"""Results of an exam's log: ability, score on the whole benchmark, and whether the bank holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from zhiyin.contract.declared import Cell, PageMark, PagePart, Section, heads
from zhiyin.contract.flags import read_settings
from zhiyin.engine.log import read_manifest
from zhiyin.errors import InputError
from zhiyin.numerals import gap
from zhiyin.plugins.methods.ability import Ability
from zhiyin.plugins.methods.adaptive import (
    STRANGE,
    BankScore,
    Edge,
    MeanBets,
    edge_of,
    misfit,
    score_on_all,
)
from zhiyin.plugins.methods.bank import LEAST_TAKERS, ItemBank
from zhiyin.plugins.methods.exam.benchmark import Exam, ExamSettings, QuestionPool, is_right
from zhiyin.record import Record
from zhiyin.runs.measures import Estimate, Measure
from zhiyin.runs.rows import Rows
from zhiyin.words import Named, Said, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zhiyin.contract.declared import FigureRun
    from zhiyin.engine.folder import Manifest


class Outcome(msgspec.Struct, frozen=True):
    """Result of an exam.

    Attributes
    ----------
    ability : Ability
    by_bank : BankScore or None
        The score on the whole by the response model; None where the bank has too few takers, or
        none like this one: it would hold too seldom.
    by_draw : BankScore
        The same by the draw alone, at this end.
    always : tuple of float
        An interval of it that holds whenever the exam ends.
    misfit : float
        p of answers as unlikely as these, were the bank true of their model.
    edge : {"", "above", "below", "near"}
        Whether the model is at the edge of the bank's takers, or its interval reaches there.
    """

    ability: Ability
    by_bank: BankScore | None
    by_draw: BankScore
    always: tuple[float, float]
    misfit: float
    edge: Edge = ""

    @property
    def fits(self) -> bool:
        """True if nothing speaks against the bank's being true of this model."""
        low, high = self.always
        apart = self.by_bank is not None and (self.by_bank.upper < low or self.by_bank.lower > high)
        return self.misfit >= STRANGE and not apart

    @property
    def leading(self) -> tuple[BankScore, str]:
        """The score to go by, and why: "bank", "edge", "few" takers, or answers that are "strange".

        But for the first it is the one by the draw alone.
        """
        if not self.fits:
            return self.by_draw, "strange"
        if self.by_bank is None:
            return self.by_draw, "edge" if self.edge else "few"
        return self.by_bank, "bank"


def outcome_of(records: list[Record], bank: ItemBank, pool: QuestionPool) -> Outcome:
    """Compute the result of an exam from its answers, in the order in which they were given."""
    takers = pool.takers
    numbers = {trial.id: number for number, trial in enumerate(pool.trials)}
    answers, bets = np.full((1, len(takers)), np.nan), MeanBets(len(takers))
    known = takers.posterior(answers)
    order: list[int] = []
    rights: list[bool] = []
    for record in records:
        number, right = numbers[record.trial.id], is_right(record.verdict)
        held = takers.chances(known.mode)[0]
        weight = float(record.trial.tags["exam_weight"] or 0.0)
        bets.add(right, weight, float(held[number]), held[np.isnan(answers[0])])
        answers[0, number] = right
        known = takers.posterior(answers, known)
        order.append(number)
        rights.append(right)
    drawn = takers.drawn(answers[0], known)
    ability = takers.ability(answers[0], drawn)
    theirs = [taker.ability for taker in bank.takers]
    edge = edge_of(ability, min(theirs), max(theirs))
    known_here = bank.families >= LEAST_TAKERS and not edge
    by_bank = score_on_all(answers[0], drawn) if known_here else None
    return Outcome(
        ability, by_bank, bets.score(), bets.interval(), misfit(takers, order, rights), edge
    )


def _asked(rows: Rows) -> list[Record]:
    """List the records of an exam, in its order."""
    asked = (r for r in rows.settled.records() if "exam_weight" in r.trial.tags)
    waiting = (record for record in asked if record.verdict.state == "ungraded")
    return sorted(waiting, key=lambda record: record.trial.step)


SCORE = Measure("score on the whole")
"""The share of right answers to all questions, of which some were asked."""


def by_degrees(rows: Rows) -> list[Estimate]:
    """The score to go by, on the whole of the benchmark; none where the bank is not there."""
    records = _asked(rows)
    if not records:
        return []
    exam = Exam(read_settings(ExamSettings, read_manifest(rows.folder).options))
    try:
        best, why = outcome_of(records, exam.bank[0], exam.pool).leading
    except (InputError, KeyError):
        return []
    ends, n = (best.share, best.lower, best.upper), len(records)
    return [Estimate(SCORE, *ends, items=n, n=n, clusters=n, method=why)]


def sections(rows: Rows, manifest: Manifest) -> list[Section]:
    """The result of an exam as tables."""
    records = _asked(rows)
    if not records:
        return []
    exam = Exam(read_settings(ExamSettings, manifest.options))
    try:
        bank, pool = exam.bank[0], exam.pool
        found = outcome_of(records, bank, pool)
    except (InputError, KeyError) as error:
        return [_unread(records, str(error))]
    return [_result(found, len(records), bank, len(pool.trials)), _takers(found.ability, bank)]


def _result(found: Outcome, count: int, bank: ItemBank, of: int) -> Section:
    ability = found.ability
    low, high = found.always
    below = sum(taker.ability < ability.lower for taker in bank.takers)
    above = sum(taker.ability > ability.upper for taker in bank.takers)
    takers = len(bank.takers)
    edge = found.edge if below or above else None
    place = said("exam-place-of", below=below, above=above, takers=takers,
                 alike=takers - below - above, edge=edge)  # fmt: skip
    rows: list[list[Cell]] = [
        [said("exam-ability"), _logits(ability.theta), _ends(ability.lower, ability.upper)],
        [said("exam-place"), place, None],
    ]
    if found.by_bank is not None:
        rows.append(_share(said("exam-by-bank"), found.by_bank))
    rows.append(_share(said("exam-by-draw"), found.by_draw))
    rows.append([said("exam-always"), None, _percents(low, high)])
    rows.append([said("exam-holds"), said("exam-holds-word", why=found.leading[1]), None])
    notes = [said("exam-asked", n=count, right=ability.right, se=f"{ability.se:.2f}")]
    if bank.families < LEAST_TAKERS:
        notes.append(said("exam-few-takers", least=LEAST_TAKERS))
    elif found.edge:
        notes.append(said("exam-edge"))
    fits = "yes" if found.fits else "no"
    notes.append(said("exam-fit", fits=fits, p=found.misfit))
    notes.append(said("exam-means"))
    best, why = found.leading
    finding = said(
        "exam-finding", share=best.share, low=best.lower, high=best.upper, of=of, asked=count,
        place=place, why=why,
    )  # fmt: skip
    return Section(
        said("exam-title"), heads("", "estimate", "interval-95"), rows, notes, leads=True,
        finding=finding,
    )  # fmt: skip


def _share(name: Said, score: BankScore) -> list[Cell]:
    return [name, f"{100 * score.share:.1f} %", _percents(score.lower, score.upper)]


def _percents(low: float, high: float) -> Said:
    return said("from-to", low=f"{100 * low:.1f}", high=f"{100 * high:.1f} %")


def _logits(value: float) -> str:
    return gap(value, 2)


def _ends(low: float, high: float) -> Said:
    return said("from-to", low=_logits(low), high=_logits(high))


def _takers(ability: Ability, bank: ItemBank) -> Section:
    """Tabulate the ability among those of the bank's takers, the ablest first."""
    placed: list[tuple[float, list[Cell]]] = [
        (
            taker.ability,
            [taker.name, _logits(taker.ability),
             _ends(taker.ability - 1.96 * taker.se, taker.ability + 1.96 * taker.se)],
        )
        for taker in bank.takers
    ]  # fmt: skip
    own: list[Cell] = [
        said("exam-this"),
        _logits(ability.theta),
        _ends(ability.lower, ability.upper),
    ]
    placed.append((ability.theta, own))
    placed.sort(key=lambda row: -row[0])
    ranked = [row for _, row in placed]
    return Section(said("exam-takers"), heads("run", "ability", "interval-95"), ranked)


def opening(runs: Sequence[FigureRun]) -> PagePart | None:
    """The score on the whole, and a ruler of the bank's takers, with a mark for each run; None
    where no bank can be read.
    """
    found: list[tuple[FigureRun, Outcome, Exam, int]] = []
    for run in runs:
        records = _asked(run.every)
        exam = Exam(read_settings(ExamSettings, run.manifest.options))
        try:
            own = outcome_of(records, exam.bank[0], exam.pool)
        except (InputError, KeyError):
            continue
        if records:
            found.append((run, own, exam, len(records)))
    if not found:
        return None
    takers = {taker.name: taker.ability for *_, exam, _ in found for taker in exam.bank[0].takers}
    middles = [*takers.values(), *(own.ability.theta for _, own, *_ in found)]
    room = max(max(middles) - min(middles), 0.1) / 2
    low, wide = min(middles) - room, max(middles) - min(middles) + 2 * room
    ruler = tuple(((ability - low) / wide, name) for name, ability in sorted(takers.items()))
    shares = tuple((n / 4, f"{25 * n} %") for n in range(5))
    rows: list[list[Cell]] = []
    marks = []
    claims: dict[tuple[str, int], list[tuple[Said, int]]] = {}
    for run, own, exam, asked in found:
        best, why = own.leading
        share = said("exam-score-of", share=best.share, low=best.lower, high=best.upper)
        rows.append([said("exam-score"), run.label, share])
        marks.append(PageMark(best.share, best.lower, best.upper, run.place, ticks=shares))
        name, of = exam.settings.of, len(exam.pool.trials)
        claim = said(
            "exam-claim-of", who=Named(run.label), share=best.share, strange=why == "strange"
        )
        claims.setdefault((name, of), []).append((claim, asked))
    for run, own, *_ in found:
        one = own.ability
        told = said("exam-logits", value=_logits(one.theta), low=_logits(one.lower),
                    high=_logits(one.upper))  # fmt: skip
        rows.append([said("exam-ability"), run.label, told])
        at, least, most = ((end - low) / wide for end in (one.theta, one.lower, one.upper))
        marks.append(PageMark(at, least, most, run.place, ticks=ruler))
    findings = [
        said("exam-claim", each=[claim for claim, _ in each], benchmark=name, of=of,
             asked=counts.pop() if len(counts := {n for _, n in each}) == 1 else None)
        for (name, of), each in claims.items()
    ]  # fmt: skip
    table = Section("", heads("", "run", "estimate"), rows, [said("exam-ruler")])
    return PagePart(table, [*marks], findings)


def _unread(records: list[Record], why: str) -> Section:
    """Return the section that is left where the bank or the benchmark's data are gone."""
    right = sum(is_right(record.verdict) for record in records)
    notes = [said("exam-asked-alone", n=len(records), right=right), said("exam-no-bank", why=why)]
    heading = heads("", "estimate", "interval-95")
    return Section(
        said("exam-title"), heading, [[said("exam-ability"), None, None]], notes, leads=True
    )
