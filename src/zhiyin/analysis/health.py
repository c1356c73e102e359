"""Is a multiple-choice score sound? Letters, chance, evasions, rotations, and what is blind.

Conventions
-----------
bare letter
    A reply that is a letter and nothing else, punctuation aside: no analysis.
evasion
    A reply without an answer that says it cannot tell, wants to know more, or takes none of the
    options: see `zhiyin.reader.evasion`.
solved blind
    An item that a run without the music (a baseline, a text-only run) answers right, in more than
    half of its repeats.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from zhiyin.analysis.cells import other_path
from zhiyin.engine.entries import Entry, read_entries
from zhiyin.engine.log import read_manifest
from zhiyin.engine.tally import ALL, counted_under, is_plain, nested
from zhiyin.errors import InputError
from zhiyin.paths import Place, Places, as_paths
from zhiyin.reader.evasion import evasion_in
from zhiyin.statistics.choice import (
    ChanceCorrected,
    Consistency,
    ConstantAnswer,
    LetterBias,
    above_chance,
    best_constant,
    consistency,
    letter_bias,
)
from zhiyin.statistics.intervals import Interval, interval
from zhiyin.statistics.paired import Difference, paired_difference
from zhiyin.statistics.scores import chance_of, items_of

_BARE = re.compile(r"\W*([A-Z])\W*", re.IGNORECASE)

Cell = tuple[str, str]
"""An item and the condition under which it was asked."""


class Behaviour(msgspec.Struct, frozen=True):
    """How a model replies (Li et al. 2024, section 6.1).

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
    corrected: ChanceCorrected
    constant: ConstantAnswer
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


