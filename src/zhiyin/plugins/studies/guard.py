"""Protection of every page of a study: headers, limits, the pages' own files."""

from __future__ import annotations

import asyncio
import hmac
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, cast

from aiohttp import web
from aiohttp.http import HttpProcessingError

from zhiyin.plugins.methods.serving import strict_headers
from zhiyin.shown.pages import STYLE, asset

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src data:; "
    "media-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'"
)
HEADERS = strict_headers(POLICY) | {
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()"
}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
LARGEST = 64 * 1024
"""Bytes of the largest body that is read."""
_MOST_ADDRESSES = 20_000


WEB = Path(__file__).parent / "web"
STYLES = ("/static/style.css", "/static/study.css")
CHARTS = "report/report.css"
"""The stylesheet of charts."""
Form = Mapping[str, Any]
Handler = Callable[[web.Request], web.Response | Awaitable[web.Response]]
"""One that is not async has a thread of its own."""


def page_of(name: str) -> str:
    """The template of a page of a study."""
    return f"{__package__}/{name}.html"


class PageError(Exception):
    """An error page for a person: the name of its words, and the HTTP status."""

    def __init__(self, words: str, status: int = 400) -> None:
        super().__init__(words)
        self.words, self.status = words, status


Fault = Callable[[web.Request, PageError | web.HTTPException], web.Response]


def _stylesheet(name: str) -> Handler:
    """A stylesheet of another room: that of all pages, or that of charts."""
    return lambda request: web.Response(text=asset(name), content_type="text/css")


def application(
    routes: Sequence[tuple[str, str, Handler]], fault: Fault | None = None
) -> web.Application:
    """Make a guarded application of these paths, methods and handlers, with the pages' own files.

    `fault` makes the page of what went wrong.
    """

    @web.middleware
    async def guarded(request: web.Request, handler: Any) -> web.StreamResponse:
        try:
            await request.read()  # whole, and before anything looks at it
        except web.HTTPRequestEntityTooLarge:
            return web.Response(text="too large\n", status=413)
        except (OSError, web.RequestPayloadError):  # it ends too early, or in nonsense
            return web.Response(text="broken\n", status=400)
        try:
            return cast("web.StreamResponse", await handler(request))
        except (PageError, web.HTTPException) as problem:
            if fault is None:
                raise
            return await asyncio.to_thread(fault, request, problem)

    unslashed = web.normalize_path_middleware(append_slash=False, remove_slash=True)
    made = web.Application(middlewares=[unslashed, guarded], client_max_size=LARGEST + 1)
    made.on_response_prepare.append(_strict)
    sheets = [("/static/style.css", "GET", _stylesheet(STYLE)),
              ("/static/report.css", "GET", _stylesheet(CHARTS))]  # fmt: skip
    for path, method, handler in [*routes, *sheets]:
        add = made.router.add_get if method == "GET" else made.router.add_post
        add(path, _awaited(handler))
    made.router.add_static("/static", WEB / "static")
    return made


def _awaited(handler: Handler) -> Any:
    """Give a handler that is not async a thread of its own."""
    if iscoroutinefunction(handler):
        return handler

    async def handle(request: web.Request) -> Any:
        return await asyncio.to_thread(handler, request)

    return handle


def _is_ours(record: logging.LogRecord) -> bool:
    """Tell whether a log record is a fault of ours, and not a malformed request."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


async def _strict(request: web.Request, answer: web.StreamResponse) -> None:
    """Put the headers on an answer, be it a page, a fault or a file."""
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    answer.headers.pop("Server", None)


def runner(made: web.Application) -> web.AppRunner:
    """Make what serves an application; requests under way have five seconds when it ends."""
    log = logging.getLogger(__name__)
    log.addFilter(_is_ours)
    return web.AppRunner(
        made, logger=log, access_log=None, auto_decompress=False, keepalive_timeout=75,
        shutdown_timeout=5, max_line_size=LARGEST, max_field_size=LARGEST,
    )  # fmt: skip


def html(page: str, status: int = 200) -> web.Response:
    """Answer with a page."""
    return web.Response(text=page, status=status, content_type="text/html")


def data_of(data: bytes, kind: str, status: int = 200) -> web.Response:
    """Answer with data that is no page."""
    return web.Response(body=data, status=status, content_type=kind)


def see_other(place: str) -> web.Response:
    """Send the browser elsewhere after a form."""
    return web.Response(status=303, headers={"Location": place})


async def form_of(request: web.Request, most: int) -> Form:
    """Read a form of at most so many fields.

    Raises
    ------
    web.HTTPException
        It is no form.
    """
    if request.content_type != "application/x-www-form-urlencoded":
        raise web.HTTPUnsupportedMediaType
    try:
        form = await request.post()
    except (ValueError, LookupError):  # in other letters than its header says
        raise web.HTTPBadRequest from None
    if len(form) > most:
        raise web.HTTPBadRequest
    return form


class Limit:
    """Limit of requests a minute from one address, in bursts of as many.

    Parameters
    ----------
    a_minute : int
    """

    def __init__(self, a_minute: int) -> None:
        self._rate = a_minute
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._turn = threading.Lock()

    def allows(self, address: str) -> bool:
        """Count one more request and tell whether it is accepted now."""
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
        """Tell whether the next request would be refused; nothing is counted."""
        left, when = self._left.get(address, (float(self._rate), 0.0))
        return left + (time.monotonic() - when) * self._rate / 60 < 1


def address_of(request: web.Request, *, proxied: bool) -> str:
    """Address of a request's sender: from the nearest proxy, or else the other end itself."""
    if proxied:
        forwarded = request.headers.get("x-forwarded-for", "").split(",")[-1].strip()
        if forwarded:
            return forwarded[:64]
    return request.remote or ""


def same(one: str, other: str) -> bool:
    """Compare two secrets in constant time."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def from_elsewhere(request: web.Request) -> bool:
    """Tell whether a page of another site made the browser send this."""
    return request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
