"""One set of replies read by every published rule that fits its questions, and by ours.

What a figure of a benchmark is depends on how replies were read. Each rule is a reading policy with
the source that it is taken from; its figure is what that source would report of these replies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.analysis.run import OpenRun
from zhiyin.contract.policies import policies
from zhiyin.contract.registry import blaming, known
from zhiyin.engine.scoring import read_choice, right_letters
from zhiyin.reader import ROBUST
from zhiyin.reader.policy import Policy, Reading, Unread
from zhiyin.record import NOT_JUDGED, Record, Verdict
from zhiyin.runs.estimates import Nesting
from zhiyin.trial import Trial, short

OURS = ROBUST.name
DRAWS = 1000
_SEED = 0
_EXAMPLES, _SNIPPET = 3, 110
_NONE, _DRAWN = np.uint64(1 << 62), np.uint64(1 << 63)
_OTHER = 30
"""Bits of a reading: below it those of the options, from it those of letters that none has."""

Floats = NDArray[np.float64]
Marks = NDArray[np.uint64]
ByRules = Callable[[Record], Mapping[str, Verdict]]
Nearest = Callable[[str, Sequence[str]], int]
"""The place of the text among some that is nearest to a reply."""


class RuleFigure(msgspec.Struct, frozen=True):
    """What a rule makes of the replies.

    Attributes
    ----------
    rule : str
        Name and version of the policy.
    name, summary, source : str
        `source`: repository, commit and file; "" for ours.
    unread : str
        What the source does with a reply that it cannot read; see `Policy`.
    n : int
        Replies that it counts.
    accuracy : float or None
        In [0, 1]; of a rule that guesses, in expectation. None where it counts none, and where it
        leaves some open.
    ci95 : tuple of float or None
        Clustered as the run's.
    unreadable : float
        Share of all replies in which it reads no answer.
    drawn : tuple of float or None
        Of a rule that guesses: where 95 % of 1,000 draws of its guesses lie.
    bounds : tuple of float or None
        Of a rule that leaves some open: the figure if all those were wrong, and right.
    """

    rule: str
    name: str
    summary: str
    source: str
    unread: Unread
    n: int
    accuracy: float | None
    ci95: tuple[float, float] | None
    unreadable: float
    drawn: tuple[float, float] | None = None
    bounds: tuple[float, float] | None = None


class ReadExample(msgspec.Struct, frozen=True):
    """A reply that two rules read differently: "-" for no answer, "?" for a guess."""

    trial: str
    reply: str
    first: str
    second: str


class DifferentBecause(msgspec.Struct, frozen=True):
    """Why two rules read some replies differently: what each says of them, and examples."""

    first: str
    second: str
    n: int
    examples: list[ReadExample]


class RulePair(msgspec.Struct, frozen=True):
    """Two rules on the same replies.

    Attributes
    ----------
    first, second : str
        Their names.
    n : int
        Replies that they read differently.
    first_gains, second_gains : float
        How many answers are right by one alone; guesses count by their chance.
    causes : list of DifferentBecause
        The most frequent first.
    """

    first: str
    second: str
    n: int
    first_gains: float
    second_gains: float
    causes: list[DifferentBecause]


class ByEveryRule(msgspec.Struct, frozen=True):
    """The replies by every rule.

    Attributes
    ----------
    replies, items : int
    own : list of str
        The rules whose sources report figures of this benchmark.
    figures : list of RuleFigure
        Ours first.
    pairs : list of RulePair
        All pairs, or those with ours.
    """

    replies: int
    items: int
    own: list[str]
    figures: list[RuleFigure]
    pairs: list[RulePair]

    @property
    def of_others(self) -> list[RuleFigure]:
        """The published rules that the span is of, from the lowest.

        Those whose sources report figures of this benchmark, if there are several; else all that
        find an answer in half of the replies or more.
        """
        known = [each for each in self.figures if each.source and each.accuracy is not None]
        own = [each for each in known if each.name in self.own]
        if len(own) < _SEVERAL:
            own = [each for each in known if each.unreadable <= _UNREADABLE]
        return sorted(own, key=lambda each: each.accuracy or 0.0)

    @property
    def span(self) -> tuple[RuleFigure, RuleFigure] | None:
        """The lowest and the highest published rule, where they are more than a point apart."""
        known = self.of_others
        if not known or (known[-1].accuracy or 0.0) - (known[0].accuracy or 0.0) <= _POINT:
            return None
        return known[0], known[-1]


_SEVERAL, _UNREADABLE = 2, 0.5
_POINT = 0.01


class RuleReadings:
    """What one rule makes of each reply, in columns."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.marks: list[int] = []
        self.right: list[float] = []
        self.why: list[str] = []
        self.shown: list[str] = []

    def add(self, mark: int, right: float, why: str, shown: str) -> None:
        """Note a reply: what was read as bits, its chance to be right, why, and the letter."""
        self.marks.append(mark)
        self.right.append(right)
        self.why.append(why)
        self.shown.append(shown)

    @property
    def read(self) -> NDArray[np.bool_]:
        """Whether each reply holds an answer by this rule."""
        return np.array(self.marks, np.uint64) < _NONE


