"""Questions as ``zhiyin trials`` writes them, and how answers travel back."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.record import Reply, Sampling
from zhiyin.trial import Audio, Image, Message, Part, Text


class Block(msgspec.Struct):
    """How an answer travels back."""

    id: str
    reply: Reply | None = None
    error: str = ""
    fatal: bool = False


class WrittenMessage(msgspec.Struct):
    """A message."""

    role: Any
    content: str | list[dict[str, str]]


class Line(msgspec.Struct):
    """A question as it was written out."""

    id: str
    messages: list[WrittenMessage]
    settings: dict[str, Any] = {}
    question: str = ""

    @property
    def sampling(self) -> Sampling:
        """How to generate: what was not set is not sent."""
        unset: dict[str, Any] = dict.fromkeys(Sampling.__struct_fields__)
        return Sampling(**(unset | self.settings))

    @property
    def of_text(self) -> bool:
        """Whether there is nothing to be heard or seen."""
        return all(
            p["type"] == "text" for message in self.messages for p in _parts(message.content)
        )

    def read(self, media: Path) -> tuple[Message, ...]:
        """The messages, sounds and pictures by their place on this machine."""
        return tuple(
            Message(message.role, tuple(_part(part, media) for part in _parts(message.content)))
            for message in self.messages
        )


def _parts(content: str | list[dict[str, str]]) -> list[dict[str, str]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _part(part: dict[str, str], media: Path) -> Part:
    if part["type"] == "text":
        return Text(part["text"])
    path = media / part["path"]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return (Image if part["type"] == "image" else Audio)(str(path), digest)
