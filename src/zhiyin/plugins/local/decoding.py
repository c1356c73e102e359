"""Replies of transformers: settings, draws that depend on no batch, and scores of continuations."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import math
import os
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from zhiyin.errors import ModelError
from zhiyin.models.replies import with_thinking_apart
from zhiyin.record import Finish, Reply, Sampling

if TYPE_CHECKING:
    from torch import Tensor


MOST_TOKENS = 1024
"""Tokens of a reply at most, where neither the user nor the checkpoint says."""

_TOKENS = (
    *("bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id"),
    *("suppress_tokens", "begin_suppress_tokens", "forced_bos_token_id", "forced_eos_token_id"),
)
"""What of a checkpoint's generation config says which tokens there are, and always holds."""
_DRAWING = ("temperature", "top_k", "top_p", "min_p", "typical_p")
_OURS = (
    *_DRAWING,
    "do_sample",
    "num_beams",
    "max_length",
    "max_new_tokens",
    "transformers_version",
)


class TokenDraw(NamedTuple):
    """Settings for drawing a token. A temperature of 0 takes the most probable one."""

    temperature: float
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    typical_p: float | None = None


class Generation:
    """Generation of replies by one model.

    With a temperature given, what a checkpoint would like beside it (repetition penalty, top-p,
    top-k, ...) is left out; with ``--temperature default`` all of it holds.

    Parameters
    ----------
    model : Any
        transformers' model. Its own generation config is taken over, and kept to which tokens
        there are.

    Attributes
    ----------
    stopped : threading.Event
        When it is set, generating is given up after the token that it is at.
    """

    def __init__(self, model: Any) -> None:
        from transformers import GenerationConfig

        self._model = model
        own = model.generation_config
        self.own: dict[str, Any] = {
            name: value
            for name, value in own.to_diff_dict().items()
            if name not in (*_TOKENS, "transformers_version") and not name.startswith("_")
        }
        self.tokens = {
            name: value for name in _TOKENS if (value := getattr(own, name, None)) is not None
        }
        model.generation_config = GenerationConfig(**self.tokens)
        self.stopped = threading.Event()
        ends = self.tokens.get("eos_token_id")
        self.ends = frozenset(ends if isinstance(ends, list) else [ends]) - {None}

    def most_tokens(self, sampling: Sampling) -> int:
        """Tokens that a reply may have: as asked, as the checkpoint says, or `MOST_TOKENS`."""
        return sampling.max_tokens or int(self.own.get("max_new_tokens") or MOST_TOKENS)

    def draw(self, sampling: Sampling) -> TokenDraw:
        """Return the settings of the draw: as asked, or the checkpoint's generation config."""
        if sampling.temperature is not None:
            return TokenDraw(sampling.temperature, sampling.top_k, sampling.top_p)
        own = self.own
        if not own.get("do_sample"):
            return TokenDraw(0.0)
        default = TokenDraw(own.get("temperature", 1.0), *(own.get(name) for name in _DRAWING[1:]))
        return default._replace(
            top_k=sampling.top_k or default.top_k, top_p=sampling.top_p or default.top_p
        )

    def generate(
        self, tensors: dict[str, Tensor], sampling: Sampling, most: int, seeds: Sequence[int | None]
    ) -> Tensor:
        """The tokens written after some prompts, shape (rows, tokens).

        Parameters
        ----------
        tensors : dict of str to Tensor
            On the model's device.
        sampling : Sampling
        most : int
            Tokens at most.
        seeds : sequence of int or None
            For the draws of each row.
        """
        import torch
        from transformers import GenerationConfig

        more = {n: v for n, v in self.own.items() if n not in _OURS}
        config = GenerationConfig(
            **self.tokens,
            **(more if sampling.temperature is None else {}),
            do_sample=False,
            num_beams=1,
            max_new_tokens=most,
        )
        draw = self.draw(sampling)
        with torch.inference_mode():
            written: Tensor = self._model.generate(
                **tensors,
                generation_config=config,
                logits_processor=_drawing(draw, seeds) if draw.temperature > 0 else None,
                stopping_criteria=[self._given_up],
            )
        if self.stopped.is_set():
            raise ModelError("given up: the run has ended")
        if getattr(self._model.config, "is_encoder_decoder", False):
            return written[:, 1:]
        return written[:, tensors["input_ids"].shape[1] :]

    def _given_up(self, ids: Tensor, scores: Any, **more: Any) -> Tensor:
        """Tell, for each row, whether to go on no further."""
        import torch

        return torch.full((ids.shape[0],), self.stopped.is_set(), device=ids.device)

    def reply(self, tokens: list[int], words: Any, most: int) -> Reply:
        """Return what was written, without what comes after its end."""
        end = next((n for n, token in enumerate(tokens) if token in self.ends), None)
        count = len(tokens) if end is None else end + 1
        finish: Finish = "length" if end is None and count >= most else "stop"
        text = words.decode(tokens[: count if end is None else end], skip_special_tokens=True)
        return with_thinking_apart(Reply(text.strip(), finish, {"completion_tokens": count}))


