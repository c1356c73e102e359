"""The deterministic solvers of three tasks, and the schema lines that they are given.

The solvers are pure functions over integers. They follow Carone, Roman and Ripollés, "LLMs can
read music, but struggle to hear it", supplementary section S3 ("Task schemas and deterministic
solvers"), and decide nothing that the rules there do not decide. A model writes down what it heard
in schema lines, which are read strictly: one line a sound, nothing else (the same section)::

    rhythm(ID, [n1, n2, ..., nK])      slots of kick and snare, 1 to 32      one line
    melody(ID, [p1, p2, ..., pK])      MIDI pitches in order, 0 to 127       two lines
    chord(ID, [p1, p2, ..., pK])       MIDI pitches in any order, 0 to 127   one line

Conventions
-----------
slot
    Position of an onset in four bars of eighth notes, 1 to 32. Odd slots are on-beats, even
    slots are off-beats.
pitch
    MIDI note number, 0 to 127 (C4 = 60).
parse fault
    The text is not made of such lines: empty, fenced, commented, malformed, not integers.
structural fault
    The lines are well formed but not those asked for: wrong schema, identifier, order, number.
domain fault
    A number lies outside its range.

A list may be empty, and a number may be repeated: a repeated slot is kick and snare together,
a repeated pitch in a chord is a doubling. Both are left to the solver. Spaces around names and
numbers and blank lines between the lines are not faults.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

Quality = Literal["major", "minor", "dominant", "diminished"]

SLOTS = range(1, 33)
PITCHES = range(128)

LEVELS: dict[str, int] = {"A": 0, "B": 2, "C": 4, "D": 6, "E": 8}
"""Syncopation levels: the answer's letter and its number of off-beat onsets (S3)."""

CHORDS: dict[Quality, frozenset[int]] = {
    "major": frozenset({0, 4, 7}),
    "minor": frozenset({0, 3, 7}),
    "dominant": frozenset({0, 4, 7, 10}),
    "diminished": frozenset({0, 3, 6}),
}
"""Chord qualities as pitch classes, in semitones above the root (S3)."""

CHORD_LETTERS: dict[Quality, str] = {"major": "A", "minor": "B", "dominant": "C", "diminished": "D"}
"""Chord qualities and the letters of their answers (S3)."""


def is_offbeat(slot: int) -> bool:
    """Tell whether a slot (1 to 32) lies between the beats: the even ones do."""
    return slot % 2 == 0


def count_offbeats(slots: Collection[int]) -> int:
    """Count the off-beats that carry an onset.

    Parameters
    ----------
    slots : collection of int, shape (n,)
        Onsets of kick and snare, 1 to 32, in any order. A slot that is named twice (kick and
        snare together) is one onset. The published solver adds up the list as it stands, so
        that a repeated off-beat counts twice there and the count is higher by the repeats.

    Returns
    -------
    int
        Number of distinct even slots, 0 to 16.
    """
    return sum(map(is_offbeat, set(slots)))


def syncopation_letter(count: int) -> str | None:
    """The answer for a number of off-beat onsets, "A" to "E"; None where no level has it."""
    return next((letter for letter, level in LEVELS.items() if level == count), None)


def are_transpositions(a: Sequence[int], b: Sequence[int]) -> bool | None:
    """Tell whether two melodies have the same intervals; rhythm is ignored.

    Parameters
    ----------
    a, b : sequence of int, shape (n,) and (m,)
        MIDI pitches in the order in which they sound.

    Returns
    -------
    bool or None
        None when both are empty. False when the lengths differ. True for two single notes.
        Otherwise whether the successive differences, in semitones, are equal. The unmoved
        melody is a transposition of itself.
    """
    if not a and not b:
        return None
    return len(a) == len(b) and intervals(a) == intervals(b)


def intervals(pitches: Sequence[int]) -> list[int]:
    """Differences between successive pitches, in semitones; shape (n,) gives (n - 1,)."""
    return [after - before for before, after in pairwise(pitches)]


def chord_quality(pitches: Collection[int]) -> Quality | None:
    """The quality of a chord in root position.

    Parameters
    ----------
    pitches : collection of int, shape (n,)
        MIDI pitches in any order, doublings allowed. The lowest is taken as the root.

    Returns
    -------
    {"major", "minor", "dominant", "diminished"} or None
        The quality whose pitch classes above the root are exactly those sounded; None where
        there is none (empty, inverted, incomplete or another chord).
    """
    if not pitches:
        return None
    root = min(pitches)
    sounded = {(pitch - root) % 12 for pitch in pitches}
    return next((quality for quality, classes in CHORDS.items() if classes == sounded), None)


Kind = Literal["rhythm", "melody", "chord"]
FaultKind = Literal["parse", "structural", "domain"]

