"""Anthropic's messages, through the package `anthropic`: words and pictures, always streamed.

Follows the API reference, "Create a Message", and the guides on stop reasons, adaptive and extended
thinking, and structured outputs. The package refuses to wait ten minutes for a reply that is not
streamed; a stream has no such end.
"""

from __future__ import annotations

import importlib
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from zhiyin.errors import LostError, UnsupportedError
from zhiyin.models import Setting
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.endpoint import Endpoint
from zhiyin.models.packages import Media, Refusal, SdkModel, system_text
from zhiyin.models.pictures import Picture
from zhiyin.models.replies import Complaint
from zhiyin.models.thinking import way_of
from zhiyin.record import OFF, Finish, Reply, Sampling
from zhiyin.trial import Message, Text

USUAL_LENGTH = 8192
"""Tokens of a reply where no limit is set (the API wants one), besides a budget for thinking."""
_FINISHES: dict[str, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_MOST_PAUSES = 5
_OLDER = "2023-06-01"
"""The version of the API that still knows temperature, top-p and top-k ("Versioning"); the package
asks for a later one, which refuses them on every model."""


def open_claude(endpoint: Endpoint, setting: Setting, can: Capabilities) -> ClaudeModel:
    """The model of ``anthropic:MODEL``."""
    return ClaudeModel(endpoint, setting.timeout, setting.concurrency, setting.sound, can)


class ClaudeModel(SdkModel):
    """A model of Anthropic's; see `SdkModel`."""

    kind, package = "Anthropic messages", "anthropic"
    _client: Any = None

    async def _ask(self, messages: Sequence[Message], sampling: Sampling, media: Media) -> Reply:
        system, turns = system_text(messages), _turns(messages, media)
        request = _settings(sampling) | ({"system": system} if system else {})
        content: list[Any] = []
        usage: dict[str, int] = {}
        for _ in range(_MOST_PAUSES):
            async with self._opened().messages.stream(
                model=self._endpoint.model, messages=turns, **request
            ) as stream:
                message = await stream.get_final_message()
            for name, count in _counts(message.usage).items():
                usage[name] = usage.get(name, 0) + count
            content += message.content
            if message.stop_reason != "pause_turn":
                break
            # A long turn, to be gone on with as it stands.
            turns = [*turns, {"role": "assistant", "content": message.content}]
        return _reply(message, content, usage)

    def _json(
        self, messages: Sequence[Message], sampling: Sampling, media: Media
    ) -> dict[str, Any]:
        settings = _settings(sampling)
        settings |= settings.pop("extra_body", {})
        settings.pop("extra_headers", None)  # batches are handed in to the version that knows all
        system = system_text(messages)
        return {
            "model": self._endpoint.model,
            **settings,
            **({"system": system} if system else {}),
            "messages": _turns(messages, media),
        }

    def _from_json(self, body: Any) -> Reply:
        message = importlib.import_module("anthropic.types").Message.model_validate(body)
        return _reply(message, message.content, _counts(message.usage))

    def _excluded(self, sampling: Sampling) -> frozenset[str]:
        """Whoever thinks has a temperature of its own ("Extended thinking")."""
        thinks = sampling.thinking not in (None, OFF)
        return frozenset({"temperature", "top_k"}) if thinks else frozenset()

    async def _look(self) -> None:
        await self._opened().models.retrieve(self._endpoint.model)

    async def close(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    def describe(self) -> dict[str, Any]:
        """What a run's manifest says of this model."""
        return {**super().describe(), "length_limit_where_none_is_given": USUAL_LENGTH}

    def _opened(self) -> Any:
        if self._client is None:
            sdk = importlib.import_module("anthropic")
            name = (
                "auth_token" if self._endpoint.key_source == "ANTHROPIC_AUTH_TOKEN" else "api_key"
            )
            self._client = sdk.AsyncAnthropic(
                **{name: self._endpoint.key or "none"},
                base_url=self._endpoint.base,
                timeout=self._timeout,
                max_retries=0,
                # A redirect is never followed: what is asked is for this address alone.
                http_client=sdk.DefaultAsyncHttpxClient(
                    follow_redirects=False, event_hooks={"response": [self._on_response]}
                ),
            )
        return self._client

    def _refusal(self, error: Exception) -> Refusal | None:
        status = getattr(error, "status_code", None)
        response = getattr(error, "response", None)
        if not isinstance(status, int) or response is None or status == 200:
            body = getattr(error, "body", None)
            return _in_stream(body) if isinstance(body, dict) else None
        return Refusal(status, response.headers, _complaint(getattr(error, "body", None), error))


def _turns(messages: Sequence[Message], media: Media) -> list[dict[str, Any]]:
    """The conversation without its system messages."""
    return [{"role": m.role, "content": _content(m, media)} for m in messages if m.role != "system"]


def _content(message: Message, media: Media) -> list[dict[str, Any]] | str:
    if all(isinstance(part, Text) for part in message.parts):
        return message.text
    content: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, Text):
            content.append({"type": "text", "text": part.text})
            continue
        picture = media[part]
        if not isinstance(picture, Picture):
            raise UnsupportedError("Anthropic's models take no sound")
        data = b64encode(picture.data).decode()
        source = {"type": "base64", "media_type": picture.mime, "data": data}
        content.append({"type": "image", "source": source})
    return content


def _settings(sampling: Sampling) -> dict[str, Any]:
    """The settings of a request. What the package has no argument for goes into `extra_body`."""
    length = sampling.max_tokens or USUAL_LENGTH
    chosen: dict[str, Any] = {}
    output: dict[str, Any] = {}
    more = {
        name: value
        for name in ("temperature", "top_p", "top_k")
        if (value := getattr(sampling, name)) is not None
    }
    if sampling.thinking is not None:
        way = way_of(sampling.thinking)
        if way == "budget":
            chosen["thinking"] = {"type": "enabled", "budget_tokens": sampling.thinking}
            length = sampling.max_tokens or USUAL_LENGTH + int(sampling.thinking)
        elif sampling.thinking == OFF:
            chosen["thinking"] = {"type": "disabled"}
        else:
            chosen["thinking"] = {"type": "adaptive", "display": "summarized"}
            output["effort"] = sampling.thinking
    if sampling.schema is not None:
        output["format"] = {"type": "json_schema", "schema": sampling.schema}
    chosen |= {"output_config": output} if output else {}
    if more:
        chosen |= {"extra_body": more, "extra_headers": {"anthropic-version": _OLDER}}
    return {"max_tokens": length, **chosen}


def _reply(message: Any, content: Sequence[Any], usage: dict[str, int]) -> Reply:
    reason = message.stop_reason
    if reason not in _FINISHES:
        raise LostError(f"the model gave the reply up (stop_reason {reason})")
    text = "".join(block.text for block in content if block.type == "text")
    thoughts = [
        block.thinking if block.type == "thinking" else "[redacted]"
        for block in content
        if block.type in ("thinking", "redacted_thinking")
    ]
    detail: dict[str, Any] = {"model": message.model}
    if any(thoughts):
        detail["reasoning"] = "\n\n".join(filter(None, thoughts))
    if reason not in ("end_turn", "max_tokens"):
        detail["stop_reason"] = reason
    return Reply(text, _FINISHES[reason], usage, detail=detail)


def _counts(usage: Any) -> dict[str, int]:
    """Token counts under the names of chat completions; what was read from a cache is sent too."""
    cached = usage.cache_read_input_tokens or 0
    sent = usage.input_tokens + cached + (usage.cache_creation_input_tokens or 0)
    counts = {"prompt_tokens": sent, "completion_tokens": usage.output_tokens}
    if cached:
        counts["prompt_tokens_details.cached_tokens"] = cached
    thought = getattr(getattr(usage, "output_tokens_details", None), "thinking_tokens", None)
    return counts | ({"completion_tokens_details.reasoning_tokens": thought} if thought else {})


_STATUSES = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "rate_limit_error": 429,
    "overloaded_error": 529,
}


def _in_stream(body: dict[str, Any]) -> Refusal | None:
    """An error that came as an event of a stream that had begun with success."""
    inner = body.get("error")
    if not isinstance(inner, dict):
        return None
    return Refusal(_STATUSES.get(str(inner.get("type")), 500), {}, _complaint(body, None))


def _complaint(body: Any, error: Exception | None) -> Complaint:
    inner = body.get("error") if isinstance(body, dict) else None
    if isinstance(inner, dict):
        return Complaint(" ".join(str(inner.get("message")).split()), str(inner.get("type") or ""))
    return Complaint(" ".join(str(body or error).split()))
