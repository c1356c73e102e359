"""A benchmark in which much belongs together, and a model that says the same on any machine."""

import asyncio
import hashlib
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec

from zhiyin.contract import Benchmark, Flag
from zhiyin.contract.settings import RunSettings
from zhiyin.engine.folder import RECORDS
from zhiyin.engine.runner import Limits
from zhiyin.errors import ModelError
from zhiyin.record import Reply, Sampling
from zhiyin.sequence import Sequence
from zhiyin.session import carry_out
from zhiyin.trial import Option, Trial, say

OPTIONS = tuple(
    Option(letter, text, letter) for letter, text in zip("AB", ("do", "re"), strict=True)
)


class Settings(msgspec.Struct, frozen=True):
    songs: Annotated[int, Flag("how many recordings")] = 12
    chats: Annotated[int, Flag("how many conversations")] = 4
    wording: Annotated[str, Flag("how it is asked")] = "plain"


class Chat(Sequence):
    at_least, at_most = 2, 4

    def __init__(self, number: int) -> None:
        self.id, self.item = f"chat{number}", f"theme{number // 2}"

    def next(self, done):
        if len(done) >= 2 + len(self.id + self.item) % 3:
            return None
        before = " ".join(record.exchange.final.text for record in done)
        stem = f"{before} And then?"
        step = f"{self.id}/{len(done) + 1}"
        return Trial(step, (say("user", stem),), stem, OPTIONS, "A", groups=("chat",))


class Songs(Benchmark[Settings]):
    """Songs are clusters of one to four questions, of which some are asked in two ways, twice."""

    name = "songs"
    Settings = Settings

    def sequences(self) -> Iterator[Chat]:
        return (Chat(number) for number in range(self.settings.chats))

    def trials(self) -> Iterator[Trial]:
        for repeat in range(2):
            for song in range(self.settings.songs):
                for question in range(1 + song % 4):
                    for condition in ("heard", "read") if question % 2 else ("heard",):
                        stem = f"Song {song}, question {question}, {condition}?"
                        yield Trial(
                            f"{condition}/{song}/{question}/r{repeat}",
                            (say("user", f"{stem} ({self.settings.wording})"),),
                            stem,
                            OPTIONS,
                            "A",
                            groups=(f"by{song % 3}",),
                            cluster=f"song{song}",
                            item=f"{song}/{question}",
                            condition=condition,
                        )
        for number in range(5):
            stem = f"Alone {number}?"
            yield Trial(f"alone/{number}", (say("user", stem),), stem, OPTIONS, "B")


def told(words: str) -> int:
    return int(hashlib.sha256(words.encode()).hexdigest(), 16)


class Sure:
    """Answers by the words; `dies_after` so many calls the process is as good as killed."""

    name, concurrency = "sure", 3

    def __init__(self, dies_after: int = 10**9, fails: bool = False) -> None:
        self.left, self.fails = dies_after, fails

    async def generate(self, messages, sampling, trial):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        await asyncio.sleep(0)
        number = told(str(messages))
        if self.fails and number % 7 == 0:
            raise ModelError("it has no answer to that")
        return Reply(f"Answer: {'AB'[number % 3 % 2]}")

    async def close(self):
        pass


def order(out: Path, model, shard=None, **more) -> RunSettings:
    limit, sample = more.pop("limit", None), more.pop("sample", None)
    options = {"seed": 0, **more}
    return RunSettings(
        Songs, model, options, Sampling(), limit, str(out), Limits(retries=0),
        sample=sample, shard=shard, canary=False,
    )  # fmt: skip


def run(out: Path, model=None, shard=None, **more):
    return asyncio.run(carry_out(order(out, model or Sure(), shard, **more)))


def killed(out: Path, after: int, draw: random.Random, shard=None, **more) -> None:
    """Leave a run as a killed process does: some replies, and a torn last line."""
    try:
        run(out, Sure(after), shard, **more)
    except KeyboardInterrupt:
        log = out / RECORDS
        if size := log.stat().st_size:
            os.truncate(log, size - draw.randrange(0, min(size, 200)))


def records(folder: Path) -> list[dict]:
    """The log with times and attempts aside."""
    found = [msgspec.json.decode(line) for line in (folder / RECORDS).read_bytes().splitlines()]
    for record in found:
        record.pop("attempts", None)
        for turn in record.get("exchange", {}).get("turns", ()):
            turn["reply"].pop("latency_s", None)
    return found


def canonical(folder: Path, **settings) -> list[dict]:
    """The same in the order in which the benchmark makes its trials."""
    songs = Songs(Settings(**settings))
    places = {s.id: n for n, s in enumerate(songs.sequences())}
    places |= {trial.id: len(places) + n for n, trial in enumerate(songs.trials())}

    def place(record):
        trial = record["trial"]
        return places[trial.get("sequence") or record["id"]], trial.get("step", 0)

    return sorted(records(folder), key=place)
