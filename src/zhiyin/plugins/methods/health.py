"""Soundness of a multiple-choice score: letters, chance, evasions, rotations, blind runs.

Conventions
-----------
bare letter
    A reply that is a letter and nothing else, punctuation aside: no analysis.
evasion
    A reply without an answer that says it cannot tell, wants to know more, or takes none of the
    options: see `zhiyin.reader.rejections`.
solved blind
    An item that a run without the music (a baseline, a text-only run) answers right, in more than
    half of its repeats.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import msgspec
import numpy as np

from zhiyin.engine.folder import read_manifest
from zhiyin.engine.scoring import ALL, nested
from zhiyin.errors import InputError
from zhiyin.files import Place, Places, as_paths
from zhiyin.plugins.methods import choice
from zhiyin.plugins.methods.evasion import evasion_in
from zhiyin.record import Record, State
from zhiyin.runs.estimates import Frame, chance_of, estimate
from zhiyin.runs.measures import ACCURACY, PRECISION
from zhiyin.runs.pairing import other_path
from zhiyin.runs.rows import Rows, TrialRow, rows_of
from zhiyin.runs.sums import averaged
from zhiyin.statistics.choice import LetterBias, letter_bias
from zhiyin.statistics.intervals import Interval, interval
from zhiyin.statistics.paired import Difference, paired_difference
from zhiyin.text import quoted
from zhiyin.words import said

_BARE = re.compile(r"\W*([A-Z])\W*", re.IGNORECASE)

Cell = tuple[str, str]
"""An item and the condition under which it was asked."""


class Behaviour(msgspec.Struct, frozen=True):
    """A model's ways of replying (Li et al. 2024, section 6.1).

    Attributes
    ----------
    judged : int
        Trials that were judged.
    answered, evasions, refusals, truncated, other : int
        With a readable answer; of those without: evasions, refusals, replies cut off, the rest.
    bare : int
        Replies that are a letter and nothing else.
    bare_letters : dict of str to int
        Those letters, the most frequent first.
    """

    judged: int
    answered: int
    evasions: int
    refusals: int
    truncated: int
    other: int
    bare: int
    bare_letters: dict[str, int]


class GroupHealth(msgspec.Struct, frozen=True):
    """The multiple-choice trials of one group.

    `accuracy` counts no answer as wrong, with its cluster-robust interval; `given_answer` is
    over answered trials alone (None where there are none).
    """

    group: str
    accuracy: Interval
    given_answer: float | None
    corrected: choice.ChanceCorrected
    constant: choice.ConstantAnswer
    letters: LetterBias
    behaviour: Behaviour


class Unsolved(msgspec.Struct, frozen=True):
    """The items that fewer than `by` of the blind runs solve, and the score on them.

    `rest` is None where no item is left.
    """

    by: int
    solved: int
    rest: Interval | None


class Against(msgspec.Struct, frozen=True):
    """A blind run on the same items: its accuracy, and what the run gains over it."""

    run: str
    model: str
    gain: Difference


class BlindScore(msgspec.Struct, frozen=True):
    """The score that is left without the items that need no music.

    Attributes
    ----------
    items : int
        Items that the run and all blind runs judged.
    whole : Interval
        The run's score on them.
    against : list of Against
    unsolved : list of Unsolved
        For 1, 2, ... blind runs.
    """

    items: int
    whole: Interval
    against: list[Against]
    unsolved: list[Unsolved]


class Health(msgspec.Struct, frozen=True):
    """The multiple-choice health of a run.

    Attributes
    ----------
    run, benchmark, model : str
    trials, errors, free : int
        Trials logged; those that failed; those without options, which are in no figure here.
    groups : list of GroupHealth
        The whole, then each group of the top level (or those asked for). The whole is over the
        trials asked in the benchmark's main way, or over all where there are none of these.
    rotations : Consistency or None
        Where trials have the tag ``rotation``.
    blind : BlindScore or None
    altered : int
        Multiple-choice trials under other conditions, which are in no figure of the whole.
    """

    run: str
    benchmark: str
    model: str
    trials: int
    errors: int
    free: int
    groups: list[GroupHealth]
    rotations: choice.Consistency | None
    blind: BlindScore | None
    altered: int = 0


def health(folder: Place, blind: Places = (), groups: Sequence[str] = ()) -> Health:
    """The multiple-choice health of a run.

    Parameters
    ----------
    folder : Path
    blind : sequence of Path
        Runs on the same trials that did not hear the music, or know none.
    groups : sequence of str
        Which groups to look at beside the whole; by default those of the top level.

    Raises
    ------
    InputError
        When a folder is not a run, there are no multiple-choice trials in it, a group is not in
        it, or a blind run shares no items with it.
    """
    folder, blind = Path(folder), as_paths(blind)
    manifest = read_manifest(folder)
    rows = rows_of(folder)
    judged = rows.judged
    choices = judged.choices
    if not choices:
        raise InputError(said("health-none", folder=folder))
    plain = choices.main or choices
    members = choices.by_group() | {ALL: plain}
    replies = zip(choices.numbers.tolist(), choices.records(), strict=True)
    manner = {number: _manner_of(record) for number, record in replies}
    unknown = [group for group in groups if group not in members]
    if unknown:
        show = f"`zhiyin show {quoted(folder)}`"
        raise InputError(
            said("health-no-group", folder=folder, unknown=repr(unknown[0]), show=show)
        )
    wanted = groups or [name for name in nested(list(members)) if "/" not in name and name != ALL]
    return Health(
        str(folder), manifest.benchmark, manifest.model, len(rows), len(rows) - len(judged),
        len(judged) - len(choices),
        [_group(name, members[name], manner) for name in (ALL, *wanted)], _rotations(plain),
        _blind(folder, plain, blind) if blind else None, len(choices) - len(plain),
    )  # fmt: skip


_Manner = tuple[str | None, bool]
"""Of a reply the letter that it is, if it is nothing else; and whether it says that it cannot tell,
where no answer was found in it.
"""


def _behaviour(every: Sequence[State], manners: Sequence[_Manner]) -> Behaviour:
    states = Counter(every)
    letters = Counter(letter for letter, _ in manners if letter)
    evasions = sum(evades for _, evades in manners)
    return Behaviour(
        len(every), states["correct"] + states["wrong"], evasions, states["refused"],
        states["truncated"], states["no_answer"] - evasions, sum(letters.values()),
        dict(letters.most_common()),
    )  # fmt: skip


def is_evasion(text: str) -> bool:
    """Tell whether a reply without an answer says that it cannot tell, in English or Chinese."""
    return evasion_in(text) is not None


def _manner_of(record: Record) -> _Manner:
    turns = record.exchange.turns
    text = turns[-1].reply.text if turns else ""
    evades = bool(turns) and record.verdict.state == "no_answer" and is_evasion(text)
    match = _BARE.fullmatch(text.strip())
    if not match:
        return None, evades
    letter = match.group(1).upper()
    offered = any(option.letter == letter for option in record.trial.options)
    return letter if offered else None, evades


def _group(name: str, rows: Rows, manner: dict[int, _Manner]) -> GroupHealth:
    gold = [*map(str, rows.of_kinds(lambda kind: kind.gold))]
    letters = rows.of_outcomes(lambda outcome: outcome.letter)
    states = rows.of_outcomes(lambda outcome: outcome.state)
    frame = Frame(rows)
    chance, accuracy = chance_of(frame), estimate(frame).interval
    assert chance is not None  # each has options
    assert accuracy is not None  # and is judged
    corrected = choice.above_chance(accuracy, chance)
    return GroupHealth(
        name, corrected.accuracy, estimate(frame, PRECISION, ends=False).value, corrected,
        choice.best_constant(gold), letter_bias(letters, gold, rows.items.tolist()),
        _behaviour(states, [manner[n] for n in rows.numbers.tolist()]),
    )  # fmt: skip


def _rotations(rows: Rows) -> choice.Consistency | None:
    """Compute consistency over items asked under two rotations or more, in one condition."""
    asked: dict[Cell, list[TrialRow]] = {}
    cell = Frame(rows).cell
    for row in rows.where(np.bincount(cell)[cell] > 1):
        if "rotation" in row.tags:
            asked.setdefault((row.item, row.condition), []).append(row)
    several = [own for own in asked.values() if len(own) > 1]
    if not several:
        return None
    first = Rows(rows.table, np.array([own[0].number for own in several]))
    return choice.consistency(
        [[row.answer for row in own] for own in several],
        [str(record.trial.target) for record in first.records()],
        [row.cluster or row.item for row in first],
    )


def _blind(folder: Path, rows: Rows, runs: Sequence[Path]) -> BlindScore:
    judged = [rows_of(run).judged for run in runs]
    asked = {r.id: _words(r) for r in rows.records() if r.trial.sequence} if _walks(rows) else {}
    for run, own in zip(runs, judged, strict=True):
        for record in own.records() if asked else ():
            if asked.get(record.id, words := _words(record)) != words:
                raise other_path(record.id, record.trial.sequence, str(run), str(folder))
    sums = [Frame(own).sums(ACCURACY, np.arange(len(own))) for own in (rows, *judged)]
    names = [own.keys for own in sums]
    if not len(reduce(np.intersect1d, names)):
        # a blind run under a condition of its own, such as --audio none: by item alone
        names = [own.names for own in sums]
    shared = reduce(np.intersect1d, names)
    if not len(shared):
        raise InputError(said("health-no-item", folder=folder, runs=runs[0]))
    kept = [np.isin(own, shared) for own in names]
    items, first = np.unique(sums[0].names[kept[0]], return_index=True)
    labels = sums[0].clusters[kept[0]][first]
    scores, *theirs = (
        averaged(np.searchsorted(items, own.names[here]), own.values[here, 0])
        for own, here in zip(sums, kept, strict=True)
    )
    against = [
        Against(str(run), read_manifest(run).model, paired_difference(scores, other, labels))
        for run, other in zip(runs, theirs, strict=True)
    ]
    solvers = np.sum([other > 0.5 for other in theirs], axis=0)
    unsolved = []
    for by in range(1, len(runs) + 1):
        rest = solvers < by
        score = interval(scores[rest], labels[rest]) if rest.any() else None
        unsolved.append(Unsolved(by, int((~rest).sum()), score))
    return BlindScore(len(items), interval(scores, labels), against, unsolved)


def _walks(rows: Rows) -> bool:
    """Tell whether any trial belongs to a sequence."""
    return bool(rows.table.sequence[rows.numbers].any())


def _words(record: Record) -> tuple[object, ...]:
    """Return what is asked, whatever was played with it: a blind run may have no sound."""
    offered = frozenset((option.key, option.text) for option in record.trial.options)
    return record.trial.stem, offered, record.trial.target
