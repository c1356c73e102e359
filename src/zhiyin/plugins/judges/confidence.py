"""Confidence of a model in its choices and in its reviews, and whether it was justified.

Conventions
-----------
A review's confidence is what its function gave with it, or what it states in a sentence of its
own ("Confidence: 80%"). A confidence within another sentence is that of the claims in it, and
comes before the review's. Nothing stated is unknown: counted, and in no figure.

Choices and claims are right or wrong, so that calibration is defined for them. Completeness and
novelty are shares of points: there is no event whose share a confidence could forecast, and so
their figures are the bias (mean confidence minus mean share) and the mean gap (mean of the
absolute differences), and no calibration error.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from zhiyin.plugins.judges.aspects import part_named
from zhiyin.plugins.judges.combine import QUESTIONS, WEIGHTS, scores_of, weights_by_name
from zhiyin.plugins.judges.rubric import Claim
from zhiyin.record import Record, Reply
from zhiyin.runs.ways import item_of
from zhiyin.shown.table import Column, written
from zhiyin.statistics.intervals import Interval
from zhiyin.statistics.parts import TOTAL, Parts, part_difference
from zhiyin.words import localized, said, spoken

if TYPE_CHECKING:
    from zhiyin.plugins.judges.grades import Grades
    from zhiyin.plugins.methods.calibration import Brier, Calibration

_STATED = re.compile(
    r"(?:confidence|certainty|置信度|把握|确信度|自信度)"
    r"(?:\s*+(?:level|score|is|为|是|约|大约))*+"
    r"(?:\s*+[(（]\s*+[01]\s*+(?:-|–|~|to|到|至)\s*+(1|10|100)\s*+[%％]?\s*+[)）])?"
    r"[\s*_]*+[:：=]?[\s*_]*+(?:about\s*+)?(\d{1,9}+(?:\.\d++)?)\s*+"
    r"([%％]|percent\b|(?:/|／|out of)\s*+(10{0,2}|5)(?!\d))?",
    re.IGNORECASE,
)
"""The top of a scale before the number, the number, its unit, the top of a scale after it."""
_SENTENCE = re.compile(r"[^\n。！？!?.]++(?:\.(?!\s|$)[^\n。！？!?.]*+)*+")
"""A sentence or a line; a point within a number ends none."""
_BESIDE = re.compile(r"(?:my|the|overall|general|total|我|的|本|篇|总体|整体|综合|对|\W|_)*+")
"""What may stand beside a confidence in a sentence of its own."""


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
    """Calibration of the choices or claims of a run whose confidence is known.

    Attributes
    ----------
    calibration : Calibration
        Expected calibration error and the bins of the reliability diagram.
    brier : Brier
        Mean squared difference of confidence and outcome, and its parts.
    sources : dict of str to int
        Where confidences came from: "function", "log-probabilities" or "stated".
    unknown : int
        Answered choices, or decided claims, without any.
    """

    calibration: Calibration
    brier: Brier
    sources: dict[str, int]
    unknown: int


class PartConfidence(msgspec.Struct, frozen=True):
    """Confidence beside what was reached, in one part of a judged run or over the whole.

    Attributes
    ----------
    part : str
        A component of the total, or "total": the mean of the parts that have a bias, by the
        weights of the total.
    n, unknown : int
        Choices, claims (each as often as it was judged) or reviews with a known confidence, and
        without; of the total, of all parts.
    stated, reached : float or None
        Mean confidence, and mean outcome or share of the points, of those with a confidence;
        None where there are none.
    bias : Interval or None
        `stated` minus `reached`, above 0 overconfident; all of a song is one draw, and one song
        alone says nothing of the spread: -1 to 1.
    gap : float or None
        Mean of abs(confidence - share) over reviews, of completeness and novelty alone.
    outcomes : Confidence or None
        Calibration, of choices and claims alone.
    """

    part: str
    n: int
    unknown: int
    stated: float | None = None
    reached: float | None = None
    bias: Interval | None = None
    gap: float | None = None
    outcomes: Confidence | None = None


class Known(msgspec.Struct, frozen=True):
    """The known confidences of one part, row by row, and how many are unknown."""

    songs: list[str] = []
    stated: list[float] = []
    reached: list[float] = []
    sources: list[str] = []
    unknown: list[str] = []

    def add(self, song: str, confidence: tuple[float, str] | None, reached: float) -> None:
        """Note what was reached with a confidence; None is unknown."""
        if confidence is None:
            self.unknown.append(song)
            return
        self.songs.append(song)
        self.stated.append(confidence[0])
        self.reached.append(reached)
        self.sources.append(confidence[1])


def confidence_of(reply: Reply, letter: str, top: float | None = None) -> tuple[float, str] | None:
    """Return how sure a reply is of a letter, in [0, 1], and the source of that.

    What the confidence function gave comes first, then the options' log-probabilities
    (normalised over the options), then a confidence stated in words such as "Confidence: 80%".
    A number without a unit is a share up to 1 and a percentage from 10; between, as in
    "Confidence: 8", it may be out of ten or a percentage, and only `top`, the scale of the
    model's other replies (see `scale_of`), can tell.
    """
    if (given := _given(reply)) is not None:
        return given
    if letter in reply.logprobs:
        top = max(reply.logprobs.values())
        shares = {name: math.exp(value - top) for name, value in reply.logprobs.items()}
        return shares[letter] / sum(shares.values()), "log-probabilities"
    stated = stated_in(reply.text)
    return _stated_share([stated] if stated else [], top)


def _given(reply: Reply) -> tuple[float, str] | None:
    """The confidence that a function gave with its reply."""
    given = reply.detail.get("confidence")
    if isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1:
        return float(given), "function"
    return None


def stated_in(text: str) -> Stated | None:
    """The last confidence that a text states."""
    last = deque(_STATED.finditer(text), maxlen=1)
    return _stated(last[0]) if last else None


def _stated(match: re.Match[str]) -> Stated:
    before, written, unit, after = match.groups()
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
    return calibrated(of_choices(records), bins)


def of_choices(records: Iterable[Record]) -> Known:
    """The confidences of the answered choices among `records`, and whether each was right."""
    answered = [
        record
        for record in records
        if record.verdict.letter is not None and record.verdict.state in ("correct", "wrong")
    ]
    top = scale_of(record.exchange.final for record in answered)
    known = Known([], [], [], [], [])
    for record in answered:
        verdict, trial = record.verdict, record.trial
        item, _ = item_of(trial.id, trial.item, trial.condition, trial.tags)
        confidence = confidence_of(record.exchange.final, str(verdict.letter), top)
        known.add(trial.cluster or item, confidence, float(verdict.state == "correct"))
    return known


def calibrated(known: Known, bins: int = 10) -> Confidence | None:
    """Calibration of what is right or wrong; None where no confidence is known."""
    from zhiyin.plugins.methods.calibration import brier, calibration

    if not known.stated:
        return None
    sources = {name: known.sources.count(name) for name in dict.fromkeys(known.sources)}
    result = calibration(known.stated, known.reached, bins, clusters=known.songs)
    return Confidence(result, brier(known.stated, known.reached), sources, len(known.unknown))


def by_part(
    choices: Known,
    replies: Mapping[str, Reply],
    grades: Grades,
    weights: tuple[float, ...] = WEIGHTS,
) -> list[PartConfidence]:
    """The confidence of each part of a judged run, and of the whole.

    Parameters
    ----------
    choices : Known
        Of the option questions; see `of_choices`.
    replies : mapping of str to Reply
        Each review's reply, by its trial's id. Those that were not written are not among them:
        like a question that was declined they hold nothing to be sure of.
    grades : Grades
    weights : tuple of float, length 4
        Of the components, as in the total.

    Returns
    -------
    list of PartConfidence
        The total last. Empty where no confidence is known at all.
    """
    top = scale_of(replies.values())
    parts = {QUESTIONS: choices}
    for aspect in (name for name in grades.scales if name in grades.aspects):
        parts[aspect] = (
            _of_claims(grades, replies, top)
            if aspect == "precision"
            else _of_points(grades, aspect, replies, top)
        )
    if not any(known.stated for known in parts.values()):
        return []
    shares = weights_by_name(weights, grades.added)
    stated, reached = _sums(parts, tuple(shares[name] for name in parts))
    rows = [_row(name, known, stated, reached) for name, known in parts.items()]
    n, unknown = sum(row.n for row in rows), sum(row.unknown for row in rows)
    return [*rows, _with_bias(PartConfidence(TOTAL, n, unknown), stated, reached)]


def _of_points(
    grades: Grades, aspect: str, replies: Mapping[str, Reply], top: float | None
) -> Known:
    """Each review's confidence, and the share of the points that it got (mean of the draws)."""
    known = Known([], [], [], [], [])
    songs = {case.id: case.song for case in grades.cases}
    for case, draws in grades.of(aspect).items():
        if scores := scores_of(draws):
            share = grades.share(aspect, fmean(scores))
            known.add(songs[case], review_confidence(replies[case], top), share)
    return known


