"""How much a run may cost: spending is added up, and a run that reaches a bound stops."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

import msgspec

from zhiyin.cost.estimate import tokens_in
from zhiyin.cost.prices import Price, price_of_run
from zhiyin.cost.usage import CACHED, Usage, counted, opening_of
from zhiyin.engine.folder import FAILURES, MANIFEST, RECORDS, Manifest, iterate, read_manifest
from zhiyin.errors import InputError, SpentError
from zhiyin.models import is_here, is_instant

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


def read_budget(text: str, where: str = "--budget") -> Budget:
    """A budget such as "5usd", "2Mtokens", "1000calls", or several of them with commas.

    Raises
    ------
    InputError
        It is not one; the message begins with `where`.
    """
    limits: dict[str, float] = {}
    for part in text.split(","):
        match = _FORM.fullmatch(part.strip())
        if not match:
            raise InputError(f"{where} {text}: write 5usd, 2Mtokens or 1000calls")
        number, times, unit = match[1], match[2].lower(), match[3].lower()
        if unit in limits:
            raise InputError(f"{where} {text}: {unit} stand there twice")
        limits[unit] = float(number) * _TIMES[times]
    return Budget(**limits)


class Purse:
    """What is spent, and how much of it may be.

    Parameters
    ----------
    budget : Budget
    of : str
        What messages call the budget.
    within : Purse, optional
        What it is a part of: what is spent here is spent there, too.

    Attributes
    ----------
    usd, tokens, calls : float
        Calls are counted when they begin, those that fail included.
    """

    def __init__(self, budget: Budget, of: str = "the budget", within: Purse | None = None) -> None:
        self.budget, self._of, self._within = budget, of, within
        limits = msgspec.structs.asdict(budget).items()
        self._limits = {unit: limit for unit, limit in limits if limit is not None}
        self.usd = self.tokens = self.calls = 0.0

    def refuse(self, usd: float = 0.0, tokens: float = 0.0) -> None:
        """Raise `SpentError` where a bound is reached; `usd` and `tokens` are set aside."""
        aside = {"usd": usd, "tokens": tokens, "calls": 0.0}
        for unit, limit in self._limits.items():
            amount = getattr(self, unit) + aside[unit]
            if amount >= limit:
                spent = _amount(amount, unit)
                if unit != "calls" and not aside[unit]:  # known of a call when it is over
                    spent += " before what was on its way"
                raise SpentError(
                    f"{self._of} of {_amount(limit, unit)} is spent ({spent}); "
                    "the same command with a larger --budget goes on from here"
                )
        if self._within:
            self._within.refuse()

    def remember(self, folder: Path, leave_out: Path | None = None) -> None:
        """Add what all runs in a folder, and judges in theirs, have spent in all their sessions.

        Parameters
        ----------
        folder : Path
        leave_out : Path, optional
            The folder of a run that is counted elsewhere.

        Raises
        ------
        InputError
            A log is damaged, or dollars are bounded and the price of a model is not known.
        """
        for place in sorted(path.parent for path in folder.rglob(MANIFEST)):
            if place == leave_out:
                continue
            manifest = read_manifest(place)
            price = price_of_run(manifest)[0]
            ledger = Ledger(Budget(), price)
            ledger.remember(manifest, place)
            if ledger.started:
                self.refuse_priceless(manifest.model, price)
            self.recall(ledger.usd, ledger.used.tokens, ledger.started)

    def refuse_priceless(self, model: str, price: Price | None) -> None:
        """As the function; what answers on this machine costs no money."""
        if not is_here(model):
            refuse_priceless(self.budget, model, price)

    def add(self, usd: float = 0.0, tokens: float = 0.0, calls: float = 0.0) -> None:
        """Write down what was spent."""
        self.recall(usd, tokens, calls)
        if self._within:
            self._within.add(usd, tokens, calls)

    def recall(self, usd: float = 0.0, tokens: float = 0.0, calls: float = 0.0) -> None:
        """Write down what was spent earlier, which the purse that it is in knows already."""
        self.usd, self.tokens, self.calls = self.usd + usd, self.tokens + tokens, self.calls + calls

    @property
    def summary(self) -> str:
        """What is spent of each bound: "1.20 of 5 usd, 40 of 100 calls"."""
        return ", ".join(
            f"{_amount(getattr(self, unit), unit).split()[0]} of {_amount(limit, unit)}"
            for unit, limit in self._limits.items()
        )


purse: ContextVar[Purse | None] = ContextVar("purse", default=None)
"""What all runs of this context spend from, beside their own budgets; None for no such thing."""


@contextlib.contextmanager
def spending_from(common: Purse | None) -> Iterator[None]:
    """Let all runs that are opened in the block spend from one purse."""
    token = purse.set(common)
    try:
        yield
    finally:
        purse.reset(token)


def refuse_priceless(budget: Budget, model: str, price: Price | None) -> None:
    """Raise `InputError` where dollars are bounded and the price of a model is not known."""
    if budget.usd is not None and price is None:
        raise InputError(
            f"--budget in usd: the price of {model} is not known: write it into the table that "
            "`zhiyin prices` names, or give tokens or calls"
        )


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
    common : Purse, optional
        What other runs spend from, too.

    Attributes
    ----------
    purse : Purse
        What the run spends from, and its judges too.
    used : Usage
    usd : float
    started : int
        Calls that were begun, those that failed included.
    """

    def __init__(
        self,
        budget: Budget,
        price: Price | None,
        *,
        batched: bool = False,
        common: Purse | None = None,
    ) -> None:
        self.purse = Purse(budget, within=common)
        self._price, self._batched = price, batched
        self.used = Usage()
        self._reserved_tokens = self._reserved_usd = 0.0

    @property
    def usd(self) -> float:
        return self.purse.usd

    @property
    def started(self) -> int:
        return round(self.purse.calls)

    def admit(self, estimated: float = 0.0) -> None:
        """Write down that a call of so many tokens begins.

        Raises `SpentError` where a bound is reached. In a batch all calls begin before the first
        one is paid for: what they are estimated to cost is set aside.
        """
        self.purse.refuse(self._reserved_usd, self._reserved_tokens)
        self.purse.add(calls=1)
        self._reserve(estimated, 1)

    @property
    def spent(self) -> str:
        """What has been spent so far, in a few words: money, or tokens where no price is known."""
        limit = self.purse.budget.usd
        if self._price is not None:
            return f"{self.usd:.2f} usd" + (f" of {limit:g}" if limit is not None else "")
        return f"{self.used.tokens:,.0f} tokens" if self.used.tokens else ""

    def release(self, estimated: float) -> None:
        """A call that had begun has ended: nothing is set aside for it any more."""
        self._reserve(estimated, -1)

    def _reserve(self, estimated: float, sign: int) -> None:
        if self._batched:
            used = Usage(1, round(estimated), _ASSUMED)
            self._reserved_tokens += sign * used.tokens
            if self._price is not None:
                self._reserved_usd += sign * self._price.of(used, batched=True)

    def pay(self, used: Usage, estimated: int = 0) -> None:
        """Write down what a reply cost; `estimated` tokens where the server counted none."""
        self.purse.add(*self._cost(used, estimated))

    def remember(self, manifest: Manifest, folder: Path) -> None:
        """Write down what earlier sessions of a run have spent."""
        instant = is_instant(manifest.spec or manifest.model)
        opening = opening_of(manifest.canary)
        self.purse.recall(calls=max(opening.begun, len(opening.paid)))
        for used in opening.paid:
            self.purse.recall(*self._cost(used, 0))
        for name in (RECORDS, FAILURES):
            if (folder / name).exists():
                for record, _ in iterate(folder / name, _Paid):
                    if not instant:
                        self._recall(record)
                    if paid := record.exchange.notes.paid:
                        self.purse.recall(paid.usd, paid.tokens, paid.calls)

    def _recall(self, record: _Paid) -> None:
        replies = [turn.reply for turn in record.exchange.turns]
        fresh = [reply for reply in replies if not reply.detail.get(CACHED)]
        calls = max(len(fresh), record.attempts - (len(replies) - len(fresh)))
        self.purse.recall(calls=calls)
        for reply in fresh:
            used = counted(reply.usage, reply.detail)
            self.purse.recall(*self._cost(used, tokens_in(reply.text)))

    def _cost(self, used: Usage, estimated: int) -> tuple[float, float]:
        """What calls cost, in dollars and tokens; it is added to what was used."""
        if used.uncounted:
            used = msgspec.structs.replace(used, input=estimated)
        self.used += used
        usd = 0.0 if self._price is None else self._price.of(used, batched=self._batched)
        return usd, used.tokens


def _amount(value: float, unit: str) -> str:
    return f"{value:.6g} usd" if unit == "usd" else f"{value:,.0f} {unit}"


class _PaidReply(msgspec.Struct):
    text: str = ""
    usage: dict[str, int] = {}
    detail: dict[str, object] = {}


class _PaidTurn(msgspec.Struct):
    reply: _PaidReply


class OthersPaid(msgspec.Struct):
    """What a conversation cost beside the model's replies: those of a judge in its midst.

    It is kept in the `notes` of an exchange, under "paid".
    """

    calls: float = 0
    tokens: float = 0
    usd: float = 0.0


class _PaidNotes(msgspec.Struct):
    paid: OthersPaid | None = None


class _PaidExchange(msgspec.Struct):
    turns: tuple[_PaidTurn, ...] = ()
    notes: _PaidNotes = msgspec.field(default_factory=_PaidNotes)


class _Paid(msgspec.Struct):
    """The part of a record that says what it cost."""

    id: str
    exchange: _PaidExchange = msgspec.field(default_factory=_PaidExchange)
    attempts: int = 1
