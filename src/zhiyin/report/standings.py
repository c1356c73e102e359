"""Status of runs on the first screen of a report, as facts; and of predictions made before them.

How much of its benchmark a run was asked, and whether it has a figure, is a word each. A run may be
done and yet a part; it may be stopped and yet have a figure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from zhiyin.analysis.comparison import Side
from zhiyin.analysis.coverage import Coverage
from zhiyin.analysis.parts import Finding, Prediction, Registration
from zhiyin.analysis.run import RunKind
from zhiyin.analysis.within import ConditionGap, FavouredLetter
from zhiyin.engine.folder import Manifest
from zhiyin.record import State
from zhiyin.report.findings import ALPHA
from zhiyin.runs.figures import ByItself, GroupFigures, Guess
from zhiyin.runs.measures import ACCURACY, Measure
from zhiyin.words import Said, Text, naming, said

CoverageWord = Literal["whole", "part", "other items", "unknown"]
"""All published items; some of them; none of them, but others; nobody says what the whole is."""
RunFigure = Literal[
    "judged", "dead", "altered", "ungraded", "unscored", "measured", "outside", "unread", "empty"
]
"""Whether a run has its benchmark's headline figure, and if not, why.

"judged": it has. "dead": every trial failed. "altered": it was asked in other ways than the main
one alone. "ungraded": its replies have no right answer, and nobody judged them. "unscored": its
questions have a figure, but its texts are not judged as those of the others are. "measured": its
replies are no right or wrong ones either, and its benchmark has figures of its own for them.
"outside": it was asked nothing of the headline's group. "unread": no reply holds an answer that the
headline's figure could be of. "empty": nothing was answered yet.
"""


def coverage_word(coverage: Coverage, group: str) -> CoverageWord:
    """Return how much of a group was asked."""
    if coverage.unknown:
        return "unknown"
    if coverage.whole(group):
        return "whole"
    return "other items" if coverage.on_other_items else "part"


def figure_of(
    figures: Mapping[str, GroupFigures],
    group: str,
    states: Mapping[State, int],
    *,
    altered: bool,
    measures: bool,
) -> RunFigure:
    """Tell whether a run has a figure of a group, and if not, why.

    Parameters
    ----------
    figures : mapping
        By group.
    group : str
        That of the benchmark's headline.
    states : mapping
        How many trials ended in each state.
    altered : bool
        Whether the run was asked in other ways than the main one alone.
    measures : bool
        Whether the benchmark has figures of its own for replies that are neither right nor wrong.
    """
    if group in figures and figures[group].n:
        return "judged"
    if altered:
        return "altered"
    trials = sum(states.values())
    if trials and states["error"] == trials:
        return "dead"
    if any(own.n for own in figures.values()):
        return "outside"
    if states["ungraded"]:
        return "measured" if measures else "ungraded"
    return "empty"


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
    pairs = {frozenset((one.run, one.other)): one for one in outcomes if one.of_runs(group)}
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


SAME = 1e-9
"""Figures that differ by less are the same."""
LEAST_CLUSTERS = 5
"""Tests on no more clusters show nothing, however large the difference."""
_SCARCE = 10
"""Runs that share fewer items are not compared, where they have more of their own."""


class CanaryFailed(msgspec.Struct, frozen=True):
    """A canary that a model failed: how many of its questions were right."""

    right: int
    asked: int


class PublishedMark(msgspec.Struct, frozen=True):
    """A published row's headline figure, in [0, 1]."""

    name: str
    kind: str
    value: float
    date: str = ""

    @property
    def dated(self) -> str:
        """Its name and when it was published."""
        dated = said("published-dated", name=self.name, date=self.date)
        return naming(dated) if self.date else self.name


