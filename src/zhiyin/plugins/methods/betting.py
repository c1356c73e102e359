"""Bets on the mean of bounded observations: tests and intervals that hold whenever one stops.

Who bets that a mean is higher than m, and puts down no more than can be lost, does not get richer
in expectation where it is not. So the wealth is at least 1 / alpha with a probability of alpha at
most, at any time (Ville's inequality): one may look at every answer, and stop when one likes.

Sources
-------
Waudby-Smith and Ramdas 2024, Estimating means of bounded random variables by betting, J. R. Stat.
Soc. B 86, 1-27: the wealth, the size of the bets (3.2, 4.1), and that the means at which it is
small are an interval at all times together. Ramdas, Grunwald, Vovk and Shafer 2023, Game-theoretic
statistics and safe anytime-valid inference, Statistical Science 38, 576-601: 1 / wealth as a p.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

LEVEL = 0.05
MEANS = np.linspace(0, 1, 1001)
"""The means of a scale from 0 to 1 that an interval tries."""
_BOLDEST = 0.5
"""Of what a bet may be at most without a risk of ruin (Waudby-Smith and Ramdas 2024, B.3)."""
ALIKE = 0.1
"""Correlation of the items of a cluster, where nothing is known of it: as `zhiyin plan` has it."""
_SMALL = 20
_EFFECTS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
_RUNS = 200
_POWER = 0.8
_LONGEST = 20_000
"""Clusters that are simulated at most: what is not found by then is not found."""


class Bets:
    """Bets that a mean is higher, and that it is lower, for each value that it may have.

    Parameters
    ----------
    shape : tuple of int
        Of the values; and of runs beside each other, where several are bet on at once.
    level : float
        For which the size of the bets is chosen. They are valid at every other, too.

    Attributes
    ----------
    up, down : array of float
        The logarithm of the wealth of either bet.
    """

    def __init__(self, shape: tuple[int, ...], level: float = LEVEL) -> None:
        self.up, self.down = np.zeros(shape), np.zeros(shape)
        self._squares: float | Floats = 0.25
        self._seen, self._level = 1, level

    def add(self, excess: Floats, below: Floats, above: Floats, surprise: float | Floats) -> None:
        """One more observation.

        Parameters
        ----------
        excess : array of float
            By how much it is above what each value has it in expectation.
        below, above : array of float
            How far it might have been below that, and above.
        surprise : float or array of float
            By how much it is above what was predicted of it.
        """
        spread = self._squares / self._seen * self._seen * np.log(self._seen + 1)
        size = np.sqrt(2 * np.log(2 / self._level) / spread)
        up = np.minimum(size, _BOLDEST / np.maximum(below, 1e-9))
        down = np.minimum(size, _BOLDEST / np.maximum(above, 1e-9))
        self.up += np.log1p(np.maximum(up * excess, -1 + 1e-12))
        self.down += np.log1p(np.maximum(-down * excess, -1 + 1e-12))
        self._squares = self._squares + surprise**2
        self._seen += 1

    @property
    def either(self) -> Floats:
        """The logarithm of the mean wealth of both bets."""
        return np.asarray(np.logaddexp(self.up, self.down) - np.log(2))


def counts_as(sizes: ArrayLike, effect: float, variance: float = 0.25) -> int:
    """Return the items that a cluster counts as at most, so that a large one stops no bets.

    A bet puts down no more than the largest cluster leaves it, so that one of a hundred items
    among single ones leaves bets of a hundredth on these. Of all limits it is the one under which
    an effect lets the wealth grow fastest in expectation (a step of the largest bet allowed, or of
    the best: Waudby-Smith and Ramdas 2024, section 4), where items of a cluster correlate by
    `ALIKE`.

    Parameters
    ----------
    sizes : array of int
        Items of each cluster, known beforehand.
    effect, variance : float
        The effect that is looked for, and the variance of a score, on a scale from 0 to 1.
    """
    own, many = np.unique(np.asarray(sizes, dtype=float), return_counts=True)
    limits = np.unique(np.append(own, np.arange(1.0, min(_SMALL, own[-1]))))[::-1]
    share = np.minimum(own, limits[:, None]) / limits[:, None]
    spread = variance * (ALIKE + (1 - ALIKE) / own) + effect**2
    gain, noise = share @ many * effect, share**2 @ (many * spread)
    bet = np.minimum(gain / noise, 2 * _BOLDEST)
    return int(limits[np.argmax(bet * gain - bet**2 * noise / 2)])


class Prospect(NamedTuple):
    """Expected findings of bets.

    Attributes
    ----------
    found : float
        How often the effect is found that was looked for.
    by : int or None
        Items by which it is in half of all runs; None where it is in fewer.
    least : float or None
        The smallest effect that is found in 80 %; None where none is, however large.
    """

    found: float
    by: int | None
    least: float | None


def prospect(
    sizes: Sequence[int], most: int, null: float, effect: float, level: float,
    discordant: float | None = None,
) -> Prospect:  # fmt: skip
    """Simulate what bets on clusters of these sizes will find.

    Parameters
    ----------
    sizes : sequence of int
    most : int
        As how many items a cluster counts; see `counts_as`.
    null, effect : float
        The mean that is bet against, and how far from it the truth lies, below it where less than
        0, on a scale from 0 to 1.
    level : float
    discordant : float, optional
        Of scores that are 0, 1/2 or 1 (two models on one item): the share that is not 1/2, where
        there is no effect.

    Notes
    -----
    Items of a cluster are alike with a correlation of `ALIKE`: each has what the cluster has with
    a probability of its root.
    """
    room = 1 - null if effect > 0 else null
    steps = np.minimum(abs(effect) * np.array(_EFFECTS), room)
    off = np.repeat(np.sign(effect) * steps, _RUNS)
    apart = 1.0 if discordant is None else np.maximum(discordant, 2 * np.abs(off))
    right = null + off - (1 - apart) / 2
    draw = np.random.default_rng(0)
    count = np.array(sizes)[:_LONGEST]
    watch = MeanWatch((null,), most, level, whole=False, runs=len(off))
    asked, ended = np.zeros(len(off)), np.full(len(off), np.inf)
    order = np.argsort(draw.random((_RUNS, len(count))), axis=1)
    for place in range(len(count)):
        many = np.tile(count[order[:, place]], len(steps))
        like = draw.binomial(many, ALIKE**0.5)
        own, kind = many - like, draw.random(len(off))
        ones = draw.binomial(own, right)
        rest = np.where(right < 1, (1 - apart) / np.maximum(1 - right, 1e-12), 0.0)
        halves = draw.binomial(own - ones, np.clip(rest, 0, 1))
        common = np.where(kind < right, 1.0, np.where(kind < right + 1 - apart, 0.5, 0.0))
        watch.add(ones + halves / 2 + like * common, many)
        asked += many
        p = watch.p_above(null) if effect > 0 else watch.p_below(null)
        ended = np.where((p <= level) & np.isinf(ended), asked, ended)
        if np.isfinite(ended).all():
            break
    each = ended.reshape(len(steps), _RUNS)
    found = np.maximum.accumulate(np.isfinite(each).mean(axis=1))
    own_ = _EFFECTS.index(1.0)
    half = float(np.median(each[own_]))
    least = float(np.interp(_POWER, found, steps)) if found[-1] >= _POWER else None
    return Prospect(float(found[own_]), int(half) if np.isfinite(half) else None, least)


class MeanWatch:
    """The mean of scores in [0, 1] that come one after another, items that hang together at once.

    It is that of the items from which these are drawn at random: drawn they have to be, or put
    into an order at random, and clusters of items as a whole.

    Parameters
    ----------
    at : sequence of float
        Means of which p is wanted beside the interval.
    largest : int
        As how many items the largest cluster counts: known beforehand. Those that have more count
        as so many, so that the mean is one in which no cluster weighs more.
    level : float
        The interval holds with a probability of 1 - level.
    whole : bool
        Whether an interval is wanted at all.
    runs : int or None
        Runs beside each other, for simulations.
    """

    def __init__(
        self,
        at: Sequence[float] = (),
        largest: int = 1,
        level: float = LEVEL,
        *,
        whole: bool = True,
        runs: int | None = None,
    ) -> None:
        self._at, self._largest, self._level = tuple(at), largest, level
        own = np.array(self._at, dtype=float)
        self._means = np.concatenate([own, MEANS]) if whole else own
        shape = (len(self._means),) if runs is None else (runs, len(self._means))
        self._bets = Bets(shape, level)
        self._most = {name: np.zeros(shape) for name in ("up", "down", "either")}
        self._sum: Floats | float = 0.0
        self._count: Floats | float = 0.0

    def add(self, total: ArrayLike, count: ArrayLike = 1) -> None:
        """The scores of one more cluster: their sum, and how many they are."""
        sums, counts = np.asarray(total, dtype=float), np.asarray(count, dtype=float)
        weight = np.minimum(1.0, self._largest / np.maximum(counts, 1.0))
        sums, counts = sums * weight, counts * weight
        predicted = (0.5 + self._sum) / (1 + self._count)
        excess = (sums[..., None] - self._means * counts[..., None]) / self._largest
        surprise = np.asarray((sums - predicted * counts) / self._largest)[..., None]
        self._bets.add(excess, self._means, 1 - self._means, surprise)
        self._sum, self._count = self._sum + sums, self._count + counts
        bets = self._bets
        for name, wealth in (("up", bets.up), ("down", bets.down), ("either", bets.either)):
            np.maximum(self._most[name], wealth, out=self._most[name])

    @property
    def mean(self) -> float:
        """Mean of the scores so far; not a number where there is none."""
        return float(self._sum / self._count) if self._count else float("nan")

    def p_above(self, mean: float) -> Floats:
        """The always-valid p of no higher mean than this one."""
        return self._p("up", mean)

    def p_below(self, mean: float) -> Floats:
        """Return the p of no lower mean."""
        return self._p("down", mean)

    def p_apart(self, mean: float) -> Floats:
        """Return the p of this very mean."""
        return self._p("either", mean)

    def _p(self, name: str, mean: float) -> Floats:
        return np.asarray(np.exp(-self._most[name][..., self._at.index(mean)]))

    def interval(self) -> tuple[float, float]:
        """The means in [0, 1] that are left: with a probability of 1 - level at all times."""
        held = self._most["either"][len(self._at) :] < np.log(1 / self._level)
        inside, step = MEANS[held], float(MEANS[1])
        if not len(inside):
            return self.mean, self.mean
        return max(float(inside[0]) - step, 0.0), min(float(inside[-1]) + step, 1.0)
