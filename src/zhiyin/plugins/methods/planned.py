"""Runs that follow a plan: it is registered before them, kept with them, and stops them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from zhiyin import __version__
from zhiyin.contract.question_table import with_equal_options
from zhiyin.contract.registry import blaming, given
from zhiyin.contract.resolved import resolved
from zhiyin.contract.session_parts import SessionPart, parts_of
from zhiyin.contract.settings import RunSettings
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import ALL, counted_under
from zhiyin.errors import InputError, reworded
from zhiyin.files import write_atomically
from zhiyin.models.endpoint import written
from zhiyin.numerals import now
from zhiyin.plugins.methods.betting import counts_as, prospect
from zhiyin.plugins.methods.hypotheses import null_of, results_of, runs_of
from zhiyin.plugins.methods.plan import PLAN, PLAN_FILE, Hypothesis, PlanContents, RegisteredPlan
from zhiyin.plugins.methods.planning import pair_apart
from zhiyin.runs.pairing import differing
from zhiyin.runs.rows import rows_of
from zhiyin.runs.ways import gold_of
from zhiyin.session.selection import Selection, item_of
from zhiyin.session.setup import opened
from zhiyin.trial import Trial
from zhiyin.words import Said, said
from zhiyin.words.findings import StoppedByPlan

_EACH = 0.05
"""A run is looked at again when it has grown by this share."""


async def register(
    plan: PlanContents, orders: Mapping[str, RunSettings], tell: Callable[[Said], None]
) -> RegisteredPlan:
    """Resolve a plan. Nothing is asked.

    Parameters
    ----------
    plan : PlanContents
    orders : mapping of str to RunSettings
        What is to be run of each model.
    tell : callable
        Takes what is to be known of the questions before they are asked.

    Raises
    ------
    InputError
        For anything in it that the user can mend.
    """
    configs, codes = {}, {}
    found: _PlannedTrials | None = None
    for model, order in orders.items():
        if written(model) != model:
            raise InputError(said("plan-key", written=written(model)))
        kind = given(order.benchmark)
        with blaming(kind):
            async with opened(order, kind, [*parts_of(order), _ToRegister(plan)]) as ready:
                configs[ready.manifest.spec] = ready.manifest.config
                if code := ready.manifest.decoding.get("code"):
                    codes[ready.manifest.spec] = code
                found = found or _PlannedTrials(ready.selection)
    assert found is not None
    if twins := with_equal_options(found.options):
        tell(twins)
    first = next(iter(configs.values()))
    if not str(first["data"]).startswith(plan.fingerprint):
        raise InputError(
            said("plan-fingerprint", first=first["data"][:16], fingerprint=plan.fingerprint[:16])
        )
    chance, counts = found.chances(plan), dict[str, int]()
    if plan.sequential:
        for own in plan.hypotheses:
            counts[own.name] = found.foreseen(own, chance, plan.level, tell)
    return RegisteredPlan(
        plan, at=now(), zhiyin=__version__, benchmark_version=str(first["benchmark_version"]),
        data=first["data"], items=len(found.clusters),
        clusters=len(set(found.clusters.values())), largest=found.largest,
        chance=chance, configs=configs, codes=codes, counts=counts,
    )  # fmt: skip


class _ToRegister(SessionPart):
    """A plan that is about to be registered."""

    def __init__(self, plan: PlanContents) -> None:
        super().__init__()
        self.at_random = plan.sequential


class _PlannedTrials:
    """Facts of the trials of a plan."""

    def __init__(self, selection: Selection) -> None:
        self.clusters: dict[str, str] = {}
        self.options: list[tuple[str, list[str]]] = []
        self._options: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for trial in selection.known():
            item = item_of(trial)
            self.clusters[item] = item if trial.cluster is None else f"cluster {trial.cluster}"
            self.options.append((trial.id, [option.text for option in trial.options]))
            gold = gold_of(trial.options, trial.target, trial.tags)
            sets = gold is None and trial.target is not None  # of which each may be right
            for group in {ALL, *counted_under(trial.groups)}:
                self._options[group][item].append(0 if sets else len(trial.options))

    @property
    def largest(self) -> int:
        return max(Counter(self.clusters.values()).values())

    def foreseen(
        self, own: Hypothesis, chance: dict[str, float], level: float, tell: Callable[[Said], None]
    ) -> int:
        """Returns as how many items a cluster is to count, and tells what can be found by that."""
        sizes = [*Counter(self.clusters[item] for item in self._options[own.group]).values()]
        null, least, discordant = null_of(own, chance), own.least, None
        if null is None:  # a difference is put on a scale from 0 to 1
            null, least, discordant = 0.5, least / 2, pair_apart(0.5, 0.0, 0.5).discordant
        most = counts_as(sizes, least, 0.25 if discordant is None else discordant / 4)
        effect = -least if own.direction == "less" else least
        two = level / 2 if own.direction == "different" else level
        seen = prospect(sizes, most, null, effect, two, discordant)
        wide = 1 if own.other == "" else 2
        tell(
            said(
                "plan-prospect", name=own.name, smallest=own.least, found=seen.found, by=seen.by,
                of=len(self._options[own.group]), most=most if most < max(sizes) else None,
                least=None if seen.least is None else wide * seen.least,
            )
        )  # fmt: skip
        return most

    def chances(self, plan: PlanContents) -> dict[str, float]:
        """Return the score of guessing in the groups that are compared with it."""
        found = {}
        for own in plan.hypotheses:
            if own.group not in self._options:
                raise InputError(said("plan-no-item", own=repr(own.name), group=repr(own.group)))
            than, (low, high) = own.than, own.ends
            if than == "chance":
                items = self._options[own.group].values()
                if not all(min(each) for each in items):
                    raise InputError(said("plan-no-chance", own=repr(own.name)))
                shares = [sum(1 / k for k in each) / len(each) for each in items]
                found[own.group] = sum(shares) / len(shares)
                than = 100 * found[own.group]
            if (
                not isinstance(than, str)
                and not low <= than + _toward(own.direction, own.smallest) <= high
            ):
                raise InputError(said(
                    "plan-beyond", own=repr(own.name), smallest=own.smallest, than=than, low=low,
                    high=high,
                ))  # fmt: skip
        return found


def _toward(direction: str, smallest: float) -> float:
    return -smallest if direction == "less" else smallest


def refuse_departures(registered: RegisteredPlan, manifest: Manifest, place: str) -> None:
    """Name the plan in a manifest. Raises `InputError` where it would ask anything else.

    Parameters
    ----------
    registered : RegisteredPlan
    manifest : Manifest
    place : str
        The plan's file.
    """
    planned = registered.configs.get(manifest.spec)
    if planned is None:
        models = ", ".join(registered.configs)
        raise InputError(
            said("plan-no-model", place=place, spec=manifest.spec or manifest.model, models=models)
        )
    other = differing(("planned", "now"), [resolved(manifest, planned), resolved(manifest)])
    if other:
        names = sorted(other, key=lambda name: name == "data")  # which follows from others
        each = [(name, *map(_planned_value, other[name].values())) for name in names[:3]]
        shown = "; ".join(f"{name} {planned}, not {now}" for name, planned, now in each)
        raise InputError(said("plan-shown", place=place, shown=shown))
    manifest.config[PLAN] = registered.sha256


def _planned_value(value: object) -> str:
    return "left out" if value is None else str(value)


def copy_plan(source: Path, folder: Path) -> None:
    """Put a plan, where there is one, into the folder of a run."""
    target = folder / PLAN_FILE
    if source.is_file() and source.resolve() != target.resolve():
        write_atomically(target, source.read_bytes())


class StopRule:
    """Trials of a run that stops as soon as its plan's hypotheses are decided.

    They are asked in an order at random. What is looked at is always a beginning of that order,
    however soon later ones were answered: quick answers are not like slow ones.

    Attributes
    ----------
    ended : bool
        Whether the run was stopped.
    """

    def __init__(
        self, plan: RegisteredPlan, selection: Selection, folder: Path, model: str
    ) -> None:
        self._plan, self._selection, self._folder = plan, selection, folder
        self._model, self.ended, self._looked = model, False, 0
        self._names: list[str] = []

    def __iter__(self) -> Iterator[Trial]:
        trials = [*self._selection]
        for number, trial in enumerate(trials):
            if number - self._looked >= max(1, _EACH * number):
                self._looked = number
                if self.decided(trials):
                    self.ended = True
                    return
            yield trial

    def decided(self, trials: list[Trial]) -> bool:
        """Tell whether the answers decide all hypotheses that the run has a part in."""
        items = self.beginning(trials)
        if not items:
            return False
        runs = runs_of(self._plan, [self._folder])
        found = results_of(self._plan, runs, items, whole=False)
        own = [one for one in found if self._model in (one.hypothesis.model, one.hypothesis.other)]
        self._names = [one.hypothesis.name for one in own]
        return bool(own) and all(one.decided for one in own)

    def beginning(self, trials: list[Trial]) -> set[str]:
        """The items before the first trial that is still open, but for those of its cluster."""
        answered = {row.id for row in rows_of(self._folder)}
        place = next((n for n, one in enumerate(trials) if one.id not in answered), len(trials))
        open_ = trials[place] if place < len(trials) else None
        return {item_of(one) for one in trials[:place] if not _together(one, open_)}

    def told(self, n: int) -> StoppedByPlan:
        """Return the note on a run that was stopped after `n` trials."""
        names = tuple(self._names)
        return StoppedByPlan(n=n, of=len(self._selection), names=names, severity="note")


def _together(one: Trial, other: Trial | None) -> bool:
    """Tell whether two trials are of one item or one cluster."""
    if other is None:
        return False
    same = one.cluster is not None and one.cluster == other.cluster
    return same or item_of(one) == item_of(other)


def registered_name(place: Path) -> Path:
    """Return the path of a registered plan, beside its file."""
    return place.with_name(f"{re.sub(r'[.]toml$', '', place.name)}.plan.json")


def write_registered(plan: RegisteredPlan, place: Path) -> None:
    """Write a registered plan into a new file. Raises `InputError` where there is one."""
    if place.exists():
        raise InputError(said("plan-there", place=place))
    with reworded(f"{place}: ", ": name another --out"):
        write_atomically(place, plan.encode(), synced=True)
