"""The layer between a conversation and the model: kept replies, the budget, the pace."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec

from zhiyin.cost.budget import Budget, Pace, common_account, read_budget, refuse_priceless
from zhiyin.cost.cache import (
    Keep,
    ReplyCache,
    RequestKeys,
    is_repeatable,
    may_be_kept,
    open_cache,
    read_keep,
    was_repeatable,
)
from zhiyin.cost.estimate import Estimator, features, sound_in
from zhiyin.cost.ledger import CallUnderWay, HeldPlace, Ledger
from zhiyin.cost.prices import (
    CACHED,
    KEPT_AT,
    KEPT_BY,
    UNKNOWN,
    Price,
    price_of,
    read_prices,
    usage_of,
)
from zhiyin.cost.store import KeptReply
from zhiyin.engine.asking import Conversation, Journal, OtherAsker, together
from zhiyin.engine.runner import Limits
from zhiyin.errors import LostError, SpentError, TransientError
from zhiyin.flags import ABOVE_0, Flag
from zhiyin.models import is_here
from zhiyin.models.playback import SoundPolicy
from zhiyin.record import Model, Reply, Sampling, identity_of
from zhiyin.trial import Messages, Trial
from zhiyin.words.findings import NotKept, Warning


class Spending(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cache, budget and rate limits of a run, as the user set them.

    Attributes
    ----------
    cache : float or {"off", "session", "always"}
        Which kept replies are used, and whether replies are kept: see `cost.cache.Keep`. All but
        "always" do so only where the same request is to get the same reply.
    budget : Budget
    rpm, tpm : float or None
        Requests and tokens a minute; None for no limit of the user's.
    batch : bool
        Whether calls are handed in as batches.
    """

    cache: Annotated[
        Keep,
        Flag(
            "use kept replies, at most so old, and keep what comes; always: of any age, and also "
            "those drawn at random; session: of a suite's own runs; default off: ask anew",
            metavar="DAYS",
            read=read_keep,
        ),
    ] = "off"
    budget: Annotated[
        Budget,
        Flag("stop when the run has spent it", metavar="5usd|2Mtokens|1000calls", read=read_budget),
    ] = Budget()
    rpm: Annotated[
        float | None,
        Flag(
            "requests a minute; default: as the server says",
            metavar="N",
            within=ABOVE_0,
            elsewhere="write it at the model: all its runs share it",
        ),
    ] = None
    tpm: Annotated[
        float | None,
        Flag(
            "tokens a minute; default: as the server says",
            metavar="N",
            within=ABOVE_0,
            elsewhere="write it at the model: all its runs share it",
        ),
    ] = None
    batch: Annotated[
        bool,
        Flag(
            "hand requests in as batches (OpenAI, Anthropic, Gemini): cheaper, and hours to wait",
            elsewhere="give it to `zhiyin run`: a batch takes hours",
        ),
    ] = False

    @property
    def beside(self) -> Spending:
        """Spending of models that are asked beside a run's own, from the same account."""
        return msgspec.structs.replace(self, budget=Budget(), batch=False)


