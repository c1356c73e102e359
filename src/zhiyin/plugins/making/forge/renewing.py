"""A sister set: unseen items, as hard as those of a run as far as features tell.

Of a generated benchmark the items are drawn again by another seed, with the same settings, and of
several seeds the one is taken whose items are most like the old ones in their features. Else the
items come from a pool of the user's: each item of the run gets the one that is most like it.

Contamination
-------------
Does a model do better on old items, which it may have read, than on new ones of equal kind?

The two sets hold different items, so the comparison is of two samples. New items are weighed so
that each stratum (the widest groups of an item) counts as in the old set. The standard error is
that of the weighted means, robust to clusters: in each set of C clusters
SE² = C/(C-1) Σ_c (Σ_{i in c} w_i (s_i - s̄_stratum))².
Where that is less than the variance of a proportion with one right and one wrong answer added
(Agresti and Caffo 2000, The American Statistician 54: 280-288), the latter counts: few items that
are all right do not show that two sets are equal.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.contract.registry import open_benchmark
from zhiyin.contract.session_parts import conditions_of
from zhiyin.contract.settings import run_command
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.errors import InputError, reworded
from zhiyin.files import json_lines, write_atomically
from zhiyin.flags import COUNT, Flag
from zhiyin.plugins.making.forge.sources import read_set
from zhiyin.runs.rows import records_of, rows_of
from zhiyin.session.selection import Selection
from zhiyin.statistics.intervals import t_quantile
from zhiyin.statistics.paired import minimum_detectable
from zhiyin.trial import Audio, Image, Option, Trial
from zhiyin.words import said

RECIPE, SISTER, REPORT = "sister.toml", "sister.jsonl", "sister.json"


class Renewing(msgspec.Struct, frozen=True):
    """Sources of new items; each field carries its command-line flag."""

    pool: Annotated[
        str | None, Flag("new questions to choose from; default: new seeds", "FILE")
    ] = None
    columns: Annotated[tuple[str, ...], Flag("of the pool", "MEANING=NAME")] = ()
    seeds: Annotated[int, Flag("to choose among"), COUNT] = 3


class Feature(msgspec.Struct, frozen=True):
    """A feature of the items: its mean in the old set and in the new one, and how far apart.

    `apart` is the difference of the means in standard deviations of the old items; None where
    those do not vary.
    """

    name: str
    old: float
    new: float
    apart: float | None


class Renewed(msgspec.Struct):
    """A sister set.

    Attributes
    ----------
    benchmark : str
    how : {"seed", "pool"}
    seed : int or None
    old, new, shared : int
        Items of the run, of the sister set, and in both: those are not new.
    features : list of Feature
    file : str
        A recipe for ``zhiyin run NAME --recipe``, or a file of questions.
    command : str
    """

    benchmark: str
    how: str
    old: int
    new: int
    shared: int
    features: list[Feature]
    file: str
    command: str
    seed: int | None = None


def features_of(trial: Trial) -> dict[str, float]:
    """Features of an item that may make it hard: groups, options, lengths, numbers."""
    features: dict[str, float] = {f"group {name}": 1.0 for name in trial.groups}
    features["options"] = len(trial.options)
    features["letters of the question (log)"] = math.log1p(len(trial.stem))
    if trial.options:
        sizes = [len(option.text) for option in trial.options]
        features["letters of an option (log)"] = math.log1p(sum(sizes) / len(sizes))
    for name, value in trial.tags.items():
        if name in ("line", "repeat", "rotation", "seed"):
            continue
        if isinstance(value, bool | int | float):
            features[name] = float(value)
    sounds = [p for m in trial.messages for p in m.parts if isinstance(p, Audio)]
    if sounds:
        features["seconds of sound"] = sum(p.seconds for p in sounds)
    return features


def content_of(trial: Trial) -> str:
    """A hash of what is asked, whatever it is called and in whatever order its options stand.

    Of the words it takes those of the last message, so that worked examples make no new item.
    """
    text = trial.messages[-1].text if trial.messages else trial.stem
    options = sorted((option.text for option in trial.options), key=lambda o: (-len(o), o))
    for option in options:
        text = text.replace(option, "")
    parts = [part for message in trial.messages[-1:] for part in message.parts]
    media = [part.sha256 for part in parts if isinstance(part, Audio | Image)]
    return hashlib.sha256(msgspec.json.encode([text, trial.stem, options, media])).hexdigest()


def renew(run: Path, out: Path, how: Renewing) -> Renewed:
    """A sister set of a run's items, written to a folder.

    Raises
    ------
    InputError
        Its items come from no seed, and there is no pool; or the pool is too small, or holds
        nothing that can be matched.
    """
    if how.pool:
        return _renew_from_pool(run, Path(how.pool), out, how.columns)
    return _renew_by_seed(run, out, how.seeds)


def _renew_by_seed(run: Path, out: Path, seeds: int) -> Renewed:
    """Draw the items of a run again, and write the recipe of the sister set."""
    manifest = read_manifest(run)
    options = manifest.options
    if not isinstance(options.get("seed"), int):
        raise InputError(said("renew-no-seed", run=run))
    old = _items(_trials(manifest, options))
    best: tuple[float, int, dict[str, Trial], list[Feature]] | None = None
    for step in range(1, seeds + 1):
        seed = int(options["seed"]) + step
        new = _items(_trials(manifest, {**options, "seed": seed}))
        if new.keys() == old.keys():
            raise InputError(said("renew-same", run=run, seed=seed, old=len(old)))
        table = compare_features(*([*map(features_of, set.values())] for set in (old, new)))
        far = max((abs(one.apart) for one in table if one.apart is not None), default=0.0)
        if best is None or far < best[0]:
            best = (far, seed, new, table)
    assert best is not None
    _, seed, new, table = best
    file = out / RECIPE
    _write(file, _recipe({**options, **_part(manifest)}, seed).encode())
    command = run_command(manifest.benchmark, "MODEL", ["--recipe", str(file)])
    shared = len(old.keys() & new.keys())
    return _reported(
        Renewed(manifest.benchmark, "seed", len(old), len(new), shared, table, str(file), command,
                seed)
    )  # fmt: skip


def _reported(renewed: Renewed) -> Renewed:
    """The same, written beside the sister set."""
    report = msgspec.json.format(msgspec.json.encode(renewed), indent=1) + b"\n"
    _write(Path(renewed.file).with_name(REPORT), report)
    return renewed


def _trials(manifest: Manifest, options: Mapping[str, Any]) -> list[Trial]:
    benchmark, part = open_benchmark(manifest, options), _part(manifest)
    seed, conditions = int(options.get("seed") or 0), conditions_of(options, benchmark.name)
    chosen = Selection(benchmark, part["limit"], part["sample"], seed, conditions=conditions)
    return list(chosen.known())


def _part(manifest: Manifest) -> dict[str, Any]:
    """Limit and sample that chose the run's trials."""
    return {name: manifest.config.get(name) for name in ("limit", "sample")}


