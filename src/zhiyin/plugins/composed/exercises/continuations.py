"""Four continuations of which one is a tune's own.

others
    Continuations of four tunes, alike in metre, mode, length, range and number of notes. One of
    the four is drawn, and its tune's opening is shown.
transposed
    The same tune from four places of its own scale (the notes that it uses). One is drawn, and the
    opening stands there too.
rhythm
    Even pairs made uneven at one place of every bar, or of every two bars. There are four such
    patterns. One is drawn, and the opening has it too.
cadence
    The last bar or two, closing on four notes of the scale. All that comes before is shown: nothing
    in the options says where they should close. A cadence that could never be right would be wrong
    in itself, so the tune is moved as for `transposed`, and each of the four closes it in one of
    its places. In one place only does the right one begin nearest to the last note before it.

Whatever the kind, the four are chosen so that likeness to the opening gives nothing away; see
`matching`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from zhiyin.errors import InputError
from zhiyin.plugins.composed.exercises import matching
from zhiyin.plugins.composed.exercises.cuts import (
    KEYS,
    Bars,
    Cut,
    Notes,
    bars_of,
    cuts_of,
    endings_of,
    gamut_of,
    header,
    is_plain,
    midi,
    moved,
    moved_text,
    pitches_of,
    stepped,
    written,
)
from zhiyin.plugins.composed.exercises.exercise import (
    AskedQuestions,
    Exercise,
    ExerciseItem,
    line,
    question_keys,
    seated,
)
from zhiyin.plugins.composed.exercises.tunes import TICKS, VocalTune, read_tunes
from zhiyin.plugins.music.notated.writing import abc_length
from zhiyin.plugins.music.stimuli import Dice, balanced
from zhiyin.words import said

_DRAWS = 2000
_MIDDLE = 71
"""About where the middle of a tune lies in C, as a MIDI number."""
_SEED = 2**31 - 1


class ContinuationChoice(NamedTuple):
    """One exercise with what belongs to it.

    Attributes
    ----------
    exercise : Exercise
    cut : Cut
        The tune that is continued.
    tunes : tuple of VocalTune
        Whose the four continuations are.
    """

    exercise: Exercise
    cut: Cut
    tunes: tuple[VocalTune, ...]


class Sheets:
    """Tunes written in C, each once.

    A tune has the octave that brings the middle of its range nearest to B4.
    """

    def __init__(self) -> None:
        self._bars: dict[str, Bars] = {}

    def shown(self, cut: Cut) -> matching.ShownCut | None:
        """A cut's opening and continuation in C."""
        bars = self.bars(cut.tune)
        return show(cut, bars) if bars else None

    def bars(self, tune: VocalTune) -> Bars:
        """A tune in C, sign by sign; empty where it cannot be written in C."""
        if tune.id not in self._bars:
            notes = _in_c(tune)
            self._bars[tune.id] = bars_of(tune, notes, 0) if notes else []
        return self._bars[tune.id]


def _in_c(tune: VocalTune) -> Notes | None:
    """The notes of a tune in C; None where one has no plain name."""
    pitches = [midi(pitch) for _, _, pitch in tune.notes]
    middle = (min(pitches) + max(pitches)) / 2
    ways = (-7 * tune.fifths % 12 + 12 * octave for octave in (-3, -2, -1, 0, 1, 2))
    semitones = min(ways, key=lambda way: abs(middle + way - _MIDDLE))
    return moved(tune.notes, -tune.fifths, semitones)


def show(cut: Cut, bars: Bars) -> matching.ShownCut:
    """A cut of a tune whose bars are written."""
    opening = written(bars, cut.begin, cut.start)
    return matching.ShownCut(cut, opening, written(bars, cut.start, cut.end))


