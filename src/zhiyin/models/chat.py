"""Any server that speaks OpenAI's chat completions: OpenAI, vLLM, SGLang, llama.cpp, Ollama..."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import aiohttp
import msgspec
from yarl import URL

from zhiyin.errors import FatalError, InputError, LostError, TransientError
from zhiyin.models import Setting, direct
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.dialects import CHAT, DashScope, Dialect, Mistral, Responses
from zhiyin.models.endpoint import Endpoint, url_endpoint
from zhiyin.models.http import CODINGS, make_room, read_body
from zhiyin.models.media import Hold, MediaParts, logged
from zhiyin.models.pictures import SentPicture
from zhiyin.models.playback import AS_IT_IS, Sent, SoundPolicy
from zhiyin.models.refusals import MOST, Manner, Manners
from zhiyin.models.replies import (
    Complaint,
    failure,
    first_token,
    not_empty,
    read_complaint,
    read_likelihood,
    shortened,
)
from zhiyin.models.written import AnotherWay, Written
from zhiyin.record import Likelihood, Reply, Sampling
from zhiyin.text import printable
from zhiyin.trial import Message, Text, Trial

_CHECK_SECONDS = 10.0
_LARGE = 2**20  # aiohttp warns of a larger body that is not a stream
_CHUNK = 2**18
_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json",
    "Accept-Encoding": CODINGS,
}
_encode = msgspec.json.Encoder().encode


class _Response(NamedTuple):
    """What came back, after how many seconds, and the sounds and pictures that were sent."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float
    sent: Sequence[Sent | SentPicture] = ()

    @property
    def of(self) -> frozenset[str]:
        """What was sent beside words: "sound", "image"."""
        return frozenset("sound" if isinstance(one, Sent) else "image" for one in self.sent)


OF_ANY_SERVER = Capabilities(system=True, thinking=("off", "level"))
"""Of a model behind a server nothing more is known: what it refuses is *unsupported*."""


