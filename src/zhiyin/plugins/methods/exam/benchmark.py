"""An exam of any benchmark of single questions: which are asked depends on the answers so far."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.declared import Headline
from zhiyin.contract.registry import find
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.methods.adaptive import weights
from zhiyin.plugins.methods.bank import ItemBank, read_bank
from zhiyin.plugins.methods.takers import Takers
from zhiyin.reader import Policy
from zhiyin.record import Exchange, Record, Strategy, Verdict
from zhiyin.sequence import Sequence as TrialSequence
from zhiyin.sequence import Stepwise
from zhiyin.trial import Tag, Trial
from zhiyin.words import Said, said

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
    by_degrees = deferred("zhiyin.plugins.methods.exam.results:by_degrees", 1)
    """The score on the whole benchmark, as far as the answers tell."""
    opening = deferred("zhiyin.plugins.methods.exam.results:opening")
    details = deferred("zhiyin.plugins.methods.exam.results:sections", 2)
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
            raise InputError("give --bank, a file of `zhiyin stats items RUN... --bank FILE`")
        bank, digest = read_bank(self.settings.bank)
        of = self.settings.of
        if of and of not in (
            bank.benchmark,
            find(bank.benchmark).name,
        ):  # questions, questions-FILE
            raise InputError(
                f"{self.settings.bank}: a bank of {bank.benchmark}, and not of {of}: give its own"
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
        raise InputError(
            f"{benchmark.name} asks in sequences, and an exam draws single questions: "
            f"run it by `zhiyin run {benchmark.name} -m MODEL`"
        )
    trials: dict[str, Trial] = {}
    for trial in benchmark.trials():
        trials.setdefault(trial.item or trial.id, trial)
    every = list(trials.values())
    if not every:
        raise InputError(f"{benchmark.name} has no questions with the settings of the bank")
    takers, calibrated = bank.model(every)
    if not calibrated and not bank.explained:
        raise InputError(
            f"none of the {len(every)} questions of {benchmark.name} is in the bank, whose groups "
            "and tags tell nothing of others: make one by `zhiyin stats items` from runs on these"
        )
    return QuestionPool(every, takers, calibrated)
