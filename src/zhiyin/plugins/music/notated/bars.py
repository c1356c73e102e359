"""Bars of tunes in ABC as people write them: where they end, what is played, how long they are.

No piece is made of a tune here: real tunes have slips in them, and what is asked of a bar must be
known without its neighbours. After the ABC standard 2.1 (abcnotation.com/wiki/abc:standard:v2.1),
sections 3 and 4.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from zhiyin.plugins.music.theory import fifths_of

FIELD = re.compile(r"^([A-Za-z]):(?![|:])[ \t]*(.*?)[ \t]*$", re.MULTILINE)
"""A line of a tune's header, or one between lines of music: its letter and what it says."""
_HEADER = re.compile(r"(?:[A-Za-z]:(?![|:]).*\n)*")
_LEADING = re.compile(r"^\s*[A-Z]:(?![|:])\S*")
"""A field that stands in a bar before its notes, as cut out of a line."""
_ASIDE = re.compile(
    r'"[^"\n]*"|![^!\n]*!|\+[A-Za-z]+\+|\{[^{}\n]*+\}|\[[A-Za-z]:[^\[\]\n]*+\]|%[^\n]*'
)
"""Chord names and words above the staff, decorations, grace notes, fields in a line, remarks."""
_LINE = re.compile(r":*\|+[\]:]*|:{2,}|\[\|")
_NUMBER = re.compile(r"^\s*\[?\d[\d,-]*(?=\s|\"|[A-Ga-g(\[^_=]|$)")
"""The number of an ending, at the beginning of a bar."""
_LENGTH = r"(\d*+)(?:(/++)(\d*+))?"
_PITCH = r"(?:\^{1,2}|_{1,2}|=)?[A-Ga-gxz][,']*"
_SOUND = re.compile(
    rf"\((?P<tuplet>\d)(?P<more>(?::\d*){{0,2}})"
    rf"|(?P<chord>\[(?:{_PITCH}\d*+(?:/++\d*+)?-?\s*+)++\])(?P<c>{_LENGTH})"
    rf"|(?P<note>{_PITCH})(?P<n>{_LENGTH})|(?P<broken>[<>]+)"
)
_UNITS = re.compile(_LENGTH)
_NOTE = re.compile(rf"({_PITCH}){_LENGTH}")
_KEY = re.compile(r"([A-G][#b]?)\s*(m(?!aj|ix)|min)?", re.IGNORECASE)
_TIMES = {2: 3, 3: 2, 4: 3, 6: 2, 8: 3}
"""Into the time of how many notes a tuplet goes, of those that do not depend on the metre."""


def music_of(tune: str) -> str:
    """A tune without the lines of its header and fields, and without what is not played."""
    return _ASIDE.sub("", FIELD.sub("", tune.replace("\\\n", " ")))


def bars_of(tune: str) -> list[str]:
    """Split a tune at its bar lines, and keep the parts that hold a note or a rest.

    An upbeat is a bar, and so is each ending.
    """
    return [bar for bar in _LINE.split(music_of(tune)) if re.search(r"[A-Ga-gxzZ]", bar)]


def played(bar: str) -> str:
    """Reduce a bar to what is played, to compare it: no chord names, fields, blanks, bar lines."""
    music = music_of(_LEADING.sub("", bar))
    return "".join(_NUMBER.sub("", _LINE.sub("", music)).replace(":", "").split()).strip("\\")


def same_text(bar: str) -> str:
    """A bar for comparison as it is written: blanks and the ends of lines tell nothing."""
    return "".join(bar.replace("\\\n", "").split())


def length_of(bar: str) -> Fraction:
    """Length of a bar in unit note lengths. Tuplets of 5, 7 and 9 count as of simple metre."""
    total, last, factor = Fraction(0), Fraction(0), Fraction(1)
    left, ratio = 0, Fraction(1)
    for sound in _SOUND.finditer(_NUMBER.sub("", music_of(bar))):
        if sound["tuplet"]:
            count = int(sound["tuplet"])
            given = [int(part) if part else 0 for part in sound["more"].split(":")[1:]]
            into = (given[0] if given else 0) or _TIMES.get(count, 2)
            left = (given[1] if len(given) > 1 else 0) or count
            ratio = Fraction(into, count) if count else Fraction(1)
            continue
        if sound["broken"]:
            short = Fraction(1, 2 ** len(sound["broken"]))
            before, factor = (2 - short, short) if sound["broken"][0] == ">" else (short, 2 - short)
            total += last * (before - 1)
            continue
        own = _units(sound["n"]) if sound["note"] else _of_chord(sound["chord"], sound["c"])
        last, factor = own * factor * (ratio if left else 1), Fraction(1)
        left -= left > 0
        total += last
    return total


def _units(length: str) -> Fraction:
    match = _UNITS.fullmatch(length)
    assert match is not None  # the same pattern found it
    above = int(match[1] or 1)
    if not match[2]:
        return Fraction(above)
    return Fraction(above, int(match[3]) or 1) if match[3] else Fraction(above, 2 ** len(match[2]))


def _of_chord(chord: str, outside: str) -> Fraction:
    """A chord lasts as long as its first note."""
    first = _NOTE.search(chord)
    assert first is not None
    return _units(first[0][len(first[1]) :]) * _units(outside)


def usual_length(tune: str) -> Fraction | None:
    """The length that most bars of a tune have, in unit note lengths; None where two tie."""
    counts = Counter(length_of(bar) for bar in bars_of(tune)).most_common(2)
    if not counts or (len(counts) > 1 and counts[0][1] == counts[1][1]):
        return None
    return counts[0][0]


def metre_length(metre: str) -> Fraction | None:
    """Share of a whole note in a bar of a metre: "6/8", "C", "C|"; None for no metre."""
    if metre.strip() in ("C", "C|"):
        return Fraction(1)
    match = re.fullmatch(r"(\d+)\s*/\s*([1-9]\d*)", metre.strip())
    return Fraction(int(match[1]), int(match[2])) if match else None


def stated(tune: str, field: str) -> list[str]:
    """List what a tune says in a field, that of its header first: ``stated(tune, "M")``.

    A header without a field ``L:`` has what the standard takes (section 3.1.7): 1/16 where a bar is
    shorter than three quarters of a whole note, else 1/8.
    """
    found = [value for name, value in FIELD.findall(tune) if name == field]
    head = _HEADER.match(tune)
    if field != "L" or any(name == "L" for name, _ in FIELD.findall(head[0] if head else "")):
        return found
    lengths = [metre_length(metre) for metre in stated(tune, "M")]
    bar = lengths[0] if lengths and lengths[0] is not None else Fraction(1)
    return ["1/16" if bar < Fraction(3, 4) else "1/8", *found]


def fifths(key: str) -> int | None:
    """Number of sharps of a key of ABC, flats below 0; None for a mode or what is no key."""
    match = _KEY.fullmatch(key.strip())
    return None if match is None else fifths_of(match[1].capitalize()) - 3 * bool(match[2])


def relatives(keys: Iterable[str], key: str) -> list[str]:
    """List the keys that have the signature of `key` and are another key."""
    own = fifths(key)
    return [k for k in keys if own is not None and fifths(k) == own and k.strip() != key.strip()]
