"""One model for all its runs: opened once, with one pool of slots and one pace."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec

from zhiyin.contract.settings import RunSettings
from zhiyin.cost.rates import Pace
from zhiyin.models import is_heavy, open_model
from zhiyin.record import Model as Answering
from zhiyin.record import Reply, Sampling
from zhiyin.suite.file import Model
from zhiyin.trial import Message, Trial


class SlotPace(Pace):
    """A pace that also limits how many calls are under way at once, over all runs.

    Parameters
    ----------
    slots : int
    requests, tokens : float, optional
        Of a minute.

    Attributes
    ----------
    under_way, most : int
        Calls now, and the most that there were.
    """

    def __init__(
        self, slots: int, requests: float | None = None, tokens: float | None = None
    ) -> None:
        super().__init__(requests, tokens)
        self._slots = asyncio.Semaphore(slots)
        self.under_way = self.most = 0

    async def wait(self, tokens: float) -> None:
        """Wait for a slot, and until a call may begin."""
        await self._slots.acquire()
        try:
            await super().wait(tokens)
        except BaseException:
            self._slots.release()
            raise
        self.under_way += 1
        self.most = max(self.most, self.under_way)

    def end(self, estimated: float, tokens: float | None) -> None:
        """A call has ended: its slot is free."""
        super().end(estimated, tokens)
        self.under_way -= 1
        self._slots.release()


class SharedModel:
    """A model that several runs ask, each as if it were its own.

    What else it has (see `zhiyin.models`) is that of the model itself.
    """

    def __init__(self, model: Answering, pace: Pace) -> None:
        self._model, self.shared_pace = model, pace
        self._checked: asyncio.Task[None] | None = None
        if hasattr(model, "on_headers"):
            model.on_headers = pace.learn

    def __getattr__(self, name: str) -> Any:
        if name == "_model":  # not there yet
            raise AttributeError(name)
        value = getattr(self._model, name)
        return self._check_once if name == "check" else value

    async def _check_once(self) -> None:
        """Make sure once that the model can be asked, however many runs call this."""
        own = getattr(self._model, "check", None)
        if own is not None and (self._checked is None or self._checked.cancelled()):
            self._checked = asyncio.ensure_future(own())
        if self._checked is not None:
            await asyncio.shield(self._checked)

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """One reply of the model."""
        return await self._model.generate(messages, sampling, trial)

    async def close(self) -> None:
        """A run is done with it; others are not."""

    async def end(self) -> None:
        """All runs are done with it."""
        await self._model.close()


class Holder:
    """Holds the models of a suite's entry for all its runs.

    Runs of one entry may set what a model is opened with (a seed of draws, how sound is sent):
    each such setting is a model of its own, and all share the entry's slots and pace.

    Parameters
    ----------
    entry : Model
    """

    def __init__(self, entry: Model) -> None:
        self.entry = entry
        self.heavy = is_heavy(entry.model)
        self._held: dict[bytes, SharedModel] = {}
        self._pace: SlotPace | None = None

    def share(self, order: RunSettings) -> RunSettings:
        """The same order, asked of the model that is held.

        Raises
        ------
        InputError
            When the entry names no model, or what it names cannot be opened.
        """
        assert isinstance(order.model, str)
        timeout, seed = order.limits.timeout_s, order.options.get("seed") or 0
        key = msgspec.json.encode((order.sound, None if self.heavy else (timeout, seed)))
        shared = self._held.get(key)
        if shared is None:
            model = open_model(
                order.model, timeout=timeout, seed=seed, concurrency=self.entry.slots,
                sound=order.sound,
            )  # fmt: skip
            if hasattr(model, "bind"):  # it answers from the trials of one run
                return order
            if self._pace is None:
                slots = self.entry.slots or model.concurrency
                self._pace = SlotPace(slots, self.entry.rpm, self.entry.tpm)
            shared = self._held[key] = SharedModel(model, self._pace)
        limits = msgspec.structs.replace(order.limits, concurrency=self.entry.slots or 0)
        return msgspec.structs.replace(order, model=shared, limits=limits)

    @property
    def pace(self) -> SlotPace | None:
        """What all calls go through; None before the first order."""
        return self._pace

    async def close(self) -> None:
        """Close all models that are held."""
        for shared in self._held.values():
            await shared.end()
        self._held.clear()