def seed_of(seed: int | None, trial: str, prompt: str) -> int | None:
    """The seed of one reply's draws: of the run's, the trial's id, and what is asked.

    The same whatever other trials are asked beside it. None where the run has none.
    """
    if seed is None:
        return None
    text = f"{seed}\0{trial}\0{prompt}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "little")


def _drawing(draw: TokenDraw, seeds: Sequence[int | None]) -> Any:
    """Return a processor that makes the token drawn the one of the highest score.

    Adding independent Gumbel noise to log-probabilities and taking the highest draws from their
    distribution (Gumbel-max; Maddison, Tarlow and Minka, 2014, section 2). With a generator for
    each row, a draw depends on no other row.
    """
    import torch
    from transformers import LogitsProcessor, LogitsProcessorList
    from transformers.generation import logits_process as known

    class Noise(LogitsProcessor):  # type: ignore[misc]
        def __init__(self) -> None:
            self._generators: list[torch.Generator] = []

        def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
            if not self._generators:
                for seed in seeds:
                    generator = torch.Generator(device=scores.device)
                    fresh = int.from_bytes(os.urandom(7), "little")
                    self._generators.append(generator.manual_seed(fresh if seed is None else seed))
            noise = torch.empty_like(scores, dtype=torch.float32)
            for row, generator in zip(noise, self._generators, strict=True):
                row.exponential_(generator=generator)
            return scores.float() - noise.log()

    steps = (  # the step, its value, and the one at which it does nothing
        (known.TemperatureLogitsWarper, draw.temperature, 1.0),
        (known.TopKLogitsWarper, draw.top_k, 0),
        (known.TopPLogitsWarper, draw.top_p, 1.0),
        (known.MinPLogitsWarper, draw.min_p, 0.0),
        (known.TypicalLogitsWarper, draw.typical_p, 1.0),
    )
    taken = [step(value) for step, value, idle in steps if value not in (None, idle)]
    return LogitsProcessorList([*taken, Noise()])


@contextlib.contextmanager
def kernels_for(device: Any, *, one_head: bool) -> Iterator[None]:
    """Leave out the attention of a GPU that is slow to be ready, or wrong.

    cuDNN's is built anew for every length (pytorch/pytorch, pull request 155958), and a reply is
    longer with each token. The one that saves memory confuses its masks where all heads share one
    head of keys and a block of its queries is left with a single one, as the last is of 129
    (pytorch/pytorch, issue 191937): the next token is then chosen by the first position alone.

    Parameters
    ----------
    device : torch.device
        Of the model.
    one_head : bool
        Whether all its heads share one head of keys; see `shares_keys`.
    """
    from torch.nn.attention import SDPBackend, sdpa_kernel

    if device.type != "cuda":
        yield
        return
    allowed = [SDPBackend.FLASH_ATTENTION, SDPBackend.MATH]
    if not one_head:
        allowed.append(SDPBackend.EFFICIENT_ATTENTION)
    with sdpa_kernel(allowed):
        yield


def shares_keys(config: Any) -> bool:
    """Tell whether all heads of a model's attention share one head of keys and values."""
    words = config.get_text_config(decoder=True) if hasattr(config, "get_text_config") else config
    heads = (getattr(words, name, None) for name in ("num_key_value_heads", "num_kv_heads"))
    return 1 in heads or bool(getattr(words, "multi_query", False))


def context_of(config: Any) -> int | float:
    """Positions that a model was made for; infinite where its config does not say."""
    words = config.get_text_config(decoder=True) if hasattr(config, "get_text_config") else config
    positions = getattr(words, "max_position_embeddings", None)
    return int(positions) if positions else math.inf


Tokens = Sequence[Sequence[Sequence[int]]]
"""Of each prompt, of each continuation, its tokens."""


