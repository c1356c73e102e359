"""Analysis of the items of a set by runs: which of them are worth asking.

Every run is a participant. Repeats and rotations of an item are averaged first, and then runs that
are copies of each other: those of one model, and those whose answers are alike beside what all
answer. They are one participant, for what they say together was said once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import briefs, people_in
from zhiyin.errors import InputError
from zhiyin.files import Places, as_paths
from zhiyin.plugins.methods import items
from zhiyin.plugins.methods.bank import ItemBank, calibrate
from zhiyin.plugins.methods.takers import kin_of
from zhiyin.record import Record
from zhiyin.runs.columns import ALONE
from zhiyin.runs.pairing import check_different
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.runs.ways import item_of
from zhiyin.words import naming, said


class AnalysedItem(msgspec.Struct, frozen=True):
    """Results of an item.

    Attributes
    ----------
    item : str
    asked : int
        Participants who were asked, copies being one.
    difficulty : float
        Share of right answers.
    discrimination : float or None
        Correlation with the mean of the other items; None where it is not defined.
    dead : list of str
        Wrong options that nobody chose though chance would have it.
    slope, place, error : float or None
        Of the response model, where it is calibrated.
    """

    item: str
    asked: int
    difficulty: float
    discrimination: float | None
    dead: list[str]
    slope: float | None = None
    place: float | None = None
    error: float | None = None


class Separating(msgspec.Struct, frozen=True):
    """An item that people and models get right to different shares; p after Holm."""

    item: str
    people: float
    models: float
    p: float


class Short(msgspec.Struct, frozen=True):
    """A shorter set: see `zhiyin.plugins.methods.items.Shorter`."""

    items: list[str]
    tau: float
    tau_new: float | None
    error: float


class ItemAnalysis(msgspec.Struct, frozen=True):
    """The analysis of a set of items.

    Attributes
    ----------
    participants : dict of str to float
        Mean score by run.
    families : int
        Participants where copies are one: all figures on items are by these.
    people : list of str
        Which of them are people.
    items : list of AnalysedItem
    everyone, nobody : list of str
        Items that all, or none, got right, among those that more than one was asked.
    separating : list of Separating
    reliability : float or None
        Cronbach's alpha.
    short : Short or None
    model : str
        Of the response model; "" where none is calibrated.
    calibration : str
        Why, in words.
    """

    participants: dict[str, float]
    families: int
    people: list[str]
    items: list[AnalysedItem]
    everyone: list[str]
    nobody: list[str]
    separating: list[Separating]
    reliability: float | None
    short: Short | None
    model: str
    calibration: str


def analyse(runs: Places, people: Places = (), keep: int | None = None) -> ItemAnalysis:
    """The item analysis of runs on one benchmark.

    Parameters
    ----------
    runs : sequence of Path
        Of models.
    people : sequence of Path
        Of people, one run each.
    keep : int, optional
        How many items a shorter set is to have; default the fewest that keep the ranking.

    Raises
    ------
    InputError
        No run, one given twice, several people in one run of `people`, runs on different
        benchmarks or different versions of an item, or nothing judged.
    """
    answers = _answers(runs, people)
    names, order, crowd = answers.names, answers.order, answers.people
    scores, split = answers.of_families()
    fitted, calibration = _calibrated(scores)
    p, r = items.difficulty(scores), items.discrimination(scores)
    dead = _dead(answers)
    rows = [
        AnalysedItem(
            name, int((~np.isnan(scores[:, at])).sum()), float(p[at]),
            None if np.isnan(r[at]) else float(r[at]), dead.get(name, []),
            *((fitted.slopes[at], fitted.places[at], fitted.errors[at]) if fitted else ()),
        )
        for at, name in enumerate(order)
    ]  # fmt: skip
    apart = items.apart(scores[split:], scores[:split]) if crowd and split else []
    cut = items.shorter(scores, keep)
    short = None
    if cut:
        short = Short([order[at] for at in cut.items], cut.tau, cut.tau_new, cut.error)
    return ItemAnalysis(
        dict(zip(names, items.means(answers.scores), strict=True)),
        len(scores),
        crowd,
        rows,
        [item.item for item in rows if item.asked > 1 and item.difficulty == 1],
        [item.item for item in rows if item.asked > 1 and item.difficulty == 0],
        [Separating(order[a.item], a.first, a.second, a.p) for a in apart],
        items.reliability(scores),
        short,
        fitted.model if fitted else "",
        calibration,
    )


class _AnswerTable(NamedTuple):
    """Runs on one benchmark as a table of takers by items; `people` names the last of the takers.

    `family` numbers of what takers each is a copy, models before people.
    """

    names: list[str]
    people: list[str]
    order: list[str]
    scores: NDArray[np.float64]
    family: NDArray[np.intp]
    read: list[Rows]

    def of_families(self) -> tuple[NDArray[np.float64], int]:
        """The mean scores of each family, and how many of the families are of models."""
        models = len(self.names) - len(self.people)
        families = range(int(self.family.max()) + 1)
        means = [items.difficulty(self.scores[self.family == one]) for one in families]
        return np.array(means), len(set(self.family[:models].tolist()))

    def records(self) -> Iterator[Record]:
        """Yield the records of all runs."""
        return (record for rows in self.read for record in rows.records())


def _answers(runs: Places, people: Places) -> _AnswerTable:
    """The answers of runs. Raises `InputError` as `analyse`."""
    folders = [*as_paths(runs), *as_paths(people)]
    if not folders:
        raise InputError(said("items-no-runs"))
    check_different(folders)
    asked = {folder: people_in(read_manifest(folder)) for folder in folders}
    if groups := [folder for folder, n in asked.items() if n > 1]:
        raise InputError(said("items-people", folder=groups[0]))
    crowd = [folder for folder in folders if asked[folder] or folder in as_paths(people)]
    folders = [*(folder for folder in folders if folder not in crowd), *crowd]
    read = [_judged(folder) for folder in folders]
    _same(folders, read)
    order = list(dict.fromkeys(row.item for rows in read for row in rows))
    scores = _table(read, order)
    models = len(folders) - len(crowd)
    names = [read_manifest(folder).model for folder in folders[:models]]
    kin = [kin_of(part, own) for part, own in ((scores[:models], names), (scores[models:], ()))]
    family = np.concatenate([kin[0], kin[1] + (int(kin[0].max()) + 1 if models else 0)])
    named = [str(folder) for folder in folders]
    return _AnswerTable(named, named[models:], order, scores, family, read)


def bank_of(runs: Places, people: Places = ()) -> ItemBank:
    """A bank of the items that runs and people answered, for ``zhiyin exam``.

    Raises
    ------
    InputError
        As `analyse`, or fewer than four different models or people.
    """
    answers = _answers(runs, people)
    labels = briefs([read_manifest(Path(name)).model for name in answers.names])
    known = dict(zip(answers.names, labels, strict=True))
    return calibrate(
        read_manifest(Path(answers.names[0])), answers.records(), answers.scores, answers.order,
        labels, {known[name] for name in answers.people}, answers.family,
    )  # fmt: skip


def _judged(folder: Path) -> Rows:
    judged = rows_of(folder).judged
    plain = judged.main or judged
    if not plain:
        raise InputError(said("items-unjudged", folder=folder))
    return plain


def _same(folders: list[Path], read: list[Rows]) -> None:
    """Raises where runs are of different benchmarks, or ask different things as one item."""
    benchmarks = [read_manifest(folder).benchmark for folder in folders]
    for folder, benchmark in zip(folders, benchmarks, strict=True):
        if benchmark != benchmarks[0]:
            facts = {"benchmark": benchmark, "folders": folders[0], "benchmarks": benchmarks[0]}
            raise InputError(said("items-other", folder=folder, **facts))
    asked: dict[str, tuple[set[int], Path]] = {}
    for folder, rows in zip(folders, read, strict=True):
        questions_of: dict[str, set[int]] = defaultdict(set)
        questions = rows.table.question[rows.numbers].tolist()
        for row, question in zip(rows, questions, strict=True):
            questions_of[row.item].add(question)
        for item, own in questions_of.items():
            other, where = asked.setdefault(item, (own, folder))
            if not other & own and ALONE not in other | own:
                raise InputError(said("items-asked", folder=folder, item=item, where=where))


def _table(read: list[Rows], order: list[str]) -> NDArray[np.float64]:
    places = {name: at for at, name in enumerate(order)}
    scores = np.full((len(read), len(order)), np.nan)
    for participant, rows in enumerate(read):
        answers: dict[str, list[float]] = defaultdict(list)
        for row in rows:
            answers[row.item].append(row.right)
        for name, values in answers.items():
            scores[participant, places[name]] = float(np.mean(values))
    return scores


def _dead(answers: _AnswerTable) -> dict[str, list[str]]:
    """Return, by item, the wrong options that nobody chose though chance would have it."""
    chosen: dict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    options: dict[str, list[str]] = {}
    right: dict[str, str] = {}
    copies = np.bincount(answers.family)[answers.family].tolist()
    each = (
        (one, n) for rows, n in zip(answers.read, copies, strict=True) for one in rows.records()
    )
    for record, copied in each:
        trial, letter = record.trial, record.verdict.letter
        by_letter = {option.letter: option.key for option in trial.options}
        keys = list(by_letter.values())
        if len(keys) < 3 or trial.target is None:
            continue
        item, _ = item_of(trial.id, trial.item, trial.condition, trial.tags)
        options[item], right[item] = keys, trial.target
        if letter in by_letter:
            chosen[item][by_letter[letter]] += 1 / copied
    unchosen = {}
    for item, keys in options.items():
        wrong = [key for key in keys if key != right[item]]
        count = sum(chosen[item][key] for key in wrong)
        if dead := [key for key in wrong if items.is_dead(chosen[item][key], count, len(keys))]:
            unchosen[item] = dead
    return unchosen


def _calibrated(scores: NDArray[np.float64]) -> tuple[items.FittedCurves | None, str]:
    model = items.which_model(len(scores))
    if not model:
        least = {"rasch": items.LEAST_RASCH, "slopes": items.LEAST_2PL}
        return None, naming(said("items-uncalibrated", n=len(scores), **least))
    right = np.where(np.isnan(scores), np.nan, (scores > 0.5).astype(float))
    fitted = items.fit(right, model)
    if not fitted.converged:
        return None, naming(said("items-unsettled", model=model, rounds=fitted.rounds))
    return fitted, naming(said("items-fitted", model=model, n=len(scores)))
