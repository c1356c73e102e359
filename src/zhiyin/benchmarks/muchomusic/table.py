"""Table 3 of Weck et al.: accuracy and instruction-following rate in per cent."""

from __future__ import annotations

from zhiyin.contract.declared import Reference

_GROUPS = ("all", "knowledge", "reasoning")

# Columns: accuracy on all, knowledge and reasoning questions; IFR on all.
_TABLE_3 = {
    "MusiLingo": (21.1, 22.0, 19.2, 71.6),
    "MuLLaMa": (32.4, 32.3, 31.3, 79.4),
    "M2UGen": (42.9, 44.9, 41.2, 96.4),
    "SALMONN": (41.8, 41.0, 43.3, 99.8),
    "Qwen-Audio": (51.4, 51.1, 51.0, 89.7),
    "Random guessing": (25.0, 25.0, 25.0, 100.0),
}


def table_3() -> Reference:
    """The published rows as fractions: five models, and random guessing."""
    rows: dict[str, dict[str, dict[str, float]]] = {}
    for name, (*accuracies, ifr) in _TABLE_3.items():
        row = {
            group: {"accuracy": round(figure / 100, 3)}
            for group, figure in zip(_GROUPS, accuracies, strict=True)
        }
        row["all"]["ifr"] = round(ifr / 100, 3)
        rows[name] = row
    return Reference(
        title="MuChoMusic",
        source=(
            "Weck et al. 2024, Table 3 (one example, true audio, all distractors, mean of three "
            "runs; answers by the paper's rule, our --extract muchomusic)"
        ),
        rows=rows,
        kinds={
            **dict.fromkeys(_TABLE_3, "model"),
            "Random guessing": "chance",
        },
    )