class Blind(msgspec.Struct, frozen=True):
    """What is left of a score without the items that need no music.

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
    blind : Blind or None
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
    rotations: Consistency | None
    blind: Blind | None
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
    entries = read_entries(folder)
    judged = [entry for entry in entries if entry.judged]
    choices = [entry for entry in judged if len(entry.trial.options) > 1 and entry.gold]
    if not choices:
        raise InputError(f"{folder}: no judged multiple-choice trial in it")
    plain = [entry for entry in choices if is_plain(entry.trial.tags)] or choices
    members: dict[str, list[Entry]] = {ALL: plain}
    for entry in choices:
        for group in counted_under(entry.trial.groups)[1:]:
            members.setdefault(group, []).append(entry)
    unknown = [group for group in groups if group not in members]
    if unknown:
        raise InputError(f"{folder}: no group {unknown[0]!r}; `zhiyin show {folder}` lists them")
    wanted = groups or [name for name in nested(list(members)) if "/" not in name and name != ALL]
    return Health(
        str(folder),
        manifest.benchmark,
        manifest.model,
        len(entries),
        len(entries) - len(judged),
        len(judged) - len(choices),
        [_group(name, members[name]) for name in (ALL, *wanted)],
        _rotations(plain),
        _blind(folder, plain, blind) if blind else None,
        len(choices) - len(plain),
    )


def behaviour(entries: Iterable[Entry]) -> Behaviour:
    """How a model replies, from judged multiple-choice trials."""
    entries = list(entries)
    states = Counter(entry.verdict.state for entry in entries)
    letters = Counter(letter for entry in entries if (letter := _bare_letter(entry)))
    evasions = sum(entry.verdict.state == "no_answer" and _evades(entry) for entry in entries)
    return Behaviour(
        len(entries),
        states["correct"] + states["wrong"],
        evasions,
        states["refused"],
        states["truncated"],
        states["no_answer"] - evasions,
        sum(letters.values()),
        dict(letters.most_common()),
    )


def is_evasion(text: str) -> bool:
    """Whether a reply in which no answer was found says that it cannot tell, in English or
    Chinese.
    """
    return evasion_in(text) is not None


def _evades(entry: Entry) -> bool:
    return entry.reply is not None and is_evasion(entry.reply.text)


def _bare_letter(entry: Entry) -> str | None:
    match = _BARE.fullmatch(entry.reply.text.strip()) if entry.reply else None
    if not match:
        return None
    letter = match.group(1).upper()
    return letter if any(option.letter == letter for option in entry.trial.options) else None


def _group(name: str, entries: Sequence[Entry]) -> GroupHealth:
    gold = [str(entry.gold) for entry in entries]
    items = items_of(entries)
    chance = chance_of(entries)
    assert chance is not None  # each has options
    corrected = above_chance(items.interval(), chance)
    return GroupHealth(
        name,
        corrected.accuracy,
        items.value("precision"),
        corrected,
        best_constant(gold),
        letter_bias(
            [entry.verdict.letter for entry in entries], gold, [entry.item for entry in entries]
        ),
        behaviour(entries),
    )


def _rotations(entries: Sequence[Entry]) -> Consistency | None:
    """Over items that were asked under two rotations or more, in one condition."""
    asked: dict[Cell, list[Entry]] = {}
    for entry in entries:
        if "rotation" in entry.trial.tags:
            asked.setdefault((entry.item, entry.condition), []).append(entry)
    several = [own for own in asked.values() if len(own) > 1]
    if not several:
        return None
    return consistency(
        [[entry.verdict.answer for entry in own] for own in several],
        [str(own[0].trial.target) for own in several],
        [own[0].trial.cluster or own[0].item for own in several],
    )


def _blind(folder: Path, entries: Sequence[Entry], runs: Sequence[Path]) -> Blind:
    own, others = _means(entries), []
    asked = {entry.id: _words(entry) for entry in entries if entry.trial.sequence}
    for run in runs:
        judged = [entry for entry in read_entries(run) if entry.judged]
        for entry in judged:
            if asked.get(entry.id, words := _words(entry)) != words:
                raise other_path(entry.id, entry.trial.sequence, str(run), str(folder))
        others.append(_means(judged))
    if not any(all(cell in other for other in others) for cell in own):
        # a blind run under a condition of its own, such as --audio none: by item alone
        own, *others = (
            {(item, ""): mean for item, mean in _by_item(means, means).items()}
            for means in (own, *others)
        )
    cells = [cell for cell in own if all(cell in other for other in others)]
    if not cells:
        raise InputError(f"{folder}: no item in common with {runs[0]}: not the same questions")
    clusters = {entry.item: entry.trial.cluster for entry in entries}
    shared = list(dict.fromkeys(item for item, _ in cells))
    mine, *theirs = (_by_item(means, cells) for means in (own, *others))
    scores = [mine[item] for item in shared]
    labels = [clusters[item] for item in shared]
    against = [
        Against(
            str(run),
            read_manifest(run).model,
            paired_difference(scores, [other[item] for item in shared], labels),
        )
        for run, other in zip(runs, theirs, strict=True)
    ]
    solvers = [sum(other[item] > 0.5 for other in theirs) for item in shared]
    unsolved = []
    for by in range(1, len(runs) + 1):
        rest = [place for place, times in enumerate(solvers) if times < by]
        score = interval([scores[p] for p in rest], [labels[p] for p in rest]) if rest else None
        unsolved.append(Unsolved(by, len(shared) - len(rest), score))
    return Blind(len(shared), interval(scores, labels), against, unsolved)


def _means(entries: Iterable[Entry]) -> dict[Cell, float]:
    """Mean score of each item under each condition."""
    scores: dict[Cell, list[float]] = {}
    for entry in entries:
        scores.setdefault((entry.item, entry.condition), []).append(entry.right)
    return {cell: sum(own) / len(own) for cell, own in scores.items()}


def _words(entry: Entry) -> tuple[object, ...]:
    """What is asked, whatever was played with it: a blind run may have no sound."""
    offered = frozenset((option.key, option.text) for option in entry.trial.options)
    return entry.trial.stem, offered, entry.trial.target


def _by_item(means: dict[Cell, float], cells: Iterable[Cell]) -> dict[str, float]:
    """The mean of each item over some cells."""
    own: dict[str, list[float]] = {}
    for item, condition in cells:
        own.setdefault(item, []).append(means[item, condition])
    return {item: sum(scores) / len(scores) for item, scores in own.items()}