def fitting(trials: Iterable[Trial]) -> list[Policy]:
    """Ours, then every published rule that can read all these questions with options."""
    sets = [*dict.fromkeys(trial.options for trial in trials)]
    others = [policy for policy in policies().values() if policy.source]
    return [ROBUST, *(p for p in others if p.fits is None or all(map(p.fits, sets)))]


def by_every_rule(
    records: Iterable[Record],
    by_rules: ByRules | None = None,
    *,
    own: Sequence[str] = (),
    every_pair: bool = True,
    nearest: Nearest | None = None,
) -> ByEveryRule | None:
    """Read replies by every rule that fits.

    Parameters
    ----------
    records : iterable of Record
        Those that failed or have no right answer are left out. Questions with options, or, where
        there are none, without.
    by_rules : callable, optional
        Verdicts on a question without options by the name of the rule; see `Benchmark.by_rules`.
    own : sequence of str
        The rules whose sources report figures of these questions; see `Benchmark.rules`.
    every_pair : bool
        Whether causes are counted for all pairs of rules, or for those with ours alone.
    nearest : callable, optional
        The embedding, for a rule that leaves replies to one.

    Returns
    -------
    ByEveryRule or None
        None where nothing was judged that two rules can read.
    """
    judged = [record for record in records if _has_answer(record)]
    choices = [record for record in judged if len(record.trial.options) > 1]
    if choices:
        rules = fitting(record.trial for record in choices)
        by_rule = [_of_choices(policy, choices, nearest) for policy in rules]
        return _assembled(choices, by_rule, own, every_pair)
    by_name = policies()
    free: dict[str, RuleReadings] = {}
    kept = []
    for record in judged if by_rules else ():
        verdicts = by_rules(record) if by_rules else {}
        if OURS not in verdicts or len(verdicts) < 2 or (free and verdicts.keys() != free.keys()):
            continue
        kept.append(record)
        answers = [*dict.fromkeys(verdict.answer for verdict in verdicts.values())]
        for name, one in verdicts.items():
            read = one.state in ("correct", "wrong")
            mark = 1 << answers.index(one.answer) if read else int(_NONE)
            columns = free.setdefault(name, RuleReadings(by_name[name]))
            columns.add(mark, float(one.state == "correct"), one.why, one.answer or "-")
    if not kept:
        return None
    ordered = sorted(free.values(), key=lambda each: each.policy.name != OURS)
    return _assembled(kept, ordered, own, every_pair)


def rules_of_run(
    folder: Path,
    most: int | None = None,
    *,
    every_pair: bool = True,
    nearest: Nearest | None = None,
) -> ByEveryRule | None:
    """The replies of a run by every rule, those to its main way of asking; as `by_every_rule`.

    Parameters
    ----------
    folder : Path
    most : int, optional
        None is read where there are more replies than this: reading takes about 0.6 ms each.
    every_pair, nearest
        As for `by_every_rule`.
    """
    run = OpenRun(folder)
    rows = run.rows.settled
    rows = rows.choices or rows
    rows = rows.main or rows
    if most is not None and len(rows) > most:
        return None
    kind = known(run.manifest)
    with blaming(kind):
        return by_every_rule(
            rows.records(),
            kind.by_rules,
            own=kind.rules,
            every_pair=every_pair,
            nearest=nearest,
        )


def _has_answer(record: Record) -> bool:
    """Whether there is a reply to be read: a choice that a solver made of one is none."""
    if not record.exchange.turns or record.exchange.broken:
        return False
    if not record.trial.options:
        return record.verdict.state != "error"
    by_rule = record.verdict.policy.partition("@")[0] in policies()
    return by_rule and record.verdict.state not in NOT_JUDGED


