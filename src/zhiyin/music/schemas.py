"""The schema lines in which a model writes down what it heard, and their strict reader.

One line a sound, nothing else (Carone, Roman and Ripollés, supplementary section S3)::

    rhythm(ID, [n1, n2, ..., nK])      slots of kick and snare, 1 to 32      one line
    melody(ID, [p1, p2, ..., pK])      MIDI pitches in order, 0 to 127       two lines
    chord(ID, [p1, p2, ..., pK])       MIDI pitches in any order, 0 to 127   one line

Conventions
-----------
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
from collections.abc import Sequence
from typing import Literal

import msgspec

from zhiyin.music.solvers import PITCHES, SLOTS

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
    """What was written down.

    Attributes
    ----------
    values : tuple of tuple of int
        One sequence for each identifier, in the order asked for, numbers as they stand.
    """

    values: tuple[tuple[int, ...], ...]


class Fault(msgspec.Struct, frozen=True):
    """Why a text cannot be read: the kind of fault, and a sentence fit to show to the model."""

    kind: FaultKind
    message: str


def parse_schema(kind: Kind, text: str, ids: Sequence[str]) -> Parsed | Fault:
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
    Parsed or Fault
        The first fault that is met, where there is one.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return Fault("parse", f"the output is empty; expected {_expected(kind, ids)}")
    if any(line.startswith("```") for line in lines):
        return Fault("parse", "code fences (```) are not allowed; write plain text only")
    values: list[tuple[int, ...]] = []
    for number, line in enumerate(lines, 1):
        read = _read_line(kind, line, number, ids)
        if isinstance(read, Fault):
            return read
        values.append(read)
    if len(values) < len(ids):
        missing = required_line(kind, ids[len(values)])
        return Fault("structural", f"line {len(values) + 1} is missing: {missing}")
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


def _read_line(kind: Kind, line: str, number: int, ids: Sequence[str]) -> tuple[int, ...] | Fault:
    match = _LINE.fullmatch(line)
    if match is None:
        return Fault(
            "parse",
            f"line {number} is not a schema line: {_quote(line)}; "
            f"expected {_expected(kind, ids)} and nothing else",
        )
    name, identifier, numbers = match.groups()
    if number > len(ids):
        return Fault("structural", f"line {number} is one too many; expected {len(ids)} in all")
    if name != kind:
        return Fault("structural", f"line {number} says {_quote(name)} where {kind} is required")
    expected = ids[number - 1]
    if identifier != expected:
        order = " (the lines are in the wrong order)" if identifier in ids else ""
        return Fault(
            "structural",
            f"line {number} has the identifier {_quote(identifier)}, not {expected}{order}",
        )
    return _read_numbers(kind, numbers, number)


def _read_numbers(kind: Kind, numbers: str, line: int) -> tuple[int, ...] | Fault:
    if not numbers.strip():
        return ()
    allowed = _RANGES[kind]
    values = []
    for token in map(str.strip, numbers.split(",")):
        if not _INTEGER.fullmatch(token):
            what = f"{_quote(token)} is not an integer" if token else "a number is missing"
            return Fault("parse", f"line {line}: {what} between the commas of the list")
        # Python refuses to convert thousands of digits; no number in range has that many.
        value = int(token) if len(token) <= _LONGEST else -1
        if value not in allowed:
            return Fault(
                "domain",
                f"line {line}: the {_UNITS[kind]} {_quote(token)} is outside "
                f"{allowed[0]} to {allowed[-1]}",
            )
        values.append(value)
    return tuple(values)


def _expected(kind: Kind, ids: Sequence[str]) -> str:
    lines = "one line" if len(ids) == 1 else f"{len(ids)} lines"
    return f"{lines} of the form {required_line(kind, ids[0])}"


def _quote(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")