class Standing(msgspec.Struct):
    """One run on the five questions.

    Attributes
    ----------
    run : int
    kind : RunKind
        Who answered.
    state : RunFigure
        See `progress.RunFigure`.
    value, low, high : float or None
        The headline figure in [0, 1] with its 95 % interval.
    n : int
        Items (songs, where scores are made of parts) that it rests on.
    chance : float or None
        What guessing gets of it.
    guess : {"better", "worse", "open", "untold", "free"}
        Whether the figure is above or below `chance`, by its interval and by a test; "open": the
        interval lies around it; "untold": it does not, but the test says nothing; "free": there
        is none.
    by_itself : ByItself or None
        What it shows against chance by itself, and not after correction for the page's runs.
    registered : RegisteredOutcome or None
        What became of a registered hypothesis on the same figure and chance.
    clusters : int or None
        What the items hang together in; None where each stands alone.
    listening : list of ConditionGap
    heard : bool
        Whether any of its trials had sound.
    canary : dict of str to CanaryFailed
        Those that its model failed, by medium.
    letter : FavouredLetter or None
    coverage : CoverageWord
        How much of the benchmark the figure is over.
    set_otherwise : bool
        Whether its settings chose less, or something else, than is asked by default.
    unfit : int
        Trials that were left out, since they do not apply to the model.
    apart : Said or None
        Why it is not the whole.
    unread, errors, trials, planned : int
    main : dict of str to int
        How many trials of the main way (of all, where there are none) ended in each state.
    alone : str
        The conditions of a run that was asked in no other way.
    by : str
        Who judged, where the figure is a judge's.
    finished : bool
        Whether every planned trial has a verdict.
    ranked : bool
        Whether it is compared with others: unfinished runs are not where another is finished.
    for_scale : bool
        Whether it is a baseline, or the listener, beside runs of which the headline speaks.
    elsewhere : bool
        Whether its answers were given elsewhere and imported: what was played is not known.
    mute : bool
        Whether the figure is over replies of which none holds a readable answer.
    kept, replies : int
        How many replies an earlier run asked for, of how many.
    measured : str, Said or None
        What was measured of a run that is not marked right or wrong, in a clause.
    notes : tuple of Text
        What the reader of its figure must know.
    """

    run: int
    kind: RunKind
    state: RunFigure
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    chance: float | None = None
    guess: Guess = "free"
    by_itself: ByItself | None = None
    registered: RegisteredOutcome | None = None
    clusters: int | None = None
    listening: list[ConditionGap] = []
    heard: bool = False
    canary: dict[str, CanaryFailed] = {}
    letter: FavouredLetter | None = None
    coverage: CoverageWord = "part"
    set_otherwise: bool = False
    unfit: int = 0
    apart: Said | None = None
    main: dict[str, int] = {}
    unread: int = 0
    errors: int = 0
    trials: int = 0
    planned: int = 0
    alone: str = ""
    by: str = ""
    finished: bool = True
    ranked: bool = True
    for_scale: bool = False
    elsewhere: bool = False
    mute: bool = False
    kept: int = 0
    replies: int = 0
    measured: Text | None = None
    notes: tuple[Text, ...] = ()


class Contest(msgspec.Struct):
    """The best run against another.

    `mean`, `low`, `high` say by how much the best is better; `best` and `second` the figures of
    the two on the `items` that were compared, which hang together in so many `clusters`.
    """

    other: int
    mean: float
    low: float
    high: float
    p: float
    items: int
    clusters: int
    best: float
    second: float

    @property
    def won(self) -> bool:
        """True if the best is shown to be better."""
        return self.p < ALPHA and self.mean > 0

    @property
    def side(self) -> Side:
        """Where the other one is shown to be."""
        return "below" if self.won else "above" if self.p < ALPHA and self.mean < 0 else "open"

    @property
    def level(self) -> bool:
        """True if the two have the same figure."""
        return abs(self.mean) < SAME


class Lead(msgspec.Struct):
    """First-screen facts of one benchmark.

    Attributes
    ----------
    figure, group : str
        The headline figure ("accuracy", "f1", "score:NAME", "total") and its group.
    title : str
        The group in plain words; empty for the whole.
    standings : list of Standing
        One for each run, best first; those without a figure last.
    best : int or None
        The run that is spoken of first; None where none has a figure.
    contests : list of Contest
        Of the best with each other run that it can be compared with.
    shared : int
        Items on which the runs were ranked; 0 where they have none in common.
    own : bool
        Whether those items are all that each run was judged on, so that its own figure is the one
        that was compared.
    at_chance : list of Text
        Labels of main groups in which no run is significantly better than chance.
    unit : str
        "items" or "songs".
    published : list of PublishedMark
        Comparable ones, best first.
    published_otherwise : Said or None
        How many comparable rows have no figure of the headline, and one of them.
    registered : list of RegisteredOutcome
        What became of the registered hypotheses that speak of these runs.
    measure : Measure
        What the figure is a value of.
    rule : int or None
        The baseline with the best figure; None where no model was tested against one.
    ruled : list of Contest
        Of it with each model.
    parts : list of Lead
        The same of the runs of each way of asking, where they were asked in several: those of most
        runs first, whose best run and contests stand here, too.
    """

    figure: str
    group: str
    title: Text
    standings: list[Standing]
    best: int | None = None
    contests: list[Contest] = []
    shared: int = 0
    own: bool = True
    at_chance: list[Text] = []
    unit: str = "items"
    published: list[PublishedMark] = []
    published_otherwise: Said | None = None
    registered: list[RegisteredOutcome] = []
    measure: Measure = ACCURACY
    rule: int | None = None
    ruled: list[Contest] = []
    parts: list[Lead] = []

    @property
    def each(self) -> list[Lead]:
        """A lead for each way of asking."""
        return self.parts or [self]

    @property
    def sign(self) -> int:
        """1 where more is better, -1 where less is."""
        return -1 if self.measure.lower_is_better else 1

    def height(self, own: Standing) -> float:
        """The figure of a run, more of which is better."""
        return self.sign * (own.value or 0.0)

    @property
    def able(self) -> list[Standing]:
        """The runs that a headline speaks of."""
        judged = (own for own in self.standings if own.state == "judged" and own.ranked)
        return [own for own in judged if not own.for_scale]

    @property
    def scarce(self) -> bool:
        """True if runs have a few items in common, and far more of their own."""
        least = min([own.n for own in self.able if own.value], default=0)
        return 0 < self.shared < _SCARCE and self.shared < least
