"""vLLM in this process: what `LLM` is given and what is made of it.

vLLM needs a GPU and a torch of its own, so a stand-in is imported in its place. It takes exactly
the parameters that vLLM documents for ``LLM``, ``LLM.chat`` and ``SamplingParams``, checks every
message as vLLM's parser does, and answers with objects that have the fields of ``RequestOutput``.
"""

import asyncio
import base64
import importlib.machinery
import io
import json
import sys
import types
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from zhiyin.errors import InputError, ModelError
from zhiyin.models import open_model
from zhiyin.record import Likelihood, Sampling
from zhiyin.sound import audio_part
from zhiyin.trial import Message, Text, Trial, say


@dataclass
class SamplingParams:
    n: int = 1
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int | None = None
    max_tokens: int | None = 16
    logprobs: int | None = None
    repetition_penalty: float = 1.0


@dataclass
class Logprob:
    logprob: float
    rank: int | None = None
    decoded_token: str | None = None


@dataclass
class CompletionOutput:
    text: str
    token_ids: list[int]
    finish_reason: str | None = "stop"
    logprobs: list[dict[int, Logprob]] | None = None


@dataclass
class RequestOutput:
    prompt_token_ids: list[int] | None
    outputs: list[CompletionOutput] = field(default_factory=list)


class LLM:
    """Answers with what it heard; see `vllm.LLM`."""

    opened: list[dict[str, Any]] = []
    calls: list[tuple[list[Any], list[SamplingParams]]] = []
    fails = ""
    template: dict[str, Any] | None = None

    def __init__(
        self, model: str, *, revision: str | None = None, dtype: str = "auto",
        tensor_parallel_size: int = 1, trust_remote_code: bool = False,
        limit_mm_per_prompt: dict[str, int] | None = None, max_model_len: int | None = None,
        gpu_memory_utilization: float = 0.9,
    ) -> None:  # fmt: skip
        if self.fails:
            raise RuntimeError(self.fails)
        given = dict(locals())
        LLM.opened.append({k: v for k, v in given.items() if k not in ("self", "__class__")})

    def get_default_sampling_params(self) -> SamplingParams:
        return SamplingParams(temperature=0.7, top_p=0.8, repetition_penalty=1.1)

    def chat(
        self, messages: list[list[dict[str, Any]]], sampling_params: list[SamplingParams],
        use_tqdm: bool = True, chat_template_kwargs: dict[str, Any] | None = None,
    ) -> list[RequestOutput]:  # fmt: skip
        LLM.template = chat_template_kwargs
        assert not use_tqdm
        assert len(messages) == len(sampling_params)
        LLM.calls.append((messages, sampling_params))
        return [self._answer(m, s) for m, s in zip(messages, sampling_params, strict=True)]

    def _answer(self, messages: list[dict[str, Any]], params: SamplingParams) -> RequestOutput:
        import soundfile

        said = []
        for message in messages:
            assert set(message) == {"role", "content"}
            parts = message["content"]
            if isinstance(parts, str):
                parts = [{"type": "text", "text": parts}]
            for part in parts:
                if part["type"] == "text":
                    said.append(part["text"])
                    continue
                assert part["type"] == "input_audio"
                assert set(part["input_audio"]) == {"data", "format"}
                data = base64.b64decode(part["input_audio"]["data"], validate=True)
                samples, rate = soundfile.read(io.BytesIO(data))
                said.append(
                    f"[{len(samples) / rate:.1f} s at {rate}, peak {abs(samples).max():.2f}]"
                )
        text = " ".join(said)
        if "too long" in text:
            raise ValueError("The decoder prompt is longer than the maximum model length")
        if params.logprobs:
            first = {5: Logprob(-0.5, 1, "A"), 6: Logprob(-1.5, 2, " B"), 7: Logprob(-9.0, 3, None)}
            return RequestOutput([1, 2], [CompletionOutput("A", [5], "length", [first])])
        reason = "abort" if "give up" in text else "length" if params.max_tokens == 1 else "stop"
        return RequestOutput([1, 2, 3], [CompletionOutput(text, [4, 5], reason)])


@pytest.fixture
def checkpoint(tmp_path, monkeypatch):
    """A folder that is looked at and not loaded, and the stand-in where vLLM would be."""
    module = types.ModuleType("vllm")
    module.__dict__.update(
        LLM=LLM, SamplingParams=SamplingParams, __version__="0.33.0",
        __spec__=importlib.machinery.ModuleSpec("vllm", None),
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "vllm", module)
    LLM.opened, LLM.calls, LLM.fails = [], [], ""
    monkeypatch.setattr("zhiyin.plugins.local.checkpoint.Checkpoint.config", Config("qwen2_audio"))
    monkeypatch.setattr("zhiyin.plugins.local.checkpoint.PACKAGES", ())
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "qwen2_audio"}')
    return folder


class Config:
    def __init__(self, model_type: str) -> None:
        self.model_type = model_type


def ask(model, *trials: Trial, sampling: Sampling = Sampling()):  # noqa: B008 - frozen
    async def together():
        try:
            await model.check()
            asked = (model.generate(t.messages, sampling, t) for t in trials)
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            await model.close()

    return asyncio.run(together())


