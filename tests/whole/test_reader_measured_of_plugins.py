"""How well the default policy reads: floors a little under what is measured today.

Of the set-aside replies only counts are shown, never a reply: they measure, and mend nothing.
"""

from __future__ import annotations

import asyncio
import csv
import itertools
from pathlib import Path

import pytest

from reading_help import explain, explainers
from zhiyin.contract.registry import open_benchmark
from zhiyin.contract.settings import RunSettings
from zhiyin.engine.runner import Limits
from zhiyin.record import Reply, Sampling
from zhiyin.session import carry_out

pytestmark = pytest.mark.slow

SMALL = Path(__file__).parent.parent / "data" / "ziqi_small"


class Explainer:
    """Knows the keys, and answers in the words of one template after the other."""

    name, concurrency = "explainer", 4

    def __init__(self, keys):
        self.keys = keys
        self.templates = itertools.cycle(explainers("open") + explainers("aside"))

    async def generate(self, messages, sampling, trial):
        options = next(
            options
            for stem, options in self.keys
            if {o.text for o in trial.options} == options.keys() and stem in trial.stem
        )
        key = next(o.letter for o in trial.options if options[o.text])
        return Reply(explain(next(self.templates), list(trial.options), key))

    async def close(self):
        pass


def keys_of(data: Path):
    """Question, and which of its options is right, of every item of a ZIQI folder."""
    found = []
    for path in sorted((data / "test").glob("*.csv")):
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                options = {row[a].strip(): row["answer"] == a for a in "ABCD"}
                found.append((row["question"].strip(), options))
    return found


def test_the_explainer_scores_all_of_ziqi_through_the_runner(tmp_path):
    options = {"data": str(SMALL), "partial": True, "shuffle": True, "seed": 5}
    planned = len(list(open_benchmark("ziqi", options).trials()))
    order = RunSettings(
        benchmark="ziqi", model=Explainer(keys_of(SMALL)), options=options,
        sampling=Sampling(), limits=Limits(), limit=None,
        out=str(tmp_path / "run"),
    )  # fmt: skip
    result = asyncio.run(carry_out(order))
    assert result.outcome.count.correct == result.outcome.count.judged == planned > 40
