"""What the user may set."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.statistics.psychometric import Method

DimensionName = Literal[
    "pitch", "direction", "tempo", "onset", "loudness", "mistuning", "gap", "chord-in-noise",
    "melody-memory",
]  # fmt: skip
Procedure = Literal["quest", "staircase", "constant"]
LEAST = 10
"""Trials that each adaptive run asks at least."""


class Settings(msgspec.Struct, frozen=True):
    """Which differences, by which method, and when to stop."""

    dimension: Annotated[
        tuple[DimensionName, ...],
        Flag("what is to be heard; default all", "D,...", once=True, chooses=True),
    ] = ()
    method: Annotated[
        Method,
        Flag("which of two sounds has the difference, or whether one sound has it", chooses=True),
    ] = "two-interval"
    procedure: Annotated[
        Procedure,
        Flag(
            "the next level: that which tells most, a weighted staircase, or all levels in turn",
            chooses=True,
        ),
    ] = "quest"
    tracks: Annotated[
        int, Flag("adaptive runs for each dimension", chooses=True), msgspec.Meta(ge=1, le=100)
    ] = 1
    precision: Annotated[
        float,
        Flag(
            "quest stops where the interval's ends differ by this factor (20 log10 of it in dB)",
            chooses=True,
        ),
        msgspec.Meta(gt=1),
    ] = 3.0
    most: Annotated[
        int,
        Flag("trials of a dimension in one run at most", chooses=True),
        msgspec.Meta(ge=LEAST, le=1000),
    ] = 60
    seed: Annotated[int, Flag("of the sounds"), msgspec.Meta(ge=0)] = 0
    prompts: Annotated[
        str | None, Flag("prompt files in place of the benchmark's own", "DIR", place=True)
    ] = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"

    def __post_init__(self) -> None:
        if self.procedure == "constant" and self.tracks > 1:
            raise InputError("--tracks is for adaptive procedures: raise --most in its place")

    @property
    def dimensions(self) -> tuple[DimensionName, ...]:
        """Those that are asked: all where the user named none."""
        return self.dimension or DimensionName.__args__  # type: ignore[attr-defined,no-any-return]
