"""A small examination for tests of the engine: trials by number, models by function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from zhiyin.engine.folder import Manifest
from zhiyin.engine.log import RunFolder
from zhiyin.engine.runner import Limits, Runner, SessionOutcome
from zhiyin.record import Exchange, Reply, Turn, Verdict
from zhiyin.trial import Option, Trial, say

OPTIONS = tuple(
    Option(letter, text, letter) for letter, text in zip("AB", ("do", "re"), strict=True)
)


def trials(n: int) -> Iterable[Trial]:
    for i in range(n):
        yield Trial(f"t/{i}", (say("user", f"Question {i}?"),), f"Question {i}?", OPTIONS, "A")


class Scripted:
    """Answers by `answer(trial id, how often asked before)`: a text, a Reply or an exception."""

    name, concurrency = "scripted", 4

    def __init__(self, answer: Callable[[str, int], object]) -> None:
        self.answer, self.calls = answer, {}

    async def generate(self, messages, sampling, trial):
        before = self.calls.get(trial.id, 0)
        self.calls[trial.id] = before + 1
        answer = self.answer(trial.id, before)
        if hasattr(answer, "__await__"):
            answer = await answer
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Reply) else Reply(answer)

    async def close(self):
        pass


async def standalone(trial, ask):
    return Exchange((Turn(await ask(trial.messages)),))


def score(trial, exchange):
    text = exchange.final.text
    return Verdict("correct" if text == trial.target else "wrong", text)


def manifest(planned: int = 0, **config) -> Manifest:
    return Manifest("toy", "scripted", {"seed": 0, **config}, {}, planned)


async def examine(folder: Path, model, n: int, **limits) -> SessionOutcome:
    from zhiyin.record import Sampling

    limits = {"concurrency": 4, "retries": 2, "timeout_s": 5.0} | limits
    with RunFolder(folder, manifest(n)) as log:
        runner = Runner(model, lambda _: standalone, score, log, Sampling(), Limits(**limits))
        outcome = await runner.run(trials(n), len(log.answered))
        log.retire_superseded()
    return outcome
