"""What the user may set: the flags, and their meaning, checked."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from typing import Any

import msgspec

from zhiyin.benchmarks.muchomusic.protocols import RELEASED
from zhiyin.errors import InputError, did_you_mean

AUDIO = ("true", "none", "silence", "noise", "swap")
"""What may be played: the track itself, nothing, digital silence, white noise, another track."""
KINDS = ("ir", "cu", "iu")
"""Distractors in the order of the data (section 3.1): incorrect but related, correct but
unrelated, incorrect and unrelated."""
EVERY = "all"
MOST_SHOTS, MOST_REPEATS = 5, 100


class Clip(msgspec.Struct, frozen=True):
    """Which part of a recording is played: all of it, or some seconds from start or middle."""

    kind: str = "all"
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """As the flag says it: ``all``, ``first:30``, ``middle:30``."""
        return self.kind if self.kind == "all" else f"{self.kind}:{self.seconds:g}"

    def window(self, duration: float) -> tuple[float | None, float | None]:
        """Start and end in seconds within a recording of `duration` seconds; None for whole."""
        if self.kind == "all" or duration <= self.seconds:
            return None, None
        start = 0.0 if self.kind == "first" else (duration - self.seconds) / 2
        return round(start, 6), round(start + self.seconds, 6)


class Settings(msgspec.Struct, frozen=True):
    """What the user chose. `data` is read only when a trial is asked for.

    Attributes
    ----------
    data : str or None
        Folder with ``muchomusic.csv`` and the recordings.
    audio : tuple of str
        Conditions of `AUDIO`.
    swap_any : bool
        Whether the other track of a swap may share the genre of the right one.
    swap_whole : bool
        Whether it may also be of another data set: drawn from all tracks, as in the paper.
    distractors : tuple of str
        Sets of distractors: kinds joined by "+", or "all".
    repeats : int
        How often each question is asked, its options shuffled anew.
    rotations : bool
        Whether each of those orders is asked under all its cyclic rotations.
    shots : int
        Text examples before each question, 0 to 5.
    clip : Clip
    seed : int
    prompts : str or None
        Folder whose files replace our prompts.
    pack : str or None
        Our own words for a protocol; None for the usual ones.
    released : str or None
        A clone of the published repository, for its worked example.
    partial : bool
        Whether recordings may be missing.
    extract : str
        Name of the extraction policy.
    """

    data: str | None = None
    audio: tuple[str, ...] = ("true",)
    swap_any: bool = False
    swap_whole: bool = False
    distractors: tuple[str, ...] = (EVERY,)
    repeats: int = 3
    rotations: bool = False
    shots: int = 1
    clip: Clip = Clip()
    seed: int = 0
    prompts: str | None = None
    pack: str | None = None
    released: str | None = None
    partial: bool = False
    extract: str = "robust"


def add_flags(parser: argparse._ActionsContainer) -> None:
    """Add the benchmark's own flags."""
    add = parser.add_argument
    add("--audio", metavar="A,...", help=f"what is played: {', '.join(AUDIO)}; default true")
    add("--swap-any", action="store_true", help="a swapped track may have the same genre")
    add(
        "--swap-from",
        choices=("source", "all"),
        help="where a swapped track is drawn: its own data set (default), or all tracks of either, "
        "whatever their genre, as in the paper",
    )
    add(
        "--distractors",
        metavar="D,...",
        help="sets of distractors: ir, cu, iu, any joined by +, or all; default all",
    )
    add("--repeats", type=int, metavar="N", help="askings in fresh option order; default 3")
    add(
        "--rotations",
        choices=("none", "all"),
        default="none",
        help="ask each order under all its cyclic rotations; default none",
    )
    add("--clip", metavar="PART", help="all (default), first:SECONDS or middle:SECONDS")
    add("--prompts", metavar="DIR", help="prompt files in place of the benchmark's own")


def read_settings(options: Mapping[str, Any]) -> Settings:
    """The settings in `options`, as flags or a manifest give them. Other keys are ignored.

    Raises
    ------
    InputError
        For an unknown word, or a number outside its range.
    """
    audio = _words(options.get("audio")) or ["true"]
    for word in audio:
        if word not in AUDIO:
            raise InputError(f"--audio {word!r}: {did_you_mean(word, AUDIO)}")
    sets = {_distractors(word) for word in _words(options.get("distractors")) or [EVERY]}
    return Settings(
        data=options.get("data"),
        audio=tuple(word for word in AUDIO if word in audio),
        swap_any=bool(options.get("swap_any")),
        swap_whole=options.get("swap_from") == "all",
        distractors=tuple(sorted(sets, key=_size_then_kind)),
        repeats=_number("--repeats", options.get("repeats"), 3, 1, MOST_REPEATS),
        rotations=options.get("rotations") == "all",
        shots=_number("--shots", options.get("shots"), 1, 0, MOST_SHOTS),
        clip=read_clip(options.get("clip") or "all"),
        seed=int(options.get("seed") or 0),
        prompts=options.get("prompts"),
        pack=RELEASED.name if options.get("protocol") == RELEASED.name else None,
        released=options.get("released"),
        partial=bool(options.get("partial")),
        extract=options.get("extract") or "robust",
    )


def read_clip(text: str) -> Clip:
    """The part of a recording that a flag names. Raises `InputError` for anything else."""
    kind, _, length = text.partition(":")
    if text == "all":
        return Clip()
    try:
        seconds = float(length)
    except ValueError:
        seconds = math.nan
    if kind not in ("first", "middle") or not 0 < seconds < math.inf:
        raise InputError(f"--clip {text}: write all, first:SECONDS or middle:SECONDS")
    return Clip(kind, seconds)


def kinds_of(distractors: str) -> tuple[str, ...]:
    """The kinds of a set of distractors, in the order of the data."""
    return KINDS if distractors == EVERY else tuple(distractors.split("+"))


def _distractors(word: str) -> str:
    """The one name of a set: kinds in the order of the data, "all" for all three."""
    if word == EVERY:
        return EVERY
    named = {kind.strip() for kind in word.split("+")}
    for kind in sorted(named):
        if kind not in KINDS:
            raise InputError(f"--distractors {word!r}: {did_you_mean(kind, (*KINDS, EVERY))}")
    return EVERY if len(named) == len(KINDS) else "+".join(k for k in KINDS if k in named)


def condition_place(condition: tuple[str, str]) -> tuple[int, int, list[int]]:
    """Where a condition (what is played, distractors) stands in a table."""
    audio, distractors = condition
    place = AUDIO.index(audio) if audio in AUDIO else len(AUDIO)
    return (place, *_size_then_kind(distractors))


def _size_then_kind(distractors: str) -> tuple[int, list[int]]:
    kinds = kinds_of(distractors)
    return len(kinds), [KINDS.index(kind) for kind in kinds]


def _words(value: Any) -> list[str]:
    words = value.split(",") if isinstance(value, str) else value or []
    return [word.strip() for word in words if word.strip()]


def _number(flag: str, value: Any, default: int, least: int, most: int) -> int:
    text = str(default if value is None else value).strip()
    if not text.isdecimal() or len(text) > 9 or not least <= int(text) <= most:
        raise InputError(f"{flag} {text[:40]}: muchomusic takes a number from {least} to {most}")
    return int(text)
