"""A frame fitted: coefficients, linear functions of them, and fits under a hypothesis.

Maximum likelihood for a logistic model with one random intercept, by Laplace's method.

For row i of group j the log-odds are ``x_i'b + t u_j`` with u_j standard normal, so that |t|
is the random intercept's standard deviation. The log-likelihood is lme4's (Bates et al. 2015,
J. Stat. Softw. 67(1); nAGQ = 1): for each group, with u at the mode of the joint density,
``sum_i log p(y_i | u) - u^2 / 2 - log(1 + t^2 sum_i p_i (1 - p_i)) / 2``.

It is an even function of t: zero needs no bound, but is always stationary, hence the several
starts. Gradient and Hessian are exact, by the implicit function theorem at the mode.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, chdtri, expit

from zhiyin.plugins.methods.glmm.design import (
    Coding,
    Factor,
    Floats,
    Ints,
    Matrix,
    ModelFrame,
    Term,
    Whitened,
    model_matrix,
    whiten,
)
from zhiyin.statistics.intervals import p_value

STARTS = (0.3, 1.0, 3.0)
"""Standard deviations from which a fit is begun, besides zero."""

_STEPS = 100
_LONGEST_STEP = 5.0
_ENOUGH = 1e-9  # a step that gains no more log-likelihood than this is the last
_SINGULAR = 1e-9


@dataclass(frozen=True)
class DesignCounts:
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


def count(design_rows: Floats, right: Floats, group: Ints, kinds: Ints) -> DesignCounts:
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
    return DesignCounts(design_rows[first], right_counts, total, group[first], starts)


def fit(counts: DesignCounts, starts: tuple[float, ...] = STARTS) -> Fit:
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


def _climb(counts: DesignCounts, start: Floats) -> Fit:
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
    counts: DesignCounts, point: Floats, step: Floats, here: Derivatives
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


def _modes(counts: DesignCounts, t: float, fixed: Floats, modes: Floats) -> Floats:
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


def evaluate(counts: DesignCounts, point: Floats, modes: Floats | None = None) -> Derivatives:
    """The negative Laplace log-likelihood at a point with its exact derivatives.

    With h(u, f) a group's negative log joint density, f = (t, b), and k = h_uu, the value is
    ``h + log(k) / 2`` at the root of h_u. Below, suffixes are partial derivatives, ``l1`` to
    ``l4`` the row's derivatives by its log-odds, ``s1`` to ``s4`` their sums over the group
    times ``a``, the row's gradient by f, and ``du = -h_uf / k`` how the mode moves with f.

    Parameters
    ----------
    counts : DesignCounts
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


_NO_INFORMATION = 1e-4
"""Curvature of the log-likelihood, in answers, below which a direction has no finite maximum."""


_CHISQ95 = float(chdtri(1, 0.05))
_FAR = 64.0
"""Log-odds from the estimate: a bound that is not found within them is infinite."""


@dataclass(frozen=True)
class LikelihoodRatio:
    """Twice the log-likelihood that a hypothesis costs, its degrees of freedom and p-value."""

    chisq: float
    df: int
    p: float


