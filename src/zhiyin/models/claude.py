"""Anthropic's messages (API reference, "Create a Message"): words and pictures, always streamed.

The guides on stop reasons, adaptive and extended thinking, and structured outputs hold beside it. A
reply that is not streamed may take so long that something on the way gives the connection up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import msgspec

from zhiyin.errors import LostError
from zhiyin.files import NOT_JSON
from zhiyin.models.capabilities import way_of
from zhiyin.models.dialects import Dialect
from zhiyin.models.endpoint import Endpoint
from zhiyin.models.refusals import complaint_in, failure
from zhiyin.models.replay import chat_messages
from zhiyin.models.replies import counts_of, told_where
from zhiyin.parsing import decoded, events, fitting, is_stream, whole
from zhiyin.record import OFF, Finish, Reply, Sampling
from zhiyin.trial import Message, Messages

USUAL_LENGTH = 8192
"""Tokens of a reply where no limit is set (the API wants one), besides a budget for thinking."""
_FINISHES: dict[str | None, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
    "tool_use": "stop",
}
_VERSION, _OLDER = "2026-10-21", "2023-06-01"
"""The version of the API that still knows temperature, top-p and top-k is the older ("Versioning");
later ones refuse them on every model."""
STATUSES = {
    "invalid_request_error": 400, "authentication_error": 401, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429,
    "overloaded_error": 529,
}  # fmt: skip
"""Of an error that comes without one: in a stream that began with success, or in a batch."""


class PausedTurn(LostError):  # noqa: N818 - it is a part of a reply
    """A long turn that ends for now, and is gone on with: what was said so far, and its content.

    Where nobody goes on with it there is no reply, and what was said so far is none.
    """

    def __init__(self, reply: Reply, content: list[Any]) -> None:
        super().__init__("the model gave the reply up (stop_reason pause_turn)")
        self.so_far, self.content = reply, content


class _Block(msgspec.Struct):
    type: str = ""
    text: str = ""
    thinking: str = ""


class _OutputDetails(msgspec.Struct):
    thinking_tokens: int | None = None


class _Usage(msgspec.Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens_details: _OutputDetails | None = None

    @property
    def counts(self) -> dict[str, int]:
        """Counts under the names of chat completions; what was read from a cache is sent too."""
        cached = self.cache_read_input_tokens or 0
        sent = (self.input_tokens or 0) + cached + (self.cache_creation_input_tokens or 0)
        details = self.output_tokens_details
        thought = details.thinking_tokens if details else None
        return counts_of(sent, self.output_tokens or 0, cached=cached, reasoning=thought)


class _Message(msgspec.Struct):
    content: list[dict[str, Any]] | None = None
    model: Any = ""
    stop_reason: str | None = None
    usage: Any = None
    error: Any = None


class _Delta(msgspec.Struct, frozen=True):
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    stop_reason: str | None = None


class _Event(msgspec.Struct):
    type: str = ""
    message: _Message | None = None
    index: int = 0
    content_block: dict[str, Any] | None = None
    delta: _Delta = _Delta()
    usage: Any = None
    error: Any = None


class Claude(Dialect):
    """Anthropic's messages."""

    kind = identity = "Anthropic messages"
    path = "/v1/messages"
    looks_at = "/v1/models/{model}"
    lengths = ("max_tokens",)
    at_once = 16
    described = {"length_limit_where_none_is_given": USUAL_LENGTH}
    names = {name: name for name in ("temperature", "top_p", "top_k")}

    def headers(self, endpoint: Endpoint, sampling: Sampling | None = None) -> dict[str, str]:
        # Of batches and counts, which name no settings here, the version that knows all is asked.
        sampled = sampling is None or any(
            getattr(sampling, name) is not None for name in self.names
        )
        version = {"anthropic-version": _OLDER if sampled else _VERSION}
        if endpoint.key_source == "ANTHROPIC_AUTH_TOKEN":
            return version | endpoint.bearer
        return version | ({"x-api-key": endpoint.key} if endpoint.key else {})

    def excludes(self, sampling: Sampling) -> frozenset[str]:
        """Settings that thinking excludes: it has its own temperature ("Extended thinking")."""
        thinks = sampling.thinking not in (None, OFF)
        return frozenset({"temperature", "top_k"}) if thinks else frozenset()

    no_sound = "Anthropic's models take no sound"
    picture_form = (
        '{"type":"image","source":{"type":"base64","media_type":"image/<format>","data":"<data>"}}'
    )

    def conversation(self, messages: Messages, media: Iterator[msgspec.Raw]) -> dict[str, object]:
        system, others = apart_from_system(messages)
        return {
            **({"system": system} if system else {}),
            "messages": chat_messages(others, lambda _: next(media)),
        }

    def _settings(self, sampling: Sampling, length: str) -> dict[str, object]:
        budget = sampling.thinking if isinstance(sampling.thinking, int) else 0
        usual = {length: USUAL_LENGTH + budget}
        chosen = {**usual, **super()._settings(sampling, length), "stream": True}
        output: dict[str, object] = {}
        if sampling.thinking is not None and way_of(sampling.thinking) == "level":
            output["effort"] = sampling.thinking
        if sampling.schema is not None:
            output["format"] = {"type": "json_schema", "schema": sampling.schema}
        return chosen | ({"output_config": output} if output else {})

    def _schema(self, schema: dict[str, object]) -> dict[str, object]:
        return {}  # stands beside the effort of thinking

    def _thinking(self, thinking: str | int) -> dict[str, object]:
        if isinstance(thinking, int):
            return {"thinking": {"type": "enabled", "budget_tokens": thinking}}
        if thinking == OFF:
            return {"thinking": {"type": "disabled"}}
        return {"thinking": {"type": "adaptive", "display": "summarized"}}

    def read(
        self, body: bytes, clean: Callable[[str], str], sent: Collection[str] = frozenset()
    ) -> Reply:
        what = f"reply of {self.kind}"
        message = _joined(body) if is_stream(body) else decoded(body, _Message, what)
        try:
            blocks = msgspec.convert(message.content or [], list[_Block])
        except NOT_JSON as error:
            raise LostError(f"what came back is no {what} ({error})") from None
        if message.error:
            kind = message.error.get("type") if isinstance(message.error, dict) else ""
            status = STATUSES.get(str(kind), 500)
            raise failure(status, {}, complaint_in(message.error), clean, sent)
        return _reply(message, blocks)


