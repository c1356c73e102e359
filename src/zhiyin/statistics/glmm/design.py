"""From columns and a formula to numbers: R's factors, contrasts and model matrix."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from zhiyin.errors import InputError
from zhiyin.statistics.glmm.formula import Formula, Term
from zhiyin.statistics.glmm.table import Table

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Coding = Literal["treatment", "sum"]

_NUMBER = re.compile(r"[-+]?(\d++\.?\d*+|\.\d++)([eE][-+]?\d++)?")
_RIGHT = {"1": 1, "1.0": 1, "true": 1, "correct": 1, "0": 0, "0.0": 0, "false": 0, "wrong": 0}
_ALIASED = 1e-7  # R's own tolerance for a column that the earlier ones give (qr, lme4)


@dataclass(frozen=True)
class Factor:
    """A categorical variable: its levels in order, and each row's level as an index."""

    levels: tuple[str, ...]
    codes: Ints


@dataclass(frozen=True)
class Covariate:
    """A numeric variable, and the value at which marginal means are taken."""

    values: Floats
    held_at: float


@dataclass(frozen=True)
class Frame:
    """The rows that a model is fitted to.

    Attributes
    ----------
    formula : Formula
    response : ndarray, shape (n,)
        1 for right, 0 for wrong.
    group : Factor
        The grouping of the random intercept.
    variables : dict of str to Factor or Covariate
    dropped : int
        Rows left out because a value was missing.
    """

    formula: Formula
    response: Floats
    group: Factor
    variables: dict[str, Factor | Covariate]
    dropped: int

    @property
    def factors(self) -> dict[str, Factor]:
        """The categorical variables alone."""
        return {name: v for name, v in self.variables.items() if isinstance(v, Factor)}


@dataclass(frozen=True)
class Matrix:
    """A model matrix: columns, their names in R, and the term that each belongs to."""

    values: Floats
    names: tuple[str, ...]
    terms: tuple[Term, ...]


def build_frame(table: Table, formula: Formula) -> Frame:
    """Pick the columns of a formula, leave out rows with a missing value, and encode them.

    A column is numeric when all its values are numbers, else a factor. Levels are ordered as R
    orders them in an English locale: alphabetically, small before capital only in a tie.

    Raises
    ------
    InputError
        For a missing column, a response that is not right or wrong or never varies, a factor
        with one level, fewer than two groups, or no complete row.
    """
    names = {formula.response, formula.group, *formula.columns.values()}
    chosen = {name: table.column(name) for name in sorted(names)}
    whole = [i for i, row in enumerate(zip(*chosen.values(), strict=True)) if None not in row]
    if not whole:
        raise InputError(
            f"{table.source}: no row has values in all of {', '.join(sorted(names))}; fill them in"
        )
    kept = {name: [str(values[i]) for i in whole] for name, values in chosen.items()}
    response = _response(table, formula.response, kept[formula.response], whole)
    group = _factor(kept[formula.group])
    if len(group.levels) < 2:
        raise InputError(
            f"{table.source}: column {formula.group!r} has one group only, {group.levels[0]!r}; "
            "a random effect needs two or more"
        )
    variables: dict[str, Factor | Covariate] = {}
    for label, column in formula.columns.items():
        numeric = label == column and all(_NUMBER.fullmatch(v) for v in kept[column])
        variables[label] = _covariate(kept[column]) if numeric else _factor(kept[column])
    for label, variable in variables.items():
        if isinstance(variable, Factor) and len(variable.levels) < 2:
            raise InputError(
                f"{table.source}: column {formula.columns[label]!r} is always "
                f"{variable.levels[0]!r}; take {label} out of the formula"
            )
    return Frame(formula, response, group, variables, len(table.lines) - len(whole))


def _response(table: Table, name: str, values: list[str], rows: list[int]) -> Floats:
    numbers = np.array([_RIGHT.get(value.lower(), -1) for value in values], float)
    if (numbers < 0).any():
        first = int(np.argmax(numbers < 0))
        raise InputError(
            f"{table.source}, line {table.lines[rows[first]]}: column {name!r} holds "
            f"{values[first]!r}; use 0 and 1, true and false, or correct and wrong"
        )
    if numbers.min() == numbers.max():
        raise InputError(
            f"{table.source}: column {name!r} is {int(numbers[0])} in all {len(numbers)} rows; "
            "there is nothing to model until some differ"
        )
    return numbers


