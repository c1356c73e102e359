"""Servers answer in many ways, good and bad: what is read, and what becomes of connections."""

import asyncio
import contextlib
import gzip
import json
import re

import pytest

from servers import completion
from zhiyin.errors import FatalError, ModelError, TransientError
from zhiyin.models import chat, open_model
from zhiyin.record import Sampling
from zhiyin.trial import Trial, say

ASK = (say("user", "Which?"),)
BODY = json.dumps(completion("B")).encode()
OK = b"HTTP/1.1 200 OK\r\n"
JSON = b"Content-Type: application/json\r\n"


def sized(body=BODY, head=OK, more=b""):
    return head + JSON + more + b"Content-Length: %d\r\n\r\n" % len(body) + body


def chunked(*chunks, more=b"", trailers=b"", head=OK):
    parts = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)
    head += JSON + more + b"Transfer-Encoding: chunked\r\n\r\n"
    return head + parts + b"0\r\n" + trailers + b"\r\n"


class Server:
    """Answers the requests of each connection with the bytes of `answers`, in turn.

    An answer may be bytes, a list of bytes that are sent one after the other, or None, which
    closes the connection without a word. After the last one the connection is closed.
    """

    def __init__(self, *answers, host="127.0.0.1", stay=False):
        self.answers, self.host, self.stay = answers, host, stay
        self.requests, self.connections, self.open, self.most = [], 0, 0, 0

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, self.host, 0)
        port = self.server.sockets[0].getsockname()[1]
        host = f"[{self.host}]" if ":" in self.host else self.host
        self.spec = f"http://{host}:{port}/v1#m"
        return self

    async def __aexit__(self, *exception):
        self.server.close()

    async def serve(self, reader, writer):
        self.connections += 1
        self.open += 1
        self.most = max(self.most, self.open)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            for answer in self.answers:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(re.search(rb"content-length: (\d+)", head, re.IGNORECASE)[1])
                self.requests.append((head, await reader.readexactly(length)))
                for part in [answer] if isinstance(answer, bytes) else answer or []:
                    writer.write(part)
                    await writer.drain()
                    await asyncio.sleep(0)
            if self.stay:
                await reader.read()
        self.open -= 1
        writer.close()


async def reply(model):
    return (await model.generate(ASK, Sampling(), Trial("t", ASK))).text


def asked(*answers, times=1, timeout=10, **about):
    """What a model says that is asked `times` times, one after the other, and the server."""

    async def go():
        async with Server(*answers, **about) as server:
            model = open_model(server.spec, timeout=timeout)
            try:
                return [await reply(model) for _ in range(times)], server
            finally:
                await model.close()

    return asyncio.run(go())


