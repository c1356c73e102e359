"""``hf:PATH_OR_ID``: a checkpoint in this process, by transformers."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from zhiyin.errors import InputError, ModelError, UnsupportedError
from zhiyin.models.capabilities import SETTINGS, UNKNOWN, Capabilities
from zhiyin.models.playback import DecodedClip
from zhiyin.numerals import counted
from zhiyin.plugins.local import decoding
from zhiyin.plugins.local.batches import BatchWork, LocalCall, LocalModel, Measured
from zhiyin.plugins.local.checkpoint import TEXT, UNTRIED, Family, ModelOption, family_of
from zhiyin.plugins.local.inputs import Batch, ClipDecoder, Cuts, Inputs, Prompt, sound_detail
from zhiyin.record import OFF, Likelihood, Reply, Sampling
from zhiyin.trial import Audio
from zhiyin.words import said

if TYPE_CHECKING:
    from torch import Tensor

OPTIONS = {
    "dtype": ModelOption(
        "of the weights: auto (the checkpoint's own), float32, bfloat16, float16",
        ("auto", "float32", "bfloat16", "float16"),
    ),
    "device": ModelOption("auto, cpu, cuda, cuda:N, mps, or spread (over all GPUs)", matters=False),
    "revision": ModelOption("a commit, branch or tag of the hub's repository"),
    "batch": ModelOption("prompts asked together at most", whole=True, matters=False),
    "attention": ModelOption(
        "transformers' name of an implementation: sdpa, eager, flash_attention_2"
    ),
    "code": ModelOption("trusted: run code that the checkpoint brings", ("trusted",)),
}
"""What may follow ``hf:PATH_OR_ID``, each after a comma."""

_ROWS_GPU = 64
_ROUNDED = 64
"""Tokens to whose multiple the length of a reply is rounded down where the context limits it."""
_NO_ROOM = ("DefaultCPUAllocator", "out of memory", "STATUS_ALLOC_FAILED")
"""What errors say that name no kind of their own: of this machine, CUDA, cuBLAS and cuDNN."""
_TOKENS_A_SECOND = 25
"""Of sound, at most, in the models known: for guessing lengths."""


class _Row(NamedTuple):
    """One call, looked at."""

    asked: LocalCall
    prompt: Prompt
    most: int
    options: tuple[tuple[int, ...], ...]


class HfModel(LocalModel):
    """A checkpoint of transformers: text, and sound where the architecture hears."""

    kind, options, usual_rows = "hf", OPTIONS, 32
    waiting = 12
    """Batches that wait, so that neighbours in length are found among many."""

    @cached_property
    def rows(self) -> int:
        """Prompts asked together at most."""
        many = self.usual_rows if self.device in ("cpu", "mps") else _ROWS_GPU
        return self.spec.number("batch") or many

    @cached_property
    def device(self) -> str:
        """Device that the model runs on. Raises `InputError` for a GPU that is not there."""
        import torch

        wanted = self.spec.options.get("device", "auto")
        gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
        if wanted == "auto":
            return "cuda" if gpus else "mps" if torch.backends.mps.is_available() else "cpu"
        kind, _, number = wanted.partition(":")
        if kind not in ("cpu", "cuda", "mps", "spread") or not (number or "0").isdecimal():
            raise InputError(said("local-device", name=self.name, wanted=wanted))
        if kind in ("cuda", "spread") and int(number or 0) >= gpus:
            many = counted(gpus, "GPU is", "GPUs are") if gpus else "no GPUs are"
            raise InputError(f"{self.name}: device={wanted}: {many} here")
        return wanted

    @cached_property
    def family(self) -> Family:
        """Family of its architecture."""
        return family_of(self.checkpoint.config)

    @cached_property
    def capabilities(self) -> Capabilities:
        """Capabilities by its architecture. Raises `InputError` where its config is missing.

        How much of a clip it hears is not among them: it is logged for every clip, and reported.
        """
        family = self.family
        return Capabilities(
            sound=family is not TEXT,
            image=False,
            clips=UNKNOWN if family is UNTRIED else family.clips,
            system=True,
            sound_examples=True,
            settings=SETTINGS,
            logprobs=not getattr(self.checkpoint.config, "is_encoder_decoder", False),
            schema=False,
            thinking=("off",),
        )

    def load(self) -> Transformer:
        inputs = Inputs(self.checkpoint.processor(self.family is not TEXT), self.family)
        model = self.checkpoint.model(
            self.spec.options.get("dtype", "auto"), self.device, self.spec.options.get("attention")
        )
        if str(model.dtype) == "torch.float32":
            import torch

            # Left alone, cuDNN rounds what it convolves to 10 bits of fraction (TF32).
            torch.backends.cudnn.allow_tf32 = False
        return Transformer(model, inputs, ClipDecoder(inputs.rate, self.sound))

    def describe(self) -> dict[str, object]:
        """Return what a run's manifest says of it."""
        import torch
        import transformers

        config = self.checkpoint.config
        dtype = self.spec.options.get("dtype", "auto")
        own = getattr(config, "dtype", None)
        return {
            "kind": "transformers",
            "place": self.spec.place,
            "revision": self.checkpoint.commit,
            "architecture": config.model_type,
            "family": self.family.name,
            "dtype": str(own).removeprefix("torch.") if dtype == "auto" and own else dtype,
            "device": self.device,
            "batch": self.rows,
            "attention": self.spec.options.get("attention"),
            "versions": {"torch": str(torch.__version__), "transformers": transformers.__version__},
        }

    def report(self) -> list[str]:
        """List what the user should know when the run is over, a line each."""
        if self.batcher is None or not isinstance(self.work, Transformer):
            return []
        lines = self.work.cuts.lines()
        if failures := self.batcher.budget.failures:
            memory = said("log-memory-once") if failures == 1 else said("log-memory", n=failures)
            lines.append(str(memory))
        return lines

    async def close(self) -> None:
        """Let the threads end, and give the memory of the weights back, on a GPU too."""
        held = self.work is not None
        await super().close()
        if held:
            gc.collect()  # modules refer to each other: the next model may need their room at once
            _return_blocks()


