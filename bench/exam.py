"""How good is an exam? Coverage where the answer is known, and real replies asked again.

    python bench/exam.py [--exams 400] [--items 500] [--logs MUSE_LOGS]

Simulated: abilities drawn from a standard normal distribution, items of a known bank, an end by
number and by error; how often each 95 % interval holds, and how wide it is against that of as many
items drawn evenly. Real: the published logs of MUSE, each prompt and repeat of two models a taker,
each examined by a tenth of the items from a bank of the others; Spearman's correlation of the
estimates with the whole, beside that of as many items drawn evenly.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from zhiyin.statistics import items as response
from zhiyin.statistics.adaptive import Items, MeanBets, Score, misfit, score_on_all, weights
from zhiyin.statistics.items import Ability, AbilityAnswers, BankItem

ENDS = {
    "n=20": (20, 0.0),
    "n=50": (50, 0.0),
    "n=100": (100, 0.0),
    "se=0.4": (400, 0.4),
    "se=0.3": (400, 0.3),
}


class Taken:
    """An exam that goes on: `step` asks one more."""

    def __init__(self, bank: Items, answers: np.ndarray, draw: np.random.Generator) -> None:
        self.bank, self.truth, self.draw = bank, answers, draw
        self.curves = [BankItem(*row) for row in zip(bank.a, bank.b, bank.c, bank.d, strict=True)]
        self.asked = np.zeros(len(bank), dtype=bool)
        self.state, self.bets = AbilityAnswers(), MeanBets(len(bank))
        self.order: list[int] = []

    def step(self) -> None:
        theta = self.state.modal()
        chances, held = weights(self.bank, self.asked, theta), self.bank.chances(theta)
        number = int(self.draw.choice(len(chances), p=chances))
        right = bool(self.truth[number])
        self.bets.add(right, float(chances[number]), float(held[number]), held[~self.asked])
        self.state.add(self.curves[number], right)
        self.asked[number] = True
        self.order.append(number)

    def found(self) -> tuple[Ability, Score, Score, tuple[float, float]]:
        ability = self.state.read()
        by_bank = score_on_all(self.bank, self.asked, self.state.right, ability)
        return ability, by_bank, self.bets.score(), self.bets.interval()

    def misfit(self) -> float:
        return misfit(self.bank, self.order, [bool(self.truth[n]) for n in self.order])


def simulated(exams: int, items: int, seed: int = 1) -> None:
    draw = np.random.default_rng(seed)
    rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for _ in range(exams):
        curves = [
            BankItem(float(np.exp(draw.normal(0, 0.3))), float(draw.normal()), 0.25, 1.0)
            for _ in range(items)
        ]
        bank = Items(curves, [f"part {n % 5}" for n in range(items)])
        theta = float(draw.normal())
        answers = draw.random(items) < bank.chances(theta)
        whole, exam = float(answers.mean()), Taken(bank, answers, draw)
        open_ends = dict(ENDS)
        while open_ends:
            exam.step()
            count = len(exam.order)
            if count < 10 or (count % 5 and count != items):
                continue
            ability = exam.state.read()
            for name, (most, se) in list(open_ends.items()):
                if count >= min(most, items) or (se and ability.se <= se):
                    del open_ends[name]
                    _, bank_score, draw_score, always = exam.found()
                    left = max(1 - count / items, 1 / items)
                    even = 2 * 1.96 * np.sqrt(max(whole * (1 - whole), 0.01) / count * left)
                    rows[name].append((
                        ability.lower <= theta <= ability.upper,
                        bank_score.lower <= whole <= bank_score.upper,
                        draw_score.lower <= whole <= draw_score.upper,
                        always[0] <= whole <= always[1],
                        exam.misfit() < 0.05 if count <= 100 else np.nan, count,
                        (bank_score.upper - bank_score.lower) / even,
                        (draw_score.upper - draw_score.lower) / even,
                        (always[1] - always[0]) / even,
                    ))  # fmt: skip
    print(f"{exams} exams from banks of {items}: how often 95 % intervals hold")
    print("end      ability  by bank  by draw  always  misfit  items  widths against an even draw")
    for name in ENDS:
        mean = np.nanmean(np.array(rows[name], dtype=float), axis=0)
        print(
            f"{name:8} {mean[0]:7.3f} {mean[1]:8.3f} {mean[2]:8.3f} {mean[3]:7.3f} {mean[4]:7.3f}"
            f" {mean[5]:6.0f}  {mean[6]:.2f} {mean[7]:.2f} {mean[8]:.2f}"
        )


def muse_takers(logs: Path) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Right answers of each model, prompt and repeat to each item; guessing, and tasks."""
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
    scores = np.array([[answers.get(item, 0.0) for item in order] for answers in table.values()])
    return scores, np.array([guess[item] for item in order]), [task[item] for item in order]


def again(
    scores: np.ndarray, guess: np.ndarray, parts: list[str], exams: int
) -> Iterator[tuple[float, ...]]:
    """Correlations with the whole: by the bank, by the draw, and of an even draw."""
    whole, least = scores.mean(axis=1), max(10, scores.shape[1] // 10)
    banks = []
    for taker in range(len(scores)):
        fitted = response.fit(np.delete(scores, taker, axis=0), "2PL", guess, pooled=True)
        slope, error = np.array(fitted.slopes), np.array(fitted.errors)
        flat = slope / np.sqrt(1 + np.pi * (slope * error) ** 2 / 8)
        rows = zip(flat, fitted.places, guess, strict=True)
        banks.append(Items([BankItem(float(a), b, float(c), 1.0) for a, b, c in rows], parts))
    for exam in range(exams):
        draw = np.random.default_rng(exam)
        by_bank, by_draw, even = [], [], []
        for taker, bank in enumerate(banks):
            taken = Taken(bank, scores[taker] > 0.5, draw)
            for _ in range(least):
                taken.step()
            _, one, other, _ = taken.found()
            by_bank.append(one.share)
            by_draw.append(other.share)
            even.append(scores[taker, draw.choice(len(parts), least, replace=False)].mean())
        yield tuple(float(spearmanr(x, whole).statistic) for x in (by_bank, by_draw, even))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--exams", type=int, default=400)
    parser.add_argument("--items", type=int, default=500)
    parser.add_argument("--logs", type=Path)
    args = parser.parse_args()
    simulated(args.exams, args.items)
    if args.logs:
        scores, guess, parts = muse_takers(args.logs)
        found = np.array(list(again(scores, guess, parts, 20)))
        print(f"MUSE: {len(scores)} takers, {scores.shape[1]} items, a tenth asked, 20 exams each")
        for name, column in zip(
            ("by the bank", "by the draw", "an even draw"), found.T, strict=True
        ):
            print(
                f"  {name}: Spearman {column.mean():.3f} ({column.min():.3f} to {column.max():.3f})"
            )


if __name__ == "__main__":
    main()
