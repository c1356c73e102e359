"""Whatever Inspect AI and LiteLLM reach: asked through their packages, which are loaded then.

Keys and addresses are those that the packages read. A request is written as chat completions, and
translated for Inspect AI.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Mapping, Sequence, Set
from functools import cached_property, partialmethod
from time import perf_counter
from typing import Any, ClassVar

import msgspec

from zhiyin.errors import FatalError, InputError, LostError, ModelError, ServerError, TransientError
from zhiyin.models import refusals
from zhiyin.models.chat import CallResult, ProviderModel, media_in
from zhiyin.models.dialects import Dialect
from zhiyin.models.http import make_room
from zhiyin.models.replies import counts_of, with_thinking_apart
from zhiyin.record import OFF, Finish, Reply, Sampling
from zhiyin.text import printable
from zhiyin.trial import Message

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
"""Names of classes: what came back is no reply."""
_FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "refusal",
}


class PackageModel(ProviderModel):
    """A model that is asked through a package; see `ProviderModel`.

    A subclass writes `_reply` and `_look`. The package makes no retries.
    """

    package: ClassVar[str]
    speaks: ClassVar[Dialect]

    @cached_property
    def _importing(self) -> asyncio.Lock:
        return asyncio.Lock()

    async def check(self) -> None:
        """Make sure that there is such a provider. Raises `InputError`."""
        make_room(self.concurrency)
        await self._import()
        try:
            async with asyncio.timeout(_CHECK_SECONDS):
                await self._look()
        except FatalError as error:
            raise InputError(str(error)) from None
        except Exception as error:
            refusal = refusal_of(error)
            if refusal and refusal.status == 401:
                raise ServerError(self._key_refused(refusal)) from None
            if refusal is None and _is_a(error, _BROKEN) and not _is_a(error, _LATE):
                message = f"cannot reach {self.name}: {self._clean(_describe(error))}"
                raise InputError(f"{message}; is the address right?") from None

    async def _ask(
        self, messages: Sequence[Message], sampling: Sampling, manner: refusals.Manner
    ) -> CallResult:
        hold = await self._media.hold(media_in(messages))
        try:
            parts = iter([part.json for part in hold.parts])
            request = self._request(messages, parts, sampling, manner)
            request = msgspec.json.decode(msgspec.json.encode(request))
            await self._import()
            begun = perf_counter()
            async with asyncio.timeout(self.timeout_s):
                reply = await self._reply(request, sampling)
        except ModelError:
            raise
        except Exception as error:
            refusal = refusal_of(error)
            if refusal is None:
                raise self._broken(error) from None
            return CallResult(refusal, 0.0, hold.sent)
        finally:
            hold.release()
        reply = self.endpoint.conceal(reply, _keys_around())
        return CallResult(reply, perf_counter() - begun, hold.sent)

    async def _reply(self, request: dict[str, Any], sampling: Sampling) -> Reply:
        """Ask by the package; `request` is one of chat completions."""
        raise NotImplementedError

    async def _look(self) -> None:
        """Look whether there is such a provider."""
        raise NotImplementedError

    async def _import(self) -> None:
        """Load the package, which takes seconds, beside whatever else goes on, and untimed."""
        if self.package not in sys.modules:
            async with self._importing:
                try:
                    await asyncio.to_thread(importlib.import_module, self.package)
                except Exception as error:  # whatever a package does while it is imported
                    message = refusals.shortened(self._clean(_describe(error)))
                    raise InputError(f"{self.package} cannot be imported: {message}") from None

    async def _on_response(self, response: Any) -> None:
        """Handle a response, with which the client of a package calls it."""
        if self.on_headers:
            self.on_headers(response.headers)

    def _broken(self, error: Exception) -> ModelError:
        """The error where there was no response, or none that could be read."""
        if type(error).__name__ == "RetryError" and isinstance(error.__cause__, Exception):
            error = error.__cause__
        if _is_a(error, _LATE):
            return LostError(f"no reply within {self.timeout_s:g} s")
        message = refusals.shortened(self._clean(_describe(error)))
        if _is_a(error, _UNREAD):
            return LostError(f"what came back is no reply of {self.dialect.kind} ({message})")
        if _is_a(error, _BROKEN):
            return TransientError(f"the connection to {self.name} failed: {message}")
        return ModelError(f"{self.dialect.kind}: {message}")

    def _clean(self, text: str) -> str:
        text = self.endpoint.scrub(text)
        for value in _keys_around():
            text = text.replace(value, "[hidden]")
        return printable(" ".join(text.split()))


def _keys_around() -> list[str]:
    """The keys of the environment, where a package finds its own."""
    named = os.environ.items()
    return [value for name, value in named if _SECRET.search(name) and len(value) >= _SHORTEST]


def _is_a(error: BaseException, names: Set[str]) -> bool:
    """Tell whether an exception is of a class of one of these names, whatever its package."""
    return any(kind.__name__ in names for kind in type(error).__mro__)


def _describe(error: BaseException) -> str:
    """An exception in words: what lies behind it where it says nothing itself."""
    behind = error.__cause__ or error.__context__
    text = str(error).strip().rstrip(".")
    if behind is not None and text in ("", "Connection error"):
        return _describe(behind)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def refusal_of(error: BaseException) -> refusals.Refusal | None:
    """Read the response in an exception of any provider's package, also one behind it."""
    cause: BaseException | None = error
    headers: Mapping[str, str] = {}
    refusal = None
    while cause is not None:
        response = getattr(cause, "response", None)
        status = getattr(cause, "status_code", None) or getattr(response, "status_code", None)
        if isinstance(status, int) and status != 200:
            for own in (
                getattr(cause, "litellm_response_headers", None),
                getattr(response, "headers", None),
                getattr(cause, "headers", None),
            ):
                headers = own if own and refusals.retry_after(own, 0) is not None else headers
            # What is nearer to the server's own words goes before what wraps it.
            if refusal is None or isinstance(getattr(cause, "body", None), dict):
                refusal = refusals.Refusal(status, headers, _complaint(cause))
        cause = cause.__cause__ or cause.__context__
    return refusal and refusal._replace(headers=headers)


