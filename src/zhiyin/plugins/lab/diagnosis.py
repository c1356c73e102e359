"""Result of an examination of a model, and the use of its calls.

Tests of whether a model follows settings: one random question, asked under several.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from zhiyin.cost.prices import counted
from zhiyin.errors import InputError
from zhiyin.models.capabilities import SETTINGS, Capabilities, capabilities_of
from zhiyin.plugins.lab.doctor_questions import words
from zhiyin.record import Model, Record, Reply, Sampling
from zhiyin.session.canary import CanaryOutcome
from zhiyin.trial import Audio, Trial
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


def seconds_of(trial: Trial) -> float:
    """Return the total length of all sound in a trial, in seconds."""
    clips: Sequence[Audio] = [p for m in trial.messages for p in m.parts if isinstance(p, Audio)]
    return sum(clip.seconds for clip in clips)


def used_by(records: Sequence[Record]) -> ProbeUsage:
    """Sum what all calls of some records used, retries included, as far as the server counted."""
    replies = [turn.reply for record in records for turn in record.exchange.turns]
    counts = [count for reply in replies if (count := tokens(reply))]
    return ProbeUsage(
        sum(record.attempts for record in records),
        sum(sent for sent, _ in counts),
        sum(received for _, received in counts),
        seconds=sum(seconds_of(record.trial) for record in records if record.exchange.turns),
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
    unused : list of str
        Those that a model took without a sign of using them, and does not declare to take: text
        models do so.
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
    unused: list[str] = []
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
            and medium not in self.unused
            and one.state != "passed"
            and not (declines(one) and getattr(self.declared, medium) is not True)
        ]
        form = [one for one in self.found if str(one.about) == str(about("format"))]
        return [*(one.about for one in form if one.state == "no"), *media]


_RANDOM = "Write twelve lower-case letters, drawn at random, in a row and nothing else."
_LONG = "Count from one to three hundred in digits, with a space between the numbers."
_DRAWS = 3
_LIMIT = 16
"""Tokens of a reply that is to be cut."""


class SettingTrials:
    """Asks one random question under several settings, and compares the replies.

    Parameters
    ----------
    model : Model
    examine : callable
        Asks it some trials with a sampling, and gives their records.
    """

    def __init__(
        self, model: Model, examine: Callable[[list[Trial], Sampling], Awaitable[list[Record]]]
    ) -> None:
        self.model, self._examine, self._varies = model, examine, False

    async def all(self) -> list[ProbeFinding]:
        """Every setting, in the order of `SETTINGS`."""
        ways: dict[str, Callable[[], Awaitable[ProbeFinding]]] = {
            "temperature": self._temperature,
            "top_p": lambda: self._narrowed("top_p", Sampling(1.0, top_p=0.001)),
            "top_k": lambda: self._narrowed("top_k", Sampling(1.0, top_k=1)),
            "seed": self._seed,
            "max_tokens": self._length,
        }
        return [await self._finding(name, ways[name]) for name in SETTINGS]

    async def _finding(
        self, name: str, found: Callable[[], Awaitable[ProbeFinding]]
    ) -> ProbeFinding:
        if not capabilities_of(self.model).sets(name):
            return _of(name, "no", "declared")
        try:
            finding = await found()
        except InputError as error:
            return _of(name, "no", "failed", why=str(error))
        described: Any = getattr(self.model, "describe", dict)()
        if name in (described.get("left_out") or ()):  # a server has taught it
            return _of(name, "no", "refused")
        return finding

    async def _temperature(self) -> ProbeFinding:
        cold = await self._texts(Sampling(0.0), "temperature/0")
        warm = await self._texts(Sampling(1.0), "temperature/1")
        self._varies = len(set(warm)) == _DRAWS
        alike = len(set(cold)) == 1
        state = "yes" if alike and self._varies else "not known"
        return _of("temperature", state, "heat", n=_DRAWS, alike=alike, varies=self._varies)

    async def _narrowed(self, name: str, sampling: Sampling) -> ProbeFinding:
        """Try a value of a setting that leaves one token to choose from: replies must be alike."""
        texts = await self._texts(sampling, name)
        value = f"{name} {getattr(sampling, name):g}"
        if len(set(texts)) > 1:
            return _of(name, "no", "wide", n=_DRAWS, value=value)
        if not self._varies:
            return _of(name, "not known", "constant")
        return _of(name, "yes", "narrow", n=_DRAWS, value=value)

    async def _seed(self) -> ProbeFinding:
        one = await self._texts(Sampling(1.0, seed=1), "seed/1", 2)
        two = await self._texts(Sampling(1.0, seed=2), "seed/2", 2)
        if len(set(one)) > 1 or len(set(two)) > 1:
            return _of("seed", "no", "unseeded")
        if one == two or not self._varies:
            return _of("seed", "not known", "constant")
        return _of("seed", "yes", "seeded")

    async def _length(self) -> ProbeFinding:
        (reply,) = await self._ask([words(_LONG, "max_tokens")], Sampling(0.0, max_tokens=_LIMIT))
        numbers = len(reply.text.split())
        if numbers > 4 * _LIMIT:
            return _of("max_tokens", "no", "beyond", n=_LIMIT, numbers=numbers)
        if reply.finish != "length":
            return _of("max_tokens", "not known", "unsaid")
        return _of("max_tokens", "yes", "cut")

    async def whole_reply(self) -> ProbeFinding:
        """Test whether a reply of some hundred words comes whole where no limit is sent."""
        try:
            (reply,) = await self._ask([words(_LONG, "whole")], Sampling(0.0))
        except InputError as error:
            return _of("whole", "no", "failed", why=str(error))
        count = len(reply.text.split())
        if reply.finish == "length":
            return _of("whole", "no", "whole", end="cut", count=count)
        if "300" in reply.text:
            return _of("whole", "yes", "whole", end="whole", count=count)
        return _of("whole", "not known", "whole", end="itself", count=count)

    async def _texts(self, sampling: Sampling, name: str, times: int = _DRAWS) -> tuple[str, ...]:
        replies = await self._ask([words(_RANDOM, f"{name}/{n}") for n in range(times)], sampling)
        return tuple(reply.text.strip() for reply in replies)

    async def _ask(self, trials: list[Trial], sampling: Sampling) -> list[Reply]:
        """The replies. Raises `InputError` where one of them did not come."""
        records = await self._examine(trials, sampling)
        for record in records:
            if not record.exchange.turns:
                raise InputError(record.error or "no reply")
        return [record.exchange.final for record in records]


def _of(name: str, state: str, how: str, **facts: Any) -> ProbeFinding:
    """The finding of a setting, or of a long reply."""
    return ProbeFinding(about(name), state, said("doctor-setting", how=how, **facts))
