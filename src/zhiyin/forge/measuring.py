"""What text models and blind rules make of a set: accuracy by fold, and the perceptual index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.forge.asking import Asker, carry_out
from zhiyin.forge.blind import (
    Answers,
    Blind,
    Probe,
    index_of,
    leave_one_out,
    read_answers,
    rotations,
)
from zhiyin.forge.items import Item
from zhiyin.forge.stages import lines_of
from zhiyin.numerals import p_words
from zhiyin.session import Watch, silent
from zhiyin.statistics.independent import upper_tail
from zhiyin.statistics.intervals import interval

BANDS = (0.25, 0.5, 0.75)
ALPHA = 0.05
_TIE = 1e-9


class Measure(msgspec.Struct, frozen=True):
    """What an examinee that hears nothing makes of a set.

    Attributes
    ----------
    model : str
    accuracy : float
        Mean probability of the right option (of a choice: 1 or 0), each item counting once.
    low, high : float
        95 % interval, by cluster.
    chance : float
        Of the options shown, the mean over items.
    folds : dict of str to float
        Accuracy with each fold's options.
    items, failed, by_choice : int
        Items in the figures; calls that failed; askings known by their choice alone.
    index : float
        Mean perceptual index: 1 - `accuracy`.
    below : dict of str to int
        Items whose index is below 0.25, 0.5 and 0.75.
    ranked, least, most : int
        Items whose options the model weighs against each other by log-probabilities; those of
        them in which the right answer is its least likely option, and its most likely one.
    by_luck : float
        In how many of `ranked` each of the two is expected where the text says nothing.
    least_p, most_p : float
        The probability of as many or more by luck.
    """

    model: str
    accuracy: float
    low: float
    high: float
    chance: float
    folds: dict[str, float]
    items: int
    failed: int
    by_choice: int
    index: float
    below: dict[str, int]
    ranked: int = 0
    least: int = 0
    most: int = 0
    by_luck: float = 0.0
    least_p: float = 1.0
    most_p: float = 1.0

    def told_by_rank(self) -> list[str]:
        """A line where the right answer is too often the least or the most likely option."""
        ends = (("least", self.least, self.least_p), ("most", self.most, self.most_p))
        return [
            f"warning: by {self.model}, the right answer is the {which} likely option in {count} "
            f"of {self.ranked} questions, by luck in {self.by_luck:.1f} ({p_words(p)}): whoever "
            "goes by that needs no sound"
            for which, count, p in ends
            if p < ALPHA / 2  # two are tried
        ]


def probes_of(items: Sequence[Item], rounds: int, *, whole: bool) -> list[Probe]:
    """What is asked: each leave-one-out fold so often, or every rotation of all the options."""
    probes: list[Probe] = []
    for one in items:
        if whole or len(one.options) < 3:
            probes += rotations(one.id, one.question, one.options, one.track)
        else:
            probes += leave_one_out(one.id, one.question, one.options, one.track, rounds)
    return probes


def ask_blind(
    probes: Sequence[Probe], asker: Asker, folder: Path, watch: Watch = silent
) -> Answers:
    """Put probes before a model. Raises `InputError` where `folder` cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / "probes.jsonl", lines_of(probes))
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from error
    options = {"items": str(folder / "probes.jsonl"), "prompts": asker.prompts}
    run = carry_out(Blind, options, asker, folder, watch)
    blind = Blind.from_options(options)
    assert isinstance(blind, Blind)
    return read_answers(run, blind)


def measure(
    items: Sequence[Item], probes: Sequence[Probe], answers: Answers, model: str
) -> tuple[Measure, dict[str, float]]:
    """The figures of an examinee, and the perceptual index of each item.

    Raises
    ------
    InputError
        Every call failed.
    """
    index = index_of(answers, probes)
    known = [item for item in items if item.id in index]
    if not known:
        raise InputError(f"{model}: all {answers.failed} calls failed: `zhiyin show` its run")
    folds: dict[str, list[float]] = {}
    shown: dict[str, list[float]] = {}
    for probe in probes:
        if probe.item in index:
            folds.setdefault(probe.fold, []).append(answers.right[probe.id])
            shown.setdefault(probe.item, []).append(1 / len(probe.options))
    estimate = interval([1 - index[item.id] for item in known], [item.track for item in known])
    chance = sum(sum(shares) / len(shares) for shares in shown.values()) / len(shown)
    figures = Measure(
        model,
        estimate.mean,
        estimate.low,
        estimate.high,
        chance,
        {fold: sum(values) / len(values) for fold, values in folds.items()},
        len(known),
        answers.failed,
        answers.by_choice,
        1 - estimate.mean,
        {f"{band:g}": sum(value < band - 1e-9 for value in index.values()) for band in BANDS},
        **_ranks(known, probes, answers),
    )
    return figures, index


def _ranks(items: Sequence[Item], probes: Sequence[Probe], answers: Answers) -> dict[str, Any]:
    """Where the right answers stand among the options, by the mean difference when both are shown.

    Only where every option is weighed: of choices, and of equal weights, nothing is known.
    """
    if answers.by_choice:
        return {}
    leads: dict[str, dict[str, list[float]]] = {}
    for probe in probes:
        shares = answers.options.get(probe.id, {})
        for text in probe.options if shares else ():
            lead = shares[text] - answers.right[probe.id]
            leads.setdefault(probe.item, {}).setdefault(text, []).append(lead)
    least = most = 0
    shares_of_luck = []
    for item in items:
        means = [
            fmean(leads[item.id][d.text]) for d in item.distractors if d.text in leads[item.id]
        ]
        if not means or any(abs(mean) < _TIE for mean in means):
            continue
        least += min(means) > 0
        most += max(means) < 0
        shares_of_luck.append(1 / (1 + len(means)))
    return {
        "ranked": len(shares_of_luck),
        "least": least,
        "most": most,
        "by_luck": sum(shares_of_luck),
        "least_p": upper_tail(shares_of_luck, least),
        "most_p": upper_tail(shares_of_luck, most),
    }