class RequestQueue:
    """The way from conversations to one model, for one session of a run.

    Parameters
    ----------
    model : Model
    spending : Spending
    sound : SoundPolicy
        How sound is sent.
    price : Price or None
    cache : ReplyCache, optional
        None: nothing is kept.

    Attributes
    ----------
    model : Model
    run : str
        The id of the run that asks, under which its replies are kept.
    """

    def __init__(
        self,
        model: Model,
        spending: Spending,
        sound: SoundPolicy,
        price: Price | None,
        cache: ReplyCache | None = None,
    ) -> None:
        self.model, self._always = model, spending.cache == "always"
        self._cache, self.run, self._anew = cache, "", False
        identity = identity_of(model)
        self._requests = RequestKeys(identity, sound) if cache and identity else None
        self._bounded = spending.budget.bounded or common_account.get() is not None
        self.ledger = Ledger(
            spending.budget, price, batched=spending.batch, common=common_account.get()
        )
        # A model that several runs ask at once brings the pace that they share.
        self.pace = getattr(model, "shared_pace", None) or Pace(spending.rpm, spending.tpm)
        self._tokens = Estimator(price.audio_tokens if price else None)
        if hasattr(model, "on_headers"):
            model.on_headers = self.pace.learn

    async def request(
        self, trial: Trial, messages: Messages, sampling: Sampling, conversation: Conversation
    ) -> ModelRequest:
        """Make a request, with the reply that was kept for it, if one was.

        Parameters
        ----------
        trial : Trial
        messages : sequence of Message
        sampling : Sampling
        conversation : Conversation
            What was asked before in it.
        """
        key = await self._key(trial, messages, sampling, conversation)
        if key is None:
            return ModelRequest(self, messages, sampling, None, None, conversation)
        kept = await self._cache.get(key) if self._cache else None
        return ModelRequest(self, messages, sampling, key, kept and self._told(kept), conversation)

    def _told(self, entry: KeptReply) -> Reply:
        """A kept reply that says of which run it is, and of when."""
        reply = entry.reply
        reply.detail[CACHED], reply.latency_s = True, None
        reply.detail[KEPT_BY] = "" if entry.run == self.run else entry.run or UNKNOWN
        if entry.kept:
            when = datetime.fromtimestamp(entry.kept, UTC)
            reply.detail[KEPT_AT] = when.isoformat(timespec="seconds")
        return reply

    async def _key(
        self, trial: Trial, messages: Messages, sampling: Sampling, conversation: Conversation
    ) -> bytes | None:
        if self._requests is None or self._anew:
            return None
        if not (self._always or is_repeatable(self.model, sampling)):
            return None
        first = await self._requests.key(messages, sampling, trial.id, 0)
        if first is None:
            return None
        again = conversation.times.get(first, 0)
        conversation.times[first] = again + 1
        key = first
        if again:
            key = await self._requests.key(messages, sampling, trial.id, again) or first
        conversation.keys.append(key)
        return key

    @contextlib.contextmanager
    def asking_anew(self) -> Iterator[None]:
        """Ask without kept replies in this context: a check of what is served now."""
        self._anew = True
        try:
            yield
        finally:
            self._anew = False

    async def forget(self, conversation: Conversation) -> None:
        """Delete the kept replies of a conversation, which could not be used."""
        if self._cache is not None:
            for key in conversation.keys:
                await self._cache.forget(key)

    async def keep(self, key: bytes, reply: Reply, sampling: Sampling) -> None:
        """Keep a reply for other runs, if it is whole and would be the same again."""
        if self._cache is None or not may_be_kept(reply):
            return
        if self._always or was_repeatable(reply, sampling):
            await self._cache.put(KeptReply(key, reply, self.model.name, self.run))

    def tokens(self, messages: Messages) -> float:
        """Tokens that a request makes, estimated; 0 where no limit depends on them."""
        if not (self._bounded or self.ledger.journal or self.pace.minds_tokens):
            return 0.0
        return self._tokens.tokens(features(messages), sound_in(messages))

    def place(self, messages: Messages) -> HeldPlace:
        """Room for a call that must be had together with another; nothing is set aside yet."""
        return HeldPlace(self.ledger, self.tokens(messages), sound_in(messages).seconds)

    async def admit(self, place: HeldPlace) -> None:
        """Set room aside, as soon as there is some. Raises `SpentError`."""
        await self.ledger.admit_place(place)

    def report(self) -> list[str | Warning]:
        """List what the user should know when the session is over."""
        trouble = self._cache.trouble if self._cache else ""
        lines: list[str | Warning] = [NotKept(why=trouble)] if trouble else []
        if self.pace.waited_s >= 1:
            seconds = f"{self.pace.waited_s:,.0f} s"
            lines.append(f"limits a minute held calls back during {seconds} of the session")
        return lines

    async def close(self) -> None:
        """Write and close what is kept."""
        if self._cache:
            await self._cache.close()


