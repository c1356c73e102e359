"""A set of questions of which blind rules know no more than chance.

A rule such as "the longest option" is right now and then whatever the questions are, and to drop
all of those would teach the opposite rule. So the set is tested as a whole; where a rule is right
too often, questions fall, the plainest first, until it is right no more often than chance allows.
"""

from __future__ import annotations

from collections.abc import Sequence

from zhiyin.forge.blind import LETTERS
from zhiyin.forge.items import Item
from zhiyin.forge.stages import Fallen
from zhiyin.models.baselines import RULES, Draw
from zhiyin.statistics.independent import upper_tail
from zhiyin.trial import Option, Trial

TESTED = {
    "longest": "told-by-length",
    "overlap": "told-by-wording",
}
"""The rules, and the reason for which questions fall by each."""
ALPHA = 0.05
FEWEST = 10
"""Questions below which nothing is tested."""


def thin(items: Sequence[Item]) -> tuple[list[Item], list[Fallen], list[str]]:
    """The questions that stay, those that fall, and a line on each rule.

    A rule is right in X of n questions in which it has a single choice; the probability of X or
    more, where each is met by chance with 1 in k, is at least `ALPHA` in what stays.
    """
    left, fallen = list(items), []
    if len(left) < FEWEST:
        return left, [], [f"below {FEWEST} questions: no rule is tested on them as a whole"]
    size = 0
    while size != len(left):  # what falls by one rule may change another's figure
        size = len(left)
        for rule, why in TESTED.items():
            left, more = _thin_by(rule, why, left)
            fallen += more
    notes = []
    for rule in TESTED:
        hits = [hit for item in left if (hit := _hit(rule, item)) is not None]
        shares = [1 / len(item.options) for item in left if _hit(rule, item) is not None]
        notes.append(
            f"{rule}: right in {sum(hits)} of {len(hits)}, by chance in {sum(shares):.1f} "
            f"(p {upper_tail(shares, sum(hits)):.3g})"
        )
    return left, fallen, notes


def _thin_by(rule: str, why: str, items: list[Item]) -> tuple[list[Item], list[Fallen]]:
    decided = [(item, hit) for item in items if (hit := _hit(rule, item)) is not None]
    shares = [1 / len(item.options) for item, _ in decided]
    met = sorted((item for item, hit in decided if hit), key=lambda i: (-_lead(i), i.id))
    fallen: list[Fallen] = []
    while met and upper_tail(shares, len(met)) < ALPHA:
        item = met.pop(0)
        shares.remove(1 / len(item.options))
        fallen.append(Fallen(item.id, why, f"{item.answer!r}, where the rule {rule!r} is right"))
    gone = {one.id for one in fallen}
    return [item for item in items if item.id not in gone], fallen


def _hit(rule: str, item: Item) -> bool | None:
    """Whether a rule picks the right option; None where draws of a tie differ."""
    options = tuple(
        Option(letter, text, str(place))
        for place, (letter, text) in enumerate(zip(LETTERS, item.options, strict=False))
    )
    trial = Trial(item.id, (), item.question, options)
    picks = {RULES[rule](Draw(seed), trial).key for seed in range(12)}
    return picks == {"0"} if len(picks) == 1 else None


def _lead(item: Item) -> float:
    """By how much the right option is longer than the longest wrong one."""
    right, *wrong = map(len, item.options)
    return right / max(wrong)
