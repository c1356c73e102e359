"""What a comparison of runs finds, as `compare` and `compare_parts` return it."""

from __future__ import annotations

from typing import Any

import msgspec

from zhiyin.statistics.intervals import Interval
from zhiyin.statistics.paired import Discordance, Flips
from zhiyin.statistics.scores import LOW_IS_BEST
from zhiyin.words.findings import Warning


class GroupDifference(msgspec.Struct, frozen=True):
    """Two runs on one group of items.

    Attributes
    ----------
    group : str
    family : str
        Within which `p_adjusted` is corrected; "exploratory" where none was declared.
    items, clusters : int
    first, second : float
        Mean scores.
    difference, low, high, se : float
        First minus second, its cluster-robust interval and standard error.
    test : {"mcnemar", "sign-flip"}
        Which of the two tests `p` is of: McNemar's where all items are independent and right or
        wrong, the sign-flip test over whole clusters otherwise.
    p, p_adjusted : float
        By Holm within a family, by Benjamini and Hochberg among the exploratory ones.
    resolved : bool
        Whether ``p_adjusted`` is below alpha.
    detectable : float
        Smallest true difference that the test would find with 80 % power at alpha, uncorrected;
        infinite (null in JSON) where so few items, or clusters, can show none.
    mcnemar : Discordance or None
        None where some score is neither 0 nor 1.
    sign_flip : Flips
    """

    group: str
    family: str
    items: int
    clusters: int
    first: float
    second: float
    difference: float
    low: float
    high: float
    se: float
    test: str
    p: float
    p_adjusted: float
    resolved: bool
    detectable: float
    mcnemar: Discordance | None
    sign_flip: Flips | None


class Pair(msgspec.Struct, frozen=True):
    """Two runs, the first minus the second, in every group; the whole first."""

    first: str
    second: str
    groups: list[GroupDifference]


class Ranked(msgspec.Struct, frozen=True):
    """A run in the ranking. Runs that share a letter are not told apart."""

    label: str
    score: Interval
    letters: str


class Compared(msgspec.Struct, frozen=True):
    """One of the runs.

    `items` are those with a score, from `trials` (more where items are asked several times);
    `left_out` of these trials are not in the comparison because another run lacks their item, or
    was not asked it under that condition.
    """

    label: str
    run: str
    model: str
    trials: int
    items: int
    left_out: int


class Comparison(msgspec.Struct, frozen=True):
    """Everything that a comparison found.

    Attributes
    ----------
    benchmark : str
    measure : str
        "accuracy", or the name of a score.
    alpha : float
    items : int
        Items that every run judged, asked in the way that counts (not with silence or noise).
    runs : list of Compared
        In the order given.
    settings : dict
        What the runs were set to differently: setting -> label -> value.
    warnings : list of Warning
        What limits the comparison.
    pairs : list of Pair
    ranking : list of Ranked
        Best first.
    unit : str
        What `items` counts: "items", or "songs" where scores are made of parts.
    """

    benchmark: str
    measure: str
    alpha: float
    items: int
    runs: list[Compared]
    settings: dict[str, dict[str, Any]]
    warnings: list[Warning]
    pairs: list[Pair]
    ranking: list[Ranked]
    unit: str = "items"

    @property
    def low_is_best(self) -> bool:
        """Whether the measure counts errors, so that the lower of two scores is the better."""
        return self.measure in LOW_IS_BEST

    def better(self, pair: Pair, row: GroupDifference) -> str | None:
        """Which run of a pair is shown to be better in a group; None where the test is open."""
        if not row.resolved:
            return None
        return pair.first if (row.difference > 0) != self.low_is_best else pair.second
