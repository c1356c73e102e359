"""One label of a closed set: genre, instrument, pitch, technique; and musical keys.

The published reading of one label of a closed set, as a policy for options with texts.

Figures over items with their bootstrap: each is a function of sums over items.

A mean, a pooled error rate, R², a macro average of areas: all of them are computed from sums of a
few numbers of each item. So a resample of clips is one multiplication by how often each was drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from zhiyin.reader.policy import Policy, Reading
from zhiyin.runs.measures import SHARE, Estimate, Measure
from zhiyin.runs.sums import reduced
from zhiyin.statistics.intervals import Floats
from zhiyin.trial import Option


class JudgedReply(msgspec.Struct, frozen=True):
    """One reply to one clip: the label, the reply, and the scores of that pair."""

    label: str
    reply: str
    clip: str
    scores: dict[str, float] = {}


class CmiMeasure(msgspec.Struct, frozen=True):
    """A figure over items.

    Attributes
    ----------
    name : str
    published : bool
        Whether it is what the published script computes; else the standard of the field.
    sums : callable
        From items to an array of shape (items, K), whose sums over items decide the figure.
    value : callable
        From sums of shape (..., K) to figures of shape (...); NaN where there is none.
    percent : bool
        Whether it is a share.
    score : str
        The score that it is the mean of; "" for any other figure.
    ours : str
        The name of the field's figure that stands beside a published one; "" for its own name.
    low : bool
        Whether lower is better: a rate of errors.
    """

    name: str
    published: bool
    sums: Callable[[Sequence[JudgedReply]], Any]
    value: Callable[[Any], Any]
    percent: bool = True
    score: str = ""
    ours: str = ""
    low: bool = False


def value_of(measure: CmiMeasure, items: Sequence[JudgedReply]) -> float | None:
    """The value of a measure; None where it is not defined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(measure.value(np.asarray(measure.sums(items), dtype=np.float64).sum(axis=0)))
    return value if np.isfinite(value) else None


def figures_of(measures: Sequence[CmiMeasure], items: Sequence[JudgedReply]) -> list[Estimate]:
    """The values of measures, with the percentile intervals of resamples of whole clips.

    Measures that rest on the same sums have them computed once. No interval for fewer than two
    clips, where a resample in twenty has no value, or where all resamples are alike.
    """
    names, clip = np.unique([item.clip for item in items], return_inverse=True)
    clips: dict[Any, Floats] = {}
    for sums in dict.fromkeys(measure.sums for measure in measures):
        of_items = np.asarray(sums(items), dtype=np.float64)
        clips[sums] = np.array([np.bincount(clip, column, len(names)) for column in of_items.T]).T
    found, n = [], len(items)
    for one in measures:
        unit = SHARE if one.percent else ""
        measure = Measure(
            one.name, unit, one.low, range=(None, None), value=one.value, method="bootstrap"
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            own = reduced(measure, clips[one.sums], n)
        found.append(Estimate(measure, *own[:4], n, n, len(names), own[4]))
    return found


def mean_of(
    name: str, score: str, *, published: bool, percent: bool = True, ours: str = ""
) -> CmiMeasure:
    """The mean of a score over the items that have it."""

    def sums(items: Sequence[JudgedReply]) -> list[list[float]]:
        return [[item.scores.get(score, 0.0), float(score in item.scores)] for item in items]

    value, low = (lambda s: s[..., 0] / s[..., 1]), score in ("wer", "cer")
    return CmiMeasure(name, published, sums, value, percent, score, ours, low)


def error_rate_of(name: str, above: str, below: str) -> CmiMeasure:
    """The sum of one score over the sum of another: a rate of errors pooled over all items."""

    def sums(items: Sequence[JudgedReply]) -> list[list[float]]:
        return [[item.scores.get(above, 0.0), item.scores.get(below, 0.0)] for item in items]

    return CmiMeasure(name, False, sums, lambda s: s[..., 0] / s[..., 1], low=True)


PUBLISHED, WEIGHTED = "published", "weighted"
ACCURACY = (
    mean_of("accuracy", PUBLISHED, published=True),
    mean_of("accuracy", "right", published=False),
)
KEY: tuple[CmiMeasure, ...] = (
    mean_of("weighted score", PUBLISHED, published=True),
    mean_of("exactly right", "published_exact", published=True),
    mean_of("weighted score", WEIGHTED, published=False),
    mean_of("exactly right", "right", published=False),
)
_GONE = str.maketrans(dict.fromkeys("_-' .") | {"#": "♯"})
_WORDS_OF_A_LABEL = 3


def published_form(text: str) -> str:
    """A text without ``_``, ``-``, ``'``, blanks and full stops, in small letters, # as ♯."""
    return text.translate(_GONE).lower()


def published_right(label: str, reply: str, labels: Iterable[str]) -> bool:
    """Tell whether the label stands anywhere in the reply and no other label does.

    A label that holds another one can never be right: the other is found within it.
    """
    reply_form, label_form = published_form(reply), published_form(label)
    others = {published_form(other) for other in labels} - {label_form}
    return label_form in reply_form and not any(other in reply_form for other in others)


def published_labels(reply: str, labels: Iterable[str]) -> list[str]:
    """The labels that are right by `published_right`: one, or those that are alike; or none."""
    form = published_form(reply)
    contained: dict[str, list[str]] = {}
    for label in dict.fromkeys(labels):
        if (own := published_form(label)) in form:
            contained.setdefault(own, []).append(label)
    return next(iter(contained.values())) if len(contained) == 1 else []


def read_label(reply: str, labels: Iterable[str]) -> tuple[str | None, str]:
    """The one label that a reply names in whole words, and how it was found or why there is none.

    "Vocal fry", "vocal-fry" and "vocal_fry" are one label; of "lip trill" the whole counts and not
    the "trill" in it. Two labels are no answer, whichever comes first.
    """
    tokens = re.findall(r"[a-z0-9♯#]+", reply.lower().replace("'", ""))
    known = {re.sub(r"[^a-z0-9♯#]", "", label.lower()): label for label in labels}
    spans = []
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + _WORDS_OF_A_LABEL, len(tokens)) + 1):
            if label := known.get("".join(tokens[start:end])):
                spans.append((start, end, label))
    whole = [
        (a, b, label)
        for a, b, label in spans
        if not any(c <= a and b <= d and (c, d) != (a, b) for c, d, _ in spans)
    ]
    return _only({label for _, _, label in whole}, "label")


