"""Selection of a benchmark's trials: all, the first, a sample, or the share of a shard."""

from __future__ import annotations

import copy
import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.chance import chance, place_at_random
from zhiyin.contract.session_parts import Conditions, known_conditions, vary
from zhiyin.engine.folder import PlannedSequences, Shard
from zhiyin.engine.merging import PlannedUnit, digest_of
from zhiyin.engine.sequences import SequenceError, Walk
from zhiyin.errors import InputError, UnfitError, reworded
from zhiyin.flags import flagged
from zhiyin.models.baselines import BASELINES
from zhiyin.models.capabilities import Capabilities, capabilities_of, does_not_apply
from zhiyin.record import Model
from zhiyin.runs.ways import UNDECLARED, Ways
from zhiyin.sequence import Sequence
from zhiyin.trial import Trial
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.contract.benchmark import Benchmark


class ShardShare(msgspec.Struct, frozen=True):
    """The share of one shard.

    Attributes
    ----------
    shard : Shard
        With the number of units of the whole run, and a digest of their names in order.
    units : list of PlannedUnit
        Those of this shard, by their places in the whole.
    trials, sequences : frozenset of str
        Their ids.
    """

    shard: Shard
    units: list[PlannedUnit]
    trials: frozenset[str]
    sequences: frozenset[str]


def share_of(shard: Shard, units: Iterable[Trial | Sequence]) -> ShardShare:
    """The share of a shard among all units of a run, in their order.

    Parameters
    ----------
    shard : Shard
    units : iterable of Trial or Sequence
        Of the whole run.
    """
    together, labels, every = _Together(), list[str](), list[PlannedUnit]()
    for place, unit in enumerate(units):
        sequence = isinstance(unit, Sequence)
        labels.append(together.add(unit))
        every.append(PlannedUnit(place, unit.id, sequence))
    own = [
        unit
        for unit, label in zip(every, labels, strict=True)
        if _shard_of(together.name(label), shard.of) == shard.index
    ]
    known = msgspec.structs.replace(shard, units=len(every), whole=digest_of(every))
    trials = frozenset(unit.id for unit in own if not unit.sequence)
    return ShardShare(known, own, trials, frozenset(unit.id for unit in own if unit.sequence))


def _shard_of(name: str, of: int) -> int:
    """A number from 1 to `of` that depends on nothing but a name."""
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) % of + 1


