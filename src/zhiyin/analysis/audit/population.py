"""The replies of a run that were read by rule: what an audit speaks of."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

import msgspec
import numpy as np

from zhiyin.contract.policies import find_policy
from zhiyin.record import Exchange, State
from zhiyin.runs.kinds import Outcome
from zhiyin.runs.names import names_of
from zhiyin.runs.rows import Row, rows_of
from zhiyin.strategies.confirm import CONFIRM
from zhiyin.trial import Option

CONFIRMED = "asked once more"
EXPECTED = {
    "declared": 0.02,
    "inferred": 0.05,
    "by text alone": 0.05,
    "answered": 0.03,
    CONFIRMED: 0.03,
    "no answer": 0.05,
    "refused": 0.03,
    "cut off": 0.05,
}
"""The strata, and the share misread that is expected of each before anything is marked: a guess,
which decides how many are drawn and biases nothing. Bold guesses would draw so few of the common
kind that finding nothing there says little."""
_UNANSWERED: dict[State, str] = {
    "no_answer": "no answer",
    "refused": "refused",
    "truncated": "cut off",
}


class Reading(Row):
    """A reply that was read by rule."""

    __slots__ = ()

    @property
    def stratum(self) -> str:
        """What the reader said: one of `EXPECTED`."""
        if self.letter is None:
            return _UNANSWERED.get(self.state, "no answer")
        if self.confirmed:
            return CONFIRMED
        return self.confidence or "answered"

    @property
    def hangs(self) -> str:
        """What the trial hangs together with: its cluster, or the other trials of its item."""
        return f"cluster {self.cluster}" if self.cluster else f"item {self.item}"


class Population(msgspec.Struct):
    """The replies of a run that were read by rule as a choice.

    `others` counts judged trials that were not: reviews, and choices that a solver made.
    """

    readings: dict[str, Reading]
    others: int = 0

    @property
    def policies(self) -> list[str]:
        """The labels of the policies that read them."""
        return list(dict.fromkeys(one.policy for one in self.readings.values()))

    def strata(self) -> dict[str, list[str]]:
        """Ids by stratum, in the order of `EXPECTED`."""
        by_stratum: dict[str, list[str]] = {name: [] for name in EXPECTED}
        for name, one in self.readings.items():
            by_stratum.setdefault(one.stratum, []).append(name)
        return {name: ids for name, ids in by_stratum.items() if ids}


def read_population(folder: Path) -> Population:
    """The replies of a run that were read by rule.

    Raises
    ------
    InputError
        When the folder is not a run, or its log is damaged.
    """
    judged = rows_of(folder).judged
    by_rule = judged.which(lambda kind: kind.options > 0).where_outcome(_by_rule)
    readings = (Reading(judged.table, number) for number in by_rule.numbers.tolist())
    return Population({one.id: one for one in readings}, len(judged) - len(by_rule))


def _by_rule(outcome: Outcome) -> bool:
    policy = outcome.policy.partition("@")[0]
    return bool(outcome.purpose) and find_policy(policy) is not None


class Shown(msgspec.Struct, frozen=True):
    """A reply as it is put before whoever marks it.

    Attributes
    ----------
    id : str
        Of the trial.
    reply : str
        Hash of what is shown, without the question.
    question : str
    options : tuple of Option
    texts : tuple of str
        What the model said: one text, or two where it was asked once more.
    cut : bool
        Whether a length limit cut the reply.
    """

    id: str
    reply: str
    question: str
    options: tuple[Option, ...]
    texts: tuple[str, ...]
    cut: bool


def show(folder: Path, ids: set[str]) -> dict[str, Shown]:
    """The replies of some trials of a run."""
    shown = {}
    rows = rows_of(folder)
    for record in rows.where(np.isin(rows.table.trial[rows.numbers], names_of(ids))).records():
        if record.exchange.turns:
            trial, texts = record.trial, replies_read(record.exchange)
            digest = blake2b(
                msgspec.json.encode([texts, [(o.letter, o.text) for o in trial.options]]),
                digest_size=8,
            ).hexdigest()
            question = trial.stem or (trial.messages[-1].text if trial.messages else "")
            cut = record.exchange.final.finish == "length"
            shown[record.id] = Shown(record.id, digest, question, trial.options, texts, cut)
    return shown


def replies_read(exchange: Exchange) -> tuple[str, ...]:
    """The reply that was read, and the one to the second question where there was one."""
    turns = exchange.turns
    again = len(turns) > 1 and turns[-1].purpose == CONFIRM
    return tuple(turn.reply.text for turn in turns[-2 if again else -1 :])
