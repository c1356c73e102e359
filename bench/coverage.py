"""How often the 95 % intervals that Zhiyin prints hold the truth, by simulation.

Run ``python bench/coverage.py [--samples N] [--only NAME] [--markdown]``. Every interval goes
through the function that the commands call, on samples whose truth is known: answers alone, in
clusters, repeated, rotated, and with only some of the items in clusters; differences of two
models; totals of an appraisal; agreement of judges. Prints a row for each design: the mean
coverage over several truths, and the worst.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from statistics import fmean

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from zhiyin.errors import InputError
from zhiyin.plugins.methods.agreement import cohen_kappa, intraclass, krippendorff_alpha
from zhiyin.plugins.methods.calibration import length_correlation, prediction_powered
from zhiyin.plugins.methods.choice import consistency
from zhiyin.plugins.methods.glmm import fit_glmm
from zhiyin.plugins.methods.table import Observations
from zhiyin.runs.columns import ALONE
from zhiyin.runs.estimates import Nesting
from zhiyin.statistics.paired import paired_difference
from zhiyin.statistics.parts import TOTAL, Parts, part_interval

Floats = npt.NDArray[np.float64]
Row = tuple[str, str, float, float]
Trial = Callable[[np.random.Generator], bool | None]
"""One sample: does its interval hold the truth? None where it has no interval."""

CHANCES = (0.2, 0.5, 0.8, 0.9)
RARE = (0.01, 0.03, 0.97, 0.99)
"""Shares near 0 and 1, where a few answers decide how alike those of a cluster seem."""
DESIGNS: dict[str, dict[str, float]] = {
    "20 alone": {"clusters": 20},
    "60 alone": {"clusters": 60},
    "200 alone": {"clusters": 200},
    "7 clusters of 3": {"clusters": 7, "size": 3, "icc": 0.3},
    "20 clusters of 3": {"clusters": 20, "size": 3, "icc": 0.3},
    "50 clusters of 4": {"clusters": 50, "size": 4, "icc": 0.3},
    "50 clusters of 4, much alike": {"clusters": 50, "size": 4, "icc": 0.6},
    "300 clusters of 2": {"clusters": 300, "size": 2, "icc": 0.3},
    "40 items, 3 repeats": {"clusters": 40, "repeats": 3, "item_icc": 0.5},
    "20 clusters of 3, 3 repeats": {
        **{"clusters": 20, "size": 3, "icc": 0.3, "repeats": 3, "item_icc": 0.5}
    },
    "60 items, 4 rotations alike": {"clusters": 60, "repeats": 4, "item_icc": 1.0},
    "60 items, 4 rotations, some 1": {
        **{"clusters": 60, "repeats": 4, "item_icc": 0.7, "bound": 0.2}
    },
    "20 clusters of 3, 60 alone": {"clusters": 20, "size": 3, "icc": 0.5, "alone": 60},
}


def share(truth: float, icc: float, size: int, rng: np.random.Generator) -> Floats:
    """Chances with a mean and an intra-cluster correlation: beta, or right and wrong alone."""
    if icc <= 0 or truth in (0.0, 1.0):
        return np.full(size, truth)
    if icc >= 1:
        return (rng.random(size) < truth).astype(np.float64)
    spread = (1 - icc) / icc
    return np.asarray(rng.beta(truth * spread, (1 - truth) * spread, size))


def answers(
    rng: np.random.Generator,
    truth: float,
    readable: float = 1.0,
    *,
    clusters: float,
    size: float = 1,
    icc: float = 0.0,
    repeats: float = 1,
    item_icc: float = 0.0,
    bound: float = 0.0,
    alone: float = 0,
) -> tuple[Nesting, Floats, Floats]:
    """Answers of a model, right with probability `truth` x `readable`.

    Sizes of clusters are 1 + Poisson(size - 1); a share `bound` of items is asked once where the
    others are asked `repeats` times.
    """
    sizes = 1 + rng.poisson(size - 1, int(clusters)) if size > 1 else np.ones(int(clusters), int)
    home = np.concatenate([np.repeat(np.arange(len(sizes)), sizes), np.full(int(alone), -1)])
    level = share(truth, icc, len(sizes), rng)
    chance = np.where(home >= 0, level[home], share(truth, icc, len(home), rng))
    if item_icc:
        chance = np.array([share(mean, item_icc, 1, rng)[0] for mean in chance])
    items, clusters, right_, said_ = ([] for _ in range(4))
    for item, (cluster, right) in enumerate(zip(home, chance, strict=True)):
        named = ALONE if cluster < 0 or size == 1 else int(cluster) + 1
        for _ in range(1 if bound and rng.random() < bound else int(repeats)):
            said = bool(rng.random() < readable)
            answer = (item, named, float(said and rng.random() < right), float(said))
            for column, value in zip((items, clusters, right_, said_), answer, strict=True):
                column.append(value)
    names = np.array(items, dtype=np.int64)
    nesting = Nesting(names, np.zeros_like(names), np.array(clusters, dtype=np.int64))
    return nesting, np.array(right_), np.array(said_)


def figure_rows(samples: int) -> Iterator[Row]:
    """Accuracy, and F1 and precision where one answer in five cannot be read."""
    for name, design in DESIGNS.items():
        yield held(
            "accuracy", name, samples, [_figure("accuracy", t, 1.0, design) for t in CHANCES]
        )
        yield held("F1", name, samples, [_figure("f1", t, 0.8, design) for t in CHANCES])
        yield held(
            "precision", name, samples, [_figure("precision", t, 0.8, design) for t in CHANCES]
        )


def rare_rows(samples: int) -> Iterator[Row]:
    """Accuracy, and F1 where one answer in five cannot be read, at shares near 0 and 1."""
    for name, design in DESIGNS.items():
        for figure, readable in (("accuracy", 1.0), ("f1", 0.8)):
            tests = [_figure(figure, truth, readable, design) for truth in RARE]
            yield held(f"{figure}, rare", name, samples, tests)


def _figure(figure: str, truth: float, readable: float, design: dict[str, float]) -> Trial:
    right = truth * readable
    known = {"accuracy": right, "f1": 2 * right / (1 + readable), "precision": truth}[figure]

    def once(rng: np.random.Generator) -> bool:
        nesting, right_, said = answers(rng, truth, readable, **design)
        below = {"accuracy": None, "f1": (1 + said) / 2, "precision": said}[figure]
        found = nesting.mean(right_, over=below)
        return found.low <= known <= found.high

    return once


def difference_rows(samples: int) -> Iterator[Row]:
    """Two models on the same items, of which some are hard for both."""
    truths = ((0.5, 0.5), (0.7, 0.5), (0.9, 0.8))
    for name, design in DESIGNS.items():
        tests = [_difference(first, second, design) for first, second in truths]
        yield held("difference", name, samples, tests)


def _difference(first: float, second: float, design: dict[str, float]) -> Trial:
    count, size = int(design["clusters"]), design.get("size", 1)
    repeats, icc = int(design.get("repeats", 1)), design.get("icc", 0.0)

    def once(rng: np.random.Generator) -> bool:
        sizes = 1 + rng.poisson(size - 1, count) if size > 1 else np.ones(count, int)
        home = np.repeat(np.arange(count), sizes)
        alone = int(design.get("alone", 0))
        home = np.concatenate([home, count + np.arange(alone)])
        # a common part of difficulty: of the cluster, else of the item
        level = rng.random(count + alone)[home]
        own = rng.random(len(home))
        mixed = np.where(rng.random(len(home)) < max(icc, 0.3), level, own)
        scores = []
        for truth in (first, second):
            steady = rng.random(len(home)) < 0.5  # half of the answers follow the difficulty
            alike = design.get("item_icc", 0.0) >= 1
            draws = rng.random((len(home), 1 if alike else repeats))
            right = np.where(steady[:, None], mixed[:, None], draws) < truth
            scores.append(right.mean(axis=1))
        found = paired_difference(scores[0], scores[1], home)
        return found.low <= first - second <= found.high

    return once


def total_rows(samples: int) -> Iterator[Row]:
    """The total of an appraisal, its four parts from the same songs, weights 30/40/20/10."""
    for songs in (8, 12, 20, 50, 100):
        yield held("total", f"{songs} songs", samples, [_total(songs, q) for q in (0.3, 0.5, 0.8)])


def _total(songs: int, quality: float) -> Trial:
    weights = (30.0, 40.0, 20.0, 10.0)

    def parts(rng: np.random.Generator, count: int) -> list[tuple[Floats, Floats]]:
        level = share(quality, 0.15, count, rng)  # what the song's four parts have in common
        asked = 1 + rng.poisson(2, count)
        claims = rng.poisson(5, count)
        ones = np.ones(count)
        completeness = rng.binomial(32, level) / 32
        novelty = rng.binomial(20, share(0.4, 0.1, count, rng)) / 20
        return [
            (rng.binomial(asked, level).astype(float), asked.astype(float)),
            (completeness, ones),
            (rng.binomial(claims, level).astype(float), claims.astype(float)),
            (novelty, ones),
        ]

    truth = (0.9 * quality) + 0.1 * 0.4

    def once(rng: np.random.Generator) -> bool:
        tops, bottoms = map(np.array, zip(*parts(rng, songs), strict=True))
        scored = np.ones_like(tops, dtype=bool)
        names = tuple(map(str, range(songs)))
        found = part_interval(Parts(tuple("qcpn"), weights, names, tops, bottoms, scored), TOTAL)
        return None if found is None else found.low <= truth <= found.high

    return once


def agreement_rows(samples: int) -> Iterator[Row]:
    """Judges who grade a text's quality with noise of their own; truths by a million texts."""
    noises = (0.4, 0.8, 1.5)
    for units in (8, 12, 20, 50, 200):
        name = f"{units} texts"
        yield held("alpha, interval", name, samples, [_alpha(units, 3, s, False) for s in noises])
        yield held("weighted kappa", name, samples, [_kappa(units, s, "quadratic") for s in noises])
        yield held("rank correlation", name, samples, [_rank(units, s) for s in noises])
        yield held("ICC(A,1), 2 judges", name, samples, [_icc(units, 2, s) for s in noises])
        yield held("ICC(A,1), 5 judges", name, samples, [_icc(units, 5, s) for s in noises])
        unlike = [_icc(units, 3, s, 0.33) for s in noises]
        yield held("ICC(A,1), 3 judges of unlike level", name, samples, unlike)
    for units in (20, 50, 200):
        name = f"{units} texts"
        yield held("alpha, nominal", name, samples, [_alpha(units, 2, s, True) for s in noises])
        yield held("kappa, nominal", name, samples, [_kappa(units, s, "none") for s in noises])
    for units in (10, 30, 100):
        yield held(
            "corrected mean", f"{units} graded", samples, [_powered(units, s) for s in noises]
        )