class _Together:
    """Items and clusters that hang together, directly or through others (union-find)."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def add(self, unit: Trial | Sequence) -> str:
        """Take in a unit. Returns the label of its group."""
        cluster = getattr(unit, "cluster", None)
        labels = [f"item {unit.item}"] if unit.item else []
        labels += [] if cluster is None else [f"cluster {cluster}"]
        if not labels:
            return f"unit {unit.id}"
        first, last = self.name(labels[0]), self.name(labels[-1])
        if first != last:  # the smaller name stands for both
            self._above[max(first, last)] = min(first, last)
        return labels[0]

    def name(self, label: str) -> str:
        """The name of all that a label hangs together with."""
        top = label
        while (above := self._above.get(top)) is not None:
            top = above
        while label != top:
            self._above[label], label = top, self._above[label]
        return top


LeavesOut = Callable[[Trial], bool]
"""Whether a trial does not apply to the model that is asked."""
_MOST_IN_MEMORY = 10_000
"""So many trials of a sample are kept in memory: some 20 MB."""

Unit = Trial | Sequence
"""What is asked as a whole. The plain trial is the sequence of one."""


class Selection:
    """A part of a benchmark's trials, or all of them. Trials are made only as they are asked for.

    A sequence is asked whole or not at all. Sequences come before the plain trials.

    Parameters
    ----------
    benchmark : Benchmark[Any]
    limit : int, optional
        The first so many: plain trials, and sequences.
    sample : int, optional
        All trials of so many items; see `drawn`. With a limit: the trials of either.
    seed : int
        Of the draw.
    shard : Shard, optional
        The share of all this that is asked.
    conditions : tuple of Condition
        Each trial is asked in all these ways too, which are trials of their own.
    at_random : bool
        Whether a sample is drawn, and plain trials are asked, in an order at random in which
        clusters stay together and groups have no share of their own. All trials of a sample are
        in memory then.

    Attributes
    ----------
    leaves_out : callable, optional
        Of these trials those that do not apply to the model; see `without`.

    Raises
    ------
    InputError
        Where `sequences` gives what is none, or two of one id, and where trials are to be varied
        that go in sequences, or of which none can be.
    """

    def __init__(
        self,
        benchmark: Benchmark[Any],
        limit: int | None = None,
        sample: int | None = None,
        seed: int = 0,
        shard: Shard | None = None,
        conditions: Conditions = (),
        *,
        at_random: bool = False,
    ) -> None:
        self.benchmark, self.seed, self.shard = benchmark, seed, shard
        self.conditions = conditions
        self.at_random = at_random
        self.leaves_out: LeavesOut | None = None
        self._all = _checked(benchmark)
        if at_random and (self._all or limit is not None or shard is not None or conditions):
            raise InputError(said("error-at-random", benchmark=benchmark.name, flags=_excluded()))
        for condition in conditions:
            name = condition.way.name
            varied = not self._all and any(name in trial.tags for trial in self._trials())
            condition.refuse(benchmark.name, sequences=bool(self._all), varied=varied)
        # A part that leaves nothing out is no part.
        whole = limit is not None and limit >= len(self._all) + self._count
        self.limit = None if whole else limit
        self.sample = sample
        if sample is not None and sample >= len(self._items):
            self.limit = self.sample = None

    def without(self, leaves_out: LeavesOut | None) -> Selection:
        """The same without the trials that do not apply to the model.

        They are left out of what is chosen, so that a sample is of the same items for every model.
        A sequence is left out by its first trial.
        """
        chosen = copy.copy(self)
        for name in ("share", "sequences", "_sequences", "_applying"):
            chosen.__dict__.pop(name, None)
        chosen.leaves_out = leaves_out
        return chosen

    @property
    def left_out(self) -> int:
        """Number of trials left out since they do not apply; the fewest, of sequences."""
        return self.without(None).planned - self.planned if self.leaves_out else 0

    def __iter__(self) -> Iterator[Trial]:
        """The plain trials."""
        every = self._plain()
        if self.at_random:
            return iter(sorted(every, key=self._place))
        if self.share is None:
            return every
        own = self.share.trials
        return (trial for trial in every if trial.id in own)

    @cached_property
    def share(self) -> ShardShare | None:
        """The share that is asked here; None for all."""
        if self.shard is None:
            return None
        return share_of(self.shard, itertools.chain(self._sequences, self._plain()))

    def _plain(self) -> Iterator[Trial]:
        """The plain trials of all shards."""
        if self.sample is not None:
            _, few = self._sampled
            every = self._drawn() if few is None else iter(few)
        else:
            left = None if self.limit is None else max(0, self.limit - len(self._all))
            every = itertools.islice(self._trials(), left)
        return every if self.leaves_out is None else itertools.filterfalse(self.leaves_out, every)

    def _trials(self) -> Iterator[Trial]:
        """All plain trials there are."""
        return vary(self.benchmark.trials(), self.conditions)

    @cached_property
    def _count(self) -> int:
        """Number of plain trials before any is left out."""
        return sum(1 for _ in self._trials()) if self.conditions else len(self.benchmark)

    def __len__(self) -> int:
        """Count the plain trials."""
        if self.share is not None:
            return len(self.share.trials)
        if self.leaves_out is not None:
            return self._applying
        if self.sample is not None:
            return self._sampled[0]
        every = self._count
        return every if self.limit is None else min(every, max(0, self.limit - len(self._all)))

    @cached_property
    def _applying(self) -> int:
        """Number of plain trials that are not left out."""
        return sum(1 for _ in self._plain())

    @cached_property
    def sequences(self) -> list[Sequence]:
        """The sequences."""
        if self.share is None:
            return self._sequences
        own = self.share.sequences
        return [sequence for sequence in self._sequences if sequence.id in own]

    @cached_property
    def _sequences(self) -> list[Sequence]:
        """The selected sequences of all shards."""
        if self.sample is None:
            every = self._all[: self.limit]
        else:
            chosen, first = self._chosen, self.limit or 0
            pairs = enumerate(self._all)
            every = [one for number, one in pairs if item_of(one) in chosen or number < first]
        if self.leaves_out is None:
            return every
        return [one for one in every if not self.leaves_out(self._opening(one))]

    @property
    def planned(self) -> int:
        """Number of trials, at least."""
        return len(self) + sum(sequence.at_least for sequence in self.sequences)

    @property
    def planned_sequences(self) -> PlannedSequences | None:
        """Number of sequences and of their trials; None without any."""
        every = self.sequences
        if not every:
            return None
        most = [sequence.at_most for sequence in every if sequence.at_most is not None]
        bounded = len(most) == len(every)
        least = sum(sequence.at_least for sequence in every)
        return PlannedSequences(len(every), least, sum(most) if bounded else None)

    def known(self) -> Iterator[Trial]:
        """The trials that are known beforehand: plain ones, and the first of each sequence.

        Raises
        ------
        InputError
            Where a sequence cannot make its first trial.
        """
        yield from map(self._opening, self.sequences)
        yield from self

    def _opening(self, sequence: Sequence) -> Trial:
        """The first trial of a sequence."""
        walk = Walk(sequence)
        with reworded(f"benchmark {self.benchmark.name!r}: ", of=SequenceError):
            walk.first()
        assert walk.trial is not None
        return walk.trial

    @property
    def ways(self) -> Ways | None:
        """The benchmark's ways and those of the conditions; None without these."""
        if not self.conditions:
            return None
        own = self.benchmark.ways
        more = (msgspec.structs.replace(each.way, varied=True) for each in self.conditions)
        return Ways((*(UNDECLARED if own is None else own), *more))

    def part(self) -> dict[str, int | None]:
        """Return the part as the manifest has it: ``limit``, and ``sample`` where there is one."""
        sample = {} if self.sample is None else {"sample": self.sample}
        return {"limit": self.limit, **sample}

    def _place(self, trial: Trial) -> tuple[float, str, float, str]:
        return place_at_random(self.seed, trial.cluster, item_of(trial))

    @cached_property
    def _items(self) -> list[str]:
        if self.at_random:
            return [*dict.fromkeys(map(item_of, sorted(self.benchmark.trials(), key=self._place)))]
        return drawn(itertools.chain(self._all, self.benchmark.trials()), self.seed)

    @cached_property
    def _chosen(self) -> set[str]:
        return set(self._items[: self.sample])

    @cached_property
    def _sampled(self) -> tuple[int, list[Trial] | None]:
        """Number of trials of the items drawn, and these trials where they are not many.

        To make them, a benchmark makes all its trials, and one with sound or pictures takes long.
        """
        trials: list[Trial] = []
        number = 0
        for number, trial in enumerate(self._drawn(), 1):
            if number <= _MOST_IN_MEMORY:
                trials.append(trial)
        return number, trials if number <= _MOST_IN_MEMORY else None

    def _drawn(self) -> Iterator[Trial]:
        chosen = self._chosen
        for number, trial in enumerate(self._trials(), len(self._all)):
            if item_of(trial) in chosen or number < (self.limit or 0):
                yield trial


