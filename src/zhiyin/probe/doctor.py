"""The doctor: what a model takes, whether it hears and sees, what is cut, and what it would cost.

Everything is tested with a few dozen short calls; what replies cannot show is "not known".
"""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from zhiyin.cost.prices import counted
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.models.capabilities import SETTINGS, Capabilities, capabilities_of
from zhiyin.numerals import percent
from zhiyin.probe.canary import (
    HEARING_ASKED,
    HEARING_NEEDED,
    CanaryOutcome,
    by_guessing,
    canary,
    drawings,
    earlier_turns,
    examine,
    long_clip,
    outcome_of,
    seconds_of,
    two_clips,
    warning,
    words,
)
from zhiyin.probe.media import Medium
from zhiyin.record import Model, Record, Reply, Sampling
from zhiyin.trial import Trial


class ProbeFinding(msgspec.Struct, frozen=True):
    """What asking showed about one ability or setting.

    Attributes
    ----------
    about : str
    state : str
        "yes", "no" or "not known".
    told : str
        The evidence.
    """

    about: str
    state: str
    told: str = ""


class ProbeUsage(msgspec.Struct, frozen=True):
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


Pricer = Callable[[ProbeUsage], float | None]
"""What calls cost in US dollars; None where no price is known."""


def tokens(reply: Reply) -> tuple[int, int] | None:
    """Tokens that were sent and that came back, as a server counts them; None where it does not."""
    used = counted(reply.usage, reply.detail)
    return None if used.uncounted else (used.input, used.output)


def used_by(records: Sequence[Record]) -> ProbeUsage:
    """What all calls of some records used, as far as the server counted."""
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


SECONDS = (10, 25, 35, 65)
"""Lengths of the clips whose end is asked for: encoders of speech often hear 30 s."""
_WORDS, _CLIP_S, _TRIALS = 150, 30.0, 1000
"""Tokens of a question, seconds of its sound, and how many of them are priced."""
_WORD = "brass"


def read_lengths(value: Any) -> tuple[float, ...]:
    """What is written behind ``--seconds``. Raises `InputError`."""
    try:
        lengths = tuple(float(word) for word in str(value).split(",") if word.strip())
    except ValueError:
        lengths = (-1.0,)
    if not all(6 <= seconds <= 3600 for seconds in lengths):
        raise InputError(f"--seconds {value}: write lengths of 6 to 3600 s, with commas between")
    return lengths


class Examination(msgspec.Struct, frozen=True):
    """What is asked of a model.

    Attributes
    ----------
    quick : bool
    seconds : tuple of float
        Lengths of long clips; none to leave them out.
    seed : int
        Of the questions.
    """

    quick: Annotated[bool, Flag("a few words and the canaries alone")] = False
    seconds: Annotated[
        tuple[float, ...],
        Flag(
            "lengths of the clips whose end is asked for",
            metavar="S,S",
            once=True,
            read=read_lengths,
        ),
    ] = SECONDS
    seed: Annotated[int, Flag("of the questions")] = 0


class Diagnosis(msgspec.Struct):
    """What the examination showed.

    Attributes
    ----------
    model : str
    declared : Capabilities
        What the model declares.
    found : list of ProbeFinding
        What asking showed, in the order of asking.
    canary : dict of str to CanaryOutcome
        By "sound" and "image".
    heard_tokens : float or None
        Tokens that a minute of sound makes; None where they were not counted.
    used : ProbeUsage
        What the examination itself used.
    thousand : dict of str to float or None
        Price in US dollars of a thousand trials, by what they are; None where no price is known.
    """

    model: str
    declared: Capabilities
    found: list[ProbeFinding] = []
    canary: dict[str, CanaryOutcome] = {}
    heard_tokens: float | None = None
    used: ProbeUsage = ProbeUsage()
    thousand: dict[str, float | None] = {}

    @property
    def works(self) -> bool:
        """Whether the model answers at all, and takes what it declares to take."""
        return self.found[0].state == "yes" and all(
            one.state == "passed" or (one.state == "refused" and self._undeclared(medium))
            for medium, one in self.canary.items()
        )

    def _undeclared(self, medium: str) -> bool:
        return getattr(self.declared, medium) is not True


_RANDOM = "Write twelve lower-case letters, drawn at random, in a row and nothing else."
_LONG = "Count from one to three hundred in digits, with a space between the numbers."
_DRAWS = 3
_LIMIT = 16
"""Tokens of a reply that is to be cut."""


