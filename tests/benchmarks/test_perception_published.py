"""Table 1: complete, and every figure a possible fraction of the trials there were."""

from itertools import product

import pytest

from zhiyin.plugins.benchmarks.perception.benchmark import Perception
from zhiyin.plugins.benchmarks.perception.tasks import MODALITIES, SHOTS, STRATEGIES, TASK_NAMES

CELLS = ["/".join(cell) for cell in product(TASK_NAMES, MODALITIES, SHOTS, STRATEGIES)]
MODELS = ("Gemini 2.5 Flash", "Gemini 2.5 Pro", "Qwen2.5-Omni")


def test_every_model_has_every_cell():
    reference = Perception.published()
    assert set(reference.rows) == {*MODELS, "Chance"}
    assert reference.kinds == {**dict.fromkeys(MODELS, "model"), "Chance": "chance"}
    for row in reference.rows.values():
        assert sorted(row) == sorted(CELLS)


@pytest.mark.slow
def test_each_figure_is_some_number_of_trials():
    """Up to 20 (chords: 44) trials, fewer where some were cut off."""
    for model, cell in product(MODELS, CELLS):
        accuracy = Perception.published().rows[model][cell]["accuracy"]
        most = 44 if cell.startswith("chords") else 20
        fractions = {round(k / n, 4) for n in range(most, 9, -1) for k in range(n + 1)}
        assert accuracy in fractions, (model, cell)


@pytest.mark.parametrize(
    ("model", "cell", "accuracy"),
    [
        # What the paper's own prose says of the table.
        ("Gemini 2.5 Pro", "syncopation/audio/zero/standalone", 0.25),
        ("Gemini 2.5 Pro", "syncopation/audio/few/cot", 0.65),
        ("Gemini 2.5 Pro", "transposition/audio/zero/cot", 0.95),
        ("Gemini 2.5 Flash", "syncopation/midi/few/logiclm", 1.0),
        ("Gemini 2.5 Pro", "syncopation/midi/few/logiclm", 0.95),
        # One figure of each corner.
        ("Gemini 2.5 Flash", "syncopation/audio/zero/standalone", 0.30),
        ("Qwen2.5-Omni", "chords/audio/zero/logiclm", 0.0682),
        ("Qwen2.5-Omni", "transposition/midi/zero/logiclm", 0.10),
        ("Qwen2.5-Omni", "chords/midi/few/logiclm", 1.0),
        ("Chance", "transposition/midi/few/cot", 0.5),
    ],
)
def test_figures_stand_where_they_belong(model, cell, accuracy):
    assert Perception.published().rows[model][cell] == {"accuracy": accuracy}
