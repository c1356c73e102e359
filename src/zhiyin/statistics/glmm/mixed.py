"""A frame fitted: coefficients, linear functions of them, and fits under a hypothesis."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, chdtri

from zhiyin.statistics.glmm.design import (
    Coding,
    Factor,
    Floats,
    Frame,
    Ints,
    Matrix,
    Whitened,
    model_matrix,
    whiten,
)
from zhiyin.statistics.glmm.formula import Term
from zhiyin.statistics.glmm.laplace import STARTS, Counts, Fit, count, fit
from zhiyin.statistics.intervals import p_value

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
    frame : Frame
    matrix : Matrix
        Sum-to-zero coded, aliased columns included.
    white : Whitened
    counts : Counts
    fit : Fit
        Of the whitened coefficients.
    """

    frame: Frame
    matrix: Matrix
    white: Whitened
    counts: Counts
    fit: Fit

    @cached_property
    def without_intercepts(self) -> bool:
        """Whether the random intercept is left out, as no group has a second answer.

        Answers of yes or no then hold nothing that tells its deviation from chance; lme4 refuses
        such data where the response is a measurement.
        """
        return _one_answer_each(self.frame)

    @cached_property
    def singular(self) -> bool:
        """Whether the random intercept's variance is estimated as zero (lme4's isSingular)."""
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
        """Which eigenvectors carry no information, those of the deviation alone excepted."""
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
        """Whether a linear function of the coefficients has no finite estimate."""
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

    def _fixed(self, direction: Floats, value: float) -> Counts:
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

    def _against(self, hypothesis: Counts, starts: tuple[float, ...]) -> LikelihoodRatio:
        """Compare with a smaller model of the same answers."""
        df = self.counts.design.shape[1] - hypothesis.design.shape[1]
        smaller = fit(hypothesis, starts)
        chisq = max(0.0, 2 * (self.fit.log_likelihood - smaller.log_likelihood))
        return LikelihoodRatio(chisq, df, p_value(float(chdtrc(df, chisq))))


def fit_frame(frame: Frame) -> Mixed:
    """Fit the model of a frame by maximum likelihood (Laplace).

    Where each group has one answer, a plain logistic regression.
    """
    matrix = model_matrix(frame, "sum")
    white = whiten(matrix.values)
    counts = count(white.basis, frame.response, frame.group.codes, _kinds(frame))
    return Mixed(frame, matrix, white, counts, fit(counts, _starts(frame)))


def _one_answer_each(frame: Frame) -> bool:
    return len(frame.group.levels) == len(frame.response)


def _starts(frame: Frame) -> tuple[float, ...]:
    """Deviations from which a fit of a frame is begun; none where it has no random intercept."""
    return () if _one_answer_each(frame) else STARTS


def _kinds(frame: Frame) -> Ints:
    """A number for each row, equal only where all variables are equal."""
    kinds = np.zeros(len(frame.response), np.intp)
    for variable in frame.variables.values():
        values = variable.codes if isinstance(variable, Factor) else variable.values
        _, codes = np.unique(values, return_inverse=True)
        kinds = kinds * (int(codes.max()) + 1) + codes
        kinds = np.unique(kinds, return_inverse=True)[1]
    return kinds
