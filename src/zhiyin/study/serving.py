"""Serving a study: guarded applications, and two listeners, one for people, one for research."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hmac
import os
import signal
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from zhiyin.errors import InputError, cannot_listen, missing_package

try:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles
except ImportError:  # pragma: no cover
    raise missing_package("starlette", "study") from None


from zhiyin.shown.pages import STYLE, asset
from zhiyin.study.design import KEY, ServingWish
from zhiyin.study.store import StudyStore

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src data:; "
    "media-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
LARGEST = 64 * 1024
"""Bytes of the largest body that is read."""
_MOST_ADDRESSES = 20_000


WEB = Path(__file__).parent / "web"
STYLES = ("/static/style.css", "/static/study.css")
CHARTS = "report/report.css"
"""The stylesheet of charts."""
Handler = Callable[[Request], Response | Awaitable[Response]]
"""One that is not async has a thread of its own."""


def _stylesheet(name: str) -> Handler:
    """A stylesheet of another room: that of all pages, or that of charts."""

    async def give(request: Request) -> Response:
        return Response(asset(name), media_type="text/css")

    return give


def application(
    routes: Sequence[tuple[str, str, Handler]], faults: Mapping[Any, Any] | None = None
) -> Guard:
    """A guarded application of these paths, methods and handlers, with the pages' own files.

    `faults` are handlers of exceptions.
    """
    every = [Route(path, handler, methods=[method]) for path, method, handler in routes]
    files = [
        Route("/static/style.css", _stylesheet(STYLE)),
        Route("/static/report.css", _stylesheet(CHARTS)),
        Mount("/static", StaticFiles(directory=WEB / "static")),
    ]
    return Guard(Starlette(routes=[*every, *files], exception_handlers=faults))


class Guard:
    """Around an application: headers on every answer, and no large bodies."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return

        async def guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower().encode(): value.encode() for name, value in HEADERS.items()}
                headers = dict(message.get("headers", []))
                headers.pop(b"server", None)
                cookies = [p for p in message.get("headers", []) if p[0] == b"set-cookie"]
                headers.pop(b"set-cookie", None)
                message["headers"] = [*{**own, **headers}.items(), *cookies]
            await send(message)

        body = await _small_body(scope, receive)
        if body is None:
            answer = PlainTextResponse("too large\n", 413)
            await answer(scope, receive, guarded)
            return
        sent = False

        async def replay() -> Any:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._application(scope, replay, guarded)


async def _small_body(scope: Scope, receive: Receive) -> bytes | None:
    """The whole body; None where it is too large, whatever its header claims."""
    data = b""
    while scope["method"] not in ("GET", "HEAD"):
        message = await receive()
        data += message.get("body", b"")
        if len(data) > LARGEST:
            return None
        if message["type"] != "http.request" or not message.get("more_body"):
            break
    return data


class Limit:
    """So many requests a minute from one address, in bursts of as many.

    Parameters
    ----------
    a_minute : int
    """

    def __init__(self, a_minute: int) -> None:
        self._rate = a_minute
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._turn = threading.Lock()

    def allows(self, address: str) -> bool:
        """Whether one more request is taken now."""
        with self._turn:
            now = time.monotonic()
            left, when = self._left.pop(address, (float(self._rate), now))
            left = min(float(self._rate), left + (now - when) * self._rate / 60)
            allowed = left >= 1
            self._left[address] = (left - 1 if allowed else left, now)
            while len(self._left) > _MOST_ADDRESSES:
                self._left.popitem(last=False)
        return allowed

    def spent(self, address: str) -> bool:
        """Whether the next request would not be taken; nothing is counted."""
        left, when = self._left.get(address, (float(self._rate), 0.0))
        return left + (time.monotonic() - when) * self._rate / 60 < 1


def address_of(request: Request, *, proxied: bool) -> str:
    """Where a request comes from: what the nearest proxy says, or else the other end itself."""
    if proxied:
        forwarded = request.headers.get("x-forwarded-for", "").split(",")[-1].strip()
        if forwarded:
            return forwarded[:64]
    return request.client.host if request.client else ""


def same(one: str, other: str) -> bool:
    """Whether two secrets are the same, in constant time."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def from_elsewhere(request: Request) -> bool:
    """Whether a page of another site made the browser send this."""
    return request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")


LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve(
    store: StudyStore, wish: ServingWish, token: str, ready: Callable[[str, str, str], None],
    *, limits: bool = True,
) -> None:  # fmt: skip
    """Serve until a signal says to end; requests under way are finished.

    Parameters
    ----------
    store : StudyStore
    wish : ServingWish
    token : str
        The researcher's; "" to have one made.
    ready : callable
        Is called once, with the two addresses and the token.
    limits : bool
        Whether requests are limited by address.

    Raises
    ------
    InputError
        An address cannot be listened on, or the study is being served already.
    """
    try:
        import uvicorn
    except ImportError:
        raise missing_package("uvicorn", "study") from None

    from zhiyin.study.app import Site
    from zhiyin.study.research import ResearchSite

    _refuse_second_server(store)
    site = Site(store, secure=wish.https, proxied=wish.behind_proxy, limits=limits)
    desk = ResearchSite(store, token, [Path(run) for run in wish.model])
    sockets = [
        _listen(wish.host, wish.port),
        _listen(wish.research_host, wish.research_port),
    ]
    ready(_address(sockets[0]), _address(sockets[1]), desk.token)

    class Quiet(uvicorn.Server):
        """A server that leaves signals to us: there are two of them."""

        @contextlib.contextmanager
        def capture_signals(self) -> Any:
            yield

    async def both() -> None:
        servers = [
            Quiet(uvicorn.Config(application, log_level="warning", access_log=False,
                                 server_header=False, timeout_graceful_shutdown=5,
                    timeout_keep_alive=75,
                                 proxy_headers=wish.behind_proxy, forwarded_allow_ips="127.0.0.1"))
            for application in (site.application(), desk.application())
        ]  # fmt: skip

        def end() -> None:
            for server in servers:
                server.should_exit = True

        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, end)
        await asyncio.gather(
            *(server.serve([listener]) for server, listener in zip(servers, sockets, strict=True))
        )

    asyncio.run(both())


def _refuse_second_server(store: StudyStore) -> None:
    """Refuse to serve beside another process: who is given what is counted in memory.

    The lock goes with the process, however it ends.
    """
    descriptor = os.open(store.folder / KEY, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise InputError(f"{store.folder} is being served already: end that server first") from None


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise cannot_listen(host, port, error) from None
    return listener


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
