"""A listener between sound and answer: the psychometric function, and its estimate from trials.

The model is signal detection theory with an internal noise of 1. A difference of size x gives the
listener a sensitivity of d'(x) = (x / t)^s: t is the threshold, at which d' is 1, and s the slope.
Of two intervals the second is chosen with probability

    P = l / 2 + (1 - l) * Phi(k * d' - c)   where it holds the target, and
    P = l / 2 + (1 - l) * Phi(-k * d' - c)  where the first one does, with k = 1 / sqrt(2).

With k = 1/2 the same is the probability of "yes" in trials with one interval, of which some hold
the target. c is the bias towards one of the answers, so that it is kept apart from d'. l is the
share of lapses: trials in which the listener answers as a coin falls. At the threshold a listener
without bias and lapses is right in 76 % of trials with two intervals, and in 69 % of those with
one.

Sources: Green and Swets 1966, Signal Detection Theory and Psychophysics (the model); Wichmann and
Hill 2001, Perception & Psychophysics 63, 1293 (lapses); Watson 2017, Journal of Vision 17(3), 10
(QUEST+: the next trial is the one with the least expected entropy); Kaernbach 1991,
Perception & Psychophysics 49, 227 (weighted staircases).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Method = Literal["two-interval", "yes-no"]
Scale = Literal["ratio", "decibel"]
GAIN: dict[Method, float] = {"two-interval": 2**-0.5, "yes-no": 0.5}
"""k of the model."""
SLOPE_RANGE = (0.35, 3.0)
"""Prior of the slope: even on a logarithmic scale between these.

It begins below the slopes that are to be expected, since intervals cover too little at its edge.
"""
_CELLS = 10
SLOPES = tuple(float(s) for s in np.geomspace(*SLOPE_RANGE, 2 * _CELLS + 1)[1::2])
"""The middles of its cells."""
LAPSES = (0.0, 0.02, 0.05, 0.1)
"""Prior of the lapses: even."""
BIASES = (-2.4, -1.2, -0.6, -0.3, 0.0, 0.3, 0.6, 1.2, 2.4)
BIAS_WEIGHTS = (0.02, 0.06, 0.12, 0.18, 0.24, 0.18, 0.12, 0.06, 0.02)
"""Prior of the bias: around none, with room for listeners who nearly always say the same."""
_BEYOND = 0.5
"""How far the prior of the threshold reaches beyond the levels, in powers of ten."""
_STEP = 0.05
"""Between two places of the grid, in powers of ten."""
_MOST = 8.0
"""d' is cut there: a larger one changes no answer."""


class Ladder(msgspec.Struct, frozen=True):
    """The levels at which a difference can be played.

    Attributes
    ----------
    levels : tuple of float
        In the unit of the difference, ascending.
    scale : {"ratio", "decibel"}
        "ratio": d' is a power of the level. "decibel": of the amplitude that the level, in dB,
        stands for.
    harder : {"less", "more"}
        Whether a smaller level is the harder one, as for a difference, or a larger one, as for
        the notes of a melody to be remembered.
    """

    levels: tuple[float, ...]
    scale: Scale = "ratio"
    harder: Literal["less", "more"] = "less"

    def place(self, level: float | NDArray[np.float64]) -> NDArray[np.float64]:
        """Levels in powers of ten, such that more is easier."""
        value = np.asarray(level, dtype=float)
        place = value / 20.0 if self.scale == "decibel" else np.log10(value)
        return np.asarray(place if self.harder == "less" else -place)

    def level(self, place: float) -> float:
        """The level that stands at a place."""
        signed = place if self.harder == "less" else -place
        return 20.0 * signed if self.scale == "decibel" else float(10.0**signed)

    @property
    def ends(self) -> tuple[float, float]:
        """The places of the hardest and the easiest level."""
        first, last = sorted(map(float, self.place(np.array([self.levels[0], self.levels[-1]]))))
        return first, last


class ThresholdAnswer(msgspec.Struct, frozen=True):
    """One trial: its level, whether the later answer was right ("second", "yes"), and was given."""

    level: float
    later: bool
    chose_later: bool


