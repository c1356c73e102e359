"""Number of tokens in a request: estimated by the script of its words, or counted there.

Tokenizers cut words of an alphabet into pieces of some letters, and Chinese, Japanese and Korean
writing into signs or less. The numbers to begin with are round means over common tokenizers; as
soon as a server has counted some requests, the numbers are fitted to its counts.

Some providers count the tokens of a request free of charge:

========================  ==========================================================================
Gemini                    ``models/MODEL:countTokens`` (API reference, "Counting tokens")
Anthropic                 ``/v1/messages/count_tokens`` ("Count tokens in a Message")
OpenAI                    ``/v1/responses/input_tokens`` ("Get input token counts")
vLLM, SGLang              ``/tokenize`` beside ``/v1``, with the model's own chat template
========================  ==========================================================================

Only words are sent there. Sound is priced by its seconds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from zhiyin.errors import ModelError
from zhiyin.files import NOT_JSON
from zhiyin.trial import Audio, Image, Message, Messages, Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from zhiyin.models.dialects import Dialect
    from zhiyin.models.endpoint import Endpoint


_CJK = re.compile(
    r"[\u2e80-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    r"\uff00-\uffef\U00020000-\U0003ffff]"
)
_LETTER = re.compile(r"[^\W\d_]")
_OTHER = re.compile(r"[^\w\s]|\d|_")


class _Kinds(dict[int, str]):
    """Map from code point to kind of character: "c" CJK, "l" another letter, "s" a sign.

    To be translated with, so that each character of a text is looked at once. Wide blanks and
    numerals among CJK count as "-", one sign less: estimates have always been fitted to that.
    """

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        letter, other = _LETTER.match(sign) is not None, _OTHER.match(sign) is not None
        if _CJK.match(sign):
            self[code] = "c" if sign.isalpha() or other else "cl-" if letter else "c-"
        else:
            self[code] = "l" if letter else "s" if other else "\n" if sign == "\n" else " "
        return self[code]


_KINDS = _Kinds()

FEATURES = ("cjk", "letters", "signs", "lines", "messages", "pictures", "seconds")
"""What is counted of a request: CJK characters, other letters, digits and signs, line ends,
messages, pictures, seconds of sound."""
_USUAL = (0.8, 0.22, 0.55, 0.4, 4.0, 800.0, 25.0)
"""Tokens that each of `FEATURES` makes, before any request was counted."""
_PRIOR = 1e-3
"""Weight of the usual numbers beside one counted request of the usual size."""


class SoundLengths(msgspec.Struct, frozen=True):
    """The sound of a request: seconds of each clip."""

    clips: tuple[float, ...] = ()

    @property
    def seconds(self) -> float:
        """Length of all clips in seconds."""
        return math.fsum(self.clips)


def tokens_in(text: str) -> int:
    """Tokens of some words, estimated by their script."""
    return round(sum(a * b for a, b in zip(_script(text), _USUAL, strict=False)))


def _script(text: str) -> tuple[int, int, int, int]:
    kinds = text.translate(_KINDS)
    signs = kinds.count("s") - kinds.count("-")
    return kinds.count("c"), kinds.count("l"), max(signs, 0), kinds.count("\n")


def sound_in(messages: Iterable[Message]) -> SoundLengths:
    """The sound of a request, in seconds, as its trial says."""
    return SoundLengths(
        tuple(played(part) for message in messages for part in message.parts if type(part) is Audio)
    )


def played(audio: Audio) -> float:
    """Seconds of sound that are sent of a recording; 0 where its length is not known."""
    begin = audio.start or 0.0
    end = audio.end if audio.end is not None else audio.seconds
    if audio.seconds:
        end = min(end, audio.seconds)
    return max(0.0, end - begin)


def features(messages: Messages) -> tuple[float, ...]:
    """Count a request's features; see `FEATURES`."""
    counts = [0.0] * 4
    pictures = 0
    for message in messages:
        for part in message.parts:
            if isinstance(part, Text):
                counts = [a + b for a, b in zip(counts, _script(part.text), strict=True)]
            pictures += isinstance(part, Image)
    return (*counts, float(len(messages)), float(pictures), sound_in(messages).seconds)


