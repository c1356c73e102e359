"""Questions whose answer stands in a known second: a chord that sounds once, in silence.

`zhiyin data make questions` writes them. They are a control with a known answer for
``--hear`` (docs/how-to/dose.md): who hears less than that second cannot know.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import msgspec

from zhiyin.contract.options import read_settings
from zhiyin.errors import InputError, reworded
from zhiyin.extensions import Maker
from zhiyin.files import json_lines
from zhiyin.flags import COUNT, Flag
from zhiyin.plugins.music.midi import Note
from zhiyin.plugins.music.render import PEAK, Renderer, open_renderer, wav_bytes
from zhiyin.plugins.music.stimuli import Dice, balanced

FILE = "questions.jsonl"
STEM = "One chord is heard in this recording. What is it?"
OPTIONS = ("Major", "Minor")
SECOND = "answer_second"
"""The column that says in which second, counted from 1, the chord sounds."""
RATE = 16_000
_THIRDS = {"Major": 4, "Minor": 3}
_ROOTS = range(48, 60)
_HELD_S = 0.9


class MakingMoments(msgspec.Struct, frozen=True):
    """Settings for making them."""

    out: Annotated[str | None, Flag("the folder to write to", "DIR")] = None
    seed: Annotated[int, Flag("of chords and their seconds"), msgspec.Meta(ge=0)] = 0
    n: Annotated[int, Flag("how many questions"), msgspec.Meta(ge=1, le=1000)] = 16
    seconds: Annotated[int, Flag("of each recording"), msgspec.Meta(ge=1, le=120)] = 8
    second: Annotated[
        int | None, Flag("in which the chord sounds; default: each as often"), COUNT
    ] = None


class Moment(msgspec.Struct, frozen=True):
    """One question: the root of its chord (MIDI pitch), what it is, and when it sounds."""

    id: str
    root: int
    answer: str
    second: int

    def wav(self, seconds: int, renderer: Renderer) -> bytes:
        """The recording as a WAV file of so many seconds."""
        pitches = (self.root, self.root + _THIRDS[self.answer], self.root + 7)
        start = self.second - 1
        notes = [Note(float(start), _HELD_S, pitch) for pitch in pitches]
        samples = renderer.render(notes, float(seconds), RATE)
        samples[self.second * RATE :] = 0  # what dies away is not to be heard a second later
        samples *= PEAK / max(float(abs(samples).max()), 1e-9)
        return wav_bytes(samples, RATE)


def moments(n: int, seconds: int, second: int | None = None, seed: int = 0) -> list[Moment]:
    """Questions, as many major as minor, and of each second as many.

    Raises
    ------
    InputError
        The second lies beyond the recordings.
    """
    if second is not None and second > seconds:
        raise InputError(f"--second {second}: the recordings last {seconds} s; give at most that")
    words = (seed, "moments")
    places = [second] if second is not None else list(range(1, seconds + 1))
    at, what = balanced(places, *words, "second"), balanced(OPTIONS, *words, "what")
    return [
        Moment(f"moment-{number:04}", Dice(*words, number).choice(_ROOTS), answer, place)
        for number, (answer, place) in enumerate(islice(zip(what, at, strict=False), n), 1)
    ]


def make_moments(options: Mapping[str, Any]) -> str:
    """Write questions and recordings; says what was written.

    Raises
    ------
    InputError
        No folder is named, it holds questions already, or it cannot be written.
    """
    settings = read_settings(MakingMoments, options)
    if not settings.out:
        raise InputError("--out: name the folder to write")
    out, renderer = Path(settings.out), open_renderer("builtin")
    if (out / FILE).exists():
        raise InputError(f"{out} holds questions already: give another folder, or remove this one")
    asked = moments(settings.n, settings.seconds, settings.second, settings.seed)
    with reworded(f"{out}: cannot be written (", "): give another --out"):
        (out / "audio").mkdir(parents=True, exist_ok=True)
        for one in asked:
            (out / _sound(one)).write_bytes(one.wav(settings.seconds, renderer))
        (out / FILE).write_bytes(json_lines(map(_row, asked)))
    return f"{len(asked)} questions on recordings of {settings.seconds} s in {out / FILE}"


def _sound(one: Moment) -> str:
    return f"audio/{one.id}.wav"


def _row(one: Moment) -> dict[str, Any]:
    return {
        "id": one.id,
        "audio": _sound(one),
        "question": STEM,
        "options": OPTIONS,
        "answer": one.answer,
        SECOND: one.second,
    }


MAKER = Maker(MakingMoments, make_moments)
