"""How much a run may cost: what is spent is added up, and a run that has spent it stops."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from zhiyin.cost.estimate import tokens_in
from zhiyin.cost.prices import Price
from zhiyin.cost.usage import CACHED, Usage, counted, opening_of, usage_of
from zhiyin.engine.folder import FAILURES, RECORDS, Manifest, iterate
from zhiyin.errors import InputError, SpentError
from zhiyin.record import Reply

_FORM = re.compile(r"(\d+(?:\.\d+)?)\s*+([kM]?)\s*+(usd|tokens|calls)", re.IGNORECASE)
_ASSUMED = 100
"""Tokens of a reply that is not there yet."""
_TIMES = {"": 1.0, "k": 1e3, "m": 1e6}


class Budget(msgspec.Struct, frozen=True, omit_defaults=True):
    """How much a run may cost in all its sessions; None for no bound."""

    usd: float | None = None
    tokens: float | None = None
    calls: float | None = None

    @property
    def bounded(self) -> bool:
        """Whether there is any bound."""
        return any(limit is not None for limit in msgspec.structs.astuple(self))


def read_budget(text: str) -> Budget:
    """A budget such as "5usd", "2Mtokens", "1000calls", or several of them with commas.

    Raises
    ------
    InputError
    """
    limits: dict[str, float] = {}
    for part in text.split(","):
        found = _FORM.fullmatch(part.strip())
        if not found:
            raise InputError(f"--budget {text}: write 5usd, 2Mtokens or 1000calls")
        number, times, unit = found[1], found[2].lower(), found[3].lower()
        if unit in limits:
            raise InputError(f"--budget {text}: {unit} stand there twice")
        limits[unit] = float(number) * _TIMES[times]
    return Budget(**limits)


class Ledger:
    """What a run has spent. A call is refused once a bound is reached.

    Of a call without a count of tokens, as much is written down as its words are estimated to
    make. Replies from the cache cost nothing.

    Parameters
    ----------
    budget : Budget
    price : Price or None
    batched : bool
        Whether calls are paid for as parts of a batch.

    Attributes
    ----------
    used : Usage
    usd : float
    started : int
        Calls that were begun, those that failed included.
    """

    def __init__(self, budget: Budget, price: Price | None, *, batched: bool = False) -> None:
        self._budget, self._price, self._batched = budget, price, batched
        self.used, self.usd, self.started = Usage(), 0.0, 0
        self._reserved_tokens = self._reserved_usd = 0.0

    def admit(self, estimated: float = 0.0) -> None:
        """Write down that a call of so many tokens begins.

        Raises `SpentError` where a bound is reached. In a batch all calls begin before the first
        one is paid for: what they are estimated to cost is set aside.
        """
        budget = self._budget
        spent = {
            "usd": self.usd + self._reserved_usd,
            "tokens": self.used.tokens + self._reserved_tokens,
            "calls": self.started,
        }
        for unit, amount in spent.items():
            limit = getattr(budget, unit)
            if limit is not None and amount >= limit:
                raise SpentError(
                    f"the budget of {_amount(limit, unit)} is spent ({_amount(amount, unit)}); "
                    "the same command with a larger --budget goes on from here"
                )
        self.started += 1
        self._reserve(estimated)

    @property
    def spent(self) -> str:
        """What has been spent so far, in a few words: money, or tokens where no price is known."""
        limit = self._budget.usd
        if self._price is not None:
            return f"{self.usd:.2f} usd" + (f" of {limit:g}" if limit is not None else "")
        return f"{self.used.tokens:,.0f} tokens" if self.used.tokens else ""

    def release(self, estimated: float) -> None:
        """A call that had begun has ended: nothing is set aside for it any more."""
        self._reserve(-estimated)

    def _reserve(self, estimated: float) -> None:
        if self._batched:
            sign = -1 if estimated < 0 else 1
            used = Usage(1, round(abs(estimated)), _ASSUMED)
            self._reserved_tokens += sign * used.tokens
            if self._price is not None:
                self._reserved_usd += sign * self._price.of(used, batched=True)

    def pay(self, reply: Reply, estimated: int = 0) -> None:
        """Write down what a reply cost; `estimated` tokens where nobody counted."""
        self._write(usage_of(reply), estimated)

    def remember(self, manifest: Manifest, folder: Path) -> None:
        """Write down what earlier sessions of a run have spent."""
        opening = opening_of(manifest.canary)
        self.started += max(opening.begun, len(opening.paid))
        for used in opening.paid:
            self._write(used, 0)
        for name in (RECORDS, FAILURES):
            if (folder / name).exists():
                for record, _ in iterate(folder / name, _Paid):
                    self._recall(record)

    def _recall(self, record: _Paid) -> None:
        replies = [turn.reply for turn in record.exchange.turns]
        fresh = [reply for reply in replies if not reply.detail.get(CACHED)]
        self.started += max(len(fresh), record.attempts - (len(replies) - len(fresh)))
        for reply in fresh:
            self._write(counted(reply.usage, reply.detail), tokens_in(reply.text))

    def _write(self, used: Usage, estimated: int) -> None:
        if used.uncounted:
            used = msgspec.structs.replace(used, input=estimated)
        self.used += used
        if self._price is not None:
            self.usd += self._price.of(used, batched=self._batched)


def _amount(value: float, unit: str) -> str:
    return f"{value:.6g} usd" if unit == "usd" else f"{value:,.0f} {unit}"


class _PaidReply(msgspec.Struct):
    text: str = ""
    usage: dict[str, int] = {}
    detail: dict[str, object] = {}


class _PaidTurn(msgspec.Struct):
    reply: _PaidReply


class _PaidExchange(msgspec.Struct):
    turns: tuple[_PaidTurn, ...] = ()


class _Paid(msgspec.Struct):
    """As much of a record as says what it cost."""

    id: str
    exchange: _PaidExchange = msgspec.field(default_factory=_PaidExchange)
    attempts: int = 1