def grades(rng: np.random.Generator, judges: int, units: int, noise: float) -> Floats:
    """Points from 0 to 16 by halves; the judges differ in noise alone."""
    quality = rng.normal(0, 1, units)
    said = 8 + 2.5 * (quality + rng.normal(0, noise, (judges, units)))
    return np.clip(np.round(2 * said) / 2, 0, 16)


def labels(rng: np.random.Generator, judges: int, units: int, noise: float) -> Floats:
    """Three categories; the noisier, the more often another one is taken."""
    true = rng.integers(0, 3, units)
    slips = rng.random((judges, units)) < 0.25 * noise
    return np.where(slips, rng.integers(0, 3, (judges, units)), true).astype(np.float64)


_KNOWN: dict[tuple[object, ...], float] = {}


def known(key: tuple[object, ...], find: Callable[[np.random.Generator], float]) -> float:
    """A truth, from one very large sample."""
    if key not in _KNOWN:
        _KNOWN[key] = find(np.random.default_rng(7))
    return _KNOWN[key]


def _within(value: float, low: float | None, high: float | None) -> bool | None:
    return None if low is None or high is None else low <= value <= high


def _alpha(units: int, judges: int, noise: float, nominal: bool) -> Trial:
    draw = labels if nominal else grades

    def value(rng: np.random.Generator) -> float:
        table = draw(rng, 2, 1_000_000, noise)
        return cohen_kappa_of(table, nominal)  # the same in a large sample of equal margins

    truth = known((nominal, noise), value)

    def once(rng: np.random.Generator) -> bool | None:
        table = draw(rng, judges, units, noise)
        found = krippendorff_alpha(table, "nominal" if nominal else "interval")
        return _within(truth, found.low, found.high)

    return once