class ChatModel:
    """A model behind an HTTP server that speaks OpenAI's chat completions, or a dialect of them.

    Parameters
    ----------
    endpoint : Endpoint
    timeout : float
        Seconds from asking to the last byte, waiting for a free connection included.
    concurrency : int, optional
        Connections held at most.
    sound : SoundPolicy
        How sound is sent.
    dialect : Dialect
        How requests are written and replies are read.
    capabilities : Capabilities
        What is known of the model.
    """

    canary = True
    timed = False

    def __init__(
        self,
        endpoint: Endpoint,
        timeout: float,
        concurrency: int | None = None,
        sound: SoundPolicy = AS_IT_IS,
        dialect: Dialect = CHAT,
        capabilities: Capabilities = OF_ANY_SERVER,
    ) -> None:
        self.name, self.deployment = endpoint.name, endpoint.deployment
        self.capabilities = capabilities
        self.concurrency = concurrency or 32
        self._endpoint = endpoint
        self._timeout = timeout
        self._dialect, self._manners = dialect, Manners(capabilities)
        self._url = URL(endpoint.url(dialect.path))
        self._proxy = endpoint.proxy()
        self._policy = sound
        self._media = MediaParts(sound, dialect)
        self._session: aiohttp.ClientSession | None = None
        self._direct: direct.Client | None = None
        self.on_headers: Callable[[Mapping[str, str]], None] | None = None

    def __repr__(self) -> str:
        return f"ChatModel({self.name!r})"

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """Ask once. Nothing of `trial` is sent.

        Raises
        ------
        TransientError
            When the connection or the server failed in a way that may pass; `EmptyReply` when
            the reply is complete and has no text.
        FatalError
            When no call will succeed: key, model or address are wrong.
        ModelError
            When the server refuses what was asked, or a sound or a picture cannot be sent.
        """
        if isinstance(sampling, Likelihood):
            sampling = first_token(sampling)
        for _ in range(MOST):
            manner, wanted = self._manners.now, self._manners.sent(sampling)
            response = await self._ask(messages, wanted, manner)
            if response.status == 200:
                break
            if not self._manners.learn(manner, wanted, response.status, _complaint(response)):
                raise self._refused(response)
        else:
            raise self._refused(response)
        reply = self._read(response)
        reply.latency_s = response.seconds
        reply.detail |= logged(response.sent) | self._manners.detail(sampling, wanted)
        if isinstance(sampling, Likelihood):
            read_likelihood(reply, sampling.continuations)
            return reply
        return not_empty(reply)

    async def written(self, messages: Sequence[Message], sampling: Sampling) -> Written:
        """What `generate` would send, for a batch. Raises `ModelError` as it does."""
        manner, wanted = self._manners.now, self._manners.sent(sampling)
        length = self._dialect.lengths[-1 if manner.other_length else 0]
        media = [part for m in messages for part in m.parts if not isinstance(part, Text)]
        hold = await self._media.hold(media)
        try:
            parts = iter([part.json for part in hold.parts])
            model = self._endpoint.model
            body = _encode(self._dialect.request(model, messages, parts, wanted, length))
        finally:
            hold.release()
        detail = logged(hold.sent) | self._manners.detail(sampling, wanted)
        return Written(body, hold.sent, detail, manner, wanted)

    def read(self, written: Written, status: int, body: bytes) -> Reply:
        """The reply to a part of a batch. Raises as `generate`; `AnotherWay` to put it again."""
        response = _Response(status, {}, body, 0.0, written.sent)
        if status != 200:
            if self._manners.learn(written.manner, written.wanted, status, _complaint(response)):
                raise AnotherWay(_complaint(response).message)
            raise self._refused(response)
        reply = self._read(response)
        reply.detail |= written.detail
        return not_empty(reply)

    def _read(self, response: _Response) -> Reply:
        reply = self._dialect.read(response.body, self._clean, response.of)
        return self._endpoint.conceal(reply)

    async def check(self) -> None:
        """Make sure that somebody listens at the address and does not refuse the key.

        Raises
        ------
        InputError
            When there is no connection at all, the key is refused, or this machine does not allow
            as many connections as wanted.
        """
        make_room(self.concurrency)
        try:
            status = await self._look(_CHECK_SECONDS)
        except (aiohttp.InvalidURL, ValueError) as error:
            message = self._clean(str(error))
            raise InputError(f"{self._endpoint.way}: cannot be asked ({message})") from None
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            who = "it running? NO_PROXY goes past it" if self._proxy else "the server running?"
            raise InputError(
                f"cannot reach {self._endpoint.way}: {_reason(error)}; is {who}"
            ) from None
        except (aiohttp.ClientError, TimeoutError):
            return  # Somebody is there. If they cannot answer trials either, those will say so.
        # Only this status: others are given where the list of models is closed and the model open.
        if status == 401:
            source = self._endpoint.key_source
            what = f"refuses the key in {source}: set it again" if source else "wants a key"
            raise InputError(f"{self._endpoint.base} {what} (401)")

    async def trouble(self, seconds: float) -> str | None:
        """What keeps this server from answering, by a look of at most so long; None for nothing."""
        try:
            status = await self._look(seconds)
        except aiohttp.ClientConnectorError as error:
            return f"cannot be reached: {_reason(error)}"
        except TimeoutError:
            return f"no answer within {seconds:g} s"
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return shortened(self._clean(f"the connection broke: {type(error).__name__}"))
        if status == 401:
            return "refuses the key, or wants one (401)"
        return f"says {status}" if status >= 500 else None

    async def _look(self, seconds: float) -> int:
        """The status with which the server tells its models."""
        session = self._session or self._open()
        limit = aiohttp.ClientTimeout(total=seconds)
        url = URL(self._endpoint.url("/models"))
        async with session.get(
            url,
            headers=self._endpoint.bearer,
            allow_redirects=False,
            proxy=self._proxy,
            timeout=limit,
        ) as response:
            response.close()  # the body has no meaning, and may have no end
            return response.status

    def describe(self) -> dict[str, Any]:
        """What a run's manifest says of this model: the address, and how it is spoken to."""
        return {
            "kind": self._dialect.kind,
            **self._endpoint.identity,
            "key_from": self._endpoint.key_source,
            "length_limit_as": self._dialect.lengths[-1 if self._manners.now.other_length else 0],
            **self._manners.describe(),
            "timeout_s": self._timeout,
            "sound": msgspec.to_builtins(self._policy),
        }

    def identity(self) -> dict[str, Any]:
        """What makes it the model that it is, for kept replies."""
        return {"kind": f"OpenAI {self._dialect.path}", **self._endpoint.identity}

    def report(self) -> list[str]:
        """What the user should know when the run is over, a line each."""
        return [*self._manners.remarks(), *self._media.remarks()]

    async def close(self) -> None:
        """Close all connections."""
        if self._direct is not None:
            self._direct.close()
            self._direct = None
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _ask(
        self, messages: Sequence[Message], sampling: Sampling, manner: Manner
    ) -> _Response:
        """Ask once, in the way that this server is known to take by now."""
        dialect = self._dialect
        length = dialect.lengths[-1 if manner.other_length else 0]
        model = self._endpoint.model
        media = [part for m in messages for part in m.parts if not isinstance(part, Text)]
        if not media:
            text = _encode(dialect.request(model, messages, iter(()), sampling, length))
            return await self._post(text, len(text))
        hold = await self._media.hold(media)
        try:
            parts = iter([part.json for part in hold.parts])
            body = _encode(dialect.request(model, messages, parts, sampling, length))
            del parts
            hold.parts.clear()
            size, upload = len(body), _upload(body, hold)
            del body  # only the upload holds it, and lets it go when all is sent
            return (await self._post(upload, size))._replace(sent=hold.sent)
        finally:
            hold.release()

    async def _post(self, data: bytes | AsyncIterator[memoryview], size: int) -> _Response:
        """The response to a request for a completion, whose body has `size` bytes."""
        plain = self._url.scheme == "http" and self._proxy is None
        begun = perf_counter()
        try:
            if plain and isinstance(data, bytes) and size < _LARGE:
                status, headers, body = await self._client().post(data)
            else:
                status, headers, body = await self._post_by_aiohttp(data, size)
        except (direct.NoConnectionError, aiohttp.ClientConnectorError) as error:
            message = f"cannot reach {self._endpoint.way}: {_reason(error)}"
            raise TransientError(message) from None
        except TimeoutError:
            raise LostError(f"no reply within {self._timeout:g} s") from None
        except direct.BrokenError as error:
            message = shortened(self._clean(f"the connection broke: {error}"))
            raise LostError(message) from None
        except (aiohttp.InvalidURL, ValueError) as error:
            raise FatalError(f"the address cannot be asked ({self._clean(str(error))})") from None
        except (aiohttp.ClientError, OSError) as error:
            message = f"the connection broke: {type(error).__name__}: {error}"
            raise LostError(shortened(self._clean(message))) from None
        if self.on_headers:
            self.on_headers(headers)
        return _Response(status, headers, body, perf_counter() - begun)

    async def _post_by_aiohttp(
        self, data: bytes | AsyncIterator[memoryview], size: int
    ) -> direct.Response:
        session = self._session or self._open()
        headers = self._endpoint.bearer
        headers |= {} if isinstance(data, bytes) else {"Content-Length": str(size)}
        stream = io.BytesIO(data) if isinstance(data, bytes) and size >= _LARGE else data
        # A redirect is never followed: the key would go where the user did not send it.
        async with session.post(
            self._url, data=stream, headers=headers, allow_redirects=False, proxy=self._proxy
        ) as response:
            return direct.Response(response.status, response.headers, await read_body(response))

    def _client(self) -> direct.Client:
        """Who posts to a server without TLS."""
        if self._direct is None:
            headers = {"User-Agent": "zhiyin", **_HEADERS, **self._endpoint.bearer}
            self._direct = direct.Client(self._url, headers, self.concurrency, self._timeout)
        return self._direct

    def _refused(self, response: _Response) -> Exception:
        """The error for a response with another status than 200."""
        status, headers = response.status, response.headers
        if 300 <= status < 400:
            target = headers.get("Location", "?").partition("?")[0].rpartition("@")[2]
            message = f"{self._endpoint.base} redirects ({status}) to {target or 'nowhere'}"
            return FatalError(self._clean(f"{message}; give the address that answers itself"))
        return failure(status, headers, _complaint(response), self._clean, response.of)

    def _clean(self, text: str) -> str:
        return printable(" ".join(self._endpoint.scrub(text).split()))

    def _open(self) -> aiohttp.ClientSession:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self.concurrency),
            timeout=aiohttp.ClientTimeout(total=self._timeout),
            headers=_HEADERS,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,  # `read_body` does it, and knows when to stop
        )
        return self._session


