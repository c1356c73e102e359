"""Log-probabilities of given continuations of a prompt, by transformers."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

Tokens = Sequence[Sequence[Sequence[int]]]
"""Of each prompt, of each continuation, its tokens."""


def log_probabilities(
    model: Any, tensors: dict[str, Any], continuations: Tokens, *, cached: bool, omni: bool
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
    model: Any, tensors: dict[str, Any], flat: list[list[int]], rows: list[int], omni: bool
) -> Tensor:
    """Prompts once; then their cache, repeated, is continued by every continuation."""
    import torch

    mask = tensors["attention_mask"]
    more: dict[str, Any] = {"use_cache": True}
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


def _by_rows(model: Any, tensors: dict[str, Any], flat: list[list[int]]) -> Tensor:
    """Every prompt with every continuation behind it, in one pass."""
    import torch

    ids, real = _filled(flat, tensors["input_ids"].device)
    width, shape = ids.shape[1], tensors["input_ids"].shape
    joined = {}
    for name, value in tensors.items():
        if name == "input_ids":
            value = torch.cat([value, ids], -1)
        elif name == "attention_mask":
            value = torch.cat([value, real.to(value.dtype)], -1)
        elif getattr(value, "shape", None) == shape:  # kinds of tokens: these are words
            value = torch.cat([value, torch.zeros_like(ids, dtype=value.dtype)], -1)
        joined[name] = value
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
