"""Estimates of what a run would ask and cost, before anything is asked."""

from __future__ import annotations

import asyncio
import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.registry import blaming, given
from zhiyin.contract.session_parts import parts_of
from zhiyin.contract.settings import RunSettings
from zhiyin.cost.estimate import Estimator, SoundLengths, counter_of, features, sound_in, sound_rate
from zhiyin.cost.prices import Price, Usage, counted
from zhiyin.cost.request_queue import RequestQueue, find_price, open_request_queue, why_not_kept
from zhiyin.engine.asking import Conversation
from zhiyin.engine.folder import MANIFEST, RECORDS, read_manifest
from zhiyin.errors import InputError
from zhiyin.record import Model, Reply, Sampling, Strategy
from zhiyin.runs.rows import rows_of
from zhiyin.session.canary import canary
from zhiyin.session.running import canaries
from zhiyin.session.setup import Opened, opened, strategies
from zhiyin.strategies import ASKING_ONCE, standalone
from zhiyin.trial import Audio, Image, Messages, Trial
from zhiyin.words import said

_COUNTED_AT_MOST = 400
"""Requests that the server is asked to count; more are estimated from as many."""
_AT_ONCE = 16
_PILOT = 10
"""Replies of the same run from which on they say how long a reply is."""
_ASSUMED = 100
"""Tokens of a reply, until replies show better."""


