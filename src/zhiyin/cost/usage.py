"""What replies used: tokens and sound, under one set of names whichever server counted them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from operator import add
from typing import Any

import msgspec

from zhiyin.record import Reply

CACHED = "cached"
"""The entry of a reply's ``detail`` that says that it came from the cache."""
KEPT_BY, KEPT_AT = "kept_by", "kept_at"
"""Those that say of which run it is, by its id, and when it came; empty for the run itself."""
UNKNOWN = "unknown"
"""In the place of the id of a run that nobody wrote down."""

BATCH = "batch"
"""The entry of a reply's ``detail`` that says of which batch it is a part."""


class Usage(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one call used, or several.

    Attributes
    ----------
    calls : int
    input, output : int
        All tokens that were sent and that came back, thinking included.
    cached_input, audio_input, reasoning, audio_output : int
        Those among them that the server had kept, that are sound, that are thinking.
    seconds : float
        Of sound that was sent.
    uncounted : int
        Calls of which the server did not count what was sent and what came back.
    """

    calls: int = 0
    input: int = 0
    output: int = 0
    cached_input: int = 0
    audio_input: int = 0
    reasoning: int = 0
    audio_output: int = 0
    seconds: float = 0.0
    uncounted: int = 0

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.input + self.output

    def __add__(self, other: Usage) -> Usage:
        mine, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return Usage(*map(add, mine, theirs))


class Opening(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the calls before the first trial of a run used: those of a canary.

    Attributes
    ----------
    paid : tuple of Usage
        Of each reply that did not come from the cache.
    begun : int
        Calls that were begun, those that failed included.
    """

    paid: tuple[Usage, ...] = ()
    begun: int = 0

    def __add__(self, other: Opening) -> Opening:
        return Opening(self.paid + other.paid, self.begun + other.begun)


def opening_of(canary: Mapping[str, Any]) -> Opening:
    """What the canaries of a run used, as its manifest holds them; nothing of earlier versions."""
    total = Opening()
    for outcome in canary.values():
        with contextlib.suppress(msgspec.ValidationError, AttributeError):
            total += msgspec.convert(outcome.get("used", {}), Opening)
    return total


def usage_of(reply: Reply) -> Usage:
    """What a reply used; nothing where it came from the cache."""
    return Usage() if reply.detail.get(CACHED) else counted(reply.usage, reply.detail)


_MOST = 10**8
"""Tokens of one call beyond which a count is none: ten times what the widest models take."""


def counted(usage: Mapping[str, int], detail: Mapping[str, Any]) -> Usage:
    """What a call used, from the counts as servers name them (see `Reply`).

    Known are the names of OpenAI (chat completions, responses), of servers that follow them, and
    of Anthropic, whose input tokens do not hold those read from or written to its cache. A count
    that cannot be (below 0, above 100 million, nothing sent) is as good as none; and a call is
    counted where both what was sent and what came back are.
    """
    seconds = float(detail.get("audio_seconds") or 0.0)
    *tokens, whole = _tokens(usage, lambda wanted, one, other: one if wanted else other)
    return Usage(*(1, *tokens, seconds, int(not whole)))


def counted_columns(usage: Mapping[str, Any], seconds: Any) -> Any:
    """As `counted`, of many calls: arrays in the places of numbers, and in the `Usage`."""
    import numpy as np

    rows = len(seconds)
    ones = np.ones(rows, dtype=np.int64)
    *tokens, whole = (np.broadcast_to(column, rows) for column in _tokens(usage, np.where))
    return Usage(*[ones, *tokens, seconds, np.where(whole, 0, ones)])


def _tokens(usage: Mapping[str, Any], pick: Callable[[Any, Any, Any], Any]) -> tuple[Any, ...]:
    """The tokens of a `Usage` in order, and whether both sides of a call were counted.

    Of numbers or arrays; `pick` takes the one or the other.
    """

    def given(*names: str) -> tuple[Any, Any]:
        """The count of the first of some names that is there, and whether it can be."""
        count = next((usage[name] for name in names if name in usage), -1)
        can = (count >= 0) & (count <= _MOST)
        return pick(can, count, 0), can

    sent, has_sent = given("prompt_tokens", "input_tokens")
    received, has_received = given("completion_tokens", "output_tokens")
    cached = given("cache_read_input_tokens")[0]
    sent = sent + cached + given("cache_creation_input_tokens")[0]
    whole = has_sent & has_received & (sent > 0)

    def detail(names: tuple[str, str]) -> Any:
        """An entry of a breakdown, under either of its names."""
        one, other = given(names[0])[0], given(names[1])[0]
        return pick(one != 0, one, other)

    reasoning = detail(_REASONING)
    # Some servers count thinking beside the completion.
    beside = given("total_tokens")[0] == sent + received + reasoning
    received = pick(beside, received + reasoning, received)
    cached = pick(cached != 0, cached, detail(_KEPT))
    return sent, received, cached, detail(_HEARD), reasoning, detail(_SPOKEN), whole


def _entry(one: str, other: str, name: str) -> tuple[str, str]:
    """The names of an entry of a breakdown, as each of the two families of servers has it."""
    return f"{one}_tokens_details.{name}", f"{other}_tokens_details.{name}"


_REASONING = _entry("completion", "output", "reasoning_tokens")
_SPOKEN = _entry("completion", "output", "audio_tokens")
_KEPT = _entry("prompt", "input", "cached_tokens")
_HEARD = _entry("prompt", "input", "audio_tokens")


class OthersPaid(msgspec.Struct):
    """What a conversation cost beside the model's replies: those of a judge in its midst.

    It is kept in the `notes` of an exchange, under "paid".
    """

    calls: float = 0
    tokens: float = 0
    usd: float = 0.0
