"""Bounds on a run's cost, and on the pace of its calls.

Spending is added up, and a run that reaches a bound stops. Calls keep to the user's limits a minute
and to those in the server's headers.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from datetime import datetime
from decimal import Decimal

import msgspec

from zhiyin.cost.prices import Price
from zhiyin.errors import InputError, SpentError
from zhiyin.idioms import holding
from zhiyin.models import is_here
from zhiyin.words import Text, said

_FORM = re.compile(r"(\d+(?:\.\d+)?)\s*+([kM]?)\s*+(usd|tokens|calls)", re.IGNORECASE)
_TIMES = {"": 1.0, "k": 1e3, "m": 1e6}


class Budget(msgspec.Struct, frozen=True, omit_defaults=True):
    """Bounds on the cost of a run in all its sessions; None for no bound."""

    usd: float | None = None
    tokens: float | None = None
    calls: float | None = None

    @property
    def bounded(self) -> bool:
        """Tell whether there is any bound."""
        return any(limit is not None for limit in msgspec.structs.astuple(self))

    def __str__(self) -> str:
        """Return the budget as it is written behind ``--budget``."""
        limits = msgspec.structs.asdict(self).items()
        return ",".join(f"{Decimal(repr(n)):f}{unit}" for unit, n in limits if n is not None)


def read_budget(text: str | Budget, where: str = "--budget") -> Budget:
    """A budget such as "5usd", "2Mtokens", "1000calls", or several of them with commas.

    Raises
    ------
    InputError
        It is not one; the message begins with `where`.
    """
    if isinstance(text, Budget):
        return text
    if not isinstance(text, str):
        raise InputError(said("error-budget", where=where, text=text))
    limits: dict[str, float] = {}
    for part in text.split(","):
        match = _FORM.fullmatch(part.strip())
        if not match:
            raise InputError(said("error-budget", where=where, text=text))
        number, times, unit = match[1], match[2].lower(), match[3].lower()
        if unit in limits:
            raise InputError(said("error-budget-twice", where=where, text=text, unit=unit))
        limits[unit] = float(number) * _TIMES[times]
    return Budget(**limits)


class ExpectedCost(msgspec.Struct, frozen=True):
    """Expected cost of calls that begin, which is set aside for them."""

    usd: float = 0.0
    tokens: float = 0.0
    calls: float = 0.0

    def __add__(self, other: ExpectedCost) -> ExpectedCost:
        return ExpectedCost(
            self.usd + other.usd, self.tokens + other.tokens, self.calls + other.calls
        )

    def __sub__(self, other: ExpectedCost) -> ExpectedCost:
        return ExpectedCost(
            self.usd - other.usd, self.tokens - other.tokens, self.calls - other.calls
        )


class BudgetAccount:
    """Account of what is spent, set aside for calls under way, and allowed in all.

    Parameters
    ----------
    budget : Budget
    of : str
        What messages call the budget.
    within : BudgetAccount, optional
        What it is a part of: what is spent here is spent there, too.

    Attributes
    ----------
    usd, tokens, calls : float
        Calls are counted when they begin, those that fail included.
    """

    def __init__(self, budget: Budget, of: str = "", within: BudgetAccount | None = None) -> None:
        self.budget, self._of, self._within = budget, of, within
        limits = msgspec.structs.asdict(budget).items()
        self._limits = {unit: limit for unit, limit in limits if limit is not None}
        self.usd = self.tokens = self.calls = 0.0
        self._aside, self._under_way = ExpectedCost(), 0
        self._waiting: set[asyncio.Future[None]] = set()

    @property
    def minds_cost(self) -> bool:
        """Tell whether dollars or tokens are bounded, here or in what it is a part of."""
        own = bool(self._limits.keys() - {"calls"})
        return own or (self._within is not None and self._within.minds_cost)

    def has_room(self, want: ExpectedCost, *, waits: bool = True) -> bool:
        """Tell whether calls may begin that are expected to cost so much; False: not yet.

        As long as others are under way it is waited for what they cost. When none is, a call may
        begin though it may go beyond what is left, so that a bound is passed by one call at most.

        Parameters
        ----------
        want : ExpectedCost
        waits : bool
            Whether what is under way ends without any further call; not so in a batch, where all
            calls begin before the first is paid for.

        Raises
        ------
        SpentError
            A bound is reached.
        """
        room = self._within is None or self._within.has_room(want, waits=waits)
        for unit, limit in self._limits.items():
            spent, aside, more = (getattr(one, unit) for one in (self, self._aside, want))
            if not waits:
                spent += aside
            full = spent + more > limit if unit == "calls" else spent >= limit
            if full:
                raise SpentError(self._told(unit, limit, spent, more))
            room = room and (not (waits and self._under_way) or spent + aside + more <= limit)
        return room

    def _told(self, unit: str, limit: float, spent: float, more: float) -> str:
        used: Text = _amount(spent, unit)
        if unit == "calls" and spent < limit:
            used = said("log-spent-next", used=used, more=f"{more:,.0f}")
        elif unit != "calls" and self._under_way:  # known of a call when it is over
            used = said("log-spent-before", used=used)
        limit_told = _amount(limit, unit)
        return str(
            said("log-spent", what=self._of or said("log-the-budget"), limit=limit_told, used=used)
        )

    def set_aside(self, want: ExpectedCost) -> None:
        """Set aside what a call is expected to cost, here and in what the account is a part of."""
        self._aside, self._under_way = self._aside + want, self._under_way + 1
        if self._within:
            self._within.set_aside(want)

    def release(self, want: ExpectedCost) -> None:
        """A call has ended: nothing is set aside for it any more."""
        self._under_way -= 1
        self._aside = self._aside - want if self._under_way else ExpectedCost()
        if self._within:
            self._within.release(want)
        else:
            waiting, self._waiting = self._waiting, set()
            for one in waiting:
                if not one.done():
                    one.set_result(None)

    async def change(self) -> None:
        """Wait until a call ends, of whichever run that spends from the same account."""
        if self._within:
            return await self._within.change()
        until: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(until)
        await until

    def refuse_priceless(self, model: str, price: Price | None) -> None:
        """Refuse a model without price as the function does, unless it answers on this machine."""
        if not is_here(model):
            refuse_priceless(self.budget, model, price)

    def add(self, usd: float = 0.0, tokens: float = 0.0, calls: float = 0.0) -> None:
        """Write down what was spent."""
        self.recall(usd, tokens, calls)
        if self._within:
            self._within.add(usd, tokens, calls)

    def recall(self, usd: float = 0.0, tokens: float = 0.0, calls: float = 0.0) -> None:
        """Write down what was spent earlier, which the account above it knows already."""
        self.usd, self.tokens, self.calls = self.usd + usd, self.tokens + tokens, self.calls + calls

    @property
    def summary(self) -> str:
        """Spending of each bound: "1.20 of 5 usd, 40 of 100 calls"."""
        return ", ".join(
            f"{_amount(getattr(self, unit), unit).split()[0]} of {_amount(limit, unit)}"
            for unit, limit in self._limits.items()
        )


common_account: ContextVar[BudgetAccount | None] = ContextVar("common_account", default=None)
"""What all runs of this context spend from, beside their own budgets; None for no such thing."""


def spending_from(common: BudgetAccount | None) -> contextlib.AbstractContextManager[None]:
    """Let all runs that are opened in the block spend from one account."""
    return holding(common_account, common)


def refuse_priceless(budget: Budget, model: str, price: Price | None) -> None:
    """Raise `InputError` where dollars are bounded and the price of a model is not known."""
    if budget.usd is not None and price is None:
        raise InputError(said("error-priceless", model=model))


def _amount(value: float, unit: str) -> str:
    return f"{value:.6g} usd" if unit == "usd" else f"{value:,.0f} {unit}"


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
        """Tell whether tokens matter at all: the user or the server has set a limit."""
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
                # The time of a wait that no other wait has counted
                ended = self._clock()
                self.waited_s += max(0.0, ended - max(begun, self._counted))
                self._counted = max(ended, self._counted)
        now = self._clock()
        self._free = max(now, self._free) + self._interval
        self._tokens_free = max(now, self._tokens_free) + tokens * self._token_s
        self._take("requests", 1.0)
        self._take("tokens", tokens)

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
        """Return what calls under way take, beside the one whose response it is."""
        calls = self._flying["requests"]
        return self._flying[kind] * max(0.0, calls - 1.0) / calls if calls > 0 else 0.0

    def _until(self, tokens: float) -> float:
        """Return the time at which a call may begin, as far as is known now."""
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
