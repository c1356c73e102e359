"""A plan that was there before the figures: hypotheses, and how they are to be tested.

A plan is written in TOML, and registered: what it asks of each model, the items and the fingerprint
of the data are looked up and kept with it in one file of JSON, whose SHA-256 names the plan.

A run that follows a registered plan, which refuses what departs from it, and may stop it.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from zhiyin.contract.session_parts import SessionPart
from zhiyin.errors import InputError, did_you_mean, system_words
from zhiyin.files import NOT_JSON
from zhiyin.flags import Flag
from zhiyin.parsing import read_toml_text
from zhiyin.record import State
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings
    from zhiyin.engine.folder import Manifest
    from zhiyin.plugins.methods.planned import StopRule
    from zhiyin.session.selection import Selection
    from zhiyin.trial import Trial


PLAN = "plan"
"""In a manifest's config: the SHA-256 of the registered plan that a run follows."""
PLAN_FILE = "plan.json"
"""The copy of that plan in the run's folder."""
Direction = Literal["greater", "less", "different"]
Flags = dict[str, bool | int | float | str | list[bool | int | float | str]]
_CHANCE = "chance"
_OTHERS = ("people", "humans", "human", "listeners")
_MISSING = re.compile(r"^Object missing required field `(\w+)`")


class Hypothesis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hypothesis on a model's share of right answers, or on the mean of a named score.

    Attributes
    ----------
    name : str
    model : str
        One of the plan's.
    smallest : float
        The smallest effect of interest: in percentage points, or on the scale of `score`.
    than : float or str
        A share in per cent or a mean on the scale of `score`, another model of the plan, or
        "chance".
    direction : {"greater", "less", "different"}
    group : str
        Of the benchmark's groups; "all" for the whole.
    says : str
        The hypothesis in the researcher's own words.
    score : str
        A named score of the verdicts, such as a judge's grade; "" for right or not.
    scale : (float, float) or None
        The lowest and the highest value of `score`; None for (0, 1).
    """

    name: str
    model: str
    smallest: Annotated[float, msgspec.Meta(gt=0)]
    than: float | str = _CHANCE
    direction: Direction = "greater"
    group: str = "all"
    says: str = ""
    score: str = ""
    scale: tuple[float, float] | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest value that there can be."""
        return self.scale or ((0.0, 1.0) if self.score else (0.0, 100.0))

    @property
    def least(self) -> float:
        """The smallest effect of interest, of 1."""
        low, high = self.ends
        return self.smallest / (high - low)

    def of_one(self, value: float) -> float:
        """A value on its scale, of 1."""
        low, high = self.ends
        return (value - low) / (high - low)

    @property
    def other(self) -> str:
        """The model that it is compared with; "" for none."""
        return self.than if isinstance(self.than, str) and self.than != _CHANCE else ""


class PlanContents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan as it is written.

    Attributes
    ----------
    benchmark : str
        As after ``zhiyin run``.
    models : list of str
        As after ``-m``.
    hypotheses : list of Hypothesis
    title : str
    n : int or None
        Items drawn at random; None for all. With `stop` = "always-valid" the most.
    seed : int
    reader, judge : str
        The extraction policy, and the judge, where another one than the benchmark's own is wanted.
    exclude : list of str
        States whose trials do not count, besides "error": "truncated", "refused", "no_answer".
    stop : {"n", "always-valid"}
        After `n` items; or as soon as all hypotheses of a run are decided by a test that is valid
        however often one looks.
    correction : {"holm", "bonferroni", "none"}
        For several hypotheses.
    alpha : float
    fingerprint : str
        Of the data, or the beginning of it; "" for that of the data that are here.
    flags : dict
        Further flags of ``zhiyin run``, without the dashes before.
    """

    benchmark: str
    models: Annotated[list[str], msgspec.Meta(min_length=1)]
    hypotheses: Annotated[list[Hypothesis], msgspec.Meta(min_length=1)]
    title: str = ""
    n: Annotated[int, msgspec.Meta(ge=2)] | None = None
    seed: int = 0
    reader: str = ""
    judge: str = ""
    exclude: list[Literal["truncated", "refused", "no_answer"]] = []
    stop: Literal["n", "always-valid"] = "n"
    correction: Literal["holm", "bonferroni", "none"] = "holm"
    alpha: Annotated[float, msgspec.Meta(gt=0, lt=0.5)] = 0.05
    fingerprint: str = ""
    flags: Flags = {}

    @property
    def sequential(self) -> bool:
        """True if runs stop by themselves."""
        return self.stop == "always-valid"

    @property
    def excluded(self) -> frozenset[State]:
        """States whose trials do not count."""
        return frozenset[State]({"error", "ungraded", *self.exclude})

    @property
    def level(self) -> float:
        """Level of each hypothesis, so that all hold together whatever the others' results."""
        return self.alpha if self.correction == "none" else self.alpha / len(self.hypotheses)

    def words(self, model: str) -> list[str]:
        """List the words after ``zhiyin run`` for one of its models."""
        words = [self.benchmark, "-m", model]
        own = {"sample": self.n, "seed": self.seed or None, "extract": self.reader or None}
        for name, value in {**own, "judge": self.judge or None, **self.flags}.items():
            for one in value if isinstance(value, list) else [value]:
                if one is not None and one is not False:
                    words.append(f"--{name}")
                    words += [] if one is True else [str(one)]
        return words


