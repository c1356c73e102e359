"""A bank of items: what the answers of many models and people say of each question.

It is written by ``zhiyin stats items --bank`` and drawn from by ``zhiyin exam``. A question is
known by its own words, sound and options, in whatever order they stand, so that a bank holds for
any run that asks the same, and for no other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError, system_words
from zhiyin.files import Place, write_atomically
from zhiyin.plugins.methods import items
from zhiyin.plugins.methods.takers import (
    LIKENESSES,
    Takers,
    TakerSpread,
    examining,
    flattened,
    learn,
)
from zhiyin.record import Record
from zhiyin.runs.ways import gold_of, item_of
from zhiyin.trial import Audio, Image, Trial
from zhiyin.words import said

Floats = NDArray[np.float64]
LEAST_TAKERS = 30
"""From so many families of takers on a bank predicts scores: the fewest for which intervals held
in simulations in 93 % at every end (docs/how-to/exam.md)."""
_FORMAT = 3
_MOST_PARTS = 12
_RIDGE = 1.0


class KnownItem(msgspec.Struct, frozen=True):
    """A question of a bank.

    Attributes
    ----------
    question : str
        Hash of what is asked; see `question_of`.
    item : str
        Its name in the runs.
    a, b, c : float
        Slope, difficulty in logits, and what guessing gets (3PL).
    se : float
        Standard error of the difficulty.
    asked : int
        Takers who were asked.
    likeness : list of float
        How it goes with the dimensions in which the answers of takers are alike.
    """

    question: str
    item: str
    a: float
    b: float
    c: float
    se: float
    asked: int
    likeness: list[float]


class Taker(msgspec.Struct, frozen=True):
    """A model or a person of a bank: ability, its standard error, share of right answers."""

    name: str
    people: bool
    ability: float
    se: float
    share: float


class ItemBank(msgspec.Struct, frozen=True):
    """Questions of one benchmark on one scale, in logits; takers have mean 0 and variance 1.

    Attributes
    ----------
    format : int
    benchmark : str
    options : dict
        Of the runs, by which the same questions are made again.
    items : list of KnownItem
    takers : list of Taker
    differences : TakerSpread
        How takers differ beside their ability.
    strangers : TakerSpread or None
        How those do who have no kin among the takers, where some of these are kin.
    knobs : dict of str to float
        What each group and each number among the tags adds to a difficulty, for questions that
        nobody was asked; "" is what is common to all.
    spread : float
        Standard deviation of the difficulties around that, in logits.
    explained : float
        The share of the difficulties' variance that the knobs predict of items left out.
    """

    format: int
    benchmark: str
    options: dict[str, object]
    items: list[KnownItem]
    takers: list[Taker]
    differences: TakerSpread
    strangers: TakerSpread | None
    knobs: dict[str, float]
    spread: float
    explained: float

    @property
    def families(self) -> int:
        """Number of takers that are no copies of another."""
        alone = len(self.takers) if self.strangers is None else self.strangers.takers
        return min(self.differences.takers, alone)

    def model(self, trials: list[Trial]) -> tuple[Takers, int]:
        """Return the takers' response model for these questions, and how many were calibrated."""
        by_question = {item.question: item for item in self.items}
        known = [by_question.get(question_of(trial)) for trial in trials]
        slope = float(np.median([item.a for item in self.items]))
        guessed = any(item.c for item in self.items)
        rows = [
            (item.a, item.b, item.c, item.se) if item is not None
            else (slope, self.predicted(trial), guess_of(trial) * guessed, self.spread)
            for trial, item in zip(trials, known, strict=True)
        ]  # fmt: skip
        a, b, c, se = np.array(rows, dtype=float).T
        none = [0.0] * LIKENESSES
        likeness = np.array([none if item is None else item.likeness for item in known])
        curves = flattened(a, b, c, se)
        takers = examining(curves, parts_of(trials), likeness, self.differences, self.strangers)
        return takers, sum(item is not None for item in known)

    def predicted(self, trial: Trial) -> float:
        """The difficulty that a question's groups and tags let expect, in logits."""
        return sum(self.knobs.get(name, 0.0) * value for name, value in _knobs(trial).items())


def guess_of(trial: Trial) -> float:
    """Return the score of guessing: 1 / options where one alone of them is right; else 0."""
    one = gold_of(trial.options, trial.target, trial.tags)
    return 1 / len(trial.options) if one is not None else 0.0


def question_of(trial: Trial) -> str:
    """A hash of what is asked: words, media, and options with the right one, in any order."""
    texts = {option.key: option.text for option in trial.options}
    asked = trial.stem or "\n".join(message.text for message in trial.messages)
    media = [
        [part.sha256, getattr(part, "start", None), getattr(part, "end", None)]
        for message in trial.messages
        for part in message.parts
        if isinstance(part, Audio | Image)
    ]
    right = texts.get(trial.target or "", trial.target)
    whole = msgspec.json.encode([asked, media, sorted(texts.values()), right])
    return hashlib.blake2b(whole, digest_size=12).hexdigest()


