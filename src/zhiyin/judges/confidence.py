"""How sure a model was of its choices, and whether it was right to be."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from zhiyin.items import item_of
from zhiyin.record import Record, Reply

if TYPE_CHECKING:
    from zhiyin.statistics.calibration import Brier, Calibration

_STATED = re.compile(
    r"(?:confidence|certainty|置信度|把握|确信度|自信度)(?:\s*(?:level|score|is|为|是|约|大约))*"
    r"\s*[:：=]?\s*(?:about\s*)?(\d+(?:\.\d+)?)\s*(%|％|/\s*100|/\s*10(?!\d))?",
    re.IGNORECASE,
)


class Confidence(msgspec.Struct, frozen=True):
    """Calibration of the choices of a run whose confidence is known.

    Attributes
    ----------
    calibration : Calibration
        Expected calibration error and the bins of the reliability diagram.
    brier : Brier
        Mean squared difference of confidence and outcome, and its parts.
    sources : dict of str to int
        Where confidences came from: "function", "log-probabilities" or "stated".
    unknown : int
        Answered choices without any.
    """

    calibration: Calibration
    brier: Brier
    sources: dict[str, int]
    unknown: int


def confidence_of(reply: Reply, letter: str) -> tuple[float, str] | None:
    """How sure a reply is of a letter, in [0, 1], and where that is known from.

    What the confidence function gave comes first, then the options' log-probabilities
    (normalised over the options), then a confidence stated in words such as "Confidence: 80%".
    """
    given = reply.detail.get("confidence")
    if isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1:
        return float(given), "function"
    if letter in reply.logprobs:
        top = max(reply.logprobs.values())
        shares = {name: math.exp(value - top) for name, value in reply.logprobs.items()}
        return shares[letter] / sum(shares.values()), "log-probabilities"
    stated = list(_STATED.finditer(reply.text))
    if stated:
        value, unit = float(stated[-1][1]), (stated[-1][2] or "").replace(" ", "")
        share = value / 10 if unit == "/10" else value / 100 if unit or value > 1 else value
        if 0 <= share <= 1:
            return share, "stated"
    return None


def calibrate(records: Iterable[Record], bins: int = 10) -> Confidence | None:
    """Calibration of the answered choices among `records`; None where no confidence is known."""
    from zhiyin.statistics.calibration import brier, calibration

    stated: list[float] = []
    right: list[float] = []
    clusters: list[str] = []
    sources: dict[str, int] = {}
    unknown = 0
    for record in records:
        verdict = record.verdict
        if verdict.letter is None or verdict.state not in ("correct", "wrong"):
            continue
        found = confidence_of(record.exchange.final, verdict.letter)
        if found is None:
            unknown += 1
            continue
        stated.append(found[0])
        right.append(float(verdict.state == "correct"))
        trial = record.trial
        item, _ = item_of(trial.id, trial.item, trial.condition, trial.tags)
        clusters.append(trial.cluster or item)
        sources[found[1]] = sources.get(found[1], 0) + 1
    if not stated:
        return None
    told = calibration(stated, right, bins, clusters=clusters)
    return Confidence(told, brier(stated, right), sources, unknown)
