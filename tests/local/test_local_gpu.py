"""Checkpoints on a GPU: the answers of the CPU, in batches, until memory runs out, and after.

Skipped where there is no GPU, which is no want of setup: continuous integration has none.
"""

import asyncio
import gc
import json
import math
from functools import cache
from pathlib import Path

import pytest

from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.models import open_model
from zhiyin.record import Likelihood, Sampling
from zhiyin.trial import Message, Text, Trial, say

# The drivers' own files: only to find that there is no GPU, torch takes a second to import.
if not any(map(Path.exists, map(Path, ("/dev/nvidia0", "/dev/kfd", "/dev/dxg")))):
    pytest.skip("no GPU is here", allow_module_level=True)
torch = pytest.importorskip("torch", reason="torch is not installed (extra hf)")
if not torch.cuda.is_available():
    pytest.skip("no GPU is here", allow_module_level=True)

import tiny_checkpoints as tiny  # noqa: E402
from local_help import ask, checkpoints, clips, heard, loaded, one_by_one, words  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("torch"),  # one process: torch is slow to import
]
KINDS = ("text", "qwen2_audio")
GPU = "cuda:0"
ROWS = 32
LIKELY = Likelihood(continuations=("A", "a mass", "a fugue in D"))
CLOSE = {"float32": 2e-3, "bfloat16": 0.5}
"""How far a log-probability may lie from that of the CPU in float32."""


@cache
def on_gpu(kind, dtype="float32", batch=ROWS):
    model = open_model(f"hf:{checkpoints(kind)},device={GPU},dtype={dtype},batch={batch}")
    asyncio.run(model.check())
    return model


def trials(kind, count=40):
    """Prompts of several lengths; those of sound play clips of four."""
    if kind == "text":
        return words(count)
    asked = heard()
    more = [
        Trial(f"m{n}", (Message("user", (clips(2 + n % 3, 200 + n), Text(f"Which {n}? "))),))
        for n in range(count - len(asked))
    ]
    return asked + more


def furthest(replies, others):
    """The largest difference between two models' log-probabilities."""
    return max(
        abs(one.logprobs[option] - other.logprobs[option])
        for one, other in zip(replies, others, strict=True)
        for option in LIKELY.continuations
    )


def used():
    """Bytes of the GPU's memory that torch has taken."""
    gc.collect()
    torch.cuda.empty_cache()
    return torch.cuda.memory_reserved(0)


def wide_text(folder, width):
    """A model that takes memory which can be seen."""
    return tiny.text(folder, hidden_size=width, intermediate_size=4 * width, num_attention_heads=4)


WEIGHTS = 3 * 2048 * 4 * 2048 * 4
"""Bytes of the largest matrices of the model `large`."""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    return wide_text(tmp_path_factory.mktemp("large") / "text", 2048)


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("kind", KINDS)
def test_log_probabilities_are_those_of_the_cpu(kind, dtype):
    model, asked = on_gpu(kind, dtype), trials(kind, 12)
    found = ask(model, asked, LIKELY)
    apart = furthest(found, ask(loaded(kind), asked, LIKELY))
    print(f"{kind} {dtype}: at most {apart:.2g} from the CPU in float32")
    assert apart < CLOSE[dtype]
    if dtype == "bfloat16":
        assert apart > 1e-6, "it was computed in float32"
    assert next(model.work.model.parameters()).device == torch.device(GPU)
    assert str(model.work.model.dtype) == f"torch.{dtype}"


@pytest.mark.parametrize("kind", KINDS)
def test_replies_are_those_of_the_cpu(kind):
    asked = trials(kind, 12)
    found = [reply.text for reply in ask(on_gpu(kind), asked)]
    assert found == [reply.text for reply in ask(loaded(kind), asked)]
    assert any(found)


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_of_many_agrees_with_one_alone(kind, dtype):
    model, asked = on_gpu(kind, dtype), trials(kind)
    before = model.batcher.batches if model.batcher else 0
    apart = furthest(ask(model, asked, LIKELY), one_by_one(model, asked, LIKELY))
    assert model.batcher.batches - before < len(asked) + 10, "nothing was asked together"
    together, alone = ask(model, asked), one_by_one(model, asked)
    same = sum(one.text == other.text for one, other in zip(together, alone, strict=True))
    print(f"{kind} {dtype}: at most {apart:.2g} from alone, {same} of {len(asked)} texts the same")
    assert apart < CLOSE[dtype]
    assert same == len(asked) or dtype == "bfloat16"


def test_at_no_width_a_batch_differs_from_one_alone():
    model = on_gpu("text")  # all its heads share one head of keys: see `kernels_for`
    assert model.work.model.config.num_key_value_heads == 1
    for more in range(32):
        pair = [Trial(f"w{n}", (say("user", "x" * (more + n)),)) for n in (0, 3)]
        assert furthest(ask(model, pair, LIKELY), one_by_one(model, pair, LIKELY)) < 2e-3, more


def test_sound_is_logged_as_on_the_cpu():
    asked = trials("qwen2_audio", 6)
    for one, other in zip(ask(on_gpu("qwen2_audio"), asked), ask(loaded("qwen2_audio"), asked),
                          strict=True):  # fmt: skip
        assert one.detail["audio_heard"] == other.detail["audio_heard"]
        assert one.usage["prompt_tokens"] == other.usage["prompt_tokens"]


