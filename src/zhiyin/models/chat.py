"""Models that are asked at an address: one way for all providers, whatever form they speak."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from time import perf_counter
from typing import Any, NamedTuple

import aiohttp
import msgspec
from yarl import URL

from zhiyin.errors import FatalError, InputError, LostError, ModelError, ServerError, UnreachedError
from zhiyin.models import Setting
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.claude import PausedTurn, resumed
from zhiyin.models.dialects import CHAT, Dialect
from zhiyin.models.endpoint import Endpoint, url_endpoint
from zhiyin.models.http import HttpClient, HttpResponse, make_room, no_connection
from zhiyin.models.media import Hold, MediaParts, SentMedium, logged
from zhiyin.models.playback import SentSound
from zhiyin.models.refusals import (
    MOST,
    PASSING_PAGE,
    AnotherWay,
    Complaint,
    FilteredReply,
    Manner,
    Refusal,
    RefusedSettings,
    failure,
    shortened,
)
from zhiyin.models.replies import not_empty, read_likelihood
from zhiyin.parsing import decoded, page_title, text_in
from zhiyin.record import WORDS_IN, Likelihood, Reply, Sampling
from zhiyin.trial import Messages, Text, Trial
from zhiyin.words import Said, said
from zhiyin.words.findings import Warning, WordsElsewhere
from zhiyin.words.reasons import reason

_CHECK_SECONDS = 10.0
_LARGE = 2**20  # aiohttp warns of a larger body that is not a stream
_CHUNK = 2**18
_MOST_PAUSES = 4
_TOP = 1000
"""Characters of a web page in which it says what it is."""
_encode = msgspec.json.Encoder().encode
_MOST_NAMED = 12
"""Models of a server that an error names."""

OF_ANY_SERVER = Capabilities(system=True, thinking=("off", "level"))
"""Of a model behind a server nothing more is known: what it refuses is *unsupported*."""


class CallResult(NamedTuple):
    """Result of one call: a reply or a refusal, after how many seconds, and what was sent."""

    answer: Reply | Refusal
    seconds: float
    sent: Sequence[SentMedium] = ()


class WrittenRequest(NamedTuple):
    """A request that is written and not sent: a part of a batch.

    Attributes
    ----------
    body : bytes
        JSON.
    sent : sequence of SentSound and SentPicture
    detail : dict
        Of the reply.
    manner : Manner
        In which it is put.
    wanted : Sampling
        As it is put.
    """

    body: bytes
    sent: Sequence[SentMedium]
    detail: dict[str, object]
    manner: Manner
    wanted: Sampling


class ProviderModel:
    """A model of a provider's: what is the same however it is reached.

    A subclass writes `_ask` and `check`. No redirect is followed, no key is shown, and settings
    that are refused by name are left out from then on.

    Parameters
    ----------
    endpoint : Endpoint
    setting : Setting
        Its timeout is from asking to the last byte, waiting for a free connection included.
    dialect : Dialect
        How requests are written and replies are read.
    capabilities : Capabilities
        What is known of the model.
    """

    canary: bool | None = True
    timed = False
    tells_sending = True

    def __init__(
        self,
        endpoint: Endpoint,
        setting: Setting,
        dialect: Dialect = CHAT,
        capabilities: Capabilities = OF_ANY_SERVER,
    ) -> None:
        self.name, self.deployment = endpoint.name, endpoint.deployment
        self.endpoint, self.dialect, self.capabilities = endpoint, dialect, capabilities
        self.concurrency = setting.concurrency or dialect.at_once
        self.timeout_s, self._policy = setting.timeout, setting.sound
        self._refused = RefusedSettings(capabilities, dialect.excludes)
        self._media = MediaParts(dialect, setting.sound)
        self._served: list[str] = []
        self._elsewhere: Counter[str] = Counter()
        self.on_headers: Callable[[Mapping[str, str]], None] | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    async def generate(self, messages: Messages, sampling: Sampling, trial: Trial) -> Reply:
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
            sampling = self.dialect.first_token(sampling, self.capabilities)
        for _ in range(MOST):
            manner, wanted = self._refused.now, self._refused.sent(sampling)
            result = await self._ask(messages, wanted, manner)
            reply = result.answer
            if isinstance(reply, Reply):
                break
            refused = self._error(reply, result.sent)
            if isinstance(refused, FilteredReply):
                reply = refused.reply
                break
            if not self._refused.learn(manner, wanted, reply.status, reply.complaint):
                raise refused
        else:
            raise refused
        reply.latency_s = result.seconds
        reply.detail |= logged(result.sent) | self._refused.detail(sampling, wanted)
        if isinstance(sampling, Likelihood) and reply.finish != "refusal":
            read_likelihood(reply, sampling.continuations)
            return reply
        return self._not_empty(reply)

    async def check(self) -> None:
        """Make sure that somebody listens and does not refuse the key. Raises `InputError`."""
        raise NotImplementedError

    def describe(self) -> dict[str, object]:
        """Return what a run's manifest says of this model: the address, and how it is spoken to."""
        return {
            "kind": self.dialect.kind,
            **self.endpoint.identity,
            "key_from": self.endpoint.key_source,
            "length_limit_as": self._length(self._refused.now),
            **self.dialect.described,
            **self._refused.describe(),
            "timeout_s": self.timeout_s,
            "sound": msgspec.to_builtins(self._policy),
        }

    def identity(self) -> dict[str, object]:
        """Return what identifies the model, for kept replies."""
        return {"kind": self.dialect.identity, **self.endpoint.identity}

    def report(self) -> list[str | Warning]:
        """List what the user should know when the run is over, a line each."""
        elsewhere = (WordsElsewhere(n=n, place=place) for place, n in self._elsewhere.items())
        return [*self._refused.remarks(), *self._media.remarks(), *elsewhere]

    def _not_empty(self, reply: Reply) -> Reply:
        """Refuse an empty reply as `not_empty` does, counting replies whose words are elsewhere."""
        if (place := reply.detail.get(WORDS_IN)) and reply.finish == "stop":
            self._elsewhere[place] += 1
        return not_empty(reply)

    async def close(self) -> None:
        """Close all connections."""

    async def _ask(self, messages: Messages, sampling: Sampling, manner: Manner) -> CallResult:
        """Ask once, in the way that this server is known to take by now."""
        raise NotImplementedError

    def _request(
        self, messages: Messages, parts: Iterator[msgspec.Raw], sampling: Sampling, manner: Manner
    ) -> dict[str, object]:
        """The body of a request, to be written as JSON."""
        length = self._length(manner)
        return self.dialect.request(self.endpoint.model, messages, parts, sampling, length)

    def _length(self, manner: Manner) -> str:
        """Name of the setting that limits a reply's length."""
        return self.dialect.lengths[-1 if manner.other_length else 0]

    def _error(self, refusal: Refusal, sent: Sequence[SentMedium]) -> ModelError:
        """The error for a response with another status than 200."""
        status, headers, complaint = refusal
        where = self.endpoint.base or self.name
        if 300 <= status < 400:
            target = headers.get("Location", "?").partition("?")[0].rpartition("@")[2]
            to = self._clean(target) or None
            return FatalError(said("error-redirects", where=where, status=str(status), to=to))
        if status == 404 and self._served and self.endpoint.model not in self._served:
            has = [self._clean(name) for name in self._served[:_MOST_NAMED]]
            left = max(0, len(self._served) - _MOST_NAMED)
            facts = {"where": where, "name": repr(self.endpoint.model), "has": has, "more": left}
            return FatalError(said("error-not-served", **facts))
        if status == 401 and self.endpoint.base and not self.endpoint.key_source:
            return FatalError(self._key_refused(refusal))
        return failure(status, headers, complaint, self._clean, kinds_of(sent))

    def _key_refused(self, refusal: Refusal) -> Said:
        """What a status of 401 says: that a key is wanted, or another one."""
        source = self.endpoint.key_source
        reason = f"401: {shortened(self._clean(refusal.complaint.message)) or 'no reason given'}"
        facts = {"where": self.endpoint.base or self.name, "reason": reason}
        if source is None:
            return said("log-wants-key", variable=self.endpoint.key_variable, **facts)
        return said("log-other-key", variable=source, **facts)

    def _clean(self, text: str) -> str:
        return self.endpoint.clean(text)


