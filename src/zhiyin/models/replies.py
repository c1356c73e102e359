"""OpenAI's chat completions on the wire: what is sent, what comes back, and what went wrong.

Follows the API reference, "Create chat completion", with what other servers of the same API
(vLLM, SGLang, llama.cpp, OpenRouter) are known to do differently.
"""

from __future__ import annotations

import math
import re
import time
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

import msgspec

from zhiyin.errors import (
    BusyError,
    FatalError,
    LostError,
    ModelError,
    NoPictureError,
    NoSoundError,
    RefusedError,
    TransientError,
    UnsupportedError,
)
from zhiyin.files import NOT_JSON
from zhiyin.models import EmptyReply
from zhiyin.models.thinking import with_thinking_apart
from zhiyin.record import Finish, Likelihood, Reply

_LEAST_LOGPROB = -9000.0
"""Servers write -9999 and the like for a token whose probability they do not know."""

PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that may be gone at the next try."""

_FINISHES: dict[str | None, Finish] = {"length": "length", "content_filter": "refusal"}
_LONGEST_COMPLAINT = 300
_NO_SOUND = re.compile(
    r"(invalid value|unknown variant)\W+input_audio\b"  # OpenAI; servers written in Rust
    r"|expected to be either text or image_url"  # OpenAI
    r"|input should be 'text'"  # servers that check with pydantic
    r"|at most 0 audio|not a multimodal model"  # vLLM
    r"|no endpoints found that support input audio"  # OpenRouter
    r"|(audio|input_audio)( inputs?| content)? (is|are) not supported"  # llama.cpp
    r"|not support (audio|input_audio)( inputs?| content)?($|[.,;:)'\"])",
    re.IGNORECASE,
)
"""How servers say that a model takes no sound at all; not that it does not take this one."""
_NO_PICTURE = re.compile(
    r"(invalid value|unknown variant|invalid content type)\W+(image_url|input_image|image)\b"
    r"|input should be 'text'"  # servers that check with pydantic
    r"|at most 0 image|not a multimodal model"  # vLLM
    r"|no endpoints found that support image input"  # OpenRouter
    r"|image(_url)?s?( inputs?| content)? (is|are) (not supported( -|[.,;]|$)|only supported by)"
    r"|not support (image|image_url|vision)s?( inputs?| content)?($|[.,;:)'\"])",
    re.IGNORECASE,
)
"""The same of pictures."""


class _Message(msgspec.Struct):
    content: str | list[Any] | None = None
    refusal: str | None = None
    reasoning_content: Any = None
    reasoning: Any = None


class _Token(msgspec.Struct):
    token: str
    logprob: float


class _FirstToken(msgspec.Struct):
    top_logprobs: list[_Token] = []


class _Logprobs(msgspec.Struct):
    content: list[_FirstToken] | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice] | None = None
    model: str | None = None
    usage: dict[str, Any] | None = None
    error: Any = None
    seconds_heard: Any = None
    """Of each clip, where the server is Zhiyin's."""


class Complaint(NamedTuple):
    """What a server says went wrong: its words on one line, a code, and the setting blamed."""

    message: str
    code: str = ""
    param: str = ""


_decode = msgspec.json.Decoder(_Completion).decode


def bound_to(schema: dict[str, Any]) -> dict[str, Any]:
    """The setting that binds a reply to a JSON schema ("Structured outputs")."""
    form = {"name": "reply", "schema": schema, "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": form}}


TOP = 20
"""How many of the most probable tokens a server names at most."""


def first_token(asked: Likelihood) -> Likelihood:
    """What is asked of a server where log-probabilities are wanted: one token, as it is drawn.

    At another temperature than 1 some servers return sharpened ones.
    """
    return msgspec.structs.replace(asked, temperature=1.0, max_tokens=1)


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
    by_text: dict[str, list[float]] = {}
    for token, value in reply.logprobs.items():
        by_text.setdefault(token.strip(), []).append(value)
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


def refuses_schema(status: int, complaint: Complaint) -> bool:
    """Whether a server refused a request for the JSON schema in it."""
    words = f"{complaint.param} {complaint.message}"
    named = re.search(r"response_format|json_schema|schema|structured|guided|grammar", words)
    return status in (400, 415, 422, 501) and named is not None


