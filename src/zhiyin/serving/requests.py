"""OpenAI's chat completions as a server reads and writes them ("Create chat completion")."""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON
from zhiyin.picture import image_part
from zhiyin.record import Reply, Sampling
from zhiyin.sound import audio_part
from zhiyin.trial import Message, Part, Text


class _Url(msgspec.Struct):
    url: str


class _Sound(msgspec.Struct):
    data: str
    format: str = "wav"


class _Part(msgspec.Struct):
    type: Literal["text", "input_audio", "image_url"]
    text: str = ""
    input_audio: _Sound | None = None
    image_url: _Url | None = None


class _Message(msgspec.Struct):
    role: Literal["system", "user", "assistant"]
    content: str | list[_Part]


class Request(msgspec.Struct):
    """A request for a completion, as far as it is understood here."""

    messages: list[_Message]
    model: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    top_p: float | None = None
    top_k: int | None = None
    seed: int | None = None
    stream: bool = False
    logprobs: bool | None = None
    n: int | None = None

    @property
    def sampling(self) -> Sampling:
        """How the reply is to be written."""
        most = self.max_completion_tokens or self.max_tokens
        return Sampling(self.temperature, most, self.top_p, self.top_k, self.seed)


_decode = msgspec.json.Decoder(Request).decode
_LONGEST = 10**300
"""Above this an integer is no float any more, and cannot be written as one."""
_RANGES = (
    ("max_tokens", 1, 2**31 - 1),
    ("max_completion_tokens", 1, 2**31 - 1),
    ("temperature", 0, 100),
    ("top_p", 0, 1),
    ("top_k", 0, 2**31 - 1),
    ("n", 1, 1),
)


def read_request(body: bytes) -> Request:
    """The request in a body.

    Raises
    ------
    InputError
        When it is not valid, or asks for what is not supported here.
    """
    try:
        request = _decode(body)
    except NOT_JSON as error:
        raise InputError(f"no request for a chat completion ({error})") from None
    if not request.messages:
        raise InputError("messages: at least one is needed")
    wants = {"stream": request.stream, "logprobs": request.logprobs, "n": (request.n or 1) > 1}
    if refused := [name for name, wanted in wants.items() if wanted]:
        raise InputError(f"{refused[0]} is not supported here: leave it out")
    for name, least, most in _RANGES:
        value = getattr(request, name)
        if value is not None and not least <= value <= most:
            given = f"{value:g}" if abs(value) < _LONGEST else "too large a number"
            raise InputError(f"{name}: {given}: give a number from {least} to {most}")
    return request


def messages_of(request: Request, folder: Path) -> tuple[Message, ...]:
    """The messages of a request; its sounds and pictures are written into `folder`.

    Raises
    ------
    InputError
        When a sound or a picture cannot be read, or is given by an address.
    """
    return tuple(
        Message(one.role, _parts(one.content, folder, at))
        for at, one in enumerate(request.messages)
    )


def _parts(content: str | list[_Part], folder: Path, message: int) -> tuple[Part, ...]:
    if isinstance(content, str):
        return (Text(content),)
    return tuple(
        _part(part, folder / f"{message}-{at}", f"messages[{message}].content[{at}]")
        for at, part in enumerate(content)
    )


def _part(part: _Part, path: Path, where: str) -> Part:
    if part.input_audio is not None:
        return _written(path, part.input_audio.data, where, audio_part)
    if part.image_url is not None:
        head, comma, data = part.image_url.url.partition(",")
        if not (head.startswith("data:") and head.endswith(";base64") and comma):
            raise InputError(f"{where}: give the picture itself (data:image/png;base64,...)")
        return _written(path, data, where, image_part)
    if part.type != "text":
        raise InputError(f"{where}: it says {part.type} and holds none")
    return Text(part.text)


def _written(path: Path, data: str, where: str, made: Callable[[Path], Part]) -> Part:
    """A part whose bytes lie in a file. Errors name its place in the request, not the file."""
    try:
        path.write_bytes(base64.b64decode(data, validate=True))
    except (binascii.Error, ValueError):
        raise InputError(f"{where}: not base64") from None
    try:
        return made(path)
    except InputError as error:
        raise InputError(str(error).replace(str(path), where)) from None


def completion(reply: Reply, model: str) -> dict[str, Any]:
    """A reply as JSON. `seconds_heard`, a number for each clip, is added to what OpenAI has."""
    finish = {"length": "length", "refusal": "content_filter"}.get(reply.finish, "stop")
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reasoning := reply.detail.get("reasoning"):
        message["reasoning_content"] = reasoning
    body: dict[str, Any] = {
        "id": f"chatcmpl-{time.time_ns():x}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if reply.usage:
        body["usage"] = reply.usage
    if heard := reply.detail.get("audio_heard"):
        body["seconds_heard"] = heard
    return body


def complaint(message: str, kind: str) -> dict[str, Any]:
    """An error as JSON."""
    return {"error": {"message": message, "type": kind, "code": None, "param": None}}
