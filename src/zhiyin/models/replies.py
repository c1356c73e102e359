"""OpenAI's chat completions on the wire: what is sent, what comes back, and what went wrong.

Follows the API reference, "Create chat completion", with what other servers of the same API
(vLLM, SGLang, llama.cpp, OpenRouter) are known to do differently.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection
from typing import Any

import msgspec

from zhiyin.errors import LostError, RefusedError, TransientError, UnsupportedError
from zhiyin.idioms import grouped
from zhiyin.models.refusals import complaint_in, failure
from zhiyin.parsing import decoded, fitting
from zhiyin.reasoning import apart
from zhiyin.record import WORDS_IN, Finish, Reply

_LEAST_LOGPROB = -9000.0
"""Servers write -9999 and the like for a token whose probability they do not know."""

_FINISHES: dict[str | None, Finish] = {"length": "length", "content_filter": "refusal"}


class EmptyReply(TransientError):  # noqa: N818 - it is a reply as much as an error
    """The model answered with no text.

    Worth another try; when the last try is empty too, `reply` is the answer to be logged: it
    holds no option, which is the model's doing and not the network's.

    Parameters
    ----------
    reply : Reply
        The reply without words, as it came.
    """

    def __init__(self, reply: Reply) -> None:
        super().__init__("the model replied with no text at all")
        self.reply = reply


class ChatMessage(msgspec.Struct):
    """The message of a completion, under the names that one server or another gives its fields."""

    content: str | list[Any] | None = None
    refusal: str | None = None
    reasoning_content: Any = None
    reasoning: Any = None
    audio: Any = None
    tool_calls: Any = None
    function_call: Any = None


class TokenLogprob(msgspec.Struct):
    """A token that might have been written."""

    token: str
    logprob: float | None


class FirstToken(msgspec.Struct):
    """The most probable tokens in one place."""

    top_logprobs: list[TokenLogprob] = []


class Logprobs(msgspec.Struct):
    """Log-probabilities of each place of the reply."""

    content: list[FirstToken] | None = None


class ChatChoice(msgspec.Struct):
    """One of the replies to a request."""

    message: ChatMessage
    finish_reason: Any = None
    logprobs: Any = None


class Completion(msgspec.Struct):
    """A chat completion, as far as it is read."""

    choices: list[ChatChoice] | None = None
    model: Any = None
    usage: Any = None
    error: Any = None
    code: Any = None
    message: Any = None
    """Of an error without a wrapper."""


TOP = 20
"""How many of the most probable tokens a server names at most."""


def not_empty(reply: Reply) -> Reply:
    """The reply itself. Raises `EmptyReply` where it is complete and has no text."""
    if reply.finish == "stop" and not reply.text.strip():
        raise EmptyReply(reply)
    return reply


def read_likelihood(reply: Reply, continuations: Collection[str]) -> None:
    """Keep of a reply the log-probabilities of those continuations that a first token can say.

    A token counts for the continuation that it is but for white space around it ("B", " B"); the
    probabilities of several such tokens are added.

    Raises
    ------
    UnsupportedError
        When the server gave none.
    """
    if not reply.logprobs:
        raise UnsupportedError("the server gives no log-probabilities: leave out --score")
    by_text = grouped((token.strip(), value) for token, value in reply.logprobs.items())
    reply.logprobs = {
        words: _log_sum(by_text[words])
        for words in continuations
        if words in by_text and max(by_text[words]) > _LEAST_LOGPROB
    }
    reply.text, reply.finish = "", "stop"


def _log_sum(logged: list[float]) -> float:
    """The logarithm of the sum of probabilities, also of those too small for a float."""
    highest = max(logged)
    return highest + math.log(math.fsum(math.exp(value - highest) for value in logged))


def read_completion(body: bytes) -> Completion:
    """The body of a successful response. Raises `LostError` where it is no completion."""
    return decoded(body, Completion, "chat completion")


def reply_of(
    completion: Completion, clean: Callable[[str], str], sent: Collection[str] = frozenset()
) -> Reply:
    """The reply that a completion holds; see `Dialect.read`."""
    bare = {"code": completion.code, "message": completion.message}
    if error := completion.error or (
        bare if (completion.message or completion.code) and not completion.choices else None
    ):
        complaint = complaint_in(error)
        known = re.fullmatch(r"[1-5][0-9]{2}", complaint.code)
        status = int(complaint.code) if known else 502
        raise failure(status, {}, complaint, clean, sent)
    if not completion.choices:
        kind = RefusedError if completion.choices is None else LostError
        raise kind("the server's reply is no chat completion (it holds no choices)")
    choice = completion.choices[0]
    if choice.finish_reason in ("error", "abort"):
        raise LostError(f"the server gave the reply up (finish_reason {choice.finish_reason})")
    return _reply(completion, choice)


def _reply(completion: Completion, choice: ChatChoice) -> Reply:
    words = choice.message
    content = words.content
    text = content if isinstance(content, str) else _joined_text(content)
    thought = "" if isinstance(content, str) else _joined_text(_thoughts(content))
    finish = _FINISHES.get(str(choice.finish_reason), "stop")
    if words.refusal:
        finish, text = "refusal", text or words.refusal
    detail: dict[str, object] = {}
    if completion.model and isinstance(completion.model, str):
        detail["model"] = completion.model
    for reasoning in (words.reasoning_content, words.reasoning, thought):
        if reasoning and isinstance(reasoning, str):
            detail["reasoning"] = reasoning
            break
    spoken = words.audio.get("transcript") if isinstance(words.audio, dict) else None
    if not text and spoken and isinstance(spoken, str):
        text, detail[WORDS_IN] = spoken, "audio"
    reply = Reply(text, finish, _counts(completion.usage), detail=detail, logprobs=_first(choice))
    return told_where(with_thinking_apart(reply), bool(words.tool_calls or words.function_call))


def told_where(reply: Reply, called: bool) -> Reply:
    """A reply that says, where it has no text, where else it has words; `called` in tool calls."""
    if not reply.text.strip() and (called or reply.detail.get("reasoning")):
        reply.detail[WORDS_IN] = "tools" if called else "reasoning"
    return reply


def _first(choice: ChatChoice) -> dict[str, float]:
    """The log-probabilities of the first token, where the server gives them."""
    known = fitting(choice.logprobs, Logprobs) if choice.logprobs else None
    tokens = known.content[0].top_logprobs if known and known.content else ()
    return {one.token: one.logprob for one in tokens if one.logprob is not None}


def _thoughts(content: list[Any] | None) -> list[Any]:
    """The pieces of thinking in a message that is a list of parts (Mistral)."""
    pieces: list[Any] = []
    for part in content or ():
        if isinstance(part, dict) and part.get("type") == "thinking":
            thinking = part.get("thinking")
            pieces += thinking if isinstance(thinking, list) else [thinking]
    return pieces


def _joined_text(content: list[Any] | None) -> str:
    """The text of a message that is a list of parts, or nothing at all."""
    texts = []
    for part in content or ():
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            texts.append(text)
    return "".join(texts)


def _counts(usage: Any) -> dict[str, int]:
    """Token counts as the server names them, those of a breakdown as "breakdown.name"."""
    counts: dict[str, int] = {}
    for name, value in usage.items() if isinstance(usage, dict) else ():
        if type(value) is int or (isinstance(value, float) and value.is_integer()):
            counts[name] = int(value)
        elif isinstance(value, dict):
            counts |= {f"{name}.{n}": v for n, v in value.items() if type(v) is int and v}
    return counts


def counts_of(
    sent: int, received: int, total: int | None = None, **details: int | None
) -> dict[str, int]:
    """Token counts under the names of chat completions; of the `details` those above 0."""
    counts = {"prompt_tokens": sent, "completion_tokens": received}
    if total is not None:
        counts["total_tokens"] = total
    for name, count in details.items():
        if count:
            whole = "completion" if name == "reasoning" else "prompt"
            counts[f"{whole}_tokens_details.{name}_tokens"] = count
    return counts


def with_thinking_apart(reply: Reply) -> Reply:
    """A reply whose text is the answer alone; its thinking is in ``detail["reasoning"]``."""
    answer, thinking = apart(reply.text)
    if thinking:
        earlier = reply.detail.get("reasoning")
        reply.detail["reasoning"] = f"{earlier}\n\n{thinking}" if earlier else thinking
    reply.text = answer
    return reply
