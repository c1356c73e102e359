"""Items: their difficulty and discrimination, a shorter set, and response models of them.

Classical item analysis
-----------------------

Scores are arrays of participants by items: right answers as shares in [0, 1], NaN where not asked.

The two-parameter logistic model and the Rasch model
----------------------------------------------------
Fitted by marginal maximum likelihood with the EM algorithm (Bock & Aitkin 1981, Psychometrika 46,
443-459): abilities are integrated out over a standard normal distribution on a grid of points. A
weak log-normal prior holds slopes where data say little (Mislevy 1986, Psychometrika 51, 177-195).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.statistics.paired import holm

Floats = NDArray[np.float64]
LEAST_PARTICIPANTS = 4
"""Fewest whose scores are correlated with anything."""
_SURE = 0.05


def difficulty(scores: Floats) -> Floats:
    """The share of right answers by item: high is easy."""
    with np.errstate(invalid="ignore"):
        asked = (~np.isnan(scores)).sum(axis=0)
        shares: Floats = np.where(
            asked > 0, np.nansum(scores, axis=0) / np.maximum(asked, 1), np.nan
        )
    return shares


def discrimination(scores: Floats) -> Floats:
    """The correlation of an item with the mean of the other items, by item.

    NaN where there are under `LEAST_PARTICIPANTS`, or where all answer an item (or the rest) alike.
    """
    correlations = np.full(scores.shape[1], np.nan)
    asked = ~np.isnan(scores)
    filled = np.where(asked, scores, 0.0)
    total, count = filled.sum(axis=1), asked.sum(axis=1)
    for item in range(scores.shape[1]):
        here = asked[:, item] & (count > 1)
        if here.sum() < LEAST_PARTICIPANTS:
            continue
        own = scores[here, item]
        rest = (total[here] - own) / (count[here] - 1)
        if np.ptp(own) > 0 and np.ptp(rest) > 0:
            correlations[item] = np.corrcoef(own, rest)[0, 1]
    return correlations


def is_dead(chosen: float, wrong: float, options: int) -> bool:
    """Tell whether a wrong option is dead.

    Nobody chose it, though somebody would have, were wrong answers spread evenly.

    Parameters
    ----------
    chosen : float
        How often it was chosen.
    wrong : float
        Wrong answers to the item, those of copies as one.
    options : int
        Options of the item, the right one included.
    """
    others = options - 1
    return chosen == 0 and others > 1 and (1 - 1 / others) ** wrong < _SURE


class Apart(msgspec.Struct, frozen=True):
    """An item that separates two groups of participants: shares right, and p after Holm (1979)."""

    item: int
    first: float
    second: float
    p: float


def apart(first: Floats, second: Floats) -> list[Apart]:
    """Items that one group gets right more often, the clearest first (Fisher's exact test).

    Shares above one half count as right. p values are adjusted by Holm's method over all items.
    """
    from scipy import stats  # which takes a while to load

    rows = []
    for item in range(first.shape[1]):
        groups = [g[~np.isnan(g[:, item]), item] > 0.5 for g in (first, second)]
        if all(len(g) for g in groups):
            table = [[int(g.sum()), int((~g).sum())] for g in groups]
            p = float(stats.fisher_exact(table).pvalue)
            rows.append((p, item, float(groups[0].mean()), float(groups[1].mean())))
    rows.sort()
    adjusted = holm([row[0] for row in rows]) if rows else ()
    return [
        Apart(item, one, other, float(p))
        for (_, item, one, other), p in zip(rows, adjusted, strict=True)
        if p < _SURE
    ]


class Shorter(msgspec.Struct, frozen=True):
    """A shorter set of items.

    Attributes
    ----------
    items : list of int
        In the order in which they were taken.
    tau : float
        Kendall's tau-b of its ranking with that of all items, for those it was chosen by.
    tau_new : float or None
        The mean of the same for participants that had no part in the choice, each fifth left out in
        turn; None under ten participants.
    error : float
        The greatest difference of a participant's score on it from the score on all items.
    """

    items: list[int]
    tau: float
    tau_new: float | None
    error: float


def shorter(scores: Floats, keep: int | None = None) -> Shorter | None:
    """The fewest items that rank the participants as all items do, or the best `keep` of them.

    Items are taken one by one, each time the one with which the sum is nearest to the sum over
    all items (correlation). Only items that all were asked; None where they rank nobody.
    """
    whole = np.flatnonzero(~np.isnan(scores).any(axis=0))
    table = scores[:, whole]
    if len(scores) < LEAST_PARTICIPANTS or not len(whole) or np.ptp(table.mean(axis=1)) == 0:
        return None
    taken = _taken(table, keep)
    part, total = table[:, taken].mean(axis=1), table.mean(axis=1)
    return Shorter(
        [int(whole[item]) for item in taken], _tau(part, total), _crossed(table, len(taken)),
        float(np.abs(part - total).max()),
    )  # fmt: skip


def _taken(table: Floats, keep: int | None) -> list[int]:
    total = table.mean(axis=1)
    centred = total - total.mean()
    useful = [item for item in range(table.shape[1]) if np.ptp(table[:, item]) > 0]
    taken: list[int] = []
    now = np.zeros(len(table))
    while useful and (keep is None or len(taken) < keep):
        sums = now[:, None] + table[:, useful]
        sums = sums - sums.mean(axis=0)
        norms = np.sqrt((sums**2).sum(axis=0))
        gain = np.where(norms > 0, centred @ sums / np.maximum(norms, 1e-12), -np.inf)
        item = useful.pop(int(gain.argmax()))
        taken.append(item)
        now = now + table[:, item]
        if keep is None and _tau(now, total) > 1 - 1e-9:
            break
    return taken


def _tau(first: Floats, second: Floats) -> float:
    from scipy import stats

    value = float(stats.kendalltau(np.round(first, 9), np.round(second, 9)).statistic)
    return value if not np.isnan(value) else 0.0


def _crossed(table: Floats, keep: int) -> float | None:
    if len(table) < 10:
        return None
    fifths = np.arange(len(table)) % 5
    taus = []
    for fifth in range(5):
        taken = _taken(table[fifths != fifth], keep)
        left_out = table[fifths == fifth]
        if np.ptp(left_out.mean(axis=1)) > 0:
            taus.append(_tau(left_out[:, taken].mean(axis=1), left_out.mean(axis=1)))
    return float(np.mean(taus)) if taus else None


def reliability(scores: Floats) -> float | None:
    """Cronbach's alpha over the items that all were asked; None where it is not defined."""
    table = scores[:, ~np.isnan(scores).any(axis=0)]
    if len(table) < LEAST_PARTICIPANTS or table.shape[1] < 2:
        return None
    total = float(table.sum(axis=1).var(ddof=1))
    if total == 0:
        return None
    k = table.shape[1]
    return float(k / (k - 1) * (1 - float(table.var(axis=0, ddof=1).sum()) / total))


def means(scores: Floats) -> Sequence[float]:
    """The mean score of each participant over the items that were asked."""
    averages: list[float] = np.nanmean(scores, axis=1).tolist()
    return averages


LEAST_RASCH = 100
"""Fewest participants for difficulties: +-0.5 logits in about 95 % (Linacre 1994, Rasch Measurement
Transactions 7, 328)."""
LEAST_2PL = 250
"""Fewest participants for slopes with a prior (Harwell & Janosky 1991, Applied Psychological
Measurement 15, 279-291)."""
_GRID = np.linspace(-4.5, 4.5, 61)
_ROUNDS = 500
_NEAR = 1e-4
_ENOUGH = 2e-3
"""The same where few participants make the standard errors a hundred times as large."""
_BELIEVED = 20.0
"""As many items' worth of weight has what is held of items before any is seen."""

_LEARNT_IN = 30
"""Rounds after which it stays: few participants tell little of it, and it would creep on."""


class Held(NamedTuple):
    """Prior on items: means and variances of log slopes and of shifts (-slope place)."""

    slope: float = 0.0
    slope_variance: float = 0.25
    shift: float = 0.0
    shift_variance: float = 10.0  # none to speak of, but items all got are kept finite


class FittedCurves(msgspec.Struct, frozen=True):
    """A fitted model: the probability of a right answer is 1 / (1 + exp(-slope (theta - place))).

    Attributes
    ----------
    model : str
        "2PL" or "Rasch".
    participants : int
    slopes, places, errors : list of float
        By item; `errors` are standard errors of the places, in logits of ability.
    rounds : int
    converged : bool
    """

    model: str
    participants: int
    slopes: list[float]
    places: list[float]
    errors: list[float]
    rounds: int
    converged: bool


def which_model(participants: int) -> str:
    """The model that so many participants can carry; "" for none."""
    return "2PL" if participants >= LEAST_2PL else "Rasch" if participants >= LEAST_RASCH else ""


def fit(
    scores: Floats, model: str, guess: Floats | None = None, pooled: bool = False
) -> FittedCurves:
    """Fit a model.

    Parameters
    ----------
    scores : array of float, participants by items
        1 right, 0 wrong, NaN not asked.
    model : {"2PL", "Rasch"}
        In the Rasch model all items have one slope, which is fitted.
    guess : array of float, optional
        What guessing gets, by item: the lower asymptote, taken as known. Default 0.
    pooled : bool
        Whether slopes and difficulties are held near those of the other items, by normal priors
        that are learnt from all (empirical Bayes: MacKay 1992, Neural Computation 4, 415-447).
        Otherwise the steepest items are those whose slope is overestimated most, and an exam that
        seeks them knows less than it believes.

    Returns
    -------
    FittedCurves
    """
    asked = ~np.isnan(scores)
    right = np.where(asked, scores, 0.0)
    weights = np.exp(-(_GRID**2) / 2)
    prior = np.log(weights / weights.sum())
    share = (right.sum(0) + 0.5) / (asked.sum(0) + 1)
    low = np.zeros(scores.shape[1]) if guess is None else guess
    share = np.clip((share - low) / (1 - low), 0.05, 0.95) if guess is not None else share
    slope, shift = np.ones(scores.shape[1]), np.log(share / (1 - share))
    first = Held(shift_variance=2.0) if pooled else Held()
    held, near = first, _ENOUGH if pooled else _NEAR
    rounds = 0
    for rounds in range(1, _ROUNDS + 1):
        before = slope.copy(), shift.copy()
        expected, expected_right = _expected(right, asked, slope, shift, prior, low)
        slope, shift = _improved(expected, expected_right, slope, shift, model, low, held)
        if pooled and rounds <= _LEARNT_IN:
            held = _learnt(expected, slope, shift, low, held, first)
        moved = max(np.abs(slope - before[0]).max(), np.abs(shift - before[1]).max())
        if moved < near:
            break
    expected, _ = _expected(right, asked, slope, shift, prior, low)
    if pooled:  # a bank makes curves flatter by what is not known of a place, its slope being held
        weight = _weights(expected, _chance(slope, shift, low), low).sum(0)
        errors = 1 / np.sqrt((weight + 1 / held.shift_variance) * slope**2)
    else:
        errors = _errors(right, asked, slope, shift, prior, low, held, common=model == "Rasch")
    return FittedCurves(
        model, len(scores), slope.tolist(), (-shift / slope).tolist(),
        errors.tolist(), rounds, bool(moved < near),
    )  # fmt: skip


def _chance(slope: Floats, shift: Floats, low: Floats) -> Floats:
    """Probability of a right answer, grid by items."""
    chances: Floats = low + (1 - low) / (1 + np.exp(-(np.outer(_GRID, slope) + shift)))
    return np.clip(chances, 1e-9, 1 - 1e-9)


def _gain(p: Floats, low: Floats) -> Floats:
    """Return an answer's worth given that it may be a guess: 1 where nothing is guessed."""
    return np.asarray(np.maximum(p - low, 1e-9) / (p * (1 - low)))


def _weights(expected: Floats, p: Floats, low: Floats) -> Floats:
    """Fisher's information on the logit of the response curve, grid by items."""
    return np.asarray(expected * p * (1 - p) * _gain(p, low) ** 2)


def _expected(
    right: Floats, asked: NDArray[np.bool_], slope: Floats, shift: Floats, prior: Floats,
    low: Floats,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Return the expected participants and right answers at each point of the grid, by item."""
    posterior = _posterior(right, asked, slope, shift, prior, low)
    return posterior.T @ asked.astype(float), posterior.T @ right


def _posterior(
    right: Floats, asked: NDArray[np.bool_], slope: Floats, shift: Floats, prior: Floats,
    low: Floats,
) -> Floats:  # fmt: skip
    """Return the probability of each ability of the grid, by participant."""
    p = _chance(slope, shift, low)
    wrong = np.where(asked, 1 - right, 0.0)
    log = right @ np.log(p).T + wrong @ np.log(1 - p).T + prior
    log -= log.max(axis=1, keepdims=True)
    posterior = np.exp(log)
    posterior /= posterior.sum(axis=1, keepdims=True)
    return np.asarray(posterior)


def _improved(
    expected: Floats, expected_right: Floats, slope: Floats, shift: Floats, model: str,
    low: Floats, held: Held,
) -> tuple[Floats, Floats]:  # fmt: skip
    """A few scoring steps of logistic regressions on the grid, all items at once."""
    t = _GRID[:, None]
    for _ in range(4):
        p = _chance(slope, shift, low)
        weight = _weights(expected, p, low)
        more = (expected_right - expected * p) * _gain(p, low)
        down = more.sum(0) - (shift - held.shift) / held.shift_variance
        across = (t * more).sum(0)
        saa, sab, sbb = (t**2 * weight).sum(0), (t * weight).sum(0), weight.sum(0)
        sbb = sbb + 1 / held.shift_variance
        if model == "Rasch":
            step = (across.sum() - (sab * down / sbb).sum()) / (saa.sum() - (sab**2 / sbb).sum())
            slope = np.full_like(
                slope, max(float(slope[0]) + float(np.clip(step, -0.5, 0.5)), 0.05)
            )
            shift = shift + np.clip(down / sbb, -1, 1)
            continue
        log_slope = np.log(slope)
        across = across - (log_slope - held.slope) / (held.slope_variance * slope)
        saa = saa + 1 / (held.slope_variance * slope**2)
        area = saa * sbb - sab**2
        slope = np.clip(slope + np.clip((sbb * across - sab * down) / area, -0.5, 0.5), 0.05, 6)
        shift = shift + np.clip((saa * down - sab * across) / area, -1, 1)
    return slope, shift


def _errors(
    right: Floats, asked: NDArray[np.bool_], slope: Floats, shift: Floats, prior: Floats,
    low: Floats, held: Held, *, common: bool,
) -> Floats:  # fmt: skip
    """Standard errors of the places, -shift / slope, by the delta method.

    What answers tell of an item is the sum of squares of what each participant's adds to the
    slope of the likelihood, abilities being integrated out (Berndt and others 1974, Annals of
    Economic and Social Measurement 3, 653-665). A `common` slope is told of by all items.
    """
    at, p, t = _posterior(right, asked, slope, shift, prior, low), _chance(slope, shift, low), _GRID
    gain = _gain(p, low)
    down = np.where(asked, right * (at @ gain) - at @ (p * gain), 0.0)
    across = np.where(asked, right * (at * t @ gain) - at * t @ (p * gain), 0.0)
    sbb, sab = (down**2).sum(0) + 1 / held.shift_variance, (across * down).sum(0)
    saa = (across**2).sum(0) + 1 / (held.slope_variance * slope**2)
    known = saa - sab**2 / sbb
    unsure = 1 / np.maximum(known.sum() if common else known, 1e-9)
    variance = 1 / sbb + unsure * (-shift / slope - sab / sbb) ** 2
    return np.asarray(np.sqrt(variance) / slope)


def _learnt(
    expected: Floats, slope: Floats, shift: Floats, low: Floats, held: Held, first: Held
) -> Held:
    """Update the prior on items by what was found of them, each as far as answers tell of it."""
    t = _GRID[:, None]
    weight = _weights(expected, _chance(slope, shift, low), low)
    saa = (t**2 * weight).sum(0) + 1 / (held.slope_variance * slope**2)
    sab, sbb = (t * weight).sum(0), weight.sum(0) + 1 / held.shift_variance
    area = saa * sbb - sab**2

    def told(values: Floats, left: Floats, before: float, start: float) -> tuple[float, float]:
        mean = float(values.mean())
        sure = float(np.clip(1 - left / before, 0, 1).sum())
        apart = float(((values - mean) ** 2).sum())
        return mean, (apart + _BELIEVED * start) / (sure + _BELIEVED)

    return Held(
        *told(np.log(slope), sbb / area / slope**2, held.slope_variance, first.slope_variance),
        *told(shift, saa / area, held.shift_variance, first.shift_variance),
    )
