"""Simulated listeners with a known internal noise, at once by the thousand and through a run."""

import hashlib
import random
import time
from pathlib import Path

import numpy as np
from scipy.special import ndtr

from zhiyin.plugins.composed.thresholds.benchmark import (
    PLACES,
    ThresholdAsker,
    ThresholdSettings,
    in_turn,
)
from zhiyin.plugins.methods.glmm.design import Observations
from zhiyin.plugins.music.hearing import BY_NAME
from zhiyin.plugins.music.listener import differences
from zhiyin.plugins.music.psychometric import (
    BIAS_WEIGHTS,
    BIASES,
    GAIN,
    LAPSES,
    SLOPE_RANGE,
    open_grid,
    quantiles,
)
from zhiyin.prompts import Prompts
from zhiyin.sound import read_sound


class Simulated:
    """Adaptive runs of listeners whose truths are drawn from the prior, unless they are given.

    Attributes `truth`, `found`, `low`, `high` are thresholds in powers of ten, `trials` how many
    each run took.
    """

    def __init__(self, ladder, method, runs, seed, *, most=60, precision=3.0, **given):
        draw = np.random.default_rng(seed)
        grid = open_grid(ladder, method)
        slopes = np.exp(draw.uniform(*np.log(SLOPE_RANGE), runs))
        self.truth = given.get("truth", draw.uniform(grid.places[0], grid.places[-1], runs))
        self.truth = np.broadcast_to(self.truth, runs)
        slope = np.broadcast_to(given.get("slope", slopes), runs)
        lapse = np.broadcast_to(given.get("lapse", draw.choice(LAPSES, runs)), runs)
        bias = np.broadcast_to(given.get("bias", draw.choice(BIASES, runs, p=BIAS_WEIGHTS)), runs)
        at, weights = ladder.place(np.array(ladder.levels)), np.tile(grid.prior, (runs, 1))
        self.found, self.low, self.high = np.zeros((3, runs))
        self.trials, live = np.full(runs, most), np.arange(runs)  # `weights` has the live ones
        for trial in range(1, most + 1):
            picked = np.argmax(np.round(grid.gains(weights.T), 5), axis=0)
            later = draw.integers(0, 2, len(live))
            heard = np.minimum(10 ** ((at[picked] - self.truth[live]) * slope[live]), 8)
            chance = ndtr((2 * later - 1) * GAIN[method] * heard - bias[live])
            chance = lapse[live] / 2 + (1 - lapse[live]) * chance
            said = draw.random(len(live)) < chance
            rows = grid.later[later, picked]
            weights *= np.where(said[:, None], rows, 1 - rows)
            weights /= weights.sum(axis=1, keepdims=True)
            margins = weights.reshape(len(live), grid.shape[0], -1).sum(axis=2).T
            low, high = quantiles(grid.places, margins)
            end = (trial >= 10) & (high - low <= np.log10(precision)) | (trial == most)
            if not end.any():
                continue
            done = live[end]
            self.trials[done] = trial
            self.found[done] = (grid.places @ margins)[end]
            self.low[done], self.high[done] = low[end], high[end]
            live, weights = live[~end], weights[~end]
            if not len(live):
                break

    @property
    def coverage(self):
        return float(np.mean((self.low <= self.truth) & (self.truth <= self.high)))

    @property
    def bias(self):
        """Mean error, and its standard error."""
        off = self.found - self.truth
        return float(off.mean()), float(off.std(ddof=1) / len(off) ** 0.5)


CENTS = 12.0
"""Internal noise of `noisy`: the threshold, as d' is the difference over the noise."""


def heard_in(messages):
    parts = messages[-1]["content"]
    path = next(part["path"] for part in parts if part["type"] == "audio")
    data = Path(path).read_bytes()
    return read_sound(data), random.Random(hashlib.sha256(data).hexdigest())


def noisy(messages):
    """Which tone is higher, measured in the waveform with an internal noise of `CENTS` each."""
    sound, draw = heard_in(messages)
    a, b = (
        differences.pitch(p, sound.rate) + draw.gauss(0, CENTS) for p in differences.parts(sound)
    )
    return "A" if a > b else "B"


def turned(messages):
    """The same without noise, and the lower one is called the higher."""
    sound, _ = heard_in(messages)
    a, b = (differences.pitch(p, sound.rate) for p in differences.parts(sound))
    return "B" if a > b else "A"


def slow(messages):
    time.sleep(0.02)
    return noisy(messages)


def leaning(messages):
    """The same, but says that the first one is unless the second is clearly higher."""
    sound, draw = heard_in(messages)
    a, b = (
        differences.pitch(p, sound.rate) + draw.gauss(0, CENTS) for p in differences.parts(sound)
    )
    return "B" if b > a + CENTS else "A"


BEHIND = {
    "pitch": (differences.pitch, (3, 12, 48, 192)),  # cents
    "tempo": (differences.tempo, (1, 4, 10, 30)),  # per cent
    "gap": (differences.hole, (0, 2, 4, 8)),  # dB below the whole
    "chord-in-noise": (differences.tonality, (0, 2, 4, 8)),  # dB above the median
}
"""How the listener measures a sound of two, and the internal noises behind which it does."""


def behind_noise(name, seeds, rounds):
    """Answers of the listener behind internal noises to items of a dimension, as a table.

    Each level is asked `rounds` times a seed; each noise is a model.
    """
    (measure, noises), dimension, rows = BEHIND[name], BY_NAME[name], []
    prompts = Prompts("zhiyin.plugins.composed.thresholds", PLACES)
    for seed in seeds:
        most = rounds * len(dimension.ladder.levels)
        asker = ThresholdAsker(
            prompts, ThresholdSettings(procedure="constant", most=most, seed=seed)
        )
        for trial in in_turn(asker, dimension):
            sound = read_sound(trial.messages[0].parts[0].path)
            sizes = [measure(part, sound.rate) for part in differences.parts(sound)]
            draw = random.Random(trial.id)
            for noise in noises:
                first, second = (size + draw.gauss(0, noise) for size in sizes)
                right = (trial.target == "second") == (second > first)
                ease = str(trial.tags["ease"])
                rows.append((f"noise {noise}", trial.id, ease, str(int(right))))
    names = ("model", "stimulus", "ease", "correct")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return Observations(name, columns, list(range(1, len(rows) + 1)))


def silent(messages):
    return "I would rather not say."


def strokes(messages):
    """The row of strokes that is heard, now and then mistaken, as the sound falls."""
    from zhiyin.plugins.music.listener.strokes import hear_strokes

    sound, draw = heard_in(messages)
    row, _ = hear_strokes(sound)
    lines = messages[-1]["content"][1]["text"].splitlines()
    right = next((line[0] for line in lines if line[3:] == row), "A")
    return right if draw.random() < 0.55 else draw.choice("ABCD")
