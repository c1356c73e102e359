"""The doctor: what a model takes, whether it hears and sees, what is cut, and what it would cost.

Everything is tested with a few dozen short calls; what replies cannot show is "not known".
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from zhiyin.engine.asking import Queue
from zhiyin.engine.runner import Limits
from zhiyin.errors import HaltError, InputError
from zhiyin.flags import Flag
from zhiyin.models.capabilities import capabilities_of
from zhiyin.numerals import percent
from zhiyin.plugins.lab.diagnosis import (
    Diagnosis,
    Pricer,
    ProbeFinding,
    ProbeUsage,
    a_minute,
    sent_tokens,
    used_by,
)
from zhiyin.plugins.lab.doctor_settings import SettingTrials
from zhiyin.record import Model, Record, Sampling
from zhiyin.session.canary import (
    HEARING_ASKED,
    HEARING_NEEDED,
    by_guessing,
    canary,
    earlier_turns,
    examine,
    long_clip,
    outcome_of,
    two_clips,
    warning,
    words,
)
from zhiyin.session.media import Medium
from zhiyin.trial import Trial

SECONDS = (10, 25, 35, 65)
"""Lengths of the clips whose end is asked for: encoders of speech often hear 30 s."""
_WORDS, _CLIP_S, _TRIALS = 150, 30.0, 1000
"""Tokens of a question, seconds of its sound, and how many of them are priced."""
_WORD = "brass"
_PLAIN = Sampling()


def read_lengths(value: Any) -> tuple[float, ...]:
    """Read the lengths after ``--seconds``. Raises `InputError`."""
    try:
        lengths = tuple(float(word) for word in str(value).split(",") if word.strip())
    except ValueError:
        lengths = (-1.0,)
    if not all(6 <= seconds <= 3600 for seconds in lengths):
        raise InputError(f"--seconds {value}: write lengths of 6 to 3600 s, with commas between")
    return lengths


class Examination(msgspec.Struct, frozen=True):
    """Settings of an examination.

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
    queue : Queue, optional
        Where budget and pace are looked after.
    """

    def __init__(
        self,
        model: Model,
        seed: int = 0,
        limits: Limits | None = None,
        seconds: Sequence[float] = SECONDS,
        price: Pricer | None = None,
        queue: Queue | None = None,
    ) -> None:
        self.queue = queue
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
        try:
            await self._everything(quick=quick)
        except HaltError as error:
            self.result.stopped = str(error)
        self._cost()
        return self.result

    async def _everything(self, *, quick: bool) -> None:
        found = self.result.found
        if await self._words():
            if not quick:
                found.append(await self._system())
            with tempfile.TemporaryDirectory(prefix="zhiyin-") as folder:
                await self._senses(Path(folder), quick=quick)
            if not quick:
                tries = SettingTrials(self.model, self._ask)
                found.append(await tries.whole_reply())
                found += await tries.all()

    async def _ask(self, trials: list[Trial], sampling: Sampling = _PLAIN) -> list[Record]:
        """Records of all of them. Raises `HaltError` where one was not asked: the budget is spent.

        What was not asked shows nothing of a model.
        """
        records = await examine(self.model, trials, sampling, self.limits, self.queue)
        self._records += [record for record in records if record.attempts]
        if unasked := next((record for record in records if not record.attempts), None):
            raise HaltError(unasked.error or "it was not asked")
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
        """Test whether the end of a long clip is heard, by its answers and its tokens."""
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
    """Return the finding of right answers, with the odds of guessing."""
    failed = [record for record in records if not record.exchange.turns]
    if failed:
        return ProbeFinding(about, "no", failed[0].error or "no reply")
    right = sum(record.verdict.state == "correct" for record in records)
    odds = percent(by_guessing(HEARING_NEEDED, HEARING_ASKED), 1)
    evidence = f"{right} of {len(records)} right, {HEARING_NEEDED} needed (guessing: {odds} %)"
    return ProbeFinding(about, "yes" if right >= HEARING_NEEDED else "no", evidence)


def _cut(seconds: float, records: list[Record], before: dict[float, list[Record]]) -> str:
    """Return the evidence, beside the answers, that a clip was cut; "" for none."""
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
