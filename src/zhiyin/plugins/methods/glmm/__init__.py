"""The mixed model of right and wrong answers: fitted, tested, and summed up in figures.

Answers lme4's ``glmer(..., family = binomial)`` with car's type III tests and emmeans.
"""

from __future__ import annotations

import msgspec
import numpy as np
from scipy.special import chdtrc, ndtr

from zhiyin.plugins.methods.glmm import design
from zhiyin.plugins.methods.glmm.means import (
    RATIO,
    WALD,
    MarginalContrast,
    Mean,
    contrasts,
    marginal_means,
    margins,
)
from zhiyin.plugins.methods.glmm.mixed import LikelihoodRatio, Mixed, fit_frame
from zhiyin.statistics.intervals import p_value
from zhiyin.words import Text, naming, said


class Coefficient(msgspec.Struct, frozen=True):
    """A fixed effect in log-odds, under R's name, with its Wald test."""

    term: str
    estimate: float
    se: float
    z: float
    p: float


class TermTest(msgspec.Struct, frozen=True):
    """A chi-square test of a whole term given all others (type III, sum-to-zero contrasts).

    `chisq` and `p` are Wald's, unless `test` says "likelihood ratio" because Wald's mean
    nothing where an estimate has no finite value. `wald_chisq` and `wald_p` are always Wald's.
    """

    term: str
    chisq: float
    df: int
    p: float
    test: str
    wald_chisq: float
    wald_p: float


class RatioTest(msgspec.Struct, frozen=True):
    """A likelihood-ratio test of a term, all other sum-coded columns staying."""

    term: str
    chisq: float
    df: int
    p: float


class Glmm(msgspec.Struct, frozen=True):
    """Everything a fit gives.

    Attributes
    ----------
    formula : str
    n, groups, dropped : int
        Rows used, groups of the random intercept, rows with a missing value.
    levels : dict of str to list of str
        The factors' levels in order.
    coefficients : list of Coefficient
        With sum-to-zero contrasts, those of the type III tests.
    coefficients_treatment : list of Coefficient
        The same fit with treatment contrasts, R's default: against the factors' first levels.
    random_sd : float
        Standard deviation of the random intercept, in log-odds; NaN where each group has one
        answer: then there is none, and all figures are those of a plain logistic regression.
    singular : bool
        Whether that is zero.
    log_likelihood, aic : float
    type3 : list of TermTest
    lrt : list of RatioTest
    random_lrt : RatioTest
        Of the random intercept against none, with the p-value halved (Self and Liang 1987); NaN
        where there is none.
    emmeans : list of Mean
    contrasts : list of MarginalContrast
    random_effects : dict of str to float
        Each group's intercept at its conditional mode, in log-odds; empty where there is none.
    warnings : list of str
    """

    formula: str
    n: int
    groups: int
    dropped: int
    levels: dict[str, list[str]]
    coefficients: list[Coefficient]
    coefficients_treatment: list[Coefficient]
    random_sd: float
    singular: bool
    log_likelihood: float
    aic: float
    type3: list[TermTest]
    lrt: list[RatioTest]
    random_lrt: RatioTest
    emmeans: list[Mean]
    contrasts: list[MarginalContrast]
    random_effects: dict[str, float]
    warnings: list[str]