def read_reply(
    body: bytes, clean: Callable[[str], str], sent: Collection[str] = frozenset()
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
        When the body is not a completion.
    ModelError
        When a status of success carries an error, of the kind that the error's code calls for.
    """
    try:
        completion = _decode(body.removeprefix(BOM_UTF8))
    except NOT_JSON as error:
        raise LostError(f"the server's reply is no chat completion ({error})") from None
    if completion.error:
        complaint = _complaint(completion.error)
        known = re.fullmatch(r"[1-5][0-9]{2}", complaint.code)
        status = int(complaint.code) if known else 502
        raise failure(status, {}, complaint, clean, sent)
    if not completion.choices:
        raise LostError("the server's reply is no chat completion (it holds no choices)")
    choice = completion.choices[0]
    if choice.finish_reason in ("error", "abort"):
        raise LostError(f"the server gave the reply up (finish_reason {choice.finish_reason})")
    return _reply(completion, choice)


def _reply(completion: _Completion, choice: _Choice) -> Reply:
    words = choice.message
    content = words.content
    text = content if isinstance(content, str) else _joined_text(content)
    thought = "" if isinstance(content, str) else _joined_text(_thoughts(content))
    finish = _FINISHES.get(choice.finish_reason, "stop")
    if words.refusal:
        finish, text = "refusal", text or words.refusal
    detail: dict[str, Any] = {}
    if completion.model:
        detail["model"] = completion.model
    for reasoning in (words.reasoning_content, words.reasoning, thought):
        if reasoning and isinstance(reasoning, str):
            detail["reasoning"] = reasoning
            break
    heard = completion.seconds_heard
    if isinstance(heard, list) and all(type(one) in (int, float) for one in heard):
        detail |= {"audio_seconds_heard": round(sum(heard), 3), "audio_heard": heard}
    reply = Reply(text, finish, _counts(completion.usage), detail=detail, logprobs=_first(choice))
    return with_thinking_apart(reply)


def _first(choice: _Choice) -> dict[str, float]:
    """The log-probabilities of the first token, where the server gives them."""
    content = choice.logprobs.content if choice.logprobs else None
    return {token.token: token.logprob for token in content[0].top_logprobs} if content else {}


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


def _counts(usage: Mapping[str, Any] | None) -> dict[str, int]:
    """Token counts as the server names them, those of a breakdown as "breakdown.name"."""
    counts: dict[str, int] = {}
    for name, value in (usage or {}).items():
        if type(value) is int:
            counts[name] = value
        elif isinstance(value, dict):
            counts |= {f"{name}.{n}": v for n, v in value.items() if type(v) is int and v}
    return counts


def read_complaint(body: bytes) -> Complaint:
    """What the body of a failed response says, whichever of the usual forms it has."""
    try:
        payload = msgspec.json.decode(body)
    except NOT_JSON:
        return Complaint(" ".join(body.decode(errors="replace").split()))
    if isinstance(payload, list) and payload:
        payload = payload[0]
    if isinstance(payload, dict):
        inner = payload.get("error") or (None if "message" in payload else payload.get("detail"))
        payload = inner or payload
    return _complaint(payload)


def _complaint(body: Any) -> Complaint:
    if not isinstance(body, dict):
        body = {"message": body}
    message = body.get("message") or body
    if not isinstance(message, str):
        message = msgspec.json.encode(message).decode()
    code, param = body.get("code"), body.get("param")
    return Complaint(
        " ".join(message.split()),
        str(code) if isinstance(code, str | int) else "",
        param if isinstance(param, str) else "",
    )


def shortened(text: str) -> str:
    """`text`, or its first 300 characters."""
    return text if len(text) <= _LONGEST_COMPLAINT else f"{text[: _LONGEST_COMPLAINT - 3]}..."


def failure(
    status: int,
    headers: Mapping[str, str],
    complaint: Complaint,
    clean: Callable[[str], str],
    sent: Collection[str] = frozenset(),
) -> ModelError:
    """The error that a response with a status other than success calls for.

    Parameters
    ----------
    status : int
    headers : mapping
        Of the response.
    complaint : Complaint
    clean : callable
        Takes secrets out of a text that the user will read.
    sent : collection of str
        What was sent beside words: "sound", "image".
    """
    # Some servers repeat the status: "404: Not Found", "404 page not found".
    message = re.sub(rf"^{status}\b[\s:,-]*", "", complaint.message)
    reason = f"{status}: {shortened(clean(message)) or 'no reason given'}"
    if complaint.code == "insufficient_quota" or status == 402:
        return FatalError(f"the account has no credit left ({reason})")
    if "sound" in sent and _NO_SOUND.search(complaint.message):
        return NoSoundError(f"the model takes no sound ({reason})")
    if "image" in sent and _NO_PICTURE.search(complaint.message):
        return NoPictureError(f"the model takes no pictures ({reason})")
    if status in PASSING:
        kind = BusyError if status == 429 else TransientError
        return kind(f"the server said {reason}", retry_after(headers, time.time()))
    if status in (401, 403):
        return FatalError(f"the key was refused ({reason}); check the key and what it may do")
    if status == 404:
        return FatalError(
            f"no such model or address ({reason}); check the model's name, and that the URL is "
            "the one that ends in /v1"
        )
    return RefusedError(f"the server said {reason}")


def wants_completion_limit(complaint: Complaint) -> bool:
    """Whether a refusal (status 400) asks for `max_completion_tokens` in `max_tokens`' place.

    OpenAI's reasoning models do so. vLLM names both when a limit is too large; that is another
    matter.
    """
    return _unsupported(complaint, "max_tokens")


def _unsupported(complaint: Complaint, setting: str) -> bool:
    """Whether a server refuses to be given `setting`, or given it a value of our own."""
    if setting not in (complaint.param, *re.findall(r"\w+", complaint.message)):
        return False
    if complaint.code.startswith("unsupported"):
        return True
    return bool(re.search(r"unsupported|not support", complaint.message, re.IGNORECASE))


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that a server asks to wait, or None where it does not say.

    Reads ``retry-after-ms`` (OpenAI, Azure) and ``Retry-After``, in seconds or as an HTTP date
    (RFC 9110, section 10.2.3); a date in the past is no wait at all.

    Parameters
    ----------
    headers : mapping
        Of the response; names are compared without regard to case.
    now : float
        Seconds since 1970, for dates.
    """
    named = {name.lower(): value for name, value in headers.items()}
    milliseconds = _seconds(named.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = named.get("retry-after")
    seconds = _seconds(asked)
    if seconds is not None or asked is None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - now)
    except (ValueError, OverflowError, OSError):
        return None


def _seconds(text: str | None) -> float | None:
    """A number that is finite and not below 0, or None."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None