class Threshold(msgspec.Struct, frozen=True):
    """The estimates of a listener that trials give.

    Attributes
    ----------
    estimate : float
        Posterior mean of the threshold (on the ladder's logarithmic scale), as a level.
    lower, upper : float
        95 % credible interval, with equal tails, as levels; lower is the smaller number.
    place, low, high : float
        The same in powers of ten, more being easier.
    slope, lapse, bias : float
        Posterior means; `bias` is c, above 0 where the earlier answer is preferred.
    bias_sd, slope_sd, lapse_sd : float
        Posterior standard deviations.
    trials : int
        That were answered.
    beyond : {"", "finer", "coarser", "both"}
        Whether the interval reaches beyond the levels that were played: then the threshold is
        only bounded on the other side, if at all. "finer": it may be better than the hardest level.
    """

    estimate: float
    lower: float
    upper: float
    place: float
    low: float
    high: float
    slope: float
    lapse: float
    bias: float
    bias_sd: float
    trials: int
    beyond: str
    slope_sd: float = 0.0
    lapse_sd: float = 0.0


class ListenerGrid:
    """All listeners that are thought possible, and how each would answer at each level.

    Parameters
    ----------
    ladder : Ladder
    method : {"two-interval", "yes-no"}

    Attributes
    ----------
    places : ndarray of float, shape (t,)
        Where the threshold may lie, in powers of ten.
    shape : tuple of int
        Threshold, slope, lapses, bias.
    prior : ndarray of float, shape (n,)
        Sums to 1.
    """

    def __init__(self, ladder: Ladder, method: Method) -> None:
        self.ladder, self.method = ladder, method
        low, high = ladder.ends[0] - _BEYOND, ladder.ends[1] + _BEYOND
        self.places = np.linspace(low, high, 1 + round((high - low) / _STEP))
        self.shape = (len(self.places), len(SLOPES), len(LAPSES), len(BIASES))
        weights = np.broadcast_to(np.array(BIAS_WEIGHTS), self.shape)
        self.prior = (weights / weights.sum()).ravel()

    @cached_property
    def later(self) -> NDArray[np.float32]:
        """P(later answer): shape (2, levels, n), first where the later one is wrong."""
        from scipy.special import ndtr  # a quarter of a second, for which `zhiyin list` has no use

        at = self.ladder.place(np.array(self.ladder.levels))
        excess = at[:, None, None] - self.places[:, None]
        slopes = np.array(SLOPES)
        sensitivity = np.minimum(10.0 ** np.minimum(excess * slopes, 2.0), _MOST)
        heard = sensitivity[:, :, :, None, None] * GAIN[self.method]
        lapse, bias = np.array(LAPSES)[:, None], np.array(BIASES)
        both = [lapse / 2 + (1 - lapse) * ndtr(side * heard - bias) for side in (-1.0, 1.0)]
        return np.array(both, dtype=np.float32).reshape(2, len(at), -1)

    @cached_property
    def doubt(self) -> NDArray[np.float32]:
        """Entropy of each listener's answer: as `later`, in nats."""
        return np.asarray(_entropy(self.later.astype(float)), dtype=np.float32)

    def gains(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Compute the information on the listener expected of a trial at each level, in nats.

        That is the mutual information of answer and listener; the greatest one leaves the least
        expected entropy. Either side is as likely.

        Parameters
        ----------
        weights : ndarray of float, shape (n,) or (n, m)
            Posteriors.
        """
        gains = np.zeros((self.later.shape[1], *weights.shape[1:]))
        small = weights.astype(np.float32)
        for chance, doubt in zip(self.later, self.doubt, strict=True):
            p = np.clip((chance @ small).astype(float), 0.0, 1.0)
            gains += _entropy(p) - doubt @ small
        return gains / 2

    def best(self, weights: NDArray[np.float64]) -> int:
        """The place of the level that shows most; of equal ones the first in the list.

        Rounded, so that two machines that add in another order come to the same level.
        """
        return int(np.argmax(np.round(self.gains(weights), 5)))

    def moved(self, weights: NDArray[np.float64], trial: ThresholdAnswer) -> NDArray[np.float64]:
        """The posterior after one more trial."""
        row = self.later[int(trial.later), self.ladder.levels.index(trial.level)].astype(float)
        likely = weights * (row if trial.chose_later else 1.0 - row)
        return np.asarray(likely / likely.sum())

    def read(self, weights: NDArray[np.float64], trials: int) -> Threshold:
        """Read the estimates from a posterior."""
        cube = weights.reshape(self.shape)
        margin = cube.sum(axis=(1, 2, 3))
        place = float(margin @ self.places)
        low, high = quantiles(self.places, margin[:, None])[:, 0]
        first, last = self.ladder.level(float(low)), self.ladder.level(float(high))
        slope, slope_sd = _moments(cube.sum(axis=(0, 2, 3)), SLOPES)
        lapse, lapse_sd = _moments(cube.sum(axis=(0, 1, 3)), LAPSES)
        bias, bias_sd = _moments(cube.sum(axis=(0, 1, 2)), BIASES)
        hardest, easiest = self.ladder.ends
        beyond = "finer" if low < hardest else "coarser" if high > easiest else ""
        return Threshold(
            self.ladder.level(place), min(first, last), max(first, last), place, float(low),
            float(high), slope, lapse, bias, bias_sd, trials,
            "both" if low < hardest and high > easiest else beyond, slope_sd, lapse_sd,
        )  # fmt: skip


def _moments(margin: NDArray[np.float64], values: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation of a margin of a posterior."""
    at = np.array(values)
    mean = float(margin @ at)
    return mean, float(np.sqrt(max(margin @ at**2 - mean**2, 0.0)))


def quantiles(
    places: NDArray[np.float64], margins: NDArray[np.float64], share: float = 0.95
) -> NDArray[np.float64]:
    """The ends of the interval with equal tails, shape (2, m), of margins of shape (t, m).

    Each point of the grid stands for the stretch half-way to its neighbours, in which the
    density is even.
    """
    step = places[1] - places[0]
    edges = np.append(places - step / 2, places[-1] + step / 2)
    total = np.vstack([np.zeros(margins.shape[1]), np.cumsum(margins, axis=0)])
    tails = ((1 - share) / 2, (1 + share) / 2)
    rows = [[np.interp(tail, column / column[-1], edges) for column in total.T] for tail in tails]
    return np.clip(np.array(rows), places[0], places[-1])


@lru_cache(maxsize=32)
def open_grid(ladder: Ladder, method: Method) -> ListenerGrid:
    """The grid of a ladder, made once."""
    return ListenerGrid(ladder, method)


def fit(ladder: Ladder, method: Method, trials: Iterable[ThresholdAnswer]) -> Threshold:
    """Fit a listener to trials, in whatever order and however their levels were chosen.

    Equal trials are counted and the counts put in order first, so that two logs with the same
    trials in another order give the same figure to the last digit.
    """
    grid, counts = open_grid(ladder, method), Counter(trials)
    total = np.log(grid.prior)
    for trial in sorted(counts, key=msgspec.structs.astuple):
        row = grid.later[int(trial.later), ladder.levels.index(trial.level)].astype(float)
        total += counts[trial] * np.log(np.maximum(row if trial.chose_later else 1 - row, 1e-300))
    weights = np.exp(total - total.max())
    return grid.read(weights / weights.sum(), sum(counts.values()))


def _entropy(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Entropy of an answer that is given with probability p, in nats."""
    from scipy.special import xlogy

    entropy: NDArray[np.float64] = -(xlogy(p, p) + xlogy(1 - p, 1 - p))
    return entropy


def chance_of_right(threshold: Threshold, ladder: Ladder, method: Method, level: float) -> float:
    """The psychometric function: the share of right answers at a level, the bias taken out."""
    from scipy.special import ndtr

    excess = min(threshold.slope * float(ladder.place(level) - threshold.place), 2.0)
    sensitivity = min(10.0**excess, _MOST)
    return float(threshold.lapse / 2 + (1 - threshold.lapse) * ndtr(GAIN[method] * sensitivity))


UP, DOWN = 3, 1
"""Steps of the weighted staircase after a wrong and after a right answer: it settles at 75 %."""


def climb(levels: Sequence[float], place: int, right: bool, harder: str) -> int:
    """The place of the next level of a weighted staircase on levels that are ascending."""
    easier = 1 if harder == "less" else -1
    step = -DOWN if right else UP
    return min(max(place + easier * step, 0), len(levels) - 1)
