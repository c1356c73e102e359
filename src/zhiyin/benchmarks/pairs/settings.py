"""What the user may set."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from zhiyin.flags import Flag

FactName = Literal["third", "note", "bars", "instrument", "tempo", "accent", "onset"]
FACTS: tuple[FactName, ...] = ("third", "note", "bars", "instrument", "tempo", "accent", "onset")
Change = Literal["gain", "codec", "resampling", "key", "font", "reverb", "padding"]
CHANGES: tuple[Change, ...] = ("gain", "codec", "resampling", "key", "font", "reverb", "padding")
"""What says nothing of any fact."""
Control = Literal["silence", "noise"]
CONTROLS: tuple[Control, ...] = ("silence", "noise")


class Settings(msgspec.Struct, frozen=True):
    """Which facts, which changes."""

    fact: Annotated[
        tuple[FactName, ...],
        Flag(f"of {','.join(FACTS)}; default all", "F,...", once=True, chooses=True),
    ] = ()
    change: Annotated[
        tuple[Change, ...],
        Flag(
            f"that say nothing of the fact, of {','.join(CHANGES)}; default all",
            "C,...",
            once=True,
            chooses=True,
        ),
    ] = ()
    n: Annotated[int, Flag("items for each fact", chooses=True), msgspec.Meta(ge=1, le=10_000)] = 8
    seed: Annotated[int, Flag("of the items")] = 0
    prompts: Annotated[
        str | None, Flag("prompt files in place of the benchmark's own", "DIR", place=True)
    ] = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"

    @property
    def facts(self) -> tuple[FactName, ...]:
        """The facts that are asked for."""
        return self.fact or FACTS

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes that say nothing."""
        return self.change or CHANGES