def _joined(body: bytes) -> _Message:
    """The message that a stream of events makes ("Streaming messages")."""
    message = _Message()
    for event in events(body, _Event):
        if event.error:
            return _Message(error=event.error)
        if event.message is not None:
            message = event.message
            message.content, message.stop_reason = [], None
        elif event.content_block is not None:
            message.content = [*(message.content or ()), event.content_block]
        elif event.type == "content_block_delta":
            if not message.content or event.index >= len(message.content):
                raise LostError("a piece of the server's reply belongs to nothing")
            block = message.content[event.index]
            for name in ("text", "thinking", "signature"):
                if piece := getattr(event.delta, name):
                    block[name] = f"{block.get(name) or ''}{piece}"
        elif event.type == "message_delta":
            message.stop_reason = event.delta.stop_reason
            message.usage = _later(message.usage, event.usage)
    return message


def _later(before: Any, now: Any) -> Any:
    """Counts as far as they are known at the end of a stream, which names some of them again."""
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return now or before
    return before | {name: value for name, value in now.items() if value is not None}


def _reply(message: _Message, blocks: Sequence[_Block]) -> Reply:
    reason = message.stop_reason
    text = whole(block.text for block in blocks if block.type == "text")
    thoughts = [
        block.thinking if block.type == "thinking" else "[redacted]"
        for block in blocks
        if block.type in ("thinking", "redacted_thinking")
    ]
    detail: dict[str, object] = {"model": message.model}
    if any(thoughts):
        detail["reasoning"] = "\n\n".join(filter(None, thoughts))
    if reason not in ("end_turn", "max_tokens"):
        detail["stop_reason"] = reason
    finish = _FINISHES.get(reason, "stop")
    usage = fitting(message.usage, _Usage)
    reply = Reply(text, finish, usage.counts if usage else {}, detail=detail)
    if reason == "pause_turn":
        raise PausedTurn(reply, message.content or [])
    if reason not in _FINISHES:
        raise LostError(f"the model gave the reply up (stop_reason {reason})")
    return told_where(reply, any(block.type.endswith("tool_use") for block in blocks))


def apart_from_system(messages: Messages) -> tuple[str, list[Message]]:
    """The words of all system messages, for APIs that take them beside the others; the others."""
    system = "\n\n".join(m.text for m in messages if m.role == "system")
    return system, [m for m in messages if m.role != "system"]


def resumed(before: Reply, further: Reply) -> Reply:
    """The whole reply where a paused turn was gone on with."""
    further.text = before.text + further.text
    for name, count in before.usage.items():
        further.usage[name] = further.usage.get(name, 0) + count
    thoughts = (one.detail.get("reasoning") for one in (before, further))
    if known := "\n\n".join(filter(None, thoughts)):
        further.detail["reasoning"] = known
    return further
