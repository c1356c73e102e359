"""Columns of observations for a statistical model, and how hard items are by their features.

Columns come from a CSV file or from run folders. What is fitted on items that were asked holds for
others that were not: success is a mixed model of an item's features with the model that answers as
a factor. The line of each feature bends at two places, and otherwise for each model: below some
level all is chance, above another all is right. An item of a fresh seed has the difficulty of its
features, so that a leaked item can be replaced by one as hard.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from zhiyin.contract.tables import read_rows
from zhiyin.engine.naming import people_in
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Place, Places, as_paths
from zhiyin.plugins.methods import glmm
from zhiyin.plugins.methods.glmm import Coefficient
from zhiyin.plugins.methods.glmm.design import Observations
from zhiyin.plugins.music.clips import refuse_twins
from zhiyin.runs.rows import TrialRow, rows_of
from zhiyin.trial import Tag
from zhiyin.words import naming, said

_FACTORS = ("model", "modality")
DEFAULT_FORMULA = "correct ~ model * modality + (1 | stimulus)"
MISSING = frozenset({"", "NA", "NaN", "nan"})
_LEFT_OUT = ("token_limited", "error")


class RunTables(msgspec.Struct, frozen=True):
    """The observations of some runs: a table for each task, and what was left out of it.

    `cautions` says what a model with one random intercept does not know of these runs.
    """

    tables: dict[str, Observations]
    left_out: dict[str, dict[str, int]]
    cautions: list[str] = []


def fit_glmm(table: Observations, formula: str = DEFAULT_FORMULA) -> glmm.Glmm:
    """A logistic mixed model of right and wrong answers; see `glmm.fit_glmm`."""
    return glmm.fit_glmm(table, formula)


def varying_formula(table: Observations) -> str:
    """The default formula without those of its factors that are always the same in a table."""
    varying = [n for n in _FACTORS if len(set(table.columns.get(n, [])) - {None}) > 1]
    return f"correct ~ {' * '.join(varying) or '1'} + (1 | stimulus)"


def read_csv(path: Place) -> Observations:
    """Read a CSV file with a header line, in UTF-8; "", NA and NaN are missing values.

    Raises
    ------
    InputError
        When the file cannot be read, is empty, repeats a column name or has a ragged line.
    """
    path = Path(path)
    _, read = read_rows(path)
    header = [name.strip() for name in next(read, (1, []))[1]]
    rows = [(line, [cell.strip() for cell in cells]) for line, cells in read]
    for line, row in rows:
        if len(row) != len(header):
            raise InputError(
                said("table-fields", path=path, line=str(line), row=len(row), header=len(header))
            )
    if not rows:
        raise InputError(said("table-empty", path=path))
    refuse_twins(path, header, header)
    columns = {
        name: [None if row[index] in MISSING else row[index] for _, row in rows]
        for index, name in enumerate(header)
    }
    return Observations(str(path), columns, [line for line, _ in rows])


def read_runs(folders: Places) -> RunTables:
    """The records of run folders as a table for each task.

    Columns are the trials' tags and three more: ``correct`` ("1" for the state correct, "0"
    for wrong, no_answer and refused), ``model`` (from the run's manifest) and ``stimulus``
    (the trial's cluster, or its item where it stands alone). Outputs that were cut off or empty
    (`logiclm.token_limited`, as in the paper and in the grid of `zhiyin show`) and errors are
    left out and counted. Trials without a task tag make one table under "all".

    Raises
    ------
    InputError
        When a folder is not a run, or holds nothing that counts, or a run is given twice.
    """
    folders = as_paths(folders)
    from zhiyin.engine.folder import read_manifest
    from zhiyin.plugins.music.logiclm import token_limited
    from zhiyin.runs.pairing import check_different

    check_different(folders)
    rows: dict[str, list[tuple[int, dict[str, str | None]]]] = {}
    left_out: dict[str, Counter[str]] = {}
    cautions = []
    for folder in folders:
        manifest = read_manifest(folder)
        model = manifest.model
        if people_in(manifest) > 1:
            cautions.append(naming(said("table-of-people", folder=folder)))
        trials = rows_of(folder)
        way = trials.ways.that_change("task")
        unread = trials.judged.where_outcome(lambda one: one.state not in ("correct", "wrong"))
        cut = {record.id for record in unread.records() if token_limited(record)}
        for number, trial in enumerate(trials, 1):
            if trial.state == "ungraded":
                continue  # what has no right answer was never a question of right or wrong
            task = str(trial.tags.get(way.name) or "all") if way else "all"
            rows.setdefault(task, [])
            counts = left_out.setdefault(task, Counter(dict.fromkeys(_LEFT_OUT, 0)))
            if trial.state == "error":
                counts["error"] += 1
            elif trial.id in cut:
                counts["token_limited"] += 1
            else:
                rows[task].append((number, _row(trial, model)))
    source = ", ".join(map(str, folders))
    if not any(rows.values()):
        raise InputError(said("table-unscored", source=source))
    return RunTables(
        {task: _columns(source, observations) for task, observations in sorted(rows.items())},
        {task: dict(counts) for task, counts in left_out.items()},
        cautions,
    )


def _row(trial: TrialRow, model: str) -> dict[str, str | None]:
    return {
        **{name: _as_text(value) for name, value in trial.tags.items()},
        "correct": "1" if trial.state == "correct" else "0",
        "model": model,
        "stimulus": trial.cluster or trial.item,
    }


def _as_text(value: Tag) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    return str(value).upper() if isinstance(value, bool) else repr(value)


def _columns(source: str, rows: list[tuple[int, dict[str, str | None]]]) -> Observations:
    names = dict.fromkeys(name for _, row in rows for name in row)
    columns = {name: [row.get(name) for _, row in rows] for name in names}
    return Observations(source, columns, [number for number, _ in rows])


_NODES = 15
_BENDS = {"middle": -0.43, "upper": 0.43}
"""Where lines bend: in standard deviations from the mean, about the thirds."""
LEAST = 8
"""Answers to items of the same features, from which on their share of right ones is compared."""
_DRAWS = 2000

FeatureRow = Mapping[str, str | None]


class Curve(msgspec.Struct, frozen=True):
    """Fit of the difficulty of items on their features.

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

    def chance(self, row: FeatureRow) -> float:
        """The probability of a right answer to an item nobody has been asked.

        The log-odds of items with the same features are taken as normal with the deviation `sd`;
        the mean over them is by Gauss and Hermite.
        """
        features = _scaled(row, self.features, self.centres, self.scales)
        total = sum(c.estimate * _value(c.term, features) for c in self.coefficients)
        nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
        chances = 1 / (1 + np.exp(-(total + self.sd * nodes)))
        return float(weights @ chances / weights.sum())


class PredictedDifficulty(msgspec.Struct, frozen=True):
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


def fit_difficulty(table: Observations, features: Sequence[str]) -> Curve:
    """The curve of some answers.

    Parameters
    ----------
    table : Observations
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
            hint = did_you_mean(name, known)
            named = repr(name)
            raise InputError(said("table-no-feature", source=table.source, name=named, hint=hint))
        values = [_number(row.get(name)) for row in rows]
        numbers = [value for value in values if value is not None]
        if len(numbers) == len(values) and len(set(numbers)) > 1:
            centres[name] = float(np.mean(numbers))
            scales[name] = float(np.std(numbers))
        elif len({row.get(name) for row in rows}) < 2:
            raise InputError(said("table-constant", source=table.source, name=repr(name)))
    made = [_scaled(row, features, centres, scales) for row in rows]
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
    fitted = fit_glmm(
        Observations(table.source, columns, table.lines), f"{formula} + (1 | stimulus)"
    )
    return Curve(
        tuple(features), models, centres, scales, fitted.coefficients_treatment,
        0.0 if math.isnan(fitted.random_sd) else fitted.random_sd,
        fitted.n, fitted.groups, fitted.warnings,
    )  # fmt: skip


def compare_with(curve: Curve, table: Observations, seed: int = 0) -> PredictedDifficulty:
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
            hint = did_you_mean(model, curve.models)
            raise InputError(said("table-no-model", source=table.source, model=model, hint=hint))
        groups[model, round(curve.chance(row), 2)].append(int(row["correct"] == "1"))
    kept = [(m, p, float(np.mean(a)), len(a)) for (m, p), a in groups.items() if len(a) >= LEAST]
    if len(kept) < 4:
        raise InputError(said("table-few-groups", source=table.source, kept=len(kept), least=LEAST))
    pairs = np.array([(p, share, n) for _, p, share, n in kept])
    if math.isnan(_r(pairs)):
        raise InputError(said("table-alike", source=table.source))
    draw = np.random.default_rng(seed)
    drawn = [_r(pairs[draw.integers(0, len(pairs), len(pairs))]) for _ in range(_DRAWS)]
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    weights = pairs[:, 2]
    means = weights @ pairs / weights.sum()
    return PredictedDifficulty(
        _r(pairs), float(low), float(high), len(kept), int(weights.sum()),
        float(means[0]), float(means[1]), kept,
    )  # fmt: skip


class TaskDifficulty(msgspec.Struct, frozen=True, omit_defaults=True):
    """The curve of a task; `unseen` where there are runs on items that were not fitted."""

    curve: Curve
    unseen: PredictedDifficulty | None = None


def difficulty_of_runs(
    runs: Sequence[Place], features: Sequence[str], unseen: Sequence[Place] = ()
) -> dict[str, TaskDifficulty]:
    """Estimate how hard items are, by task.

    Raises
    ------
    InputError
        As `fit_difficulty` and `compare_with`; or items of `unseen` that were fitted as well.
    """
    asked, fresh = read_runs(list(runs)).tables, {}
    if unseen:
        fresh = read_runs(list(unseen)).tables
    by_task: dict[str, TaskDifficulty] = {}
    for task, table in asked.items():
        curve = fit_difficulty(table, features)
        found = None
        if task in fresh:
            new = fresh[task]
            if both := {*map(str, new.column("stimulus"))} & {*map(str, table.column("stimulus"))}:
                n, first = len(both), min(both)
                raise InputError(said("table-fitted", source=new.source, both=n, str=first))
            found = compare_with(curve, new)
        by_task[task] = TaskDifficulty(curve, found)
    return by_task


def _r(pairs: np.ndarray[Any, Any]) -> float:
    """Pearson's correlation of the first two columns, weighed by the third; NaN without spread."""
    x, y, weights = pairs.T
    x, y = x - weights @ x / weights.sum(), y - weights @ y / weights.sum()
    spread = float(np.sqrt((weights @ x**2) * (weights @ y**2)))
    return float(weights @ (x * y)) / spread if spread > 1e-12 else math.nan


def _rows(table: Observations) -> list[dict[str, str | None]]:
    names = list(table.columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*table.columns.values(), strict=True)]


def _number(value: str | None) -> float | None:
    try:
        return None if value is None else float(value)
    except ValueError:
        return None


def _scaled(
    row: FeatureRow, features: Sequence[str], centres: Mapping[str, float],
    scales: Mapping[str, float],
) -> dict[str, str | float | None]:  # fmt: skip
    """Features on their own scale, the numbers in standard deviations, with their bends."""
    columns: dict[str, str | float | None] = {"model": row.get("model")}
    for name in features:
        if name in centres:
            value = (float(str(row.get(name))) - centres[name]) / scales[name]
            columns[name] = round(value, 6)
            for bend, place in _BENDS.items():
                columns[f"{name}_{bend}"] = round(max(value - place, 0.0), 6)
        else:
            columns[name] = row.get(name)
    return columns


def _value(term: str, columns: Mapping[str, str | float | None]) -> float:
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