async def _upload(body: bytes, hold: Hold) -> AsyncIterator[memoryview]:
    """A body piece by piece; when all of it is sent, others may take its room."""
    view = memoryview(body)
    for begin in range(0, len(view), _CHUNK):
        yield view[begin : begin + _CHUNK]
    hold.release()


def _complaint(response: _Response) -> Complaint:
    return read_complaint(response.body)


def _reason(error: Exception) -> str:
    """Why there is no connection, in the system's words and in lower case."""
    cause: BaseException = error
    if isinstance(error, aiohttp.ClientConnectorError):
        cause = error.os_error
    elif isinstance(error, direct.NoConnectionError):
        cause = error.cause
    if isinstance(cause, OSError) and cause.errno and cause.errno > 0:
        return os.strerror(cause.errno).lower()
    if isinstance(cause, asyncio.TimeoutError):
        return "no answer in time"
    return " ".join(str(getattr(cause, "strerror", None) or cause).split()).lower()


def open_url(spec: str, setting: Setting) -> ChatModel:
    """The model of ``http://HOST[:PORT]/v1#MODEL``. Raises `InputError` as `url_endpoint` does."""
    return _open(url_endpoint(spec), setting, OF_ANY_SERVER, CHAT)


def open_chat(endpoint: Endpoint, setting: Setting, can: Capabilities) -> ChatModel:
    """The model of ``openai:MODEL``."""
    return _open(endpoint, setting, can, CHAT)


def open_responses(endpoint: Endpoint, setting: Setting, can: Capabilities) -> ChatModel:
    """The model of ``openai-responses:MODEL``."""
    return _open(endpoint, setting, can, Responses())


def open_mistral(endpoint: Endpoint, setting: Setting, can: Capabilities) -> ChatModel:
    """The model of ``mistral:MODEL``."""
    return _open(endpoint, setting, can, Mistral())


def open_dashscope(endpoint: Endpoint, setting: Setting, can: Capabilities) -> ChatModel:
    """The model of ``dashscope:MODEL``."""
    return _open(endpoint, setting, can, DashScope())


def _open(endpoint: Endpoint, setting: Setting, can: Capabilities, dialect: Dialect) -> ChatModel:
    return ChatModel(endpoint, setting.timeout, setting.concurrency, setting.sound, dialect, can)
