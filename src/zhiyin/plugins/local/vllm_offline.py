"""``vllm:PATH_OR_ID``: a checkpoint in this process, by vLLM (``LLM.chat``)."""

from __future__ import annotations

import copy
import importlib.util
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from zhiyin.errors import InputError, ModelError
from zhiyin.extensions import error_line
from zhiyin.models.capabilities import SETTINGS, UNKNOWN, Capabilities
from zhiyin.models.playback import DecodedClip
from zhiyin.models.replay import chat_messages
from zhiyin.models.replies import TOP, read_likelihood, with_thinking_apart
from zhiyin.plugins.local.batches import BatchWork, LocalCall, LocalModel, Measured
from zhiyin.plugins.local.checkpoint import TEXT, ModelOption, Spec, family_of
from zhiyin.plugins.local.decoding import MOST_TOKENS
from zhiyin.plugins.local.inputs import ClipDecoder, as_wav, sound_detail
from zhiyin.record import OFF, Finish, Likelihood, Reply, Sampling
from zhiyin.trial import Audio, Image, Message
from zhiyin.words import said

OPTIONS = {
    "dtype": ModelOption(
        "of the weights: auto (the checkpoint's own), float32, bfloat16, float16",
        ("auto", "float32", "bfloat16", "float16"),
    ),
    "revision": ModelOption("a commit, branch or tag of the hub's repository"),
    "gpus": ModelOption("GPUs that share the model (tensor parallel)", whole=True, matters=False),
    "memory": ModelOption(
        "per cent of a GPU's memory; default: vLLM's own", whole=True, matters=False
    ),
    "context": ModelOption("positions at most; default: the checkpoint's own", whole=True),
    "clips": ModelOption(
        "sounds in a prompt at most; default: vLLM's own", whole=True, matters=False
    ),
    "batch": ModelOption("prompts handed over together at most", whole=True, matters=False),
    "code": ModelOption("trusted: run code that the checkpoint brings", ("trusted",)),
}
"""What may follow ``vllm:PATH_OR_ID``, each after a comma."""


class VllmModel(LocalModel):
    """A checkpoint in vLLM, which schedules and batches by itself.

    Sound is handed over as it is recorded, mixed to one channel: vLLM resamples it. How much of it
    a model hears, vLLM does not say.
    """

    kind, options, usual_rows, waiting = "vllm", OPTIONS, 256, 2

    def refuse_missing(self) -> None:
        """Raise `InputError` where vLLM is not installed."""
        if importlib.util.find_spec("vllm") is None:
            raise InputError(said("local-vllm"))

    @property
    def rows(self) -> int:
        """Prompts handed over together at most."""
        return self.spec.number("batch") or self.usual_rows

    @cached_property
    def capabilities(self) -> Capabilities:
        """Capabilities by its architecture."""
        family = family_of(self.checkpoint.config)
        clips = self.spec.number("clips")
        return Capabilities(
            sound=family is not TEXT, image=False, clips=UNKNOWN if clips is None else clips,
            sound_examples=True, settings=SETTINGS, logprobs=True, thinking=("off",),
        )  # fmt: skip

    def describe(self) -> dict[str, object]:
        """Return what a run's manifest says of it."""
        import vllm

        return {
            "kind": "vllm",
            "place": self.spec.place,
            "revision": self.checkpoint.commit,
            "architecture": self.checkpoint.config.model_type,
            "options": self.spec.options,
            "versions": {"vllm": getattr(vllm, "__version__", None)},
        }

    def load(self) -> BatchWork[LocalCall]:
        """Start the engine. Raises `InputError` when it does not start."""
        from vllm import LLM

        try:
            engine = LLM(
                model=str(self.spec.folder or self.spec.place),
                revision=self.checkpoint.commit,
                **engine_arguments(self.spec),
            )
        except Exception as error:
            raise InputError(
                said("local-vllm-start", name=self.name, why=error_line(error))
            ) from None
        return _Engine(engine, ClipDecoder(None, self.sound))