@dataclass(frozen=True)
class Mixed:
    """A fitted mixed model.

    It is fitted once, on the whitened sum-to-zero model matrix; every other coding is a linear
    map away. "Direction" below means the weights of a linear function of the whitened
    coefficients.

    Attributes
    ----------
    frame : ModelFrame
    matrix : Matrix
        Sum-to-zero coded, aliased columns included.
    white : Whitened
    counts : DesignCounts
    fit : Fit
        Of the whitened coefficients.
    """

    frame: ModelFrame
    matrix: Matrix
    white: Whitened
    counts: DesignCounts
    fit: Fit

    @cached_property
    def without_intercepts(self) -> bool:
        """True if the random intercept is left out, as no group has a second answer.

        Answers of yes or no then hold nothing that tells its deviation from chance; lme4 refuses
        such data where the response is a measurement.
        """
        return _one_answer_each(self.frame)

    @cached_property
    def singular(self) -> bool:
        """True if the random intercept's variance is estimated as zero (lme4's isSingular)."""
        return not self.without_intercepts and self.fit.sd < 1e-4

    @cached_property
    def _spectrum(self) -> tuple[Floats, Floats]:
        """Eigenvalues of the joint Hessian, and the coefficients' part of its eigenvectors.

        At zero deviation the two are uncorrelated, as the likelihood is even in the deviation.
        """
        if self.fit.sd == 0:
            values, vectors = np.linalg.eigh(self.fit.hessian[1:, 1:])
            return values, vectors
        values, vectors = np.linalg.eigh(self.fit.hessian)
        return values, vectors[1:]

    @cached_property
    def diverging(self) -> Floats:
        """Directions, as columns, along which the estimates have no finite value."""
        return self._spectrum[1][:, self._flat]

    @cached_property
    def _flat(self) -> npt.NDArray[np.bool_]:
        """Mask of eigenvectors that carry no information, those of the deviation alone excepted."""
        values, vectors = self._spectrum
        return np.asarray((values < _NO_INFORMATION) & (np.linalg.norm(vectors, axis=0) > 0.1))

    def covariance_of(self, directions: Floats) -> Floats:
        """The covariance of linear functions, from the Hessian by deviation and coefficients.

        Diverging directions are kept apart, for their huge variance would swamp, by rounding,
        the variance of functions that do not depend on them.
        """
        values, vectors = self._spectrum
        scores = directions @ vectors
        involved = np.array([self.diverges(each) for each in directions])
        scores[np.ix_(~involved, self._flat)] = 0.0
        return np.asarray((scores / np.maximum(values, 1e-12)) @ scores.T)

    def diverges(self, direction: Floats) -> bool:
        """Tell whether a linear function of the coefficients has no finite estimate."""
        part = float(np.linalg.norm(direction @ self.diverging))
        return part > 1e-3 * float(np.linalg.norm(direction))

    @cached_property
    def _given(self) -> Floats:
        """Every column of the model matrix in terms of the kept ones, shape (kept, columns)."""
        basis = self.white.basis
        scores = basis.T @ self.matrix.values / len(basis)
        return np.asarray(np.linalg.solve(self.white.triangle, scores), np.float64)

    def directions(self, rows: Floats) -> Floats:
        """Rows of the sum-coded model matrix as directions; NaN for those not estimable.

        Not estimable is what depends on an aliased coefficient (an empty cell, say).
        """
        kept = self.white.kept
        inside = rows[:, kept]
        strayed = np.abs(inside @ self._given - rows).max(axis=1)
        estimable = strayed < 1e-8 * (1 + np.abs(rows).max())
        weights = np.linalg.solve(self.white.triangle.T, inside.T).T
        return np.where(estimable[:, None], weights, np.nan)

    def estimates(self, directions: Floats) -> tuple[Floats, Floats]:
        """The value and the standard error of each direction."""
        variance = np.diag(self.covariance_of(directions))
        return directions @ self.fit.coefficients, np.sqrt(variance)

    def coefficients(self, coding: Coding) -> tuple[list[str], Floats, Floats]:
        """R's names of the coefficients under a coding, their estimates and covariance."""
        matrix = model_matrix(self.frame, coding)
        kept = self.white.kept if coding == "sum" else whiten(matrix.values).kept
        n = len(matrix.values)
        triangle = self.white.basis.T @ matrix.values[:, kept] / n
        back: Floats = np.asarray(np.linalg.inv(triangle), np.float64)
        names = [matrix.names[index] for index in kept]
        return names, back @ self.fit.coefficients, self.covariance_of(back)

    def owners(self) -> list[Term]:
        """The term of each sum-coded column that was kept."""
        return [self.matrix.terms[index] for index in self.white.kept]

    def without_term(self, term: Term) -> LikelihoodRatio:
        """Test a term by leaving out its sum-coded columns; all other columns stay (type III)."""
        others = np.array([owner != term for owner in self.owners()])
        columns = self.counts.design @ self.white.triangle[:, others]
        return self._against(replace(self.counts, design=columns), _starts(self.frame))

    def signed_root(self, direction: Floats) -> float:
        """The root of the likelihood ratio against zero, with the sign of the estimate.

        In place of Wald's z for a linear function of the coefficients.
        """
        ratio = self._against(self._fixed(direction, 0.0), self._near).chisq
        return math.copysign(math.sqrt(ratio), float(direction @ self.fit.coefficients))

    def profile_interval(self, direction: Floats) -> tuple[float, float]:
        """The 95 % profile-likelihood interval of a linear function of the coefficients.

        All values that a likelihood-ratio test does not reject at 5 %; it holds where Wald's
        interval does not, and ends at infinity on a side where the likelihood never falls.
        """
        from scipy.optimize import brentq

        estimate = float(direction @ self.fit.coefficients)

        def excess(value: float) -> float:
            return self._against(self._fixed(direction, value), self._near).chisq - _CHISQ95

        ends = []
        for side in (-1.0, 1.0):
            near, far = estimate, estimate + side
            while excess(far) <= 0 and abs(far - estimate) < _FAR:
                near, far = far, estimate + 2 * (far - estimate)
            if abs(far - estimate) < _FAR:
                ends.append(float(brentq(excess, near, far, xtol=1e-6)))
            else:
                ends.append(side * math.inf)
        return ends[0], ends[1]

    @property
    def _near(self) -> tuple[float, ...]:
        """Starts for a fit that differs little from this one."""
        return () if self.without_intercepts else (max(self.fit.sd, 0.3),)

    def _fixed(self, direction: Floats, value: float) -> DesignCounts:
        """The answers under a design in which a linear function has a fixed value."""
        full = np.linalg.qr(direction[:, None], mode="complete")[0]
        offset = self.counts.design @ (direction * value / (direction @ direction))
        return replace(self.counts, design=self.counts.design @ full[:, 1:], offset=offset)

    def without_group(self) -> LikelihoodRatio:
        """Test the random intercept: half a chi-square with one degree of freedom.

        Zero lies on the edge of the variance's range, so the null distribution is an even
        mixture of zero and chi-square(1) (Self and Liang 1987, case 5). NaN where the intercept
        is left out.
        """
        if self.without_intercepts:
            return LikelihoodRatio(math.nan, 1, math.nan)
        plain = fit(self.counts, starts=())
        chisq = max(0.0, 2 * (self.fit.log_likelihood - plain.log_likelihood))
        return LikelihoodRatio(chisq, 1, p_value(float(chdtrc(1, chisq)) / 2) if chisq > 0 else 1.0)

    def _against(self, hypothesis: DesignCounts, starts: tuple[float, ...]) -> LikelihoodRatio:
        """Compare with a smaller model of the same answers."""
        df = self.counts.design.shape[1] - hypothesis.design.shape[1]
        smaller = fit(hypothesis, starts)
        chisq = max(0.0, 2 * (self.fit.log_likelihood - smaller.log_likelihood))
        return LikelihoodRatio(chisq, df, p_value(float(chdtrc(df, chisq))))


def fit_frame(frame: ModelFrame) -> Mixed:
    """Fit the model of a frame by maximum likelihood (Laplace).

    Where each group has one answer, a plain logistic regression.
    """
    matrix = model_matrix(frame, "sum")
    white = whiten(matrix.values)
    counts = count(white.basis, frame.response, frame.group.codes, _kinds(frame))
    return Mixed(frame, matrix, white, counts, fit(counts, _starts(frame)))


def _one_answer_each(frame: ModelFrame) -> bool:
    return len(frame.group.levels) == len(frame.response)


def _starts(frame: ModelFrame) -> tuple[float, ...]:
    """Deviations from which a fit of a frame is begun; none where it has no random intercept."""
    return () if _one_answer_each(frame) else STARTS


def _kinds(frame: ModelFrame) -> Ints:
    """A number for each row, equal only where all variables are equal."""
    kinds = np.zeros(len(frame.response), np.intp)
    for variable in frame.variables.values():
        values = variable.codes if isinstance(variable, Factor) else variable.values
        _, codes = np.unique(values, return_inverse=True)
        kinds = kinds * (int(codes.max()) + 1) + codes
        kinds = np.unique(kinds, return_inverse=True)[1]
    return kinds
