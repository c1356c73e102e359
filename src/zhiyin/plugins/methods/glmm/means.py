"""Estimated marginal means and their pairwise contrasts, as R's emmeans gives them.

Means are taken on the log-odds, with equal weight for every level of the other factors and
covariates at their mean (Searle, Speed and Milliken 1980), and only then turned into
probabilities. Intervals and tests are asymptotic (normal).
"""

from __future__ import annotations

import sys
from functools import cache
from itertools import combinations, product

import msgspec
import numpy as np
from scipy.special import expit, log_ndtr, ndtr, ndtri

from zhiyin.plugins.methods.glmm.design import Covariate, Floats, model_matrix
from zhiyin.plugins.methods.glmm.mixed import Mixed
from zhiyin.statistics.paired import holm

_Z95 = float(ndtri(0.975))
WALD, RATIO = "Wald", "likelihood ratio"


class Mean(msgspec.Struct, frozen=True):
    """An estimated marginal mean.

    Attributes
    ----------
    term : str
        The factors that are distinguished, ``"model:modality"``.
    levels : dict of str to str
        Factor to level.
    n : int
        Answers in the cell.
    observed : float
        Share of right answers among them, in [0, 1]; NaN in an empty cell.
    probability, lower, upper : float
        Estimate and 95 % interval, in [0, 1]; NaN where not estimable.
    probability_se : float
        By the delta method.
    emmean, se : float
        The same in log-odds.
    interval : str
        "Wald", or "likelihood ratio" (a profile interval) where there is no finite estimate.
    """

    term: str
    levels: dict[str, str]
    n: int
    observed: float
    probability: float
    lower: float
    upper: float
    probability_se: float
    emmean: float
    se: float
    interval: str


class MarginalContrast(msgspec.Struct, frozen=True):
    """A difference between two marginal means, in log-odds.

    Attributes
    ----------
    family : str
        ``"modality | model"``: pairs of modality within each model; ``"model"``: pairs of the
        means over the other factors; ``"model:modality"``: all pairs of cells.
    at : dict of str to str
        The levels within which the pair is compared. Corrections for multiplicity are over the
        contrasts of one family with equal `at`, as in emmeans.
    contrast : str
        First minus second: ``"audio - midi"``.
    estimate, se, lower, upper : float
        With a 95 % interval for this contrast alone. Their size says nothing where the
        estimate has no finite value.
    z : float
        estimate / se; the signed root of the likelihood ratio where `test` says so.
    p, p_holm, p_tukey : float
    tukey_lower, tukey_upper : float
        A 95 % interval for all contrasts of the family at once.
    odds_ratio, odds_ratio_se, odds_ratio_lower, odds_ratio_upper : float
    test : str
        "Wald", or "likelihood ratio" where the estimate has no finite value.
    """

    family: str
    at: dict[str, str]
    contrast: str
    estimate: float
    se: float
    lower: float
    upper: float
    z: float
    p: float
    p_holm: float
    p_tukey: float
    tukey_lower: float
    tukey_upper: float
    odds_ratio: float
    odds_ratio_se: float
    odds_ratio_lower: float
    odds_ratio_upper: float
    test: str


def margins(model: Mixed) -> list[tuple[str, ...]]:
    """The sets of factors whose means are of interest.

    Each factor, each pair of factors, and the formula's higher interactions of factors.
    """
    factors = model.frame.factors
    pairs = [pair for size in (1, 2) for pair in combinations(factors, size)]
    higher = [t for t in model.frame.formula.terms if len(t) > 2 and set(t) <= factors.keys()]
    return pairs + higher


def marginal_means(model: Mixed, names: tuple[str, ...]) -> list[Mean]:
    """The marginal means of every combination of the named factors' levels."""
    factors = model.frame.factors
    codes = _cells(model, names)
    directions = _directions(model, names, codes)
    estimates, errors = model.estimates(directions)
    means = []
    for index, cell in enumerate(codes):
        estimate, error = estimates[index], errors[index]
        interval = estimate - _Z95 * error, estimate + _Z95 * error
        profile = model.diverges(directions[index])
        if profile:
            interval = model.profile_interval(directions[index])
        here = np.ones(len(model.frame.response), bool)
        for name, code in zip(names, cell, strict=True):
            here &= factors[name].codes == code
        n, right = int(here.sum()), float(model.frame.response[here].sum())
        odds = np.array([estimate, *interval])
        middle, lower, upper = (float(v) for v in expit(odds))
        means.append(
            Mean(
                ":".join(names),
                {name: factors[name].levels[c] for name, c in zip(names, cell, strict=True)},
                n,
                right / n if n else float("nan"),
                middle,
                lower,
                upper,
                middle * (1 - middle) * float(error),
                float(estimate),
                float(error),
                RATIO if profile else WALD,
            )
        )
    return means


def contrasts(model: Mixed, names: tuple[str, ...]) -> list[MarginalContrast]:
    """Pairwise contrasts among the marginal means of the named factors.

    For one factor its pairs; for several, the pairs of each within all levels of the others,
    and, where the formula lets them interact, all pairs of cells.
    """
    if len(names) == 1:
        return _family(model, names, names)
    pairs = [c for name in names for c in _family(model, names, (name,))]
    if names in model.frame.formula.terms:
        pairs += _family(model, names, names)
    return pairs