def cohen_kappa_of(table: Floats, nominal: bool) -> float:
    """Kappa of two judges on very many units, plain or quadratically weighted."""
    one, two = table
    if nominal:
        shares = [[np.mean(row == label) for label in range(3)] for row in (one, two)]
        chance = float(np.dot(*shares))
        return float((np.mean(one == two) - chance) / (1 - chance))
    apart = float(np.mean((one - two) ** 2))
    return 1 - apart / float(one.var() + two.var() + (one.mean() - two.mean()) ** 2)


def _kappa(units: int, noise: float, weights: str) -> Trial:
    nominal = weights == "none"
    draw = labels if nominal else grades
    truth = known(
        (nominal, noise), lambda rng: cohen_kappa_of(draw(rng, 2, 1_000_000, noise), nominal)
    )

    def once(rng: np.random.Generator) -> bool | None:
        one, two = draw(rng, 2, units, noise)
        found = cohen_kappa(one.tolist(), two.tolist(), weights)  # type: ignore[arg-type]
        return _within(truth, found.low, found.high)

    return once


def _rank(units: int, noise: float) -> Trial:
    def value(rng: np.random.Generator) -> float:
        one, two = grades(rng, 2, 400_000, noise)
        return float(length_correlation(one, two).rho or 0)

    truth = known(("rank", noise), value)

    def once(rng: np.random.Generator) -> bool | None:
        found = length_correlation(*grades(rng, 2, units, noise))
        return _within(truth, found.low, found.high)

    return once


