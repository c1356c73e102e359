"""What every page of a study is served through: headers, limits, the pages' own files."""

from __future__ import annotations

import hmac
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from zhiyin.errors import missing_package

try:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles
except ImportError:  # pragma: no cover
    raise missing_package("starlette", "study") from None


from zhiyin.shown.pages import STYLE, asset

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
