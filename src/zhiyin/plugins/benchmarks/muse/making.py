"""Fresh items: for each task its design, drawn, played and kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.errors import reworded
from zhiyin.plugins.benchmarks.muse import fresh_music
from zhiyin.plugins.benchmarks.muse.tasks import Knobs, TaskName
from zhiyin.plugins.music import stimuli
from zhiyin.plugins.music.render import RATE, Renderer, normalised, wav_bytes
from zhiyin.words import said

_ATTEMPTS = 1000
_MOST_LEAD_S = 0.3
"""Silence before a sound is drawn up to this, so that no two renderings are alike byte by byte."""


class FreshItem(msgspec.Struct, frozen=True):
    """One generated item: its id, its sounds, the key of its answer, and what was made."""

    id: str
    sounds: tuple[str, ...]
    answer: str
    truth: dict[str, object]


class Design(msgspec.Struct, frozen=True):
    """The design of a task's items, one by one, until a design fits.

    Attributes
    ----------
    name : str
        What their random numbers hang on.
    answers : tuple of str
        Keys of the answers, which are balanced.
    draw : callable
        From an answer, the knobs, random numbers and whether the item is for a worked example, to
        a plan; None for one that does not fit.
    instruments : tuple of str
        Balanced likewise: `draw` is then given pairs of answer and instrument.
    """

    name: str
    answers: tuple[str, ...]
    draw: Callable[[Any, Knobs, stimuli.Dice, bool], stimuli.StimulusPlan | None]
    instruments: tuple[str, ...] = ()

    def plans(self, seed: int, knobs: Knobs, reserved: bool) -> Iterator[stimuli.StimulusPlan]:
        """Plans without end."""
        words = (seed, self.name, "examples" if reserved else "items")
        answers: Iterator[Any] = stimuli.balanced(self.answers, *words, "answers")
        if self.instruments:
            instruments = stimuli.balanced(self.instruments, *words, "instruments")
            answers = zip(answers, instruments, strict=False)
        for number, answer in enumerate(answers, 1):
            for attempt in range(_ATTEMPTS):
                plan = self.draw(answer, knobs, stimuli.Dice(*words, number, attempt), reserved)
                if plan is not None:
                    yield plan
                    break


def instrument_alone(
    answer: str, knobs: Knobs, dice: stimuli.Dice, reserved: bool
) -> stimuli.StimulusPlan | None:
    """One instrument alone: a chord, a scale or broken chord, or a beat."""
    if answer == "D":
        score, seconds = fresh_music.loop(dice)
        truth: dict[str, object] = {"instrument": "drums"}
    else:
        instrument = {"A": "piano", "B": "guitar", "C": "bass"}[answer]
        if instrument != "bass" and dice.chance(0.4):
            score, truth = fresh_music.triad(dice.choice(("major", "minor")), instrument, dice)
        else:
            score, truth = fresh_music.run_of_notes(dice.choice("ABCD"), instrument, dice)
        seconds = score.notes[-1].end + 0.8
    if stimuli.is_reserved(tuple((n.start, n.pitch, n.program) for n in score.notes)) != reserved:
        return None
    return stimuli.StimulusPlan((score,), (seconds,), answer, truth)


_AB = ("A", "B")
_PLANS: dict[TaskName, Callable[[int, Knobs, bool], Iterator[stimuli.StimulusPlan]]] = {
    "transposition": fresh_music.in_two_keys,
    "rhythm_matching": Design("drums alike", _AB, fresh_music.alike).plans,
    "oddballs": Design("odd notes", _AB, fresh_music.with_odd_notes).plans,
    "instrumentID": Design("instruments", tuple("ABCD"), instrument_alone).plans,
    "contourID": Design(
        "shapes", tuple(fresh_music.SHAPES), fresh_music.shapes, ("piano", "guitar", "bass")
    ).plans,
    "chord_quality": Design("triads", _AB, fresh_music.triads).plans,
    "key_modulation": Design("modulations", _AB, fresh_music.modulations).plans,
    "chord_progression_matching": Design(
        "same progression", _AB, fresh_music.same_progression
    ).plans,
    "syncopation": Design("more syncopated", _AB, fresh_music.more_syncopated).plans,
    "meter_identification": Design("meters", tuple("ABC"), fresh_music.meters).plans,
}


def make_items(
    task: TaskName, n: int, seed: int, knobs: Knobs, folder: Path, player: Renderer,
    reserved: bool = False,
) -> list[FreshItem]:  # fmt: skip
    """Make `n` items of a task in a folder; its truth file is written last.

    An item depends on seed, task, knobs and its own number, not on `n`. Answers are balanced in
    every beginning. What is reserved for worked examples is never scored.

    Raises
    ------
    InputError
        The folder cannot be written, or the renderer lacks an instrument.
    """
    with reworded(said("error-no-folder-made", path=folder, why="")):
        folder.mkdir(parents=True, exist_ok=True)
    stem = f"{task}-ex" if reserved else f"{task}-g"
    items = [
        _write(f"{stem}{number:03d}", plan, seed, knobs, folder, player)
        for number, plan in enumerate(islice(_PLANS[task](seed, knobs, reserved), n), 1)
    ]
    stimuli.save_truth(folder, items)
    return items


def read_items(folder: Path) -> list[FreshItem] | None:
    """The items of a folder; None where it is not whole."""
    return stimuli.read_truth(folder, FreshItem, lambda item: item.sounds)


def _write(
    name: str, plan: stimuli.StimulusPlan, seed: int, knobs: Knobs, folder: Path, player: Renderer
) -> FreshItem:
    import numpy as np

    sounds = []
    for number, (score, seconds) in enumerate(zip(plan.scores, plan.seconds, strict=True), 1):
        dice = stimuli.Dice(seed, name, number, "room")
        samples = player.render(score.notes, seconds, RATE)
        noise = stimuli.Difficulty(noise_db=knobs.noise_db)
        lead = np.zeros(round(dice.unit() * _MOST_LEAD_S * RATE), dtype=np.float32)
        whole = stimuli.apply_effects(np.concatenate([lead, samples]), noise, seed, name, number)
        level = np.float32(10 ** (-9 * dice.unit() / 20))
        data = wav_bytes(normalised(whole) * level)
        # Named after its contents: a name says nothing of the answer.
        file = f"{hashlib.sha256(data).hexdigest()[:16]}.wav"
        (folder / file).write_bytes(data)
        sounds.append(file)
    truth = msgspec.json.decode(msgspec.json.encode(plan.truth))
    return FreshItem(name, tuple(sounds), plan.answer, truth)