def _icc(units: int, judges: int, noise: float, level: float = 0.0) -> Trial:
    """Judges who differ in their level by `level`, of the texts' standard deviation of 1."""
    bias = np.linspace(-1, 1, judges)[:, None]
    bias = level * bias / bias.std(ddof=1)
    truth = 1 / (1 + level**2 + noise**2)

    def once(rng: np.random.Generator) -> bool | None:
        table = rng.normal(0, 1, units) + rng.normal(0, noise, (judges, units)) + bias
        found = intraclass(table)
        return _within(truth, found.low, found.high)

    return once


def _powered(units: int, noise: float) -> Trial:
    """People grade `units` of 200 texts; the judge is too kind by a point."""

    def once(rng: np.random.Generator) -> bool:
        quality = 8 + 2 * rng.normal(0, 1, 200)
        people = quality + rng.normal(0, 0.5, 200)
        judge = quality + 1 + 2 * rng.normal(0, noise, 200)
        found = prediction_powered(people[:units], judge[:units], judge[units:])
        return found.low <= 8 <= found.high

    return once


def consistency_rows(samples: int) -> Iterator[Row]:
    """Share of pairs of four rotations under which an item is answered alike."""
    for items in (20, 60, 200):
        tests = [_consistency(items, steady) for steady in (0.2, 0.5, 0.8)]
        yield held("rotations alike", f"{items} items", samples, tests)


def _consistency(items: int, steady: float) -> Trial:
    truth = steady + (1 - steady) / 4

    def once(rng: np.random.Generator) -> bool:
        fixed = rng.random(items) < steady
        chosen = rng.integers(0, 4, (items, 4))
        chosen[fixed] = chosen[fixed, :1]
        keys = [["ABCD"[key] for key in row] for row in chosen]
        found = consistency(keys, ["A"] * items).agreement
        return found.low <= truth <= found.high

    return once


def held(figure: str, design: str, samples: int, tests: list[Trial]) -> Row:
    """The coverage over some truths: the mean and the least, in per cent."""
    shares = []
    for number, test in enumerate(tests):
        rng = np.random.default_rng([samples, number, len(design)])
        told = [test(rng) for _ in range(samples)]
        shares.append(100 * fmean(held for held in told if held is not None))
    return figure, design, fmean(shares), min(shares)


def mixed_rows(samples: int) -> Iterator[Row]:
    """Marginal means of the mixed model, by modality; a fifth of the samples, for it is slow."""
    for stimuli in (20, 40, 100):
        tests = [_mixed(stimuli, odds) for odds in (-1.0, 0.5, 2.0)]
        yield held("marginal mean", f"{stimuli} stimuli, 3 models", max(50, samples // 5), tests)


def _mixed(stimuli: int, odds: float) -> Trial:
    def once(rng: np.random.Generator) -> bool | None:
        level = rng.normal(0, 0.8, stimuli)
        rows = [
            (model, modality, item, rng.random() < expit(odds - modality + level[item]))
            for model in range(3)
            for modality in range(2)
            for item in range(stimuli)
        ]
        columns: dict[str, list[str | None]] = {
            "model": [f"m{model}" for model, *_ in rows],
            "modality": [("midi", "audio")[modality] for _, modality, _, _ in rows],
            "stimulus": [f"s{item}" for _, _, item, _ in rows],
            "correct": [str(int(right)) for *_, right in rows],
        }
        table = Observations("simulated", columns, list(range(len(rows))))
        try:
            found = fit_glmm(table, "correct ~ model + modality + (1 | stimulus)")
        except InputError:
            return None
        mean = next(row for row in found.emmeans if row.levels == {"modality": "midi"})
        return mean.lower <= expit(odds) <= mean.upper

    return once


PARTS: dict[str, Callable[[int], Iterator[Row]]] = {
    "figures": figure_rows,
    "rare": rare_rows,
    "differences": difference_rows,
    "totals": total_rows,
    "agreement": agreement_rows,
    "rotations": consistency_rows,
    "mixed": mixed_rows,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000, help="for each truth; default 1000")
    parser.add_argument("--only", choices=list(PARTS), action="append", help="a part of it")
    parser.add_argument("--markdown", action="store_true", help="a table in place of JSON lines")
    args = parser.parse_args()
    for name in args.only or PARTS:
        for figure, design, mean, worst in PARTS[name](args.samples):
            line = f"| {figure} | {design} | {mean:.1f} | {worst:.1f} |"
            if not args.markdown:
                line = json.dumps(
                    {"figure": figure, "design": design, "mean": mean, "worst": worst}
                )
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