class SettingTrials:
    """Asks one random question under several settings, and compares the replies.

    Attributes
    ----------
    records : list of Record
        Everything that was asked.
    """

    def __init__(self, model: Model, limits: Limits) -> None:
        self.model, self.limits = model, limits
        self.records: list[Record] = []
        self._varies = False

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
            return ProbeFinding(name, "no", "cannot be set, by the model's declaration")
        try:
            finding = await found()
        except InputError as error:
            return ProbeFinding(name, "no", f"the call failed: {error}")
        described: Any = getattr(self.model, "describe", dict)()
        if name in (described.get("left_out") or ()):  # a server has taught it
            return ProbeFinding(name, "no", "refused by name, and left out")
        return finding

    async def _temperature(self) -> ProbeFinding:
        cold = await self._texts(Sampling(0.0), "temperature/0")
        warm = await self._texts(Sampling(1.0), "temperature/1")
        self._varies = len(set(warm)) == _DRAWS
        alike = len(set(cold)) == 1
        same = f"{_DRAWS} replies at temperature 0 are {'alike' if alike else 'not all alike'}"
        others = f"{_DRAWS} at 1 {'all differ' if self._varies else 'do not all differ'}"
        state = "yes" if alike and self._varies else "not known"
        return ProbeFinding("temperature", state, f"{same}, {others}")

    async def _narrowed(self, name: str, sampling: Sampling) -> ProbeFinding:
        """Try a value of a setting that leaves one token to choose from: replies must be alike."""
        texts = await self._texts(sampling, name)
        value = f"{name} {getattr(sampling, name):g} at temperature 1"
        if len(set(texts)) > 1:
            return ProbeFinding(name, "no", f"{_DRAWS} replies with {value} are not all alike")
        if not self._varies:
            return ProbeFinding(name, "not known", "replies do not vary without it either")
        return ProbeFinding(
            name, "yes", f"{_DRAWS} replies with {value} are alike, without it none are"
        )

    async def _seed(self) -> ProbeFinding:
        one = await self._texts(Sampling(1.0, seed=1), "seed/1", 2)
        two = await self._texts(Sampling(1.0, seed=2), "seed/2", 2)
        if len(set(one)) > 1 or len(set(two)) > 1:
            return ProbeFinding("seed", "no", "the same seed at temperature 1 gives other replies")
        if one == two or not self._varies:
            return ProbeFinding("seed", "not known", "replies do not vary without it either")
        return ProbeFinding(
            "seed", "yes", "at temperature 1 the same seed gives the same reply, twice"
        )

    async def _length(self) -> ProbeFinding:
        (reply,) = await self._ask([words(_LONG, "max_tokens")], Sampling(0.0, max_tokens=_LIMIT))
        numbers = len(reply.text.split())
        if numbers > 4 * _LIMIT:
            return ProbeFinding(
                "max_tokens", "no", f"{_LIMIT} were allowed, and {numbers} numbers came"
            )
        if reply.finish != "length":
            return ProbeFinding(
                "max_tokens", "not known", "the reply ended by itself, or was cut without notice"
            )
        return ProbeFinding("max_tokens", "yes", "a reply that it cuts is said to be cut")

    async def whole_reply(self) -> ProbeFinding:
        """Whether a reply of some hundred words comes whole where no limit is sent."""
        try:
            (reply,) = await self._ask([words(_LONG, "whole")], Sampling(0.0))
        except InputError as error:
            return ProbeFinding("long reply", "no", str(error))
        count = f"{len(reply.text.split())} of 300 numbers"
        if reply.finish == "length":
            return ProbeFinding("long reply", "no", f"cut after {count}: give --max-tokens a value")
        if "300" in reply.text:
            return ProbeFinding("long reply", "yes", f"{count} came without --max-tokens")
        return ProbeFinding("long reply", "not known", f"it ended by itself after {count}")

    async def _texts(self, sampling: Sampling, name: str, times: int = _DRAWS) -> tuple[str, ...]:
        replies = await self._ask(drawings(_RANDOM, name, times), sampling)
        return tuple(reply.text.strip() for reply in replies)

    async def _ask(self, trials: list[Trial], sampling: Sampling) -> list[Reply]:
        """The replies. Raises `InputError` where one of them did not come."""
        records = await examine(self.model, trials, sampling, self.limits)
        self.records += records
        for record in records:
            if not record.exchange.turns:
                raise InputError(record.error or "no reply")
        return [record.exchange.final for record in records]


