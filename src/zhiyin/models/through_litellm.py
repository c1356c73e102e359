"""Whatever LiteLLM reaches, in the words of OpenAI's chat completions."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from functools import partialmethod
from typing import Any

import msgspec

from zhiyin.errors import FatalError
from zhiyin.models import Setting
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.dialects import CHAT
from zhiyin.models.endpoint import Endpoint
from zhiyin.models.inspected import refusal_of
from zhiyin.models.packages import Media, Refusal, SdkModel
from zhiyin.models.pictures import Picture
from zhiyin.models.replies import read_reply, shortened
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Message, Text


def open_litellm(endpoint: Endpoint, setting: Setting, can: Capabilities) -> LiteModel:
    """The model of ``litellm:PROVIDER/MODEL``."""
    return LiteModel(endpoint, setting.timeout, setting.concurrency, setting.sound, can)


class LiteModel(SdkModel):
    """A model behind LiteLLM; see `SdkModel`. Keys and addresses are those that LiteLLM reads."""

    kind, package = "LiteLLM", "litellm"
    own_environment = True
    _sdk: Any = None
    _http: Any = None

    async def _ask(self, messages: Sequence[Message], sampling: Sampling, media: Media) -> Reply:
        pieces = (
            CHAT.picture(medium) if isinstance(medium, Picture) else CHAT.sound(medium)
            for message in messages
            for part in message.parts
            if not isinstance(part, Text)
            for medium in (media[part],)
        )
        parts = (msgspec.Raw(b"".join(piece)) for piece in pieces)
        request = CHAT.request(self._endpoint.model, messages, parts, sampling, "max_tokens")
        request = msgspec.json.decode(msgspec.json.encode(request))
        response = await self._opened().acompletion(
            **request, timeout=self._timeout, num_retries=0, max_retries=0
        )
        completion = response.model_dump()
        for choice in completion.get("choices") or ():
            message = choice.get("message") or {}
            own = message.get("provider_specific_fields") or {}
            message.setdefault("refusal", own.get("refusal"))
        return read_reply(msgspec.json.encode(completion), self._clean)

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
                timeout=self._timeout,
                event_hooks={"response": [self._on_response]},
            )
            self._sdk.aclient_session = self._http
        return self._sdk

    async def _look(self) -> None:
        try:
            self._opened().get_llm_provider(self._endpoint.model)
        except Exception as error:
            message = shortened(self._clean(str(error)))
            raise FatalError(f"{message}: write litellm:PROVIDER/MODEL") from None

    async def close(self) -> None:
        """Close all connections."""
        if self._http is not None:
            await self._http.aclose()
            self._sdk.aclient_session = None
            self._sdk = self._http = None

    def _refusal(self, error: Exception) -> Refusal | None:
        return refusal_of(error)
