"""How many semitones lie between two notes: a benchmark whose answers are numbers."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from math import isnan
from typing import Annotated, Any, Literal

import msgspec

from zhiyin.contract import Benchmark, Flag, Headline, Manifest, Published, Reference, Rows, Section
from zhiyin.record import Exchange, Verdict
from zhiyin.trial import Option, Trial, say

NOTES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
_LAST_NUMBER = re.compile(r"\d+(?!.*\d)", re.DOTALL)


class Settings(msgspec.Struct, frozen=True):
    """What the user may set."""

    seed: Annotated[int, Flag("of the options")] = 0
    widest: Annotated[int, Flag("the widest interval, in semitones", metavar="N")] = 11
    form: Annotated[Literal["number", "choice"], Flag("how it is to be answered")] = "number"
    flats: Annotated[bool, Flag("write flats in the place of sharps")] = False


class Intervals(Benchmark[Settings]):
    """Every pair of pitch classes up to `widest` semitones apart."""

    name = "intervals"
    version = "2"
    summary = "semitones between two notes, answered with a number"
    paper = "The sample plug-in of Zhiyin"
    licence = "Apache-2.0"
    headline = Headline(group="wide", metric="accuracy")
    titles = {"narrow": "up to a tritone", "wide": "wider than a tritone"}
    Settings = Settings

    def trials(self) -> Iterator[Trial]:
        """Ask for each interval upwards, the narrow ones first."""
        for semitones in range(1, self.settings.widest + 1):
            for low, note in enumerate(NOTES):
                high = self._high(low, semitones)
                stem = f"How many semitones up is it from {note} to the next {high}?"
                yield self._trial(f"{note}+{semitones}", stem, semitones)

    def _trial(self, name: str, stem: str, semitones: int) -> Trial:
        group = "narrow" if semitones <= 6 else "wide"
        tags = {"semitones": semitones}
        if self.settings.form == "number":
            asked = say("user", f"{stem} End with the number.")
            return Trial(name, (asked,), stem, (), str(semitones), (group,), tags=tags)
        # Neither the place of the right option nor its neighbours tell which one it is.
        draw = random.Random(f"{self.settings.seed} {name}")
        others = draw.sample([n for n in range(1, 12) if n != semitones], 3)
        numbers = draw.sample([semitones, *others], 4)
        options = tuple(
            Option(letter, f"{number} semitones", letter)
            for letter, number in zip("ABCD", numbers, strict=True)
        )
        target = "ABCD"[numbers.index(semitones)]
        listed = "\n".join(f"{option.letter}. {option.text}" for option in options)
        asked = say("user", f"{stem}\n{listed}")
        # In a group of its own: the published rows are of numbers.
        return Trial(name, (asked,), stem, options, target, (f"choice/{group}",), tags=tags)

    def _high(self, low: int, semitones: int) -> str:
        note = NOTES[(low + semitones) % 12]
        if self.settings.flats and note.endswith("#"):
            return f"{NOTES[(NOTES.index(note) + 1) % 12]}b"
        return note

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """Of a choice as usual; else the last number is the answer, and how far off it is."""
        if trial.options:
            return super().score(trial, exchange)
        found = _LAST_NUMBER.search(exchange.final.text)
        if found is None:
            return Verdict("no_answer", None, None, "no number in it", "last-number@1")
        said, truth = int(found.group()[:6]), int(trial.target or 0)
        return Verdict(
            "correct" if said == truth else "wrong",
            str(said),
            why=f"the last number: {said}",
            policy="last-number@1",
            scores={"off": float(abs(said - truth))},
            span=found.span(),
        )

    @classmethod
    def published(cls) -> Reference:
        """Rows beside which a whole run may stand."""
        rows = {
            "first-year students": {"wide": {"accuracy": 0.61}, "narrow": {"accuracy": 0.82}},
            "a pocket calculator": {"wide": {"accuracy": 0.5}},
        }
        kinds = {"first-year students": "human", "a pocket calculator": "model"}
        return Reference("Intervals", "invented for this sample", rows, kinds)

    @classmethod
    def expected(cls) -> Published:
        """What a whole run holds: twelve notes, eleven intervals."""
        counts = {"narrow": 72, "wide": 60}
        return Published("this package", "intervals", counts, narrowed={"widest": "up to {}"})

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """How far off the answers are, by interval."""
        off: dict[int, list[float]] = defaultdict(list)
        for row, how_far in zip(rows, rows.scores("off").tolist(), strict=True):
            if not isnan(how_far):
                off[int(row.tags["semitones"] or 0)].append(how_far)
        lines: list[list[Any]] = [[n, len(each), sum(each) / len(each)] for n, each in off.items()]
        if not lines:
            return []
        return [Section("Semitones off", ["interval", "answers", "mean error"], lines)]
