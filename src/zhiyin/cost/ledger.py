"""Ledger of what a run has spent and calls under way will cost; read again from its folder."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from time import monotonic

import msgspec

from zhiyin.cost.budget import Budget, BudgetAccount, ExpectedCost
from zhiyin.cost.estimate import tokens_in
from zhiyin.cost.prices import (
    CACHED,
    OthersPaid,
    Price,
    Usage,
    counted,
    opening_of,
    price_of,
    price_of_run,
    read_prices,
)
from zhiyin.engine.asking import Amount, Before, CallLine, Journal, read_calls
from zhiyin.engine.folder import (
    CALLS,
    FAILURES,
    MANIFEST,
    RECORDS,
    Manifest,
    iterate,
    read_manifest,
)
from zhiyin.models import is_instant
from zhiyin.record import Record, retried
from zhiyin.words import Said, said

_ASSUMED = 100
"""Tokens of a reply, as long as none is there."""
_PATIENCE_S, _MOST_UNKNOWN, _LOOK_AGAIN_S = 10.0, 4, 1.0
"""Before the first reply: a further call after so long, and how many may be under way."""


class CallUnderWay(msgspec.Struct, frozen=True):
    """A call under way.

    `words` is what it would cost by its words alone, `want` what is set aside for it, `expected`
    what the journal says of it; `number` is its own there, from when it is `sent`.
    """

    words: ExpectedCost
    want: ExpectedCost
    expected: Amount
    number: int = 0
    sent: bool = False


class Ledger:
    """Ledger of a run's spending. A call waits as long as those under way may reach a bound.

    A call is expected to cost what its words are estimated to make, 100 tokens of a reply, and as
    much beyond that as the dearest call so far. Before the first reply nobody knows: one call
    goes ahead, a further one for each that failed, and, where it takes longer than ten seconds, up
    to three beside it. Of a call without a count of tokens, as
    much is written down as its words and those of the reply are estimated to make. A call of
    which nobody knows what became (it was cut off, or got no reply in time) counts as what was
    expected. Replies from the cache cost nothing.

    Parameters
    ----------
    budget : Budget
    price : Price or None
    batched : bool
        Whether calls are paid for as parts of a batch.
    common : BudgetAccount, optional
        What other runs spend from, too.

    Attributes
    ----------
    account : BudgetAccount
        What the run spends from, and its judges too.
    journal : Journal or None
        Where calls are written down before they are sent.
    model : str
        What the journal calls the model; empty for the run's own.
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
        common: BudgetAccount | None = None,
    ) -> None:
        self.account = BudgetAccount(budget, within=common)
        self.journal: Journal | None = None
        self.model = ""
        self._price, self._batched = price, batched
        self.used = Usage()
        self._beyond = ExpectedCost()
        self._seen, self._vain, self._under_way, self._since = False, 0, 0, 0.0
        self._promised = self._lost = 0

    @property
    def usd(self) -> float:
        return self.account.usd

    @property
    def started(self) -> int:
        return round(self.account.calls)

    @property
    def spent(self) -> Said | None:
        """Spending so far, in a few words: money, or tokens if no price is known."""
        limit = self.account.budget.usd
        if self._price is not None:
            return said("progress-usd", usd=f"{self.usd:.2f}", limit=limit)
        tokens = f"{self.used.tokens:,.0f}"
        return said("progress-tokens", tokens=tokens) if self.used.tokens else None

    def expects(self, estimated: float, seconds: float = 0.0) -> ExpectedCost:
        """Return the expected cost of a call whose words make so many tokens."""
        return _atleast(self._by_words(estimated, seconds) + self._beyond)

    def _by_words(self, estimated: float, seconds: float) -> ExpectedCost:
        used = Usage(1, round(estimated), _ASSUMED, seconds=seconds)
        return ExpectedCost(self._usd(used), used.tokens, 1.0)

    async def admit(
        self, estimated: float = 0.0, seconds: float = 0.0, place: HeldPlace | None = None
    ) -> CallUnderWay:
        """A call begins whose words make so many tokens, as soon as there is room for it.

        Parameters
        ----------
        estimated : float
        seconds : float
            Of sound that is sent.
        place : HeldPlace, optional
            What must be had together with it: room for the call of a judge.

        Raises
        ------
        SpentError
            A bound is reached.
        """
        asks_place = place is not None and not place.held
        words = self._by_words(estimated, seconds)
        while True:
            want = _atleast(words + self._beyond)
            both = want + place.want if place and asks_place else want
            known = self.may_begin and not (place and asks_place and not place.may_begin)
            if self.account.has_room(both, waits=not self._batched) and known:
                break
            await self._change()
        if place and asks_place:
            place.take()
        return self._begin(estimated, words, want)

    async def admit_place(self, place: HeldPlace) -> None:
        """Set room aside for a call, as soon as there is some. Raises as `admit`."""
        while not (self.account.has_room(place.want) and place.may_begin):
            await self._change()
        place.take()

    def admit_now(self, estimated: float, seconds: float) -> CallUnderWay | None:
        """Admit a call as `admit` does; None if it would have to wait. Raises `SpentError`."""
        words = self._by_words(estimated, seconds)
        want = _atleast(words + self._beyond)
        if self.account.has_room(want) and self.may_begin:
            return self._begin(estimated, words, want)
        return None

    def admit_to(self, place: HeldPlace, estimated: float, seconds: float) -> CallUnderWay:
        """A call begins for which room was set aside before."""
        want = place.want
        place.give_up()
        return self._begin(estimated, self._by_words(estimated, seconds), want)

    @property
    def may_begin(self) -> bool:
        """Tell whether a further call may begin, by what is known of the cost of one."""
        if self._seen or self._batched or not self.account.minds_cost:
            return True
        begun = self._under_way + self._promised
        patience = (monotonic() - self._since) // _PATIENCE_S if begun else 0
        return begun <= self._vain + min(patience, _MOST_UNKNOWN - 1)

    def promise(self, more: int) -> None:
        """Hold places for so many more calls, or fewer, that are sure to begin."""
        if not self._under_way + self._promised:
            self._since = monotonic()
        self._promised += more

    async def _change(self) -> None:
        """Wait until there may be room."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None if self.may_begin else _LOOK_AGAIN_S):
                await self.account.change()

    def _begin(self, estimated: float, words: ExpectedCost, want: ExpectedCost) -> CallUnderWay:
        tokens = round(want.tokens)
        sent = min(tokens, round(estimated))
        expected = Amount(sent, tokens - sent, self._known(want.usd))
        aside = msgspec.structs.replace(want, calls=0.0)
        self.account.add(calls=1)
        self.account.set_aside(aside)
        self._since = self._since if self._under_way + self._promised else monotonic()
        self._under_way += 1
        return CallUnderWay(words, aside, expected)

    def sent(self, begun: CallUnderWay) -> CallUnderWay:
        """Write down that a call is about to be sent: from now on it may have to be paid for."""
        if begun.sent:
            return begun
        number = 0
        if self.journal and not self._batched:  # batches have a file of their own
            number = self.journal.begin(begun.expected, self.model)
        return msgspec.structs.replace(begun, number=number, sent=True)

    def withdrawn(self, begun: CallUnderWay) -> None:
        """A call will not be sent, and costs nothing: it is no call."""
        self._under_way -= 1
        self.account.add(calls=-1)
        self.account.release(begun.want)

    def replied(
        self, begun: CallUnderWay, used: Usage, estimated: float, text: str
    ) -> ExpectedCost:
        """Write down what a reply cost, which it returns.

        Parameters
        ----------
        begun : CallUnderWay
        used : Usage
        estimated : float
            Tokens of what was sent, where the server counted none.
        text : str
            The reply, where the server did not count what came back.
        """
        self._ended()
        used = _filled(used, round(estimated), text)
        usd = self._usd(used)
        paid = ExpectedCost(usd, used.tokens, 1.0)
        self.used += used
        self._learn(paid - begun.words)
        self.account.add(usd, used.tokens)
        self.account.release(begun.want)
        if self.journal:
            amount = Amount(used.input, used.output, self._known(usd))
            self.journal.end(begun.number, amount, self.model)
        return paid

    def _learn(self, beyond: ExpectedCost) -> None:
        """A call has cost so much more, or less, than its words alone were estimated to."""
        mine = self._beyond if self._seen else beyond
        before, self._seen = self._beyond, True
        self._beyond = ExpectedCost(max(mine.usd, beyond.usd), max(mine.tokens, beyond.tokens))
        if self._lost:  # they count as what would be expected of them now
            usd, tokens = self._beyond.usd - before.usd, self._beyond.tokens - before.tokens
            self.account.recall(self._lost * max(0.0, usd), self._lost * max(0.0, tokens))

    def failed(self, begun: CallUnderWay) -> None:
        """The other side has said that it will not answer: a call, and no cost."""
        self._ended()
        self.account.release(begun.want)
        if self.journal:
            self.journal.end(begun.number, Amount(0, 0, self._known(0.0)), self.model)

    def lost(self, begun: CallUnderWay) -> ExpectedCost:
        """Count a call whose outcome nobody knows as its expected cost, and return that."""
        self._ended()
        self._lost += 1
        self.account.add(begun.want.usd, begun.want.tokens)
        self.account.release(begun.want)
        return msgspec.structs.replace(begun.want, calls=1.0)

    def _ended(self) -> None:
        self._under_way -= 1
        self._vain += 1

    def _usd(self, used: Usage) -> float:
        return 0.0 if self._price is None else self._price.of(used, batched=self._batched)

    def _known(self, usd: float) -> float | None:
        return None if self._price is None else usd

    def keep(self, journal: Journal | None, manifest: Manifest, folder: Path) -> None:
        """Take up the journal of a run, which begins with what earlier sessions have spent."""
        self.journal = journal
        if journal and journal.is_new:
            before = Ledger(Budget(), self._price)
            before._remember_records(manifest, folder)
            spent = before.account
            if spent.calls or spent.tokens or spent.usd:
                journal.open_with(Before(spent.calls, spent.tokens, spent.usd))

    def remember(self, manifest: Manifest, folder: Path) -> None:
        """Write down what earlier sessions of a run have spent."""
        if (folder / CALLS).exists():
            self._remember_calls(folder)
        else:
            self._remember_records(manifest, folder)

    def _remember_calls(self, folder: Path) -> None:
        """Write down what the journal says; what has no end costs what was expected."""
        open_: dict[int, tuple[CallLine, ExpectedCost]] = {}
        prices: dict[str, Price | None] = {"": self._price}

        def cost(amount: Amount, model: str) -> ExpectedCost:
            used = Usage(1, amount.input, amount.output)
            usd = amount.usd
            if usd is None:
                if model not in prices:
                    prices[model] = price_of(model, read_prices())
                price = prices[model]
                usd = price.of(used) if price else 0.0
            return ExpectedCost(usd, used.tokens, 1.0)

        for line in read_calls(folder):
            if line.before:
                self.account.recall(line.before.usd, line.before.tokens, line.before.calls)
            elif line.expected:
                self.account.recall(calls=1)
                open_[line.call] = line, cost(line.expected, line.model) - self._beyond
            elif line.paid:
                begun, words = open_.pop(line.call, (None, ExpectedCost()))
                paid = cost(line.paid, line.model)
                self.account.recall(paid.usd, paid.tokens, 0 if begun else 1)
                if not line.model:
                    self.used += Usage(1, line.paid.input, line.paid.output)
                if begun and not line.model and paid.tokens:
                    self._learn(paid - words)
        for line, words in open_.values():
            if line.expected:
                lost = cost(line.expected, line.model)
                if not line.model:  # as much beyond its words as the dearest call, known by now
                    now = words + self._beyond
                    lost = ExpectedCost(max(lost.usd, now.usd), max(lost.tokens, now.tokens))
                    self._lost += 1
                self.account.recall(lost.usd, lost.tokens)

    def _remember_records(self, manifest: Manifest, folder: Path) -> None:
        """Write down what the log says, and the canary: of runs that kept no journal."""
        instant = is_instant(manifest.spec or manifest.model)
        opening = opening_of(manifest.canary)
        self.account.recall(calls=max(opening.begun, len(opening.paid)))
        for used in opening.paid:
            self._recall_reply(used, 0, "")
        for name in (RECORDS, FAILURES):
            if (folder / name).exists():
                for record, _ in iterate(folder / name, Record):
                    if not instant:
                        self._recall(record)
                    if noted := record.exchange.notes.get("paid"):
                        paid = msgspec.convert(noted, OthersPaid)
                        self.account.recall(paid.usd, paid.tokens, paid.calls)

    def _recall(self, record: Record) -> None:
        replies = [turn.reply for turn in record.exchange.turns]
        fresh = [reply for reply in replies if not reply.detail.get(CACHED)]
        calls = max(len(fresh), record.attempts - (len(replies) - len(fresh)))
        self.account.recall(calls=calls)
        for reply in fresh:
            # What was sent stands with the trial, and is not read again: as much as came back.
            self._recall_reply(
                counted(reply.usage, reply.detail), tokens_in(reply.text), reply.text
            )
            for usage in retried(reply.detail):
                self._recall_reply(counted(usage, reply.detail), 0, "")

    def _recall_reply(self, used: Usage, estimated: int, text: str) -> None:
        used = _filled(used, estimated, text)
        self.used += used
        self.account.recall(self._usd(used), used.tokens)


class HeldPlace:
    """Room for a call that must be had together with another: that of a judge in a trial.

    Parameters
    ----------
    ledger : Ledger
        What the call is paid from.
    estimated, seconds : float
        Tokens that its words make, and sound that is sent.
    """

    def __init__(self, ledger: Ledger, estimated: float, seconds: float = 0.0) -> None:
        self._ledger, self._words = ledger, (estimated, seconds)
        self._taken: ExpectedCost | None = None

    @property
    def held(self) -> bool:
        """Tell whether room is set aside."""
        return self._taken is not None

    @property
    def want(self) -> ExpectedCost:
        """Cost set aside, or the expected cost of the call by what is known now."""
        return self._taken or self._ledger.expects(*self._words)

    @property
    def may_begin(self) -> bool:
        """Tell whether enough is known of what such a call costs."""
        return self._ledger.may_begin

    def take(self) -> None:
        """Set it aside."""
        self._taken = self.want
        self._ledger.account.set_aside(self._taken)
        self._ledger.promise(1)

    def give_up(self) -> None:
        """Release what is set aside; do nothing if nothing was."""
        if self._taken is not None:
            taken, self._taken = self._taken, None
            self._ledger.promise(-1)
            self._ledger.account.release(taken)


def account_of(budget: Budget, called: str, *folders: Path) -> BudgetAccount | None:
    """Return the rest of a budget for all runs in some folders; None if nothing is bounded.

    Raises `InputError` as `remember_runs`.
    """
    if not budget.bounded:
        return None
    account = BudgetAccount(budget, called)
    for folder in folders:
        remember_runs(account, folder)
    return account


def remember_runs(account: BudgetAccount, folder: Path, leave_out: Path | None = None) -> None:
    """Add to an account what all runs in a folder, and their judges, have spent in all sessions.

    Parameters
    ----------
    account : BudgetAccount
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
            account.refuse_priceless(manifest.model, price)
        account.recall(ledger.usd, ledger.account.tokens, ledger.started)


def _filled(used: Usage, estimated: int, text: str) -> Usage:
    """A use with estimates of what the server did not count, or counted as nothing."""
    if not used.uncounted and used.output:
        return used
    sent = estimated if used.uncounted and not used.input else used.input
    return msgspec.structs.replace(used, input=sent, output=used.output or tokens_in(text))


def _atleast(want: ExpectedCost) -> ExpectedCost:
    return ExpectedCost(max(want.usd, 0.0), max(want.tokens, 0.0), 1.0)