class Doctor:
    """Examines one model.

    Parameters
    ----------
    model : Model
    seed : int
        Of the questions.
    limits : Limits
    seconds : sequence of float
        Lengths of long clips; none to leave them out.
    price : Pricer, optional
        What calls cost.
    """

    def __init__(
        self,
        model: Model,
        seed: int = 0,
        limits: Limits | None = None,
        seconds: Sequence[float] = SECONDS,
        price: Pricer | None = None,
    ) -> None:
        self.model, self.seed, self.limits = model, seed, limits or Limits(0)
        self.seconds, self.price = sorted(seconds), price
        self.can = capabilities_of(model)
        self.result = Diagnosis(model.name, self.can)
        self._records: list[Record] = []
        self._long: dict[float, list[Record]] = {}

    async def examine(self, *, quick: bool = False) -> Diagnosis:
        """Ask everything; with `quick` a few words and the canaries alone.

        Raises
        ------
        InputError
            No call is answered: key, address or model are wrong.
        """
        result = self.result
        if await self._words():
            if not quick:
                result.found.append(await self._system())
            with tempfile.TemporaryDirectory(prefix="zhiyin-") as folder:
                await self._senses(Path(folder), quick=quick)
            if not quick:
                tries = SettingTrials(self.model, self.limits)
                result.found += [await tries.whole_reply(), *await tries.all()]
                self._records += tries.records
        self._cost()
        return result

    async def _ask(self, trials: list[Trial]) -> list[Record]:
        records = await examine(self.model, trials, Sampling(), self.limits)
        self._records += records
        return records

    async def _words(self) -> bool:
        trial = words("Reply with the one word: ready", "words")
        (record,) = await self._ask([trial])
        if not record.exchange.turns:
            self.result.found.append(ProbeFinding("words", "no", record.error or "no reply"))
            return False
        reply = record.exchange.final
        text = " ".join(reply.text.split())[:40]
        took = f" in {reply.latency_s:.2f} s" if reply.latency_s is not None else ""
        state = "yes" if text else "no"
        self.result.found.append(ProbeFinding("words", state, f"it said {text!r}{took}"))
        return bool(text)

    async def _system(self) -> ProbeFinding:
        if self.can.system is False:
            return ProbeFinding("system message", "no", "by the model's declaration")
        system = f"Whatever you are asked, reply with the one word: {_WORD}"
        trial = words("Name a country.", "system", system)
        (record,) = await self._ask([trial])
        if not record.exchange.turns:
            return ProbeFinding("system message", "no", record.error or "")
        followed = _WORD in record.exchange.final.text.lower()
        evidence = "it is followed" if followed else "it is taken, and was not followed"
        return ProbeFinding("system message", "yes" if followed else "not known", evidence)

    async def _senses(self, folder: Path, *, quick: bool) -> None:
        hears = await self._canary("sound", folder)
        if hears and not quick:
            seed, can = self.seed, self.can
            clips, earlier = can.clips in (0, 1), can.clips in (0, 1) or can.sound_examples is False
            findings = self.result.found
            findings.append(await self._asked_by_ear("two clips", two_clips(seed, folder), clips))
            about = "clips in worked examples"
            findings.append(await self._asked_by_ear(about, earlier_turns(seed, folder), earlier))
            for seconds in self.seconds:
                await self._end(seconds, folder)
        await self._canary("image", folder)

    async def _canary(self, medium: Medium, folder: Path) -> bool:
        about = "sound" if medium == "sound" else "pictures"
        findings = self.result.found
        if getattr(self.can, medium) is False:
            findings.append(ProbeFinding(about, "no", "by the model's declaration"))
            return False
        outcome = outcome_of(await self._ask(canary(medium, self.seed, folder)))
        self.result.canary[medium] = outcome
        state = {"passed": "yes", "undecided": "not known"}.get(outcome.state, "no")
        evidence = warning(medium, outcome) if outcome.state != "passed" else outcome.score
        findings.append(ProbeFinding(about, state, evidence or ""))
        return outcome.state == "passed"

    async def _asked_by_ear(self, about: str, trials: list[Trial], refused: bool) -> ProbeFinding:
        if refused:
            return ProbeFinding(about, "no", "by the model's declaration")
        records = await self._ask(trials)
        return _by_ear(about, records)

    async def _end(self, seconds: float, folder: Path) -> None:
        """Whether the end of a long clip is heard, by its answers and by the tokens it makes."""
        about, most = _long(seconds), self.can.seconds
        if isinstance(most, int | float) and seconds > most:
            evidence = f"by the model's declaration, which is {most:g} s"
            self.result.found.append(ProbeFinding(about, "no", evidence))
            return
        records = await self._ask(long_clip(seconds, self.seed, folder))
        finding = _by_ear(about, records)
        cut = _cut(seconds, records, self._long)
        if cut:
            state = "no" if finding.state != "yes" else "not known"
            finding = ProbeFinding(about, state, f"{finding.told}; {cut}")
        self._long[seconds] = records
        self.result.found.append(finding)

    def _cost(self) -> None:
        """Tokens a minute of sound, and the price of a thousand trials."""
        result = self.result
        result.used = used_by(self._records)
        heard = {one.about for one in result.found if one.state == "yes"}
        by_seconds = {
            seconds: sent
            for seconds, records in self._long.items()
            if _long(seconds) in heard and (sent := sent_tokens(records)) is not None
        }
        result.heard_tokens = a_minute(by_seconds)
        replies = sum(bool(record.exchange.turns) for record in self._records)
        received = result.used.output / replies if replies else 0.0
        self._thousand(f"questions of {_WORDS} tokens", received, 0.0)
        if "sound" in result.canary:
            self._thousand(f"the same, each with {_CLIP_S:g} s of sound", received, _CLIP_S)

    def _thousand(self, about: str, received: float, seconds: float) -> None:
        """The price of a thousand questions, answered in as many tokens as those here were."""
        minute, counted = self.result.heard_tokens, self.result.used.input > 0
        sound = (minute or 0.0) * seconds / 60
        price = None
        if self.price is not None and counted and not (seconds and minute is None):
            each = (_WORDS + sound, received, sound, seconds)
            price = self.price(ProbeUsage(_TRIALS, *(_TRIALS * amount for amount in each)))
        self.result.thousand[about] = price