def _items(trials: Iterable[Trial]) -> dict[str, Trial]:
    """Trials by what they ask: rotations and repeats are one item."""
    return {content_of(trial): trial for trial in trials}


def _recipe(options: Mapping[str, Any], seed: int) -> str:
    lines = ["# Written by `zhiyin forge renew`.", "[flags]"]
    for name, value in options.items():
        left = value is None or value is False or value in ("", [], ()) or isinstance(value, dict)
        if name == "seed" or left:  # 0 is a setting, such as no rests
            continue
        value = ",".join(map(str, value)) if isinstance(value, list | tuple) else value
        encoded = "true" if value is True else msgspec.json.encode(value).decode()
        lines.append(f"{name.replace('_', '-')} = {encoded}")
    return "\n".join([*lines, f"seed = {seed}", ""])


def compare_features(
    old: Sequence[Mapping[str, float]], new: Sequence[Mapping[str, float]]
) -> list[Feature]:
    """The features of two sets side by side; what an item lacks counts as 0."""
    features = []
    for name in dict.fromkeys(name for each in (*old, *new) for name in each):
        a = np.array([each.get(name, 0.0) for each in old])
        b = np.array([each.get(name, 0.0) for each in new])
        spread = float(a.std())
        apart = float(b.mean() - a.mean()) / spread if spread > 1e-12 else None
        features.append(Feature(name, float(a.mean()), float(b.mean()), apart))
    return features


