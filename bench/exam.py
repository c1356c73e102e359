"""How good is an exam? Coverage where the answer is known, and real replies asked again.

    python bench/exam.py [--exams 2000] [--items 300] [--takers 8 12 30 200]
                         [--logs MUSE_LOGS] [--runs RUN RUN ...] [--repeats 10]

Simulated: takers and items are drawn, a bank is made from some takers' answers, and others are
examined by it, so that what the bank does not know is in the figures; how often each 95 % interval
holds at each end, and how often the test of misfit speaks. Ability is the one that the
bank's curves would show of all answers (see `Takers.ability`); "true scale": that of the world. On
either the bank's takers have mean 0 and variance 1. In half of the worlds takers differ by part.

Real: each taker is examined by a tenth of the items from a bank of the others. Published logs of
MUSE (each model, prompt and repeat a taker; then with all repeats of one left out together), the
runs of one benchmark that are given, and, where scikit-learn is at hand, 48 classifiers of 400
handwritten digits, each kind left out together. Beside them what an even draw can reach at all.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from copy import copy
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import kendalltau, spearmanr

from zhiyin.analysis.bank import parts_of
from zhiyin.statistics.adaptive import MeanBets, misfit, score_on_all, weights
from zhiyin.statistics.takers import Spread, Takers, learn

ENDS = {"n=20": (20, 0.0), "n=50": (50, 0.0), "n=100": (100, 0.0), "se=0.4": (100, 0.4)}
EXAMS_A_BANK = 50


class Answers(NamedTuple):
    """Right answers of takers to items; which takers are left out together."""

    name: str
    scores: np.ndarray
    guess: np.ndarray
    parts: list[str]
    kin: np.ndarray


class Sitting:
    """Many takers who take an exam from one bank side by side; `step` asks each one more."""

    def __init__(self, takers: Takers, truth: np.ndarray, draw: np.random.Generator) -> None:
        self.takers, self.truth, self.draw = takers, truth, draw
        self.answers = np.full(truth.shape, np.nan)
        self.order: list[list[int]] = [[] for _ in truth]
        self.known = takers.posterior(self.answers)

    def step(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The items asked, their probabilities, and the chances of all items before."""
        chances = weights(self.takers, ~np.isnan(self.answers), self.known)
        held = self.takers.chances(self.known.mode)
        sums = np.cumsum(chances, axis=1)
        at = (self.draw.random((len(sums), 1)) * sums[:, -1:] < sums).argmax(axis=1)
        rows = np.arange(len(at))
        self.answers[rows, at] = self.truth[rows, at]
        for order, number in zip(self.order, at.tolist(), strict=True):
            order.append(number)
        self.known = self.takers.posterior(self.answers, self.known)
        return at, chances[rows, at], held


