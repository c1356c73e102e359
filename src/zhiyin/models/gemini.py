"""Google's Gemini, through the package `google-genai`: words, pictures and sound.

Follows the API reference, "Generating content" and "Files". What is larger than a request may be is
uploaded without its name, waited for, and deleted afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import importlib.util
import io
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Sequence
from typing import Any

from zhiyin.errors import LostError, ModelError
from zhiyin.models import Setting
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.endpoint import Endpoint
from zhiyin.models.packages import Media, Refusal, SdkModel, system_text
from zhiyin.models.pictures import Picture
from zhiyin.models.playback import Clip
from zhiyin.models.replies import TOP, Complaint
from zhiyin.record import OFF, Finish, Likelihood, Reply, Sampling
from zhiyin.trial import Message, Text

LARGEST_REQUEST = 20 * 10**6
"""Bytes of a request with everything in it (guide "Files API")."""
_REFUSED = frozenset(
    {"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"}
    | {"IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "MODEL_ARMOR"}
)
_MIMES = {"mp3": "audio/mp3", "aiff": "audio/aiff"}
_POLL_S = 0.5


def open_gemini(endpoint: Endpoint, setting: Setting, can: Capabilities) -> GeminiModel:
    """The model of ``gemini:MODEL``."""
    return GeminiModel(endpoint, setting.timeout, setting.concurrency, setting.sound, can)


_RETRY_DELAY = re.compile(r"retryDelay\W{1,8}(\d{1,9}(?:\.\d{1,9})?)s")


class GeminiModel(SdkModel):
    """A model of Google's; see `SdkModel`."""

    kind, package = "Gemini", "google.genai"
    _client: Any = None
    _http: Any = None

    async def _ask(self, messages: Sequence[Message], sampling: Sampling, media: Media) -> Reply:
        async with self._as_parts(media) as places:
            contents = [
                {
                    "role": "model" if message.role == "assistant" else "user",
                    "parts": [
                        {"text": part.text} if isinstance(part, Text) else places[id(media[part])]
                        for part in message.parts
                    ],
                }
                for message in messages
                if message.role != "system"
            ]
            system = system_text(messages)
            response = await self._opened().aio.models.generate_content(
                model=self._endpoint.model,
                contents=contents,
                config=_config(sampling) | ({"system_instruction": system} if system else {}),
            )
        return _reply(response)

    def _json(
        self, messages: Sequence[Message], sampling: Sampling, media: Media
    ) -> dict[str, Any]:
        def part(one: Any) -> dict[str, Any]:
            if isinstance(one, Text):
                return {"text": one.text}
            data = b64encode(media[one].data).decode()
            return {"inlineData": {"mimeType": _mime(media[one]), "data": data}}

        system = system_text(messages)
        request: dict[str, Any] = {
            "contents": [
                {
                    "role": "model" if message.role == "assistant" else "user",
                    "parts": [part(one) for one in message.parts],
                }
                for message in messages
                if message.role != "system"
            ],
            "generationConfig": _camel(_config(sampling)),
        }
        if system:
            request["systemInstruction"] = {"parts": [{"text": system}]}
        return request

    def _from_json(self, body: Any) -> Reply:
        types = importlib.import_module("google.genai.types")
        return _reply(types.GenerateContentResponse.model_validate(body))

    async def _look(self) -> None:
        await self._opened().aio.models.get(model=self._endpoint.model)

    async def close(self) -> None:
        """Close all connections."""
        if self._http is not None:
            await self._http.aclose()
            self._client = self._http = None

    def _opened(self) -> Any:
        if self._client is None:
            genai = importlib.import_module("google.genai")
            # A redirect is never followed: the package would take the key along.
            httpx = importlib.import_module(_client_package())
            limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
            self._http = httpx.AsyncClient(
                follow_redirects=False,
                timeout=self._timeout,
                limits=limits,
                event_hooks={"response": [self._on_response]},
            )
            self._client = genai.Client(
                api_key=self._endpoint.key or "none",
                vertexai=False,
                http_options={
                    "base_url": self._endpoint.base,
                    "timeout": int(self._timeout * 1000),
                    "httpx_async_client": self._http,
                },
            )
        return self._client

    @contextlib.asynccontextmanager
    async def _as_parts(self, media: Media) -> AsyncIterator[dict[int, dict[str, Any]]]:
        """The part of a message for each sound and picture: in the request, or uploaded."""
        size = sum(len(medium.data) * 4 // 3 for medium in media.values())
        places: dict[int, dict[str, Any]] = {}
        names: list[str] = []
        try:
            for medium in media.values():
                mime = _mime(medium)
                if size <= LARGEST_REQUEST:
                    inline = {"data": medium.data, "mime_type": mime}
                    places[id(medium)] = {"inline_data": inline}
                    continue
                file = await self._upload(medium, mime, names)
                uri = {"file_uri": file.uri, "mime_type": mime}
                places[id(medium)] = {"file_data": uri}
            yield places
        finally:
            for name in names:
                # What cannot be deleted goes after two days by itself.
                with contextlib.suppress(Exception):
                    await self._opened().aio.files.delete(name=name)

    async def _upload(self, medium: Clip | Picture, mime: str, names: list[str]) -> Any:
        """A file of Gemini's, ready to be used. It is given bytes, and so no name."""
        files = self._opened().aio.files
        file = await files.upload(file=io.BytesIO(medium.data), config={"mime_type": mime})
        names.append(file.name)
        while _word(file.state) == "PROCESSING":
            await asyncio.sleep(_POLL_S)
            file = await files.get(name=file.name)
        if _word(file.state) != "ACTIVE":
            raise ModelError(f"the uploaded file cannot be used (state {_word(file.state)})")
        return file

    def _refusal(self, error: Exception) -> Refusal | None:
        status, details = getattr(error, "code", None), getattr(error, "details", None)
        if not isinstance(status, int):
            return None
        response = getattr(error, "response", None)
        message = getattr(error, "message", None) or str(details)
        word = str(getattr(error, "status", None) or "")
        if "API_KEY_INVALID" in str(details) or "API key not valid" in message:
            status = 401
        headers = dict(getattr(response, "headers", None) or {})
        if wait := _RETRY_DELAY.search(str(details)):
            headers["Retry-After"] = wait[1]
        return Refusal(status, headers, Complaint(" ".join(str(message).split()), word))


def _client_package() -> str:
    """httpx2 where it is there, which the package takes by itself, else httpx."""
    return "httpx2" if importlib.util.find_spec("httpx2") else "httpx"


def _mime(medium: Clip | Picture) -> str:
    if isinstance(medium, Picture):
        return medium.mime
    return _MIMES.get(medium.sent.format, f"audio/{medium.sent.format}")


def _config(sampling: Sampling) -> dict[str, Any]:
    chosen = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_k": sampling.top_k,
        "seed": sampling.seed,
        "max_output_tokens": sampling.max_tokens,
    }
    config: dict[str, Any] = {name: value for name, value in chosen.items() if value is not None}
    if sampling.schema is not None:
        config["response_mime_type"] = "application/json"
        config["response_json_schema"] = sampling.schema
    if isinstance(sampling, Likelihood):
        config |= {"response_logprobs": True, "logprobs": TOP}
    thinking = sampling.thinking
    if thinking == OFF:
        config["thinking_config"] = {"thinking_budget": 0}
    elif isinstance(thinking, int):
        config["thinking_config"] = {"thinking_budget": thinking, "include_thoughts": True}
    elif thinking is not None:
        config["thinking_config"] = {"thinking_level": thinking.upper(), "include_thoughts": True}
    return config