def _renew_from_pool(run: Path, pool: Path, out: Path, columns: Sequence[str]) -> Renewed:
    """Match each item of a run with one of a pool, and write those.

    The matching has the least sum of squared distances of standardised features (the assignment
    problem; Kuhn 1955). Items with another number of options are never matched, and questions of
    the run that stand in the pool too are left out of it.
    """
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial.distance import cdist

    manifest = read_manifest(run)
    old = list(_items(record.trial for record in records_of(run)).values())
    asked = {_words(t.stem, [o.text for o in t.options]) for t in old}
    entries = read_set(pool, columns).entries
    fresh = [e for e in entries if _words(e.item.question, e.item.options) not in asked]
    shared = len(entries) - len(fresh)
    if len(fresh) < len(old):
        raise InputError(said("renew-few", pool=pool, fresh=len(fresh), old=len(old)))
    old_features = _feature_rows(
        (t.stem, [o.text for o in t.options], t.tags.get("perceptual_index")) for t in old
    )
    pool_features = _feature_rows((e.item.question, e.item.options, e.index) for e in fresh)
    names = sorted(set(old_features[0]) & set(pool_features[0]))
    first, second = _matrix(old_features, names), _matrix(pool_features, names)
    spread = np.vstack([first, second]).std(axis=0)
    spread[spread < 1e-12] = 1.0
    apart = cdist(first / spread, second / spread, "sqeuclidean")
    place = names.index("options")
    apart[first[:, place][:, None] != second[:, place][None, :]] = 1e9
    rows, chosen = linear_sum_assignment(apart)
    if (apart[rows, chosen] >= 1e9).any():
        raise InputError(said("renew-options", pool=pool))
    taken = sorted(chosen)
    file = out / SISTER
    _write(file, json_lines(fresh[n].cells for n in taken))
    features = old_features, [pool_features[n] for n in taken]
    table = compare_features(*([{n: f[n] for n in names} for f in each] for each in features))
    command = run_command(str(file), "MODEL", ["--audio-root", str(pool.parent)])
    return _reported(
        Renewed(manifest.benchmark, "pool", len(old), len(taken), shared, table, str(file), command)
    )


def _words(stem: str, options: Iterable[str]) -> str:
    return "\0".join([" ".join(stem.split()), *sorted(options)]).casefold()


def _feature_rows(items: Iterable[tuple[str, Sequence[str], Any]]) -> list[dict[str, float]]:
    """Features that questions of runs and pools share: from words, options and perceptual index."""
    rows = []
    for question, options, index in items:
        trial = Trial("", (), question, tuple(Option("", text, "") for text in options))
        own = {} if not isinstance(index, int | float) else {"perceptual_index": float(index)}
        rows.append(features_of(trial) | own)
    return rows


def _matrix(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> NDArray[np.float64]:
    return np.array([[row.get(name, 0.0) for name in names] for row in rows], dtype=float)


def _write(path: Path, data: bytes) -> None:
    with reworded(said("error-unwritten", path=path, why="")):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data)


POWER = 0.8
FEWEST = 2


class ItemAnswers(msgspec.Struct):
    """The answers to one item: its stratum, its cluster, and the sum of its scores."""

    stratum: str
    cluster: str
    total: float = 0.0
    times: int = 0

    @property
    def score(self) -> float:
        """The mean over its trials."""
        return self.total / self.times


class SisterContrast(msgspec.Struct, frozen=True):
    """A model on old and on new items. Shares are in [0, 1].

    Attributes
    ----------
    model : str
    old, new : float
        Accuracy on the old items; on the new ones, weighed to the old strata.
    difference, low, high, se : float
        Old less new, its 95 % interval and standard error.
    p : float
        Two-sided, by Student's t with Welch and Satterthwaite's degrees of freedom.
    detectable : float
        The smallest true difference that such sets find with a power of `POWER` at 5 %.
    items : tuple of int
        Old and new items that count.
    shared, alone : int
        Items left out, for they stand in both sets, or in a stratum that only one set has.
    remarks : list of str
    """

    model: str
    old: float
    new: float
    difference: float
    low: float
    high: float
    se: float
    p: float
    detectable: float
    items: tuple[int, int]
    shared: int = 0
    alone: int = 0
    remarks: list[str] = []

    @property
    def found(self) -> str:
        """The model's result on the old items: "better", "worse", or "none" if not significant."""
        if self.p >= 0.05:
            return "none"
        return "better" if self.difference > 0 else "worse"


