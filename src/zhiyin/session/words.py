"""A small set of questions in words, for comparing engines: intervals between two notes."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Annotated

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.flags import Flag
from zhiyin.music.theory import pitch_class
from zhiyin.trial import Option, Trial, say

_LETTERS = "ABCD"
_NAMES = {
    1: "a semitone", 2: "a whole tone", 3: "three semitones", 4: "four semitones",
    5: "five semitones", 6: "six semitones", 7: "seven semitones", 8: "eight semitones",
    9: "nine semitones", 10: "ten semitones", 11: "eleven semitones",
}  # fmt: skip
_NOTES = tuple(f"{letter}{sign}" for letter in "CDEFGAB" for sign in ("", "#", "b"))


class _Settings(msgspec.Struct, frozen=True):
    seed: Annotated[int, Flag("of the questions")] = 0


class Intervals(Benchmark[_Settings]):
    """How many semitones lie between two notes: two hundred questions of four options."""

    name = "intervals"
    summary = "semitones between two notes; for comparing engines"
    chance = 0.25
    Settings = _Settings

    def trials(self) -> Iterator[Trial]:
        """Two hundred questions, no two alike."""
        draw = Random(f"intervals/{self.settings.seed}")
        asked: set[tuple[str, str]] = set()
        while len(asked) < 200:
            low, high = draw.sample(_NOTES, 2)
            size = (pitch_class(high) - pitch_class(low)) % 12
            if (low, high) in asked or size not in _NAMES:
                continue
            asked.add((low, high))
            sizes = [size, *draw.sample([n for n in _NAMES if n != size], 3)]
            draw.shuffle(sizes)
            options = tuple(
                Option(letter, _NAMES[n], letter) for letter, n in zip(_LETTERS, sizes, strict=True)
            )
            stem = f"How far is it from {low} up to the next {high} above it?"
            lines = [stem, *(f"{o.letter}. {o.text}" for o in options), "Reply with the letter."]
            right = _LETTERS[sizes.index(size)]
            name = f"{len(asked)}"
            yield Trial(name, (say("user", "\n".join(lines)),), stem, options, right)
