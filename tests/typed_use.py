"""What users write with types: `mypy` reads it with the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import zhiyin as zy
from zhiyin.record import Likelihood


class Thirds(zy.Benchmark):
    """A benchmark without settings."""

    name = "thirds"

    def trials(self) -> Iterator[zy.Trial]:
        options = (zy.Option("A", "a third", "third"), zy.Option("B", "a fifth", "fifth"))
        tags = {"semitones": 4}
        yield zy.Trial("q", (zy.say("user", "C to E?"),), "C to E?", options, "third", tags=tags)


class Mine:
    """A model that has what it must have."""

    name = "mine"

    async def generate(
        self, messages: Sequence[zy.Message], sampling: zy.Sampling, trial: zy.Trial
    ) -> zy.Reply:
        if isinstance(sampling, Likelihood):
            return zy.Reply("", logprobs=dict.fromkeys(sampling.continuations, -1.0))
        return zy.Reply("A")


def answer(messages: list[dict[str, object]]) -> str:
    return "A"


async def examine(folder: Path) -> float | None:
    run = zy.run(Thirds, Mine(), out=folder / "mine")
    other = await zy.arun(Thirds, answer, out=folder / "function")
    frame = zy.rescore(run, "first-letter").changed + len(list(other.records()))
    low: float = run.figure("accuracy").low + frame + zy.stats.mcnemar_exact(9, 1).p
    difference = zy.compare(run, other).pairs[0].groups[0].difference
    return low if difference is None else difference
