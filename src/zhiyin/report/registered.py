"""Outcomes of predictions registered before the runs, ahead of what the page tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from zhiyin.analysis.parts import Finding, Prediction, Registration
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import ALL
from zhiyin.words import Said, said

_MOST = 2
"""Of more predictions a headline says how many became what."""


class RegisteredOutcome(msgspec.Struct, frozen=True):
    """Outcome of a prediction, and the runs of a page that it speaks of.

    Attributes
    ----------
    prediction : Prediction
    run : int
    other : int or None
        The run that it is compared with; None for chance or a share.
    departures : int
        In how much the runs of its plan are not what was planned.
    """

    prediction: Prediction
    run: int
    other: int | None = None
    departures: int = 0

    def of_chance(self, group: str) -> bool:
        """Tell whether it asks if the share of right answers in a group is that of guessing."""
        return self.prediction.than == "chance" and self.prediction.group == group

    def of_runs(self, group: str) -> bool:
        """Tell whether it compares the right answers of two runs of the page in a group."""
        return self.prediction.than == "run" and self.prediction.group == group


def outcomes_of(
    registrations: Sequence[Registration], runs: Mapping[int, Manifest]
) -> list[RegisteredOutcome]:
    """The predictions that speak of some runs, by their numbers on the page."""
    found = []
    for registration in registrations:
        by_model: dict[str, int] = {}
        for number, manifest in runs.items():
            if registration.key in manifest.config.values():
                by_model.setdefault(manifest.spec, number)
        for one in registration.predictions:
            if one.model in by_model and (not one.other or one.other in by_model):
                other = by_model.get(one.other) if one.other else None
                left = len(registration.departures)
                found.append(RegisteredOutcome(one, by_model[one.model], other, left))
    return found


def outcomes_in_short(outcomes: Sequence[RegisteredOutcome]) -> list[Said]:
    """Summarize the hypotheses for a headline: of many, how many became what."""
    left = max(one.departures for one in outcomes)
    more = [said("lead-departures", n=left)] if left else []
    confirmatory = all(one.prediction.confirmatory for one in outcomes)
    if len(outcomes) <= _MOST:
        return [*(one.prediction.words for one in outcomes), *more]
    fates = Counter(one.prediction.fate for one in outcomes)
    each = [
        said(
            "lead-registered-some",
            n=n,
            fate=fate,
            names=[one.prediction.name for one in outcomes if one.prediction.fate == fate],
        )
        for fate, n in fates.items()
    ]
    many = said("lead-registered-many", n=len(outcomes), each=each, confirmatory=confirmatory)
    return [many, *more]


def registered_findings(outcomes: Sequence[RegisteredOutcome]) -> Iterator[Finding]:
    """A finding for each hypothesis, to stand before those of the page."""
    for one in outcomes:
        topic = "comparison" if one.other is not None else "score"
        words, confirmatory = one.prediction.words, one.prediction.confirmatory
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
    outcomes = [one for one in outcomes if one.prediction.confirmatory]
    chance = [one for one in outcomes if one.run == run and one.of_chance(group)]
    pairs = {frozenset((one.run, one.other)): one for one in outcomes if one.of_runs(ALL)}
    for each in found:
        same: RegisteredOutcome | None = None
        match each.words.name if isinstance(each.words, Said) else "":
            case "finding-accuracy":
                same = next(iter(chance), None)
            case "finding-better" | "finding-apart":
                runs = (each.show or {}).get("agree", "").split(":")[1:]
                same = pairs.get(frozenset(map(int, runs)))
            case "finding-ranking":
                same = next(iter(pairs.values()), None)
        if same is not None:
            words = said("finding-exploratory", text=each.words, name=same.prediction.name)
            each = msgspec.structs.replace(each, words=words)
        yield each
