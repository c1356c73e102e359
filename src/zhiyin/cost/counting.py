"""Asking a provider how many tokens a request has, where it counts them free of charge.

========================  ==========================================================================
Gemini                    ``models/MODEL:countTokens`` (API reference, "Counting tokens")
Anthropic                 ``/v1/messages/count_tokens`` ("Count tokens in a Message")
OpenAI                    ``/v1/responses/input_tokens`` ("Get input token counts")
vLLM, SGLang              ``/tokenize`` beside ``/v1``, with the model's own chat template
========================  ==========================================================================

Only words are sent there. Sound is priced by its seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import aiohttp
import msgspec

from zhiyin.models.endpoint import Endpoint
from zhiyin.models.http import CODINGS, read_body
from zhiyin.trial import Message

_SECONDS = 30.0


class _Way(NamedTuple):
    """How a provider is asked: the address, the body, and where the number is."""

    url: str
    body: Callable[[Sequence[Message]], dict[str, Any]]
    number: str
    headers: dict[str, str]


class Counter:
    """Counts the tokens of requests at the provider. Use as an async context manager.

    Attributes
    ----------
    trouble : str
        Why it does not count; empty while it does.
    """

    def __init__(self, way: _Way, endpoint: Endpoint) -> None:
        self._way, self._endpoint = way, endpoint
        self.trouble = ""

    async def __aenter__(self) -> Counter:
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=_SECONDS),
            headers={"Accept-Encoding": CODINGS},
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def count(self, messages: Sequence[Message]) -> int | None:
        """Tokens of the words of a request, with whatever the model puts around them."""
        if self.trouble:
            return None
        try:
            async with self._session.post(
                self._way.url,
                json=self._way.body(messages),
                headers=self._way.headers,
                allow_redirects=False,
                proxy=self._endpoint.proxy(),
            ) as response:
                body = await read_body(response)
                if response.status != 200:
                    self.trouble = f"the server does not count tokens ({response.status})"
                    return None
                decoded = msgspec.json.decode(body)
        except (aiohttp.ClientError, OSError, ValueError, msgspec.MsgspecError):
            self.trouble = "the server does not count tokens"
            return None
        number = decoded.get(self._way.number) if isinstance(decoded, dict) else None
        if not isinstance(number, int):
            self.trouble = "the server does not count tokens"
            return None
        return number


def counter_of(model: Any) -> Counter | None:
    """The counter for a model; None where its provider is not known to count."""
    endpoint = getattr(model, "_endpoint", None)
    if not isinstance(endpoint, Endpoint) or not endpoint.base:
        return None
    kind = endpoint.name.partition(":")[0]
    bearer = endpoint.bearer
    base, name = endpoint.base, endpoint.model
    if kind == "gemini":
        key = {"x-goog-api-key": endpoint.key} if endpoint.key else {}
        url = f"{base}/v1beta/models/{name}:countTokens"
        return Counter(_Way(url, _gemini(name), "totalTokens", key), endpoint)
    if kind == "anthropic":
        bears = endpoint.key_source == "ANTHROPIC_AUTH_TOKEN"
        key = bearer if bears or not endpoint.key else {"x-api-key": endpoint.key}
        key = {**key, "anthropic-version": "2023-06-01"}
        url = f"{base}/v1/messages/count_tokens"
        return Counter(_Way(url, _anthropic(name), "input_tokens", key), endpoint)
    if (urlsplit(base).hostname or "").endswith("openai.com"):
        url = f"{base}/responses/input_tokens"
        body = _chat(name, "input")
        return Counter(_Way(url, body, "input_tokens", bearer), endpoint)
    url = f"{base.removesuffix('/v1')}/tokenize"
    return Counter(_Way(url, _chat(name, "messages"), "count", bearer), endpoint)


def _chat(model: str, called: str) -> Callable[[Sequence[Message]], dict[str, Any]]:
    def body(messages: Sequence[Message]) -> dict[str, Any]:
        return {"model": model, called: [{"role": m.role, "content": m.text} for m in messages]}

    return body


def _anthropic(model: str) -> Callable[[Sequence[Message]], dict[str, Any]]:
    def body(messages: Sequence[Message]) -> dict[str, Any]:
        turns = [{"role": m.role, "content": m.text} for m in messages if m.role != "system"]
        system = "\n\n".join(m.text for m in messages if m.role == "system")
        return {"model": model, "messages": turns, **({"system": system} if system else {})}

    return body


def _gemini(model: str) -> Callable[[Sequence[Message]], dict[str, Any]]:
    def body(messages: Sequence[Message]) -> dict[str, Any]:
        contents = [
            {"role": "model" if m.role == "assistant" else "user", "parts": [{"text": m.text}]}
            for m in messages
            if m.role != "system"
        ]
        request: dict[str, Any] = {"model": f"models/{model}", "contents": contents}
        system = "\n\n".join(m.text for m in messages if m.role == "system")
        if system:
            request["systemInstruction"] = {"parts": [{"text": system}]}
        return {"generateContentRequest": request}

    return body
