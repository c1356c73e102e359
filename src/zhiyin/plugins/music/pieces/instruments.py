"""The instruments of the pieces: General MIDI program, family and the register of a tune."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

Family = Literal["strings", "brass", "woodwind", "keyboard", "guitar", "mallets", "synth"]


class Instrument(msgspec.Struct, frozen=True):
    """One instrument.

    Attributes
    ----------
    program : int
        General MIDI, counted from 0.
    family : str
    centre : int
        MIDI pitch around which it plays a tune.
    sustains : bool
        Whether a note speaks at once and keeps sounding, so that staccato and legato can be
        distinguished.
    """

    program: int
    family: Family
    centre: int
    sustains: bool = True


INSTRUMENTS = msgspec.toml.decode(
    Path(__file__).with_suffix(".toml").read_bytes(), type=dict[str, Instrument]
)
"""By the name in truth files and questions. The built-in renderer has all of them too."""


def instrument_of(program: int) -> str:
    """The name of a General MIDI program; a piano for one that is not known here."""
    names = {each.program: name for name, each in reversed(INSTRUMENTS.items())}
    return names.get(program, "piano")
