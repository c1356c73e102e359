"""How fast calls may be made: the user's limits, and those in the server's headers."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

_LONGEST_S = 600.0
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = re.compile(r"(\d{1,12}(?:\.\d{1,12})?)(ms|[smhd])")
_LEFT = {
    "requests": ("x-ratelimit-remaining-requests", "anthropic-ratelimit-requests-remaining"),
    "tokens": (
        "x-ratelimit-remaining-tokens",
        "anthropic-ratelimit-tokens-remaining",
        "anthropic-ratelimit-input-tokens-remaining",
    ),
}
_RESET = {
    "requests": ("x-ratelimit-reset-requests", "anthropic-ratelimit-requests-reset"),
    "tokens": (
        "x-ratelimit-reset-tokens",
        "anthropic-ratelimit-tokens-reset",
        "anthropic-ratelimit-input-tokens-reset",
    ),
}


class Pace:
    """Lets calls begin no faster than they may. All calls of a run go through one.

    The user's limits spread calls evenly: no minute holds more than its share, and no second a
    whole minute's. What headers say is left is not exceeded before it is filled up again; calls
    that are under way are counted as if the server had not seen them yet. Where a server makes one
    call wait, all others wait too.

    Parameters
    ----------
    requests, tokens : float, optional
        Of a minute; None for no limit of the user's.
    clock : callable
        Seconds, of any beginning.
    sleep : callable
        Waits so many seconds.

    Attributes
    ----------
    waited_s : float
        Seconds by the clock during which calls were held back; those that wait at once count once.
    """

    def __init__(
        self,
        requests: float | None = None,
        tokens: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._interval = 60.0 / requests if requests else 0.0
        self._token_s = 60.0 / tokens if tokens else 0.0
        self._clock, self._sleep = clock, sleep
        self._free = self._tokens_free = self._held = 0.0
        self._left: dict[str, tuple[float, float]] = {}
        self._flying = {"requests": 0.0, "tokens": 0.0}
        self.waited_s = self._counted = 0.0

    @property
    def minds_tokens(self) -> bool:
        """Whether tokens matter at all: the user or the server has set a limit."""
        return bool(self._token_s) or "tokens" in self._left

    @property
    def held_s(self) -> float:
        """Seconds that the server still asks all calls to wait; 0 where it does not."""
        return max(0.0, self._held - self._clock())

    async def wait(self, tokens: float) -> None:
        """Wait until a call that is estimated to make so many tokens may begin."""
        while (seconds := self._until(tokens) - (begun := self._clock())) > 0:
            try:
                await self._sleep(seconds)
            finally:  # a call that is given up has waited as well
                self._waited(begun, self._clock())
        now = self._clock()
        self._free = max(now, self._free) + self._interval
        self._tokens_free = max(now, self._tokens_free) + tokens * self._token_s
        self._take("requests", 1.0)
        self._take("tokens", tokens)

    def _waited(self, begun: float, ended: float) -> None:
        """Count the time of a wait that no other wait has counted."""
        self.waited_s += max(0.0, ended - max(begun, self._counted))
        self._counted = max(ended, self._counted)

    def end(self, estimated: float, tokens: float | None) -> None:
        """A call has ended, and made so many tokens; None where they were not counted."""
        self._flying["requests"] -= 1.0
        self._flying["tokens"] -= estimated
        if tokens is not None:
            self._tokens_free += (tokens - estimated) * self._token_s

    def hold(self, seconds: float) -> None:
        """Let no call begin for so many seconds, as the server asked one of them."""
        self._held = max(self._held, self._clock() + min(seconds, _LONGEST_S))

    def learn(self, headers: Mapping[str, str]) -> None:
        """Take in the headers of a response: what is left, and when it is filled up again."""
        if not any("ratelimit" in name.lower() for name in headers):
            return
        named = {name.lower(): value for name, value in headers.items()}
        for kind, names in _LEFT.items():
            for left_in, reset_in in zip(names, _RESET[kind], strict=True):
                left, reset = _number(named.get(left_in)), _seconds(named.get(reset_in))
                if left is not None and reset is not None:
                    until = self._clock() + min(reset, _LONGEST_S)
                    self._left[kind] = (left - self._others(kind), until)
                    break

    def _others(self, kind: str) -> float:
        """What calls under way take, beside the one whose response it is."""
        calls = self._flying["requests"]
        return self._flying[kind] * max(0.0, calls - 1.0) / calls if calls > 0 else 0.0

    def _until(self, tokens: float) -> float:
        """When a call may begin, as far as is known now."""
        until = max(self._free, self._tokens_free, self._held)
        for kind, wanted in (("requests", 1.0), ("tokens", tokens)):
            left, filled = self._left.get(kind, (wanted, 0.0))
            if left < wanted and filled > self._clock():
                until = max(until, filled)
        return until

    def _take(self, kind: str, amount: float) -> None:
        self._flying[kind] += amount
        if kind in self._left:
            left, filled = self._left[kind]
            if filled <= self._clock():
                del self._left[kind]
            else:
                self._left[kind] = (left - amount, filled)


def _number(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


def _seconds(text: str | None) -> float | None:
    """Seconds until then: "6m0s", "20ms", "1.5", or a time such as 2026-01-31T12:00:00Z."""
    if not text:
        return None
    if (plain := _number(text)) is not None:
        # Some give the moment, in seconds or milliseconds since 1970.
        moment = plain / 1000 if plain > 1e11 else plain
        return max(0.0, moment - time.time()) if moment > 1e8 else max(0.0, plain)
    parts = _DURATION.findall(text)
    if parts and "".join(number + unit for number, unit in parts) == text:
        return sum(float(number) * _UNITS[unit] for number, unit in parts)
    try:
        return max(0.0, datetime.fromisoformat(text).timestamp() - time.time())
    except ValueError:
        return None