class Chooser:
    """Finds exercises in tunes.

    Parameters
    ----------
    tunes : iterable of VocalTune
    phrases : {"lines", "bars", None}
        What a phrase is; None for what the collection says.
    """

    def __init__(self, tunes: Iterable[VocalTune], phrases: str | None) -> None:
        self.cuts = [cut for tune in tunes for cut in cuts_of(tune, phrases)]
        self.sheets = Sheets()
        groups: dict[tuple[object, ...], list[Cut]] = defaultdict(list)
        for cut in self.cuts:
            groups[cut.group].append(cut)
        self.blocks = [
            part
            for cuts in groups.values()
            for part in _parts(cuts)
            if len({cut.tune.id for cut in part}) >= 4
        ]
        self._sizes = np.cumsum([len(part) for part in self.blocks])
        self._opened_blocks: dict[int, matching.Block] = {}

    def others(self, dice: Dice) -> ContinuationChoice | None:
        """Continuations of four tunes."""
        if not self.blocks:
            return None
        place = int(np.searchsorted(self._sizes, dice.whole(1, int(self._sizes[-1]))))
        for four in self._block(place).quadruples(dice.whole(0, _SEED)):
            if choice := chosen(dice, four, "other tune"):
                return choice
        return None

    def _block(self, place: int) -> matching.Block:
        if place not in self._opened_blocks:
            shown = map(self.sheets.shown, self.blocks[place])
            self._opened_blocks[place] = matching.Block([each for each in shown if each])
        return self._opened_blocks[place]


