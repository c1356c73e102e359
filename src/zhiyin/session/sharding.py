"""Shards: how a run is shared out among machines that know nothing of each other.

Every machine makes all trials and keeps those of its own share, so that nobody has to hand out
work. What belongs together goes to one machine: a sequence, the repeats, rotations and conditions
of an item, the items of a cluster. Which machine that is follows from names alone, not from places,
so that a run that is extended (``--limit 300``, then all) keeps its shares.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from zhiyin.engine.folder import Shard
from zhiyin.engine.merging import Unit as Planned
from zhiyin.engine.merging import digest_of
from zhiyin.sequence import Sequence
from zhiyin.trial import Trial


class Share(msgspec.Struct, frozen=True):
    """What one shard asks.

    Attributes
    ----------
    shard : Shard
        With the number of units of the whole run, and a digest of their names in order.
    units : list of Unit
        Those of this shard, by their places in the whole.
    trials, sequences : frozenset of str
        Their ids.
    """

    shard: Shard
    units: list[Planned]
    trials: frozenset[str]
    sequences: frozenset[str]


def share_of(shard: Shard, units: Iterable[Trial | Sequence]) -> Share:
    """The share of a shard among all units of a run, in their order.

    Parameters
    ----------
    shard : Shard
    units : iterable of Trial or Sequence
        Of the whole run.
    """
    together, labels, every = _Together(), list[str](), list[Planned]()
    for place, unit in enumerate(units):
        sequence = isinstance(unit, Sequence)
        labels.append(together.add(unit))
        every.append(Planned(place, unit.id, sequence))
    own = [
        unit
        for unit, label in zip(every, labels, strict=True)
        if _drawn(together.name(label), shard.of) == shard.index
    ]
    known = msgspec.structs.replace(shard, units=len(every), whole=digest_of(every))
    trials = frozenset(unit.id for unit in own if not unit.sequence)
    return Share(known, own, trials, frozenset(unit.id for unit in own if unit.sequence))


def _drawn(name: str, of: int) -> int:
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