def engine_arguments(spec: Spec) -> dict[str, object]:
    """The arguments of an engine of vLLM beside the checkpoint."""
    arguments: dict[str, object] = {
        "dtype": spec.options.get("dtype", "auto"),
        "tensor_parallel_size": spec.number("gpus") or 1,
        "trust_remote_code": spec.options.get("code") == "trusted",
    }
    if clips := spec.number("clips"):
        arguments["limit_mm_per_prompt"] = {"audio": clips}
    if context := spec.number("context"):
        arguments["max_model_len"] = context
    if memory := spec.number("memory"):
        arguments["gpu_memory_utilization"] = memory / 100
    return arguments


class _Engine(BatchWork[LocalCall]):
    """Work on calls of one started engine."""

    def __init__(self, engine: Any, ears: ClipDecoder) -> None:
        self._engine, self._ears = engine, ears

    def measure(self, asked: LocalCall) -> Measured:
        """All go together: vLLM sorts them out."""
        for part in (part for message in asked.messages for part in message.parts):
            if isinstance(part, Image):
                raise ModelError("it shows a picture, and local models are shown none")
        return Measured(asked.sampling.thinking, 1, 0, asked)

    def prepare(self, batch: Sequence[LocalCall]) -> list[list[DecodedClip]]:
        """Decode the sounds."""
        return self._ears.all(
            [[p for m in one.messages for p in m.parts if isinstance(p, Audio)] for one in batch]
        )

    def run(
        self, batch: Sequence[LocalCall], prepared: list[list[DecodedClip]]
    ) -> list[Reply | ModelError]:
        """Answer all conversations in one call."""
        conversations = [
            _conversation(asked.messages, clips)
            for asked, clips in zip(batch, prepared, strict=True)
        ]
        more: dict[str, object] = {}
        if batch[0].sampling.thinking == OFF:
            more["chat_template_kwargs"] = {"enable_thinking": False}
        settings = [self._settings(asked.sampling) for asked in batch]
        outputs = self._engine.chat(conversations, settings, use_tqdm=False, **more)
        rows = zip(batch, prepared, outputs, strict=True)
        return [_reply(asked.sampling, clips, output) for asked, clips, output in rows]

    def close(self) -> None:
        """Let the threads that decode end."""
        self._ears.close()

    def _settings(self, sampling: Sampling) -> Any:
        """VLLM's sampling parameters: the checkpoint's own only where no temperature is given."""
        from vllm import SamplingParams

        if isinstance(sampling, Likelihood):
            return SamplingParams(temperature=1.0, max_tokens=1, logprobs=TOP)
        given = {
            name: value
            for name in ("temperature", "top_p", "top_k", "seed")
            if (value := getattr(sampling, name)) is not None
        }
        most = sampling.max_tokens or MOST_TOKENS
        if sampling.temperature is not None:
            return SamplingParams(max_tokens=most, **given)
        own = copy.copy(self._engine.get_default_sampling_params())
        for name, value in {**given, "max_tokens": most}.items():
            setattr(own, name, value)
        return own


def _conversation(
    messages: Sequence[Message], clips: Sequence[DecodedClip]
) -> list[dict[str, object]]:
    """A conversation as ``LLM.chat`` takes it: OpenAI's parts, from which it makes its
    ``multi_modal_data``.
    """
    left = iter(clips)

    def sound(_: object) -> dict[str, object]:
        data = {"data": as_wav(next(left)), "format": "wav"}
        return {"type": "input_audio", "input_audio": data}

    return chat_messages(messages, sound)


def _reply(sampling: Sampling, clips: Sequence[DecodedClip], output: Any) -> Reply | ModelError:
    """A reply from vLLM's ``RequestOutput``; an error where it was given up."""
    first = output.outputs[0]
    if first.finish_reason == "abort":
        return ModelError("vLLM gave the reply up")
    finish: Finish = "length" if first.finish_reason == "length" else "stop"
    usage = {
        "prompt_tokens": len(output.prompt_token_ids or ()),
        "completion_tokens": len(first.token_ids),
    }
    reply = Reply(first.text.strip(), finish, usage)
    if clips:
        reply.detail = sound_detail(clips, [None] * len(clips))
    if isinstance(sampling, Likelihood):
        named = first.logprobs[0].values() if first.logprobs else ()
        reply.logprobs = {one.decoded_token: one.logprob for one in named if one.decoded_token}
        read_likelihood(reply, sampling.continuations)
    else:
        with_thinking_apart(reply)
    return reply
