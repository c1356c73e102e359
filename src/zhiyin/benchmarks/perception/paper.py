"""Table 1 of Carone, Roman and Ripollés: accuracy in per cent, by cell of the grid."""

from __future__ import annotations

from zhiyin.contract.declared import Reference

_TASKS = ("syncopation", "transposition", "chords")
_MODELS = ("Gemini 2.5 Flash", "Gemini 2.5 Pro", "Qwen2.5-Omni")
_CHANCE = {"syncopation": 0.20, "transposition": 0.50, "chords": 0.25}

# Columns: Flash, Pro, Qwen for syncopation, then for transposition, then for chords.
_TABLE_1 = """
audio/zero/standalone  30.00  25.00 20.00   55.56  94.74 75.00   31.82  47.73  31.82
audio/zero/cot         35.00  25.00 20.00   76.92  95.00 65.00   31.82  43.18  31.82
audio/zero/logiclm     20.00  20.00 20.00   65.00  80.00 50.00   11.36  18.18   6.82
audio/few/standalone   31.58  63.16 40.00   94.74  90.00 90.00   25.00  40.91  31.82
audio/few/cot          40.00  65.00 40.00   63.16  90.00 60.00   25.00  52.27  34.09
audio/few/logiclm      40.00  55.00 20.00   60.00  90.00 35.00    6.82  13.64  18.18
midi/zero/standalone   84.21  95.00 25.00  100.00 100.00 85.00   50.00  97.73  22.73
midi/zero/cot          94.74 100.00 35.00   95.00 100.00 20.00  100.00 100.00  25.00
midi/zero/logiclm      90.00  80.00 20.00  100.00 100.00 10.00   93.18 100.00 100.00
midi/few/standalone    88.89 100.00 35.00  100.00 100.00 90.00   70.45 100.00  29.55
midi/few/cot           95.00 100.00 25.00  100.00 100.00 60.00   97.73 100.00  29.55
midi/few/logiclm      100.00  95.00 25.00  100.00 100.00 15.00  100.00 100.00 100.00
"""


def cells_of(task: str) -> list[str]:
    """The cells of a task in the grid: ``chords/audio/zero/standalone`` and eleven more."""
    return [f"{task}/{line.split()[0]}" for line in _TABLE_1.strip().splitlines()]


def table_1() -> Reference:
    """The published rows, as fractions: three models, and chance."""
    rows: dict[str, dict[str, dict[str, float]]] = {name: {} for name in (*_MODELS, "Chance")}
    for line in _TABLE_1.strip().splitlines():
        cell, *figures = line.split()
        for place, figure in enumerate(figures):
            task, model = _TASKS[place // 3], _MODELS[place % 3]
            rows[model][f"{task}/{cell}"] = {"accuracy": round(float(figure) / 100, 4)}
        for task in _TASKS:
            rows["Chance"][f"{task}/{cell}"] = {"accuracy": _CHANCE[task]}
    return Reference(
        title="LLMs can read music, but struggle to hear it",
        in_details=True,
        source="Carone, Roman and Ripollés, Table 1 (accuracy over trials that were not cut off)",
        rows=rows,
        kinds={**dict.fromkeys(_MODELS, "model"), "Chance": "chance"},
    )
