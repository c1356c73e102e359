"""Tunes from MusicXML and **kern: a file is a tune."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from zhiyin.benchmarks.exercises.continuation.tunes import (
    TICKS,
    Tune,
    Unfit,
    rights_in,
    upbeat_of,
)
from zhiyin.errors import InputError
from zhiyin.music.notated.files import (
    FORMATS,
    MOST_BYTES,
    events_of,
    metre_of,
    parsed,
    refuse_transposing,
)

SCORES = frozenset(FORMATS) - {".abc"}
"""Endings of the files that are read here."""
_FEWEST = 12


def read_score(path: Path, data: bytes, name: str, collection: str) -> Tune:
    """The tune of a file, up to a second ending. Raises `Unfit` where it cannot be used."""
    if not data.strip() or len(data) > MOST_BYTES:
        raise Unfit(f"empty, or above {MOST_BYTES:,} bytes")
    try:
        return _tune(parsed(path, data)[0], name, collection, data)
    except InputError as error:
        raise Unfit(str(error)) from None


def _tune(score: Any, name: str, collection: str, data: bytes) -> Tune:
    staves = list(score.parts)
    if len(staves) != 1:
        raise Unfit(f"{len(staves)} parts: a tune has one")
    refuse_transposing(staves)
    metre = metre_of(score)
    walls = _walls(staves[0])
    notes = []
    for event in events_of(staves[0], Fraction(walls[-1], TICKS)):
        if len(event.pitches) > 1:
            raise Unfit("grace notes or chords")
        notes.append((_ticks(event.onset), _ticks(event.length), event.pitches[0]))
    if len(notes) < _FEWEST:
        raise Unfit("under twelve notes")
    upbeat = upbeat_of(walls, [], 4 * TICKS * metre[0] // metre[1])
    about = score.metadata
    rights = str(getattr(about, "copyright", None) or "")
    return Tune(
        name, str(getattr(about, "title", None) or ""), collection,
        rights[:200] or rights_in(data.decode("utf-8", "replace")), metre, _fifths(score),
        upbeat, walls[-1], tuple(notes), (), False,
    )  # fmt: skip


def _walls(staff: Any) -> list[int]:
    """Where bars end, up to a second ending."""
    measures = [m for m in staff.getElementsByClass("Measure") if m.duration.quarterLength]
    second = [
        bracket.getFirst()
        for bracket in staff.recurse().getElementsByClass("RepeatBracket")
        if "2" in str(bracket.number)
    ]
    walls = []
    for measure in measures:
        if any(measure is each for each in second):
            break
        walls.append(_ticks(measure.offset + measure.duration.quarterLength))
    if not walls:
        raise Unfit("no bars")
    return walls


def _ticks(length: Any) -> int:
    ticks = Fraction(length).limit_denominator(TICKS) * TICKS
    if ticks.denominator != 1:
        raise Unfit("values that are too fine")
    return int(ticks)


def _fifths(score: Any) -> int:
    """The signature. A key that is named beside it may have another, as Dorian ones do."""
    signatures = list(score.recurse().getElementsByClass("KeySignature"))
    plain = [each for each in signatures if "Key" not in each.classes] or signatures
    sharps = {each.sharps for each in plain}
    if len(sharps) > 1:
        raise Unfit("changes of key")
    return int(next(iter(sharps), 0))
