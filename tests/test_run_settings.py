"""The settings of a run: one struct, and flags, Python, suites, manifests and commands from it."""

import asyncio
from pathlib import Path

import pytest

import zhiyin as zy
from zhiyin.cli import Parser, run
from zhiyin.contract.registry import given
from zhiyin.session.running import opened

ZIQI = Path(__file__).parent / "data" / "ziqi_small"
OWN = """
from typing import Annotated

import msgspec

from zhiyin.contract import Benchmark, Flag
from zhiyin.trial import Message, Option, Text, Trial


class Settings(msgspec.Struct, frozen=True):
    n: Annotated[int, Flag("how many")] = 3
    kinds: Annotated[tuple[str, ...], Flag("which", once=True)] = ()
    parts: Annotated[tuple[str, ...], Flag("which")] = ()
    easy: Annotated[bool, Flag("easy ones")] = False


class Mine(Benchmark[Settings]):
    name = "mine"
    Settings = Settings

    def __init__(self, settings=Settings()):
        self.settings = settings

    def fingerprint(self):
        return {"of": "nothing"}

    def trials(self):
        for number in range(self.settings.n):
            options = (Option("1", "A", "one"), Option("2", "B", "two"))
            yield Trial(str(number), (Message("user", (Text("?"),)),), "?", options, "1")
"""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with a benchmark in a file, and a file of questions."""
    monkeypatch.chdir(tmp_path)
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(key, "x")
    rows = "".join(f"Which is {n}?,{n},{n + 1},{n + 2},A\n" for n in range(6))
    (tmp_path / "own.csv").write_text(f"question,A,B,C,answer\n{rows}")
    (tmp_path / "mine.py").write_text(OWN)
    return tmp_path


def ordered(words):
    """What a command line orders."""
    words = run.rewrite(words)
    parser = Parser(prog="zhiyin run", allow_abbrev=False)
    run.prepare(parser, words)
    return run.order_of(parser.parse_args(words))


def folder_of(order):
    """The folder that an order finds."""

    async def find():
        async with opened(order, given(order.benchmark)) as found:
            return str(found.folder)

    return asyncio.run(find())


THEORY = "exercises --task theory --n 1 -m"


@pytest.mark.parametrize(
    ("command", "folder"),
    [
        (f"{THEORY} random", "exercises-random-f92cd6bc"),
        (
            f"{THEORY} openai:gpt-5 --seed 7 --temperature 1 --top-p 0.5 --max-tokens 99",
            "exercises-openai-gpt-5-a04a6a6a",
        ),
        (
            "exercises --task theory,chinese --n 1 -m openai:gpt-5 --temperature default "
            "--thinking low --sampling-seed 3",
            "exercises-openai-gpt-5-c0f19209",
        ),
        (f"{THEORY} random --confirm --limit 3", "exercises-random-a1f14a22"),
        (
            f"{THEORY} openai:gpt-5 --score loglikelihood --audio-format mp3 --audio-limit 30 "
            "--temperature 0.3",
            "exercises-openai-gpt-5-49cc575f",
        ),
        (
            f"{THEORY} openai:gpt-5 --audio-rate 16000 --audio-mono --join-clips "
            "--extract string-match",
            "exercises-openai-gpt-5-4c06110d",
        ),
        (f"{THEORY} random --shard 2/3", "exercises-random-f92cd6bc-shard-2-of-3"),
        (
            "own.csv -m random --shuffle --concurrency 3 --cache 7 --budget 5usd,100calls",
            "questions-own-random-9012d9fa",
        ),
        (
            "own.csv -m anthropic:claude-sonnet-4-5 --sample 3 --label a_name --timeout 4 "
            "--retries 1 --thinking 1000 --temperature 1 --top-k 5",
            "questions-own-anthropic-claude-sonnet-4-5-a9b9d10f",
        ),
        (
            "mine.py:Mine -m random --n 4 --kinds a,b --parts c --parts d,e --easy",
            "mine-random-8657cb44",
        ),
        (
            f"ziqi --data {ZIQI} --protocol ziqi-released -m random --partial",
            "ziqi-random-98fb7697",
        ),
        (
            f"ziqi --data {ZIQI} --protocol ziqi-released -m openai:gpt-4o --partial "
            "--temperature 0 --shots 1 --max-tokens default",
            "ziqi-openai-gpt-4o-fb132fc7",
        ),
    ],
)
def test_the_same_command_finds_the_folder_that_it_always_did(desk, command, folder):
    assert folder_of(ordered(command.split())) == f"runs/{folder}"


@pytest.mark.parametrize(
    ("chosen", "folder"),
    [
        ({}, "exercises-random-f92cd6bc"),
        ({"temperature": 1, "top_p": 0.5, "max_tokens": 9, "seed": 3}, "exercises-random-97c2dcf2"),
        (
            {"temperature": "default", "sampling_seed": 2, "confirm": True},
            "exercises-random-5a71d747",
        ),
    ],
)
def test_the_same_call_finds_the_folder_that_it_always_did(desk, chosen, folder):
    done = zy.run("exercises", "random", task="theory", n=1, limit=1, **chosen)
    assert str(done.folder) == f"runs/{folder}"
