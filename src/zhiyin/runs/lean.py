"""As much of a record as figures need: without what was said, and without messages' words."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

from zhiyin.record import Finish, State
from zhiyin.statistics.scores import ALONE
from zhiyin.trial import Option, Tag


class LeanPart(msgspec.Struct, gc=False):
    """A part of a message: the SHA-256 of what is heard or seen."""

    type: str = ""
    sha256: str = ""


class LeanMessage(msgspec.Struct, gc=False):
    """A message without its words."""

    parts: tuple[LeanPart, ...] = ()


class LeanTrial(msgspec.Struct, gc=False):
    """A trial without its words."""

    options: tuple[Option, ...] = ()
    target: str | None = None
    groups: tuple[str, ...] = ()
    cluster: str | None = None
    tags: dict[str, Tag] = {}
    item: str = ""
    condition: str = ""
    sequence: str = ""
    step: int = 0


class WordedTrial(LeanTrial, gc=False):
    """The same, with the words of the question."""

    stem: str = ""


class HeardTrial(WordedTrial, gc=False):
    """The same, with what is heard and seen."""

    messages: tuple[LeanMessage, ...] = ()


class LeanVerdict(msgspec.Struct, gc=False):
    """A verdict without the place in the reply that it rests on."""

    state: State
    answer: str | None = None
    letter: str | None = None
    why: str = ""
    policy: str = ""
    confidence: str = ""
    tags: dict[str, Tag] = {}
    scores: dict[str, float] = {}


class LeanReply(msgspec.Struct, gc=False):
    """A reply without its words; of its detail what adapters of ours write."""

    usage: dict[str, int] = {}
    detail: LeanDetail | None = None
    latency_s: float | None = None
    finish: Finish = "stop"


class LeanDetail(msgspec.Struct, gc=False):
    """What a reply cost, and whence it is. What adapters of others write may be anything."""

    cached: bool = False
    batch: str = ""
    audio_seconds: float = 0.0
    kept_by: Any = None
    kept_at: Any = None
    model: Any = None
    secrets_hidden: Any = None
    server: Any = None


class LeanTurn(msgspec.Struct, gc=False):
    """A call of the model without what was sent."""

    reply: LeanReply
    purpose: str = "answer"


class LeanExchange(msgspec.Struct, gc=False):
    """A conversation without its words."""

    turns: tuple[LeanTurn, ...] = ()
    notes: dict[str, Any] = {}


class Lean(msgspec.Struct, kw_only=True, gc=False):
    """A record without its words."""

    id: str
    verdict: LeanVerdict
    trial: LeanTrial
    exchange: LeanExchange = msgspec.field(default_factory=LeanExchange)
    error: str | None = None
    last: bool = False


class Worded(Lean, kw_only=True, gc=False):
    """The same, with the words of the question."""

    trial: WordedTrial  # type: ignore[assignment]


class Heard(Lean, kw_only=True, gc=False):
    """The same, with what is heard and seen."""

    trial: HeardTrial  # type: ignore[assignment]


class Named(NamedTuple):
    """The names of a trial, of its item, and of what that hangs together with."""

    id: str
    item: str
    cluster: str | None


class NamedTrial(msgspec.Struct, gc=False):
    """A trial of which names and tags are looked at."""

    tags: dict[str, Tag] = {}
    cluster: str | None = None
    item: str = ""
    condition: str = ""


class NamedRecord(msgspec.Struct, gc=False):
    """As much of a record as holds its names and tags."""

    id: str
    trial: NamedTrial


class AskedRecord(msgspec.Struct, gc=False):
    """As much of a record as says what it asks."""

    trial: HeardTrial


def question_of(trial: HeardTrial, encoder: msgspec.json.Encoder) -> bytes:
    """A name for what a trial asks, 8 bytes: see `RunTable.question`."""
    if trial.target is None:
        return bytes(8)  # `ALONE`
    parts = trial.messages[-1].parts if trial.messages else ()
    sounds = [part.sha256 for part in parts if part.sha256]
    options = sorted([(option.key, option.text) for option in trial.options])
    asked = encoder.encode((trial.stem, options, trial.target, sounds))
    return blake2b(asked, digest_size=8).digest()


def names_of(texts: Iterable[str]) -> tuple[int, ...]:
    """Names as numbers: 8 bytes of BLAKE2b, the same in every process."""
    digests = [blake2b(t.encode("utf-8", "surrogatepass"), digest_size=8).digest() for t in texts]
    return struct.unpack(f"<{len(digests)}q", b"".join(digests))


def clusters_of(names: Sequence[str | None]) -> list[int]:
    """The numbers of clusters, of which most items of a run share some."""
    known = dict.fromkeys(name for name in names if name is not None)
    numbers = dict(zip(known, names_of(known), strict=True))
    return [ALONE if name is None else numbers[name] for name in names]
