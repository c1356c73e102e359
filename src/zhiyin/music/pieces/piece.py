"""What a piece is: its notes, its sections, who plays, and the facts that hold of it."""

from __future__ import annotations

from typing import Literal

import msgspec

from zhiyin.music.midi import Score
from zhiyin.music.theory import Key

Role = Literal["tune", "second", "chords", "bass", "drums"]
Motion = Literal["steps", "leaps"]
Contour = Literal["rising", "falling", "arch", "valley"]

SECONDS = (12.0, 30.0)
"""The shortest and the longest a piece may last."""


class Part(msgspec.Struct, frozen=True):
    """Who plays what: "second" is the player who takes the tune over in the middle."""

    role: Role
    instrument: str


class Section(msgspec.Struct, frozen=True):
    """A stretch of a piece.

    Attributes
    ----------
    letter : str
        "I" for an introduction; "A", "B" or "C", the same letter for the same music.
    start, end : float
        Seconds.
    bars : int
    """

    letter: str
    start: float
    end: float
    bars: int


class Plan(msgspec.Struct, frozen=True):
    """What is decided before a note is written; see `Piece` for the words.

    Attributes
    ----------
    style : str
        A name in `styles.STYLES`.
    key : Key
    tempo : float
        Beats a minute; the beat of 6/8 is the dotted quarter note.
    form : str
        The letters of the sections, such as "AABA".
    bars : int
        Bars in a section.
    parts : tuple of Part
    contour, motion : str
        Of the tune in its first section: the direction it takes, and how it gets there.
    cadence : {"authentic", "plagal", "half", "deceptive"}
    dynamics : {"crescendo", "diminuendo", "terraced", "steady"}
    articulation : {"staccato", "legato"}
    entry : {"together", "bass", "drums", "chords"}
        Who plays alone before the tune begins; "together" where the tune begins at once.
    late_drums : bool
        The drums begin with the second section.
    """

    style: str
    key: Key
    tempo: float
    form: str
    bars: int
    parts: tuple[Part, ...]
    contour: Contour
    motion: Motion
    cadence: str
    dynamics: str
    articulation: str
    entry: str
    late_drums: bool

    def instrument(self, role: Role) -> str | None:
        """Who plays a role; None where there is none."""
        return next((part.instrument for part in self.parts if part.role == role), None)


class Piece(msgspec.Struct, frozen=True):
    """A piece, ready to be rendered, and the truth about it.

    Attributes
    ----------
    plan : Plan
    metre : tuple of int
        Time signature.
    score : Score
        Its tempo is in quarter notes a minute.
    sections : tuple of Section
    seconds : float
        Length with the last notes' ringing.
    facts : dict
        What holds of the piece, by aspect: {"contour": "arch", "metre": "triple", ...}. An
        aspect that the piece leaves open is absent. `patterns` and `styles` hold
        aspects and values.
    """

    plan: Plan
    metre: tuple[int, int]
    score: Score
    sections: tuple[Section, ...]
    seconds: float
    facts: dict[str, str]