class Transformer(BatchWork[LocalCall]):
    """Work on calls of one loaded model.

    Parameters
    ----------
    model : Any
        transformers' model, on its device.
    inputs : Inputs
    ears : ClipDecoder
    """

    def __init__(self, model: Any, inputs: Inputs, ears: ClipDecoder) -> None:
        self.model, self.inputs, self.ears = model, inputs, ears
        self.cuts = Cuts()
        self.generation = decoding.Generation(model)
        self._context = decoding.context_of(model.config)
        self._one_head = decoding.shares_keys(model.config)
        self._omni = "rope_deltas" in dir(model)

    def measure(self, asked: LocalCall) -> Measured:
        """Write the prompt, and see which others it can be asked with."""
        prompt = self.inputs.prompt(asked.messages, thinks=asked.sampling.thinking != OFF)
        sounds = [self._samples(audio) for audio in prompt.sounds]
        family = self.inputs.family
        if family.clips is not None and len(sounds) > family.clips:
            n, most = len(sounds), family.clips
            raise UnsupportedError(said("log-clips", n=n, name=family.name, most=most))
        rate = self.inputs.rate or 1
        length = len(prompt.ids) + _TOKENS_A_SECOND * sum(sounds) // rate
        key: list[Any] = [bool(sounds) if not family.mixes else None]
        key.append(tuple(sounds) if family.alike else None)
        sampling = asked.sampling
        if isinstance(sampling, Likelihood):
            options = tuple(tuple(self._option(text)) for text in sampling.continuations)
            more = (length + max(map(len, options))) * len(options)  # the prompt's cache, repeated
            return Measured(("score", *key), length, more, _Row(asked, prompt, 0, options))
        most = self._reply_limit(len(prompt.ids), sampling)
        drawn = (sampling.temperature, sampling.top_p, sampling.top_k, most)
        return Measured((*key, *drawn), length, most, _Row(asked, prompt, most, ()))

    def prepare(self, batch: Sequence[_Row]) -> tuple[Batch, list[list[DecodedClip]]]:
        """Decode the sounds, and make the tensors."""
        rows = [row.prompt for row in batch for _ in range(self._rows_of(row))]
        clips = self.ears.all([row.prompt.sounds for row in batch])
        repeated = [
            c for row, c in zip(batch, clips, strict=True) for _ in range(self._rows_of(row))
        ]
        return self.inputs.batch(rows, repeated), clips

    def run(
        self, batch: Sequence[_Row], prepared: tuple[Batch, list[list[DecodedClip]]]
    ) -> list[Reply | ModelError]:
        """Generate, or score continuations."""
        made, clips = prepared
        tensors = self._on_device(made.tensors)
        with decoding.kernels_for(self.model.device, one_head=self._one_head):
            if batch[0].options:
                replies = self._score(batch, tensors)
            else:
                replies = self._generate(batch, tensors)
        at = 0
        for row, reply, row_clips in zip(batch, replies, clips, strict=True):
            reply.usage["prompt_tokens"] = made.tokens[at]
            if row_clips:
                reply.detail |= sound_detail(row_clips, made.heard[at])
                self.cuts.note(row_clips, made.heard[at])
            at += self._rows_of(row)
        return list(replies)

    def too_much(self, error: BaseException) -> bool:
        """Tell whether memory ran out: on a GPU, or on this machine."""
        import torch

        words = str(error)
        return isinstance(error, torch.OutOfMemoryError | MemoryError) or (
            isinstance(error, RuntimeError) and any(sign in words for sign in _NO_ROOM)
        )

    def relieve(self) -> None:
        """Give cached blocks back to the GPU."""
        _return_blocks()

    def stop(self) -> None:
        """Give up what is being generated, after the token that it is at."""
        self.generation.stopped.set()

    def close(self) -> None:
        """Let the threads that decode end."""
        self.ears.close()

    def _generate(self, batch: Sequence[_Row], tensors: dict[str, Tensor]) -> list[Reply]:
        sampling = batch[0].asked.sampling
        seeds = [
            decoding.seed_of(row.asked.sampling.seed, row.asked.trial, row.prompt.text)
            for row in batch
        ]
        most = batch[0].most
        written = self.generation.generate(tensors, sampling, most, seeds).tolist()
        return [self.generation.reply(tokens, self.inputs.words, most) for tokens in written]

    def _score(self, batch: Sequence[_Row], tensors: dict[str, Tensor]) -> list[Reply]:
        scores = decoding.log_probabilities(
            self.model,
            tensors,
            [row.options for row in batch],
            cached=self.inputs.family.cached,
            omni=self._omni,
        )
        replies = []
        for row, sums in zip(batch, scores, strict=True):
            sampling = row.asked.sampling
            assert isinstance(sampling, Likelihood)
            named = dict(zip(sampling.continuations, sums, strict=True))
            tokens = [len(option) for option in row.options]
            replies.append(Reply("", logprobs=named, detail={"continuation_tokens": tokens}))
        return replies

    def _rows_of(self, row: _Row) -> int:
        """Return the number of the batch's rows that one call takes."""
        return len(row.options) if row.options and not self.inputs.family.cached else 1

    def _samples(self, audio: Audio) -> int:
        """The length of a clip at the model's rate; decoded where it must be exact."""
        if self.inputs.family.alike or not audio.seconds:
            return len(self.ears(audio).samples)
        return round(audio.played * (self.inputs.rate or 1))

    def _option(self, text: str) -> list[int]:
        """The tokens of a continuation; a model without a chat template goes on after a space."""
        words = self.inputs.words
        text = text if self.inputs.template or self.inputs.conversing else f" {text}"
        ids = list(words.encode(text, add_special_tokens=False))
        if not ids:
            raise ModelError(f"the tokenizer makes nothing of the option {text!r}")
        return ids

    def _reply_limit(self, length: int, sampling: Sampling) -> int:
        """Tokens that the reply may have, within what the model was made for."""
        room = self._context - length
        if room < 1:
            raise ModelError(said("log-context", n=length, most=self._context))
        most = self.generation.most_tokens(sampling)
        if room >= most:
            return most
        # Rounded down, so that prompts near the model's limit can still be asked together.
        return int(room - room % _ROUNDED if room >= _ROUNDED else room)

    def _on_device(self, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        """The tensors on the model's device, features in its precision."""
        model = self.model
        return {
            name: value.to(model.device, model.dtype if value.is_floating_point() else None)
            for name, value in tensors.items()
            if hasattr(value, "to")
        }


def _return_blocks() -> None:
    """Give the blocks that torch keeps for later back to the GPU."""
    import torch

    if torch.cuda.is_initialized():
        torch.cuda.empty_cache()