class RegisteredPlan(msgspec.Struct, frozen=True):
    """A plan with what it came to when it was registered.

    Attributes
    ----------
    plan : PlanContents
    at, zhiyin : str
        When, and by which version.
    benchmark_version, data : str
        The latter is the fingerprint.
    items, clusters, largest : int
        How many are to be asked at most, and how many items the largest cluster has.
    chance : dict of str to float
        By group: what guessing gets, of 1.
    configs : dict of str to dict
        By model: all that makes its run what it is.
    codes : dict of str to str
        By model of yours in Python: the SHA-256 of its file.
    counts : dict of str to int
        By hypothesis of a plan that stops by itself: as how many items a cluster counts at most.
    """

    plan: PlanContents
    at: str
    zhiyin: str
    benchmark_version: str
    data: str
    items: int
    clusters: int
    largest: int
    chance: dict[str, float]
    configs: dict[str, dict[str, Any]]
    codes: dict[str, str] = {}
    counts: dict[str, int] = {}
    format: str = "zhiyin plan 1"

    def encode(self) -> bytes:
        """The bytes of its file."""
        facts = msgspec.to_builtins(self)
        for name in ("codes", "counts"):
            if not facts[name]:  # as before there were any: the sum of an older plan stays
                del facts[name]
        return msgspec.json.format(msgspec.json.encode(facts, order="sorted"), indent=1) + b"\n"

    @property
    def sha256(self) -> str:
        """Hash by which runs name it."""
        return hashlib.sha256(self.encode()).hexdigest()


def read_plan(place: Path) -> PlanContents:
    """A plan from its file of TOML. Raises `InputError` with what is wrong in it."""
    try:
        plan = msgspec.convert(read_toml_text(place.read_bytes()), PlanContents)
    except OSError as error:
        raise InputError(said("plan-unread", place=place, strerror=system_words(error))) from None
    except (ValueError, msgspec.ValidationError) as error:
        why = _MISSING.sub(r"it lacks `\1`", str(error)).replace("`$.", "`")
        raise InputError(said("plan-none", place=place, why=why)) from None
    if faults := [*_faults(plan)]:
        raise InputError(said("error-at", where=place, why=faults[0]))
    return plan


def _faults(plan: PlanContents) -> Iterator[str]:
    names = [one.name for one in plan.hypotheses]
    if twice := next((name for name in names if names.count(name) > 1), None):
        yield f"two hypotheses are called {twice!r}: give each a name of its own"
    taken = {"sample", "limit", "seed", "extract", "judge", "model", "plan", "out", "private-seed"}
    if named := sorted(taken & plan.flags.keys()):
        yield f"flags.{named[0]}: a plan has a key of its own for it, or none: leave it out there"
    for one in plan.hypotheses:
        for model in (one.model, one.other):
            if model and model not in plan.models:
                hint = str(did_you_mean(model, plan.models))
                if model in _OTHERS:
                    hint = f"{model} are no model: give their share in per cent, a known number"
                yield f"hypothesis {one.name!r}: {model!r} is not among the models: {hint}"
        if one.model == one.other:
            yield f"hypothesis {one.name!r}: compares {one.model} with itself"
        yield from (f"hypothesis {one.name!r}: {fault}" for fault in _faults_of_scale(one))


