"""Design matrices from columns and a formula: R's factors, contrasts and model matrix.

Formulas are R's, as far as a random-intercept model needs them: parsed, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, NoReturn

import msgspec
import numpy as np
import numpy.typing as npt

from zhiyin.errors import InputError, did_you_mean
from zhiyin.words import Said, said


class Observations(msgspec.Struct, frozen=True):
    """Observations, one a row, every value as text.

    Attributes
    ----------
    source : str
        The file or folders that the rows came from, for messages.
    columns : dict of str to list of str or None
        All of one length; None where the value is missing.
    lines : list of int
        For each row, its line in the source.
    """

    source: str
    columns: dict[str, list[str | None]]
    lines: list[int]

    def column(self, name: str) -> list[str | None]:
        """The values under `name`. Raises `InputError` when there is no such column."""
        if name not in self.columns:
            raise InputError(said(
                "glmm-no-column", source=self.source, name=repr(name),
                hint=did_you_mean(name, self.columns),
            ))  # fmt: skip
        return self.columns[name]


Term = tuple[str, ...]
"""The variables of a fixed-effect term, in the formula's order; empty for the intercept."""

_TOKEN = re.compile(
    r"\s*(?:(?P<name>`[^`]+`|[^\W\d][\w.]*|\.[\w.]*)|(?P<sign>[~+*:()|])|(?P<number>\d+))"
)


class Formula(msgspec.Struct, frozen=True):
    """A parsed formula ``response ~ terms + (1 | group)``.

    Attributes
    ----------
    text : str
        The formula as it was given.
    response, group : str
        Column names.
    terms : tuple of Term
        The intercept first, then main effects, then interactions of rising order, each in
        the order of appearance: the order in which R lists them.
    columns : dict of str to str
        The column behind each variable; they differ only for ``factor(column)``.
    """

    text: str
    response: str
    group: str
    terms: tuple[Term, ...]
    columns: dict[str, str]

    def label(self, term: Term) -> str:
        """R's name of a term: ``"(Intercept)"``, ``"model"``, ``"model:modality"``."""
        return ":".join(term) or "(Intercept)"


def parse_formula(text: str) -> Formula:
    """Parse a formula.

    Fixed effects may be joined by ``+``, ``*`` (both and their interaction) and ``:`` (the
    interaction alone), grouped by parentheses; ``:`` binds closest, ``+`` least. ``factor(x)``
    treats a column of numbers as categories. Names with unusual characters go between
    backticks. The intercept is always there.

    Raises
    ------
    InputError
        With the position, counted from 1, at which the formula breaks off making sense.
    """
    return _Parser(text).parse()