def contrast(old: Path, new: Path) -> SisterContrast:
    """Compare a model's run on old items with its run on new ones.

    Raises
    ------
    InputError
        The runs are of different models, or hold too few items to compare.
    """
    manifests = [read_manifest(old), read_manifest(new)]
    if manifests[0].model != manifests[1].model:
        raise InputError(
            said("renew-two", old=old, model=manifests[0].model, new=new, modelb=manifests[1].model)
        )
    first, second = _answers(old), _answers(new)
    shared = first.keys() & second.keys()
    strata = {a.stratum for k, a in first.items() if k not in shared}
    strata &= {a.stratum for k, a in second.items() if k not in shared}
    kept = [
        {k: a for k, a in each.items() if k not in shared and a.stratum in strata}
        for each in (first, second)
    ]
    alone = len(first) + len(second) - 2 * len(shared) - len(kept[0]) - len(kept[1])
    if min(map(len, kept)) < FEWEST:
        raise InputError(
            said("renew-apart", old=old, new=new, kept=len(kept[0]), keptb=len(kept[1]))
        )
    remarks = []
    for name in ("sampling", "benchmark_version"):
        if manifests[0].config.get(name) != manifests[1].config.get(name):
            remarks.append(f"the runs differ in {name}: that may be all that is seen")
    share = {s: sum(a.stratum == s for a in kept[0].values()) / len(kept[0]) for s in strata}
    if min(len({one.cluster for one in each.values()}) for each in kept) < FEWEST:
        raise InputError(said("renew-cluster", old=old, new=new))
    found = compare_answers(manifests[0].model, kept, share)
    return msgspec.structs.replace(found, shared=len(shared), alone=alone, remarks=remarks)


def compare_answers(
    model: str, sets: Sequence[Mapping[str, ItemAnswers]], share: Mapping[str, float]
) -> SisterContrast:
    """A model on old and on new items, each stratum counting with its share."""
    from scipy import stats

    means, variances, sizes = zip(*(_weighed(each, share) for each in sets), strict=True)
    difference, se = means[0] - means[1], math.sqrt(sum(variances))
    df = sum(variances) ** 2 / sum(v**2 / (n - 1) for v, n in zip(variances, sizes, strict=True))
    half = t_quantile(0.95, df) * se
    p = float(2 * stats.t.sf(abs(difference) / se, df))
    low, high = max(-1.0, difference - half), min(1.0, difference + half)
    return SisterContrast(model, means[0], means[1], difference, low, high, se, p,
                    minimum_detectable(se, POWER), (len(sets[0]), len(sets[1])))  # fmt: skip


def _answers(run: Path) -> dict[str, ItemAnswers]:
    """The judged items of a run that were asked in the main way, if any, by what they ask."""
    plain: dict[str, ItemAnswers] = {}
    others: dict[str, ItemAnswers] = {}
    rows = rows_of(run)
    for record in rows.judged.records():
        trial = record.trial
        answers = plain if rows.ways.is_main(trial.tags) else others
        asked = content_of(trial)
        widest = sorted(name for name in trial.groups if "/" not in name)
        stratum = " + ".join(widest) or "all"
        one = answers.setdefault(asked, ItemAnswers(stratum, trial.cluster or asked))
        one.total += record.verdict.state == "correct"
        one.times += 1
    if not plain and not others:
        raise InputError(said("renew-unjudged", run=run))
    return plain or others


def _weighed(
    items: Mapping[str, ItemAnswers], share: Mapping[str, float]
) -> tuple[float, float, int]:
    """The mean over strata in their shares, its variance, and the number of clusters."""
    strata: dict[str, list[float]] = {}
    for one in items.values():
        strata.setdefault(one.stratum, []).append(one.score)
    means = {name: sum(values) / len(values) for name, values in strata.items()}
    sums: dict[str, float] = {}
    for one in items.values():
        weight = share[one.stratum] / len(strata[one.stratum])
        off = weight * (one.score - means[one.stratum])
        sums[one.cluster] = sums.get(one.cluster, 0.0) + off
    count = len(sums)
    mean = sum(share[name] * means[name] for name in strata)
    robust = count / (count - 1) * sum(v**2 for v in sums.values()) if count > 1 else 0.0
    plus = (mean * len(items) + 1) / (len(items) + 2)
    return mean, max(robust, plus * (1 - plus) / (len(items) + 2)), count
