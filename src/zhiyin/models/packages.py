"""What models behind a provider's own package have in common: promises, errors, media."""

from __future__ import annotations

import asyncio
import importlib
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, ClassVar, NamedTuple

import msgspec

from zhiyin.errors import (
    FatalError,
    InputError,
    LostError,
    ModelError,
    TransientError,
    UnsupportedError,
)
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.clip_cache import ClipCache
from zhiyin.models.endpoint import Endpoint
from zhiyin.models.http import make_room
from zhiyin.models.media import logged
from zhiyin.models.pictures import Picture, SentPicture, load_picture
from zhiyin.models.playback import Clip, Sent, SoundPolicy
from zhiyin.models.refusals import MOST, Manners
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
from zhiyin.record import OFF, Likelihood, Reply, Sampling
from zhiyin.text import printable
from zhiyin.trial import Audio, Image, Message, Text, Trial

_CHECK_SECONDS = 10.0
_SECRET = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)(_ID)?$", re.IGNORECASE)
_SHORTEST = 6
_BROKEN = frozenset(
    {"TransportError", "APIConnectionError", "ConnectError", "ClientConnectionError"}
    | {"ServiceUnavailableError", "ServerDisconnectedError", "ConnectionError"}
)
"""Names of classes, in whichever package: the connection failed."""
_LATE = frozenset({"TimeoutException", "APITimeoutError", "TimeoutError", "Timeout"})
_UNREAD = frozenset(
    {"JSONDecodeError", "ValidationError", "APIResponseValidationError", "DecodingError"}
    | {"UnicodeDecodeError", "UnknownApiResponseError", "AssertionError"}
)
"""Names of classes: what came back is no reply (anthropic asserts that a stream holds one)."""


class Refusal(NamedTuple):
    """A response with a status other than success, as a package's exception holds it."""

    status: int
    headers: Mapping[str, str]
    complaint: Complaint


Media = Mapping[Audio | Image, Clip | Picture]


def system_text(messages: Sequence[Message]) -> str:
    """The words of all system messages, for APIs that take them beside the conversation."""
    return "\n\n".join(m.text for m in messages if m.role == "system")