def fit_glmm(table: design.Observations, formula: str) -> Glmm:
    """Fit a logistic mixed model with one random intercept and report it.

    Parameters
    ----------
    table : Observations
    formula : str
        See `design.parse_formula`.

    Returns
    -------
    Glmm
        Figures without a value (not estimable) are NaN, never zero.

    Raises
    ------
    InputError
        For a broken formula, or data that it cannot be fitted to.

    Notes
    -----
    Laplace approximation, standard errors from the joint Hessian of deviation and coefficients
    (lme4's ``use.hessian = TRUE``), Wald tests as in ``car::Anova(type = 3)``, means and
    contrasts as in ``emmeans``.
    """
    parsed = design.parse_formula(formula)
    frame = design.build_frame(table, parsed)
    model = fit_frame(frame)
    alone = model.without_intercepts
    parameters = len(model.fit.coefficients) + (not alone)
    modes = () if alone else zip(frame.group.levels, map(float, model.fit.modes), strict=True)
    means = [mean for names in margins(model) for mean in marginal_means(model, names)]
    ratios = {term: model.without_term(term) for term in _tested(model) if term}
    return Glmm(
        formula=formula,
        n=len(frame.response),
        groups=len(frame.group.levels),
        dropped=frame.dropped,
        levels={name: list(factor.levels) for name, factor in frame.factors.items()},
        coefficients=_coefficients(model, "sum"),
        coefficients_treatment=_coefficients(model, "treatment"),
        random_sd=float("nan") if alone else model.fit.sd,
        singular=model.singular,
        log_likelihood=model.fit.log_likelihood,
        aic=2 * parameters - 2 * model.fit.log_likelihood,
        type3=_type3(model, parsed, ratios),
        lrt=[_ratio_test(parsed.label(term), ratio) for term, ratio in ratios.items()],
        random_lrt=_ratio_test(f"1 | {parsed.group}", model.without_group()),
        emmeans=means,
        contrasts=[c for names in margins(model) for c in contrasts(model, names)],
        random_effects=dict(modes),
        warnings=_warnings(frame, model, means),
    )


def _tested(model: Mixed) -> list[tuple[str, ...]]:
    """The terms that have a column of their own."""
    return list(dict.fromkeys(model.owners()))


def _coefficients(model: Mixed, coding: design.Coding) -> list[Coefficient]:
    names, estimates, covariance = model.coefficients(coding)
    errors = np.sqrt(np.diag(covariance))
    return [
        Coefficient(
            name, float(b), float(se), float(b / se), p_value(float(2 * ndtr(-abs(b / se))))
        )
        for name, b, se in zip(names, estimates, errors, strict=True)
    ]


def _type3(
    model: Mixed, formula: design.Formula, ratios: dict[tuple[str, ...], LikelihoodRatio]
) -> list[TermTest]:
    _, estimates, covariance = model.coefficients("sum")
    owners = model.owners()
    tests = []
    for term in _tested(model):
        own = np.array([owner == term for owner in owners])
        wald = float(estimates[own] @ np.linalg.solve(covariance[np.ix_(own, own)], estimates[own]))
        df, name = int(own.sum()), formula.label(term)
        p = p_value(float(chdtrc(df, wald)))
        if model.diverging.size:
            ratio = ratios.get(term) or model.without_term(term)
            tests.append(TermTest(name, ratio.chisq, df, ratio.p, RATIO, wald, p))
        else:
            tests.append(TermTest(name, wald, df, p, WALD, wald, p))
    return tests


def _ratio_test(name: str, ratio: LikelihoodRatio) -> RatioTest:
    return RatioTest(name, ratio.chisq, ratio.df, ratio.p)


def _warnings(frame: design.ModelFrame, model: Mixed, means: list[Mean]) -> list[str]:
    """List warnings that the reader must know before believing the figures, a line each."""
    warnings: list[Text] = []
    if frame.dropped:
        warnings.append(said("glmm-dropped", n=str(frame.dropped)))
    aliased = sorted(set(range(len(model.matrix.names))) - {int(k) for k in model.white.kept})
    if aliased:
        names = ", ".join(model.matrix.names[index] for index in aliased)
        warnings.append(said("glmm-aliased", n=str(len(aliased)), names=names))
    warnings += _extremes(means)
    if model.diverging.size:
        warnings.append(said("glmm-separated"))
    if model.without_intercepts:
        warnings.append(said("glmm-one-answer", group=frame.formula.group))
    if model.singular:
        warnings.append(said("glmm-singular", group=frame.formula.group))
    if not model.fit.converged:
        warnings.append(said("glmm-unconverged"))
    return [*map(naming, warnings)]


def _extremes(means: list[Mean]) -> list[str]:
    """A line for each cell that is all right or all wrong, unless a wider one says it already."""
    lines: list[str] = []
    reported: list[dict[str, str]] = []
    for mean in sorted(means, key=lambda mean: len(mean.levels)):
        if mean.observed in (0.0, 1.0) and not any(
            wider.items() <= mean.levels.items() for wider in reported
        ):
            reported.append(mean.levels)
            where = ", ".join(f"{name} = {level}" for name, level in mean.levels.items())
            what = "right" if mean.observed else "wrong"
            lines.append(f"all {mean.n} answers are {what} where {where}")
    return lines
