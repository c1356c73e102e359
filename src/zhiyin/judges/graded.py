"""Graded examples, and how far the embedded judge agrees with them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.judges import aspects
from zhiyin.judges.aspects import Dossier

if TYPE_CHECKING:
    from zhiyin.judges.lexical import LexicalJudge
    from zhiyin.statistics.agreement import Correlation


class Example(msgspec.Struct, frozen=True):
    """A review, what is known of its song, and its grades by the rubrics, given by hand.

    `completeness` is out of 16, `precision` in [0, 1] (None: nothing to check), `novelty` out
    of 10.
    """

    text: str
    details: dict[str, Any]
    completeness: float
    precision: float | None
    novelty: float


class Closeness(msgspec.Struct, frozen=True):
    """Agreement on an aspect: texts, rank correlation, and mean absolute and signed difference."""

    aspect: str
    n: int
    rank: Correlation
    off_by: float
    bias: float
    most: float


def examples() -> list[Example]:
    """The graded examples, Chinese and English."""
    lines = (Path(__file__).parent / "graded.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Example) for line in lines]


@cache
def closeness(judge: LexicalJudge) -> list[Closeness]:
    """How close a judge by rule comes to the grades given by hand."""
    from zhiyin.judges.combine import MOST
    from zhiyin.statistics.agreement import length_correlation

    results = []
    for aspect, most in MOST.items():
        hand, own = [], []
        for example in examples():
            dossier = Dossier(aspect, example.text, example.details)
            reply = msgspec.json.encode(judge.judge(dossier)).decode()
            score = aspects.read(dossier, reply).scores.get("score")
            given = getattr(example, aspect)
            if score is not None and given is not None:
                hand.append(given)
                own.append(score)
        rank = length_correlation(own, hand)  # Spearman's, of any two rows
        off_by = fmean(abs(a - b) for a, b in zip(own, hand, strict=True))
        results.append(Closeness(aspect, len(own), rank, off_by, fmean(own) - fmean(hand), most))
    return results


def agreement_lines(judge: LexicalJudge) -> list[str]:
    """The agreement as lines to print."""
    lines = []
    for close in closeness(judge):
        rho = "-" if close.rank.rho is None else f"{close.rank.rho:.2f}"
        if close.most == 1:  # a share
            off = f"{100 * close.off_by:.1f} points (bias {100 * close.bias:+.1f})"
        else:
            off = f"{close.off_by:.2f} of {close.most:g} marks (bias {close.bias:+.2f})"
        lines.append(
            f"agreement of the lexical judge with {close.n} graded examples, {close.aspect}: "
            f"rank correlation {rho}, off by {off}"
        )
    return lines
