"""What a run would ask and what it would cost, before anything is asked."""

from __future__ import annotations

import asyncio
import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.registry import blaming, given
from zhiyin.cost import counting
from zhiyin.cost.desk import Desk, find_price, open_desk, why_not_kept
from zhiyin.cost.estimate import Estimator, Sound, features, sound_in, sound_rate
from zhiyin.cost.prices import Price
from zhiyin.cost.usage import Usage, counted
from zhiyin.engine.asking import Conversation
from zhiyin.engine.folder import MANIFEST, read_manifest
from zhiyin.engine.log import RECORDS, read_records
from zhiyin.errors import InputError
from zhiyin.probe.canary import canary
from zhiyin.record import Model, Reply, Sampling, Strategy
from zhiyin.session.opening import canaries
from zhiyin.session.running import Opened, Order, opened, strategies
from zhiyin.strategies import ASKING_ONCE, standalone
from zhiyin.trial import Audio, Image, Message, Trial

_COUNTED_AT_MOST = 400
"""Requests that the server is asked to count; more are estimated from as many."""
_AT_ONCE = 16
_PILOT = 10
"""Replies of the same run from which on they say how long a reply is."""
_ASSUMED = 100
"""Tokens of a reply, until replies show better."""


class Estimate(msgspec.Struct):
    """What a run would ask, and what it would cost.

    Attributes
    ----------
    planned, answered, cached, asked : int
        Trials in all, those in the run folder, those whose whole conversation is kept, the rest.
        Of sequences, which go by the answers, the fewest that they hold.
    canary : int
        Short questions before the first trial, which are in all that follows.
    input, output : float
        Tokens, sound and thinking included.
    seconds, sound : float
        Of sound that is sent, and the tokens among `input` that it makes.
    input_from, output_from : str
        Who said so, in words.
    calls, clips, images : int
        Of the trials that are to be asked, the fewest calls; recordings and pictures in them.
    usd, usd_at_most : float or None
        Without and with every reply as long as ``--max-tokens`` allows; None without a price.
    """

    run: str
    benchmark: str
    model: str
    planned: int
    answered: int = 0
    cached: int = 0
    asked: int = 0
    canary: int = 0
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
    calls: int = 0
    clips: int = 0
    images: int = 0


class _Ask(msgspec.Struct):
    """A call that would be made: the first one of its conversation that is not kept."""

    messages: Sequence[Message]
    sampling: Sampling
    further: bool
    """Whether its conversation may go on after it."""
    times: float = 1.0
    """How many calls it stands for: further trials of sequences are like the first."""


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
        return await estimate_opened(all_of_it)


async def estimate_opened(all_of_it: Opened) -> Estimate:
    """As `estimate`, of an order that is open already."""
    order, model, selection, manifest, folder = all_of_it
    found = Estimate(str(folder), manifest.benchmark, model.name, selection.planned)
    done, pilot = _look_back(folder)
    desk = open_desk(model, order.spending, order.sound)
    try:
        calls = await _rehearse(all_of_it, done, found, desk)
        found.asked = found.planned - found.answered - found.cached
        scale = found.asked / len(calls) if calls else 1.0
        calls = [msgspec.structs.replace(call, times=scale) for call in calls]
        opening = await _opening(all_of_it, found, desk) if desk else []
    finally:
        if desk:
            found.remarks += desk.report()
            await desk.close()
    found.canary = len(opening)
    found.calls = max(found.asked, len(calls))
    if selection.sequences:
        first = len(calls) or sum(trial.id not in done for trial in selection.known())
        for medium in ("clips", "images"):  # counted of the first trial of each sequence alone
            many = getattr(found, medium) * found.asked / max(1, first)
            setattr(found, medium, round(many))
        most = manifest.sequences.at_most if manifest.sequences else None
        known = f"{most:,} at most" if most else "how many at most is not known"
        found.remarks.append(
            "sequences go by the answers: priced are the fewest trials that they hold (with "
            f"plain ones {found.planned:,}; {known}), each as the first of its sequence"
        )
    if desk is None:
        found.usd, found.price = 0.0, "it answers on this machine"
        return found
    if told := why_not_kept(model, order.spending, order.sampling):
        found.remarks.append(told)
    price = find_price(model)
    await _count(found, [*calls, *opening], model, pilot, price)
    _reply_lengths(found, calls, opening, pilot, order)
    _cost(found, price, order)
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
            _media(found, trial)
            continue
        call = await _first_missing(trial, strategy(trial), order.sampling, desk)
        found.cached += call is None
        if call:
            missing.append(call)
            _media(found, trial)
    return missing


async def _first_missing(
    trial: Trial, strategy: Strategy, usual: Sampling, desk: Desk
) -> _Ask | None:
    """The first call of a conversation whose reply is not kept; None where all are."""
    missing: list[_Ask] = []
    conversation = Conversation()

    async def ask(messages: Sequence[Message], sampling: Sampling | None = None) -> Reply:
        sampling = sampling or usual
        request = await desk.request(trial, messages, sampling, conversation)
        if request.kept is not None:
            return request.kept
        missing.append(_Ask(tuple(messages), sampling, strategy not in ASKING_ONCE))
        raise _NotKept

    try:
        await strategy(trial, ask)
    except _NotKept:
        pass
    except Exception as error:
        raise InputError(f"{trial.id}: cannot be rehearsed ({error})") from None
    return missing[0] if missing else None  # one may go on without a reply, and ask again


