"""Doses of sound that a model is given, and the trials that are asked at each of them.

A dose is a share or so many seconds of every recording that a question plays; 0 is no sound at all
and 100% the whole. All benchmarks with sound are dosed here, after they have made their trials: the
part of the recording stands in the trial (`Audio.start`, `Audio.end`), and so in the log.

Of a recording of L seconds the dose of d seconds begins at u (L - d), where u is 0 for the
beginning, 1/2 for the middle, 1 for the end, and drawn for each recording of each item at random.
With one u a larger dose holds every smaller one, so that nothing is lost by hearing more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from zhiyin.contract.session_parts import asked_otherwise
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.runs.ways import NO_SOUND, Way
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Message, Part, Trial
from zhiyin.words import said

WHOLE = "100%"
"""The name of all of a recording."""
HEAR = Way("hear", plain=WHOLE, contrast=WHOLE, changes="dose")
"""How much is heard, as the tag of a trial says it; only trials of a run with doses have it."""
HEARD_S = "heard_s"
"""The tag that holds the seconds of sound that were sent."""
HearFrom = Literal["start", "middle", "end", "random"]
HEAR_FROM: HearFrom = "start"
"""Where a part lies unless something else is asked for."""
_PLACES: dict[str, float] = {"start": 0.0, "middle": 0.5, "end": 1.0}
_DOSE = re.compile(r"(\d+(?:\.\d+)?)\s*(s|%|)")
_MILLI = 1000


class Dose(msgspec.Struct, frozen=True, order=True):
    """A part of a recording that is heard.

    Attributes
    ----------
    share : bool
        Whether it is a share; else it is in seconds.
    amount : float
        0 for nothing, in per cent up to 100 or in seconds.
    """

    share: bool
    amount: float

    @property
    def name(self) -> str:
        """Name as one writes it: ``0``, ``1s``, ``25%``."""
        return f"{self.amount:g}{'%' if self.share else 's'}" if self.amount else NO_SOUND

    def seconds_of(self, whole: float) -> float:
        """Seconds that are heard of a recording of `whole` seconds."""
        return whole * self.amount / 100 if self.share else min(self.amount, whole)


def read_doses(given: Any) -> str:
    """Doses in one order, each once, as they are kept with a run: ``0,1s,25%,100%``.

    Raises
    ------
    InputError
        One is none, or below 0, or above the whole.
    """
    return ",".join(dose.name for dose in _parsed(given))


def _parsed(given: Any) -> list[Dose]:
    lists = given if isinstance(given, list | tuple) else [given]
    words = [word.strip() for one in lists for word in str(one).split(",") if word.strip()]
    if not words:
        raise InputError(said("hear-none"))
    return sorted({_dose(word) for word in words})


def _dose(word: str) -> Dose:
    match = _DOSE.fullmatch(word)
    amount = float(match[1]) if match else -1.0
    if not match or (match[2] == "" and amount != 0):
        raise InputError(said("hear-word", word=repr(word)))
    if match[2] == "%" and amount > 100:
        raise InputError(said("hear-most", word=repr(word)))
    return Dose(match[2] == "%" and amount > 0, amount)


def dose_place(name: str) -> Dose:
    """Return a dose's sort key for a list, by its name."""
    return _dose(name)


class DoseSettings(msgspec.Struct, frozen=True):
    """Settings for how much of its sound a model is given.

    Attributes
    ----------
    hear : DOSE,...
        play so much of every recording, each item at each dose: 0,1s,25%,100%
    hear_from
        which part of a recording a dose is of
    """

    hear: Annotated[str | None, Flag(read=read_doses)] = None
    hear_from: Annotated[HearFrom, Flag()] = HEAR_FROM


