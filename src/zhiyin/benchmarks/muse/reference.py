"""The published accuracies of four models, and of guessing."""

from __future__ import annotations

from zhiyin.benchmarks.muse.tasks import BY_TABLE, MODES
from zhiyin.contract.declared import Reference

MODELS = {
    "gemini-2.5-flash": "Gemini 2.5 Flash",
    "gemini-2.5-pro": "Gemini 2.5 Pro",
    "Qwen2.5-Omni-7B": "Qwen2.5-Omni",
    "audio-flamingo-3-chat": "Audio Flamingo 3",
}
"""By the last part of the name that logs give them; the rows of the reference."""

# Right answers of 60; "48/59" where one empty reply was left out. Columns: Flash, Pro, Qwen, AF3.
# Of AF3 the percentage counts: ten rows of the published file have a count of 60 or 0.
_COUNTS = """
chord_progression_matching sysinst 24 40    36 30
chord_progression_matching cot     29 28    30 30
chord_quality              sysinst 29 35    31 39
chord_quality              cot     26 34    29 30
contour_identification     sysinst 34 58    14 15
contour_identification     cot     28 58    11 15
instrument_identification  sysinst 59 59    59 48
instrument_identification  cot     55 59    59 42
key_modulation             sysinst 41 53    37 36
key_modulation             cot     35 49    29 30
meter_identification       sysinst 23 28    20 24
meter_identification       cot     21 30    21 24
oddballs                   sysinst 55 60    44 30
oddballs                   cot     51 60    42 30
rhythm_matching            sysinst 53 58    34 30
rhythm_matching            cot     38 53    30 30
syncopation                sysinst 34 41/59 30 30
syncopation                cot     26 37    30 30
transposition              sysinst 34 48/59 31 30
transposition              cot     52 59    35 30
"""
PRINTED_COUNTS = {
    "Audio Flamingo 3": {
        "chord_progression_matching": 60, "oddballs": 60, "syncopation": 60,
        "rhythm_matching": 0, "transposition": 0,
    }
}  # fmt: skip
"""Rows, in both modes, whose column `correct` says another count than their percentage."""


def counts() -> dict[str, dict[str, tuple[int, int]]]:
    """Right answers and trials, by row and by group (``transposition/cot``)."""
    rows: dict[str, dict[str, tuple[int, int]]] = {name: {} for name in MODELS.values()}
    for line in _COUNTS.strip().splitlines():
        table, mode, *cells = line.split()
        for name, cell in zip(rows, cells, strict=True):
            right, _, of = cell.partition("/")
            rows[name][f"{BY_TABLE[table].name}/{mode}"] = (int(right), int(of or 60))
    return rows


def reference() -> Reference:
    """The published rows, as fractions, and what guessing evenly gets."""
    rows = {
        name: {group: {"accuracy": right / of} for group, (right, of) in row.items()}
        for name, row in counts().items()
    }
    rows["Chance"] = {
        f"{task.name}/{mode}": {"accuracy": 1 / len(task.answers)}
        for task in BY_TABLE.values()
        for mode in MODES
    }
    return Reference(
        title="The MUSE Benchmark",
        source=(
            "accuracy_summary_AF3.csv of brandoncarone/MUSE_music_benchmark, commit a9e4acd: "
            "two groups in three orders, 60 trials a cell"
        ),
        rows=rows,
        kinds={**dict.fromkeys(MODELS.values(), "model"), "Chance": "chance"},
    )
