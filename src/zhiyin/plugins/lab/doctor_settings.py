"""Tests of whether a model follows settings: one random question, asked under several."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from zhiyin.errors import InputError
from zhiyin.models.capabilities import SETTINGS, capabilities_of
from zhiyin.plugins.lab.diagnosis import ProbeFinding
from zhiyin.record import Model, Record, Reply, Sampling
from zhiyin.session.canary import drawings, words
from zhiyin.trial import Trial

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
            return ProbeFinding(name, "no", "cannot be set, by the model's declaration")
        try:
            finding = await found()
        except InputError as error:
            return ProbeFinding(name, "no", f"the call failed: {error}")
        described: Any = getattr(self.model, "describe", dict)()
        if name in (described.get("left_out") or ()):  # a server has taught it
            return ProbeFinding(name, "no", "refused by name, and left out")
        return finding

    async def _temperature(self) -> ProbeFinding:
        cold = await self._texts(Sampling(0.0), "temperature/0")
        warm = await self._texts(Sampling(1.0), "temperature/1")
        self._varies = len(set(warm)) == _DRAWS
        alike = len(set(cold)) == 1
        same = f"{_DRAWS} replies at temperature 0 are {'alike' if alike else 'not all alike'}"
        others = f"{_DRAWS} at 1 {'all differ' if self._varies else 'do not all differ'}"
        state = "yes" if alike and self._varies else "not known"
        return ProbeFinding("temperature", state, f"{same}, {others}")

    async def _narrowed(self, name: str, sampling: Sampling) -> ProbeFinding:
        """Try a value of a setting that leaves one token to choose from: replies must be alike."""
        texts = await self._texts(sampling, name)
        value = f"{name} {getattr(sampling, name):g} at temperature 1"
        if len(set(texts)) > 1:
            return ProbeFinding(name, "no", f"{_DRAWS} replies with {value} are not all alike")
        if not self._varies:
            return ProbeFinding(name, "not known", "replies do not vary without it either")
        return ProbeFinding(
            name, "yes", f"{_DRAWS} replies with {value} are alike, without it none are"
        )

    async def _seed(self) -> ProbeFinding:
        one = await self._texts(Sampling(1.0, seed=1), "seed/1", 2)
        two = await self._texts(Sampling(1.0, seed=2), "seed/2", 2)
        if len(set(one)) > 1 or len(set(two)) > 1:
            return ProbeFinding("seed", "no", "the same seed at temperature 1 gives other replies")
        if one == two or not self._varies:
            return ProbeFinding("seed", "not known", "replies do not vary without it either")
        return ProbeFinding(
            "seed", "yes", "at temperature 1 the same seed gives the same reply, twice"
        )

    async def _length(self) -> ProbeFinding:
        (reply,) = await self._ask([words(_LONG, "max_tokens")], Sampling(0.0, max_tokens=_LIMIT))
        numbers = len(reply.text.split())
        if numbers > 4 * _LIMIT:
            return ProbeFinding(
                "max_tokens", "no", f"{_LIMIT} were allowed, and {numbers} numbers came"
            )
        if reply.finish != "length":
            return ProbeFinding(
                "max_tokens", "not known", "the reply ended by itself, or was cut without notice"
            )
        return ProbeFinding("max_tokens", "yes", "a reply that it cuts is said to be cut")

    async def whole_reply(self) -> ProbeFinding:
        """Test whether a reply of some hundred words comes whole where no limit is sent."""
        try:
            (reply,) = await self._ask([words(_LONG, "whole")], Sampling(0.0))
        except InputError as error:
            return ProbeFinding("long reply", "no", str(error))
        count = f"{len(reply.text.split())} of 300 numbers"
        if reply.finish == "length":
            return ProbeFinding("long reply", "no", f"cut after {count}: give --max-tokens a value")
        if "300" in reply.text:
            return ProbeFinding("long reply", "yes", f"{count} came without --max-tokens")
        return ProbeFinding("long reply", "not known", f"it ended by itself after {count}")

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
