"""Four continuations of which one is a tune's own.

others
    Continuations of four tunes, alike in metre, mode, length, range and number of notes, moved to
    one key. One of the four is drawn, and its tune's opening is shown.
transposed, rhythm
    The same tune at four pitches, or in four rhythms (as it is, and its even pairs made long and
    short, short and long, or swung). One of the four is drawn, and the opening is shown as it is
    in that one. Every accidental is written out, so that no signature tells.
cadence
    The last note and three others beside it. Here the opening cannot be made to fit: a reader who
    finds the key in the options alone can do without it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from zhiyin.benchmarks.exercises.continuation.cuts import (
    Bars,
    Cut,
    Notes,
    Shape,
    bars_of,
    cuts_of,
    header,
    moved,
    raised,
    shape,
    written,
)
from zhiyin.benchmarks.exercises.continuation.tunes import TICKS, Tune, read_tunes
from zhiyin.benchmarks.exercises.exercise import Exercise, line
from zhiyin.benchmarks.exercises.made import Made, seated
from zhiyin.errors import InputError
from zhiyin.music.stimuli.dice import Dice, balanced
from zhiyin.music.theory import LETTERS

_NEAR = 5
"""Most semitones by which the ranges of two continuations differ at either end."""
_ALIKE = 0.5
"""Share of equal notes above which two continuations count as variants of one."""
_DRAWS = 400
_TRIES = 60
"""Other tunes that are looked at for one exercise."""
_PAIRS = 2
_RHYTHMS = ((1, 1), (3, 1), (1, 3), (4, 2))
"""How a pair of even notes is parted: as it is, long and short, short and long, swung."""


class Option(NamedTuple):
    """A continuation: where it is from, and how far it is moved (fifths, semitones)."""

    cut: Cut
    fifths: int
    semitones: int


class Choice(NamedTuple):
    """One exercise with what belongs to it.

    Attributes
    ----------
    exercise : Exercise
    cut : Cut
        The tune that is continued.
    texts : tuple of str
        The four continuations in ABC.
    tunes : tuple of Tune
        Whose they are.
    """

    exercise: Exercise
    cut: Cut
    texts: tuple[str, ...]
    tunes: tuple[Tune, ...]


class Chooser:
    """Finds exercises in tunes.

    Parameters
    ----------
    tunes : iterable of Tune
    phrases : {"lines", "bars", None}
        What a phrase is; None for what the collection says.
    """

    def __init__(self, tunes: Any, phrases: str | None) -> None:
        self.cuts = [cut for tune in tunes for cut in cuts_of(tune, phrases)]
        groups: dict[tuple[object, ...], list[Cut]] = defaultdict(list)
        for cut in self.cuts:
            groups[cut.group].append(cut)
        self.groups = {
            key: cuts for key, cuts in groups.items() if len({c.tune.id for c in cuts}) >= 4
        }
        self.shapes: dict[int, Shape] = {}
        self.bars: dict[tuple[int, int, int], Bars | None] = {}
        self.matched = [cut for cuts in self.groups.values() for cut in cuts]

    def others(self, dice: Dice) -> Choice | None:
        """Continuations of four tunes."""
        if not self.matched:
            return None
        first = dice.choice(self.matched)
        fifths = first.tune.fifths
        own = self._shape(first)
        found = [(first, first.continuation, 0, 0)]
        shapes = [own]
        group = self.groups[first.group]
        for _ in range(_TRIES):
            other = dice.choice(group)
            shift = fifths - other.tune.fifths
            plain = self._shape(other)
            semitones = _nearest(own, plain, 7 * shift % 12)
            theirs = raised(plain, semitones)
            beside = zip(found, shapes, strict=True)
            if not all(_may_stand_beside(other, theirs, each[0], s) for each, s in beside):
                continue
            if notes := moved(other.continuation, shift, semitones):
                found.append((other, notes, shift, semitones))
                shapes.append(theirs)
            if len(found) == 4:
                break
        else:
            return None
        options = [Option(cut, shift, semi) for cut, _, shift, semi in found]
        bars = [self._bars(*option) for option in options]
        if any(each is None for each in bars):
            return None
        answers = [
            written(each or [], o.cut.start, o.cut.end)
            for each, o in zip(bars, options, strict=True)
        ]
        exercise = line(dice, answers, "other tune", lambda right: {})
        if exercise is None:
            return None
        cut = options[exercise.right].cut
        opening = written(bars[exercise.right] or [], cut.begin, cut.start)
        told = {"opening": f"{header(first.tune, fifths)}\n{opening}"}
        exercise = msgspec.structs.replace(exercise, facts=told)
        tunes = tuple(option.cut.tune for option in options)
        return Choice(exercise, cut, tuple(answers), tunes)

    def _bars(self, cut: Cut, fifths: int, semitones: int) -> Bars | None:
        key = (id(cut.tune), fifths, semitones)
        if key not in self.bars:
            notes = moved(cut.tune.notes, fifths, semitones)
            signature = cut.tune.fifths + fifths
            self.bars[key] = None if notes is None else bars_of(cut.tune, notes, signature)
        return self.bars[key]

    def _shape(self, cut: Cut) -> Shape:
        found = self.shapes.get(id(cut))
        if found is None:
            found = self.shapes[id(cut)] = shape(cut)
        return found

    def transposed(self, dice: Dice) -> Choice | None:
        """One tune at four pitches."""
        cut = dice.choice(self.cuts)
        base = dice.whole(-3, 0)
        ways = [_spelled(cut.tune.fifths, semitones) for semitones in range(base, base + 4)]

        def change(notes: Notes, way: int) -> Notes | None:
            return moved(notes, ways[way], base + way)

        return self._altered(dice, cut, change, "transposed")

    def rhythm(self, dice: Dice) -> Choice | None:
        """One tune in four rhythms."""
        cut = dice.choice(self.cuts)
        beat = 4 * TICKS // cut.tune.metre[1]
        starts = (cut.begin, cut.start, cut.end)
        if any(_pairs(cut, a, b, beat) < _PAIRS for a, b in pairwise(starts)):
            return None
        return self._altered(dice, cut, lambda notes, way: _parted(cut, notes, way, beat), "rhythm")

    def _altered(
        self, dice: Dice, cut: Cut, change: Callable[[Notes, int], Notes | None], name: str
    ) -> Choice | None:
        rows = [(change(cut.opening, way), change(cut.continuation, way)) for way in range(4)]
        if any(before is None or after is None for before, after in rows):
            return None

        def text(notes: Notes, begin: int, end: int) -> str:
            return written(bars_of(cut.tune, notes, 0), begin, end)

        answers = [text(after or [], cut.start, cut.end) for _, after in rows]
        exercise = line(dice, answers, name, lambda right: {})
        if exercise is None:
            return None
        before = text(rows[exercise.right][0] or [], cut.begin, cut.start)
        told = f"{header(cut.tune, 0)}\n{before}"
        exercise = msgspec.structs.replace(exercise, facts={"opening": told})
        return Choice(exercise, cut, tuple(answers), (cut.tune,) * 4)

    def cadence(self, dice: Dice) -> Choice | None:
        """One tune with four last notes."""
        cut = dice.choice(self.cuts)
        if not cut.final:
            return None
        *body, (onset, length, pitch) = cut.continuation
        right = dice.whole(0, 3)
        names = [_beside(cut.tune, pitch, step - right) for step in range(4)]
        fifths = cut.tune.fifths
        rows = [[*body, (onset, length, name)] for name in names]
        answers = tuple(written(bars_of(cut.tune, row, fifths), cut.start, cut.end) for row in rows)
        if len(set(answers)) < 4:
            return None
        before = written(bars_of(cut.tune, cut.opening, fifths), cut.begin, cut.start)
        told = {"opening": f"{header(cut.tune, fifths)}\n{before}"}
        mistakes = tuple("" if way == right else "cadence" for way in range(4))
        return Choice(Exercise(told, answers, right, mistakes), cut, answers, (cut.tune,) * 4)


def _nearest(first: Shape, other: Shape, semitones: int) -> int:
    """The shift by `semitones` and octaves that brings two ranges nearest together."""
    apart = first.low + first.high - other.low - other.high
    ways = (semitones + 12 * octave for octave in (-2, -1, 0, 1))
    return min(ways, key=lambda way: abs(apart - 2 * way))


def _may_stand_beside(cut: Cut, mine: Shape, other: Cut, yours: Shape) -> bool:
    """Whether two continuations are alike enough, and not the same in two variants."""
    if cut.tune.id == other.tune.id or (cut.tune.title and cut.tune.title == other.tune.title):
        return False
    if abs(mine.low - yours.low) > _NEAR or abs(mine.high - yours.high) > _NEAR:
        return False
    if not 2 / 3 <= mine.notes / yours.notes <= 3 / 2:
        return False
    return len(mine.places & yours.places) <= _ALIKE * len(mine.places | yours.places)


def _spelled(fifths: int, semitones: int) -> int:
    """Along the line of fifths, the way by some semitones to the signature with fewest signs."""
    ways = (way for way in range(-12, 13) if 7 * way % 12 == semitones % 12)
    return min(ways, key=lambda way: (abs(fifths + way), way))


def _is_pair(
    cut: Cut, first: tuple[int, int, str], second: tuple[int, int, str], beat: int
) -> bool:
    half = beat // 2
    onset = first[0] - cut.tune.upbeat
    return onset % beat == 0 and first[1] == second[1] == half and second[0] == first[0] + half


def _pairs(cut: Cut, begin: int, end: int, beat: int) -> int:
    notes = cut.notes(begin, end)
    return sum(_is_pair(cut, a, b, beat) for a, b in pairwise(notes))


def _parted(cut: Cut, notes: Notes, way: int, beat: int) -> Notes:
    """The even pairs of a stretch in another rhythm."""
    long, short = _RHYTHMS[way]
    found = list(notes)
    for place in range(len(found) - 1):
        first, second = found[place], found[place + 1]
        if _is_pair(cut, notes[place], notes[place + 1], beat):
            length = beat * long // (long + short)
            found[place] = (first[0], length, first[2])
            found[place + 1] = (first[0] + length, beat - length, second[2])
    return found


def _beside(tune: Tune, pitch: str, steps: int) -> str:
    """The note of the signature some steps above (or below) another."""
    from zhiyin.benchmarks.exercises.notes import Note, in_key, note

    step = note(pitch).step + steps
    return (
        note(pitch).full if not steps else Note(step, in_key(LETTERS[step % 7], tune.fifths)).full
    )


def continued(
    path: str | None,
    corpus: str | None,
    phrases: str | None,
    kinds: tuple[str, ...],
    n: int,
    seed: int,
) -> Iterator[Made]:
    """Exercises in continuing a tune, none twice.

    Raises
    ------
    InputError
        There are not as many in these tunes.
    """
    chooser = Chooser(read_tunes(path, corpus).tunes, phrases)
    for kind in kinds:
        draw = getattr(chooser, kind)
        seats = balanced(range(4), seed, "exercises", kind, "seats")
        seen: set[str] = set()
        for number in range(1, n + 1):
            words = (seed, "exercises", kind, number)
            choice = _new(draw, words, seen) if chooser.cuts else None
            if choice is None:
                raise InputError(
                    f"{path or corpus}: only {number - 1} exercises of the kind {kind} can be "
                    "made of these tunes: give more tunes, or a smaller --n"
                )
            exercise = seated(choice.exercise, next(seats), words, number)
            tune = choice.cut.tune
            yield Made(
                f"{kind}-{number:05d}-{seed}", "continuation", kind, "", exercise, tune.id,
                tags={
                    "tune": tune.id, "title": tune.title, "collection": tune.collection,
                    "statement": tune.statement or "none in the file",
                    "wrong_tunes": "; ".join(t.id for t in choice.tunes if t is not tune),
                },
            )  # fmt: skip


def _new(
    draw: Callable[[Dice], Choice | None],
    words: tuple[str | int, ...],
    seen: set[str],
) -> Choice | None:
    for attempt in range(_DRAWS):
        choice = draw(Dice(*words, attempt))
        if choice is None:
            continue
        key = "\0".join((*choice.exercise.facts.values(), *sorted(choice.exercise.answers)))
        if key not in seen:
            seen.add(key)
            return choice
    return None
