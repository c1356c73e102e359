"""Tiny checkpoints, made and loaded once for all tests of local models, and what they are asked.

To be imported after ``pytest.importorskip("torch")``.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from zhiyin.models import open_model
from zhiyin.record import Reply, Sampling
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Message, Option, Text, Trial, say

os.environ["HF_HUB_OFFLINE"] = "1"  # before its library is imported: nothing is fetched here
if importlib.util.find_spec("transformers") is None:
    pytest.skip("transformers is not installed (extra hf)", allow_module_level=True)

import tiny_checkpoints as tiny

KEPT = None
if importlib.util.find_spec("torchvision"):
    try:
        import torchvision  # noqa: F401
    except RuntimeError:  # a build for GPUs beside a torch without
        for name in [name for name in sys.modules if name.startswith("torchvision")]:
            del sys.modules[name]
        KEPT = tiny.let_torchvision_load()
in_its_own_process = pytest.mark.skipif(
    KEPT is not None, reason="the torchvision that is installed does not fit this torch"
)

HEARING = tuple(kind for kind in tiny.KINDS if kind != "text")
CUT = {"qwen2_audio": 30.0, "qwen2_5_omni": 30.0, "gemma3n": 29.97}
"""Seconds that are heard of 40 by those that cut without a word."""
TOKENS = Sampling(max_tokens=8)
OPTIONS = tuple(
    Option(letter, text, letter)
    for letter, text in zip("ABC", ("a fugue in D", "a mass", "one of two marches"), strict=True)
)


_FOLDER = tempfile.TemporaryDirectory(prefix="zhiyin-test-", ignore_cleanup_errors=True)


@cache
def checkpoints(kind: str) -> Path:
    """The folder of a tiny checkpoint, made when it is first asked for."""
    for package in tiny.NEEDED.get(kind, ()):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed, which {kind} needs")
    return tiny.KINDS[kind](Path(_FOLDER.name) / kind)


@cache
def loaded(kind: str):
    """A model on the CPU, loaded once; each caller asks in an event loop of its own."""
    model = open_model(f"hf:{checkpoints(kind)},device=cpu")
    asyncio.run(model.check())
    return model


def clips(seconds: float, hertz: float = 220.0) -> Audio:
    """A recording of so many seconds, 22,050 Hz in stereo: neither what a model hears."""
    import soundfile

    path = Path(_FOLDER.name) / f"{seconds}-{hertz}.wav"
    if not path.exists():
        time = np.arange(int(seconds * 22050)) / 22050
        noise = np.random.default_rng(int(hertz)).normal(size=(len(time), 2))
        tone = 0.3 * np.sin(2 * np.pi * hertz * time)[:, None]
        soundfile.write(path, tone + 0.02 * noise, 22050)
    return audio_part(path)


def words(count: int) -> list[Trial]:
    return [
        Trial(f"t{n}", (say("system", "Be brief."), say("user", f"Which {n}? " * (n % 5 + 1))))
        for n in range(count)
    ]


def heard() -> list[Trial]:
    """Trials of four lengths; one has words before and after its sound, and a system message."""
    found = []
    for n, (seconds, hertz) in enumerate([(5, 220), (5, 440), (2, 330), (3.3, 880)]):
        parts = (Text("Listen: "),) * (n % 2) + (clips(seconds, hertz), Text(f"What is {n}?"))
        opened = (say("system", "Be brief."),) * (n % 2)
        found.append(Trial(f"t{n}", (*opened, Message("user", parts)), "What?", OPTIONS, "A"))
    return found


def ask(model, trials, sampling=TOKENS) -> list[Reply]:
    async def together():
        return await asyncio.gather(*(model.generate(t.messages, sampling, t) for t in trials))

    return asyncio.run(together())


def one_by_one(model, trials, sampling=TOKENS) -> list[Reply]:
    return [ask(model, [trial], sampling)[0] for trial in trials]