def _of_claims(grades: Grades, replies: Mapping[str, Reply], top: float | None) -> Known:
    """The confidence in each claim that counts in precision, and whether it is right.

    Where precision counts claims that the evidence leaves open as not right, as released, so
    does this.
    """
    right = {"supported": 1.0, "contradicted": 0.0}
    if not grades.rules.pooled:
        right["not_in_details"] = 0.0
    known = Known([], [], [], [], [])
    songs = {case.id: case.song for case in grades.cases}
    for case, draws in grades.of("precision").items():
        for claim in _claims(draws):
            if claim.verdict in right:
                confidence = claim_confidence(replies[case], claim, top)
                known.add(songs[case], confidence, right[claim.verdict])
    return known


def _claims(draws: Iterable[Any]) -> Iterator[Claim]:
    for grade in draws:
        if grade.judgement:
            yield from grade.judgement.detail.claims or ()


def review_confidence(reply: Reply, top: float | None = None) -> tuple[float, str] | None:
    """Return how sure a model is of its whole review, in [0, 1], and the source of that.

    What its function gave comes first, then the one confidence in a sentence of its own. Of
    several nobody can tell which is the review's.
    """
    if (given := _given(reply)) is not None:
        return given
    own = [
        stated
        for _, _, statements in _sentences(reply.text)
        for stated, alone in statements
        if alone
    ]
    return _stated_share(own, top) if len(own) == 1 else None


