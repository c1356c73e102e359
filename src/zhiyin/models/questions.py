"""Questions for a model that runs elsewhere: their written form, and ids that bind answers.

An id is a hash of what is asked and of nothing else, so that it reveals nothing that the question
does not, and an answer belongs to the very question that it was given to: other words, another
order of the options or another recording are another id. Questions that are alike to the last
letter are distinguished by a number; which of them an answer belongs to makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

import msgspec

from zhiyin.record import Sampling
from zhiyin.trial import Audio, Image, Message, Part, Text

TRIALS, LIST, MANIFEST, MEDIA = "trials.jsonl", "trials.json", "manifest.json", "media"
"""What `zhiyin trials` writes: the questions (as lines, or as one list), the manifest, media."""


class QuestionsManifest(msgspec.Struct):
    """The manifest of questions that were written out: answers are checked against it.

    `files` are those that hold the questions, `use` how another harness is told of them;
    `holds_key` says that they hold the right answers.
    """

    format: int
    zhiyin: str
    benchmark: str
    config: dict[str, object]
    trials: int
    media: int
    sha256: str
    run: str
    files: list[str] = []
    use: str = ""
    holds_key: bool = False


class AskedQuestion(msgspec.Struct, frozen=True):
    """One question as it is asked: the trial that it belongs to, and everything that is sent."""

    id: str
    trial: str
    messages: tuple[Message, ...]
    sampling: Sampling


def numbered(name: str, number: int) -> str:
    """The id of a question that is asked for the `number`-th time, from 1."""
    return name if number == 1 else f"{name}-{number}"


def name_of(messages: Sequence[Message], sampling: Sampling) -> str:
    """A hash of what is asked: words, sound and pictures by their bytes, and how to sample."""
    content = [[m.role, *(_identity(part) for part in m.parts)] for m in messages]
    data = msgspec.json.encode([content, settings_of(sampling)], order="sorted")
    return blake2b(data, digest_size=10).hexdigest()


def _identity(part: Part) -> list[Any]:
    if isinstance(part, Text):
        return ["text", part.text]
    if isinstance(part, Image):
        return ["image", part.sha256]
    return ["audio", part.sha256, part.start, part.end]


def settings_of(sampling: Sampling) -> dict[str, object]:
    """The settings of sampling that are set."""
    every: dict[str, object] = msgspec.to_builtins(sampling)
    return {name: value for name, value in every.items() if value is not None}


def chat_messages(
    messages: Sequence[Message], medium: Callable[[Audio | Image], object], text_type: str = "text"
) -> list[dict[str, object]]:
    """Messages as chat APIs take them; `medium` writes the part for a sound or a picture."""
    return [
        {"role": m.role, "content": m.text}
        if all(isinstance(part, Text) for part in m.parts)
        else {
            "role": m.role,
            "content": [
                {"type": text_type, "text": part.text} if isinstance(part, Text) else medium(part)
                for part in m.parts
            ],
        }
        for m in messages
    ]


def in_chat_form(
    messages: Sequence[Message], place: Callable[[Audio | Image], str]
) -> list[dict[str, object]]:
    """The same with sounds and pictures by their paths; `place` says where one lies."""
    return chat_messages(
        messages,
        lambda part: {"type": "image" if isinstance(part, Image) else "audio", "path": place(part)},
    )
