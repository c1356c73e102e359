"""What the user may set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from zhiyin.contract.declared import Skill as HearingSkill
from zhiyin.flags import Flag

Body = Literal["sound", "midi", "abc", "musicxml", "kern", "image"]
Skill = Literal[
    "pitch", "spelling", "interval", "key", "metre", "contour", "chord", "cadence",
    "repeated-bar", "repeat-marks", "upbeat", "form", "transposition", "instruments",
    "changed-note",
]  # fmt: skip
BODIES: tuple[Body, ...] = ("sound", "midi", "abc", "musicxml", "kern", "image")
SKILLS: tuple[Skill, ...] = (
    "pitch", "spelling", "interval", "key", "metre", "contour", "chord", "cadence",
    "repeated-bar", "repeat-marks", "upbeat", "form", "transposition", "instruments",
    "changed-note",
)  # fmt: skip


HEARD: Mapping[str, HearingSkill] = {
    "pitch": "pitch", "interval": "pitch", "contour": "pitch", "transposition": "pitch",
    "changed-note": "pitch", "key": "harmony", "chord": "harmony", "cadence": "harmony",
    "metre": "rhythm", "upbeat": "rhythm", "repeated-bar": "form", "repeat-marks": "form",
    "form": "form", "instruments": "timbre",
}  # fmt: skip
"""What is shown by answering of the sound; of every other body it is reading."""


class Settings(msgspec.Struct, frozen=True):
    """Which questions, in which bodies, about which pieces."""

    body: Annotated[
        tuple[Body, ...],
        Flag(f"of {','.join(BODIES)}; default all", "B,...", once=True, chooses=True),
    ] = ()
    skill: Annotated[
        tuple[Skill, ...], Flag("what is asked for; default all", "S,...", once=True, chooses=True)
    ] = ()
    n: Annotated[
        int, Flag("pieces of our own for each skill", chooses=True), msgspec.Meta(ge=1, le=10_000)
    ] = 10
    seed: Annotated[int, Flag("of pieces, questions and options")] = 0
    data: Annotated[
        str | None,
        Flag("MusicXML, ABC or kern of yours in the place of our own pieces", chooses=True),
    ] = None
    partial: Annotated[bool, Flag("leave out files that cannot be used")] = False
    prompts: Annotated[
        str | None, Flag("prompt files in place of the benchmark's own", "DIR", place=True)
    ] = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies that are asked in."""
        return self.body or BODIES

    @property
    def skills(self) -> tuple[Skill, ...]:
        """What is asked for."""
        return self.skill or SKILLS
