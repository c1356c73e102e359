"""Made-up answers for the tests of the mixed model."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.special import expit

from zhiyin.plugins.methods.table import Observations


def table(**columns: list[object]) -> Observations:
    rows = len(next(iter(columns.values())))
    texts = {
        name: [None if value is None else str(value) for value in values]
        for name, values in columns.items()
    }
    return Observations("answers", texts, list(range(2, rows + 2)))


def simulate(
    seed: int, models: int = 3, stimuli: int = 30, repeats: int = 3, sd: float = 0.8
) -> Observations:
    """Answers of models "m0", "m1", ... to audio and MIDI, a random tenth of them lost."""
    random = np.random.default_rng(seed)
    rows = list(product(range(models), range(2), range(stimuli), range(repeats)))
    rows = [row for row in rows if random.random() > 0.1]
    model, modality, stimulus, _ = map(np.array, zip(*rows, strict=True))
    odds = 0.4 - 0.5 * model + modality * (1.2 - 0.4 * model)
    odds = odds + (sd * random.normal(size=stimuli))[stimulus]
    right = (random.random(len(rows)) < expit(odds)).astype(int)
    return table(
        correct=right.tolist(),
        model=[f"m{k}" for k in model],
        modality=["MIDI" if k else "audio" for k in modality],
        stimulus=[f"s{k}" for k in stimulus],
        loudness=np.round(random.normal(70, 5, len(rows)), 2).tolist(),
    )


def perfect(seed: int = 8) -> Observations:
    """Simulated answers in which m0 gets every MIDI right."""
    answers = simulate(seed)
    columns = answers.columns
    for row, (model, modality) in enumerate(
        zip(columns["model"], columns["modality"], strict=True)
    ):
        if (model, modality) == ("m0", "MIDI"):
            columns["correct"][row] = "1"
    return answers
