"""A run that follows a registered plan, which refuses what departs from it, and may stop it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from zhiyin.contract.session_parts import SessionPart
from zhiyin.flags import Flag
from zhiyin.plugins.methods.plan import PLAN, PLAN_FILE

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings
    from zhiyin.engine.folder import Manifest
    from zhiyin.plugins.methods.plan import RegisteredPlan
    from zhiyin.plugins.methods.planned import StopRule
    from zhiyin.session.selection import Selection
    from zhiyin.trial import Trial


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
        from zhiyin.plugins.methods.plan import read_registered

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