def _of_choices(policy: Policy, records: Sequence[Record], nearest: Nearest | None) -> RuleReadings:
    columns = RuleReadings(policy)
    for record in records:
        trial, verdict = record.trial, record.verdict
        if policy is ROBUST and verdict.policy == ROBUST.label:
            reading = Reading(verdict.letter, verdict.why)
        else:
            reading, reply, _ = read_choice(trial, record.exchange, policy)
            if nearest and policy.unread == "open" and reading.letter is None:
                place = nearest(reply.text, [option.text for option in trial.options])
                reading = Reading(trial.options[place].letter, "nearest by the embedding")
        right = right_letters(trial, policy)
        letters = (reading.letter, *reading.alike) if reading.letter else reading.guesses
        chance = float(sum(letter in right for letter in letters))
        if reading.letter is None and letters:
            chance /= len(letters)
        mark = _mark(reading, trial)
        shown = reading.letter or ("?" if reading.guesses else "-")
        columns.add(mark, min(1.0, chance), reading.why, shown)
    return columns


def _mark(reading: Reading, trial: Trial) -> int:
    """What was read as bits: one for each option, whatever letters it stands under."""
    if reading.letter is None:
        return int(_DRAWN if reading.guesses else _NONE)
    keys = [option.key for option in trial.options]
    places = {option.letter: keys.index(option.key) for option in trial.options}
    bits = 0
    for letter in (reading.letter, *reading.alike):
        bits |= 1 << places.get(letter, _OTHER + (ord(letter) - ord("A")) % 26)
    return bits


def _assembled(
    records: Sequence[Record],
    columns: Sequence[RuleReadings],
    own: Sequence[str],
    every_pair: bool,
) -> ByEveryRule:
    nesting = Nesting.of(records)
    return ByEveryRule(
        len(records),
        len(nesting.names),
        [*own],
        [_figure(each, nesting) for each in columns],
        list(_pairs(records, columns, every_pair)),
    )


def _figure(own: RuleReadings, nesting: Nesting) -> RuleFigure:
    policy, read, right = own.policy, own.read, np.array(own.right)
    places = np.arange(len(right))
    counted = places[read] if policy.unread == "left out" else places
    mean = nesting.mean(right, counted)
    drawn = bounds = None
    chancy = (right > 0) & (right < 1)
    if policy.unread == "guess":
        drawn = _draws(nesting.weights(), right, chancy)
    if policy.unread == "open" and not read.all() and mean:
        most = nesting.mean(np.where(read, right, 1.0))
        bounds = (mean.mean, most.mean if most else 1.0)
    known = mean if bounds is None else None
    return RuleFigure(
        rule=policy.label,
        name=policy.name,
        summary=policy.summary,
        source=policy.source,
        unread=policy.unread,
        n=len(counted),
        accuracy=known.mean if known else None,
        ci95=(known.low, known.high) if known else None,
        unreadable=float(1 - read.mean()),
        drawn=drawn,
        bounds=bounds,
    )


def _draws(weights: Floats, right: Floats, chancy: NDArray[np.bool_]) -> tuple[float, float]:
    """Between which figures 95 % of the draws of the guesses lie; the seed is always the same."""
    sure = float(weights[~chancy] @ right[~chancy])
    chances, shares = right[chancy], weights[chancy]
    rng = np.random.default_rng(_SEED)
    figures = [sure + float(shares @ (rng.random(len(chances)) < chances)) for _ in range(DRAWS)]
    low, high = np.quantile(figures, (0.025, 0.975))
    return float(low), float(high)


def _pairs(
    records: Sequence[Record], columns: Sequence[RuleReadings], every: bool
) -> Iterator[RulePair]:
    marks = [np.array(each.marks, np.uint64) for each in columns]
    for one, two in combinations(range(len(columns)), 2):
        if one and not every:
            return
        first, second = columns[one], columns[two]
        places = np.flatnonzero((marks[one] & marks[two]) == 0)
        gain = np.array(first.right) - np.array(second.right)
        yield RulePair(
            first.policy.name,
            second.policy.name,
            len(places),
            float(gain[gain > 0].sum()),
            float(-gain[gain < 0].sum()),
            _causes(records, first, second, places.tolist()),
        )


def _causes(
    records: Sequence[Record], first: RuleReadings, second: RuleReadings, places: list[int]
) -> list[DifferentBecause]:
    causes: dict[tuple[str, str], list[int]] = {}
    for place in places:
        causes.setdefault((first.why[place], second.why[place]), []).append(place)
    counted = Counter({pair: len(own) for pair, own in causes.items()})
    return [
        DifferentBecause(
            *pair,
            n,
            [
                ReadExample(
                    records[place].id,
                    short(_reply(records[place]), _SNIPPET),
                    first.shown[place],
                    second.shown[place],
                )
                for place in causes[pair][:_EXAMPLES]
            ],
        )
        for pair, n in counted.most_common()
    ]


def _reply(record: Record) -> str:
    return record.exchange.final.text
