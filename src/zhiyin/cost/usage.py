"""What replies used: tokens and sound, under one set of names whichever server counted them."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from operator import add
from typing import Any

import msgspec

from zhiyin.record import Reply

CACHED = "cached"
"""The entry of a reply's ``detail`` that says that it came from the cache."""


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
        Calls of which the server told no tokens.
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


def counted(usage: Mapping[str, int], detail: Mapping[str, Any]) -> Usage:
    """What a call used, from the counts as servers name them (see `Reply`).

    Known are the names of OpenAI (chat completions, responses), of servers that follow them, and
    of Anthropic, whose input tokens do not hold those read from or written to its cache.
    """
    given, seconds = usage.get, float(detail.get("audio_seconds") or 0.0)
    if not any(name in usage for name in ("prompt_tokens", "input_tokens", "completion_tokens")):
        return Usage(calls=1, seconds=seconds, uncounted=1)
    sent = given("prompt_tokens", given("input_tokens", 0))
    came = given("completion_tokens", given("output_tokens", 0))
    kept = given("cache_read_input_tokens", 0)
    sent += kept + given("cache_creation_input_tokens", 0)
    reasoning = _detail(usage, "output", "reasoning_tokens")
    if reasoning and given("total_tokens", 0) == sent + came + reasoning:
        came += reasoning  # some servers count thinking beside the completion
    return Usage(
        1,
        sent,
        came,
        kept or _detail(usage, "input", "cached_tokens"),
        _detail(usage, "input", "audio_tokens"),
        reasoning,
        _detail(usage, "output", "audio_tokens"),
        seconds,
    )


_SIDES = {"input": ("prompt", "input"), "output": ("completion", "output")}


def _detail(usage: Mapping[str, int], side: str, name: str) -> int:
    """An entry of a breakdown, under either of its names."""
    return next((n for s in _SIDES[side] if (n := usage.get(f"{s}_tokens_details.{name}"))), 0)
