"""What calls used: tokens and seconds of sound, and how many tokens a minute of sound makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from zhiyin.cost.usage import counted
from zhiyin.probe.ears import seconds_of
from zhiyin.record import Record, Reply


class Used(msgspec.Struct, frozen=True):
    """What one call used, or several.

    Attributes
    ----------
    calls : int
    input, output : float
        Tokens sent and received, thinking included.
    audio_input : float
        Those of `input` that are sound.
    seconds : float
        Of sound that was sent.
    """

    calls: int = 0
    input: float = 0
    output: float = 0
    audio_input: float = 0
    seconds: float = 0


Pricer = Callable[[Used], float | None]
"""What calls cost in US dollars; None where no price is known."""


def tokens(reply: Reply) -> tuple[int, int] | None:
    """Tokens that were sent and that came back, as a server counts them; None where it does not."""
    used = counted(reply.usage, reply.detail)
    return None if used.uncounted else (used.input, used.output)


def used_by(records: Sequence[Record]) -> Used:
    """What all calls of some records used, as far as the server counted."""
    replies = [turn.reply for record in records for turn in record.exchange.turns]
    counts = [count for reply in replies if (count := tokens(reply))]
    return Used(
        len(records),
        sum(sent for sent, _ in counts),
        sum(received for _, received in counts),
        seconds=sum(seconds_of(record.trial) for record in records),
    )


def sent_tokens(records: Sequence[Record]) -> float | None:
    """Mean number of tokens sent in a call; None where the server counted none."""
    replies = [turn.reply for record in records for turn in record.exchange.turns]
    counts = [count[0] for reply in replies if (count := tokens(reply))]
    return sum(counts) / len(counts) if counts else None


def a_minute(by_seconds: dict[float, float]) -> float | None:
    """Tokens that a minute of sound makes, from the tokens of clips of several lengths.

    The slope between the shortest and the longest clip. None for fewer than two lengths, and where
    a longer clip makes no more tokens: clips are filled up to one length then.

    Parameters
    ----------
    by_seconds : dict of float to float
        Seconds of a clip that was heard to its end, and the tokens of the question with it.
    """
    if len(by_seconds) < 2:
        return None
    (short, few), *_, (longer, more) = sorted(by_seconds.items())
    return 60 * (more - few) / (longer - short) if more > few else None
