"""What a registered plan says of the runs of a benchmark, before what the page tests itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import ALL
from zhiyin.plugins.methods.hypotheses import HypothesisResult
from zhiyin.plugins.methods.plan import PLAN
from zhiyin.plugins.methods.registered import PlanReport, outcome_in_words
from zhiyin.report.findings import Finding
from zhiyin.words import Said, said

_MOST = 2
"""Of more hypotheses a headline says how many became what."""


class RegisteredOutcome(msgspec.Struct, frozen=True):
    """What became of a hypothesis, and of which runs of a page it speaks.

    Attributes
    ----------
    result : HypothesisResult
    run : int
    other : int or None
        The run that it is compared with; None for chance or a share.
    departures : int
        In how much the runs of its plan are not what was planned.
    """

    result: HypothesisResult
    run: int
    other: int | None = None
    departures: int = 0

    def of_chance(self, group: str) -> bool:
        """Whether it asks if the share of right answers in a group is that of guessing."""
        own = self.result.hypothesis
        return own.than == "chance" and own.group == group and not own.score

    def of_runs(self, group: str) -> bool:
        """Whether it compares the right answers of two runs of the page in a group."""
        own = self.result.hypothesis
        return self.other is not None and own.group == group and not own.score


def outcomes_of(
    plans: Sequence[PlanReport], runs: Mapping[int, Manifest]
) -> list[RegisteredOutcome]:
    """The hypotheses of registered plans that speak of some runs, by their numbers on the page."""
    found = []
    for plan in plans:
        by_model: dict[str, int] = {}
        for number, manifest in runs.items():
            if manifest.config.get(PLAN) == plan.sha256:
                by_model.setdefault(manifest.spec, number)
        for one in plan.results:
            own = one.hypothesis
            if own.model in by_model and (not own.other or own.other in by_model):
                other = by_model.get(own.other) if own.other else None
                run, left = by_model[own.model], len(plan.departures)
                found.append(RegisteredOutcome(one, run, other, left))
    return found


def outcomes_in_short(outcomes: Sequence[RegisteredOutcome]) -> list[Said]:
    """What became of the hypotheses, for a headline: of many, how many became what."""
    left = max(one.departures for one in outcomes)
    more = [said("lead-departures", n=left)] if left else []
    confirmatory = all(one.result.confirmatory for one in outcomes)
    if len(outcomes) <= _MOST:
        return [*(outcome_in_words(one.result) for one in outcomes), *more]
    fates = Counter(one.result.fate for one in outcomes)
    each = [
        said(
            "lead-registered-some",
            n=n,
            fate=fate,
            names=[one.result.hypothesis.name for one in outcomes if one.result.fate == fate],
        )
        for fate, n in fates.items()
    ]
    many = said("lead-registered-many", n=len(outcomes), each=each, confirmatory=confirmatory)
    return [many, *more]


def registered_findings(outcomes: Sequence[RegisteredOutcome]) -> Iterator[Finding]:
    """A finding for each hypothesis, to stand before those of the page."""
    for one in outcomes:
        topic = "comparison" if one.other is not None else "score"
        words, confirmatory = outcome_in_words(one.result), one.result.confirmatory
        yield Finding(topic, said("finding-registered", each=[words], confirmatory=confirmatory))


def exploratory(
    found: Iterable[Finding], outcomes: Sequence[RegisteredOutcome], group: str, run: int | None
) -> Iterator[Finding]:
    """Findings, marked where they test again what was registered, and confirmed or not.

    Parameters
    ----------
    found : iterable of Finding
    outcomes : sequence of RegisteredOutcome
    group : str
        That of the headline.
    run : int or None
        Whose findings they are; None for those that compare runs.
    """
    outcomes = [one for one in outcomes if one.result.confirmatory]
    chance = [one for one in outcomes if one.run == run and one.of_chance(group)]
    pairs = {frozenset((one.run, one.other)): one for one in outcomes if one.of_runs(ALL)}
    for each in found:
        same: RegisteredOutcome | None = None
        match each.words.name:
            case "finding-accuracy":
                same = next(iter(chance), None)
            case "finding-better" | "finding-apart":
                runs = (each.show or {}).get("agree", "").split(":")[1:]
                same = pairs.get(frozenset(map(int, runs)))
            case "finding-ranking":
                same = next(iter(pairs.values()), None)
        if same is not None:
            words = said("finding-exploratory", text=each.words, name=same.result.hypothesis.name)
            each = msgspec.structs.replace(each, words=words)
        yield each
