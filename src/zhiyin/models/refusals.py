"""Refusals of servers: their complaints as errors, and settings that are left out afterwards."""

from __future__ import annotations

import math
import re
import time
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
)
from zhiyin.models.capabilities import Capabilities
from zhiyin.parsing import decoded, page_title, text_in
from zhiyin.record import Reply, Sampling
from zhiyin.text import number_in
from zhiyin.words import said

PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that may be gone at the next try."""

PASSING_PAGE = re.compile(
    r"bad gateway|unavailable|overload|too many|maintenance|\btime-?d? ?out|internal server error"
    r"|维护|繁忙|稍后",
    re.IGNORECASE,
)
"""Words of a page that a gateway shows in the place of a server that is down."""
_LONGEST_COMPLAINT = 300
_MEDIUM = r"(?:input_audio|audio|sound|image_url|input_image|image|picture|vision|video|file)s?"
_MEDIA = rf"(?P<media>{_MEDIUM}(?:(?:,? (?:and|or) |, |/){_MEDIUM}){{0,3}})"
_NOUN = r"(?: (?:input|content|url|part|block|message|modalit(?:y|ies)|type)s?){0,2}"
_END = (
    r"""(?=$|[.,;()\[\]{}'"]| \(| - """
    r"| (?:for|by|with|in) (?:the |this )?(?:model|endpoint|provider|api))"
)
_REFUSED_MEDIA = (
    # "This model does not support audio or image input": OpenAI, Azure, Ollama, Anthropic, xAI
    re.compile(
        rf"(?:not|n't) (?:support|accept|allow|handle|take|have) (?:any )?['\"`]?{_MEDIA}['\"`]?"
        rf"{_NOUN}{_END}",
        re.IGNORECASE,
    ),
    # "audio input is not supported - hint: ...": llama.cpp; "modality is not enabled for": Gemini
    re.compile(
        rf"\b{_MEDIA}{_NOUN} (?:is|are)(?: not|n't) "
        rf"(?:supported|enabled|available|accepted|allowed){_END}",
        re.IGNORECASE,
    ),
    # "Invalid value: 'input_audio'": OpenAI; "unknown variant `image_url`": servers in Rust;
    # "Input tag 'input_audio' found using 'type' does not match": Anthropic, pydantic
    re.compile(
        r"(?:invalid value|unknown variant|invalid content type|input tag|unsupported content type)"
        rf"\W+{_MEDIA}\b",
        re.IGNORECASE,
    ),
    # OpenRouter; Ollama
    re.compile(
        rf"(?:no endpoints found that support(?: input)?|missing data required for) {_MEDIA}\b",
        re.IGNORECASE,
    ),
    re.compile(rf"at most 0 {_MEDIA}\b", re.IGNORECASE),  # vLLM
    re.compile(rf"\b{_MEDIA}(?: is| are) only supported by", re.IGNORECASE),  # OpenAI
)
"""How servers say that a model takes sound or pictures not at all, and which of them; not that it
does not take this one."""
_WORDS_ALONE = re.compile(
    r"not a multimodal model"  # vLLM
    r"|not support (?:multi-?modal|non-text)"
    r"|only supports? text(?: input| content| messages?)?(?:$|[.,;:)'\"])"
    r"|text-only model"
    r"|input should be 'text'"  # servers that check with pydantic
    r"|unexpected item type in content"  # DashScope
    r"|content must be a string",  # Groq
    re.IGNORECASE,
)
"""How they say that it takes words alone."""
_TEXT_OR_PICTURE = re.compile(r"expected to be either text or image_url", re.IGNORECASE)
"""OpenAI, of what is neither."""


def refused_media(message: str) -> frozenset[str]:
    """Return the media, "sound" and "image", that a server says its model does not take at all.

    Parameters
    ----------
    message : str
        Its complaint.
    """
    if _WORDS_ALONE.search(message):
        return frozenset(("sound", "image"))
    named = " ".join(
        found["media"].lower() for one in _REFUSED_MEDIA for found in one.finditer(message)
    )
    media = {"sound"} if "audio" in named or "sound" in named else set[str]()
    media |= {"image"} if any(word in named for word in ("image", "picture", "vision")) else set()
    return frozenset(media | ({"sound"} if _TEXT_OR_PICTURE.search(message) else set()))


_NO_FILTER = frozenset({401, 404, 408, 409, 425, 429, 503, 504, 529})
"""Statuses of which a filter is no cause, whatever the words."""
_FILTERS = re.compile(
    r"content_?filter|content_?policy|content_?moderation|responsible_?ai|data_?inspection"
    r"|sensitive_?content|censorship|guardrail_?intervened|moderation_?blocked|prohibited_?content",
    re.IGNORECASE,
)
"""Codes of refusals by a filter: Azure, Moonshot, DashScope, Volcano, StepFun, Bedrock."""
_GROUNDS = re.compile(
    r"content[ _-](?:filter|management|moderation|policy|policies|safety)|responsible ai"
    r"|safety (?:system|polic|filter|guideline|reason|setting|check)|\b(?:due to|for) safety"
    r"|(?:usage|use) (?:polic|guideline)|moderation|guardrail|inappropriate content"
    r"|sensitive (?:information|content|words|topics)|harmful content|high[ -]risk"
    r"|prohibited[ _]content|(?:prompt|input|request|content) (?:was|is|has been) (?:flag|block)",
    re.IGNORECASE,
)
_JUDGED = re.compile(
    r"block|filter|flag|violat|reject|refus|trigger|contain|prohibit|detect|considered",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content exists risk|new_sensitive|outputted is blocked"  # DeepSeek, MiniMax, StepFun
    r"|(?:内容|输入|输出|提示).{0,20}(?:敏感|违规|不安全|不合规)|内容安全|安全审核",  # Zhipu
    re.IGNORECASE,
)
_ACCOUNT = re.compile(
    r"account|organi[sz]ation|deactivat|suspend|banned|not support", re.IGNORECASE
)


class FilteredReply(ModelError):  # noqa: N818 - it is a reply as much as an error
    """A filter of the server's lets the question or its answer not pass: the model's refusal.

    Parameters
    ----------
    reason : str
        In the server's words.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"a filter of the server's refused it ({reason})")
        self.reply = Reply("", "refusal", detail={"filtered": reason})


def is_filtered(status: int, complaint: Complaint) -> bool:
    """Tell whether a complaint is that of a filter of contents, in the words of any provider."""
    if status in _NO_FILTER:
        return False
    if _FILTERS.search(complaint.kinds) or _FILTERED.search(complaint.message):
        return True
    told = complaint.message
    return bool(_GROUNDS.search(told) and _JUDGED.search(told) and not _ACCOUNT.search(told))


class AnotherWay(TransientError):  # noqa: N818 - it is a lesson more than an error
    """The server refused the form of a request: it is to be sent in another form."""


class Complaint(NamedTuple):
    """A server's complaint: its words on one line, a code, and the setting blamed.

    `kinds` are all words by which it says of what kind that is, its code among them.
    """

    message: str
    code: str = ""
    param: str = ""
    kinds: str = ""


class Refusal(NamedTuple):
    """A response with a status other than success."""

    status: int
    headers: Mapping[str, str]
    complaint: Complaint


def read_complaint(body: bytes) -> Complaint:
    """Read the body of a failed response, whichever of the usual forms it has."""
    try:
        payload: Any = decoded(body, Any, "JSON")  # type: ignore[arg-type]
    except LostError:
        return Complaint(page_title(body) or " ".join(text_in(body).split()))
    if isinstance(payload, list) and payload:
        payload = payload[0]
    if isinstance(payload, dict):
        inner = payload.get("error") or (None if "message" in payload else payload.get("detail"))
        if isinstance(inner, dict):
            payload = inner
        elif inner:
            payload = {**payload, "message": inner}
    return complaint_in(payload)


def complaint_in(body: Any) -> Complaint:
    """Read an error's complaint, decoded from JSON."""
    if not isinstance(body, dict):
        body = {"message": body}
    message = body.get("message") or body
    if not isinstance(message, str):
        message = msgspec.json.encode(message).decode()
    code, param = body.get("code"), body.get("param")
    within = body.get("innererror") or body.get("inner_error")
    kinds = [code, body.get("type"), body.get("status"), body.get("reason")]
    kinds += within.values() if isinstance(within, dict) else ()
    return Complaint(
        " ".join(message.split()),
        str(code) if isinstance(code, str | int) else "",
        param if isinstance(param, str) else "",
        " ".join(kind for kind in kinds if isinstance(kind, str)),
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
    if is_filtered(status, complaint):
        return FilteredReply(reason)
    if complaint.code == "insufficient_quota" or status == 402:
        return FatalError(said("log-no-credit", reason=reason))
    refused = refused_media(complaint.message)
    if "sound" in sent and "sound" in refused:
        return NoSoundError(str(said("log-no-sound", reason=reason)))
    if "image" in sent and "image" in refused:
        return NoPictureError(str(said("log-no-pictures", reason=reason)))
    if status in PASSING:
        kind = BusyError if status == 429 else TransientError
        return kind(str(said("log-server-said", reason=reason)), retry_after(headers, time.time()))
    if status in (401, 403):
        return FatalError(said("log-key-refused", reason=reason))
    if status == 404:
        return FatalError(said("log-no-such-model", reason=reason))
    return RefusedError(str(said("log-server-said", reason=reason)))


def wants_completion_limit(complaint: Complaint) -> bool:
    """Tell whether a refusal (status 400) asks for `max_completion_tokens` in `max_tokens`' place.

    OpenAI's reasoning models do so. vLLM names both when a limit is too large; that is another
    matter.
    """
    if "max_tokens" not in (complaint.param, *re.findall(r"\w+", complaint.message)):
        return False
    unsupported = re.search(r"unsupported|not support", complaint.message, re.IGNORECASE)
    return complaint.code.startswith("unsupported") or unsupported is not None


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
    value = number_in(text or "")
    return value if math.isfinite(value) and value >= 0 else None


def refuses_schema(status: int, complaint: Complaint) -> bool:
    """Tell whether a server refused a request for the JSON schema in it."""
    words = f"{complaint.param} {complaint.message}"
    named = re.search(r"response_format|json_schema|schema|structured|guided|grammar", words)
    return status in (400, 415, 422, 501) and named is not None


_SERVER_NAMES: dict[str, frozenset[str]] = {
    "temperature": frozenset({"temperature"}),
    "top_p": frozenset({"top_p", "topp"}),
    "top_k": frozenset({"top_k", "topk"}),
    "seed": frozenset({"seed", "random_seed"}),
    "thinking": frozenset(
        {"reasoning_effort", "reasoning", "thinking", "thinking_budget", "thinking_level"}
        | {"thinkingbudget", "thinkinglevel", "thinking_config", "enable_thinking", "effort"}
    ),
}
"""What may be left out, and what servers call it, in lower case."""
_REFUSED = re.compile(
    r"unsupported|unrecogni[sz]ed|unknown (parameter|argument|field|name)|unexpected keyword"
    r"|extra (inputs|fields)|extra_forbidden|deprecated|additional propert"
    r"|(not|n't|no longer)( be)? (support|allow|permit|accept|available|enabled|implemented)",
    re.IGNORECASE,
)
MOST = 8
"""How often one call is put in another way at most."""


class Manner(msgspec.Struct, frozen=True):
    """Knowledge of a server by now.

    Attributes
    ----------
    other_length : bool
        Whether the limit of a reply goes under its second name (`max_completion_tokens`).
    schemas : bool
        Whether requests may hold a JSON schema.
    left_out : frozenset of str
        Settings that were refused by name.
    """

    other_length: bool = False
    schemas: bool = True
    left_out: frozenset[str] = frozenset()


class RefusedSettings:
    """Knowledge of how a server wants to be asked, learned from refusals, for all calls of a model.

    Parameters
    ----------
    can : Capabilities
        What cannot be set is left out from the beginning.
    excluded : callable
        From what is asked for to the settings that cannot be sent beside the others.

    Attributes
    ----------
    now : Manner
    """

    def __init__(self, can: Capabilities, excluded: Callable[[Sampling], frozenset[str]]) -> None:
        self._can, self._excluded, self.now = can, excluded, Manner()
        self._unsettable: set[str] = set()
        self._newest: tuple[Sampling, Manner, Sampling] | None = None

    def sent(self, sampling: Sampling) -> Sampling:
        """`sampling` without what cannot be set, or was refused."""
        newest = self._newest  # all calls of a run want the same
        if newest and newest[0] is sampling and newest[1] is self.now:
            return newest[2]
        gone = {
            name: None
            for name in (*_SERVER_NAMES, "max_tokens")
            if getattr(sampling, name) is not None
            and (name in self.now.left_out or not self._settable(name, sampling))
        }
        if sampling.schema is not None and (not self.now.schemas or self._can.schema is False):
            gone["schema"] = None
        sent: Sampling = msgspec.structs.replace(sampling, **gone) if gone else sampling
        self._newest = sampling, self.now, sent
        return sent

    def _settable(self, name: str, sampling: Sampling) -> bool:
        known = name == "thinking" or self._can.sets(name)
        if known and name not in self._excluded(sampling):
            return True
        self._unsettable.add(name)
        return False

    def learn(self, manner: Manner, asked: Sampling, status: int, complaint: Complaint) -> bool:
        """Tell whether to put a refused request in another way, which is `now` from here.

        Parameters
        ----------
        manner : Manner
            In which it was asked.
        asked : Sampling
            As it was sent.
        status : int
        complaint : Complaint
        """
        change = self._change(manner, asked, status, complaint)
        if change is None:
            return False
        now = self.now  # others may have learned something else meanwhile
        self.now = Manner(
            now.other_length or change.other_length,
            now.schemas and change.schemas,
            now.left_out | change.left_out,
        )
        return True

    def _change(
        self, manner: Manner, asked: Sampling, status: int, complaint: Complaint
    ) -> Manner | None:
        replace: Callable[..., Manner] = msgspec.structs.replace
        if asked.schema is not None and refuses_schema(status, complaint):
            return replace(manner, schemas=False)
        limited = asked.max_tokens is not None and not manner.other_length
        if limited and status == 400 and wants_completion_limit(complaint):
            return replace(manner, other_length=True)
        given = [name for name in _SERVER_NAMES if getattr(asked, name) is not None]
        name = refused_setting(status, complaint, given)
        return replace(manner, left_out=manner.left_out | {name}) if name else None

    def detail(self, wanted: Sampling, sent: Sampling) -> dict[str, object]:
        """Return a reply's detail on settings that were wanted and not sent, if any were."""
        if wanted is sent:
            return {}
        names = [
            name
            for name in (*_SERVER_NAMES, "max_tokens")
            if getattr(wanted, name) is not None and getattr(sent, name) is None
        ]
        return {"left_out": names} if names else {}

    def describe(self) -> dict[str, object]:
        """Return what a run's manifest says."""
        return {
            "takes_schemas": self.now.schemas and self._can.schema is not False,
            "left_out": sorted(self.now.left_out | self._unsettable),
        }

    def remarks(self) -> list[str]:
        """List what the user should know, a line each."""
        lines = []
        if self.now.left_out:
            names = ", ".join(sorted(self.now.left_out))
            lines.append(f"left out, for the server refuses it: {names}")
        if self._unsettable:
            names = ", ".join(sorted(self._unsettable))
            lines.append(f"not sent, for it cannot be set here: {names}")
        return lines


def refused_setting(status: int, complaint: Complaint, given: list[str]) -> str | None:
    """Return the setting among those sent that a server refuses to be given, or None.

    That a value is too large or too small is another matter. Of several that are named, the
    first is it.
    """
    if status not in (400, 422):
        return None
    code = complaint.code.lower()
    if not (
        code.startswith(("unsupported", "unknown_param")) or _REFUSED.search(complaint.message)
    ):
        return None
    blamed = re.split(r"\W+", complaint.param.lower())
    words = re.findall(r"\w+", complaint.message.lower())
    for word in (*blamed, *words):
        for name in given:
            if word in _SERVER_NAMES[name]:
                return name
    return None
