"""Four continuations of which one is a tune's own.

others
    Continuations of four tunes, alike in metre, mode, length, range and number of notes. One of
    the four is drawn, and its tune's opening is shown.
transposed, rhythm, cadence
    The tune's own, altered; see `altered`.

Whatever the kind, the four are chosen so that likeness to the opening gives nothing away; see
`balance`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from zhiyin.benchmarks.exercises.continuation.balance import Table, even, shared, words_around
from zhiyin.benchmarks.exercises.continuation.cuts import (
    Bars,
    Cut,
    Notes,
    bars_of,
    cuts_of,
    header,
    midi,
    moved,
    written,
)
from zhiyin.benchmarks.exercises.continuation.matching import BLOCK, Block, Shown
from zhiyin.benchmarks.exercises.continuation.texts import KEYS, moved_text
from zhiyin.benchmarks.exercises.continuation.tunes import Tune, read_tunes
from zhiyin.benchmarks.exercises.exercise import Exercise, line
from zhiyin.benchmarks.exercises.items import AskedQuestions, Item, question_keys, seated
from zhiyin.errors import InputError
from zhiyin.music.stimuli.dice import Dice, balanced

_DRAWS = 2000
_MIDDLE = 71
"""About where the middle of a tune lies in C, as a MIDI number."""
_SEED = 2**31 - 1


class Choice(NamedTuple):
    """One exercise with what belongs to it.

    Attributes
    ----------
    exercise : Exercise
    cut : Cut
        The tune that is continued.
    tunes : tuple of Tune
        Whose the four continuations are.
    """

    exercise: Exercise
    cut: Cut
    tunes: tuple[Tune, ...]


class Sheets:
    """Tunes written in C, each once.

    A tune has the octave that brings the middle of its range nearest to B4.
    """

    def __init__(self) -> None:
        self._bars: dict[str, Bars] = {}

    def shown(self, cut: Cut) -> Shown | None:
        """A cut's opening and continuation in C."""
        bars = self.bars(cut.tune)
        return show(cut, bars) if bars else None

    def bars(self, tune: Tune) -> Bars:
        """A tune in C, sign by sign; empty where it cannot be written in C."""
        if tune.id not in self._bars:
            notes = _in_c(tune)
            self._bars[tune.id] = bars_of(tune, notes, 0) if notes else []
        return self._bars[tune.id]


def _in_c(tune: Tune) -> Notes | None:
    """The notes of a tune in C; None where one has no plain name."""
    pitches = [midi(pitch) for _, _, pitch in tune.notes]
    middle = (min(pitches) + max(pitches)) / 2
    ways = (-7 * tune.fifths % 12 + 12 * octave for octave in (-3, -2, -1, 0, 1, 2))
    semitones = min(ways, key=lambda way: abs(middle + way - _MIDDLE))
    return moved(tune.notes, -tune.fifths, semitones)


def show(cut: Cut, bars: Bars) -> Shown:
    """A cut of a tune whose bars are written."""
    opening = written(bars, cut.begin, cut.start)
    return Shown(cut, opening, written(bars, cut.start, cut.end))


class Chooser:
    """Finds exercises in tunes.

    Parameters
    ----------
    tunes : iterable of Tune
    phrases : {"lines", "bars", None}
        What a phrase is; None for what the collection says.
    """

    def __init__(self, tunes: Iterable[Tune], phrases: str | None) -> None:
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
        self._opened_blocks: dict[int, Block] = {}

    def others(self, dice: Dice) -> Choice | None:
        """Continuations of four tunes."""
        if not self.blocks:
            return None
        place = int(np.searchsorted(self._sizes, dice.whole(1, int(self._sizes[-1]))))
        for four in self._block(place).quadruples(dice.whole(0, _SEED)):
            if choice := chosen(dice, four, "other tune"):
                return choice
        return None

    def _block(self, place: int) -> Block:
        if place not in self._opened_blocks:
            shown = map(self.sheets.shown, self.blocks[place])
            self._opened_blocks[place] = Block([each for each in shown if each])
        return self._opened_blocks[place]


def _parts(cuts: list[Cut]) -> Iterator[list[Cut]]:
    """Cuts in parts of at most `BLOCK`, always the same."""
    drawn = Dice("parts", len(cuts)).shuffled(cuts)
    count = -(-len(cuts) // BLOCK)
    return (drawn[number::count] for number in range(count))


def chosen(dice: Dice, four: Sequence[Shown], mistake: str) -> Choice | None:
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
    prompt = words_around("continuation", "en")
    likeness = shared([prompt.replace("{opening}", each) for each in questions], answers)
    noise = np.array([[0.5 * dice.unit() for _ in questions] for _ in questions])
    if _draws_at_the_top(likeness) or not even(likeness + noise):
        return None
    exercise = line(dice, answers, mistake, lambda right: {"opening": questions[right]})
    if exercise is None:
        return None
    cuts = [each.cut for each in four]
    return Choice(exercise, cuts[exercise.right], tuple(cut.tune for cut in cuts))


def _draws_at_the_top(likeness: Table) -> bool:
    """Whether for some opening its own continuation and another have equally much in common."""
    others = np.where(np.eye(len(likeness), dtype=bool), -1, likeness).max(1)
    return bool((np.diagonal(likeness) == others).any())


def are_different(texts: Sequence[str]) -> bool:
    """Whether texts differ even for a reader to whom small letters are as capitals."""
    return len({" ".join(text.casefold().split()) for text in texts}) == len(texts)


Draw = Callable[[Dice], Choice | None]


def draws(chooser: Chooser) -> dict[str, Draw]:
    """How exercises of each kind are drawn."""
    from zhiyin.benchmarks.exercises.continuation.altered import Altered

    altered = Altered(chooser.cuts, chooser.sheets)
    return {
        "others": chooser.others, "transposed": altered.transposed,
        "rhythm": altered.rhythm, "cadence": altered.cadence,
    }  # fmt: skip


def continued(
    path: str | None,
    corpus: str | None,
    phrases: str | None,
    kinds: tuple[str, ...],
    n: int,
    seed: int,
) -> Iterator[Item]:
    """Exercises in continuing a tune, none twice.

    Raises
    ------
    InputError
        There are not as many in these tunes.
    """
    chooser = Chooser(read_tunes(path, corpus).tunes, phrases)
    known = draws(chooser)
    for kind in kinds:
        seats = balanced(range(4), seed, "exercises", kind, "seats")
        asked_questions = AskedQuestions()
        for number in range(1, n + 1):
            seed_words = (seed, "exercises", kind, number)
            turns = max(_DRAWS, len(chooser.cuts))
            choice = (
                _new(kind, known[kind], seed_words, asked_questions, turns)
                if chooser.cuts
                else None
            )
            if choice is None:
                raise InputError(
                    f"{path or corpus}: only {number - 1} exercises of the kind {kind} can be "
                    "made of these tunes: give more tunes, or a smaller --n"
                )
            exercise = seated(choice.exercise, next(seats), seed_words, number)
            tune = choice.cut.tune
            yield Item(
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
) -> Choice | None:
    for attempt in range(turns):
        choice = draw(Dice(*seed_words, attempt))
        if choice is None:
            continue
        question = question_keys(kind, choice.exercise)
        if not asked_questions.before(*question):
            asked_questions.add(*question, choice.cut.tune.id)
            return choice
    return None