def claim_confidence(
    reply: Reply, claim: Claim, top: float | None = None
) -> tuple[float, str] | None:
    """Return how sure a model is of one claim in its review, in [0, 1], and the source of that.

    The one confidence that is stated in the sentences of the claim's quotation, else that of the
    whole review. Where these sentences state several, nobody can tell which is the claim's; and
    where the quotation is not found, it may stand beside any that the text states.
    """
    sentences = list(_sentences(reply.text))
    quote = claim.quote or claim.claim
    begin = reply.text.find(quote) if quote else -1
    end = begin + len(quote)
    beside = [
        stated
        for low, high, statements in sentences
        if begin < 0 or (low < end and begin < high)
        for stated, alone in statements
        if not alone
    ]
    if not beside:
        return review_confidence(reply, top)
    return _stated_share(beside, top) if begin >= 0 and len(beside) == 1 else None


def _sentences(text: str) -> Iterator[tuple[int, int, list[tuple[Stated, bool]]]]:
    """Yield each sentence's span, the confidences it states, and whether it says nothing else."""
    for sentence in _SENTENCE.finditer(text):
        statements = list(_STATED.finditer(sentence[0]))
        alone = bool(_BESIDE.fullmatch(_STATED.sub(" ", sentence[0]).lower()))
        yield *sentence.span(), [(_stated(match), alone) for match in statements]


def _stated_share(stated: Sequence[Stated], top: float | None) -> tuple[float, str] | None:
    share = stated[0].share(top) if stated else None
    return None if share is None else (share, "stated")


