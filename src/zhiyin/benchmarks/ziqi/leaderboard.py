"""The leaderboard in the README of ZIQI-Eval's repository: 16 models, zero- and five-shot."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from zhiyin.contract.declared import Reference
from zhiyin.engine.scoring import ALL

SHOTS = ("0", "5")
AVERAGE = "average"
SOURCE = (
    "README of zcli-charlie/ZIQI-Eval, commit 31924fb (2024-07-24): replies to the released "
    "prompt, of 100 tokens"
)
REMARKS = (
    "all: for the open models it fits all right answers over 14,334 questions, those of "
    "generation among them; it is not the mean of the ten categories",
    "the rows of GPT4 and ChatGPT fit no whole numbers of these questions: they rest on another "
    "set. educhat's 0.00 throughout are presumably replies that could not be read",
)


@cache
def leaderboard(shots: str) -> Reference:
    """The published rows for "0" or "5" shots: accuracy of the ten categories and of all, [0, 1].

    Raises
    ------
    KeyError
        There is no table for so many shots.
    """
    if shots not in SHOTS:
        raise KeyError(shots)
    with (Path(__file__).parent / "leaderboard.csv").open(encoding="utf-8", newline="") as file:
        lines = [line for line in csv.DictReader(file) if line.pop("shots") == shots]
    rows = {
        line.pop("model"): {
            ALL if group == AVERAGE else group: {"accuracy": round(float(figure) / 100, 4)}
            for group, figure in line.items()
        }
        for line in lines
    }
    name = "zero-shot" if shots == "0" else "five-shot"
    return Reference(
        f"Leaderboard of ZIQI-Eval's repository, {name}",
        SOURCE,
        rows,
        dict.fromkeys(rows, "model"),
    )