def _camel(config: dict[str, Any]) -> dict[str, Any]:
    """Settings under the names of the API, which the package takes in words of its own."""
    named = {}
    for name, value in config.items():
        first, *rest = name.split("_")
        inner = _camel(value) if name == "thinking_config" else value
        named[first + "".join(word.title() for word in rest)] = inner
    return named


def _reply(response: Any) -> Reply:
    detail: dict[str, Any] = {}
    if response.model_version:
        detail["model"] = response.model_version
    usage = _counts(response.usage_metadata)
    if not response.candidates:
        blocked = response.prompt_feedback and response.prompt_feedback.block_reason
        if not blocked:
            raise LostError("the server's reply holds no candidates")
        detail["block_reason"] = _word(blocked)
        return Reply("", "refusal", usage, detail=detail)
    candidate = response.candidates[0]
    reason = _word(candidate.finish_reason)
    parts = (candidate.content and candidate.content.parts) or []
    text = "".join(part.text for part in parts if part.text and not part.thought)
    thoughts = "".join(part.text for part in parts if part.text and part.thought)
    if thoughts:
        detail["reasoning"] = thoughts
    if reason in _REFUSED:
        detail["finish_reason"] = reason
        return Reply(text, "refusal", usage, detail=detail)
    finishes: dict[str, Finish] = {"STOP": "stop", "MAX_TOKENS": "length"}
    if reason not in finishes:
        raise LostError(f"the server gave the reply up (finishReason {reason or 'not given'})")
    return Reply(text, finishes[reason], usage, detail=detail, logprobs=_first(candidate))


def _first(candidate: Any) -> dict[str, float]:
    """The log-probabilities of the first token, where they were asked for ("LogprobsResult")."""
    steps = (candidate.logprobs_result and candidate.logprobs_result.top_candidates) or ()
    return {
        one.token: one.log_probability
        for one in (steps[0].candidates or () if steps else ())
        if one.token is not None and one.log_probability is not None
    }


def _counts(usage: Any) -> dict[str, int]:
    """Token counts under the names of chat completions; thinking is part of the completion."""
    if usage is None:
        return {}
    thought = usage.thoughts_token_count or 0
    counts = {
        "prompt_tokens": usage.prompt_token_count or 0,
        "completion_tokens": (usage.candidates_token_count or 0) + thought,
        "total_tokens": usage.total_token_count or 0,
    }
    if thought:
        counts["completion_tokens_details.reasoning_tokens"] = thought
    for one in usage.prompt_tokens_details or ():
        if one.token_count and _word(one.modality) in ("AUDIO", "IMAGE"):
            counts[f"prompt_tokens_details.{_word(one.modality).lower()}_tokens"] = one.token_count
    if usage.cached_content_token_count:
        counts["prompt_tokens_details.cached_tokens"] = usage.cached_content_token_count
    return counts


def _word(value: Any) -> str:
    """The word of an enumeration's value, or of a text; empty for nothing."""
    return str(getattr(value, "value", value) or "")
