"""Asking small questions: the runner that runs use, in a folder that is thrown away."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from zhiyin.engine.asking import Desk
from zhiyin.engine.log import Manifest, RunFolder
from zhiyin.engine.runner import Limits, Runner, signals_are_ours
from zhiyin.engine.scoring import judge_choice
from zhiyin.models.capabilities import capabilities_of
from zhiyin.probe.canary import Outcome, canary, outcome_of
from zhiyin.probe.media import Medium
from zhiyin.reader import ROBUST
from zhiyin.record import Exchange, Model, Record, Sampling, Verdict
from zhiyin.runs.rows import records_of
from zhiyin.strategies import standalone
from zhiyin.trial import Trial


def wants_canary(model: Model, medium: Medium) -> bool:
    """Whether a model is asked a canary: it declares that it hears, or declares nothing.

    A model's ``canary`` is True where it is asked unless it declares that it takes no such thing,
    False where it never is, and else it is asked where it declares that it does.
    """
    takes = getattr(capabilities_of(model), medium)
    own = getattr(model, "canary", None)
    return bool(takes is True if own is None else own and takes is not False)


async def ask_canary(
    model: Model,
    medium: Medium,
    seed: int,
    sampling: Sampling,
    limits: Limits,
    desk: Desk | None = None,
) -> Outcome:
    """Ask the eight questions of a canary; where the first fails, no more than that.

    Raises `InputError` as `examine`.
    """
    with tempfile.TemporaryDirectory(prefix="zhiyin-") as folder:
        first, *others = canary(medium, seed, Path(folder))
        records = await examine(model, [first], sampling, limits, desk)
        if records[0].verdict.state == "error":
            return outcome_of(records, unasked=len(others))
        return outcome_of(records + await examine(model, others, sampling, limits, desk))


async def examine(
    model: Model,
    trials: Sequence[Trial],
    sampling: Sampling,
    limits: Limits,
    desk: Desk | None = None,
) -> list[Record]:
    """Ask some trials, with the retries and limits of a run; records in the order of the trials.

    Calls that fail are records with an error, and so are questions for which the budget did not
    last. Nothing is kept on the disk.

    Parameters
    ----------
    model : Model
    trials : sequence of Trial
    sampling : Sampling
    limits : Limits
        A concurrency of 0 leaves it to the model.
    desk : Desk, optional
        Of the run that they open.

    Raises
    ------
    InputError
        When no call can succeed: key, address or model are wrong.
    """
    wanted = min(limits.concurrency or model.concurrency, len(trials))
    # All of a few are asked: what the first are refused for need not hold for the next.
    limits = msgspec.structs.replace(
        limits, concurrency=wanted, give_up_alike=len(trials) + 1, give_up_after=len(trials) + 1
    )
    manifest = Manifest("probe", model.name, {}, {}, len(trials))
    with tempfile.TemporaryDirectory(prefix="zhiyin-") as place:
        folder = Path(place)
        with RunFolder(folder, manifest) as log:
            runner = Runner(model, lambda _: standalone, _score, log, sampling, limits, desk=desk)
            before = signals_are_ours.set(False)  # Ctrl-C ends the command: nothing is to be kept
            try:
                outcome = await runner.run(trials)
            finally:
                signals_are_ours.reset(before)
        by_id = {record.id: record for record in records_of(folder)}
    why = outcome.stopped or "it was not asked"
    return [by_id.get(trial.id) or _unasked(trial, why) for trial in trials]


def _unasked(trial: Trial, why: str) -> Record:
    """The record of a question that was not asked, since the budget was spent before."""
    return Record(trial.id, Verdict("error", None), trial, Exchange(), why, 0)


def _score(trial: Trial, exchange: Exchange) -> Verdict:
    if not trial.options:
        return Verdict("ungraded", None)
    return judge_choice(trial, exchange, ROBUST)