_RANGES: dict[Kind, range] = {"rhythm": SLOTS, "melody": PITCHES, "chord": PITCHES}
_UNITS: dict[Kind, str] = {"rhythm": "slot", "melody": "MIDI pitch", "chord": "MIDI pitch"}
_MEANINGS: dict[Kind, str] = {
    "rhythm": "the eighth-note slots in which the kick or the snare sounds",
    "melody": "the MIDI pitches of the melody in the order in which they sound",
    "chord": "the MIDI pitches of the notes that sound, in any order",
}

# Every part is anchored by a character that the part before it cannot match, so that reading
# takes linear time whatever the text.
_LINE = re.compile(r"([A-Za-z_]+)\s*\(\s*([^,()\[\]\s]+)\s*,\s*\[([^\[\]]*)\]\s*\)")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_LONGEST = 40
"""How many characters of a faulty text a message quotes."""


class Parsed(msgspec.Struct, frozen=True):
    """The sequences read from a transcription.

    Attributes
    ----------
    values : tuple of tuple of int
        One sequence for each identifier, in the order asked for, numbers as they stand.
    """

    values: tuple[tuple[int, ...], ...]


class SolverFault(msgspec.Struct, frozen=True):
    """The reason why a text cannot be read: the kind of fault, and a sentence for the model."""

    kind: FaultKind
    message: str


def parse_schema(kind: Kind, text: str, ids: Sequence[str]) -> Parsed | SolverFault:
    """Read the schema lines of one reply, strictly.

    Parameters
    ----------
    kind : {"rhythm", "melody", "chord"}
    text : str
        The whole reply. Reading takes time linear in its length.
    ids : sequence of str
        The identifiers of the sounds in order; as many lines are expected.

    Returns
    -------
    Parsed or SolverFault
        The first fault that is met, where there is one.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return SolverFault("parse", f"the output is empty; expected {_expected(kind, ids)}")
    if any(line.startswith("```") for line in lines):
        return SolverFault("parse", "code fences (```) are not allowed; write plain text only")
    values: list[tuple[int, ...]] = []
    for number, line in enumerate(lines, 1):
        read = _read_line(kind, line, number, ids)
        if isinstance(read, SolverFault):
            return read
        values.append(read)
    if len(values) < len(ids):
        missing = required_line(kind, ids[len(values)])
        return SolverFault("structural", f"line {len(values) + 1} is missing: {missing}")
    return Parsed(tuple(values))


def required_line(kind: Kind, identifier: str) -> str:
    """The form of the line for one sound, e.g. ``chord(clip1, [n1, n2, ..., nK])``."""
    return f"{kind}({identifier}, [n1, n2, ..., nK])"


def constraints(kind: Kind) -> str:
    """One sentence that says what the numbers of a schema are."""
    allowed = _RANGES[kind]
    return (
        f"The numbers are {_MEANINGS[kind]}: integers from {allowed[0]} to {allowed[-1]}, "
        "separated by commas."
    )


def write_schema(kind: Kind, values: Sequence[Sequence[int]], ids: Sequence[str]) -> str:
    """The schema lines of some values: what `parse_schema` reads back."""
    rows = zip(ids, values, strict=True)
    return "\n".join(f"{kind}({name}, [{', '.join(map(str, row))}])" for name, row in rows)


def _read_line(
    kind: Kind, line: str, number: int, ids: Sequence[str]
) -> tuple[int, ...] | SolverFault:
    match = _LINE.fullmatch(line)
    if match is None:
        return SolverFault(
            "parse",
            f"line {number} is not a schema line: {_quote(line)}; "
            f"expected {_expected(kind, ids)} and nothing else",
        )
    name, identifier, numbers = match.groups()
    if number > len(ids):
        wrong = f"is one too many; expected {len(ids)} in all"
    elif name != kind:
        wrong = f"says {_quote(name)} where {kind} is required"
    elif identifier != (expected := ids[number - 1]):
        order = " (the lines are in the wrong order)" if identifier in ids else ""
        wrong = f"has the identifier {_quote(identifier)}, not {expected}{order}"
    else:
        return _read_numbers(kind, numbers, number)
    return SolverFault("structural", f"line {number} {wrong}")


def _read_numbers(kind: Kind, numbers: str, line: int) -> tuple[int, ...] | SolverFault:
    if not numbers.strip():
        return ()
    allowed = _RANGES[kind]
    values = []
    for token in map(str.strip, numbers.split(",")):
        if not _INTEGER.fullmatch(token):
            what = f"{_quote(token)} is not an integer" if token else "a number is missing"
            return SolverFault("parse", f"line {line}: {what} between the commas of the list")
        # Python refuses to convert thousands of digits; no number in range has that many.
        value = int(token) if len(token) <= _LONGEST else -1
        if value not in allowed:
            what = f"the {_UNITS[kind]} {_quote(token)} is outside {allowed[0]} to {allowed[-1]}"
            return SolverFault("domain", f"line {line}: {what}")
        values.append(value)
    return tuple(values)


def _expected(kind: Kind, ids: Sequence[str]) -> str:
    lines = "one line" if len(ids) == 1 else f"{len(ids)} lines"
    return f"{lines} of the form {required_line(kind, ids[0])}"


def _quote(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")