def log_probabilities(
    model: Any, tensors: dict[str, Tensor], continuations: Tokens, *, cached: bool, omni: bool
) -> list[list[float]]:
    """The natural log-probability of each continuation: the sum over its tokens.

    Parameters
    ----------
    model : Any
        transformers' model, which writes from left to right.
    tensors : dict of str to Tensor
        The prompts, padded on the left, on the model's device; with `cached` a row a prompt, else
        each prompt as often as it has continuations.
    continuations : sequence
        Tokens of each prompt's continuations; none may be empty.
    cached : bool
        Whether the prompts are run once and their cache is repeated for each continuation.
    omni : bool
        Whether positions have three axes and an offset, as those of the Omni models.

    Returns
    -------
    list of list of float
        Of each prompt, of each continuation; at most 0.
    """
    import torch

    with torch.inference_mode():
        flat = [list(one) for row in continuations for one in row]
        rows = [number for number, row in enumerate(continuations) for _ in row]
        scores = (
            _by_cache(model, tensors, flat, rows, omni)
            if cached
            else _by_rows(model, tensors, flat)
        )
        sums = scores.double().cpu().tolist()
    left = iter(sums)
    return [[next(left) for _ in row] for row in continuations]


def _by_cache(
    model: Any, tensors: dict[str, Tensor], flat: list[list[int]], rows: list[int], omni: bool
) -> Tensor:
    """Prompts once; then their cache, repeated, is continued by every continuation."""
    import torch

    mask = tensors["attention_mask"]
    more: dict[str, object] = {"use_cache": True}
    if _takes(model, "logits_to_keep"):
        more["logits_to_keep"] = 1
    if not omni and _takes(model, "position_ids"):
        more["position_ids"] = (mask.cumsum(-1) - 1).clamp(min=0)
    first = model(**tensors, **more)
    start = first.logits[:, -1].float().log_softmax(-1)
    ids, real = _filled(flat, mask.device)
    at = torch.tensor(rows, device=mask.device)
    total = start[at, ids[:, 0]]
    width = ids.shape[1]
    if width == 1:
        return total
    cache: Any = getattr(first, "past_key_values", None)
    if not hasattr(cache, "batch_select_indices"):  # of another kind, such as that of Mamba
        return _by_rows(model, {name: value[at] for name, value in tensors.items()}, flat)
    cache.batch_select_indices(at)
    whole = torch.cat([mask[at], real[:, :-1].to(mask.dtype)], -1)
    position = mask.sum(-1)[at, None] + torch.arange(width - 1, device=mask.device)
    if omni:
        deltas = getattr(first, "rope_deltas", None)
        if deltas is not None:
            position = position + deltas.to(position.device)[at].reshape(-1, 1)
        position = position.expand(3, -1, -1)
    more = {"position_ids": position} if _takes(model, "position_ids") else {}
    second = model(
        input_ids=ids[:, :-1], attention_mask=whole, past_key_values=cache, use_cache=True, **more
    )
    logged = second.logits[:, -(width - 1) :].float().log_softmax(-1)
    each = logged.gather(-1, ids[:, 1:, None]).squeeze(-1)
    return total + (each * real[:, 1:]).sum(-1)


def _by_rows(model: Any, tensors: dict[str, Tensor], flat: list[list[int]]) -> Tensor:
    """Every prompt with every continuation behind it, in one pass."""
    import torch

    ids, real = _filled(flat, tensors["input_ids"].device)
    width, shape = ids.shape[1], tensors["input_ids"].shape
    joined: dict[str, Any] = {}
    for name, value in tensors.items():
        if name == "input_ids":
            value = torch.cat([value, ids], -1)
        elif name == "attention_mask":
            value = torch.cat([value, real.to(value.dtype)], -1)
        elif getattr(value, "shape", None) == shape:  # kinds of tokens: these are words
            value = torch.cat([value, torch.zeros_like(ids, dtype=value.dtype)], -1)
        joined[name] = value
    if _takes(model, "logits_to_keep"):
        joined["logits_to_keep"] = width + 1
    logged = model(**joined).logits[:, -(width + 1) : -1].float().log_softmax(-1)
    each = logged.gather(-1, ids[:, :, None]).squeeze(-1)
    return (each * real).sum(-1)


def _filled(flat: list[list[int]], device: Any) -> tuple[Tensor, Tensor]:
    """Tokens filled up on the right, and which of them are real, both of shape (rows, width)."""
    import torch

    width = max(map(len, flat))
    ids = torch.tensor([one + [0] * (width - len(one)) for one in flat], device=device)
    real = torch.tensor([[1] * len(one) + [0] * (width - len(one)) for one in flat], device=device)
    return ids, real


def _takes(model: Any, name: str) -> bool:
    return name in inspect.signature(model.forward).parameters
