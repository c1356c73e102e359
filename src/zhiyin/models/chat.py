"""Any server that speaks OpenAI's chat completions: OpenAI, vLLM, SGLang, llama.cpp, Ollama..."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

import aiohttp
import msgspec
from yarl import URL

from zhiyin.errors import FatalError, InputError, TransientError
from zhiyin.models import EmptyReply
from zhiyin.models.endpoint import Endpoint, openai_endpoint, url_endpoint
from zhiyin.models.playback import SoundParts
from zhiyin.models.wire import (
    failure,
    read_complaint,
    read_reply,
    settings,
    shortened,
    wants_completion_limit,
)
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Audio, Message, Trial

__all__ = ["ChatModel", "openai_endpoint", "url_endpoint"]

_CHECK_SECONDS = 10.0
_LARGE = 2**20  # aiohttp warns of a larger body that is not a stream
_encode = msgspec.json.Encoder().encode


class ChatModel:
    """A model behind an HTTP server that speaks OpenAI's chat completions.

    Parameters
    ----------
    endpoint : Endpoint
    timeout : float
        Seconds from asking to the last byte, waiting for a free connection included.
    concurrency : int, optional
        Connections held at most.
    """

    def __init__(self, endpoint: Endpoint, timeout: float, concurrency: int | None = None) -> None:
        self.name = endpoint.name
        self.concurrency = concurrency or 32
        self._endpoint = endpoint
        self._timeout = timeout
        self._url = URL(endpoint.url("/chat/completions"))
        self._proxy = endpoint.proxy()
        self._length = "max_tokens"
        self._sounds = SoundParts()
        self._session: aiohttp.ClientSession | None = None

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
            When the server refuses what was asked, or a sound cannot be sent.
        """
        written, seconds = await self._written(messages)
        request = {"model": self._endpoint.model, "messages": written}
        length = self._length
        begun = perf_counter()
        status, headers, body = await self._post(request | settings(sampling, length))
        refusable = length == "max_tokens" and sampling.max_tokens is not None
        if status == 400 and refusable and wants_completion_limit(read_complaint(body)):
            self._length = "max_completion_tokens"
            begun = perf_counter()
            status, headers, body = await self._post(request | settings(sampling, self._length))
        if status != 200:
            raise self._refused(status, headers, body)
        reply = read_reply(body, self._clean)
        reply.latency_s = perf_counter() - begun
        if seconds:
            reply.detail["audio_seconds"] = round(seconds, 3)
        if reply.finish == "stop" and not reply.text.strip():
            raise EmptyReply(reply)
        return reply

    async def check(self) -> None:
        """Make sure that somebody listens at the address, whatever they say.

        Raises
        ------
        InputError
            When there is no connection at all.
        """
        session = self._session or self._open()
        limit = aiohttp.ClientTimeout(total=_CHECK_SECONDS)
        url = URL(self._endpoint.url("/models"))
        try:
            async with session.get(
                url, allow_redirects=False, proxy=self._proxy, timeout=limit
            ) as response:
                await response.read()
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise InputError(
                f"cannot reach {self._endpoint.base}: {_reason(error)}; is the server running?"
            ) from None
        except (aiohttp.ClientError, TimeoutError):
            return  # Somebody is there. If they cannot answer trials either, those will say so.

    def describe(self) -> dict[str, Any]:
        """What a run's manifest says of this model: the address, and how it is spoken to."""
        return {
            "kind": "chat completions",
            "base_url": self._endpoint.base,
            "model": self._endpoint.model,
            "key_from": self._endpoint.key_source,
            "length_limit_as": self._length,
            "timeout_s": self._timeout,
        }

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _written(self, messages: Sequence[Message]) -> tuple[list[dict[str, Any]], float]:
        """The messages as they are sent, and the seconds of sound in them."""
        seconds = 0.0
        written: list[dict[str, Any]] = []
        for message in messages:
            content: str | list[Any] = message.text
            if any(isinstance(part, Audio) for part in message.parts):
                content = []
                for part in message.parts:
                    if isinstance(part, Audio):
                        sound = await self._sounds.get(part)
                        content.append(sound.json)
                        seconds += sound.seconds
                    else:
                        content.append({"type": "text", "text": part.text})
            written.append({"role": message.role, "content": content})
        return written, seconds

    async def _post(self, request: Mapping[str, Any]) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body of the response to a request for a completion."""
        session = self._session or self._open()
        body = _encode(request)
        data = body if len(body) < _LARGE else io.BytesIO(body)
        try:
            # A redirect is never followed: the key would go where the user did not send it.
            async with session.post(
                self._url, data=data, allow_redirects=False, proxy=self._proxy
            ) as response:
                return response.status, response.headers, await response.read()
        except aiohttp.ClientConnectorError as error:
            told = f"cannot reach {self._endpoint.base}: {_reason(error)}"
            raise TransientError(told) from None
        except TimeoutError:
            raise TransientError(f"no reply within {self._timeout:g} s") from None
        except (aiohttp.ClientError, OSError) as error:
            told = f"the connection broke: {type(error).__name__}: {error}"
            raise TransientError(shortened(self._clean(told))) from None

    def _refused(self, status: int, headers: Mapping[str, str], body: bytes) -> Exception:
        """The error for a response with another status than 200."""
        if 300 <= status < 400:
            target = headers.get("Location", "?").partition("?")[0].rpartition("@")[2]
            told = f"{self._endpoint.base} redirects ({status}) to {target or 'nowhere'}"
            return FatalError(self._clean(f"{told}; give the address that answers itself"))
        return failure(status, headers, read_complaint(body), self._clean)

    def _clean(self, text: str) -> str:
        return " ".join(self._endpoint.scrub(text).split())

    def _open(self) -> aiohttp.ClientSession:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._endpoint.key is not None:
            headers["Authorization"] = f"Bearer {self._endpoint.key}"
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self.concurrency),
            timeout=aiohttp.ClientTimeout(total=self._timeout),
            headers=headers,
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self._session


def _reason(error: Exception) -> str:
    """Why there is no connection, in the system's words and in lower case."""
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    if isinstance(cause, OSError) and cause.errno and cause.errno > 0:
        return os.strerror(cause.errno).lower()
    if isinstance(cause, asyncio.TimeoutError):
        return "no answer in time"
    return " ".join(str(getattr(cause, "strerror", None) or cause).split()).lower()