def test_drawn_replies_are_the_same_again_in_any_batch():
    drawn, asked = Sampling(temperature=1.0, max_tokens=8, seed=5), words(12)
    texts = [reply.text for reply in ask(on_gpu("text"), asked, drawn)]
    assert texts == [r.text for r in one_by_one(on_gpu("text"), asked, drawn)]
    anew = open_model(f"hf:{checkpoints('text')},device={GPU},dtype=float32,batch=3")
    assert texts == [r.text for r in ask(anew, asked, drawn)]
    asyncio.run(anew.close())
    assert texts != [r.text for r in ask(on_gpu("text"), asked, Sampling(1.0, 8, seed=6))]
    assert texts != [r.text for r in ask(on_gpu("text"), asked)]


def test_draws_have_the_distribution_that_was_asked_for():
    model, trial = on_gpu("text"), words(1)[0]
    letters = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    known = ask(model, [trial], Likelihood(continuations=letters))[0].logprobs
    likely = max(known, key=known.get)
    many = [Trial(f"d{n}", trial.messages) for n in range(600)]
    drawn = ask(model, many, Sampling(temperature=1.0, max_tokens=1, seed=1))
    share, expected = sum(r.text == likely for r in drawn) / 600, math.exp(known[likely])
    assert abs(share - expected) < 4 * math.sqrt(expected * (1 - expected) / 600)


def test_memory_that_runs_out_loses_no_reply(tmp_path):
    asked = [Trial(f"t{n}", (say("user", f"{n} " + "word " * 400),)) for n in range(64)]
    model = open_model(
        f"hf:{wide_text(tmp_path / 'wide', 256)},device={GPU},dtype=float32,batch=64"
    )
    wanted = [reply.text for reply in ask(model, asked[:4])]  # and all that is kept for good
    whole = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction((used() + 400 * 2**20) / whole, 0)
    try:
        replies = ask(model, asked)
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0, 0)
    assert model.batcher.budget.failures, "memory was not short"
    assert [reply.text for reply in replies[:4]] == wanted
    assert all(reply.usage["completion_tokens"] for reply in replies)
    assert any("memory ran out" in line for line in model.report())
    asyncio.run(model.close())


def test_a_model_gives_its_memory_back_before_the_next_one(large):
    ask(on_gpu("text"), words(2))  # what CUDA's libraries keep for good is there from here on
    before, held = used(), torch.cuda.memory_allocated(0)
    blocks = []
    for _ in range(2):
        model = open_model(f"hf:{large},device={GPU},dtype=float32")
        ask(model, words(4))
        assert torch.cuda.memory_allocated(0) >= held + WEIGHTS
        asyncio.run(model.close())
        # `used` would clean up: it is looked at as the next model finds it.
        left = torch.cuda.memory_allocated(0) - held
        blocks.append(torch.cuda.memory_reserved(0) - before)
        print(f"a closed model leaves {left >> 20} MiB, in {blocks[-1] >> 20} MiB of blocks")
        assert left < WEIGHTS / 4, "something still holds its weights"
    # A block stays as long as anything lies in it, such as what cuBLAS keeps for a thread.
    assert blocks[1] < blocks[0] + WEIGHTS / 4, "the next model does not use it again"


@pytest.mark.parametrize("device", ["auto", "cuda", "spread"])
def test_other_words_for_the_same_gpu_give_the_same_answers(device):
    model = open_model(f"hf:{checkpoints('text')},device={device},dtype=float32")
    asked = words(8)
    assert [r.text for r in ask(model, asked)] == [r.text for r in ask(on_gpu("text"), asked)]
    assert next(model.work.model.parameters()).is_cuda
    assert model.describe()["device"] == ("cuda" if device == "auto" else device)
    assert model.rows == 64
    asyncio.run(model.close())


@pytest.fixture
def questions(tmp_path):
    rows = [
        {"id": f"q{n}", "question": f"Which is number {n}?", "options": ["a fugue", "a mass"],
         "answer": "a mass"}
        for n in range(5)
    ]  # fmt: skip
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_gpu_that_is_not_there_is_one_line(questions, tmp_path, capsys):
    model = f"hf:{checkpoints('text')},device=cuda:{torch.cuda.device_count() + 2}"
    assert main(["run", str(questions), "-m", model, "--out", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err
    assert "here" in told
    assert "cuda:" in told
    assert "Traceback" not in told
    assert not (tmp_path / "run").exists()


def test_a_run_from_the_command_line_leaves_nothing_on_the_gpu(large, questions, tmp_path, capsys):
    before = used()
    order = ["run", str(questions), "-m", f"hf:{large},dtype=bfloat16", "--quiet",
             "--max-tokens", "4", "--score", "loglikelihood"]  # fmt: skip
    assert main([*order, "--out", str(tmp_path / "gpu")]) == 0, capsys.readouterr().err
    assert torch.cuda.memory_reserved(0) < before + WEIGHTS / 4
    decoding = read_manifest(tmp_path / "gpu").decoding
    assert (decoding["device"], decoding["dtype"]) == ("cuda", "bfloat16")
    records = list(read_records(tmp_path / "gpu"))
    assert len(records) == 5
    assert all(record.exchange.final.usage["completion_tokens"] for record in records)
