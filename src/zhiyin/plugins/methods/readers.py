"""One set of replies read by every published rule that fits its questions, and by ours.

What a figure of a benchmark is depends on how replies were read. Each rule is a reading policy with
the source that it is taken from; its figure is what that source would report of these replies.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.analysis.run import OpenRun
from zhiyin.contract.policies import policies
from zhiyin.contract.registry import blaming, known
from zhiyin.engine.scoring import read_choice, right_letters
from zhiyin.plugins.methods.replies import digest_of
from zhiyin.reader import ROBUST
from zhiyin.reader.policy import Policy, Reading, Unread
from zhiyin.record import NOT_JUDGED, Record, Verdict
from zhiyin.runs.estimates import Nesting
from zhiyin.trial import Option, Trial, short

OURS = ROBUST.name
DRAWS = 1000
_SEED = 0
_EXAMPLES, _SNIPPET = 3, 110
_TRIED = 100
"""Different replies on which it is tried whether what a rule reads depends on the reply."""
_NONE, _DRAWN = np.uint64(1 << 62), np.uint64(1 << 63)
_OTHER = 30
"""Bits of a reading: below it those of the options, from it those of letters that none has."""

Floats = NDArray[np.float64]
ByRules = Callable[[Record], Mapping[str, Verdict]]
_Tried = tuple[Sequence[Option], str, str | None]
"""Options, a reply, and the letter that ours reads in it."""
Nearest = Callable[[str, Sequence[str]], int]
"""The place of the text among some that is nearest to a reply."""


class RuleFigure(msgspec.Struct, frozen=True):
    """Figures of the replies by a rule.

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
    heeds : bool
        Whether it read other answers in other replies to most questions that it was tried on.
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
    heeds: bool = True


class ReadExample(msgspec.Struct, frozen=True):
    """A reply that two rules read differently: "-" for no answer, "?" for a guess."""

    trial: str
    reply: str
    first: str
    second: str


class DifferentBecause(msgspec.Struct, frozen=True):
    """A reason why two rules read some replies differently: what each says, and examples."""

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
    of : int or None
        How many questions the run's own figure is over, where these are only some of them.
    """

    replies: int
    items: int
    own: list[str]
    figures: list[RuleFigure]
    pairs: list[RulePair]
    of: int | None = None

    @property
    def of_others(self) -> list[RuleFigure]:
        """The published rules that the span is of, from the lowest.

        Those whose sources report figures of this benchmark, if there are several; else all that
        find an answer in half of the replies or more. None that reads the same in any reply.
        """
        known = [own for own in self.figures if own.source and own.accuracy is not None]
        known = [each for each in known if each.heeds]
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

    @property
    def matters(self) -> bool:
        """Whether a published rule gives a figure out of the interval of ours."""
        ours, span = self.figures[0].ci95, self.span
        if not ours or not span:
            return False
        low, high = (one.accuracy or 0.0 for one in span)
        return low < ours[0] or high > ours[1]


_SEVERAL, _UNREADABLE = 2, 0.5
_POINT = 0.01


class _BitReading(NamedTuple):
    """A rule's reading of a reply: as bits, its chance to be right, why, and the letter."""

    mark: int
    right: float
    why: str
    shown: str