class ChatModel(ProviderModel):
    """A model behind an HTTP server; see `ProviderModel`."""

    @cached_property
    def _url(self) -> URL:
        return URL(self.dialect.place(self.endpoint, self.dialect.path))

    @cached_property
    def _client(self) -> HttpClient:
        return HttpClient(self.endpoint, self.timeout_s, self.concurrency)

    async def written(self, messages: Messages, sampling: Sampling) -> WrittenRequest:
        """Return what `generate` would send, for a batch. Raises `ModelError` as it does."""
        manner, wanted = self._refused.now, self._refused.sent(sampling)
        hold = await self._media.hold(media_in(messages))
        try:
            parts = iter([part.json for part in hold.parts])
            request = self._request(messages, parts, wanted, manner)
            request.pop("stream", None)
            body = _encode(request)
        finally:
            hold.release()
        detail = logged(hold.sent) | self._refused.detail(sampling, wanted)
        return WrittenRequest(body, hold.sent, detail, manner, wanted)

    def read(self, written: WrittenRequest, status: int, body: bytes) -> Reply:
        """The reply to a part of a batch. Raises as `generate`; `AnotherWay` to put it again."""
        if status != 200:
            refusal = self.dialect.refusal(status, {}, body)
            complaint = refusal.complaint
            if self._refused.learn(written.manner, written.wanted, status, complaint):
                raise AnotherWay(complaint.message)
            refused = self._error(refusal, written.sent)
            if not isinstance(refused, FilteredReply):
                raise refused
            reply = refused.reply
        else:
            reply = self._read(body, written.sent)
        reply.detail |= written.detail
        return self._not_empty(reply)

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
            refusal = await self._look(_CHECK_SECONDS)
        except (aiohttp.InvalidURL, ValueError) as error:
            message = self._clean(str(error))
            raise InputError(
                said("model-not-asked", way=self.endpoint.way, message=message)
            ) from None
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            facts = {"where": self.endpoint.way, "why": reason(_reason(error))}
            direct = self.endpoint.proxy() is None
            told = said("log-server-gone", **facts) if direct else said("log-proxy-gone", **facts)
            raise UnreachedError(told) from None
        except (aiohttp.ClientError, TimeoutError):
            return  # Somebody is there. If they cannot answer trials either, those will say so.
        # Only this status: others are given where the list of models is closed and the model open.
        if refusal.status == 401:
            raise ServerError(self._key_refused(refusal))

    async def trouble(self, seconds: float) -> str | None:
        """Find what keeps this server from answering, within `seconds`; None for nothing."""
        try:
            status = (await self._look(seconds)).status
        except aiohttp.ClientConnectorError as error:
            return f"cannot be reached: {_reason(error)}"
        except TimeoutError:
            return f"no answer within {seconds:g} s"
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return shortened(self._clean(f"the connection broke: {type(error).__name__}"))
        if status == 401:
            return "refuses the key, or wants one (401)"
        return f"says {status}" if status >= 500 else None

    async def _look(self, seconds: float) -> Refusal:
        """The status with which the server tells of its models, and its complaint if it has one."""
        url = self.dialect.place(self.endpoint, self.dialect.looks_at)
        headers = self.dialect.headers(self.endpoint)
        response = await self._client.look(url, headers, seconds)
        if response.status == 200:
            self._served = _models_in(response.body)
            return Refusal(200, {}, Complaint(""))
        return self.dialect.refusal(*response)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def _ask(
        self,
        messages: Messages,
        sampling: Sampling,
        manner: Manner,
        earlier: tuple[list[Any], ...] = (),
    ) -> CallResult:
        begun = perf_counter()
        media = media_in(messages)
        if not media and not earlier:
            body = _encode(self._request(messages, iter(()), sampling, manner))
            response = await self._post(body, sampling)
            sent: Sequence[SentMedium] = ()
        else:
            hold = await self._media.hold(media)
            begun, sent = perf_counter(), hold.sent
            try:
                async with self._placed(hold) as parts:
                    request: dict[str, Any] = self._request(messages, parts, sampling, manner)
                    for content in earlier:
                        request["messages"].append({"role": "assistant", "content": content})
                    body = _encode(request)
                    del request, parts
                    hold.parts.clear()
                    size, upload = len(body), _upload(body, hold)
                    del body  # only the upload holds it, and lets it go when all is sent
                    response = await self._post(upload, sampling, size)
            finally:
                hold.release()
        seconds = perf_counter() - begun
        if response.status != 200:
            return CallResult(self.dialect.refusal(*response), seconds, sent)
        try:
            return CallResult(self._read(response.body, sent), seconds, sent)
        except PausedTurn as pause:
            if len(earlier) >= _MOST_PAUSES:
                raise
            more = await self._ask(messages, sampling, manner, (*earlier, pause.content))
            if isinstance(more.answer, Reply):
                resumed(pause.so_far, more.answer)
            return more._replace(seconds=seconds + more.seconds)

    @asynccontextmanager
    async def _placed(self, hold: Hold) -> AsyncIterator[Iterator[msgspec.Raw]]:
        """The parts of a request for its sounds and pictures: uploaded where they are too large."""
        parts = [part.json for part in hold.parts]
        if hold.size <= self.dialect.request_bytes:
            yield iter(parts)
            return
        upload = await self.dialect.upload(self._client, self.endpoint, parts)
        try:
            yield iter(upload.parts)
        finally:
            await self.dialect.delete(self._client, self.endpoint, upload.places)

    async def _post(
        self, data: bytes | AsyncIterator[memoryview], sampling: Sampling, size: int = 0
    ) -> HttpResponse:
        """The response to a request for a completion, whose body has `size` bytes."""
        headers = self.dialect.headers(self.endpoint, sampling)
        if not isinstance(data, bytes):
            headers = {**headers, "Content-Length": str(size)}
        elif len(data) >= _LARGE:
            data = io.BytesIO(data)  # type: ignore[assignment]
        response = await self._client.send("POST", self._url, headers, data)
        if self.on_headers:
            self.on_headers(response.headers)
        return response

    def _read(self, body: bytes, sent: Sequence[SentMedium]) -> Reply:
        try:
            return self.endpoint.conceal(self.dialect.read(body, self._clean, kinds_of(sent)))
        except FilteredReply as filtered:
            return filtered.reply
        except LostError as error:
            if page_title(body) and not PASSING_PAGE.search(text_in(body)[:_TOP]):
                raise FatalError(str(error)) from None
            raise