def applying(selection: Selection, model: Model, can: Capabilities | None = None) -> Selection:
    """Keep the part of a selection that applies to a model; all of it where all does, or nothing.

    A blind baseline picks among options: what has none is no question for it. Of a model of a
    suite (`takes_part`), which is asked many things, what plays sound or shows pictures is left
    out where it takes none; in a run by itself that is an error, with the way to ask otherwise.

    Parameters
    ----------
    selection : Selection
    model : Model
    can : Capabilities, optional
        By default what the model declares.

    Raises
    ------
    UnfitError
        A baseline that nothing applies to.
    """
    can = can or capabilities_of(model)
    blind = model.name in BASELINES and not selection.sequences
    leaves_out: LeavesOut
    if blind:
        leaves_out = _has_no_options
    elif getattr(model, "takes_part", False) and False in (can.sound, can.image):
        leaves_out = partial(does_not_apply, can=can)
    else:
        return selection
    chosen = selection.without(leaves_out)
    if chosen.planned == selection.planned:
        return selection
    if chosen.planned:
        return chosen
    if blind and not selection.shard:
        facts = {"name": repr(model.name), "benchmark": selection.benchmark.name}
        raise UnfitError(said("error-no-options", **facts))
    return selection


def _excluded() -> list[str]:
    """The flags that do not go with an order at random."""
    leading = [next(flagged(kind.Settings)).written for kind in known_conditions()]
    return ["--limit", "--shard", *leading]