def calibrate(
    manifest: Manifest, records: Iterable[Record], scores: Floats, order: list[str],
    names: list[str], people: set[str], family: NDArray[np.intp],
) -> ItemBank:  # fmt: skip
    """A bank from answers.

    Parameters
    ----------
    manifest : Manifest
        Of one of the runs: all are of one benchmark.
    records : iterable of Record
        In which each item of `order` is asked at least once.
    scores : array of float, takers by items
        Right answers as shares in [0, 1], NaN where not asked.
    order, names : list of str
        The items and the takers.
    people : set of str
        Which takers are people.
    family : array of int
        Of each taker; see `zhiyin.plugins.methods.takers.kin_of`.

    Raises
    ------
    InputError
        Fewer than four different models or people.
    """
    different = len(set(names) - people) + sum(name in people for name in names)
    if different < items.LEAST_PARTICIPANTS:
        alike = "" if different == len(names) else f" in {len(names)} runs"
        raise InputError(said(
            "bank-few", leastparticipants=items.LEAST_PARTICIPANTS, different=different,
            alike=alike,
        ))  # fmt: skip
    asked: dict[str, Trial] = {}
    for record in records:
        trial = record.trial
        asked.setdefault(item_of(trial.id, trial.item, trial.condition, trial.tags)[0], trial)
    guess = np.array([guess_of(asked[name]) for name in order])
    learnt = learn(scores, guess, parts_of([asked[name] for name in order]), family)
    known = [
        KnownItem(
            question_of(asked[name]), name, curve.a, curve.b, curve.c, float(learnt.errors[at]),
            int((~np.isnan(scores[:, at])).sum()), learnt.likeness[at].tolist(),
        )
        for at, (name, curve) in enumerate(zip(order, learnt.curves, strict=True))
    ]  # fmt: skip
    knobs, spread, explained = _regressed(
        [asked[name] for name in order], np.array([item.b for item in known])
    )
    bank = ItemBank(
        _FORMAT, manifest.benchmark, dict(manifest.options), known, [], learnt.spread,
        learnt.strangers, knobs, spread, explained,
    )  # fmt: skip
    model, _ = bank.model([asked[name] for name in order])
    takers = [
        _taker(name, name in people, row, model) for name, row in zip(names, scores, strict=True)
    ]
    return msgspec.structs.replace(bank, takers=takers)


def _taker(name: str, people: bool, row: Floats, model: Takers) -> Taker:
    """A taker's ability by the items that were asked."""
    found = model.ability(row, model.drawn(row, model.posterior(row[None])))
    return Taker(name, people, found.theta, found.se, float(np.nanmean(row)))


def _knobs(trial: Trial) -> dict[str, float]:
    """Collect what may make a question hard: its groups, and the numbers among its tags."""
    numbers = {
        f"tag {name}": float(value)
        for name, value in trial.tags.items()
        if isinstance(value, int | float)
    }
    return {"": 1.0} | {f"group {name}": 1.0 for name in trial.groups} | numbers


def _regressed(trials: list[Trial], b: Floats) -> tuple[dict[str, float], float, float]:
    """Ridge regression of difficulties on knobs, with the share explained of items left out."""
    rows = [_knobs(trial) for trial in trials]
    names = sorted({name for row in rows for name in row})
    table = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    scale = np.maximum(np.abs(table).max(axis=0), 1e-9)
    x = table / scale
    penalty = np.diag([1e-6 if name == "" else _RIDGE for name in names])
    inverse = np.linalg.inv(x.T @ x + penalty)
    weights = inverse @ x.T @ b
    # Of a linear smoother what is left out is known without fitting again.
    lever = np.einsum("ij,jk,ik->i", x, inverse, x)
    left_out = (b - x @ weights) / np.maximum(1 - lever, 1e-3)
    total = float(b.var())
    explained = 1 - float((left_out**2).mean()) / total if total > 0 else 0.0
    if explained <= 0:  # the knobs predict nothing: the mean does better
        return {"": float(b.mean())}, float(b.std(ddof=1)) if len(b) > 1 else 1.0, 0.0
    spread = float(np.sqrt((left_out**2).mean()))
    return dict(zip(names, (weights / scale).tolist(), strict=True)), spread, explained


def parts_of(trials: list[Trial]) -> list[str]:
    """Return the part of each trial, of the finest groups that are few, to ask in proportion."""
    depth = max((len(trial.groups) for trial in trials), default=0)
    best = [""] * len(trials)
    for place in range(depth):
        names = [trial.groups[place] if place < len(trial.groups) else "" for trial in trials]
        if len(set(best)) < len(set(names)) <= _MOST_PARTS:
            best = names
    return best


class _Formatted(msgspec.Struct):
    format: int


def write_bank(bank: ItemBank, path: Place) -> None:
    """Write a bank as one file of JSON."""
    write_atomically(Path(path), msgspec.json.format(msgspec.json.encode(bank), indent=1))


def read_bank(path: Place) -> tuple[ItemBank, str]:
    """A bank, and the SHA-256 of its file.

    Raises
    ------
    InputError
        No such file, or not a bank.
    """
    try:
        contents = Path(path).read_bytes()
    except OSError as error:
        raise InputError(said("bank-unread", path=path, strerror=system_words(error))) from None
    try:
        if msgspec.json.decode(contents, type=_Formatted).format != _FORMAT:
            raise InputError(said("bank-format", path=path))
        bank = msgspec.json.decode(contents, type=ItemBank)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(said("bank-none", path=path, why=str(error))) from None
    if not bank.items:
        raise InputError(said("bank-empty", path=path))
    return bank, hashlib.sha256(contents).hexdigest()
