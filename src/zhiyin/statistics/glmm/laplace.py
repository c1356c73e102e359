"""Maximum likelihood for a logistic model with one random intercept, by Laplace's method.

For row i of group j the log-odds are ``x_i'b + t u_j`` with u_j standard normal, so that |t|
is the random intercept's standard deviation. The log-likelihood is lme4's (Bates et al. 2015,
J. Stat. Softw. 67(1); nAGQ = 1): for each group, with u at the mode of the joint density,
``sum_i log p(y_i | u) - u^2 / 2 - log(1 + t^2 sum_i p_i (1 - p_i)) / 2``.

It is an even function of t: zero needs no bound, but is always stationary, hence the several
starts. Gradient and Hessian are exact, by the implicit function theorem at the mode.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from zhiyin.statistics.glmm.design import Floats, Ints

STARTS = (0.3, 1.0, 3.0)
"""Standard deviations from which a fit is begun, besides zero."""

_STEPS = 100
_LONGEST_STEP = 5.0
_ENOUGH = 1e-9  # a step that gains no more log-likelihood than this is the last
_SINGULAR = 1e-9


@dataclass(frozen=True)
class Counts:
    """Answers counted by design row and group, sorted by group.

    Attributes
    ----------
    design : ndarray, shape (rows, coefficients)
    right, total : ndarray, shape (rows,)
    group : ndarray, shape (rows,)
        Group index, rising, without gaps.
    starts : ndarray, shape (groups,)
        The first row of each group.
    offset : ndarray, shape (rows,), or float
        Log-odds that are added to the design's.
    """

    design: Floats
    right: Floats
    total: Floats
    group: Ints
    starts: Ints
    offset: Floats | float = 0.0


@dataclass(frozen=True)
class Fit:
    """A maximum of the Laplace log-likelihood.

    Attributes
    ----------
    sd : float
        Standard deviation of the random intercept, in log-odds.
    coefficients : ndarray, shape (p,)
    log_likelihood : float
    hessian : ndarray, shape (1 + p, 1 + p)
        Of the negative log-likelihood by (sd, coefficients).
    modes : ndarray, shape (groups,)
        The groups' random intercepts at their conditional modes, in log-odds.
    converged : bool
    """

    sd: float
    coefficients: Floats
    log_likelihood: float
    hessian: Floats
    modes: Floats
    converged: bool


def count(design_rows: Floats, right: Floats, group: Ints, kinds: Ints) -> Counts:
    """Count answers by kind of row and group.

    Parameters
    ----------
    design_rows : ndarray, shape (n, p)
    right : ndarray, shape (n,)
        0 or 1.
    group : ndarray, shape (n,)
    kinds : ndarray, shape (n,)
        Equal only for rows with equal design.
    """
    key = group * (int(kinds.max()) + 1) + kinds
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    total = np.bincount(inverse).astype(np.float64)
    right_counts = np.bincount(inverse, weights=right).astype(np.float64)
    starts = np.unique(group[first], return_index=True)[1].astype(np.intp)
    return Counts(design_rows[first], right_counts, total, group[first], starts)


def fit(counts: Counts, starts: tuple[float, ...] = STARTS) -> Fit:
    """The best maximum reached from several starting deviations.

    It is begun at zero, a plain logistic regression, from whose coefficients the `starts` go on.
    Zero is kept when no other maximum is higher by more than 1e-9, or `starts` is empty.
    """
    p = counts.design.shape[1]
    best = _climb(counts, np.zeros(1 + p))
    first = np.concatenate([[best.sd], best.coefficients])
    for deviation in starts:
        first[0] = deviation
        other = _climb(counts, first)
        if other.log_likelihood > best.log_likelihood + _SINGULAR:
            best = other
    return best


def _climb(counts: Counts, start: Floats) -> Fit:
    """Newton's method with absolute curvatures and a backtracking line search."""
    free = slice(1, None) if start[0] == 0 else slice(None)
    point, converged = start.copy(), False
    here = evaluate(counts, point)
    for _ in range(_STEPS):
        slope = here.gradient[free]
        values, vectors = np.linalg.eigh(here.hessian[free, free])
        floor = 1e-14 * float(np.abs(values).max()) + 1e-300
        step = -vectors @ (vectors.T @ slope / np.maximum(np.abs(values), floor))
        gain = -float(slope @ step)
        full = np.zeros_like(point)
        full[free] = step * min(1.0, _LONGEST_STEP / (float(np.linalg.norm(step)) + 1e-300))
        lower = _search(counts, point, full, here)
        if lower is None:
            converged = gain < 1e-6  # no lower value within rounding
            break
        point, here = lower
        if gain < _ENOUGH and values[0] > 0:
            converged = True
            break
    hessian = here.hessian.copy()
    if point[0] < 0:  # report the mirror image
        hessian[0, 1:] *= -1
        hessian[1:, 0] *= -1
    return Fit(
        abs(float(point[0])), point[1:], -here.value, hessian, point[0] * here.modes, converged
    )


