"""Python functions as models."""

import asyncio
import hashlib
import threading
import time
from pathlib import Path

import pytest

from zhiyin.errors import ModelError, TransientError
from zhiyin.models import open_model
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Audio, Option, Trial, say

SOURCE = """
import time, threading, asyncio
from pathlib import Path
from zhiyin.errors import TransientError
from zhiyin.record import Reply

seen = []
def whole(messages): seen.append(messages); return "B"
def appraise(audio_path, question, options):
    seen.append((audio_path, question, options)); return options[0]
def threes(a, b, c, extra=1): return f"{a} {b} {c}"
def relaxed(audio_path, question, options=None): return question
def tuned(messages, temperature=0.3): return "A"
def sound(messages):
    path = Path(messages[0]["content"][1]["path"]); seen.append(path)
    return f"{path.read_bytes()!r}"
async def later(messages): await asyncio.sleep(0.05); return "C"
def lazily(messages): return later(messages)
def full(messages): return Reply("D", "length", {"prompt_tokens": 1})
def number(messages): return 3
def breaks(messages): raise ValueError("no\\nway")
async def breaks_later(messages): raise KeyError("x")
def busy(messages): raise TransientError("busy", 2.0)
def stops(messages): raise StopIteration
def leaves(messages): raise SystemExit("bye")
async def leaves_later(messages): raise SystemExit("bye")
async def sleeps(messages): await asyncio.sleep(30)
def slow(messages): time.sleep(0.02); return threading.current_thread().name
def two(a, b): return ""
def keyword(messages, *, key): return ""
class Thing: pass
"""
STEM = "Which key?"
TRIAL = Trial(
    "t", (say("system", "Brief."), say("user", "Which key?\nA. G")), STEM, (Option("A", "G", "C"),)
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    return path


def ask(spec: str, trial: Trial = TRIAL, times: int = 1, timeout: float = 5.0) -> list[Reply]:
    async def several() -> list[Reply]:
        model = open_model(spec, timeout=timeout)
        try:
            calls = [model.generate(trial.messages, Sampling(), trial) for _ in range(times)]
            return await asyncio.gather(*calls)
        finally:
            await model.close()

    return asyncio.run(several())


def seen_by(spec: str, trial: Trial = TRIAL):
    """What the function was called with."""
    import sys

    ask(spec, trial)
    return sys.modules["zhiyin_model_mine"].seen[-1]


def test_sound_comes_under_a_neutral_name_and_goes_with_the_model(file: Path) -> None:
    data = b"RIFF\0\0\0\0WAVEdata"
    named = file.parent / "C_major.wav"
    named.write_bytes(data)
    audio = Audio(str(named), hashlib.sha256(data).hexdigest(), 1.0)
    trial = Trial("t", (say("user", "Listen.", audio),), STEM, TRIAL.options)
    assert ask(f"python:{file}:sound", trial)[0].text == repr(data)
    path = seen_by(f"python:{file}:sound", trial)
    assert "C_major" not in str(path)
    assert path.suffix == ".wav"
    assert not path.exists()
    assert seen_by(f"python:{file}:appraise", trial)[0].endswith(path.name)
    two = Trial("t", (say("user", "Compare.", audio, audio),))
    with pytest.raises(ModelError, match="plays 2"):
        ask(f"python:{file}:appraise", two)


@pytest.mark.parametrize("name", ["later", "lazily"])
def test_async_functions(file: Path, name: str) -> None:
    begun = time.perf_counter()
    replies = ask(f"python:{file}:{name}", times=8)
    elapsed = time.perf_counter() - begun
    assert {reply.text for reply in replies} == {"C"}
    assert all(reply.latency_s >= 0.05 for reply in replies)
    # One after the other they would take at least as long as all of them together.
    assert elapsed < sum(reply.latency_s for reply in replies)


def test_a_plain_function_runs_in_one_thread_of_its_own(file: Path) -> None:
    names = {reply.text for reply in ask(f"python:{file}:slow", times=4)}
    assert len(names) == 1
    assert threading.current_thread().name not in names
    assert open_model(f"python:{file}:slow", timeout=1).concurrency == 1
    assert open_model(f"python:{file}:slow", timeout=1, concurrency=3).concurrency == 3
    assert open_model(f"python:{file}:later", timeout=1).concurrency == 16


def test_an_async_function_is_given_up(file: Path) -> None:
    with pytest.raises(TransientError, match=r"no reply in 0\.1 s"):
        ask(f"python:{file}:sleeps", timeout=0.1)


def test_the_current_folder_is_importable(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "zhiyin_test_model.py").write_text("def answer(messages): return 'here'\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/nowhere"])
    assert ask("python:zhiyin_test_model:answer")[0].text == "here"
