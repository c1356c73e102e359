"""Chat APIs over HTTP: how each writes a request, and how its reply is read.

OpenAI's chat completions are spoken by most servers. Mistral and DashScope speak them with words of
their own, OpenAI's responses say the same in another form, and Anthropic (`zhiyin.models.claude`)
and Google (`zhiyin.models.gemini`) in forms of their own. One client (`zhiyin.models.chat`) sends
them all. A provider of another form is one more class, and an entry of ``providers.json``.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import msgspec

from zhiyin.errors import LostError, UnsupportedError
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.endpoint import Endpoint
from zhiyin.models.media import Picture
from zhiyin.models.playback import SoundClip
from zhiyin.models.refusals import Refusal, read_complaint
from zhiyin.models.replay import chat_messages
from zhiyin.models.replies import (
    TOP,
    ChatChoice,
    ChatMessage,
    Completion,
    read_completion,
    reply_of,
)
from zhiyin.parsing import decoded, events, fitting, is_stream, whole
from zhiyin.record import OFF, Likelihood, Reply, Sampling
from zhiyin.trial import Messages

if TYPE_CHECKING:
    from zhiyin.models.http import HttpClient


class Upload(NamedTuple):
    """Parts that stand for what was uploaded, and the addresses at which it is deleted."""

    parts: list[msgspec.Raw]
    places: list[str]


class Dialect:
    """OpenAI's chat completions (API reference, "Create chat completion"), and what may differ."""

    kind: ClassVar[str] = "chat completions"
    path: ClassVar[str] = "/chat/completions"
    lengths: ClassVar[tuple[str, ...]] = ("max_tokens", "max_completion_tokens")
    """What the limit of a reply is called, and what where that is refused."""
    names: ClassVar[Mapping[str, str]] = {
        name: name for name in ("temperature", "top_p", "top_k", "seed")
    }
    """What settings are called."""
    looks_at: ClassVar[str] = "/models"
    """The path of what can be asked for nothing; ``{model}`` in paths is the model's name."""
    at_once: ClassVar[int] = 32
    """Calls at once, where the user says nothing."""
    sound_form: ClassVar[str] = (
        '{"type":"input_audio","input_audio":{"data":"<data>","format":"<format>"}}'
    )
    picture_form: ClassVar[str] = (
        '{"type":"image_url","image_url":{"url":"data:image/<format>;base64,<data>"}}'
    )
    """How a clip and a picture are written as JSON: base64, its format, and no name."""
    described: ClassVar[Mapping[str, object]] = {}
    """What a run's manifest says beside."""
    no_sound: ClassVar[str] = ""
    """Why no sound can be sent."""
    request_bytes: ClassVar[float] = math.inf
    """Sounds and pictures of more are uploaded before the request; see `upload`."""

    @property
    def identity(self) -> str:
        """Name of the interface in the key of a kept reply."""
        return f"OpenAI {self.path}"

    def place(self, endpoint: Endpoint, path: str) -> str:
        """The full address of a path. May hold a secret: not for showing."""
        return endpoint.url(path.replace("{model}", endpoint.model))

    def headers(self, endpoint: Endpoint, sampling: Sampling | None = None) -> dict[str, str]:
        """The headers of a request, its key among them; `sampling` is of what is asked, if any."""
        return endpoint.bearer

    def excludes(self, sampling: Sampling) -> frozenset[str]:
        """The settings that cannot be sent beside the others."""
        return frozenset()

    def first_token(self, asked: Likelihood, can: Capabilities) -> Likelihood:
        """Return the request for log-probabilities: one token, as it is drawn.

        At another temperature than 1 some servers return sharpened ones.
        """
        if can.logprobs is False:
            raise UnsupportedError(f"{self.kind} gives no log-probabilities: leave out --score")
        return msgspec.structs.replace(asked, temperature=1.0, max_tokens=1)

    def sound(self, clip: SoundClip) -> tuple[bytes, ...]:
        """A clip as JSON, in pieces. Raises `UnsupportedError` where none can be sent."""
        if self.no_sound:
            raise UnsupportedError(self.no_sound)
        return _in_form(self.sound_form, clip)

    def picture(self, picture: Picture) -> tuple[bytes, ...]:
        """A picture as JSON, in pieces."""
        return _in_form(self.picture_form, picture)

    def request(
        self,
        model: str,
        messages: Messages,
        media: Iterator[msgspec.Raw],
        sampling: Sampling,
        length: str,
    ) -> dict[str, object]:
        """The body of a request, to be written as JSON.

        Parameters
        ----------
        model : str
        messages : sequence of Message
        media : iterator of Raw
            The JSON of each sound and picture, in their order.
        sampling : Sampling
            What is None is not sent.
        length : str
            The name of the length limit.
        """
        settings = self._settings(sampling, length)
        return {"model": model, **settings, **self.conversation(messages, media)}

    def conversation(self, messages: Messages, media: Iterator[msgspec.Raw]) -> dict[str, object]:
        """The part of a request that holds the messages."""
        return {"messages": chat_messages(messages, lambda _: next(media))}

    async def delete(self, client: HttpClient, endpoint: Endpoint, places: Sequence[str]) -> None:
        """Delete what was uploaded."""

    async def upload(
        self, client: HttpClient, endpoint: Endpoint, parts: Sequence[msgspec.Raw]
    ) -> Upload:
        """Parts that stand for what was uploaded, for those that are too large for a request."""
        raise NotImplementedError

    def refusal(self, status: int, headers: Mapping[str, str], body: bytes) -> Refusal:
        """Read the refusal in a response with a status other than success."""
        return Refusal(status, headers, read_complaint(body))

    def read(
        self, body: bytes, clean: Callable[[str], str], sent: Collection[str] = frozenset()
    ) -> Reply:
        """The reply in the body of a successful response.

        Parameters
        ----------
        body : bytes
        clean : callable
            Takes secrets out of a text that the user will read.
        sent : collection of str
            What was sent beside words: "sound", "image".

        Raises
        ------
        LostError
            When the body is no reply.
        ModelError
            When a status of success carries an error, of the kind that the error's code calls for.
        """
        return reply_of(self._completion(body), clean, sent)

    def _completion(self, body: bytes) -> Completion:
        """The body of a successful response, as the chat completion that says the same."""
        return _join_chunks(body) if is_stream(body) else read_completion(body)

    def _settings(self, sampling: Sampling, length: str) -> dict[str, object]:
        chosen: dict[str, object] = {}
        if sampling.schema is not None:
            chosen |= self._schema(sampling.schema)
        for ours, theirs in self.names.items():
            value = getattr(sampling, ours)
            if value is not None:
                chosen[theirs] = value
        if sampling.max_tokens is not None:
            chosen[length] = sampling.max_tokens
        if sampling.thinking is not None:
            chosen |= self._thinking(sampling.thinking)
        if isinstance(sampling, Likelihood):
            chosen |= self._logprobs(length)
        return chosen

    def _schema(self, schema: dict[str, object]) -> dict[str, object]:
        """The setting that binds a reply to a JSON schema ("Structured outputs")."""
        form = {"name": "reply", "schema": schema, "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": form}}

    def _logprobs(self, length: str) -> dict[str, object]:
        """The settings that ask for the log-probabilities of the first token."""
        return {"logprobs": True, "top_logprobs": TOP}

    def _thinking(self, thinking: str | int) -> dict[str, object]:
        return {"reasoning_effort": "none" if thinking == OFF else thinking}


