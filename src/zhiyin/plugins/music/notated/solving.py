"""Reading of what a question asks from its words, and the answer computed from a piece.

The same functions give the truth (from the source) and a solver's answer (from whatever a body
said). Where a piece does not hold what is asked, there is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from zhiyin.errors import InputError
from zhiyin.parsing import read_beside
from zhiyin.plugins.music.notated import NotatedEvent, NotatedPiece
from zhiyin.plugins.music.notated.composing import CADENCES
from zhiyin.plugins.music.theory import QUALITIES, SCALES, Key, parse_key, parse_pitch, pitch_class

F = Fraction
WORDS = read_beside(__file__, "questions.toml", dict[str, str])
"""The question of each skill. A place in braces holds a number, or the name of a key."""
TWO = frozenset({"transposition", "changed note"})
"""Skills whose questions are about two pieces."""
CADENCE_WORDS = {
    "authentic": "authentic (V to I)",
    "plagal": "plagal (IV to I)",
    "half": "half (ends on V)",
    "deceptive": "deceptive (V to VI)",
}
SHAPES = ("rising", "falling", "rising, then falling", "falling, then rising")
UPBEATS = {
    F(0): "there is none",
    F(1, 2): "an eighth note",
    F(1): "a quarter note",
    F(3, 2): "a dotted quarter note",
}
_SIZES = (
    "unison", "minor second", "major second", "minor third", "major third", "perfect fourth",
    "tritone", "perfect fifth", "minor sixth", "major sixth", "minor seventh", "major seventh",
    "octave", "minor ninth", "major ninth", "minor tenth", "major tenth",
)  # fmt: skip
INTERVALS = {
    sign * n: f"{name} {way}"
    for n, name in enumerate(_SIZES)
    if n
    for sign, way in ((1, "up"), (-1, "down"))
}
"""Words of an interval by semitones, up when positive."""
_ALIKE = F(2, 25)
"""Notes at places of two bars that differ by less, in quarter notes, are at the same place."""
_PATTERNS = {
    skill: re.compile(
        re.sub(r"\\\{(\w+)\\\}", lambda m: rf"(?P<{m[1]}>[\w#. ]{{1,20}}?)", re.escape(words))
    )
    for skill, words in WORDS.items()
}


def understand(stem: str) -> tuple[str, dict[str, str]] | None:
    """The skill that a question asks for and what stands in its places; None for any other."""
    for skill, pattern in _PATTERNS.items():
        if match := pattern.fullmatch(stem.strip()):
            return skill, match.groupdict()
    return None


def solve(
    skill: str, places: dict[str, str], pieces: Sequence[NotatedPiece], options: Sequence[str]
) -> str | None:
    """The one option that is right of a piece (or of two), by what it holds; else None.

    Parameters
    ----------
    skill : str
    places : dict of str to str
        What stands in the places of the question.
    pieces : sequence of NotatedPiece
        One, or two where `skill` is in `TWO`.
    options : sequence of str
    """
    if len(pieces) != (2 if skill in TWO else 1):
        return None
    try:
        right = _SOLVERS[skill](places, pieces, options)
    except (IndexError, ValueError, InputError, KeyError):
        return None
    return right if right in options else None


def names_of(numbers: Sequence[int]) -> str | None:
    """A triad by the pitch class of its root and its quality ("2 minor"); None for another set."""
    classes = {number % 12 for number in numbers}
    for root in range(12):
        for quality in ("major", "minor", "diminished", "augmented"):
            if classes == {(root + step) % 12 for step in QUALITIES[quality]}:
                return f"{root} {quality}"
    return None


def shape_of(numbers: Sequence[int]) -> str | None:
    """The shape of a row of pitches that moves with every note; None where it is another."""
    ways = [1 if b > a else -1 if b < a else 0 for a, b in pairwise(numbers)]
    turns = [a for a, b in pairwise(ways) if a != b]
    if not ways or 0 in ways or len(turns) > 1:
        return None
    if not turns:
        return SHAPES[0] if ways[0] > 0 else SHAPES[1]
    return SHAPES[2] if ways[0] > 0 else SHAPES[3]


def tops(piece: NotatedPiece) -> list[int]:
    """MIDI numbers of the tune, of a chord its highest note."""
    return [event.numbers[-1] for event in piece.tune]


def content(
    events: Sequence[NotatedEvent], start: Fraction, end: Fraction
) -> list[tuple[Fraction, int]]:
    """List what begins in a stretch: place within it, highest MIDI number."""
    margin = _ALIKE / 2
    return [
        (e.onset - start, e.numbers[-1]) for e in events if start - margin <= e.onset < end - margin
    ]


def same(one: Sequence[tuple[Fraction, int]], other: Sequence[tuple[Fraction, int]]) -> bool:
    """Tell whether two stretches hold the same notes at the same places."""
    return len(one) == len(other) > 0 and all(
        a[1] == b[1] and abs(a[0] - b[0]) < _ALIKE for a, b in zip(one, other, strict=True)
    )


def form_of(stretches: Sequence[Sequence[tuple[Fraction, int]]]) -> str:
    """A letter for each stretch; equal ones have the same."""
    letters, distinct = "", list[Sequence[tuple[Fraction, int]]]()
    for each in stretches:
        known = next((n for n, other in enumerate(distinct) if same(each, other)), len(distinct))
        if known == len(distinct):
            distinct.append(each)
        letters += "ABCDEFGH"[known]
    return letters


def tonality(piece: NotatedPiece, options: Sequence[Key]) -> Key | None:
    """The key whose tonic closes the tune and whose scale fits most notes best."""
    last = tops(piece)[-1] % 12
    numbers = [n % 12 for part in piece.parts for e in part.events for n in e.numbers]

    def fit(key: Key) -> float:
        tonic = pitch_class(key.tonic)
        scale = {(tonic + step) % 12 for step in SCALES[key.mode]}
        return sum(n in scale for n in numbers) / len(numbers) + (tonic == last)

    ranked = sorted(options, key=fit, reverse=True)
    return ranked[0] if ranked and fit(ranked[0]) > fit(ranked[1]) else None


_Places = dict[str, str]
_Pieces = Sequence[NotatedPiece]
_Options = Sequence[str]


def _pitch(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    wanted = tops(pieces[0])[int(places["a"]) - 1]
    return next((o for o in options if parse_pitch(o) == wanted), None)


def _spelling(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    if pieces[0].key is None:
        return None
    return pieces[0].tune[int(places["a"]) - 1].pitches[-1]


def _interval(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    numbers = tops(pieces[0])
    return INTERVALS[numbers[int(places["b"]) - 1] - numbers[int(places["a"]) - 1]]


def _key(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    key = pieces[0].key or tonality(pieces[0], [parse_key(o) for o in options])
    return key.name if key else None


def _metre(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    return "{}/{}".format(*pieces[0].metre)


def _contour(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    return shape_of(tops(pieces[0])[int(places["a"]) - 1 : int(places["b"])])


def _chord(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    triad = names_of(pieces[0].parts[1].events[int(places["a"]) - 1].numbers)
    named = {f"{pitch_class(o.split()[0])} {o.split()[1]}": o for o in options}
    return named.get(triad or "")


def _cadence(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    tonic = pitch_class(parse_key(places["key"]).tonic)
    names = [names_of(event.numbers) for event in pieces[0].parts[1].events[-2:]]
    roots = [(int(name.split()[0]) - tonic) % 12 for name in names if name]
    steps = {"I": (0,), "IV": (5,), "V": (7,), "vi": (8, 9)}
    for name, (first, last) in CADENCES.items():
        if roots[0] in steps[first] and roots[1] in steps[last]:
            return CADENCE_WORDS[name]
    return None


def _repeated(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    piece = pieces[0]

    def bar(number: int) -> list[tuple[Fraction, int]]:
        start = piece.bar_start(number)
        return content(piece.tune, start, start + piece.bar)

    model = bar(int(places["a"]))
    same_bars = [o for o in options if same(bar(int(o.split()[1])), model)]
    return same_bars[0] if len(same_bars) == 1 else None


def _marks(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    (first, last), *more = pieces[0].repeats
    return None if more else f"bars {first} to {last}"


def _upbeat(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    return None if pieces[0].key is None else UPBEATS[pieces[0].upbeat]


def _form(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    piece, each = pieces[0], int(places["a"])
    starts = [piece.bar_start(1 + n * each) for n in range(4)]
    return form_of([content(piece.tune, s, s + each * piece.bar) for s in starts])


def _transposition(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    one, other = map(tops, pieces)
    shifts = {b - a for a, b in zip(one, other, strict=True)}
    return INTERVALS[shifts.pop()] if len(shifts) == 1 else None


def _instruments(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    return pieces[0].parts[0].instrument


def _changed(places: _Places, pieces: _Pieces, options: _Options) -> str | None:
    one, other = map(tops, pieces)
    pairs = enumerate(zip(one, other, strict=True), 1)
    changed = [number for number, (a, b) in pairs if a != b]
    return f"note number {changed[0]}" if len(changed) == 1 else None


_SOLVERS: dict[str, Callable[[_Places, _Pieces, _Options], str | None]] = {
    "pitch": _pitch,
    "spelling": _spelling,
    "interval": _interval,
    "key": _key,
    "metre": _metre,
    "contour": _contour,
    "chord": _chord,
    "cadence": _cadence,
    "repeated bar": _repeated,
    "repeat marks": _marks,
    "upbeat": _upbeat,
    "form": _form,
    "transposition": _transposition,
    "instruments": _instruments,
    "changed note": _changed,
}
