"""The doctor: what a model takes, whether it hears and sees, what is cut, and what it would cost.

Everything is tested with a few dozen short calls; what replies cannot show is "not known".
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from zhiyin.engine.asking import Queue
from zhiyin.engine.runner import Limits
from zhiyin.errors import HaltError, InputError
from zhiyin.flags import COUNT, Flag
from zhiyin.models.capabilities import capabilities_of
from zhiyin.plugins.lab.diagnosis import (
    Diagnosis,
    Pricer,
    ProbeFinding,
    ProbeUsage,
    SettingTrials,
    a_minute,
    about,
    declines,
    sent_tokens,
    used_by,
)
from zhiyin.plugins.lab.doctor_questions import (
    HEARING_ASKED,
    HEARING_NEEDED,
    earlier_turns,
    long_clip,
    plain_choices,
    two_clips,
    words,
)
from zhiyin.record import Model, Record, Sampling
from zhiyin.session.canary import (
    UNASKED,
    by_guessing,
    canary,
    examine,
    outcome_of,
    wants_canary,
    warning,
)
from zhiyin.session.media import Medium
from zhiyin.trial import Trial
from zhiyin.words import Said, said
from zhiyin.words.reasons import reason

SECONDS = (10, 25, 35, 65)
"""Lengths of the clips whose end is asked for: encoders of speech often hear 30 s."""
_WORDS, _CLIP_S, _TRIALS = 150, 30.0, 1000
"""Tokens of a question, seconds of its sound, and how many of them are priced."""
_WORD = "brass"
LIMIT = 64
"""Tokens of a reply of a model on this machine, which may take a minute for a thousand."""
_EACH, _COUNTED, _A_SECOND, _SHORT_S = 80, 1500, 25, 3.0
"""Tokens of a question, of all replies, and of a second of sound, where nothing is known yet; and
seconds of a short clip."""


def read_lengths(value: Any) -> tuple[float, ...]:
    """Read the lengths after ``--seconds``. Raises `InputError`."""
    try:
        lengths = tuple(float(word) for word in str(value).split(",") if word.strip())
    except ValueError:
        lengths = (-1.0,)
    if not all(6 <= seconds <= 3600 for seconds in lengths):
        raise InputError(said("doctor-seconds", value=value))
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
    max_tokens : int or None
        Of a reply; None for `LIMIT` of a model on this machine, and no limit of others.
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
    max_tokens: Annotated[int | None, Flag(f"of a reply; hf:, vllm: {LIMIT}", within=COUNT)] = None


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
    max_tokens : int, optional
        Of a reply.
    """

    def __init__(
        self, model: Model, seed: int = 0, limits: Limits | None = None,
        seconds: Sequence[float] = SECONDS, price: Pricer | None = None, queue: Queue | None = None,
        max_tokens: int | None = None,
    ) -> None:  # fmt: skip
        self.queue, self.plain = queue, Sampling(max_tokens=max_tokens)
        self.model, self.seed, self.limits = model, seed, limits or Limits(0)
        self.seconds, self.price = sorted(seconds), price
        self.can = capabilities_of(model)
        self.result = Diagnosis(model.name, self.can)
        self._records: list[Record] = []
        self._long: dict[float, list[Record]] = {}
        self._heard: dict[float, list[Record]] = {}

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
        found, instant = self.result.found, getattr(self.model, "instant", False)
        rules = getattr(self.model, "canary", None) is False  # it answers by rules of its own
        if not instant:  # a baseline has no words of its own
            found.append(await self._words())
        if instant or found[0].state == "yes":
            if instant or not rules:
                found.append(await self._format())
            if not (quick or rules):
                found.append(await self._system())
            with tempfile.TemporaryDirectory(prefix="zhiyin-") as folder:
                await self._senses(Path(folder), quick=quick)
            if not (quick or rules):
                tries = SettingTrials(self.model, self._ask)
                if self.plain.max_tokens is None:
                    found.append(await tries.whole_reply())
                found += await tries.all()

    async def _ask(self, trials: list[Trial], sampling: Sampling | None = None) -> list[Record]:
        """Records of all of them. Raises `HaltError` where one was not asked: the budget is spent.

        What was not asked shows nothing of a model.
        """
        own = sampling or self.plain
        if own.max_tokens is None:
            own = msgspec.structs.replace(own, max_tokens=self.plain.max_tokens)
        records = await examine(self.model, trials, own, self.limits, self.queue)
        self._records += [record for record in records if record.verdict.why != UNASKED]
        for unasked in (record for record in records if record.verdict.why == UNASKED):
            raise HaltError(unasked.error or UNASKED)
        return records

    async def _words(self) -> ProbeFinding:
        (record,) = await self._ask([words("Reply with the one word: ready", "words")])
        if not record.exchange.turns:
            return ProbeFinding(about("words"), "no", _why(record))
        reply = record.exchange.final
        text = " ".join(reply.text.split())[:40]
        told = said("doctor-said", text=text, seconds=reply.latency_s)
        return ProbeFinding(about("words"), "yes" if text else "no", told)

    async def _format(self) -> ProbeFinding:
        """Test whether a question with four options is answered so that one of them can be read."""
        records = await self._ask(plain_choices(self.seed))
        if failed := [record for record in records if not record.exchange.turns]:
            return ProbeFinding(about("format"), "no", _why(failed[0]))
        read = sum(record.verdict.state in ("correct", "wrong") for record in records)
        texts = [record.exchange.final.text.strip() for record in records]
        alone = sum(len(text.strip("().*")) == 1 for text in texts)
        told = said("doctor-format", read=read, alone=alone, of=len(records), text=texts[0][:40])
        return ProbeFinding(about("format"), "yes" if read >= HEARING_NEEDED else "no", told)

    async def _system(self) -> ProbeFinding:
        if self.can.system is False:
            return ProbeFinding(about("system"), "no", _declared())
        system = f"Whatever you are asked, reply with the one word: {_WORD}"
        (record,) = await self._ask([words("Name a country.", "system", system)])
        if not record.exchange.turns:
            return ProbeFinding(about("system"), "no", _why(record))
        followed = _WORD in record.exchange.final.text.lower()
        told = said("doctor-system", followed=followed)
        return ProbeFinding(about("system"), "yes" if followed else "not known", told)

    async def _senses(self, folder: Path, *, quick: bool) -> None:
        hears = await self._canary("sound", folder)
        if hears and not quick:
            seed, can = self.seed, self.can
            clips, earlier = can.clips in (0, 1), can.clips in (0, 1) or can.sound_examples is False
            findings = self.result.found
            findings.append(await self._asked_by_ear("clips", two_clips(seed, folder), clips))
            findings.append(await self._asked_by_ear("turns", earlier_turns(seed, folder), earlier))
            for seconds in self.seconds:
                await self._end(seconds, folder)
        await self._canary("image", folder)

    async def _canary(self, medium: Medium, folder: Path) -> bool:
        takes = getattr(self.can, medium)
        if takes is False or getattr(self.model, "canary", None) is False:
            no = ("no", _declared()) if takes is False else ("not known", said("doctor-unasked"))
            self.result.found.append(ProbeFinding(about(medium), *no))
            return False
        if wants_canary(self.model, medium):
            self.result.wanted.append(medium)
        first, *others = canary(medium, self.seed, folder)
        records = await self._ask([first])
        if records[0].verdict.state != "error":
            records += await self._ask(others)
        outcome = outcome_of(records, unasked=1 + len(others) - len(records))
        self.result.canary[medium] = outcome
        refused = not outcome.asked and declines(outcome)
        known = outcome.state != "undecided" or refused
        state = "yes" if outcome.state == "passed" else "no" if known else "not known"
        complaint = outcome.told.removeprefix("unsupported: ")
        why = reason(complaint) if refused else warning(medium, outcome)
        silent, same = None, False
        if medium == "sound" and outcome.asked:
            trials = canary(medium, self.seed, folder, silent=True)
            control = outcome_of(await self._ask(trials))
            silent = control.right
            same = [one.said for one in control.answers] == [one.said for one in outcome.answers]
        unused = bool(outcome.asked) and takes is not True and (same or medium == "image")
        if unused and state == "no" and medium in self.result.wanted:
            self.result.unused.append(medium)
        facts = {"why": why, "silent": silent, "same": same and bool(why)}
        told = said("doctor-canary", right=outcome.right, of=outcome.asked, **facts)
        self.result.found.append(ProbeFinding(about(medium), state, told))
        return outcome.state == "passed"

    async def _asked_by_ear(self, name: str, trials: list[Trial], refused: bool) -> ProbeFinding:
        if refused:
            return ProbeFinding(about(name), "no", _declared())
        return _by_ear(about(name), await self._ask(trials))

    async def _end(self, seconds: float, folder: Path) -> None:
        """Test whether the end of a long clip is heard, by its answers and its tokens."""
        end, most = about("end", [f"{seconds:g}"]), self.can.seconds
        if isinstance(most, int | float) and seconds > most:
            self.result.found.append(ProbeFinding(end, "no", _declared(most)))
            return
        records = await self._ask(long_clip(seconds, self.seed, folder))
        finding = _by_ear(end, records)
        if cut := _cut(seconds, records, self._long):
            state = "no" if finding.state != "yes" else "not known"
            finding = ProbeFinding(end, state, said("doctor-cut", told=finding.told, cut=cut))
        elif finding.state == "yes":
            self._heard[seconds] = records
        self._long[seconds] = records
        self.result.found.append(finding)

    def expects(self, *, quick: bool) -> ProbeUsage:
        """Calls, tokens and sound of an examination at most, for what it may cost."""
        if getattr(self.model, "instant", False):
            return ProbeUsage(HEARING_ASKED)
        calls, seconds = 5 + (0 if quick else 19), 0.0
        calls += 0 if self.can.image is False else 8
        if self.can.sound is not False:
            calls += 16 + (0 if quick else 8 + 4 * len(self.seconds))
            seconds = _SHORT_S * 16
            seconds += 0.0 if quick else 4 * (4 * _SHORT_S + sum(self.seconds))
        heard = _A_SECOND * seconds
        return ProbeUsage(calls, _EACH * calls + heard, _COUNTED, heard, seconds)

    def _cost(self) -> None:
        """Tokens a minute of sound, and the price of a thousand trials."""
        result = self.result
        result.used = used_by(self._records)
        by_seconds = {
            seconds: sent
            for seconds, records in self._heard.items()
            if (sent := sent_tokens(records)) is not None
        }
        waited = [turn.reply.latency_s for one in self._records for turn in one.exchange.turns]
        if times := [seconds for seconds in waited if seconds]:
            result.latency_s = statistics.median(times)
            result.rate = result.used.output / sum(times) or None
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