async def _opening(all_of_it: Opened, found: Estimate, desk: Desk) -> list[_Ask]:
    """The calls of the canaries with which the run would open."""
    order, model, selection, _, folder = all_of_it
    if not order.canary or order.spending.batch or found.answered >= found.planned:
        return []
    before = read_manifest(folder).canary if (folder / MANIFEST).exists() else {}
    missing: list[_Ask] = []
    with tempfile.TemporaryDirectory(prefix="zhiyin-") as place:
        for medium in canaries(before, selection.known(), model):
            for trial in canary(medium, order.options.get("seed") or 0, Path(place)):
                call = await _first_missing(trial, standalone, order.sampling, desk)
                missing += [call] if call else []
    return missing


def _media(found: Estimate, trial: Trial) -> None:
    """Count the recordings and pictures of a trial that is to be asked."""
    parts = [part for message in trial.messages for part in message.parts]
    found.clips += sum(isinstance(part, Audio) for part in parts)
    found.images += sum(isinstance(part, Image) for part in parts)


async def _count(
    found: Estimate, calls: list[_Ask], model: Model, pilot: _Pilot, price: Price | None
) -> None:
    """Tokens and seconds of what is sent."""
    rate = price.audio_tokens if price and price.audio_tokens else sound_rate(pilot.sounds)
    estimator = Estimator(rate)
    counts = await _counted(calls, model)
    for call, number in counts:
        estimator.learn(_words(call.messages), number)
    # A counter is sent words alone: of pictures only replies tell anything.
    seen = any(_pictures(call.messages) for call in calls)
    for messages, number in pilot.requests if seen or not counts else ():
        estimator.learn(_without_sound(messages) if pilot.sounds else features(messages), number)
    estimator.fit()
    sounds = [(call, sound_in(call.messages)) for call in calls]
    found.seconds = math.fsum(call.times * sound.seconds for call, sound in sounds)
    found.sound = sum(
        call.times * estimator.of_clip(clip) for call, sound in sounds for clip in sound.clips
    )
    if len(counts) == len(calls) and counts:
        words = sum(
            call.times * (number + estimator.pictures(_pictures(call.messages)))
            for call, number in counts
        )
        found.input_from = "counted by the server"
    else:
        words = sum(c.times * estimator.tokens(_without_sound(c.messages)) for c in calls)
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
    if seen and not pilot.requests:
        found.remarks.append(
            f"tokens of pictures are a guess at {estimator.pictures(1):,.0f} each: ask some trials "
            "first (--limit)"
        )
    elif seen:
        found.input_from += "; pictures as in the replies of this run"


async def _counted(calls: list[_Ask], model: Model) -> list[tuple[_Ask, int]]:
    """Tokens of the words of some calls, where the provider counts for nothing."""
    asked = calls[:: max(1, math.ceil(len(calls) / _COUNTED_AT_MOST))]
    counts: list[tuple[_Ask, int]] = []
    if (counter := counting.counter_of(model)) is None or not asked:
        return counts
    async with counter:
        for begin in range(0, len(asked), _AT_ONCE):
            some = asked[begin : begin + _AT_ONCE]
            numbers = await asyncio.gather(*(counter.count(c.messages) for c in some))
            pairs = zip(some, numbers, strict=True)
            counts += [(call, number) for call, number in pairs if number is not None]
            if None in numbers:
                break
    return counts


def _without_sound(messages: Sequence[Message]) -> tuple[float, ...]:
    """The features of a request without its sound."""
    return (*features(messages)[:-1], 0.0)


def _words(messages: Sequence[Message]) -> tuple[float, ...]:
    """The features of the words of a request."""
    return (*features(messages)[:-2], 0.0, 0.0)


def _pictures(messages: Sequence[Message]) -> float:
    return features(messages)[-2]


def _reply_lengths(
    found: Estimate, calls: list[_Ask], opening: list[_Ask], pilot: _Pilot, order: Order
) -> None:
    """Tokens that come back, and what further calls of a conversation add."""
    trials = math.fsum(call.times for call in calls)
    asked = trials + len(opening)
    if len(pilot.replies) >= _PILOT:
        each = sum(pilot.replies) / len(pilot.replies)
        found.output_from = f"{each:,.1f} a reply, as in {len(pilot.replies):,} of this run"
        share = trials / pilot.trials
        found.output = each * asked + share * pilot.further.output
        found.input += share * pilot.further.input
        found.sound += share * pilot.further.audio_input
        found.seconds += share * pilot.further.seconds
        return
    each = min(_ASSUMED, order.sampling.max_tokens or _ASSUMED)
    found.output = each * asked
    found.output_from = f"assumed: {each} a reply; ask some first (--limit {2 * _PILOT}) to know"
    if any(call.further for call in calls):
        found.remarks.append(
            "a conversation may take several calls, and only its first is in this: ask some "
            f"trials first (--limit {2 * _PILOT}) to know how many there are"
        )


def _cost(found: Estimate, price: Price | None, order: Order) -> None:
    if not found.asked and not found.canary:
        found.usd, found.price = 0.0, "nothing is to be asked"
        return
    if price is None:
        found.price = "its price is not known: see `zhiyin prices`"
        return
    batched = order.spending.batch
    found.usd = _priced(found, price, found.output, batched=batched)
    found.price = price.source_in_words
    if order.sampling.max_tokens is not None:
        most = float(order.sampling.max_tokens * (found.asked + found.canary))
        found.usd_at_most = _priced(found, price, most, batched=batched)
    if price.above is not None:
        found.remarks.append(
            f"calls above {price.above:,} tokens cost more, and are not told apart"
        )


def _priced(found: Estimate, price: Price, output: float, *, batched: bool) -> float:
    used = Usage(
        found.asked + found.canary,
        round(found.input),
        round(output),
        audio_input=round(found.sound),
        seconds=found.seconds,
    )
    return msgspec.structs.replace(price, above=None).of(used, batched=batched)