class ModelRequest:
    """One request on its way.

    Attributes
    ----------
    kept : Reply or None
        The reply that was kept.
    more : int
        Calls of it that the model made by itself, of another server, say; less those that were
        never sent.
    """

    __slots__ = (
        "_begun", "_conversation", "_estimated", "_key", "_messages", "_paced", "_queue",
        "_sampling", "_seconds", "kept", "more",
    )  # fmt: skip

    def __init__(
        self,
        queue: RequestQueue,
        messages: Messages,
        sampling: Sampling,
        key: bytes | None,
        kept: Reply | None,
        conversation: Conversation,
    ) -> None:
        self._queue, self._messages, self._sampling = queue, messages, sampling
        self._key, self.kept, self._conversation = key, kept, conversation
        self._estimated = self._seconds = 0.0
        self._begun: CallUnderWay | None = None
        self._paced, self.more = True, 0

    async def admit(self) -> None:
        """Wait until a call may begin. Raises `SpentError` where the budget is spent."""
        queue = self._queue
        self._estimated = self._estimated or queue.tokens(self._messages)
        self._seconds = sound_in(self._messages).seconds
        await queue.pace.wait(self._estimated)
        try:
            place = self._conversation.place
            if place is not None and place.held:
                self._begun = queue.ledger.admit_to(place, self._estimated, self._seconds)
            else:
                self._begun = await queue.ledger.admit(
                    self._estimated, self._seconds, together.get()
                )
        except BaseException:
            queue.pace.end(self._estimated, 0.0)
            raise
        self._conversation.spent.calls += 1
        if not getattr(queue.model, "tells_sending", False):
            self.sent()

    def sent(self) -> None:
        """The call is about to be sent. Raises `InputError` where that cannot be written down."""
        if self._begun is not None:
            self._begun = self._queue.ledger.sent(self._begun)

    async def again(self, error: TransientError | None) -> None:
        """The call has failed, and another server is to be asked. Raises as `admit`."""
        self.failed(error)
        await self.admit()
        self.more += 1

    def double(self) -> ModelRequest | None:
        """A second call of the same beside the first; None where there is no room for it now."""
        with contextlib.suppress(SpentError):
            begun = self._queue.ledger.admit_now(self._estimated, self._seconds)
            if begun is not None:
                second = ModelRequest(
                    self._queue, self._messages, self._sampling, None, None, self._conversation
                )
                second._begun, second._paced = begun, False
                second.sent()
                self._conversation.spent.calls += 1
                self.more += 1
                return second
        return None

    async def replied(self, reply: Reply) -> None:
        """A call was answered: pay for it, and keep the reply."""
        self.paid(reply)
        if self._key is not None:
            await self._queue.keep(self._key, reply, self._sampling)

    def paid(self, reply: Reply) -> None:
        """A call was answered, with words or without."""
        begun, self._begun = self._begun, None
        if begun is not None:
            used = usage_of(reply)
            paid = self._queue.ledger.replied(begun, used, self._estimated, reply.text)
            self._conversation.spent.add(paid.usd, paid.tokens)
            self._end_pace(None if used.uncounted else used.tokens)

    def failed(self, error: BaseException | None = None) -> None:
        """A call failed. All wait where the server made this one wait."""
        empty: Reply | None = getattr(error, "reply", None)
        if empty is not None:
            self.paid(empty)
            return
        begun, self._begun = self._begun, None
        if begun is None:  # it was told before
            return
        if (place := together.get()) is not None:  # had again with the next try
            place.give_up()
        if not begun.sent:
            self._queue.ledger.withdrawn(begun)
            self._conversation.spent.calls -= 1
            self.more -= 1
        elif isinstance(error, _UNKNOWN_END):
            lost = self._queue.ledger.lost(begun)
            self._conversation.spent.add(lost.usd, lost.tokens)
        else:
            self._queue.ledger.failed(begun)
        self._end_pace(None)
        retry_after = getattr(error, "retry_after", None)
        if retry_after is not None:
            self._queue.pace.hold(retry_after)

    def _end_pace(self, tokens: float | None) -> None:
        if self._paced:
            self._queue.pace.end(self._estimated, tokens)