class CostEstimate(msgspec.Struct):
    """Number of questions that a run would ask, and their cost.

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
        Where the number comes from, in words.
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

    messages: Messages
    sampling: Sampling
    further: bool
    """Whether its conversation may go on after it."""
    times: float = 1.0
    """How many calls it stands for: further trials of sequences are like the first."""


class _NotKept(Exception):  # noqa: N818 - it ends a rehearsal, and is no error
    """The conversation cannot be gone through any further without asking."""


class _Pilot:
    """Token counts of requests and replies that this run has made already."""

    def __init__(self) -> None:
        self.requests: list[tuple[Messages, int]] = []
        self.sounds: list[tuple[SoundLengths, int]] = []
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


async def estimate(order: RunSettings) -> CostEstimate:
    """Estimate what an order would ask and cost. Nothing is asked and nothing is written.

    Where a provider counts tokens for nothing, it is asked to.

    Raises
    ------
    InputError
        As a run: for anything in the order that the user can mend.
    """
    kind = given(order.benchmark)
    with blaming(kind):
        parts = [part for part in parts_of(order) if part.rehearses]
        async with opened(order, kind, parts) as ready:
            return await estimate_opened(ready)


async def estimate_opened(ready: Opened, *, counting: bool = True) -> CostEstimate:
    """Estimate, as `estimate` does, an order that is open already.

    Parameters
    ----------
    ready : Opened
    counting : bool
        Whether a provider may be asked to count tokens. None is where there is no price, as
        only the sum needs them so exactly.
    """
    order, model, selection, manifest, folder, _ = ready
    result = CostEstimate(str(folder), manifest.benchmark, model.name, selection.planned)
    done, pilot = _look_back(folder)
    queue = open_request_queue(model, order.spending, order.sound)
    try:
        calls = await _rehearse(ready, done, result, queue)
        result.asked = result.planned - result.answered - result.cached
        scale = result.asked / len(calls) if calls else 1.0
        calls = [msgspec.structs.replace(call, times=scale) for call in calls]
        opening = []
        if queue:
            with queue.asking_anew():
                opening = await _opening(ready, result, queue)
    finally:
        if queue:
            result.remarks += map(str, queue.report())
            await queue.close()
    result.canary = len(opening)
    result.calls = max(result.asked, len(calls))
    if selection.sequences:
        first = len(calls) or sum(trial.id not in done for trial in selection.known())
        for medium in ("clips", "images"):  # counted of the first trial of each sequence alone
            many = getattr(result, medium) * result.asked / max(1, first)
            setattr(result, medium, round(many))
        most = manifest.sequences.at_most if manifest.sequences else None
        known = f"{most:,} at most" if most else "how many at most is not known"
        result.remarks.append(
            "sequences go by the answers: priced are the fewest trials that they hold (with "
            f"plain ones {result.planned:,}; {known}), each as the first of its sequence"
        )
    if queue is None:
        result.usd, result.price = 0.0, str(said("log-here"))
        return result
    if reason := why_not_kept(model, order.spending, order.sampling):
        result.remarks.append(reason)
    price = find_price(model)
    counts = await _counted(calls, model) if counting and price else []
    _count(result, [*calls, *opening], counts, pilot, price)
    _reply_lengths(result, calls, opening, pilot, order)
    _cost(result, price, order)
    return result


def _look_back(folder: Path) -> tuple[set[str], _Pilot]:
    """The trials that the run folder has answered, and what they show."""
    done: set[str] = set()
    pilot = _Pilot()
    if (folder / RECORDS).exists():
        for record in rows_of(folder).settled.records():
            done.add(record.id)
            pilot.add(record.trial, record.exchange.turns)
    return done, pilot


async def _rehearse(
    ready: Opened, done: set[str], result: CostEstimate, queue: RequestQueue | None
) -> list[_Ask]:
    """Go through every conversation as far as its replies are kept; the calls that are missing."""
    order, selection = ready.order, ready.selection
    strategy = strategies(order, selection.benchmark)
    missing: list[_Ask] = []
    for trial in selection.known():
        if trial.id in done:
            result.answered += 1
            continue
        if queue is None:
            _media(result, trial)
            continue
        call = await _first_missing(trial, strategy(trial), order.sampling, queue)
        result.cached += call is None
        if call:
            missing.append(call)
            _media(result, trial)
    return missing


async def _first_missing(
    trial: Trial, strategy: Strategy, usual: Sampling, queue: RequestQueue
) -> _Ask | None:
    """The first call of a conversation whose reply is not kept; None where all are."""
    missing: list[_Ask] = []
    conversation = Conversation()

    async def ask(messages: Messages, sampling: Sampling | None = None) -> Reply:
        sampling = sampling or usual
        request = await queue.request(trial, messages, sampling, conversation)
        if request.kept is not None:
            return request.kept
        missing.append(_Ask(tuple(messages), sampling, strategy not in ASKING_ONCE))
        raise _NotKept

    try:
        await strategy(trial, ask)
    except _NotKept:
        pass
    except Exception as error:
        raise InputError(said("error-unrehearsed", trial=trial.id, why=str(error))) from None
    return missing[0] if missing else None  # one may go on without a reply, and ask again


async def _opening(ready: Opened, result: CostEstimate, queue: RequestQueue) -> list[_Ask]:
    """The calls of the canaries with which the run would open."""
    order, model, selection, _, folder, _ = ready
    if not order.canary or order.spending.batch or result.answered >= result.planned:
        return []
    before = read_manifest(folder).canary if (folder / MANIFEST).exists() else {}
    missing: list[_Ask] = []
    with tempfile.TemporaryDirectory(prefix="zhiyin-") as place:
        for medium in canaries(before, selection.known(), model):
            for trial in canary(medium, order.options.get("seed") or 0, Path(place)):
                call = await _first_missing(trial, standalone, order.sampling, queue)
                missing += [call] if call else []
    return missing


def _media(result: CostEstimate, trial: Trial) -> None:
    """Count the recordings and pictures of a trial that is to be asked."""
    parts = [part for message in trial.messages for part in message.parts]
    result.clips += sum(isinstance(part, Audio) for part in parts)
    result.images += sum(isinstance(part, Image) for part in parts)


def _count(
    result: CostEstimate,
    calls: list[_Ask],
    counts: list[tuple[_Ask, int]],
    pilot: _Pilot,
    price: Price | None,
) -> None:
    """Tokens and seconds of what is sent."""
    rate = price.audio_tokens if price and price.audio_tokens else sound_rate(pilot.sounds)
    estimator = Estimator(rate)
    for call, number in counts:
        estimator.learn(_without(features(call.messages), 2), number)
    requests = [(call.times, features(call.messages)) for call in calls]
    # A counter is sent words alone: of pictures only replies tell anything.
    has_pictures = any(map(_pictures, (request for _, request in requests)))
    for messages, number in pilot.requests if has_pictures or not counts else ():
        request = features(messages)
        estimator.learn(_without(request, 1) if pilot.sounds else request, number)
    estimator.fit()
    sounds = [(call, sound_in(call.messages)) for call in calls]
    result.seconds = math.fsum(call.times * sound.seconds for call, sound in sounds)
    result.sound = sum(
        call.times * estimator.of_clip(clip) for call, sound in sounds for clip in sound.clips
    )
    if len(counts) == len(calls) and counts:
        words = sum(
            call.times * (number + estimator.pictures(_pictures(features(call.messages))))
            for call, number in counts
        )
        result.input_from = str(said("log-counted"))
    else:
        words = sum(times * estimator.tokens(_without(request, 1)) for times, request in requests)
        result.input_from = str(said("log-by-script"))
        if counts:
            result.input_from = str(said("log-from-counted", n=f"{len(counts):,}"))
        elif estimator.samples:
            result.input_from = str(said("log-from-run", n=f"{estimator.samples:,}"))
    result.input = words + result.sound
    if result.seconds and rate is None:
        result.remarks.append(
            "tokens of sound are a guess at 25 a second: write audio_tokens into the table of "
            "prices, or ask some trials first (--limit)"
        )
    if has_pictures and not pilot.requests:
        result.remarks.append(
            f"tokens of pictures are a guess at {estimator.pictures(1):,.0f} each: ask some trials "
            "first (--limit)"
        )
    elif has_pictures:
        result.input_from += "; pictures as in the replies of this run"


async def _counted(calls: list[_Ask], model: Model) -> list[tuple[_Ask, int]]:
    """Tokens of the words of some calls, where the provider counts for nothing."""
    asked = calls[:: max(1, math.ceil(len(calls) / _COUNTED_AT_MOST))]
    counts: list[tuple[_Ask, int]] = []
    if (counter := counter_of(model)) is None or not asked:
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


def _without(request: tuple[float, ...], last: int) -> tuple[float, ...]:
    """The features of a request without its sound (1), or without its pictures too (2)."""
    return (*request[:-last], *(last * [0.0]))


def _pictures(request: tuple[float, ...]) -> float:
    return request[-2]


def _reply_lengths(
    result: CostEstimate, calls: list[_Ask], opening: list[_Ask], pilot: _Pilot, order: RunSettings
) -> None:
    """Tokens that come back, and what further calls of a conversation add."""
    trials = math.fsum(call.times for call in calls)
    asked = trials + len(opening)
    if len(pilot.replies) >= _PILOT:
        each = sum(pilot.replies) / len(pilot.replies)
        told = said("log-as-in", each=f"{each:,.1f}", n=f"{len(pilot.replies):,}")
        result.output_from = str(told)
        share = trials / pilot.trials
        result.output = each * asked + share * pilot.further.output
        result.input += share * pilot.further.input
        result.sound += share * pilot.further.audio_input
        result.seconds += share * pilot.further.seconds
        return
    each = min(_ASSUMED, order.sampling.max_tokens or _ASSUMED)
    result.output = each * asked
    told = said("log-assumed", each=str(each), limit=str(2 * _PILOT))
    result.output_from = str(told)
    if any(call.further for call in calls):
        result.remarks.append(
            "a conversation may take several calls, and only its first is in this: ask some "
            f"trials first (--limit {2 * _PILOT}) to know how many there are"
        )


def _cost(result: CostEstimate, price: Price | None, order: RunSettings) -> None:
    if not result.asked and not result.canary:
        result.usd, result.price = 0.0, str(said("log-nothing-asked"))
        return
    if price is None:
        result.price = str(said("log-no-price"))
        return
    batched = order.spending.batch
    result.usd = _priced(result, price, result.output, batched=batched)
    result.price = price.source_in_words
    if order.sampling.max_tokens is not None:
        most = float(order.sampling.max_tokens * (result.asked + result.canary))
        result.usd_at_most = _priced(result, price, most, batched=batched)
    if price.above is not None:
        result.remarks.append(
            f"calls above {price.above:,} tokens cost more, and are not distinguished"
        )


def _priced(result: CostEstimate, price: Price, output: float, *, batched: bool) -> float:
    used = Usage(
        result.asked + result.canary,
        round(result.input),
        round(output),
        audio_input=round(result.sound),
        seconds=result.seconds,
    )
    return msgspec.structs.replace(price, above=None).of(used, batched=batched)
