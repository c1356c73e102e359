"""How hard an item is, by its features: fitted on items that were asked, for others unasked.

Success is a mixed model of an item's features with the model that answers as a factor. The line
of each feature bends at two places, and otherwise for each model: below some level all is chance,
above another all is right. An item of a fresh seed has the
difficulty of its features, so that a leaked item can be replaced by one as hard.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from zhiyin.analysis.table import read_runs
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Place
from zhiyin.statistics.glmm import Coefficient, fit_glmm
from zhiyin.statistics.glmm.table import Table

_NODES = 15
_BENDS = {"middle": -0.43, "upper": 0.43}
"""Where lines bend: in standard deviations from the mean, about the thirds."""
LEAST = 8
"""Answers to items of the same features, from which on their share of right ones is compared."""
_DRAWS = 2000

Row = Mapping[str, str | None]


class Curve(msgspec.Struct, frozen=True):
    """What a fit says of an item.

    Attributes
    ----------
    features : tuple of str
    models : tuple of str
    centres, scales : dict of str to float
        Of the features that are numbers; others are factors.
    coefficients : list of Coefficient
        Against the first model and the first levels, in log-odds.
    sd : float
        Of items with the same features, in log-odds; 0 where it cannot be estimated.
    answers, items : int
    warnings : list of str
    """

    features: tuple[str, ...]
    models: tuple[str, ...]
    centres: dict[str, float]
    scales: dict[str, float]
    coefficients: list[Coefficient]
    sd: float
    answers: int
    items: int
    warnings: list[str]

    def chance(self, row: Row) -> float:
        """The probability of a right answer to an item nobody has been asked.

        The log-odds of items with the same features are taken as normal with the deviation `sd`;
        the mean over them is by Gauss and Hermite.
        """
        features = _columns(row, self.features, self.centres, self.scales)
        total = sum(c.estimate * _value(c.term, features) for c in self.coefficients)
        nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
        chances = 1 / (1 + np.exp(-(total + self.sd * nodes)))
        return float(weights @ chances / weights.sum())


class Agreement(msgspec.Struct, frozen=True):
    """Predicted against observed difficulty on items that were not fitted.

    `r` is over `groups` of items with the same prediction, each weighed by its answers, `answers`
    together; the 95 % interval is by redrawing groups. `mean_predicted` and `mean_observed` are
    shares of right answers.
    """

    r: float
    lower: float
    upper: float
    groups: int
    answers: int
    mean_predicted: float
    mean_observed: float
    points: list[tuple[str, float, float, int]]


def fit_difficulty(table: Table, features: Sequence[str]) -> Curve:
    """The curve of some answers.

    Parameters
    ----------
    table : Table
        As `analysis.table.read_runs` makes it: ``correct``, ``model``, ``stimulus``, and tags.
    features : sequence of str
        Tags; the line of a number that takes four values or more bends at its thirds.

    Raises
    ------
    InputError
        A feature that is no tag, or that is always the same.
    """
    rows = _rows(table)
    centres: dict[str, float] = {}
    scales: dict[str, float] = {}
    for name in features:
        if name not in table.columns:
            known = [n for n in table.columns if n not in ("correct", "model", "stimulus")]
            raise InputError(f"{table.source}: no feature {name!r}: {did_you_mean(name, known)}")
        values = [_number(row.get(name)) for row in rows]
        numbers = [value for value in values if value is not None]
        if len(numbers) == len(values) and len(set(numbers)) > 1:
            centres[name] = float(np.mean(numbers))
            scales[name] = float(np.std(numbers))
        elif len({row.get(name) for row in rows}) < 2:
            raise InputError(f"{table.source}: feature {name!r} is always the same; leave it out")
    made = [_columns(row, features, centres, scales) for row in rows]
    bent = [n for n in centres if len({row[n] for row in rows}) > 3]
    terms = [*features, *(f"{name}_{bend}" for name in bent for bend in _BENDS)]
    models = tuple(sorted({str(row["model"]) for row in rows}))
    right = " + ".join(terms)
    formula = f"correct ~ model * ({right})" if len(models) > 1 else f"correct ~ {right}"
    columns: dict[str, list[str | None]] = {
        name: [str(row[name]) for row in made] for name in terms
    }
    for name in ("correct", "model", "stimulus"):
        columns[name] = list(table.columns[name])
    fitted = fit_glmm(Table(table.source, columns, table.lines), f"{formula} + (1 | stimulus)")
    return Curve(
        tuple(features), models, centres, scales, fitted.coefficients_treatment,
        0.0 if math.isnan(fitted.random_sd) else fitted.random_sd,
        fitted.n, fitted.groups, fitted.warnings,
    )  # fmt: skip


def compare_with(curve: Curve, table: Table, seed: int = 0) -> Agreement:
    """Compare what a curve predicts with answers to items that it was not fitted on.

    Raises
    ------
    InputError
        A model that the curve does not know, or too few answers.
    """
    groups: dict[tuple[str, float], list[int]] = defaultdict(list)
    for row in _rows(table):
        model = str(row["model"])
        if model not in curve.models:
            raise InputError(
                f"{table.source}: nothing was fitted for {model}: "
                f"{did_you_mean(model, curve.models)}"
            )
        groups[model, round(curve.chance(row), 2)].append(int(row["correct"] == "1"))
    kept = [(m, p, float(np.mean(a)), len(a)) for (m, p), a in groups.items() if len(a) >= LEAST]
    if len(kept) < 4:
        raise InputError(
            f"{table.source}: {len(kept)} groups of {LEAST} answers to items with the same features"
            "; at least 4 are needed: ask more items"
        )
    pairs = np.array([(p, share, n) for _, p, share, n in kept])
    if math.isnan(_r(pairs)):
        raise InputError(
            f"{table.source}: all its items are as hard as each other, as predicted or as "
            "observed: nothing can be compared; ask easier and harder ones"
        )
    draw = np.random.default_rng(seed)
    drawn = [_r(pairs[draw.integers(0, len(pairs), len(pairs))]) for _ in range(_DRAWS)]
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    weights = pairs[:, 2]
    means = weights @ pairs / weights.sum()
    return Agreement(
        _r(pairs), float(low), float(high), len(kept), int(weights.sum()),
        float(means[0]), float(means[1]), kept,
    )  # fmt: skip


def difficulty_of_runs(
    runs: Sequence[Place], features: Sequence[str], unseen: Sequence[Place] = ()
) -> dict[str, dict[str, Any]]:
    """By task: ``curve``, and ``unseen`` where there are runs on items that were not fitted.

    Raises
    ------
    InputError
        As `fit_difficulty` and `compare_with`; or items of `unseen` that were fitted as well.
    """
    asked, fresh = read_runs(list(runs)).tables, {}
    if unseen:
        fresh = read_runs(list(unseen)).tables
    by_task: dict[str, dict[str, Any]] = {}
    for task, table in asked.items():
        curve = fit_difficulty(table, features)
        by_task[task] = {"curve": curve}
        if task in fresh:
            both = {*fresh[task].column("stimulus")} & {*table.column("stimulus")}
            if both:
                raise InputError(
                    f"{fresh[task].source}: {len(both)} of its items were fitted as well, such as "
                    f"{min(map(str, both))}: ask with another --seed"
                )
            by_task[task]["unseen"] = compare_with(curve, fresh[task])
    return by_task


def _r(pairs: np.ndarray[Any, Any]) -> float:
    """Pearson's correlation of the first two columns, weighed by the third; NaN without spread."""
    x, y, weights = pairs.T
    x, y = x - weights @ x / weights.sum(), y - weights @ y / weights.sum()
    spread = float(np.sqrt((weights @ x**2) * (weights @ y**2)))
    return float(weights @ (x * y)) / spread if spread > 1e-12 else math.nan