def _in_form(form: str, medium: SoundClip | Picture) -> tuple[bytes, ...]:
    head, tail = form.replace("<format>", medium.sent.format).encode().split(b"<data>")
    return head, b64encode(medium.data), tail


class Mistral(Dialect):
    """Mistral's chat completions (API reference, "Chat Completion"): sound is bare base64."""

    kind = "Mistral"
    lengths = ("max_tokens",)
    names = {**Dialect.names, "seed": "random_seed"}

    sound_form = '{"type":"input_audio","input_audio":"<data>"}'
    picture_form = '{"type":"image_url","image_url":"data:image/<format>;base64,<data>"}'


class DashScope(Dialect):
    """Alibaba Cloud's chat completions for Qwen (Model Studio, "Qwen-Omni"): always streamed.

    Sound is a data URL without a media type. What is sent back is read when all of it is there.
    """

    kind = "DashScope"
    lengths = ("max_tokens",)

    sound_form = (
        '{"type":"input_audio","input_audio":{"data":"data:;base64,<data>","format":"<format>"}}'
    )

    def _settings(self, sampling: Sampling, length: str) -> dict[str, object]:
        streamed = {"stream": True, "stream_options": {"include_usage": True}}
        return {**streamed, "modalities": ["text"], **super()._settings(sampling, length)}

    def _thinking(self, thinking: str | int) -> dict[str, object]:
        if isinstance(thinking, int):
            return {"enable_thinking": True, "thinking_budget": thinking}
        return {"enable_thinking": thinking != OFF}


class Responses(Dialect):
    """OpenAI's responses (API reference, "Create a model response"): words and pictures."""

    kind = "responses"
    path = "/responses"
    lengths = ("max_output_tokens",)
    names = {"temperature": "temperature", "top_p": "top_p"}

    no_sound = "OpenAI's responses take no sound: ask through openai:MODEL"
    picture_form = (
        '{"type":"input_image","detail":"auto","image_url":"data:image/<format>;base64,<data>"}'
    )

    def conversation(self, messages: Messages, media: Iterator[msgspec.Raw]) -> dict[str, object]:
        return {"input": chat_messages(messages, lambda _: next(media), "input_text")}

    def _settings(self, sampling: Sampling, length: str) -> dict[str, object]:
        # Nothing is to be kept by the server for later calls: what is asked is no secret of theirs.
        return {"store": False, **super()._settings(sampling, length)}

    def _schema(self, schema: dict[str, object]) -> dict[str, object]:
        form = {"type": "json_schema", "name": "reply", "schema": schema, "strict": True}
        return {"text": {"format": form}}

    def _logprobs(self, length: str) -> dict[str, object]:
        named = {"include": ["message.output_text.logprobs"], "top_logprobs": TOP}
        return {**named, length: _SHORTEST}

    def _thinking(self, thinking: str | int) -> dict[str, object]:
        if thinking == OFF:
            return {"reasoning": {"effort": "none"}}
        return {"reasoning": {"effort": thinking, "summary": "auto"}}

    def _completion(self, body: bytes) -> Completion:
        if not is_stream(body):
            response = decoded(body, _Response, "response")
            if response.error or response.output is None:
                return read_completion(body)
            return _as_completion(response)
        for event in events(body, _ResponseEvent):
            if event.type == "error":
                return Completion(error={"message": event.message, "code": event.code})
            if event.type in _ENDS and event.response:
                failed = event.response.error
                return Completion(error=failed) if failed else _as_completion(event.response)
        raise LostError(_BROKE_OFF)


