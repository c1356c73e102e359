"""Figures of plans and of rotated answers for many inputs, as golden tables have them."""

import random

import pytest

from golden_help import Table, outcome
from zhiyin.plugins.methods import choice, planning
from zhiyin.statistics import planning as of_tests


def of_plans():
    """Items for a difference, and what so many can find."""
    for n in (1, 5, 6, 7, 12, 30, 61, 200, 1500):
        for discordant in (0.0, 0.02, 0.3, 0.7, 1.0):
            for power, alpha in ((0.8, 0.05), (0.5, 0.2), (0.03, 0.05)):
                yield ["detectable", n, discordant, power, alpha], lambda *_, g=(
                    n, discordant, power, alpha
                ): outcome(of_tests.mcnemar_detectable, *g)  # fmt: skip
            yield (
                ["power", n, discordant],
                lambda n=n, d=discordant: [
                    outcome(of_tests.mcnemar_power, n, gap, d) for gap in (0.0, 0.05, 0.3, 0.9, 1.0)
                ],
            )
        yield (
            ["flips", n],
            lambda n=n: [
                outcome(of_tests.flips_detectable, se, n, step, power)
                for se, step, power in ((0.05, 0, 0.8), (0.01, 0.02, 0.8), (0.2, 0.001, 0.5))
            ],
        )
        yield ["margin", n], lambda n=n: [
            outcome(planning.margin, n, p, d, level)
            for p, d, level in ((0, 1, 0.95), (0.5, 2.5, 0.8), (1, 1, 0.95), (1.1, 1, 0.95),
                                (0.5, 0, 0.95), (-0.1, 1, 0.95))
        ]  # fmt: skip
    for gap, noise, design, size, discordant in (
        (0.05, 0.0, 1.0, 1.0, None), (0.05, 0.0, 1.0, 1.0, 0.3), (0.3, 0.1, 2.0, 5.0, None),
        (0.6, 0.0, 1.0, 1.0, 0.6), (0.9, 0.0, 1.0, 4.0, 0.95), (0.02, 0.02, 1.5, 3.0, 0.1),
    ):  # fmt: skip

        def planned(gap=gap, noise=noise, design=design, size=size, discordant=discordant):
            held = {"noise_a": noise, "noise_b": noise / 2, "repeats_a": 3, "repeats_b": 2}
            plan = planning.items_needed(gap, 0.2, design_effect=design, **held)
            least = planning.detectable_difference(40, 0.2, design_effect=design, **held)
            more = {"cluster_size": size, "discordant": discordant}
            return (plan, least, planning.by_its_test(plan, gap, **more),
                    planning.by_its_test(least, **more))  # fmt: skip

        yield ["plan", gap, noise, design, size, discordant], lambda p=planned: outcome(p)
    for a, b, r in ((0.5, 0.5, 0), (0.8, 0.6, 0.5), (0, 1, 0.2), (1, 0.3, -1), (0.9, 0.2, 1),
                    (1.1, 0.5, 0), (0.5, -0.1, 0), (0.5, 0.5, 1.1), (0.5, 0.5, -1.1)):  # fmt: skip
        yield ["apart", a, b, r], lambda a=a, b=b, r=r: [
            outcome(planning.paired_variance, a, b, r), outcome(planning.pair_apart, a, b, r),
            outcome(planning.pair_apart, (a + b) / 2, a - b, r),
            outcome(planning.design_effect, 1 + 4 * a, b, abs(r)),
        ]  # fmt: skip
    for accuracy, r in ((0.5, 0.3), (0.9, 0.0), (0.97, 0.9)):

        def found(accuracy=accuracy, r=r):
            return planning.smallest_found(
                lambda gap: planning.detectable_difference(
                    60, planning.pair_apart(accuracy, gap, r).variance
                )
            )

        yield ["found", accuracy, r], lambda f=found: outcome(f)


def of_rotations():
    """Answers under rotations, and shares that are corrected for chance."""
    for seed in range(40):
        draw = random.Random(seed)
        n, few = draw.choice((1, 3, 8, 30, 90)), draw.choice(("AB", "ABC", "ABCD"))
        gold = [draw.choice(few) for _ in range(n)]
        turns = [[draw.choice((*few, None)) for _ in range(2 + seed % 3 + i % 2)] for i in range(n)]
        right = [draw.randrange(8) / 7 for _ in range(n)]
        groups = None if seed % 2 else [i // 3 for i in range(n)]
        yield (
            ["rotations", seed],
            lambda t=turns, g=gold, r=right, c=groups: [
                outcome(choice.consistency, t, g, None, 0.9),
                [choice.pair_agreement(k) for k in t], outcome(choice.best_constant, g),
                outcome(choice.chance_corrected, r, [2 + i % 3 for i in range(len(r))], c, 0.9),
            ],
        )  # fmt: skip


TABLES = [Table("methods/plans", of_plans(), 12), Table("methods/rotations", of_rotations(), 10)]


@pytest.mark.parametrize(("table", "part"), [
    pytest.param(table, *part.values, id=part.id) for table in TABLES for part in table.parts
])  # fmt: skip
def test_every_figure_is_that_of_the_golden_table(table, part):
    table.check(part)