def _why(record: Record) -> str:
    return record.error or "no reply"


def _declared(most: float | None = None) -> Said:
    return said("doctor-declared", most=most)


def _by_ear(what: Said, records: list[Record]) -> ProbeFinding:
    """Return the finding of right answers, with the odds of guessing."""
    failed = [record for record in records if not record.exchange.turns]
    if failed:
        return ProbeFinding(what, "no", _why(failed[0]))
    right = sum(record.verdict.state == "correct" for record in records)
    odds = by_guessing(HEARING_NEEDED, HEARING_ASKED)
    told = said("doctor-right", right=right, of=len(records), needed=HEARING_NEEDED, odds=odds)
    return ProbeFinding(what, "yes" if right >= HEARING_NEEDED else "no", told)


def _cut(seconds: float, records: list[Record], before: dict[float, list[Record]]) -> Said | None:
    """Return the evidence, beside the answers, that a clip was cut; None for none."""
    for record in records:
        heard = record.exchange.turns and record.exchange.final.detail.get("audio_seconds_heard")
        if isinstance(heard, int | float) and heard < seconds - 0.5:
            return said("doctor-heard", seconds=heard)
    shorter = max((s for s in before if s < seconds), default=None)
    now = sent_tokens(records)
    then = sent_tokens(before[shorter]) if shorter is not None else None
    first = min(before, default=None)
    base = sent_tokens(before[first]) if first is not None else None
    if now is None or then is None or base is None or shorter is None or first is None:
        return None
    rate = (then - base) / (shorter - first) if shorter > first else base / first
    if rate > 0 and now - then < 0.1 * rate * (seconds - shorter):
        return said("doctor-no-more", seconds=shorter)
    return None


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
