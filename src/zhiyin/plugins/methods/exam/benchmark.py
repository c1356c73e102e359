"""An exam of any benchmark of single questions: which are asked depends on the answers so far.

Results of an exam's log: ability, score on the whole benchmark, and whether the bank holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.declared import Cell, FigureRun, Headline, PagePart, Section, heads, picture_of
from zhiyin.contract.options import read_settings
from zhiyin.contract.registry import find
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.errors import InputError
from zhiyin.flags import Flag
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
    weights,
)
from zhiyin.plugins.methods.bank import LEAST_TAKERS, ItemBank, read_bank
from zhiyin.plugins.methods.takers import Takers
from zhiyin.reader import Policy
from zhiyin.record import Exchange, Record, Strategy, Verdict
from zhiyin.runs.measures import Estimate, Measure
from zhiyin.runs.rows import Rows
from zhiyin.sequence import Sequence as TrialSequence
from zhiyin.sequence import Stepwise
from zhiyin.shown.dots import Dot, DotRow
from zhiyin.trial import Tag, Trial
from zhiyin.words import Named, Said, said


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


def _examined(rows: Rows, manifest: Manifest) -> tuple[Outcome | None, Exam, int]:
    """The result, None where the bank is not there; its exam, and how many were asked."""
    records, exam = _asked(rows), Exam(read_settings(ExamSettings, manifest.options))
    with suppress(InputError, KeyError):
        if records:
            return outcome_of(records, exam.bank[0], exam.pool), exam, len(records)
    return None, exam, len(records)


def by_degrees(rows: Rows) -> list[Estimate]:
    """The score to go by, on the whole of the benchmark; none where the bank is not there."""
    found, _, n = _examined(rows, read_manifest(rows.folder))
    if found is None:
        return []
    best, why = found.leading
    ends = (best.share, best.lower, best.upper)
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
        right = sum(is_right(record.verdict) for record in records)
        asked = said("exam-asked-alone", n=len(records), right=right)
        notes = [asked, said("exam-no-bank", why=str(error))]
        head, bare = heads("", "estimate"), list[list[Cell]]([[said("exam-ability"), None]])
        return [Section(said("exam-title"), head, bare, notes, leads=True)]
    return [_result(found, len(records), bank, len(pool.trials))]


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
        [said("exam-ability"), _logits(ability)],
        [said("exam-place"), place],
        [said("exam-by-draw"), _share(found.by_draw)],
        [said("exam-always"), said("from-to", low=f"{100 * low:.1f}", high=f"{100 * high:.1f} %")],
        [said("exam-holds"), said("exam-holds-word", why=found.leading[1])],
    ]
    if found.by_bank is not None:
        rows.insert(2, [said("exam-by-bank"), _share(found.by_bank)])
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
    head = heads("", "estimate")
    return Section(said("exam-title"), head, rows, notes, leads=True, finding=finding)


def _share(score: BankScore) -> Said:
    return said("exam-score-of", share=score.share, low=score.lower, high=score.upper)


def _logits(own: Ability) -> Said:
    value, low, high = (gap(each, 2) for each in (own.theta, own.lower, own.upper))
    return said("exam-logits", value=value, low=low, high=high)


def opening(runs: Sequence[FigureRun]) -> PagePart | None:
    """The score on the whole, and a ruler of the bank's takers, with a mark for each run; None
    where no bank can be read.
    """
    each = ((run, *_examined(run.every, run.manifest)) for run in runs)
    found = [(run, own, exam, asked) for run, own, exam, asked in each if own]
    if not found:
        return None
    takers = {taker.name: taker.ability for *_, exam, _ in found for taker in exam.bank[0].takers}
    middles = [*takers.values(), *(own.ability.theta for _, own, *_ in found)]
    room = max(max(middles) - min(middles), 0.1) / 2
    low, wide = min(middles) - room, max(middles) - min(middles) + 2 * room
    ruler = tuple(((ability - low) / wide, name) for name, ability in sorted(takers.items()))
    shares = tuple((n / 4, f"{25 * n} %") for n in range(5))
    scores, abilities = [], []
    claims: dict[tuple[str, int], list[tuple[Said, int]]] = {}
    for run, own, exam, asked in found:
        best, why = own.leading
        scores.append(Dot(best.share, best.lower, best.upper, told=_share(best)))
        name, of = exam.settings.of, len(exam.pool.trials)
        claim = said(
            "exam-claim-of", who=Named(run.label), share=best.share, strange=why == "strange"
        )
        claims.setdefault((name, of), []).append((claim, asked))
        ends = (own.ability.theta, own.ability.lower, own.ability.upper)
        at, least, most = ((end - low) / wide for end in ends)
        abilities.append(Dot(at, least, most, told=_logits(own.ability)))
    findings = [
        said("exam-claim", each=[claim for claim, _ in several], benchmark=name, of=of,
             asked=counts.pop() if len(counts := {n for _, n in several}) == 1 else None)
        for (name, of), several in claims.items()
    ]  # fmt: skip
    rows = [DotRow(said("exam-score"), dots=tuple(scores), ticks=shares),
            DotRow(said("exam-ability"), dots=tuple(abilities), ticks=ruler)]  # fmt: skip
    runs_of, title = [run for run, *_ in found], said("exam-score")
    return PagePart(picture_of(runs_of, "", title, rows, said("exam-ruler")), findings)


LEAST = 10
"""Items that an exam asks at least, where the benchmark has as many."""
_MOST = 100
"""Items where neither a number nor an error is given."""


class ExamSettings(msgspec.Struct, frozen=True):
    """Settings of an exam: whose questions, and when it ends.

    It ends with `n` items, or once the error is as small as `se`.
    """

    bank: Annotated[str | None, Flag("the bank, of `zhiyin stats items --bank`", "FILE")] = None
    of: Annotated[str, Flag("the benchmark that the bank is of", "BENCHMARK")] = ""
    n: Annotated[
        int | None, Flag(f"items at most; default {_MOST}, or all with --se"),
        msgspec.Meta(ge=LEAST),
    ] = None  # fmt: skip
    se: Annotated[
        float | None,
        Flag("end once the standard error of the ability is so small, in logits"),
        msgspec.Meta(gt=0, le=2),
    ] = None
    data: Annotated[str | None, Flag("folder of the benchmark's data", "DIR", place=True)] = None
    seed: Annotated[int, Flag("of the draw of items")] = 0
    extract: Annotated[str | None, Flag("how replies are read; default as its benchmark")] = None


class QuestionPool(msgspec.Struct, frozen=True):
    """All questions of the benchmark, and how takers answer them.

    `calibrated` says how many are in the bank: the others' difficulty is predicted.
    """

    trials: list[Trial]
    takers: Takers
    calibrated: int


class ExamSequence(Stepwise[NDArray[np.float64]]):
    """One exam: items drawn with known probabilities until there are enough.

    Its state are the answers so far, by item: NaN where not asked. A reply without an answer counts
    as wrong, as it does in the benchmark.
    """

    def __init__(self, pool: QuestionPool, settings: ExamSettings) -> None:
        self.id = self.item = f"exam-{settings.seed}"
        self._pool, self._seed, self._se = pool, settings.seed, settings.se
        most = settings.n or (len(pool.trials) if settings.se else _MOST)
        self.at_most = min(most, len(pool.trials))
        self.at_least = min(LEAST, self.at_most) if settings.se else self.at_most
        self._numbers = {trial.id: number for number, trial in enumerate(pool.trials)}

    def begin(self) -> NDArray[np.float64]:
        """Return the answers before the first item."""
        return np.full(len(self._pool.trials), np.nan)

    def moved(self, state: NDArray[np.float64], record: Record) -> NDArray[np.float64]:
        """The state after one more answer."""
        state[self._numbers[record.trial.id]] = is_right(record.verdict)
        return state

    def ask(self, state: NDArray[np.float64]) -> Trial | None:
        """The next item; None at the end."""
        asked = ~np.isnan(state)
        count = int(asked.sum())
        assert self.at_most is not None
        if count >= self.at_most:
            return None
        takers = self._pool.takers
        known = takers.posterior(state[None])
        if self._se and count >= self.at_least:
            drawn = takers.drawn(state, known)
            if takers.ability(state, drawn).se <= self._se:
                return None
        chances = weights(takers, asked[None], known)[0]
        draw = np.random.default_rng([abs(self._seed), count])
        number = int(draw.choice(len(chances), p=chances))
        trial = self._pool.trials[number]
        tags: dict[str, Tag] = {**trial.tags, "exam_weight": float(chances[number])}
        return msgspec.structs.replace(trial, tags=tags)


def is_right(verdict: Verdict) -> bool:
    """Tell whether an answer of an exam was right."""
    return verdict.scores.get("right", 0.0) > 0.5


class Exam(Benchmark[ExamSettings]):
    """An adaptive exam of another benchmark."""

    name = "adaptive"
    summary = said("exam-summary")
    Settings = ExamSettings
    headline = Headline("all", "score", "answered")
    draws_ungraded = True
    places = frozenset({"bank"})
    by_degrees = deferred(f"{__name__}:by_degrees", 1)
    """The score on the whole benchmark, as far as the answers tell."""
    opening = deferred(f"{__name__}:opening")
    details = deferred(f"{__name__}:sections", 2)
    """The ability, what the whole would score, and where it stands in the bank."""

    def __init__(self, settings: ExamSettings) -> None:
        super().__init__(settings)
        if settings.bank and Path(settings.bank).is_file():  # replies are read as it reads them
            bank, _ = self.bank
            own = bank.options.get("extract") or find(bank.benchmark).extract
            self.extract = str(own)  # type: ignore[misc]

    @cached_property
    def bank(self) -> tuple[ItemBank, str]:
        """The bank, and its file's SHA-256."""
        if not self.settings.bank:
            raise InputError(said("exam-bank"))
        bank, digest = read_bank(self.settings.bank)
        of = self.settings.of
        if of and of not in (
            bank.benchmark,
            find(bank.benchmark).name,
        ):  # questions, questions-FILE
            raise InputError(
                said("exam-other", bank=self.settings.bank, benchmark=bank.benchmark, of=of)
            )
        return bank, digest

    @cached_property
    def inner(self) -> Benchmark[Any]:
        """The benchmark whose questions are asked, set up as the runs of the bank were."""
        bank, _ = self.bank
        kind = find(bank.benchmark)
        options = dict(bank.options)
        data = self.settings.data or kind.fetched(options)
        if data:
            options["data"] = data
        if self.settings.extract:
            options["extract"] = self.settings.extract
        return kind.from_options(options)

    @cached_property
    def pool(self) -> QuestionPool:
        """The questions: each item once, in the first of its ways."""
        return pool_of(self.bank[0], self.inner)

    @cached_property
    def policy(self) -> Policy:
        """The benchmark's own policy."""
        return self.inner.policy

    def sequences(self) -> Iterator[TrialSequence]:
        """The exam."""
        yield ExamSequence(self.pool, self.settings)

    def strategy(self, trial: Trial) -> Strategy:
        """Return the benchmark's own strategy."""
        return self.inner.strategy(trial)

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """Score as the benchmark does, but keep the result as the score ``right``, counted nowhere.

        An exam seeks items that are half hard, so that the share of right ones would tell nothing.
        """
        verdict = self.inner.score(trial, exchange)
        if verdict.state == "error":
            return verdict
        scores = {
            **verdict.scores,
            "right": float(verdict.state == "correct"),
            "answered": float(verdict.answer is not None),
        }
        return msgspec.structs.replace(verdict, state="ungraded", scores=scores)

    def fingerprint(self) -> str:
        """SHA-256 over the bank and the benchmark's own."""
        digest = self.bank[1] + self.inner.fingerprint()
        return hashlib.sha256(digest.encode()).hexdigest()

    def remarks(self) -> list[Said]:
        """List what the exam rests on."""
        bank, _ = self.bank
        pool = self.pool
        remarks = [
            said(
                "exam-rests", benchmark=bank.benchmark, items=len(pool.trials),
                known=pool.calibrated, takers=bank.families,
            )
        ]  # fmt: skip
        if pool.calibrated < len(pool.trials):
            left = len(pool.trials) - pool.calibrated
            remarks.append(said("exam-predicted", n=left, share=round(100 * bank.explained)))
        return remarks


def pool_of(bank: ItemBank, benchmark: Benchmark[Any]) -> QuestionPool:
    """The questions of a benchmark with what a bank says of them.

    Raises
    ------
    InputError
        The benchmark asks in sequences, or has none of the bank's questions and nothing else.
    """
    if any(True for _ in benchmark.sequences()):
        raise InputError(said("exam-sequences", name=benchmark.name))
    trials: dict[str, Trial] = {}
    for trial in benchmark.trials():
        trials.setdefault(trial.item or trial.id, trial)
    every = list(trials.values())
    if not every:
        raise InputError(said("exam-none", name=benchmark.name))
    takers, calibrated = bank.model(every)
    if not calibrated and not bank.explained:
        raise InputError(said("exam-foreign", every=len(every), name=benchmark.name))
    return QuestionPool(every, takers, calibrated)
