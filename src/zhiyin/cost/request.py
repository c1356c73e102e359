"""What identifies a request: everything on which the reply depends, and nothing else."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from zhiyin.errors import ModelError
from zhiyin.models.capabilities import capabilities_of
from zhiyin.models.clip_cache import ClipCache
from zhiyin.models.media import load_picture
from zhiyin.models.playback import SoundPolicy
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Audio, Image, Message, Text

_VERSION = 1
"""Raised whenever the same request would be put together in another way."""
_encode = msgspec.json.Encoder(order="sorted").encode
_Medium = Audio | Image


class Requests:
    """The keys of requests to one model.

    Parameters
    ----------
    identity : dict
        What makes the model the one that it is: address, name, revision.
    sound : SoundPolicy
        How sound is sent.
    """

    def __init__(self, identity: dict[str, Any], sound: SoundPolicy) -> None:
        self._identity = identity
        self._clips = ClipCache(sound)
        self._hashes: dict[_Medium, str] = {}
        self._making: dict[_Medium, asyncio.Task[str]] = {}

    async def key(
        self, messages: Sequence[Message], sampling: Sampling, trial: str, again: int
    ) -> bytes | None:
        """The key of a request; None where a sound or a picture cannot be had.

        Parameters
        ----------
        messages : sequence of Message
        sampling : Sampling
        trial : str
            The trial's id: repeats of an item, and whatever else is asked twice in a run, are
            asked twice, and each has a reply of its own.
        again : int
            How often the same was asked before in the same conversation.
        """
        try:
            written = [
                [message.role, [await self._part(part) for part in message.parts]]
                for message in messages
            ]
        except ModelError:  # the model will raise the same
            return None
        chosen = {k: v for k, v in msgspec.to_builtins(sampling).items() if v is not None}
        whole = [_VERSION, self._identity, written, chosen, trial, again]
        return hashlib.blake2b(_encode(whole), digest_size=32).digest()

    async def _part(self, part: Text | _Medium) -> list[str]:
        if isinstance(part, Text):
            return ["text", part.text]
        return ["sound" if isinstance(part, Audio) else "image", await self._hash(part)]

    async def _hash(self, medium: _Medium) -> str:
        """SHA-256 of the bytes that are sent; computed once for each sound and picture."""
        known = self._hashes.get(medium)
        if known is not None:
            return known
        making = self._making.get(medium)
        if making is None:
            making = asyncio.create_task(asyncio.to_thread(self._read, medium))
            self._making[medium] = making
            making.add_done_callback(lambda _: self._making.pop(medium, None))
        digest = self._hashes[medium] = await asyncio.shield(making)
        return digest

    def _read(self, medium: _Medium) -> str:
        if isinstance(medium, Image):
            return load_picture(medium).sent.sha256
        return self._clips.load(medium).sent.sha256


def is_repeatable(model: Any, sampling: Sampling) -> bool:
    """Whether the same request is to get the same reply: temperature 0, or a seed, is in force."""
    can = capabilities_of(model)
    return (sampling.temperature == 0 and can.sets("temperature")) or (
        sampling.seed is not None and can.sets("seed")
    )


def was_repeatable(reply: Reply, sampling: Sampling) -> bool:
    """Whether what makes a request repeatable was sent: a server may have refused it by name."""
    left_out = reply.detail.get("left_out") or ()
    return (sampling.temperature == 0 and "temperature" not in left_out) or (
        sampling.seed is not None and "seed" not in left_out
    )


def may_be_kept(reply: Reply) -> bool:
    """Whether a reply is whole, a refusal or log-probabilities too: not cut off, not empty."""
    return reply.finish != "length" and bool(reply.text.strip() or reply.logprobs)
