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

from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from zhiyin.errors import ModelError
from zhiyin.files import NOT_JSON
from zhiyin.models.dialects import CHAT, Dialect, Responses
from zhiyin.models.endpoint import Endpoint
from zhiyin.models.http import HttpClient
from zhiyin.trial import Message, Text

_SECONDS = 30.0


class CountingWay(NamedTuple):
    """How a provider is asked: the address, the form of the messages, and where the number is.

    `within` is the name of what holds the request, if anything does.
    """

    url: str
    dialect: Dialect
    number: str
    within: str = ""


class TokenCounter:
    """Counts the tokens of requests at the provider. Use as an async context manager.

    Attributes
    ----------
    trouble : str
        Why it does not count; empty while it does.
    """

    def __init__(self, way: CountingWay, endpoint: Endpoint) -> None:
        self._way, self._endpoint = way, endpoint
        self._client = HttpClient(endpoint, _SECONDS)
        self.trouble = ""

    async def __aenter__(self) -> TokenCounter:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def count(self, messages: Sequence[Message]) -> int | None:
        """Tokens of the words of a request, with whatever the model puts around them."""
        if self.trouble:
            return None
        headers = self._way.dialect.headers(self._endpoint)
        try:
            response = await self._client.send(
                "POST", self._way.url, headers, msgspec.json.encode(self._request(messages))
            )
            if response.status != 200:
                self.trouble = f"the server does not count tokens ({response.status})"
                return None
            number = msgspec.json.decode(response.body, type=dict[str, Any])[self._way.number]
            return msgspec.convert(number, int)
        except (ModelError, KeyError, *NOT_JSON):
            self.trouble = "the server does not count tokens"
            return None

    def _request(self, messages: Sequence[Message]) -> dict[str, Any]:
        words = [Message(message.role, (Text(message.text),)) for message in messages]
        way, model = self._way, self._endpoint.model
        conversation = way.dialect.conversation(words, iter(()))
        if way.within:
            return {way.within: {"model": f"models/{model}", **conversation}}
        return {"model": model, **conversation}


def counter_of(model: Any) -> TokenCounter | None:
    """The counter for a model; None where its provider is not known to count."""
    endpoint = getattr(model, "endpoint", None)
    if not isinstance(endpoint, Endpoint) or not endpoint.base:
        return None
    kind, base, dialect = endpoint.name.partition(":")[0], endpoint.base, model.dialect
    if kind == "gemini":
        url = dialect.place(endpoint, "/v1beta/{model}:countTokens")
        way = CountingWay(url, dialect, "totalTokens", "generateContentRequest")
    elif kind == "anthropic":
        way = CountingWay(f"{base}/v1/messages/count_tokens", dialect, "input_tokens")
    elif (urlsplit(base).hostname or "").endswith("openai.com"):
        way = CountingWay(f"{base}/responses/input_tokens", Responses(), "input_tokens")
    else:
        way = CountingWay(f"{base.removesuffix('/v1')}/tokenize", CHAT, "count")
    return TokenCounter(way, endpoint)