async def _upload(body: bytes, hold: Hold) -> AsyncIterator[memoryview]:
    """A body piece by piece; when all of it is sent, others may take its room."""
    view = memoryview(body)
    for begin in range(0, len(view), _CHUNK):
        yield view[begin : begin + _CHUNK]
    hold.release()


def _models_in(body: bytes) -> list[str]:
    """The models that a server lists, as OpenAI does; none where it answers otherwise."""
    try:
        listed = decoded(body, dict[str, Any], "list of models")["data"]
        return sorted(str(one["id"]) for one in listed)
    except (LostError, TypeError, KeyError):
        return []


def media_in(messages: Messages) -> list[Any]:
    """The sounds and pictures of some messages, in their order."""
    return [part for m in messages for part in m.parts if not isinstance(part, Text)]


def kinds_of(sent: Sequence[SentMedium]) -> frozenset[str]:
    """Return the media sent beside words: "sound", "image"."""
    return frozenset("sound" if isinstance(one, SentSound) else "image" for one in sent)


def _reason(error: Exception) -> str:
    """Explain why there is no connection."""
    if isinstance(error, aiohttp.ClientConnectorError):
        return no_connection(error)
    return " ".join(str(error).split()).lower()


def open_url(spec: str, setting: Setting) -> ChatModel:
    """The model of ``http://HOST[:PORT]/v1#MODEL``. Raises `InputError` as `url_endpoint` does."""
    return ChatModel(url_endpoint(spec), setting)
