"""Models that answer by other ways than call by call: on a cluster's workers, in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

import msgspec

from zhiyin.contract.session_parts import SessionPart
from zhiyin.errors import InputError
from zhiyin.plugins.local.on_ray import Cluster
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings
    from zhiyin.record import Model
BATCHES = "batches.jsonl"


class OnWorkers(SessionPart):
    """A model on the workers of a Ray cluster."""

    Settings = Cluster
    title = "on the workers of a Ray cluster (docs/cluster.md)"
    rehearses = False

    def refuse(self, order: RunSettings) -> None:
        """Batches are no work for workers."""
        if order.spending.batch:
            raise InputError(said("local-batch-ray"))

    def open(self, order: RunSettings) -> Model | None:
        """The model of an order, on the workers. Nothing is reached yet."""
        if not isinstance(order.model, str):
            return None
        from zhiyin.models import Setting
        from zhiyin.plugins.local.on_ray.model import RayModel

        limits = order.limits
        sound = msgspec.structs.replace(order.sound, join=None)
        setting = Setting(limits.timeout_s, order.seed, sound=sound)
        each, keeps = limits.concurrency or None, order.spending.cache != "off"
        return cast("Model", RayModel(order.model, self.settings, setting, each, keeps=keeps))


class InBatches(SessionPart):
    """Requests go to the provider's batches: ``--batch`` is a setting of what is spent."""

    files = (BATCHES,)

    @classmethod
    def of(cls, order: RunSettings) -> Self | None:
        """Return the part of an order with ``--batch``; None for any other."""
        return cls() if order.spending.batch else None

    def wrap(self, model: Model) -> Model:
        """The same model behind its provider's batches. Raises `InputError` where it has none."""
        from zhiyin.plugins.local.batch_model import batched

        return batched(model)
