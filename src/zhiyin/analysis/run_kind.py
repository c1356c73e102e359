"""Kind of a run: the one place that knows models from what they are held against."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from zhiyin.engine.folder import Manifest
from zhiyin.engine.naming import people_in
from zhiyin.models.baselines import BASELINES

RunKind = Literal["model", "people", "listener", "constant", "baseline"]
"""A model; people; the reference listener; a model that gave one answer to (nearly) everything,
which is no better than a rule (see `constant.kind_of_answers`); a rule that sees and hears nothing.
"""
RULES: frozenset[RunKind] = frozenset({"constant", "baseline"})
"""What needs neither to see nor to hear for its figure: never best at anything."""
_LISTENER = "listener"


def kind_of_model(spec: str) -> RunKind:
    """Return the kind of what answers under the name that ``-m`` is given."""
    name = spec.partition(":")[0]
    return "baseline" if name in BASELINES else "listener" if name == _LISTENER else "model"


def kind_of_run(manifest: Manifest) -> RunKind:
    """Return the kind of who answered in a run."""
    return "people" if people_in(manifest) else kind_of_model(manifest.model)


def is_elsewhere(manifest: Manifest) -> bool:
    """Tell whether replies were given elsewhere and imported: what was played is not known."""
    return bool(manifest.options.get("imported"))


def contenders(kinds: Collection[RunKind]) -> set[RunKind]:
    """Choose the kinds that a headline speaks of; all others stand beside them for scale.

    Models and people, where there are any; else the reference listener; else models that gave one
    answer to everything; else baselines.

    Parameters
    ----------
    kinds : collection of RunKind
        Of the runs that have a figure.
    """
    if "model" in kinds or "people" in kinds:
        return {"model", "people"}
    return next(({kind} for kind in ("listener", "constant") if kind in kinds), {"baseline"})


def answerers(runs: int, people: int) -> str:
    """Name those who answered, for a heading: "models", "people", or "both".

    Parameters
    ----------
    runs, people : int
        How many runs there are, and how many of these hold answers of people.
    """
    if not people:
        return "models"
    return "people" if people == runs else "both"
