"""The settings of a run: one struct, and flags, Python, suites, manifests and commands from it."""

import asyncio
import inspect
import json
import math
import shlex
import shutil
import typing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as given_of
from hypothesis import strategies as st
from msgspec.structs import replace

import zhiyin as zy
from zhiyin.cli import main, run
from zhiyin.cli.parser import Parser
from zhiyin.contract.options import CommonOptions
from zhiyin.contract.registry import given
from zhiyin.contract.settings import RunSettings, command_of, parts, run_fields, settings_of
from zhiyin.cost.budget import Budget
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.folder import Shard, read_manifest
from zhiyin.engine.runner import Limits
from zhiyin.flags import flagged
from zhiyin.models.playback import SoundPolicy
from zhiyin.plugins.lab.suite.file import elsewhere
from zhiyin.plugins.local.on_ray import Cluster
from zhiyin.plugins.making.private_seeds import SeedFile
from zhiyin.record import Sampling
from zhiyin.session.setup import opened

ZIQI = Path(__file__).parent.parent / "data" / "ziqi_small"
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
    words = run.rewrite_run(words)
    parser = Parser(prog="zhiyin run", allow_abbrev=False)
    run.prepare_run(parser, words)
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
            "questions-own-random-9ef95c2b",
        ),
        (
            "own.csv -m anthropic:claude-sonnet-4-5 --sample 3 --label a_name --timeout 4 "
            "--retries 1 --thinking 1000 --temperature 1 --top-k 5",
            "questions-own-anthropic-claude-sonnet-4-5-83bfd297",
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


# One list of settings


def parameters():
    """The parameters of `zy.run`, as they are written."""
    return inspect.signature(zy.run, eval_str=True).parameters


def by_parameter():
    """What the struct has for Python, and what stands there where it is not given."""
    found = {}
    for part in (None, *parts()):
        kind, base = (RunSettings, None) if part is None else (part.kind, part.default)
        for field in flagged(kind):
            default = field.default if base is None else getattr(base, field.name)
            found[field.parameter] = field, default
    return found | {field.parameter: (field, field.default) for field in flagged(CommonOptions)}


def test_python_takes_what_the_struct_has():
    beside = {"benchmark", "protocol", "sound", "progress", "own"}
    of_sound = {field.parameter for field in flagged(SoundPolicy)}
    handed_on = {"confirm", "partial"}  # read like a benchmark's own settings
    wanted = {name for name, (field, _) in by_parameter().items() if not field.flag.typed}
    assert set(parameters()) - beside == wanted - of_sound - handed_on


@pytest.mark.parametrize("name", sorted(set(parameters()) & set(by_parameter())))
def test_a_parameter_is_as_in_the_struct(name):
    given, (_, default) = parameters()[name], by_parameter()[name]
    assert given.kind is (given.POSITIONAL_OR_KEYWORD if name == "model" else given.KEYWORD_ONLY)
    # None is what is not given: the protocol's, or the struct's own
    assert given.default in (default, None, inspect.Parameter.empty)
    if given.default is None:
        assert type(None) in typing.get_args(given.annotation)


def test_a_suite_takes_each_flag_or_says_why_not():
    words = {field.written.removeprefix("--") for field in run_fields()}
    reasons = elsewhere()
    assert set(reasons) - {"help"} <= words
    assert {"model", "out", "concurrency", "notify", "json"} <= set(reasons)
    assert not {"temperature", "limit", "no-canary", "recipe", "cache"} & set(reasons)
    parser = Parser(prog="zhiyin run", allow_abbrev=False)
    run.configure(parser)
    known = {name[2:] for name in parser._option_string_actions if name.startswith("--")}
    assert known == words | {"help"}


WRONG = [
    ("temperature", "2.5", 2.5, "temperature 2.5: give a number from 0 to 2"),
    ("max-tokens", "0", 0, "max_tokens 0: give a whole number, 1 or more"),
    ("top-p", "0", 0, "top_p 0: give a number above 0 and up to 1"),
    ("top-p", "nan", math.nan, "top_p nan: give a number above 0 and up to 1"),
    ("retries", "-1", -1, "retries -1: give a whole number, 0 or more"),
    ("timeout", "0", 0, "timeout 0: give a number above 0"),
    ("thinking", "hihg", "hihg", "thinking 'hihg': give a number of tokens, 1 or more, or a word"),
    ("score", "log", "log", "score 'log': did you mean loglikelihood?"),
    ("sample", "x", "x", "sample x: give a whole number, 1 or more"),
    ("cache", "auto", "auto", "cache auto: a kept reply may be of another model"),
    ("budget", "5eur", "5eur", "budget 5eur: write 5usd, 2Mtokens or 1000calls"),
    ("seed", "1.5", 1.5, "seed 1.5: give a whole number"),
]


@pytest.mark.parametrize(("flag", "text", "value", "said"), WRONG)
def test_a_value_is_refused_in_the_same_words_from_anywhere(desk, capsys, flag, text, value, said):
    name = flag.replace("-", "_")
    with pytest.raises(zy.InputError) as caught:
        zy.run("exercises", "random", n=1, **{name: value})
    assert str(caught.value).startswith(said)
    assert main(["run", *f"{THEORY} random --{flag} {text}".split()]) == 2
    printed = capsys.readouterr().err.strip()
    assert printed.startswith("zhiyin: --")
    assert printed.replace(f"--{flag}", name).startswith(f"zhiyin: {said}")
    assert "\n" not in printed
    number = text if text.replace(".", "").lstrip("-").isdigit() else f'"{text}"'
    suite = f'[[benchmarks]]\nbenchmark = "exercises"\nflags = {{ {name} = {number} }}\n'
    (desk / "suite.toml").write_text(f'{suite}[[models]]\nmodel = "random"\n')
    if flag not in elsewhere():
        assert main(["suite", "suite.toml", "--dry-run"]) == 2
        both = capsys.readouterr()
        assert f"--{flag}{said.removeprefix(name)}"[:40] in both.out + both.err


# There and back


def bounded(field):
    """Values that a flag takes, by its kind."""
    if field.flag.name == "join-clips":
        return st.floats(0, 60)
    kinds = {
        "--temperature": st.none() | st.floats(0, 2),
        "--top-p": st.none() | st.floats(1e-9, 1),
        "--thinking": st.none() | st.sampled_from(["off", "low", "max"]) | st.integers(1, 99),
        "--sampling-seed": st.none() | st.integers(-9, 9),
        "--audio-format": st.sampled_from([None, "wav", "flac"]),
        "--audio-rate": st.none() | st.integers(8000, 48000),
        "--cache": st.sampled_from(["off", "always", "session"]) | st.floats(1e-6, 3650),
        "--budget": budgets,
        "--score": st.sampled_from(["", "loglikelihood"]),
        "--ray": st.sampled_from(["local", "auto", "node:6379"]),
        "--ray-cpus": st.floats(0, 9),
        "--ray-gpus": st.floats(0, 9),
    }
    if field.written in kinds:
        return kinds[field.written]
    if field.is_switch:
        return st.booleans()
    if field.kind.__origin__ is float:
        some = st.floats(1e-6, 1e6)
    else:
        some = st.integers(1, 10**12)
    return some if field.default is not None else st.none() | some


amounts = st.none() | st.floats(1e-6, 1e9)
budgets = st.builds(Budget, usd=amounts, tokens=amounts, calls=amounts)


def part(kind, base):
    """Values of a part of the settings."""
    chosen = {field.name: bounded(field) for field in flagged(kind)}
    return st.fixed_dictionaries(chosen).map(lambda some: replace(base, **some))


@st.composite
def settings_of_runs(draw, words):
    """Settings of runs of a benchmark: those of a command line, with anything else in them."""
    base = ordered(words)
    text = st.text(st.characters(codec="ascii", min_codepoint=33), min_size=1)
    some = {
        "sampling": draw(part(Sampling, base.sampling)),
        "limits": draw(part(Limits, base.limits)),
        "sound": draw(part(SoundPolicy, base.sound)),
        "spending": draw(part(Spending, base.spending)),
        "label": " ".join(draw(st.lists(text, max_size=3))),
        "out": draw(st.none() | text),
        "canary": draw(st.booleans()),
        "score": draw(st.sampled_from(["", "loglikelihood"])),
        "shard": draw(st.sampled_from([None, Shard(2, 7)])),
    }
    added = {"commitment": draw(st.sampled_from([None, SeedFile("a b.seed")]))}
    if not some["spending"].batch:
        added["cluster"] = draw(st.none() | part(Cluster, Cluster("local")))
    some["added"] = {name: value for name, value in added.items() if value}
    if draw(st.booleans()):
        some["sample"] = draw(st.none() | st.integers(1, 9))
    else:
        some["limit"] = draw(st.none() | st.integers(0, 9))
    usual = st.sampled_from([base.options["extract"], "robust"])
    seed = 0 if added["commitment"] else draw(st.integers(-9, 9))
    options = {**base.options, "seed": seed, "extract": draw(usual)}
    return replace(base, **some, options=options)


def back(settings):
    """What the command of settings orders."""
    zhiyin, command, *words = shlex.split(command_of(settings))
    assert (zhiyin, command) == ("zhiyin", "run")
    return ordered(words)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        f"{THEORY} random",
        "exercises --task theory,chinese --n 3 -m openai:gpt-5 --confirm",
        "own.csv -m random --shuffle --partial",
        "mine.py:Mine -m random --n 4 --kinds a,b --parts c --parts d,e --easy --shots=-1",
        f"ziqi --data {ZIQI} --protocol ziqi-released -m openai:gpt-4o --shuffle",
        f"ziqi --data {ZIQI} -m openai:gpt-4o --rotations all",
    ],
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given_of(data=st.data())
def test_the_command_of_settings_orders_the_same(desk, words, data):
    chosen = data.draw(settings_of_runs(words.split()))
    assert back(chosen) == chosen


