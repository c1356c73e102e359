"""Servers on this machine that speak what providers speak, and fail as they do.

One server takes every address; a `Wire` says how a provider writes what a `Say` means, and what a
request of its says.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from local_server import LocalServer

Part = tuple[str, ...]
"""("text", words), ("sound", base64, format) or ("image", base64, media type)."""


@dataclass
class Say:
    """What is replied: words and thoughts; how it ends; or a failure."""

    text: str = "Answer: B"
    thinking: str = ""
    finish: str = "stop"  # length, refusal, block
    status: int = 200
    message: str = ""
    param: str = ""
    code: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    stall_s: float = 0.0
    cut: bool = False
    likely: dict[str, float] = field(default_factory=dict)
    """Log-probabilities of what may be the first token."""


@dataclass
class Asked:
    """One request, as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.raw)


Answer = Callable[[Asked], Say]


class Wire:
    """OpenAI's chat completions."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def is_question(self, asked: Asked) -> bool:
        return asked.method == "POST" and asked.path.endswith("/chat/completions")

    def look(self, asked: Asked, server: ProviderServer) -> web.StreamResponse | None:
        """The answer to anything else than a question, where there is one."""
        return web.json_response({"object": "list", "data": []})

    def refuses(self, asked: Asked) -> Say | None:
        """What is refused whatever the test wants to be said."""
        return None

    def failure(self, say: Say) -> Any:
        error = {"message": say.message, "type": "error", "param": say.param or None}
        return {"error": error | {"code": say.code or None}}

    def reply(self, say: Say) -> Iterator[bytes]:
        yield json.dumps(self.completion(say)).encode()

    def completion(self, say: Say) -> Any:
        finish = {"refusal": "stop", "block": "content_filter"}.get(say.finish, say.finish)
        message: dict[str, Any] = {"role": "assistant", "content": say.text, "refusal": None}
        if say.finish == "refusal":
            message |= {"content": None, "refusal": say.text}
        if say.thinking:
            message["reasoning_content"] = say.thinking
        details = {"reasoning_tokens": 7} if say.thinking else {}
        choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
        if say.likely:
            choice["logprobs"] = {"content": [openai_token(say.likely)]}
        return {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "m-2026",
            "choices": [choice],
            "usage": {
                "prompt_tokens": 11,
                "completion_tokens": 10,
                "total_tokens": 21,
                "completion_tokens_details": details,
            },
        }

    def said(self, body: Any) -> list[tuple[str, list[Part]]]:
        return [(m["role"], self.parts(m["content"])) for m in body["messages"]]

    def parts(self, content: Any) -> list[Part]:
        if isinstance(content, str):
            return [("text", content)]
        return [self.part(part) for part in content]

    def part(self, part: Any) -> Part:
        if part["type"] == "text":
            return ("text", part["text"])
        if part["type"] == "image_url":
            return url_part(part["image_url"]["url"])
        return ("sound", part["input_audio"]["data"], part["input_audio"]["format"])


def url_part(url: str) -> Part:
    head, _, data = url.partition(",")
    return ("image", data, head.removeprefix("data:").removesuffix(";base64"))


def openai_token(likely: dict[str, float]) -> Any:
    """The first token, and what it might have been."""
    top = [{"token": token, "logprob": value, "bytes": []} for token, value in likely.items()]
    return {**top[0], "top_logprobs": top}


class MistralWire(Wire):
    """Thinking is a part of the content; sound has no format."""

    def completion(self, say: Say) -> Any:
        found = super().completion(say)
        message = found["choices"][0]["message"]
        message.pop("reasoning_content", None)
        message.pop("refusal")
        if say.thinking:
            thought = {"type": "thinking", "thinking": [{"type": "text", "text": say.thinking}]}
            message["content"] = [thought, {"type": "text", "text": say.text}]
        message["content"] = message["content"] or say.text
        if say.finish == "refusal":  # there is no such field: the filter says so
            found["choices"][0]["finish_reason"] = "content_filter"
        return found

    def part(self, part: Any) -> Part:
        if part["type"] == "input_audio":
            return ("sound", part["input_audio"])
        return url_part(part["image_url"]) if part["type"] == "image_url" else super().part(part)


class DashScopeWire(Wire):
    """A stream of chunks."""

    def reply(self, say: Say) -> Iterator[bytes]:
        whole = self.completion(say)
        choice, message = whole["choices"][0], whole["choices"][0]["message"]
        text = message["content"] or message["refusal"] or ""
        if message["refusal"]:
            choice["finish_reason"] = "content_filter"

        def chunk(delta: Any, finish: str | None = None, usage: Any = None) -> bytes:
            choices = [] if usage else [{"index": 0, "delta": delta, "finish_reason": finish}]
            data = {"id": "c1", "object": "chat.completion.chunk", "model": "m-2026"}
            return (
                b"data: "
                + json.dumps(data | {"choices": choices, "usage": usage}).encode()
                + b"\n\n"
            )

        yield chunk({"role": "assistant", "content": ""})
        if say.thinking:
            yield chunk({"reasoning_content": say.thinking, "content": None})
        for sign in text:
            yield chunk({"content": sign})
        yield chunk({"content": ""}, choice["finish_reason"])
        yield chunk({}, None, whole["usage"])
        yield b"data: [DONE]\n\n"

    def part(self, part: Any) -> Part:
        kind, *rest = super().part(part)
        return (kind, rest[0].removeprefix("data:;base64,"), *rest[1:]) if kind == "sound" else (
            kind, *rest
        )  # fmt: skip


class ResponsesWire(Wire):
    """OpenAI's responses."""

    def is_question(self, asked: Asked) -> bool:
        return asked.method == "POST" and asked.path.endswith("/responses")

    def completion(self, say: Say) -> Any:
        part: dict[str, Any] = {"type": "output_text", "text": say.text, "annotations": []}
        if say.likely:
            part["logprobs"] = [openai_token(say.likely)]
        if say.finish == "refusal":
            part = {"type": "refusal", "refusal": say.text}
        output: list[Any] = []
        if say.thinking:
            summary = [{"type": "summary_text", "text": say.thinking}]
            output.append({"type": "reasoning", "id": "r1", "summary": summary})
        if say.text:
            message = {"type": "message", "id": "m1", "role": "assistant", "status": "completed"}
            output.append(message | {"content": [part]})
        why = {"length": "max_output_tokens", "block": "content_filter"}.get(say.finish)
        return {
            "id": "resp1",
            "object": "response",
            "created_at": 1,
            "model": "m-2026",
            "status": "incomplete" if why else "completed",
            "incomplete_details": {"reason": why} if why else None,
            "error": None,
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": 11,
                "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
                "output_tokens": 10,
                "output_tokens_details": {"reasoning_tokens": 7 if say.thinking else 0},
                "total_tokens": 21,
            },
        }

    def said(self, body: Any) -> list[tuple[str, list[Part]]]:
        return [(m["role"], self.parts(m["content"])) for m in body["input"]]

    def part(self, part: Any) -> Part:
        if part["type"] == "input_text":
            return ("text", part["text"])
        return url_part(part["image_url"])