def _complaint(error: BaseException) -> refusals.Complaint:
    body: Any = getattr(error, "body", None)
    param = getattr(error, "param", None)
    if isinstance(body, dict):
        inner: Any = body["error"] if isinstance(body.get("error"), dict) else body
        code = inner.get("code") or inner.get("type")
        return refusals.Complaint(
            " ".join(str(inner.get("message") or inner).split()),
            str(code or ""),
            str(inner.get("param") or param or ""),
            refusals.complaint_in(inner).kinds,
        )
    if _is_a(error, {"ContentPolicyViolationError"}):
        return refusals.Complaint(" ".join(str(error).split()), kinds="content_filter")
    message = getattr(error, "message", None) or str(error)
    return refusals.read_complaint(str(message).encode())


class _LiteDialect(Dialect):
    kind = identity = "LiteLLM"
    lengths = ("max_tokens",)
    at_once = 16


class LiteModel(PackageModel):
    """A model behind LiteLLM; see `PackageModel`."""

    package, speaks = "litellm", _LiteDialect()
    _sdk: Any = None
    _http: Any = None

    async def _reply(self, request: dict[str, Any], sampling: Sampling) -> Reply:
        response = await self._opened().acompletion(
            **request, timeout=self.timeout_s, num_retries=0, max_retries=0
        )
        completion = response.model_dump()
        for choice in completion.get("choices") or ():
            message = choice.get("message") or {}
            own = message.get("provider_specific_fields") or {}
            message.setdefault("refusal", own.get("refusal"))
        return self.dialect.read(msgspec.json.encode(completion), self._clean)

    async def _import(self) -> None:
        # Or it asks the net for its table of prices while it is imported.
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        os.environ.setdefault("LITELLM_LOG", "ERROR")
        await super()._import()
        handler = importlib.import_module("litellm.llms.custom_httpx.http_handler").AsyncHTTPHandler
        if not isinstance(vars(handler)["__init__"], partialmethod):
            # LiteLLM makes clients where we cannot reach them, and they would follow a redirect.
            handler.__init__ = partialmethod(handler.__init__, follow_redirects=False)

    def _opened(self) -> Any:
        if self._sdk is None:
            self._sdk = importlib.import_module("litellm")
            self._sdk.suppress_debug_info = True
            self._sdk.telemetry = False
            # A redirect is never followed: the key is for one address.
            httpx = importlib.import_module("httpx")
            self._http = httpx.AsyncClient(
                follow_redirects=False,
                timeout=self.timeout_s,
                event_hooks={"response": [self._on_response]},
            )
            self._sdk.aclient_session = self._http
        return self._sdk

    async def _look(self) -> None:
        try:
            self._opened().get_llm_provider(self.endpoint.model)
        except Exception as error:
            message = refusals.shortened(self._clean(str(error)))
            raise FatalError(f"{message}: write litellm:PROVIDER/MODEL") from None

    async def close(self) -> None:
        """Close all connections."""
        if self._http is not None:
            await self._http.aclose()
            self._sdk.aclient_session = None
            self._sdk = self._http = None


class _InspectDialect(Dialect):
    kind = identity = "Inspect AI"
    lengths = ("max_tokens",)
    at_once = 16

    no_sound = "models of Inspect AI's are asked without sound"