def _cells(model: Mixed, names: tuple[str, ...]) -> list[tuple[int, ...]]:
    sizes = [range(len(model.frame.factors[name].levels)) for name in names]
    return [cell[::-1] for cell in product(*reversed(sizes))]  # the first factor runs fastest


def _directions(model: Mixed, names: tuple[str, ...], cells: list[tuple[int, ...]]) -> Floats:
    """The directions that give the marginal means of cells."""
    points = {}
    for name, variable in model.frame.variables.items():
        if isinstance(variable, Covariate):
            points[name] = np.full(len(cells), variable.held_at)
        elif name in names:
            points[name] = np.array([cell[names.index(name)] for cell in cells])
        else:
            levels = len(variable.levels)
            points[name] = np.full((len(cells), levels), 1 / levels)
    return model.directions(model_matrix(model.frame, "sum", points).values)


def _family(
    model: Mixed, names: tuple[str, ...], compared: tuple[str, ...]
) -> list[MarginalContrast]:
    """Pairs of the `compared` factors' levels, within each combination of the other names."""
    factors = model.frame.factors
    others = tuple(name for name in names if name not in compared)
    title = ":".join(compared) + (f" | {', '.join(others)}" if others else "")
    pairs = []
    for at in _cells(model, others):
        fixed = dict(zip(others, at, strict=True))
        inner = _cells(model, compared)
        cells = [
            tuple({**fixed, **dict(zip(compared, cell, strict=True))}[name] for name in names)
            for cell in inner
        ]
        labels = [
            " ".join(factors[name].levels[c] for name, c in zip(compared, cell, strict=True))
            for cell in inner
        ]
        where = {name: factors[name].levels[code] for name, code in fixed.items()}
        pairs += _pairs(model, title, where, labels, _directions(model, names, cells))
    return pairs


def _pairs(
    model: Mixed, title: str, where: dict[str, str], labels: list[str], directions: Floats
) -> list[MarginalContrast]:
    """All pairs of some means, corrected together."""
    pairs = list(combinations(range(len(labels)), 2))
    differences = np.array([directions[i] - directions[j] for i, j in pairs])
    estimates, errors = model.estimates(differences)
    z, infinite = estimates / errors, [model.diverges(each) for each in differences]
    for index in np.flatnonzero(infinite):
        z[index] = model.signed_root(differences[index])
    p = np.maximum(2 * ndtr(-np.abs(z)), sys.float_info.min)
    low, high = estimates - _Z95 * errors, estimates + _Z95 * errors
    wide = tukey_critical(len(labels)) * errors
    columns = {
        "estimate": estimates,
        "se": errors,
        "lower": low,
        "upper": high,
        "z": z,
        "p": p,
        "p_holm": holm_of_estimable(p),
        "p_tukey": np.array([tukey(each, len(labels)) for each in z]),
        "tukey_lower": estimates - wide,
        "tukey_upper": estimates + wide,
        "odds_ratio": _exp(estimates),
        "odds_ratio_se": _exp(estimates) * errors,
        "odds_ratio_lower": _exp(low),
        "odds_ratio_upper": _exp(high),
    }
    return [
        MarginalContrast(
            family=title,
            at=where,
            contrast=f"{labels[i]} - {labels[j]}",
            test=RATIO if infinite[index] else WALD,
            **{name: float(values[index]) for name, values in columns.items()},
        )
        for index, (i, j) in enumerate(pairs)
    ]


def _exp(values: Floats) -> Floats:
    """The exponential, NaN where it is beyond floating point."""
    return np.exp(np.where(values < 700, values, np.nan))


def holm_of_estimable(p: Floats) -> Floats:
    """Holm's correction (see `paired.holm`). NaN stays NaN and does not count."""
    corrected = np.full(len(p), np.nan)
    estimable = ~np.isnan(p)
    if estimable.any():
        corrected[estimable] = holm(p[estimable])
    return corrected


def tukey(z: float, means: int) -> float:
    """Tukey's corrected p-value of one difference among several means.

    The chance that the range of `means` standard normals exceeds sqrt(2) |z|, by integrating
    over the smallest: ``k * int phi(x) ((1 - F(x))^(k-1) - (F(x + r) - F(x))^(k-1)) dx``. The
    bracket is formed without cancellation, so that small p-values are exact.

    Parameters
    ----------
    z : float
        Difference over its standard error; NaN gives NaN.
    means : int
        At least 2; for 2 the value is the two-sided normal p-value.
    """
    if np.isnan(z):
        return float("nan")
    x = np.arange(-38.0, 9.0, 0.02)
    above = log_ndtr(-x)
    share = np.minimum(np.exp(log_ndtr(-(x + np.sqrt(2) * abs(z))) - above), 1 - 1e-16)
    bracket = np.exp((means - 1) * above) * -np.expm1((means - 1) * np.log1p(-share))
    density = np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi)
    return min(1.0, float(means * 0.02 * (density * bracket).sum()))


@cache
def tukey_critical(means: int) -> float:
    """The |z| at which Tukey's corrected p-value is 0.05."""
    low, high = 0.0, 10.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if tukey(middle, means) > 0.05 else (low, middle)
    return (low + high) / 2