class GeminiWire(Wire):
    """generateContent, models, and files."""

    def is_question(self, asked: Asked) -> bool:
        return asked.path.endswith(":generateContent")

    def look(self, asked: Asked, server: ProviderServer) -> web.StreamResponse | None:
        name = asked.path.rpartition("/")[2]
        if asked.path.startswith("/upload/"):
            if asked.headers.get("X-Goog-Upload-Command") == "start":
                where = f"{server.url}/upload/v1beta/files?upload_id=u{len(self.files) + 1}"
                return web.json_response({}, headers={"X-Goog-Upload-URL": where})
            key = f"f{len(self.files) + 1}"
            self.files[key] = asked.raw
            found = {"file": self.file(key, "PROCESSING", server)}
            return web.json_response(found, headers={"X-Goog-Upload-Status": "final"})
        if asked.method == "DELETE":
            self.files.pop(name)
            return web.json_response({})
        if "/files/" in asked.path:
            return web.json_response(self.file(name, server.file_state, server))
        return web.json_response({"name": f"models/{name}"})

    def file(self, key: str, state: str, server: ProviderServer) -> Any:
        uri = f"{server.url}/v1beta/files/{key}"
        return {"name": f"files/{key}", "uri": uri, "state": state, "mimeType": "audio/wav"}

    def failure(self, say: Say) -> Any:
        found = {"code": say.status, "message": say.message, "status": say.code or "ERROR"}
        if say.status == 400 and "API key" in say.message:
            found["details"] = [{"reason": "API_KEY_INVALID"}]
        return {"error": found}

    def completion(self, say: Say) -> Any:
        usage = {"promptTokenCount": 11, "candidatesTokenCount": 3, "totalTokenCount": 14}
        usage["promptTokensDetails"] = [{"modality": "AUDIO", "tokenCount": 5}]
        if say.thinking:
            usage |= {"thoughtsTokenCount": 7, "totalTokenCount": 21}
        head = {"usageMetadata": usage, "modelVersion": "m-2026"}
        if say.finish == "block":
            return head | {"promptFeedback": {"blockReason": say.code or "PROHIBITED_CONTENT"}}
        parts = [{"text": say.thinking, "thought": True}] if say.thinking else []
        parts += [{"text": say.text}] if say.text else []
        reason = {"stop": "STOP", "length": "MAX_TOKENS", "refusal": say.code or "SAFETY"}
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
        if say.likely:
            top = [{"token": t, "logProbability": p} for t, p in say.likely.items()]
            found = {"topCandidates": [{"candidates": top}], "chosenCandidates": top[:1]}
            candidate["logprobsResult"] = found
        return head | {"candidates": [candidate | {"finishReason": reason[say.finish]}]}

    def said(self, body: Any) -> list[tuple[str, list[Part]]]:
        found = []
        if "systemInstruction" in body:
            found.append(("system", [self.part(p) for p in body["systemInstruction"]["parts"]]))
        for content in body["contents"]:
            role = {"model": "assistant"}.get(content["role"], content["role"])
            found.append((role, [self.part(part) for part in content["parts"]]))
        return found

    def part(self, part: Any) -> Part:
        if "text" in part:
            return ("text", part["text"])
        blob = part.get("inlineData") or part["fileData"]
        mime = blob.get("mimeType") or blob["mime_type"]
        kind, _, form = mime.partition("/")
        if "fileData" in part:
            uri = blob.get("fileUri") or blob["file_uri"]
            data = base64.b64encode(self.files[uri.rpartition("/")[2]]).decode()
        else:
            data = blob["data"].replace("-", "+").replace("_", "/")
        return ("image", data, mime) if kind == "image" else ("sound", data, form)