class InspectModel(PackageModel):
    """A model of Inspect AI's; see `PackageModel`."""

    package, speaks = "inspect_ai.model", _InspectDialect()
    _model: Any = None

    async def _reply(self, request: dict[str, Any], sampling: Sampling) -> Reply:
        inspect = importlib.import_module("inspect_ai.model")
        kinds = {
            "system": inspect.ChatMessageSystem,
            "user": inspect.ChatMessageUser,
            "assistant": inspect.ChatMessageAssistant,
        }
        asked = [
            kinds[message["role"]](content=_content(message["content"], inspect))
            for message in request["messages"]
        ]
        config = inspect.GenerateConfig(max_retries=0, **inspect_settings(sampling, inspect))
        return reply_of_inspect(await self._opened(inspect).generate(asked, config=config))

    async def close(self) -> None:
        """Close all connections."""
        if self._model is not None:
            await self._model.api.aclose()
            self._model = None

    def _opened(self, inspect: Any) -> Any:
        if self._model is None:
            name = self.endpoint.model
            client = _client(name.partition("/")[0])
            try:
                self._model = inspect.get_model(name, memoize=False, **client)
            except Exception as error:  # no such provider, or one whose package or key is missing
                message = refusals.shortened(self._clean(f"Inspect AI: {error}"))
                raise FatalError(f"{message}{_version_hint(message)}") from None
        return self._model

    async def _look(self) -> None:
        self._opened(importlib.import_module("inspect_ai.model"))


def _version_hint(message: str) -> str:
    """Say what to do if another package keeps a provider's package at an older version."""
    if "package openai" not in message or not importlib.util.find_spec("litellm"):
        return ""
    return (
        ". LiteLLM, which is installed here, wants an older one: take an environment without it, "
        "or ask through openai:MODEL"
    )


def _client(provider: str) -> dict[str, object]:
    """Return the arguments of a provider's client, if Inspect hands them on.

    No retries beside ours, and no redirect: what is asked, and the key, are for one address.
    """
    package = {"openai": "openai", "openai-api": "openai", "anthropic": "anthropic"}.get(provider)
    if package is None or not importlib.util.find_spec(package):
        return {}
    client = importlib.import_module(package).DefaultAsyncHttpxClient
    return {"max_retries": 0, "http_client": client(follow_redirects=False)}


def _content(content: Any, inspect: Any) -> Any:
    """The content of a message of chat completions, as Inspect has it."""
    if isinstance(content, str):
        return content
    return [
        inspect.ContentText(text=part["text"])
        if part["type"] == "text"
        else inspect.ContentImage(image=part["image_url"]["url"])
        for part in content
    ]


def inspect_settings(sampling: Sampling, inspect: Any) -> dict[str, Any]:
    """The fields of Inspect AI's `GenerateConfig` for what is set of sampling."""
    names = ("temperature", "top_p", "top_k", "seed", "max_tokens")
    chosen = {n: value for n in names if (value := getattr(sampling, n)) is not None}
    thinking = sampling.thinking
    if isinstance(thinking, int):
        chosen["reasoning_tokens"] = thinking
    elif thinking is not None:
        chosen["reasoning_effort"] = "none" if thinking == OFF else thinking
    if sampling.schema is not None:
        form = inspect.ResponseSchema(name="reply", json_schema=sampling.schema, strict=True)
        chosen["response_schema"] = form
    return chosen


def reply_of_inspect(output: Any) -> Reply:
    """Convert Inspect AI's output of a model. Raises `TransientError` if it is no reply."""
    if output.error:
        raise TransientError(f"the model gave the reply up ({output.error})")
    if not output.choices:
        raise TransientError("what came back is no reply of Inspect AI (it holds no choices)")
    choice = output.choices[0]
    if choice.stop_reason not in _FINISHES:
        raise TransientError(f"the model gave the reply up (stop reason {choice.stop_reason})")
    content = choice.message.content
    thoughts = []
    if not isinstance(content, str):
        reasoning = [part for part in content if part.type == "reasoning"]
        thoughts = [part.reasoning or part.summary for part in reasoning]
    detail: dict[str, object] = {"model": output.model} if output.model else {}
    if any(thoughts):
        detail["reasoning"] = "\n\n".join(filter(None, thoughts))
    reply = Reply(
        choice.message.text, _FINISHES[choice.stop_reason], _counts(output.usage), detail=detail
    )
    return with_thinking_apart(reply)


def _counts(usage: Any) -> dict[str, int]:
    if usage is None:
        return {}
    cached = usage.input_tokens_cache_read or 0
    sent = usage.input_tokens + cached + (usage.input_tokens_cache_write or 0)
    return counts_of(sent, usage.output_tokens, reasoning=usage.reasoning_tokens)