def _faults_of_scale(own: Hypothesis) -> Iterator[str]:
    low, high = own.ends
    if own.scale and not own.score:
        yield "`scale` is that of a `score`: name the score, or leave the scale out"
    elif not low < high:
        yield f"the scale from {low:g} to {high:g} has no width: give the lower end first"
    elif own.least >= 1:
        yield f"`smallest` is {own.smallest:g}, as wide as the scale from {low:g} to {high:g}"
    elif own.score and own.than == _CHANCE:
        yield f"guessing gets no known {own.score}: give `than`, a mean or another model"
    elif not isinstance(own.than, str) and not low <= own.than <= high:
        yield f"`than` is {own.than:g}, outside the scale from {low:g} to {high:g}"


def read_registered(place: Path) -> RegisteredPlan:
    """A registered plan. Raises `InputError` where it is none, or was changed since."""
    try:
        data = place.read_bytes()
        found = msgspec.json.decode(data, type=RegisteredPlan)
    except OSError as error:
        raise InputError(said("plan-no-registered", place=place, why=system_words(error))) from None
    except NOT_JSON:
        raise InputError(said("plan-unregistered", place=place)) from None
    if found.encode() != data:
        raise InputError(said("plan-changed", place=place))
    return found


class PlanFile(msgspec.Struct, frozen=True):
    """The plan of a run.

    Attributes
    ----------
    plan : FILE
        a plan that `zhiyin plan --register` wrote: what departs from it is refused
    """

    plan: Annotated[str, Flag(elsewhere="a plan names its own models", typed=True)]


class FollowedPlan(SessionPart):
    """The plan of a run."""

    Settings = PlanFile
    files = (PLAN_FILE,)
    rule: StopRule | None = None

    @cached_property
    def registered(self) -> RegisteredPlan:
        """The plan. Raises `InputError` where the file holds none."""
        return read_registered(Path(self.settings.plan))

    @property
    def at_random(self) -> bool:  # type: ignore[override]
        """True if it stops the run: a beginning of the trials must be a sample of them."""
        return self.registered.plan.sequential

    @classmethod
    def restore(cls, manifest: Manifest, folder: Path | None) -> PlanFile | None:
        """The copy in the run's folder."""
        if PLAN not in manifest.config:
            return None
        return PlanFile(os.fspath(folder / PLAN_FILE) if folder else "FILE")

    @classmethod
    def verify(cls, folder: Path, manifest: Manifest) -> None:
        """The plan in the folder is the one that the run names."""
        if PLAN in manifest.config:
            from zhiyin.plugins.methods.hypotheses import plan_of

            plan_of(folder, manifest)

    def describe(self, manifest: Manifest) -> None:
        """Name the plan in a manifest. Raises `InputError` where it would ask anything else."""
        from zhiyin.plugins.methods.planned import refuse_departures

        refuse_departures(self.registered, manifest, self.settings.plan)

    def begin(self, order: RunSettings, selection: Selection, folder: Path) -> None:
        """Put a copy into the folder."""
        from zhiyin.models.endpoint import written
        from zhiyin.plugins.methods.planned import StopRule, copy_plan

        copy_plan(Path(self.settings.plan), folder)
        if self.at_random:
            self.rule = StopRule(self.registered, selection, folder, written(str(order.model)))

    def trials(self) -> Iterable[Trial] | None:
        """Return the trials that are asked until the hypotheses are decided."""
        return self.rule

    def end(self, manifest: Manifest, trials: int) -> None:
        """Say why the run is over."""
        if self.rule and self.rule.ended:
            from zhiyin.words.findings import kept

            manifest.planned = trials
            manifest.remarks += kept([self.rule.told(trials)])
