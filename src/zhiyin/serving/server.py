"""One model behind an address of this machine, which speaks OpenAI's chat completions."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import ClientPayloadError, web

from zhiyin.errors import (
    BusyError,
    InputError,
    ModelError,
    RefusedError,
    TransientError,
    UnsupportedError,
)
from zhiyin.record import Model, Reply
from zhiyin.serving.requests import Request, complaint, completion, messages_of, read_request
from zhiyin.trial import Trial

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

    async def _ask(self, asked: Request) -> Reply:
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
