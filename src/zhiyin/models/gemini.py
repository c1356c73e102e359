"""Google's Gemini (API reference, "Generating content" and "Files"): words, pictures and sound.

What is larger than a request may be is uploaded without its name, waited for, and deleted after the
reply.
"""

from __future__ import annotations

import asyncio
import re
from base64 import b64decode
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from zhiyin.errors import LostError, ModelError
from zhiyin.files import NOT_JSON
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.claude import apart_from_system
from zhiyin.models.dialects import Dialect, Upload
from zhiyin.models.endpoint import Endpoint
from zhiyin.models.http import HttpClient
from zhiyin.models.refusals import Refusal, complaint_in, failure
from zhiyin.models.replies import TOP, counts_of, told_where
from zhiyin.parsing import decoded, events, fitting, is_stream, whole
from zhiyin.record import OFF, Finish, Likelihood, Reply, Sampling
from zhiyin.trial import Message, Messages, Text

_REFUSED = frozenset(
    {"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"}
    | {"IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "MODEL_ARMOR"}
)
_FINISHES: dict[str, Finish] = {"STOP": "stop", "MAX_TOKENS": "length"}
_CALLS = "_FUNCTION_CALL", "_TOOL_CALL", "_TOOL_CALLS"
_POLL_S = 0.5
_RETRY_DELAY = re.compile(rb"retryDelay\W{1,8}(\d{1,9}(?:\.\d{1,9})?)s")


class _Struct(msgspec.Struct, rename="camel"):
    """Base of Gemini's messages; names are in camel case there."""


class _ContentPart(_Struct):
    text: str | None = None
    thought: bool | None = None
    function_call: Any = None


class _Content(_Struct):
    parts: list[_ContentPart] | None = None


class _Likely(_Struct):
    token: str | None = None
    log_probability: float | None = None


class _Step(_Struct):
    candidates: list[_Likely] | None = None


class _Logprobs(_Struct):
    top_candidates: list[_Step] | None = None


class _Candidate(_Struct):
    content: _Content | None = None
    finish_reason: str | None = None
    logprobs_result: Any = None


class _ModalityCount(_Struct):
    modality: str = ""
    token_count: int | None = None


class _UsageMetadata(_Struct):
    prompt_token_count: int | None = None
    candidates_token_count: int | None = None
    thoughts_token_count: int | None = None
    total_token_count: int | None = None
    cached_content_token_count: int | None = None
    prompt_tokens_details: list[_ModalityCount] | None = None


class _Feedback(_Struct):
    block_reason: str | None = None


class _GeminiResponse(_Struct):
    candidates: list[_Candidate] | None = None
    model_version: Any = None
    prompt_feedback: _Feedback | None = None
    usage_metadata: Any = None
    error: Any = None


class _File(_Struct):
    name: str
    uri: str = ""
    state: str = ""


class _Uploaded(_Struct):
    file: _File


class _Blob(_Struct):
    mime_type: str
    data: str


class _Inline(_Struct):
    inline_data: _Blob


class Gemini(Dialect):
    """Google's Gemini."""

    kind = identity = "Gemini"
    path = "/v1beta/{model}:generateContent"
    looks_at = "/v1beta/{model}"
    lengths = ("maxOutputTokens",)
    at_once = 16
    names = {"temperature": "temperature", "top_p": "topP", "top_k": "topK", "seed": "seed"}
    sound_form = '{"inlineData":{"mimeType":"audio/<format>","data":"<data>"}}'
    picture_form = '{"inlineData":{"mimeType":"image/<format>","data":"<data>"}}'
    request_bytes = 20 * 10**6
    """Of a request with everything in it (guide "Files API")."""

    def place(self, endpoint: Endpoint, path: str) -> str:
        name = endpoint.model if "/" in endpoint.model else f"models/{endpoint.model}"
        return endpoint.url(path.replace("{model}", name))

    def headers(self, endpoint: Endpoint, sampling: Sampling | None = None) -> dict[str, str]:
        return {"x-goog-api-key": endpoint.key} if endpoint.key else {}

    def first_token(self, asked: Likelihood, can: Capabilities) -> Likelihood:
        asked = super().first_token(asked, can)
        if isinstance(can.thinking, tuple) and OFF in can.thinking:
            return msgspec.structs.replace(asked, thinking=OFF)
        return asked

    def request(
        self,
        model: str,
        messages: Messages,
        media: Iterator[msgspec.Raw],
        sampling: Sampling,
        length: str,
    ) -> dict[str, object]:
        settings = self._settings(sampling, length)
        return {**self.conversation(messages, media), "generationConfig": settings}

    def conversation(self, messages: Messages, media: Iterator[msgspec.Raw]) -> dict[str, object]:
        system, others = apart_from_system(messages)
        return {
            **({"systemInstruction": {"parts": [{"text": system}]}} if system else {}),
            "contents": [self._message(message, media) for message in others],
        }

    def _message(self, message: Message, media: Iterator[msgspec.Raw]) -> dict[str, object]:
        role = "model" if message.role == "assistant" else "user"
        parts = [{"text": p.text} if isinstance(p, Text) else next(media) for p in message.parts]
        return {"role": role, "parts": parts}

    def _schema(self, schema: dict[str, object]) -> dict[str, object]:
        return {"responseMimeType": "application/json", "responseJsonSchema": schema}

    def _logprobs(self, length: str) -> dict[str, object]:
        return {"responseLogprobs": True, "logprobs": TOP}

    def _thinking(self, thinking: str | int) -> dict[str, object]:
        if thinking == OFF:
            return {"thinkingConfig": {"thinkingBudget": 0}}
        if isinstance(thinking, int):
            return {"thinkingConfig": {"thinkingBudget": thinking, "includeThoughts": True}}
        return {"thinkingConfig": {"thinkingLevel": thinking.upper(), "includeThoughts": True}}

    async def upload(
        self, client: HttpClient, endpoint: Endpoint, parts: Sequence[msgspec.Raw]
    ) -> Upload:
        """Upload each part ("Files API", resumable, in one piece), and wait until it can be used.

        Raises
        ------
        ModelError
            A file cannot be uploaded, or not be used; those that were uploaded are deleted.
        """
        upload = Upload([], [])
        try:
            for part in parts:
                blob = msgspec.json.decode(part, type=_Inline).inline_data
                file = await self._upload(client, endpoint, blob, upload.places)
                data = {"fileUri": file.uri, "mimeType": blob.mime_type}
                upload.parts.append(msgspec.Raw(msgspec.json.encode({"fileData": data})))
        except BaseException:
            await self.delete(client, endpoint, upload.places)
            raise
        return upload

    async def delete(self, client: HttpClient, endpoint: Endpoint, places: Sequence[str]) -> None:
        """Delete what was uploaded. What cannot be deleted goes after two days by itself."""
        key = self.headers(endpoint)
        await asyncio.gather(
            *(client.send("DELETE", place, key) for place in places), return_exceptions=True
        )

    async def _upload(
        self, client: HttpClient, endpoint: Endpoint, blob: _Blob, places: list[str]
    ) -> _File:
        """A file of Gemini's, ready to be used. It is given bytes, and so no name."""
        data, key = b64decode(blob.data), self.headers(endpoint)

        async def answered(
            method: str, url: str, headers: Mapping[str, str], body: bytes | None
        ) -> Any:
            response = await client.send(method, url, {**key, **headers}, body)
            if response.status != 200:
                raise failure(*self.refusal(*response), endpoint.clean)
            return response

        start = {
            "X-Goog-Upload-Protocol": "resumable",
            "X-Goog-Upload-Command": "start",
            "X-Goog-Upload-Header-Content-Length": str(len(data)),
            "X-Goog-Upload-Header-Content-Type": blob.mime_type,
        }
        about = msgspec.json.encode({"file": {"mimeType": blob.mime_type}})
        begun = await answered("POST", endpoint.url("/upload/v1beta/files"), start, about)
        place = begun.headers.get("X-Goog-Upload-URL", "")
        if not endpoint.owns(place):  # the key would go where the user did not send it
            raise ModelError("the server names another address than its own for an upload")
        finish = {"X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": "0"}
        finish["Content-Type"] = blob.mime_type
        try:
            ended = await answered("POST", place, finish, data)
            file = msgspec.json.decode(ended.body, type=_Uploaded).file
            where = endpoint.url(f"/v1beta/{file.name}")
            places.append(where)
            while file.state == "PROCESSING":
                await asyncio.sleep(_POLL_S)
                file = msgspec.json.decode(
                    (await answered("GET", where, {}, None)).body, type=_File
                )
        except NOT_JSON as error:
            raise LostError(f"what came back is no file of {self.kind} ({error})") from None
        if file.state != "ACTIVE":
            raise ModelError(f"the uploaded file cannot be used (state {file.state})")
        return file

    def refusal(self, status: int, headers: Mapping[str, str], body: bytes) -> Refusal:
        refusal = super().refusal(status, headers, body)
        if b"API_KEY_INVALID" in body or b"API key not valid" in body:
            refusal = refusal._replace(status=401)
        if wait := _RETRY_DELAY.search(body):
            refusal = refusal._replace(headers={**headers, "Retry-After": wait[1].decode()})
        return refusal

    def read(
        self, body: bytes, clean: Callable[[str], str], sent: Collection[str] = frozenset()
    ) -> Reply:
        response = _joined(body, f"reply of {self.kind}")
        if response.error:
            complaint = complaint_in(response.error)
            status = int(complaint.code) if re.fullmatch("[1-5][0-9]{2}", complaint.code) else 502
            raise failure(status, {}, complaint, clean, sent)
        detail: dict[str, object] = (
            {"model": response.model_version} if response.model_version else {}
        )
        usage = _counts(fitting(response.usage_metadata, _UsageMetadata))
        if response.candidates:
            return _reply(response.candidates[0], usage, detail)
        if response.prompt_feedback and (why := response.prompt_feedback.block_reason):
            return Reply("", "refusal", usage, detail={**detail, "block_reason": why})
        raise LostError("the server's reply holds no candidates")


def _joined(body: bytes, what: str) -> _GeminiResponse:
    """The response in a body, or the one that the pieces of a stream or a list make."""
    if is_stream(body):
        pieces = list(events(body, _GeminiResponse))
    else:
        read = decoded(body, list[_GeminiResponse] | _GeminiResponse, what)  # type: ignore[arg-type]
        pieces = read if isinstance(read, list) else [read]
    last = pieces[-1] if pieces else _GeminiResponse()
    firsts = [piece.candidates[0] for piece in pieces if piece.candidates]
    if firsts:
        parts = [part for one in firsts for part in (one.content and one.content.parts) or ()]
        firsts[-1].content, last.candidates = _Content(parts), firsts[-1:]
    return last


def _reply(candidate: _Candidate, usage: dict[str, int], detail: dict[str, object]) -> Reply:
    reason = candidate.finish_reason or ""
    parts = (candidate.content and candidate.content.parts) or []
    text = whole(part.text for part in parts if part.text and not part.thought)
    called = any(part.function_call for part in parts) or reason.endswith(_CALLS)
    if thoughts := "".join(part.text for part in parts if part.text and part.thought):
        detail["reasoning"] = thoughts
    if reason in _REFUSED:
        return Reply(text, "refusal", usage, detail={**detail, "finish_reason": reason})
    if reason not in _FINISHES and not called:
        raise LostError(f"the server gave the reply up (finishReason {reason or 'not given'})")
    finish = _FINISHES.get(reason, "stop")
    reply = Reply(text, finish, usage, detail=detail, logprobs=_first(candidate))
    return told_where(reply, called)


def _first(candidate: _Candidate) -> dict[str, float]:
    """The log-probabilities of the first token, where they were asked for ("LogprobsResult")."""
    known = fitting(candidate.logprobs_result, _Logprobs)
    steps = (known and known.top_candidates) or ()
    return {
        one.token: one.log_probability
        for one in (steps[0].candidates or () if steps else ())
        if one.token is not None and one.log_probability is not None
    }


def _counts(usage: _UsageMetadata | None) -> dict[str, int]:
    """Token counts under the names of chat completions; thinking is part of the completion."""
    if usage is None:
        return {}
    thought = usage.thoughts_token_count or 0
    by_kind = {one.modality: one.token_count for one in usage.prompt_tokens_details or ()}
    return counts_of(
        usage.prompt_token_count or 0,
        (usage.candidates_token_count or 0) + thought,
        usage.total_token_count or 0,
        reasoning=thought,
        audio=by_kind.get("AUDIO"),
        image=by_kind.get("IMAGE"),
        cached=usage.cached_content_token_count,
    )
