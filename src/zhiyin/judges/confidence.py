"""How sure a model was of its choices, and whether it was right to be."""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from zhiyin.engine.items import item_of
from zhiyin.record import Record, Reply

if TYPE_CHECKING:
    from zhiyin.statistics.calibration import Brier, Calibration

_STATED = re.compile(
    r"(?:confidence|certainty|置信度|把握|确信度|自信度)"
    r"(?:\s*+(?:level|score|is|为|是|约|大约))*+"
    r"(?:\s*+[(（]\s*+[01]\s*+(?:-|–|~|to|到|至)\s*+(1|10|100)\s*+[%％]?\s*+[)）])?"
    r"\s*+[:：=]?\s*+(?:about\s*+)?(\d{1,9}+(?:\.\d++)?)\s*+"
    r"([%％]|percent\b|(?:/|／|out of)\s*+(10{0,2}|5)(?!\d))?",
    re.IGNORECASE,
)
"""The top of a scale before the number, the number, its unit, the top of a scale after it."""


class Stated(NamedTuple):
    """A confidence in words: the number as it is written, and the top of its scale if named."""

    written: str
    top: float | None

    @property
    def value(self) -> float:
        """The number."""
        return float(self.written)

    def share(self, top: float | None = None) -> float | None:
        """The confidence in [0, 1], or None where its scale is not known.

        Parameters
        ----------
        top : float, optional
            The top of the scale on which other replies of the model lie.
        """
        top = self.top or top
        if self.top is None and self.value <= 1 and ("." in self.written or top is None):
            return self.value  # 0.9 is not meant as 0.9 %
        if top is None:
            top = 100.0 if self.value > 10 else None
        share = None if top is None else self.value / top
        return share if share is not None and share <= 1 else None


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


def confidence_of(reply: Reply, letter: str, top: float | None = None) -> tuple[float, str] | None:
    """How sure a reply is of a letter, in [0, 1], and where that is known from.

    What the confidence function gave comes first, then the options' log-probabilities
    (normalised over the options), then a confidence stated in words such as "Confidence: 80%".
    A number without a unit is a share up to 1 and a percentage from 10; between, as in
    "Confidence: 8", it may be out of ten or a percentage, and only `top`, the scale of the
    model's other replies (see `scale_of`), can tell.
    """
    given = reply.detail.get("confidence")
    if isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1:
        return float(given), "function"
    if letter in reply.logprobs:
        top = max(reply.logprobs.values())
        shares = {name: math.exp(value - top) for name, value in reply.logprobs.items()}
        return shares[letter] / sum(shares.values()), "log-probabilities"
    stated = stated_in(reply.text)
    share = stated.share(top) if stated else None
    return None if share is None else (share, "stated")


def stated_in(text: str) -> Stated | None:
    """The last confidence that a text states."""
    last = deque(_STATED.finditer(text), maxlen=1)
    if not last:
        return None
    before, written, unit, after = last[0].groups()
    named = after or before or ("100" if unit else None)
    return Stated(written, float(named) if named else None)


def scale_of(replies: Iterable[Reply]) -> float | None:
    """The top of the scale on which a model states its confidence: 1, 10 or 100.

    Inferred from the largest number without a unit; None where there is none.
    """
    statements = [stated_in(reply.text) for reply in replies]
    values = [s.value for s in statements if s is not None and s.top is None and s.value <= 100]
    return next((top for top in (1.0, 10.0, 100.0) if max(values) <= top), None) if values else None


def calibrate(records: Iterable[Record], bins: int = 10) -> Confidence | None:
    """Calibration of the answered choices among `records`; None where no confidence is known."""
    from zhiyin.statistics.calibration import brier, calibration

    stated: list[float] = []
    right: list[float] = []
    clusters: list[str] = []
    sources: dict[str, int] = {}
    unknown = 0
    answered = [
        record
        for record in records
        if record.verdict.letter is not None and record.verdict.state in ("correct", "wrong")
    ]
    top = scale_of(record.exchange.final for record in answered)
    for record in answered:
        verdict = record.verdict
        confidence = confidence_of(record.exchange.final, str(verdict.letter), top)
        if confidence is None:
            unknown += 1
            continue
        stated.append(confidence[0])
        right.append(float(verdict.state == "correct"))
        trial = record.trial
        item, _ = item_of(trial.id, trial.item, trial.condition, trial.tags)
        clusters.append(trial.cluster or item)
        sources[confidence[1]] = sources.get(confidence[1], 0) + 1
    if not stated:
        return None
    result = calibration(stated, right, bins, clusters=clusters)
    return Confidence(result, brier(stated, right), sources, unknown)