CHAT = Dialect()
_SHORTEST = 16
"""Tokens of the smallest limit of length that responses take."""


class _Piece(msgspec.Struct):
    delta: ChatMessage | None = None
    message: ChatMessage | None = None
    finish_reason: Any = None
    logprobs: Any = None


class _Chunk(msgspec.Struct):
    choices: list[_Piece] | None = None
    model: Any = None
    usage: Any = None
    error: Any = None


_BROKE_OFF = "the server's reply broke off before its end"


def _join_chunks(body: bytes) -> Completion:
    """The completion that a stream of chunks makes, also where none was asked for.

    Raises
    ------
    LostError
        A chunk is no JSON, or the stream broke off before its end.
    """
    pieces: list[_Piece] = []
    usage, model = None, None
    for chunk in events(body, _Chunk):
        if chunk.error:
            return Completion(error=chunk.error)
        model, usage = chunk.model or model, chunk.usage or usage
        pieces += (chunk.choices or ())[:1]
    finish = next((p.finish_reason for p in reversed(pieces) if p.finish_reason), None)
    if finish is None and b"[DONE]" not in body:
        raise LostError(_BROKE_OFF)
    said = [p.delta for p in pieces if p.delta] or [p.message for p in pieces if p.message]
    likely = next((p.logprobs for p in pieces if p.logprobs), None)
    return Completion([ChatChoice(_joined(said), finish, likely)], model, usage)


def _joined(said: Sequence[ChatMessage]) -> ChatMessage:
    """The message that pieces of it make."""

    def texts(values: Iterator[Any]) -> str:
        return whole(value for value in values if isinstance(value, str))

    parts: list[Any] = []
    for one in said:
        parts += one.content if isinstance(one.content, list) else [one.content or ""]
    plain = all(isinstance(part, str) for part in parts)
    spoken = (one.audio.get("transcript") for one in said if isinstance(one.audio, dict))
    return ChatMessage(
        whole(parts) if plain else parts,
        texts(one.refusal for one in said),
        texts(one.reasoning_content or one.reasoning for one in said),
        audio={"transcript": texts(spoken)},
        tool_calls=[call for one in said if (call := one.tool_calls or one.function_call)],
    )


class _Part(msgspec.Struct):
    type: str = ""
    text: str | None = None
    refusal: str | None = None
    logprobs: Any = None


class _Item(msgspec.Struct):
    type: str = ""
    content: list[_Part] | None = None
    summary: list[_Part] | None = None


class _Incomplete(msgspec.Struct):
    reason: str | None = None


class _Response(msgspec.Struct):
    output: list[_Item] | None = None
    model: Any = None
    status: Any = None
    incomplete_details: _Incomplete | None = None
    usage: Any = None
    error: Any = None


class _ResponseEvent(msgspec.Struct):
    type: str = ""
    response: _Response | None = None
    message: Any = None
    code: Any = None


_ENDS = frozenset({"response.completed", "response.incomplete", "response.failed"})
_WHY = {"max_output_tokens": "length", "content_filter": "content_filter"}


def _as_completion(response: _Response) -> Completion:
    """A response as the chat completion that says the same."""
    items = response.output or []
    parts = [part for item in items if item.type == "message" for part in item.content or ()]
    thoughts = [
        part.text
        for item in items
        if item.type == "reasoning"
        for part in (*(item.summary or ()), *(item.content or ()))
    ]
    message = ChatMessage(
        "".join(part.text or "" for part in parts),
        "".join(part.refusal or "" for part in parts if part.type == "refusal"),
        "\n\n".join(filter(None, thoughts)),
        tool_calls=[item.type for item in items if item.type.endswith("_call")],
    )
    why = response.incomplete_details.reason if response.incomplete_details else None
    failed = response.status in ("failed", "cancelled")
    finish = "error" if failed else _WHY.get(str(why), "stop")
    likely = next((part.logprobs for part in parts if part.logprobs), None)
    usage = {
        name.replace("input_", "prompt_").replace("output_", "completion_"): value
        for name, value in (fitting(response.usage, dict[str, Any]) or {}).items()
    }
    choice = ChatChoice(message, finish, {"content": likely})
    return Completion([choice], response.model, usage)