def _parts(cuts: list[Cut]) -> Iterator[list[Cut]]:
    """Cuts in parts of at most `BLOCK`, always the same."""
    drawn = Dice("parts", len(cuts)).shuffled(cuts)
    count = -(-len(cuts) // matching.BLOCK)
    return (drawn[number::count] for number in range(count))


def chosen(
    dice: Dice, four: Sequence[matching.ShownCut], mistake: str
) -> ContinuationChoice | None:
    """An exercise of four cuts, in a drawn key, with the opening of one that is drawn.

    None where they are not even in that key, or cannot be written in it.
    """
    fifths = dice.choice(KEYS)
    openings = [moved_text(each.opening, fifths) for each in four]
    answers = [text for each in four if (text := moved_text(each.continuation, fifths))]
    heads = [header(each.cut.tune, fifths) for each in four]
    questions = [f"{head}\n{text}" for head, text in zip(heads, openings, strict=True) if text]
    if len(answers) < 4 or len(questions) < 4 or not are_different(answers):
        return None
    prompt = matching.words_around("continuation", "en")
    likeness = matching.shared([prompt.replace("{opening}", each) for each in questions], answers)
    noise = np.array([[0.5 * dice.unit() for _ in questions] for _ in questions])
    if _draws_at_the_top(likeness) or not matching.even(likeness + noise):
        return None
    exercise = line(dice, answers, mistake, lambda right: {"opening": questions[right]})
    if exercise is None:
        return None
    cuts = [each.cut for each in four]
    return ContinuationChoice(exercise, cuts[exercise.right], tuple(cut.tune for cut in cuts))


def _draws_at_the_top(likeness: matching.Table) -> bool:
    """Tell whether an opening's own continuation ties with the most similar other one."""
    others = np.where(np.eye(len(likeness), dtype=bool), -1, likeness).max(1)
    return bool((np.diagonal(likeness) == others).any())


def are_different(texts: Sequence[str]) -> bool:
    """Tell whether all texts differ even when case is ignored."""
    return len({" ".join(text.casefold().split()) for text in texts}) == len(texts)


Draw = Callable[[Dice], ContinuationChoice | None]


def continued(
    path: str | None,
    corpus: str | None,
    phrases: str | None,
    kinds: tuple[str, ...],
    n: int,
    seed: int,
) -> Iterator[ExerciseItem]:
    """Exercises in continuing a tune, none twice.

    Raises
    ------
    InputError
        There are not as many in these tunes.
    """
    chooser = Chooser(read_tunes(path, corpus).tunes, phrases)
    altered = Altered(chooser.cuts, chooser.sheets)
    for kind in kinds:
        seats = balanced(range(4), seed, "exercises", kind, "seats")
        asked_questions = AskedQuestions()
        for number in range(1, n + 1):
            seed_words = (seed, "exercises", kind, number)
            turns = max(_DRAWS, len(chooser.cuts))
            draw = chooser.others if kind == "others" else partial(altered.draw, kind)
            choice = chooser.cuts and _new(kind, draw, seed_words, asked_questions, turns)
            if not choice:
                raise InputError(
                    said("exercises-few", path=path or corpus, number=number - 1, kind=kind)
                )
            exercise = seated(choice.exercise, next(seats), seed_words, number)
            tune = choice.cut.tune
            yield ExerciseItem(
                f"{kind}-{number:05d}-{seed}", "continuation", kind, "", exercise, tune.id,
                tags={
                    "tune": tune.id, "title": tune.title, "collection": tune.collection,
                    "statement": tune.statement or "none in the file",
                    "wrong_tunes": "; ".join(t.id for t in choice.tunes if t is not tune),
                },
            )  # fmt: skip


def _new(
    kind: str,
    draw: Draw,
    seed_words: tuple[str | int, ...],
    asked_questions: AskedQuestions,
    turns: int,
) -> ContinuationChoice | None:
    for attempt in range(turns):
        choice = draw(Dice(*seed_words, attempt))
        if choice is None:
            continue
        question = question_keys(kind, choice.exercise)
        if not asked_questions.before(*question):
            asked_questions.add(*question, choice.cut.tune.id)
            return choice
    return None


_PLACES = range(-5, 6)
"""By how many notes of its scale a tune is moved."""
_UNEVEN = ((3, 1), (1, 3))
"""How an even pair is split: long and short, or short and long."""
_IN_OPENING = 2
"""Fewest pairs of an opening that a pattern alters."""
_LENGTHS = (TICKS // 4, TICKS // 2, TICKS)
"""Sixteenths, eighths, quarters."""
_UNIT = TICKS // 2
_TIES = 1e-6
_SIGN = re.compile(r"( ?[_^=]{0,2}[A-Ga-g][',]*)([0-9/]*)")
Slot = tuple[int, int]
Four = tuple[matching.ShownCut, ...]


class Altered:
    """Finds exercises in tunes and their near misses.

    Parameters
    ----------
    cuts : list of Cut
    sheets : Sheets
    """

    def __init__(self, cuts: list[Cut], sheets: Sheets) -> None:
        self.cuts = cuts
        self.sheets = sheets
        self._fours: dict[tuple[str, Cut], list[Four]] = {}
        endings = dict.fromkeys(each for cut in cuts for each in endings_of(cut))
        self._from = {"transposed": cuts, "rhythm": cuts, "cadence": list(endings)}
        self._turns: dict[str, deque[Cut]] = {}

    def draw(self, kind: str, dice: Dice) -> ContinuationChoice | None:
        """An exercise of one kind of alteration.

        The cuts come one after another, in a drawn order, again and again.
        """
        if kind not in self._turns:
            self._turns[kind] = deque(dice.shuffled(self._from[kind]))
        turns = self._turns[kind]
        if not turns:
            return None
        turns.rotate(-1)
        cut = turns[-1]
        key = (kind, cut)
        if key not in self._fours:
            self._fours[key] = self._find_fours(kind, cut)
        if not self._fours[key]:
            return None
        return chosen(dice, dice.choice(self._fours[key]), kind)

    def _find_fours(self, kind: str, cut: Cut) -> list[Four]:
        """The sets of four that a cut gives."""
        shown = self.sheets.shown(cut)
        if shown is None or matching.bars_in(shown.opening) & matching.bars_in(shown.continuation):
            return []
        if kind == "rhythm":
            return _fours(_uneven(cut, self.sheets.bars(cut.tune)), measures=2)
        if kind == "transposed":
            return _fours(_transposed(shown), measures=3)
        return [four for four in _fours(_transposed(shown), measures=2) if _one_is_nearest(four)]


class AlteredCut(NamedTuple):
    """A cut, altered in some way; of two of the same `place`, only one may stand in a set."""

    shown: matching.ShownCut
    place: int


def _transposed(shown: matching.ShownCut) -> list[AlteredCut]:
    if not is_plain(shown.opening + shown.continuation):
        return []
    gamut = gamut_of(shown.opening + shown.continuation)
    texts = (shown.opening, shown.continuation)
    return [
        AlteredCut(
            matching.ShownCut(shown.cut, *(stepped(text, gamut, place) for text in texts)), place
        )
        for place in _PLACES
    ]


def _uneven(cut: Cut, bars: Bars) -> list[AlteredCut]:
    slots = _slots(cut)
    if len(slots) < 4:
        return []
    return [
        AlteredCut(show(cut, _split_pairs(cut.tune, bars, slot, uneven)), place)
        for place, slot in enumerate(slots)
        for uneven in _UNEVEN
    ]


def _fours(ways: list[AlteredCut], measures: int) -> list[Four]:
    """The sets of four ways that are even, by the first so many measures of likeness."""
    if len(ways) < 4:
        return []
    openings = [way.shown.opening for way in ways]
    continuations = [way.shown.continuation for way in ways]
    places = np.array([way.place for way in ways])
    sets = np.array(list(combinations(range(len(ways)), 4)))
    sets = sets[(np.diff(places[sets], axis=1) != 0).all(1)]
    stream = np.random.RandomState(len(openings[0]))
    for table in matching.tables(openings, continuations)[:measures]:
        likeness = table[sets[:, :, None], sets[:, None, :]]
        sets = sets[matching.even(likeness + _TIES * stream.random_sample(likeness.shape))]
    return [tuple(ways[place].shown for place in each) for each in sets if not _repeat(ways, each)]


def _repeat(ways: list[AlteredCut], places: matching.Table) -> bool:
    """Tell whether a bar of an opening stands in a continuation."""
    shown = [ways[place].shown for place in places]
    before = set().union(*(matching.bars_in(each.opening) for each in shown))
    return any(before & matching.bars_in(each.continuation) for each in shown)


def _one_is_nearest(four: Four) -> bool:
    """Tell whether exactly one opening of four is followed most closely in pitch by its own."""
    before = np.array([pitches_of(each.opening)[-1] for each in four])
    after = np.array([pitches_of(each.continuation)[0] for each in four])
    apart = np.abs(before[:, None] - after)
    own = np.diagonal(apart)[:, None]
    return int(((apart <= own).sum(1) == 1).sum()) == 1


def _pair_at(
    tune: VocalTune, first: tuple[int, int, str], second: tuple[int, int, str]
) -> Slot | None:
    """Find where in its period an even pair stands, and its notes' length; None where none does."""
    length, onset = first[1], first[0] - tune.upbeat
    together = second[0] == first[0] + length and second[1] == length in _LENGTHS
    if not together or onset % (2 * length) or onset % tune.bar + 2 * length > tune.bar:
        return None
    # ticks after which a pattern comes again: a bar of four beats or more, or two bars.
    return onset % (tune.bar * (1 if tune.metre[0] >= 4 else 2)), length


def _slots(cut: Cut) -> list[Slot]:
    """The places that have pairs enough in the opening and in the continuation."""

    def counted(notes: Notes) -> Counter[Slot | None]:
        return Counter(_pair_at(cut.tune, a, b) for a, b in pairwise(notes))

    before, after = counted(cut.opening), counted(cut.continuation)
    slots = [
        slot for slot, count in before.items() if slot and count >= _IN_OPENING and after[slot]
    ]
    return sorted(slots)


def _split_pairs(tune: VocalTune, bars: Bars, slot: Slot, uneven: tuple[int, int]) -> Bars:
    """A written tune whose even pairs at one place are uneven."""
    at = {
        first[0]: second[0]
        for first, second in pairwise(tune.notes)
        if _pair_at(tune, first, second) == slot
    }
    length = 2 * slot[1] * uneven[0] // sum(uneven)
    plain = abc_length(Fraction(slot[1], _UNIT))
    return [(end, _uneven_signs(row, at, plain, length, 2 * slot[1])) for end, row in bars]


def _uneven_signs(
    row: list[tuple[int, str]], at: dict[int, int], plain: str, length: int, both: int
) -> list[tuple[int, str]]:
    signs_at = dict(row)
    for first, second in at.items():
        signs = [_SIGN.fullmatch(signs_at.get(onset, "")) for onset in (first, second)]
        if all(sign and sign[2] == plain for sign in signs) and signs[0] and signs[1]:
            signs_at[first] = signs[0][1] + abc_length(Fraction(length, _UNIT))
            del signs_at[second]
            short = abc_length(Fraction(both - length, _UNIT))
            signs_at[first + length] = signs[1][1].strip() + short
    return sorted(signs_at.items())
