"""A model of this machine behind an address that speaks OpenAI's chat completions."""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
from aiohttp import ClientPayloadError, web

from zhiyin.errors import (
    BusyError,
    InputError,
    ModelError,
    RefusedError,
    TransientError,
    UnsupportedError,
    reworded,
)
from zhiyin.files import NOT_JSON
from zhiyin.picture import image_part
from zhiyin.record import Model, Reply, Sampling
from zhiyin.sound import audio_part
from zhiyin.trial import Message, Part, Text, Trial


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


class ChatRequest(msgspec.Struct):
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


_decode = msgspec.json.Decoder(ChatRequest).decode
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


def read_request(body: bytes) -> ChatRequest:
    """The request in a body.

    Raises
    ------
    InputError
        When it is not valid, or asks for what is not supported here.
    """
    with reworded("no request for a chat completion (", ")", of=NOT_JSON):
        request = _decode(body)
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


def messages_of(request: ChatRequest, folder: Path) -> tuple[Message, ...]:
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


def completion(reply: Reply, model: str) -> dict[str, object]:
    """A reply as JSON. `seconds_heard`, a number for each clip, is added to what OpenAI has."""
    finish = {"length": "length", "refusal": "content_filter"}.get(reply.finish, "stop")
    message: dict[str, object] = {"role": "assistant", "content": reply.text}
    if reasoning := reply.detail.get("reasoning"):
        message["reasoning_content"] = reasoning
    body: dict[str, object] = {
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


def complaint(message: str, kind: str) -> dict[str, object]:
    """An error as JSON."""
    return {"error": {"message": message, "type": kind, "code": None, "param": None}}


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_LARGEST = 2**26
"""Bytes of a request: an hour of compressed music, four minutes of it uncompressed in base64."""
_READ_AT_ONCE = 4
"""Requests whose bodies are in memory and not yet decoded."""


class Server:
    """The requests of one model.

    Parameters
    ----------
    model : Model
    name : str
        What it is called in replies and in the list of models.
    """

    def __init__(self, model: Model, name: str) -> None:
        self.model, self.name = model, name
        self.answered = 0
        self._room = asyncio.Semaphore(model.concurrency)
        self._reading = asyncio.Semaphore(_READ_AT_ONCE)

    def app(self) -> web.Application:
        """The routes."""
        app = web.Application(client_max_size=_LARGEST, middlewares=[_guarded])
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/health", self._health)
        return app

    async def _health(self, request: web.Request) -> web.Response:
        return _json({"status": "well", "answered": self.answered})

    async def _models(self, request: web.Request) -> web.Response:
        return _json({"object": "list", "data": [{"id": self.name, "object": "model"}]})

    async def _complete(self, request: web.Request) -> web.Response:
        try:
            async with self._reading:
                asked = read_request(await request.read())
            reply = await self._ask(asked)
        except (InputError, UnsupportedError, RefusedError) as error:
            return _json(complaint(str(error), "invalid_request_error"), 400)
        except BusyError as error:
            return _json(complaint(str(error), "rate_limit_error"), 429)
        except (TransientError, ModelError) as error:
            return _json(complaint(str(error), "server_error"), 500)
        self.answered += 1
        return _json(completion(reply, self.name))

    async def _ask(self, asked: ChatRequest) -> Reply:
        if asked.model not in ("", self.name):
            raise InputError(f"model {asked.model!r}: {self.name!r} is served here")
        with tempfile.TemporaryDirectory(prefix="zhiyin-request-") as folder:
            messages = await asyncio.to_thread(messages_of, asked, Path(folder))
            async with self._room:
                return await self.model.generate(
                    messages, asked.sampling, Trial("request", messages)
                )


@web.middleware
async def _guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse what a page of another site makes a browser send; every refusal is one of this API.

    No client of this API is a page: a browser names the page's site, and a form sends no JSON.
    """
    site = request.headers.get("Sec-Fetch-Site", "none")
    if site not in ("none", "same-origin") or "Origin" in request.headers:
        return _json(complaint("this model is not asked by pages", "permission_error"), 403)
    if request.method == "POST" and request.content_type != "application/json":
        reason = f"Content-Type is {request.content_type}: send application/json"
        return _json(complaint(reason, "invalid_request_error"), 415)
    try:
        return await handler(request)
    except (ClientPayloadError, web.RequestPayloadError) as error:
        reason = f"the body breaks off or is not as its headers say ({error})"
        return _json(complaint(" ".join(reason.split()), "invalid_request_error"), 400)
    except web.HTTPRequestEntityTooLarge:
        reason = f"the request is larger than {_LARGEST >> 20} MiB: send compressed sound"
        return _json(complaint(reason, "invalid_request_error"), 413)


def _json(body: Any, status: int = 200) -> web.Response:
    return web.Response(
        body=msgspec.json.encode(body), status=status, content_type="application/json"
    )


async def serve(
    model: Model,
    name: str,
    host: str,
    port: int,
    ready: Callable[[str], None],
    *,
    until_eof: bool = False,
) -> None:
    """Serve until SIGINT or SIGTERM.

    Parameters
    ----------
    model : Model
        Closed at the end.
    name : str
    host : str
    port : int
        0 for any that is free.
    ready : callable
        Called with the address, once requests are taken.
    until_eof : bool
        End when standard input is closed too: our parent process is gone.

    Raises
    ------
    InputError
        When the model cannot be opened, or the port is taken.
    """
    try:
        if check := getattr(model, "check", None):
            await check()
        async with _listening(Server(model, name).app(), host, port) as address:
            ready(address)
            await _end(until_eof)
    finally:
        await model.close()


@contextlib.asynccontextmanager
async def _listening(app: web.Application, host: str, port: int) -> AsyncIterator[str]:
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port, backlog=1024)
        await site.start()
    except OSError as error:
        await runner.cleanup()
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"port {port} of {host}: {reason}; take another --port") from None
    try:
        yield f"http://{host}:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


async def _end(until_eof: bool) -> None:
    """Wait for SIGINT or SIGTERM, or for standard input to be closed."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    if until_eof:

        def read() -> None:
            if not os.read(sys.stdin.fileno(), 1024):
                ended.set()

        loop.add_reader(sys.stdin.fileno(), read)
    await ended.wait()
