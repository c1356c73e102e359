"""Opening models by spec, the contract that every kind keeps, and the baselines."""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servers import ChatServer
from zhiyin.models import open_model
from zhiyin.models.baselines import BASELINES, Baseline
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Option, Trial, say

TEXTS = ("a fugue", "a sonata in several movements", "a mass", "a march")
OPTIONS = tuple(Option(letter, text, letter) for letter, text in zip("ABCD", TEXTS, strict=True))
STEM = "What did Bach write in fugue form, with one subject?"
TRIAL = Trial("q-1", (say("user", STEM),), STEM, OPTIONS)


def ask(model, trial: Trial = TRIAL, sampling: Sampling | None = None) -> Reply:
    async def once() -> Reply:
        try:
            return await model.generate(trial.messages, sampling or Sampling(), trial)
        finally:
            await model.close()

    return asyncio.run(once())


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A spec of every kind that answers."""
    monkeypatch.delenv("ZHIYIN_API_KEY", raising=False)
    (tmp_path / "mine.py").write_text(
        "def plain(messages):\n    return 'B'\nasync def later(messages):\n    return 'B'\n"
    )
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": "q-1", "text": "B"}) + "\n")
    with ChatServer("B") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-key")
        yield [
            "openai:scripted",
            server.spec,
            f"python:{tmp_path / 'mine.py'}:plain",
            f"python:{tmp_path / 'mine.py'}:later",
            f"replay:{tmp_path / 'answers.jsonl'}",
            *BASELINES,
        ]


def test_every_kind_keeps_the_contract(specs: list[str]) -> None:
    for spec in specs:
        model = open_model(spec, timeout=5)
        assert model.name == spec
        assert isinstance(model.concurrency, int)
        assert model.concurrency >= 1
        reply = ask(model)
        assert reply.text in "ABCD"
        assert reply.finish == "stop"
        instant = getattr(model, "instant", False)
        assert instant == (reply.latency_s is None)
        json.dumps(model.describe())
        for line in model.report() if hasattr(model, "report") else []:
            assert "\n" not in line


@pytest.mark.slow
def test_opening_a_baseline_imports_nothing_heavy() -> None:
    heavy = ["aiohttp", "numpy", "scipy", "soundfile"]
    code = (
        "import sys; from zhiyin.models import open_model; open_model('random', timeout=1); "
        f"print([m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_rules_pick_what_they_say() -> None:
    assert ask(Baseline("first")).text == "A"
    assert ask(Baseline("longest")).text == "B"
    assert ask(Baseline("overlap")).text == "A"


def test_overlap_reads_chinese() -> None:
    texts = ("小提琴协奏曲", "古琴曲", "琵琶曲", "二胡曲")
    options = tuple(
        Option(letter, text, letter) for letter, text in zip("ABCD", texts, strict=True)
    )
    assert (
        ask(Baseline("overlap"), Trial("q", (), "下列哪首是著名的琵琶曲目?", options)).text == "C"
    )


@pytest.mark.slow
def test_random_is_uniform_and_depends_on_seed_and_id_alone() -> None:
    trials = [Trial(f"q-{i}", (), STEM, OPTIONS) for i in range(4000)]

    async def letters(seed: int, which: list[Trial]) -> dict[str, str]:
        model = Baseline("random", seed)
        return {t.id: (await model.generate((), Sampling(), t)).text for t in which}

    once, turned = asyncio.run(letters(1, trials)), asyncio.run(letters(1, trials[::-1]))
    assert once == turned
    counts = Counter(once.values())
    # Chi-square with 3 degrees of freedom; 16.27 is exceeded once in a thousand.
    assert sum((counts[letter] - 1000) ** 2 / 1000 for letter in "ABCD") < 16.27
    other = asyncio.run(letters(2, trials))
    same = sum(once[name] == other[name] for name in once)
    assert 880 < same < 1120


@pytest.mark.slow
@given(
    st.sampled_from(sorted(BASELINES)),
    st.lists(st.text(max_size=12), min_size=1, max_size=6),
    st.text(max_size=30),
    st.integers(),
    st.text(alphabet=st.characters(codec="utf-8"), min_size=1),
)
def test_a_baseline_always_picks_an_option(name, texts, stem, seed, trial_id) -> None:
    options = tuple(Option(chr(65 + i), text, "x") for i, text in enumerate(texts))
    reply = ask(Baseline(name, seed), Trial(trial_id, (), stem, options))
    assert reply.text in {option.letter for option in options}
