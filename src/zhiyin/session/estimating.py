"""What a run would ask and what it would cost, before anything is asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.registry import blaming, given
from zhiyin.cost import counting
from zhiyin.cost.desk import Desk, find_price, open_desk, told_of_cache
from zhiyin.cost.estimate import Estimator, Sound, features, sound_in, sound_rate
from zhiyin.cost.prices import Price
from zhiyin.cost.usage import Usage, counted
from zhiyin.engine.log import RECORDS, read_records
from zhiyin.errors import InputError
from zhiyin.record import Model, Reply, Sampling
from zhiyin.session.running import Opened, Order, opened, strategies
from zhiyin.trial import Message, Trial

_COUNTED_AT_MOST = 400
"""Requests that the server is asked to count; more are estimated from as many."""
_PILOT = 10
"""Replies of the same run from which on they say how long a reply is."""
_ASSUMED = 100
"""Tokens of a reply, as long as nobody knows better."""


class Estimate(msgspec.Struct):
    """What a run would ask, and what it would cost.

    Attributes
    ----------
    planned, answered, cached, asked : int
        Trials in all, those in the run folder, those whose whole conversation is kept, the rest.
        Of sequences, which go by the answers, the fewest that they hold.
    input, output : float
        Tokens, sound and thinking included.
    seconds, sound : float
        Of sound that is sent, and the tokens among `input` that it makes.
    input_from, output_from : str
        Who said so, in words.
    usd, usd_at_most : float or None
        Without and with every reply as long as ``--max-tokens`` allows; None where nobody knows.
    """

    run: str
    benchmark: str
    model: str
    planned: int
    answered: int = 0
    cached: int = 0
    asked: int = 0
    input: float = 0.0
    sound: float = 0.0
    seconds: float = 0.0
    output: float = 0.0
    input_from: str = ""
    output_from: str = ""
    usd: float | None = None
    usd_at_most: float | None = None
    price: str = ""
    remarks: list[str] = []


class _Ask(msgspec.Struct):
    """A call that would be made: the first one of its conversation that is not kept."""

    messages: Sequence[Message]
    sampling: Sampling


class _NotKept(Exception):  # noqa: N818 - it ends a rehearsal, and is no error
    """The conversation cannot be gone through any further without asking."""


class _Pilot:
    """What replies of the same run have shown: tokens of requests and of replies."""

    def __init__(self) -> None:
        self.requests: list[tuple[Sequence[Message], int]] = []
        self.sounds: list[tuple[Sound, int]] = []
        self.replies: list[int] = []
        self.trials = 0
        self.further = Usage()

    def add(self, trial: Trial, turns: Sequence[Any]) -> None:
        """Take in the conversation of a trial."""
        # Kept replies count too: as often as the same is asked, it is as long.
        fresh = [(turn, counted(turn.reply.usage, turn.reply.detail)) for turn in turns]
        if not fresh or any(used.uncounted for _, used in fresh):
            return
        self.trials += 1
        turn, used = fresh[0]
        messages = (*trial.messages, *(turn.sent or ()))
        self.requests.append((messages, used.input - used.audio_input))
        if used.audio_input:
            self.sounds.append((sound_in(messages), used.audio_input))
        self.replies.append(used.output)
        for _, later in fresh[1:]:
            self.further += later


async def estimate(order: Order) -> Estimate:
    """What an order would ask and cost. Nothing is asked and nothing is written.

    Where a provider counts tokens for nothing, it is asked to.

    Raises
    ------
    InputError
        As a run: for anything in the order that the user can mend.
    """
    kind = given(order.benchmark)
    with blaming(kind):
        return await _estimate(order, kind)


async def _estimate(order: Order, kind: type[Benchmark[Any]]) -> Estimate:
    async with opened(order, kind) as all_of_it:
        order, model, selection, manifest, folder = all_of_it
        found = Estimate(str(folder), manifest.benchmark, model.name, selection.planned)
        done, pilot = _look_back(folder)
        desk = open_desk(model, order.spending, order.sound)
        try:
            calls = await _rehearse(all_of_it, done, found, desk)
        finally:
            if desk:
                await desk.close()
        found.asked = found.planned - found.answered - found.cached
        if selection.sequences:
            found.remarks.append(
                "sequences go by the answers: priced are the fewest trials that they hold, each as "
                "the first of its sequence"
            )
        if desk is None:
            found.usd, found.price = 0.0, "it answers on this machine"
            return found
        if told := told_of_cache(model, order.spending, order.sampling):
            found.remarks.append(told)
        price = find_price(model)
        await _count(found, calls, model, pilot, price)
        _reply_lengths(found, calls, pilot, order.sampling)
        _cost(found, calls, pilot, price, order)
    return found


def _look_back(folder: Path) -> tuple[set[str], _Pilot]:
    """The trials that the run folder has answered, and what they show."""
    done: set[str] = set()
    pilot = _Pilot()
    if (folder / RECORDS).exists():
        for record in read_records(folder):
            if record.verdict.state != "error":
                done.add(record.id)
                pilot.add(record.trial, record.exchange.turns)
    return done, pilot


async def _rehearse(
    all_of_it: Opened, done: set[str], found: Estimate, desk: Desk | None
) -> list[_Ask]:
    """Go through every conversation as far as its replies are kept; the calls that are missing."""
    order, selection = all_of_it.order, all_of_it.selection
    strategy = strategies(order, selection.benchmark)
    missing: list[_Ask] = []
    for trial in selection.known():
        if trial.id in done:
            found.answered += 1
            continue
        if desk is None:
            continue
        before, asked = len(missing), Counter[bytes]()

        async def ask(
            messages: Sequence[Message],
            sampling: Sampling | None = None,
            trial: Trial = trial,
            asked: Counter[bytes] = asked,
        ) -> Reply:
            sampling = sampling or order.sampling
            async with desk.request(trial, messages, sampling, asked) as request:
                if request.found is not None:
                    return request.found
            missing.append(_Ask(tuple(messages), sampling))
            raise _NotKept

        try:
            await strategy(trial)(trial, ask)
        except _NotKept:
            pass
        except Exception as error:
            raise InputError(f"{trial.id}: cannot be rehearsed ({error})") from None
        del missing[before + 1 :]  # one that goes on without a reply asks for no further one
        found.cached += len(missing) == before
    return missing


async def _count(
    found: Estimate, calls: list[_Ask], model: Model, pilot: _Pilot, price: Price | None
) -> None:
    """Tokens and seconds of what is sent."""
    rate = price.audio_tokens if price and price.audio_tokens else sound_rate(pilot.sounds)
    estimator, exact = Estimator(rate), 0.0
    sounds = [sound_in(call.messages) for call in calls]
    found.seconds = math.fsum(sound.seconds for sound in sounds)
    asked = calls[:: max(1, math.ceil(len(calls) / _COUNTED_AT_MOST))]
    counts: list[int] = []
    if (counter := counting.counter_of(model)) is not None and asked:
        async with counter:
            for call in asked:
                if (number := await counter.count(call.messages)) is None:
                    break
                counts.append(number)
                exact += number
                estimator.learn(_words(call.messages), number)
    for messages, number in () if counts else pilot.requests:
        estimator.learn(_words(messages) if pilot.sounds else features(messages), number)
    estimator.fit()
    found.sound = sum(estimator.of_clip(s) for sound in sounds for s in sound.clips)
    if len(counts) == len(calls) and counts:
        words, found.input_from = exact, "counted by the server"
    else:
        words = sum(estimator.tokens(_words(call.messages)) for call in calls)
        found.input_from = "an estimate by the script of the words"
        if counts:
            found.input_from = f"an estimate from {len(counts):,} requests counted by the server"
        elif estimator.samples:
            found.input_from = f"an estimate from {estimator.samples:,} requests of this run"
    found.input = words + found.sound
    if found.seconds and rate is None:
        found.remarks.append(
            "tokens of sound are a guess at 25 a second: write audio_tokens into the table of "
            "prices, or ask some trials first (--limit)"
        )


def _words(messages: Sequence[Message]) -> tuple[float, ...]:
    """The features of a request without its sound."""
    return (*features(messages)[:-1], 0.0)


def _reply_lengths(found: Estimate, calls: list[_Ask], pilot: _Pilot, sampling: Sampling) -> None:
    """Tokens that come back, and what further calls of a conversation add."""
    if len(pilot.replies) >= _PILOT:
        each = sum(pilot.replies) / len(pilot.replies)
        found.output_from = f"{each:,.1f} a reply, as in {len(pilot.replies):,} of this run"
        share = len(calls) / pilot.trials
        found.output = each * len(calls) + share * pilot.further.output
        found.input += share * pilot.further.input
        found.sound += share * pilot.further.audio_input
        found.seconds += share * pilot.further.seconds
        return
    each = min(_ASSUMED, sampling.max_tokens or _ASSUMED)
    found.output = float(each * len(calls))
    found.output_from = f"assumed: {each} a reply; ask some first (--limit {2 * _PILOT}) to know"
    if found.asked:
        found.remarks.append("only the first call of each conversation is priced, until then")


def _cost(
    found: Estimate, calls: list[_Ask], pilot: _Pilot, price: Price | None, order: Order
) -> None:
    if not found.asked:
        found.usd, found.price = 0.0, "nothing is to be asked"
        return
    if price is None:
        found.price = "nobody has said what it costs: see `zhiyin prices`"
        return
    scale = found.asked / len(calls) if calls else 1.0  # further trials of sequences
    if scale != 1.0:
        for name in ("input", "sound", "seconds", "output"):
            setattr(found, name, getattr(found, name) * scale)
    batched = order.spending.batch
    found.usd = _priced(found, price, found.output, batched=batched)
    found.price = price.told
    if order.sampling.max_tokens is not None:
        most = float(order.sampling.max_tokens * found.asked)
        found.usd_at_most = _priced(found, price, most, batched=batched)
    if price.above is not None:
        found.remarks.append(
            f"calls above {price.above:,} tokens cost more, and are not told apart"
        )


def _priced(found: Estimate, price: Price, output: float, *, batched: bool) -> float:
    used = Usage(
        found.asked,
        round(found.input),
        round(output),
        audio_input=round(found.sound),
        seconds=found.seconds,
    )
    return msgspec.structs.replace(price, above=None).of(used, batched=batched)
