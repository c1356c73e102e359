"""The instruments of the pieces: General MIDI program, family and the register of a tune."""

from __future__ import annotations

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
        told apart.
    """

    program: int
    family: Family
    centre: int
    sustains: bool = True


INSTRUMENTS: dict[str, Instrument] = {
    "piano": Instrument(0, "keyboard", 72, False),
    "harpsichord": Instrument(6, "keyboard", 72, False),
    "church organ": Instrument(19, "keyboard", 72),
    "vibraphone": Instrument(11, "mallets", 74, False),
    "marimba": Instrument(12, "mallets", 72, False),
    "xylophone": Instrument(13, "mallets", 77, False),
    "nylon-string guitar": Instrument(24, "guitar", 67, False),
    "steel-string guitar": Instrument(25, "guitar", 67, False),
    "electric guitar": Instrument(27, "guitar", 67, False),
    "double bass": Instrument(32, "strings", 40, False),
    "electric bass": Instrument(33, "guitar", 40, False),
    "synthesizer bass": Instrument(38, "synth", 40),
    "violin": Instrument(40, "strings", 76),
    "cello": Instrument(42, "strings", 60),
    "string ensemble": Instrument(48, "strings", 67),
    "trumpet": Instrument(56, "brass", 70),
    "trombone": Instrument(57, "brass", 60),
    "tuba": Instrument(58, "brass", 41),
    "French horn": Instrument(60, "brass", 62),
    "alto saxophone": Instrument(65, "woodwind", 67),
    "oboe": Instrument(68, "woodwind", 74),
    "clarinet": Instrument(71, "woodwind", 69),
    "flute": Instrument(73, "woodwind", 78),
    "recorder": Instrument(74, "woodwind", 79),
    "square-wave synthesizer": Instrument(80, "synth", 72),
    "sawtooth synthesizer": Instrument(81, "synth", 72),
    "synthesizer pad": Instrument(89, "synth", 67, False),
}
"""By the name in truth files and questions. The built-in renderer has all of them too."""


def instrument_of(program: int) -> str:
    """The name of a General MIDI program; a piano for one that is not known here."""
    names = {each.program: name for name, each in reversed(INSTRUMENTS.items())}
    return names.get(program, "piano")