class World:
    """Items and a population of takers: curves of three parameters, five parts."""

    def __init__(self, draw: np.random.Generator, items: int, part_spread: float) -> None:
        self.draw, self.part_spread = draw, part_spread
        self.a, self.b = np.exp(draw.normal(0, 0.3, items)), draw.normal(size=items)
        self.part = draw.integers(5, size=items)
        self.guess = np.full(items, 0.25)

    def takers(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Abilities over all items, and chances of right answers."""
        own = self.draw.normal(0, self.part_spread, (count, 5))
        level = self.draw.normal(size=(count, 1)) + own[:, self.part]
        return level.mean(axis=1), self.chances(level)

    def chances(self, level: np.ndarray) -> np.ndarray:
        return np.asarray(0.25 + 0.75 / (1 + np.exp(-self.a * (level - self.b))))

    def answered(self, chances: np.ndarray) -> np.ndarray:
        return (self.draw.random(chances.shape) < chances).astype(float)


def simulated(exams: int, items: int, bank_takers: int, seed: int = 1) -> None:
    draw = np.random.default_rng([seed, bank_takers])
    rows: dict[str, list[list[float]]] = defaultdict(list)
    strange: dict[str, list[bool]] = defaultdict(list)
    at_once = min(EXAMS_A_BANK, exams) * (2 if bank_takers > 50 else 1)
    for number in range(max(2, exams // at_once)):
        world = World(draw, items, 0.5 * (number % 2))
        parts = [f"part {n}" for n in world.part]
        levels, chances = world.takers(bank_takers)
        takers = learn(world.answered(chances), world.guess, parts).model(parts)
        level, own = world.takers(at_once)
        truths = np.array([takers.placed(own), (level - levels.mean()) / levels.std()])
        taken(Sitting(takers, world.answered(own), draw), truths, rows)
        for name, level in cheats(world, max(2, at_once // 10)):
            sitting = Sitting(takers, level, draw)
            for asked in range(1, min(100, items) + 1):
                sitting.step()
                if asked in (50, 100):
                    strange[f"{name} {asked}"] += strangers(sitting, range(len(level)))
    count = len(rows["n=20"])
    print(
        f"\n{count} exams of {items} items, banks of {bank_takers}: how often 95 % intervals hold"
    )
    print("end      ability  true scale  by bank  by draw  always  items asked  width by bank")
    for name in ENDS:
        mean = np.array(rows[name]).mean(axis=0)
        print(
            f"{name:8} {mean[0]:7.3f} {mean[1]:11.3f} {mean[2]:8.3f} {mean[3]:8.3f} {mean[4]:7.3f}"
            f" {mean[5]:12.0f} {mean[6]:14.3f}"
        )
    honest = ", ".join(f"{name} {np.mean([row[7] for row in rows[name]]):.3f}" for name in ENDS)
    power = ", ".join(f"{name} {np.mean(found):.3f}" for name, found in strange.items())
    print(f"misfit said of the honest: {honest}; of others after so many: {power}", flush=True)


def taken(sitting: Sitting, truths: np.ndarray, rows: dict[str, list[list[float]]]) -> None:
    """Ask until each end is reached, and note what holds there."""
    takers, (count, items) = sitting.takers, sitting.truth.shape
    bets = [MeanBets(items) for _ in range(count)]
    waiting = {name: set(range(count)) for name in ENDS}
    for asked in range(1, items + 1):
        before = np.isnan(sitting.answers)
        at, weight, held = sitting.step()
        for row in range(count):
            right, own = bool(sitting.truth[row, at[row]]), held[row]
            bets[row].add(right, float(weight[row]), float(own[at[row]]), own[before[row]])
        for name, (most, se) in ENDS.items():
            if asked < 10 or (asked < min(most, items) and (not se or asked % 10)):
                continue
            for row in list(waiting[name]):
                drawn = takers.drawn(sitting.answers[row], sitting.known.of(row))
                ability = takers.ability(sitting.answers[row], drawn)
                if asked >= min(most, items) or ability.se <= se:
                    waiting[name].remove(row)
                    told = strangers(sitting, [row])[0]
                    held_at = [ability.lower <= truth <= ability.upper for truth in truths[:, row]]
                    rows[name].append([*held_at, *scores(sitting, row, drawn, bets[row]), told])
        if asked >= min(100, items) and not any(waiting.values()):
            return


def scores(sitting: Sitting, row: int, drawn: np.ndarray, bets: MeanBets) -> list[float]:
    """Whether the three intervals of the score on all hold, items asked, and the first's width."""
    whole = sitting.truth[row].mean()
    by_bank = score_on_all(sitting.answers[row], drawn)
    by_draw, (low, high) = bets.score(), bets.interval()
    return [
        by_bank.lower <= whole <= by_bank.upper, by_draw.lower <= whole <= by_draw.upper,
        low <= whole <= high, len(sitting.order[row]), by_bank.upper - by_bank.lower,
    ]  # fmt: skip


def strangers(sitting: Sitting, rows: Iterable[int]) -> list[bool]:
    """For whom the bank is said not to hold."""
    told = []
    for row in rows:
        order = sitting.order[row]
        told.append(
            misfit(sitting.takers, order, (sitting.truth[row, order] > 0.5).tolist()) < 0.05
        )
    return told


def cheats(world: World, count: int) -> Iterator[tuple[str, np.ndarray]]:
    """Who saw a third of the items; whose skill differs by part."""
    _, chances = world.takers(count)
    seen = world.draw.random(chances.shape) < 1 / 3
    yield "saw a third", np.maximum(world.answered(chances), seen)
    theta = world.draw.normal(size=(count, 1))
    yield (
        "parts 2 logits apart",
        world.answered(world.chances(theta + np.where(world.part % 2, -1.0, 1.0))),
    )


def muse_takers(logs: Path) -> list[Answers]:
    """Right answers of each model, prompt and repeat to each item."""
    from zhiyin.contract.registry import find
    from zhiyin.runs.rows import rows_of

    table: dict[tuple[str, str, int], dict[str, float]] = defaultdict(dict)
    guess, task = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        runs = find("muse").import_answers([logs], Path(folder) / "runs", "robust", "")
        for run in runs if not isinstance(runs, Path) else [runs]:
            for row in rows_of(run):
                name = (run.name, row.condition, int(row.tags.get("repeat") or 0))
                table[name][row.item] = row.right
                guess[row.item] = 1 / row.options if row.options else 0.0
                task[row.item] = row.groups[0]
    order = sorted(guess)
    names = sorted(table)
    scores = np.array([[table[name].get(item, 0.0) for item in order] for name in names])
    kin = np.unique([f"{name[0]} {name[1]}" for name in names], return_inverse=True)[1]
    told = scores, np.array([guess[item] for item in order]), [task[item] for item in order]
    return [
        Answers("MUSE, a taker left out", *told, np.arange(len(names))),
        Answers("MUSE, its repeats left out too", *told, kin),
    ]


def run_takers(runs: list[Path]) -> Answers:
    """Each run a taker, by the items that all of them asked."""
    from zhiyin.runs.rows import rows_of

    tables = []
    known = {}
    for run in runs:
        rights: dict[str, list[float]] = defaultdict(list)
        for record in rows_of(run).judged.records():
            trial = record.trial
            known[trial.item or trial.id] = trial
            rights[trial.item or trial.id].append(float(record.verdict.state == "correct"))
        tables.append({name: float(np.mean(right)) for name, right in rights.items()})
    order = sorted(set.intersection(*(set(table) for table in tables)))
    trials = [known[name] for name in order]
    guess = np.array([1 / len(t.options) if t.options else 0.0 for t in trials])
    scores = np.array([[table[name] for name in order] for table in tables])
    return Answers(f"{len(runs)} runs", scores, guess, parts_of(trials), np.arange(len(runs)))


def digit_takers(items: int = 400) -> Answers:
    """Classifiers of handwritten digits, of six kinds and as many forms of each."""
    from sklearn.datasets import load_digits
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    pictures, digits = load_digits(return_X_y=True)
    draw = np.random.default_rng(0)
    place = draw.permutation(len(digits))
    asked, rest = place[:items], place[items:]
    rows = []
    for number in range(48):
        kind = (
            KNeighborsClassifier(1 + number // 6),
            GaussianNB(var_smoothing=0.1 ** (1 + number // 8)),
            DecisionTreeClassifier(max_depth=2 + number // 6, random_state=number),
            SVC(gamma=10 ** draw.uniform(-4.5, -2)),
            LinearDiscriminantAnalysis(),
            RandomForestClassifier(2 + number // 4, max_depth=2 + number // 8, random_state=number),
        )[number % 6]  # fmt: skip
        shown = draw.choice(rest, int(10 ** draw.uniform(1.5, 3)), replace=False)
        pixels = draw.choice(64, int(draw.integers(16, 65)), replace=False)
        kind.fit(pictures[shown][:, pixels], digits[shown])
        rows.append(kind.predict(pictures[asked][:, pixels]) == digits[asked])
    parts = [f"digit {n}" for n in digits[asked]]
    scores = np.array(rows, dtype=float)
    return Answers("digits, a kind left out", scores, np.full(items, 0.1), parts, np.arange(48) % 6)


def again(answers: Answers, repeats: int) -> None:
    """Estimates of the score on all by several ways, from a tenth of the items."""
    right, kin = answers.scores, answers.kin
    takers, items = right.shape
    least, whole = max(10, items // 10), right.mean(axis=1)
    print(f"\n{answers.name}: {takers} takers, {items} items, {least} asked, {repeats} times")
    if takers - np.bincount(kin).max() < 2:
        print("  too few takers: a bank needs the answers of others")
        return
    banks = {
        int(one): learn(right[kin != one], answers.guess, answers.parts).model(answers.parts)
        for one in set(kin)
    }
    found: dict[str, list[np.ndarray]] = defaultdict(list)
    held: list[bool] = []
    for repeat in range(repeats):
        estimates: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(takers))
        for one, bank in banks.items():
            own = np.flatnonzero(kin == one)
            plain = copy(bank)
            plain.spread, plain.strangers = Spread(1.0, 1.0, 1e-6, 1e-6, 1e-6), None
            draw = np.random.default_rng([repeat, one])
            for name, model in (("exam", bank), ("exam, ability alone", plain)):
                sitting = Sitting(model, right[own] > 0.5, draw)
                for _ in range(least):
                    sitting.step()
                for row, taker in enumerate(own):
                    answers_row = sitting.answers[row]
                    drawn = model.drawn(answers_row, sitting.known.of(row))
                    score = score_on_all(answers_row, drawn)
                    estimates[name][taker] = score.share
                    if model is bank:
                        held.append(score.lower <= whole[taker] <= score.upper)
        draw = np.random.default_rng(repeat)
        for taker in range(takers):
            drawn = draw.choice(items, least, replace=False)
            estimates["even draw"][taker] = right[taker, drawn].mean()
            estimates["even draw by part"][taker] = by_part(
                right[taker], answers.parts, least, draw
            )
        for name, values in estimates.items():
            found[name].append(values)
    print("  estimate              Spearman  Kendall  mean error  sd of errors")
    for name, every in found.items():
        rho = np.mean([spearmanr(one, whole).statistic for one in every])
        tau = np.mean([kendalltau(one, whole).statistic for one in every])
        off = np.array(every) - whole
        print(f"  {name:21} {rho:8.3f} {tau:8.3f} {np.abs(off).mean():11.3f} {off.std():13.3f}")
    print(f"  95 % intervals by the bank hold in {np.mean(held):.3f}")
    ceiling(whole, items, least)


def by_part(right: np.ndarray, parts: list[str], count: int, draw: np.random.Generator) -> float:
    """The score from a draw in proportion to the parts."""
    order = draw.permutation(len(parts))
    order = order[np.argsort(np.array(parts)[order], kind="stable")]
    start = draw.random() * len(parts) / count
    return float(right[order[(start + np.arange(count) * len(parts) / count).astype(int)]].mean())


def ceiling(whole: np.ndarray, items: int, least: int) -> None:
    """What an even draw can reach in theory, and how exact an estimate has to be for 0.95."""
    draw = np.random.default_rng(0).standard_normal((400, len(whole)))
    even = float(np.sqrt((whole * (1 - whole)).mean() / least * (1 - least / items)))

    def rank(error: float) -> float:
        return float(np.mean([spearmanr(whole + error * z, whole).statistic for z in draw]))

    sizes = np.geomspace(1e-4, 0.3, 40)
    enough = [size for size in sizes if rank(size) >= 0.95]
    print(
        f"  scores of takers: sd {whole.std(ddof=1):.3f}; an even draw errs by {even:.3f}, and can "
        f"reach {rank(even):.3f} in theory; "
        + (f"0.95 needs errors below {max(enough):.3f}" if enough else "equal scores: never 0.95")
    )
    if enough:
        need = (whole * (1 - whole)).mean()
        count = need / (max(enough) ** 2 + need / items)
        print(f"  which an even draw has from {int(np.ceil(count))} of {items} items on")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--exams", type=int, default=400)
    parser.add_argument("--items", type=int, default=300)
    parser.add_argument("--takers", type=int, nargs="*", default=[12, 30])
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--logs", type=Path)
    parser.add_argument("--runs", type=Path, nargs="*", default=[])
    parser.add_argument("--digits", action="store_true", help="classifiers; needs scikit-learn")
    args = parser.parse_args()
    for bank_takers in args.takers:
        if args.exams:
            simulated(args.exams, args.items, bank_takers)
    sets = muse_takers(args.logs) if args.logs else []
    sets += [run_takers(args.runs)] if args.runs else []
    sets += [digit_takers()] if args.digits else []
    for one in sets:
        again(one, args.repeats)


if __name__ == "__main__":
    main()