class Dosing(msgspec.Struct, frozen=True):
    """The doses of a run, and the part of each recording that they are of.

    Attributes
    ----------
    doses : tuple of Dose
    place : {"start", "middle", "end", "random"}
    seed : int
        Of what is drawn at random.
    """

    doses: tuple[Dose, ...]
    place: str = HEAR_FROM
    seed: int = 0

    Settings: ClassVar[type[msgspec.Struct]] = DoseSettings
    way = HEAR
    fingerprint = ""

    @classmethod
    def of(cls, options: Mapping[str, Any], benchmark: str = "") -> Dosing | None:
        """Return the dosing of a run with these options; None where all is heard as usual.

        Raises
        ------
        InputError
            A dose or a place that is none.
        """
        if not options.get("hear"):
            return None
        doses = tuple(_parsed(options["hear"]))
        return cls(doses, options.get("hear_from") or HEAR_FROM, int(options.get("seed") or 0))

    def trials_of(self, trial: Trial) -> Iterator[Trial]:
        """A trial at each dose; one without sound once, as it is."""
        first = _first_asked(trial.messages)
        if not any(True for _ in _sounds(trial.messages[first:])):
            yield trial
            return
        for dose in self.doses:
            yield self._at(trial, dose, first)

    def _at(self, trial: Trial, dose: Dose, first: int) -> Trial:
        """A trial at one dose: at the whole it is the trial itself, but for its tags."""
        item, way = trial.item or trial.id, f"{HEAR.name}={dose.name}"
        asked, heard = self._cut(trial.messages[first:], dose, item)
        tags = {**trial.tags, HEAR.name: dose.name, HEARD_S: round(heard, 3)}
        if dose.name == WHOLE:
            return msgspec.structs.replace(trial, tags=tags)
        return asked_otherwise(trial, way, (*trial.messages[:first], *asked), tags)

    def refuse(self, name: str, *, sequences: bool, varied: bool) -> None:
        """Refuse as `Condition.refuse` does."""
        if sequences:
            raise InputError(said("hear-sequences", name=name))
        if not varied:
            raise InputError(said("hear-no-sound", name=name))

    def _cut(
        self, messages: Sequence[Message], dose: Dose, item: str
    ) -> tuple[list[Message], float]:
        """Messages with their sounds cut, and how many seconds of sound there are in them."""
        cut, heard, number = [], 0.0, 0
        for message in messages:
            parts: list[Part] = []
            for part in message.parts:
                if not isinstance(part, Audio):
                    parts.append(part)
                    continue
                number += 1
                if (played := self._part(part, dose, f"{item}/{number}")) is not None:
                    parts.append(played)
                    heard += played.played
            if parts:
                cut.append(msgspec.structs.replace(message, parts=tuple(parts)))
        return cut, heard

    def _part(self, sound: Audio, dose: Dose, name: str) -> Audio | None:
        """Return what is heard of a sound, or of the part asked about; None for nothing."""
        if not dose.amount:
            return None
        if not sound.seconds:
            measured = audio_part(sound.path).seconds
            sound = msgspec.structs.replace(sound, seconds=measured)
        whole = sound.played
        seconds = dose.seconds_of(whole)
        if seconds >= whole:
            return sound
        start = (sound.start or 0.0) + self._where(name) * (whole - seconds)
        # In whole milliseconds, so that a log reads well; never so short that nothing is left.
        start = round(start * _MILLI) / _MILLI
        end = start + max(round(seconds * _MILLI), 1) / _MILLI
        return msgspec.structs.replace(sound, start=start, end=round(end, 3))

    def _where(self, name: str) -> float:
        """u, in [0, 1]: see above."""
        if self.place in _PLACES:
            return _PLACES[self.place]
        digest = blake2b(f"{self.seed}/hear/{name}".encode(), digest_size=7).digest()
        return int.from_bytes(digest) / 2**56


def _first_asked(messages: Sequence[Message]) -> int:
    """The first message that is no worked example: sounds of examples are heard whole.

    Examples end with an answer; where no sound follows the last one, there are none.
    """
    for place in range(len(messages) - 1, -1, -1):
        if messages[place].role == "assistant":
            return place + 1 if any(True for _ in _sounds(messages[place + 1 :])) else 0
    return 0


def _sounds(messages: Iterable[Message]) -> Iterator[Audio]:
    return (part for message in messages for part in message.parts if isinstance(part, Audio))