def _rows(table: Table) -> list[dict[str, str | None]]:
    names = list(table.columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*table.columns.values(), strict=True)]


def _number(value: str | None) -> float | None:
    try:
        return None if value is None else float(value)
    except ValueError:
        return None


def _columns(
    row: Row, features: Sequence[str], centres: Mapping[str, float], scales: Mapping[str, float]
) -> dict[str, Any]:
    """Features on their own scale, the numbers in standard deviations, with their bends."""
    columns: dict[str, Any] = {"model": row.get("model")}
    for name in features:
        if name in centres:
            value = (float(str(row.get(name))) - centres[name]) / scales[name]
            columns[name] = round(value, 6)
            for bend, place in _BENDS.items():
                columns[f"{name}_{bend}"] = round(max(value - place, 0.0), 6)
        else:
            columns[name] = row.get(name)
    return columns


def _value(term: str, columns: Mapping[str, Any]) -> float:
    """A column of the model matrix, by its name in R: such as ``modelb:ease``.

    The name of a level may hold a colon too, as those of models do: ``modelopenai:gpt:ease``.
    """
    numbers = {name: value for name, value in columns.items() if isinstance(value, float)}
    levels = {f"{name}{value}": 1.0 for name, value in columns.items() if name not in numbers}
    return 1.0 if term == "(Intercept)" else _product(term, numbers | levels)


def _product(term: str, parts: Mapping[str, float]) -> float:
    """The product of the parts that a term is made of; 0 where it holds any other."""
    if term in parts:
        return parts[term]
    for part, value in parts.items():
        if term.startswith(f"{part}:") and (rest := _product(term[len(part) + 1 :], parts)):
            return value * rest
    return 0.0