def _factor(values: list[str]) -> Factor:
    if all(_NUMBER.fullmatch(value) for value in values):
        levels = sorted(set(values), key=lambda value: (float(value), value))
    else:
        levels = sorted(set(values), key=lambda value: (value.lower(), value.swapcase()))
    index = {level: code for code, level in enumerate(levels)}
    return Factor(tuple(levels), np.array([index[value] for value in values], np.intp))


def _covariate(values: list[str]) -> Covariate:
    numbers = np.array(values, float)
    few = np.unique(numbers)
    # emmeans keeps both values of a two-valued covariate and averages over them evenly.
    return Covariate(numbers, float(few.mean() if len(few) <= 2 else numbers.mean()))


def model_matrix(
    frame: Frame, coding: Coding, points: Mapping[str, npt.NDArray[Any]] | None = None
) -> Matrix:
    """The fixed-effect model matrix, as R's ``model.matrix`` makes it.

    A factor enters a term by its contrasts when the term without the factor is in the model
    too, else by an indicator for each level (R's documentation of ``terms.object``, `factors`).

    Parameters
    ----------
    frame : Frame
    coding : {"treatment", "sum"}
        Contrasts against the first level, or with coefficients that sum to zero.
    points : mapping of str to ndarray, optional
        Where to evaluate, the data by default: for a covariate its values, for a factor its
        level indices or, of shape (rows, levels), the weights of its levels.

    Returns
    -------
    Matrix
        With one row for each point.
    """
    at = points or {
        name: v.codes if isinstance(v, Factor) else v.values for name, v in frame.variables.items()
    }
    rows = len(next(iter(at.values()))) if at else len(frame.response)
    columns: list[Floats] = []
    names: list[str] = []
    owners: list[Term] = []
    present = set(frame.formula.terms)
    for term in frame.formula.terms:
        parts = []
        for name in term:
            variable = frame.variables[name]
            if isinstance(variable, Covariate):
                parts.append([(name, np.asarray(at[name], float))])
                continue
            lower = tuple(other for other in term if other != name)
            basis, endings = _basis(variable.levels, coding if lower in present else None)
            coded = basis[at[name]] if at[name].ndim == 1 else at[name] @ basis
            parts.append([(name + e, coded[:, k]) for k, e in enumerate(endings)])
        for combination in product(*reversed(parts)):  # the first factor runs fastest
            column = np.ones(rows)
            for _, part in combination:
                column = column * part
            columns.append(column)
            names.append(":".join(n for n, _ in reversed(combination)) or "(Intercept)")
            owners.append(term)
    return Matrix(np.column_stack(columns), tuple(names), tuple(owners))


def _basis(levels: tuple[str, ...], coding: Coding | None) -> tuple[Floats, list[str]]:
    """The coding of a factor: (levels, columns), and what each column's name ends in."""
    identity = np.eye(len(levels))
    if coding == "treatment":
        return identity[:, 1:], list(levels[1:])
    if coding == "sum":
        basis = identity[:, :-1].copy()
        basis[-1] = -1.0
        return basis, [str(k) for k in range(1, len(levels))]
    return identity, list(levels)


@dataclass(frozen=True)
class Whitened:
    """A matrix of full rank split as ``kept columns = basis @ triangle``.

    `basis` has orthogonal columns of mean square one, so that a fit on it is well scaled
    whatever the units of the covariates; `kept` holds the indices of the columns that earlier
    ones do not give.
    """

    basis: Floats
    triangle: Floats
    kept: Ints


def whiten(values: Floats) -> Whitened:
    """Split a model matrix, leaving out aliased columns from left to right as R does."""
    n = len(values)
    units: list[Floats] = []
    kept: list[int] = []
    for index, column in enumerate(values.T):
        rest = column.astype(float)
        for _ in range(2):  # once more, against cancellation
            for unit in units:
                rest = rest - unit * (unit @ rest)
        size = np.linalg.norm(rest)
        if size > _ALIASED * np.linalg.norm(column):
            units.append(rest / size)
            kept.append(index)
    basis = np.column_stack(units) * np.sqrt(n)
    return Whitened(basis, basis.T @ values[:, kept] / n, np.array(kept, np.intp))
