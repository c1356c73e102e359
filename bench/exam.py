"""How good is an exam? Coverage where the answer is known, and real replies asked again.

    python bench/exam.py [--exams 2000] [--items 300] [--takers 12 30 200] [--seed 1] [--jobs 16]
                         [--by ability] [--copies 3] [--data DIR] [--logs MUSE_LOGS]
                         [--runs RUN RUN ...] [--repeats 10] [--digits] [--cells]

Simulated: takers and items are drawn, a bank is made from some takers' answers, and others are
examined by it, so that what the bank does not know is in the figures; how often each 95 % interval
holds at each end (give or take a standard error over banks, since exams from one bank go together),
and how often the test of misfit speaks. Ability is the one that the bank's curves would show of all
answers (see `Takers.ability`); "true scale": that of the world. On either the bank's takers have
mean 0 and variance 1. `--by ability`: as many exams of each ability from -3 to +3 standard
deviations, without the test of misfit, which takes long; "leading" is the score that the exam leads
with. `--copies`: a bank of so many runs of each model. In half of the worlds takers differ by part.
What is drawn depends on the seed, and not on the number of jobs.

Real: each taker is examined by a tenth of the items from a bank of the others. All published
replies in a folder of data (MUSE, music-bench, CMI-Bench, MMAU, MMAR), each model, prompt and
repeat a taker, through the program's own imports; the runs of one benchmark that are given; and,
where scikit-learn is at hand, 48 classifiers of 400 handwritten digits (`--cells`: of 400 tumours).
Beside them what an even draw can reach at all, and, where models were asked repeatedly, what one
can who knows each item's chance of a right answer.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from copy import copy
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from scipy.stats import spearmanr

from zhiyin.plugins.methods.adaptive import (
    STRANGE,
    MeanBets,
    edge_of,
    misfit,
    score_on_all,
    weights,
)
from zhiyin.plugins.methods.bank import parts_of
from zhiyin.plugins.methods.items import LEAST_PARTICIPANTS
from zhiyin.plugins.methods.takers import Takers, TakerSpread, learn

ENDS = {"n=20": (20, 0.0), "n=50": (50, 0.0), "n=100": (100, 0.0), "se=0.4": (100, 0.4)}
HELD = ("ability", "true scale", "by bank", "by draw", "always", "leading")
ABILITIES = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
EXAMS_A_BANK = 25
T, R = TypeVar("T"), TypeVar("R")


def each(work: Callable[[T], R], of: list[T], jobs: int) -> list[R]:
    """What the work makes of each, in so many processes."""
    if jobs <= 1 or len(of) <= 1:
        return [work(one) for one in of]
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        return list(pool.map(work, of))


class Answers(NamedTuple):
    """Right answers of takers to items; which takers are left out together, and which are repeats
    of one model by one prompt."""

    name: str
    scores: np.ndarray
    guess: np.ndarray
    parts: list[str]
    kin: np.ndarray
    same: np.ndarray | None = None


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

    def takers(
        self, count: int, ability: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Abilities over all items, and chances of right answers."""
        own = self.draw.normal(0, self.part_spread, (count, 5))[:, self.part]
        level = self.draw.normal(size=(count, 1)) + own
        if ability is not None:  # in standard deviations of what it is over all items
            spread = np.sqrt(1 + self.part_spread**2 / 5)
            level = spread * ability[:, None] + own - own.mean(axis=1, keepdims=True)
        return level.mean(axis=1), self.chances(level)

    def chances(self, level: np.ndarray) -> np.ndarray:
        return np.asarray(0.25 + 0.75 / (1 + np.exp(-self.a * (level - self.b))))

    def answered(self, chances: np.ndarray) -> np.ndarray:
        return (self.draw.random(chances.shape) < chances).astype(float)


class Examined(NamedTuple):
    """What became of the exams by one bank, by end; and of those for whom it does not hold."""

    rows: dict[str, list[list[float]]]
    strange: dict[str, list[bool]]


