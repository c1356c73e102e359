"""Result of an examination of a model, and the use of its calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from zhiyin.cost.prices import counted
from zhiyin.models.capabilities import Capabilities
from zhiyin.record import Record, Reply
from zhiyin.session.canary import CanaryOutcome, seconds_of
from zhiyin.words import Said, Text, said


class ProbeFinding(msgspec.Struct, frozen=True):
    """Finding about one ability or setting.

    Attributes
    ----------
    about : str or Said
        See `about`.
    state : str
        "yes", "no" or "not known".
    told : str or Said
        The evidence.
    """

    about: Text
    state: str
    told: Text = ""


def about(kind: str, each: Sequence[str] = ()) -> Said:
    """What a finding is about: an ability, the end of clips of some lengths, or settings."""
    return said("doctor-about", about=kind, each=[*each])


class ProbeUsage(msgspec.Struct, frozen=True):
    """Tokens and time used by one call, or several.

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


Pricer = Callable[[ProbeUsage], float | None]
"""What calls cost in US dollars; None where no price is known."""


def tokens(reply: Reply) -> tuple[int, int] | None:
    """Tokens that were sent and that came back, as a server counts them; None where it does not."""
    used = counted(reply.usage, reply.detail)
    return None if used.uncounted else (used.input, used.output)


def used_by(records: Sequence[Record]) -> ProbeUsage:
    """Sum what all calls of some records used, as far as the server counted."""
    replies = [turn.reply for record in records for turn in record.exchange.turns]
    counts = [count for reply in replies if (count := tokens(reply))]
    return ProbeUsage(
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


_BAD_REQUEST = re.compile(r"\b4(?:00|13|15|22): ")


def declines(one: CanaryOutcome) -> bool:
    """Tell whether a model says itself that it takes no such thing.

    Its server refuses the request, where it takes one in words, or it answers that it hears
    nothing.
    """
    if one.asked:
        return one.state == "failed" and one.unread == one.asked
    return one.state == "refused" or bool(_BAD_REQUEST.search(one.told))


class Diagnosis(msgspec.Struct):
    """Result of an examination.

    Attributes
    ----------
    model : str
    declared : Capabilities
        What the model declares.
    found : list of ProbeFinding
        What asking showed, in the order of asking.
    canary : dict of str to CanaryOutcome
        By "sound" and "image".
    wanted : list of str
        Those of them that a run would ask, too.
    heard_tokens : float or None
        Tokens that a minute of sound makes; None where they were not counted.
    used : ProbeUsage
        What the examination itself used.
    latency_s : float or None
        Median time of a call; None where it was not measured.
    rate : float or None
        Tokens of replies a second of waiting; None where either is not known.
    thousand : dict of str to float or None
        Price in US dollars of a thousand trials, by what they are; None where no price is known.
    stopped : str
        Why the rest was not asked; "" where all was.
    """

    model: str
    declared: Capabilities
    found: list[ProbeFinding] = []
    canary: dict[str, CanaryOutcome] = {}
    wanted: list[str] = []
    heard_tokens: float | None = None
    used: ProbeUsage = ProbeUsage()
    latency_s: float | None = None
    rate: float | None = None
    thousand: dict[str, float | None] = {}
    stopped: str = ""

    def in_english(self) -> Diagnosis:
        """The same with its words in English, for files."""
        found = [ProbeFinding(str(f.about), f.state, str(f.told)) for f in self.found]
        return msgspec.structs.replace(self, found=found)

    @property
    def answers(self) -> bool:
        """True if the model was asked everything, and answers at all."""
        return not self.stopped and self.found[0].state == "yes"

    @property
    def works(self) -> bool:
        """True if the model answers, so that it can be read, and takes what it declares to take.

        A model of text may refuse sound, or say in words that there is none: it has not failed.
        """
        return self.answers and not self.failing

    @property
    def failing(self) -> list[Said | str]:
        """What the model takes, or declares to take, and does not do."""
        media: list[Said | str] = [
            about(medium)
            for medium, one in self.canary.items()
            if medium in self.wanted
            and one.state != "passed"
            and not (declines(one) and getattr(self.declared, medium) is not True)
        ]
        form = [one for one in self.found if str(one.about) == str(about("format"))]
        return [*(one.about for one in form if one.state == "no"), *media]