_UNKNOWN_END = (LostError, asyncio.CancelledError, KeyboardInterrupt, SystemExit)
"""What ends a call that the other side may go on with, and may want to be paid for."""


def find_price(model: Model) -> Price | None:
    """Find a model's price in the user's tables; what answers at once costs nothing.

    Of two deployments at one address each may have a row of its own.
    """
    if getattr(model, "instant", False):
        return None
    prices = read_prices()
    own = getattr(model, "deployment", model.name)
    return price_of(own, prices) or price_of(model.name, prices)


def price_for(model: Model, spending: Spending) -> Price | None:
    """Return a model's price. Raises `InputError` as `open_request_queue`."""
    price = find_price(model)
    if not getattr(model, "instant", False) and not is_here(model.name):
        refuse_priceless(spending.budget, model.name, price)
        if common := common_account.get():
            common.refuse_priceless(model.name, price)
    return price


def open_request_queue(model: Model, spending: Spending, sound: SoundPolicy) -> RequestQueue | None:
    """The queue of a session; None where nothing stands between a conversation and the model.

    Raises
    ------
    InputError
        A budget in dollars for a model without a known price, or a damaged table of prices.
    """
    if getattr(model, "instant", False):
        return None
    price = price_for(model, spending)
    cache = open_cache(spending.cache)
    keeps = cache is not None and identity_of(model) is not None
    return RequestQueue(model, spending, sound, price, cache if keeps else None)


class OtherModels:
    """Models that are asked beside a run's own, such as judges within its trials.

    Each has a queue, as the run's own model has: kept replies, limits a minute, the run's budget.

    Parameters
    ----------
    spending : Spending
        Of the run.
    limits : Limits
        Of the run: retries and time limit.
    sound : SoundPolicy
    journal : Journal or None
        Where calls are written down before they are sent.
    run : str
        The id of the run, under which replies are kept.
    """

    def __init__(
        self,
        spending: Spending,
        limits: Limits,
        sound: SoundPolicy,
        journal: Journal | None,
        run: str,
    ) -> None:
        self._spending, self._limits, self._sound = spending.beside, limits, sound
        self._journal, self._run = journal, run
        self._asked: dict[tuple[int, bytes], OtherAsker] = {}

    def asker(self, model: Model, sampling: Sampling) -> OtherAsker:
        """Return a model's asker, which closes with this. May raise as `open_request_queue`."""
        key = id(model), msgspec.json.encode(sampling)
        if known := self._asked.get(key):
            return known
        queue = open_request_queue(model, self._spending, self._sound)
        if queue:
            queue.run = self._run
            queue.ledger.journal, queue.ledger.model = self._journal, model.name
        slots = asyncio.Semaphore(model.concurrency)
        asker = self._asked[key] = OtherAsker(model, sampling, self._limits, queue, slots)
        return asker

    async def close(self) -> None:
        """Close all desks and models."""
        for one in self._asked.values():
            if isinstance(one.queue, RequestQueue):
                await one.queue.close()
            await one.model.close()


def why_not_kept(model: Model, spending: Spending, sampling: Sampling) -> str:
    """Explain why replies are not kept although that was asked for; "" if they are."""
    if spending.cache == "off":
        return ""
    if identity_of(model) is None:
        return "replies are not kept: of this kind of model nobody can say that it is the same"
    if spending.cache != "always" and not is_repeatable(model, sampling):
        return (
            "replies are not kept: the same request may get another reply (no temperature 0 or "
            "seed is in force); --cache always keeps them"
        )
    return ""


def price_in_manifest(price: Price | None) -> dict[str, Any]:
    """The price as the manifest of a run holds it."""
    return {} if price is None else msgspec.to_builtins(price)
