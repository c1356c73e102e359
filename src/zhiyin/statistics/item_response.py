"""Item response models: the two-parameter logistic model and the Rasch model.

Fitted by marginal maximum likelihood with the EM algorithm (Bock & Aitkin 1981, Psychometrika 46,
443-459): abilities are integrated out over a standard normal distribution on a grid of points. A
weak log-normal prior holds slopes where data say little (Mislevy 1986, Psychometrika 51, 177-195).
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

LEAST_RASCH = 100
"""Fewest examinees for difficulties: +-0.5 logits in about 95 % (Linacre 1994, Rasch Measurement
Transactions 7, 328)."""
LEAST_2PL = 250
"""Fewest examinees for slopes with a prior (Harwell & Janosky 1991, Applied Psychological
Measurement 15, 279-291)."""
_GRID = np.linspace(-4.5, 4.5, 61)
_ROUNDS = 500
_NEAR = 1e-4
_PRIOR_SD = 0.5
"""Of the logarithm of a slope; its mean is 0."""
_FLAT = 10.0
"""Variance of a difficulty's prior: none to speak of, but items all got are kept finite."""

Floats = NDArray[np.float64]


class Fitted(msgspec.Struct, frozen=True):
    """A fitted model: the probability of a right answer is 1 / (1 + exp(-slope (theta - place))).

    Attributes
    ----------
    model : str
        "2PL" or "Rasch".
    examinees : int
    slopes, places, errors : list of float
        By item; `errors` are standard errors of the places, in logits of ability.
    rounds : int
    converged : bool
    """

    model: str
    examinees: int
    slopes: list[float]
    places: list[float]
    errors: list[float]
    rounds: int
    converged: bool


def which_model(examinees: int) -> str:
    """The model that so many examinees can carry; "" for none."""
    return "2PL" if examinees >= LEAST_2PL else "Rasch" if examinees >= LEAST_RASCH else ""


def fit(scores: Floats, model: str) -> Fitted:
    """Fit a model.

    Parameters
    ----------
    scores : array of float, examinees by items
        1 right, 0 wrong, NaN not asked.
    model : {"2PL", "Rasch"}
        In the Rasch model all items have one slope, which is fitted.

    Returns
    -------
    Fitted
    """
    asked = ~np.isnan(scores)
    right = np.where(asked, scores, 0.0)
    weights = np.exp(-(_GRID**2) / 2)
    prior = np.log(weights / weights.sum())
    share = (right.sum(0) + 0.5) / (asked.sum(0) + 1)
    slope, shift = np.ones(scores.shape[1]), np.log(share / (1 - share))
    rounds = 0
    for rounds in range(1, _ROUNDS + 1):  # noqa: B007
        before = slope.copy(), shift.copy()
        expected, expected_right = _expected(right, asked, slope, shift, prior)
        slope, shift = _improved(expected, expected_right, slope, shift, model)
        moved = max(np.abs(slope - before[0]).max(), np.abs(shift - before[1]).max())
        if moved < _NEAR:
            break
    expected, _ = _expected(right, asked, slope, shift, prior)
    p = _chance(slope, shift)
    information = (expected * p * (1 - p)).sum(0) * slope**2
    return Fitted(
        model, len(scores), slope.tolist(), (-shift / slope).tolist(),
        (1 / np.sqrt(np.maximum(information, 1e-9))).tolist(), rounds, bool(moved < _NEAR),
    )  # fmt: skip


def _chance(slope: Floats, shift: Floats) -> Floats:
    """Probability of a right answer, grid by items."""
    chances: Floats = 1 / (1 + np.exp(-(np.outer(_GRID, slope) + shift)))
    return np.clip(chances, 1e-9, 1 - 1e-9)


def _expected(
    right: Floats, asked: NDArray[np.bool_], slope: Floats, shift: Floats, prior: Floats
) -> tuple[Floats, Floats]:
    """How many are expected at each point of the grid, and how many of them right, by item."""
    p = _chance(slope, shift)
    wrong = np.where(asked, 1 - right, 0.0)
    log = right @ np.log(p).T + wrong @ np.log(1 - p).T + prior
    log -= log.max(axis=1, keepdims=True)
    posterior = np.exp(log)
    posterior /= posterior.sum(axis=1, keepdims=True)
    return posterior.T @ asked.astype(float), posterior.T @ right


def _improved(
    expected: Floats, expected_right: Floats, slope: Floats, shift: Floats, model: str
) -> tuple[Floats, Floats]:
    """A few Newton steps of logistic regressions on the grid, all items at once."""
    t = _GRID[:, None]
    for _ in range(4):
        p = _chance(slope, shift)
        weight = expected * p * (1 - p)
        down = (expected_right - expected * p).sum(0) - shift / _FLAT
        across = (t * (expected_right - expected * p)).sum(0)
        saa, sab, sbb = (t**2 * weight).sum(0), (t * weight).sum(0), weight.sum(0) + 1 / _FLAT
        if model == "Rasch":
            step = (across.sum() - (sab * down / sbb).sum()) / (saa.sum() - (sab**2 / sbb).sum())
            slope = np.full_like(
                slope, max(float(slope[0]) + float(np.clip(step, -0.5, 0.5)), 0.05)
            )
            shift = shift + np.clip(down / sbb, -1, 1)
            continue
        log_slope = np.log(slope)
        across = across - log_slope / (_PRIOR_SD**2 * slope)
        saa = saa + 1 / (_PRIOR_SD * slope) ** 2
        area = saa * sbb - sab**2
        slope = np.clip(slope + np.clip((sbb * across - sab * down) / area, -0.5, 0.5), 0.05, 6)
        shift = shift + np.clip((saa * down - sab * across) / area, -1, 1)
    return slope, shift
