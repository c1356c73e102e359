"""As much of a log's records as says what was asked, and what was played."""

from __future__ import annotations

from typing import Protocol

import msgspec

from zhiyin.engine.tally import Counted, CountedTrial
from zhiyin.trial import Option, Tag


class Placed(Protocol):
    """As much of a trial as says where it belongs."""

    @property
    def options(self) -> tuple[Option, ...]: ...
    @property
    def groups(self) -> tuple[str, ...]: ...
    @property
    def cluster(self) -> str | None: ...
    @property
    def tags(self) -> dict[str, Tag]: ...


class Asked(Placed, Protocol):
    """As much of a trial as is looked at here."""

    @property
    def stem(self) -> str: ...
    @property
    def target(self) -> str | None: ...
    @property
    def sequence(self) -> str: ...
    @property
    def step(self) -> int: ...


class _Part(msgspec.Struct, gc=False):
    sha256: str = ""


class _Message(msgspec.Struct, gc=False):
    parts: tuple[_Part, ...] = ()


class AskedTrial(CountedTrial, gc=False):
    """As much of a trial as says what was asked."""

    stem: str = ""
    options: tuple[Option, ...] = ()
    target: str | None = None
    sequence: str = ""
    step: int = 0


class HeardTrial(AskedTrial, gc=False):
    """The same, with what was played."""

    messages: tuple[_Message, ...] = ()


class AskedRecord(Counted, kw_only=True, gc=False):
    """As much of a record as says what was asked."""

    trial: AskedTrial
    last: bool = False


class HeardRecord(AskedRecord, kw_only=True, gc=False):
    """The same, with what was played."""

    trial: HeardTrial