def _has_no_options(trial: Trial) -> bool:
    return not trial.options


def _checked(benchmark: Benchmark[Any]) -> list[Sequence]:
    """The benchmark's sequences. Raises `InputError` where they are not what they should be."""
    sequences: list[Sequence] = []
    known: set[str] = set()
    every: Any = benchmark.sequences()
    if not isinstance(every, Iterable):
        given = type(every).__name__
        raise InputError(said("declares-sequences", benchmark=repr(benchmark.name), given=given))
    for sequence in every:
        where = f"benchmark {benchmark.name!r}: sequences()"
        if not isinstance(sequence, Sequence):
            given = type(sequence).__name__
            raise InputError(said("declares-no-sequence", where=where, given=given))
        name = getattr(sequence, "id", None)
        if not isinstance(name, str) or not name:
            raise InputError(said("declares-sequence-id", where=where))
        if name in known:
            raise InputError(said("declares-sequence-twice", where=where, name=repr(name)))
        low, high = sequence.at_least, sequence.at_most
        if low < 1 or (high is not None and high < low):
            raise InputError(said(
                "declares-sequence-ends", where=where, name=repr(name), low=str(low),
                high=str(high),
            ))  # fmt: skip
        known.add(name)
        sequences.append(sequence)
    return sequences


def item_of(unit: Unit) -> str:
    """Return the item that a trial or a sequence asks about, or its own id where it names none."""
    return unit.item or unit.id


def drawn(units: Iterable[Unit], seed: int) -> list[str]:
    """Every item, in an order whose beginnings are samples, each group in proportion.

    Items of the same groups make a stratum. Its items are shuffled and spread evenly over [0, 1)
    from a random start, and all strata are merged: of a stratum that holds the share w, the first
    n items of the order hold w n, to within about one (systematic sampling with a random start:
    Cochran 1977, Sampling Techniques, chapter 8). A larger sample holds the smaller one.

    Parameters
    ----------
    units : iterable of Trial or Sequence
    seed : int
        The same seed gives the same order, whatever the order of the trials.

    Returns
    -------
    list of str
    """
    strata: dict[tuple[str, ...], set[str]] = {}
    known: set[str] = set()
    for unit in units:
        item = item_of(unit)
        if item not in known:
            known.add(item)
            strata.setdefault(unit.groups, set()).add(item)
    places = []
    for groups, items in strata.items():
        start = chance(seed, "groups", *groups)
        order = sorted(items, key=lambda item: chance(seed, "item", item))
        places += [((n + start) / len(order), item) for n, item in enumerate(order)]
    return [item for _, item in sorted(places)]