class AnthropicWire(Wire):
    """Messages, as a stream of events."""

    def refuses(self, asked: Asked) -> Say | None:
        """Versions from 2026-10-21 on take no sampling, on any model."""
        named = [n for n in ("temperature", "top_p", "top_k") if f'"{n}":'.encode() in asked.raw]
        if asked.headers.get("anthropic-version") == "2023-06-01" or not named:
            return None
        return Say(status=400, message=f"{named[0]}: Extra inputs are not permitted")

    def is_question(self, asked: Asked) -> bool:
        return asked.method == "POST" and asked.path.endswith("/messages")

    def look(self, asked: Asked, server: ProviderServer) -> web.StreamResponse | None:
        name = asked.path.rpartition("/")[2]
        about = {"type": "model", "id": name, "display_name": name}
        return web.json_response(about | {"created_at": "2026-01-01T00:00:00Z"})

    def failure(self, say: Say) -> Any:
        kinds = {401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error"}
        kind = kinds.get(say.status, "invalid_request_error" if say.status < 500 else "api_error")
        return {"type": "error", "error": {"type": kind, "message": say.message}}

    def reply(self, say: Say) -> Iterator[bytes]:
        def event(kind: str, **data: Any) -> bytes:
            return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()

        stops = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}
        stop = say.code or stops.get(say.finish, "refusal")
        message = {"id": "m1", "type": "message", "role": "assistant", "model": "m-2026"}
        usage = {"input_tokens": 11, "output_tokens": 1}
        message |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
        yield event("message_start", message=message)
        blocks = []
        if say.thinking:
            first = {"type": "thinking", "thinking": "", "signature": ""}
            blocks.append((first, {"type": "thinking_delta", "thinking": say.thinking}))
        if say.text:
            blocks.append(({"type": "text", "text": ""}, {"type": "text_delta", "text": say.text}))
        for place, (block, delta) in enumerate(blocks):
            yield event("content_block_start", index=place, content_block=block)
            yield event("content_block_delta", index=place, delta=delta)
            yield event("content_block_stop", index=place)
        usage = {"output_tokens": 10}
        if say.thinking:
            usage["output_tokens_details"] = {"thinking_tokens": 7}
        ended = {"stop_reason": stop, "stop_sequence": None}
        yield event("message_delta", delta=ended, usage=usage)
        yield event("message_stop")

    def said(self, body: Any) -> list[tuple[str, list[Part]]]:
        found = [("system", self.parts(body["system"]))] if body.get("system") else []
        return [*found, *((m["role"], self.parts(m["content"])) for m in body["messages"])]

    def part(self, part: Any) -> Part:
        if part["type"] == "text":
            return ("text", part["text"])
        return ("image", part["source"]["data"], part["source"]["media_type"])


class ProviderServer(LocalServer):
    """The server of a provider."""

    def __init__(self, wire: Wire, answer: Say | Answer | None = None) -> None:
        self.wire = wire
        self.answer = answer if callable(answer) else (lambda asked: answer or Say())
        self.asked: list[Asked] = []
        self.others: list[Asked] = []
        self.file_state = "ACTIVE"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def routes(self) -> list[web.RouteDef]:
        return [web.route("*", "/{path:.*}", self._handle)]

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        asked = Asked(request.method, request.path, dict(request.headers), await request.read())
        if not self.wire.is_question(asked):
            self.others.append(asked)
            found = self.wire.look(asked, self)
            return found or web.Response(status=404)
        self.asked.append(asked)
        say = self.wire.refuses(asked) or self.answer(asked)
        if say.raw is not None:
            return web.Response(
                body=say.raw,
                status=say.status,
                headers={"Content-Type": "application/json", **say.headers},
            )
        if say.status != 200:
            return web.json_response(self.wire.failure(say), status=say.status, headers=say.headers)
        return await self._stream(request, say)

    async def _stream(self, request: web.Request, say: Say) -> web.StreamResponse:
        pieces = list(self.wire.reply(say))
        streamed = len(pieces) > 1
        kind = "text/event-stream" if streamed else "application/json"
        response = web.StreamResponse(headers={"Content-Type": kind})
        await response.prepare(request)
        if say.cut:
            pieces = pieces[: len(pieces) // 2] if streamed else [pieces[0][:-20]]
        for place, piece in enumerate(pieces):
            if say.stall_s and place == len(pieces) // 2:
                await response.write(piece[:10])
                await asyncio.sleep(say.stall_s)
                piece = piece[10:]
            await response.write(piece)
        await response.write_eof()
        return response
