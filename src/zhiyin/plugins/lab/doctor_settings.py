"""Tests of whether a model follows settings: one random question, asked under several."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from zhiyin.errors import InputError
from zhiyin.models.capabilities import SETTINGS, capabilities_of
from zhiyin.plugins.lab.diagnosis import ProbeFinding, about
from zhiyin.record import Model, Record, Reply, Sampling
from zhiyin.session.canary import drawings, words
from zhiyin.trial import Trial
from zhiyin.words import said

_RANDOM = "Write twelve lower-case letters, drawn at random, in a row and nothing else."
_LONG = "Count from one to three hundred in digits, with a space between the numbers."
_DRAWS = 3
_LIMIT = 16
"""Tokens of a reply that is to be cut."""


class SettingTrials:
    """Asks one random question under several settings, and compares the replies.

    Parameters
    ----------
    model : Model
    examine : callable
        Asks it some trials with a sampling, and gives their records.
    """

    def __init__(
        self,
        model: Model,
        examine: Callable[[list[Trial], Sampling], Awaitable[list[Record]]],
    ) -> None:
        self.model, self._examine, self._varies = model, examine, False

    async def all(self) -> list[ProbeFinding]:
        """Every setting, in the order of `SETTINGS`."""
        ways: dict[str, Callable[[], Awaitable[ProbeFinding]]] = {
            "temperature": self._temperature,
            "top_p": lambda: self._narrowed("top_p", Sampling(1.0, top_p=0.001)),
            "top_k": lambda: self._narrowed("top_k", Sampling(1.0, top_k=1)),
            "seed": self._seed,
            "max_tokens": self._length,
        }
        return [await self._finding(name, ways[name]) for name in SETTINGS]

    async def _finding(
        self, name: str, found: Callable[[], Awaitable[ProbeFinding]]
    ) -> ProbeFinding:
        if not capabilities_of(self.model).sets(name):
            return _of(name, "no", "declared")
        try:
            finding = await found()
        except InputError as error:
            return _of(name, "no", "failed", why=str(error))
        described: Any = getattr(self.model, "describe", dict)()
        if name in (described.get("left_out") or ()):  # a server has taught it
            return _of(name, "no", "refused")
        return finding

    async def _temperature(self) -> ProbeFinding:
        cold = await self._texts(Sampling(0.0), "temperature/0")
        warm = await self._texts(Sampling(1.0), "temperature/1")
        self._varies = len(set(warm)) == _DRAWS
        alike = len(set(cold)) == 1
        state = "yes" if alike and self._varies else "not known"
        return _of("temperature", state, "heat", n=_DRAWS, alike=alike, varies=self._varies)

    async def _narrowed(self, name: str, sampling: Sampling) -> ProbeFinding:
        """Try a value of a setting that leaves one token to choose from: replies must be alike."""
        texts = await self._texts(sampling, name)
        value = f"{name} {getattr(sampling, name):g}"
        if len(set(texts)) > 1:
            return _of(name, "no", "wide", n=_DRAWS, value=value)
        if not self._varies:
            return _of(name, "not known", "constant")
        return _of(name, "yes", "narrow", n=_DRAWS, value=value)

    async def _seed(self) -> ProbeFinding:
        one = await self._texts(Sampling(1.0, seed=1), "seed/1", 2)
        two = await self._texts(Sampling(1.0, seed=2), "seed/2", 2)
        if len(set(one)) > 1 or len(set(two)) > 1:
            return _of("seed", "no", "unseeded")
        if one == two or not self._varies:
            return _of("seed", "not known", "constant")
        return _of("seed", "yes", "seeded")

    async def _length(self) -> ProbeFinding:
        (reply,) = await self._ask([words(_LONG, "max_tokens")], Sampling(0.0, max_tokens=_LIMIT))
        numbers = len(reply.text.split())
        if numbers > 4 * _LIMIT:
            return _of("max_tokens", "no", "beyond", n=_LIMIT, numbers=numbers)
        if reply.finish != "length":
            return _of("max_tokens", "not known", "unsaid")
        return _of("max_tokens", "yes", "cut")

    async def whole_reply(self) -> ProbeFinding:
        """Test whether a reply of some hundred words comes whole where no limit is sent."""
        try:
            (reply,) = await self._ask([words(_LONG, "whole")], Sampling(0.0))
        except InputError as error:
            return _of("whole", "no", "failed", why=str(error))
        count = len(reply.text.split())
        if reply.finish == "length":
            return _of("whole", "no", "whole", end="cut", count=count)
        if "300" in reply.text:
            return _of("whole", "yes", "whole", end="whole", count=count)
        return _of("whole", "not known", "whole", end="itself", count=count)

    async def _texts(self, sampling: Sampling, name: str, times: int = _DRAWS) -> tuple[str, ...]:
        replies = await self._ask(drawings(_RANDOM, name, times), sampling)
        return tuple(reply.text.strip() for reply in replies)

    async def _ask(self, trials: list[Trial], sampling: Sampling) -> list[Reply]:
        """The replies. Raises `InputError` where one of them did not come."""
        records = await self._examine(trials, sampling)
        for record in records:
            if not record.exchange.turns:
                raise InputError(record.error or "no reply")
        return [record.exchange.final for record in records]


def _of(name: str, state: str, how: str, **facts: Any) -> ProbeFinding:
    """The finding of a setting, or of a long reply."""
    return ProbeFinding(about(name), state, said("doctor-setting", how=how, **facts))