@pytest.mark.slow
def test_the_command_of_a_run_goes_on_with_it(desk, capsys):
    for words in (
        f"{THEORY} random --seed 4 --temperature 0.5 --limit 3 --label two_words",
        "mine.py:Mine -m random --n 4 --kinds a,b --parts c --parts d,e --easy",
        "own.csv -m random --shuffle --sample 2 --temperature default",
    ):
        assert main(["run", *words.split(), "--out", "a run", "--quiet"]) == 0
        manifest = read_manifest("a run")
        command = command_of(settings_of(manifest, Path("a run")))
        assert main([*shlex.split(command)[1:], "--quiet"]) == 0
        again = read_manifest("a run")
        assert [session.asked for session in again.sessions][1:] == [0]
        assert again.config == manifest.config
        shutil.rmtree("a run")


def test_a_private_seed_is_in_no_command(desk, capsys):
    main(["seed", "my.seed"])
    seed = json.loads(Path("my.seed").read_text())["seed"]
    words = [*f"{THEORY} random --private-seed my.seed --limit 2 --quiet".split(), "--out", "run"]
    assert main(["run", *words]) == 0
    assert str(seed) not in command_of(ordered(words))
    assert "--private-seed my.seed" in command_of(ordered(words))
    command = command_of(settings_of(read_manifest("run"), Path("run")))
    assert str(seed) not in command
    assert "--private-seed FILE" in command