class SdkModel:
    """A model that is asked through its provider's package.

    A subclass writes `_ask`, and says by `_refusal` what an exception of its package means. All
    else is as with our own client: no retries of the package's, no redirect is followed, no key is
    shown, settings that are refused by name are left out.

    Parameters
    ----------
    endpoint : Endpoint
    timeout : float
        Seconds until a call is given up.
    concurrency : int, optional
        Calls at once.
    sound : SoundPolicy
        How sound is sent.
    capabilities : Capabilities
    """

    kind: ClassVar[str]
    package: ClassVar[str]
    own_environment: ClassVar[bool] = False
    """Whether the package finds keys by itself, so that all of the environment's are hidden."""

    def __init__(
        self,
        endpoint: Endpoint,
        timeout: float,
        concurrency: int | None,
        sound: SoundPolicy,
        capabilities: Capabilities,
    ) -> None:
        self.name, self.capabilities = endpoint.name, capabilities
        self.concurrency = concurrency or 16
        self._endpoint, self._timeout, self._policy = endpoint, timeout, sound
        self._manners, self._clips = Manners(capabilities, self._excluded), ClipCache(sound)
        self._importing = asyncio.Lock()
        self._threads = asyncio.Semaphore(max(2, min(4, os.cpu_count() or 2)))

        self.on_headers: Callable[[Mapping[str, str]], None] | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """Ask once. Nothing of `trial` is sent. Raises `ModelError` as `ChatModel` does."""
        if isinstance(sampling, Likelihood):
            sampling = self._first_token(sampling)
        media, sent = await self._load_media(messages)
        await self._import()
        for _ in range(MOST):
            manner, wanted = self._manners.now, self._manners.sent(sampling)
            begun = perf_counter()
            try:
                async with asyncio.timeout(self._timeout):
                    reply = self._conceal(await self._ask(messages, wanted, media))
                break
            except ModelError:
                raise
            except Exception as error:
                refusal = self._refusal(error)
                if refusal is None:
                    raise self._broken(error) from None
                learned = self._manners.learn(manner, wanted, refusal.status, refusal.complaint)
                rejection = self._refused(refusal, sent)
            if not learned:
                raise rejection from None
        else:
            raise rejection
        reply.latency_s = perf_counter() - begun
        reply.detail |= logged(sent) | self._manners.detail(sampling, wanted)
        if isinstance(sampling, Likelihood):
            read_likelihood(reply, sampling.continuations)
            return reply
        return not_empty(reply)

    def _first_token(self, sampling: Likelihood) -> Likelihood:
        """What is asked where log-probabilities are wanted: one token, and no thinking."""
        can = self.capabilities
        if can.logprobs is False:
            raise UnsupportedError(f"{self.kind} gives no log-probabilities: leave out --score")
        sampling = first_token(sampling)
        if isinstance(can.thinking, tuple) and OFF in can.thinking:
            return msgspec.structs.replace(sampling, thinking=OFF)
        return sampling

    async def written(self, messages: Sequence[Message], sampling: Sampling) -> Written:
        """What `generate` would send, for a batch. Raises `ModelError` as it does."""
        media, sent = await self._load_media(messages)
        manner, wanted = self._manners.now, self._manners.sent(sampling)
        body = msgspec.json.encode(self._json(messages, wanted, media))
        detail = logged(sent) | self._manners.detail(sampling, wanted)
        return Written(body, sent, detail, manner, wanted)

    def read(self, written: Written, status: int, body: bytes) -> Reply:
        """The reply to a part of a batch. Raises as `generate`; `AnotherWay` to put it again."""
        if status != 200:
            complaint = read_complaint(body)
            if self._manners.learn(written.manner, written.wanted, status, complaint):
                raise AnotherWay(complaint.message)
            raise self._refused(Refusal(status, {}, complaint), written.sent)
        try:
            reply = self._conceal(self._from_json(msgspec.json.decode(body)))
        except ModelError:
            raise
        except Exception as error:
            raise self._broken(error) from None
        reply.detail |= written.detail
        return not_empty(reply)

    async def _load_media(
        self, messages: Sequence[Message]
    ) -> tuple[dict[Audio | Image, Clip | Picture], list[Sent | SentPicture]]:
        """The sounds and pictures of some messages, and what there is to log of them."""
        parts = [p for m in messages for p in m.parts if not isinstance(p, Text)]
        media = {part: await self._load(part) for part in parts}
        return media, [media[part].sent for part in parts]

    def _json(
        self, messages: Sequence[Message], sampling: Sampling, media: Media
    ) -> dict[str, Any]:
        """A request as the provider's batches want it."""
        raise UnsupportedError(f"{self.kind}: requests cannot be handed in as batches")

    def _from_json(self, body: Any) -> Reply:
        """The reply in a response of the provider's."""
        raise NotImplementedError

    async def check(self) -> None:
        """Make sure that somebody listens and does not refuse the key. Raises `InputError`."""
        make_room(self.concurrency)
        await self._import()
        try:
            async with asyncio.timeout(_CHECK_SECONDS):
                await self._look()
        except FatalError as error:
            raise InputError(str(error)) from None
        except Exception as error:
            refusal = self._refusal(error)
            if refusal and refusal.status == 401:
                source = self._endpoint.key_source
                what = f"refuses the key in {source}: set it again" if source else "wants a key"
                raise InputError(f"{self._where} {what} (401)") from None
            if refusal is None and _is_a(error, _BROKEN) and not _is_a(error, _LATE):
                message = f"cannot reach {self._where}: {self._clean(_describe(error))}"
                raise InputError(f"{message}; is the address right?") from None

    def describe(self) -> dict[str, Any]:
        """What a run's manifest says of this model."""
        return {
            "kind": self.kind,
            **self._endpoint.identity,
            "key_from": self._endpoint.key_source,
            **self._manners.describe(),
            "timeout_s": self._timeout,
            "sound": msgspec.to_builtins(self._policy),
        }

    def identity(self) -> dict[str, Any]:
        """What makes it the model that it is, for kept replies."""
        return {"kind": self.kind, **self._endpoint.identity}

    def report(self) -> list[str]:
        """What the user should know when the run is over, a line each."""
        return [*self._manners.remarks(), *self._clips.remarks()]

    async def close(self) -> None:
        """Close all connections."""

    async def _ask(self, messages: Sequence[Message], sampling: Sampling, media: Media) -> Reply:
        raise NotImplementedError

    def _excluded(self, sampling: Sampling) -> frozenset[str]:
        """The settings that cannot be sent beside the others."""
        return frozenset()

    async def _look(self) -> None:
        """Ask for something that costs nothing."""

    def _refusal(self, error: Exception) -> Refusal | None:
        """What an exception says of a response; None where there was none."""
        raise NotImplementedError

    @property
    def _where(self) -> str:
        return self._endpoint.base or self.name

    async def _import(self) -> None:
        """Load the package, which takes seconds, beside whatever else goes on, and untimed."""
        if self.package not in sys.modules:
            async with self._importing:
                try:
                    await asyncio.to_thread(importlib.import_module, self.package)
                except Exception as error:  # whatever a package does while it is imported
                    message = shortened(self._clean(_describe(error)))
                    raise InputError(f"{self.package} cannot be imported: {message}") from None

    async def _on_response(self, response: Any) -> None:
        """Called by the client of a package with each response of its own."""
        if self.on_headers:
            self.on_headers(response.headers)

    async def _load(self, medium: Audio | Image) -> Clip | Picture:
        async with self._threads:
            if isinstance(medium, Image):
                return await asyncio.to_thread(load_picture, medium)
            return await asyncio.to_thread(self._clips.load, medium)

    def _refused(self, refusal: Refusal, sent: Sequence[Sent | SentPicture]) -> ModelError:
        if 300 <= refusal.status < 400:
            message = f"{self._where} redirects ({refusal.status})"
            return FatalError(f"{message}; give the address that answers itself")
        of = {"sound" if isinstance(one, Sent) else "image" for one in sent}
        return failure(refusal.status, refusal.headers, refusal.complaint, self._clean, of)

    def _broken(self, error: Exception) -> ModelError:
        """The error where there was no response, or none that could be read."""
        if type(error).__name__ == "RetryError" and isinstance(error.__cause__, Exception):
            error = error.__cause__
        if _is_a(error, _LATE):
            return LostError(f"no reply within {self._timeout:g} s")
        message = shortened(self._clean(_describe(error)))
        if _is_a(error, _UNREAD):
            return LostError(f"what came back is no reply of {self.kind} ({message})")
        if _is_a(error, _BROKEN):
            return TransientError(f"the connection to {self._where} failed: {message}")
        return ModelError(f"{self.kind}: {message}")

    def _keys_around(self) -> list[str]:
        """The keys of the environment, where the package finds its own there."""
        named = os.environ.items() if self.own_environment else ()
        return [value for name, value in named if _SECRET.search(name) and len(value) >= _SHORTEST]

    def _conceal(self, reply: Reply) -> Reply:
        return self._endpoint.conceal(reply, self._keys_around())

    def _clean(self, text: str) -> str:
        text = self._endpoint.scrub(text)
        for value in self._keys_around():
            text = text.replace(value, "[hidden]")
        return printable(" ".join(text.split()))


def _is_a(error: BaseException, names: frozenset[str]) -> bool:
    """Whether an exception is of a class of one of these names, whatever its package."""
    return any(kind.__name__ in names for kind in type(error).__mro__)


def _describe(error: BaseException) -> str:
    """An exception in words: what lies behind it where it says nothing itself."""
    behind = error.__cause__ or error.__context__
    text = str(error).strip().rstrip(".")
    if behind is not None and text in ("", "Connection error"):
        return _describe(behind)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