class RuleReadings:
    """Readings by one rule of each different reply and, once all are settled, of every reply.

    Attributes
    ----------
    policy : Policy
    heeds : bool
        Whether what it reads depends on the reply.
    kinds : list of _BitReading
        What was made of replies.
    code, right : ndarray, shape (replies,)
        The place in `kinds` of what was made of each, and its chance to be right.
    marks : ndarray of uint64
        The bits of each kind.
    whys : list of str
        The different reasons.
    why : ndarray of int
        The place in `whys` of that of each kind.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy, self.heeds = policy, True
        self._codes = array("I")
        self._known: dict[_BitReading, int] = {}

    def add(self, read: _BitReading) -> None:
        """Note what was made of the next reply."""
        self._codes.append(self._known.setdefault(read, len(self._known)))

    @property
    def letters(self) -> Iterator[str]:
        """What it read in each different reply, in their order."""
        kinds = [*self._known]
        return (kinds[code].shown for code in self._codes)

    def settle(self, home: NDArray[np.int64]) -> None:
        """Spread what was made of different replies over all, of which `home` says what each is."""
        self.kinds = [*self._known]
        self.code = np.array(self._codes, np.int64)[home]
        self.right = np.array([one.right for one in self.kinds])[self.code]
        self.marks = np.array([one.mark for one in self.kinds], np.uint64)
        self.whys = [*dict.fromkeys(one.why for one in self.kinds)]
        self.why = np.array([self.whys.index(one.why) for one in self.kinds], np.int64)


class _Replies:
    """The replies that rules read, each different one once: no text of them but their beginnings.

    Attributes
    ----------
    home : array of int
        Of each reply which of the different ones it is.
    index : Index
        Of the answers.
    items : set of int
        Hashes of what was asked about.
    """

    def __init__(self) -> None:
        self.home = array("I")
        self.names = array("q")
        self._different: dict[object, int] = {}
        self._begun: list[str] = []
        self._ids: list[str] = []

    def __len__(self) -> int:
        return len(self._ids)

    def is_new(self, record: Record, key: object) -> bool:
        """Note a reply; whether none before it had this key."""
        self.names.extend(Nesting.names_of(record))
        self._ids.append(record.id)
        place = self._different.setdefault(key, len(self._begun))
        self.home.append(place)
        if new := place == len(self._begun):
            self._begun.append(short(record.exchange.final.text, _SNIPPET))
        return new

    def example(self, place: int, first: _BitReading, second: _BitReading) -> ReadExample:
        """A reply that two rules read differently."""
        begun = self._begun[self.home[place]]
        return ReadExample(self._ids[place], begun, first.shown, second.shown)


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
    choices, free = _Replies(), _Replies()
    rules = [RuleReadings(policy) for policy in fitting(())]
    by_name: dict[str, RuleReadings] = {}
    tried: list[_Tried] = []
    for record in records:
        if not _has_answer(record):
            continue
        if len(record.trial.options) > 1:
            ours = record.verdict if record.verdict.policy == ROBUST.label else None
            about = ours and (ours.letter, ours.why)  # what its readings depend on besides
            if choices.is_new(record, digest_of(record.trial, record.exchange, about)):
                options = record.trial.options
                rules = [r for r in rules if r.policy.fits is None or r.policy.fits(options)]
                _read_choice(record, rules, nearest)
                if len(tried) < _TRIED:
                    text = record.exchange.final.text
                    tried.append((options, text, ROBUST.extract(text, options).letter))
        elif by_rules and not len(choices):
            _read_free(record, by_rules(record), free, by_name)
    if len(choices):
        for each in rules:
            each.heeds = _heeds(each, tried)
        return _assembled(choices, rules, own, every_pair)
    if not len(free):
        return None
    ordered = sorted(by_name.values(), key=lambda each: each.policy.name != OURS)
    return _assembled(free, ordered, own, every_pair)


def rules_of_run(
    folder: Path, most: int | None = None, *, every_pair: bool = True,
    nearest: Nearest | None = None,
) -> ByEveryRule | None:  # fmt: skip
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
    every = run.rows.settled.main or run.rows.settled
    rows = every.choices or every
    if most is not None and len(rows) > most:
        return None
    kind = known(run.manifest)
    with blaming(kind):
        found = by_every_rule(
            rows.records(), kind.by_rules, own=kind.rules, every_pair=every_pair, nearest=nearest
        )
    of = len(set(every.judged.items.tolist()))
    return msgspec.structs.replace(found, of=of) if found and found.items < of else found


def _has_answer(record: Record) -> bool:
    """Tell whether there is a reply to be read: a choice that a solver made of one is none."""
    if not record.exchange.turns or record.exchange.broken:
        return False
    if not record.trial.options:
        return record.verdict.state != "error"
    by_rule = record.verdict.policy.partition("@")[0] in policies()
    return by_rule and record.verdict.state not in NOT_JUDGED


def _read_choice(record: Record, rules: Sequence[RuleReadings], nearest: Nearest | None) -> None:
    """Read a reply to a question with options by each rule."""
    trial, verdict = record.trial, record.verdict
    keys = [option.key for option in trial.options]
    places = {option.letter: keys.index(option.key) for option in trial.options}
    known: dict[tuple[bool, bool], tuple[str, ...]] = {}
    for columns in rules:
        policy = columns.policy
        if policy is ROBUST and verdict.policy == ROBUST.label:
            reading = Reading(verdict.letter, verdict.why)
        else:
            reading, reply, _ = read_choice(trial, record.exchange, policy)
            if nearest and policy.unread == "open" and reading.letter is None:
                place = nearest(reply.text, [option.text for option in trial.options])
                reading = Reading(trial.options[place].letter, "nearest by the embedding")
        manner = policy.caseless, policy.by_letter
        if (right := known.get(manner)) is None:
            right = known[manner] = right_letters(trial, policy)
        columns.add(_read(reading, right, places))


def _heeds(rule: RuleReadings, tried: Sequence[_Tried]) -> bool:
    """Tell whether a rule reads another answer too in a reply that ours reads otherwise.

    It is given the reply to another question. Where a rule leaves nothing of some option's text,
    say, that stands in any reply.
    """
    asked = same = 0
    for own, (options, _, ours) in zip(rule.letters, tried, strict=False):
        known = {option.letter for option in options} - {ours}
        if (other := next((text for _, text, one in tried if one in known), None)) is not None:
            asked, same = asked + 1, same + (own == rule.policy.extract(other, options).letter)
    return 2 * same <= asked


def _read_free(
    record: Record, verdicts: Mapping[str, Verdict], free: _Replies,
    by_name: dict[str, RuleReadings],
) -> None:  # fmt: skip
    """Note the verdicts on a question without options, if they are by the rules of those before."""
    if OURS not in verdicts or len(verdicts) < 2 or (by_name and verdicts.keys() != by_name.keys()):
        return
    free.is_new(record, len(free))
    answers = [*dict.fromkeys(verdict.answer for verdict in verdicts.values())]
    for name, one in verdicts.items():
        read = one.state in ("correct", "wrong")
        mark = 1 << answers.index(one.answer) if read else int(_NONE)
        columns = by_name.get(name) or by_name.setdefault(name, RuleReadings(policies()[name]))
        columns.add(_BitReading(mark, float(one.state == "correct"), one.why, one.answer or "-"))


def _read(reading: Reading, right: Sequence[str], places: Mapping[str, int]) -> _BitReading:
    """Return a reading, where some letters are right and some stand for one option."""
    if reading.letter:
        letters = (reading.letter, *reading.alike)
        chance = float(any(letter in right for letter in letters))
        return _BitReading(_mark(letters, places), chance, reading.why, reading.letter)
    if not reading.guesses:
        return _BitReading(int(_NONE), 0.0, reading.why, "-")
    hits = sum(letter in right for letter in reading.guesses)
    return _BitReading(int(_DRAWN), hits / len(reading.guesses), reading.why, "?")


def _mark(letters: Iterable[str], places: Mapping[str, int]) -> int:
    """Encode what was read as bits: one for each option, whatever letters it has."""
    bits = 0
    for letter in letters:
        bits |= 1 << places.get(letter, _OTHER + (ord(letter) - ord("A")) % 26)
    return bits


def _assembled(
    replies: _Replies, columns: Sequence[RuleReadings], own: Sequence[str], every_pair: bool
) -> ByEveryRule:
    home = np.array(replies.home, np.int64)
    for each in columns:
        each.settle(home)
    nesting = Nesting.named(replies.names)
    figures = [_figure(each, nesting) for each in columns]
    pairs = list(_pairs(replies, columns, every_pair))
    return ByEveryRule(len(replies), len(nesting.names), [*own], figures, pairs)


def _figure(own: RuleReadings, nesting: Nesting) -> RuleFigure:
    policy, read, right = own.policy, own.marks[own.code] < _NONE, own.right
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
        policy.label, policy.name, policy.summary, policy.source, policy.unread, len(counted),
        accuracy=known.mean if known else None, ci95=(known.low, known.high) if known else None,
        unreadable=float(1 - read.mean()), drawn=drawn, bounds=bounds, heeds=own.heeds,
    )  # fmt: skip


def _draws(weights: Floats, right: Floats, chancy: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the ends of 95 % of the draws of the guesses; the seed is always the same."""
    sure = float(weights[~chancy] @ right[~chancy])
    chances, shares = right[chancy], weights[chancy]
    rng = np.random.default_rng(_SEED)
    figures = [sure + float(shares @ (rng.random(len(chances)) < chances)) for _ in range(DRAWS)]
    low, high = np.quantile(figures, (0.025, 0.975))
    return float(low), float(high)