def by_one_bank(
    number: int, exams: int, items: int, bank_takers: int, seed: int, copies: int,
    abilities: tuple[float, ...],
) -> Examined:  # fmt: skip
    """A world, a bank of some of its takers, and exams of others, or so many of each ability."""
    draw = np.random.default_rng([seed, bank_takers, number])
    rows: dict[str, list[list[float]]] = defaultdict(list)
    strange: dict[str, list[bool]] = defaultdict(list)
    world = World(draw, items, 0.5 * (number % 2))
    parts = [f"part {n}" for n in world.part]
    levels, chances = world.takers(bank_takers // copies)
    answers = np.vstack([world.answered(chances) for _ in range(copies)])
    kin = np.tile(np.arange(len(chances)), copies) if copies > 1 else None
    takers = learn(answers, world.guess, parts, kin).model(parts)
    theirs = takers.placed(takers.chances(takers.posterior(answers).mode))
    ends = float(theirs.min()), float(theirs.max())
    for ability in abilities or (None,):
        level, own = world.takers(exams, None if ability is None else np.full(exams, ability))
        truths = np.array([takers.placed(own), (level - levels.mean()) / levels.std()])
        found: dict[str, list[list[float]]] = defaultdict(list)
        sitting = Sitting(takers, world.answered(own), draw)
        taken(sitting, truths, ends, found, doubted=ability is None)
        for end, each in found.items():
            rows[end if ability is None else f"{ability:+.0f} {end}"] += each
    for name, answered in cheats(world, 0 if abilities else max(2, exams // 5)):
        sitting = Sitting(takers, answered, draw)
        for asked in range(1, min(100, items) + 1):
            sitting.step()
            if asked in (50, 100):
                strange[f"{name} {asked}"] += strangers(sitting, range(len(answered)))
    return Examined(dict(rows), dict(strange))


def simulated(
    exams: int, items: int, bank_takers: int, seed: int, jobs: int, copies: int,
    abilities: tuple[float, ...],
) -> None:  # fmt: skip
    """How often intervals hold, and the test of misfit speaks."""
    at_once = min(EXAMS_A_BANK, max(1, exams // 2))
    work = partial(
        by_one_bank, exams=at_once, items=items, bank_takers=bank_takers, seed=seed, copies=copies,
        abilities=abilities,
    )  # fmt: skip
    found = each(work, list(range(max(2, exams // at_once))), jobs)
    count = len(found) * at_once
    print(
        f"\n{count} exams of {items} items, {len(found)} banks of {bank_takers}, seed {seed}: "
        "how often 95 % intervals hold"
    )
    print(f"{'end':9}", *(f"{head:13}" for head in HELD), "asked width misfit")
    for name in found[0].rows:
        means = np.array([np.mean(one.rows[name], axis=0) for one in found])
        mean, sure = means.mean(axis=0), means.std(axis=0, ddof=1) / np.sqrt(len(found))
        held = "  ".join(f"{m:.3f} ±{e:.3f}" for m, e in zip(mean[:6], sure[:6], strict=True))
        print(f"{name:9} {held} {mean[6]:7.0f} {mean[7]:5.3f} {mean[8]:5.3f}", flush=True)
    others = {
        name: [told for one in found for told in one.strange[name]] for name in found[0].strange
    }
    words = ", ".join(f"{n} {np.mean(v):.3f} of {len(v)}" for n, v in others.items() if v)
    print(f"misfit said of others, after so many: {words}" if words else "", flush=True)


def taken(
    sitting: Sitting, truths: np.ndarray, ends: tuple[float, float],
    rows: dict[str, list[list[float]]], *, doubted: bool,
) -> None:  # fmt: skip
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
                    told = doubted and strangers(sitting, [row])[0]
                    held_at = [ability.lower <= truth <= ability.upper for truth in truths[:, row]]
                    plain = not told and not edge_of(ability, *ends)
                    by = scores(sitting, row, drawn, bets[row])
                    rows[name].append([*held_at, *by[:3], by[0 if plain else 1], *by[3:], told])
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
            misfit(sitting.takers, order, (sitting.truth[row, order] > 0.5).tolist()) < STRANGE
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


def published_takers(data: Path, logs: Path | None) -> list[Answers]:
    """Published replies by the program's own imports: each model, prompt and repeat a taker."""
    from zhiyin.contract.registry import find

    cmi, found = data / "cmi/results", []
    sources: dict[tuple[str, str], list[dict[str, object]]] = {
        ("MUSE", "muse"): [{"files": [logs or data / "muse_tasks/logs"]}]
    }
    if logs is None:
        sources["music-bench", "scores"] = [{"files": [data / "music_bench"]}]
        for task in ("GTZAN", "Nsynth_instrument", "VocalSet_tech"):
            sources[f"CMI-Bench {task}", "cmi"] = [
                {"files": sorted((cmi / name).glob(f"*_{task}.jsonl*"))}
                for name in ("qwen2", "flamingo")
            ]
        sources["MMAU", "mmau"] = [
            {"files": [data / "mmau_replies/desta25_test_mini.jsonl"], "field": "model_prediction",
             "questions": data / "mmau/mmau-test-mini.json"}
        ]  # fmt: skip
        sources["MMAR", "mmar"] = [
            {"files": [data / "mmar_replies/qwen25omni_99x3.jsonl"], "field": "reply",
             "questions": data / "mmar/MMAR-meta.jsonl"}
        ]  # fmt: skip
    for (title, name), each_import in sources.items():
        with tempfile.TemporaryDirectory() as folder:
            runs: list[Path] = []
            for number, given in enumerate(each_import):
                out = Path(folder) / str(number)
                made = find(name).import_answers(given.pop("files"), out, "robust", "", **given)
                runs += [made] if isinstance(made, Path) else made
            found += both_ways(title, runs)
    return found


def both_ways(title: str, runs: list[Path]) -> list[Answers]:
    """Takers left out one by one, and, where some are repeats of each other, with these."""
    from zhiyin.runs.rows import rows_of

    table: dict[tuple[str, str, int], dict[str, float]] = defaultdict(dict)
    guess, task = {}, {}
    for run in runs:
        for row in rows_of(run):
            name = (str(run), row.condition, int(row.tags.get("repeat") or 0))
            table[name][row.item] = row.right
            guess[row.item] = 1 / row.options if row.options else 0.0
            task[row.item] = row.groups[0]
    order, names = sorted(guess), sorted(table)
    scores = np.array([[table[name].get(item, 0.0) for item in order] for name in names])
    kin = np.unique(["\0".join(name[:2]) for name in names], return_inverse=True)[1]
    told = scores, np.array([guess[item] for item in order]), [task[item] for item in order]
    alone = Answers(title, *told, np.arange(len(names)), kin)
    if len(set(kin)) == len(kin) or len(names) < LEAST_PARTICIPANTS:
        return [alone]
    return [alone, Answers(f"{title}, repeats left out too", *told, kin, kin)]


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


def classifiers(name: str, items: int = 400) -> list[Answers]:
    """Classifiers of six kinds and as many forms of each: left out by eights, and by kinds."""
    from sklearn import datasets
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    load = datasets.load_digits if name == "digits" else datasets.load_breast_cancer
    pictures, digits = load(return_X_y=True)
    draw = np.random.default_rng(0)
    place = draw.permutation(len(digits))
    asked, rest = place[:items], place[items:]
    width = pictures.shape[1]
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
        most = min(1000, len(rest))
        shown = draw.choice(rest, int(most * 10 ** draw.uniform(-1.5, 0)), replace=False)
        pixels = draw.choice(width, int(draw.integers(width // 4, width + 1)), replace=False)
        while len(set(digits[shown])) < 2:  # of few tumours all may be of one kind
            shown = draw.choice(rest, len(shown), replace=False)
        kind.fit(pictures[shown][:, pixels], digits[shown])
        rows.append(kind.predict(pictures[asked][:, pixels]) == digits[asked])
    scores, guess = np.array(rows, dtype=float), np.full(items, 1 / len(set(digits)))
    told = scores, guess, [f"label {n}" for n in digits[asked]]
    return [
        Answers(f"{name}, a few of each kind left out", *told, np.arange(48) // 6),
        Answers(f"{name}, a kind left out", *told, np.arange(48) % 6),
    ]


def again(answers: Answers, repeats: int, seed: int) -> str:
    """What estimates from a tenth of the items are worth: a row of the table."""
    right, kin = answers.scores, answers.kin
    takers, items = right.shape
    least, whole = max(10, items // 10), right.mean(axis=1)
    about = f"{answers.name} | {takers}, {items}, {least}"
    if takers - np.bincount(kin).max() < LEAST_PARTICIPANTS - 1:
        return f"| {about} | too few takers for a bank of the others |" + " |" * (len(COLUMNS) - 3)
    banks = {
        int(one): learn(right[kin != one], answers.guess, answers.parts).model(answers.parts)
        for one in sorted(set(kin))
    }
    found: dict[str, list[np.ndarray]] = defaultdict(list)
    held: list[bool] = []
    for repeat in range(repeats):
        estimates: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(takers))
        for one, bank in banks.items():
            own = np.flatnonzero(kin == one)
            plain = copy(bank)
            plain.spread, plain.strangers = TakerSpread(1.0, 1.0, 1e-6, 1e-6, 1e-6), None
            draw = np.random.default_rng([seed, repeat, one])
            for name, model in (("exam", bank), ("ability", plain)):
                sitting = Sitting(model, right[own] > 0.5, draw)
                for _ in range(least):
                    sitting.step()
                for row, taker in enumerate(own):
                    given = sitting.answers[row]
                    score = score_on_all(given, model.drawn(given, sitting.known.of(row)))
                    estimates[name][taker] = score.share
                    if model is bank:
                        held.append(score.lower <= whole[taker] <= score.upper)
        draw = np.random.default_rng([seed, repeat])
        for taker in range(takers):
            drawn = draw.choice(items, least, replace=False)
            estimates["draw"][taker] = right[taker, drawn].mean()
            estimates["parts"][taker] = by_part(right[taker], answers.parts, least, draw)
        for name, values in estimates.items():
            found[name].append(values)
    told = []
    for name in ("exam", "ability", "draw", "parts"):
        rho = [spearmanr(one, whole).statistic for one in found[name]]
        off = np.abs(np.array(found[name]) - whole).mean()
        told.append(f"{np.mean(rho):.3f} ±{np.std(rho) / np.sqrt(repeats):.3f}, {off:.3f}")
    return f"| {about} | {' | '.join([*told, *ceilings(answers, least)])} | {np.mean(held):.3f} |"


COLUMNS = (
    "answers", "takers, items, asked", "this exam: Spearman, mean error", "ability alone",
    "even draw", "even draw by part", "even draw in theory", "who knows every chance",
    "0.95 needs", "an even draw of", "intervals hold",
)  # fmt: skip


def by_part(right: np.ndarray, parts: list[str], count: int, draw: np.random.Generator) -> float:
    """The score from a draw in proportion to the parts."""
    order = draw.permutation(len(parts))
    order = order[np.argsort(np.array(parts)[order], kind="stable")]
    start = draw.random() * len(parts) / count
    return float(right[order[(start + np.arange(count) * len(parts) / count).astype(int)]].mean())


def ceilings(answers: Answers, least: int) -> list[str]:
    """What an even draw can reach in theory, and who knows every chance; what 0.95 asks of either.

    Who knows the chance of every answer misses the luck of the items that were not asked, which
    repeats of one model tell; there is none where these all answered alike.
    """
    right, same = answers.scores, answers.same
    whole, items = right.mean(axis=1), right.shape[1]
    normal = np.random.default_rng(0).standard_normal((400, len(whole)))
    need = float((whole * (1 - whole)).mean())
    even = np.sqrt(need / least * (1 - least / items))

    def rank(error: np.ndarray | float) -> float:
        each = [spearmanr(whole + error * z, whole).statistic for z in normal]
        return float(np.mean(each))

    sizes = np.geomspace(1e-4, 0.3, 40)
    enough = max((size for size in sizes if rank(size) >= 0.95), default=0.0)
    luck = "-"
    if same is not None and len(set(same)) < len(same):
        own = np.zeros(len(whole))
        for one in set(same):
            if (same == one).sum() > 1:
                own[same == one] = right[same == one].var(axis=0, ddof=1).mean()
        luck = f"{rank(np.sqrt(own * (1 - least / items) / items)):.3f}"
    count = int(np.ceil(need / (enough**2 + need / items))) if enough else items
    return [f"{rank(even):.3f}", luck, f"errors of {enough:.3f}", f"{count}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--exams", type=int, default=400)
    parser.add_argument("--items", type=int, default=300)
    parser.add_argument("--takers", type=int, nargs="*", default=[12, 30])
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by", choices=["ability"], help="exams of each ability")
    parser.add_argument("--copies", type=int, default=1, help="runs of each model of the bank")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--data", type=Path, help="folder of published replies")
    parser.add_argument("--logs", type=Path, help="those of MUSE alone")
    parser.add_argument("--runs", type=Path, nargs="*", default=[])
    parser.add_argument("--digits", action="store_true", help="classifiers; needs scikit-learn")
    parser.add_argument("--cells", action="store_true", help="the same of tumours")
    args = parser.parse_args()
    for bank_takers in args.takers:
        if args.exams:
            by = ABILITIES if args.by else ()
            simulated(
                args.exams, args.items, bank_takers, args.seed, args.jobs, args.copies, by
            )  # fmt: skip
    sets = published_takers(args.data or Path(), args.logs) if args.data or args.logs else []
    sets += [run_takers(args.runs)] if args.runs else []
    sets += classifiers("digits") if args.digits else []
    sets += classifiers("tumours") if args.cells else []
    if sets:
        print(f"\n| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
        work = partial(again, repeats=args.repeats, seed=args.seed)
        print(*each(work, sets, args.jobs), sep="\n")


if __name__ == "__main__":
    main()
