"""Files of questions for tests, and models that answer them."""

from __future__ import annotations

import asyncio
import json
import math
import random
import struct
import wave
from pathlib import Path
from typing import Any

from zhiyin.cli import main
from zhiyin.contract.registry import open_benchmark
from zhiyin.contract.settings import RunSettings
from zhiyin.engine.folder import read_records
from zhiyin.engine.runner import Limits
from zhiyin.models.playback import AS_IT_IS
from zhiyin.record import Record, Reply, Sampling
from zhiyin.session import running as session


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


def jsonl(path: Path, *rows: dict[str, Any]) -> Path:
    return write(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def tone(path: Path, hertz: float = 440.0, seconds: float = 0.2, level: float = 0.5) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    samples = [level * math.sin(2 * math.pi * hertz * i / 8000) for i in range(int(8000 * seconds))]
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(b"".join(struct.pack("<h", int(32000 * x)) for x in samples))
    return path


def many(path: Path, number: int = 44) -> Path:
    """A file of questions in eleven groups, with options that share no word."""
    draw = random.Random(3)
    rows = [
        {
            "question": f"Question {n} of {n % 11}: {'what was heard, ' * (n % 5)}what is it?",
            "options": [f"word{n}x{draw.randrange(10**6)}" for _ in range(4)],
            "answer": draw.choice("ABCD"),
            "group": f"part {n % 11}",
        }
        for n in range(number)
    ]
    return jsonl(path, *rows)


def trials(path: Path, **options: Any) -> list[Any]:
    benchmark = open_benchmark("questions", {"data": str(path), **options})
    len(benchmark)
    return list(benchmark.trials())


class Says:
    """Answers by a function of the trial's stem; counts how often it is asked."""

    name, concurrency = "says", 4

    def __init__(self, answer: Any) -> None:
        self.answer, self.asked = answer, 0

    async def generate(self, messages: Any, sampling: Sampling, trial: Any) -> Reply:
        self.asked += 1
        said = self.answer(trial) if callable(self.answer) else self.answer
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Reply) else Reply(said)

    async def close(self) -> None:
        pass


def run(path: Path, answer: Any, out: Path, **options: Any) -> tuple[dict[str, Any], list[Record]]:
    """A run on a file; its summary and records."""
    model = answer if hasattr(answer, "generate") else Says(answer)
    order = RunSettings(
        "questions", model, {"data": str(path), **options}, Sampling(), None, str(out),
        Limits(4, 30.0, 0), AS_IT_IS,
    )  # fmt: skip
    result = asyncio.run(session.carry_out(order))
    return result.summary, list(read_records(out))


def refused(capsys: Any, *arguments: Any) -> str:
    """The one line that a command with bad input prints; its exit status must be 2.

    What a run says before it begins may stand above it.
    """
    capsys.readouterr()
    status = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    assert status == 2, captured
    *before, line = captured.err.splitlines(keepends=True)
    assert not any(one.startswith(("zhiyin:", "Traceback")) for one in before)
    assert line.startswith("zhiyin:")
    return line
