"""Settings of a run: the conditions of each question, and the part of a recording played."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import msgspec

from zhiyin.contract.conditions import AUDIO, EVERY, SETS, AudioCondition, read_sets
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.listening import ListeningSettings
from zhiyin.text import number_in


class Clip(msgspec.Struct, frozen=True):
    """The part of a recording that is played: all of it, or some seconds from start or middle."""

    kind: str = "all"
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """Name in the form of the flag: ``all``, ``first:30``, ``middle:30``."""
        return self.kind if self.kind == "all" else f"{self.kind}:{self.seconds:g}"

    def window(self, duration: float) -> tuple[float | None, float | None]:
        """Start and end in seconds within a recording of `duration` seconds; None for whole."""
        if self.kind == "all" or duration <= self.seconds:
            return None, None
        start = 0.0 if self.kind == "first" else (duration - self.seconds) / 2
        return round(start, 6), round(start + self.seconds, 6)


class MuChoMusicSettings(ListeningSettings, frozen=True):
    """Settings of a run of MuChoMusic. `data` is read only when a trial is asked for."""

    audio: Annotated[
        tuple[AudioCondition, ...], Flag(f"what is played: {', '.join(AUDIO)}", "A,...", once=True)
    ] = ("true",)  # type: ignore[assignment]  # another track may be played, too
    swap_any: Annotated[bool, Flag("a swapped track may have the same genre")] = False
    swap_from: Annotated[
        Literal["source", "all"] | None,
        Flag(
            "where a swapped track is drawn: its own data set (default), or all tracks of either, "
            "whatever their genre, as in the paper"
        ),
    ] = None
    distractors: Annotated[
        tuple[str, ...],
        Flag(SETS, "D,...", once=True),
    ] = (EVERY,)
    repeats: Annotated[
        int,
        Flag("how often each question is asked, its options in fresh order"),
        msgspec.Meta(ge=1, le=100),
    ] = 3
    rotations: Annotated[
        Literal["none", "all"],
        Flag("ask each order under all its cyclic rotations", stated=True),
    ] = "none"
    clip: Annotated[str, Flag("all, first:SECONDS or middle:SECONDS", "PART")] = "all"
    shots: Annotated[int, Flag("worked examples"), msgspec.Meta(ge=0, le=5)] = 1
    released: Annotated[
        str | None, Flag("a clone of the published repository, for its example", place=True)
    ] = None

    def __post_init__(self) -> None:
        read_clip(self.clip)
        read_sets(self.distractors)

    @property
    def window(self) -> Clip:
        """The part of a recording that is played."""
        return read_clip(self.clip)

    @property
    def sets(self) -> tuple[str, ...]:
        """Sets of distractors: kinds joined by "+", or "all"; small ones first."""
        return read_sets(self.distractors)

    @property
    def swap_whole(self) -> bool:
        """True if the other track of a swap may be of another data set."""
        return self.swap_from == "all"


def read_clip(text: str) -> Clip:
    """The part of a recording that a flag names. Raises `InputError` for anything else."""
    kind, _, length = text.partition(":")
    if text == "all":
        return Clip()
    seconds = number_in(length)
    if kind not in ("first", "middle") or not 0 < seconds < math.inf:
        raise InputError(f"--clip {text}: write all, first:SECONDS or middle:SECONDS")
    return Clip(kind, seconds)
