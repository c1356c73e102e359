"""The replies of a run that were read by rule: what an audit speaks of."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

import msgspec

from zhiyin.engine.items import item_of
from zhiyin.engine.log import find_log, iterate, read_records, valid_lines
from zhiyin.reader import find_policy
from zhiyin.record import NOT_JUDGED, Exchange, State
from zhiyin.strategies.confirm import CONFIRM
from zhiyin.trial import Option, Tag

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


class _Verdict(msgspec.Struct):
    state: State
    answer: str | None = None
    letter: str | None = None
    why: str = ""
    policy: str = ""
    confidence: str = ""
    span: tuple[int, int] | None = None
    tags: dict[str, Tag] = {}
    scores: dict[str, float] = {}


class _Trial(msgspec.Struct):
    options: tuple[Option, ...] = ()
    target: str | None = None
    groups: tuple[str, ...] = ()
    cluster: str | None = None
    tags: dict[str, Tag] = {}
    item: str = ""
    condition: str = ""


class _Exchange(msgspec.Struct):
    turns: tuple[msgspec.Raw, ...] = ()


class Reading(msgspec.Struct, kw_only=True):
    """A record in brief, with all that its verdict says."""

    id: str
    verdict: _Verdict
    trial: _Trial
    exchange: _Exchange = msgspec.field(default_factory=_Exchange)

    @property
    def item(self) -> str:
        """What is asked about: repeats, rotations and conditions of one item share it."""
        trial = self.trial
        return item_of(self.id, trial.item, trial.condition, trial.tags)[0]

    @property
    def right(self) -> float:
        """1 for a right answer, 0 for any other outcome."""
        return float(self.verdict.state == "correct")

    @property
    def stratum(self) -> str:
        """What the reader said: one of `EXPECTED`."""
        verdict = self.verdict
        if verdict.letter is None:
            return _UNANSWERED.get(verdict.state, "no answer")
        if verdict.tags.get("confirmed"):
            return CONFIRMED
        return verdict.confidence or "answered"

    @property
    def hangs(self) -> str:
        """What the trial hangs together with: its cluster, or the other trials of its item."""
        return f"cluster {self.trial.cluster}" if self.trial.cluster else f"item {self.item}"

    def right_if(self, letter: str | None) -> bool:
        """Whether the trial is right where the reply says this letter."""
        chosen = next((o.key for o in self.trial.options if o.letter == letter), None)
        return chosen is not None and chosen == self.trial.target


class Population(msgspec.Struct):
    """The replies of a run that were read by rule as a choice.

    `others` counts judged trials that were not: reviews, and choices that a solver made.
    """

    readings: dict[str, Reading]
    others: int = 0

    @property
    def policies(self) -> list[str]:
        """The labels of the policies that read them."""
        return list(dict.fromkeys(one.verdict.policy for one in self.readings.values()))

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
    path = find_log(folder)
    valid, _ = valid_lines(path)
    population = Population({})
    for number, (one, _) in enumerate(iterate(path, Reading), 1):
        if one.verdict.state in NOT_JUDGED or valid.get(one.id, number) != number:
            continue
        if _by_rule(one):
            one.exchange = type(one.exchange)()  # words are looked up where they are needed
            population.readings[one.id] = one
        else:
            population.others += 1
    return population


def _by_rule(one: Reading) -> bool:
    policy = one.verdict.policy.partition("@")[0]
    return bool(one.trial.options) and bool(one.exchange.turns) and find_policy(policy) is not None


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
    for record in read_records(folder):
        if record.id in ids and record.exchange.turns:
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
