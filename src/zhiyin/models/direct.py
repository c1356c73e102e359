"""Plain HTTP/1.1 to one server: a local one, which answers as fast as it is asked.

What is behind TLS or a proxy, and what is sent piece by piece, goes through aiohttp, which takes
three times as long for a request. llhttp, in httptools, reads the responses.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from socket import SOCK_STREAM
from time import monotonic
from typing import NamedTuple

import httptools
from aiohappyeyeballs import AddrInfoType, start_connection
from multidict import CIMultiDict
from yarl import URL

from zhiyin.models.http import Body

_LONGEST_HEAD = 2**18
_IDLE_S = 15.0
"""A connection that was idle for longer is not used again: servers close them about then."""
_NEXT_ADDRESS_S = 0.25
_KNOWN_S = 10.0
"""How long it is taken for granted where a host is."""


class NoConnectionError(Exception):
    """Nobody takes connections at the address; `cause` says why."""

    def __init__(self, cause: OSError) -> None:
        super().__init__(str(cause))
        self.cause = cause


class BrokenError(Exception):
    """The connection ended, or what came is no HTTP, before the response was whole."""


class Response(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Client:
    """Posts to one address over connections that are kept.

    Parameters
    ----------
    url : URL
        Its scheme is "http".
    headers : mapping
        Sent with each request.
    limit : int
        Connections at most.
    timeout : float
        Seconds from asking to the last byte, waiting for a free connection included.
    """

    def __init__(self, url: URL, headers: Mapping[str, str], limit: int, timeout: float) -> None:
        host = url.raw_host or ""
        self._address, self._timeout = (host, url.port or 80), timeout
        named = f"[{host}]" if ":" in host else host
        port = "" if url.is_default_port() else f":{url.port}"
        lines = [f"POST {url.raw_path_qs} HTTP/1.1", f"Host: {named}{port}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self._head = "\r\n".join([*lines, "Content-Length: "]).encode("ascii")
        self._room = asyncio.Semaphore(limit)
        self._free: list[_Connection] = []
        self._looking, self._known_since = asyncio.Lock(), 0.0
        self._known: Sequence[AddrInfoType] = ()

    async def post(self, body: bytes) -> Response:
        """Ask once. A redirect is not followed.

        Raises
        ------
        NoConnectionError
        BrokenError
        TimeoutError
        ModelError
            As `limits.Body`: when the response is too long.
        TransientError
            As `limits.Body`: when it cannot be unpacked.
        """
        async with asyncio.timeout(self._timeout), self._room:
            connection = self._kept() or await self._connect()
            try:
                response = await connection.ask(b"%b%d\r\n\r\n%b" % (self._head, len(body), body))
            except BaseException:
                connection.transport.abort()
                raise
            if connection.reusable:
                connection.idle_since = monotonic()
                self._free.append(connection)
            else:
                connection.transport.close()
            return response

    def close(self) -> None:
        """Close all connections."""
        while self._free:
            self._free.pop().transport.close()

    def _kept(self) -> _Connection | None:
        """The connection that was used last, where one is open; those idle for long are closed."""
        while self._free:
            connection = self._free.pop()
            if not connection.reusable:
                continue
            if monotonic() - connection.idle_since < _IDLE_S:
                return connection
            connection.transport.close()
        return None

    async def _connect(self) -> _Connection:
        loop = asyncio.get_running_loop()
        try:
            socket = await start_connection(
                await self._addresses(), happy_eyeballs_delay=_NEXT_ADDRESS_S
            )
            return (await loop.create_connection(_Connection, sock=socket))[1]
        except OSError as error:
            raise NoConnectionError(error) from None

    async def _addresses(self) -> Sequence[AddrInfoType]:
        """Where the host is, looked up once for all connections that begin about then."""
        async with self._looking:
            if not self._known or monotonic() - self._known_since > _KNOWN_S:
                look_up = asyncio.get_running_loop().getaddrinfo
                self._known = await look_up(*self._address, type=SOCK_STREAM)
                self._known_since = monotonic()
            return self._known


class _Connection(asyncio.Protocol):
    """One connection, and the response that comes on it.

    Attributes
    ----------
    reusable : bool
        Whether another request may be sent on it, once a response is whole.
    idle_since : float
        Seconds, monotonic.
    """

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.reusable, self.idle_since = True, 0.0
        self._parser = httptools.HttpResponseParser(self)
        self._waiter: asyncio.Future[Response] | None = None
        self._headers: CIMultiDict[str] = CIMultiDict()
        self._body: Body | None = None
        self._size = 0

    async def ask(self, request: bytes) -> Response:
        """Send a request; the response to it."""
        self._headers, self._body, self._size = CIMultiDict(), None, 0
        self._waiter = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await self._waiter

    # --- what the event loop says ---------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        if self._waiter is None or self._waiter.done():
            self._end()  # nobody has asked for it
            return
        self._size += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserCallbackError as error:
            self._fail(error.__context__ or error)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._fail(BrokenError(f"what the server says is no HTTP ({error})"))
        else:
            if self._body is None and self._size > _LONGEST_HEAD:
                self._fail(BrokenError("the headers of the response do not end"))

    def connection_lost(self, exc: Exception | None) -> None:
        self.reusable = False
        if self._waiter is None or self._waiter.done():
            return
        if exc is None and self._body is not None and self._ends_with_connection():
            self.on_message_complete()
        why = f"{type(exc).__name__}: {exc}" if exc else "the server closed it"
        self._fail(BrokenError(why))

    # --- what the parser says -------------------------------------------------------------------

    def on_message_begin(self) -> None:
        if self._waiter is None or self._waiter.done():
            self.reusable = False  # a second response to one request

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers.add(name.decode("latin-1"), value.decode("latin-1"))

    def on_headers_complete(self) -> None:
        self._body = Body(self._headers)

    def on_body(self, data: bytes) -> None:
        if self._body is not None:
            self._body.add(data)

    def on_message_complete(self) -> None:
        status = self._parser.get_status_code()
        if status < 200:  # "go on": the response itself is still to come
            self._headers, self._body = CIMultiDict(), None
            return
        self.reusable = self.reusable and self._parser.should_keep_alive()
        if self._waiter is not None and not self._waiter.done():
            body = self._body.whole() if self._body is not None else b""
            self._waiter.set_result(Response(status, self._headers, body))
            self._headers = CIMultiDict()  # whatever comes now is not of this response

    def _ends_with_connection(self) -> bool:
        return not {"Content-Length", "Transfer-Encoding"} & {n.title() for n in self._headers}

    def _fail(self, error: BaseException) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(error)
        self._end()

    def _end(self) -> None:
        self.reusable = False
        self.transport.abort()