def _long(seconds: float) -> str:
    return f"{seconds:g} s of sound"


def _by_ear(about: str, records: list[Record]) -> ProbeFinding:
    """What right answers show, with the odds of guessing."""
    failed = [record for record in records if not record.exchange.turns]
    if failed:
        return ProbeFinding(about, "no", failed[0].error or "no reply")
    right = sum(record.verdict.state == "correct" for record in records)
    odds = percent(by_guessing(HEARING_NEEDED, HEARING_ASKED), 1)
    evidence = f"{right} of {len(records)} right, {HEARING_NEEDED} needed (guessing: {odds} %)"
    return ProbeFinding(about, "yes" if right >= HEARING_NEEDED else "no", evidence)


def _cut(seconds: float, records: list[Record], before: dict[float, list[Record]]) -> str:
    """What shows that a clip was cut, beside the answers; "" for nothing."""
    for record in records:
        heard = record.exchange.turns and record.exchange.final.detail.get("audio_seconds_heard")
        if isinstance(heard, int | float) and heard < seconds - 0.5:
            return f"it heard {heard:g} s"
    shorter = max((s for s in before if s < seconds), default=None)
    now = sent_tokens(records)
    then = sent_tokens(before[shorter]) if shorter is not None else None
    first = min(before, default=None)
    base = sent_tokens(before[first]) if first is not None else None
    if now is None or then is None or base is None or shorter is None or first is None:
        return ""
    rate = (then - base) / (shorter - first) if shorter > first else base / first
    if rate > 0 and now - then < 0.1 * rate * (seconds - shorter):
        return f"it makes no more tokens than {shorter:g} s"
    return ""


async def diagnose(doctor: Doctor, *, quick: bool = False) -> Diagnosis:
    """Examine, and close the model whatever happens.

    Raises `InputError` where no call is answered.
    """
    try:
        own = getattr(doctor.model, "check", None)
        if own:
            await own()
            doctor.can = doctor.result.declared = capabilities_of(doctor.model)
        return await doctor.examine(quick=quick)
    finally:
        await doctor.model.close()
