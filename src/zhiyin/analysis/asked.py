"""As much of a trial as says what was asked."""

from __future__ import annotations

from typing import Protocol

from zhiyin.trial import Option, Tag


class Asked(Protocol):
    """As much of a trial as is looked at here."""

    @property
    def stem(self) -> str: ...
    @property
    def options(self) -> tuple[Option, ...]: ...
    @property
    def target(self) -> str | None: ...
    @property
    def groups(self) -> tuple[str, ...]: ...
    @property
    def cluster(self) -> str | None: ...
    @property
    def tags(self) -> dict[str, Tag]: ...
    @property
    def sequence(self) -> str: ...
    @property
    def step(self) -> int: ...