def read_pitch(reply: str) -> tuple[str | None, str]:
    """The one MIDI number, 0 to 127, in a reply."""
    numbers = re.findall(r"(?<![\w.])\d+(?![\w]|\.\d)", reply)
    return _only({str(int(n)) for n in numbers if len(n) < 4 and int(n) < 128}, "MIDI number")


_TONIC = {"c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11}
_SHIFT = {"": 0, "#": 1, "♯": 1, "sharp": 1, "b": -1, "♭": -1, "flat": -1}
_KEY = re.compile(
    r"(?<![a-z])([a-g]) ?-?(#|♯|♭|b|sharp|flat)? ?-?(major|maj|minor|min)(?![a-z])", re.IGNORECASE
)
_SHORT = re.compile(r"\s*+([A-G])(#|♯|♭|b)?(m)?\s*+\.?\s*+")
NAMES = ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B")


def read_key(reply: str) -> tuple[str | None, str]:
    """The one key that a reply names, spelled with flats: G# minor is Ab minor.

    A letter without a mode is a key only where it is the whole reply: "Am", "F#".
    """
    keys = {_key(*parts) for parts in _KEY.findall(reply)}
    if not keys and (short := _SHORT.fullmatch(reply)):
        keys = {_key(short[1], short[2] or "", "minor" if short[3] else "major")}
    return _only(keys, "key")


def _key(tonic: str, shift: str, mode: str) -> str:
    place = (_TONIC[tonic.lower()] + _SHIFT[shift.lower()]) % 12
    return f"{NAMES[place]} {'minor' if mode.lower().startswith('min') else 'major'}"


KEYS = tuple(f"{name} {mode}" for mode in ("major", "minor") for name in NAMES)
_RESPELLED = {"c": "db", "d": "eb", "f": "gb", "g": "ab", "a": "bb"}


def published_key(reply: str) -> str | None:
    """The key that the published script reads; None where it finds none or stops.

    Small letters, no blanks, no digits. Up to three characters that end in m are a minor key, up
    to two others a major one. A sharp in the second place is respelled, any other is not. Then the
    first key of the list, majors before minors, that stands anywhere: "minor" of "eb minor" never
    hides "b minor", which is looked for after it.
    """
    text = "".join(c for c in reply.lower().replace(" ", "") if not c.isdigit())
    if len(text) <= 3 and text.endswith("m"):
        text += "inor"
    elif len(text) <= 2:
        text += "major"
    if text[1] in "#♯":
        if text[0] not in _RESPELLED:
            return None
        text = _RESPELLED[text[0]] + text[2:]
    return next((key for key in KEYS if key.lower().replace(" ", "") in text), None)


def weighted(label: str, key: str | None) -> float:
    """mir_eval's weighted score of a key; 0 for none."""
    from mir_eval.key import weighted_score

    return float(weighted_score(label, key)) if key else 0.0


def _only(names: Sequence[str] | set[str], what: str) -> tuple[str | None, str]:
    if len(names) == 1:
        return next(iter(names)), f"the only {what} named"
    return None, f"several {what}s named" if names else f"no {what} named"


def as_published(text: str, options: Sequence[Option]) -> Reading:
    """The option whose text stands anywhere in the reply while no other option's does.

    Without ``_``, ``-``, ``'``, blanks and full stops, in small letters. The letter of an option is
    no answer, and an option that holds another's text can never be right.
    Source: ``published_right``, of CMI-Bench's accuracy.
    """
    right = published_labels(text, [option.text for option in options])
    if found := [option.letter for option in options if option.text in right]:
        return Reading(found[0], "the only option whose text is contained", alike=tuple(found[1:]))
    return Reading(None, "no option's text is contained, or several")


SOURCE = "nicolaus625/CMI-bench@4c15f41 (the accuracy)"
POLICIES = (
    Policy(
        "cmi",
        1,
        "the only option whose text is contained, blanks and marks aside (CMI-Bench)",
        as_published,
        SOURCE,
    ),
)