def words(*texts: str) -> list[Trial]:
    return [Trial(text, (say("system", "S."), say("user", text))) for text in texts]


def test_conversations_are_handed_over_together(checkpoint):
    model = open_model(f"vllm:{checkpoint},gpus=2,clips=3,context=4096,memory=80,dtype=bfloat16")
    assert model.name == f"vllm:{checkpoint},context=4096,dtype=bfloat16"
    found = ask(model, *words(*(f"question {n}" for n in range(20))), sampling=Sampling(0.0, 5))
    assert [reply.text for reply in found] == [f"S. question {n}" for n in range(20)]
    assert len(LLM.calls) < 20
    (opened,) = LLM.opened
    assert opened == {
        "model": str(checkpoint), "revision": None, "dtype": "bfloat16",
        "tensor_parallel_size": 2, "trust_remote_code": False, "max_model_len": 4096,
        "limit_mm_per_prompt": {"audio": 3}, "gpu_memory_utilization": 0.8,
    }  # fmt: skip
    assert model.capabilities.clips == 3
    assert found[0].usage == {"prompt_tokens": 3, "completion_tokens": 2}
    told = model.describe()
    json.dumps(told)
    assert told["versions"] == {"vllm": "0.33.0"}


def test_sound_goes_along_at_its_own_rate(checkpoint, tmp_path):
    import soundfile

    soundfile.write(tmp_path / "the-answer.wav", np.full((22050, 2), 0.5), 22050)
    sound = audio_part(tmp_path / "the-answer.wav")
    trial = Trial("t", (Message("user", (sound, Text("What?"))),))
    (reply,) = ask(open_model(f"vllm:{checkpoint}"), trial)
    assert reply.text == "[1.0 s at 22050, peak 0.50] What?"
    assert reply.detail["audio_seconds"] == 1.0
    assert "audio_seconds_heard" not in reply.detail, "vLLM does not say it"
    assert "answer" not in json.dumps([m for m, _ in LLM.calls])


def test_the_checkpoints_own_sampling_holds_only_where_it_is_asked_for(checkpoint):
    def params(**chosen):
        LLM.calls.clear()
        ask(open_model(f"vllm:{checkpoint}"), *words("x"), sampling=Sampling(**chosen))
        return LLM.calls[0][1][0]

    greedy = params(max_tokens=9)
    assert (greedy.temperature, greedy.max_tokens, greedy.repetition_penalty) == (0.0, 9, 1.0)
    assert params().max_tokens == 1024, "not the 16 of vLLM"
    drawn = params(temperature=0.5, top_p=0.9, top_k=3, seed=4)
    assert (drawn.temperature, drawn.top_p, drawn.top_k, drawn.seed) == (0.5, 0.9, 3, 4)
    own = params(temperature=None, top_p=0.5)
    assert (own.temperature, own.top_p, own.repetition_penalty) == (0.7, 0.5, 1.1)


def test_thinking_is_turned_off_by_the_template(checkpoint):
    ask(open_model(f"vllm:{checkpoint}"), *words("x"), sampling=Sampling(thinking="off"))
    assert LLM.template == {"enable_thinking": False}
    ask(open_model(f"vllm:{checkpoint}"), *words("x"))
    assert LLM.template is None


def test_what_fails_fails_alone(checkpoint):
    found = ask(open_model(f"vllm:{checkpoint}"), *words("one", "too long", "give up", "two"))
    assert [found[0].text, found[3].text] == ["S. one", "S. two"]
    assert "longer than the maximum" in str(found[1])
    assert "gave the reply up" in str(found[2])
    assert all(isinstance(one, ModelError) for one in found[1:3])


def test_a_reply_at_its_limit_and_one_that_thinks(checkpoint):
    model = f"vllm:{checkpoint}"
    (cut,) = ask(open_model(model), *words("x"), sampling=Sampling(max_tokens=1))
    assert cut.finish == "length"
    (thought,) = ask(open_model(model), Trial("t", (say("user", "<think>A?</think>B"),)))
    assert (thought.text, thought.finish) == ("B", "stop")
    assert thought.detail["reasoning"] == "A?"


def test_log_probabilities_are_those_of_the_first_token(checkpoint):
    likely = Likelihood(continuations=("A", "B", "C", "a fugue"))
    (reply,) = ask(open_model(f"vllm:{checkpoint}"), *words("x"), sampling=likely)
    assert reply.logprobs == pytest.approx({"A": -0.5, "B": -1.5})
    assert LLM.calls[0][1][0].max_tokens == 1


def test_an_engine_that_does_not_start_is_one_line(checkpoint):
    LLM.fails = "No GPU\nwas found"
    with pytest.raises(InputError, match="vLLM does not start: RuntimeError: No GPU was found"):
        ask(open_model(f"vllm:{checkpoint}"), *words("x"))


def test_without_vllm_the_ways_to_it_are_named(tmp_path):
    import importlib.util

    if importlib.util.find_spec("vllm"):
        pytest.skip("it is installed")
    with pytest.raises(InputError, match=r"vllm is not installed: .*http://HOST:PORT/v1#MODEL"):
        open_model(f"vllm:{tmp_path}")
