"""Three small benchmarks with skills, and models of three strengths that any process can open."""

import asyncio
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec

import suites_counts as counts
from zhiyin.contract import Benchmark, Flag
from zhiyin.errors import InputError
from zhiyin.record import Reply
from zhiyin.sequence import Sequence
from zhiyin.trial import Option, Trial, say

HERE = Path(__file__)
OPTIONS = tuple(Option(letter, word, letter) for letter, word in zip("ABCD", "abcd", strict=True))


class Settings(msgspec.Struct, frozen=True):
    items: Annotated[int, Flag("how many")] = 24
    hint: Annotated[bool, Flag("say what to look for")] = False
    data: Annotated[str | None, Flag("where", place=True)] = None


def question(name: str, number: int, group: str, hint: bool) -> Trial:
    stem = f"{name} {number} of {group}{', with a hint' if hint else ''}?"
    lines = [stem, *(f"{option.letter}. {option.text}" for option in OPTIONS)]
    right = "ABCD"[number % 4]
    return Trial(
        f"{name}/{number}", (say("user", "\n".join(lines)),), stem, OPTIONS, right,
        groups=(group,), cluster=f"song{number // 2}", item=f"{name}/{number}",
    )  # fmt: skip


class Ears(Benchmark[Settings]):
    name = "ears"
    chance = 0.25
    Settings = Settings
    skills = {"tones": "pitch", "beats": "rhythm"}

    def trials(self) -> Iterator[Trial]:
        for number in range(self.settings.items):
            group = ("tones", "beats")[number % 2]
            yield question("ears", number, group, self.settings.hint)


class Books(Benchmark[Settings]):
    name = "books"
    chance = 0.25
    Settings = Settings
    skills = {"all": "knowledge", "scores": "reading"}

    def trials(self) -> Iterator[Trial]:
        for number in range(self.settings.items):
            yield question(
                "books", number, ("facts", "scores")[number % 3 == 0], self.settings.hint
            )


class Needy(Books):
    """One whose data are nowhere."""

    name = "needy"
    skills = {"all": "mood"}

    def trials(self) -> Iterator[Trial]:
        if not self.settings.data:
            raise InputError("needy needs --data, a folder with needy.csv (from https://x.org)")
        return super().trials()


class Talk(Sequence):
    at_least = at_most = 3

    def __init__(self, number: int, hint: bool) -> None:
        self.id, self.hint = f"talk{number}", hint
        self.number = number

    def next(self, done):
        if len(done) == 3:
            return None
        trial = question("talks", 3 * self.number + len(done), "turns", self.hint)
        return msgspec.structs.replace(trial, cluster=None)


class Talks(Benchmark[Settings]):
    name = "talks"
    chance = 0.25
    Settings = Settings
    skills = {"all": "reasoning"}

    def sequences(self) -> Iterator[Talk]:
        return (Talk(number, self.settings.hint) for number in range(self.settings.items // 3))


class Model:
    """Right in a share of the questions, by their words; takes a moment for each."""

    concurrency = 4
    share, wait = 0.5, 0.002

    def __init__(self) -> None:
        self.name = f"{type(self).__name__.lower()}"
        counts.opened += 1

    async def generate(self, messages, sampling, trial):
        counts.under_way += 1
        counts.order.append(self.name)
        counts.most = max(counts.most, counts.under_way)
        try:
            await asyncio.sleep(float(os.environ.get("SUITE_WAIT", self.wait)))
        finally:
            counts.under_way -= 1
        stem = trial.stem
        drawn = int(hashlib.sha256(f"{self.name} {stem}".encode()).hexdigest(), 16) % 1000 / 1000
        number = int(stem.split()[1])
        wrong = 0 if drawn < self.share else 1 + int(drawn * 997) % 3
        return Reply(f"Answer: {'ABCD'[(number + wrong) % 4]}", latency_s=0.002)

    async def close(self):
        counts.order.append(f"{self.name} closed")


class Good(Model):
    share = 0.95


class Fair(Model):
    share = 0.6


class Poor(Model):
    share = 0.25


class Broken(Model):
    """Cannot be reached when it comes to asking."""

    async def check(self):
        raise InputError("nobody answers at this address: start the server")


def suite(models=("Good", "Fair", "Poor"), benchmarks=("Ears", "Books", "Talks"), more="",
          conditions=("plain", "hinted"), items=24) -> str:  # fmt: skip
    """The text of a suite's file."""
    lines = ['name = "small"', 'about = "What is heard and read."', ""]
    for model in models:
        lines += ["[[models]]", f'model = "python:{HERE}:{model}"', f'name = "{model.lower()}"', ""]
    for benchmark in benchmarks:
        lines += ["[[benchmarks]]", f'benchmark = "{HERE}:{benchmark}"']
        lines += [f'name = "{benchmark.lower()}"', f"flags = {{ items = {items} }}", ""]
    for condition in conditions:
        flags = "{ hint = true }" if condition == "hinted" else "{}"
        lines += ["[[conditions]]", f'name = "{condition}"', f"flags = {flags}", ""]
    return "\n".join([*lines, more]) + "\n"


def logs(folder: Path) -> dict[str, list[dict]]:
    """The records of all runs of a suite, times aside, in the order of their names."""
    found = {}
    for log in sorted(folder.glob("runs/*/records.jsonl")):
        records = [json.loads(line) for line in log.read_text().splitlines()]
        for record in records:
            record.pop("attempts", None)
            for turn in record.get("exchange", {}).get("turns", ()):
                turn["reply"].pop("latency_s", None)
        found[log.parent.name] = sorted(records, key=lambda record: record["id"])
    return found


def in_a_process(arguments: list[str], wait: str) -> None:
    """What a process of its own does: one command, told to nobody."""
    from zhiyin.cli import main

    os.environ["SUITE_WAIT"] = wait
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
    os._exit(main(arguments))