class Estimator:
    """Tokens of requests by their features, fitted to what a server counted.

    Parameters
    ----------
    seconds : float, optional
        Tokens that a second of sound makes, where it is known.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._known = seconds
        self._weights: tuple[float, ...] = _USUAL if seconds is None else (*_USUAL[:-1], seconds)
        self._rows: list[tuple[float, ...]] = []
        self._counts: list[float] = []

    @property
    def samples(self) -> int:
        """Number of counted requests that it rests on."""
        return len(self._counts)

    def learn(self, request: tuple[float, ...], count: float) -> None:
        """Take in a request's features and the tokens that were counted for it."""
        self._rows.append(request)
        self._counts.append(count)

    def fit(self) -> None:
        """Fit the weights to the counts: least squares, none below 0, near the usual ones.

        Each weight is held to its usual value by a small penalty on its relative change (ridge
        regression), so that a few counts move only the weights that they depend on.
        """
        if not self._counts:
            return
        import numpy as np
        from scipy.optimize import nnls

        rows: NDArray[np.float64] = np.array(self._rows)
        counts, usual = np.array(self._counts), np.array(self._weights)
        penalty = math.sqrt(_PRIOR) * max(float(np.mean(counts)), 1.0)
        scaled = np.vstack([rows * usual, penalty * np.eye(len(usual))])
        factors, _ = nnls(scaled, np.concatenate([counts, np.full(len(usual), penalty)]))
        self._weights = tuple(float(w) for w in factors * usual)

    def tokens(self, request: tuple[float, ...], clips: SoundLengths | None = None) -> float:
        """Tokens of a request. With a known rate each clip is rounded up by itself."""
        words = sum(a * b for a, b in zip(request[:-1], self._weights[:-1], strict=True))
        if self._known is not None and clips is not None:
            return words + sum(self.of_clip(seconds) for seconds in clips.clips)
        return words + request[-1] * self._weights[-1]

    def pictures(self, count: float) -> float:
        """Tokens of so many pictures."""
        return count * self._weights[FEATURES.index("pictures")]

    def of_clip(self, seconds: float) -> float:
        """Tokens of a clip."""
        if self._known is None:
            return seconds * self._weights[-1]
        return math.ceil(round(seconds * self._known, 6))


def sound_rate(clips: Sequence[tuple[SoundLengths, int]]) -> float | None:
    """Tokens that a second of sound makes, by the counts of a server; None without any.

    A rate of half or whole tokens is taken to be meant where every count is within one token a
    clip of it.

    Parameters
    ----------
    clips : sequence of (SoundLengths, int)
        Sounds of requests, and the tokens that were counted for them.
    """
    seconds = math.fsum(sound.seconds for sound, _ in clips)
    if not seconds:
        return None
    mean = sum(count for _, count in clips) / seconds
    round_rate = round(2 * mean) / 2
    for sound, count in clips:
        if abs(count - round_rate * sound.seconds) > len(sound.clips):
            return mean
    return round_rate


_SECONDS = 30.0


class CountingWay(NamedTuple):
    """A provider's way to count: the address, the form of the messages, and where the number is.

    `within` is the name of what holds the request, if anything does.
    """

    url: str
    dialect: Dialect
    number: str
    within: str = ""


class TokenCounter:
    """Counts the tokens of requests at the provider. Use as an async context manager.

    Attributes
    ----------
    trouble : str
        Why it does not count; empty while it does.
    """

    def __init__(self, way: CountingWay, endpoint: Endpoint) -> None:
        from zhiyin.models.http import HttpClient  # which takes a while to load

        self._way, self._endpoint = way, endpoint
        self._client = HttpClient(endpoint, _SECONDS)
        self.trouble = ""

    async def __aenter__(self) -> TokenCounter:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def count(self, messages: Messages) -> int | None:
        """Tokens of the words of a request, with whatever the model puts around them."""
        if self.trouble:
            return None
        headers = self._way.dialect.headers(self._endpoint)
        try:
            response = await self._client.send(
                "POST", self._way.url, headers, msgspec.json.encode(self._request(messages))
            )
            if response.status != 200:
                self.trouble = f"the server does not count tokens ({response.status})"
                return None
            number = msgspec.json.decode(response.body, type=dict[str, Any])[self._way.number]
            return msgspec.convert(number, int)
        except (ModelError, KeyError, *NOT_JSON):
            self.trouble = "the server does not count tokens"
            return None

    def _request(self, messages: Messages) -> dict[str, object]:
        words = [Message(message.role, (Text(message.text),)) for message in messages]
        way, model = self._way, self._endpoint.model
        conversation = way.dialect.conversation(words, iter(()))
        if way.within:
            return {way.within: {"model": f"models/{model}", **conversation}}
        return {"model": model, **conversation}


def counter_of(model: Any) -> TokenCounter | None:
    """The counter for a model; None where its provider is not known to count."""
    from zhiyin.models.dialects import CHAT, Responses
    from zhiyin.models.endpoint import Endpoint

    endpoint = getattr(model, "endpoint", None)
    if not isinstance(endpoint, Endpoint) or not endpoint.base:
        return None
    kind, base, dialect = endpoint.name.partition(":")[0], endpoint.base, model.dialect
    if kind == "gemini":
        url = dialect.place(endpoint, "/v1beta/{model}:countTokens")
        way = CountingWay(url, dialect, "totalTokens", "generateContentRequest")
    elif kind == "anthropic":
        way = CountingWay(f"{base}/v1/messages/count_tokens", dialect, "input_tokens")
    elif (urlsplit(base).hostname or "").endswith("openai.com"):
        way = CountingWay(f"{base}/responses/input_tokens", Responses(), "input_tokens")
    else:
        way = CountingWay(f"{base.removesuffix('/v1')}/tokenize", CHAT, "count")
    return TokenCounter(way, endpoint)
