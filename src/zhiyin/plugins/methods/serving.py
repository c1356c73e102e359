"""Shared parts of the pages served on this machine: who may ask, strict headers, serving.

What a stranger's page in the same browser might try is refused: names that resolve to this
machine (the Host header is checked), requests from other sites, and anything that is sent from
another origin.
"""

from __future__ import annotations

import asyncio
import ipaddress
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from aiohttp import web

from zhiyin.errors import InputError, system_words
from zhiyin.words import LANGUAGES, localized, said

_LANGUAGE = "zhiyin-language"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def strict_headers(policy: str) -> dict[str, str]:
    """The headers of every answer, with a content security policy."""
    return {
        "Content-Security-Policy": f"{policy}; frame-ancestors 'none'",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }


def guard(host: str, headers: Mapping[str, str]) -> Any:
    """A middleware that refuses strangers and puts the headers on every answer.

    Parameters
    ----------
    host : str
        The address that is listened on.
    headers : mapping of str to str
    """

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            if not is_ours(request.headers.get("Host", ""), host) or _strange(request):
                raise web.HTTPForbidden(text="this page is for its own machine only\n")
            answer = await handler(request)
        except web.HTTPException as problem:
            problem.headers.update(headers)
            raise
        except InputError as problem:
            answer = web.Response(status=503, text=f"{problem}\n")
        answer.headers.update(headers)
        return answer

    return guarded


def _strange(request: web.Request) -> bool:
    """Tell whether another site asks, or anything but our own page sends something."""
    site = request.headers.get("Sec-Fetch-Site", "none")
    if site not in ("same-origin", "none") and request.path != "/":
        return True
    if request.method in ("GET", "HEAD"):
        return False
    # A form of another site can send no JSON, and a browser names the origin of what it sends.
    origin = request.headers.get("Origin")
    elsewhere = origin is not None and origin != f"http://{request.headers.get('Host', '')}"
    return elsewhere or request.content_type != "application/json"


def language_of(request: web.Request) -> str:
    """Return the language asked for, now or before, or the one that the browser prefers."""
    wanted = request.query.get("lang") or request.cookies.get(_LANGUAGE, "")
    preferred = request.headers.get("Accept-Language", "").lower().startswith("zh")
    return wanted if wanted in LANGUAGES else "zh" if preferred else "en"


def keep_language(request: web.Request, answer: web.StreamResponse) -> None:
    """Set a cookie with the language that is asked for."""
    if request.query.get("lang") in LANGUAGES:
        answer.set_cookie(_LANGUAGE, request.query["lang"], samesite="Strict")


def is_ours(named: str, host: str) -> bool:
    """Tell whether a Host header names an address, this host or localhost, and no other name."""
    name = named.rsplit(":", 1)[0] if not named.endswith("]") else named
    name = name.strip("[]").lower()
    if name in ("localhost", host.lower()):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def listen(
    application: web.Application, host: str, port: int, ready: Callable[[str], None]
) -> None:
    """Serve until cancelled.

    Parameters
    ----------
    application : web.Application
    host : str
        Address to listen on.
    port : int
        0 for any that is free.
    ready : callable
        Is called once with the address to open.

    Raises
    ------
    InputError
        When the address cannot be listened on.
    """
    runner, address = await started(application, host, port)
    try:
        ready(address)
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


async def started(
    application: web.Application, host: str, port: int = 0
) -> tuple[web.AppRunner, str]:
    """Begin to serve: what must be cleaned up in the end, and the address to open.

    Raises
    ------
    InputError
        As `listen`.
    """
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        await runner.cleanup()
        raise cannot_listen(host, port, error) from None
    address = runner.addresses[0]
    shown = f"[{address[0]}]" if ":" in str(address[0]) else address[0]
    return runner, f"http://{shown}:{address[1]}/"


async def no_icon(request: web.Request) -> web.Response:
    """The answer to a browser that asks for an icon unasked."""
    return web.Response(status=204)


LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve_page(
    serve: Callable[[Callable[[str], None]], Coroutine[Any, Any, None]],
    port: int,
    line: str,
    opens: bool,
) -> None:
    """Serve a page until interrupted; `line` says where it is, `opens` shows it in a browser."""
    if not 0 <= port <= 65535:
        raise InputError(said("serving-port", port=str(port)))

    def ready(address: str) -> None:
        sys.stderr.write(line.replace("{address}", address) + "\n")
        sys.stderr.flush()
        if opens:
            import webbrowser

            webbrowser.open(address)

    try:
        asyncio.run(serve(ready))
    except KeyboardInterrupt:
        sys.stderr.write(localized(said("serving-ended")) + "\n")


def cannot_listen(host: str, port: int, error: OSError, flag: str = "--port") -> InputError:
    """The error for an address on which nothing can be served; `flag` gives its port."""
    from zhiyin.words import said

    other = flag if host == "127.0.0.1" else f"{flag.replace('port', 'host')} or {flag}"
    facts = {"at": f"{host}:{port}", "why": system_words(error), "flag": other}
    return InputError(said("error-listen", **facts))