def _search(
    counts: Counts, point: Floats, step: Floats, here: Derivatives
) -> tuple[Floats, Derivatives] | None:
    """The first of step, step / 2, ... that lowers the value enough, or None."""
    descent = float(here.gradient @ step)
    for halving in range(40):
        part = 0.5**halving
        there = evaluate(counts, point + part * step, here.modes)
        if there.value <= here.value + 1e-4 * part * descent:
            return point + part * step, there
    return None


@dataclass(frozen=True)
class Derivatives:
    """The negative log-likelihood at a point, its derivatives, and the standardised modes."""

    value: float
    gradient: Floats
    hessian: Floats
    modes: Floats


def _modes(counts: Counts, t: float, fixed: Floats, modes: Floats) -> Floats:
    """The mode of each group's joint density in u: Newton, bisecting where that strays.

    At the mode u equals ``t * sum(y - p)``, which lies between ``-t * wrong`` and ``t * right``
    and falls as u rises.
    """
    right = np.add.reduceat(counts.right, counts.starts)
    wrong = np.add.reduceat(counts.total, counts.starts) - right
    low, high = np.minimum(-t * wrong, t * right), np.maximum(-t * wrong, t * right)
    u, last = np.clip(modes, low, high), high - low
    for _ in range(200):
        p = expit(fixed + t * u[counts.group])
        slope = u + t * np.add.reduceat(counts.total * p - counts.right, counts.starts)
        curvature = 1 + t * t * np.add.reduceat(counts.total * p * (1 - p), counts.starts)
        low, high = np.where(slope < 0, u, low), np.where(slope > 0, u, high)
        step = slope / curvature
        small = np.abs(step) <= 1e-11 * (1 + np.abs(u))  # then rounding may leave the bracket
        shrinks = (np.abs(step) <= last / 2) & (u - step >= low) & (u - step <= high)
        moved = np.where(small | shrinks, u - step, (low + high) / 2)
        last, u = np.abs(moved - u), moved
        if small.all():
            break
    return u


def evaluate(counts: Counts, point: Floats, modes: Floats | None = None) -> Derivatives:
    """The negative Laplace log-likelihood at a point with its exact derivatives.

    With h(u, f) a group's negative log joint density, f = (t, b), and k = h_uu, the value is
    ``h + log(k) / 2`` at the root of h_u. Below, suffixes are partial derivatives, ``l1`` to
    ``l4`` the row's derivatives by its log-odds, ``s1`` to ``s4`` their sums over the group
    times ``a``, the row's gradient by f, and ``du = -h_uf / k`` how the mode moves with f.

    Parameters
    ----------
    counts : Counts
    point : ndarray, shape (1 + p,)
        t, of either sign, and the coefficients.
    modes : ndarray, shape (groups,), optional
        Where to begin the search for the standardised modes.
    """
    t, fixed = float(point[0]), counts.design @ point[1:] + counts.offset
    u = _modes(counts, t, fixed, np.zeros(len(counts.starts)) if modes is None else modes)
    u_row = u[counts.group]
    odds = fixed + t * u_row
    p, q = expit(odds), expit(-odds)
    l1 = (counts.total - counts.right) * p - counts.right * q
    l2 = counts.total * p * q
    l3, l4 = l2 * (q - p), l2 * (1 - 6 * p * q)
    a = np.column_stack([u_row, counts.design])

    def by_group(values: Floats) -> Floats:
        return np.asarray(np.add.reduceat(values, counts.starts, axis=0))

    n1, n2, n3, n4 = (by_group(each)[:, None] for each in (l1, l2, l3, l4))
    s2, s3, s4 = (by_group(each[:, None] * a) for each in (l2, l3, l4))
    e = np.zeros((1, len(point)))
    e[0, 0] = 1.0
    k = 1 + t**2 * n2
    k_u, k_uu = t**3 * n3, t**4 * n4
    k_f, k_uf = t**2 * s3 + 2 * t * n2 * e, t**3 * s4 + 3 * t**2 * n3 * e
    du = -(t * s2 + n1 * e) / k
    dk = k_f + k_u * du
    pull = k_u / (2 * k**2)

    value = np.logaddexp(0, odds) @ counts.total - counts.right @ odds
    value += 0.5 * float(u @ u) + 0.5 * float(np.log(k).sum())
    gradient = l1 @ a + (dk / (2 * k)).sum(axis=0)
    weights = l2 + (t**2 * l4 / (2 * k[:, 0])[counts.group]) - t * l3 * pull[counts.group, 0]
    half = du.T @ (k_uf / (2 * k) - pull * k_f) + e.T @ (t * s3 / k - pull * s2).sum(
        axis=0, keepdims=True
    )
    outer = du * (k_uu / (2 * k) - k - pull * k_u)
    hessian = (a * weights[:, None]).T @ a + half + half.T + du.T @ outer
    hessian -= (dk / (2 * k**2)).T @ dk
    hessian[0, 0] += float((n2 / k).sum())
    return Derivatives(float(value), gradient, hessian, u)
