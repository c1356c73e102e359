"""A model of Inspect AI's: whatever its providers reach, asked in words and pictures."""

from __future__ import annotations

import importlib
import importlib.util
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from zhiyin.errors import FatalError, TransientError, UnsupportedError
from zhiyin.models import Setting
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.endpoint import Endpoint
from zhiyin.models.packages import Media, Refusal, SdkModel
from zhiyin.models.pictures import Picture
from zhiyin.models.replies import Complaint, read_complaint, retry_after, shortened
from zhiyin.models.thinking import with_thinking_apart
from zhiyin.record import OFF, Finish, Reply, Sampling
from zhiyin.trial import Message, Text

_FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "refusal",
}


def open_inspected(endpoint: Endpoint, setting: Setting, can: Capabilities) -> InspectedModel:
    """The model of ``inspect:PROVIDER/MODEL``."""
    return InspectedModel(endpoint, setting.timeout, setting.concurrency, setting.sound, can)


class InspectedModel(SdkModel):
    """A model of Inspect AI's; see `SdkModel`. Keys and addresses are those that Inspect reads."""

    kind, package = "Inspect AI", "inspect_ai.model"
    own_environment = True
    _model: Any = None

    async def _ask(self, messages: Sequence[Message], sampling: Sampling, media: Media) -> Reply:
        inspect = importlib.import_module("inspect_ai.model")
        kinds = {
            "system": inspect.ChatMessageSystem,
            "user": inspect.ChatMessageUser,
            "assistant": inspect.ChatMessageAssistant,
        }
        asked = [kinds[m.role](content=_content(m, media, inspect)) for m in messages]
        config = inspect.GenerateConfig(max_retries=0, **_settings(sampling, inspect))
        output = await self._opened(inspect).generate(asked, config=config)
        return _reply(output)

    async def close(self) -> None:
        """Close all connections."""
        if self._model is not None:
            await self._model.api.aclose()
            self._model = None

    def _opened(self, inspect: Any) -> Any:
        if self._model is None:
            name = self._endpoint.model
            client = _client(name.partition("/")[0])
            try:
                self._model = inspect.get_model(name, memoize=False, **client)
            except Exception as error:  # no such provider, or one whose package or key is missing
                message = shortened(self._clean(f"Inspect AI: {error}"))
                raise FatalError(f"{message}{_version_hint(message)}") from None
        return self._model

    async def _look(self) -> None:
        self._opened(importlib.import_module("inspect_ai.model"))

    def _refusal(self, error: Exception) -> Refusal | None:
        return refusal_of(error)


def _version_hint(message: str) -> str:
    """What to do where another package keeps a provider's package at an older version."""
    if "package openai" not in message or not importlib.util.find_spec("litellm"):
        return ""
    return (
        ". LiteLLM, which is installed here, wants an older one: take an environment without it, "
        "or ask through openai:MODEL"
    )


def _client(provider: str) -> dict[str, Any]:
    """What the client of a provider is made with, where Inspect hands that on.

    No retries beside ours, and no redirect: what is asked, and the key, are for one address.
    """
    package = {"openai": "openai", "openai-api": "openai", "anthropic": "anthropic"}.get(provider)
    if package is None or not importlib.util.find_spec(package):
        return {}
    client = importlib.import_module(package).DefaultAsyncHttpxClient
    return {"max_retries": 0, "http_client": client(follow_redirects=False)}


def refusal_of(error: BaseException) -> Refusal | None:
    """What an exception of any provider's package says of a response, also of one behind it."""
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
                headers = own if own and retry_after(own, 0) is not None else headers
            # What is nearer to the server's own words goes before what wraps it.
            if refusal is None or isinstance(getattr(cause, "body", None), dict):
                refusal = Refusal(status, headers, _complaint(cause))
        cause = cause.__cause__ or cause.__context__
    return refusal and refusal._replace(headers=headers)


def _complaint(error: BaseException) -> Complaint:
    body: Any = getattr(error, "body", None)
    param = getattr(error, "param", None)
    if isinstance(body, dict):
        inner: Any = body["error"] if isinstance(body.get("error"), dict) else body
        code = inner.get("code") or inner.get("type")
        return Complaint(
            " ".join(str(inner.get("message") or inner).split()),
            str(code or ""),
            str(inner.get("param") or param or ""),
        )
    message = getattr(error, "message", None) or str(error)
    return read_complaint(str(message).encode())


def _content(message: Message, media: Media, inspect: Any) -> Any:
    if all(isinstance(part, Text) for part in message.parts):
        return message.text
    content: list[Any] = []
    for part in message.parts:
        if isinstance(part, Text):
            content.append(inspect.ContentText(text=part.text))
            continue
        picture = media[part]
        if not isinstance(picture, Picture):
            raise UnsupportedError("models of Inspect AI's are asked without sound")
        url = f"data:{picture.mime};base64,{b64encode(picture.data).decode()}"
        content.append(inspect.ContentImage(image=url))
    return content


def _settings(sampling: Sampling, inspect: Any) -> dict[str, Any]:
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


def _reply(output: Any) -> Reply:
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
    detail: dict[str, Any] = {"model": output.model} if output.model else {}
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
    counts = {"prompt_tokens": sent, "completion_tokens": usage.output_tokens}
    if usage.reasoning_tokens:
        counts["completion_tokens_details.reasoning_tokens"] = usage.reasoning_tokens
    return counts