WHOLE = {
    "sized": sized(),
    "small letters": sized().replace(b"Content-Length", b"content-length"),
    "no reason": sized(head=b"HTTP/1.1 200\r\n"),
    "chunked": chunked(BODY[:7], BODY[7:]),
    "trailers": chunked(BODY, trailers=b"Checked: yes\r\n"),
    "notes on chunks": chunked(BODY).replace(b"\r\n0\r\n", b"\r\n0;n=1\r\n"),
    "until the end": OK + JSON + b"\r\n" + BODY,
    "HTTP/1.0": b"HTTP/1.0 200 OK\r\n" + JSON + b"\r\n" + BODY,
    "go on": b"HTTP/1.1 100 Continue\r\n\r\n" + sized(),
    "early hints": b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + sized(),
    "byte by byte": [bytes([byte]) for byte in sized()],
    "chunked byte by byte": [bytes([byte]) for byte in chunked(BODY)],
    "packed": sized(gzip.compress(BODY), more=b"Content-Encoding: gzip\r\n"),
    "packed chunks": chunked(
        gzip.compress(BODY)[:9], gzip.compress(BODY)[9:], more=b"Content-Encoding: GZIP\r\n"
    ),
    "marks in a header": sized(more="X-Name: Chör\r\n".encode("latin-1")),
    "a mark of byte order": sized("\ufeff".encode() + BODY),
    "closes": sized(more=b"Connection: close\r\n"),
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_responses_are_read(name):
    replies, server = asked(WHOLE[name])
    assert replies == ["B"]
    assert len(server.requests) == 1


BROKEN = {
    "nothing": None,
    "half a head": OK + b"Content-Ty",
    "half a body": sized()[:-5],
    "half a chunk": chunked(BODY)[:-12],
    "no last chunk": chunked(BODY)[: -len(b"0\r\n\r\n")],
    "no HTTP": b"SSH-2.0-OpenSSH_9.6\r\n",
    "another length": OK + JSON + b"Content-Length: many\r\n\r\n" + BODY,
    "a length below 0": OK + JSON + b"Content-Length: -1\r\n\r\n" + BODY,
    "no chunk": OK + JSON + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + BODY,
    "a bad header": OK + b"a b c\x00: d\r\n\r\n" + BODY,
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_may_be_asked_again(name):
    with pytest.raises(TransientError, match="the connection broke"):
        asked(BROKEN[name])


def test_another_protocol_is_no_reply():
    with pytest.raises(ModelError):
        asked(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")


def test_headers_without_end_are_given_up():
    with pytest.raises(ModelError):
        asked([OK] + [b"X-More: " + b"y" * 4000 + b"\r\n"] * 1000, stay=True)


def test_small_headers_without_end_are_given_up():
    with pytest.raises(ModelError):
        asked([OK] + [b"X-More: y\r\n" * 1000] * 1000, timeout=5, stay=True)


@pytest.mark.slow
def test_a_redirect_is_not_followed():
    moved = sized(b"", b"HTTP/1.1 307 Moved\r\n", b"Location: http://elsewhere.invalid/v1\r\n")
    with pytest.raises(FatalError, match=r"redirects \(307\) to http://elsewhere\.invalid/v1"):
        asked(moved)


def test_waits_are_told():
    busy = sized(b"{}", b"HTTP/1.1 429 Too Many\r\n", b"retry-after: 7\r\n")
    with pytest.raises(TransientError) as caught:
        asked(busy)
    assert caught.value.retry_after == 7


def test_what_does_not_end_is_given_up_in_time():
    with pytest.raises(TransientError, match=r"no reply within 0\.3 s"):
        asked(sized()[:-5], timeout=0.3, stay=True)


def test_one_connection_serves_many_requests():
    replies, server = asked(*[sized(), chunked(BODY)] * 5, times=10)
    assert replies == ["B"] * 10
    assert server.connections == 1


@pytest.mark.parametrize(
    "last", [sized(more=b"Connection: close\r\n"), OK + JSON + b"\r\n" + BODY, sized()]
)
def test_a_connection_that_the_server_closes_is_not_used_again(last):
    async def go():
        async with Server(sized(), last) as server:
            model = open_model(server.spec, timeout=10)
            try:
                for _ in range(6):
                    assert await reply(model) == "B"
                    await asyncio.sleep(0.02)  # by then its end is known
            finally:
                await model.close()
            return server

    assert asyncio.run(go()).connections == 3


def test_more_than_one_response_to_a_request_ends_the_connection():
    replies, server = asked(sized() + sized(json.dumps(completion("C")).encode()), times=3)
    assert replies == ["B"] * 3
    assert server.connections == 3


@pytest.mark.parametrize("more", [b"\r\n", b"\r\n\r\n"])
def test_a_line_too_many_does_no_harm(more):
    replies, _ = asked(*[sized() + more] * 3, times=3)
    assert replies == ["B"] * 3


def test_no_more_connections_than_wanted():
    async def go():
        async with Server(*[sized()] * 100) as server:
            model = open_model(server.spec, timeout=10, concurrency=4)
            try:
                replies = await asyncio.gather(*(reply(model) for _ in range(40)))
            finally:
                await model.close()
            return replies, server

    replies, server = asyncio.run(go())
    assert replies == ["B"] * 40
    assert server.most <= 4
    assert server.connections <= 4


def test_a_call_that_is_dropped_takes_its_connection_along():
    async def go():
        async with Server(None, stay=True) as server:
            model = open_model(server.spec, timeout=10, concurrency=1)
            try:
                call = asyncio.create_task(reply(model))
                while not server.requests:
                    await asyncio.sleep(0.01)
                call.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await call
                server.answers = (sized(),)
                return await asyncio.wait_for(reply(model), 5), server.connections
            finally:
                await model.close()

    assert asyncio.run(go()) == ("B", 2)


def test_the_key_goes_along_and_large_bodies_are_as_small_ones(monkeypatch):
    monkeypatch.setenv("ZHIYIN_API_KEY", "key-of-the-test")
    sent = []
    for large in (2**20, 0):
        monkeypatch.setattr(chat, "_LARGE", large)
        _, server = asked(sized(), host="::1")
        head, body = server.requests[0]
        first, *lines = head.decode().strip().split("\r\n")
        named = {name.lower(): value for name, value in (line.split(": ") for line in lines)}
        assert named.pop("host").removeprefix("[::1]:").isdigit()
        sent.append((first, named, body))
    assert sent[0] == sent[1]
    assert sent[0][1]["authorization"] == "Bearer key-of-the-test"


def test_nobody_at_the_address():
    async def go():
        model = open_model("http://127.0.0.1:9/v1#m", timeout=10)
        try:
            await reply(model)
        finally:
            await model.close()

    with pytest.raises(
        TransientError, match=r"cannot reach http://127\.0\.0\.1:9/v1: connection refused"
    ):
        asyncio.run(go())
