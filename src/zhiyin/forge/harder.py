"""Harder wrong answers: chosen so that a model that hears nothing is at chance.

After Zang et al. 2025 (arXiv:2504.00369): many proposals; in groups of `GROUP` with the right
answer, the two that the model finds most likely go on; of the finalists the four most likely ones
are chosen. That is ``hardest``. By default it is ``chance``: the four with which the model is
expected to be nearest to chance when one of them is left out, since a set whose right answers are
the *least* likely ones gives itself away too. For these the most likely proposals of each group are
no use where they are all likelier than the right answer. So there those go on that are nearest to
the right answer, from above and from below: it is in every group, and by Luce's choice axiom the
odds against it are on one scale.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Literal

from zhiyin.forge.blind import Answers, Probe
from zhiyin.forge.items import Item, chance_of

Aim = Literal["chance", "hardest"]
GROUP, PROMOTED, WANTED = 6, 2, 4
"""Proposals in a group, how many of them go on, and how many are chosen in the end."""
FINALISTS = 14
"""At most; of more, further rounds of groups are held (``chance`` needs one)."""
CHANCE = 1 / WANTED
"""What the model is to be right in: a wrong answer is left out in each fold."""
_LEAST = 1e-9
"""Stands for a probability of 0: a server names the most probable letters only."""


def groups(item: Item, proposals: Sequence[str], stage: int) -> list[Probe]:
    """Groups of proposals, each with the right answer, in a drawn order."""
    order = sorted(proposals, key=lambda text: chance_of("group", stage, item.id, text))
    parts = [order[n : n + GROUP] for n in range(0, len(order), GROUP)]
    return [_probe(item, part, f"stage-{stage}", number) for number, part in enumerate(parts, 1)]


def final(item: Item, proposals: Sequence[str]) -> list[Probe]:
    """All finalists with the right answer, in two drawn orders, one the other's reverse."""
    one = _probe(item, proposals, "final", 1)
    right = len(one.options) - 1 - one.right
    other = Probe(f"{item.id}/final/2", item.id, "final", item.question, one.options[::-1], right)
    return [one, other]


def _probe(item: Item, proposals: Sequence[str], fold: str, number: int) -> Probe:
    shown = [item.answer, *proposals]
    order = sorted(shown, key=lambda text: chance_of("place", fold, number, item.id, text))
    name = f"{item.id}/{fold}/{number}"
    return Probe(name, item.id, fold, item.question, tuple(order), order.index(item.answer))


def promoted(
    item: Item, probes: Sequence[Probe], answers: Answers, aim: Aim = "chance"
) -> list[str] | None:
    """The proposals that go on; None where a call has failed.

    Of each group the `PROMOTED` most likely ones ("hardest"), or of all the `FINALISTS` whose odds
    against the right answer are nearest to even, half of them above and half below as far as there
    are so many ("chance").
    """
    likeliest: list[str] = []
    odds: dict[str, float] = {}
    for probe in probes:
        shares = answers.options.get(probe.id)
        if shares is None:
            return None
        wrong = [text for text in probe.options if text != item.answer]
        likeliest += sorted(wrong, key=lambda text: (-shares[text], text))[:PROMOTED]
        right = math.log(max(shares[item.answer], _LEAST))
        odds |= {text: math.log(max(shares[text], _LEAST)) - right for text in wrong}
    return likeliest if aim == "hardest" else _nearest(odds)


def _nearest(odds: Mapping[str, float]) -> list[str]:
    """Texts with odds next to even, from both sides; of a side that has too few, all."""
    order = sorted(odds, key=lambda text: (abs(odds[text]), text))
    above = [text for text in order if odds[text] > 0]
    below = [text for text in order if odds[text] <= 0]
    half = FINALISTS // 2
    many = max(half, FINALISTS - len(below))
    taken = above[:many]
    return taken + below[: FINALISTS - len(taken)]


def weights(item: Item, probes: Sequence[Probe], answers: Answers) -> dict[str, float] | None:
    """The mean probability of each option over the finals; None where a call has failed."""
    if any(probe.id not in answers.options for probe in probes):
        return None
    shares = [answers.options[probe.id] for probe in probes]
    return {text: sum(one[text] for one in shares) / len(shares) for text in probes[0].options}


def choose(right: str, weight: Mapping[str, float], aim: Aim = "chance") -> tuple[str, ...]:
    """The four wrong answers that are chosen.

    Parameters
    ----------
    right : str
    weight : mapping
        Probability of each option, the right one among them.
    aim : {"chance", "hardest"}
        "hardest": the most likely ones, as in the paper. "chance": those with which the expected
        probability of the right answer, the mean over leaving out each (by Luce's choice axiom:
        weights are normalised over what is shown), is nearest to 1 in 4; of several sets that are
        as near, the one of the least likely answers.
    """
    wrong = sorted((text for text in weight if text != right), key=lambda t: (-weight[t], t))
    if aim == "hardest" or len(wrong) <= WANTED:
        return tuple(wrong[:WANTED])
    best = min(
        itertools.combinations(reversed(wrong), WANTED),
        key=lambda four: round(abs(expected(right, four, weight) - CHANCE), 9),
    )
    return tuple(best)


def expected(right: str, wrong: Sequence[str], weight: Mapping[str, float]) -> float:
    """The expected probability of the right answer when each wrong one is left out in turn."""
    total = weight[right] + sum(weight[text] for text in wrong)
    shares = [
        weight[right] / rest if (rest := total - weight[text]) > 0 else 1 / len(wrong)
        for text in wrong
    ]
    return sum(shares) / len(shares)