def _sums(parts: Mapping[str, Known], weights: tuple[float, ...]) -> tuple[Parts, Parts]:
    """Collect stated and reached scores, by part and song: two sets to compare."""
    songs = tuple(dict.fromkeys(song for known in parts.values() for song in known.songs))
    place = {song: number for number, song in enumerate(songs)}
    stated, reached, counts = np.zeros((3, len(parts), len(songs)))
    for row, known in enumerate(parts.values()):
        where = [place[song] for song in known.songs]
        for sums, values in ((stated, known.stated), (reached, known.reached)):
            np.add.at(sums[row], where, values)
        np.add.at(counts[row], where, 1)
    names, scored = tuple(parts), counts > 0
    return (
        Parts(names, weights, songs, stated, counts, scored),
        Parts(names, weights, songs, reached, counts, scored),
    )


def _row(part: str, known: Known, stated: Parts, reached: Parts) -> PartConfidence:
    row = PartConfidence(part, len(known.stated), len(known.unknown))
    if part in (QUESTIONS, "precision"):
        row = msgspec.structs.replace(row, outcomes=calibrated(known))
    elif row.n:
        gaps = np.abs(np.subtract(known.stated, known.reached))
        row = msgspec.structs.replace(row, gap=float(gaps.mean()))
    return _with_bias(row, stated, reached)


def _with_bias(row: PartConfidence, stated: Parts, reached: Parts) -> PartConfidence:
    """A row with its bias: that of two runs' scores on the same songs, see `part_difference`."""
    difference = part_difference(stated, reached, row.part, draws=1)  # of its test nothing is used
    if difference is None:
        return row
    bias = Interval(
        difference.mean, difference.low, difference.high, difference.se, row.n, difference.songs,
        "t", 0.95,
    )  # fmt: skip
    return msgspec.structs.replace(
        row, stated=difference.first, reached=difference.second, bias=bias
    )


_GAPS = Column("", "gap", 4)


def confidence_lines(confidence: Confidence | None, judge: str | None = None) -> Iterator[str]:
    """Calibration and the reliability diagram, a bar for each bin; of claims under a judge."""
    if confidence is None:
        return
    sources = [f"{n} {name}" for name, n in confidence.sources.items()]
    title = "answers" if judge is None else "claims"
    yield localized(said("judged-confidence", title=title, judge=judge, sources=sources,
                   unknown=confidence.unknown))  # fmt: skip
    calibration = confidence.calibration
    figures = said("judged-confidence-figures", ece=f"{calibration.ece:.4f}",
                   brier=f"{confidence.brier.score:.4f}",
                   bias=written(calibration.bias, _GAPS, spoken()))  # fmt: skip
    yield f"   {localized(figures)}"
    for one in calibration.bins:
        bar = said("judged-confidence-bin", low=f"{one.low:.1f}", high=f"{one.high:.1f}",
                   said=f"{one.confidence:.2f}", right=f"{one.accuracy.mean:.2f}",
                   bar=f"{'#' * round(20 * one.accuracy.mean):<20}", n=one.n)  # fmt: skip
        yield f"   {localized(bar)}"


def part_lines(rows: Sequence[PartConfidence], judge: str) -> Iterator[str]:
    """The confidence of each part of a judged run, and of the whole."""
    precise = next((row.outcomes for row in rows if row.part == "precision"), None)
    yield from confidence_lines(precise, judge)
    if rows:
        yield localized(said("judged-confidences", judge=judge))
    for row in rows:
        name = part_named(row.part)
        if row.bias is None:
            unknown = said("judged-confidence-of", n=row.unknown, part=row.part)
            unknown = said("judged-confidence-unknown", name=name, unknown=unknown)
            yield f"   {localized(unknown)}"
            continue
        known = None if row.part == TOTAL else said("judged-confidence-of", n=row.n, part=row.part)
        line = said("judged-confidence-part", name=name, said=f"{row.stated:.4f}",
                    reached=f"{row.reached:.4f}",
                    bias=written(row.bias.ends, _GAPS, spoken()),
                    gap=None if row.gap is None else f"{row.gap:.4f}", known=known,
                    unknown=row.unknown)  # fmt: skip
        yield f"   {localized(line)}"
    if any(row.gap is not None for row in rows):
        yield f"   {localized(said('judged-confidence-points'))}"