def _pairs(replies: _Replies, columns: Sequence[RuleReadings], every: bool) -> Iterator[RulePair]:
    for one, two in combinations(range(len(columns)), 2):
        if one and not every:
            return
        first, second = columns[one], columns[two]
        apart = (first.marks[:, None] & second.marks) == 0
        places = np.flatnonzero(apart[first.code, second.code])
        gain = first.right - second.right
        yield RulePair(
            first.policy.name, second.policy.name, len(places), float(gain[gain > 0].sum()),
            float(-gain[gain < 0].sum()), _causes(replies, first, second, places),
        )  # fmt: skip


def _causes(
    replies: _Replies, first: RuleReadings, second: RuleReadings, places: NDArray[np.int64]
) -> list[DifferentBecause]:
    """List why two rules read the replies at some places differently."""
    ours, theirs, others = first.code[places], second.code[places], len(second.whys)
    both = first.why[ours] * others + second.why[theirs]
    known, begin, counts = np.unique(both, return_index=True, return_counts=True)
    order = np.lexsort((begin, -counts))
    return [
        DifferentBecause(first.whys[why // others], second.whys[why % others], n, [
            replies.example(places[at], first.kinds[ours[at]], second.kinds[theirs[at]])
            for at in np.flatnonzero(both == why)[:_EXAMPLES]
        ])
        for why, n in zip(known[order].tolist(), counts[order].tolist(), strict=True)
    ]  # fmt: skip
