"""HTTP to one server: for trials, batches and counts of tokens. No redirect is followed."""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import zlib
from collections.abc import AsyncIterator, Mapping
from types import SimpleNamespace
from typing import NamedTuple

import aiohttp
from yarl import URL

from zhiyin.errors import FatalError, InputError, LostError, ModelError, SilentError, TransientError
from zhiyin.models.endpoint import Endpoint
from zhiyin.models.refusals import shortened
from zhiyin.record import in_hand
from zhiyin.words import said

LARGEST_REPLY = 32 * 2**20
"""Bytes of a reply, unpacked: a hundred times what the longest replies have."""
_HEADERS = {"User-Agent": "zhiyin", "Accept": "application/json", "Accept-Encoding": "gzip"}
_SPARE_FILES = 100
_GZIP = b"\x1f\x8b"

Body = bytes | AsyncIterator[memoryview] | aiohttp.FormData

_SHORT_BODY = 2**18
"""Bytes of a list of models that is read."""


class HttpResponse(NamedTuple):
    """The response of a server; the body is unpacked."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpClient:
    """Asks one server, over connections that are kept.

    Parameters
    ----------
    endpoint : Endpoint
    timeout : float
        Seconds from asking to the last byte, waiting for a free connection included.
    connections : int
        At most; 0 for any number.
    most : int
        Bytes that a response may have, unpacked.
    """

    def __init__(
        self, endpoint: Endpoint, timeout: float, connections: int = 0, most: int = LARGEST_REPLY
    ) -> None:
        self._endpoint, self._timeout, self._most = endpoint, timeout, most
        self._connections, self._proxy = connections, endpoint.proxy()
        self._session: aiohttp.ClientSession | None = None

    async def send(
        self, method: str, url: str | URL, headers: Mapping[str, str], data: Body | None = None
    ) -> HttpResponse:
        """The response to one request. JSON is sent, unless `data` is a form.

        Raises
        ------
        TransientError
            Nobody takes connections at the address.
        LostError
            The connection broke, or the response was not there in time.
        FatalError
            There can be no such address.
        ModelError
            The response is longer than it may be.
        """
        # The key goes with each request by itself: what a session always sends, its proxies are
        # sent, too, unencrypted.
        if data is not None and not isinstance(data, aiohttp.FormData):
            headers = {"Content-Type": "application/json", **headers}
        session = self._session or self._open()
        try:
            async with session.request(
                method, url, data=data, headers=headers, allow_redirects=False, proxy=self._proxy,
                trace_request_ctx=in_hand.get(),
            ) as response:  # fmt: skip
                body = await _read_body(response, self._most)
                return HttpResponse(response.status, response.headers, body)
        except aiohttp.ClientConnectorError as error:
            reason = no_connection(error)
            told = said("log-not-reached", where=self._endpoint.way, why=reason)
            raise TransientError(str(told)) from None
        except TimeoutError:
            told = said("log-no-reply", seconds=f"{self._timeout:g}")
            raise SilentError(str(told)) from None
        except (aiohttp.InvalidURL, ValueError) as error:
            reason = self._endpoint.clean(str(error))
            raise FatalError(f"the address cannot be asked ({reason})") from None
        except aiohttp.ClientPayloadError:
            raise LostError(str(said("log-broke-off"))) from None
        except (aiohttp.ClientError, OSError) as error:
            message = f"the connection broke: {type(error).__name__}: {error}"
            raise LostError(shortened(self._endpoint.clean(message))) from None

    async def look(self, url: str, headers: Mapping[str, str], seconds: float) -> HttpResponse:
        """Fetch an address whose request costs nothing; raises what aiohttp raises.

        The body of a success may have no end: it is read where it says that it is short.
        """
        limit = aiohttp.ClientTimeout(total=seconds)
        async with (self._session or self._open()).get(
            url, headers=headers, allow_redirects=False, proxy=self._proxy, timeout=limit
        ) as response:
            body = b""
            if response.status >= 400:
                body = await response.content.read(2**16)
            elif 0 < (response.content_length or 0) <= _SHORT_BODY:
                body = await response.read()
            response.close()
            return HttpResponse(response.status, response.headers, body)

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _open(self) -> aiohttp.ClientSession:
        watching = aiohttp.TraceConfig()
        watching.on_request_headers_sent.append(_tell)  # called before any of them is written
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._connections),
            timeout=aiohttp.ClientTimeout(total=self._timeout),
            headers=_HEADERS,
            cookie_jar=aiohttp.DummyCookieJar(),
            trace_configs=[watching],
            auto_decompress=False,  # `_read_body` does it, and knows when to stop
        )
        return self._session


async def _tell(_: object, context: SimpleNamespace, __: object) -> None:
    """Say that a request has its connection, and is about to be sent."""
    if request := context.trace_request_ctx:
        request.sent()


async def _read_body(response: aiohttp.ClientResponse, most: int) -> bytes:
    """The body of a response, unpacked as it comes.

    Raises
    ------
    ModelError
        It is longer than `most` bytes: the connection is closed.
    LostError
        It cannot be unpacked.
    """
    coding = response.headers.get("Content-Encoding", "").strip().lower()
    body = bytearray()
    head = await _first_bytes(response.content)
    # A proxy on the way may pack it and not say so, or unpack it and leave the header as it was.
    known = coding in ("", "identity") or head.startswith((b"{", b"[", b"data:", b":"))
    plain = known and not head.startswith(_GZIP)
    unpacker = None if plain else zlib.decompressobj(47)
    while chunk := head or await response.content.readany():
        head = b""
        try:
            body += unpacker.decompress(chunk, most + 1 - len(body)) if unpacker else chunk
        except zlib.error as error:
            raise LostError(f"the server's reply cannot be unpacked ({coding}: {error})") from None
        if len(body) > most:
            response.close()
            raise ModelError(
                f"the server's reply is longer than {most // 2**20} MB and was not read to its end"
            )
    return bytes(body)


async def _first_bytes(content: aiohttp.StreamReader) -> bytes:
    """The first bytes of a body, enough to tell what it is; fewer where it has no more."""
    head = b""
    while len(head) < len(_GZIP) and (more := await content.readany()):
        head += more
    return head


def no_connection(error: aiohttp.ClientConnectorError) -> str:
    """Explain why there is no connection, in the system's words and in lower case."""
    cause = error.os_error
    if cause.errno == errno.ECONNREFUSED:
        return str(said("log-refused-connection"))
    if cause.errno and cause.errno > 0:
        return os.strerror(cause.errno).lower()
    if isinstance(cause, asyncio.TimeoutError):
        return str(said("log-no-answer"))
    return " ".join(str(getattr(cause, "strerror", None) or cause).split()).lower()


def make_room(connections: int) -> None:
    """Make sure that so many connections can be open at once.

    The limit that a process may raise by itself is raised.

    Raises
    ------
    InputError
        When the system does not allow so many.
    """
    needed = connections + _SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    allowed = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, allowed), hard))
    if allowed < needed:
        raise InputError(said(
            "model-files", connections=str(connections), needed=str(needed), allowed=str(allowed),
            most=str(max(1, allowed - _SPARE_FILES)),
        ))  # fmt: skip