class _Parser:
    """Recursive descent; sets of terms are lists of frozen sets of variables."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.tokens: list[tuple[str, str, int]] = []
        position = 0
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            if match is None:
                position += len(text[position:]) - len(text[position:].lstrip())
                self._fail(said("formula-odd", text=repr(text[position])), position)
            kind = str(match.lastgroup)
            self.tokens.append((kind, match[kind].strip("`"), match.start(kind)))
            position = match.end()
        self.tokens.append(("end", "", len(text)))
        self.columns: dict[str, str] = {}
        self.groups: list[str] = []

    def parse(self) -> Formula:
        response = self._name("response")
        self._expect("~")
        parsed_terms = [frozenset[str]()]
        while True:
            position = self.tokens[self.at][2]
            if self._peek("(", "1", "|"):
                if self.groups:
                    self._fail(said("formula-second"), position)
                self.at += 3
                self.groups.append(self._name("group"))
                self._expect(")")
            else:
                parsed_terms += self._product()
            if not self._take("+"):
                break
        if self.tokens[self.at][0] != "end":
            self._fail(said("formula-expected", what="ops"), self.tokens[self.at][2])
        if not self.groups:
            self._fail(said("formula-no-random"), len(self.text))
        if response in self.columns.values():
            self._fail(said("formula-response", response=repr(response)), self.tokens[0][2])
        order = list(self.columns)
        unique = sorted(dict.fromkeys(parsed_terms), key=len)
        terms = tuple(tuple(sorted(term, key=order.index)) for term in unique)
        return Formula(self.text, response, self.groups[0], terms, self.columns)

    def _sum(self) -> list[frozenset[str]]:
        terms = self._product()
        while self._take("+"):
            terms += self._product()
        return terms

    def _product(self) -> list[frozenset[str]]:
        left = self._interaction()
        while self._take("*"):
            right = self._interaction()
            left = left + right + [a | b for a in left for b in right]
        return left

    def _interaction(self) -> list[frozenset[str]]:
        left = self._atom()
        while self._take(":"):
            right = self._atom()
            left = [a | b for a in left for b in right]
        return left

    def _atom(self) -> list[frozenset[str]]:
        position = self.tokens[self.at][2]
        if self._peek("(", "1", "|"):
            self._fail(said("formula-alone"), position)
        if self._take("("):
            inside = self._sum()
            self._expect(")")
            return inside
        if self._take("1"):
            return [frozenset()]
        name = self._name("term")
        label = name
        if name == "factor" and self._take("("):
            name = self._name("column")
            self._expect(")")
            label = f"factor({name})"
        self.columns.setdefault(label, name)
        return [frozenset([label])]

    def _peek(self, *values: str) -> bool:
        return tuple(token[1] for token in self.tokens[self.at :][: len(values)]) == values

    def _take(self, value: str) -> bool:
        kind, token, _ = self.tokens[self.at]
        taken = token == value and kind in ("sign", "number")
        self.at += taken
        return taken

    def _expect(self, value: str) -> None:
        if not self._take(value):
            self._fail(said("formula-expected", what=value), self.tokens[self.at][2])

    def _name(self, what: str) -> str:
        kind, value, position = self.tokens[self.at]
        if kind != "name":
            self._fail(said("formula-expected", what=what), position)
        self.at += 1
        return value

    def _fail(self, what: Said, position: int) -> NoReturn:
        place = None if position >= len(self.text.rstrip()) else str(position + 1)
        raise InputError(said("formula-fault", text=repr(self.text), what=what, place=place))


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
class ModelFrame:
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


def build_frame(table: Observations, formula: Formula) -> ModelFrame:
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
        raise InputError(said("glmm-no-row", source=table.source, names=sorted(names)))
    kept = {name: [str(values[i]) for i in whole] for name, values in chosen.items()}
    response = _response(table, formula.response, kept[formula.response], whole)
    group = _factor(kept[formula.group])
    if len(group.levels) < 2:
        raise InputError(said(
            "glmm-one-group", source=table.source, group=repr(formula.group),
            levels=repr(group.levels[0]),
        ))  # fmt: skip
    variables: dict[str, Factor | Covariate] = {}
    for label, column in formula.columns.items():
        numeric = label == column and all(_NUMBER.fullmatch(v) for v in kept[column])
        variables[label] = _covariate(kept[column]) if numeric else _factor(kept[column])
    for label, variable in variables.items():
        if isinstance(variable, Factor) and len(variable.levels) < 2:
            raise InputError(said(
                "glmm-constant", source=table.source, columns=repr(formula.columns[label]),
                levels=repr(variable.levels[0]), label=label,
            ))  # fmt: skip
    return ModelFrame(formula, response, group, variables, len(table.lines) - len(whole))


def _response(table: Observations, name: str, values: list[str], rows: list[int]) -> Floats:
    numbers = np.array([_RIGHT.get(value.lower(), -1) for value in values], float)
    if (numbers < 0).any():
        first = int(np.argmax(numbers < 0))
        raise InputError(said(
            "glmm-odd-value", source=table.source, line=str(table.lines[rows[first]]),
            name=repr(name), value=repr(values[first]),
        ))  # fmt: skip
    if numbers.min() == numbers.max():
        raise InputError(said(
            "glmm-all-alike", source=table.source, name=repr(name), value=int(numbers[0]),
            n=len(numbers),
        ))  # fmt: skip
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
    frame: ModelFrame, coding: Coding, points: Mapping[str, npt.NDArray[Any]] | None = None
) -> Matrix:
    """The fixed-effect model matrix, as R's ``model.matrix`` makes it.

    A factor enters a term by its contrasts when the term without the factor is in the model
    too, else by an indicator for each level (R's documentation of ``terms.object``, `factors`).

    Parameters
    ----------
    frame : ModelFrame
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
